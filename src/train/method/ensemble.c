/* ensemble: two networks on the same split, with initial weights and dropout of their own, and the mean of their
 * probabilities; about the time of one network with the joint-cluster loss. Each chooses its epoch by itself. Member 0
 * is the network of method `network` with the same seed and run, bit for bit. */
#include "method.h"
#include "../../base/hash.h"
#include <string.h>

enum { MEMBERS = 2 };

static trainer *member(const problem *p, const cell *c, uint64_t seed, int run, int k)
{
    trainer *t = trainer_new(p, c, seed, run);
    uint64_t own = hash_bytes(seed, &k, sizeof k);
    if (k) {
        net_init(&t->net, own, run);
        t->train->r = rng_make(own, (uint64_t)run, RNG_DROPOUT);
    }
    return t;
}

static void fit(outcome *o, mat *prob, arena *a, const problem *p, const cell *c, uint64_t seed, int run)
{
    outcome each[MEMBERS];
    mat mean = mat_new(a, problem_dataset(p)->nodes, problem_dataset(p)->classes);
    split part = trainer_split(a, p, &c->s, seed, run);
    for (int k = 0; k < MEMBERS; k++) {
        trainer *t = member(p, c, seed, run, k);
        trainer_fit(t, &each[k], NULL, NULL);
        if (strcmp(each[k].status, "ok")) {
            *o = each[k];
            trainer_free(t);
            return;
        }
        mat q = trainer_predict_all(t);
        for (size_t i = 0; i < (size_t)q.rows * (size_t)q.cols; i++)
            mean.v[i] += q.v[i] / MEMBERS;
        trainer_free(t);
    }
    *o = each[0]; /* epochs, losses: those of the first */
    for (int k = 1; k < MEMBERS; k++) {
        o->seconds += each[k].seconds, o->epoch_ms += each[k].epoch_ms, o->infer_ms += each[k].infer_ms;
        o->param_hash = hash_bytes(o->param_hash, &each[k].param_hash, sizeof each[k].param_hash);
    }
    method_judge(o, mean, p, &part);
    o->val_score = o->val.acc;
    if (prob)
        *prob = mean;
}

const method method_ensemble = {.name = "ensemble",
                                .about = "two networks with weights of their own, probabilities averaged",
                                .full_batch = 1,
                                .single = 1,
                                .cost = MEMBERS,
                                .fit = fit};
