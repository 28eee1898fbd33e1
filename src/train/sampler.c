#include "sampler.h"
#include "../base/err.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { CLUSTER_FULL = 1000 };

struct sampler {
    arena a; /* of the current batch */
    batch_rule rule;
    const node_data *data;
    const csr *graph;
    const int *part_of; /* cluster: the part of each node */
    const split *part;
    rng r;
    int hops, deal, clusters, train_only;
    unsigned char used[ADJ_KINDS];
    unsigned char *is_train;
    int *order, norder, epoch; /* training nodes or parts, as shuffled in that epoch */
    uint64_t *bit;             /* a set of nodes */
    int *before;               /* members of the set in earlier words */
    size_t words;
    batch b;
};

/* --- a set of nodes, and the rank of each in it --- */

static void set_clear(sampler *s) { memset(s->bit, 0, s->words * sizeof *s->bit); }
static void set_add(sampler *s, int i) { s->bit[i >> 6] |= (uint64_t)1 << (i & 63); }
static int set_has(const sampler *s, int i) { return (int)(s->bit[i >> 6] >> (i & 63) & 1); }
static int set_rank(const sampler *s, int i) { return s->before[i >> 6] + __builtin_popcountll(s->bit[i >> 6] & (((uint64_t)1 << (i & 63)) - 1)); }

/* Its members, ascending; ranks from now on. */
static int *set_list(sampler *s, int *n)
{
    int many = 0;
    for (size_t w = 0; w < s->words; w++) {
        s->before[w] = many;
        many += __builtin_popcountll(s->bit[w]);
    }
    int *list = NEW_RAW(&s->a, int, (size_t)many), at = 0;
    for (size_t w = 0; w < s->words; w++)
        for (uint64_t left = s->bit[w]; left; left &= left - 1)
            list[at++] = (int)(w * 64) + __builtin_ctzll(left);
    *n = many;
    return list;
}

/* --- neighbours --- */

int sampler_draw(int *out, int n, int k, rng r, const uint32_t draw[3])
{
    uint32_t u[4];
    if (k >= n) {
        for (int i = 0; i < n; i++)
            out[i] = i;
        return n;
    }
    for (int i = 0; i < k; i++) {
        int last = n - k + i, at = i;
        if (i % 4 == 0)
            rng_block(u, r, (uint32_t)i / 4, draw[0], draw[1], draw[2]);
        int x = (int)((uint64_t)u[i % 4] * (uint64_t)(last + 1) >> 32);
        for (int q = 0; q < i && x != last; q++)
            x = out[q] == x ? last : x; /* taken already: the last one is not, it was out of reach before */
        for (; at > 0 && out[at - 1] > x; at--) /* kept ascending */
            out[at] = out[at - 1];
        out[at] = x;
    }
    return k;
}

static int degree(const csr *g, int i) { return (int)(g->ptr[i + 1] - g->ptr[i]); }
static int fan_of(const sampler *s, int hop)
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

static drawn draw_hop(sampler *s, const int *rows, int n, int epoch, int k, int hop)
{
    const csr *g = s->graph;
    int fan = fan_of(s, hop);
    drawn d = {rows, n, NEW_RAW(&s->a, int64_t, (size_t)n + 1), NULL};
    d.ptr[0] = 0;
    for (int i = 0; i < n; i++)
        d.ptr[i + 1] = d.ptr[i] + (degree(g, rows[i]) < fan ? degree(g, rows[i]) : fan);
    d.idx = NEW_RAW(&s->a, int, (size_t)d.ptr[n]);
#pragma omp parallel for schedule(static, 64) if (d.ptr[n] > 20000)
    for (int i = 0; i < n; i++) {
        int *to = d.idx + d.ptr[i], many = sampler_draw(to, degree(g, rows[i]), fan, s->r,
                                                        (uint32_t[]){(uint32_t)rows[i], (uint32_t)k << 4 | (uint32_t)hop, (uint32_t)epoch});
        for (int q = 0; q < many; q++)
            to[q] = g->idx[g->ptr[rows[i]] + to[q]];
    }
    return d;
}

/* The adjacency matrix of the drawn links over the nodes of the batch; ranks are those of all its nodes. */
static csr *hop_matrix(sampler *s, const drawn *d, enum adjacency kind, int nodes)
{
    const csr *g = s->graph;
    int loops = csr_has_loops(kind);
    csr *m = NEW(&s->a, csr, 1);
    *m = csr_new(&s->a, nodes, nodes, d->ptr[d->n] + (loops ? d->n : 0), 1);
    for (int i = 0; i < d->n; i++)
        m->ptr[set_rank(s, d->rows[i]) + 1] = d->ptr[i + 1] - d->ptr[i] + loops;
    for (int i = 0; i < nodes; i++)
        m->ptr[i + 1] += m->ptr[i];
#pragma omp parallel for schedule(static, 64) if (d->ptr[d->n] > 20000)
    for (int i = 0; i < d->n; i++) {
        int row = d->rows[i], own = degree(g, row), me = set_rank(s, row), loop = loops; /* loop: the diagonal entry is still to be inserted */
        int64_t w = m->ptr[me], last = d->ptr[i + 1];
        double times = own / (double)(last - d->ptr[i]);
        for (int64_t k = d->ptr[i]; k < last || loop; w++) {
            int self = loop && (k == last || d->idx[k] > row), j = self ? row : d->idx[k];
            m->idx[w] = set_rank(s, j);
            m->val[w] = (real)((self ? 1 : times) * csr_weight(kind, own + loops, degree(g, j) + loops));
            if (self)
                loop = 0;
            else
                k++;
        }
    }
    return m;
}

static void take_neighbours(sampler *s, const int *targets, int n, int epoch, int k)
{
    drawn hop[BATCH_HOPS];
    batch *b = &s->b;
    b->hops = s->hops > 1 ? s->hops : 1;
    set_clear(s);
    for (int i = 0; i < n; i++)
        set_add(s, targets[i]);
    b->id = set_list(s, &b->nodes);
    for (int h = 0; h < s->hops; h++) {
        hop[h] = draw_hop(s, b->id, b->nodes, epoch, k, h);
        for (int64_t q = 0; q < hop[h].ptr[hop[h].n]; q++)
            set_add(s, hop[h].idx[q]);
        b->id = set_list(s, &b->nodes);
    }
    for (int h = 0; h < s->hops; h++)
        for (int kind = 0; kind < ADJ_KINDS; kind++)
            if (s->used[kind])
                b->adj[h][kind] = hop_matrix(s, hop + h, (enum adjacency)kind, b->nodes);
}

/* --- parts of the graph --- */

/* The nodes of some parts, and the graph between them. */
static void take_parts(sampler *s, const int *parts, int n)
{
    batch *b = &s->b;
    const csr *g = s->graph;
    unsigned char *in = NEW(&s->a, unsigned char, (size_t)s->rule.parts);
    for (int i = 0; i < n; i++)
        in[parts[i]] = 1;
    set_clear(s);
    for (int i = 0; i < g->rows; i++)
        if (in[s->part_of[i]] && (!s->train_only || s->is_train[i]))
            set_add(s, i);
    b->id = set_list(s, &b->nodes);
    int64_t *ptr = NEW(&s->a, int64_t, (size_t)b->nodes + 1);
#pragma omp parallel for schedule(static, 64)
    for (int i = 0; i < b->nodes; i++)
        for (int64_t k = g->ptr[b->id[i]]; k < g->ptr[b->id[i] + 1]; k++)
            ptr[i + 1] += set_has(s, g->idx[k]);
    for (int i = 0; i < b->nodes; i++)
        ptr[i + 1] += ptr[i];
    csr within = {b->nodes, b->nodes, ptr, NEW_RAW(&s->a, int, (size_t)ptr[b->nodes]), NULL, NULL};
#pragma omp parallel for schedule(static, 64)
    for (int i = 0; i < b->nodes; i++) {
        int64_t w = ptr[i];
        for (int64_t k = g->ptr[b->id[i]]; k < g->ptr[b->id[i] + 1]; k++)
            if (set_has(s, g->idx[k]))
                within.idx[w++] = set_rank(s, g->idx[k]);
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

/* --- batches --- */

static void count_kinds(sampler *s, const model *m)
{
    for (int k = 0; k < m->nops; k++)
        if (m->ops[k].kind->reads_graph)
            s->used[m->ops[k].adj] = 1;
}

sampler *sampler_new(arena *a, const batch_rule *rule, const problem *p, const node_data *data, const csr *graph, const model *m, int hops, const split *part, uint64_t seed, int run)
{
    sampler *s = NEW(a, sampler, 1);
    *s = (sampler){.rule = *rule, .data = data, .graph = graph, .train_only = graph != &p->d->graph, .part = part, .r = rng_make(seed, (uint64_t)run, RNG_BATCH), .hops = hops, .clusters = m->clusters};
    if (rule->kind == BATCH_ROWS && hops)
        die("batches of rows are for networks that read no graph (mlp, sgc, sign); this one reads %d hop%s: use neighbour:B:f1,... or cluster:P:q", hops, hops > 1 ? "s" : "");
    if (hops > BATCH_HOPS)
        die("the network reads %d hops of the graph; batches have at most %d: use cluster:P:q", hops, BATCH_HOPS);
    s->words = ((size_t)data->nodes + 63) / 64;
    s->bit = NEW(a, uint64_t, s->words), s->before = NEW(a, int, s->words);
    s->is_train = NEW(a, unsigned char, (size_t)data->nodes);
    for (int i = 0; i < part->n[TRAIN]; i++)
        s->is_train[part->idx[TRAIN][i]] = 1;
    s->norder = rule->kind == BATCH_CLUSTER ? rule->parts : part->n[TRAIN];
    s->order = NEW(a, int, (size_t)s->norder);
    s->deal = data->cluster == NULL;
    if (rule->kind == BATCH_CLUSTER)
        s->part_of = problem_parts(p, rule->parts)->of;
    count_kinds(s, m);
    return s;
}

int sampler_batches(const sampler *s)
{
    return (s->norder + s->rule.size - 1) / s->rule.size;
}

/* Of shuffles; the draws of neighbours have counters without the bit. */
static uint64_t stream(int epoch, int k)
{
    return (uint64_t)epoch << 32 | (uint64_t)1 << 31 | (uint64_t)k;
}

static void shuffle(sampler *s, int epoch)
{
    if (s->epoch == epoch)
        return;
    for (int i = 0; i < s->norder; i++)
        s->order[i] = s->rule.kind == BATCH_CLUSTER ? i : s->part->idx[TRAIN][i];
    rng_shuffle(s->order, s->norder, s->r, stream(epoch, 0));
    s->epoch = epoch;
}

/* Into how many clusters the n targets are dealt. */
static int dealt_clusters(const sampler *s, int n)
{
    int each = s->rule.size / s->clusters, full = s->rule.kind == BATCH_CLUSTER ? n >= CLUSTER_FULL : n == s->rule.size;
    if (s->rule.kind == BATCH_ROWS && !full)
        return each && n / each > 1 ? n / each : 1;
    return full ? s->clusters : 1;
}

static int ascending(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

/* Clusters of the nodes, by number in the batch: the targets (nodes of the graph, in shuffled order) are dealt in turn, all others are in cluster 0. */
static int *deal(sampler *s, const int *targets, int n)
{
    int *cluster = NEW(&s->a, int, (size_t)s->b.nodes), many = dealt_clusters(s, n);
    for (int i = 0; i < n; i++)
        cluster[set_rank(s, targets[i])] = i % many;
    return cluster;
}

const batch *sampler_batch(sampler *s, int epoch, int k)
{
    batch *b = &s->b;
    int first = k * s->rule.size, n = s->norder - first < s->rule.size ? s->norder - first : s->rule.size;
    arena_reset(&s->a, (arena_mark){0});
    *b = (batch){.data = s->data};
    shuffle(s, epoch);
    int *chosen = s->order + first, *targets = chosen;
    if (s->rule.kind == BATCH_CLUSTER) {
        take_parts(s, chosen, n);
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
        return NULL;
    int *cluster = NULL;
    if (s->deal) {
        cluster = deal(s, targets, n);
    } else {
        cluster = NEW_RAW(&s->a, int, (size_t)b->nodes);
        for (int i = 0; i < b->nodes; i++)
            cluster[i] = s->data->cluster[b->id[i]];
    }
    int *rows = NEW_RAW(&s->a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        rows[i] = set_rank(s, targets[i]);
    qsort(rows, (size_t)n, sizeof *rows, ascending);
    b->target = b->mean = rows, b->ntarget = b->nmean = n, b->cluster = cluster;
    return b;
}

void sampler_free(sampler *s)
{
    arena_free(&s->a);
}
