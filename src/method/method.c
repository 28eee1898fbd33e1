#include "method.h"
#include "../base/err.h"
#include "../base/guess.h"
#include "../loss/loss.h"
#include "../train/grid.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const method *const methods[] = {&method_network,
                                 &method_correct_smooth,
                                 &method_ensemble,
                                 &method_crf_gcn,
                                 &method_spn,
                                 &method_spn_soft,
                                 &method_cgnf,
                                 &method_gmnn,
                                 NULL};

static int named(const method *m, const spec *s)
{
    size_t n = strlen(s->loss), k = m->suffix ? strlen(m->suffix) : 0;
    return !strcmp(m->name, s->method) && (!k || (n > k && !strcmp(s->loss + n - k, m->suffix)));
}

static _Noreturn void unknown(const char *name)
{
    guess g = {.word = name};
    char known[512] = "", hint[80];
    for (int i = 0; methods[i]; i++) {
        size_t used = strlen(known);
        guess_try(&g, methods[i]->name);
        if (!methods[i]->suffix)
            snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", methods[i]->name);
    }
    die("unknown method '%s'%s; there are %s", name, guess_text(&g, hint), known);
}

/* A row with a suffix is the better match. */
const method *method_find(const spec *s)
{
    const method *best = NULL;
    for (int i = 0; methods[i]; i++)
        if (named(methods[i], s) && (!best || methods[i]->suffix))
            best = methods[i];
    if (!best)
        unknown(s->method);
    return best;
}

void method_check(const spec *s)
{
    const spec usual = spec_default();
    const method *m = method_find(s);
    spec_check(s);
    backbone_find(s->model);
    objective_find(s->loss);
    if (!problem_batch_clusters(s))
        partition_method(s->partition);
    split_check(s->split);
    if (m->own_networks && (strcmp(s->model, usual.model) || strcmp(s->loss, usual.loss)))
        die("method %s has networks and a loss of its own: leave model=%s and loss=%s out", m->name, s->model, s->loss);
    if (m->own_networks && strcmp(s->batch, usual.batch))
        die("method %s trains on the whole graph: leave batch=%s out", m->name, s->batch);
}

void method_defaults(arena *a, spec *s)
{
    spec now = spec_default();
    now.dataset = s->dataset, now.method = s->method;
    const method *m = method_find(&now);
    if (m->defaults)
        grid_spec(a, &now, NULL, m->defaults, m->name);
    *s = now;
}

spec method_spec(arena *a, const char **setting, const char *text, const char *where)
{
    const spec usual = spec_default();
    spec s = usual;
    grid_spec(a, &s, setting, text, where);
    if (strcmp(s.method, usual.method)) {
        method_defaults(a, &s);
        grid_spec(a, &s, setting, text, where);
    }
    return s;
}

const char *method_model(const spec *s)
{
    const method *m = method_find(s);
    return m->own_networks ? m->name : s->model;
}

const char *method_loss(const spec *s) { return method_find(s)->own_networks ? "-" : s->loss; }

void method_prepare(problem *p, const spec *s)
{
    const method *m = method_find(s);
    if (m->single && problem_dataset(p)->ym)
        die("method %s is for data with one label a node; %s has several", m->name, problem_dataset(p)->name);
    problem_prepare(p, s);
    if (m->prepare)
        m->prepare(p, s);
}

problem *method_problem_of_run(const problem *p, const spec *s, int run)
{
    const method *m = method_find(s);
    problem *own = problem_of_run(p, s, run);
    if (own && m->prepare)
        m->prepare(own, s);
    return own;
}

void method_run(outcome *o, mat *prob, arena *a, const problem *p, const spec *s, uint64_t seed, int run)
{
    problem *own = method_problem_of_run(p, s, run);
    method_find(s)->fit(o, prob, a, own ? own : p, s, seed, run);
    if (own)
        problem_close(own);
}

void method_once(outcome *o, const problem *p, const spec *s, uint64_t seed, int run)
{
    arena a = {0};
    method_run(o, NULL, &a, p, s, seed, run);
    arena_free(&a);
}

static void judge_part(metrics *m, double *loss, arena *a, mat prob, const problem *p, const int *rows, int n,
                       metric_work *work)
{
    const node_labels all = dataset_labels(problem_dataset(p)), y = labels_pick(a, &all, rows, n);
    mat q = mat_new(a, n, prob.cols);
    for (int i = 0; i < n; i++)
        memcpy(mat_row(q, i), mat_row(prob, rows[i]), (size_t)prob.cols * sizeof(real));
    *m = metric_labels(NULL, q.v, &y, n, work);
    *loss = n ? loss_of(q, &y) : NAN;
}

void method_judge(outcome *o, mat prob, const problem *p, const split *part)
{
    arena a = {0};
    metric_work work = metric_work_new(&a, prob.cols);
    judge_part(&o->val, &o->val_loss, &a, prob, p, part->idx[VAL], part->n[VAL], &work);
    judge_part(&o->test, &o->test_loss, &a, prob, p, part->idx[TEST], part->n[TEST], &work);
    arena_free(&a);
}
