/* Sparse times dense: y = f S x + beta base. A row of y is one chain of multiply-adds an element, in the order of the entries of its row of S. */
#include "kernels.h"
#include "simd.h"
#include <omp.h>

#define SERIAL 200000 /* multiply-adds below which a team costs more than it gives */
enum { LINE = 64 / sizeof(real) };
#define NEAR (1 << 20) /* bytes that the second-level cache holds: nothing is fetched beforehand, and short rows go in an order that suits the CPU */


typedef struct job {
    real *y;
    const int64_t *ptr;
    const int *idx, *order, *map;
    const real *val, *x, *base;
    real f, beta;
    size_t d;
    int64_t all;
    int near;
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
void spmm_onto(real *y, const csr *s, real f, const real *x, const real *base, const int *map, real beta, int d)
{
    int near = (size_t)s->cols * (size_t)d * sizeof(real) <= NEAR, team = csr_nnz(s) * d > SERIAL ? omp_get_max_threads() : 1;
    int even = s->rows / (64 * team) & ~3, chunk = !near || even > 64 ? 64 : even > 8 ? even : 8, chunks = (s->rows + chunk - 1) / chunk;
    const job all = {y, s->ptr, s->idx, near && d < 4 * LINE ? s->order : NULL, map, s->val, x, base, f, beta, (size_t)d, csr_nnz(s), near};
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

void spmm(real *y, const csr *s, const real *x, int d, real beta)
{
    spmm_onto(y, s, 1, x, y, NULL, beta, d);
}
