/* CRF-GCN (Gao, Pei, Huang, KDD 2019): a GCN with a CRF layer between its two convolutions (net/backbone/crf_gcn.c,
 * net/op_crf.c), cross-entropy, and the rule of its authors: stop in epoch e (from 0) > 10 when the validation loss,
 * with its L2 term (wd / 2) |W1|^2, exceeds the mean of the 10 before; the last weights are tested. */
#include "../../base/clock.h"
#include "method.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATIENCE = 10 };

/* The first parameter is W1. */
static double penalty(const trainer *t)
{
    const param *q = t->m->params;
    double sum = 0;
    for (size_t i = 0; i < (size_t)q->rows * (size_t)q->cols; i++)
        sum += (double)t->net.w[q->at + i] * (double)t->net.w[q->at + i];
    return t->c.s.wd / 2 * sum;
}

/* loss: of the epochs 0 .. last. */
static int stops(const double *loss, int last)
{
    double sum = 0;
    for (int k = 1; last > PATIENCE && k <= PATIENCE; k++)
        sum += loss[last - k];
    return last > PATIENCE && loss[last] > sum / PATIENCE;
}

static void train(trainer *t, outcome *o)
{
    double *loss = NEW(&t->a, double, (size_t)t->c.s.epochs);
    predictor_run(t->on_val);
    double start = clock_now();
    for (int epoch = 1, stop = 0; epoch <= t->c.s.epochs && !stop; epoch++) {
        trainer_learn(t, epoch);
        predictor_run(t->on_val);
        o->epochs = epoch;
        loss[epoch - 1] = t->on_val->loss + penalty(t);
        if (!isfinite(t->train->loss) || !isfinite(loss[epoch - 1])) {
            snprintf(o->status, sizeof o->status, "failed:loss is not finite at epoch %d", epoch);
            return;
        }
        stop = stops(loss, epoch - 1);
    }
    o->seconds = clock_now() - start;
    o->epoch_ms = 1e3 * o->seconds / o->epochs;
    trainer_test(t, o);
}

static void fit(outcome *o, mat *prob, arena *a, const problem *p, const cell *c, uint64_t seed, int run)
{
    cell own = *c;
    own.backbone = &backbone_crf_gcn;
    trainer *t = trainer_new(p, &own, seed, run);
    *o = (outcome){.bytes = t->a.live, .smooth = "-", .status = "ok"};
    train(t, o);
    if (prob) {
        mat q = trainer_predict_all(t);
        *prob = mat_new(a, q.rows, q.cols);
        memcpy(prob->v, q.v, (size_t)q.rows * (size_t)q.cols * sizeof(real));
    }
    trainer_free(t);
}

const method method_crf_gcn = {.name = "crf-gcn",
                               .about = "GCN with a CRF layer, stopped by validation loss",
                               .own_networks = 1,
                               .full_batch = 1,
                               .reads = "hidden,layers,in_dropout,dropout,norm_batch,tau,lr,wd,wd2,epochs,optimiser",
                               .single = 1,
                               .cost = 3,
                               .defaults = "hidden=16 in_dropout=0.5 dropout=0.5 wd=5e-4 wd2=0 lr=0.01 epochs=200",
                               .fit = fit};
