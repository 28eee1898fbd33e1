/* queue: the cells of one or more experiments, the data they need, and which of their runs are recorded.
 *
 * A cell is new until queue_prepare has opened its data set and made what its runs read; the data are opened when the first cell needs them. Then
 * its runs are taken in order: 0, 1, 2, ..., those that are recorded left out.
 *
 * Threads: queue_prepare and queue_run are for any thread, everything else for one at a time. Only one cell of a data set may be in queue_prepare
 * (set->busy is the caller's to set); runs of prepared cells go on meanwhile, since a cell has a copy of the problem as it was then, and what a
 * problem has it keeps (problem_prepare appends). */
#ifndef JCB_QUEUE_H
#define JCB_QUEUE_H

#include "../src/method/pool.h"
#include "../src/record/run_record.h"
#include "../src/record/spec_file.h"
#include "bench.h"
#include <limits.h>

typedef struct queue_set { /* a data set or a variant of one */
    const char *name; /* with attack and norm */
    const catalog_entry *entry; /* NULL: not in the catalogue */
    double attack_seconds;      /* that finding its flips takes, once, about; 0 where they are read or drawn */
    problem *p;                 /* NULL: not opened */
    int busy, failed;
} queue_set;

typedef struct queue_file { /* an experiment and its records */
    const bench *b;
    const struct bench_kind *kind;
    spec_file tuned;
    run_file records;
} queue_file;

enum queue_state { CELL_NEW, CELL_READY, CELL_FAILED, CELL_LEFT_OUT };

typedef struct queue_cell {
    const queue_file *file;
    queue_set *set;
    spec s;
    const char *setting;
    int tuned; /* has a row in the file of tuned hyper-parameters */
    enum queue_state state;
    const problem *p; /* prepared for the spec; NULL where the kind opens the data itself */
    void *own;        /* kind->own bytes: what it keeps of a cell */
    double seconds;   /* of a run: estimated, then measured */
    int measured, recorded; /* rows that look like runs of this cell, before anything is opened */
    int next, most;   /* runs below next are recorded or taken; there are `most` of them */
} queue_cell;

typedef struct queue {
    arena a;
    data_dirs dirs;
    const char *data, *out, *only, *specs;
    const char *command; /* of this program, which runs in processes of their own are started with; NULL: it has none */
    int runs, seed, threads, force; /* threads: of a run, 0: see workers.h */
    int shorten;                    /* --short: training takes a so-many-th of the epochs; 0, 1: all */
    int part, parts;                /* of --shard; parts 0: all */
    double longest;                 /* leaves out cells of which a run takes longer, 0: none */
    catalog catalog;
    queue_file *file;
    queue_set *set;
    queue_cell *cell;
    int files, sets, cells, room;
    int failed; /* cells without data, runs that did not end well */
} queue;

/* What a run is. */
typedef struct bench_kind {
    int alone; /* has the machine to itself, also on a small graph */
    int most;  /* runs of a cell; 0: any number */
    size_t own, result; /* bytes of what it keeps of a cell, and of a result */
    run_file (*open)(arena *a, const char *path, const bench *b);
    /* Opens what the runs of the cell read; may die. 0: the cell is left out, for a reason that the summary gives. NULL: opens the problem. */
    int (*prepare)(const queue *q, queue_cell *c);
    double (*seconds)(const queue_cell *c); /* of a run, an estimate; NULL: what training takes */
    void (*key)(char out[17], const queue *q, const queue_cell *c, int run);
    void (*run)(void *result, const queue *q, const queue_cell *c, int run); /* may die, which makes it a failure without a record */
    int (*append)(const queue *q, const queue_cell *c, int run, const void *result, int jobs); /* 1: it ended well */
    void (*list)(const queue *q, queue_cell *c); /* its line of --list; NULL: hyper-parameters and data */
    int (*process)(int argc, char **argv); /* for runs that are processes of their own: their main, see measure_process; or NULL */
} bench_kind;

extern const bench_kind queue_training;

void queue_add(queue *q, const bench *b);               /* the cells that --only selects; nothing is opened */
void queue_recall(queue *q, const records *r);          /* seconds and numbers of runs from earlier records */
void queue_open_records(queue *q);
const char *queue_open_clean(queue *q, queue_cell *c);  /* the data set as it is, whatever the attack, to look at; NULL, or why it cannot be had */
void queue_prepare(queue *q, queue_cell *c);            /* to CELL_READY, CELL_FAILED (with a message) or CELL_LEFT_OUT */
/* The next run, which then counts as taken, here and for other processes with the same records; c->next < c->most. -1: another process has done or is at
 * all that are left. Taken runs are released when they are recorded, or will not be. */
int queue_take(queue *q, queue_cell *c);
void queue_release(queue *q, const queue_cell *c, int run);
void queue_run(void **result, const char **error, arena *a, const queue *q, const queue_cell *c, int run); /* error: NULL, or why there is no result */
void queue_append(queue *q, queue_cell *c, int run, const void *result, const char *error, int jobs);
int queue_large(const queue_cell *c);                   /* whether its graph is large, by the catalogue until it is opened */
int queue_alone(const queue_cell *c);                   /* whether a run has the machine to itself */
run_id queue_id(const queue *q, const queue_cell *c, int run);
char *queue_curve(const queue *q, const queue_cell *c, const char *key, char path[PATH_MAX]); /* OUT/curves/EXPERIMENT/KEY.tsv */
double *queue_values(int *n, queue *q, const queue_cell *c, const records *r, const char *column); /* of the runs of a cell that ended well */
void queue_close(queue *q);

#endif
