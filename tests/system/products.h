/* products: tries random combinations of hyper-parameters, networks, losses, methods, batches, attacks, data formats
 * and commands on small graphs, and checks what must hold for all of them.
 *
 * products_draw.c      draws values and combinations, from the list of fields and the registries
 * products_graph.c     draws small graphs and writes them as users' files
 * products_call.c      runs the program and reads what it prints
 * products_oracles.c   what every run must satisfy
 * products_train.c     a run and the same in another way: equal
 * products_related.c   a run and another whose result follows from it
 * products_commands.c  the other commands
 * products_effects.c   a field changes results if and only if the program says that it is read (library calls)
 * products.c           the loop, the corpus, the figures
 *
 * A case is determined by its seed and number alone, so that any of them can be repeated. */
#ifndef JCB_PRODUCTS_H
#define JCB_PRODUCTS_H

#include "../../src/base/arena.h"
#include "../../src/base/rng.h"
#include "../../src/train/method/method.h"

/* The oracles: name, what it says. */
#define ORACLES(O)                                                                                              \
    O(ends, "exit code 0, 1 or 2 in time; no signal, no sanitizer report")                                      \
    O(one_line, "a refusal is one line that names the program; a success prints warnings only")                 \
    O(left_behind, "a refused command leaves no file")                                                          \
    O(legal, "what the library's own checks allow is not refused as a wrong command line, and vice versa")      \
    O(chosen, "a chosen epoch between evaluate_from and the epochs run, at most epochs")                        \
    O(numbers, "finite scores in their ranges; null only without test nodes or for scores of Correct & Smooth") \
    O(predictions, "a row for each node, its label, probabilities that sum to 1, the printed accuracy and NLL") \
    O(threads, "the same bits at 1, 2 and 3 threads")                                                           \
    O(full, "--full: the same bits")                                                                            \
    O(memory, "--memory: the same bits or a refusal")                                                           \
    O(jobs, "--jobs 1 and 2: the same runs in the same order; run 0 is that of --runs 1")                       \
    O(observed, "--curve, --calibration, --profile and --plan change nothing; --tsv and --json print the same") \
    O(spelled, "options in another order and spelling, defaults given: the same bits")                          \
    O(saved, "a saved model predicts what was predicted when it was trained")                                   \
    O(converted, "the same bits from every data format")                                                        \
    O(files, "links repeated, reversed, loops, words for classes, CR LF, commas, headers: the same bits")       \
    O(from_spec, "the same bits from --spec FILE")                                                              \
    O(flips, "--attack file: and the graph with these links flipped: the same bits")                            \
    O(clusters, "clusters written by jcb partition and read from the file: the same bits")                      \
    O(shorter, "training that ends at the chosen epoch chooses it again")                                       \
    O(test_labels, "other labels of test nodes change no parameter, no prediction, no validation score")        \
    O(one_batch, "one batch of everything: the predictions of full batches, to rounding")                       \
    O(permuted, "nodes in another order: the same predictions, to rounding, where nothing is drawn by node")    \
    O(effect, "a field that is read changes something")                                                         \
    O(no_effect, "a field that is not read changes nothing")                                                    \
    O(records, "a recorded run is ok with a chosen epoch and finite scores, or failed with its reason")         \
    O(same_record, "jcb train gives the bits of a recorded run")                                                \
    O(winner, "jcb tune writes the point with the best recorded validation accuracy")                           \
    O(reported, "jcb check, tables, figures, report and merge succeed on the records")

enum oracle {
#define O(name, about) ORACLE_##name,
    ORACLES(O)
#undef O
        ORACLE_COUNT
};

/* ---- numbers ---- */

typedef struct draw {
    rng r;
    uint64_t stream, n; /* numbers drawn so far */
} draw;

double draw_uniform(draw *d);       /* [0, 1) */
int draw_below(draw *d, int n);     /* 0 .. n - 1 */
int draw_chance(draw *d, double p); /* 1 with probability p */

/* ---- graphs ---- */

typedef struct graph {
    int nodes, features, classes; /* features 0: none given, the identity matrix */
    int multi, dense, nsplits;
    int nlinks, *u, *v;  /* distinct, u < v */
    int *y;              /* class, -1: none; multi: NULL */
    unsigned char *ym;   /* multi: nodes x classes */
    float *x;            /* nodes x features; zeros are not written where sparse */
    unsigned char *part; /* nsplits x nodes: TRAIN, VAL, TEST, PARTS */
} graph;

graph graph_draw(arena *a, draw *d);
/* As text files. style 0: plainly; else drawn from it: repeated and reversed links, loops, words for classes, CR LF,
 * commas, headers, comments. The data are the same. */
void graph_write(const graph *g, const char *dir, uint64_t style);
graph graph_permuted(arena *a, const graph *g, draw *d, int **to); /* node i becomes (*to)[i] */
graph graph_flipped(arena *a, const graph *g, const int *u, const int *v, int n);
graph graph_other_test_labels(arena *a, const graph *g, draw *d, int run); /* of the test nodes of the run's split */
void graph_catalogue(arena *a, const char *path); /* the tree's catalogue with small numbers, for twins */
dataset graph_dataset(const graph *g);            /* name and sizes alone, for method_reads */

/* ---- commands ---- */

enum { ARGS_MAX = 200 };

typedef struct args {
    char *v[ARGS_MAX + 1]; /* ends with NULL */
    int n;
} args;

void args_add(arena *a, args *to, const char *format, ...) __attribute__((format(printf, 3, 4)));

typedef struct result {
    int code, sig, late; /* exit code; signal that ended it; stopped after the time limit */
    char *out, *err;
} result;

/* ---- cases ---- */

typedef struct combination {
    const char *value[SPEC_COUNT]; /* as given on the command line; NULL: not given */
    int illegal;                   /* some value was drawn to be refused */
    int legal;                     /* the library's checks allow it */
    const char *why;               /* why not */
    spec s;                        /* if legal */
    int reads;                     /* all given fields are read */
} combination;

typedef struct kase {
    uint64_t seed;
    long number;
    const char *kind;
    const char *drawn; /* the combination as it was drawn, "key=value ..." */
    const char *dir;   /* temporary directory of the case */
    const char *data, *graph_dir;
    arena a;
    draw d;
    graph g;
    combination c;
    int runs, train_seed;
    args said[24]; /* the commands so far */
    int nsaid, threads;
    int findings, accepted, refused;
} kase;

extern const char *products_jcb;  /* the program */
extern double products_limit;     /* seconds that a call may take */
extern const char *products_tree; /* the source tree */

/* Counts a check of the oracle; reports a finding unless `holds`. Returns holds. */
int oracle(kase *k, enum oracle o, int holds, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Runs the program with these arguments and k->threads threads, and checks ends and one_line. */
result call(kase *k, const args *what);
const char *call_path(kase *k, const char *name); /* of a file in the directory of the case */
int call_exists(const char *path);
char *call_read(arena *a, const char *path); /* "" where there is none */
void call_write(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The numbers of a run that `jcb train --json` has printed, without the time, up to the hash of the parameters; NULL:
 * no such run. */
const char *call_run(arena *a, const char *out, int run);
double call_value(const char *json, const char *name); /* NAN: null or none */
const char *call_hash(arena *a, const char *json);

void combination_draw(kase *k);                   /* a combination for the graph; avoids most refusals */
void combination_read(kase *k, const char *text); /* from "key=value ..." */
void combination_draw_fields(kase *k);            /* the same with the present method, model and loss */
void combination_check(kase *k);                  /* sets legal, why, s, reads */
void combination_set(kase *k, const char *name, const char *value); /* and checks again; NULL: unset */
const char *combination_get(const kase *k, const char *name);
int combination_default(const kase *k, const char *name); /* not given, or given as the default */
const char *combination_text(kase *k);                    /* "key=value ..." without data set, model and loss */
const char *draw_value(kase *k, int field, int *illegal); /* a value of the field; illegal may be NULL: a legal one */

/* ---- training ---- */

typedef struct trained {
    int ok;
    const char *run[8]; /* k->runs of them */
    const char *predictions, *model;
} trained;

void args_words(kase *k, args *v, const char *words);          /* adds words that are separated by blanks */
args train_on(kase *k, const char *graph_dir);                 /* jcb train --data --dataset */
args train_args(kase *k, const char *graph_dir);               /* and the combination, seed and runs */
trained train_first(kase *k, int save);                        /* with predictions, and the oracles of every run */
trained train_again(kase *k, args v, const char *predictions); /* NULL: none are written */
/* All numbers but the time, and the predictions where both were written, are equal. */
void train_same(kase *k, enum oracle o, const trained *a, const trained *b);
int train_network(const kase *k); /* the method trains one network */

/* The oracles of every successful run. predictions: the file, NULL: none. */
void check_runs(kase *k, const char *out, const char *predictions);
void check_left_behind(kase *k, const char *const *files, int n);
void records_hold(kase *k, const char *path, int tested);

/* The kinds of cases. */
typedef struct kind {
    const char *name, *about;
    int weight; /* how often, relative to the others */
    void (*run)(kase *k);
} kind;

extern const kind train_kinds[], related_kinds[], command_kinds[], effect_kinds[]; /* end with a NULL name */

#endif
