/* Table ic_res: in-context learning (IC: the cluster mean is an additional input, only the class of the node is
 * predicted) against CE and JC, whose runs are those of bench_balanced. Hyper-parameters are searched from those of the
 * JC cell (specs/incontext.tsv). */
#include "bench.h"
#include "cells.h"
#include <stddef.h>

static const char *const cells[] = {
    "loss=ic model=gcn dataset=cora      lr=.005",
    "loss=ic model=gcn dataset=citeseer  lr=.05 hidden=128",
    "loss=ic model=gcn dataset=pubmed    lr=.005",
    "loss=ic model=gcn dataset=dblp      lr=.005 wd=1e-3 hidden=128",
    "loss=ic model=gcn dataset=facebook  lr=.05 wd=0 clusters=4",

    "loss=ic model=sgc dataset=cora      lr=.01 hidden=128",
    "loss=ic model=sgc dataset=citeseer  lr=.05 hidden=128 clusters=4",
    "loss=ic model=sgc dataset=pubmed    lr=.005",
    "loss=ic model=sgc dataset=dblp      lr=.005 hidden=128",
    "loss=ic model=sgc dataset=facebook  lr=.05 wd=0 clusters=4",

    "loss=ic model=mlp dataset=cora      lr=.005",
    "loss=ic model=mlp dataset=citeseer  lr=.01 hidden=128 clusters=4",
    "loss=ic model=mlp dataset=pubmed    lr=.01 hidden=128",
    "loss=ic model=mlp dataset=dblp      lr=.005 wd=1e-3",
    "loss=ic model=mlp dataset=facebook  lr=.005 clusters=4",

    SAGE "loss=ic dataset=cora      clusters=10 wd=5e-5",
    SAGE "loss=ic dataset=citeseer  lr=.05 hidden=256",
    SAGE "loss=ic dataset=pubmed",
    SAGE "loss=ic dataset=dblp      lr=.05 wd=5e-3",
    SAGE "loss=ic dataset=facebook  lr=.05 wd=0 clusters=4",

    GAT "loss=ic dataset=cora      clusters=7 hidden=16",
    GAT "loss=ic dataset=citeseer  clusters=4 lr=.01 wd=1e-3",
    GAT "loss=ic dataset=pubmed    out_heads=4 clusters=3 wd=1e-3 att_dropout2=0",
    GAT "loss=ic dataset=dblp      wd=5e-3",
    GAT "loss=ic dataset=facebook  out_heads=4 lr=.05 wd=5e-6 clusters=4",
    NULL,
};

const bench bench_incontext = {
    .name = "incontext",
    .about = "table ic_res: in-context learning against CE and JC",
    .cells = cells,
};
BENCH_MAIN(bench_incontext)
