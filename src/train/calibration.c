#include "calibration.h"
#include "../base/err.h"
#include "../loss/loss.h"
#include "trainer.h"
#include <math.h>

static metric_scores score_at_tau(trainer *t, const int *y, int n)
{
    if (!t->test)
        die("calibration at the training temperature wants a graph that is predicted at once, not in blocks");
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
    if (loss_smoothed(t->s.loss))
        die("calibration of loss %s: Correct & Smooth gives scores, not probabilities; leave +cs out", t->s.loss);
    predictor_run(t->on_val);
    *c = (calibration){.measured = 1, .at_tau = {NAN, NAN, NAN, NAN}};
    c->predicted = metric_calibrate(n ? t->on_test->prob.v : NULL, y_test, n, t->on_val->prob.v, y_val, q->n[VAL], &t->work);
    if (has_tau && n)
        c->at_tau = score_at_tau(t, y_test, n);
}
