/* main_cells: the cells of table main_res, with the hyper-parameters of the authors' release; each CE cell is followed
 * by its JC cell. */
#ifndef JCB_MAIN_CELLS_H
#define JCB_MAIN_CELLS_H

#include "cells.h"
#include <stddef.h>

static const char *const main_cells[] = {
    MAIN_CELLS_GCN,

    "dataset=cora      model=sgc loss=ce",
    "dataset=cora      model=sgc loss=jc " JC_SGC_CORA,
    "dataset=citeseer  model=sgc loss=ce",
    "dataset=citeseer  model=sgc loss=jc " JC_SGC_CITESEER,
    "dataset=pubmed    model=sgc loss=ce",
    "dataset=pubmed    model=sgc loss=jc " JC_SGC_PUBMED,
    "dataset=dblp      model=sgc loss=ce wd=5e-3",
    "dataset=dblp      model=sgc loss=jc lr=.005 wd=5e-4 hidden=128",
    "dataset=facebook  model=sgc loss=ce lr=.05 wd=0",
    "dataset=facebook  model=sgc loss=jc lr=.05 wd=0 tau=.8 clusters=4",

    "dataset=cora      model=mlp loss=ce",
    "dataset=cora      model=mlp loss=jc " JC_MLP_CORA,
    "dataset=citeseer  model=mlp loss=ce",
    "dataset=citeseer  model=mlp loss=jc " JC_MLP_CITESEER,
    "dataset=pubmed    model=mlp loss=ce",
    "dataset=pubmed    model=mlp loss=jc " JC_MLP_PUBMED,
    "dataset=dblp      model=mlp loss=ce wd=5e-3",
    "dataset=dblp      model=mlp loss=jc " JC_MLP_DBLP,
    "dataset=facebook  model=mlp loss=ce",
    "dataset=facebook  model=mlp loss=jc " JC_MLP_FACEBOOK,

    SAGE "dataset=cora      loss=ce",
    SAGE "dataset=cora      loss=jc clusters=10 wd=5e-5",
    SAGE "dataset=citeseer  loss=ce",
    SAGE "dataset=citeseer  loss=jc lr=.05 hidden=256",
    SAGE "dataset=pubmed    loss=ce",
    SAGE "dataset=pubmed    loss=jc",
    SAGE "dataset=dblp      loss=ce wd=5e-3",
    SAGE "dataset=dblp      loss=jc lr=.05 wd=5e-3",
    SAGE "dataset=facebook  loss=ce lr=.05 wd=0",
    SAGE "dataset=facebook  loss=jc lr=.05 wd=0 clusters=4",

    GAT "dataset=cora      loss=ce",
    GAT "dataset=cora      loss=jc clusters=7 hidden=16",
    GAT "dataset=citeseer  loss=ce",
    GAT "dataset=citeseer  loss=jc clusters=4 lr=.01 wd=1e-3",
    GAT "dataset=pubmed    loss=ce out_heads=8 wd=1e-3",
    GAT "dataset=pubmed    loss=jc out_heads=4 clusters=3 wd=1e-3 att_dropout2=0",
    GAT "dataset=dblp      loss=ce wd=5e-3",
    GAT "dataset=dblp      loss=jc wd=5e-3",
    GAT "dataset=facebook  loss=ce out_heads=4 lr=.01 wd=5e-6",
    GAT "dataset=facebook  loss=jc out_heads=4 lr=.05 wd=5e-6 clusters=4",
    NULL,
};

#endif
