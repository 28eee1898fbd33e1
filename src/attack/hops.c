#include "hops.h"
#include "../base/size.h"
#include <omp.h>
#include <string.h>

static void mark(unsigned char *seen, const csr *graph, int i, unsigned char as)
{
    for (int64_t k = graph->ptr[i]; k < graph->ptr[i + 1]; k++)
        if (!seen[graph->idx[k]])
            seen[graph->idx[k]] = as;
}

int hops_changed(int *at, const csr *graph, int u, int v, const int *list, int n)
{
    arena tmp = {0};
    unsigned char *seen = NEW(&tmp, unsigned char, (size_t)graph->rows);
    int count = 0;
    seen[u] = seen[v] = 1; /* both, since they were neighbours before a removal */
    mark(seen, graph, u, 2);
    mark(seen, graph, v, 2);
    for (int i = 0; i < graph->rows; i++)
        if (seen[i] == 2)
            mark(seen, graph, i, 3);
    for (int k = 0; k < n; k++)
        if (seen[list[k]])
            at[count++] = k;
    arena_free(&tmp);
    return count;
}

/* The row of one node: first the weights of all nodes within two hops, then the weighted sum of their features. weight:
 * n zeros, and zero again on return. */
static void row(real *to, const csr *ahat, const feature_matrix *x, int i, real *weight, int *near)
{
    int count = 0;
    memset(to, 0, (size_t)x->cols * sizeof *to);
    for (int64_t k = ahat->ptr[i]; k < ahat->ptr[i + 1]; k++) {
        int mid = ahat->idx[k];
        for (int64_t q = ahat->ptr[mid]; q < ahat->ptr[mid + 1]; q++) {
            int j = ahat->idx[q];
            if (weight[j] == 0) /* A_hat is positive */
                near[count++] = j;
            weight[j] += ahat->val[k] * ahat->val[q];
        }
    }
    for (int k = 0; k < count; k++) {
        features_add_row(to, weight[near[k]], x, near[k]);
        weight[near[k]] = 0;
    }
}

void hops_rows(real *to, const csr *ahat, const feature_matrix *x, const int *list, const int *at, int n)
{
    arena tmp = {0};
    size_t rows = (size_t)ahat->rows, threads = (size_t)omp_get_max_threads();
    real *weight = NEW(&tmp, real, threads * rows);
    int *near = NEW_2D(&tmp, int, threads, rows);
#pragma omp parallel for schedule(dynamic) if (SIZE(n, x->cols) > TEAM_FROM)
    for (int k = 0; k < n; k++) {
        size_t mine = (size_t)omp_get_thread_num() * rows;
        row(to + (size_t)at[k] * (size_t)x->cols, ahat, x, list[at[k]], weight + mine, near + mine);
    }
    arena_free(&tmp);
}
