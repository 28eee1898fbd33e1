/* queue: the cells of one or more experiments, the data they need, and which of their runs are recorded already.
 *
 * A cell is new until it is prepared: its data set is opened and what its runs read is made, when the first job needs
 * them. Then its runs are taken in order, 0, 1, 2, ..., skipping recorded ones.
 *
 * Two processes have a queue of the same cells. The scheduler's knows the records and opens no data; a worker's opens
 * data and does jobs, queue_work. What the scheduler has to know about the data of a cell comes back with the answer to
 * its preparation. Every worker opens the data of its jobs from the mapped, shared cache; what is computed once (flips
 * of an attack, partitions) exists after the preparation. */
#ifndef JCB_QUEUE_H
#define JCB_QUEUE_H

#include "../src/method/cost_model.h"
#include "../src/record/run_record.h"
#include "../src/record/spec_file.h"
#include "bench.h"
#include <limits.h>
#include <stddef.h>

typedef struct queue_set {      /* a data set or a variant of one */
    const char *name;           /* with attack and norm */
    const catalog_entry *entry; /* NULL: not in the catalogue */
    double attack_seconds;      /* estimated, to find its flips once; 0 where they are read or drawn at random */
    int busy, failed;           /* busy: a cell of it is being prepared, for the first time and by one worker only */
    uint64_t data_hash;         /* once a cell of it is prepared; 0 before */
    problem *p;                 /* of a worker; NULL: not opened */
    unsigned long used;         /* when a job of the worker needed it last */
} queue_set;

typedef struct queue_file { /* an experiment and its records */
    const bench *b;
    const struct bench_kind *kind;
    spec_file tuned;
    run_file records;
} queue_file;

/* The runs that earlier records have of a cell, if its data and partition are still the same. */
typedef struct queue_recalled {
    int known; /* 0: none */
    uint64_t data_hash, part_hash;
    uint64_t runs[2]; /* bit k % 64 of word k / 64: run k */
} queue_recalled;

enum queue_state { CELL_NEW, CELL_READY, CELL_FAILED, CELL_LEFT_OUT };

typedef struct queue_cell {
    const queue_file *file;
    queue_set *set;
    spec s;
    const char *setting;
    int tuned; /* has a row in the file of tuned hyper-parameters */
    enum queue_state state;
    run_data data;          /* once it is prepared, as is nodes; 0 where the kind opens the data itself */
    int nodes, multi;       /* multi: several labels a node */
    const problem *p;       /* while a worker does a job of it: prepared for the spec */
    void *own;              /* kind->own bytes, for the kind's own data of the cell */
    double seconds;         /* of a run: estimated, then measured */
    int measured, recorded; /* recorded: rows that match this cell, counted before any data are opened */
    queue_recalled recalled;
    int next, most; /* runs below next are recorded or taken; there are `most` of them */
} queue_cell;

typedef struct queue {
    arena a;
    data_dirs dirs;
    const char *data, *out, *only, *specs;
    unsigned only_known; /* see select_cell */
    const char *command; /* of this program, which runs in processes of their own are started with; NULL: it has none */
    int runs, seed, threads, force; /* threads: of a run; 0: 1 on small graphs, the cores on large ones */
    int shorten;                    /* --short: divides the number of epochs; 0, 1: all of them */
    int part, parts;                /* of --shard; parts 0: all */
    double longest;                 /* leaves out cells of which a run takes longer, 0: none */
    queue_file *file;
    queue_set *set;
    queue_cell *cell;
    int files, sets, cells, room;
    int recall; /* 1: cells that look complete in the records are prepared last, see queue_next; -1: not any more */
    int parts_agree;     /* a partition was found to be that of the records */
    unsigned long works; /* jobs done by this worker */
    int failed;          /* cells without data, failed runs */
} queue;

/* What a run is. */
typedef struct bench_kind {
    int alone;          /* has the machine to itself, also on a small graph */
    int most;           /* runs of a cell; 0: any number */
    int reuses_splits;  /* also more runs than there are published splits */
    size_t own, result; /* bytes of queue_cell.own and of a result */
    run_file (*open)(arena *a, const char *path, const bench *b);
    /* In a worker. Fills c->own; may die. 0: the cell is left out, the summary says why. NULL: opens the problem. */
    int (*prepare)(const queue *q, queue_cell *c);
    double (*seconds)(const queue_cell *c); /* of a run, an estimate; NULL: what training takes */
    void (*key)(char out[17], const queue *q, const queue_cell *c, int run);
    /* In a worker; the result has no pointers. Dying makes the run a failure. */
    void (*run)(void *result, const queue *q, const queue_cell *c, int run);
    int (*append)(const queue *q, const queue_cell *c, int run, const void *result, int jobs); /* 1: it succeeded */
    /* Records a run that did not end; NULL: no record. */
    void (*fail)(const queue *q, const queue_cell *c, int run, const char *why, int jobs);
    void (*list)(const queue *q, queue_cell *c); /* its line of --list; NULL: hyper-parameters and data */
    /* The main function of runs that are processes of their own, see measure_process; NULL: none. */
    int (*process)(int argc, char **argv);
} bench_kind;

extern const bench_kind queue_training;

void queue_add(queue *q, const bench *b); /* the cells that --only selects; nothing is opened */
/* The same step by step, for cells that are not a table of texts. The setting must outlive the queue. */
queue_file *queue_add_file(queue *q, const bench *b);
queue_cell *queue_add_cell(queue *q, const queue_file *f, const spec *s, const char *setting);
/* recall.c */
void queue_recall(queue *q, const records *r); /* seconds and runs of the cells from earlier records */
/* Whether row i is of this experiment, data set, model, loss and setting, and succeeded; its hyper-parameters and data
 * may be others. */
int queue_looks_like(const queue_cell *c, const records *r, int i);
/* Runs 0 .. n-1 of the cell are recorded or taken. Before a cell is prepared its keys are unknown; with q->recall, what
 * the records have of it then counts as soon as they are known to be about the same data: a cell of the data set was
 * prepared and has the hash of the records, and for cells with clusters some partition has. Otherwise 0. */
int queue_next(const queue *q, const queue_cell *c);
void queue_check_recall(queue *q, const queue_cell *c); /* when the data of a cell have become known */
void queue_open_records(queue *q);
/* Opens the data set without the attack, for inspection. Returns NULL, or why it failed. */
const char *queue_open_clean(queue *q, queue_cell *c);

/* The next run, which then counts as taken, here and for other processes with the same records; c->next < c->most. -1:
 * other processes have done or claimed all that are left. Taken runs are released when they are recorded or given
 * up. */
int queue_take(queue *q, queue_cell *c);
void queue_release(queue *q, const queue_cell *c, int run);
void queue_append(queue *q, queue_cell *c, int run, const void *result, int jobs);
void queue_fail(queue *q, queue_cell *c, int run, const char *why, int jobs);
double queue_estimate(const queue_cell *c); /* seconds of a run, before one is measured */
int queue_large(const queue_cell *c);       /* whether its graph is large, by the catalogue until it is opened */
int queue_alone(const queue_cell *c);       /* whether a run has the machine to itself */
run_id queue_id(const queue *q, const queue_cell *c, int run);
/* OUT/curves/EXPERIMENT/KEY.tsv */
char *queue_curve(const queue *q, const queue_cell *c, const char *key, char path[PATH_MAX]);
/* A column of the successful runs of a cell. */
double *queue_values(int *n, queue *q, const queue_cell *c, const records *r, const char *column);
void queue_close(queue *q);

/* A job of a worker, and its answer. */
typedef struct queue_job {
    int cell, run; /* run -1: prepare the cell */
    int threads;   /* 0: all cores */
    int measured;  /* preparing: the seconds of a run are known, and short enough */
} queue_job;

typedef struct queue_answer {
    char error[400];        /* "": none */
    double seconds;         /* of the run; of a preparation: expected of a run */
    enum queue_state state; /* of a preparation, as is the rest */
    int most, nodes, multi;
    run_data data;
    max_align_t payload[]; /* what the kind keeps of a cell, or the result of the run */
} queue_answer;

size_t queue_answer_size(const queue *q);                  /* of any */
size_t queue_work(void *q, void *answer, const void *job); /* for transport_work; returns the bytes of the answer */
/* Sets the state from the answer: CELL_READY, CELL_FAILED (with a message) or CELL_LEFT_OUT. */
void queue_prepared(queue *q, queue_cell *c, const queue_answer *w);

#endif
