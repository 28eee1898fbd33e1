/* Table few-label: 5 or 10 random training nodes of each class, the validation and test nodes of the public split.
 * Hyper-parameters are those of specs/label_scarcity.tsv, else those of bench_balanced. */
#include "bench.h"
#include "cells.h"
#include <stddef.h>

#define CELLS(labels)                                                                                         \
    LABELS(labels)                                                                                            \
    "dataset=cora      model=gcn loss=ce", LABELS(labels) "dataset=cora      model=gcn loss=jc " JC_GCN_CORA, \
        LABELS(labels) "dataset=cora      model=sgc loss=ce",                                                 \
        LABELS(labels) "dataset=cora      model=sgc loss=jc " JC_SGC_CORA,                                    \
        LABELS(labels) "dataset=cora      model=mlp loss=ce",                                                 \
        LABELS(labels) "dataset=cora      model=mlp loss=jc " JC_MLP_CORA,                                    \
        LABELS(labels) "dataset=citeseer  model=gcn loss=ce",                                                 \
        LABELS(labels) "dataset=citeseer  model=gcn loss=jc " JC_GCN_CITESEER,                                \
        LABELS(labels) "dataset=citeseer  model=sgc loss=ce",                                                 \
        LABELS(labels) "dataset=citeseer  model=sgc loss=jc " JC_SGC_CITESEER,                                \
        LABELS(labels) "dataset=citeseer  model=mlp loss=ce",                                                 \
        LABELS(labels) "dataset=citeseer  model=mlp loss=jc " JC_MLP_CITESEER,                                \
        LABELS(labels) "dataset=pubmed    model=gcn loss=ce",                                                 \
        LABELS(labels) "dataset=pubmed    model=gcn loss=jc " JC_GCN_PUBMED,                                  \
        LABELS(labels) "dataset=pubmed    model=sgc loss=ce",                                                 \
        LABELS(labels) "dataset=pubmed    model=sgc loss=jc " JC_SGC_PUBMED,                                  \
        LABELS(labels) "dataset=pubmed    model=mlp loss=ce",                                                 \
        LABELS(labels) "dataset=pubmed    model=mlp loss=jc " JC_MLP_PUBMED
#define LABELS(n) "split=labels:" n " setting=labels=" n " "

static const char *const cells[] = {CELLS("5"), CELLS("10"), NULL};

const bench bench_label_scarcity = {
    .name = "label_scarcity",
    .about = "table few-label: 5 or 10 labels a class",
    .cells = cells,
};
BENCH_MAIN(bench_label_scarcity)
