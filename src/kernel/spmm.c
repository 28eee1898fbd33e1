/* SpMM: Y = f S X followed by an epilogue (bias and ReLU, or an Adam update with the product as gradient).
 *
 * Determinism: element (i, j) of S X is a single chain of multiply-adds over the entries of row i in storage order.
 * Blocking, vector width, thread count and prefetching change which elements are computed together, never the chain. */
#include "kernels.h"
#include "simd.h"
#include <omp.h>

enum {
    LINE = 64 / sizeof(real), /* elements of a cache line */
    CHUNK_MAX = 512,          /* rows of a task with column bands */
    WRITE_AHEAD = 2           /* rows between the one that is computed and the one whose output lines are fetched */
};

/* The loops (spmm_loops.h) by bytes of the dense operand X, bytes of its rows, and epilogue:
 *
 *   X                  rows of X                         loop
 *   > BAND_BYTES       any, with BAND_ENTRIES entries    bands: column bands of L2_BYTES (cache blocking)
 *                      of S a row and band
 *   <= PREFETCH_BYTES  one or two vectors, f = 1         narrow: in csr.order, 4 rows at a time
 *   <= L2_BYTES        < 256 bytes                       ordered: in csr.order, 2 or 4 rows at a time
 *   <= PREFETCH_BYTES  any                               one row at a time
 *   >  PREFETCH_BYTES  any (from L2_BYTES on if wide)    one row at a time, rows of X are prefetched (NAME_fetch)
 *
 * The last two have a copy for each of: no epilogue (plain: f = 1 and beta = 0 as well; wide: 8 vectors of a row in
 * registers instead of 4), bias and ReLU (activate), Adam (update). Results of STREAM_BYTES or more are written with
 * non-temporal stores: they would be evicted before they are read. */
#define L2_BYTES (1 << 20)
#define BAND_BYTES (2 << 20)
#define PREFETCH_BYTES (6 << 20)
#define STREAM_BYTES (32 << 20)
#define BAND_ENTRIES 16

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

/* A product, for the loops. */
typedef struct job {
    real *y;              /* output; with UPDATE the parameters whose gradient is the product */
    real *m, *v;          /* UPDATE: the moments of the parameters */
    const adam_now *adam; /* UPDATE: the step */
    enum ending ending;
    const int64_t *ptr; /* of S */
    const int *idx;     /* of S */
    const int *order;   /* csr.order, NULL: storage order */
    const real *val;    /* of S; NULL: ones */
    const real *x;
    real f; /* factor of the product */
    epilogue end;
    size_t d;       /* width of X and Y */
    int64_t all;    /* entries of S */
    int rows, cols; /* of S */
    int band;       /* columns of a band, 0: unbanded */
    int fits_l2;    /* X does */
    int wide;       /* 8 vectors of a row are computed at a time, not 4 */
    int prefetch;   /* distance in entries, 0: none */
    int stream;     /* results are written with non-temporal stores */
} job;

typedef void loops(const job *, int first, int last);

INLINE int64_t length(const job *s, int row) { return s->ptr[row + 1] - s->ptr[row]; }

#define NAME(x) x##_32
#define BYTES 32
#define CODE CLONES
#define TARGET
#define FUSE_BY FUSE_BY_32
#include "spmm_loops.h"

#ifdef HAVE_512
#define NAME(x) x##_64
#define BYTES 64
#define CODE CODE_512
#define TARGET CODE_512
#define FUSE_BY FUSE_BY_64
#include "spmm_loops.h"
#define LOOPS(d) (d % LINE == 0 && simd_512() ? spmm_rows_64 : spmm_rows_32)
#else
#define LOOPS(d) spmm_rows_32
#endif

/* Operand fits L2: fixed serpentine assignment of chunks, so that every thread gets the same rows in every call and
 * finds them in its cache. Otherwise dynamic scheduling. */
static void spread(loops *run, const job *all, int rows, int team, int chunk)
{
    int chunks = (rows + chunk - 1) / chunk;
#define RUN(c) run(all, (c)*chunk, ((c) + 1) * chunk < rows ? ((c) + 1) * chunk : rows)
    if (all->fits_l2) {
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
    int bands = (int)(in / L2_BYTES) + 1;
    return in > BAND_BYTES && csr_nnz(s) / bands >= BAND_ENTRIES * (int64_t)s->rows ? bands : 1;
}

static void spmm_job(const csr *s, int d, job all)
{
    const size_t line = (size_t)d * sizeof(real), in = (size_t)s->cols * line;
    const int64_t nnz = csr_nnz(s);
    const int team = nnz * d > SERIAL_WORK ? omp_get_max_threads() : 1, bands = bands_of(s, d),
              sparse = nnz < 20 * (int64_t)s->rows;
    all.ptr = s->ptr, all.idx = s->idx, all.val = s->val, all.all = nnz, all.d = (size_t)d, all.rows = s->rows,
    all.cols = s->cols, all.fits_l2 = in <= L2_BYTES;
    int even = s->rows / (64 * team) & ~3, chunk = !all.fits_l2 || even > 64 ? 64 : even > 8 ? even : 8;
    if (bands > 1) {
        all.band = s->cols / bands + 1;
        chunk = team > 1 && s->rows / (4 * team) < CHUNK_MAX ? s->rows / (4 * team) + 1 : CHUNK_MAX;
    } else {
        all.order = in <= PREFETCH_BYTES && line < 256 ? s->order : NULL;
        all.stream = all.ending != UPDATE && (size_t)s->rows * line >= STREAM_BYTES &&
                     (all.end.beta == 0 || all.end.base != all.y) && (uintptr_t)all.y % 64 == 0;
        all.wide = all.ending == STORE && line >= 512 && (all.fits_l2 || (sparse && !all.stream));
        all.prefetch = in > (all.wide ? L2_BYTES : PREFETCH_BYTES) ? (sparse && line > 256 ? 16 : 24) : 0;
        all.stream &= all.prefetch > 0;
        chunk = team > 1 ? chunk : s->rows + !s->rows;
    }
    spread(LOOPS(d)(&all), &all, s->rows, team, chunk);
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
