/* The default kind of run: train, choose the epoch on validation nodes, test, and write the curve if its kind has
 * one. */
#include "../queue.h"
#include "../../src/base/err.h"
#include "version.h"
#include <omp.h>
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

/* A method without a trainer: its training cannot be observed. */
static void run_without_trainer(outcome *o, const queue *q, const queue_cell *c, int run)
{
    const bench *b = c->file->b;
    const bench_kind *kind = c->file->kind;
    arena a = {0};
    mat prob;
    if (kind->before || kind->epoch || kind->after)
        die("%s needs a method that trains a single network; %s does not", b->name, c->cell.s.method);
    method_run(o, b->calibration ? &prob : NULL, &a, c->p, &c->cell, (uint64_t)q->seed, run);
    if (b->calibration && !strcmp(o->status, "ok")) {
        split part = trainer_split(&a, c->p, &c->cell.s, (uint64_t)q->seed, run);
        calibration_of(&o->calibration, prob, problem_dataset(c->p)->y, &part);
    }
    arena_free(&a);
}

void training_run(void *result, const queue *q, const queue_cell *c, int run)
{
    const bench_kind *kind = c->file->kind;
    char key[17], path[PATH_MAX];
    outcome *o = result;
    const method *m = c->cell.method;
    if (!m->trainer) {
        run_without_trainer(o, q, c, run);
        o->threads = omp_get_max_threads();
        return;
    }
    problem *own = method_problem_of_run(c->p, &c->cell, run);
    trainer *t = m->trainer(own ? own : c->p, &c->cell, (uint64_t)q->seed, run);
    training_key(key, q, c, run);
    bench_run r = {t, o, queue_curve(q, c, key, path), NULL};
    if (kind->before)
        kind->before(&r);
    trainer_fit(t, o, kind->epoch, &r);
    o->threads = omp_get_max_threads();
    if (c->file->b->calibration && !strcmp(o->status, "ok"))
        calibration_measure(&o->calibration, t);
    if (kind->after && !strcmp(o->status, "ok"))
        kind->after(&r);
    trainer_free(t);
    if (own)
        problem_close(own);
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
