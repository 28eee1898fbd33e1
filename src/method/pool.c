#include "pool.h"
#include "../base/clock.h"
#include "../loss/loss.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 100000 /* nodes from which a run gets all threads */ };

int pool_large(int64_t nodes) { return nodes >= LARGE; }

/* --- cost --- */

struct sizes {
    double nodes, entries; /* entries: of the adjacency matrix with loops */
    double sparse,
        dense; /* non-zero features where they are sparse, all of them where they are dense; the other is 0 */
    double outputs, learn, judge; /* outputs of the head of CE */
    double joint;                 /* ... and of JC */
};

/* As measured: 20 ps for a multiply-add of dense matrices, 50 for one of sparse ones; batches, which overlap, take 5 to
 * 40 times that (HumLoc). */
static double cost_of(const struct sizes *z, const spec *s)
{
    int gat = !strcmp(s->model, "gat"), deep = !strcmp(s->model, "gcnii"), full = strncmp(s->loss, "jcf", 3),
        jc = !strncmp(s->loss, "jc", 2);
    double width = s->hidden * (gat ? s->heads : 1.0), inner = deep ? s->layers : fmax(s->layers - 2.0, 0);
    double dense = 4 * inner * z->nodes * width * width, sparse = 3 * (inner + 1) * z->entries * width * (gat ? 4 : 1);
    double joint = full ? z->joint : 2 * z->outputs;
    dense += width * (jc ? joint * (6 * z->learn + z->judge) : z->outputs * (3 * z->learn + z->judge));
    sparse += 2 * z->sparse * width;
    dense += 3 * z->dense * width;
    double epochs = s->patience && 6 * s->patience < s->epochs ? 6 * s->patience : s->epochs;
    if (strcmp(s->batch, "full"))
        epochs *= 20;
    return method_find(s)->cost * epochs * (2e-11 * dense + 5e-11 * sparse) /
           (z->nodes < LARGE ? 1 : omp_get_num_procs());
}

static double joint_outputs(double classes, int multi) { return multi ? 4 * classes : classes * classes; }

double pool_cost(const problem *p, const spec *s)
{
    const dataset *d = problem_dataset(p);
    arena tmp = {0};
    split q = split_draw(&tmp, d, problem_split_rule(p, s->split), 1, 0);
    struct sizes z = {d->nodes, (double)csr_nnz(&d->graph) + d->nodes,   0, 0, d->classes, q.n[TRAIN],
                      q.n[VAL], joint_outputs(d->classes, d->ym != NULL)};
    arena_free(&tmp);
    if (d->xs.rows)
        z.sparse = (double)csr_nnz(&d->xs);
    else
        z.dense = (double)d->nodes * d->features;
    return cost_of(&z, s);
}

/* Rows of more than 300 features are bags of words, of which one in a hundred occurs; half of the nodes of large graphs
 * train. */
double pool_cost_unopened(const catalog_entry *e, const spec *s)
{
    double all = (double)e->nodes * e->features, half = e->nodes / 2.0, few = fmin(20.0 * e->classes, half);
    struct sizes z = {e->nodes,        2.0 * (double)e->edges + e->nodes,  0, 0, e->classes, few,
                      fmin(500, half), joint_outputs(e->classes, e->multi)};
    if (e->features > 300)
        z.sparse = all / 100;
    else
        z.dense = all;
    if (pool_large(e->nodes))
        z.learn = half, z.judge = half / 2;
    return cost_of(&z, s);
}

/* --- the list --- */

typedef struct list {
    const pool *q;
    const pool_job *job;
    outcome *o;
    double *started;
    int n, at, done;
    double start;
    progress progress;
} list;

static double gone(const list *w) { return clock_now() - w->start; }

static int next_in_list(void *arg, int *alone)
{
    list *w = arg;
    double limit = w->q->time > 0 ? w->q->time : INFINITY;
    if (gone(w) > limit)
        return WORKERS_NONE;
    while (w->at < w->n && (gone(w) + *w->job[w->at].cost > limit || (w->q->take && !w->q->take(w->q->arg, w->at))))
        w->at++;
    if (w->at == w->n)
        return WORKERS_NONE;
    *alone = pool_large(problem_dataset(w->job[w->at].p)->nodes);
    return w->at++;
}

static void run_one(void *arg, int i)
{
    list *w = arg;
    const pool_job *b = w->job + i;
    w->started[i] = clock_now();
    method_once(&w->o[i], b->p, b->s, b->seed, b->run);
    w->o[i].threads = omp_get_max_threads();
}

static double seconds_left(const list *w, int jobs)
{
    double sum = 0;
    for (int i = w->at; i < w->n; i++)
        sum += *w->job[i].cost;
    double left = sum / jobs, limit = w->q->time - gone(w);
    return w->q->time > 0 && limit < left ? limit : left;
}

static void one_done(void *arg, int i, int jobs)
{
    list *w = arg;
    const pool_job *b = w->job + i;
    char what[96];
    *b->cost = clock_now() - w->started[i];
    w->q->done(w->q->arg, i, &w->o[i], jobs);
    snprintf(what, sizeof what, "%s %s %s #%d", b->s->dataset, method_model(b->s), method_loss(b->s), b->run);
    progress_show(&w->progress, ++w->done, w->n, seconds_left(w, jobs), what);
}

int pool_run(const pool *q, const pool_job *job, int n)
{
    arena a = {0};
    list w = {.q = q,
              .job = job,
              .n = n,
              .start = clock_now(),
              .o = NEW(&a, outcome, (size_t)n + 1),
              .started = NEW(&a, double, (size_t)n + 1)};
    progress_start(&w.progress, q->quiet);
    workers_run(&(workers){q->jobs, q->threads, next_in_list, run_one, one_done, &w});
    progress_clear(&w.progress);
    arena_free(&a);
    return w.done;
}
