/* Features for large graphs: matrices built from pairs in parallel, features propagated by blocks in memory and in a
 * mapped file, training on the links between training nodes (inductive=1), epochs that are not evaluated. */
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "../../src/kernel/blas.h"
#include "../../src/train/hops.h"
#include "../../src/train/inductive.h"
#include "../../src/train/trainer.h"
#include "cell_of.h"
#include "test.h"
#include "toy.h"
#include <fcntl.h>
#include <omp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static arena a;
static const int threads[] = {1, 2, 3, 8};

static int same(const csr *x, const csr *y)
{
    return x->rows == y->rows && x->cols == y->cols && csr_nnz(x) == csr_nnz(y) &&
           !memcmp(x->ptr, y->ptr, ((size_t)x->rows + 1) * sizeof *x->ptr) &&
           !memcmp(x->idx, y->idx, (size_t)csr_nnz(x) * sizeof *x->idx);
}

/* Against a table of all pairs; rows from empty to full, so that both ways of sorting are met. */
static void test_pairs(void)
{
    enum { ROWS = 300, COLS = 700, PAIRS = 130000 };
    int *u = NEW(&a, int, PAIRS), *v = NEW(&a, int, PAIRS);
    rng r = rng_make(3, 0, RNG_SPLIT);
    for (int k = 0; k < PAIRS; k++) {
        double x = rng_uniform(r, 1, (uint64_t)k);
        u[k] = (int)(x * x * x * x * ROWS);
        v[k] = (int)rng_below(r, 2, (uint64_t)k, COLS);
    }
    for (int symmetric = 0; symmetric < 2; symmetric++)
        for (int loops = 0; loops < 2; loops++) {
            int rows = symmetric ? COLS : ROWS, bad = 0;
            unsigned char *has = NEW(&a, unsigned char, (size_t)rows *COLS);
            for (int k = 0; k < PAIRS; k++)
                if (loops || u[k] != v[k]) {
                    has[u[k] * COLS + v[k]] = 1;
                    if (symmetric)
                        has[v[k] * COLS + u[k]] = 1;
                }
            csr first = {0};
            for (int t = 0; t < 4; t++) {
                omp_set_num_threads(threads[t]);
                csr s = csr_from_pairs(&a, rows, COLS, u, v, PAIRS, symmetric, loops);
                first = t ? first : s;
                CHECK(same(&s, &first), "%d threads: another matrix", threads[t]);
            }
            int64_t at = 0;
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < COLS; j++)
                    if (has[i * COLS + j])
                        bad += at >= first.ptr[i + 1] || first.idx[at] != j, at++;
            CHECK(!bad && at == csr_nnz(&first), "symmetric %d, loops %d: %d wrong entries", symmetric, loops, bad);
        }
    csr none = csr_from_pairs(&a, 3, 3, u, v, 0, 1, 0);
    CHECK(csr_nnz(&none) == 0, "no pairs");
    omp_set_num_threads(2);
}

/* In memory, in a new file, from an existing file, and after damage: the bits of the product with the whole matrix. */
static void test_hops(void)
{
    char dir[] = "/tmp/jcb-hops-XXXXXX", path[128];
    if (!mkdtemp(dir))
        die("no temporary directory");
    problem *p = toy(500, 12, 3, 1);
    csr s = csr_adjacency(&p->a, &p->d->graph, ADJ_SYM);
    mat want = mat_new(&p->a, 500, 12);
    spmm(want.v, &s, p->xd[0].v, 12, 0);
    snprintf(path, sizeof path, "%s/%016llx-%d.hop", dir, 42ull, FEATURES_SYM);
    for (int k = 0; k < 8; k++) {
        omp_set_num_threads(threads[k % 4]);
        hops_file file = {k ? dir : "", 42, FEATURES_SYM};
        mat y = hops_propagate(&p->a, &p->d->graph, ADJ_SYM, p->xd[0], &file, 0);
        CHECK(!memcmp(y.v, want.v, 500 * 12 * sizeof(real)), "hop %d: different bits", k);
        CHECK(file_exists(path) == (k > 0), "hop %d: file %d", k, file_exists(path));
        if (k == 3) { /* one value */
            int fd = open(path, O_RDWR), put = fd >= 0 && pwrite(fd, "xyz", 3, 700) == 3;
            CHECK(put, "cannot damage %s", path);
            close(fd);
        }
        if (k == 5)
            CHECK(truncate(path, 100) == 0, "cannot cut %s", path);
    }
    unlink(path);
    rmdir(dir);
    omp_set_num_threads(2);
    problem_close(p);
}

static trainer *inductive(problem **p, const char *name, const char *rule, int dense)
{
    *p = toy_multi(200, 12, 3, dense);
    spec s = spec_default();
    s.model = name, s.batch = batch_rule_read(rule), s.inductive = 1, s.hidden = 5, s.epochs = 4, s.mean_self = 0,
    s.evaluate_from = 3;
    problem_prepare(*p, CELL(&s));
    return trainer_new(*p, CELL(&s), 3, 0);
}

static void start_sparse(void *p) { inductive(p, "sage", "neighbour:10:3", 0); }
static void start_sign(void *p) { inductive(p, "sign", "rows:10", 1); }

static void test_inductive(const char *rule)
{
    problem *p;
    trainer *t = inductive(&p, "sage", rule, 1);
    const csr *g = &p->d->graph;
    unsigned char *in = NEW(&t->a, unsigned char, 200);
    int n = t->part.n[TRAIN], bad = 0, links = 0;
    for (int i = 0; i < n; i++)
        in[t->part.idx[TRAIN][i]] = 1;
    for (int k = 0; k < sampler_batches(t->batches); k++) {
        const batch *b = sampler_batch(t->batches, 1, k);
        if (!b)
            continue;
        for (int i = 0; i < b->nodes; i++)
            bad += !in[b->id[i]];
        const csr *m = b->adj[0][ADJ_OTHERS];
        for (int i = 0; i < b->nodes; i++)
            for (int64_t e = m->ptr[i]; e < m->ptr[i + 1]; e++, links++) {
                int found = 0;
                for (int64_t q = g->ptr[b->id[i]]; q < g->ptr[b->id[i] + 1]; q++)
                    found |= g->idx[q] == b->id[m->idx[e]];
                bad += !found;
            }
    }
    CHECK(!bad && links > 20, "%s: %d nodes that do not train, or no links, in %d links", rule, bad, links);
    int64_t all = 0;
    for (int i = 0; i < 200; i++)
        for (int64_t q = g->ptr[i]; q < g->ptr[i + 1]; q++)
            all += in[i] && in[g->idx[q]];
    CHECK(csr_nnz(&t->links) == all, "%lld links between training nodes, not %lld", (long long)csr_nnz(&t->links),
          (long long)all);
    for (int j = 0; j < 12; j++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < n; i++) {
            double x = (double)mat_row(*t->data.xd[0], t->part.idx[TRAIN][i])[j];
            sum += x / n, squares += x * x / n;
        }
        CHECK(fabs(sum) < 1e-5 && fabs(squares - 1) < 1e-4, "column %d: mean %g, square %g", j, sum, squares);
    }
    CHECK(p->xd[0].v == p->d->xd.v && t->data.xd[0]->v != p->xd[0].v, "the data set's features were changed");
    outcome o;
    trainer_fit(t, &o, NULL, NULL);
    CHECK(!strcmp(o.status, "ok") && o.best_epoch >= 3 && o.epochs == 4, "%s: epoch %d of %d was chosen", o.status,
          o.best_epoch, o.epochs);
    trainer_free(t);
    problem_close(p);
}

TEST_MAIN(test_large)
{
    blas_init();
    test_pairs();
    test_hops();
    test_inductive("neighbour:10:3");
    test_inductive("cluster:5:2");
    problem *p = NULL;
    const char *why = err_try(start_sparse, &p);
    CHECK(why && strstr(why, "dense"), "sparse features: %s", why ? why : "accepted");
    problem_close(p);
    why = err_try(start_sign, &p);
    CHECK(why && strstr(why, "inductive"), "sign: %s", why ? why : "accepted");
    problem_close(p);
    return test_end();
}
