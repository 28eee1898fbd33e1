/* Training: the same bits at any number of threads, a batch with fewer targets predicts what one with all does,
 * selection, failure, embeddings, saved models, and the joint loss against a direct evaluation of its formula. */
#include "../../src/train/method/method.h"
#include "../../src/base/err.h"
#include "../../src/kernel/blas.h"
#include "../../src/kernel/simd.h"
#include "../../src/net/loss/loss.h"
#include "../../src/base/file.h"
#include "../../src/base/hash.h"
#include "../../src/train/saved.h"
#include "cell_of.h"
#include "test.h"
#include "toy.h"
#include <omp.h>
#include <unistd.h>

/* One thread against two of the other counts, the second with short vectors; with sparse and dense features each
 * network x loss meets all of them. */
static void check_threads(problem *p, const spec *s, int turn)
{
    static const int counts[] = {2, 3, 4, 8};
    const int threads[] = {1, counts[turn % 4], counts[(turn + 1) % 4]};
    outcome first, now;
    for (int k = 0; k < 3; k++) {
        omp_set_num_threads(threads[k]);
        simd_short = k == 2;
        method_once(&now, p, CELL(s), 1, 0);
        first = k ? first : now;
        CHECK(now.param_hash == first.param_hash && now.test_loss == first.test_loss,
              "%s %s: %d threads, %s vectors give different bits", s->model, s->loss, threads[k],
              simd_short ? "short" : "long");
    }
    simd_short = 0;
    if (turn % 4 > 1) /* once for each network x loss */
        return;
    method_once(&now, p, CELL(s), 1, 1);
    CHECK(now.param_hash != first.param_hash, "%s %s: run 1 is run 0 again", s->model, s->loss);
}

static void test_threads(void)
{
    for (int dense = 0; dense < 2; dense++) {
        problem *p = toy(6000, 60, 5, dense); /* several blocks of rows */
        p->split_rule = split_rule_read("per-class:250:100");
        for (int b = 0; backbones[b]; b++)
            for (int o = 0; objectives[o]; o++) {
                spec s = spec_default();
                s.model = backbones[b]->name, s.loss = objectives[o]->name, s.epochs = 2, s.hidden = 24,
                s.partition = partition_rule_read("random"), s.norm_batch = dense;
                problem_prepare(p, CELL(&s));
                check_threads(p, &s, b + o + 2 * dense);
            }
        omp_set_num_threads(2);
        problem_close(p);
    }
}

/* policy < 0: all, and training takes its first layers from the prediction. */
static uint64_t train_by_hand(problem *p, const spec *s, int policy)
{
    trainer *t = trainer_new(p, CELL(s), 1, 0);
    outcome o;
    if (policy >= 0)
        trainer_policy(t, (enum policy)policy);
    trainer_fit(t, &o, NULL, NULL);
    trainer_free(t);
    return o.param_hash;
}

/* Computing only the rows that are read, fused ops and updates, recycled buffers, and the first layers once for
 * prediction and training: none changes a bit. */
static void test_policy(void)
{
    for (int dense = 0; dense < 2; dense++) {
        problem *p = toy(500, 60, 4, dense);
        for (int b = 0; backbones[b]; b++)
            for (int o = 0; objectives[o]; o++)
                for (int k = 0; k < 3; k++) {
                    if (o >= 4 && k != (b + o) % 3) /* losses that stand on the same ops: in turns */
                        continue;
                    spec s = spec_default();
                    s.model = backbones[b]->name, s.loss = objectives[o]->name, s.epochs = 3, s.hidden = 24,
                    s.partition = partition_rule_read("random");
                    s.dropout = k ? 0.5 : 0, s.norm_batch = k == 2;
                    problem_prepare(p, CELL(&s));
                    int one = 1 << (b + o + k) % 5; /* each by itself, in some of the networks */
                    uint64_t want = train_by_hand(p, &s, -1);
                    CHECK(train_by_hand(p, &s, 0) == want, "%s %s dropout %g: the plain ops give different bits",
                          s.model, s.loss, s.dropout);
                    CHECK(train_by_hand(p, &s, one) == want, "%s %s dropout %g: policy %d gives different bits",
                          s.model, s.loss, s.dropout, one);
                }
        problem_close(p);
    }
}

/* The same with batch normalisation of several blocks of rows, each policy by itself. */
static void test_norm_policy(void)
{
    static const char *const models[] = {"gcn", "mlp", "sage"};
    problem *p = toy(2600, 60, 4, 1);
    for (int k = 0; k < 3; k++) {
        spec s = spec_default();
        s.model = models[k], s.epochs = 3, s.layers = 3, s.hidden = 24, s.norm_batch = 1;
        problem_prepare(p, CELL(&s));
        uint64_t want = train_by_hand(p, &s, -1);
        for (int one = 1; one <= POLICY_ALL; one *= 2)
            CHECK(train_by_hand(p, &s, one) == want, "%s with batch normalisation: policy %d gives different bits",
                  s.model, one);
        CHECK(train_by_hand(p, &s, POLICY_ALL) == want, "%s with batch normalisation: sharing gives different bits",
              s.model);
    }
    problem_close(p);
}

/* Computing all rows or those that are read, on graphs of one block of rows (1024) and of several, where the rows that
 * are read begin in one block or in several. test_policy has one block only, test_norm_policy no attention. */
static void test_field(void)
{
    static const struct {
        int nodes, classes;
        const char *split;
    } size[] = {{500, 4, "per-class:4:4"},
                {1025, 3, "per-class:4:4"},
                {2600, 4, "per-class:2:4"},
                {3000, 5, "per-class:30:10"},
                {6000, 5, "per-class:250:100"}};
    static const char *const losses[] = {"ce", "jc"};
    for (int k = 0; k < 5; k++) {
        problem *p = toy(size[k].nodes, 40, size[k].classes, k % 2);
        p->split_rule = split_rule_read(size[k].split);
        for (int b = 0; backbones[b]; b++)
            for (int l = 0; l < 2; l++) {
                spec s = spec_default();
                s.model = backbones[b]->name, s.loss = losses[l], s.epochs = 2, s.hidden = 8,
                s.partition = partition_rule_read("random");
                problem_prepare(p, CELL(&s));
                CHECK(train_by_hand(p, &s, POLICY_ALL & ~RECEPTIVE_FIELD) == train_by_hand(p, &s, -1),
                      "%s %s, %d nodes, %s: computing all rows gives different bits", s.model, s.loss, size[k].nodes,
                      size[k].split);
            }
        problem_close(p);
    }
}

/* Predicting three nodes alone must agree with predicting all of them (up to the order of sums inside the BLAS). */
static void test_rows(void)
{
    problem *p = toy(500, 60, 4, 0);
    for (int b = 0; backbones[b]; b++)
        for (int o = 0; objectives[o]; o++) {
            spec s = spec_default();
            s.model = backbones[b]->name, s.loss = objectives[o]->name, s.epochs = 5,
            s.partition = partition_rule_read("random");
            problem_prepare(p, CELL(&s));
            trainer *t = trainer_new(p, CELL(&s), 1, 0);
            outcome r;
            trainer_fit(t, &r, NULL, NULL);
            int all[500], few[] = {7, 100, 499};
            for (int i = 0; i < 500; i++)
                all[i] = i;
            mat x = trainer_predict(t, all, 500), y = trainer_predict(t, few, 3);
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 4; k++)
                    CHECK_NEAR((double)mat_row(x, few[i])[k], (double)mat_row(y, i)[k], 1e-6);
            trainer_free(t);
        }
    problem_close(p);
}

/* The paper's formula, term by term, in double. */
static double joint_direct(trainer *t, const mat z)
{
    const split *q = &t->part;
    const int *cluster = t->data.cluster, *y = t->data.y.one;
    int d = z.cols, c = t->m->classes, M = t->m->clusters, L = q->n[TRAIN];
    double *zbar = calloc((size_t)(M * d), sizeof *zbar), *ybar = calloc((size_t)(M * c), sizeof *ybar),
           *n = calloc((size_t)M, sizeof *n), loss = 0;
    for (int i = 0; i < L; i++) {
        int m = cluster[q->idx[TRAIN][i]];
        n[m]++;
        ybar[m * c + y[q->idx[TRAIN][i]]]++;
        for (int k = 0; k < d; k++)
            zbar[m * d + k] += (double)mat_row(z, i)[k];
    }
    const op *last = t->m->ops + t->m->nops - 1;
    const real *w = t->net.w + t->m->params[last->w].at, *b = t->net.w + t->m->params[last->b].at;
    for (int i = 0; i < L; i++)
        for (int order = 0; order < 2; order++) {
            int m = cluster[q->idx[TRAIN][i]];
            double logit[64], sum = 0;
            for (int j = 0; j < c * c; j++) {
                logit[j] = (double)b[j];
                for (int k = 0; k < d; k++) {
                    double one = (double)mat_row(z, i)[k], two = zbar[m * d + k] / n[m];
                    logit[j] += (order ? two : one) * (double)w[k * c * c + j] +
                                (order ? one : two) * (double)w[(d + k) * c * c + j];
                }
                sum += exp(logit[j] / t->c.s.tau);
            }
            for (int k = 0; k < c; k++)
                for (int l = 0; l < c; l++) {
                    double target = order ? ybar[m * c + k] / n[m] * (l == y[q->idx[TRAIN][i]])
                                          : (k == y[q->idx[TRAIN][i]]) * ybar[m * c + l] / n[m];
                    loss -= target * log(exp(logit[k * c + l] / t->c.s.tau) / sum + 1e-8);
                }
        }
    free(zbar), free(ybar), free(n);
    return loss / (2.0 * L);
}

static void test_joint(void)
{
    problem *p = toy(900, 50, 4, 0);
    p->split_rule = split_rule_read("per-class:50:20"); /* two tiles */
    spec s = spec_default();
    s.loss = "jc", s.tau = 0.6, s.clusters = 7, s.partition = partition_rule_read("random");
    problem_prepare(p, CELL(&s));
    trainer *t = trainer_new(p, CELL(&s), 1, 0);
    workspace_forward(t->val, 0);
    workspace_forward(t->train, 1);
    CHECK_NEAR(t->train->loss, joint_direct(t, t->train->ops[t->m->nops - 2].out), 1e-5);
    trainer_free(t);
    problem_close(p);
}

static void build_large(void *arg)
{
    static arena a; /* what a refusal leaves is freed by the next call */
    const spec *s = arg;
    arena_free(&a);
    model *m = NEW(&a, model, 1);
    *m = (model){.features = 10, .classes = s->clusters, .clusters = 5};
    objective_find(s->loss)->build(m, s, backbone_find(s->model));
}

/* More columns than an int can count are refused; `clusters` has the number of classes. */
static void test_columns(void)
{
    static const struct {
        const char *model, *loss;
        int classes, fits;
    } t[] = {{"gcn", "jc", 46340, 1},  {"gcn", "jc", 46341, 0},     {"gcn", "jc", 65536, 0},
             {"gcn", "jcf", 65536, 1}, {"gcn", "postel", 46341, 1}, {"gat", "jc", 65536, 0},
             {"gat", "ce", 65536, 1},  {"gat", "jc", 10000, 0},     {"gcn", "jct", 65536, 0}};
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        spec s = spec_default();
        s.model = t[k].model, s.loss = t[k].loss, s.clusters = t[k].classes, s.out_heads = 64;
        const char *why = err_try(build_large, &s);
        CHECK((why == NULL) == t[k].fits, "%s %s with %d classes: %s", s.model, s.loss, s.clusters,
              why ? why : "accepted");
    }
}

/* More clusters than training nodes: most clusters are empty, and everything stays finite. */
static void test_empty_clusters(void)
{
    problem *p = toy(300, 50, 3, 0);
    spec s = spec_default();
    s.loss = "jc", s.clusters = 150, s.partition = partition_rule_read("random"), s.epochs = 20;
    problem_prepare(p, CELL(&s));
    outcome o;
    method_once(&o, p, CELL(&s), 1, 0);
    CHECK(!strcmp(o.status, "ok") && o.test.acc > 0.34 && isfinite(o.test_loss), "%s acc %g", o.status, o.test.acc);
    problem_close(p);
}

/* The embeddings are what the head reads: softmax(z W + b) is the prediction of cross-entropy. */
static void test_embed(void)
{
    problem *p = toy(300, 60, 4, 0);
    static const char *const linear_head[] = {"gcn", "sgc", "mlp", "gcnii"};
    for (int b = 0; b < 4; b++) {
        spec s = spec_default();
        s.model = linear_head[b], s.layers = 4, s.epochs = 5;
        problem_prepare(p, CELL(&s));
        trainer *t = trainer_new(p, CELL(&s), 1, 0);
        outcome r;
        trainer_fit(t, &r, NULL, NULL);
        int all[300];
        for (int i = 0; i < 300; i++)
            all[i] = i;
        mat z = trainer_embed(t), want = trainer_predict(t, all, 300), got = mat_new(&t->a, 300, 4);
        const param *w = t->m->params + t->m->nparams - 2;
        CHECK(z.rows == 300 && z.cols == w->rows, "%s: %d x %d", s.model, z.rows, z.cols);
        for (int i = 0; i < 300; i++)
            for (int k = 0; k < 4; k++) {
                double v = (double)t->net.w[w[1].at + (size_t)k];
                for (int q = 0; q < z.cols; q++)
                    v += (double)mat_row(z, i)[q] * (double)t->net.w[w->at + (size_t)(q * 4 + k)];
                mat_row(got, i)[k] = (real)v;
            }
        softmax(got.v, got.v, 300, 4, 1);
        for (int i = 0; i < 300 * 4; i++)
            CHECK_NEAR((double)got.v[i], (double)want.v[i], 1e-5);
        trainer_free(t);
    }
    problem_close(p);
}

static void test_selection(void)
{
    problem *p = toy(600, 60, 3, 0);
    static const enum spec_select how[] = {SELECT_ACC, SELECT_MACRO_F1, SELECT_WEIGHTED_F1, SELECT_LOSS};
    for (int k = 0; k < 4; k++) {
        spec s = spec_default();
        s.select = how[k], s.epochs = 60;
        outcome o;
        problem_prepare(p, CELL(&s));
        method_once(&o, p, CELL(&s), 1, 0);
        double chosen = k == 0 ? o.val.acc : k == 1 ? o.val.macro_f1 : k == 2 ? o.val.weighted_f1 : -o.val_loss;
        CHECK_NEAR(chosen, o.val_score, 1e-9);
        s.patience = 5;
        outcome early;
        method_once(&early, p, CELL(&s), 1, 0);
        CHECK(early.epochs <= o.epochs && (early.epochs == 60 || early.epochs == early.best_epoch + 5),
              "patience: %d epochs, best %d", early.epochs, early.best_epoch);
    }
    spec s = spec_default();
    s.lr = 100, s.wd = 100, s.epochs = 2000; /* blows up or not, it must say so or finish */
    outcome o;
    method_once(&o, p, CELL(&s), 1, 0);
    CHECK(!strcmp(o.status, "ok") || !strncmp(o.status, "failed:", 7), "%s", o.status);
    problem_close(p);
}

static int same_metrics(const metrics *x, const metrics *y)
{
    return x->acc == y->acc && x->ece == y->ece && x->brier == y->brier && x->nll == y->nll;
}

/* One run with select=each is three runs, one for each way of choosing, with or without patience. */
static void test_each(void)
{
    static const enum spec_select how[] = {SELECT_ACC, SELECT_MACRO_F1, SELECT_WEIGHTED_F1};
    problem *p = toy(600, 60, 3, 0);
    for (int i = 0; i < 600; i++) /* uneven classes, or the three would always agree */
        ((int *)p->d->y)[i] = i % 10 < 6 ? 0 : i % 10 < 9 ? 1 : 2;
    p->split_rule = split_rule_read("fraction:.1:.3");
    int differ = 0;
    for (int patience = 0; patience <= 6; patience += 3) {
        spec s = spec_default();
        s.epochs = 60, s.lr = 0.05, s.patience = patience;
        problem_prepare(p, CELL(&s));
        outcome one[3], o;
        for (int k = 0; k < 3; k++) {
            s.select = how[k];
            method_once(one + k, p, CELL(&s), 1, 0);
        }
        s.select = SELECT_EACH;
        method_once(&o, p, CELL(&s), 1, 0);
        CHECK(o.test.acc == one[0].test.acc && o.test.macro_f1 == one[1].test.macro_f1 &&
                  o.test.weighted_f1 == one[2].test.weighted_f1 && o.val.macro_f1 == one[1].val.macro_f1 &&
                  o.val.weighted_f1 == one[2].val.weighted_f1,
              "patience %d: %g %g %g", patience, o.test.acc, o.test.macro_f1, o.test.weighted_f1);
        CHECK(o.param_hash == one[0].param_hash && o.best_epoch == one[0].best_epoch &&
                  o.val_score == one[0].val_score && o.train_loss == one[0].train_loss &&
                  o.test_loss == one[0].test_loss && same_metrics(&o.test, &one[0].test) &&
                  same_metrics(&o.val, &one[0].val),
              "patience %d: the rest is not that of select=acc", patience);
        int longest = one[0].epochs > one[1].epochs ? one[0].epochs : one[1].epochs;
        CHECK(o.epochs == (longest > one[2].epochs ? longest : one[2].epochs), "patience %d: %d epochs", patience,
              o.epochs);
        differ += (one[0].best_epoch != one[1].best_epoch) + (one[1].best_epoch != one[2].best_epoch);
    }
    CHECK(differ > 0, "the three ways always chose the same epoch: nothing was tested");
    problem_close(p);
}

static char path[64];

static void read_saved(void *arg) { saved_read(arg, path); }

static void test_saved(void)
{
    problem *p = toy(300, 50, 3, 0);
    spec s = spec_default();
    s.loss = "jc", s.partition = partition_rule_read("random"), s.epochs = 10;
    problem_prepare(p, CELL(&s));
    trainer *t = trainer_new(p, CELL(&s), 3, 2);
    outcome o;
    trainer_fit(t, &o, NULL, NULL);
    snprintf(path, sizeof path, "test_train_%ld.model", (long)getpid());
    saved_write(path, t);
    saved m = saved_read(&t->a, path);
    CHECK(m.run == 2 && m.seed == 3 && !strcmp(m.s.loss, "jc"), "run %d seed %d", m.run, (int)m.seed);
    int all[300];
    for (int i = 0; i < 300; i++)
        all[i] = i;
    mat x = trainer_predict(t, all, 300), y = saved_predict(&t->a, &m, CELL(&m.s), p);
    CHECK(!memcmp(x.v, y.v, 900 * sizeof(real)), "a saved model predicts otherwise");
    bytes whole = file_read(&t->a, path, 0);
    char *copy = arena_alloc(&t->a, whole.n, 1);
    int read = 0;
    for (size_t i = 0; i < whole.n && memcmp(whole.p + i, "\n\n", 2); i++) { /* every byte of the header */
        memcpy(copy, whole.p, whole.n);
        copy[i] ^= 1;
        FILE *g = fopen(path, "w");
        fwrite(copy, 1, whole.n, g);
        fclose(g);
        read += err_try(read_saved, &t->a) == NULL;
    }
    CHECK(!read, "%d damaged headers were read", read);
    const char *line =
        strstr((const char *)whole.p,
               "classes=3\n"); /* version 2, whose hash is that of the parameters: ranges alone protect */
    size_t at = (size_t)(line - (const char *)whole.p), body = m.size * sizeof(real);
    char *old =
        arena_printf(&t->a, "%.*sclasses=-2147483648\nsize=%zu\nreal=%s\nhash=%016llx\n\n", (int)at,
                     (const char *)whole.p, m.size, REAL_NAME, (unsigned long long)hash_bytes(HASH_INIT, m.w, body));
    old[14] = '2';
    char *file = arena_alloc(&t->a, strlen(old) + body, 1);
    memcpy(file, old, strlen(old));
    memcpy(file + strlen(old), m.w, body);
    file_write(path, file, strlen(old) + body);
    const char *error = err_try(read_saved, &t->a);
    CHECK(error && strstr(error, "classes is '-2147483648'"), "%s", error ? error : "-2147483648 classes were read");
    file_write(path, whole.p, whole.n);
    FILE *f = fopen(path, "r+");
    fseek(f, -5, SEEK_END);
    fputc(0x55, f);
    fclose(f);
    CHECK(err_try(read_saved, &t->a) != NULL, "a damaged model was read");
    CHECK(truncate(path, 300) == 0 && err_try(read_saved, &t->a) != NULL, "a truncated model was read");
    unlink(path);
    trainer_free(t);
    problem_close(p);
}

TEST_MAIN(test_train)
{
    blas_init();
    test_threads();
    test_policy();
    test_norm_policy();
    test_field();
    test_rows();
    test_joint();
    test_columns();
    test_empty_clusters();
    test_embed();
    test_selection();
    test_each();
    test_saved();
    return test_end();
}
