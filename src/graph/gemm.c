/* Dense products, C = op(A) op(B) + beta C, row-major. The largest weights go to the BLAS; for the others, the layers of
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

enum { KC = 256, NC = 256, MC = 384 };       /* a block of B: KC x NC; rows of C that use it before it is packed again */
enum { TALL = 132, DEEP = 96, TILE = 12 };   /* tn: rows of C of an owner, rows of A and B packed at a time; what owners are multiples of */
#define SERIAL 2e6                           /* flops below which a team costs more than it gives */

static _Thread_local real left[DEEP * TALL] __attribute__((aligned(64))), right[KC * NC] __attribute__((aligned(64)));

/* n < 32 numbers, in pieces of fixed size: a loop would become a call or a `rep movs`, both slower than a tile of a narrow product. */
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

/* Weights from which the BLAS is faster, as far as it was measured. */
static int large(int rows, int cols)
{
    return blas_fast() && (size_t)rows * (size_t)cols >= 1 << 18;
}

/* The loops for n columns: those of a narrow product would fill half of a panel of two long vectors. */
#define LOOPS(what, n) (!simd_512() ? what##_32 : (n) > 64 / (int)sizeof(real) ? what##_64 : what##_narrow)

static void by_rows(real *c, const real *a, const real *b, size_t rs, size_t cs, int m, int n, int k, real beta)
{
    int blocks = (m + MC - 1) / MC;
    if (blocks == 1) { /* no team of one: inside a parallel region it costs as much as a small product */
        LOOPS(rows_times, n)(c, a, b, rs, cs, m, n, k, beta);
        return;
    }
#pragma omp parallel for schedule(dynamic) if (2.0 * m * n * k > SERIAL)
    for (int i = 0; i < blocks; i++) {
        size_t r = (size_t)i * MC;
        int rows = m - (int)r < MC ? m - (int)r : MC;
        LOOPS(rows_times, n)(c + r * (size_t)n, a + r * (size_t)k, b, rs, cs, rows, n, k, beta);
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
    int parts = ((m + TALL - 1) / TALL + team - 1) / team * team; /* as much for every thread */
    int tall = ((m + parts - 1) / parts + TILE - 1) / TILE * TILE, bm = (m + tall - 1) / tall, bn = (n + NC - 1) / NC;
#pragma omp parallel for collapse(2) schedule(dynamic) if (team > 1)
    for (int i = 0; i < bm; i++)
        for (int j = 0; j < bn; j++) {
            int r = i * tall, q = j * NC;
            LOOPS(columns_times, n)(c + (size_t)r * (size_t)n + (size_t)q, a + r, b + q, m - r < tall ? m - r : tall,
                                    n - q < NC ? n - q : NC, m, n, k, beta);
        }
}
