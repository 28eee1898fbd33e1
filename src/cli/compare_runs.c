/* The paired runs of jcb compare: runs 0, 1, 2, ... of each loss, by worker processes (src/run/scheduler.h), recorded
 * in OUT/records/compare.tsv. The verdict is valid under repeated looks (result/anytime.h), so it is computed after
 * every run. */
#include "../base/err.h"
#include "../base/signals.h"
#include "asked.h"
#include "version.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { UNTRAINED_PAIRS = 3 }; /* more pairs of networks that were not trained enough tell nothing */

static void key_of(char key[17], const compare *c, int k, int run)
{
    const queue_cell *q = c->q.cell + k;
    q->file->kind->key(key, &c->q, q, run);
}

static int read_run(compare_run *to, const compare *c, int k, int number, const records *rec)
{
    char key[17];
    key_of(key, c, k, number);
    const record *r = records_find(rec, key);
    if (!r || !r->ok)
        return 0;
    *to = (compare_run){100 * r->number[c->ask->score], 100 * r->number[RUN_ece], 100 * r->number[RUN_val_acc],
                        (int)r->number[RUN_best_epoch], c->c[k].s.epochs};
    if (isnan(to->score))
        die("%s: no test nodes, so nothing can be compared", c->ask->dataset);
    return 1;
}

static void add_fact(compare_pairs *v, compare_fact *fact, const char *name, const char *text)
{
    fact[v->facts++] = (compare_fact){name, text};
    v->fact = fact;
}

static void put_facts(arena *a, compare_pairs *v, const compare *c)
{
    enum { FACTS = 11 };
    const asked_trial *t = &c->trial;
    compare_fact *f = NEW(a, compare_fact, FACTS);
    add_fact(v, f, "data set", c->ask->dataset);
    add_fact(v, f, "origin",
             *t->note ? arena_printf(a, "%s: %s", origin_name[t->origin], t->note) : origin_name[t->origin]);
    add_fact(v, f, "nodes", arena_printf(a, "%d", t->nodes));
    add_fact(v, f, "links", arena_printf(a, "%lld", (long long)t->links));
    add_fact(v, f, "features", arena_printf(a, "%d", t->features));
    add_fact(v, f, "preparation of features", arena_printf(a, "%s, where norm is not given", t->norm));
    add_fact(v, f, "classes", arena_printf(a, "%d", t->classes));
    add_fact(v, f, "homophily", isnan(t->homophily) ? "-" : arena_printf(a, "%.3f", t->homophily));
    add_fact(v, f, "split",
             arena_printf(a, "%s; first: %d training, %d validation, %d test nodes", t->split, t->part[TRAIN],
                          t->part[VAL], t->part[TEST]));
    add_fact(v, f, "hash of the data", arena_printf(a, "%016llx", (unsigned long long)t->hash));
    add_fact(v, f, "program", "jcbench " JCB_COMMIT);
}

/* The recorded pairs of runs 0, 1, ..., up to the first that is missing or failed. */
compare_pairs compare_read(compare *c, arena *a)
{
    const asked *ask = c->ask;
    records rec = records_read(a, c->path);
    const char *score = ask->metric;
    if (ask->score == RUN_test_acc)
        score = c->q.cell[0].multi ? "micro-F1" : "accuracy";
    compare_pairs v = {.margin = ask->margin,
                       .score = score,
                       .search = c->found,
                       .name = {ask->loss[0], ask->loss[1]},
                       .models = ask->nmodels,
                       .linear = c->trial.linear,
                       .linear_hops = c->trial.linear_hops,
                       .command = ask->command,
                       .about = arena_printf(a, "%s, %s", ask->dataset, c->model)};
    int origin = c->q.cell[0].data.origin;
    if (origin == ORIGIN_SUBSTITUTE || origin == ORIGIN_TWIN)
        v.about = arena_printf(a, "%s (%s data: nothing follows for the real %s)", v.about, origin_name[origin],
                               catalog_is_twin(ask->dataset) ? ask->dataset + 5 : ask->dataset);
    if (c->q.cell[0].max_runs < ask->runs)
        v.splits = c->q.cell[0].max_runs, v.test_train = (double)c->trial.part[TEST] / c->trial.part[TRAIN];
    for (int k = 0; k < 2; k++) {
        v.spec[k] = spec_identity(a, &c->c[k].s), v.run[k] = NEW(a, compare_run, (size_t)c->runs);
        v.point[k] = c->search[k].point, v.points[k] = c->search[k].n;
    }
    while (v.n < c->runs && read_run(v.run[0] + v.n, c, 0, v.n, &rec) && read_run(v.run[1] + v.n, c, 1, v.n, &rec))
        v.n++;
    put_facts(a, &v, c);
    return v;
}

/* Pair n was requested and is not recorded: another process has taken it. Waits a moment; if that process has ended,
 * the runs are requested again. Dies if a run of the pair failed. */
static void wait_for(compare *c, int n)
{
    arena a = {0};
    records rec = records_read(&a, c->path);
    record_file *f = c->q.file->records.f;
    for (int k = 0; k < 2; k++) {
        char key[17];
        key_of(key, c, k, n);
        const record *r = records_find(&rec, key);
        int mine = record_claim(f, key);
        if (mine)
            record_release(f, key);
        if (!mine || record_done(f, key))
            continue;
        if (r)
            die("run %d failed for %s: %s, see %s", n, c->ask->loss[k], r->status, c->path);
        c->q.cell[k].next = n;
    }
    arena_free(&a);
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
}

/* Called by the scheduler when all requested pairs have been tried: requests as many more as there are jobs, unless
 * there is a verdict. */
static int next_pairs(void *arg)
{
    compare *c = arg;
    const int jobs = c->ask->jobs > 1 ? c->ask->jobs : 1;
    arena a = {0};
    for (int k = 0; k < 2; k++) {
        if (c->q.cell[k].state != CELL_READY)
            return 0;
        c->runs = c->runs < c->q.cell[k].max_runs ? c->runs : c->q.cell[k].max_runs;
    }
    if (c->complete < 0 && c->runs < c->ask->runs)
        warn("%s has %d published splits, and so at most %d pairs of runs (--base split=redraw draws more)",
             c->ask->dataset, c->runs, c->runs);
    compare_pairs v = compare_read(c, &a);
    compare_verdict d = compare_decide(&v);
    int open = d.word == COMPARE_OPEN || !strcmp(c->ask->until, "runs") ||
               (d.word == COMPARE_UNTRAINED && v.n < UNTRAINED_PAIRS);
    int n = v.n, more = n < c->runs && open;
    if (!c->ask->quiet && n && n != c->complete)
        compare_print_line(&v, &d);
    arena_free(&a);
    if (more && n < c->at.rule.rounds && n == c->complete)
        wait_for(c, n);
    c->complete = n;
    c->at.rule.rounds = n + jobs;
    return more;
}

void compare_run_pairs(compare *c)
{
    static const bench experiment = {.name = "compare"};
    const asked *ask = c->ask;
    c->q.data = ask->data;
    c->q.out = ask->out;
    c->q.runs = c->runs;
    c->q.seed = ask->seed;
    const queue_file *f = queue_add_file(&c->q, &experiment);
    for (int k = 0; k < 2; k++)
        queue_add_cell(&c->q, f, &c->c[k])->seconds = 0; /* so that it is prepared even if --time is short */
    queue_open_records(&c->q);
    c->complete = -1;
    c->at = (scheduler){.q = &c->q,
                        .rule = {.rounds = ask->jobs > 1 ? ask->jobs : 1},
                        .jobs = ask->jobs,
                        .quiet = 1,
                        .time = c->time,
                        .local = 1,
                        .more = next_pairs,
                        .arg = c};
    scheduler_run(&c->at);
    queue_close(&c->q);
    if (c->q.cell[0].state == CELL_FAILED || c->q.cell[1].state == CELL_FAILED)
        exit(EXIT_FAILURE); /* the queue has reported why */
}
