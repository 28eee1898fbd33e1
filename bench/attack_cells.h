/* attack_cells: the networks of the attack tables, as pieces of the text of a cell, with the hyper-parameters of the authors' release: raw features,
 * GCN+CE from the last epoch at which validation loss or accuracy improved, SGC and GAT from the lowest validation loss (JC: of the joint loss).
 *
 * GAT+JC: the release takes the mean of the two orders here and decays by 5e-4; our GAT adds them (src/loss/joint_pairs.c). Adam does not see the
 * factor of two but through the decay, which is therefore doubled. */
#ifndef JCB_ATTACK_CELLS_H
#define JCB_ATTACK_CELLS_H

#define ATTACK_GAT "model=gat hidden=8 dropout=.5 in_dropout=.5 att_dropout=.5 att_dropout2=.5 lr=.01 epochs=1000 patience=100 norm=none "

static const char *const attack_networks[] = {
    "model=gcn loss=ce hidden=16 select=acc_or_loss norm=none",
    "model=gcn loss=jc clusters=20 norm=none",
    "model=sgc loss=ce layers=1 hops=3 lr=.1 dropout=0 select=loss norm=none",
    "model=sgc loss=jc hops=3 lr=.1 clusters=5 select=objective norm=none",
    ATTACK_GAT "loss=ce select=loss",
    ATTACK_GAT "loss=jc clusters=10 wd=1e-3 select=objective",
};

enum { ATTACK_NETWORKS = sizeof attack_networks / sizeof *attack_networks };

#endif
