/* Sparse times dense: y = f S x and what follows it. A row of y is one chain of multiply-adds an element, in the order of the entries of its row of S. */
#include "kernels.h"
#include "simd.h"
#include <omp.h>
#ifdef HAVE_512
#include <immintrin.h>
#endif

#define SERIAL 200000 /* multiply-adds below which a team costs more than it gives */
enum { LINE = 64 / sizeof(real) };
#define NEAR (1 << 20) /* bytes that the second-level cache holds: nothing is fetched beforehand, and short rows go in an order that suits the CPU */

typedef struct job {
    real *y; /* the product; parameters with moments m and v that have it as their gradient, where there is an adam */
    real *m, *v;
    const adam_now *adam;
    const int64_t *ptr;
    const int *idx, *order;
    const real *val, *x;
    real f;
    epilogue end;
    size_t d;
    int64_t all;
    int near;
} job;

enum ending { STORE, ACTIVATE, UPDATE }; /* of a row: stored as it is, after bias and ReLU, or as an update */

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
static void spmm_job(const csr *s, int d, job all)
{
    int near = (size_t)s->cols * (size_t)d * sizeof(real) <= NEAR, team = csr_nnz(s) * d > SERIAL ? omp_get_max_threads() : 1;
    int even = s->rows / (64 * team) & ~3, chunk = !near || even > 64 ? 64 : even > 8 ? even : 8, chunks = (s->rows + chunk - 1) / chunk;
    all.ptr = s->ptr, all.idx = s->idx, all.val = s->val, all.all = csr_nnz(s), all.d = (size_t)d;
    all.order = near && d < 4 * LINE ? s->order : NULL, all.near = near;
    void (*run)(const job *, int, int) = d % LINE == 0 && simd_512() ? spmm_rows_64 : spmm_rows_32;
#define RUN(c) run(&all, (c) * chunk, ((c) + 1) * chunk < s->rows ? ((c) + 1) * chunk : s->rows)
    if (team == 1) {
        run(&all, 0, s->rows);
    } else if (near) {
#pragma omp parallel num_threads(team)
        for (int n = omp_get_num_threads(), me = omp_get_thread_num(), turn = 0, c; turn * n < chunks; turn++)
            if ((c = turn * n + (turn % 2 ? n - 1 - me : me)) < chunks)
                RUN(c);
    } else {
#pragma omp parallel for schedule(dynamic) num_threads(team)
        for (int c = 0; c < chunks; c++)
            RUN(c);
    }
#undef RUN
}

void spmm_with(real *y, const csr *s, real f, const real *x, int d, const epilogue *e)
{
    spmm_job(s, d, (job){.y = y, .x = x, .f = f, .end = *e});
}

void spmm(real *y, const csr *s, const real *x, int d, real beta)
{
    spmm_with(y, s, 1, x, d, &(epilogue){.base = y, .beta = beta});
}

void spmm_adam(real *w, real *m, real *v, const csr *s, const real *x, int d, const adam_now *o)
{
    spmm_job(s, d, (job){.y = w, .m = m, .v = v, .adam = o, .x = x, .f = 1});
}
