/* figure_parts: types and functions shared by the files that make figures. Definitions -> rows -> TSV and caption. */
#ifndef JCB_FIGURE_PARTS_H
#define JCB_FIGURE_PARTS_H

#include "table_parts.h"

struct gains;

/* One point of a figure. NaN and NULL: none. */
typedef struct figure_row {
    int panel;              /* from 1 */
    const char *title;      /* of the panel */
    int row;                /* its line or place in the panel, from 1 */
    const char *group;      /* of lines */
    const char *label;      /* of the line or place */
    const char *series;     /* decides colour and marker: CE, JC, METIS, ... */
    double x, mean, lo, hi; /* lo, hi: 95 % interval of the mean, infinite where it is the whole line */
    int n;                  /* runs; 0: not run */
    enum origin origin;
    const char *dataset;
    double paper, paper_sd;
} figure_row;

/* The input of all figures, read once. */
typedef struct figure_source {
    arena *a;
    const char *records, *curves; /* directories */
    records runs;
    const table *table; /* all, in the order of tables.tsv */
    int tables;
    const table_overall *overall;
    const struct gains *gain; /* gains_count */
    int gains_count;
} figure_source;

typedef struct figure figure;

/* Appends the rows of a figure. Returns NULL, or why the figure is left out. */
typedef const char *figure_make(figure *f, const figure_source *in);

/* ---- what the figures are: paper_tables/figures.tsv ---- */

typedef struct figure_def {
    const char *name;       /* OUT/NAME.tsv; a trailing '-': one figure for each table, NAME-LABEL */
    const char *script;     /* plots/SCRIPT.gp */
    figure_make *make;      /* NULL: the records of the experiment as they are, for measurements of the machine */
    const char *tables;     /* labels, comma-joined ('|' between the panels of figure_gains); "*": all; NULL: none */
    const char *experiment; /* whose cells are shown, printed in a table or not; NULL: only printed cells */
    const char *only;       /* filter (paper.h) of the cells that are not printed; NULL: all */
    const char *metrics;    /* comma-joined; NULL: all */
    /* Columns and keys of the setting, comma-joined, that distinguish panels, groups of lines, lines, series and
     * points. x may be "paper", the printed value. */
    const char *panel, *group, *label, *series, *x;
    const char *panels; /* data sets that have a panel even without runs; NULL: those with runs */
    int sequence; /* 1: bars are confidence sequences (anytime.h), none below six runs; else Student's intervals */
    const char *title, *text; /* the caption */
    int rank;                 /* its place in RESULTS.md, from 1; the first is in the README too. 0: not shown */
} figure_def;

/* ---- figure.c ---- */

struct figure {
    arena *a;
    const figure_def *def;
    const char *name;
    const char *tables; /* def->tables, or the one table */
    figure_row *row;
    int n;
    int64_t capacity;
    int bad;               /* curves left out */
    const char *bad_first; /* the message about the first of them */
    const char *note;      /* a sentence for the caption; NULL: none */
};

void figure_add(figure *f, figure_row row);
figure_row figure_line(int panel, const char *title, int row, const char *label, const char *series); /* no numbers */
figure_row figure_empty(figure *f, int panel, const char *dataset, const char *what); /* a panel without runs */
const char *figure_missing(const figure *f);                                          /* "no records of bench_depth" */
int figure_listed(const char *list, const char *word);                                /* NULL and "*" list everything */

/* ---- figure_cells.c ---- */

figure_row figure_point(const table_cell *c); /* mean, interval, n, origin, data set, the paper's value; in panel 1 */
const char *figure_words(arena *a, const paper_cell *c, const key_list *k); /* "Cora, GCN" */
/* A cell for everything that d->experiment ran and d->tables do not print. */
table_cell *figure_found(const figure_source *in, const figure_def *d, const char *metric, int *n);

figure_make figure_plain;                    /* figure_cells.c */
figure_make figure_gains, figure_gain_lines; /* figure_gains.c */
figure_make figure_overall;                  /* figure_overall.c */
figure_make figure_verdicts;                 /* figure_verdicts.c */
figure_make figure_ranks;                    /* figure_ranks.c */
figure_make figure_tsne, figure_reliability; /* figure_curves.c */
figure_make figure_calibration;              /* figure_calibration.c */

#endif
