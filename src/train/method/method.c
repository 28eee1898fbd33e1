#include "method.h"
#include "../../net/loss/loss.h"
#include "../../base/err.h"
#include "../../base/tsv.h"
#include "net/registry.h" /* METHODS: made from the files of this directory, see src/net/local.mk */
#include <math.h>
#include <omp.h>
#include <string.h>

#define DECLARE(name) extern const method method_##name;
METHODS(DECLARE)

#define ADDRESS(name) &method_##name,
const method *const methods[] = {METHODS(ADDRESS) NULL};

struct build { /* the arguments of build_both */
    const cell *c[2];
    const dataset *d;
    model *m;
};

static void build_both(void *arg)
{
    struct build *b = arg;
    for (int k = 0; k < 2; k++)
        cell_build(b->m + k, b->c[k], b->d, PROJECT_FIRST);
}

/* Whether the network changes with the field; 1 where it cannot be built, for which there will be a message. */
static int network_reads(const cell *c, int field, const dataset *d)
{
    const dataset small = {.features = 8, .classes = 3};
    cell other = *c;
    other.s = spec_changed(&c->s, field);
    arena a = {0};
    struct build b = {{c, &other}, d ? d : &small, NEW(&a, model, 2)};
    int reads = err_try(build_both, &b) || !model_equal(b.m, b.m + 1);
    for (int k = 0; k < b.m->nparams && !strcmp(spec_name[field], "wd2"); k++)
        reads |= b.m->params[k].group == 1;
    arena_free(&a);
    return reads;
}

int method_reads(const cell *c, int field, const dataset *d)
{
    const char *name = spec_name[field];
    const method *m = c->method;
    if (tsv_lists("dataset,method,split,attack,norm", name))
        return 1;
    if (m->own_networks)
        return tsv_lists(m->reads, name);
    if (tsv_lists("model,loss,lr,wd,epochs,patience,validate_every,select,evaluate_from,optimiser,batch,inductive",
                  name))
        return 1;
    if (tsv_lists("clusters,partition,inference", name))
        return c->objective->clusters;
    return network_reads(c, field, d);
}

void method_check_given(const cell *c, int field, const dataset *d)
{
    if (method_reads(c, field, d))
        return;
    if (c->method->own_networks)
        die("%s has no effect on method %s: leave it out", spec_name[field], c->s.method);
    die("%s has no effect on %s with loss %s%s: leave it out", spec_name[field], c->s.model, c->s.loss,
        d && d->ym ? " on multi-label data" : "");
}

void method_prepare(problem *p, const cell *c)
{
    if (c->method->single && problem_dataset(p)->ym)
        die("method %s is for data with one label a node; %s has several", c->method->name, problem_dataset(p)->name);
    problem_prepare(p, c);
    if (c->method->prepare)
        c->method->prepare(p, c);
}

/* Of all nodes, by what the trainer has chosen. */
static mat predictions(arena *a, trainer *t)
{
    mat q = t->stage ? t->stage(t, NULL) : trainer_predict_all(t), out = mat_new(a, q.rows, q.cols);
    memcpy(out.v, q.v, (size_t)q.rows * (size_t)q.cols * sizeof(real));
    return out;
}

static void run_trainer(outcome *o, const problem *p, const cell *c, uint64_t seed, int run, const run_watch *w)
{
    trainer *t = c->method->trainer(p, c, seed, run);
    if (w->before)
        w->before(w->arg, t);
    trainer_fit(t, o, w->epoch, w->arg);
    if (!strcmp(o->status, "ok")) {
        if (w->calibrated)
            calibration_measure(&o->calibration, t);
        if (w->prob)
            *w->prob = predictions(w->a, t);
        if (w->after)
            w->after(w->arg, t, o);
    }
    trainer_free(t);
}

/* A method without a trainer. */
static void run_fit(outcome *o, const problem *p, const cell *c, uint64_t seed, int run, const run_watch *w)
{
    arena tmp = {0};
    mat own = {0}, *prob = w->prob ? w->prob : w->calibrated ? &own : NULL;
    if (w->before || w->epoch || w->after)
        die("%s needs a method that trains a single network; %s does not", c->experiment ? c->experiment : "this",
            c->s.method);
    c->method->fit(o, prob, w->prob ? w->a : &tmp, p, c, seed, run);
    if (w->calibrated && !strcmp(o->status, "ok")) {
        split part = trainer_split(&tmp, p, &c->s, seed, run);
        calibration_of(&o->calibration, *prob, problem_dataset(p)->y, &part);
    }
    arena_free(&tmp);
}

void method_run(outcome *o, const problem *p, const cell *c, uint64_t seed, int run, const run_watch *w)
{
    problem *own = problem_of_run(p, c, run);
    if (own && c->method->prepare)
        c->method->prepare(own, c);
    (c->method->trainer ? run_trainer : run_fit)(o, own ? own : p, c, seed, run, w);
    o->threads = omp_get_max_threads();
    if (own)
        problem_close(own);
}

void method_once(outcome *o, const problem *p, const cell *c, uint64_t seed, int run)
{
    method_run(o, p, c, seed, run, &(run_watch){0});
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
