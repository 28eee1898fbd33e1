#include "csr.h"
#include "../base/err.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

csr csr_new(arena *a, int rows, int cols, int64_t nnz, int with_values)
{
    return (csr){rows,
                 cols,
                 NEW(a, int64_t, (size_t)rows + 1),
                 NEW(a, int, (size_t)nnz),
                 with_values ? NEW(a, real, (size_t)nnz) : NULL,
                 NULL};
}

/* Sorts rows by length within short windows, which keep neighbours together: loops over the entries of successive rows
 * then have the same trip count, which branch prediction learns. */
static void arrange(arena *a, csr *m)
{
    enum { WINDOW = 32, LENGTHS = 512 };
    m->order = NEW(a, int, (size_t)m->rows);
    for (int first = 0; first < m->rows; first += WINDOW) {
        int last = m->rows - first < WINDOW ? m->rows : first + WINDOW, at[LENGTHS + 1] = {0};
#define LENGTH(i) (m->ptr[i + 1] - m->ptr[i] < LENGTHS ? (int)(m->ptr[i + 1] - m->ptr[i]) : LENGTHS - 1)
        for (int i = first; i < last; i++)
            at[LENGTH(i) + 1]++;
        for (int l = 0; l < LENGTHS; l++)
            at[l + 1] += at[l];
        for (int i = first; i < last; i++)
            m->order[first + at[LENGTH(i)]++] = i;
#undef LENGTH
    }
}

/* Counts at ptr[i + 1] become offsets. */
static void prefix(int64_t *ptr, int rows)
{
    for (int i = 0; i < rows; i++)
        ptr[i + 1] += ptr[i];
}

/* After placing through ptr[i]++ each offset stands one row too far: move them back. */
static void rewind_ptr(int64_t *ptr, int rows)
{
    memmove(ptr + 1, ptr, (size_t)rows * sizeof *ptr);
    ptr[0] = 0;
}

csr csr_transpose(arena *a, const csr *m)
{
    int64_t nnz = csr_nnz(m);
    csr t = csr_new(a, m->cols, m->rows, nnz, m->val != NULL);
    for (int64_t k = 0; k < nnz; k++)
        t.ptr[m->idx[k] + 1]++;
    prefix(t.ptr, t.rows);
    for (int i = 0; i < m->rows; i++)
        for (int64_t k = m->ptr[i]; k < m->ptr[i + 1]; k++) {
            int64_t q = t.ptr[m->idx[k]]++;
            t.idx[q] = i;
            if (m->val)
                t.val[q] = m->val[k];
        }
    rewind_ptr(t.ptr, t.rows);
    arrange(a, &t);
    return t;
}

struct entry {
    int col;
    real val;
};

static int by_col(const void *x, const void *y)
{
    int a = ((const struct entry *)x)->col, b = ((const struct entry *)y)->col;
    return (a > b) - (a < b);
}

void csr_sort_rows(csr *m)
{
    int64_t widest = 0;
    for (int i = 0; i < m->rows; i++)
        if (m->ptr[i + 1] - m->ptr[i] > widest)
            widest = m->ptr[i + 1] - m->ptr[i];
    arena tmp = {0};
    struct entry *row = NEW(&tmp, struct entry, (size_t)widest);
    int repeat = -1;
    for (int i = 0; i < m->rows; i++) {
        int *idx = m->idx + m->ptr[i];
        int64_t n = m->ptr[i + 1] - m->ptr[i], sorted = 1;
        while (sorted < n && idx[sorted - 1] < idx[sorted])
            sorted++;
        if (sorted >= n)
            continue;
        for (int64_t k = 0; k < n; k++)
            row[k] = (struct entry){idx[k], csr_value(m, m->ptr[i] + k)};
        qsort(row, (size_t)n, sizeof *row, by_col);
        for (int64_t k = 0; k < n; k++) {
            idx[k] = row[k].col;
            if (m->val)
                m->val[m->ptr[i] + k] = row[k].val;
            if (k && row[k].col == row[k - 1].col)
                repeat = i;
        }
    }
    arena_free(&tmp);
    if (repeat >= 0)
        die("row %d of a sparse matrix names a column twice", repeat);
}

csr csr_restrict(arena *a, const csr *m, const int *rows, int nrows, const int *cols, int ncols)
{
    int64_t nnz = 0;
    for (int r = 0; r < nrows; r++)
        nnz += m->ptr[rows[r] + 1] - m->ptr[rows[r]];
    csr s = csr_new(a, nrows, cols ? ncols : m->cols, nnz, m->val != NULL);
    arena tmp = {0};
    int *at = cols ? NEW(&tmp, int, (size_t)m->cols) : NULL; /* of each column of m, its position in the list + 1 */
    for (int j = 0; cols && j < ncols; j++)
        at[cols[j]] = j + 1;
    int64_t w = 0;
    for (int r = 0; r < nrows; r++) {
        for (int64_t k = m->ptr[rows[r]]; k < m->ptr[rows[r] + 1]; k++) {
            if (cols && !at[m->idx[k]])
                continue;
            s.idx[w] = cols ? at[m->idx[k]] - 1 : m->idx[k];
            if (m->val)
                s.val[w] = m->val[k];
            w++;
        }
        s.ptr[r + 1] = w;
    }
    arena_free(&tmp);
    arrange(a, &s);
    return s;
}

static csr with_loops(arena *a, const csr *g)
{
    int n = g->rows;
    csr s = csr_new(a, n, n, csr_nnz(g) + n, 1);
    for (int i = 0; i < n; i++) {
        int64_t w = s.ptr[i], k = g->ptr[i];
        for (; k < g->ptr[i + 1] && g->idx[k] < i; k++)
            s.idx[w++] = g->idx[k];
        s.idx[w++] = i;
        for (; k < g->ptr[i + 1]; k++)
            s.idx[w++] = g->idx[k];
        s.ptr[i + 1] = w;
    }
    return s;
}

double csr_weight(enum adjacency kind, double di, double dj)
{
    return kind == ADJ_GCN || kind == ADJ_SYM ? 1 / sqrt(di * dj) : kind == ADJ_CHEB ? -1 / sqrt(di * dj) : 1 / di;
}

csr csr_adjacency(arena *a, const csr *g, enum adjacency kind)
{
    csr s;
    if (!csr_has_loops(kind)) {
        s = *g;
        s.val = NEW(a, real, (size_t)csr_nnz(g));
    } else {
        s = with_loops(a, g);
    }
#pragma omp parallel for schedule(static)
    for (int i = 0; i < s.rows; i++) {
        double di = (double)(s.ptr[i + 1] - s.ptr[i]);
        for (int64_t k = s.ptr[i]; k < s.ptr[i + 1]; k++) {
            double dj = (double)(s.ptr[s.idx[k] + 1] - s.ptr[s.idx[k]]);
            s.val[k] = (real)csr_weight(kind, di, dj);
        }
    }
    arrange(a, &s);
    return s;
}
