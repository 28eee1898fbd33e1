/* trainer: one run of one network: draw the split, initialise, train, choose the epoch on validation nodes, test once.
 * Which runs are such, and all others: method/method.h. */
#ifndef JCB_TRAINER_H
#define JCB_TRAINER_H

#include "../data/split.h"
#include "calibration.h"
#include "metric.h"
#include "../model/workspace.h"
#include "predict.h"
#include "sampler.h"

typedef struct outcome {
    double val_score;  /* what chose the epoch */
    metrics val, test; /* of the chosen epoch; with select=each macro_f1 and weighted_f1 are of epochs of their own */
    double train_loss, val_loss, test_loss;
    int epochs, best_epoch;   /* epochs counted from 1 */
    int threads;              /* that the run had */
    double seconds, epoch_ms; /* of training with validation */
    double infer_ms;          /* predicting the test nodes once */
    size_t bytes;             /* live in buffers while training */
    uint64_t param_hash;      /* of the (first) chosen parameters, which the trainer's net holds at the end */
    calibration calibration;  /* where calibration_measure was asked for it */
    char smooth[80];          /* chosen parameters of Correct & Smooth; "-": none */
    char status[64];          /* "ok" or "failed:..." */
} outcome;

/* Parameters of the epoch that is best by one measure on validation nodes. */
typedef struct choice {
    const char *by; /* acc, macro_f1, weighted_f1, loss, objective or acc_or_loss */
    double score;   /* the best so far */
    double loss;    /* acc_or_loss: the lowest so far, score being the best accuracy */
    int epoch;
    double train_loss;
    real *w;
} choice;

enum { CHOICES = 3 };

typedef struct trainer {
    arena a;
    const problem *p;
    spec s;
    uint64_t seed;
    int run;
    split part;
    model *m;
    net net;
    choice chosen[CHOICES]; /* one; with select=each by acc, macro_f1 and weighted_f1 */
    int nchosen;
    node_data data;
    int *mean, nmean;   /* training and validation nodes: what cluster means are made of when predicting; training nodes
                           where batches deal the clusters */
    csr links;          /* inductive: those between training nodes */
    sampler *batches;   /* NULL: full batches */
    arena batch_memory; /* of `train` where it goes from batch to batch */
    workspace *train;
    predictor *on_val, *on_test; /* of validation and test nodes; on_test is made when training has ended: its prob are
                                    what the (first) chosen parameters predict */
    workspace *val, *test;       /* of the two, NULL where they predict in blocks */
    metric_work work;
    mat (*stage)(struct trainer *t, outcome *o); /* after training: what is predicted for all nodes, instead of the
                                                    network's probabilities (o may be NULL); NULL: none */
} trainer;

split trainer_split(arena *a, const problem *p, const spec *s, uint64_t seed, int run); /* that of a run */

/* How many runs of the spec, from run 0 on, may be counted as runs of their own (split_runs); INT_MAX: any number. */
int trainer_runs(const problem *p, const spec *s);

/* The problem must be prepared for the spec. dies when the data cannot serve it. */
trainer *trainer_new(const problem *p, const spec *s, uint64_t seed, int run);

/* From now on only what the policy allows, and training takes nothing from the prediction before it: slower, same bits.
 * 0: the plain meaning of the ops. */
void trainer_policy(trainer *t, enum policy policy);
void trainer_free(trainer *t);

/* One epoch, counted from 1: forward, backward, update of all parameters, for each batch. Step and epoch are the same
 * for full batches only. A full batch starts from what workspace_forward(t->val, 0) has left, and writes over it:
 * predict before each (trainer_fit does), unless validate_every > 1: then it starts from nothing but the parameters. */
void trainer_learn(trainer *t, int epoch);

/* watch, when given, is called after each epoch. Returns through the outcome; never dies, but for a loss NAME+cs
 * without its stage. */
typedef void epoch_watch(void *arg, const trainer *t, int epoch);
void trainer_fit(trainer *t, outcome *o, epoch_watch *watch, void *arg);

/* For methods with a rule of their own instead of trainer_fit, after o->epochs epochs: the parameters now in t->net are
 * chosen, and tested. */
void trainer_test(trainer *t, outcome *o);

/* The step of the spec's optimiser (Adam with the paper's constants; RMSprop with decay 0.99 of the squares), by decay
 * group; steps count from 1. */
void trainer_steps(adam_now now[2], const spec *s, long step);

int *trainer_labels(trainer *t, const int *rows, int n); /* of single-label data; from the trainer's arena */

/* For predicting the rows (ascending) any number of times: predictor_run. Allocates from the trainer; predictor_free
 * when done. */
predictor *trainer_predictor(trainer *t, const int *rows, int n);

/* Class probabilities of the rows (ascending), or of all nodes, by the parameters now in t->net. Allocates from the
 * trainer. */
mat trainer_predict(trainer *t, const int *rows, int n);
mat trainer_predict_all(trainer *t);

/* The embeddings z of all nodes, in evaluation mode, by the parameters now in t->net. Allocates from the trainer. */
mat trainer_embed(trainer *t);

#endif
