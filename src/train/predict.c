#include "predict.h"
#include "../base/memory.h"
#include "../net/loss/loss.h"

enum { RELEASE_CLUSTER = 1024 }; /* nodes that the release's Cluster-GCN predicts together */

/* The release's means: inference batches. */
static void release_means(arena *a, predictor *q, const predictor_input *in)
{
    const dataset *d = problem_dataset(in->p);
    batch_rule rule = in->c->s.batch;
    int size = rule.kind == BATCH_CLUSTER ? RELEASE_CLUSTER : rule.size, subset = rule.kind == BATCH_ROWS,
        n = subset ? in->nrows : d->nodes;
    int *cluster = NEW(a, int, (size_t)d->nodes), *mean = NEW(a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        mean[i] = subset ? in->rows[i] : i;
    for (int i = 0; i < n; i++)
        cluster[subset ? in->rows[i] : dataset_row(d, i)] = i / size;
    q->b.cluster = cluster, q->b.mean = mean, q->b.nmean = n;
    model *m = NEW(a, model, 1);
    *m = *in->m;
    m->clusters = (n + size - 1) / size;
    q->m = m;
}

static double dataset_bytes(const dataset *d)
{
    double x = d->xs.rows ? (double)csr_nnz(&d->xs) * (sizeof(int) + sizeof(real))
                          : (double)d->nodes * d->features * sizeof(real);
    return x + (double)csr_nnz(&d->graph) * sizeof(int) + (double)d->nodes * (8 + (d->ym ? d->classes : 4));
}

predictor *predictor_new(arena *a, const predictor_input *in)
{
    predictor *q = NEW(a, predictor, 1);
    *q = (predictor){.m = in->m, .b = batch_full(in->data, in->rows, in->nrows, in->mean, in->nmean)};
    if (problem_batch_clusters(&in->c->s) && in->c->objective->clusters) {
        q->b.cluster = in->c->s.inference != INFERENCE_RELEASE ? NEW(a, int, (size_t)in->data->nodes) : NULL;
        if (!q->b.cluster)
            release_means(a, q, in);
    }
    if (problem_blocks(in->p, &in->c->s)) {
        q->by = blocks_new(q->m, in->n, &q->b, &problem_dataset(in->p)->graph,
                           in->taken + (double)problem_bytes(in->p) + dataset_bytes(problem_dataset(in->p)),
                           memory_limit());
        q->prob = mat_new(a, in->nrows, in->m->classes);
        return q;
    }
    q->ws = workspace_new(a, program_compile(a, q->m, 0, in->policy), in->n, in->feeds);
    workspace_bind(q->ws, &q->b);
    q->prob = q->ws->prob;
    return q;
}

void predictor_run(predictor *q)
{
    if (q->by) {
        blocks_predict(q->prob, &q->loss, q->by);
        return;
    }
    workspace_forward(q->ws, 0);
    q->loss = q->ws->loss;
}

void predictor_free(predictor *q)
{
    if (q->by)
        blocks_free(q->by);
    q->by = NULL;
}
