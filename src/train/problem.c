#include "problem_fields.h"
#include "../base/err.h"
#include "../base/hash.h"
#include "../base/memory.h"
#include "../net/loss/loss.h"
#include "../data/split.h"
#include "features.h"
#include "hops.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCKS_FROM 100000 /* nodes from which batches predict layer by layer (blocks.h) */
#define HOPS_SHARE 0.5     /* of the memory limit: propagated features beyond it are mapped from a file */
#define SPARSE 0.35        /* features with a smaller share of non-zeros stay sparse */

static const char *const norm_name[] = {SPEC_NORM(SPEC_NAME)};

/* The clusters of which batches are made. */
static const partition_rule of_batches = {.text = "metis", .kind = PARTITION_METIS};

/* own: they will be changed, so a copy is made. */
static void copy_features(problem *p, int own)
{
    const dataset *d = p->d;
    if (d->xs.rows) {
        int64_t nnz = csr_nnz(&d->xs);
        p->xs[0] = d->xs;
        p->xs[0].val = NEW(&p->a, real, (size_t)nnz);
        for (int64_t k = 0; k < nnz; k++)
            p->xs[0].val[k] = csr_value(&d->xs, k);
    } else {
        p->xd[0] = d->xd;
        if (!own)
            return;
        p->xd[0] = mat_new(&p->a, d->nodes, d->features);
        memcpy(p->xd[0].v, d->xd.v, (size_t)d->nodes * (size_t)d->features * sizeof(real));
    }
}

/* An empty problem, which owns the arena. */
static problem *make(arena a)
{
    problem *p = NEW(&a, problem, 1);
    *p = (problem){.a = a, .dirs = {.raw = "", .cache = ""}, .norm = NORM_NONE};
    return p;
}

problem *problem_new(arena a, const dataset *d, split_rule rule)
{
    problem *p = make(a);
    p->d = d;
    p->split_rule = rule;
    p->xs[0] = d->xs;
    p->xd[0] = d->xd;
    return p;
}

problem *problem_view(arena *a, const problem *p, const dataset *d)
{
    problem *q = NEW(a, problem, 1);
    *q = *p;
    q->a = (arena){0}; /* p's memory is p's */
    q->d = d;
    q->split_rule = split_rule_read("public");
    return q;
}

problem *problem_open(const data_dirs *dirs, const spec *s)
{
    const char *name = s->dataset;
    enum spec_norm norm = (enum spec_norm)s->norm;
    problem *p = make((arena){0});
    p->dirs = *dirs;
    const catalog_entry *e = catalog_search(&dirs->catalog, name);
    if (norm == NORM_AUTO)
        norm = e ? (enum spec_norm)spec_word_find("norm", e->norm) : NORM_ROW;
    p->d = variant_open(&p->a, dirs, name, s->attack, norm != NORM_NONE, &p->change);
    p->split_rule = split_auto(p->d, &dirs->catalog);
    p->norm = norm;
    copy_features(p, norm != NORM_NONE);
    features_prepare(&p->a, &p->xs[0], &p->xd[0], norm, p->d->name);
    return p;
}

const dataset *problem_dataset(const problem *p) { return p->d; }
const variant_change *problem_change(const problem *p) { return &p->change; }
const smooth_work *problem_smooth(const problem *p) { return &p->smooth; }
size_t problem_bytes(const problem *p) { return p->a.live; }

const char *problem_norm(const problem *p) { return norm_name[p->norm]; }

split_rule problem_split_rule(const problem *p, split_rule rule)
{
    return rule.kind == SPLIT_AUTO ? p->split_rule : rule;
}

problem *problem_of_run(const problem *p, const cell *c, int run)
{
    arena tmp = {0};
    spec own = c->s;
    own.attack = variant_of_run(&tmp, c->s.attack, run);
    problem *q = c->s.attack.per_run ? problem_open(&p->dirs, &own) : NULL;
    arena_free(&tmp);
    if (q)
        problem_prepare(q, c);
    return q;
}

void problem_close(problem *p)
{
    arena a = p->a; /* p itself lives in it */
    arena_free(&a);
}

static csr sparse_copy(arena *a, mat m, int64_t nnz)
{
    csr x = csr_new(a, m.rows, m.cols, nnz, 1);
    int64_t w = 0;
    for (int i = 0; i < m.rows; i++) {
        for (int j = 0; j < m.cols; j++)
            if (mat_row(m, i)[j] != 0) {
                x.idx[w] = j;
                x.val[w++] = mat_row(m, i)[j];
            }
        x.ptr[i + 1] = w;
    }
    return x;
}

static csr csr_copy(arena *a, const csr *m)
{
    csr x = csr_new(a, m->rows, m->cols, csr_nnz(m), 1);
    memcpy(x.ptr, m->ptr, ((size_t)m->rows + 1) * sizeof *x.ptr);
    memcpy(x.idx, m->idx, (size_t)csr_nnz(m) * sizeof *x.idx);
    memcpy(x.val, m->val, (size_t)csr_nnz(m) * sizeof *x.val);
    return x;
}

static void adjacency(problem *p, enum adjacency kind)
{
    if (p->adj[kind].rows)
        return;
    p->adj[kind] = csr_adjacency(&p->a, &p->d->graph, kind);
    p->adj_t[kind] = csr_is_symmetric(kind) ? p->adj[kind] : csr_transpose(&p->a, &p->adj[kind]);
}

/* Features number `which` of a large graph, from those one hop before. */
static void propagate_large(problem *p, int which)
{
    enum adjacency kind = which < FEATURES_SYM ? ADJ_GCN : ADJ_SYM;
    int before = which == FEATURES_SYM ? 0 : which - 1;
    if (p->xd[which].rows)
        return;
    propagate_large(p, before);
    hops_file file = {p->dirs.cache, hash_text(p->d->hash, norm_name[p->norm]), which};
    p->xd[which] = hops_propagate(&p->a, &p->d->graph, kind, p->xd[before], &file,
                                  HOPS_SHARE * memory_limit() - (double)p->a.live);
}

/* Features number `which` (net/batch.h), kept sparse where that is worth it. */
static void propagate(problem *p, int which, int large)
{
    if (p->xs[which].rows || p->xd[which].rows)
        return;
    if (large && p->xd[0].rows) {
        propagate_large(p, which);
        return;
    }
    arena tmp = {0};
    enum adjacency kind = which < FEATURES_SYM ? ADJ_GCN : ADJ_SYM;
    int hops = which < FEATURES_SYM ? which : which - FEATURES_SYM + 1;
    adjacency(p, kind);
    csr s = p->xs[0];
    mat x = p->xd[0];
    for (int h = 0; h < hops; h++) {
        if (s.rows) {
            s = csr_multiply(&tmp, &p->adj[kind], &s);
            if ((double)csr_nnz(&s) >= SPARSE * s.rows * s.cols) {
                x = features_dense(&tmp, &s, p->d->name);
                s = (csr){0};
            }
        } else {
            mat y = mat_new(&tmp, x.rows, x.cols);
            spmm(y.v, &p->adj[kind], x.v, x.cols, 0);
            x = y;
        }
    }
    if (s.rows)
        p->xs[which] = csr_copy(&p->a, &s);
    size_t all = s.rows ? 0 : (size_t)x.rows * (size_t)x.cols;
    int64_t nnz = 0;
    for (size_t i = 0; i < all; i++)
        nnz += x.v[i] != 0;
    if ((double)nnz < SPARSE * (double)all) {
        p->xs[which] = sparse_copy(&p->a, x, nnz);
    } else if (all) {
        p->xd[which] = mat_new(&p->a, x.rows, x.cols);
        memcpy(p->xd[which].v, x.v, all * sizeof(real));
    }
    arena_free(&tmp);
}

static int same_rule(partition_rule x, partition_rule y)
{
    return x.kind == y.kind && x.seed == y.seed && (x.kind != PARTITION_FILE || !strcmp(x.text, y.text));
}

static int partition_find(const problem *p, partition_rule rule, int clusters)
{
    for (int i = 0; i < p->npartitions; i++)
        if (p->part[i].clusters == clusters && same_rule(p->part[i].rule, rule))
            return i;
    return -1;
}

static void prepare_partition(problem *p, partition_rule rule, int clusters)
{
    if (partition_find(p, rule, clusters) >= 0)
        return;
    GROW(&p->a, p->part, p->npartitions, p->capacity, 8);
    partition_input in = {&p->d->graph, &p->xs[0], &p->xd[0], p->d->hash, p->d->row};
    partition q = partition_get(&p->a, p->dirs.cache, rule, clusters, &in);
    p->part[p->npartitions].rule = rule;
    p->part[p->npartitions].rule.text = arena_printf(&p->a, "%s", rule.text);
    p->part[p->npartitions].clusters = clusters;
    partition_links(&p->part[p->npartitions].within, &p->part[p->npartitions].between, &q, &p->d->graph);
    p->part[p->npartitions++].p = q;
}

/* Estimated memory of one workspace over the whole graph: a few layers, the matrix and its submatrices. */
static double whole_bytes(const problem *p, const spec *s)
{
    double wide = s->hidden > p->d->features ? s->hidden : p->d->features;
    return (double)p->d->nodes * 4 * wide * sizeof(real) + (double)csr_nnz(&p->d->graph) * 4 * sizeof(real);
}

int problem_blocks(const problem *p, const spec *s)
{
    if (s->batch.kind == BATCH_FULL)
        return 0;
    return p->d->nodes >= BLOCKS_FROM || (memory_is_set() && (double)p->a.live + whole_bytes(p, s) > memory_limit());
}

int problem_batch_clusters(const spec *s) { return s->partition.kind == PARTITION_BATCH; }

void problem_prepare(problem *p, const cell *c)
{
    static _Thread_local model *m; /* static: malloc'd memory would leak where the calls below die */
    if (!m && !(m = malloc(sizeof *m)))
        die("out of memory");
    if (c->s.batch.kind == BATCH_FULL)
        cell_build(m, c, p->d, PRECOMPUTED); /* A X is prepared for problem_model to choose, split by split */
    else
        problem_model(m, p, c, NULL);
    int blocks = problem_blocks(p, &c->s);
    if (!blocks)
        adjacency(p, ADJ_GCN);
    for (int k = 0; k < m->nops; k++) {
        if (!blocks)
            adjacency(p, m->ops[k].adj);
        propagate(p, m->ops[k].hops, blocks);
    }
    if (c->s.batch.kind == BATCH_CLUSTER)
        prepare_partition(p, of_batches, c->s.batch.clusters);
    if (c->objective->clusters && !problem_batch_clusters(&c->s))
        prepare_partition(p, c->s.partition, c->s.clusters);
}

void problem_prepare_smooth(problem *p)
{
    if (!p->smooth.s[0].rows)
        p->smooth = smooth_work_new(&p->a, &p->d->graph);
}

static int clusters_find(const problem *p, const cell *c)
{
    return c->objective->clusters && !problem_batch_clusters(&c->s) ? partition_find(p, c->s.partition, c->s.clusters)
                                                                    : -1;
}

const partition *problem_batch_partition(const problem *p, int clusters)
{
    return &p->part[partition_find(p, of_batches, clusters)].p;
}

const partition *problem_partition(const problem *p, const cell *c)
{
    int i = clusters_find(p, c);
    return i < 0 ? NULL : &p->part[i].p;
}

void problem_links(int64_t *within, int64_t *between, const problem *p, const cell *c)
{
    int i = clusters_find(p, c);
    *within = i < 0 ? 0 : p->part[i].within;
    *between = i < 0 ? 0 : p->part[i].between;
}

node_data problem_data(const problem *p, const cell *c)
{
    node_data d = {.nodes = p->d->nodes, .y = dataset_labels(p->d), .graph = &p->d->graph};
    for (int k = 0; k < ADJ_KINDS; k++)
        d.adj[k] = &p->adj[k], d.adj_t[k] = &p->adj_t[k];
    for (int h = 0; h < FEATURE_SETS; h++) {
        d.xs[h] = p->xs[h].rows ? &p->xs[h] : NULL;
        d.xd[h] = p->xd[h].rows ? &p->xd[h] : NULL;
    }
    const partition *q = problem_partition(p, c);
    d.cluster = q ? q->of : NULL;
    return d;
}

/* in[i] = 1 for the nodes within `hops` links of a training or validation node. */
static void reach(unsigned char *in, const csr *g, const split *q, int hops)
{
    arena tmp = {0};
    int *queue = NEW(&tmp, int, (size_t)g->rows), n = 0;
    for (int part = TRAIN; part <= VAL; part++)
        for (int i = 0; i < q->n[part]; i++)
            in[queue[n++] = q->idx[part][i]] = 1;
    for (int h = 0, at = 0; h < hops; h++)
        for (int end = n; at < end; at++)
            for (int64_t k = g->ptr[queue[at]]; k < g->ptr[queue[at] + 1]; k++)
                if (!in[g->idx[k]])
                    in[queue[n++] = g->idx[k]] = 1;
    arena_free(&tmp);
}

static int64_t entries(const csr *x, const unsigned char *in)
{
    int64_t n = 0;
    for (int i = 0; i < x->rows; i++)
        n += in[i] ? x->ptr[i + 1] - x->ptr[i] : 0;
    return n;
}

/* Whether (A X) W has fewer multiply-adds than A (X W), in the rows that training and validation read: A X has several
 * times the entries, but with few labelled nodes far fewer rows of it are read than of X. */
static int precomputed_is_less(const problem *p, const spec *s, const split *q)
{
    if (!p->xs[0].rows || !p->xs[1].rows)
        return p->xd[0].rows > 0;
    arena tmp = {0};
    unsigned char *far = NEW(&tmp, unsigned char, (size_t)p->d->nodes),
                  *near = NEW(&tmp, unsigned char, (size_t)p->d->nodes);
    reach(far, &p->d->graph, q, s->layers);
    reach(near, &p->d->graph, q, s->layers - 1);
    int less = entries(&p->xs[1], near) < entries(&p->xs[0], far) + entries(&p->adj[ADJ_GCN], near);
    arena_free(&tmp);
    return less;
}

void problem_model(model *m, const problem *p, const cell *c, const split *q)
{
    if (c->s.batch.kind != BATCH_FULL) { /* sparse features: multiplying first is less work */
        cell_build(m, c, p->d, p->xd[0].rows ? AGGREGATE_FIRST : PROJECT_FIRST);
        return;
    }
    cell_build(m, c, p->d, PRECOMPUTED);
    if (m->ops[0].hops == 1 && !(q ? precomputed_is_less(p, &c->s, q) : p->xd[0].rows > 0))
        cell_build(m, c, p->d, PROJECT_FIRST);
}
