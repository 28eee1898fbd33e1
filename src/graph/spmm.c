/* Sparse times dense: y = f S x + beta base. A row of y is one chain of multiply-adds an element, in the order of the entries of its row of S. */
#include "kernels.h"
#include "simd.h"
#include <omp.h>

#define SERIAL 200000 /* multiply-adds below which a team costs more than it gives */
enum { LINE = 64 / sizeof(real), MOST = 512, SOON = 2 }; /* MOST: rows that share bands; SOON: rows until a line of y is written that is asked for now */
/* Bytes of dense operands. Up to NEAR they stay in the second-level cache. From BANDS on they are taken in bands of NEAR where a row has LONG entries in each;
 * else beyond FAR, wide ones beyond NEAR, they are fetched beforehand. Results from LARGE on are written past the caches: what reads them next
 * would not find them there anyway, and was not slower by it. */
#define NEAR (1 << 20)
#define BANDS (2 << 20)
#define FAR (6 << 20)
#define LARGE (16 << 20)
#define LONG 16

#ifdef HAVE_512
#define STREAM(to, v) __asm__ volatile("vmovntps %1, (%0)" : : "r"(to), "v"(v) : "memory")
#define FENCE() __builtin_ia32_sfence()
#define OWN(line) __asm__ volatile("prefetchw (%0)" : : "r"(line))
#else
#define STREAM(to, v) (*(to) = (v)[0]) /* never run */
#define FENCE() (void)0
#define OWN(line) __builtin_prefetch(line, 1)
#endif

typedef struct job {
    real *y;
    const int64_t *ptr;
    const int *idx, *order, *map;
    const real *val, *x, *base;
    real f, beta;
    size_t d;
    int64_t all;
    int rows, cols, band, near, wide, ahead, stream; /* band: columns, 0: all; ahead: entries whose rows are fetched beforehand */
} job;

INLINE int64_t length(const job *s, int row)
{
    return s->ptr[row + 1] - s->ptr[row];
}

#define NAME(x) x##_32
#define BYTES 32
#define CODE CLONES
#include "spmm_loops.h"

#define NAME(x) x##_64
#define BYTES 64
#define CODE CODE_512
#include "spmm_loops.h"

/* Near: dealt in turns, to and fro, so that a thread has the same rows in every call, in its own cache. Far: who is free takes the next rows. */
static void spread(void (*run)(const job *, int, int), const job *all, int rows, int team, int chunk)
{
    int chunks = (rows + chunk - 1) / chunk;
#define RUN(c) run(all, (c) * chunk, ((c) + 1) * chunk < rows ? ((c) + 1) * chunk : rows)
    if (all->near) {
#pragma omp parallel num_threads(team) if (team > 1)
        for (int n = omp_get_num_threads(), me = omp_get_thread_num(), turn = 0, c; turn * n < chunks; turn++)
            if ((c = turn * n + (turn % 2 ? n - 1 - me : me)) < chunks)
                RUN(c);
    } else {
#pragma omp parallel for schedule(dynamic) num_threads(team) if (team > 1)
        for (int c = 0; c < chunks; c++)
            RUN(c);
    }
#undef RUN
}

void spmm_onto(real *y, const csr *s, real f, const real *x, const real *base, const int *map, real beta, int d)
{
    const size_t line = (size_t)d * sizeof(real), in = (size_t)s->cols * line;
    const int64_t nnz = csr_nnz(s);
    const int team = nnz * d > SERIAL ? omp_get_max_threads() : 1, bands = (int)(in / NEAR) + 1, few = nnz < 20 * (int64_t)s->rows;
    job all = {y, s->ptr, s->idx, NULL, map, s->val, x, base, f, beta, (size_t)d, nnz, .rows = s->rows, .cols = s->cols, .near = s->order && in <= NEAR};
    int even = s->rows / (64 * team) & ~3, chunk = !all.near || even > 64 ? 64 : even > 8 ? even : 8;
    if (in > BANDS && nnz / bands >= LONG * (int64_t)s->rows) {
        all.band = s->cols / bands + 1;
        chunk = team > 1 && s->rows / (4 * team) < MOST ? s->rows / (4 * team) + 1 : MOST;
    } else {
        all.order = all.near && line < 256 ? s->order : NULL;
        all.stream = (size_t)s->rows * line >= LARGE && (beta == 0 || base != y) && (uintptr_t)y % 64 == 0;
        all.wide = line >= 512 && (all.near || (few && !all.stream));
        all.ahead = in > (all.wide ? NEAR : FAR) ? (few && line > 256 ? 16 : 24) : 0;
        chunk = team > 1 ? chunk : s->rows + !s->rows;
    }
    spread(d % LINE == 0 && simd_512() ? spmm_rows_64 : spmm_rows_32, &all, s->rows, team, chunk);
}

void spmm(real *y, const csr *s, const real *x, int d, real beta)
{
    spmm_onto(y, s, 1, x, y, NULL, beta, d);
}
