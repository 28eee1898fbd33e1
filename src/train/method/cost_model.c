#include "cost_model.h"
#include "../../net/loss/loss.h"
#include <math.h>
#include <omp.h>

enum { LARGE = 100000 /* nodes from which a run gets all threads */ };

int cost_large(int64_t nodes) { return nodes >= LARGE; }

struct sizes {
    double nodes, entries; /* entries: of the adjacency matrix with loops */
    double sparse,
        dense; /* non-zero features where they are sparse, all of them where they are dense; the other is 0 */
    double outputs, learn, judge; /* outputs of the head of CE */
    double joint;                 /* ... and of JC */
};

/* As measured: 20 ps for a multiply-add of dense matrices, 50 for one of sparse ones; batches, which overlap, take 5 to
 * 40 times that (HumLoc). */
static double seconds_of(const struct sizes *z, const cell *c)
{
    const spec *s = &c->s;
    int by_heads = c->backbone->by_heads, factors = c->objective->head == HEAD_FACTORS,
        joint_head = c->objective->head != HEAD_CLASSES;
    double width = s->hidden * (by_heads ? s->heads : 1.0),
           inner = c->backbone->own_ends ? s->layers : fmax(s->layers - 2.0, 0);
    double dense = 4 * inner * z->nodes * width * width,
           sparse = 3 * (inner + 1) * z->entries * width * (by_heads ? 4 : 1);
    double joint = factors ? 2 * z->outputs : z->joint;
    dense += width * (joint_head ? joint * (6 * z->learn + z->judge) : z->outputs * (3 * z->learn + z->judge));
    sparse += 2 * z->sparse * width;
    dense += 3 * z->dense * width;
    double epochs = s->patience && 6 * s->patience < s->epochs ? 6 * s->patience : s->epochs;
    if (s->batch.kind != BATCH_FULL)
        epochs *= 20;
    return c->method->cost * epochs * (2e-11 * dense + 5e-11 * sparse) / (z->nodes < LARGE ? 1 : omp_get_num_procs());
}

static double joint_outputs(double classes, int multi) { return multi ? 4 * classes : classes * classes; }

double cost_of(const problem *p, const cell *c)
{
    const dataset *d = problem_dataset(p);
    arena tmp = {0};
    split q = split_draw(&tmp, d, problem_split_rule(p, c->s.split), 1, 0);
    struct sizes z = {d->nodes, (double)csr_nnz(&d->graph) + d->nodes,   0, 0, d->classes, q.n[TRAIN],
                      q.n[VAL], joint_outputs(d->classes, d->ym != NULL)};
    arena_free(&tmp);
    if (d->xs.rows)
        z.sparse = (double)csr_nnz(&d->xs);
    else
        z.dense = (double)d->nodes * d->features;
    return seconds_of(&z, c);
}

/* Rows of more than 300 features are bags of words, of which one in a hundred occurs; half of the nodes of large graphs
 * train. */
double cost_of_unopened(const catalog_entry *e, const cell *c)
{
    double all = (double)e->nodes * e->features, half = e->nodes / 2.0, few = fmin(20.0 * e->classes, half);
    struct sizes z = {e->nodes,        2.0 * (double)e->edges + e->nodes,  0, 0, e->classes, few,
                      fmin(500, half), joint_outputs(e->classes, e->multi)};
    if (e->features > 300)
        z.sparse = all / 100;
    else
        z.dense = all;
    if (cost_large(e->nodes))
        z.learn = half, z.judge = half / 2;
    return seconds_of(&z, c);
}
