#include "share.h"

static int given(const workspace *ws, int k) { return k < 0 || ws->ops[k].share != SHARE_NO; }

/* Whether the backward pass of op k, or of a reader, or a reader that computes by itself, looks at the op's output. */
static int is_read(const workspace *ws, int k)
{
    if (ws->ops[k].d.kind->reads_output_back)
        return 1;
    for (int r = k + 1; r < ws->m->nops; r++) {
        const op_state *v = ws->ops + r;
        if ((v->d.in[0] == k || v->d.in[1] == k) && (v->share == SHARE_NO || v->d.kind->reads_input_back))
            return 1;
    }
    return 0;
}

void share_mark(workspace *ws)
{
    for (int k = 0; k < ws->m->nops; k++) {
        op_state *v = ws->ops + k;
        if (v->share == SHARE_ALIAS)
            v->out = v->spare;
        int drops = v->d.p > 0;
        int ends = drops && v->d.kind->in_place; /* an activation: all but its dropout is shared */
        if (v->d.kind->equal_in_eval && (!drops || ends) && given(ws, v->d.in[0]) && given(ws, v->d.in[1]))
            v->share = ends ? SHARE_DROP : SHARE_SKIP;
        else
            v->share = SHARE_NO;
        for (int q = 0; q < MAX_IN && v->share != SHARE_NO; q++)
            if (v->d.in[q] >= 0 && ws->ops[v->d.in[q]].share == SHARE_DROP)
                v->share = SHARE_NO;
    }
    for (int k = 0; k < ws->m->nops; k++)
        if (ws->ops[k].share == SHARE_SKIP && is_read(ws, k))
            ws->ops[k].share = SHARE_COPY;
}

static int copies(const op_state *v) { return v->share == SHARE_COPY || v->share == SHARE_DROP; }

void share_rows(const workspace *train, int k, unsigned char *rows)
{
    const op_state *v = train->ops + k;
    for (int i = 0; copies(v) && i < v->rows; i++)
        rows[v->id[i]] = 1;
}

/* Whether training can read the rows of op k where the prediction has left them: all are there and nothing is computed
 * in their place. */
static int can_alias(const workspace *train, const workspace *predict, int k)
{
    const program_op *o = train->p->ops;
    for (int i = k + 1; i < train->m->nops; i++)
        if (o[i].owner == o[k].owner)
            return 0;
    return train->ops[k].share == SHARE_COPY && train->ops[k].rows == predict->ops[k].rows && o[o[k].owner].kept;
}

void share_link(workspace *train, const workspace *predict)
{
    for (int k = 0; k < train->m->nops; k++) {
        op_state *v = train->ops + k;
        if (can_alias(train, predict, k)) {
            v->share = SHARE_ALIAS;
            v->spare = v->out, v->out = predict->ops[k].out;
        } else if (copies(v)) {
            v->from = predict->ops + k;
            v->map = workspace_map(train, v, v->from);
        }
    }
}

void share_take(workspace *ws, op_state *n)
{
    dropout drop = workspace_dropout(ws, n);
    if (n->share != SHARE_DROP)
        drop.p = 0;
#pragma omp parallel for schedule(static) if ((size_t)n->rows * (size_t)n->d.cols > SERIAL_WORK)
    for (int i = 0; i < n->rows; i++)
        dropout_row(mat_row(n->out, i), mat_row(n->from->out, n->map[i]), n->d.cols, &drop, (uint32_t)n->node[i]);
}
