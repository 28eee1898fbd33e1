/* twin_features: labels and features that go with a twin's blocks, and features for real labels.
 *
 * Words (wide data sets): node i has m_i distinct words, m_i uniform in [words/2, 3 words/2]. Each word comes from the
 * topic of its class with probability `signal`, else from the background. Both have the same distribution over ranks,
 *   rank = floor(q ((1 + F/q)^u - 1)),  q = 1 + F/50,  u uniform   (Zipf's law, p ~ 1/(rank + q)),
 * mapped to words by a permutation of the F words: one for each class, one for the background.
 *
 * Dense (at most DENSE_MAX features): x_i = offset + scale (signal mu_y + g_i), g_i standard normal, mu_c a random unit
 * vector, so that `signal` is the distance of class means from the origin in units of the noise; with several labels mu
 * is the sum of their vectors over the square root of their number. Data sets whose rows are normalised to sum 1 get
 * offset 1, scale 1/4 and no value below 0, so that the sum is far from 0; others offset 0, scale 1/10.
 *
 * The signals are chosen so that the accuracy of a GCN on the twin, or of an MLP on features generated for real labels,
 * is close to the printed one for the real data; measured values stand beside them. So agreement with the paper on such
 * data is by construction and confirms nothing, and generated features depend on the labels of all nodes, test nodes
 * included. */
#include "twin.h"
#include "../base/err.h"
#include "../base/rng.h"
#include "../base/portable.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DENSE_MAX 300

enum { S_TOPIC = 16, S_LENGTH, S_MEAN, S_NOISE, S_LABEL, S_WORD };

static const struct profile {
    const char *name; /* prefix of the data set's name; the first match counts */
    int words;        /* per node, as in the real data; 0: word i for node i (the identity) */
    double signal;
} profile[] = {
    /*                       on the twin, MLP / GCN CE in %, n = 4 */
    {"cora", 18, 0.40},      /* 29 / 82 */
    {"citeseer", 32, 0.45},  /* 41 / 68 */
    {"pubmed", 50, 0.19},    /* 55 / 79 */
    {"dblp", 5, 0.90},       /* 46 / 74 */
    {"chameleon", 13, 0.40}, /* 46 / 63, lr 0.05, no decay */
    {"squirrel", 18, 0.15},  /* 30 / 73, likewise */
    {"wisconsin", 96, 0.60}, /* 81 / 49 */
    {"polblogs", 0, 0},      /* 47 / 98 */
    {"facebook", 0, 1.4},    /* 40 / 78, hidden 128, lr 0.05, no decay */
    {"lastfm", 0, 2.5},      /* real graph and labels: 68 / 88, the paper's settings; the paper prints 69 / 85 */
    {"ogbn-arxiv", 0, 2.0},  /* real labels and split: a linear discriminant 56, the MLP 52 after 40 of 500 epochs; */
                             /* the paper's MLP 55.5 */
    {"yelp", 0, 5},          /* micro-F1 63, logistic on x and the neighbours' mean, twin cut to 30,000 nodes */
    {"amazon", 0, 6},        /* likewise 73 */
    {"", 20, 0.40},
};

static const struct profile *profile_of(const char *name)
{
    const struct profile *p = profile;
    while (strncmp(name, p->name, strlen(p->name)))
        p++;
    return p;
}

static int by_id(const void *x, const void *y)
{
    int p = *(const int *)x, q = *(const int *)y;
    return (p > q) - (p < q);
}

/* n distinct words for node i, ascending; own and background are permutations of the words. */
static void draw_words(int *out, int n, int i, const int *own, const int *background, int width, double signal, rng r)
{
    int have = 0;
    double q = width / 50.0 + 1, base = portable_log1p(width / q);
    for (uint32_t tries = 0; have < n && tries < 64 * (uint32_t)n;) {
        int k = have;
        for (; k < n; k++, tries++) {
            uint32_t u[4];
            rng_block(u, r, tries, 0, (uint32_t)i, S_WORD);
            int rank = (int)(q * portable_expm1(base * (u[0] * 0x1p-32)));
            const int *topic = u[1] * 0x1p-32 < signal ? own : background;
            out[k] = topic[rank < width ? rank : width - 1];
        }
        qsort(out, (size_t)k, sizeof *out, by_id);
        have = k > 0;
        for (int t = 1; t < k; t++)
            if (out[t] != out[have - 1])
                out[have++] = out[t];
    }
    for (int w = 0; have < n; w++) /* a tiny vocabulary: take the unused words */
        if (!bsearch(&w, out, (size_t)have, sizeof *out, by_id)) {
            out[have++] = w;
            qsort(out, (size_t)have, sizeof *out, by_id);
        }
}

static void make_words(arena *a, dataset *d, const struct profile *p, rng r)
{
    int n = d->nodes, width = d->features, c = d->classes;
    arena tmp = {0};
    int *topic = NEW(&tmp, int, ((size_t)c + 1) * (size_t)width);
    for (int t = 0; t <= c; t++) {
        int *perm = topic + (size_t)t * (size_t)width;
        for (int w = 0; w < width; w++)
            perm[w] = w;
        rng_shuffle(perm, width, r, (uint64_t)S_TOPIC << 32 | (uint64_t)t);
    }
    int least = p->words / 2 > 0 ? p->words / 2 : 1, max = p->words + p->words / 2;
    if (max > width)
        max = width;
    if (least > max)
        least = max;
    int64_t *ptr = NEW(a, int64_t, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        ptr[i + 1] = ptr[i] + least + (int64_t)rng_below(r, S_LENGTH, (uint64_t)i, (uint64_t)(max - least) + 1);
    d->xs = (csr){n, width, ptr, NEW(a, int, (size_t)ptr[n]), NULL, NULL};
    const int *background = topic + (size_t)c * (size_t)width;
#pragma omp parallel for schedule(static, 64)
    for (int i = 0; i < n; i++) {
        const int *own = d->y && d->y[i] >= 0 ? topic + (size_t)d->y[i] * (size_t)width : background;
        draw_words(d->xs.idx + ptr[i], (int)(ptr[i + 1] - ptr[i]), i, own, background, width, p->signal, r);
    }
    arena_free(&tmp);
}

/* Node i has the one word i, as data without features are treated. */
static void make_identity(arena *a, dataset *d)
{
    d->xs = csr_new(a, d->nodes, d->features, d->nodes, 0);
    for (int i = 0; i < d->nodes; i++) {
        d->xs.ptr[i + 1] = i + 1;
        d->xs.idx[i] = i % d->features;
    }
}

/* Adds signal * (the mean direction of node i's labels) to mu[0..width). */
static void add_means(double *mu, const dataset *d, int i, const double *mean, double signal)
{
    int width = d->features, held = 0;
    if (!d->ym) {
        for (int j = 0; d->y[i] >= 0 && j < width; j++)
            mu[j] += signal * mean[(size_t)d->y[i] * (size_t)width + (size_t)j];
        return;
    }
    const unsigned char *has = d->ym + (size_t)i * (size_t)d->classes;
    for (int l = 0; l < d->classes; l++)
        held += has[l];
    for (int l = 0; l < d->classes; l++)
        for (int j = 0; has[l] && j < width; j++)
            mu[j] += signal / sqrt(held) * mean[(size_t)l * (size_t)width + (size_t)j];
}

/* The class means: random unit vectors, one in each row. */
static double *make_means(arena *tmp, int classes, int width, rng r)
{
    double *mean = NEW_2D(tmp, double, classes, width);
    for (int c = 0; c < classes; c++) {
        double *mu = mean + (size_t)c * (size_t)width, norm = 0;
        for (int j = 0; j < width; j++) {
            mu[j] = rng_normal(r, (uint64_t)S_MEAN << 32 | (uint64_t)c, (uint64_t)j);
            norm += mu[j] * mu[j];
        }
        for (int j = 0; j < width; j++)
            mu[j] /= sqrt(norm);
    }
    return mean;
}

/* Two standard normals. */
static void gauss(double g[2], rng r, uint32_t c0, uint32_t c1, uint32_t c2)
{
    uint32_t u[4];
    rng_block(u, r, c0, c1, c2, S_NOISE);
    double radius = sqrt(-2 * portable_log((u[0] + 1.0) * 0x1p-32)), angle = 6.283185307179586476925 * (u[1] * 0x1p-32);
    g[0] = radius * portable_cos(angle);
    g[1] = radius * portable_sin(angle);
}

static void make_dense(arena *a, dataset *d, double signal, int positive, rng r)
{
    int width = d->features;
    double offset = positive, scale = positive ? 0.25 : 0.1;
    arena tmp = {0};
    double *mean = make_means(&tmp, d->classes, width, r);
    d->xd = mat_new(a, d->nodes, width);
#pragma omp parallel for schedule(static, 64)
    for (int i = 0; i < d->nodes; i++) {
        double x[DENSE_MAX + 1] = {0}, g[2];
        add_means(x, d, i, mean, signal);
        for (int j = 0; j < width; j++) {
            if (j % 2 == 0)
                gauss(g, r, (uint32_t)(j / 2), 0, (uint32_t)i);
            double v = offset + scale * (x[j] + g[j % 2]);
            mat_row(d->xd, i)[j] = (real)(positive && v < 0 ? 0 : v);
        }
    }
    arena_free(&tmp);
}

void twin_features(arena *a, dataset *d, const catalog_entry *e)
{
    const struct profile *p = profile_of(e->name);
    rng r = rng_make(rng_seed(e->name), TWIN_VERSION, RNG_TWIN);
    d->features = e->features;
    d->xs = (csr){0};
    d->xd = (mat){0};
    if (d->features < 1)
        die("%s: the catalogue states no number of features, so none can be generated", e->name);
    if (d->features <= DENSE_MAX)
        make_dense(a, d, p->signal, !strncmp(e->norm, "row", 3), r);
    else if (p->words)
        make_words(a, d, p, r);
    else
        make_identity(a, d);
}

/* A node of block b has label b, each of the NEAR labels on either side of b on a ring with probability 0.3, and any
 * other with probability 0.01. */
#define NEAR 5
void twin_labels(arena *a, dataset *d, const int *block)
{
    int c = d->classes;
    rng r = rng_make(rng_seed(d->name), TWIN_VERSION, RNG_TWIN);
    d->ym = NEW_2D(a, unsigned char, d->nodes, c);
#pragma omp parallel for schedule(static, 64)
    for (int i = 0; i < d->nodes; i++) {
        unsigned char *has = d->ym + (size_t)i * (size_t)c;
        for (int l = 0; l < c; l += 4) {
            uint32_t u[4];
            rng_block(u, r, (uint32_t)l, 0, (uint32_t)i, S_LABEL);
            for (int k = l; k < l + 4 && k < c; k++) {
                int apart = abs(k - block[i]);
                double p = apart == 0 ? 2 : apart <= NEAR || c - apart <= NEAR ? 0.3 : 0.01;
                has[k] = u[k - l] * 0x1p-32 < p;
            }
        }
    }
}
