/* csr_from_pairs: counting sort by row, then every row sorted by itself.
 *
 * The entries of a row are placed in whatever order threads come to them, sorted, and repeats dropped: the result is
 * unique, so it does not depend on the number of threads. Memory: the placed entries beside the result. */
#include "csr.h"
#include <omp.h>
#include <string.h>

enum { FEW = 48, RADIX = 256 };
#define SERIAL 100000 /* pairs below which a parallel region costs more than it saves */

/* n ids, ascending; spare: room for as many. LSD radix by bytes, insertion where there are few. */
static void sort_ids(int *x, int *spare, int64_t n, int max)
{
    if (n <= FEW) {
        for (int64_t i = 1; i < n; i++) {
            int v = x[i];
            int64_t at = i;
            for (; at > 0 && x[at - 1] > v; at--)
                x[at] = x[at - 1];
            x[at] = v;
        }
        return;
    }
    int *from = x, *to = spare;
    for (int shift = 0; shift < 32 && max >> shift; shift += 8) {
        int64_t count[RADIX + 1] = {0};
        for (int64_t i = 0; i < n; i++)
            count[(from[i] >> shift & 255) + 1]++;
        for (int k = 0; k < RADIX; k++)
            count[k + 1] += count[k];
        for (int64_t i = 0; i < n; i++)
            to[count[from[i] >> shift & 255]++] = from[i];
        int *swap = from;
        from = to, to = swap;
    }
    if (from != x)
        memcpy(x, from, (size_t)n * sizeof *x);
}

/* Row i of pair k, seen in one direction or the other. */
static void count_rows(int64_t *ptr, const int *u, const int *v, int64_t m, int symmetric, int loops)
{
#pragma omp parallel for schedule(static) if (m > SERIAL)
    for (int64_t k = 0; k < m; k++) {
        if (!loops && u[k] == v[k])
            continue;
        __atomic_fetch_add(ptr + u[k] + 1, 1, __ATOMIC_RELAXED);
        if (symmetric)
            __atomic_fetch_add(ptr + v[k] + 1, 1, __ATOMIC_RELAXED);
    }
}

static void place(int *idx, int64_t *next, const int *u, const int *v, int64_t m, int symmetric, int loops)
{
#pragma omp parallel for schedule(static) if (m > SERIAL)
    for (int64_t k = 0; k < m; k++) {
        if (!loops && u[k] == v[k])
            continue;
        idx[__atomic_fetch_add(next + u[k], 1, __ATOMIC_RELAXED)] = v[k];
        if (symmetric)
            idx[__atomic_fetch_add(next + v[k], 1, __ATOMIC_RELAXED)] = u[k];
    }
}

/* Sorts each row and drops its repeats; length[i]: what is left. */
static void tidy(int *idx, int64_t *length, const int64_t *ptr, int rows, int cols)
{
    int64_t widest = 0;
    for (int i = 0; i < rows; i++)
        widest = ptr[i + 1] - ptr[i] > widest ? ptr[i + 1] - ptr[i] : widest;
    int team = ptr[rows] > SERIAL ? omp_get_max_threads() : 1;
    arena tmp = {0};
    int *spare = NEW_2D(&tmp, int, widest, team);
#pragma omp parallel for schedule(dynamic, 64) num_threads(team)
    for (int i = 0; i < rows; i++) {
        int *x = idx + ptr[i];
        int64_t n = ptr[i + 1] - ptr[i], keep = 0;
        sort_ids(x, spare + (size_t)widest * (size_t)omp_get_thread_num(), n, cols - 1);
        for (int64_t k = 0; k < n; k++)
            if (!k || x[k] != x[keep - 1])
                x[keep++] = x[k];
        length[i] = keep;
    }
    arena_free(&tmp);
}

csr csr_from_pairs(arena *a, int rows, int cols, const int *u, const int *v, int64_t m, int symmetric, int loops)
{
    arena tmp = {0};
    int64_t *ptr = NEW(&tmp, int64_t, (size_t)rows + 1), *next = NEW_RAW(&tmp, int64_t, (size_t)rows + 1);
    count_rows(ptr, u, v, m, symmetric, loops);
    for (int i = 0; i < rows; i++)
        ptr[i + 1] += ptr[i];
    memcpy(next, ptr, ((size_t)rows + 1) * sizeof *next);
    int *idx = NEW_RAW(&tmp, int, (size_t)ptr[rows]);
    place(idx, next, u, v, m, symmetric, loops);
    tidy(idx, next, ptr, rows, cols);
    int64_t keep = 0;
    for (int i = 0; i < rows; i++)
        keep += next[i];
    csr s = csr_new(a, rows, cols, keep, 0);
    for (int i = 0; i < rows; i++)
        s.ptr[i + 1] = s.ptr[i] + next[i];
#pragma omp parallel for schedule(static) if (keep > SERIAL)
    for (int i = 0; i < rows; i++)
        memcpy(s.idx + s.ptr[i], idx + ptr[i], (size_t)next[i] * sizeof *idx);
    arena_free(&tmp);
    return s;
}
