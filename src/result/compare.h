/* compare: the verdict on two losses from paired runs, as text and as a page (jcb compare). */
#ifndef JCB_COMPARE_H
#define JCB_COMPARE_H

#include "anytime.h"
#include "../base/buf.h"

typedef struct compare_run {
    double acc, ece;        /* percent, test nodes */
    int best_epoch, epochs; /* the chosen epoch, the number of epochs */
} compare_run;

typedef struct compare_pairs {
    int n;               /* pairs of runs 0 .. n-1; none is missing */
    compare_run *run[2]; /* of each side: the first loss, the second */
    const char *name[2], *spec[2], *about;
    const char *score;  /* what acc is: accuracy, micro-F1 */
    const char *search; /* how the hyper-parameters were found, a sentence */
    double margin;      /* points within which the two are practically equal */
} compare_pairs;

enum compare_word { COMPARE_OPEN, COMPARE_FIRST, COMPARE_SECOND, COMPARE_EQUAL };

typedef struct compare_verdict {
    enum compare_word word;
    int at; /* number of runs at the decision; 0: undecided */
    double mean[2], sd[2];
    double gain;             /* mean of second - first */
    stats_interval interval; /* confidence sequence of the gain after n runs */
    double log_e;            /* the paired t e-process after n runs */
    double needed;           /* estimated runs until a decision; INFINITY: none is expected */
} compare_verdict;

/* Decided at the first run k at which the e-process reaches 1/alpha, or the confidence sequence lies within the margin;
 * later runs do not change the verdict. */
compare_verdict compare_decide(const compare_pairs *v);

/* The verdict in one sentence; and warnings, a line each: best epoch near the last one, poor calibration. */
void compare_sentence(buf *out, const compare_pairs *v, const compare_verdict *d);
void compare_doubts(buf *out, const compare_pairs *v);
void compare_doubts_of(buf *out, const char *name, const compare_run *run, int n); /* of runs of one loss */

void compare_print_line(const compare_pairs *v, const compare_verdict *d); /* progress: one line */
void compare_print(const compare_pairs *v, const compare_verdict *d);
void compare_page(arena *a, const compare_pairs *v, const compare_verdict *d, const char *dir,
                  const char *name); /* dir/name.html */

#endif
