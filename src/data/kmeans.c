/* kmeans: clusters of points x_i in R^d (the rows of a sparse or a dense matrix) that lower the inertia
 *
 *   sum_i min_m |x_i - c_m|^2,   |x - c|^2 = |x|^2 - 2 x.c + |c|^2
 *
 * Seeding (greedy k-means++): c_0 is a point drawn uniformly; for each further centre L = 2 + floor(ln k) points are
 * drawn with probability proportional to the squared distance from the nearest centre so far, and the one that leaves
 * the lowest sum of these is kept. Then Lloyd steps until no point moves or MAX_STEPS:
 *
 *   of(i) = arg min_m |x_i - c_m|^2 (first of equals),   c_m = mean of its points
 *
 * A cluster left empty takes the point farthest from its own centre, so all clusters hold a point in the end. Draw t
 * for centre m of restart r is rng_uniform(rng_make(seed, r, RNG_PARTITION), 1, L m + t).
 *
 * The restarts run in parallel, each on one thread, and are compared in order: same bits at any thread count. A step
 * is too short (0.2 ms on Cora) to be worth a team of its own. */
#include "partition.h"
#include "../base/err.h"
#include "../base/rng.h"
#include "../base/portable.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 300
#define TILE 8 /* centres whose distances are summed in registers at a time */

typedef struct farthest {
    double dist;
    int i;
} farthest;

typedef struct points {
    int n, d;
    csr x;
    double *norm; /* n: |x_i|^2 */
} points;

/* One restart. Centre m is column m of c, so that an entry of a point meets all centres in one line. */
typedef struct kmeans {
    const points *p;
    int k, ld;             /* ld: k rounded up to a TILE */
    double *c;             /* d x ld */
    double *cnorm;         /* ld: |c_m|^2, infinite beyond k */
    double *dist;          /* n: squared distance from the own centre; while seeding, from the nearest */
    double *trial, *least; /* n: the same with a candidate, and with the best candidate */
    double *one;           /* d: the candidate, else zeros */
    int *of, *last;        /* n: the assignment, and the one before */
    int *count;            /* k */
    farthest *far;         /* n */
    double inertia;
} kmeans;

static double row_dot(const csr *x, int i, const double *v)
{
    double sum = 0;
    for (int64_t q = x->ptr[i]; q < x->ptr[i + 1]; q++)
        sum += csr_value(x, q) * v[x->idx[q]];
    return sum;
}

/* near = squared distances from the nearest centre so far and point `at`; returns their sum. */
static double tried(double *near, kmeans *s, int at, int first)
{
    const csr *x = &s->p->x;
    const double *norm = s->p->norm;
    double sum = 0;
    for (int64_t q = x->ptr[at]; q < x->ptr[at + 1]; q++)
        s->one[x->idx[q]] = csr_value(x, q);
    for (int i = 0; i < s->p->n; i++) {
        double d = i == at ? 0 : fmax(norm[i] - 2 * row_dot(x, i, s->one) + norm[at], 0);
        near[i] = first ? d : fmin(d, s->dist[i]);
        sum += near[i];
    }
    for (int64_t q = x->ptr[at]; q < x->ptr[at + 1]; q++)
        s->one[x->idx[q]] = 0;
    return sum;
}

/* A point with probability dist / total; without a total any point. */
static int drawn(const kmeans *s, double u, double total)
{
    int at = (int)(u * s->p->n);
    double sum = 0;
    for (int i = 0; i < s->p->n && total > 0 && sum <= u * total; i++)
        if (s->dist[i] > 0) {
            at = i;
            sum += s->dist[i];
        }
    return at;
}

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

static void seed_centres(kmeans *s, rng r)
{
    const csr *x = &s->p->x;
    int tries = 2 + (int)portable_log(s->k);
    double total = 0;
    for (int m = 0; m < s->k; m++) {
        double least = INFINITY;
        int best = 0;
        for (int t = 0; t < (m ? tries : 1); t++) {
            int at = drawn(s, rng_uniform(r, 1, (uint64_t)m * (uint64_t)tries + (uint64_t)t), total);
            double sum = tried(s->trial, s, at, m == 0);
            if (sum < least) {
                least = sum;
                best = at;
                swap(&s->trial, &s->least);
            }
        }
        swap(&s->dist, &s->least);
        total = least;
        for (int64_t q = x->ptr[best]; q < x->ptr[best + 1]; q++)
            s->c[(size_t)x->idx[q] * (size_t)s->ld + (size_t)m] = csr_value(x, q);
        s->cnorm[m] = s->p->norm[best];
    }
}

/* The nearest centre of each point. */
static void assign(kmeans *s)
{
    const csr *x = &s->p->x;
    for (int i = 0; i < s->p->n; i++) {
        double best = INFINITY;
        int nearest = 0;
        for (int m0 = 0; m0 < s->k; m0 += TILE) {
            double dot[TILE] = {0};
            for (int64_t q = x->ptr[i]; q < x->ptr[i + 1]; q++) {
                double v = csr_value(x, q);
                const double *c = s->c + (size_t)x->idx[q] * (size_t)s->ld + (size_t)m0;
                for (int t = 0; t < TILE; t++)
                    dot[t] += v * c[t];
            }
            for (int t = 0; t < TILE; t++)
                if (s->cnorm[m0 + t] - 2 * dot[t] < best) {
                    best = s->cnorm[m0 + t] - 2 * dot[t];
                    nearest = m0 + t;
                }
        }
        s->dist[i] = fmax(s->p->norm[i] + best, 0);
        s->of[i] = nearest;
    }
}

static int by_distance(const void *pa, const void *pb)
{
    const farthest *a = pa, *b = pb;
    return a->dist != b->dist ? (a->dist < b->dist) - (a->dist > b->dist) : (a->i > b->i) - (a->i < b->i);
}

/* Counts the clusters and gives each empty one the farthest point that is not alone in its own. */
static void fill_empty(kmeans *s)
{
    memset(s->count, 0, (size_t)s->k * sizeof *s->count);
    for (int i = 0; i < s->p->n; i++)
        s->count[s->of[i]]++;
    int empty = 0;
    for (int m = 0; m < s->k; m++)
        empty += s->count[m] == 0;
    if (!empty)
        return;
    for (int i = 0; i < s->p->n; i++)
        s->far[i] = (farthest){s->dist[i], i};
    qsort(s->far, (size_t)s->p->n, sizeof *s->far, by_distance);
    for (int m = 0, next = 0; m < s->k; m++)
        if (s->count[m] == 0) {
            while (s->count[s->of[s->far[next].i]] == 1)
                next++; /* ends: k <= n, so while a cluster is empty another has two points */
            int i = s->far[next++].i;
            s->count[s->of[i]]--;
            s->count[m]++;
            s->of[i] = m;
            s->dist[i] = 0;
        }
}

static void centres(kmeans *s)
{
    const csr *x = &s->p->x;
    memset(s->c, 0, (size_t)s->p->d * (size_t)s->ld * sizeof *s->c);
    memset(s->cnorm, 0, (size_t)s->k * sizeof *s->cnorm);
    for (int i = 0; i < s->p->n; i++)
        for (int64_t q = x->ptr[i]; q < x->ptr[i + 1]; q++)
            s->c[(size_t)x->idx[q] * (size_t)s->ld + (size_t)s->of[i]] += csr_value(x, q);
    for (int j = 0; j < s->p->d; j++)
        for (int m = 0; m < s->k; m++) {
            double *c = &s->c[(size_t)j * (size_t)s->ld + (size_t)m];
            *c /= s->count[m];
            s->cnorm[m] += *c * *c;
        }
}

static void lloyd(kmeans *s, rng r)
{
    size_t bytes = (size_t)s->p->n * sizeof *s->of;
    seed_centres(s, r);
    for (int step = 0; step < MAX_STEPS; step++) {
        memcpy(s->last, s->of, bytes);
        assign(s);
        fill_empty(s);
        if (step > 0 && memcmp(s->last, s->of, bytes) == 0)
            break;
        centres(s);
    }
    for (int i = 0; i < s->p->n; i++)
        s->inertia += s->dist[i];
}

/* A dense matrix as a sparse one, so that one code serves both. */
static csr from_dense(arena *a, const mat *x)
{
    int64_t nnz = 0, size = (int64_t)x->rows * x->cols;
    for (int64_t q = 0; q < size; q++)
        nnz += x->v[q] != 0;
    csr out = csr_new(a, x->rows, x->cols, nnz, 1);
    int64_t at = 0;
    for (int i = 0; i < x->rows; i++) {
        for (int j = 0; j < x->cols; j++)
            if (mat_row(*x, i)[j] != 0) {
                out.idx[at] = j;
                out.val[at++] = mat_row(*x, i)[j];
            }
        out.ptr[i + 1] = at;
    }
    return out;
}

static points points_of(arena *a, const csr *xs, const mat *xd)
{
    csr x = xs && xs->rows ? *xs : from_dense(a, xd);
    points p = {x.rows, x.cols, x, NEW(a, double, (size_t)x.rows)};
    for (int i = 0; i < p.n; i++)
        for (int64_t q = x.ptr[i]; q < x.ptr[i + 1]; q++)
            p.norm[i] += (double)csr_value(&x, q) * csr_value(&x, q);
    return p;
}

static kmeans kmeans_new(arena *a, const points *p, int k)
{
    int ld = (k + TILE - 1) / TILE * TILE;
    size_t n = (size_t)p->n, d = (size_t)p->d;
    kmeans s = {
        .p = p,
        .k = k,
        .ld = ld,
        .c = NEW_2D(a, double, d, ld),
        .cnorm = NEW(a, double, (size_t)ld),
        .dist = NEW(a, double, n),
        .trial = NEW(a, double, n),
        .least = NEW(a, double, n),
        .one = NEW(a, double, d),
        .of = NEW(a, int, n),
        .last = NEW(a, int, n),
        .count = NEW(a, int, (size_t)k),
        .far = NEW(a, farthest, n),
    };
    for (int m = k; m < ld; m++)
        s.cnorm[m] = INFINITY;
    return s;
}

partition partition_kmeans(arena *a, const csr *xs, const mat *xd, int clusters, int restarts, uint64_t seed)
{
    int sparse = xs && xs->rows, nodes = sparse ? xs->rows : xd ? xd->rows : 0;
    if (clusters < 1 || clusters > nodes)
        die("kmeans: %d clusters of %d nodes: want 1 to %d", clusters, nodes, nodes);
    int64_t values = sparse ? (xs->val ? csr_nnz(xs) : 0) : (int64_t)nodes * xd->cols;
    const real *v = sparse ? xs->val : xd->v;
    for (int64_t q = 0; q < values; q++)
        if (!isfinite(v[q]))
            die("kmeans: feature value %lld of the matrix is not finite", (long long)q);
    partition p = {.nodes = nodes, .clusters = clusters, .of = NEW(a, int, (size_t)nodes)};
    arena tmp = {0};
    points all = points_of(&tmp, xs, xd);
    int runs = restarts < 1 ? 1 : restarts, best = 0;
    kmeans *s = NEW(&tmp, kmeans, (size_t)runs);
    for (int r = 0; r < runs; r++)
        s[r] = kmeans_new(&tmp, &all, clusters);
#pragma omp parallel for schedule(dynamic, 1)
    for (int r = 0; r < runs; r++)
        lloyd(&s[r], rng_make(seed, (uint64_t)r, RNG_PARTITION));
    for (int r = 1; r < runs; r++) /* not by rounding: restarts often end in the same clusters, renumbered */
        if (s[r].inertia < s[best].inertia * (1 - 1e-9))
            best = r;
    memcpy(p.of, s[best].of, (size_t)nodes * sizeof *p.of);
    arena_free(&tmp);
    partition_sign(&p);
    return p;
}
