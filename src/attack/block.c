#include "block.h"
#include "../base/size.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20, BITS = 11, CHUNK = 4096 };

/* Number of pairs before row i. */
static int64_t before(int64_t n, int64_t i) { return i * (2 * n - i - 1) / 2; }

flip block_pair(int nodes, int64_t index)
{
    int64_t n = nodes;
    double b = 2.0 * (double)n - 1;
    int64_t i = (int64_t)((b - sqrt(fmax(0, b * b - 8.0 * (double)index))) / 2);
    i = i < 0 ? 0 : i > n - 2 ? n - 2 : i; /* rounding may make it wrong by one, corrected below */
    while (i > 0 && before(n, i) > index)
        i--;
    while (i < n - 2 && before(n, i + 1) <= index)
        i++;
    return (flip){(int)i, (int)(i + 1 + index - before(n, i))};
}

int64_t block_index(int nodes, int u, int v) { return before(nodes, u) + v - u - 1; }

block block_new(arena *a, int nodes, int64_t capacity)
{
    block b = {.nodes = nodes, .all = (int64_t)nodes * (nodes - 1) / 2};
    b.capacity = capacity < b.all ? capacity : b.all;
    size_t n = (size_t)b.capacity;
    b.index = NEW(a, int64_t, n), b.spare = NEW(a, int64_t, n), b.sort = NEW(a, int64_t, n), b.p = NEW(a, real, n),
    b.spare_p = NEW(a, real, n);
    return b;
}

double block_memory(int nodes, int64_t capacity)
{
    double all = (double)nodes * (nodes - 1) / 2, n = all < (double)capacity ? all : (double)capacity;
    return n * (3 * 8 + 2 * sizeof(real));
}

/* Radix sort; work has room for as many. */
static void sort(int64_t *x, int64_t *work, int64_t n, int64_t below)
{
    int64_t *from = x, *to = work;
    for (int shift = 0; shift < 63 && below >> shift; shift += BITS) {
        int64_t at[(1 << BITS) + 1] = {0};
        for (int64_t k = 0; k < n; k++)
            at[(from[k] >> shift & ((1 << BITS) - 1)) + 1]++;
        for (int q = 0; q < 1 << BITS; q++)
            at[q + 1] += at[q];
        for (int64_t k = 0; k < n; k++)
            to[at[from[k] >> shift & ((1 << BITS) - 1)]++] = from[k];
        int64_t *t = from;
        from = to, to = t;
    }
    if (from != x)
        memcpy(x, from, (size_t)n * sizeof *x);
}

/* Merges `want` draws into the sorted block with p = 0, without duplicates. */
static void add_draws(block *b, rng r, uint64_t stream, uint64_t first, int64_t want)
{
    int64_t *drawn = b->spare, n = 0, i = b->n - 1;
#pragma omp parallel for schedule(static, CHUNK) if (want > TEAM_FROM)
    for (int64_t k = 0; k < want; k++)
        drawn[k] = (int64_t)rng_below(r, stream, first + (uint64_t)k, (uint64_t)b->all);
    sort(drawn, b->sort, want, b->all);
    int64_t q = 0;
    for (int64_t k = 0; k < want; k++) { /* skips duplicates */
        while (q < b->n && b->index[q] < drawn[k])
            q++;
        if ((n && drawn[n - 1] == drawn[k]) || (q < b->n && b->index[q] == drawn[k]))
            continue;
        drawn[n++] = drawn[k];
    }
    b->n += n;
    for (int64_t to = b->n - 1, k = n - 1; k >= 0; to--) {
        int old = i >= 0 && b->index[i] > drawn[k];
        b->p[to] = old ? b->p[i] : 0;
        b->index[to] = old ? b->index[i--] : drawn[k--];
    }
}

void block_fill(block *b, rng r, uint64_t stream)
{
    uint64_t drawn = 0;
    for (int round = 0; round < ROUNDS && b->n < b->capacity; round++) {
        int64_t want = b->capacity - b->n;
        add_draws(b, r, stream, drawn, want);
        drawn += (uint64_t)want;
    }
}

void block_draw(block *b, rng r, uint64_t stream)
{
    memset(b->p, 0, (size_t)b->capacity * sizeof *b->p);
    b->n = 0;
    if (b->capacity < b->all)
        block_fill(b, r, stream);
    else
        for (b->n = 0; b->n < b->all; b->n++)
            b->index[b->n] = b->n;
}

/* The k-th largest of n values, k from 1; reorders them. */
static real nth(real *x, int64_t n, int64_t k)
{
    int64_t lo = 0, hi = n - 1;
    while (lo < hi) {
        real pivot = x[lo + (hi - lo) / 2];
        int64_t i = lo, j = hi;
        while (i <= j) {
            while (x[i] > pivot)
                i++;
            while (x[j] < pivot)
                j--;
            if (i <= j) {
                real t = x[i];
                x[i++] = x[j], x[j--] = t;
            }
        }
        if (k - 1 <= j)
            hi = j;
        else if (k - 1 >= i)
            lo = i;
        else
            break;
    }
    return x[k - 1];
}

typedef struct ranked {
    real value;
    int64_t at;
} ranked;

static int by_rank(const void *x, const void *y)
{
    const ranked *a = x, *b = y;
    return a->value < b->value ? 1 : a->value > b->value ? -1 : (a->at > b->at) - (a->at < b->at);
}

int64_t block_largest(int64_t *at, arena *tmp, const real *value, int64_t n, int64_t count)
{
    real *work = NEW(tmp, real, (size_t)n), least;
    int64_t m = 0, more = 0;
    for (int64_t k = 0; k < n; k++)
        if (value[k] > -INFINITY)
            work[m++] = value[k];
    if (m < count)
        count = m;
    if (!count)
        return 0;
    least = nth(work, m, count);
    for (int64_t k = 0; k < n; k++)
        more += value[k] > least;
    ranked *r = NEW(tmp, ranked, (size_t)count);
    int64_t equal = count - more, taken = 0;
    for (int64_t k = 0; k < n; k++)
        if (value[k] > least || (value[k] == least && equal-- > 0))
            r[taken++] = (ranked){value[k], k};
    qsort(r, (size_t)count, sizeof *r, by_rank);
    for (int64_t k = 0; k < count; k++)
        at[k] = r[k].at;
    return count;
}

void block_redraw(block *b, rng r, uint64_t stream)
{
    int64_t half = b->n - b->n / 2, positive = 0, more = 0, kept = 0;
    real least = 0;
    if (b->capacity == b->all)
        return;
    for (int64_t k = 0; k < b->n; k++)
        positive += b->p[k] > 0;
    if (positive > half) {
        memcpy(b->spare_p, b->p, (size_t)b->n * sizeof *b->p);
        least = nth(b->spare_p, b->n, half);
    }
    for (int64_t k = 0; k < b->n; k++)
        more += b->p[k] > least;
    int64_t equal = positive > half ? half - more : 0; /* candidates with p = least that are kept */
    for (int64_t k = 0; k < b->n; k++)
        if (b->p[k] > least || (b->p[k] == least && equal-- > 0)) {
            b->index[kept] = b->index[k];
            b->p[kept++] = b->p[k];
        }
    b->n = kept;
    block_fill(b, r, stream);
}

/* Summed in chunks of fixed size, in order: the same bits at any number of threads. */
static double clamped_sum(const real *p, int64_t n, double mu)
{
    double total = 0;
    for (int64_t first = 0; first < n; first += CHUNK) {
        int64_t last = n - first < CHUNK ? n : first + CHUNK;
        double sum = 0;
        for (int64_t k = first; k < last; k++) {
            double x = (double)p[k] - mu;
            sum += x < 0 ? 0 : x > 1 ? 1 : x;
        }
        total += sum;
    }
    return total;
}

void block_project(real *p, int64_t n, double max)
{
    double low = 0, high = 0;
    for (int64_t k = 0; k < n; k++)
        high = fmax(high, (double)p[k]);
    if (clamped_sum(p, n, 0) > max)
        for (int i = 0; i < 60 && high - low > 1e-7 * (1 + high); i++) {
            double mid = (low + high) / 2;
            if (clamped_sum(p, n, mid) > max)
                low = mid;
            else
                high = mid;
        }
    else
        high = 0;
    for (int64_t k = 0; k < n; k++) {
        double x = (double)p[k] - high;
        p[k] = (real)(x < 0 ? 0 : x > 1 ? 1 : x);
    }
}
