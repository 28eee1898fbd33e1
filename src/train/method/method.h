/* method: fits a problem and returns class probabilities. One file for each, one row in the registry; only resolve.h
 * compares names.
 *
 *   network          a backbone with an objective (train/trainer.h)
 *   network, +cs     the same, then Correct & Smooth (train/smooth.h); written as a loss, NAME+cs
 *   ensemble         two networks with initial weights and dropout of their own, their probabilities averaged
 *   crf-gcn, spn, spn-soft, cgnf, gmnn   models of dependent labels, each in its file
 *
 * A method with networks of its own reads none of the spec's model and loss, which must then have their defaults;
 * records and tables call it by its name. */
#ifndef JCB_METHOD_H
#define JCB_METHOD_H

#include "../trainer.h"

typedef struct method {
    const char *name, *about;
    const char *suffix;   /* of the spec's loss, which tells rows of one name apart; NULL: none */
    int own_networks;     /* the spec's model and loss are not read */
    int full_batch;       /* trains on the whole graph: batch=full only */
    const char *reads;    /* with own networks: the fields of the spec that a run depends on, comma-joined */
    int single;           /* for data with one label a node only */
    const char *defaults; /* "key=value ...": defaults of a spec of this method; NULL: spec_default() */
    double cost;          /* estimated cost of a run, relative to a run of a network with this spec */
    /* Computes what fit reads beyond problem_prepare; called from one thread; NULL: nothing. */
    void (*prepare)(problem *p, const cell *c);
    /* The trainer of a run; NULL: a run is not the training of one network, but fit. */
    trainer *(*trainer)(const problem *p, const cell *c, uint64_t seed, int run);
    /* One run on a problem that is prepared for the cell. prob (unless NULL) gets the predicted probabilities, nodes x
     * classes, from the arena. The result depends only on problem, cell, seed and run, not on the number of threads.
     * Test labels are read by method_judge alone. A failure of training is reported in o->status; dies when the data do
     * not allow the cell. */
    void (*fit)(outcome *o, mat *prob, arena *a, const problem *p, const cell *c, uint64_t seed, int run);
} method;

extern const method method_network, method_correct_smooth; /* those that other code names */
extern const method *const methods[];                      /* ends with NULL */

/* Whether runs with this spec depend on the field: a network does if it is another one when the field is changed. d:
 * the data, NULL for any with one label a node. */
int method_reads(const cell *c, int field, const dataset *d);
void method_check_given(const cell *c, int field,
                        const dataset *d); /* dies unless method_reads, for fields of a user */

void method_prepare(problem *p, const cell *c); /* problem_prepare, and the method's own */

/* What the caller wants of a run besides its outcome. Everything may be 0. */
typedef struct run_watch {
    int calibrated;                        /* 1: o->calibration is measured */
    mat *prob;                             /* gets the predicted probabilities, nodes x classes */
    arena *a;                              /* in which *prob is */
    void *arg;                             /* of the functions below, which are for methods with a trainer only */
    void (*before)(void *arg, trainer *t); /* before training */
    epoch_watch *epoch;                    /* after each epoch */
    void (*after)(void *arg, trainer *t, const outcome *o); /* at the end, if the run is ok */
} run_watch;

/* One complete run of the cell, whoever asks for it; opens the graph of the run where each run has its own. What the
 * watch asks for is there if o->status is "ok". The problem must be prepared by method_prepare. Dies when the data do
 * not allow the cell. */
void method_run(outcome *o, const problem *p, const cell *c, uint64_t seed, int run, const run_watch *w);
void method_once(outcome *o, const problem *p, const cell *c, uint64_t seed, int run); /* for the outcome alone */

/* For methods, when o has the rest: metrics and losses of validation and test nodes from the predictions of all nodes,
 * and outcome_settle. */
void method_judge(outcome *o, mat prob, const problem *p, const split *part);

#endif
