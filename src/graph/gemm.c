/* GEMM for tall-skinny products, C = op(A) op(B) + beta C, row-major. Weights of 2^18 elements or more go to the BLAS.
 *
 * Determinism: every element of C is a single chain of multiply-adds over k = 0, 1, 2, ..., starting from beta C, whatever the blocking. Its
 * bits depend neither on the thread count nor on which other rows are computed in the same call, and zero rows may be omitted from A^T B:
 * computing only the rows that are needed gives the bits of computing all. (The BLAS does not promise that: above 2^18 weights a product
 * over a subset of the rows may round differently.)
 *
 * Blocking as in GotoBLAS: an MR x NR micro-kernel in registers, B packed in panels of NR columns (L1); A is read in place (nn, nt) or
 * packed in blocks (tn). */
#include "blas.h"
#include "simd.h"
#include <omp.h>
#include <string.h>

enum { KC = 256, NC = 256, MC = 384 };       /* packed block of B: KC x NC; rows of C per pass over it */
enum { TALL = 132, DEEP = 96, TILE = 12 };   /* tn: rows of C per task (a multiple of TILE), depth of a packed block */
#define SERIAL 2e6                           /* flops below which a parallel region costs more than it saves */

static _Thread_local real left[DEEP * TALL] __attribute__((aligned(64))), right[KC * NC] __attribute__((aligned(64)));

/* Copies n < 32 elements in pieces of fixed size: compilers turn a loop into memcpy or `rep movs`, which cost more than a narrow tile. */
INLINE void copy_few(real *to, const real *from, int n)
{
#define PIECE(k) (n & k ? (memcpy(to, from, k * sizeof(real)), to += k, from += k) : to)
    PIECE(16), PIECE(8), PIECE(4), PIECE(2), PIECE(1);
#undef PIECE
}

#define NAME(x) x##_32
#define BYTES 32
#define MR 6
#define NV 2
#define CODE CLONES
#include "gemm_loops.h"

#define NAME(x) x##_64
#define BYTES 64
#define MR 12
#define NV 2
#define CODE CODE_512
#include "gemm_loops.h"

#define NAME(x) x##_narrow
#define BYTES 64
#define MR 12
#define NV 1
#define CODE CODE_512
#include "gemm_loops.h"

/* Whether the BLAS is faster for weights of this size (bench_kernels measures it). */
static int large(int rows, int cols)
{
    return blas_fast() && (size_t)rows * (size_t)cols >= 1 << 18;
}

/* The kernel for n columns: a panel of two 64-byte vectors would be half empty for a narrow product. */
#define LOOPS(what, n) (!simd_512() ? what##_32 : (n) > 64 / (int)sizeof(real) ? what##_64 : what##_narrow)

/* Rows of the product; then bias and activation, where there are any. */
static void block(real *c, const real *a, const real *b, size_t rs, size_t cs, int m, int n, int k, real beta, const real *bias, enum shape shape)
{
    LOOPS(rows_times, n)(c, a, b, rs, cs, m, n, k, beta);
    for (int i = 0; i < m && (bias || shape != LINEAR); i++)
        activate_row(c + (size_t)i * (size_t)n, bias, n, shape);
}

static void by_rows(real *c, const real *a, const real *b, size_t rs, size_t cs, int m, int n, int k, real beta, const real *bias, enum shape shape)
{
    int blocks = (m + MC - 1) / MC;
    if (blocks == 1) { /* avoids a nested parallel region of one thread, which costs as much as a small product */
        block(c, a, b, rs, cs, m, n, k, beta, bias, shape);
        return;
    }
#pragma omp parallel for schedule(dynamic) if (2.0 * m * n * k > SERIAL)
    for (int i = 0; i < blocks; i++) {
        size_t r = (size_t)i * MC;
        int rows = m - (int)r < MC ? m - (int)r : MC;
        block(c + r * (size_t)n, a + r * (size_t)k, b, rs, cs, rows, n, k, beta, bias, shape);
    }
}

void gemm_nn(real *c, const real *a, const real *b, int m, int n, int k, real beta)
{
    if (large(n, k))
        blas_nn(c, a, b, m, n, k, beta);
    else
        by_rows(c, a, b, (size_t)n, 1, m, n, k, beta, NULL, LINEAR);
}

void gemm_nn_act(real *c, const real *a, const real *b, int m, int n, int k, const real *bias, enum shape shape)
{
    if (large(n, k)) {
        blas_nn(c, a, b, m, n, k, 0);
        activate(c, bias, m, n, shape, &(dropout){.p = 0}, NULL);
    } else {
        by_rows(c, a, b, (size_t)n, 1, m, n, k, 0, bias, shape);
    }
}

void gemm_nt(real *c, const real *a, const real *b, int m, int n, int k, real beta)
{
    if (large(n, k))
        blas_nt(c, a, b, m, n, k, beta);
    else
        by_rows(c, a, b, 1, (size_t)k, m, n, k, beta, NULL, LINEAR);
}

void gemm_tn(real *c, const real *a, const real *b, int m, int n, int k, real beta)
{
    if (large(m, n)) {
        blas_tn(c, a, b, m, n, k, beta);
        return;
    }
    int team = 2.0 * m * n * k > SERIAL ? omp_get_max_threads() : 1;
    if (team == 1 && m <= TALL && n <= NC) {
        LOOPS(columns_times, n)(c, a, b, m, n, m, n, k, beta);
        return;
    }
    int parts = ((m + TALL - 1) / TALL + team - 1) / team * team; /* equal work for every thread */
    int tall = ((m + parts - 1) / parts + TILE - 1) / TILE * TILE, bm = (m + tall - 1) / tall, bn = (n + NC - 1) / NC;
#pragma omp parallel for collapse(2) schedule(dynamic) if (team > 1)
    for (int i = 0; i < bm; i++)
        for (int j = 0; j < bn; j++) {
            int r = i * tall, q = j * NC;
            LOOPS(columns_times, n)(c + (size_t)r * (size_t)n + (size_t)q, a + r, b + q, m - r < tall ? m - r : tall,
                                    n - q < NC ? n - q : NC, m, n, k, beta);
        }
}
