/* Samplers: gradients of every backbone x objective x sampler against central differences; a batch that holds the whole
 * graph has the gradient of the full batch, and so has one with all neighbours; draws are uniform; batches depend on
 * nothing but (seed, run, epoch, number); the same bits at any number of threads; hostile rules. In double. */
#include "../../../src/base/err.h"
#include "../../../src/kernel/blas.h"
#include "../../../src/net/loss/loss.h"
#include "../../../src/train/method/method.h"
#include "../cell_of.h"
#include "../test.h"
#include "../toy.h"
#include <gsl/gsl_cdf.h>
#include <omp.h>

/* Training by this rule, parameters initialised. */
static trainer *start(problem **p, const char *name, const char *loss, const char *rule, int multi, int norm)
{
    *p = (multi ? toy_multi : toy)(120, 24, 3, 1);
    (*p)->split_rule = split_rule_read("fraction:0.4:0.2");
    spec s = spec_default();
    s.model = name, s.loss = loss, s.hidden = 6, s.clusters = 3, s.heads = 2, s.in_dropout = 0.3,
    s.batch = batch_rule_read(rule), s.norm_batch = norm, s.mean_self = multi;
    s.tau = 0.7, s.epochs = 3;
    spec_set(&s, "partition", multi && strcmp(rule, "full") ? "batch" : "random");
    problem_prepare(*p, CELL(&s));
    return trainer_new(*p, CELL(&s), 5, 0);
}

static int reads_graph(const trainer *t)
{
    for (int k = 0; k < t->m->nops; k++)
        if (t->m->ops[k].kind->reads_graph)
            return 1;
    return 0;
}

/* --- gradients --- */

static double loss_at(trainer *t, size_t i, double x)
{
    real keep = t->net.w[i];
    t->net.w[i] = (real)x;
    workspace_forward(t->train, 7);
    t->net.w[i] = keep;
    return t->train->loss;
}

static void check_gradient(const char *name, const char *loss, const char *rule, int multi, int norm)
{
    problem *p;
    trainer *t = start(&p, name, loss, rule, multi, norm);
    const batch *b = sampler_batch(t->batches, 2, 1);
    workspace_bind(t->train, b);
    workspace_forward(t->train, 7);
    workspace_backward(t->train);
    double *g = NEW(&t->a, double, t->m->size), worst = 0;
    for (size_t i = 0; i < t->m->size; i++)
        g[i] = (double)t->net.g[i];
    int checked = 0, nonzero = 0;
    for (int k = 0; k < t->m->nparams; k++) {
        const param *q = t->m->params + k;
        size_t n = (size_t)q->rows * (size_t)q->cols;
        for (size_t e = 0; e < n && q->group != STATE; e += 1 + n / 10) {
            size_t i = q->at + e;
            double x = (double)t->net.w[i], h = 1e-5;
            double d2 = (loss_at(t, i, x + h / 2) - loss_at(t, i, x - h / 2)) / h,
                   error = fabs(g[i] - d2) / (1e-3 + fabs(d2));
            if (!(error < 1e-5)) { /* a kink of ReLU? */
                double d1 = (loss_at(t, i, x + h) - loss_at(t, i, x - h)) / (2 * h);
                if (fabs(d1 - d2) > 5e-9 * (1 + fabs(d1)))
                    continue;
            }
            worst = worst == worst && !(error <= worst) ? error : worst; /* one that is no number stays */
            checked++, nonzero += d2 != 0;
        }
    }
    CHECK(worst < 1e-5, "%s %s %s multi %d norm %d: relative error %g", name, loss, rule, multi, norm, worst);
    CHECK(checked > 15 && nonzero > checked / 5, "%s %s %s: %d checked, %d not zero", name, loss, rule, checked,
          nonzero);
    trainer_free(t);
    problem_close(p);
}

/* --- the whole graph as a batch --- */

static double furthest(const real *x, const real *y, size_t n)
{
    double worst = 0, size = 1e-12;
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs((double)(x[i] - y[i])));
        size = fmax(size, fabs((double)x[i]));
    }
    return worst / size;
}

static void check_whole(const char *name, const char *loss, const char *rule, int norm)
{
    problem *p;
    trainer *t = start(&p, name, loss, rule, 0, norm);
    const split *q = &t->part;
    workspace_bind(t->train, sampler_batch(t->batches, 1, 0));
    CHECK(sampler_batches(t->batches) == 1 && t->train->b->ntarget == q->n[TRAIN], "%s %s: not the whole graph", name,
          rule);
    workspace_forward(t->train, 3);
    workspace_backward(t->train);
    real *g = NEW(&t->a, real, t->m->size);
    memcpy(g, t->net.g, t->m->size * sizeof(real));
    double loss_by_batch = t->train->loss;
    net_init(&t->net, 5, 0); /* running statistics have moved */
    batch b = batch_full(&t->data, q->idx[TRAIN], q->n[TRAIN], q->idx[TRAIN], q->n[TRAIN]);
    workspace *full = workspace_new(&t->a, program_compile(&t->a, t->m, 1, POLICY_ALL), &t->net, NULL);
    full->r = t->train->r;
    workspace_bind(full, &b);
    workspace_forward(full, 3);
    workspace_backward(full);
    CHECK_NEAR(loss_by_batch, full->loss, 1e-12);
    double off = furthest(t->net.g, g, t->m->size);
    CHECK(off < 1e-10, "%s %s %s: gradient %g off", name, loss, rule, off);
    trainer_free(t);
    problem_close(p);
}

/* --- draws --- */

/* k of n items are drawn many times; counts each item and each neighbouring pair. The statistic of a sample without
 * replacement is (n - 1) / n of chi-square's with n - 1 degrees of freedom when divided by 1 - k / n. */
static void test_uniform(void)
{
    static const int cases[][2] = {{20, 5}, {11, 10}, {37, 15}, {1000, 10}, {2, 1}};
    enum { TIMES = 40000 };
    rng r = rng_make(3, 0, RNG_BATCH);
    for (int c = 0; c < 5; c++) {
        int n = cases[c][0], k = cases[c][1], out[64], seen[1000] = {0}, bad = 0;
        for (uint32_t i = 0; i < TIMES; i++) {
            int many = sampler_draw(out, n, k, r, (uint32_t[]){i, 16, 1});
            bad += many != k;
            for (int q = 0; q < many; q++) {
                bad += out[q] < 0 || out[q] >= n || (q && out[q] <= out[q - 1]);
                seen[out[q]]++;
            }
        }
        double expected = TIMES * (double)k / n, chi = 0;
        for (int i = 0; i < n; i++)
            chi += (seen[i] - expected) * (seen[i] - expected) / expected;
        chi *= (n - 1.0) / n / (1 - (double)k / n);
        double p = gsl_cdf_chisq_Q(chi, n - 1);
        CHECK(!bad && p > 1e-4 && p < 1 - 1e-4, "%d of %d: %d wrong, chi-square %g, p %g", k, n, bad, chi, p);
    }
    int out[8];
    CHECK(sampler_draw(out, 3, 5, r, (uint32_t[]){0, 0, 0}) == 3 && out[0] == 0 && out[2] == 2, "fewer than asked for");
    CHECK(sampler_draw(out, 0, 5, r, (uint32_t[]){0, 0, 0}) == 0, "no neighbour");
}

/* Every sampled link is a link, a row has min(degree, fan-out) of them and its loop, rows of the mean add up to 1, the
 * rows of layer h + 1 are those of layer h and their neighbours, every training node is a target once an epoch. */
static void test_links(void)
{
    problem *p;
    trainer *t = start(&p, "sage", "ce", "neighbour:7:3,2", 0, 0);
    const csr *g = &p->d->graph;
    int *times = NEW(&t->a, int, 120), bad = 0, links = 0;
    for (int k = 0; k < sampler_batches(t->batches); k++) {
        const batch *b = sampler_batch(t->batches, 4, k);
        CHECK(b->hops == 2, "%d hops", b->hops);
        for (int i = 0; i < b->ntarget; i++)
            times[b->id[b->target[i]]]++;
        for (int h = 0; h < 2; h++) {
            const csr *m = b->adj[h][ADJ_OTHERS];
            for (int i = 0; i < b->nodes; i++) {
                int u = b->id[i], n = (int)(m->ptr[i + 1] - m->ptr[i]), deg = (int)(g->ptr[u + 1] - g->ptr[u]),
                    fan = h ? 2 : 3;
                double sum = 0;
                for (int64_t e = m->ptr[i]; e < m->ptr[i + 1]; e++) {
                    int found = 0;
                    for (int64_t q = g->ptr[u]; q < g->ptr[u + 1]; q++)
                        found |= g->idx[q] == b->id[m->idx[e]];
                    bad += !found || (e > m->ptr[i] && m->idx[e] <= m->idx[e - 1]);
                    sum += (double)m->val[e];
                    links++;
                }
                bad += n && (n != (deg < fan ? deg : fan) || fabs(sum - 1) > 1e-12);
                for (int q = 0; h == 0 && q < b->ntarget; q++)
                    bad += b->target[q] == i && deg && !n;
            }
        }
    }
    for (int i = 0; i < t->part.n[TRAIN]; i++)
        bad += times[t->part.idx[TRAIN][i]] != 1;
    CHECK(!bad && links > 100, "%d defects in %d links", bad, links);
    trainer_free(t);
    problem_close(p);
}

/* A batch does not depend on those before it. */
static void test_order(void)
{
    static const char *const rules[] = {"neighbour:7:3,2", "cluster:10:3", "rows:9"};
    for (int k = 0; k < 3; k++) {
        problem *p;
        trainer *t = start(&p, k == 2 ? "mlp" : "gcn", "jc", rules[k], 1, 0);
        batch b = *sampler_batch(t->batches, 3, 1);
        int nodes = b.nodes, n = b.ntarget, *id = NEW(&t->a, int, (size_t)nodes),
            *cluster = NEW(&t->a, int, (size_t)nodes);
        memcpy(id, b.id, (size_t)nodes * sizeof *id), memcpy(cluster, b.cluster, (size_t)nodes * sizeof *cluster);
        sampler_batch(t->batches, 9, 2), sampler_batch(t->batches, 3, 0);
        b = *sampler_batch(t->batches, 3, 1);
        CHECK(b.nodes == nodes && b.ntarget == n && !memcmp(id, b.id, (size_t)nodes * sizeof *id) &&
                  !memcmp(cluster, b.cluster, (size_t)nodes * sizeof *cluster),
              "%s: another batch the second time", rules[k]);
        b = *sampler_batch(t->batches, 4, 1);
        CHECK(b.nodes != nodes || memcmp(id, b.id, (size_t)nodes * sizeof *id), "%s: the same batch in the next epoch",
              rules[k]);
        trainer_free(t);
        problem_close(p);
    }
}

/* --- training --- */

static void check_training(const char *name, const char *loss, const char *rule, int multi)
{
    static const int threads[] = {1, 2, 3, 8};
    uint64_t first = 0;
    for (int k = 0; k < 4; k++) {
        problem *p;
        omp_set_num_threads(threads[k]);
        trainer *t = start(&p, name, loss, rule, multi, 1);
        outcome o;
        sampler_overlap(t->batches, k % 2); /* with and without a helper thread */
        trainer_fit(t, &o, NULL, NULL);
        first = k ? first : o.param_hash;
        CHECK(!strcmp(o.status, "ok") && o.param_hash == first, "%s %s %s: %s, %d threads", name, loss, rule, o.status,
              threads[k]);
        if (!k) { /* nothing that is fused or recycled changes a bit */
            trainer_policy(t, 0);
            net_init(&t->net, 5, 0);
            t->chosen[0].score = -INFINITY;
            trainer_fit(t, &o, NULL, NULL);
            CHECK(o.param_hash == first, "%s %s %s: the plain ops give different bits", name, loss, rule);
        }
        trainer_free(t);
        problem_close(p);
    }
    omp_set_num_threads(2);
}

/* Training in batches reaches the accuracy of full-batch training. */
static void test_accuracy(void)
{
    static const char *const rules[] = {"full", "neighbour:16:4,3", "cluster:8:2"};
    double acc[3];
    for (int k = 0; k < 3; k++) {
        problem *p = toy(600, 60, 3, 0);
        p->split_rule = split_rule_read("fraction:0.3:0.2");
        spec s = spec_default();
        s.batch = batch_rule_read(rules[k]), s.epochs = k ? 30 : 150;
        problem_prepare(p, CELL(&s));
        outcome o;
        method_once(&o, p, CELL(&s), 1, 0);
        acc[k] = o.test.acc;
        problem_close(p);
    }
    CHECK(acc[0] > 0.7 && fabs(acc[1] - acc[0]) < 0.06 && fabs(acc[2] - acc[0]) < 0.06,
          "full %.3f, neighbours %.3f, clusters %.3f", acc[0], acc[1], acc[2]);
}

static void read_rule(void *text) { batch_rule_read(text); }
static void open_rows(void *unused)
{
    (void)unused;
    problem *p;
    start(&p, "gcn", "ce", "rows:10", 0, 0);
}

static void test_rules(void)
{
    static const char *const bad[] = {"",
                                      "fill",
                                      "rows",
                                      "rows:0",
                                      "rows:-3",
                                      "rows:5x",
                                      "neighbour:5",
                                      "neighbour:5:",
                                      "neighbour:5:3,",
                                      "neighbour:5:-1",
                                      "neighbour:5:2000",
                                      "neighbour:0:3",
                                      "neighbour:5:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1",
                                      "cluster:5",
                                      "cluster:5:6",
                                      "cluster:5:0",
                                      "cluster:5:2:1"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        CHECK(err_try(read_rule, (void *)bad[k]), "batch '%s' was accepted", bad[k]);
    batch_rule b = batch_rule_read("neighbour:512:15,10");
    CHECK(b.kind == BATCH_NEIGHBOUR && b.size == 512 && b.nfan == 2 && b.fan[0] == 15 && b.fan[1] == 10,
          "neighbour:512:15,10");
    const char *why = err_try(open_rows, NULL);
    CHECK(why && strstr(why, "read no graph"), "rows for a network that reads the graph: %s", why ? why : "accepted");
}

TEST_MAIN(test_sampler)
{
    blas_init();
    test_rules();
    test_uniform();
    test_links();
    test_order();
    for (int k = 0; backbones[k]; k++)
        for (int o = 0; objectives[o]; o++) {
            if (!meets(k, o))
                continue;
            const char *name = backbones[k]->name, *loss = objectives[o]->name;
            problem *p;
            trainer *t = start(&p, name, loss, "neighbour:30:2", 0, 0);
            int graph = reads_graph(t);
            trainer_free(t);
            problem_close(p);
            for (int multi = 0; multi <= objectives[o]->multi; multi++) {
                check_gradient(name, loss, "neighbour:12:3,2", multi, 0);
                check_gradient(name, loss, "cluster:6:2", multi, 1);
                if (!graph)
                    check_gradient(name, loss, "rows:20", multi, 1);
                check_training(name, loss, graph ? (k + multi) % 2 ? "neighbour:12:3,2" : "cluster:6:2" : "rows:20",
                               multi);
            }
            check_whole(name, loss, "neighbour:200:0", 0);
            check_whole(name, loss, "cluster:4:4", 0);
            check_whole(name, loss, "cluster:4:4", 1);
            if (!graph)
                check_whole(name, loss, "rows:200", 0);
        }
    test_accuracy();
    return test_end();
}
