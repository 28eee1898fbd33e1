/* catalog: properties of the paper's data sets, one row of catalog.tsv each ("-": unknown). */
#ifndef JCB_CATALOG_H
#define JCB_CATALOG_H

#include "../base/arena.h"
#include "split_rule.h"
#include <stdint.h>

typedef struct catalog_entry {
    const char *name, *title;
    const char *format, *path; /* which loader, and its argument: a path below the directory of upstream files */
    int nodes;
    int64_t edges; /* undirected, loops and repeats dropped */
    int features, classes;
    int multi;         /* 1: multi-label */
    const char *split; /* what the paper's split is called */
    split_rule rule;   /* the same as a rule: public for published ones */
    const char *norm;  /* how the features are normalised before training */
    double homophily;  /* share of all edges that join equal labels; NaN when unknown, as the next */
    double skew;       /* standard deviation of ln(degree) over nodes with edges */
    int nsizes;        /* classes, or 0 when the sizes are unknown */
    int *class_size;
    const char *paper_table; /* the paper's statistics table that prints the next four; 0 where it does not */
    int64_t paper_nodes, paper_edges, paper_features, paper_classes;
    const char *note;
    uint64_t hash; /* of the cells that shape a twin */
} catalog_entry;

typedef struct catalog {
    const char *path;
    int n;
    catalog_entry *entry; /* NULL: the file is missing */
} catalog;

/* Dies naming the row and column of a bad cell. A missing file gives an empty catalogue: it is not needed for users'
 * graphs. Programs read it once (select_dirs) and pass it on in data_dirs. */
catalog catalog_read(arena *a, const char *path);
void catalog_need(const catalog *c);                                     /* dies when the file is missing */
int catalog_is_twin(const char *name);                                   /* "twin:NAME": the entry is that of NAME */
const catalog_entry *catalog_search(const catalog *c, const char *name); /* NULL when there is none */
const catalog_entry *catalog_find(const catalog *c, const char *name);   /* dies listing the names there are */

#endif
