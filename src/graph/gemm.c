/* Dense products, C = op(A) op(B) + beta C, row-major. Large weights go to the BLAS; for the others, the layers of
 * most networks, these loops are faster than it and exact in one more way:
 *
 * Every element of C is one chain of multiply-adds over k = 0, 1, 2, ... (it starts at beta C), however the loops are
 * cut. So its bits depend neither on threads nor on which other rows are computed along, and rows of zeros may be left out of A^T B
 * without changing it: computing only the rows that are read gives the same bits as computing all.
 *
 * The micro-kernel keeps MR x NR sums in registers. B is packed in panels of NR columns that stay in the first-level cache; nn and nt read A
 * where it lies, tn copies a block of it. */
#include "blas.h"
#include "simd.h"
#include <omp.h>
#include <string.h>

typedef real vec __attribute__((vector_size(32)));
typedef real vec_at __attribute__((vector_size(32), aligned(sizeof(real)), may_alias));

enum { VL = 32 / sizeof(real), MR = 6, NR = 2 * VL };
enum { KC = 256, NC = 256, MC = 192 };       /* a block of B: KC x NC; rows of C that use it before it is packed again */
enum { TALL = 132, DEEP = 96 };              /* tn: rows of C of an owner, rows of A and B packed at a time */
#define SERIAL 2e6                           /* flops below which a team costs more than it gives */

/* Weights from which the BLAS is faster, as far as it was measured: it has kernels for AVX-512, these loops stop at 32 bytes. */
static int large(int rows, int cols)
{
    size_t from = !strcmp(simd_name(), "x86-64-v4") ? 1 << 17 : 1 << 20;
    return (size_t)rows * (size_t)cols >= from;
}

/* ROWS x NR of C += A (ROWS rows rs apart, columns cs apart) times a packed panel of k rows. */
#define MICRO(ROWS)                                                                        \
    {                                                                                      \
        vec acc[ROWS][2];                                                                  \
        for (int r = 0; r < ROWS; r++)                                                     \
            for (int q = 0; q < 2; q++)                                                    \
                acc[r][q] = zero;                                                          \
        for (int r = 0; r < ROWS && beta != 0; r++)                                        \
            for (int q = 0; q < 2; q++)                                                    \
                acc[r][q] = beta * *(vec_at *)(c + r * ldc + q * VL);                      \
        for (int p = 0; p < k; p++) {                                                      \
            vec b0 = *(const vec *)(b + p * NR), b1 = *(const vec *)(b + p * NR + VL);     \
            for (int r = 0; r < ROWS; r++) {                                               \
                real x = a[r * rs + p * cs];                                               \
                acc[r][0] += x * b0;                                                       \
                acc[r][1] += x * b1;                                                       \
            }                                                                              \
        }                                                                                  \
        for (int r = 0; r < ROWS; r++)                                                     \
            for (int q = 0; q < 2; q++)                                                    \
                *(vec_at *)(c + r * ldc + q * VL) = acc[r][q];                             \
    }                                                                                      \
    break;

static inline __attribute__((always_inline)) void micro(real *c, size_t ldc, const real *a, size_t rs, size_t cs, const real *b, int rows, int k, real beta)
{
    const vec zero = {0};
    switch (rows) {
    case 1: MICRO(1)
    case 2: MICRO(2)
    case 3: MICRO(3)
    case 4: MICRO(4)
    case 5: MICRO(5)
    case 6: MICRO(6)
    }
}

/* rows x cols of C += A times one panel. The last columns of C go through a copy of whole width. */
static inline __attribute__((always_inline)) void tile(real *c, size_t ldc, const real *a, size_t rs, size_t cs, const real *b, int rows, int cols, int k, real beta)
{
    if (cols == NR) {
        micro(c, ldc, a, rs, cs, b, rows, k, beta);
        return;
    }
    real edge[MR * NR] __attribute__((aligned(32)));
    for (int r = 0; r < rows && beta != 0; r++)
        for (int j = 0; j < NR; j++)
            edge[r * NR + j] = j < cols ? c[(size_t)r * ldc + (size_t)j] : 0;
    micro(edge, NR, a, rs, cs, b, rows, k, beta);
    for (int r = 0; r < rows; r++)
        for (int j = 0; j < cols; j++)
            c[(size_t)r * ldc + (size_t)j] = edge[r * NR + j];
}

/* Panels of NR columns of B, k x n, whose elements stand (p, j) -> p rs + j cs. */
CLONES static void pack(real *restrict out, const real *restrict b, size_t rs, size_t cs, int n, int k)
{
    for (int j = 0; j < n; j += NR, out += (size_t)k * NR) {
        int w = n - j < NR ? n - j : NR;
        const real *from = b + (size_t)j * cs;
        if (w == NR && cs == 1)
            for (int p = 0; p < k; p++)
                for (int q = 0; q < NR; q++)
                    out[p * NR + q] = from[(size_t)p * rs + (size_t)q];
        else
            for (int p = 0; p < k; p++)
                for (int q = 0; q < NR; q++)
                    out[p * NR + q] = q < w ? from[(size_t)p * rs + (size_t)q * cs] : 0;
    }
}

/* Rows of C, all of n and k: B(p, j) = b[p rs + j cs]. */
CLONES static void rows_times(real *c, const real *a, const real *b, size_t rs, size_t cs, int m, int n, int k, real beta)
{
    static _Thread_local real panel[KC * NC] __attribute__((aligned(64)));
    for (int j = 0; j < n; j += NC)
        for (int p = 0; p < k || p == 0; p += KC) {
            int cols = n - j < NC ? n - j : NC, deep = k - p < KC ? k - p : KC;
            pack(panel, b + (size_t)p * rs + (size_t)j * cs, rs, cs, cols, deep);
            for (int q = 0; q < cols; q += NR)
                for (int i = 0; i < m; i += MR)
                    tile(c + (size_t)i * (size_t)n + (size_t)(j + q), (size_t)n, a + (size_t)i * (size_t)k + (size_t)p, (size_t)k, 1,
                         panel + (size_t)q * (size_t)deep, m - i < MR ? m - i : MR, cols - q < NR ? cols - q : NR, deep, p ? 1 : beta);
        }
}

static void by_rows(real *c, const real *a, const real *b, size_t rs, size_t cs, int m, int n, int k, real beta)
{
    int blocks = (m + MC - 1) / MC;
#pragma omp parallel for schedule(dynamic) if (blocks > 1 && 2.0 * m * n * k > SERIAL)
    for (int i = 0; i < blocks; i++) {
        size_t r = (size_t)i * MC;
        rows_times(c + r * (size_t)n, a + r * (size_t)k, b, rs, cs, m - (int)r < MC ? m - (int)r : MC, n, k, beta);
    }
}

void gemm_nn(real *c, const real *a, const real *b, int m, int n, int k, real beta)
{
    if (large(n, k))
        blas_nn(c, a, b, m, n, k, beta);
    else
        by_rows(c, a, b, (size_t)n, 1, m, n, k, beta);
}

void gemm_nt(real *c, const real *a, const real *b, int m, int n, int k, real beta)
{
    if (large(n, k))
        blas_nt(c, a, b, m, n, k, beta);
    else
        by_rows(c, a, b, 1, (size_t)k, m, n, k, beta);
}

/* --- A^T B --- */

/* rows x cols of C; a and b start at their first column. */
CLONES static void columns_times(real *c, const real *a, const real *b, int rows, int cols, int m, int n, int k, real beta)
{
    static _Thread_local real left[DEEP * TALL] __attribute__((aligned(64))), right[DEEP * NC] __attribute__((aligned(64)));
    for (int p = 0; p < k || p == 0; p += DEEP) {
        int deep = k - p < DEEP ? k - p : DEEP;
        for (int d = 0; d < deep; d++)
            memcpy(left + d * TALL, a + (size_t)(p + d) * (size_t)m, (size_t)rows * sizeof(real));
        pack(right, b + (size_t)p * (size_t)n, (size_t)n, 1, cols, deep);
        for (int q = 0; q < cols; q += NR)
            for (int i = 0; i < rows; i += MR)
                tile(c + (size_t)i * (size_t)n + (size_t)q, (size_t)n, left + i, 1, TALL, right + (size_t)q * (size_t)deep,
                     rows - i < MR ? rows - i : MR, cols - q < NR ? cols - q : NR, deep, p ? 1 : beta);
    }
}

void gemm_tn(real *c, const real *a, const real *b, int m, int n, int k, real beta)
{
    if (large(m, n)) {
        blas_tn(c, a, b, m, n, k, beta);
        return;
    }
    int team = 2.0 * m * n * k > SERIAL ? omp_get_max_threads() : 1;
    int parts = ((m + TALL - 1) / TALL + team - 1) / team * team; /* as much for every thread */
    int tall = ((m + parts - 1) / parts + MR - 1) / MR * MR, bm = (m + tall - 1) / tall, bn = (n + NC - 1) / NC;
#pragma omp parallel for collapse(2) schedule(dynamic) if (team > 1)
    for (int i = 0; i < bm; i++)
        for (int j = 0; j < bn; j++) {
            int r = i * tall, q = j * NC;
            columns_times(c + (size_t)r * (size_t)n + (size_t)q, a + r, b + q, m - r < tall ? m - r : tall, n - q < NC ? n - q : NC, m, n, k, beta);
        }
}
