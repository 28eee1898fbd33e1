/* compare: the verdict on two losses from paired runs, as text and as a page (jcb compare). */
#ifndef JCB_COMPARE_H
#define JCB_COMPARE_H

#include "anytime.h"
#include "../base/buf.h"

typedef struct compare_run {
    double score, ece;      /* percent, test nodes */
    double val;             /* accuracy on validation nodes, percent; NaN: none */
    int best_epoch, epochs; /* the chosen epoch, the number of epochs */
} compare_run;

typedef struct compare_point { /* of the search for one loss */
    const char *text;          /* key=value ... */
    double val, sd;            /* validation accuracy, percent, and its sample sd; val NaN: a run failed */
    int runs;
} compare_point;

typedef struct compare_fact {
    const char *name, *text;
} compare_fact;

/* What is compared. Texts are those of a reader; NULL: none. */
typedef struct compare_pairs {
    int n;                   /* pairs of runs 0 .. n-1; none is missing */
    compare_run *run[2];     /* of each side: the first loss, the second */
    const char *name[2];     /* the losses */
    const char *spec[2];     /* their hyper-parameters */
    const char *about;       /* data set and model */
    const char *score;       /* what is compared: "accuracy", ... */
    const char *search;      /* how the hyper-parameters were found, sentences */
    double margin;           /* points within which the two are practically equal */
    int models;              /* models compared at once: the level is 5 % / models; 0: one */
    double linear;           /* validation accuracy of a linear model, percent; NaN: none */
    int linear_hops;         /* how often its features were propagated */
    int splits;              /* published splits, which overlap; 0: none */
    double test_train;       /* with them: test nodes for each training node */
    compare_point *point[2]; /* of the search, the best first */
    int points[2];
    const compare_fact *fact; /* about the data and the program */
    int facts;
    const char *command; /* that asked */
} compare_pairs;

enum compare_word { COMPARE_OPEN, COMPARE_FIRST, COMPARE_SECOND, COMPARE_EQUAL, COMPARE_UNTRAINED };

typedef struct compare_verdict {
    enum compare_word word;
    int at; /* number of runs at the decision; 0: undecided */
    double mean[2], sd[2];
    double gain;             /* mean of second - first */
    stats_interval interval; /* confidence sequence of the gain after n runs */
    double log_e;            /* the paired t e-process after n runs */
    double needed[2];        /* estimated runs until a decision, at least and at most; INFINITY: none is expected. They
                                are those of a gain one standard error larger and smaller */
    double se_splits;        /* standard error of the gain over overlapping splits (Nadeau and Bengio); NaN: none */
} compare_verdict;

double compare_level(const compare_pairs *v); /* of the tests: 5 % over all models */

/* Decided at the first run k at which the e-process reaches 1/alpha, or the confidence sequence lies within the margin;
 * later runs do not change the verdict. Untrained, whatever the differences, while one of the losses is far below a
 * linear model on validation nodes. */
compare_verdict compare_decide(const compare_pairs *v);

/* The verdict in a few sentences; and warnings, a line each: best epoch near the last one, poor calibration. */
void compare_sentence(buf *out, const compare_pairs *v, const compare_verdict *d);
void compare_doubts(buf *out, const compare_pairs *v);
void compare_doubts_of(buf *out, const char *name, const compare_run *run, int n); /* of runs of one loss */

void compare_print_line(const compare_pairs *v, const compare_verdict *d); /* progress: one line */
void compare_print(const compare_pairs *v, const compare_verdict *d);

/* compare_page.c: DIR/NAME.html, and the same as a row of numbers, DIR/NAME.tsv. */
void compare_page(arena *a, const compare_pairs *v, const compare_verdict *d, const char *dir, const char *name);
void compare_index(arena *a, const char *dir); /* DIR/index.html: a list of all pages, from their rows */

#endif
