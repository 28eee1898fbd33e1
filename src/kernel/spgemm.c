/* Sparse times sparse, row by row (Gustavson): y_i = sum over the entries (i, k) of s, in their order, of s_ik x_k. The
 * chain of multiply-adds of an element is that of spmm without the terms that are zero, so that the bits are the
 * same. */
#include "csr.h"
#include "simd.h"
#include <stdlib.h>
#include <string.h>

static int ascending(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

/* Adds row i of the product to acc; *column lists where, seen says what it lists. Returns how many. */
CLONES static int add_row(real *acc, int *column, unsigned char *seen, const csr *s, const csr *x, int i)
{
    int n = 0;
    for (int64_t k = s->ptr[i]; k < s->ptr[i + 1]; k++) {
        real v = csr_value(s, k);
        for (int64_t l = x->ptr[s->idx[k]]; l < x->ptr[s->idx[k] + 1]; l++) {
            int j = x->idx[l];
            if (!seen[j])
                seen[j] = 1, column[n++] = j;
            acc[j] = fused(v, csr_value(x, l), acc[j]);
        }
    }
    return n;
}

typedef struct rows { /* of the product, as far as they are known */
    int *idx;
    real *val;
    int64_t n, capacity;
} rows;

static void grow(arena *tmp, rows *r, int64_t more)
{
    if (r->n + more <= r->capacity)
        return;
    rows old = *r;
    r->capacity = 2 * r->capacity + more;
    r->idx = NEW(tmp, int, (size_t)r->capacity);
    r->val = NEW(tmp, real, (size_t)r->capacity);
    if (old.n) {
        memcpy(r->idx, old.idx, (size_t)old.n * sizeof *r->idx);
        memcpy(r->val, old.val, (size_t)old.n * sizeof *r->val);
    }
}

csr csr_multiply(arena *a, const csr *s, const csr *x)
{
    arena tmp = {0};
    real *acc = NEW(&tmp, real, (size_t)x->cols);
    int *column = NEW(&tmp, int, (size_t)x->cols);
    unsigned char *seen = NEW(&tmp, unsigned char, (size_t)x->cols);
    int64_t *ptr = NEW(&tmp, int64_t, (size_t)s->rows + 1);
    rows r = {0};
    grow(&tmp, &r, csr_nnz(x));
    for (int i = 0; i < s->rows; i++) {
        int n = add_row(acc, column, seen, s, x, i);
        grow(&tmp, &r, n);
        qsort(column, (size_t)n, sizeof *column, ascending);
        for (int k = 0; k < n; k++) {
            int j = column[k];
            if (acc[j] != 0)
                r.idx[r.n] = j, r.val[r.n++] = acc[j];
            acc[j] = 0;
            seen[j] = 0;
        }
        ptr[i + 1] = r.n;
    }
    csr y = csr_new(a, s->rows, x->cols, r.n, 1);
    memcpy(y.ptr, ptr, ((size_t)s->rows + 1) * sizeof *ptr);
    if (r.n) {
        memcpy(y.idx, r.idx, (size_t)r.n * sizeof *y.idx);
        memcpy(y.val, r.val, (size_t)r.n * sizeof *y.val);
    }
    arena_free(&tmp);
    return y;
}
