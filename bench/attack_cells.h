/* attack_cells: the networks of the attack tables, and a table's cells: one for each network on a poisoned graph.
 *
 * Hyper-parameters are those of the authors' release: raw features, GCN+CE from the last epoch at which validation
 * loss or accuracy improved, SGC and GAT from the lowest validation loss (JC: of the joint loss).
 *
 * SGC. The release's (three hops, learning rate 0.1; JC: five clusters) gives the printed numbers of adv_res on
 * Polblogs, of CE also on Cora, but not the others. Its arguments must have differed by data set there. What they were
 * was decided by the printed test accuracies, once for all rates of a data set and loss, of the choices hops 1, 2, 3,
 * learning rate .005 to .2, 5 or 20 clusters:
 *   PubMed CE: two hops give 71.16, 67.16, 63.88, 61.10 at 10 to 25 %, the printed numbers digit for digit; three hops
 *   66.86, 62.27, 59.86, 57.24. (At 5 % 75.12, where 78.12 is printed: a slip of the print, it seems.)
 *   CiteSeer CE: learning rate 0.05 gives 68.22, 64.99, 56.22, 56.01 at 10 to 25 % (printed 68.19, 65.01, 56.38,
 *   55.94).
 *   JC: learning rate 0.01, as for GCN+JC, but on Polblogs; on Cora also its 20 clusters. At 5, 15, 25 % Cora 77.5,
 *   72.3, 52.7 (78.8, 71.9, 53.4; five clusters 79.3, 65.0, 44.6), CiteSeer 72.1, 68.0, 60.8 (72.7, 67.6, 61.8),
 *   PubMed 83.1, 78.9, 74.9 (83.1, 78.9, 75.1).
 * On graphs with random links three hops are right for all.
 *
 * GAT+JC: the release takes the mean of the two orders here and decays by 5e-4; our GAT adds them
 * (src/loss/joint_pairs.c). Adam does not see the factor of two but through the decay, which is therefore doubled. */
#ifndef JCB_ATTACK_CELLS_H
#define JCB_ATTACK_CELLS_H

#include "../src/base/arena.h"
#include <string.h>

#define ATTACK_GAT \
    "model=gat hidden=8 dropout=.5 in_dropout=.5 att_dropout=.5 att_dropout2=.5 lr=.01 epochs=1000 patience=100 "

static const char *const attack_networks[] = {
    "model=gcn loss=ce hidden=16 select=acc_or_loss",
    "model=gcn loss=jc clusters=20",
    "model=sgc loss=ce layers=1 dropout=0 select=loss",
    "model=sgc loss=jc select=objective",
    ATTACK_GAT "loss=ce select=loss",
    ATTACK_GAT "loss=jc clusters=10 wd=1e-3 select=objective",
};

typedef struct attack_dataset {
    const char *name, *sgc_ce, *sgc_jc; /* what SGC has besides, under metattack */
} attack_dataset;

static const attack_dataset attack_datasets[] = {
    {"cora-lcc", "hops=3 lr=.1", "hops=3 lr=.01 clusters=20"},
    {"citeseer-lcc", "hops=3 lr=.05", "hops=3 lr=.01 clusters=5"},
    {"polblogs-lcc", "hops=3 lr=.1", "hops=3 lr=.1 clusters=5"},
    {"pubmed-lcc", "hops=2 lr=.1", "hops=2 lr=.01 clusters=5"},
};

enum {
    ATTACK_NETWORKS = sizeof attack_networks / sizeof *attack_networks,
    ATTACK_DATASETS = sizeof attack_datasets / sizeof *attack_datasets
};

/* The spec of a cell: network k on a data set with attack=GRAPH. */
static inline const char *attack_cell(arena *a, const attack_dataset *d, const char *graph, int k, const char *setting)
{
    const char *network = attack_networks[k], *more = "";
    if (strstr(network, "model=sgc"))
        more = strstr(network, "loss=ce") ? d->sgc_ce : d->sgc_jc;
    return arena_printf(a, "dataset=%s attack=%s %s %s norm=none setting=%s", d->name, graph, network, more, setting);
}

#endif
