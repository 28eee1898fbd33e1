/* calibration: how well the probabilities of a trained network fit its test nodes, predicted in three ways.
 *
 *   plain    as the objective predicts: CE softmax(a), JC the marginals of softmax(a) over the joint classes
 *   scaled   after one temperature, fitted on the validation nodes by NLL (metric_temperature): p^(1/T), normalised
 *   at_tau   JC only: the marginals of softmax(a / tau), the probabilities that training uses; NaN for an objective
 *            without tau */
#ifndef JCB_CALIBRATION_H
#define JCB_CALIBRATION_H

#include "../data/split.h"
#include "../kernel/mat.h"
#include "metric.h"

struct trainer;

typedef struct calibration {
    int measured; /* 0: not requested, the other fields are not set */
    metric_calibration predicted;
    metric_scores at_tau;
} calibration;

/* Of the (first) chosen parameters, after trainer_fit has returned with status "ok". Does not train; t->test->prob is
 * unchanged. Dies for a loss with Correct & Smooth, whose scores are no probabilities. */
void calibration_measure(calibration *c, struct trainer *t);

/* plain and scaled from the class probabilities of all nodes, from any method; at_tau is NaN. */
void calibration_of(calibration *c, mat prob, const int *y, const split *part);

#endif
