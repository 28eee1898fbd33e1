/* trainer: one run of one network: draw the split, initialise, train, choose the epoch on validation nodes, test once.
 * Methods that are not one network, and the choice between them: train/method/method.h. */
#ifndef JCB_TRAINER_H
#define JCB_TRAINER_H

#include "../data/split.h"
#include "calibration.h"
#include "metric.h"
#include "../net/workspace.h"
#include "predict.h"
#include "sampler.h"

typedef struct outcome {
    double val_score;    /* what chose the epoch */
    metrics val, test;   /* of the chosen epoch; with select=each macro_f1 and weighted_f1 are of epochs of their own */
    double train_loss;   /* of the chosen epoch */
    double val_loss;     /* on validation nodes */
    double test_loss;    /* on test nodes; NaN without any */
    int epochs;          /* that were trained */
    int best_epoch;      /* the chosen one, counted from 1 */
    int threads;         /* of the run */
    double seconds;      /* of training with validation */
    double epoch_ms;     /* the same for one epoch, in milliseconds */
    double infer_ms;     /* predicting the test nodes once */
    size_t bytes;        /* live in buffers while training */
    uint64_t param_hash; /* of the (first) chosen parameters, which the trainer's net holds at the end */
    calibration calibration; /* set by calibration_measure */
    char smooth[80];         /* chosen parameters of Correct & Smooth; "-": none */
    char status[64];         /* "ok" or "failed:..." */
} outcome;

/* The end of every run: turns "ok" into "failed:..." unless an epoch was chosen and all numbers are finite. tested:
 * there are test nodes; probabilities: what was predicted are such, so that their losses are defined (NaN otherwise).
 */
void outcome_settle(outcome *o, int tested, int probabilities);

/* Parameters of the epoch that is best by one measure on validation nodes. */
typedef struct choice {
    enum spec_select by; /* the measure; not SELECT_EACH */
    double score;        /* the best so far */
    double loss;         /* SELECT_ACC_OR_LOSS: the lowest so far, score being the best accuracy */
    int epoch;           /* the chosen one, counted from 1; 0: none yet */
    double train_loss;   /* of the chosen epoch */
    real *w;             /* its parameters */
} choice;

enum { CHOICES = 3 };

typedef struct trainer {
    arena a; /* holds the trainer itself */
    const problem *p;
    cell c;
    uint64_t seed;
    int run;
    split part; /* training, validation and test nodes of the run */
    model *m;
    net net;
    choice chosen[CHOICES]; /* one; with select=each by acc, macro_f1 and weighted_f1 */
    int nchosen;
    node_data data;
    int *mean;          /* nodes of the cluster means when predicting: training and validation nodes, with
                           partition=batch training nodes only */
    int nmean;          /* length of mean */
    csr links;          /* inductive: those between training nodes */
    sampler *batches;   /* NULL: full batches */
    arena batch_memory; /* of `train` where it goes from batch to batch */
    workspace *train;   /* trains the network */
    predictor *on_val;  /* predicts the validation nodes */
    int predicted;      /* the epoch after which on_val predicted last */
    predictor *on_test; /* predicts the test nodes. Made when training has ended; its prob are the predictions of the
                           (first) chosen parameters */
    workspace *val;     /* that of on_val; NULL where it predicts in blocks */
    workspace *test;    /* that of on_test; NULL where it predicts in blocks */
    metric_work work;   /* scratch of the metrics */

    /* Called after training: predictions of all nodes that replace the network's (o may be NULL); NULL: none. */
    mat (*stage)(struct trainer *t, outcome *o);
} trainer;

split trainer_split(arena *a, const problem *p, const spec *s, uint64_t seed, int run); /* the split of a run */

/* How many runs of the spec, from run 0 on, have different test parts (split_runs); INT_MAX: no limit. */
int trainer_runs(const problem *p, const spec *s);

/* The problem must be prepared for the cell and outlive the trainer. Dies when the data do not allow the cell (no
 * training nodes, an unsuitable split, too little memory). */
trainer *trainer_new(const problem *p, const cell *c, uint64_t seed, int run);

/* From now on restricts the workspaces to these optimisations (enum policy), and training no longer reuses values of
 * the prediction before it (share.h): slower, same bits. 0: the plain meaning of the ops. */
void trainer_policy(trainer *t, enum policy policy);
void trainer_free(trainer *t);

/* One epoch, counted from 1: forward, backward, update of all parameters, for each batch. Step and epoch are the same
 * for full batches only. A full batch reuses the values of the workspace_forward(t->val, 0) before it and overwrites
 * them (share.h), so each call must follow a prediction, as in trainer_fit. With validate_every > 1 nothing is reused
 * and no prediction is needed. */
void trainer_learn(trainer *t, int epoch);

/* Trains for the spec's epochs and tests the chosen parameters. watch (or NULL) is called after each epoch. A failure
 * of the training itself, such as a loss that is not finite, is returned in o->status. Dies where memory is short or
 * the memory limit cannot be met, and for a loss NAME+cs without its stage. */
typedef void epoch_watch(void *arg, const trainer *t, int epoch);
void trainer_fit(trainer *t, outcome *o, epoch_watch *watch, void *arg);

/* For methods that choose the epoch themselves, instead of trainer_fit: tests the parameters that are now in t->net,
 * after o->epochs epochs. */
void trainer_test(trainer *t, outcome *o);

/* The factors of step number `step` (from 1) of the spec's optimiser, by weight decay group: Adam with the paper's
 * constants, or RMSprop with decay 0.99 of the squared gradients. */
void trainer_steps(adam_now now[2], const spec *s, long step);

int *trainer_labels(trainer *t, const int *rows, int n); /* of single-label data; from the trainer's arena */

/* For predicting the rows (ascending) any number of times with predictor_run. Allocates from the trainer; end with
 * predictor_free. */
predictor *trainer_predictor(trainer *t, const int *rows, int n);

/* Class probabilities of the rows (ascending), or of all nodes, by the parameters now in t->net. Allocates from the
 * trainer. */
mat trainer_predict(trainer *t, const int *rows, int n);
mat trainer_predict_all(trainer *t);

double trainer_val_acc(const trainer *t); /* accuracy (micro-F1) of the last prediction of the validation nodes */

/* The embeddings z of all nodes, in evaluation mode, by the parameters now in t->net. Allocates from the trainer. */
mat trainer_embed(trainer *t);

#endif
