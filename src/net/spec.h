/* spec: one row of hyper-parameters. The list below is the only place that names them: parsing, printing, hashing,
 * record columns and --help all come from it. */
#ifndef JCB_SPEC_H
#define JCB_SPEC_H

#include "../base/arena.h"
#include "../data/partition.h"
#include "../data/split_rule.h"
#include "../data/variant/variant_rule.h"
#include "batch.h"
#include <stdint.h>

/* The words of the fields that have a closed set of them: W(constant, word). */
#define SPEC_SELECT(W)                                                                                         \
    W(SELECT_ACC, "acc")                                                                                       \
    W(SELECT_MACRO_F1, "macro_f1")                                                                             \
    W(SELECT_WEIGHTED_F1, "weighted_f1")                                                                       \
    W(SELECT_LOSS, "loss")               /* of the predicted classes */                                        \
    W(SELECT_OBJECTIVE, "objective")     /* the loss of the objective itself */                                \
    W(SELECT_ACC_OR_LOSS, "acc_or_loss") /* by either, each compared with its own best: the last such epoch */ \
    W(SELECT_EACH, "each")               /* acc, macro_f1 and weighted_f1, each at an epoch of its own */
#define SPEC_INFERENCE(W) W(INFERENCE_TRAINING, "training") W(INFERENCE_RELEASE, "release")
#define SPEC_INIT(W) W(INIT_AUTO, "auto") W(INIT_GLOROT, "glorot")
#define SPEC_NORM(W) \
    W(NORM_AUTO, "auto") W(NORM_ROW, "row") W(NORM_NONE, "none") W(NORM_STANDARD, "standard") W(NORM_PYG, "pyg")
#define SPEC_OPTIMISER(W) W(OPTIMISER_ADAM, "adam") W(OPTIMISER_RMSPROP, "rmsprop")

#define SPEC_CONSTANT(constant, word) constant,
#define SPEC_NAME(constant, word) [constant] = word,
#define SPEC_BAR(constant, word) "|" word
#define SPEC_WORDS(list) (&(list(SPEC_BAR))[1]) /* "WORD|WORD|..." */

enum spec_select { SPEC_SELECT(SPEC_CONSTANT) };
enum spec_inference { SPEC_INFERENCE(SPEC_CONSTANT) };
enum spec_init { SPEC_INIT(SPEC_CONSTANT) };
enum spec_norm { SPEC_NORM(SPEC_CONSTANT) };
enum spec_optimiser { SPEC_OPTIMISER(SPEC_CONSTANT) };

/* F(type, name, default, values, help). values: a number's range, LO to HI; the words of a closed set, WORD|WORD|...;
 * or "such as VALUE|VALUE|..." where others are checked by whoever reads the text. Everything but `text` means
 * something as soon as the text is read (spec_set); no other code compares its words. */
#define SPEC_FIELDS(F)                                                                                                 \
    F(text, dataset, "cora", "such as cora", "data set of the catalogue, or a directory (your own graph)")             \
    F(text, model, "gcn", "such as gcn", "backbone: see `jcb list`")                                                   \
    F(text, loss, "ce", "such as ce", "objective: see `jcb list`")                                                     \
    F(integer, hidden, 64, "1 to 65536", "width of the hidden layers")                                                 \
    F(integer, layers, 2, "1 to 128", "number of layers")                                                              \
    F(number, dropout, 0.5, "0 to 0.99", "dropout on hidden layers")                                                   \
    F(number, lr, 0.01, "1e-9 to 100", "learning rate of Adam")                                                        \
    F(number, wd, 5e-4, "0 to 100", "L2 weight decay")                                                                 \
    F(integer, epochs, 200, "1 to 1e6", "maximum number of epochs")                                                    \
    F(integer, patience, 0, "0 to 1e6", "stop after this many epochs without improvement (0: never)")                  \
    F(integer, validate_every, 1, "1 to 1e6", "epochs from one evaluation of the validation nodes to the next")        \
    F(word, select, SELECT_ACC, SPEC_WORDS(SPEC_SELECT),                                                               \
      "what chooses the epoch on validation nodes: acc, macro_f1, weighted_f1, loss, objective, acc_or_loss, each")    \
    F(integer, clusters, 5, "1 to 1e6", "number of clusters M (joint objectives)")                                     \
    F(partition, partition, {.text = "metis"}, "such as metis|metis32|kmeans|random|metis:3|kmeans:3|random:3|batch",  \
      "clusters: metis (the paper's), metis32, kmeans, random; NAME:SEED; file:PATH; batch")                           \
    F(number, tau, 1, "1e-3 to 1e3", "temperature of the softmax while training (ce, jc and their relatives)")         \
    F(number, eps, 0.1, "0 to 1", "share of the softer label in the target (smooth, csmooth, postel)")                 \
    F(number, beta, 1, "0 to 1e6", "weight of the cluster term (mixup)")                                               \
    F(integer, hops, 2, "0 to 128", "propagations of SGC, SIGN and APPNP")                                             \
    F(integer, heads, 8, "1 to 256", "attention heads (gat)")                                                          \
    F(integer, out_heads, 1, "1 to 256", "attention heads of the output layer (gat)")                                  \
    F(number, in_dropout, 0, "0 to 0.99", "dropout on the features (gat, chebnet, gcnii, appnp, crf-gcn)")             \
    F(number, att_dropout, 0.6, "0 to 0.99", "dropout on attention (gat)")                                             \
    F(number, att_dropout2, 0.6, "0 to 0.99", "dropout on attention in the output layer (gat)")                        \
    F(integer, order, 3, "1 to 16", "polynomials of chebnet: T_0 ... T_(order-1)")                                     \
    F(number, alpha, 0.1, "0 to 1", "share of the initial residual (gcnii, appnp)")                                    \
    F(number, lambda, 0.5, "0 to 100", "decay of the identity mapping (gcnii)")                                        \
    F(number, wd2, 5e-4, "0 to 100", "weight decay of the first and last layer (gcnii), of later ones (crf-gcn)")      \
    F(integer, mean_self, 1, "0 to 1", "1: the mean over neighbours includes the node itself (sage)")                  \
    F(batch, batch, {.text = "full"}, "such as full|neighbour:64:5,5|cluster:8:2|rows:64",                             \
      "batches: full, neighbour:512:15,10, cluster:3000:20, rows:50000 (doc/manual.md, \"Batches\")")                  \
    F(integer, evaluate_from, 1, "1 to 1e6", "first epoch that is evaluated on validation nodes and may be chosen")    \
    F(integer, inductive, 0, "0 to 1",                                                                                 \
      "1: training sees only links between training nodes, features standardised by them (batches, dense features)")   \
    F(word, inference, INFERENCE_TRAINING, SPEC_WORDS(SPEC_INFERENCE),                                                 \
      "cluster means when predicting, partition=batch: training (nodes), release (inference batches; "                 \
      "doc/manual.md, \"Batches\")")                                                                                   \
    F(integer, norm_batch, 0, "0 to 1", "1: batch normalisation in hidden layers")                                     \
    F(word, init, INIT_AUTO, SPEC_WORDS(SPEC_INIT),                                                                    \
      "initial weights (gcn): auto (the authors'; glorot with norm_batch), glorot")                                    \
    F(attack, attack, {.text = "none"}, "such as none|random:0.2|random:0.2:3|random:0.2:run",                         \
      "another graph: meta:RATE (published), METHOD:RATE[:SEED], METHOD:RATE:run, file:PATH (doc/manual.md, "          \
      "\"Attacks\")")                                                                                                  \
    F(word, norm, NORM_AUTO, SPEC_WORDS(SPEC_NORM),                                                                    \
      "features: auto (the catalogue's, row for users' graphs), row (rows scaled to sum 1), none, standard (columns: " \
      "mean 0, sd 1), pyg")                                                                                            \
    F(text, method, "network", "such as network",                                                                      \
      "what is fitted: network (model and loss) or another method: see `jcb list`")                                    \
    F(word, optimiser, OPTIMISER_ADAM, SPEC_WORDS(SPEC_OPTIMISER), "adam, rmsprop")                                    \
    F(split, split, {.text = "auto"},                                                                                  \
      "such as auto|public|redraw|per-class:5:5|fraction:0.2:0.2|holdout:0.2|labels:5|redraw@1|python:5",              \
      "auto (the catalogue's), public, redraw (of the published sizes), per-class:T:V, fraction:a:b, holdout:b, "      \
      "labels:T, python:K, python:T:V (random.sample); RULE@S: split number S for all runs")

typedef const char *spec_text;
typedef int spec_integer;
typedef double spec_number;
typedef int spec_word; /* a constant of the field's enum */
typedef batch_rule spec_batch;
typedef partition_rule spec_partition;
typedef variant_rule spec_attack;
typedef split_rule spec_split;

typedef struct spec {
#define F(type, name, value, values, help) spec_##type name;
    SPEC_FIELDS(F)
#undef F
} spec;

enum {
    SPEC_COUNT = 0
#define F(type, name, value, values, help) +1
    SPEC_FIELDS(F)
#undef F
};

extern const char *const spec_name[SPEC_COUNT];
extern const char *const spec_help[SPEC_COUNT];
extern const char *const spec_values[SPEC_COUNT]; /* as in the list above */

spec spec_default(void);
int spec_field(const char *name); /* -1 when there is none */
/* Dies on an unknown name or a bad value. Texts and rules keep the pointer to the value. */
void spec_set(spec *s, const char *name, const char *value);
const char *spec_try(spec *s, const char *name, const char *value); /* NULL, or the message that spec_set dies with */
const char *spec_get(const spec *s, int field, char buf[32]); /* as text, numbers with as many digits as they need */

int spec_word_find(const char *name, const char *word); /* of the field; dies on another word */

void spec_take(spec *s, const spec *from, uint64_t fields); /* copies the fields: bit k for field k */
spec spec_changed(const spec *s, int field); /* another value of the field within its range or among its words */
void spec_check(const spec *s);              /* ranges; dies with one line */

/* The fields that differ from the defaults, except the data set, as "NAME=VALUE NAME=VALUE ...", sorted by name; ""
 * when none does. This text is the identity of a spec: a new field with a default changes no existing identity. */
const char *spec_identity(arena *a, const spec *s);

#endif
