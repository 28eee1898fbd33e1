/* The last stage of SPN (spn.c). Loss: expected minus labelled potentials under the beliefs q of sum-product, which no
 * gradient goes through:
 *
 *     (1 / labelled) sum_s [sum_x q_s(x) theta_s(x) - theta_s(y_s)]
 *   + (1 / pairs) sum_st [sum q_st theta_st - theta_st(y_s, y_t)]
 *
 * over labelled nodes and links with two labelled ends; dL/dlogits of a node is (q_s - onehot(y_s)) / labelled. */
#include "../../base/hash.h"
#include "spn.h"
#include <string.h>

#define REFINE_LR 1e-5
enum { REFINE_STEPS = 2, LOOK = 20 };

/* Training nodes and those within two links of them. */
static int *ball(spn *g, int *n)
{
    const csr *graph = &problem_dataset(g->p)->graph;
    unsigned char *in = NEW(g->a, unsigned char, (size_t)graph->rows);
    int *list = NEW(g->a, int, (size_t)graph->rows), count = 0;
    for (int k = 0; k < g->part.n[TRAIN]; k++)
        in[list[count++] = g->part.idx[TRAIN][k]] = 1;
    for (int hop = 0, at = 0; hop < 2; hop++)
        for (int end = count; at < end; at++)
            for (int64_t k = graph->ptr[list[at]]; k < graph->ptr[list[at] + 1]; k++)
                if (!in[graph->idx[k]])
                    in[list[count++] = graph->idx[k]] = 1;
    *n = 0;
    for (int i = 0; i < graph->rows; i++)
        if (in[i])
            list[(*n)++] = i;
    return list;
}

typedef struct refinement {
    belief_graph b;
    belief f;
    gcn2_view node, link;
    spn_parts parts;
    real *d;
    int *label; /* of each node of it, -1: none */
    int labelled;
    int64_t pairs;
} refinement;

static refinement refinement_new(spn *g)
{
    int n, cc = g->c * g->c, *nodes = ball(g, &n);
    refinement r = {.b = belief_graph_new(g->a, &problem_dataset(g->p)->graph, nodes, n),
                    .label = NEW(g->a, int, (size_t)n)};
    int *of = NEW(g->a, int, (size_t)problem_dataset(g->p)->nodes);
    for (int k = 0; k < g->part.n[TRAIN]; k++)
        of[g->part.idx[TRAIN][k]] = 1 + problem_dataset(g->p)->y[g->part.idx[TRAIN][k]];
    for (int i = 0; i < n; i++)
        r.label[i] = of[nodes[i]] - 1, r.labelled += r.label[i] >= 0;
    r.node = gcn2_view_new(g->node, nodes, n, 1), r.link = gcn2_view_new(g->link, nodes, n, 1);
    r.parts = spn_parts_new(g->a, n, cc);
    r.d = NEW(g->a, real, (size_t)csr_nnz(&r.b.g) * (size_t)cc);
    for (int64_t k = 0; k < csr_nnz(&r.b.g); k++)
        r.pairs += r.label[r.b.from[k]] >= 0 && r.label[r.b.g.idx[k]] >= 0;
    return r;
}

/* d of the links with two labelled ends: what (q_st - y_s (x) y_t) / pairs means for their logits; 0 elsewhere. */
static void link_gradient(spn *g, refinement *r)
{
    int c = g->c, cc = c * c;
    real logits[cc];
    for (int64_t k = 0; k < csr_nnz(&r->b.g); k++) {
        int s = r->label[r->b.from[k]], t = r->label[r->b.g.idx[k]];
        real *d = r->d + (size_t)k * (size_t)cc;
        if (s < 0 || t < 0)
            continue;
        belief_link(d, &r->f, k);
        d[s * c + t] -= 1;
        for (int i = 0; i < cc; i++)
            d[i] /= (real)r->pairs;
        spn_logits(logits, &r->parts, &r->b, k);
        spn_potential_back(d, logits, c, g->gamma);
    }
}

static void refine_epoch(spn *g, refinement *r, long step)
{
    int c = g->c;
    const adam slow = {REFINE_LR, 0.9, 0.999, 1e-8};
    const adam_now now[2] = {adam_at(&slow, g->s->wd, step), adam_at(&slow, g->s->wd2, step)};
    gcn2_forward(&r->node, step);
    spn_log_rows(r->f.theta_s, r->node.out);
    if (g->links) {
        gcn2_forward(&r->link, step);
        spn_head_forward(&r->parts, &g->head, r->link.out);
        spn_potentials(&r->f, &r->parts, g->gamma);
    }
    belief_run(&r->f, g->links ? REFINE_STEPS : 0, 0);
    belief_nodes(r->node.grad.v, &r->f); /* dL/dlogits of a labelled node: (q - y) / labelled */
    for (int i = 0; i < r->b.nodes; i++) {
        real *d = mat_row(r->node.grad, i);
        if (r->label[i] >= 0)
            d[r->label[i]] -= 1;
        for (int k = 0; k < c; k++)
            d[k] = r->label[i] >= 0 ? d[k] / (real)r->labelled : 0;
    }
    if (r->pairs && g->links) {
        link_gradient(g, r);
        spn_gather(&r->parts, &r->b, r->d);
        spn_learn_links(g, &r->link, &r->parts, now);
    }
    gcn2_learn(&r->node, now);
}

void spn_refine(spn *g, double top)
{
    size_t one = g->node->m->size, two = g->link->m->size;
    real *best = NEW(g->a, real, one + two + g->head.size);
    refinement r = refinement_new(g);
    int epochs = 3 * g->s->epochs / 4;
    r.f = belief_new(g->a, &r.b, g->c, RHO);
    for (int e = 0; e <= epochs; e++) {
        if (e)
            refine_epoch(g, &r, g->s->epochs + e);
        if (e % LOOK)
            continue;
        spn_forward(g);
        spn_infer(g, g->gamma);
        double acc = spn_accuracy(g);
        if (!e || acc > top) {
            top = acc;
            g->o->best_epoch = e ? g->s->epochs + e : g->o->best_epoch;
            gcn2_save(best, g->node), gcn2_save(best + one, g->link);
            memcpy(best + one + two, g->head.w, g->head.size * sizeof(real));
        }
    }
    gcn2_load(g->node, best), gcn2_load(g->link, best + one);
    memcpy(g->head.w, best + one + two, g->head.size * sizeof(real));
    g->o->epochs = g->s->epochs + epochs;
    g->o->val_score = top;
    g->o->param_hash = hash_bytes(HASH_INIT, best, (one + two + g->head.size) * sizeof(real));
}
