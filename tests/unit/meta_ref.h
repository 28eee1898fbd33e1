/* meta_ref: metattack by its definition, for tests. */
#ifndef JCB_META_REF_H
#define JCB_META_REF_H

#include "../../src/attack/meta.h"

/* Dense, n x n, in the order of the equations. adj: n x n symmetric weights
 * without loops. Initial weights as meta draws them. */
typedef struct meta_ref {
    const attack_target *t;
    const int *label;
    int approximate, steps;
    double lambda;
    const real *w1, *w2; /* start */
} meta_ref;
double meta_ref_loss(const meta_ref *m, const real *adj); /* attack loss after training on adj (exact attacks) */
void meta_ref_gradient(real *g, const meta_ref *m, const real *adj); /* n x n: g_ij = change of both directions */
int meta_ref_best(flip *best, const real *g, const real *adj, const unsigned char *frozen, int n);

#endif
