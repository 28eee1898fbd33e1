/* twin: a degree-corrected block model (Karrer and Newman 2011) with exact counts.
 *
 * Node i has a block (its class) and a propensity w_i = exp(s z_i), z_i normal, bounded for hubs. It sends
 *   1 + its share of (edges - nodes) by propensity
 * edges; a share h of all edges, spread evenly over nodes, goes to its own block and the rest to others. A block is
 * drawn by its total propensity, AFFINITY times that for the two neighbours of the sender's block on a ring (so that a
 * graph of low homophily still tells classes apart), then a node of it by propensity (alias tables). For each pair of
 * nodes a hash decides which of the two may send to the other: no edge can arise twice from different rows, rows are
 * independent, and the number of edges and their homophily come out exactly. s is solved for the catalogue's skew by
 * simulating degrees. Nodes without a class get no edges. */
#include "twin.h"
#include "../base/rng.h"
#include "split.h"
#include "../base/portable.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AFFINITY 4.0
#define DEFAULT_SKEW 1.0      /* where the catalogue has none */
#define DEFAULT_HOMOPHILY 0.6 /* likewise; between blocks for multi-label data */
#define SAMPLE 4096           /* simulated degrees when solving for s */
#define STEPS 16              /* bisections, from an interval of 4 */
#define HUB 0.25              /* bound of the expected degree, as a share of all nodes */
#define BLOCK_HUB 0.5         /* the same, as a share of the node's own block */

enum { S_ORDER = 1, S_NORMAL, S_ROUND, S_POISSON, S_EDGE, S_SPLIT };

typedef struct model {
    rng r;
    int nodes, blocks;
    int64_t linked;    /* nodes that have a block */
    int *block;        /* of each node, or -1 */
    int *start, *node; /* the nodes of block b: node[start[b]] .. node[start[b + 1] - 1] */
    double h;          /* share of edges inside blocks */
    double max;        /* the largest propensity */
    double max_own;    /* the same, per node of the block */
    double *weight;    /* propensity of each node */
    double *reach;     /* blocks x blocks: running sums of where an edge that leaves block b goes */
    uint32_t *keep;    /* alias tables, by position in node[] */
    int *other;
} model;

/* Assigns blocks of the given sizes to nodes at random and lists the nodes by block. */
static void deal_blocks(arena *tmp, model *m, const catalog_entry *e)
{
    int n = m->nodes, c = m->blocks, next = 0;
    int *order = NEW(tmp, int, (size_t)n), *at = NEW(tmp, int, (size_t)c + 1);
    m->start = NEW(tmp, int, (size_t)c + 1);
    m->node = NEW(tmp, int, (size_t)n);
    double total = 0, upto = 0;
    for (int b = 0; b < c; b++)
        total += 1.0 / (b + 10);
    for (int i = 0; i < n; i++)
        order[i] = i, m->block[i] = -1;
    rng_shuffle(order, n, m->r, S_ORDER);
    for (int b = 0; b < c; b++) {
        upto += 1.0 / (b + 10); /* unknown sizes decrease slowly */
        int end = e->nsizes && !e->multi ? next + e->class_size[b] : b == c - 1 ? n : (int)(n * upto / total);
        m->start[b] = at[b] = next;
        for (; next < end; next++)
            m->block[order[next]] = b;
    }
    m->linked = m->start[c] = next;
    for (int i = 0; i < n; i++) /* lists the nodes of a block in ascending order */
        if (m->block[i] >= 0)
            m->node[at[m->block[i]]++] = i;
}

/* Poisson by inversion for small means, a rounded normal for large ones. */
static double poisson(double mean, double u, double z)
{
    if (mean > 30)
        return fmax(0, floor(mean + sqrt(mean) * z + 0.5));
    double p = portable_exp(-mean), k = 0;
    while (u > p && k < 200) {
        u -= p;
        p *= mean / ++k;
    }
    return k;
}

/* exp(s z), scaled to mean 1, then bounded. */
static double propensity(double z, double s, double max) { return fmin(portable_exp(s * z - s * s / 2), max); }

/* The skew of simulated degrees (sent + received) at spread s. draw: four random numbers per node. */
static double simulated_skew(const double (*draw)[4], int n, double per, double max, double s)
{
    double base = per >= 1, mean = 0, sum = 0, squares = 0;
    int seen = 0;
    for (int i = 0; i < n; i++)
        mean += propensity(draw[i][0], s, max) / n;
    for (int i = 0; i < n; i++) {
        double w = propensity(draw[i][0], s, max) / mean;
        double sent = base + floor((per - base) * w + draw[i][1]);
        double degree = sent + poisson(per * w, draw[i][2], draw[i][3]);
        if (degree > 0) {
            double x = portable_log(degree);
            seen++, sum += x, squares += x * x;
        }
    }
    return seen ? sqrt(fmax(0, squares / seen - sum / seen * (sum / seen))) : 0;
}

static double solve_spread(arena *tmp, const model *m, double skew, int64_t edges)
{
    int n = m->nodes < SAMPLE ? m->nodes : SAMPLE;
    double(*draw)[4] = (double(*)[4])NEW(tmp, double, 4 * (size_t)n);
    for (int i = 0; i < n; i++) {
        draw[i][0] = rng_normal(m->r, S_NORMAL, (uint64_t)i);
        draw[i][1] = rng_uniform(m->r, S_ROUND, (uint64_t)i);
        draw[i][2] = rng_uniform(m->r, S_POISSON, (uint64_t)i);
        draw[i][3] = rng_normal(m->r, S_POISSON, (uint64_t)i);
    }
    double best = 0, off = INFINITY, low = 0, high = 4;
    for (int step = 0; step < STEPS; step++) {
        double s = (low + high) / 2;
        double got = simulated_skew((const double(*)[4])draw, n, (double)edges / (double)m->linked, m->max, s);
        if (fabs(got - skew) < off)
            off = fabs(got - skew), best = s;
        *(got < skew ? &low : &high) = s;
    }
    return best;
}

/* Vose's alias table of block b: position k stays with probability keep/2^32, else becomes other. */
static void alias_block(model *m, int b, double *p, int *stack)
{
    int from = m->start[b], n = m->start[b + 1] - from, small = 0, large = n;
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += m->weight[m->node[from + k]];
    for (int k = 0; k < n; k++) {
        p[k] = m->weight[m->node[from + k]] * n / sum;
        m->keep[from + k] = UINT32_MAX;
        m->other[from + k] = m->node[from + k];
        stack[p[k] < 1 ? small++ : --large] = k;
    }
    while (small && large < n) {
        int s = stack[--small], l = stack[large];
        m->keep[from + s] = (uint32_t)(p[s] * 4294967295.0);
        m->other[from + s] = m->node[from + l];
        p[l] -= 1 - p[s];
        if (p[l] < 1) {
            large++;
            stack[small++] = l;
        }
    }
}

/* Computes propensities, alias tables, and the distribution of edges between blocks. */
static void weigh(arena *tmp, model *m, double spread)
{
    size_t n = (size_t)m->nodes;
    m->weight = NEW(tmp, double, n);
    m->keep = NEW(tmp, uint32_t, n);
    m->other = NEW(tmp, int, n);
    m->reach = NEW_2D(tmp, double, m->blocks, m->blocks);
    double *p = NEW(tmp, double, n), *mass = NEW(tmp, double, (size_t)m->blocks);
    int *stack = NEW(tmp, int, n);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < m->nodes; i++) {
        int b = m->block[i], own = b < 0 ? 0 : m->start[b + 1] - m->start[b];
        m->weight[i] = fmin(propensity(rng_normal(m->r, S_NORMAL, (uint64_t)i), spread, m->max), own * m->max_own);
    }
#pragma omp parallel for schedule(dynamic, 1)
    for (int b = 0; b < m->blocks; b++) {
        alias_block(m, b, p + m->start[b], stack + m->start[b]);
        for (int k = m->start[b]; k < m->start[b + 1]; k++)
            mass[b] += m->weight[m->node[k]];
    }
    for (int b = 0; b < m->blocks; b++) {
        double sum = 0;
        for (int t = 0; t < m->blocks; t++) {
            int apart = abs(b - t);
            double near = apart == 1 || apart == m->blocks - 1 ? AFFINITY : 1;
            sum += t == b ? 0 : near * mass[t];
            m->reach[(size_t)b * (size_t)m->blocks + (size_t)t] = sum;
        }
    }
}

/* Draws the receiver of an edge from block b. */
static int pick(const model *m, int b, int inside, const uint32_t u[3])
{
    int to = b;
    if (!inside) {
        const double *sum = m->reach + (size_t)b * (size_t)m->blocks;
        double x = (u[0] + 0.5) * 0x1p-32 * sum[m->blocks - 1];
        int low = 0, high = m->blocks - 1;
        while (low < high) { /* the first running sum above x */
            int mid = (low + high) / 2;
            if (sum[mid] > x)
                high = mid;
            else
                low = mid + 1;
        }
        to = low;
    }
    int n = m->start[to + 1] - m->start[to];
    int k = m->start[to] + (int)((uint64_t)u[1] * (uint64_t)n >> 32);
    return u[2] < m->keep[k] ? m->node[k] : m->other[k];
}

static int by_id(const void *x, const void *y)
{
    int p = *(const int *)x, q = *(const int *)y;
    return (p > q) - (p < q);
}

/* Whether i, and not j, may send an edge between the two. */
static int sends(int i, int j)
{
    int low = i < j ? i : j, high = i < j ? j : i;
    return (int)(rng_mix((uint64_t)low, (uint64_t)high) & 1) == (i < j);
}

/* Fills out[0..want) with distinct receivers of node i; returns how many were found before giving up. */
static int send(int *out, int want, const model *m, int i, int inside)
{
    uint32_t limit = 64 * (uint32_t)want + 256, tries = 0;
    int have = 0, b = m->block[i];
    if (inside ? m->start[b + 1] - m->start[b] < 2 : !(m->reach[(size_t)(b + 1) * (size_t)m->blocks - 1] > 0))
        return 0;
    while (have < want && tries < limit) {
        int k = have;
        while (k < want && tries < limit) {
            uint32_t u[4];
            rng_block(u, m->r, tries++, (uint32_t)inside, (uint32_t)i, S_EDGE);
            int j = pick(m, b, inside, u);
            if (j != i && sends(i, j))
                out[k++] = j;
        }
        qsort(out, (size_t)k, sizeof *out, by_id);
        have = k > 0;
        for (int q = 1; q < k; q++)
            if (out[q] != out[have - 1])
                out[have++] = out[q];
    }
    return have;
}

static void draw_edges(arena *tmp, draft *f, model *m, const catalog_entry *e)
{
    double h = m->h, total = 0, sum = 0;
    int64_t *from = NEW(tmp, int64_t, (size_t)m->nodes + 1), base = m->linked && e->edges >= m->linked;
    f->nedges = m->linked ? e->edges : 0;
    f->eu = NEW(tmp, int, (size_t)f->nedges);
    f->ev = NEW(tmp, int, (size_t)f->nedges);
    for (int i = 0; i < m->nodes; i++)
        total += m->block[i] < 0 ? 0 : m->weight[i];
    double extra = (double)(f->nedges - base * m->linked);
    for (int i = 0, linked = 0; i < m->nodes; i++) { /* offsets of the edges of each node */
        if (m->block[i] >= 0)
            sum += m->weight[i], linked++;
        from[i + 1] = base * linked + (linked == m->linked ? (int64_t)extra : (int64_t)(extra * (sum / total)));
    }
#pragma omp parallel for schedule(dynamic, 64)
    for (int i = 0; i < m->nodes; i++) {
        int64_t at = from[i], end = from[i + 1];
        int inside = (int)(floor((double)end * h + 0.5) - floor((double)at * h + 0.5));
        if (end == at)
            continue;
        int found = send(f->ev + at, inside, m, i, 1);
        int more = send(f->ev + at + found, (int)(end - at) - inside, m, i, 0);
        for (int64_t k = at; k < end; k++) {
            f->eu[k] = i;
            if (k >= at + found + more)
                f->ev[k] = i; /* saturated: a loop, which dataset_finish drops */
        }
    }
}

/* The first `train` nodes of a random order train, the last `test` test, the rest validate. */
static split random_parts(arena *a, arena *tmp, const dataset *d, int train, int test, rng r, int number)
{
    int nodes = d->nodes;
    unsigned char *part = NEW(tmp, unsigned char, (size_t)nodes);
    int *order = NEW(tmp, int, (size_t)nodes);
    for (int i = 0; i < nodes; i++)
        order[i] = i;
    rng_shuffle(order, nodes, r, (uint64_t)S_SPLIT << 32 | (uint64_t)number);
    for (int i = 0; i < nodes; i++)
        part[order[i]] = d->y && d->y[order[i]] < 0 ? PARTS : i < train ? TRAIN : i >= nodes - test ? TEST : VAL;
    return split_of_parts(a, part, nodes);
}

/* Planetoid's: 20 nodes of each class train, the next 500 labelled nodes validate, the last 1,000 test (fewer in graphs
 * of less than 3,000 nodes, in proportion). Labels are in random order, so no shuffle is needed. */
static split planetoid_parts(arena *a, arena *tmp, const dataset *d)
{
    unsigned char *part = NEW(tmp, unsigned char, (size_t)d->nodes);
    int *seen = NEW(tmp, int, (size_t)d->classes), val = 500, test = 1000;
    if (d->nodes < 2500)
        val = d->nodes / 5, test = 2 * val;
    memset(part, PARTS, (size_t)d->nodes);
    for (int i = 0; i < d->nodes; i++)
        if (d->y[i] >= 0 && seen[d->y[i]]++ < 20)
            part[i] = TRAIN;
    for (int i = 0; i < d->nodes && val; i++)
        if (d->y[i] >= 0 && part[i] == PARTS)
            part[i] = VAL, val--;
    for (int i = d->nodes - 1; i >= 0 && test; i--)
        if (d->y[i] >= 0 && part[i] == PARTS)
            part[i] = TEST, test--;
    return split_of_parts(a, part, d->nodes);
}

/* Splits with the sizes of the published ones; none if the catalogue's rule draws a split for each run. */
static void make_splits(arena *a, arena *tmp, dataset *d, const catalog_entry *e, rng r)
{
    static const struct {
        const char *format, *name;
        int count;
        double train, test;
    } shape[] = {{"planetoid", "", 1, 0, 0},
                 {"geom-gcn", "", 10, 0.48, 0.20},
                 {"ogb", "", 1, 0.53702, 0.28701},
                 {"graphsaint", "yelp", 1, 0.75, 0.15},
                 {"graphsaint", "", 1, 0.85, 0.10},
                 {"deeprobust", "", 1, 0.10, 0.80},
                 {"heterophilous", "", 10, 0.48, 0.20},
                 {"mlgnc", "humloc", 1, 0.60, 0.40},
                 {"mlgnc", "eukloc", 1, 0.60, 0.40}};
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
        if (strcmp(e->format, shape[k].format) || strncmp(e->name, shape[k].name, strlen(shape[k].name)))
            continue;
        d->nsplits = shape[k].count;
        d->splits = NEW(a, split, (size_t)d->nsplits);
        for (int s = 0; s < d->nsplits; s++)
            d->splits[s] = shape[k].train > 0 ? random_parts(a, tmp, d, (int)(d->nodes * shape[k].train),
                                                             (int)ceil(d->nodes * shape[k].test), r, s)
                                              : planetoid_parts(a, tmp, d);
        return;
    }
}

void twin_make(arena *a, arena *tmp, draft *out, const catalog_entry *e)
{
    model m = {.r = rng_make(rng_seed(e->name), TWIN_VERSION, RNG_TWIN), .nodes = e->nodes, .blocks = e->classes};
    *out = (draft){
        .d = {
            .name = e->name, .nodes = e->nodes, .features = e->features, .classes = e->classes, .origin = ORIGIN_TWIN}};
    m.block = NEW(e->multi ? tmp : a, int, (size_t)e->nodes);
    m.h = isnan(e->homophily) ? DEFAULT_HOMOPHILY : e->homophily;
    deal_blocks(tmp, &m, e);
    double degree = 2.0 * (double)e->edges / (double)(m.linked > 0 ? m.linked : 1) + 1e-9;
    m.max = HUB * (double)m.linked / degree;
    m.max_own = BLOCK_HUB / (degree * m.h + 1e-9);
    weigh(tmp, &m, solve_spread(tmp, &m, isnan(e->skew) ? DEFAULT_SKEW : e->skew, e->edges));
    draw_edges(tmp, out, &m, e);
    if (e->multi)
        twin_labels(a, &out->d, m.block);
    else
        out->d.y = m.block;
    twin_features(a, &out->d, e);
    make_splits(a, tmp, &out->d, e, m.r);
    out->d.origin_note = "synthetic: block model and class-topic features with the catalogue's counts";
}
