#include "scheduler.h"
#include "../src/base/clock.h"
#include "../src/base/err.h"
#include "status_line.h"
#include <math.h>
#include <string.h>

/* Verdicts are computed anew when that takes less than UPDATE_SHARE of the time since the last update; less than WAIT_SHARE when all runs that the
 * orderings asked for have been started; at once when there is nothing else to do. */
#define UPDATE_SHARE 0.03
#define WAIT_SHARE 0.3
#define AT_ONCE 1e9

/* A cell is prepared in a job of its own, before its first run is taken. */
typedef struct job {
    int cell, run; /* run -1: prepare the cell */
    double taken, start;
    arena a;
    void *result;
    const char *error;
} job;

typedef struct state {
    scheduler *s;
    job *job; /* slots; cell -1: free */
    int slots;
    choice_cell *cell;
    unsigned char *busy; /* cells being prepared */
    int running;
    double start, updated;
    progress line;
} state;

static choice_rule rule_now(const state *st)
{
    choice_rule r = st->s->rule;
    r.jobs = st->s->jobs;
    r.left = st->s->time > 0 ? st->s->time - (clock_now() - st->start) : INFINITY;
    return r;
}

/* What choice.c is to know about the cells. A cell whose data set is being read waits for that. */
static choice_input input_of(state *st)
{
    const queue *q = st->s->q;
    for (int k = 0; k < q->cells; k++) {
        const queue_cell *c = q->cell + k;
        choice_cell *to = st->cell + k;
        to->busy = 1;
        if (st->busy[k])
            continue; /* another thread writes to it */
        to->busy = c->state == CELL_NEW && c->set->busy;
        to->seconds = c->seconds + (c->set->p ? 0 : c->set->attack_seconds);
        to->alone = queue_alone(c);
        to->next = c->next;
        to->most = c->most;
        to->gone = c->state == CELL_FAILED || c->state == CELL_LEFT_OUT;
    }
    const verdicts *v = st->s->v;
    return (choice_input){st->cell, q->cells, v ? v->claim : NULL, v ? v->claims : 0};
}

static void update(state *st)
{
    double before = clock_now();
    verdicts_update(st->s->v);
    st->updated = clock_now();
    st->s->updates++;
    st->s->update_seconds += st->updated - before;
}

static int update_is_due(const state *st, double share)
{
    const scheduler *s = st->s;
    if (!s->v || !verdicts_stale(s->v))
        return 0;
    return !s->updates || share * (clock_now() - st->updated) > s->update_seconds / s->updates;
}

static void show(state *st)
{
    const scheduler *s = st->s;
    if (!progress_is_due(&st->line))
        return;
    const job *now = NULL;
    int others = -1;
    for (int i = 0; i < st->slots && others + 1 < st->running; i++)
        if (st->job[i].cell >= 0) {
            others++;
            now = !now || st->job[i].taken > now->taken ? st->job + i : now;
        }
    choice_input in = input_of(st);
    choice_rule r = rule_now(st);
    status_line p = {.done = s->done, .left = choice_left(&in, &r) / s->jobs, .others = others};
    p.left = fmin(p.left, r.left);
    if (s->v)
        p.decided = s->v->decided, p.open = s->v->open;
    if (now)
        p.cell = s->q->cell + now->cell, p.run = now->run;
    status_line_write(&st->line, &p);
}

/* The job, or -1: other processes have the runs of the cell. */
static int start(state *st, int k, int *alone)
{
    queue *q = st->s->q;
    queue_cell *c = q->cell + k;
    int i = 0, new = c->state == CELL_NEW, run = new ? -1 : queue_take(q, c);
    if (!new && run < 0)
        return -1;
    while (st->job[i].cell >= 0)
        i++;
    *alone = new ? queue_large(c) : queue_alone(c);
    st->job[i] = (job){.cell = k, .run = run, .taken = clock_now()};
    if (new)
        st->busy[k] = c->set->busy = 1;
    st->running++;
    show(st);
    return i;
}

/* The next cell, with verdicts that are as new as they need to be. */
static int next_cell(state *st, const choice_rule *r)
{
    choice_input in = input_of(st);
    choice_rule orderings = *r;
    orderings.until_decided = 1;
    int k = choice_next(&in, &orderings);
    if (k == CHOICE_NONE && update_is_due(st, WAIT_SHARE)) {
        update(st);
        k = choice_next(&in, &orderings);
    }
    if (k == CHOICE_NONE)
        k = choice_next(&in, r);
    if (k == CHOICE_NONE && update_is_due(st, AT_ONCE)) {
        update(st);
        k = choice_next(&in, r);
    }
    return k;
}

static int next_job(void *arg, int *alone)
{
    state *st = arg;
    if (update_is_due(st, UPDATE_SHARE))
        update(st);
    choice_rule r = rule_now(st);
    if (r.left <= 0)
        return WORKERS_NONE;
    for (int k, i; (k = next_cell(st, &r)) >= 0;)
        if ((i = start(st, k, alone)) >= 0)
            return i;
    return st->running ? WORKERS_WAIT : WORKERS_NONE;
}

static void run_job(void *arg, int i)
{
    state *st = arg;
    job *b = st->job + i;
    queue *q = st->s->q;
    b->start = clock_now();
    if (b->run < 0)
        queue_prepare(q, q->cell + b->cell);
    else
        queue_run(&b->result, &b->error, &b->a, q, q->cell + b->cell, b->run);
}

static void job_done(void *arg, int i, int jobs)
{
    state *st = arg;
    scheduler *s = st->s;
    job *b = st->job + i;
    queue_cell *c = s->q->cell + b->cell;
    double spent = clock_now() - b->start;
    if (b->run < 0) {
        st->busy[b->cell] = c->set->busy = 0;
        s->q->failed += c->state == CELL_FAILED;
    } else {
        c->seconds = spent;
        c->measured = 1;
        if (!(b->error && workers_stopped())) /* a signal reaches the processes of runs, too */
            queue_append(s->q, c, b->run, b->result, b->error, jobs);
        queue_release(s->q, c, b->run);
        s->done += !b->error;
        if (s->v && !b->error)
            verdicts_touch(s->v, c->file->b->name);
        arena_free(&b->a);
    }
    b->cell = -1;
    st->running--;
}

/* Whether there would be more to do if there were more time. */
static int is_cut(state *st)
{
    choice_rule r = rule_now(st);
    choice_input in = input_of(st);
    r.left = INFINITY;
    return choice_next(&in, &r) != CHOICE_NONE;
}

static void count_claims(state *st)
{
    const verdicts *v = st->s->v;
    for (int k = 0; k < st->s->q->cells; k++)
        st->cell[k].printed = !v || v->printed[k];
    for (int i = 0; v && i < v->claims; i++) {
        const choice_claim *q = v->claim + i;
        if (q->a >= 0 && q->b >= 0)
            st->cell[q->a].claims++, st->cell[q->b].claims++;
    }
}

void scheduler_run(scheduler *s)
{
    arena a = {0};
    state st = {.s = s, .start = clock_now(), .slots = s->jobs + 1}; /* one that waits to run alone */
    st.job = NEW(&a, job, (size_t)st.slots);
    st.cell = NEW(&a, choice_cell, (size_t)s->q->cells + 1);
    st.busy = NEW(&a, unsigned char, (size_t)s->q->cells + 1);
    for (int i = 0; i < st.slots; i++)
        st.job[i].cell = -1;
    count_claims(&st);
    progress_start(&st.line, s->quiet);
    workers_run(&(workers){s->jobs, s->q->threads, next_job, run_job, job_done, &st});
    if (s->v)
        verdicts_update(s->v);
    progress_clear(&st.line);
    s->cut = is_cut(&st);
    arena_free(&a);
}
