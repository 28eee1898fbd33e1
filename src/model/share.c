#include "share.h"

static int given(const plan *p, int k)
{
    return k < 0 || p->nodes[k].share != SHARE_NO;
}

/* Whether the backward pass of op k, or of a reader, or a reader that computes by itself, looks at the op's output. */
static int is_read(const plan *p, int k)
{
    if (p->nodes[k].d.kind->own_back)
        return 1;
    for (int r = k + 1; r < p->m->nops; r++) {
        const node *v = p->nodes + r;
        if ((v->d.in[0] == k || v->d.in[1] == k) && (v->share == SHARE_NO || v->d.kind->in_back))
            return 1;
    }
    return 0;
}

void share_mark(plan *p)
{
    for (int k = 0; k < p->m->nops; k++) {
        node *v = p->nodes + k;
        int drops = v->d.p > 0;
        int ends = drops && v->d.kind->in_place; /* an activation: all but its dropout is shared */
        if (v->d.kind->same && (!drops || ends) && given(p, v->d.in[0]) && given(p, v->d.in[1]))
            v->share = ends ? SHARE_DROP : SHARE_SKIP;
        else
            v->share = SHARE_NO;
        for (int q = 0; q < MAX_IN && v->share != SHARE_NO; q++)
            if (v->d.in[q] >= 0 && p->nodes[v->d.in[q]].share == SHARE_DROP)
                v->share = SHARE_NO;
    }
    for (int k = 0; k < p->m->nops; k++)
        if (p->nodes[k].share == SHARE_SKIP && is_read(p, k))
            p->nodes[k].share = SHARE_COPY;
}

static int copies(const node *v)
{
    return v->share == SHARE_COPY || v->share == SHARE_DROP;
}

void share_rows(const plan *train, int k, unsigned char *rows)
{
    const node *v = train->nodes + k;
    for (int i = 0; copies(v) && i < v->rows; i++)
        rows[v->id[i]] = 1;
}

void share_link(plan *train, const plan *predict)
{
    for (int k = 0; k < train->m->nops; k++) {
        node *v = train->nodes + k;
        if (copies(v)) {
            v->from = predict->nodes + k;
            v->map = plan_map(train, v, v->from);
        }
    }
}

void share_take(plan *p, node *n)
{
    dropout drop = plan_dropout(p, n);
    if (n->share != SHARE_DROP)
        drop.p = 0;
#pragma omp parallel for schedule(static) if ((size_t)n->rows * (size_t)n->d.cols > 200000)
    for (int i = 0; i < n->rows; i++)
        dropout_row(mat_row(n->out, i), mat_row(n->from->out, n->map[i]), n->d.cols, &drop, (uint32_t)n->id[i]);
}
