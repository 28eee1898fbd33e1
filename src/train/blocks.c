#include "blocks.h"
#include "../base/err.h"
#include "../net/ops.h"
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_MAX = 32768,
    BLOCK_MIN = 256,
    MAX_STAGES = 256
}; /* rows of a block: multiples of LEAST, so that the BLAS cuts products where it does for the whole graph */

typedef struct stage {
    int op;       /* of the model: whose values it gives */
    int kept;     /* they are there anyway: the features */
    model *m;     /* its ops, down to what is stored */
    int *rows, n; /* nodes that are read from it, ascending */
    int block;    /* rows at a time */
    int last;     /* the last stage that reads it */
    double row_bytes;
    mat out;
    arena stored, work, links;
    workspace *ws;
    batch b;
} stage;

struct blocks {
    arena a;
    const model *m;
    net *net;
    const batch *what;
    const csr *graph;
    stage *stage;
    int stages;
    int *stage_of; /* of each op of the model: the stage that stores it, -1: none */
    const mat *stored[MAX_STAGES];
    double bytes;
};

/* Whether the op reads rows of other nodes of its first input. */
static int crosses(const op *o) { return o->kind->need != NULL; }

/* --- where the model is cut --- */

static void mark_cone(unsigned char *in, const model *m, const unsigned char *is_stored, int top)
{
    in[top] = 1;
    for (int k = top; k >= 0; k--)
        for (int q = 0; in[k] && q < MAX_IN; q++) {
            int from = m->ops[k].in[q];
            if (from >= 0 && !is_stored[from])
                in[from] = 1;
        }
}

/* Inputs of ops that cross; then ops that several stages would compute, where these leave them (the initial residual of
 * GCNII). */
static void find_stored(unsigned char *is_stored, const model *m)
{
    arena tmp = {0};
    unsigned char *in = NEW(&tmp, unsigned char, (size_t)m->nops), *times = NEW(&tmp, unsigned char, (size_t)m->nops);
    for (int k = 0; k < m->nops; k++)
        if (crosses(m->ops + k))
            is_stored[m->ops[k].in[0]] = 1;
    for (int t = 0; t < m->nops; t++)
        if (is_stored[t] || t == m->nops - 1) {
            memset(in, 0, (size_t)m->nops);
            mark_cone(in, m, is_stored, t);
            for (int k = 0; k < m->nops; k++)
                times[k] = (unsigned char)(times[k] + in[k] > 1 ? 2 : times[k] + in[k]);
        }
    for (int k = 0; k < m->nops; k++)
        for (int q = 0; q < MAX_IN; q++)
            if (m->ops[k].in[q] >= 0 && times[m->ops[k].in[q]] > 1 && times[k] < 2)
                is_stored[m->ops[k].in[q]] = 1;
    arena_free(&tmp);
}

/* The ops of the stage: a model with the parameters of the whole one. */
static void cut(blocks *b, stage *s, const unsigned char *is_stored)
{
    const model *m = b->m;
    arena tmp = {0};
    unsigned char *in = NEW(&tmp, unsigned char, (size_t)m->nops);
    int *as = NEW(&tmp, int, (size_t)m->nops),
        *as_rows = NEW(&tmp, int, (size_t)m->nops); /* number of each op in the stage; of the rows of a stored one */
    s->m = NEW(&b->a, model, 1);
    *s->m = *m;
    s->m->nops = 0;
    mark_cone(in, m, is_stored, s->op);
    for (int k = 0; k < m->nops; k++)
        as[k] = as_rows[k] = -1;
    for (int k = 0; k <= s->op; k++) {
        op o = m->ops[k];
        if (!in[k])
            continue;
        for (int q = 0; q < MAX_IN; q++) {
            int from = o.in[q];
            if (from < 0)
                continue;
            if (is_stored[from] && as[from] < 0)
                as[from] = op_stored(s->m, b->stage_of[from], m->ops[from].cols);
            o.in[q] = as[from];
            if (is_stored[from] && o.kind->inherits_rows) /* it would compute them all */
                o.in[q] = as_rows[from] >= 0 ? as_rows[from] : (as_rows[from] = op_rows(s->m, as[from]));
        }
        as[k] = model_op(s->m, o);
        s->row_bytes += o.kind->in_place ? 0 : (double)o.cols * sizeof(real);
    }
    s->m->z = m->z <= s->op && as[m->z] >= 0 ? as[m->z] : 0;
    arena_free(&tmp);
}

/* --- which nodes each stage computes --- */

static void mark_links(unsigned char *to, const csr *g, const unsigned char *rows, int loops)
{
#pragma omp parallel for schedule(dynamic, 1024) if (csr_nnz(g) > SERIAL_WORK)
    for (int i = 0; i < g->rows; i++)
        if (rows[i]) {
            if (loops)
                __atomic_store_n(to + i, 1, __ATOMIC_RELAXED);
            for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
                __atomic_store_n(to + g->idx[k], 1, __ATOMIC_RELAXED); /* all write the same */
        }
}

static void mark_rows(blocks *b)
{
    arena tmp = {0};
    size_t n = (size_t)b->graph->rows;
    unsigned char **rows = NEW(&tmp, unsigned char *, (size_t)b->stages);
    for (int t = 0; t < b->stages; t++)
        rows[t] = NEW(&tmp, unsigned char, n);
    for (int i = 0; i < b->what->ntarget; i++)
        rows[b->stages - 1][b->what->target[i]] = 1;
    for (int t = b->stages - 1; t >= 0; t--) {
        stage *s = b->stage + t;
        for (size_t i = 0; i < n; i++)
            s->n += rows[t][i];
        s->rows = NEW_RAW(&b->a, int, (size_t)s->n);
        for (int i = 0, w = 0; i < (int)n; i++)
            if (rows[t][i])
                s->rows[w++] = i;
        for (int k = 0; !s->kept && k < s->m->nops; k++) {
            const op *o = s->m->ops + k;
            for (int q = 0; q < MAX_IN; q++) {
                const op *from = o->in[q] < 0 ? NULL : s->m->ops + o->in[q];
                if (!from || !from->kind->borrows_output)
                    continue;
                unsigned char *to = rows[from->hops];
                b->stage[from->hops].last = b->stage[from->hops].last > t ? b->stage[from->hops].last : t;
                if (q == 0 && o->kind->reads_graph)
                    mark_links(to, b->graph, rows[t], csr_has_loops(o->adj));
                for (size_t i = 0; i < n; i++)
                    to[i] |= (q || !o->kind->reads_graph) && rows[t][i];
                for (int i = 0; q == 0 && crosses(o) && !o->kind->reads_graph && i < b->what->nmean; i++)
                    to[b->what->mean[i]] = 1;
            }
        }
    }
    arena_free(&tmp);
}

/* --- memory --- */

static double stored_bytes(const blocks *b, const stage *s)
{
    return s->kept ? 0 : (double)b->graph->rows * b->m->ops[s->op].cols * sizeof(real);
}

/* Most bytes of stored matrices that are there at a time. */
static double max_stored(const blocks *b)
{
    double max = 0;
    for (int t = 0; t < b->stages; t++) {
        double now = 0;
        for (int s = 0; s <= t; s++)
            now += (s == t || b->stage[s].last >= t) && s < b->stages - 1 ? stored_bytes(b, b->stage + s) : 0;
        max = now > max ? now : max;
    }
    return max;
}

/* A row of a block: values, links (twice: the graph's and the cut) and lists; each block also has lists over all
 * nodes. */
static double block_bytes(const blocks *b, const stage *s, int rows)
{
    double degree = (double)csr_nnz(b->graph) / b->graph->rows + 1;
    return rows * (s->row_bytes + 16 * degree * sizeof(real) / 4 + 64) + 24.0 * b->graph->rows;
}

static void plan(blocks *b, double taken, double limit)
{
    double stored = max_stored(b), need = 0;
    b->bytes = stored;
    for (int t = 0; t < b->stages; t++) {
        stage *s = b->stage + t;
        if (s->kept)
            continue;
        s->block = BLOCK_MAX;
        while (s->block > BLOCK_MIN && taken + stored + block_bytes(b, s, s->block) > limit)
            s->block /= 2;
        double mine = block_bytes(b, s, s->block < s->n ? s->block : s->n);
        need = mine > need ? mine : need;
    }
    b->bytes += need;
    if (taken + b->bytes > limit) {
        double bytes = b->bytes;
        int nodes = b->graph->rows;
        arena a = b->a; /* b lives in it */
        arena_free(&a);
        die("predicting %d nodes layer by layer takes %.0f MiB (%.0f of them layers over all nodes) beside %.0f of "
            "data and training; %.0f are allowed: give --memory %.0fM or more, or a smaller --hidden",
            nodes, bytes / 0x1p20, stored / 0x1p20, taken / 0x1p20, limit / 0x1p20, (taken + bytes) / 0x1p20 + 1);
    }
}

blocks *blocks_new(const model *m, net *n, const batch *what, const csr *graph, double taken, double limit)
{
    arena a = {0};
    blocks *b = NEW(&a, blocks, 1);
    *b = (blocks){.a = a, .m = m, .net = n, .what = what, .graph = graph};
    unsigned char *is_stored = NEW(&b->a, unsigned char, (size_t)m->nops);
    find_stored(is_stored, m);
    is_stored[m->nops - 1] = 0;
    b->stage = NEW(&b->a, stage, (size_t)m->nops);
    b->stage_of = NEW(&b->a, int, (size_t)m->nops);
    for (int k = 0; k < m->nops; k++) {
        b->stage_of[k] = -1;
        if (!is_stored[k] && k < m->nops - 1)
            continue;
        if (b->stages == MAX_STAGES)
            die("the network has more than %d layers", MAX_STAGES);
        stage *s = b->stage + b->stages;
        *s = (stage){.op = k, .kept = op_is_inputs(m->ops + k)};
        b->stage_of[k] = b->stages++;
        if (!s->kept)
            cut(b, s, is_stored);
    }
    mark_rows(b);
    plan(b, taken, limit);
    return b;
}

/* --- prediction --- */

const csr *blocks_links(arena *a, const csr *g, enum adjacency kind, const int *rows, int n)
{
    int loops = csr_has_loops(kind);
    csr *m = NEW(a, csr, 1);
    *m = (csr){g->rows, g->rows, NEW_RAW(a, int64_t, (size_t)g->rows + 1), NULL, NULL, NULL};
    int64_t at = 0;
    for (int i = 0, k = 0; i < g->rows; i++) {
        m->ptr[i] = at;
        if (k < n && rows[k] == i)
            at += g->ptr[i + 1] - g->ptr[i] + loops, k++;
    }
    m->ptr[g->rows] = at;
    m->idx = NEW_RAW(a, int, (size_t)at), m->val = NEW_RAW(a, real, (size_t)at);
#pragma omp parallel for schedule(dynamic, 64) if (at > 20000)
    for (int r = 0; r < n; r++) {
        int i = rows[r], loop = loops; /* loop: the diagonal entry is still to be inserted */
        int64_t w = m->ptr[i], last = g->ptr[i + 1];
        double own = (double)(last - g->ptr[i] + loops);
        for (int64_t k = g->ptr[i]; k < last || loop; w++) {
            int self = loop && (k == last || g->idx[k] > i), j = self ? i : g->idx[k++];
            loop -= self;
            m->idx[w] = j;
            m->val[w] = (real)csr_weight(kind, own, (double)(g->ptr[j + 1] - g->ptr[j] + loops));
        }
    }
    return m;
}

/* The rows first .. first + n - 1 of the stage, in its workspace. One that takes all rows at once stays as it is for
 * the next prediction. */
static void run_block(blocks *b, stage *s, int first, int n)
{
    int whole = n == s->n;
    if (!s->ws)
        s->ws = workspace_new(&s->work, program_compile(&s->work, s->m, 0, POLICY_ALL), b->net, NULL);
    if (!whole || !s->ws->bound) {
        arena_reset(&s->links, (arena_mark){0});
        s->b = *b->what;
        s->b.nodes = b->graph->rows, s->b.id = NULL, s->b.hops = s->b.same_nodes = 1;
        s->b.target = s->rows + first, s->b.ntarget = n;
        s->b.stored = b->stored;
        for (int k = 0; k < s->m->nops; k++)
            if (s->m->ops[k].kind->reads_graph)
                s->b.adj[0][s->m->ops[k].adj] = blocks_links(&s->links, b->graph, s->m->ops[k].adj, s->b.target, n);
        workspace_bind(s->ws, &s->b);
    }
    workspace_forward(s->ws, 0);
}

/* Gives back what a stage in several blocks has used. */
static void end_stage(stage *s)
{
    if (s->n <= s->block)
        return;
    arena_free(&s->work), arena_free(&s->links);
    s->ws = NULL;
}

static void store(blocks *b, stage *s)
{
    int d = b->m->ops[s->op].cols;
    s->out = (mat){b->graph->rows, d, NEW_RAW(&s->stored, real, (size_t)b->graph->rows * (size_t)d)};
    for (int first = 0; first < s->n; first += s->block) {
        int n = s->n - first < s->block ? s->n - first : s->block;
        run_block(b, s, first, n);
        const op_state *top = s->ws->ops + s->m->nops - 1;
#pragma omp parallel for schedule(static) if ((size_t)n * (size_t)d > SERIAL_WORK)
        for (int i = 0; i < n; i++) {
            int row = top->rows == n ? i : workspace_row(top, s->rows[first + i]);
            memcpy(mat_row(s->out, s->rows[first + i]), mat_row(top->out, row), (size_t)d * sizeof(real));
        }
    }
    end_stage(s);
}

/* All stages but the last one. */
static void run_stages(blocks *b)
{
    for (int t = 0; t < b->stages - 1; t++) {
        stage *s = b->stage + t;
        if (s->kept)
            s->out = *b->what->data->xd[0];
        else
            store(b, s);
        b->stored[t] = &s->out;
        for (int k = 0; k < t; k++)
            if (b->stage[k].last == t)
                arena_free(&b->stage[k].stored);
    }
}

void blocks_predict(mat prob, double *loss, blocks *b)
{
    stage *s = b->stage + b->stages - 1;
    double sum = 0;
    run_stages(b);
    for (int first = 0; first < s->n; first += s->block) {
        int n = s->n - first < s->block ? s->n - first : s->block;
        run_block(b, s, first, n);
        memcpy(mat_row(prob, first), s->ws->prob.v, (size_t)n * (size_t)prob.cols * sizeof(real));
        sum += s->ws->loss * n;
    }
    if (loss)
        *loss = s->n ? sum / s->n : 0;
    end_stage(s);
    for (int t = 0; t < b->stages; t++)
        arena_free(&b->stage[t].stored);
}

mat blocks_embed(arena *a, blocks *b)
{
    stage *s = b->stage + b->stages - 1;
    run_stages(b);
    store(b, s);
    mat z = mat_raw(a, s->n, s->out.cols);
    for (int i = 0; i < s->n; i++)
        memcpy(mat_row(z, i), mat_row(s->out, s->rows[i]), (size_t)z.cols * sizeof(real));
    for (int t = 0; t < b->stages; t++)
        arena_free(&b->stage[t].stored);
    return z;
}

double blocks_bytes(const blocks *b) { return b->bytes; }

void blocks_free(blocks *b)
{
    arena a = b->a; /* b itself lives in it */
    for (int t = 0; t < b->stages; t++)
        arena_free(&b->stage[t].stored), arena_free(&b->stage[t].work), arena_free(&b->stage[t].links);
    arena_free(&a);
}
