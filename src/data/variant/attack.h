/* attack: which links to flip so that a network trained on the graph is less accurate.
 *
 * An attack takes a target (graph, features, labels, split) and a description (method, rate, seed) and finds
 * floor(rate * links) distinct pairs u < v, prbcd at most that many: a pair that is a link is removed, one that is not
 * is added. The pairs come in the order in which they were found. Same target and description: same pairs, at any
 * number of threads. Of metaself, ameta, metatrain, metaboth, random and dice, the pairs at a smaller rate are the
 * first ones of those at a larger rate.
 *
 * All ids are rows of the data set (dataset_row in data/dataset.h). */
#ifndef JCB_ATTACK_H
#define JCB_ATTACK_H

#include "../dataset.h"
#include "variant_rule.h"

typedef struct flip {
    int u, v; /* u < v */
} flip;

typedef struct attack_target {
    int nodes, features, classes;
    csr graph; /* undirected, without loops */
    csr xs;    /* features: one of the two has rows */
    mat xd;
    const int *y; /* class of each node, -1: none */
    split part;   /* TRAIN: the labels that metattack sees. TEST: the nodes that prbcd and grbcd attack. */
} attack_target;

/* The data set's graph and features, with rows scaled to sum 1 or as they are. Dies where there are no classes or no
 * training nodes. Copies what it changes into the arena and refers to the rest. */
attack_target attack_target_of(arena *a, const dataset *d, const split *part, int scale_rows);

/* Callbacks and known results for a running attack; every field may be 0. */
typedef struct attack_watch {
    void *arg;
    void (*found)(void *arg, const flip *f, int64_t n); /* n more pairs */
    /* After every step; total counts the steps. NaN: there is no such number. accuracy: of the surrogate, on labelled
     * nodes that do not train. */
    void (*step)(void *arg, int64_t done, int64_t total, double loss, double accuracy);
    /* The first pairs, as an earlier run of the same attack found them. metaself, ameta, metatrain, metaboth and grbcd
     * take them over; the others find them again and die where they differ. */
    const flip *known;
    int64_t nknown;
} attack_watch;

typedef struct attack_job {
    const attack_target *t;
    const attack_spec *s;
    const attack_watch *w;
    flip *out;
    int64_t n, budget;
    arena a, scratch; /* for the method; attack_run frees both, also when the method dies */
} attack_job;

typedef struct attack_method {
    const char *name, *about;
    void (*run)(attack_job *j);
    /* Estimated bytes; NULL: proportional to the links. */
    double (*memory)(const attack_target *t, const attack_spec *s);
    int64_t (*max_flips)(const attack_target *t); /* largest possible number of flips; NULL: all pairs */
    double lambda;   /* metattack: attack loss = lambda training loss + (1 - lambda) loss of the other nodes */
    int approximate; /* metattack: A-Meta */
} attack_method;

extern const attack_method attack_methods[];        /* src/attack/methods.c; ends with a name of NULL */
const attack_method *attack_find(const char *name); /* dies listing the names */

enum { ATTACK_STEPS = 1000 };
void attack_check(const attack_spec *s); /* dies on options that the method does not have */

/* floor(rate * links). Dies when the rate is not positive, gives no flip, or more than the method can make. */
int64_t attack_budget(const attack_target *t, const attack_spec *s);

double attack_memory(const attack_target *t, const attack_spec *s); /* estimated bytes of attack_run */

/* The flips, from the arena; *n of them. watch may be NULL. */
flip *attack_run(arena *a, int64_t *n, const attack_target *t, const attack_spec *s, const attack_watch *watch);

/* The graph with these distinct pairs flipped. */
csr attack_apply(arena *a, const csr *graph, const flip *f, int64_t n);

/* For methods: one more pair was found. */
void attack_found(attack_job *j, int u, int v);
void attack_stepped(const attack_job *j, int64_t done, int64_t total, double loss, double accuracy);

/* Streams of random numbers: the run of rng_make(seed, run, RNG_ATTACK). */
enum attack_stream {
    ATTACK_WEIGHTS,
    ATTACK_SURROGATE,
    ATTACK_DROPOUT,
    ATTACK_PAIRS,
    ATTACK_COIN,
    ATTACK_BLOCK,
    ATTACK_SAMPLE
};

void meta_run(attack_job *j); /* meta.c */
double meta_memory(const attack_target *t, const attack_spec *s);
void draw_random(attack_job *j); /* draw.c */
void draw_dice(attack_job *j);
int64_t draw_random_most(const attack_target *t);
int64_t draw_dice_most(const attack_target *t);
void bcd_projected(attack_job *j); /* bcd.c */
void bcd_greedy(attack_job *j);
double bcd_projected_memory(const attack_target *t, const attack_spec *s);
double bcd_greedy_memory(const attack_target *t, const attack_spec *s);

#endif
