/* load_common: helpers of the loaders. */
#ifndef JCB_LOAD_COMMON_H
#define JCB_LOAD_COMMON_H

#include "../dataset.h"
#include "json.h"
#include "npz.h"

#define NODES_MAX 2147483646 /* 2^31 - 2 */
#define FEATURES_MAX (1 << 24)
#define ENTRIES_MAX INT64_C(1000000000000)

/* The arguments of a loader. tmp is released when the loader returns or dies. */
typedef struct load {
    arena *a, *tmp;
    draft *out;
    const char *path, *name;
} load;

/* load_run (dataset.h) on a draft as it is. */
void load_scratch(loader *fn, arena *a, draft *out, const char *path, const char *name);

/* A list that grows, doubling. */
typedef struct ints {
    int64_t n, capacity;
    int *v;
} ints;

void ints_push(arena *tmp, ints *s, int x);

/* Entries of a sparse matrix, in any order. */
typedef struct triples {
    ints node, column;
    real *val;
    int columns;
} triples;

/* By node, columns in order of appearance: dataset_finish() sorts them. */
csr triples_rows(arena *a, const triples *x, int nodes);

csr load_identity(arena *a, int n);
void load_edge_lists(load *l, const ints *u, const ints *v); /* u.v[k] -- v.v[k] */

/* The largest class + 1; dies when there would be more classes than nodes. */
int load_count_classes(const int *y, int nodes, const char *path);

/* The edges `source SEP target` of the rest of a text, one on each line. */
typedef struct text text;
void load_edge_lines(load *l, text *t, char sep, int nodes);

/* The lines from here on, one for each of at least one node: sets the number of nodes. */
void load_count_nodes(load *l, text *t);

void load_new_edges(load *l, int64_t n); /* the arrays of n edges */

/* A matrix of features, one row for each node: sets the number of nodes, where it is 0, and of features. sparse: its
 * non-zero entries only. */
void load_npz_features(load *l, npz *z, const char *key, int sparse);
csr load_sparse(arena *a, mat x); /* the entries that are not 0 */

/* The edges of an array of m x 2 node ids; the draft has its number of nodes already. */
void load_npz_edges(load *l, npz *z, const char *key);

/* A scipy CSR matrix under PREFIXshape, PREFIXindptr, PREFIXindices and PREFIXdata. Checked, but columns may come in
 * any order. keep_values = 0 reads PREFIXdata only to leave out entries that are 0. */
csr load_npz_csr(arena *a, arena *tmp, npz *z, const char *prefix, int keep_values);

/* The matrix's entries as edges; a symmetric matrix gives each edge once. */
void load_csr_edges(arena *a, arena *tmp, draft *out, const csr *m);

/* Node -> list of column indices in a JSON file: features of ones, with as many columns as the largest index needs. */
void load_json_features(load *l, const char *path);

/* The nodes whose flag is set. */
void load_mask(arena *a, split *s, enum part part, const unsigned char *flag, int nodes);

/* One node id on each line. */
void load_id_lines(load *l, split *s, enum part part, text *t);

/* The one published split of a JSON file whose keys name the parts. other: 1: the file may have other keys. */
void load_json_split(load *l, const char *path, const char *const key[PARTS], int other);

#endif
