/* network: a backbone with an objective, trained and tested by train/trainer.h. */
#include "method.h"
#include <string.h>

static void fit(outcome *o, mat *prob, arena *a, const problem *p, const cell *c, uint64_t seed, int run)
{
    trainer *t = trainer_new(p, c, seed, run);
    trainer_fit(t, o, NULL, NULL);
    if (prob) {
        mat q = trainer_predict_all(t);
        *prob = mat_new(a, q.rows, q.cols);
        memcpy(prob->v, q.v, (size_t)q.rows * (size_t)q.cols * sizeof(real));
    }
    trainer_free(t);
}

const method method_network = {
    .name = "network", .about = "a backbone with an objective", .cost = 1, .trainer = trainer_new, .fit = fit};
