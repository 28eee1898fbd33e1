/* tsne: t-SNE embedding in the plane (van der Maaten & Hinton 2008). Exact, O(n^2). */
#ifndef JCB_TSNE_H
#define JCB_TSNE_H

#include "mat.h"
#include <stdint.h>

#define TSNE_PERPLEXITY 30
#define TSNE_STEPS 1000

typedef struct tsne {
    mat at;            /* n x 2 */
    double kl;         /* Kullback-Leibler divergence of the picture from the neighbourhoods */
    double perplexity; /* used: the one asked for, or (n - 1) / 3 when that is less */
} tsne;

/* The rows of x (n x d), 4 <= n <= 20000. Starts at random points of (seed, run). The same bits at any thread count. */
tsne tsne_run(arena *a, mat x, double perplexity, int steps, uint64_t seed, int run);

/* Its parts. p is n x n; at (2 x n) holds all first, then all second coordinates. */
mat tsne_neighbours(arena *a, mat x, double perplexity); /* p(j | i): rows sum to 1 */
void tsne_symmetrise(mat p);                             /* in place: p_ij = (p(j | i) + p(i | j)) / 2n, all sum to 1 */
/* Gradient of tsne_kl, with exaggeration * p in place of p in the attraction. */
void tsne_gradient(mat grad, mat p, mat at, double exaggeration);
double tsne_kl(mat p, mat at);

#endif
