#include "pool.h"
#include "../base/clock.h"
#include "../loss/loss.h"
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { LARGE = 100000 /* nodes from which a run gets all threads */ };

typedef struct work {
    const pool *q;
    const pool_job *job;
    int n, done;
    double start;
    progress progress;
} work;

static volatile sig_atomic_t stopped;

static void on_signal(int sig)
{
    stopped = 1;
    signal(sig, SIG_DFL); /* a second one ends the program at once; nothing finished is lost */
}

void pool_catch_signals(void)
{
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
}

int pool_stopped(void)
{
    return stopped;
}

/* As measured, within a factor of about four: 20 ps for a multiply-add of dense matrices, 50 for one of sparse ones. */
double pool_cost(const problem *p, const spec *s)
{
    const dataset *d = p->d;
    arena tmp = {0};
    split q = split_draw(&tmp, d, strcmp(s->split, "auto") ? s->split : p->split_rule, 1, 0);
    double learn = q.n[TRAIN], judge = q.n[VAL];
    arena_free(&tmp);
    int gat = !strcmp(s->model, "gat"), deep = !strcmp(s->model, "gcnii"), jc = !strcmp(objective_find(s->loss)->name, "jc");
    double width = s->hidden * (gat ? s->heads : 1.0), inner = deep ? s->layers : s->layers - 2.0;
    double edges = (double)csr_nnz(&d->graph) + d->nodes, classes = d->classes;
    double dense = 4 * inner * d->nodes * width * width, sparse = 3 * (inner + 1) * edges * width * (gat ? 4 : 1);
    dense += width * (jc ? classes * classes * (6 * learn + judge) : classes * (3 * learn + judge));
    if (d->xs.rows)
        sparse += 2 * (double)csr_nnz(&d->xs) * width;
    else
        dense += 3.0 * d->nodes * d->features * width;
    double epochs = s->patience && 6 * s->patience < s->epochs ? 6 * s->patience : s->epochs;
    return epochs * (2e-11 * dense + 5e-11 * sparse) / (d->nodes < LARGE ? 1 : omp_get_num_procs());
}

static int out_of_time(const work *w)
{
    return stopped || (w->q->time > 0 && clock_now() - w->start > w->q->time);
}

/* Whether a run, as far as one can tell, ends before the time is up. */
static int fits(const work *w, int i)
{
    return !out_of_time(w) && (w->q->time <= 0 || clock_now() - w->start + *w->job[i].cost <= w->q->time);
}

static double seconds_left(const work *w, int from, int jobs)
{
    double sum = 0;
    for (int i = from; i < w->n; i++)
        sum += *w->job[i].cost;
    double left = sum / jobs, limit = w->start + w->q->time - clock_now();
    return w->q->time > 0 && limit < left ? limit : left;
}

static void run_one(work *w, int i, int jobs)
{
    const pool_job *b = w->job + i;
    outcome o;
    double start = clock_now();
    if (w->q->run)
        w->q->run(w->q->arg, i, &o);
    else
        train_once(&o, b->p, b->s, b->seed, b->run);
    double spent = clock_now() - start;
#pragma omp critical(pool_done)
    {
        w->q->done(w->q->arg, i, &o, jobs);
        *b->cost = spent;
        char what[96];
        snprintf(what, sizeof what, "%s %s %s #%d", b->s->dataset, b->s->model, b->s->loss, b->run);
        progress_show(&w->progress, ++w->done, w->n, seconds_left(w, i + 1, jobs), what);
    }
}

/* Jobs from .. to-1 side by side. */
static void run_small(work *w, int from, int to)
{
    int jobs = w->q->jobs, threads = w->q->threads ? w->q->threads : 1;
#pragma omp parallel for schedule(dynamic) num_threads(jobs)
    for (int i = from; i < to; i++) {
        omp_set_num_threads(threads);
        if (fits(w, i))
            run_one(w, i, jobs);
    }
}

int pool_run(const pool *q, const pool_job *job, int n)
{
    work w = {.q = q, .job = job, .n = n, .start = clock_now()};
    int all = q->threads ? q->threads : omp_get_num_procs();
    progress_start(&w.progress, q->quiet);
    omp_set_max_active_levels(q->threads > 1 ? 2 : 1);
    for (int i = 0; i < n && !out_of_time(&w);) {
        int end = i;
        while (end < n && job[end].p->d->nodes < LARGE)
            end++;
        if (end > i) {
            run_small(&w, i, end);
            i = end;
        } else {
            omp_set_num_threads(all);
            if (fits(&w, i))
                run_one(&w, i, 1);
            i++;
        }
    }
    progress_clear(&w.progress);
    return w.done;
}
