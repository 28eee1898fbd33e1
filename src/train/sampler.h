/* sampler: the batches of an epoch. Batch k of epoch e depends on (seed, run), e and k alone: not on threads, nor on
 * what was sampled before.
 *
 * rule                   targets of a batch                            links                    batch norm over
 * full                   all training nodes                            all                      all nodes
 * neighbour:B:f1,f2,...  B training nodes, shuffled in each epoch      f1 of each target,       nodes of the layer
 *                                                                      f2 of all so far, ...
 * cluster:P:q            training nodes of q of P METIS clusters,      those within them        nodes of the clusters
 *                        grouped at random in each epoch
 * rows:B                 B training nodes; no graph is read            none                     the batch
 *
 * neighbour (Hamilton et al. 2017): neighbours are drawn without replacement. The links of hop h are those of layer h
 * from the top; further layers use the last fan-out; 0 means all neighbours. Where s of n neighbours are sampled each
 * has the weight n / s (not for attention, which normalises by itself): the sum over all neighbours is estimated
 * without bias, a mean is that of the sample, and without a limit the values are those of full batches, up to rounding
 * and to other masks of dropout. cluster (Chiang et al. 2019): degrees are counted within the batch. */
#ifndef JCB_SAMPLER_H
#define JCB_SAMPLER_H

#include "../net/workspace.h"
#include "problem.h"

typedef struct sampler sampler;

/* graph: the links to sample from. Where it has none outside the training nodes (inductive), clusters consist of
 * training nodes only. hops: of the program. Where data has no clusters (partition=batch), each batch gets new ones:
 * its shuffled targets are distributed evenly over m->clusters of them. As in the authors' release a batch that is not
 * full has fewer: neighbour: one; cluster: one below 1000 targets; rows: in proportion. */
sampler *sampler_new(arena *a, const batch_rule *rule, const problem *p, const node_data *data, const csr *graph,
                     const model *m, int hops, const split *part, uint64_t seed, int run);
int sampler_batches(const sampler *s); /* in an epoch */

/* Batch k (from 0) of an epoch (from 1); valid, with its features (batch.x), until the next call. NULL: it has no
 * training node. */
const batch *sampler_batch(sampler *s, int epoch, int k);

/* Whether a helper thread makes the next batch, links and features, while this one is learned from. The same batches;
 * by default on graphs of 50,000 nodes and more, with several threads. */
void sampler_overlap(sampler *s, int on);
/* CPU time (clock_cpu) of the threads that have made batches so far; complete where one thread makes a batch. */
void sampler_seconds(double *sampling, double *gathering, const sampler *s);

void sampler_free(sampler *s); /* what sampler_batch has allocated */

/* Distinct numbers below n, ascending, k of them (all when k >= n): uniform over the subsets (Floyd). Returns how many.
 * draw: counters of the generator. */
int sampler_draw(int *out, int n, int k, rng r, const uint32_t draw[3]);

#endif
