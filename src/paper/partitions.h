/* partitions: how much of JC's gain over CE depends on the partition, from the records of bench_partitions.
 *
 * For one data set, model and kind of partition let a(p, r) be the accuracy of JC on partition p in run r, P x R of
 * them, and c(r) that of CE in the same run. The gain of a partition is g(p) = mean over r of a(p, r) - c(r). Variance
 * components of the crossed random model a(p, r) = m + partition(p) + seed(r) + rest(p, r), from its mean squares:
 *
 *   var(partition) = (MS_p - MS_e) / R,  var(seed) = (MS_r - MS_e) / P,  var(rest) = MS_e,  each at least 0. */
#ifndef JCB_PARTITIONS_H
#define JCB_PARTITIONS_H

#include "table_place.h"

enum partition_kind { PAPERS, METIS, KMEANS, RANDOM, PARTITION_KINDS };
extern const char *const partition_title[PARTITION_KINDS];

/* One data set, model and kind. NaN: too few partitions or runs. */
typedef struct partition_group {
    table_place at;
    enum partition_kind kind;
    int partitions, runs; /* P, and R: runs 0 .. R-1 are there for all of them and for CE */
    double ce;            /* mean accuracy of CE over these runs, in percent */
    double *gain;         /* g(p), ascending; PAPERS has one */
    double mean, sd;      /* of the gains over partitions; sd is the sample's */
    double share;         /* of partitions with g > 0 */
    double sd_partition;  /* sqrt var(partition) */
    double sd_run;        /* sqrt (var(seed) + var(rest)): a new run on the same partition */
} partition_group;

/* All groups that have runs, ordered by data set, model and kind. */
partition_group *partitions_read(arena *a, const records *r, int *n);

/* The mean gains of the kinds in one sentence; NULL as below. */
const char *partitions_sentence(arena *a, const partition_group *g, int n);

/* One paragraph that sums up the groups; NULL: no group on comparable data. */
const char *partitions_text(arena *a, const partition_group *g, int n);

void partitions_md(buf *out, arena *a, const partition_group *g, int n);
void partitions_tsv(buf *out, const partition_group *g, int n);

/* What a line of the table shows. */
enum { PARTITION_COLUMNS = 12 };
extern const char *const partitions_head[PARTITION_COLUMNS];
extern const char partitions_legend[];
void partitions_line(const char *v[PARTITION_COLUMNS], arena *a, const partition_group *g);

#endif
