#include "maker.h"
#include "../base/clock.h"
#include "../kernel/simd.h"
#include "sampler.h"
#include <limits.h>
#include <string.h>

enum {
    CLUSTER_FULL = 1000, /* targets of a full batch of clusters */
    AHEAD = 16,          /* rows that are prefetched */
    ROWS = 64            /* of a chunk of parallel work */
};

/* --- neighbours --- */

static int degree(const csr *g, int i) { return (int)(g->ptr[i + 1] - g->ptr[i]); }
static int fan_of(const maker *s, int hop)
{
    int f = s->rule.fan[hop < s->rule.nfan ? hop : s->rule.nfan - 1];
    return f ? f : INT_MAX;
}

/* Neighbours of rows[0 .. n), those of row i at idx[ptr[i]] ..., by node of the graph. */
typedef struct drawn {
    const int *rows;
    int n;
    int64_t *ptr;
    int *idx;
} drawn;

/* Fetches the first links of a row, which are most of what is drawn from: lines of 16. */
static void fetch_row(const csr *g, int row)
{
    enum { LINE = 16, LINES = 4 };
    const int *idx = g->idx + g->ptr[row];
    for (int k = 0; k < degree(g, row) && k < LINES * LINE; k += LINE)
        __builtin_prefetch(idx + k);
}

static drawn draw_hop(maker *s, const int *rows, int n, int epoch, int k, int hop)
{
    const csr *g = s->graph;
    int fan = fan_of(s, hop);
    drawn d = {rows, n, NEW_RAW(&s->a, int64_t, (size_t)n + 1), NULL};
    d.ptr[0] = 0;
    for (int i = 0; i < n; i++) {
        if (i + AHEAD < n)
            __builtin_prefetch(g->ptr + rows[i + AHEAD]);
        d.ptr[i + 1] = d.ptr[i] + (degree(g, rows[i]) < fan ? degree(g, rows[i]) : fan);
    }
    d.idx = NEW_RAW(&s->a, int, (size_t)d.ptr[n]);
#pragma omp parallel for schedule(static, ROWS) if (d.ptr[n] > 20000)
    for (int i = 0; i < n; i++) {
        if (i + AHEAD < n)
            fetch_row(g, rows[i + AHEAD]);
        int *to = d.idx + d.ptr[i],
            count = sampler_draw(to, degree(g, rows[i]), fan, s->r,
                                 (uint32_t[]){(uint32_t)rows[i], (uint32_t)k << 4 | (uint32_t)hop, (uint32_t)epoch});
        for (int q = 0; q < count; q++)
            to[q] = g->idx[g->ptr[rows[i]] + to[q]];
    }
    return d;
}

/* Rows first .. last - 1 of hop_matrix. Compiled as CLONES so that node_set_rank() uses popcnt. */
CLONES static void hop_rows(const maker *s, csr *m, const drawn *d, enum adjacency kind, int first, int last)
{
    const csr *g = s->graph;
    int loops = csr_has_loops(kind);
    for (int i = first; i < last; i++) {
        int row = d->rows[i], own = degree(g, row), loop = loops; /* loop: the diagonal entry is still to be inserted */
        int64_t w = m->ptr[node_set_rank(&s->set, row)], end = d->ptr[i + 1];
        double times = own / (double)(end - d->ptr[i]);
        for (int64_t k = d->ptr[i]; k < end || loop; w++) {
            int self = loop && (k == end || d->idx[k] > row), j = self ? row : d->idx[k];
            m->idx[w] = node_set_rank(&s->set, j);
            /* A mean needs only its own degree; not reading the neighbour's saves a cache miss. */
            int other = csr_is_symmetric(kind) ? degree(g, j) + loops : 0;
            m->val[w] = (real)((self ? 1 : times) * csr_weight(kind, own + loops, other));
            if (self)
                loop = 0;
            else
                k++;
        }
    }
}

/* The adjacency matrix of the drawn links over the nodes of the batch; ranks are those of all its nodes. */
static csr *hop_matrix(maker *s, const drawn *d, enum adjacency kind, int nodes)
{
    int loops = csr_has_loops(kind);
    csr *m = NEW(&s->a, csr, 1);
    *m = csr_new(&s->a, nodes, nodes, d->ptr[d->n] + (loops ? d->n : 0), 1);
    for (int i = 0; i < d->n; i++)
        m->ptr[node_set_rank(&s->set, d->rows[i]) + 1] = d->ptr[i + 1] - d->ptr[i] + loops;
    for (int i = 0; i < nodes; i++)
        m->ptr[i + 1] += m->ptr[i];
#pragma omp parallel for schedule(static) if (d->ptr[d->n] > 20000)
    for (int i = 0; i < d->n; i += ROWS)
        hop_rows(s, m, d, kind, i, i + ROWS < d->n ? i + ROWS : d->n);
    return m;
}

static void take_neighbours(maker *s, const int *targets, int n, int epoch, int k)
{
    drawn hop[BATCH_HOPS];
    batch *b = &s->b;
    b->hops = s->hops > 1 ? s->hops : 1;
    node_set_clear(&s->set);
    for (int i = 0; i < n; i++)
        node_set_add(&s->set, targets[i]);
    b->id = node_set_list(&s->a, &s->set), b->nodes = s->set.members;
    for (int h = 0; h < s->hops; h++) {
        hop[h] = draw_hop(s, b->id, b->nodes, epoch, k, h);
        for (int64_t q = 0; q < hop[h].ptr[hop[h].n]; q++)
            node_set_add(&s->set, hop[h].idx[q]);
        b->id = node_set_list(&s->a, &s->set), b->nodes = s->set.members;
    }
    for (int h = 0; h < s->hops; h++)
        for (int kind = 0; kind < ADJ_KINDS; kind++)
            if (s->used[kind])
                b->adj[h][kind] = hop_matrix(s, hop + h, (enum adjacency)kind, b->nodes);
}

/* --- clusters of the graph --- */

/* The nodes of some clusters, and the graph between them. */
static void take_clusters(maker *s, const int *clusters, int n)
{
    batch *b = &s->b;
    const csr *g = s->graph;
    node_set_clear(&s->set);
    for (int i = 0; i < n; i++)
        for (int k = s->cluster_first[clusters[i]]; k < s->cluster_first[clusters[i] + 1]; k++)
            if (!s->train_only || s->is_train[s->cluster_node[k]])
                node_set_add(&s->set, s->cluster_node[k]);
    b->id = node_set_list(&s->a, &s->set), b->nodes = s->set.members;
    int64_t *ptr = NEW(&s->a, int64_t, (size_t)b->nodes + 1);
#pragma omp parallel for schedule(static, ROWS)
    for (int i = 0; i < b->nodes; i++)
        for (int64_t k = g->ptr[b->id[i]]; k < g->ptr[b->id[i] + 1]; k++)
            ptr[i + 1] += node_set_has(&s->set, g->idx[k]);
    for (int i = 0; i < b->nodes; i++)
        ptr[i + 1] += ptr[i];
    csr within = {b->nodes, b->nodes, ptr, NEW_RAW(&s->a, int, (size_t)ptr[b->nodes]), NULL, NULL};
#pragma omp parallel for schedule(static, ROWS)
    for (int i = 0; i < b->nodes; i++) {
        int64_t w = ptr[i];
        for (int64_t k = g->ptr[b->id[i]]; k < g->ptr[b->id[i] + 1]; k++)
            if (node_set_has(&s->set, g->idx[k]))
                within.idx[w++] = node_set_rank(&s->set, g->idx[k]);
    }
    for (int kind = 0; kind < ADJ_KINDS; kind++)
        if (s->used[kind]) {
            csr *m = NEW(&s->a, csr, 2);
            m[0] = csr_adjacency(&s->a, &within, (enum adjacency)kind);
            m[1] = csr_is_symmetric((enum adjacency)kind) ? m[0] : csr_transpose(&s->a, m);
            b->adj[0][kind] = m, b->adj_t[0][kind] = m + 1;
        }
    b->hops = b->same_nodes = 1;
}

/* Of shuffles; the draws of neighbours have counters without the bit. */
static uint64_t stream(int epoch, int k) { return (uint64_t)epoch << 32 | (uint64_t)1 << 31 | (uint64_t)k; }

static void shuffle(maker *s, int epoch)
{
    if (s->epoch == epoch)
        return;
    for (int i = 0; i < s->norder; i++)
        s->order[i] = s->rule.kind == BATCH_CLUSTER ? i : s->part->idx[TRAIN][i];
    rng_shuffle(s->order, s->norder, s->r, stream(epoch, 0));
    s->epoch = epoch;
}

/* The number of clusters of a batch with n targets. */
static int batch_clusters(const maker *s, int n)
{
    int each = s->rule.size / s->clusters, full = s->rule.kind == BATCH_CLUSTER ? n >= CLUSTER_FULL : n == s->rule.size;
    if (s->rule.kind == BATCH_ROWS && !full)
        return each && n / each > 1 ? n / each : 1;
    return full ? s->clusters : 1;
}

/* Cluster of each node of the batch: the targets (nodes of the graph, in shuffled order) are assigned round-robin, all
 * other nodes are in cluster 0. */
static int *deal(maker *s, const int *targets, int n)
{
    int *cluster = NEW(&s->a, int, (size_t)s->b.nodes), count = batch_clusters(s, n);
    for (int i = 0; i < n; i++)
        cluster[node_set_rank(&s->set, targets[i])] = i % count;
    return cluster;
}

/* Rows of the features that the network reads. */
static void gather(maker *s)
{
    batch *b = &s->b;
    for (int set = 0; set < FEATURE_SETS; set++) {
        const mat *x = s->data->xd[set];
        if (!s->gather[set] || !x)
            continue;
        mat *y = NEW(&s->a, mat, 1);
        *y = mat_raw(&s->a, b->nodes, x->cols);
        mat_gather(*y, *x, b->id);
        b->x[set] = y;
    }
}

void maker_make(maker *s, int epoch, int k)
{
    batch *b = &s->b;
    double start = clock_cpu();
    int first = k * s->rule.size, n = s->norder - first < s->rule.size ? s->norder - first : s->rule.size;
    arena_reset(&s->a, (arena_mark){0});
    *b = (batch){.data = s->data};
    shuffle(s, epoch);
    int *chosen = s->order + first, *targets = chosen;
    if (s->rule.kind == BATCH_CLUSTER) {
        take_clusters(s, chosen, n);
        targets = NEW_RAW(&s->a, int, (size_t)b->nodes);
        n = 0;
        for (int i = 0; i < b->nodes; i++)
            if (s->is_train[b->id[i]])
                targets[n++] = b->id[i];
        rng_shuffle(targets, n, s->r, stream(epoch, k + 1));
    } else {
        take_neighbours(s, targets, n, epoch, k);
    }
    if (!n)
        return;
    int *cluster = NULL;
    if (s->deal) {
        cluster = deal(s, targets, n);
    } else {
        cluster = NEW_RAW(&s->a, int, (size_t)b->nodes);
        for (int i = 0; i < b->nodes; i++)
            cluster[i] = s->data->cluster[b->id[i]];
    }
    int *rows = NEW_RAW(&s->a, int, (size_t)n), count = 0;
    unsigned char *is_target = NEW(&s->a, unsigned char, (size_t)b->nodes);
    for (int i = 0; i < n; i++)
        is_target[node_set_rank(&s->set, targets[i])] = 1;
    for (int i = 0; i < b->nodes; i++) /* ascending */
        if (is_target[i])
            rows[count++] = i;
    b->target = b->mean = rows, b->ntarget = b->nmean = n, b->cluster = cluster;
    double sampled = clock_cpu();
    gather(s);
    s->spent[0] += sampled - start, s->spent[1] += clock_cpu() - sampled;
}
