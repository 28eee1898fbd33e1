/* smooth: Correct & Smooth (Huang et al. 2020), a stage after training that moves the class probabilities P (nodes x c)
 * of any model along the edges. Y are the labels, one-hot; L the training nodes: no other label is read.
 *
 *   S        DAD = D^-1/2 A D^-1/2, DA = D^-1 A or AD = A D^-1; A without loops
 *   correct  E0 = Y - P on L, 0 elsewhere
 *            autoscale   E <- clamp(a1 S E + (1 - a1) E0, -1, 1)                steps1 times from E0
 *                        C_i = P_i + s_i E_i, s_i = mean over L of |E0_k|_1 / |E_i|_1; s_i = 1 where that is above 1000
 *            fixed       E <- a1 S E + (1 - a1) E0, then E = E0 on L            steps1 times from E0
 *                        C_i = P_i + scale E_i
 *   smooth   G0 = Y on L, C elsewhere
 *            G <- clamp(a2 S G + (1 - a2) G0, 0, 1)                             steps2 times from G0
 *
 * The prediction of node i is the largest entry of G_i. Rows of G need not sum to one: accuracy and F1 mean something,
 * likelihood and calibration do not. A node without edges has a row of zeros in S: E_i = 0 (outside L), C_i = P_i and
 * G_i = (1 - a2) P_i, so it keeps the model's prediction; so does correct for nodes that no training node reaches.
 *
 * P must be finite; then so is everything here. The bits do not depend on the number of threads. */
#ifndef JCB_SMOOTH_H
#define JCB_SMOOTH_H

#include "../data/split.h"

enum smooth_matrix { SMOOTH_DAD, SMOOTH_DA, SMOOTH_AD, SMOOTH_MATRICES };
enum { SMOOTH_STEPS = 50 };

extern const char *const smooth_matrix_name[SMOOTH_MATRICES]; /* "DAD", "DA", "AD" */

typedef struct smooth_params {
    enum smooth_matrix s1, s2;
    double a1, a2;
    int autoscale;
    double scale; /* when not autoscale */
    int steps1, steps2;
} smooth_params;

/* "correct DAD 0.8 auto, smooth AD 0.9", for records. */
const char *smooth_text(char buf[80], const smooth_params *q);

/* The matrices of one graph (which must outlive them): made once, then only read, by any number of runs at a time. */
typedef struct smooth_work {
    csr s[SMOOTH_MATRICES];
} smooth_work;
smooth_work smooth_work_new(arena *a, const csr *graph);

/* G. prob has a row for each node. Takes three matrices of its size from the arena, one of which is the result. */
mat correct_and_smooth(arena *a, const smooth_work *w, mat prob, const int *y, const split *part,
                       const smooth_params *q);

/* A copy of the labels of n nodes with -1 outside training and validation: the argument `known` of smooth_tune. */
int *smooth_known(arena *a, const int *y, int n, const split *part);

/* The grid, searched in this order; the first of equals wins, by validation accuracy:
 *   of C   s1 in DAD DA AD,  a1 in .3 .5 .7 .8 .9 .95 .98,  autoscale or scale in .5 1 1.5      84 points
 *   of G   s2 in DAD DA AD,  a2 in .3 .5 .7 .8 .9 .95, with the best of those                   18 points
 * known: from smooth_known(). Validation labels choose, and are not propagated. *val_acc (or NULL): of the chosen G. */
smooth_params smooth_tune(arena *a, double *val_acc, const smooth_work *w, mat prob, const int *known,
                          const split *part);

#endif
