/* MKL's sparse product, for comparison only: training does not use it. */
#include "kernels.h"
#ifdef JCB_MKL
#include "../../src/base/err.h"
#include <mkl.h>
#include <mkl_spblas.h>
#include <omp.h>

struct mkl_product {
    int parts, d, cols;
    sparse_matrix_t *s;
    int *first; /* row of each part; parts + 1 */
};

static const struct matrix_descr general = {.type = SPARSE_MATRIX_TYPE_GENERAL};

/* The program is linked with MKL's sequential layer: parts of equal work run on OpenMP threads instead. */
mkl_product *mkl_product_new(arena *a, const csr *s, int d)
{
    mkl_product *m = NEW(a, mkl_product, 1);
    *m = (mkl_product){.parts = omp_get_max_threads(), .d = d, .cols = s->cols};
    m->s = NEW(a, sparse_matrix_t, (size_t)m->parts);
    m->first = NEW(a, int, (size_t)m->parts + 1);
    for (int k = 0, i = 0; k < m->parts; k++) {
        int64_t end = csr_nnz(s) / m->parts * (k + 1);
        while (i < s->rows && (k + 1 == m->parts || s->ptr[i + 1] <= end))
            i++;
        m->first[k + 1] = i;
        int rows = i - m->first[k];
        MKL_INT *ptr = NEW(a, MKL_INT, (size_t)rows + 1);
        int64_t from = s->ptr[m->first[k]];
        for (int r = 0; r <= rows; r++)
            ptr[r] = (MKL_INT)(s->ptr[m->first[k] + r] - from);
        if (rows == 0)
            continue;
        int bad = mkl_sparse_s_create_csr(m->s + k, SPARSE_INDEX_BASE_ZERO, rows, s->cols, ptr, ptr + 1, s->idx + from,
                                          s->val + from) != SPARSE_STATUS_SUCCESS;
        mkl_sparse_set_mm_hint(m->s[k], SPARSE_OPERATION_NON_TRANSPOSE, general, SPARSE_LAYOUT_ROW_MAJOR, d, 1000);
        if (bad || mkl_sparse_optimize(m->s[k]) != SPARSE_STATUS_SUCCESS)
            die("MKL rejects a matrix of %d x %d", rows, s->cols);
    }
    return m;
}

void mkl_product_run(mkl_product *m, real *y, const real *x)
{
#pragma omp parallel for schedule(static, 1)
    for (int k = 0; k < m->parts; k++)
        if (m->first[k + 1] > m->first[k])
            mkl_sparse_s_mm(SPARSE_OPERATION_NON_TRANSPOSE, 1, m->s[k], general, SPARSE_LAYOUT_ROW_MAJOR, x, m->d, m->d,
                            0, y + (size_t)m->first[k] * (size_t)m->d, m->d);
}

void mkl_product_free(mkl_product *m)
{
    for (int k = 0; k < m->parts; k++)
        if (m->first[k + 1] > m->first[k])
            mkl_sparse_destroy(m->s[k]);
}
#else
mkl_product *mkl_product_new(arena *a, const csr *s, int d)
{
    (void)a, (void)s, (void)d;
    return NULL;
}

void mkl_product_run(mkl_product *m, real *y, const real *x) { (void)m, (void)y, (void)x; }

void mkl_product_free(mkl_product *m) { (void)m; }
#endif
