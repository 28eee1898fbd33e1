/* table_parts: types and functions shared by the files that make tables. Definitions -> cells -> contrasts ->
 * renderings. */
#ifndef JCB_TABLE_PARTS_H
#define JCB_TABLE_PARTS_H

#include "../base/arena.h"
#include "../data/origin.h"
#include "../base/buf.h"
#include "claims.h"
#include "overall.h"
#include "paper.h"
#include "../base/tsv.h"
#include "../run/run.h"
#include "table.h"
#include <stdint.h>

/* ---- definitions: paper_tables/tables.tsv and the files beside it, see definitions.h ---- */

enum metric_kind {
    MEASURED,
    EXACT,  /* a count: no interval */
    MACHINE /* depends on the computer: not comparable */
};

typedef struct metric_def {
    const char *name;  /* in paper_tables */
    const char *title; /* as displayed */
    int column;        /* enum run_number */
    int per;           /* the number to divide by; -1: none */
    double scale;      /* record -> printed unit */
    double margin;     /* differences within +-margin count as agreement, in printed units */
    double margin_rel; /* the same as a fraction of the paper's value */
    int select;        /* enum spec_select that belongs to the metric; -1: any */
    enum metric_kind kind;
    int over_ce;  /* 1: the ratio to the same cell with loss ce */
    int fixed;    /* 1: if it is the same in every run, its sign decides an ordering */
    double equal; /* an ordering whose interval lies within +-equal is practically equal, in printed units; 0: never */
} metric_def;

typedef struct contrast_def {
    const char *a, *b; /* filters, see paper.h; the sign of the paper's a - b is what is claimed */
} contrast_def;

enum { TABLE_CONTRASTS = 4 };

typedef struct table_def {
    const char *label;       /* paper_tables/LABEL.tsv */
    const char *experiment;  /* comma-joined, in the order of preference: the first that has runs of a cell fills it */
    const char *rows, *cols; /* comma-joined columns and setting keys */
    const char *extra;       /* a part of the setting that records have and printed cells do not */
    contrast_def contrast[TABLE_CONTRASTS + 1]; /* the last one empty */
    int number;                                 /* its place in tables.tsv, from 1 */
    int claim;     /* 1: a above b is claimed, -1: below, whatever is printed; 0: the order of the printed numbers */
    int scheduled; /* 1: jcb reproduce runs until its orderings are decided */
    const char *trend; /* a key of the setting along which the paper says that gains grow, or NULL */
} table_def;

/* Data whose published splits overlap. Run k has split k % count, so that pairs end at count; test_train: test nodes
 * for each training node, for the standard error of Nadeau and Bengio (2003), sd * sqrt(1/n + test_train). */
typedef struct split_def {
    const char *dataset;
    int count;
    double test_train;
} split_def;

/* ---- table_defs.c ---- */

const metric_def *table_metric(const char *name);   /* dies on an unknown name */
const split_def *table_splits(const char *dataset); /* NULL: none, or splits that are drawn for each run */
/* The display name of a data set, model, ...; value has n characters, out may hold the result. */
const char *table_title(const char *key, const char *value, int n, char out[64]);
const char *table_title_of(arena *a, const char *key, const char *value); /* the same, in the arena */
/* The order of two cells under a key: numbers by size, names as the tables list them. */
int table_order(const paper_cell *x, const paper_cell *y, const char *key);
int table_by_keys(const paper_cell *x, const paper_cell *y, const char *const *key, int n); /* the first that differs */
/* Appends the value of the cell under the key (len characters), with its unit; nothing if there is none. */
void table_add_value(buf *t, const paper_cell *c, const char *key, size_t len, const char *between);

/* ---- cells.c: our runs against the printed cells ---- */

typedef struct table_cell {
    const paper_cell *paper;
    const metric_def *metric;
    int digits, sd_digits;         /* as the paper prints */
    int n, failed, left_out;       /* runs in the cell, failed runs, runs with other hyper-parameters or data */
    int not_finite;                /* successful runs without a finite value of the metric, left out */
    double *value;                 /* n, in printed units, ordered by run and seed */
    const record **run;            /* n */
    enum origin origin;            /* ORIGINS without runs */
    double mean, sd, diff, lo, hi; /* NaN: none. lo, hi: 95 % interval of diff = ours - paper's */
    enum verdict verdict;
} table_cell;

table_cell *cells_make(arena *a, const table_def *d, const paper *p, const records *r); /* one for each printed cell */
/* Whether the run belongs to the cell, regardless of its experiment. */
int cells_cover(const table_def *d, const paper_cell *p, const record *v);
/* Whether the run may fill the cell, and with which preference: 0 is the highest; -1: it may not. The cell is filled by
 * the preferred experiment that has successful runs of it. Everything that asks which runs belong to a number asks
 * here. */
int cells_rank(const table_def *d, const metric_def *m, const paper_cell *p, const record *v);
int cells_may_fill(const table_def *d,
                   const char *experiment); /* whether it is one of them for any cell of the table */
int cells_whole_runs(const table_cell *c);  /* how many of value[] are runs 0, 1, ... of one seed without a gap */

/* ---- decisions.c: comparisons that stay decided ---- */

typedef struct decisions { /* of a directory of records */
    tsv rows;
} decisions;

struct contrast;
struct record_file;

decisions *decisions_read(arena *a, const char *records_dir); /* NULL: the directory keeps none */
/* Sets the verdict, if the comparison was decided on a beginning of its pairs. */
void decisions_recall(arena *a, const decisions *d, const char *label, struct contrast *c);
struct record_file *decisions_open(arena *a, const char *records_dir); /* makes the file; record_close it */
void decisions_keep(struct record_file *f, const char *label, const struct contrast *c);
const char *decisions_name(arena *a, const struct contrast *c); /* "Cora, GCN: JC > CE", "... (F1)" */

/* ---- contrasts.c: the paper's orderings, tested on our pairs of runs ---- */

typedef struct one_look { /* tests that are valid for a single look at an n fixed in advance */
    double t_lo, t_hi, p_t, p_wilcoxon, p_holm, boot_lo, boot_hi;
} one_look;

typedef struct contrast { /* NaN: none */
    const table_cell *a, *b;
    const contrast_def *def;
    int n, left_out;    /* pairs: runs 0 .. n-1; pairs behind a missing run, of another seed or a repeated split */
    enum origin origin; /* of the pairs */
    double *x;          /* n: a - b of run 0, 1, ... */
    double *log_e, *log_symmetry; /* n: the e-processes, see anytime.h */
    int claim;                    /* 1: a > b is claimed, -1: a < b */
    double paper, mean, sd, skew; /* paper: the printed a - b; the others of x */
    double lo, hi;                /* 95 % confidence sequence of the mean; infinite below six pairs */
    double se_splits;             /* standard error for overlapping splits, see split_def */
    double e_holm;                /* largest adjusted e-value of all rounds; 0: none; when kept: that of the decision */
    int sign;                     /* of the gain then */
    int decided;                  /* pairs at which it was decided, as decisions.log says; 0: not kept */
    double more;                  /* runs that an undecided ordering still needs, INFINITY: too many to say */
    one_look once;
    enum claim_verdict verdict;
} contrast;

/* kept: the decisions of the directory; NULL: none, e-Holm is then taken after every round. */
contrast *contrasts_make(arena *a, const table_def *d, const table_cell *c, int cells, const decisions *kept, int *n);
/* The same without the parts that decide nothing (bootstrap, Wilcoxon, symmetry e-process): for repeated calls while
 * runs are added. */
contrast *contrasts_decide(arena *a, const table_def *d, const table_cell *c, int cells, const decisions *kept, int *n);
int contrasts_equal(const contrast *c); /* whether the interval lies within the margin, regardless of the verdict */
const char *contrasts_where(arena *a, const contrast *c); /* "Cora, GCN": what a and b have in common */
const char *contrasts_what(arena *a, const contrast *c);  /* "JC > CE": what the paper's numbers say */

/* ---- trends.c: gains that grow ---- */

typedef struct trend {
    const char *where;          /* "Cora LCC, GCN"; the first: over all of them */
    int n;                      /* runs 0 .. n-1, each with a slope of its own */
    double *x;                  /* n: slopes, percentage points per ten units of the key */
    double paper, mean, lo, hi; /* the slope of the printed gains; mean of x with its confidence sequence */
    double e;                   /* largest e-value so far, adjusted where there are several lines */
    enum claim_verdict verdict; /* confirmed: it grows, contradicted: it falls */
} trend;

/* ---- table.c, warnings.c: all of it ---- */

typedef struct table {
    const table_def *def;
    paper paper;
    int printed; /* the first `printed` cells of paper are the paper's; the others are further cells of the experiment
                  */
    int beyond;  /* 1: no cell has a printed number: a table beyond the paper, counted in no sum over its tables */
    paper unplaced;   /* further cells that have the place of another one in the layout: left out */
    table_cell *cell; /* paper.n */
    contrast *contrast;
    int contrasts;
    trend *trend; /* those that the paper states */
    int trends;
    const char **warning; /* sentences about cells left out, mixed data and partitions */
    int warnings;
} table;

/* ---- table_overall.c: one look over all of them ---- */

enum { OVERALL_POINTS = 163 }; /* of the profile */
#define OVERALL_ROPE 0.5       /* percentage points of practical equivalence */

#define OVERALL_DATASETS 4 /* fewer say nothing about the variation between data sets */

typedef struct overall_group { /* the cells of one model, or all; on fewer than OVERALL_DATASETS data sets only counts
                                */
    const char *model;         /* NULL: all */
    int cells, datasets;
    overall_statistics stat;     /* profile: of all models only */
    overall_posterior posterior; /* over the mean gains of the data sets */
} overall_group;

typedef struct table_overall {
    const contrast **cell; /* JC - CE in accuracy on comparable data, two pairs or more, the same runs once */
    int cells, runs;       /* of them */
    int single;            /* cells with one pair, left out */
    int enough;            /* 1: most cells have two pairs, on OVERALL_DATASETS data sets or more; 0: no numbers */
    double at[OVERALL_POINTS + 2]; /* where all.stat.profile is computed: the points, then 0 and the rope */
    overall_group all, *model;
    int models;
} table_overall;

table_overall table_overall_make(arena *a, const table *t, int count);
double table_overall_paper(const table_overall *o, double at); /* share of the cells whose printed gain is larger */

typedef struct tables {
    records runs;
    decisions *kept; /* NULL: the directory keeps none */
    table *t;        /* n, one for each of tables.tsv */
    int n;
    claim *claim; /* sum.statements */
    table_overall overall;
    struct gains *gain; /* gains_count tables of gains (gains.h) */
    int gains_count;
    tables_summary sum;
} tables;

trend *trends_make(arena *a, const table *t, int *n);

const char **warnings_make(arena *a, const table *t, int *n);
tally table_tally(const table *t);
tables *tables_read(arena *a, const char *records_dir, const char *paper_dir);

/* ---- render.c: the layout of a table, what its cells and orderings show ---- */

enum { KEYS = 6 };

typedef struct key_list { /* of a layout: columns and keys of the setting */
    const char *name[KEYS];
    int n;
} key_list;

key_list render_keys(arena *a, const char *list); /* comma-joined */
/* Whether two cells have the same place in the layout. */
int render_same_place(arena *a, const table_def *d, const paper_cell *x, const paper_cell *y);

typedef struct table_grid { /* cells laid out as the paper does */
    int rows, cols, row_keys, col_keys;
    const char **row_title, **col_title; /* rows x row_keys, cols x col_keys */
    const char **row_head;               /* row_keys: Model, Loss, ... */
    const table_cell **at;               /* rows x cols, NULL: no such cell */
} table_grid;

table_grid render_grid(arena *a, const table *t);

/* What a cell shows. */
const char *render_ours(arena *a, const table_cell *c);
const char *render_paper(arena *a, const table_cell *c);
const char *render_interval(arena *a, const table_cell *c); /* the difference and its interval */
const char *render_diff(arena *a, const table_cell *c);     /* the same and the verdict */
const char *render_span(arena *a, int min, int max);        /* "3", or "1 to 3" */
const char *render_signed(arena *a, double x, int digits);
const char *render_number(arena *a, double x, int digits);                 /* "–" for NaN */
const char *render_between(arena *a, double lo, double hi, int digits);    /* "[+0.31, +2.09]"; "–" for NaN */
const char *render_marked(arena *a, const char *name, enum origin origin); /* "Cora (twin)"; real: the name alone */
const char *render_p(arena *a, double p);
const char *render_cell_name(arena *a, const table_cell *c); /* "Cora, GCN, JC" */

typedef struct contrast_text { /* what one ordering shows; "–": none */
    const char *where, *what, *verdict, *more, *metric, *paper, *ours, *n, *skew;
    const char *anytime_p, *e_holm_p, *symmetry_p;
    const char *t_p, *wilcoxon_p, *holm_p, *bootstrap; /* for one look */
} contrast_text;

contrast_text render_contrast(arena *a, const contrast *c);

#endif
