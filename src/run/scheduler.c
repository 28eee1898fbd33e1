#include "scheduler.h"
#include "../base/clock.h"
#include "../base/err.h"
#include "../base/signals.h"
#include "costs.h"
#include "transport.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Verdicts are recomputed when that takes less than UPDATE_SHARE of the time since the last update; less than
 * WAIT_SHARE when all runs that the orderings need have been started; at once when there is nothing else to do. */
#define UPDATE_SHARE 0.03
#define WAIT_SHARE 0.3
#define AT_ONCE 1e9

enum { RETRIES = 2 /* of a job whose worker ended */ };

/* A run, or the preparation of a cell, which precedes its first run. */
typedef struct job {
    int cell, run; /* run -1: prepare the cell */
    int alone;     /* needs a machine to itself */
    int worker;    /* -1: waiting for one */
    int lost;      /* workers that ended during it */
    double taken;
} job;

typedef struct state {
    scheduler *s;
    job *job; /* slots; cell -1: free */
    int slots;
    choice_cell *cell;
    unsigned char *busy; /* cells being prepared */
    int running;         /* jobs that have a worker */
    transport *t;
    int *has;     /* of each worker: its job; -1: idle */
    int *last;    /* of each worker: the cell of its last job; -1: none */
    int *waiting; /* jobs without a worker: those to repeat, then at most one new one; `slots` long */
    int nwaiting;
    double start, updated;
    progress line;
} state;

static choice_rule rule_now(const state *st)
{
    choice_rule r = st->s->rule;
    r.jobs = st->s->jobs;
    r.time = st->s->time > 0 ? st->s->time : INFINITY;
    r.left = r.time - (clock_now() - st->start);
    return r;
}

/* The cells as choice.h sees them. A new cell is busy while its data set is being opened for another one. */
static choice_input input_of(state *st)
{
    const queue *q = st->s->q;
    for (int k = 0; k < q->cells; k++) {
        const queue_cell *c = q->cell + k;
        choice_cell *to = st->cell + k;
        to->busy = 1;
        if (st->busy[k])
            continue;
        to->busy = c->state == CELL_NEW && c->set->busy;
        to->seconds = c->seconds + (c->nodes ? 0 : c->set->attack_seconds);
        to->alone = queue_alone(c);
        to->large = queue_large(c);
        to->next = queue_next(q, c);
        to->max_runs = c->max_runs;
        to->gone = c->state == CELL_FAILED || c->state == CELL_LEFT_OUT;
    }
    const scheduler_goals *g = st->s->goals;
    return (choice_input){st->cell, q->cells, g ? g->claim : NULL, g ? g->claims : 0};
}

static void update(state *st)
{
    double before = clock_now();
    st->s->goals->update(st->s->goals);
    st->updated = clock_now();
    st->s->updates++;
    st->s->update_seconds += st->updated - before;
}

static int update_is_due(const state *st, double share)
{
    const scheduler *s = st->s;
    if (!s->goals || !s->goals->stale(s->goals))
        return 0;
    return !s->updates || share * (clock_now() - st->updated) > s->update_seconds / s->updates;
}

/* --- progress in one line --- */

typedef struct status_line {
    int done;                  /* runs */
    const int *decided, *open; /* orderings: [0] on comparable data, [1] on stand-ins; NULL: none are tested */
    const queue_cell *cell;    /* of the job started last; NULL: none is running */
    const char *news;          /* what was decided last; NULL, "": nothing */
    int run, others;           /* run -1: the cell is being prepared; others: number of other running jobs */
    double left;               /* seconds; negative or infinite: unknown */
} status_line;

enum { STATUS_LINE = 800 };

static void status_text(char line[STATUS_LINE], const status_line *s, double elapsed)
{
    char what[160] = "", decided[96] = "", news[280] = "", others[32] = "", used[32], left[32];
    const queue_cell *c = s->cell;
    if (c && s->run >= 0)
        snprintf(what, sizeof what, "; now %s: %s %s %s #%d", c->file->b->name, c->cell.s.dataset, c->cell.model,
                 c->cell.loss, s->run);
    else if (c)
        snprintf(what, sizeof what, "; now %s: preparing the data of %s", c->file->b->name, c->cell.s.dataset);
    if (c && s->others > 0)
        snprintf(others, sizeof others, " and %d more", s->others);
    if (s->decided && s->decided[0] + s->open[0])
        snprintf(decided, sizeof decided, ", %d of %d comparisons decided", s->decided[0], s->decided[0] + s->open[0]);
    if (s->news && *s->news)
        snprintf(news, sizeof news, "; last: %s", s->news);
    clock_text(used, sizeof used, elapsed);
    clock_text(left, sizeof left, s->left);
    snprintf(line, STATUS_LINE, "%d runs%s, %s elapsed, %s left%s%s%s", s->done, decided, used, left, news, what,
             others);
}

static void show(state *st)
{
    const scheduler *s = st->s;
    int watched = s->watch && clock_now() >= s->watch->due, due = progress_is_due(&st->line);
    if (!watched && !due)
        return;
    const job *now = NULL;
    int others = -1;
    for (int i = 0; i < st->slots; i++)
        if (st->job[i].cell >= 0 && st->job[i].worker >= 0) { /* a waiting job is not shown */
            others++;
            now = !now || st->job[i].taken > now->taken ? st->job + i : now;
        }
    choice_input in = input_of(st);
    choice_rule r = rule_now(st);
    status_line p = {.done = s->done, .left = choice_left(&in, &r) / s->jobs, .others = others};
    p.left = fmin(p.left, r.left);
    if (s->goals)
        p.decided = s->goals->decided, p.open = s->goals->open, p.news = s->goals->news;
    if (now)
        p.cell = s->q->cell + now->cell, p.run = now->run;
    char line[STATUS_LINE];
    status_text(line, &p, clock_now() - st->start);
    if (due)
        progress_text(&st->line, "%s", line);
    if (watched)
        s->watch->tick(s->watch, line);
}

/* Makes a job of cell k. -1: other processes have taken all its runs. */
static int start(state *st, int k)
{
    queue *q = st->s->q;
    queue_cell *c = q->cell + k;
    int i = 0, is_new = c->state == CELL_NEW, run = is_new ? -1 : queue_take(q, c);
    if (!is_new && run < 0)
        return -1;
    while (st->job[i].cell >= 0)
        i++;
    st->job[i] = (job){
        .cell = k, .run = run, .alone = is_new ? queue_large(c) : queue_alone(c), .worker = -1, .taken = clock_now()};
    if (is_new)
        st->busy[k] = c->set->busy = 1;
    return i;
}

/* The next cell; updates the verdicts first if there would be nothing to do for the orderings, or nothing at all. */
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

/* The next job; -1: none now. */
static int next_job(state *st)
{
    if (update_is_due(st, UPDATE_SHARE))
        update(st);
    choice_rule r = rule_now(st);
    if (r.left <= 0)
        return -1;
    for (int k, i; (k = next_cell(st, &r)) >= 0;)
        if ((i = start(st, k)) >= 0)
            return i;
    return -1;
}

/* --- workers --- */

/* A worker for the job; -1: none now. A job that is alone needs an idle machine and gets its first worker, so that
 * only one worker opens large data. Other jobs prefer a worker whose last job had the same data. */
static int worker_for(const state *st, const job *b)
{
    const queue_cell *of = st->s->q->cell;
    int found = -1;
    for (int w = 0; w < st->t->workers; w++) {
        int idle = st->has[w] < 0;
        for (int v = 0; v < st->t->workers && idle; v++)
            if (v != w && st->t->host[v] == st->t->host[w] && st->has[v] >= 0)
                idle = !b->alone && !st->job[st->has[v]].alone;
        if (!idle)
            continue;
        if (b->alone || (st->last[w] >= 0 && of[st->last[w]].set == of[b->cell].set))
            return w;
        found = found < 0 ? w : found;
    }
    return found;
}

static void give(state *st, int i, int worker)
{
    const scheduler *s = st->s;
    job *b = st->job + i;
    queue_job to = {.cell = b->cell, .run = b->run, .measured = s->q->cell[b->cell].own_runs > 0};
    to.threads = s->q->threads ? s->q->threads : b->alone ? 0 : 1;
    b->worker = worker;
    st->has[worker] = i;
    st->last[worker] = b->cell;
    st->running++;
    st->t->send(st->t, worker, &to, b->run < 0 ? 0 : s->timeout);
    show(st);
}

static void forget(state *st, int i)
{
    job *b = st->job + i;
    if (b->run >= 0)
        queue_release(st->s->q, st->s->q->cell + b->cell, b->run);
    else
        st->busy[b->cell] = st->s->q->cell[b->cell].set->busy = 0;
    b->cell = -1;
}

/* Gives a job to a worker; returns 0 if there is no worker or no job. While a job that is alone waits for a machine,
 * nothing else is started. */
static int employ(state *st)
{
    if (signals_stopped()) {
        while (st->nwaiting)
            forget(st, st->waiting[--st->nwaiting]);
        return 0;
    }
    int idle = 0;
    for (int w = 0; w < st->t->workers; w++)
        idle += st->has[w] < 0;
    if (!idle)
        return 0;
    if (!st->nwaiting) {
        int i = next_job(st);
        if (i < 0)
            return 0;
        st->waiting[st->nwaiting++] = i;
    }
    int worker = worker_for(st, st->job + st->waiting[0]);
    if (worker < 0)
        return 0;
    give(st, st->waiting[0], worker);
    st->nwaiting--;
    memmove(st->waiting, st->waiting + 1, (size_t)st->nwaiting * sizeof *st->waiting);
    return 1;
}

static void run_ended(state *st, const job *b, const queue_answer *w)
{
    scheduler *s = st->s;
    queue_cell *c = s->q->cell + b->cell;
    int jobs = b->alone ? 1 : s->jobs;
    if (*w->error) {
        queue_fail(s->q, c, b->run, w->error, jobs);
        return;
    }
    costs_add(s->q, c, w->seconds);
    costs_update(s->q);
    queue_append(s->q, c, b->run, w->payload, jobs);
    s->done++;
    if (s->goals)
        s->goals->touch(s->goals, c->file->b->name);
}

/* The worker of job i ended: queues the job again, or returns 0 if it has failed. */
static int retry(state *st, int i, const char *why)
{
    job *b = st->job + i;
    const queue_cell *c = st->s->q->cell + b->cell;
    if (++b->lost > RETRIES || !strcmp(why, "timeout") || signals_stopped())
        return 0;
    if (b->run < 0)
        warn("%s: the worker that prepared it ended by %s; trying again", c->cell.s.dataset, why);
    else
        warn("%s %s %s #%d: its worker ended by %s; trying again", c->cell.s.dataset, c->cell.model, c->cell.loss,
             b->run, why);
    b->worker = -1;
    memmove(st->waiting + 1, st->waiting, (size_t)st->nwaiting * sizeof *st->waiting);
    st->waiting[0] = i;
    st->nwaiting++;
    return 1;
}

static void ended(state *st, const transport_message *m)
{
    scheduler *s = st->s;
    int i = st->has[m->worker];
    job *b = st->job + i;
    queue_cell *c = s->q->cell + b->cell;
    st->has[m->worker] = -1;
    st->running--;
    if (!m->data && retry(st, i, m->why))
        return;
    queue_answer failure = {0};
    snprintf(failure.error, sizeof failure.error, "%s", m->why);
    const queue_answer *w = m->data ? m->data : &failure;
    if (b->run < 0) {
        queue_prepared(s->q, c, w);
        s->q->failed += c->state == CELL_FAILED;
    } else if (m->data || !signals_stopped()) {
        run_ended(st, b, w);
    }
    forget(st, i);
}

static transport_work work_of(scheduler *s)
{
    return (transport_work){queue_work, s->q, sizeof(queue_job), queue_answer_size(s->q)};
}

int scheduler_serves(scheduler *s)
{
    int rank;
    transport_work w = work_of(s);
    if (transport_ranks(&rank) < 2 || rank == 0)
        return 0;
    transport_serve(&w);
    return 1;
}

static void open_transport(state *st, arena *a)
{
    scheduler *s = st->s;
    transport_work w = work_of(s);
    int rank;
    st->t = !s->local && transport_ranks(&rank) > 1 ? transport_mpi(&w) : transport_local(&w, s->jobs);
    s->jobs = st->t->workers;
    st->slots = s->jobs + 1; /* and one that waits for a machine */
    st->job = NEW(a, job, (size_t)st->slots);
    st->waiting = NEW(a, int, (size_t)st->slots);
    st->has = NEW(a, int, (size_t)s->jobs);
    st->last = NEW(a, int, (size_t)s->jobs);
    for (int i = 0; i < st->slots; i++)
        st->job[i].cell = -1;
    for (int i = 0; i < s->jobs; i++)
        st->has[i] = st->last[i] = -1;
}

/* Whether work is left that the time limit excludes. */
static int is_cut(state *st)
{
    choice_rule r = rule_now(st);
    choice_input in = input_of(st);
    r.left = r.time = INFINITY;
    return choice_next(&in, &r) != CHOICE_NONE;
}

static void count_claims(state *st)
{
    const scheduler_goals *g = st->s->goals;
    for (int k = 0; k < st->s->q->cells; k++) {
        st->cell[k].printed = g ? g->printed[k] : 1;
        st->cell[k].figure = queue_draws(st->s->q->cell + k);
    }
    for (int i = 0; g && i < g->claims; i++) {
        const choice_claim *q = g->claim + i;
        if (q->a >= 0 && q->b >= 0)
            st->cell[q->a].claims++, st->cell[q->b].claims++;
    }
}

/* Whether the caller adds work after everything is done. */
static int has_more(state *st) { return st->s->more && !signals_stopped() && !is_cut(st) && st->s->more(st->s->arg); }

void scheduler_run(scheduler *s)
{
    arena a = {0};
    state st = {.s = s, .start = clock_now()};
    transport_message m;
    open_transport(&st, &a);
    st.cell = NEW(&a, choice_cell, (size_t)s->q->cells + 1);
    st.busy = NEW(&a, unsigned char, (size_t)s->q->cells + 1);
    count_claims(&st);
    progress_start(&st.line, s->quiet);
    for (;;) {
        while (employ(&st))
            ;
        if (!st.running && !has_more(&st))
            break;
        if (st.running && st.t->receive(st.t, &m, 0.5))
            ended(&st, &m);
        show(&st);
    }
    st.t->close(st.t);
    if (s->goals)
        s->goals->update(s->goals);
    progress_clear(&st.line);
    s->cut = is_cut(&st);
    arena_free(&a);
}
