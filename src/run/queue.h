/* queue: the cells of one or more experiments, their data, and which of their runs are recorded.
 *
 * A cell is new until it is prepared: its data set is opened, and what its runs share is computed. Then its runs are
 * taken in the order 0, 1, 2, ..., skipping recorded ones.
 *
 * The scheduler and every worker process have a queue of the same cells. The scheduler reads and writes records and
 * opens no data; a worker opens data and does jobs (queue_work). The answer to the preparation of a cell tells the
 * scheduler what it needs to know about the data. Workers open data from a shared, memory-mapped cache; what is
 * computed once (flips of an attack, partitions) is there after the preparation. */
#ifndef JCB_QUEUE_H
#define JCB_QUEUE_H

#include "../train/method/cost_model.h"
#include "run.h"
#include "run_record.h"
#include "spec_file.h"
#include "bench.h"
#include <limits.h>
#include <stddef.h>

typedef struct queue_set {      /* a data set or a variant of one */
    const char *name;           /* with attack and norm */
    const catalog_entry *entry; /* NULL: not in the catalogue */
    double attack_seconds;      /* estimated time to compute its flips; 0 if they are read or drawn at random */
    int busy;                   /* 1: a worker is preparing a cell of it; one at a time */
    int failed;                 /* 1: it cannot be opened */
    uint64_t data_hash;         /* set when a cell of it has been prepared; 0 before */
    problem *p;                 /* in a worker; NULL: not open */
    unsigned long used;         /* number of the last job that used it */
} queue_set;

typedef struct queue_file {
    const bench *b;         /* the experiment */
    const bench_kind *kind; /* how its runs are done */
    spec_file specs;        /* what was searched for it */
    run_file records;       /* its records, in the scheduler */
} queue_file;

/* The runs that earlier records have of a cell, if its data and partition are still the same. */
typedef struct queue_recalled {
    int known;          /* 0: none */
    uint64_t data_hash; /* of the data of these runs */
    uint64_t part_hash; /* of their partition; 0: no clusters */
    uint64_t runs[2];   /* bit k % 64 of word k / 64: run k */
} queue_recalled;

enum queue_state { CELL_NEW, CELL_READY, CELL_FAILED, CELL_LEFT_OUT };

typedef struct queue_cell {
    const queue_file *file;  /* its experiment */
    queue_set *set;          /* its data */
    cell cell;               /* what its runs are of */
    int searched;            /* 1: the hyper-parameters are a row of file->specs */
    enum queue_state state;  /* CELL_NEW until it is prepared */
    run_data data;           /* set by the preparation; 0 if the kind opens the data itself */
    int nodes;               /* of the graph, set by the preparation */
    int multi;               /* 1: several labels a node; set by the preparation */
    const problem *p;        /* in a worker, during a job: prepared for the spec */
    void *own;               /* kind->own bytes for the kind's data of the cell */
    double seconds;          /* expected of a run, see costs.h */
    double published;        /* mean seconds of the published runs; 0: none */
    double own_seconds;      /* sum over runs of this machine */
    int own_runs;            /* number of them */
    int recorded;            /* rows that match the cell, counted by queue_recall */
    queue_recalled recalled; /* what earlier records have of it */
    int next;                /* runs below it are recorded or taken */
    int max_runs;            /* the cell has runs 0 .. max_runs-1 */
} queue_cell;

typedef struct queue {
    arena a;             /* of everything below */
    data_dirs dirs;      /* of `data` */
    int twins;           /* 1: data sets whose files are missing are their twins, as the records of each run say */
    const char *data;    /* --data */
    const char *out;     /* --out */
    const char *only;    /* --only; NULL: all cells */
    const char *specs;   /* --specs; NULL: those of the source tree or the installation */
    unsigned only_known; /* see select_cell */
    int runs;            /* --runs */
    int seed;            /* --seed */
    int threads;         /* of a run; 0: 1 on small graphs, all cores on large ones */
    int force;           /* 1: recorded runs are repeated */
    int shorten;         /* --short: divides the number of epochs; 0, 1: all of them */
    int part;            /* of --shard, from 0 */
    int parts;           /* of --shard; 0: not sharded */
    double longest;      /* cells whose runs take longer are left out; 0: no limit */
    queue_file *file;    /* the experiments */
    queue_set *set;      /* their data sets */
    queue_cell *cell;    /* their cells */
    int files;           /* number of experiments */
    int sets;            /* number of data sets */
    int cells;           /* number of cells */
    int capacity;        /* cells at most; 0: nothing is allocated yet */
    int recall; /* 1: cells that look complete in the records are prepared last, see queue_next; -1: not any more */
    int parts_agree;     /* 1: a partition was found to be that of the records */
    double pace;         /* sum of ln(own / published seconds) over the runs of this machine */
    int paced;           /* number of runs in it */
    unsigned long works; /* jobs done by this worker */
    int failed;          /* cells that could not be prepared, and failed runs */
    char said[600];      /* the last reason why a cell or run failed */
} queue;

void queue_add(queue *q, bench *b); /* adds the cells that --only selects; opens no data */
/* The same for cells of other origin; f is their experiment. What they point to must outlive the queue. */
queue_file *queue_add_file(queue *q, const bench *b);
queue_cell *queue_add_cell(queue *q, const queue_file *f, const cell *c);
int queue_draws(const queue_cell *c); /* whether it is a point of a figure of the paper */

/* recall.c */
record queue_record(const queue_cell *c);      /* what a record of its runs says about the cell */
void queue_recall(queue *q, const records *r); /* sets seconds, recorded and recalled from earlier records */
/* Whether it is a successful run of the cell's experiment, data set, model, loss and setting; hyper-parameters and
 * data may differ. */
int queue_looks_like(const queue_cell *c, const record *r);
/* Runs 0 .. n-1 of the cell are recorded or taken. The keys of a cell are unknown until it is prepared. Before that,
 * with q->recall, the recalled runs count once the data are known to be the same: a prepared cell of the data set has
 * the data hash of the records and, for cells with clusters, some prepared cell has the partition of its records.
 * Otherwise 0. */
int queue_next(const queue *q, const queue_cell *c);
void queue_check_recall(queue *q, const queue_cell *c); /* call when a cell has been prepared */
void queue_open_records(queue *q);                      /* in the scheduler, before queue_take */
/* Opens the data set without the attack, for inspection. Returns NULL, or an error message. */
const char *queue_open_clean(queue *q, queue_cell *c);

/* Takes the next run of a cell with c->next < c->most: no other process that writes the same records will do it. -1:
 * other processes have done or taken all that are left. Call queue_release after the run is recorded or given up. */
int queue_take(queue *q, queue_cell *c);
void queue_release(queue *q, const queue_cell *c, int run);
void queue_append(queue *q, queue_cell *c, int run, const void *result, int jobs);
void queue_fail(queue *q, queue_cell *c, int run, const char *why, int jobs);
double queue_estimate(const queue_cell *c); /* seconds of a run, before one is measured */
int queue_large(const queue_cell *c);       /* whether its graph is large; from the catalogue until it is prepared */
int queue_alone(const queue_cell *c);       /* whether a run needs the machine to itself */
run_id queue_id(const queue *q, const queue_cell *c, int run);
/* OUT/curves/EXPERIMENT/KEY.tsv */
char *queue_curve(const queue *q, const queue_cell *c, const char *key, char path[PATH_MAX]);
/* A number of the successful runs of a cell, *n values in the arena of the queue. */
double *queue_values(int *n, queue *q, const queue_cell *c, const records *r, enum run_number which);
void queue_close(queue *q);

/* A job of a worker, and its answer. */
typedef struct queue_job {
    int cell;     /* its index */
    int run;      /* -1: prepare the cell */
    int threads;  /* 0: all cores */
    int measured; /* preparation: 1: seconds were measured, so that --longest does not apply */
} queue_job;

typedef struct queue_answer {
    char error[400];        /* "": none */
    double seconds;         /* of the run; preparation: the estimate for a run */
    enum queue_state state; /* preparation only, as all below: of the cell */
    int max_runs;           /* of the cell */
    int nodes;              /* of the graph; 0: it could not be opened */
    int multi;              /* 1: several labels a node */
    run_data data;          /* of its data and partition */
    max_align_t payload[];  /* queue_cell.own, or the result of the run */
} queue_answer;

size_t queue_answer_size(const queue *q);                  /* of the largest answer */
size_t queue_work(void *q, void *answer, const void *job); /* for transport_work; returns the bytes of the answer */
/* Sets the state from the answer: CELL_READY, CELL_FAILED (with a message) or CELL_LEFT_OUT. */
void queue_prepared(queue *q, queue_cell *c, const queue_answer *w);

#endif
