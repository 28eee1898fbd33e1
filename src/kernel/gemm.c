/* GEMM for tall-skinny products, C = op(A) op(B) + beta C, row-major.
 *
 * Determinism: every element of C is a single chain of multiply-adds over k = 0, 1, 2, ..., starting from beta C,
 * whatever the blocking. Its bits depend neither on the thread count nor on which other rows are computed in the same
 * call, and zero rows may be omitted from A^T B: computing only the rows that are needed gives the bits of computing
 * all.
 *
 * Blocking as in GotoBLAS: an MR x NR micro-kernel in registers, B packed in panels of NR columns (L1); A is read in
 * place (nn, nt) or packed in blocks (tn). Where the tall operands are beyond L2, what the next tile writes and the
 * next block reads is fetched while this one is computed. */
#include "gemm.h"
#include "simd.h"
#include <omp.h>
#include <string.h>

enum { KC = 256, NC = 256, MC = 384 };     /* packed block of B: KC x NC; rows of C per pass over it */
enum { TALL = 264, DEEP = 96, TILE = 12 }; /* tn: rows of C per task (a multiple of TILE), depth of a packed block */
#define SERIAL 2e6                         /* flops below which a parallel region costs more than it saves */

static _Thread_local real left[DEEP * TALL] __attribute__((aligned(64))), right[KC * NC] __attribute__((aligned(64)));

/* Copies n < 64 elements in pieces of fixed size: compilers turn a loop into memcpy or `rep movs`, which cost more
 * than a narrow tile. */
INLINE void copy_few(real *to, const real *from, int n)
{
#define PIECE(k) (n & k ? (memcpy(to, from, k * sizeof(real)), to += k, from += k) : to)
    PIECE(32), PIECE(16), PIECE(8), PIECE(4), PIECE(2), PIECE(1);
#undef PIECE
}

/* Whether the tall operands of a product, k rows of n elements in all, are beyond L2: fetching ahead is worth its
 * instructions. */
INLINE int far(int n, int k) { return (size_t)n * (size_t)k * sizeof(real) > 1 << 22; }

/* Fetches n elements, an equal share with each of `calls` calls of fetch_some. */
typedef struct fetch {
    const char *at, *end;
    size_t share;
} fetch;

INLINE fetch fetch_new(const real *from, size_t n, int calls)
{
    size_t bytes = n * sizeof(real);
    return (fetch){(const char *)from, (const char *)from + bytes, calls ? (bytes / (size_t)calls + 127) / 64 * 64 : 0};
}

INLINE void fetch_some(fetch *f)
{
    const char *end = (size_t)(f->end - f->at) < f->share ? f->end : f->at + f->share;
    for (; f->at < end; f->at += 64)
        __builtin_prefetch(f->at, 0, 2);
    f->at = end;
}

INLINE void fetch_row(const real *from, int n)
{
    for (int i = 0; i < n; i += 64 / (int)sizeof(real))
        __builtin_prefetch(from + i, 0, 2);
}

#define NAME(x) x##_32
#define BYTES 32
#define MR 6
#define NV 2
#define CODE CLONES
#define TARGET
#define FUSE_BY FUSE_BY_32
#include "gemm_loops.h"

#ifdef HAVE_512
#define NAME(x) x##_64
#define BYTES 64
#define MR 12
#define NV 2
#define CODE CODE_512
#define TARGET CODE_512
#define FUSE_BY FUSE_BY_64
#include "gemm_loops.h"

#define NAME(x) x##_three
#define BYTES 64
#define MR 8
#define NV 3
#define CODE CODE_512
#define TARGET CODE_512
#define FUSE_BY FUSE_BY_64
#include "gemm_loops.h"

#define NAME(x) x##_narrow
#define BYTES 64
#define MR 12
#define NV 1
#define CODE CODE_512
#define TARGET CODE_512
#define FUSE_BY FUSE_BY_64
#include "gemm_loops.h"
#endif

/* The kernel for n columns: panels of two 64-byte vectors; of one for products of one vector, of three for those of
 * three, where panels of two would be padded. */
#define VECTORS(n) (((n) + 64 / (int)sizeof(real) - 1) / (64 / (int)sizeof(real)))
#ifdef HAVE_512
#define LOOPS(what, n) \
    (!simd_512() ? what##_32 : VECTORS(n) <= 1 ? what##_narrow : VECTORS(n) == 3 ? what##_three : what##_64)
#else
#define LOOPS(what, n) what##_32
#endif

/* Rows of the product (ahead: as in gemm_loops.h); then bias and activation, where there are any. */
static void block(real *c, const real *a, const real *b, size_t rs, size_t cs, int m, int n, int k, real beta,
                  const real *bias, enum shape shape, int ahead)
{
    LOOPS(rows_times, n)(c, a, b, rs, cs, m, n, k, beta, ahead);
    for (int i = 0; i < m && (bias || shape != LINEAR); i++)
        activate_row(c + (size_t)i * (size_t)n, bias, n, shape);
}

static void by_rows(real *c, const real *a, const real *b, size_t rs, size_t cs, int m, int n, int k, real beta,
                    const real *bias, enum shape shape)
{
    int blocks = (m + MC - 1) / MC;
    if (blocks == 1) { /* avoids a nested parallel region of one thread, which costs as much as a small product */
        block(c, a, b, rs, cs, m, n, k, beta, bias, shape, 0);
        return;
    }
#pragma omp parallel for schedule(dynamic) if (2.0 * m * n * k > SERIAL)
    for (int i = 0; i < blocks; i++) {
        size_t r = (size_t)i * MC;
        int rows = m - (int)r < MC ? m - (int)r : MC, after = far(n + k, m) ? m - (int)r - rows : 0;
        block(c + r * (size_t)n, a + r * (size_t)k, b, rs, cs, rows, n, k, beta, bias, shape, after < MC ? after : MC);
    }
}

void gemm_nn(real *c, const real *a, const real *b, int m, int n, int k, real beta)
{
    by_rows(c, a, b, (size_t)n, 1, m, n, k, beta, NULL, LINEAR);
}

void gemm_nn_act(real *c, const real *a, const real *b, int m, int n, int k, const real *bias, enum shape shape)
{
    by_rows(c, a, b, (size_t)n, 1, m, n, k, 0, bias, shape);
}

void gemm_nt(real *c, const real *a, const real *b, int m, int n, int k, real beta)
{
    by_rows(c, a, b, 1, (size_t)k, m, n, k, beta, NULL, LINEAR);
}

void gemm_tn(real *c, const real *a, const real *b, int m, int n, int k, real beta)
{
    int team = 2.0 * m * n * k > SERIAL ? omp_get_max_threads() : 1;
    if (team == 1 && m <= TALL && n <= NC) {
        LOOPS(columns_times, n)(c, a, b, m, n, m, n, k, beta);
        return;
    }
    int tasks = ((m + TALL - 1) / TALL + team - 1) / team * team; /* equal work for every thread */
    int tall = ((m + tasks - 1) / tasks + TILE - 1) / TILE * TILE, bm = (m + tall - 1) / tall, bn = (n + NC - 1) / NC;
#pragma omp parallel for collapse(2) schedule(dynamic) if (team > 1)
    for (int i = 0; i < bm; i++)
        for (int j = 0; j < bn; j++) {
            int r = i * tall, q = j * NC;
            LOOPS(columns_times, n)
            (c + (size_t)r * (size_t)n + (size_t)q, a + r, b + q, m - r < tall ? m - r : tall, n - q < NC ? n - q : NC,
             m, n, k, beta);
        }
}
