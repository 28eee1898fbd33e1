/* The worker's side of the queue. Data are opened by the first job that needs them and closed when memory is short. */
#include "../base/err.h"
#include "../base/clock.h"
#include "../base/memory.h"
#include "queue.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SETS_SHARE = 8 /* open data sets may use 1/8 of a worker's share of the memory before the oldest is closed */
};

struct job {
    queue *q;
    queue_cell *c;
    const queue_job *job;
    queue_answer *out;
};

/* --- faults, for the tests: JCB_FAULT=KIND:DATASET:MODEL:LOSS:RUN makes the worker that gets this run misbehave --- */

static void fault(const queue_cell *c, int run)
{
    const char *wanted = getenv("JCB_FAULT");
    char here[256];
    if (!wanted)
        return;
    size_t kind = strcspn(wanted, ":");
    snprintf(here, sizeof here, ":%s:%s:%s:%d", c->cell.s.dataset, c->cell.model, c->cell.loss, run);
    if (strcmp(wanted + kind, here))
        return;
    if (!strncmp(wanted, "abort", kind))
        abort();
    if (!strncmp(wanted, "exit", kind))
        _exit(3);
    if (!strncmp(wanted, "hang", kind))
        for (;;)
            pause();
    if (!strncmp(wanted, "memory", kind))
        arena_fail_at = 1;
    if (!strncmp(wanted, "eat", kind)) { /* until the kernel ends it */
        const size_t some = (size_t)1 << 24;
        for (arena a = {0};;)
            memset(NEW(&a, char, some), 1, some);
    }
}

/* --- data --- */

static double open_bytes(const queue *q)
{
    double sum = 0;
    for (int k = 0; k < q->sets; k++)
        sum += q->set[k].p ? (double)problem_bytes(q->set[k].p) : 0;
    return sum;
}

static double sets_limit(void) { return memory_total() / SETS_SHARE / omp_get_num_procs(); }

/* Closes the least recently used sets, except for the one in use. */
static void make_space(queue *q, const queue_set *in_use)
{
    while (open_bytes(q) > sets_limit()) {
        queue_set *oldest = NULL;
        for (int k = 0; k < q->sets; k++) {
            queue_set *s = q->set + k;
            if (s->p && s != in_use && (!oldest || s->used < oldest->used))
                oldest = s;
        }
        if (!oldest)
            return;
        problem_close(oldest->p);
        oldest->p = NULL;
    }
}

static void open_problem(const struct job *j)
{
    queue_cell *c = j->c;
    c->set->used = ++j->q->works;
    if (!c->set->p) {
        make_space(j->q, c->set);
        c->set->p = problem_open(&j->q->dirs, &c->cell.s);
    }
    j->out->nodes = problem_dataset(c->set->p)->nodes;
    j->out->multi = problem_dataset(c->set->p)->ym != NULL;
}

/* --- jobs --- */

static void prepare(void *arg)
{
    const struct job *j = arg;
    queue_cell *c = j->c;
    queue_answer *w = j->out;
    const bench_kind *kind = c->file->kind;
    w->max_runs = c->max_runs;
    w->seconds = c->seconds;
    if (kind->prepare) {
        w->state = kind->prepare(j->q, c) ? CELL_READY : CELL_LEFT_OUT;
        memcpy(w->payload, c->own, kind->own);
        return;
    }
    open_problem(j);
    w->seconds = queue_estimate(c);
    w->state = !j->job->measured && j->q->longest > 0 && w->seconds > j->q->longest ? CELL_LEFT_OUT : CELL_READY;
    if (w->state == CELL_LEFT_OUT)
        return;
    method_prepare(c->set->p, &c->cell);
    w->data = run_data_of(c->set->p, &c->cell);
    int max = kind->reuses_splits ? c->max_runs : trainer_runs(c->set->p, &c->cell.s);
    w->max_runs = max < c->max_runs ? max : c->max_runs;
}

static void run(void *arg)
{
    const struct job *j = arg;
    queue_cell *c = j->c;
    if (!c->file->kind->prepare) {
        open_problem(j);
        method_prepare(c->set->p, &c->cell);
        c->p = c->set->p;
        c->data = run_data_of(c->p, &c->cell);
    }
    fault(c, j->job->run);
    double start = clock_now();
    c->file->kind->run(j->out->payload, j->q, c, j->job->run);
    j->out->seconds = clock_now() - start;
}

static size_t payload(const queue *q)
{
    size_t max = 1;
    for (int k = 0; k < q->files; k++) {
        const bench_kind *kind = q->file[k].kind;
        max = kind->own > max ? kind->own : max;
        max = kind->result > max ? kind->result : max;
    }
    return max;
}

size_t queue_answer_size(const queue *q) { return sizeof(queue_answer) + payload(q); }

size_t queue_work(void *queue_of_worker, void *answer, const void *job)
{
    queue *q = queue_of_worker;
    const queue_job *what = job;
    queue_cell *c = q->cell + what->cell;
    struct job j = {q, c, what, answer};
    memset(answer, 0, queue_answer_size(q));
    omp_set_num_threads(what->threads ? what->threads : omp_get_num_procs());
    const char *error = err_try(what->run < 0 ? prepare : run, &j);
    if (error)
        snprintf(j.out->error, sizeof j.out->error, "%s", error);
    arena_fail_at = 0;
    return sizeof(queue_answer) + (what->run < 0 ? c->file->kind->own : c->file->kind->result);
}
