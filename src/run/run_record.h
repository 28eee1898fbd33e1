/* run_record: the columns of a training run, the same for every program. */
#ifndef JCB_RUN_RECORD_H
#define JCB_RUN_RECORD_H

#include "../train/method/method.h"
#include "record.h"

typedef struct run_file {
    record_file *f;
    const char *experiment, *commit;
    int calibrated;
} run_file;

/* The data of a run as keys and records state them, for processes that have not opened the problem. */
typedef struct run_data {
    uint64_t data_hash, part_hash; /* part_hash 0: no clusters */
    int64_t within, between;       /* links */
    int origin, metis_bits;
} run_data;

run_data run_data_of(const problem *p, const cell *c); /* prepared for the cell */

/* A run: everything that its outcome depends on, and the setting of its cell. */
typedef struct run_id {
    run_data data;
    const cell *c;
    int seed, run;
} run_id;

/* A record file with the columns `first`, then `spec` and `status`. */
record_file *run_record_open(arena *a, const char *path, const char *const *first, int n);

/* Puts what identifies a run: key, experiment, dataset, model, loss, setting, run, seed, origin, data_hash, spec. */
void run_record_id(record_row *row, const run_id *r, const char *experiment);

/* Puts blas, cpu (the instruction set) and commit. */
void record_put_build(record_row *row, const char *commit);

/* Whether a run must end with the same bits on machines with these entries in the column cpu. "any" stands for every
 * CPU. Only builds up to version 1.0 differ, where they are for "x86-64", "generic" or
 * "...-all". */
int run_same_bits(const char *cpu, const char *other);

/* calibrated: rows have the columns of calibration_measure, and a run whose row lacks them is not done. */
run_file run_file_open(arena *a, const char *path, const char *experiment, const char *commit, int calibrated);
void run_file_append(const run_file *f, const run_id *r, const outcome *o, int jobs);

/* The parts of a key as text of the record. */
typedef struct run_words {
    const char *dataset, *data_hash, *part_hash, *seed, *run, *setting, *spec;
} run_words;

void run_key_of(char out[17], const run_words *w);
void run_key(char out[17], const run_id *r); /* the column `key` */

#endif
