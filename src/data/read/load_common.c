#include "load_common.h"
#include "../../base/err.h"
#include "../text.h"
#include <stdio.h>
#include <string.h>

typedef struct job {
    loader *fn;
    load *l;
} job;

static void run(void *arg)
{
    job *j = arg;
    j->fn(j->l);
}

void load_scratch(loader *fn, arena *a, draft *out, const char *path, const char *name)
{
    arena tmp = {0};
    load l = {a, &tmp, out, path, name};
    job j = {fn, &l};
    const char *failed = err_try(run, &j);
    char message[1024];
    if (failed)
        snprintf(message, sizeof message, "%s", failed);
    arena_free(&tmp);
    if (failed)
        die("%s", message);
}

void load_run(loader *fn, arena *a, draft *out, const char *path, const char *name)
{
    *out = (draft){.d.name = arena_printf(a, "%s", name ? name : ""), .d.origin_note = ""};
    load_scratch(fn, a, out, path, out->d.name);
}

void ints_push(arena *tmp, ints *s, int x)
{
    GROW(tmp, s->v, s->n, s->capacity, 1024);
    s->v[s->n++] = x;
}

int load_count_classes(const int *y, int nodes, const char *path)
{
    int last = -1, at = 0;
    for (int i = 0; i < nodes; i++)
        if (y[i] > last) {
            last = y[i];
            at = i;
        }
    if (last >= nodes)
        die("%s: class %d of node %d, but there are only %d nodes: corrupt", path, last, at, nodes);
    return last + 1;
}

void load_count_nodes(load *l, text *t)
{
    int64_t lines = text_lines(t);
    if (lines < 1 || lines > NODES_MAX)
        text_die(t, "%lld nodes", (long long)lines);
    l->out->d.nodes = (int)lines;
}

void load_new_edges(load *l, int64_t n)
{
    l->out->nedges = n;
    l->out->eu = NEW(l->a, int, (size_t)n);
    l->out->ev = NEW(l->a, int, (size_t)n);
}

void load_edge_lines(load *l, text *t, char sep, int nodes)
{
    int64_t lines = text_lines(t);
    load_new_edges(l, lines);
    for (int64_t k = 0; k < lines; k++) {
        l->out->eu[k] = (int)text_int(t, "a node id", 0, nodes - 1);
        text_char(t, sep);
        l->out->ev[k] = (int)text_int(t, "a node id", 0, nodes - 1);
        text_eol(t);
    }
}

static char *key_of(char out[64], const char *prefix, const char *name)
{
    snprintf(out, 64, "%s%s", prefix, name);
    return out;
}

/* Moves the entries with a set flag to the front. */
static void drop_zeros(csr *m, const unsigned char *flag)
{
    int64_t keep = 0;
    for (int i = 0; i < m->rows; i++) {
        int64_t from = m->ptr[i];
        m->ptr[i] = keep;
        for (int64_t k = from; k < m->ptr[i + 1]; k++)
            if (flag[k])
                m->idx[keep++] = m->idx[k];
    }
    m->ptr[m->rows] = keep;
}

csr load_npz_csr(arena *a, arena *tmp, npz *z, const char *prefix, int keep_values)
{
    char key[64];
    if (npz_has(z, key_of(key, prefix, "format")) && !npz_is_word(z, key, "csr"))
        die("%s: array '%s': the matrix is not stored as csr", npz_path(z), key);
    int *shape = npz_ints(tmp, z, key_of(key, prefix, "shape"), 2, 0, NODES_MAX);
    csr m = {.rows = shape[0], .cols = shape[1]};
    m.ptr = npz_int64s(a, z, key_of(key, prefix, "indptr"), (int64_t)m.rows + 1, 0, ENTRIES_MAX);
    for (int i = 0; i < m.rows; i++)
        if (m.ptr[i] > m.ptr[i + 1])
            die("%s: array '%s': element %d is smaller than the one before", npz_path(z), key, i + 1);
    if (m.ptr[0] != 0)
        die("%s: array '%s': element 0 is not 0", npz_path(z), key);
    int64_t nnz = m.ptr[m.rows];
    m.idx = npz_ints(a, z, key_of(key, prefix, "indices"), nnz, 0, m.cols - 1);
    key_of(key, prefix, "data");
    if (keep_values)
        m.val = npz_reals(a, z, key, nnz);
    else
        drop_zeros(&m, npz_flags(tmp, z, key, nnz));
    return m;
}

void load_npz_edges(load *l, npz *z, const char *key)
{
    npz_shape e = npz_find(z, key);
    if (e.dims != 2 || e.cols != 2)
        die("%s: array '%s' is %lld x %lld, not a list of pairs", l->path, key, (long long)e.rows, (long long)e.cols);
    const int *pair = npz_ints(l->tmp, z, key, -1, 0, l->out->d.nodes - 1);
    load_new_edges(l, e.rows);
    for (int64_t k = 0; k < e.rows; k++) {
        l->out->eu[k] = pair[2 * k];
        l->out->ev[k] = pair[2 * k + 1];
    }
}

csr load_sparse(arena *a, mat x)
{
    int64_t nnz = 0;
    for (int i = 0; i < x.rows; i++)
        for (int j = 0; j < x.cols; j++)
            nnz += mat_row(x, i)[j] != 0;
    csr m = csr_new(a, x.rows, x.cols, nnz, 1);
    nnz = 0;
    for (int i = 0; i < x.rows; i++) {
        for (int j = 0; j < x.cols; j++)
            if (mat_row(x, i)[j] != 0)
                m.idx[nnz] = j, m.val[nnz++] = mat_row(x, i)[j];
        m.ptr[i + 1] = nnz;
    }
    return m;
}

void load_npz_features(load *l, npz *z, const char *key, int sparse)
{
    dataset *d = &l->out->d;
    npz_shape s = npz_find(z, key);
    if (s.dims != 2 || s.rows < 1 || s.rows > NODES_MAX || s.cols < 1 || s.cols > FEATURES_MAX ||
        (d->nodes && s.rows != d->nodes))
        die("%s: array '%s' is %lld x %lld, not a matrix of features%s", npz_path(z), key, (long long)s.rows,
            (long long)s.cols, d->nodes ? arena_printf(l->tmp, ": there are %d nodes", d->nodes) : "");
    d->nodes = (int)s.rows, d->features = (int)s.cols;
    mat x = {d->nodes, d->features, npz_reals(sparse ? l->tmp : l->a, z, key, -1)};
    if (sparse)
        d->xs = load_sparse(l->a, x);
    else
        d->xd = x;
}

/* Visits the entries by rows with a cursor in each row: entry (i, j) must find i at the cursor of row j. Also returns 0
 * if columns are not ascending. */
static int is_symmetric(arena *tmp, const csr *m)
{
    if (m->rows != m->cols)
        return 0;
    int64_t *at = NEW(tmp, int64_t, (size_t)m->rows);
    memcpy(at, m->ptr, (size_t)m->rows * sizeof *at);
    for (int i = 0; i < m->rows; i++)
        for (int64_t k = m->ptr[i]; k < m->ptr[i + 1]; k++) {
            int j = m->idx[k];
            if (at[j] == m->ptr[j + 1] || m->idx[at[j]++] != i)
                return 0;
        }
    return 1;
}

void load_csr_edges(arena *a, arena *tmp, draft *out, const csr *m)
{
    int once = is_symmetric(tmp, m);
    int64_t n = 0;
    for (int pass = 0; pass < 2; pass++) {
        n = 0;
        for (int i = 0; i < m->rows; i++)
            for (int64_t k = m->ptr[i]; k < m->ptr[i + 1]; k++)
                if (!once || m->idx[k] >= i) {
                    if (pass) {
                        out->eu[n] = i;
                        out->ev[n] = m->idx[k];
                    }
                    n++;
                }
        if (!pass) {
            out->eu = NEW(a, int, (size_t)n);
            out->ev = NEW(a, int, (size_t)n);
        }
    }
    out->nedges = n;
}

typedef struct feature_lists {
    load *l;
    ints node, column;
    int columns;
    unsigned char *seen;
} feature_lists;

static void add_feature_list(void *ctx, const json_entry *e)
{
    feature_lists *f = ctx;
    int u = json_key_id(e, f->l->out->d.nodes);
    if (f->seen[u]++)
        die("%s: node %d occurs twice", e->path, u);
    if (!e->list)
        die("%s: node %d has a number, not a list of feature ids", e->path, u);
    for (int64_t k = 0; k < e->n; k++) {
        if (e->v[k] < 0 || e->v[k] >= FEATURES_MAX)
            die("%s: node %d: feature id %lld is out of range", e->path, u, (long long)e->v[k]);
        int j = (int)e->v[k];
        ints_push(f->l->tmp, &f->node, u);
        ints_push(f->l->tmp, &f->column, j);
        f->columns = j >= f->columns ? j + 1 : f->columns;
    }
}

void load_json_features(load *l, const char *path)
{
    dataset *d = &l->out->d;
    feature_lists f = {.l = l, .seen = NEW(l->tmp, unsigned char, (size_t)d->nodes)};
    json_entries(l->tmp, path, add_feature_list, &f);
    if (f.columns < 1)
        die("%s: no node has a feature", path);
    d->features = f.columns;
    d->xs = csr_from_pairs(l->a, d->nodes, d->features, f.node.v, f.column.v, f.node.n, 0, 1);
}

csr triples_rows(arena *a, const triples *x, int nodes)
{
    csr m = csr_new(a, nodes, x->columns, x->node.n, 1);
    for (int64_t k = 0; k < x->node.n; k++)
        m.ptr[x->node.v[k] + 1]++;
    for (int i = 0; i < nodes; i++)
        m.ptr[i + 1] += m.ptr[i];
    for (int64_t k = x->node.n; k-- > 0;) { /* fills each row from its end; ptr becomes its start */
        int64_t to = --m.ptr[x->node.v[k] + 1];
        m.idx[to] = x->column.v[k];
        m.val[to] = x->val[k];
    }
    memmove(m.ptr, m.ptr + 1, (size_t)nodes * sizeof *m.ptr);
    m.ptr[nodes] = x->node.n;
    return m;
}

csr load_identity(arena *a, int n)
{
    csr m = csr_new(a, n, n, n, 0);
    for (int i = 0; i < n; i++) {
        m.idx[i] = i;
        m.ptr[i + 1] = i + 1;
    }
    return m;
}

static int *keep(arena *a, const ints *s)
{
    int *v = NEW(a, int, (size_t)s->n);
    if (s->n)
        memcpy(v, s->v, (size_t)s->n * sizeof *v);
    return v;
}

void load_edge_lists(load *l, const ints *u, const ints *v)
{
    l->out->nedges = u->n;
    l->out->eu = keep(l->a, u);
    l->out->ev = keep(l->a, v);
}

void load_mask(arena *a, split *s, enum part part, const unsigned char *flag, int nodes)
{
    int n = 0;
    for (int i = 0; i < nodes; i++)
        n += flag[i] != 0;
    s->idx[part] = NEW(a, int, (size_t)n);
    s->n[part] = n;
    n = 0;
    for (int i = 0; i < nodes; i++)
        if (flag[i])
            s->idx[part][n++] = i;
}

void load_id_lines(load *l, split *s, enum part part, text *t)
{
    int64_t n = text_lines(t);
    if (n > l->out->d.nodes)
        text_die(t, "%lld ids, but there are %d nodes", (long long)n, l->out->d.nodes);
    s->n[part] = (int)n;
    s->idx[part] = NEW(l->a, int, (size_t)n);
    for (int i = 0; i < s->n[part]; i++) {
        s->idx[part][i] = (int)text_int(t, "a node id", 0, l->out->d.nodes - 1);
        text_eol(t);
    }
}

typedef struct json_split {
    load *l;
    const char *const *key; /* PARTS */
    int other;
} json_split;

static void add_part(void *ctx, const json_entry *e)
{
    const json_split *j = ctx;
    const int nodes = j->l->out->d.nodes;
    split *s = j->l->out->d.splits;
    int part = 0;
    while (part < PARTS && strcmp(e->key, j->key[part]))
        part++;
    if (part == PARTS && j->other)
        return;
    if (part == PARTS)
        die("%s: '%s' is not one of %s, %s, %s", e->path, e->key, j->key[TRAIN], j->key[VAL], j->key[TEST]);
    if (!e->list || s->idx[part])
        die("%s: '%s' %s", e->path, e->key, e->list ? "occurs twice" : "is not a list of node ids");
    if (e->n > nodes)
        die("%s: '%s' has %lld ids, but there are %d nodes", e->path, e->key, (long long)e->n, nodes);
    s->idx[part] = NEW(j->l->a, int, (size_t)e->n);
    s->n[part] = (int)e->n;
    for (int64_t k = 0; k < e->n; k++) {
        if (e->v[k] < 0 || e->v[k] >= nodes)
            die("%s: '%s': id %lld is not in 0..%d", e->path, e->key, (long long)e->v[k], nodes - 1);
        s->idx[part][k] = (int)e->v[k];
    }
}

void load_json_split(load *l, const char *path, const char *const key[PARTS], int other)
{
    l->out->d.nsplits = 1;
    l->out->d.splits = NEW(l->a, split, 1);
    json_entries(l->tmp, path, add_part, &(json_split){l, key, other});
    for (int part = 0; part < PARTS; part++)
        if (!l->out->d.splits->idx[part])
            die("%s: one of %s, %s, %s is missing", path, key[TRAIN], key[VAL], key[TEST]);
}
