#include "calibration.h"
#include "../base/err.h"
#include "trainer.h"
#include <math.h>
#include <string.h>

static metric_scores score_at_tau(trainer *t, const int *y, int n)
{
    if (!t->test)
        die("calibration at the training temperature needs a graph that is predicted at once, not in blocks");
    t->test->at_tau = 1;
    workspace_forward(t->test, 0);
    metric_scores s = metric_score(t->test->prob.v, y, n, &t->work);
    t->test->at_tau = 0;
    workspace_forward(t->test, 0);
    return s;
}

void calibration_measure(calibration *c, trainer *t)
{
    const split *q = &t->part;
    int n = t->on_test ? q->n[TEST] : 0, has_tau = t->m->ops[t->m->nops - 1].tau > 0;
    const int *y_val = trainer_labels(t, q->idx[VAL], q->n[VAL]), *y_test = trainer_labels(t, q->idx[TEST], n);
    if (t->stage)
        die("calibration of loss %s: Correct & Smooth gives scores, not probabilities; leave +cs out", t->c.s.loss);
    predictor_run(t->on_val);
    *c = (calibration){.measured = 1, .at_tau = {NAN, NAN, NAN, NAN}};
    c->predicted =
        metric_calibrate(n ? t->on_test->prob.v : NULL, y_test, n, t->on_val->prob.v, y_val, q->n[VAL], &t->work);
    if (has_tau && n)
        c->at_tau = score_at_tau(t, y_test, n);
}

/* The rows of one part, and their labels. */
static real *pick(arena *a, int **y_of, mat prob, const int *y, const int *rows, int n)
{
    mat q = mat_new(a, n, prob.cols);
    *y_of = NEW(a, int, (size_t)n);
    for (int i = 0; i < n; i++) {
        memcpy(mat_row(q, i), mat_row(prob, rows[i]), (size_t)prob.cols * sizeof(real));
        (*y_of)[i] = y[rows[i]];
    }
    return q.v;
}

void calibration_of(calibration *c, mat prob, const int *y, const split *part)
{
    arena a = {0};
    metric_work work = metric_work_new(&a, prob.cols);
    int n = part->n[TEST], m = part->n[VAL], *y_test, *y_val;
    real *test = pick(&a, &y_test, prob, y, part->idx[TEST], n), *val = pick(&a, &y_val, prob, y, part->idx[VAL], m);
    *c = (calibration){.measured = 1, .at_tau = {NAN, NAN, NAN, NAN}};
    c->predicted = metric_calibrate(n ? test : NULL, y_test, n, val, y_val, m, &work);
    arena_free(&a);
}
