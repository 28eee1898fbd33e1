#include "edit.h"
#include "../../base/err.h"
#include <stdlib.h>
#include <string.h>

edit edit_new(arena *a, const csr *graph, int64_t budget)
{
    int n = graph->rows;
    int64_t capacity = csr_nnz(graph) + 2 * budget;
    edit e = {.graph = csr_new(a, n, n, capacity, 0),
              .spare = csr_new(a, n, n, capacity, 0),
              .done = NEW(a, int64_t, (size_t)budget),
              .budget = budget};
    memcpy(e.graph.ptr, graph->ptr, ((size_t)n + 1) * sizeof *graph->ptr);
    memcpy(e.graph.idx, graph->idx, (size_t)csr_nnz(graph) * sizeof *graph->idx);
    return e;
}

static int ascending(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* Adds the pairs to the sorted list: sorts them behind it, then merges from the back. */
static void remember(edit *e, const flip *f, int64_t n)
{
    arena tmp = {0};
    int64_t *added = NEW(&tmp, int64_t, (size_t)n), i = e->ndone - 1, k = n - 1, to = e->ndone + n - 1;
    for (int64_t q = 0; q < n; q++)
        added[q] = (int64_t)f[q].u * e->graph.rows + f[q].v;
    qsort(added, (size_t)n, sizeof *added, ascending);
    while (k >= 0)
        e->done[to--] = i >= 0 && e->done[i] > added[k] ? e->done[i--] : added[k--];
    e->ndone += n;
    arena_free(&tmp);
}

/* The symmetric difference of two ascending lists; returns its length. */
static int64_t differ(int *to, const int *a, int64_t na, const int *b, int64_t nb)
{
    int64_t i = 0, k = 0, n = 0;
    while (i < na || k < nb) {
        if (k == nb || (i < na && a[i] < b[k]))
            to[n++] = a[i++];
        else if (i == na || b[k] < a[i])
            to[n++] = b[k++];
        else
            i++, k++;
    }
    return n;
}

void edit_flip(edit *e, const flip *f, int64_t n)
{
    if (e->ndone + n > e->budget)
        die("%lld flips exceed the budget of %lld", (long long)(e->ndone + n), (long long)e->budget);
    arena tmp = {0};
    int *u = NEW(&tmp, int, (size_t)n), *v = NEW(&tmp, int, (size_t)n);
    for (int64_t k = 0; k < n; k++)
        u[k] = f[k].u, v[k] = f[k].v;
    csr change = csr_from_pairs(&tmp, e->graph.rows, e->graph.rows, u, v, n, 1, 0), old = e->graph;
    e->graph = e->spare;
    for (int i = 0; i < old.rows; i++) {
        int64_t at = e->graph.ptr[i];
        e->graph.ptr[i + 1] = at + differ(e->graph.idx + at, old.idx + old.ptr[i], old.ptr[i + 1] - old.ptr[i],
                                          change.idx + change.ptr[i], change.ptr[i + 1] - change.ptr[i]);
    }
    e->spare = old;
    arena_free(&tmp);
    remember(e, f, n);
}

int edit_linked(const csr *graph, int u, int v)
{
    int64_t lo = graph->ptr[u], hi = graph->ptr[u + 1];
    while (lo < hi) {
        int64_t mid = (lo + hi) / 2;
        if (graph->idx[mid] < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < graph->ptr[u + 1] && graph->idx[lo] == v;
}

int64_t edit_from(const edit *e, int u, int v)
{
    int64_t key = (int64_t)u * e->graph.rows + v, lo = 0, hi = e->ndone;
    while (lo < hi) {
        int64_t mid = (lo + hi) / 2;
        if (e->done[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}
