/* attack_cells: the networks of the attack tables, and functions that make their cells, one for each network and graph.
 *
 * Hyper-parameters are those of the authors' release: raw features, GCN+CE from the last epoch at which validation
 * loss or accuracy improved, SGC and GAT from the lowest validation loss (JC: of the joint loss).
 *
 * SGC. The release has three hops, learning rate 0.1 and, for JC, five clusters. For PubMed in adv_res it must have
 * used two hops: CE then gives 71.16, 67.16, 63.88, 61.10 at 10 to 25 %, exactly the printed numbers (three
 * hops: 66.86, 62.27, 59.86, 57.24; at 5 % two hops give 75.12, and 78.12 is printed, probably a misprint). The other
 * printed numbers of SGC need different arguments for each data set. The best fit among 1, 2, 3 hops, learning rates
 * .005 to .2 and 5 or 20 clusters was chosen by test accuracy, so those cells are listed separately (tuning=fitted) and
 * confirm nothing: CiteSeer CE at 0.05; JC at 0.01 on Cora (with 20 clusters), CiteSeer and PubMed. On graphs with
 * random links, three hops fit all data sets.
 *
 * GAT+JC: the release averages the two orders of a pair here and has weight decay 5e-4; our GAT adds them
 * (src/loss/joint_pairs.c). Adam is invariant to the factor of two except through the decay, which is therefore
 * doubled.
 */
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
    const char *name;
    const char *sgc;                   /* hops of SGC under metattack */
    const char *fitted_ce, *fitted_jc; /* what fits SGC's printed numbers; NULL: the release's arguments */
} attack_dataset;

static const attack_dataset attack_datasets[] = {
    {"cora-lcc", "hops=3", NULL, "lr=.01 clusters=20"},
    {"citeseer-lcc", "hops=3", "lr=.05", "lr=.01"},
    {"polblogs-lcc", "hops=3", NULL, NULL},
    {"pubmed-lcc", "hops=2", NULL, "lr=.01"},
};

enum {
    ATTACK_NETWORKS = sizeof attack_networks / sizeof *attack_networks,
    ATTACK_DATASETS = sizeof attack_datasets / sizeof *attack_datasets
};

static inline int attack_is_sgc(int k) { return strstr(attack_networks[k], "model=sgc") != NULL; }

/* The spec of a cell: network k on a data set with attack=GRAPH; more: further "key=value" pairs. */
static inline const char *attack_cell(arena *a, const char *dataset, const char *graph, int k, const char *more,
                                      const char *setting)
{
    return arena_printf(a, "dataset=%s attack=%s %s %s norm=none setting=%s", dataset, graph, attack_networks[k], more,
                        setting);
}

/* The same with the release's arguments for graphs poisoned by metattack. */
static inline const char *attack_meta_cell(arena *a, const attack_dataset *d, const char *graph, int k,
                                           const char *setting)
{
    return attack_cell(a, d->name, graph, k, attack_is_sgc(k) ? arena_printf(a, "%s lr=.1", d->sgc) : "", setting);
}

#endif
