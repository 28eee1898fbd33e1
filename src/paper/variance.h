/* variance: how much of JC's gain over CE depends on the split, on the partition and on the run, from the records of
 * bench_variance.
 *
 * For one data set and model let g(s, p, r) = JC(s, p, r) - CE(s, r) be the gain in accuracy on split s and METIS
 * partition p in run r. Hyper-parameters were chosen on the public split and the paper's partition, so these two are
 * compared with the others, and variance components are those of S random splits x P METIS partitions from other seeds
 * x R runs (stats/components.h). */
#ifndef JCB_VARIANCE_H
#define JCB_VARIANCE_H

#include "../stats/components.h"
#include "table_place.h"

enum { PUBLIC_SPLIT, RANDOM_SPLITS }; /* first index of gain */
enum { PAPERS_PARTITION, OTHER_PARTITIONS };

/* One data set and model. NaN: too few of something. */
typedef struct variance_row {
    table_place at;
    int splits, partitions, runs;  /* S, P, R: all runs 0 .. R-1 of random splits 1 .. S and the public one, partitions
                                      metis:1 .. P and metis, CE and JC, are there */
    double ce_public, ce_random;   /* mean accuracy of CE, in percent */
    double ce_sd_split, ce_sd_run; /* of CE over random splits x runs: sqrt var(split), sqrt (var(seed) + var(rest)) */
    double gain[2][2];             /* mean over runs, and over splits and partitions where there are several */
    double *by_split[2];    /* S: mean gain on each random split, ascending; on the paper's and other partitions */
    double sd_splits;       /* sample sd of by_split[PAPERS_PARTITION] */
    double distance;        /* (gain on the public split - on random ones) / sd_splits, the paper's partition */
    double share;           /* of random splits with a mean gain > 0 on the paper's partition */
    double var[COMPONENTS]; /* of g: split, partition, split x partition, run; may be below 0 */
} variance_row;

/* All pairs of data set and model that have whole runs of two splits and a partition, ordered by data set and model. */
variance_row *variance_read(arena *a, const records *r, int *n);

/* One paragraph that sums up the rows; NULL: none on comparable data. */
const char *variance_text(arena *a, const variance_row *v, int n);

void variance_md(buf *out, arena *a, const variance_row *v, int n);
void variance_tsv(buf *out, const variance_row *v, int n);

/* What a line of the table shows. */
enum { VARIANCE_COLUMNS = 13 };
extern const char *const variance_head[VARIANCE_COLUMNS];
extern const char variance_legend[];
void variance_line(const char *v[VARIANCE_COLUMNS], arena *a, const variance_row *row);

#endif
