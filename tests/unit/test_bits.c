/* The bits of the kernels: hashes of their outputs, which no compiler, option or CPU may change. Widths are such that
 * every loop, remainder and vector length runs. tests/system/compilers.sh compiles this file and the kernels with every
 * compiler there is (ALONE: without the library). A difference that is meant raises RESULTS_VERSION. */
#include "../../src/base/hash.h"
#include "../../src/base/rng.h"
#include "../../src/data/nmf.h"
#include "../../src/kernel/attention.h"
#include "../../src/kernel/distance.h"
#include "../../src/kernel/gemm.h"
#include "../../src/kernel/kernels.h"
#include "../../src/kernel/simd.h"
#include "test.h"

enum { N = 60, LINKS = 7 };
static arena a;
static uint64_t drawn;

static real *numbers(size_t n)
{
    real *x = NEW(&a, real, n);
    rng r = rng_make(1, 0, RNG_STATS);
    for (size_t i = 0; i < n; i++)
        x[i] = (real)(rng_uniform(r, 0, drawn++) - .5);
    return x;
}

static uint64_t add(uint64_t h, const real *x, size_t n) { return hash_bytes(h, x, n * sizeof *x); }

static csr links(void)
{
    csr s = csr_new(&a, N, N, N * LINKS, 1);
    for (int i = 0; i < N; i++) {
        s.ptr[i + 1] = s.ptr[i] + 1 + i % LINKS;
        for (int64_t k = s.ptr[i]; k < s.ptr[i + 1]; k++)
            s.idx[k] = (int)((i + 8 * (k - s.ptr[i])) % N);
    }
    s.val = numbers((size_t)s.ptr[N]);
    csr_sort_rows(&s);
    return s;
}

static const adam_now step = {.01f, .9f, .999f, .1f, .001f, 1e-8f, 5e-4f, 3};

static uint64_t products(uint64_t h, int d)
{
    csr s = links();
    size_t n = (size_t)N * (size_t)d;
    real *x = numbers(n), *y = numbers(n), *bias = numbers((size_t)d), *m = numbers(n), *v = numbers(n);
    for (size_t i = 0; i < n; i++)
        v[i] *= v[i];
    spmm(y, &s, x, d, 0);
    h = add(h, y, n);
    spmm_with(y, &s, .7f, x, d, &(epilogue){.base = x, .beta = .3f, .bias = bias, .shape = RELU});
    h = add(h, y, n);
    spmm_adam(x, y, m, v, &s, numbers(n), d, &step);
    return add(add(add(h, x, n), m, n), v, n);
}

static uint64_t dense(uint64_t h, int d)
{
    size_t n = (size_t)N * (size_t)d, dd = (size_t)d * (size_t)d;
    real *x = numbers(n), *w = numbers(dd), *y = numbers(n), *bias = numbers((size_t)d);
    gemm_nn(y, x, w, N, d, d, 1);
    h = add(h, y, n);
    gemm_nt(y, x, w, N, d, d, 0);
    h = add(h, y, n);
    gemm_tn(w, x, y, d, d, N, .5f);
    gemm_nn_act(y, x, w, N, d, d, bias, ELU);
    return add(add(h, w, dd), y, n);
}

static uint64_t rows(uint64_t h, int d)
{
    size_t n = (size_t)N * (size_t)d;
    real *x = numbers(n), *y = numbers(n), *m = numbers(n), *v = numbers(n), *sum = numbers((size_t)d);
    for (size_t i = 0; i < n; i++)
        v[i] *= v[i];
    dropout drop = {{1, 2}, 3, 4, .4};
    activate(x, sum, N, d, ELU, &drop, NULL);
    activate_back(y, sum, 1, x, N, d, ELU, &drop, NULL);
    h = add(add(add(h, x, n), y, n), sum, (size_t)d);
    softmax(x, y, N, d, 3);
    adam_step(y, x, m, v, n, &step);
    add_row(sum, 1, .3f, y, (size_t)d);
    distance_row(m, distance_points(&a, (mat){N, d, x}, "bits"), 3);
    return add(add(add(add(h, x, n), y, n), sum, (size_t)d), m, N);
}

static uint64_t attend(uint64_t h, int heads, int f, int mean)
{
    csr s = links();
    int id[N];
    for (int i = 0; i < N; i++)
        id[i] = i;
    attention o = {heads, f, mean, .2, {{1, 2}, 3, 4, .5}};
    attention_graph g = attention_graph_new(&a, &s, id, id, 1);
    attention_state t = attention_state_new(&a, &g, &o, 1);
    size_t d = (size_t)heads * (size_t)f, n = N * d, out = N * (size_t)(mean ? f : heads * f);
    real *x = numbers(n), *w = numbers(2 * d), *y = numbers(out), *g_y = numbers(out), *dx = numbers(n),
         *dw = numbers(2 * d);
    attention_forward(y, &t, &g, x, w, &o);
    attention_backward(dx, dw, &t, &g, g_y, x, w, &o, 0, 1);
    return add(add(add(h, y, out), dx, n), dw, 2 * d);
}

static uint64_t factors(void)
{
    csr x = links();
    for (int64_t k = 0; k < x.ptr[N]; k++)
        x.val[k] *= x.val[k];
    double *w = NEW(&a, double, N * 10), *h = NEW(&a, double, N * 10);
    nmf_factorise(w, h, &x, 10, 5);
    return hash_bytes(hash_bytes(HASH_INIT, w, N * 10 * sizeof *w), h, N * 10 * sizeof *h);
}

static void is(const char *name, uint64_t got, uint64_t want)
{
    CHECK(got == want, "%s has other bits: %016llx", name, (unsigned long long)got);
}

static void all(void)
{
    static const int width[] = {1, 3, 7, 8, 9, 16, 24, 31, 48, 49, 64, 100, 128, 144};
    uint64_t h[3] = {HASH_INIT, HASH_INIT, HASH_INIT}, att = HASH_INIT;
    drawn = 0;
    for (size_t k = 0; k < sizeof width / sizeof *width; k++)
        h[0] = products(h[0], width[k]), h[1] = dense(h[1], width[k]), h[2] = rows(h[2], width[k]);
    is("spmm", h[0], UINT64_C(0x430d9b1c9177a94a));
    is("gemm", h[1], UINT64_C(0x5bbd65ed7289e3f8));
    is("rows", h[2], UINT64_C(0xb1634d0e8310083b));
    static const int shape[][3] = {{1, 7, 0},  {8, 8, 0},  {8, 16, 0}, {3, 5, 0}, {8, 7, 1},
                                   {1, 64, 0}, {2, 36, 0}, {8, 3, 1},  {16, 4, 0}};
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++)
        att = attend(att, shape[k][0], shape[k][1], shape[k][2]);
    is("attention", att, UINT64_C(0x251bb8a69630d5e6));
    is("nmf", factors(), UINT64_C(0x07e122fc711c5e89));
    arena_free(&a);
}

TEST_MAIN(test_bits)
{
    for (int was = simd_short, k = 0; k < 2; k++) {
        simd_short = k || was;
        all();
    }
    return test_end();
}
