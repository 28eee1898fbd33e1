/* Prediction layer by layer in blocks of nodes: the bits of one workspace over the whole graph, for every backbone and
 * objective, in one block and in many, at any number of threads; the release's cluster means term by term; a limit that
 * cannot be met; sizes of --memory. */
#include "../../src/base/err.h"
#include "../../src/base/memory.h"
#include "../../src/kernel/blas.h"
#include "../../src/net/loss/loss.h"
#include "../../src/train/trainer.h"
#include "cell_of.h"
#include "test.h"
#include "toy.h"
#include <omp.h>

enum { NODES = 900 };

static int hidden = 6, nodes = NODES;

static trainer *start(problem **p, const char *name, const char *loss, int multi, int norm, const char *rule)
{
    *p = (multi ? toy_multi : toy)(nodes, 24, 3, norm);
    (*p)->split_rule = split_rule_read("fraction:0.4:0.3");
    spec s = spec_default();
    s.model = name, s.loss = loss, s.hidden = hidden, s.clusters = 3, s.heads = 2, s.norm_batch = norm, s.layers = 3,
    s.batch = batch_rule_read(rule), s.epochs = 2, s.mean_self = norm;
    spec_set(&s, "partition", strcmp(rule, "full") ? "batch" : "random");
    problem_prepare(*p, CELL(&s));
    return trainer_new(*p, CELL(&s), 5, 0);
}

typedef struct attempt {
    trainer *t;
    double limit;
    blocks *b;
} attempt;

static void try_room(void *arg)
{
    attempt *x = arg;
    x->b = blocks_new(x->t->m, &x->t->net, &x->t->on_val->b, &x->t->p->d->graph, 1000, x->limit);
}

/* limit: 0: the least that does. */
static void compare(trainer *t, const char *what, double limit)
{
    attempt x = {t, limit > 0 ? limit : 3e4, NULL};
    const char *why = err_try(try_room, &x);
    int refused = 0;
    for (; why && limit <= 0 && x.limit < 1e9; refused++) {
        CHECK(strstr(why, "--memory"), "%s: %s", what, why);
        x.limit *= 1.25;
        why = err_try(try_room, &x);
    }
    CHECK(!why && (limit > 0 || refused), "%s: %s", what, why ? why : "no limit was too low");
    if (!x.b)
        return;
    int n = t->part.n[VAL], c = t->m->classes;
    mat prob = mat_new(&t->a, n, c);
    for (int again = 0; again < 2; again++) { /* what a prediction leaves does not disturb the next one */
        double loss;
        blocks_predict(prob, &loss, x.b);
        CHECK(!memcmp(prob.v, t->on_val->prob.v, (size_t)n * (size_t)c * sizeof(real)),
              "%s, limit %.3g: different bits", what, limit);
        CHECK_NEAR(loss, t->on_val->loss, 1e-6);
    }
    CHECK(blocks_bytes(x.b) + 1000 <= x.limit, "%s: %.0f bytes of %.0f", what, blocks_bytes(x.b), x.limit);
    blocks_free(x.b);
}

static void check(const char *name, const char *loss, int multi, int norm)
{
    static const int threads[] = {1, 2, 3, 8};
    problem *p;
    trainer *t = start(&p, name, loss, multi, norm, multi ? "cluster:4:4" : "full");
    char what[64];
    snprintf(what, sizeof what, "%s %s multi %d norm %d", name, loss, multi, norm);
    predictor_run(t->on_val);
    trainer_learn(t, 1);
    predictor_run(t->on_val);
    compare(t, what, 1e9);
    for (int k = 0; k < (!strcmp(loss, "jc") && !strcmp(name, "gat") ? 4 : 1); k++) {
        omp_set_num_threads(threads[k]);
        compare(t, what, 0);
    }
    omp_set_num_threads(2);
    trainer_free(t);
    problem_close(p);
}

/* The mean over inference batches of consecutive ids, joint logits and marginal in plain loops. */
static void test_release(const char *rule, int size, int subset)
{
    problem *p = toy_multi(NODES, 24, 3, 1);
    spec s = spec_default();
    s.model = subset ? "mlp" : "sage", s.loss = "jc", s.hidden = 6, s.clusters = 3, s.batch = batch_rule_read(rule),
    spec_set(&s, "partition", "batch"), s.inference = INFERENCE_RELEASE;
    problem_prepare(p, CELL(&s));
    trainer *t = trainer_new(p, CELL(&s), 5, 0);
    predictor_run(t->on_val);
    mat z = trainer_embed(t);
    int n = t->part.n[VAL], d = z.cols, c = 3;
    const op *o = t->m->ops + t->m->nops - 1;
    const real *w = t->net.w + t->m->params[o->w].at, *bias = t->net.w + t->m->params[o->b].at;
    double worst = 0, moved = 0;
    for (int i = 0; i < n; i += 7) {
        int from = (subset ? i : t->part.idx[VAL][i]) / size * size, to = from + size < (subset ? n : NODES)
                                                                              ? from + size
                                                                          : subset ? n
                                                                                   : NODES;
        double in[64] = {0};
        for (int k = 0; k < d; k++) {
            in[k] = (double)mat_row(z, t->part.idx[VAL][i])[k];
            for (int j = from; j < to; j++)
                in[d + k] += (double)mat_row(z, subset ? t->part.idx[VAL][j] : j)[k] / (to - from);
        }
        for (int g = 0; g < c; g++) {
            double e[4], sum = 0;
            for (int q = 0; q < 4; q++) {
                double x = (double)bias[4 * g + q];
                for (int k = 0; k < 2 * d; k++)
                    x += in[k] * (double)w[k * 4 * c + 4 * g + q];
                sum += e[q] = exp(x);
            }
            worst = fmax(worst, fabs((e[2] + e[3]) / sum - (double)mat_row(t->on_val->prob, i)[g]));
        }
    }
    CHECK(worst < 1e-5, "%s: release's inference %g off", rule, worst);
    mat release = mat_new(&t->a, n, c);
    memcpy(release.v, t->on_val->prob.v, (size_t)(n * c) * sizeof(real));
    s.inference = INFERENCE_TRAINING;
    trainer *u = trainer_new(p, CELL(&s), 5, 0);
    predictor_run(u->on_val);
    for (int k = 0; k < n * c; k++)
        moved = fmax(moved, fabs((double)(release.v[k] - u->on_val->prob.v[k])));
    CHECK(moved > 1e-6, "%s: the two inferences do not differ", rule);
    trainer_free(u);
    trainer_free(t);
    problem_close(p);
}

static void test_memory(void)
{
    static const char *const bad[] = {"", "G", "8X", "8GB", "-1", "0", "nan", "1e30"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        CHECK(err_try(memory_set, (void *)bad[k]), "--memory '%s' was accepted", bad[k]);
    CHECK(memory_limit() > 0 && !memory_is_set(), "the default limit");
    memory_set("1.5m");
    CHECK(memory_is_set() && memory_limit() == 1.5 * 1024 * 1024, "1.5m is %g bytes", memory_limit());
}

static void train_short(void *arg) { start(arg, "sage", "jc", 1, 0, "neighbour:32:2"); }

/* A trainer under a memory limit predicts in blocks with the same result; too small a limit is an error before
 * training.
 */
static void test_trainer(void)
{
    problem *p;
    outcome whole, o;
    memory_set("1g");
    hidden = 64, nodes = 6000;
    trainer *t = start(&p, "sage", "jc", 1, 0, "neighbour:32:2");
    CHECK(t->val, "a small graph is predicted at once");
    trainer_fit(t, &whole, NULL, NULL);
    trainer_free(t);
    problem_close(p);
    memory_set("8m");
    t = start(&p, "sage", "jc", 1, 0, "neighbour:32:2");
    CHECK(!t->val && t->on_val->by, "not in blocks");
    trainer_fit(t, &o, NULL, NULL);
    CHECK(o.param_hash == whole.param_hash && o.test.acc == whole.test.acc &&
              fabs(o.test_loss - whole.test_loss) < 1e-6,
          "another result in blocks");
    trainer_free(t);
    problem_close(p);
    memory_set("1m");
    const char *why = err_try(train_short, &p);
    CHECK(why && strstr(why, "--memory"), "1m: %s", why ? why : "accepted");
    problem_close(p);
    memory_set("1g");
}

TEST_MAIN(test_blocks)
{
    blas_init();
    for (int k = 0; backbones[k]; k++)
        for (int o = 0; objectives[o]; o++)
            for (int multi = 0; multi <= objectives[o]->multi; multi++)
                check(backbones[k]->name, objectives[o]->name, multi, multi || o % 2);
    test_release("neighbour:100:5", 100, 0);
    test_release("cluster:4:2", 1024, 0);
    test_release("rows:90", 90, 1);
    test_memory();
    test_trainer();
    return test_end();
}
