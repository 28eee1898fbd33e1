/* spec: one row of hyper-parameters. The list below is the only place that names them: parsing, printing, hashing,
 * record columns and --help all come from it. */
#ifndef JCB_SPEC_H
#define JCB_SPEC_H

#include "../base/arena.h"
#include <stdint.h>

/* F(type, name, default, help) */
#define SPEC_FIELDS(F)                                                                                                 \
    F(text, dataset, "cora", "data set of the catalogue, or a directory (your own graph)")                             \
    F(text, model, "gcn", "backbone: see `jcb list`")                                                                  \
    F(text, loss, "ce", "objective: see `jcb list`")                                                                   \
    F(integer, hidden, 64, "width of the hidden layers")                                                               \
    F(integer, layers, 2, "number of layers")                                                                          \
    F(number, dropout, 0.5, "dropout on hidden layers")                                                                \
    F(number, lr, 0.01, "learning rate of Adam")                                                                       \
    F(number, wd, 5e-4, "L2 weight decay")                                                                             \
    F(integer, epochs, 200, "maximum number of epochs")                                                                \
    F(integer, patience, 0, "stop after this many epochs without improvement (0: never)")                              \
    F(integer, validate_every, 1, "epochs from one evaluation of the validation nodes to the next")                    \
    F(text, select, "acc",                                                                                             \
      "what chooses the epoch on validation nodes: acc, macro_f1, weighted_f1, loss, objective, acc_or_loss, each")    \
    F(integer, clusters, 5, "number of clusters M (joint objectives)")                                                 \
    F(text, partition, "metis", "clusters: metis (the paper's), metis32, kmeans, random; NAME:SEED; file:PATH; batch") \
    F(number, tau, 1, "temperature of the softmax while training (ce, jc and their relatives)")                        \
    F(number, eps, 0.1, "share of the softer label in the target (smooth, csmooth, postel)")                           \
    F(number, beta, 1, "weight of the cluster term (mixup)")                                                           \
    F(integer, hops, 2, "propagations of SGC, SIGN and APPNP")                                                         \
    F(integer, heads, 8, "attention heads (gat)")                                                                      \
    F(integer, out_heads, 1, "attention heads of the output layer (gat)")                                              \
    F(number, in_dropout, 0, "dropout on the features (gat, chebnet, gcnii)")                                          \
    F(number, att_dropout, 0.6, "dropout on attention (gat)")                                                          \
    F(number, att_dropout2, 0.6, "dropout on attention in the output layer (gat)")                                     \
    F(integer, order, 3, "polynomials of chebnet: T_0 ... T_(order-1)")                                                \
    F(number, alpha, 0.1, "share of the initial residual (gcnii)")                                                     \
    F(number, lambda, 0.5, "decay of the identity mapping (gcnii)")                                                    \
    F(number, wd2, 5e-4, "weight decay of the first and last layer (gcnii)")                                           \
    F(integer, mean_self, 1, "1: the mean over neighbours includes the node itself (sage)")                            \
    F(text, batch, "full", "batches: full, neighbour:512:15,10, cluster:3000:20, rows:50000 (README, \"Batches\")")    \
    F(integer, evaluate_from, 1, "first epoch that is evaluated on validation nodes and may be chosen")                \
    F(integer, inductive, 0,                                                                                           \
      "1: training sees only links between training nodes, features standardised by them (batches, dense features)")   \
    F(text, inference, "training",                                                                                     \
      "cluster means when predicting, partition=batch: training (nodes), release (inference batches; "                 \
      "README, \"Batches\")")                                                                                          \
    F(integer, norm_batch, 0, "1: batch normalisation in hidden layers")                                               \
    F(text, init, "auto", "initial weights (gcn): auto (the authors'; glorot with norm_batch), glorot")                \
    F(text, attack, "none",                                                                                            \
      "another graph: meta:RATE (published), METHOD:RATE[:SEED], METHOD:RATE:run, file:PATH (README, \"Attacks\")")    \
    F(text, norm, "auto",                                                                                              \
      "features: auto (the catalogue's, row for users' graphs), row (rows scaled to sum 1), none, standard (columns: " \
      "mean 0, sd 1), pyg")                                                                                            \
    F(text, method, "network", "what is fitted: network (model and loss) or another method: see `jcb list`")           \
    F(text, optimiser, "adam", "adam, rmsprop")                                                                        \
    F(text, split, "auto",                                                                                             \
      "auto (the catalogue's), public, redraw (of the published sizes), per-class:T:V, fraction:a:b, holdout:b, "      \
      "labels:T; RULE@S: split number S for all runs")

typedef const char *spec_text;
typedef int spec_integer;
typedef double spec_number;

typedef struct spec {
#define F(type, name, value, help) spec_##type name;
    SPEC_FIELDS(F)
#undef F
} spec;

enum {
    SPEC_COUNT = 0
#define F(type, name, value, help) +1
    SPEC_FIELDS(F)
#undef F
};

extern const char *const spec_name[SPEC_COUNT];
extern const char *const spec_help[SPEC_COUNT];

spec spec_default(void);
int spec_field(const char *name);                             /* -1 when there is none */
void spec_set(spec *s, const char *name, const char *value);  /* dies on an unknown name or a bad value */
const char *spec_get(const spec *s, int field, char buf[32]); /* as text, numbers with as many digits as they need */
void spec_check(const spec *s);                               /* ranges; dies with one line */

/* The fields that differ from the defaults, except the data set, as "NAME=VALUE NAME=VALUE ...", sorted by name; ""
 * when none does. This text is the identity of a spec: a new field with a default changes no existing identity. */
const char *spec_identity(arena *a, const spec *s);

#endif
