/* test_order: data sets with reordered nodes. Graph, features, labels, splits and trained networks are the same up to
 * the order; output has the ids of the files. In double, so that rounding errors are small. */
#include "../../../src/base/err.h"
#include "../../../src/base/hash.h"
#include "../../../src/data/cache.h"
#include "../../../src/kernel/blas.h"
#include "../../../src/data/order.h"
#include "../../../src/net/loss/loss.h"
#include "../../../src/train/saved.h"
#include "../cell_of.h"
#include "../test.h"
#include "../toy.h"
#include <omp.h>
#include <unistd.h>

enum { NODES = 3000, FEATURES = 40, CLASSES = 4 };

static int permutation(const int *row, int n)
{
    arena a = {0};
    char *seen = NEW(&a, char, (size_t)n);
    int good = row != NULL;
    for (int i = 0; good && i < n; i++)
        good = row[i] >= 0 && row[i] < n && !seen[row[i]]++;
    arena_free(&a);
    return good;
}

static int joined(const csr *g, int i, int j)
{
    for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
        if (g->idx[k] == j)
            return 1;
    return 0;
}

/* Mean distance of neighbours in memory. */
static double span(const csr *g)
{
    double sum = 0;
    for (int i = 0; i < g->rows; i++)
        for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
            sum += abs(i - g->idx[k]);
    return sum / (double)csr_nnz(g);
}

/* A torus with shuffled nodes: reordering makes neighbours close again. */
static void test_locality(void)
{
    enum { SIDE = 90, N = SIDE * SIDE };
    arena a = {0};
    int *name = NEW(&a, int, N), *u = NEW(&a, int, 2 * N), *v = NEW(&a, int, 2 * N);
    for (int i = 0; i < N; i++)
        name[i] = i;
    rng_shuffle(name, N, rng_make(5, 0, RNG_STATS), 0);
    for (int i = 0; i < N; i++) {
        u[2 * i] = u[2 * i + 1] = name[i];
        v[2 * i] = name[(i + SIDE) % N];
        v[2 * i + 1] = name[i / SIDE * SIDE + (i + 1) % SIDE];
    }
    csr g = csr_from_pairs(&a, N, N, u, v, 2 * N, 1, 0);
    int *to = order_nodes(&a, "", &g, 0), *again = order_nodes(&a, "", &g, 0);
    CHECK(permutation(to, N), "not a permutation");
    CHECK(to && again && !memcmp(to, again, N * sizeof *to), "another order the second time");
    csr s = order_graph(&a, &g, to);
    CHECK(span(&s) < span(&g) / 10, "neighbours are %g apart, in the files %g", span(&s), span(&g));
    arena_free(&a);
}

/* Everything about node i of d is in row m->row[i] of m. */
static void check_same(const dataset *d, const dataset *m)
{
    int bad = 0;
    CHECK(permutation(m->row, d->nodes) && csr_nnz(&m->graph) == csr_nnz(&d->graph) && m->nsplits == d->nsplits,
          "sizes");
    for (int i = 0; i < d->nodes; i++) {
        int r = dataset_row(m, i);
        const csr *g = &d->graph, *h = &m->graph;
        bad += m->y[r] != d->y[i] || h->ptr[r + 1] - h->ptr[r] != g->ptr[i + 1] - g->ptr[i];
        for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
            bad += !joined(h, r, m->row[g->idx[k]]);
        for (int64_t k = h->ptr[r] + 1; k < h->ptr[r + 1]; k++)
            bad += h->idx[k - 1] >= h->idx[k];
        for (int j = 0; d->xd.rows && j < d->features; j++)
            bad += mat_row(m->xd, r)[j] != mat_row(d->xd, i)[j];
        if (!d->xs.rows)
            continue;
        int64_t from = d->xs.ptr[i], at = m->xs.ptr[r], n = d->xs.ptr[i + 1] - from;
        bad += m->xs.ptr[r + 1] - at != n;
        for (int64_t k = 0; k < n; k++)
            bad += m->xs.idx[at + k] != d->xs.idx[from + k] || csr_value(&m->xs, at + k) != csr_value(&d->xs, from + k);
    }
    CHECK(!bad, "%d differences", bad);
    CHECK(!d->xs.val == !m->xs.val, "values of the features");
}

static void check_split(const dataset *m, const split *s, const split *t)
{
    int bad = 0;
    for (int p = 0; p < PARTS; p++) {
        bad += s->n[p] != t->n[p];
        for (int k = 0; k < t->n[p]; k++) {
            int found = 0;
            for (int l = 0; l < s->n[p] && !found; l++)
                found = m->row[s->idx[p][l]] == t->idx[p][k];
            bad += !found || (k && t->idx[p][k - 1] >= t->idx[p][k]);
        }
    }
    CHECK(!bad, "%d nodes are in other parts", bad);
}

static void test_same(void)
{
    for (int kind = 0; kind < 3; kind++) {
        arena a = {0};
        problem *p = toy(NODES, FEATURES, CLASSES, kind == 2);
        dataset d = *p->d, m;
        split published[] = {split_draw(&a, &d, split_rule_read("per-class:5:9"), 1, 0),
                             split_draw(&a, &d, split_rule_read("fraction:.1:.2"), 1, 1)};
        d.nsplits = 2, d.splits = published;
        if (kind == 1)
            d.xs.val = NULL;
        m = d;
        dataset_reorder(&a, &m, "", NODES + 1);
        CHECK(!m.row && m.hash == d.hash && m.y == d.y, "a small graph was touched");
        uint64_t first = 0;
        for (int t = 1; t <= 3; t++) {
            omp_set_num_threads(t);
            m = d;
            dataset_reorder(&a, &m, "", NODES);
            first = t == 1 ? m.hash : first;
            CHECK(m.hash == first && m.hash != d.hash, "hash with %d threads", t);
        }
        check_same(&d, &m);
        for (int s = 0; s < 2; s++)
            check_split(&m, d.splits + s, m.splits + s);
        split s = split_draw(&a, &d, split_rule_read("labels:3"), 7, 1),
              t = split_draw(&a, &m, split_rule_read("labels:3"), 7, 1);
        check_split(&m, &s, &t);
        s = split_draw(&a, &d, split_rule_read("redraw"), 7, 1),
        t = split_draw(&a, &m, split_rule_read("redraw"), 7, 1);
        check_split(&m, &s, &t);

        char path[64];
        dataset got = {0};
        snprintf(path, sizeof path, "test_order_%ld.jcb", (long)getpid());
        CHECK(cache_store(path, &m, 7) && cache_load(&a, &got, path, 7) && got.hash == m.hash, "the cache");
        CHECK(got.row && !memcmp(got.row, m.row, NODES * sizeof *m.row), "names through the cache");
        unlink(path);
        d.y = NULL, m = d;
        dataset_reorder(&a, &m, "", 1);
        CHECK(!m.row, "a multi-label graph was touched");
        arena_free(&a);
        problem_close(p);
    }
}

/* The problem with its nodes reordered, and the same clusters. */
static problem *renamed(const problem *p)
{
    arena a = {0};
    dataset *d = NEW(&a, dataset, 1);
    *d = *p->d;
    dataset_reorder(&a, d, "", 1);
    problem *q = problem_new(a, d, p->split_rule);
    q->npartitions = p->npartitions;
    q->part = NEW(&q->a, struct problem_partition_entry, 1);
    q->part[0] = p->part[0];
    q->part[0].p.of = NEW(&q->a, int, (size_t)d->nodes);
    for (int i = 0; i < d->nodes; i++)
        q->part[0].p.of[d->row[i]] = p->part[0].p.of[i];
    return q;
}

static mat predicted(trainer **t, problem *p, const spec *s)
{
    outcome o;
    problem_prepare(p, CELL(s));
    *t = trainer_new(p, CELL(s), 1, 0);
    trainer_fit(*t, &o, NULL, NULL);
    int *all = NEW(&(*t)->a, int, NODES);
    for (int i = 0; i < NODES; i++)
        all[i] = i;
    return trainer_predict(*t, all, NODES);
}

/* Without dropout, which is drawn by row, both learn the same. */
static void test_training(int dense)
{
    problem *p = toy(NODES, FEATURES, CLASSES, dense);
    spec s = spec_default();
    s.epochs = 8, s.hidden = 16, s.dropout = s.in_dropout = s.att_dropout = s.att_dropout2 = 0;
    p->part = NEW(&p->a, struct problem_partition_entry, 1);
    p->part[0].rule = s.partition, p->part[0].clusters = s.clusters,
    p->part[0].p = partition_random(&p->a, NODES, s.clusters, 1);
    p->npartitions = 1;
    problem *q = renamed(p);
    for (int b = 0; backbones[b]; b++)
        for (int o = 0; objectives[o]; o++) {
            if (!meets(b, o))
                continue;
            trainer *t, *u;
            s.model = backbones[b]->name, s.loss = objectives[o]->name;
            mat x = predicted(&t, p, &s), y = predicted(&u, q, &s);
            double most = 0;
            for (int i = 0; i < NODES; i++)
                for (int k = 0; k < CLASSES; k++)
                    most = fmax(most, fabs((double)mat_row(x, i)[k] - (double)mat_row(y, dataset_row(q->d, i))[k]));
            CHECK(most < 1e-7, "%s %s: predictions differ by %g", s.model, s.loss, most);
            trainer_free(t);
            trainer_free(u);
        }
    problem_close(q);
    problem_close(p);
}

/* With dropout and clusters of its own: the same bits at any number of threads, and from a saved model. */
static void test_bits(void)
{
    problem *p = toy(NODES, FEATURES, CLASSES, 1);
    p->part = NEW(&p->a, struct problem_partition_entry, 1);
    p->part[0].p = partition_random(&p->a, NODES, 5, 1);
    problem *q = renamed(p);
    spec s = spec_default();
    uint64_t first = 0;
    char path[64];
    s.loss = "jc", s.epochs = 5;
    snprintf(path, sizeof path, "test_order_%ld.model", (long)getpid());
    for (int threads = 1; threads <= 3; threads++) {
        trainer *t;
        omp_set_num_threads(threads);
        mat x = predicted(&t, q, &s);
        uint64_t bits = hash_bytes(HASH_INIT, x.v, NODES * CLASSES * sizeof(real));
        first = threads == 1 ? bits : first;
        CHECK(bits == first, "%d threads give different bits", threads);
        saved_write(path, t);
        saved m = saved_read(&t->a, path);
        mat y = saved_predict(&t->a, &m, CELL(&m.s), q);
        CHECK(!memcmp(x.v, y.v, NODES * CLASSES * sizeof(real)), "a saved model predicts otherwise");
        unlink(path);
        trainer_free(t);
    }
    problem_close(q);
    problem_close(p);
}

TEST_MAIN(test_order)
{
    blas_init();
    err_program = "test_order";
    test_locality();
    test_same();
    test_training(0);
    test_training(1);
    test_bits();
    return test_end();
}
