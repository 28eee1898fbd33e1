/* method: what fits a problem and gives class probabilities. One file each, one row in the registry; nothing else
 * compares names of methods.
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

#include "../train/trainer.h"

typedef struct method {
    const char *name, *about;
    const char *suffix;   /* of the spec's loss, which tells rows of one name apart; NULL: none */
    int own_networks;     /* the spec's model and loss are not read */
    int single;           /* for data with one label a node only */
    const char *defaults; /* "key=value ...": where a spec of this method starts; NULL: as any other */
    double cost;          /* of a run, in runs of a network with this spec, about */
    void (*prepare)(problem *p, const spec *s); /* what fit reads beyond problem_prepare; serial; NULL: nothing */
    /* The trainer of a run, for callers that watch it; NULL: a run is not the training of one network. */
    trainer *(*trainer)(const problem *p, const spec *s, uint64_t seed, int run);
    /* One run. The problem is prepared for the spec. prob (unless NULL): what the method predicts for each node, nodes
     * x classes, from the arena. Depends on nothing but the problem, the spec, seed and run, and not on the number of
     * threads. Test labels are read by method_judge alone. What goes wrong in training is told by o->status; dies when
     * the data cannot serve the spec. */
    void (*fit)(outcome *o, mat *prob, arena *a, const problem *p, const spec *s, uint64_t seed, int run);
} method;

extern const method method_network, method_correct_smooth, method_ensemble, method_crf_gcn, method_spn, method_spn_soft,
    method_cgnf, method_gmnn;
extern const method *const methods[]; /* ends with NULL */

const method *method_find(const spec *s); /* dies listing the names */
void method_check(
    const spec *s); /* spec_check, and that method, model, loss, partition and split are known; dies with one line */

/* The spec that a text of "key=value ..." means: the defaults of its method, then what the text says. `setting` as for
 * grid_spec. */
spec method_spec(arena *a, const char **setting, const char *text, const char *where);
void method_defaults(spec *s); /* of s->method, whatever else s was but the data set */

/* What records and tables call the model and the loss. */
const char *method_model(const spec *s);
const char *method_loss(const spec *s);

void method_prepare(problem *p, const spec *s); /* everything that runs of this spec read */

problem *method_problem_of_run(const problem *p, const spec *s,
                               int run); /* problem_of_run, prepared for the method too */

/* One whole run, prob as for fit. Also where each run has a graph of its own. */
void method_run(outcome *o, mat *prob, arena *a, const problem *p, const spec *s, uint64_t seed, int run);
void method_once(outcome *o, const problem *p, const spec *s, uint64_t seed, int run); /* for the outcome alone */

/* For methods: metrics and losses of validation and test nodes from what is predicted for all nodes. */
void method_judge(outcome *o, mat prob, const problem *p, const split *part);

#endif
