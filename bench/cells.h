/* cells: hyper-parameters of the authors' release that several experiments share, as pieces of the text of a cell;
 * later pairs override earlier ones. JC_MODEL_DATASET: where JC differs from the defaults, which CE uses. */
#ifndef JCB_CELLS_H
#define JCB_CELLS_H

#define SAGE "model=sage dropout=.6 "
#define GAT "model=gat hidden=8 dropout=.6 in_dropout=.6 lr=.005 epochs=10000 patience=100 select=loss "

#define JC_GCN_CORA "lr=.005 tau=.1 epochs=100 "
#define JC_GCN_CITESEER "lr=.05 hidden=128 tau=.8 "
#define JC_GCN_PUBMED "lr=.005 tau=1.5 "
#define JC_SGC_CORA "lr=.01 hidden=128 tau=.1 epochs=100 "
#define JC_SGC_CITESEER "lr=.05 hidden=128 tau=1.2 clusters=4 "
#define JC_SGC_PUBMED "lr=.005 tau=1 "
#define JC_MLP_CORA "lr=.005 tau=1.5 "
#define JC_MLP_CITESEER "lr=.01 hidden=128 tau=1.2 clusters=4 "
#define JC_MLP_PUBMED "lr=.01 hidden=128 tau=1.5 "
#define JC_MLP_DBLP "lr=.005 wd=1e-3 "
#define JC_MLP_FACEBOOK "lr=.005 tau=.8 clusters=4 "

/* The class-imbalanced graphs, for any model, CE and JC. */
#define LASTFM "dataset=lastfmasia lr=.05 wd=0 hidden=256 epochs=500 clusters=20 "
#define ARXIV "dataset=ogbn-arxiv layers=3 hidden=256 norm_batch=1 lr=.01 wd=0 epochs=500 clusters=50 "

/* GCN on the five graphs of table main_res, with the hyper-parameters of the authors' release; CE before JC. */
#define MAIN_CELLS_GCN                                                                                         \
    "dataset=cora model=gcn loss=ce", "dataset=cora model=gcn loss=jc " JC_GCN_CORA,                           \
        "dataset=citeseer model=gcn loss=ce", "dataset=citeseer model=gcn loss=jc " JC_GCN_CITESEER,           \
        "dataset=pubmed model=gcn loss=ce", "dataset=pubmed model=gcn loss=jc " JC_GCN_PUBMED,                 \
        "dataset=dblp model=gcn loss=ce wd=5e-3", "dataset=dblp model=gcn loss=jc lr=.005 wd=1e-3 hidden=128", \
        "dataset=facebook model=gcn loss=ce lr=.05 wd=0 hidden=128",                                           \
        "dataset=facebook model=gcn loss=jc lr=.05 wd=0 clusters=4"

#endif
