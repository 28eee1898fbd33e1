/* SpMM: Y = f S X followed by an epilogue (bias and ReLU, or an Adam update with the product as gradient).
 *
 * Determinism: element (i, j) of S X is a single chain of multiply-adds over the entries of row i in storage order.
 * Blocking, vector width, thread count and prefetching change which elements are computed together, never the chain. */
#include "kernels.h"
#include "simd.h"
#include <omp.h>
#ifdef HAVE_512
#include <immintrin.h>
#endif

enum {
    LINE = 64 / sizeof(real),
    CHUNK_MAX = 512,
    SOON = 2
}; /* elements of a cache line; rows of a column-banded block; write-prefetch distance in rows */
/* Strategy by the size in bytes of the dense operand X:
 *   <= NEAR          fits L2: no prefetching; below 256 bytes a row, rows in the order of their length, 2 or 4 at a
 *                    time
 *   <= FAR           rows of one or two vectors, where f is 1: in that order, 4 at a time
 *   >  BANDS         column bands of NEAR bytes (cache blocking), if a row has at least LONG entries per band on
 *      average
 *   >  FAR           software prefetching of the rows of X (from NEAR on for wide rows)
 * Results of LARGE bytes or more are written with non-temporal stores: they would be evicted before they are read. */
#define NEAR (1 << 20)
#define BANDS (2 << 20)
#define FAR (6 << 20)
#define LARGE (32 << 20)
#define LONG 16

#ifdef HAVE_512
#define STREAM(to, v) __asm__ volatile("vmovntps %1, (%0)" : : "r"(to), "v"(v) : "memory")
#define FENCE() _mm_sfence()
#define OWN(line) __asm__ volatile("prefetchw (%0)" : : "r"(line))
#else
#define STREAM(to, v) (*(to) = (v)[0]) /* never run */
#define FENCE() (void)0
#define OWN(line) __builtin_prefetch(line, 1)
#endif

enum ending { STORE, ACTIVATE, UPDATE }; /* epilogue of a row: none; bias and ReLU; Adam update */

typedef struct job {
    real *y; /* output; with UPDATE the parameters whose gradient is the product, m and v their moments */
    real *m, *v;
    const adam_now *adam;
    enum ending ending;
    const int64_t *ptr;
    const int *idx, *order;
    const real *val, *x;
    real f;
    epilogue end;
    size_t d;
    int64_t all;
    int rows, cols, band, near, wide, ahead,
        stream; /* band: columns of a band, 0: unbanded; ahead: prefetch distance in entries, 0: none */
} job;

typedef void loops(const job *, int first, int last);

INLINE int64_t length(const job *s, int row) { return s->ptr[row + 1] - s->ptr[row]; }

#define NAME(x) x##_32
#define BYTES 32
#define CODE CLONES
#define TARGET
#include "spmm_loops.h"

#define NAME(x) x##_64
#define BYTES 64
#define CODE CODE_512
#define TARGET CODE_512
#include "spmm_loops.h"

/* Operand fits L2: fixed serpentine assignment of chunks, so that every thread gets the same rows in every call and
 * finds them in its cache. Otherwise dynamic scheduling. */
static void spread(loops *run, const job *all, int rows, int team, int chunk)
{
    int chunks = (rows + chunk - 1) / chunk;
#define RUN(c) run(all, (c)*chunk, ((c) + 1) * chunk < rows ? ((c) + 1) * chunk : rows)
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

/* Number of column bands for a product of width d; 1: unbanded. */
static int bands_of(const csr *s, int d)
{
    size_t in = (size_t)s->cols * (size_t)d * sizeof(real);
    int bands = (int)(in / NEAR) + 1;
    return in > BANDS && csr_nnz(s) / bands >= LONG * (int64_t)s->rows ? bands : 1;
}

static void spmm_job(const csr *s, int d, job all)
{
    const size_t line = (size_t)d * sizeof(real), in = (size_t)s->cols * line;
    const int64_t nnz = csr_nnz(s);
    const int team = nnz * d > SERIAL_WORK ? omp_get_max_threads() : 1, bands = bands_of(s, d),
              few = nnz < 20 * (int64_t)s->rows;
    all.ptr = s->ptr, all.idx = s->idx, all.val = s->val, all.all = nnz, all.d = (size_t)d, all.rows = s->rows,
    all.cols = s->cols, all.near = in <= NEAR;
    int even = s->rows / (64 * team) & ~3, chunk = !all.near || even > 64 ? 64 : even > 8 ? even : 8;
    if (bands > 1) {
        all.band = s->cols / bands + 1;
        chunk = team > 1 && s->rows / (4 * team) < CHUNK_MAX ? s->rows / (4 * team) + 1 : CHUNK_MAX;
    } else {
        all.order = in <= FAR && line < 256 ? s->order : NULL;
        all.stream = all.ending != UPDATE && (size_t)s->rows * line >= LARGE &&
                     (all.end.beta == 0 || all.end.base != all.y) && (uintptr_t)all.y % 64 == 0;
        all.wide = all.ending == STORE && line >= 512 && (all.near || (few && !all.stream));
        all.ahead = in > (all.wide ? NEAR : FAR) ? (few && line > 256 ? 16 : 24) : 0;
        all.stream &= all.ahead > 0;
        chunk = team > 1 ? chunk : s->rows + !s->rows;
    }
    spread(d % LINE == 0 && simd_512() ? spmm_rows_64(&all) : spmm_rows_32(&all), &all, s->rows, team, chunk);
}

void spmm_with(real *y, const csr *s, real f, const real *x, int d, const epilogue *e)
{
    spmm_job(s, d, (job){.y = y, .ending = e->bias || e->shape == RELU ? ACTIVATE : STORE, .x = x, .f = f, .end = *e});
}

void spmm(real *y, const csr *s, const real *x, int d, real beta)
{
    spmm_with(y, s, 1, x, d, &(epilogue){.base = y, .beta = beta});
}

void spmm_adam(real *w, real *g, real *m, real *v, const csr *s, const real *x, int d, const adam_now *o)
{
    if (bands_of(s, d) == 1) {
        spmm_job(s, d, (job){.y = w, .m = m, .v = v, .adam = o, .ending = UPDATE, .x = x, .f = 1});
    } else { /* partial sums of the bands need storage: g */
        spmm(g, s, x, d, 0);
        adam_step(w, g, m, v, (size_t)s->rows * (size_t)d, o);
    }
}
