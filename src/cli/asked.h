/* asked: what jcb compare is asked, and the answer to it for one model. */
#ifndef JCB_ASKED_H
#define JCB_ASKED_H

#include "../result/compare.h"
#include "../run/scheduler.h"
#include "jcb.h"

/* Searched by default, as far as a loss depends on it; dense features also with norm=standard. */
#define COMPARE_GRID \
    "lr=.005,.01,.05 wd=0,5e-4,5e-3 dropout=.2,.5,.8 hidden=64,256 tau=.1,.5,1 clusters=5,20 norm=row,none"
#define COMPARE_GRID_DENSE COMPARE_GRID ",standard"

typedef struct asked { /* the command line */
    const char *dataset, *models, *losses, *base, *grid, *data, *out, *until, *metric, *command;
    const char *loss[2];
    enum run_number score; /* the column of --metric */
    int runs, tune, seeds, seed, jobs, quiet, nmodels;
    double time, margin;
} asked;

typedef struct asked_trial { /* a worker's look at the data and at the cost of a run */
    char error[400];
    double seconds;  /* one run of each loss, together; NaN: not asked for */
    int dense;       /* the features are a dense matrix */
    int large;       /* runs use all cores */
    double linear;   /* validation accuracy of a linear model, percent; NaN: none */
    int linear_hops; /* propagations of its features: none for networks that do not read the graph */
    int nodes, features, classes, splits;
    int part[PARTS]; /* sizes of the first split */
    int64_t links;
    double homophily;
    enum origin origin;
    uint64_t hash;
    char split[64], norm[16], note[300];
} asked_trial;

typedef struct compare { /* the question for one model */
    arena a;
    const asked *ask;
    const char *model;
    double time;     /* seconds for it; 0: no limit */
    int runs;        /* --runs, limited by the published splits */
    int tune, seeds; /* points and seeds of the search that time allows */
    int finalists;   /* how many of the points got more seeds */
    cell c[2];       /* of both losses */
    asked_trial trial;
    const char *found; /* how, sentences */
    tune_found search[2];
    queue q;          /* two cells, one for each loss */
    scheduler at;     /* at.rule.rounds: pairs requested so far */
    const char *name; /* of the question: files of its own */
    const char *path; /* of the records */
    int complete;     /* complete pairs at the last call of next_pairs; -1: not called yet */
} compare;

const char *asked_base(compare *c, int k); /* hyper-parameters of loss k before the search, as text */

/* compare_search.c: a worker looks at the data; then hyper-parameters of both losses are searched with the same
 * budget, in about a third of c->time. Exits when a signal ends the search. */
void compare_look(compare *c);
void compare_search(compare *c);

/* compare_runs.c: paired runs until there is a verdict, --runs, or the end of c->time; and what is recorded of them. */
void compare_run_pairs(compare *c);
compare_pairs compare_read(compare *c, arena *a);

#endif
