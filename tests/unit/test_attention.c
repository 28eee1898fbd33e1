/* Graph attention: against a plain reference version at awkward shapes, the same bits at any thread count and for any
 * choice of rows, nodes that have only themselves, the rate of dropout, and, compiled in double, the gradient against
 * differences of the loss. */
#include "../../src/base/hash.h"
#include "../../src/kernel/attention.h"
#include "test.h"
#include <omp.h>

static arena a;

#ifdef JCB_DOUBLE
static const double tolerance = 1e-12;
#else
static const double tolerance = 3e-6;
#endif

/* A graph of n nodes, everything needed to run attention on it, and a gradient to come back with. */
typedef struct world {
    attention o;
    attention_graph g;
    attention_state st;
    int *id, rows, cols, wide; /* wide: of the output */
    real *h, *att, *out, *dout, *dh, *da;
    size_t nh, na, nout;
} world;

static real *noise(size_t n, uint64_t stream, double size)
{
    real *x = NEW(&a, real, n);
    rng r = rng_make(7, 0, RNG_INIT);
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(size * (2 * rng_uniform(r, stream, i) - 1));
    return x;
}

static double worst(const real *x, const real *y, size_t n)
{
    double w = 0, size = 0;
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fabs((double)y[i]));
    for (size_t i = 0; i < n; i++) {
        double d = fabs((double)x[i] - (double)y[i]) / (1 + size);
        w = d > w || d != d ? d : w;
    }
    return w;
}

/* A + I: mostly a few neighbours, node 0 joined to half the others, the last three alone. */
static csr graph(int n, int per_row)
{
    int m = n * per_row, w = 0, *u = NEW(&a, int, (size_t)(m + n)), *v = NEW(&a, int, (size_t)(m + n));
    rng r = rng_make(3, 0, RNG_SPLIT);
    for (int k = 0; k < m && n > 4; k++, w++) {
        u[w] = (int)rng_below(r, 1, (uint64_t)k, (uint64_t)n - 3);
        v[w] = k % (per_row * 2) ? (int)rng_below(r, 2, (uint64_t)k, (uint64_t)n - 3) : 0;
    }
    csr s = csr_from_pairs(&a, n, n, u, v, w, 1, 0);
    return csr_adjacency(&a, &s, ADJ_GCN);
}

static world world_new(const csr *s, int heads, int f, int mean, double p)
{
    world w = {.o = {heads, f, mean, 0.2, {rng_make(1, 2, RNG_DROPOUT), 17, 3, p}},
               .rows = s->rows,
               .cols = s->cols,
               .wide = mean ? f : heads * f};
    size_t d = (size_t)heads * (size_t)f;
    w.id = NEW(&a, int, (size_t)s->cols);
    for (int i = 0; i < s->cols; i++)
        w.id[i] = i;
    w.g = attention_graph_new(&a, s, w.id, w.id, 1);
    w.st = attention_state_new(&a, &w.g, &w.o, 1);
    w.nh = (size_t)w.cols * d, w.na = 2 * d, w.nout = (size_t)w.rows * (size_t)w.wide;
    w.h = noise(w.nh, 1, 1), w.att = noise(w.na, 2, 1.5), w.dout = noise(w.nout, 3, 1);
    w.out = noise(w.nout, 4, 1), w.dh = noise(w.nh, 5, 1), w.da = noise(w.na, 6, 1);
    return w;
}

static void run(world *w, real beta)
{
    attention_forward(w->out, &w->st, &w->g, w->h, w->att, &w->o);
    attention_backward(w->dh, w->da, &w->st, &w->g, w->dout, w->h, w->att, &w->o, beta, beta);
}

static void check_twin(int heads, int f, int mean, double p)
{
    csr s = graph(90, 4);
    world w = world_new(&s, heads, f, mean, p);
    real *out = noise(w.nout, 7, 1), *dh = noise(w.nh, 8, 1), *da = noise(w.na, 9, 1), *old_h = noise(w.nh, 5, 1),
         *old_a = noise(w.na, 6, 1);
    attention_forward_ref(out, &w.g, w.h, w.att, &w.o);
    attention_backward_ref(dh, da, &w.g, w.dout, w.h, w.att, &w.o);
    run(&w, 0);
    CHECK(worst(w.out, out, w.nout) < tolerance, "forward: %d heads of %d, mean %d, p %g: %g", heads, f, mean, p,
          worst(w.out, out, w.nout));
    CHECK(worst(w.dh, dh, w.nh) < tolerance, "dH: %d heads of %d, mean %d, p %g: %g", heads, f, mean, p,
          worst(w.dh, dh, w.nh));
    CHECK(worst(w.da, da, w.na) < 4 * tolerance, "da: %d heads of %d, mean %d, p %g: %g", heads, f, mean, p,
          worst(w.da, da, w.na));
    memcpy(w.dh, old_h, w.nh * sizeof *dh), memcpy(w.da, old_a, w.na * sizeof *da);
    run(&w, 1);
    for (size_t i = 0; i < w.nh; i++)
        dh[i] += old_h[i];
    for (size_t i = 0; i < w.na; i++)
        da[i] += old_a[i];
    CHECK(worst(w.dh, dh, w.nh) < tolerance && worst(w.da, da, w.na) < 4 * tolerance,
          "adding to gradients: %d heads of %d", heads, f);
    real *no_dh = NULL, *before = NEW(&a, real, w.na);
    run(&w, 0);
    memcpy(before, w.da, w.na * sizeof *before);
    attention_forward(w.out, &w.st, &w.g, w.h, w.att, &w.o);
    attention_backward(no_dh, w.da, &w.st, &w.g, w.dout, w.h, w.att, &w.o, 0, 0);
    CHECK(!memcmp(before, w.da, w.na * sizeof *before), "da without dH: %d heads of %d", heads, f);
}

static void test_twin(void)
{
    static const int heads[] = {1, 2, 3, 4, 8, 9, 16}, f[] = {1, 7, 8, 9, 16, 32, 49};
    for (int x = 0; x < 7; x++)
        for (int y = 0; y < 7; y++)
            for (int mean = 0; mean < 2; mean++)
                for (int p = 0; p < 2; p++)
                    check_twin(heads[x], f[y], mean, p ? 0.6 : 0);
}

/* Scores far apart: softmax must neither overflow nor divide by zero. */
static void test_extreme(void)
{
    csr s = graph(60, 3);
    world w = world_new(&s, 8, 8, 0, 0);
    for (size_t i = 0; i < w.na; i++)
        w.att[i] *= 1000;
    real *out = NEW(&a, real, w.nout);
    attention_forward_ref(out, &w.g, w.h, w.att, &w.o);
    run(&w, 0);
    CHECK(worst(w.out, out, w.nout) < 1e-2, "scores of thousands: %g", worst(w.out, out, w.nout));
    CHECK(worst(w.dh, w.dh, w.nh) == 0, "a gradient is not a number");
}

static void test_alone(void)
{
    csr s = graph(30, 3);
    world w = world_new(&s, 3, 5, 0, 0);
    run(&w, 0);
    for (int i = 27; i < 30; i++) { /* attends to itself with weight 1 */
        CHECK(!memcmp(w.out + i * 15, w.h + i * 15, 15 * sizeof *w.out), "node %d: the output is not its own features",
              i);
        CHECK(worst(w.dh + i * 15, w.dout + i * 15, 15) < tolerance, "node %d: the gradient does not pass through", i);
    }
    csr one = graph(1, 1);
    world v = world_new(&one, 2, 3, 1, 0);
    run(&v, 0);
    for (int q = 0; q < 3; q++)
        CHECK_NEAR((double)v.out[q], ((double)v.h[q] + (double)v.h[3 + q]) / 2, 1e-6);
}

/* Some rows alone: the same outputs, and the same gradient as for all rows when the others' is zero. */
static void check_rows(int heads, int f, int mean)
{
    enum { N = 200 };
    csr s = graph(N, 5);
    world w = world_new(&s, heads, f, mean, 0.5);
    int rows[N], cols[N], nrows = 0, ncols = 0, need[N] = {0};
    for (int i = 0; i < N; i++) {
        if (i % 7 == 0 || i > 196)
            rows[nrows++] = i;
        else
            memset(w.dout + (size_t)i * (size_t)w.wide, 0, (size_t)w.wide * sizeof *w.dout);
        for (int64_t k = s.ptr[i]; k < s.ptr[i + 1] && nrows && rows[nrows - 1] == i; k++)
            need[s.idx[k]] = 1;
    }
    for (int j = 0; j < N; j++)
        if (need[j] || j == 10) /* and one that nobody reads */
            cols[ncols++] = j;
    csr cut = csr_restrict(&a, &s, rows, nrows, cols, ncols);
    size_t d = (size_t)(heads * f), wide = (size_t)w.wide;
    world v = world_new(&cut, heads, f, mean, 0.5);
    v.g = attention_graph_new(&a, &cut, rows, cols, 1);
    for (int j = 0; j < ncols; j++)
        memcpy(v.h + (size_t)j * d, w.h + (size_t)cols[j] * d, d * sizeof *v.h);
    for (int i = 0; i < nrows; i++)
        memcpy(v.dout + (size_t)i * wide, w.dout + (size_t)rows[i] * wide, wide * sizeof *v.dout);
    run(&w, 0), run(&v, 0);
    for (int i = 0; i < nrows; i++)
        CHECK(!memcmp(v.out + (size_t)i * wide, w.out + (size_t)rows[i] * wide, wide * sizeof *v.out),
              "output of row %d", rows[i]);
    for (int j = 0; j < ncols; j++)
        for (size_t q = 0; q < d; q++)
            CHECK(v.dh[(size_t)j * d + q] == w.dh[(size_t)cols[j] * d + q], "dH of column %d", cols[j]);
    attention_state plain = attention_state_new(&a, &v.g, &v.o, 0); /* not training: no buffers for backward */
    real *out = NEW(&a, real, v.nout);
    attention_forward(out, &plain, &v.g, v.h, v.att, &v.o);
    CHECK(!memcmp(out, v.out, v.nout * sizeof *out), "forward without backward");
}

static void test_dropout_rate(void)
{
    csr s = graph(3000, 6);
    static const double p[] = {0.1, 0.5, 0.6};
    for (int k = 0; k < 3; k++)
        for (int heads = 1; heads < 9; heads += 7) {
            world w = world_new(&s, heads, 2, 0, p[k]);
            attention_forward(w.out, &w.st, &w.g, w.h, w.att, &w.o);
            size_t n = (size_t)csr_nnz(&s) * (size_t)heads;
            double kept = 0, sum = 0;
            for (size_t e = 0; e < n; e++)
                kept += w.st.alpha[e] > 0, sum += fabs((double)w.st.alpha[e]);
            CHECK_NEAR(kept / (double)n, 1 - p[k], 0.01);
            CHECK_NEAR(sum / (3000.0 * heads), 1, 1e-5);
        }
}

static void test_threads(void)
{
    static const int threads[] = {1, 2, 3, 8}, shape[][3] = {{8, 8, 0}, {4, 16, 1}, {3, 49, 1}, {1, 40, 0}};
    csr s = graph(5000, 6);
    for (int k = 0; k < 4; k++) {
        uint64_t first = 0;
        for (int t = 0; t < 4; t++) {
            omp_set_num_threads(threads[t]);
            world w = world_new(&s, shape[k][0], shape[k][1], shape[k][2], 0.6);
            run(&w, 0);
            uint64_t h = hash_bytes(HASH_INIT, w.out, w.nout * sizeof *w.out);
            h = hash_bytes(hash_bytes(h, w.dh, w.nh * sizeof *w.dh), w.da, w.na * sizeof *w.da);
            first = t ? first : h;
            CHECK(h == first, "%d heads of %d: %d threads give different bits than 1", shape[k][0], shape[k][1],
                  threads[t]);
        }
    }
}

#ifdef JCB_DOUBLE
/* L = dout . out, so that dL/d out = dout. */
static double loss_at(world *w, real *x, double value)
{
    double keep = *x, loss = 0;
    *x = value;
    attention_forward(w->out, &w->st, &w->g, w->h, w->att, &w->o);
    *x = keep;
    for (size_t i = 0; i < w->nout; i++)
        loss += w->out[i] * w->dout[i];
    return loss;
}

static void check_differences(world *w, real *x, const real *g, size_t n, const char *name)
{
    double max = 0;
    int checked = 0, kinks = 0;
    for (size_t i = 0; i < n; i += 1 + n / 150) {
        double step = 1e-5, d1 = (loss_at(w, x + i, x[i] + step) - loss_at(w, x + i, x[i] - step)) / (2 * step);
        double d2 = (loss_at(w, x + i, x[i] + step / 2) - loss_at(w, x + i, x[i] - step / 2)) / step;
        if (fabs(d1 - d2) > 1e-6 * (1 + fabs(d1))) { /* across the kink of LeakyReLU */
            kinks++;
            continue;
        }
        max = fmax(max, fabs(g[i] - d2) / (1e-2 + fabs(d2)));
        checked++;
    }
    CHECK(max < 1e-6 && kinks <= checked / 4, "%s, %d heads of %d: relative error %g, %d checked, %d kinks", name,
          w->o.heads, w->o.f, max, checked, kinks);
}

static void test_differences(void)
{
    csr s = graph(40, 3);
    for (int mean = 0; mean < 2; mean++)
        for (int heads = 1; heads < 10; heads += heads == 1 ? 2 : 5)
            for (int f = 1; f < 18; f += 7) {
                world w = world_new(&s, heads, f, mean, 0.4);
                run(&w, 0);
                check_differences(&w, w.h, w.dh, w.nh, "dH");
                check_differences(&w, w.att, w.da, w.na, "da");
            }
}
#endif

TEST_MAIN(test_attention)
{
    test_twin();
    test_extreme();
    test_alone();
    check_rows(8, 8, 0);
    check_rows(4, 9, 1);
    check_rows(1, 49, 0);
    test_dropout_rate();
#ifdef JCB_DOUBLE
    test_differences();
#endif
    test_threads();
    arena_free(&a);
    return test_end();
}
