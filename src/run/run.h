/* run: a row of the records as numbers and words. Only the files of this directory know columns and their text; all
 * others take runs.
 *
 * records_read gives the complete rows of this results version in a file, or in all *.tsv of a directory (not those
 * moved aside) in the order of their names. Of rows with the same experiment and key the last one counts, but a failure
 * never replaces a success. A missing file or directory has no runs. */
#ifndef JCB_RUN_H
#define JCB_RUN_H

#include "../data/origin.h"
#include "../net/spec.h"
#include "record.h"

/* The measured columns. */
/* clang-format off */
#define RUN_NUMBERS(X) \
    X(val_acc) X(test_acc) X(macro_f1) X(weighted_f1) X(val_loss) X(test_loss) X(train_loss) \
    X(epochs) X(best_epoch) X(train_seconds) X(epoch_ms) X(infer_ms) X(peak_bytes) X(rss_bytes) \
    X(within_links) X(between_links) \
    X(ece) X(ece_mass) X(nll) X(brier) X(temperature) X(ece_scaled) X(ece_mass_scaled) X(nll_scaled) X(brier_scaled) \
    X(ece_tau) X(ece_mass_tau) X(nll_tau) X(brier_tau) \
    X(nodes) X(edges) X(features) X(classes) X(homophily) X(imbalance) X(train) X(val) X(test)
/* clang-format on */

enum run_number {
#define X(name) RUN_##name,
    RUN_NUMBERS(X)
#undef X
        RUN_NUMBER_COUNT
};

typedef struct record {
    uint64_t key;
    const char *experiment, *dataset, *model, *loss; /* of its cell */
    const char *setting;                             /* key=value, comma-joined; "-": none */
    int run, seed;                                   /* -1: not recorded */
    enum origin origin;                              /* ORIGINS: not recorded */
    uint64_t data_hash, part_hash, param_hash;       /* 0: none, or not recorded */
    spec s;                                          /* the hyper-parameters; defaults where the row names none */
    const char *spec;                                /* spec_identity, as recorded */
    uint64_t spec_hash;                              /* of that text */
    const char *status;                              /* "ok" or "failed:reason" */
    int ok;
    const char *blas, *cpu, *commit; /* "": not recorded */
    int threads, jobs, metis_bits;   /* -1: not recorded */
    double number[RUN_NUMBER_COUNT]; /* NaN: not recorded */
} record;

typedef struct records {
    record *v;
    int n;
    int files, malformed, superseded; /* malformed lines, superseded rows: left out */
    int older;                        /* complete rows of other results versions, left out */
    int trials;                       /* runs of --short, left out by records_drop_trials */
} records;

records records_read(arena *a, const char *path);
void records_drop_trials(records *r);    /* runs of --short belong to no table and no figure */
int run_number_find(const char *column); /* an enum run_number; -1: there is no such column */
char *run_key_text(char out[17], uint64_t key);
/* Cells are told apart by experiment, data set, model, loss and setting: 0 for runs of one cell, else the order of
 * these texts. */
int record_by_cell(const record *x, const record *y);
uint64_t record_cell_hash(const record *r); /* of the same */
/* The run with this key, successful or not; NULL: none. */
const record *records_find(const records *r, const char *key);

#endif
