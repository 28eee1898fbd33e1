/* The default kind of run: train, choose the epoch on validation nodes, test, and write the curve if its kind has
 * one. */
#include "../queue.h"
#include "version.h"
#include <stdio.h>
#include <string.h>

run_file training_open(arena *a, const char *path, const bench *b)
{
    return run_file_open(a, path, b->name, JCB_COMMIT, b->calibration);
}

void training_key(char out[17], const queue *q, const queue_cell *c, int run)
{
    run_id id = queue_id(q, c, run);
    run_key(out, &id);
}

struct observed { /* the argument of the callbacks */
    bench_run r;  /* first: `epoch` of a kind gets it */
    const bench_kind *kind;
};

static void before(void *arg, trainer *t)
{
    struct observed *x = arg;
    x->r.t = t;
    if (x->kind->before)
        x->kind->before(&x->r);
}

static void after(void *arg, trainer *t, const outcome *o)
{
    struct observed *x = arg;
    x->r.t = t, x->r.o = o;
    x->kind->after(&x->r);
}

void training_run(void *result, const queue *q, const queue_cell *c, int run)
{
    const bench_kind *kind = c->file->kind;
    char key[17], path[PATH_MAX];
    training_key(key, q, c, run);
    struct observed x = {{.curve = queue_curve(q, c, key, path)}, kind};
    const run_watch w = {.calibrated = c->file->b->calibration,
                         .arg = &x,
                         .before = kind->before || kind->epoch ? before : NULL,
                         .epoch = kind->epoch,
                         .after = kind->after ? after : NULL};
    method_run(result, c->p, &c->cell, (uint64_t)q->seed, run, &w);
}

int training_append(const queue *q, const queue_cell *c, int run, const void *result, int jobs)
{
    const outcome *o = result;
    run_id id = queue_id(q, c, run);
    run_file_append(&c->file->records, &id, o, jobs);
    return !strcmp(o->status, "ok");
}

void training_fail(const queue *q, const queue_cell *c, int run, const char *why, int jobs)
{
    outcome o = {.smooth = "-"};
    run_id id = queue_id(q, c, run);
    snprintf(o.status, sizeof o.status, "failed:%s", why);
    run_file_append(&c->file->records, &id, &o, jobs);
}

const bench_kind kind_training = {.name = "training", KIND_TRAINING};
