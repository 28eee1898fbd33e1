/* Sparse times dense: y = f S x and what follows it. A row of S x is one chain of multiply-adds an element, in the order of the entries of its row of S. */
#include "kernels.h"
#include "simd.h"
#include <omp.h>
#ifdef HAVE_512
#include <immintrin.h>
#endif

#define SERIAL 200000 /* multiply-adds below which a team costs more than it gives */
enum { LINE = 64 / sizeof(real), MOST = 512, SOON = 2 }; /* MOST: rows that share bands; SOON: rows until a line of y is written that is asked for now */
/* Bytes of dense operands. Up to NEAR they stay in the second-level cache. From BANDS on they are taken in bands of NEAR where a row has LONG entries in each;
 * else beyond FAR, wide ones beyond NEAR, they are fetched beforehand. Results from LARGE on are written past the caches, where what reads them
 * next would not find them anyway. */
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

enum ending { STORE, ACTIVATE, UPDATE }; /* of a row: stored as it is, after bias and ReLU, or as an update */

typedef struct job {
    real *y; /* the product; parameters with moments m and v that have it as their gradient, where there is an adam */
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
    int rows, cols, band, near, wide, ahead, stream; /* band: columns, 0: all; ahead: entries whose rows are fetched beforehand */
} job;

typedef void loops(const job *, int first, int last);

INLINE int64_t length(const job *s, int row)
{
    return s->ptr[row + 1] - s->ptr[row];
}

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

/* Near: dealt in turns, to and fro, so that a thread has the same rows in every call, in its own cache. Far: who is free takes the next rows. */
static void spread(loops *run, const job *all, int rows, int team, int chunk)
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

/* Bands for a product of width d; 1: none. */
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
    const int team = nnz * d > SERIAL ? omp_get_max_threads() : 1, bands = bands_of(s, d), few = nnz < 20 * (int64_t)s->rows;
    all.ptr = s->ptr, all.idx = s->idx, all.val = s->val, all.all = nnz, all.d = (size_t)d, all.rows = s->rows, all.cols = s->cols, all.near = in <= NEAR;
    int even = s->rows / (64 * team) & ~3, chunk = !all.near || even > 64 ? 64 : even > 8 ? even : 8;
    if (bands > 1) {
        all.band = s->cols / bands + 1;
        chunk = team > 1 && s->rows / (4 * team) < MOST ? s->rows / (4 * team) + 1 : MOST;
    } else {
        all.order = all.near && line < 256 ? s->order : NULL;
        all.stream = all.ending != UPDATE && (size_t)s->rows * line >= LARGE && (all.end.beta == 0 || all.end.base != all.y) && (uintptr_t)all.y % 64 == 0;
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
    } else { /* sums that grow band by band need a place */
        spmm(g, s, x, d, 0);
        adam_step(w, g, m, v, (size_t)s->rows * (size_t)d, o);
    }
}
