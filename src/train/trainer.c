#include "trainer.h"
#include "../base/clock.h"
#include "../base/err.h"
#include "../base/hash.h"
#include "../loss/loss.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static int merge(int *out, const int *a, int na, const int *b, int nb)
{
    int n = 0;
    for (int i = 0, j = 0; i < na || j < nb;)
        out[n++] = j == nb || (i < na && a[i] < b[j]) ? a[i++] : b[j++];
    return n;
}

trainer *trainer_new(const problem *p, const spec *s, uint64_t seed, int run)
{
    spec_check(s);
    arena a = {0};
    trainer *t = NEW(&a, trainer, 1);
    *t = (trainer){.a = a, .p = p, .s = *s, .seed = seed, .run = run};
    t->part = split_draw(&t->a, p->d, strcmp(s->split, "auto") ? s->split : p->split_rule, seed, run);
    const split *q = &t->part;
    if (!q->n[TRAIN] || !q->n[VAL])
        die("%s: the split has no %s nodes", p->d->name, q->n[TRAIN] ? "validation" : "training");
    t->m = NEW(&t->a, model, 1);
    problem_model(t->m, p, s);
    t->data = problem_data(p, s);
    t->net = net_new(&t->a, t->m);
    t->best = NEW(&t->a, real, t->m->size);
    t->mean = NEW(&t->a, int, (size_t)(q->n[TRAIN] + q->n[VAL]));
    t->nmean = merge(t->mean, q->idx[TRAIN], q->n[TRAIN], q->idx[VAL], q->n[VAL]);
    task learn = {q->idx[TRAIN], q->idx[TRAIN], q->n[TRAIN], q->n[TRAIN], 1};
    task judge = {q->idx[VAL], t->mean, q->n[VAL], t->nmean, 0};
    t->train = plan_new(&t->a, t->m, &t->net, &t->data, &learn);
    t->val = plan_new(&t->a, t->m, &t->net, &t->data, &judge);
    t->train->r = rng_make(seed, (uint64_t)run, RNG_DROPOUT);
    t->work = metric_work_new(&t->a, t->m->classes);
    net_init(&t->net, seed, run);
    return t;
}

void trainer_free(trainer *t)
{
    arena a = t->a; /* t itself lives in it */
    arena_free(&a);
}

mat trainer_predict(trainer *t, const int *rows, int n)
{
    task judge = {rows, t->mean, n, t->nmean, 0};
    plan *p = plan_new(&t->a, t->m, &t->net, &t->data, &judge);
    double start = clock_now();
    plan_forward(p, 0);
    t->predict_ms = 1e3 * (clock_now() - start);
    return p->prob;
}

/* Labels of the rows, from the trainer's arena. */
static int *labels(trainer *t, const int *rows, int n)
{
    int *y = NEW(&t->a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        y[i] = t->data.y[rows[i]];
    return y;
}

/* The larger the better. */
static double score(trainer *t, const int *y)
{
    const mat *q = &t->val->prob;
    if (!strcmp(t->s.select, "acc"))
        return metric_accuracy(q->v, y, q->rows, q->cols);
    if (!strcmp(t->s.select, "loss"))
        return -t->val->loss;
    metrics m = metric_compute(NULL, q->v, y, q->rows, &t->work);
    return !strcmp(t->s.select, "macro_f1") ? m.macro_f1 : m.weighted_f1;
}

void trainer_learn(trainer *t, int epoch)
{
    static const adam paper = {0, 0.9, 0.999, 1e-8};
    adam o = paper;
    o.lr = t->s.lr;
    net *n = &t->net;
    plan_forward(t->train, (uint32_t)epoch);
    plan_backward(t->train);
    for (int k = 0; k < t->m->nparams;) { /* neighbours of one decay group in one go; running statistics are not trained */
        const param *p = t->m->params + k;
        while (k < t->m->nparams && t->m->params[k].group == p->group)
            k++;
        size_t end = k < t->m->nparams ? t->m->params[k].at : t->m->size;
        if (p->group != STATE)
            adam_step(n->w + p->at, n->g + p->at, n->mean + p->at, n->var + p->at, end - p->at, &o, p->group ? t->s.wd2 : t->s.wd, epoch);
    }
}

/* Rows of a matrix over all nodes. */
static mat pick(trainer *t, mat all, const int *rows, int n)
{
    mat m = mat_new(&t->a, n, all.cols);
    for (int i = 0; i < n; i++)
        memcpy(mat_row(m, i), mat_row(all, rows[i]), (size_t)all.cols * sizeof(real));
    return m;
}

/* Correct & Smooth over all nodes, its parameters chosen on validation nodes. */
static mat smoothed(trainer *t)
{
    int n = t->p->d->nodes, *all = NEW(&t->a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        all[i] = i;
    mat prob = trainer_predict(t, all, n);
    const int *known = smooth_known(&t->a, t->data.y, n, &t->part);
    smooth_params q = smooth_tune(&t->a, NULL, &t->p->smooth, prob, known, &t->part);
    return correct_and_smooth(&t->a, &t->p->smooth, prob, known, &t->part, &q);
}

/* The chosen parameters on validation nodes and, this once, on test nodes. */
static void judge(trainer *t, outcome *o, const int *y_val)
{
    const split *q = &t->part;
    size_t bytes = t->m->size * sizeof(real);
    memcpy(t->net.w, t->best, bytes);
    o->param_hash = hash_bytes(HASH_INIT, t->best, bytes);
    int cs = loss_smoothed(t->s.loss);
    mat all = cs ? smoothed(t) : (mat){0}, val, test = {0};
    const int *y = labels(t, q->idx[TEST], q->n[TEST]);
    val = cs ? pick(t, all, q->idx[VAL], q->n[VAL]) : trainer_predict(t, q->idx[VAL], q->n[VAL]);
    o->val = metric_compute(NULL, val.v, y_val, q->n[VAL], &t->work);
    o->val_loss = loss_nll(val, y_val);
    if (!q->n[TEST])
        return;
    test = cs ? pick(t, all, q->idx[TEST], q->n[TEST]) : trainer_predict(t, q->idx[TEST], q->n[TEST]);
    o->infer_ms = t->predict_ms;
    o->test = metric_compute(NULL, test.v, y, q->n[TEST], &t->work);
    o->test_loss = loss_nll(test, y);
}

void trainer_fit(trainer *t, outcome *o, epoch_watch *watch, void *arg)
{
    const split *q = &t->part;
    const int *y_val = labels(t, q->idx[VAL], q->n[VAL]);
    *o = (outcome){.val_score = -INFINITY, .bytes = t->a.live, .status = "ok"};
    double start = clock_now();
    for (int epoch = 1; epoch <= t->s.epochs; epoch++) {
        trainer_learn(t, epoch);
        plan_forward(t->val, 0);
        o->epochs = epoch;
        double now = score(t, y_val);
        if (!isfinite(t->train->loss) || !isfinite(now)) {
            snprintf(o->status, sizeof o->status, "failed:loss is not finite at epoch %d", epoch);
            return;
        }
        if (now > o->val_score) {
            o->val_score = now;
            o->best_epoch = epoch;
            o->train_loss = t->train->loss;
            memcpy(t->best, t->net.w, t->m->size * sizeof(real));
        }
        if (watch)
            watch(arg, t, epoch);
        if (t->s.patience && epoch - o->best_epoch >= t->s.patience)
            break;
    }
    o->seconds = clock_now() - start;
    o->epoch_ms = 1e3 * o->seconds / o->epochs;
    judge(t, o, y_val);
}

void train_once(outcome *o, const problem *p, const spec *s, uint64_t seed, int run)
{
    trainer *t = trainer_new(p, s, seed, run);
    trainer_fit(t, o, NULL, NULL);
    trainer_free(t);
}
