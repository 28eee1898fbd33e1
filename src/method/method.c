#include "method.h"
#include "../base/err.h"
#include "../base/guess.h"
#include "../base/tsv.h"
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

/* A row with a suffix is the better match. */
const method *method_find(const spec *s)
{
    const method *best = NULL;
    guess g = {.word = s->method};
    for (int i = 0; methods[i]; i++) {
        if (named(methods[i], s) && (!best || methods[i]->suffix))
            best = methods[i];
        if (!methods[i]->suffix)
            guess_list(&g, methods[i]->name);
    }
    if (!best)
        guess_die(&g, "method", "");
    return best;
}

void method_check(const spec *s)
{
    const spec plain = spec_default();
    const method *m = method_find(s);
    spec_check(s);
    backbone_find(s->model);
    objective_find(s->loss);
    split_check(s->split);
    if (m->own_networks && (strcmp(s->model, plain.model) || strcmp(s->loss, plain.loss)))
        die("method %s has networks and a loss of its own: leave model=%s and loss=%s out", m->name, s->model, s->loss);
    if (loss_smoothed(s->loss) && !m->suffix)
        die("method %s has no Correct & Smooth after it: leave +cs out of loss=%s", m->name, s->loss);
    if (m->full_batch && s->batch.kind != BATCH_FULL)
        die("method %s trains on the whole graph: leave batch=%s out", m->name, s->batch.text);
}

struct build { /* the arguments of build_both */
    const spec *s[2];
    const dataset *d;
    model *m;
};

static void build_both(void *arg)
{
    struct build *b = arg;
    for (int k = 0; k < 2; k++)
        model_build(b->m + k, b->s[k], b->d, PROJECT_FIRST);
}

/* Whether the network changes with the field; 1 where it cannot be built, for which there will be a message. */
static int network_reads(const spec *s, int field, const dataset *d)
{
    const dataset small = {.features = 8, .classes = 3};
    const spec other = spec_changed(s, field);
    arena a = {0};
    struct build b = {{s, &other}, d ? d : &small, NEW(&a, model, 2)};
    int reads = err_try(build_both, &b) || !model_equal(b.m, b.m + 1);
    for (int k = 0; k < b.m->nparams && !strcmp(spec_name[field], "wd2"); k++)
        reads |= b.m->params[k].group == 1;
    arena_free(&a);
    return reads;
}

int method_reads(const spec *s, int field, const dataset *d)
{
    const char *name = spec_name[field];
    const method *m = method_find(s);
    if (tsv_lists("dataset,method,split,attack,norm", name))
        return 1;
    if (m->own_networks)
        return tsv_lists(m->reads, name);
    if (tsv_lists("model,loss,lr,wd,epochs,patience,validate_every,select,evaluate_from,optimiser,batch,inductive",
                  name))
        return 1;
    if (tsv_lists("clusters,partition,inference", name))
        return objective_find(s->loss)->clusters;
    return network_reads(s, field, d);
}

void method_check_given(const spec *s, int field, const dataset *d)
{
    if (method_reads(s, field, d))
        return;
    if (method_find(s)->own_networks)
        die("%s has no effect on method %s: leave it out", spec_name[field], s->method);
    die("%s has no effect on %s with loss %s%s: leave it out", spec_name[field], s->model, s->loss,
        d && d->ym ? " on multi-label data" : "");
}

void method_check_keys(const char *text, const spec *s, int n)
{
    char name[64];
    for (const char *w = text + strspn(text, " \t\r\n"); *w; w += strcspn(w, " \t\r\n"), w += strspn(w, " \t\r\n")) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(w, "="), w);
        int field = spec_field(name), reads = field < 0; /* setting=... */
        for (int i = 0; i < n && !reads; i++)
            reads = method_reads(s + i, field, NULL);
        if (!reads)
            method_check_given(s, field, NULL);
    }
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
    const spec plain = spec_default();
    spec s = plain;
    grid_spec(a, &s, setting, text, where);
    if (strcmp(s.method, plain.method)) {
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
    outcome_settle(o, part->n[TEST] > 0, 1);
    arena_free(&a);
}
