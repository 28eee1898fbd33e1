/* table_defs: which experiment fills which table, how a table is laid out, and what its numbers are in a record.
 * A new table is one row here, with its numbers in paper_tables/. */
#include "../base/err.h"
#include "table_parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JC_CE {{"loss=jc", "loss=ce"}}
#define PARTITIONS {{"partition=metis", "partition=kmeans"}}

const table_def table_defs[] = {
    {"main_res", "balanced", "model,loss", "dataset", "", JC_CE, NULL},
    {"imbalance_res", "imbalanced", "model,loss", "dataset,metric", "", JC_CE, NULL},
    {"tab_hete", "heterophilic", "model,loss,tuning", "dataset", "", JC_CE, NULL},
    {"multi-label", "large", "method,loss", "dataset", "", JC_CE, NULL},
    {"adv_res", "attack", "dataset,ptb,tuning", "model,loss", "", JC_CE, "ptb"},
    {"crf-gcn", "crf,balanced", "model,loss", "dataset,metric", "",
     {{"model=gcn,loss=jc", "model=gcn,loss=ce"}, {"model=gcn,loss=jc", "model=cgnf|spn,loss=-"}}, NULL},
    {"cs", "correct_smooth,balanced,imbalanced", "model,loss", "dataset", "",
     {{"loss=jc", "loss=ce"}, {"loss=jc+cs", "loss=ce+cs"}}, NULL},
    {"table_memory", "efficiency", "model", "dataset", "", {{0}}, NULL},
    {"dataset", "datasets", "dataset", "metric", "", {{0}}, NULL},
    {"dataset_attack", "datasets", "dataset", "metric", "", {{0}}, NULL},
    {"ic_res", "incontext,balanced", "model,loss", "dataset", "",
     {{"loss=jc", "loss=ce"}, {"loss=jc", "loss=ic"}, {"loss=ic", "loss=ce"}}, NULL},
    {"cluster_mixup", "mixup,balanced", "model,loss", "dataset", "",
     {{"loss=jc", "loss=ce"}, {"loss=jc", "loss=mixup"}, {"loss=mixup", "loss=ce"}}, NULL},
    {"effiency", "efficiency", "model,loss", "dataset,metric", "", JC_CE, NULL},
    {"few-label", "label_scarcity", "dataset,labels", "model,loss", "", JC_CE, NULL},
    {"cluster_methods_num", "clustering", "partition", "dataset,clusters", "", PARTITIONS, NULL},
    {"clustering-methods", "clustering", "dataset,partition", "metric", "clusters=5", PARTITIONS, NULL},
    {"more-backbones", "backbones", "model,loss", "dataset", "", JC_CE, NULL},
    {"random_attack", "random_attack", "dataset,ptb,graphs", "model,loss", "", JC_CE, NULL},
    {"prediction_calibration", "ece,balanced,imbalanced", "model,loss", "dataset", "", JC_CE, NULL},
    {0},
};

static const metric_def metrics[] = {
    {"acc", "accuracy (%)", "test_acc", NULL, 100, 1, 0, "acc", MEASURED, 0, 0, 0.5},
    {"micro_f1", "F1-micro (%)", "test_acc", NULL, 100, 1, 0, "acc", MEASURED, 0, 0, 0.5},
    {"macro_f1", "F1-macro (%)", "macro_f1", NULL, 100, 1, 0, "macro_f1", MEASURED, 0, 0, 0.5},
    {"weighted_f1", "F1-weighted (%)", "weighted_f1", NULL, 100, 1, 0, "weighted_f1", MEASURED, 0, 0, 0.5},
    {"ece", "ECE (%)", "ece", NULL, 100, 0.5, 0, NULL, MEASURED, 0, 0, 0},
    /* for calibration_table.c */
    {"ece_plain", "ECE (%), as predicted", "ece", NULL, 100, 0.5, 0, NULL, MEASURED, 0, 0, 0.5},
    {"ece_scaled", "ECE (%), at the fitted temperature", "ece_scaled", NULL, 100, 0.5, 0, NULL, MEASURED, 0, 0, 0.5},
    {"ece_tau", "ECE (%), at tau", "ece_tau", NULL, 100, 0.5, 0, NULL, MEASURED, 0, 0, 0.5},
    {"ece_mass", "ECE of equal mass (%), as predicted", "ece_mass", NULL, 100, 0.5, 0, NULL, MEASURED, 0, 0, 0.5},
    {"ece_mass_scaled", "ECE of equal mass (%), at the fitted temperature", "ece_mass_scaled", NULL, 100, 0.5, 0, NULL, MEASURED, 0, 0, 0.5},
    {"ece_mass_tau", "ECE of equal mass (%), at tau", "ece_mass_tau", NULL, 100, 0.5, 0, NULL, MEASURED, 0, 0, 0.5},
    {"nll_plain", "NLL, as predicted", "nll", NULL, 1, 0.01, 0, NULL, MEASURED, 0, 0, 0.01},
    {"nll_scaled", "NLL, at the fitted temperature", "nll_scaled", NULL, 1, 0.01, 0, NULL, MEASURED, 0, 0, 0.01},
    {"nll_tau", "NLL, at tau", "nll_tau", NULL, 1, 0.01, 0, NULL, MEASURED, 0, 0, 0.01},
    {"brier_plain", "Brier score, as predicted", "brier", NULL, 1, 0.005, 0, NULL, MEASURED, 0, 0, 0.005},
    {"brier_scaled", "Brier score, at the fitted temperature", "brier_scaled", NULL, 1, 0.005, 0, NULL, MEASURED, 0, 0, 0.005},
    {"brier_tau", "Brier score, at tau", "brier_tau", NULL, 1, 0.005, 0, NULL, MEASURED, 0, 0, 0.005},
    {"temperature", "fitted temperature", "temperature", NULL, 1, 0, 0, NULL, MEASURED, 0, 0, 0},
    {"train_seconds", "training epoch (s)", "epoch_ms", NULL, 1e-3, 0, 0, NULL, MACHINE, 0, 0, 0},
    {"infer_seconds", "inference (s)", "infer_ms", NULL, 1e-3, 0, 0, NULL, MACHINE, 0, 0, 0},
    {"memory_mb", "memory (MB)", "peak_bytes", NULL, 1.0 / (1 << 20), 0, 0, NULL, MACHINE, 0, 1, 0},
    {"memory_ratio", "memory, JC / CE", "peak_bytes", NULL, 1, 0.05, 0, NULL, MEASURED, 1, 1, 0},
    {"nodes", "nodes", "nodes", NULL, 1, 0, 0, NULL, EXACT, 0, 0, 0},
    {"edges", "edges", "edges", NULL, 1, 0, 0, NULL, EXACT, 0, 0, 0},
    {"features", "features", "features", NULL, 1, 0, 0, NULL, EXACT, 0, 0, 0},
    {"classes", "classes", "classes", NULL, 1, 0, 0, NULL, EXACT, 0, 0, 0},
    {"within_links", "links within", "within_links", NULL, 1, 0, 0.05, NULL, MEASURED, 0, 1, 0},
    {"between_links", "links between", "between_links", NULL, 1, 0, 0.05, NULL, MEASURED, 0, 1, 0},
    {"link_rate", "links within / between", "within_links", "between_links", 1, 0, 0.05, NULL, MEASURED, 0, 1, 0},
};

const metric_def *table_metric(const char *name)
{
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        if (!strcmp(metrics[i].name, name))
            return &metrics[i];
    die("paper_tables: no metric '%s' is known", name);
}

static const split_def published_splits[] = { /* geom-gcn: 48, 32 and 20 % of the nodes train, validate and test */
    {"chameleon", 10, 20.0 / 48},
    {"squirrel", 10, 20.0 / 48},
    {"wisconsin", 10, 20.0 / 48},
};

const split_def *table_splits(const char *dataset)
{
    for (size_t i = 0; i < sizeof published_splits / sizeof *published_splits; i++)
        if (!strcmp(published_splits[i].dataset, dataset))
            return &published_splits[i];
    return NULL;
}

static const char *const titles[][2] = {
    {"dataset", "Data set"}, {"model", "Model"}, {"loss", "Loss"}, {"metric", "Metric"}, {"ptb", "Ptb rate (%)"},
    {"labels", "Labels a class"}, {"clusters", "Clusters"}, {"partition", "Partition"}, {"tuning", "Variant"}, {"method", "Method"},
    {"cora", "Cora"}, {"citeseer", "CiteSeer"}, {"pubmed", "PubMed"}, {"dblp", "DBLP"}, {"facebook", "Facebook"},
    {"lastfmasia", "LastFMAsia"}, {"ogbn-arxiv", "ogbn-arxiv"}, {"chameleon", "Chameleon"}, {"squirrel", "Squirrel"}, {"wisconsin", "Wisconsin"},
    {"chameleon-filtered", "Chameleon filtered"}, {"squirrel-filtered", "Squirrel filtered"},
    {"yelp", "Yelp"}, {"amazon", "Amazon"}, {"humloc", "HumLoc"}, {"eukloc", "EukLoc"}, {"pcg", "PCG"}, {"cora-lcc", "Cora LCC"}, {"citeseer-lcc", "CiteSeer LCC"},
    {"polblogs-lcc", "Polblogs LCC"}, {"pubmed-lcc", "PubMed LCC"},
    {"gcn", "GCN"}, {"sgc", "SGC"}, {"mlp", "MLP"}, {"sage", "SAGE"}, {"gat", "GAT"}, {"graphsage", "GraphSAGE"},
    {"cluster-gcn", "Cluster-GCN"}, {"sign", "SIGN"}, {"chebnet", "ChebNet"}, {"gcnii", "GCNII"}, {"cgnf", "CGNF"},
    {"crf-gcn", "CRF-GCN"}, {"spn", "SPN"},
    {"ce", "CE"}, {"jc", "JC"}, {"ic", "IC"}, {"mixup", "Mixup"}, {"ce+cs", "CE+C&S"}, {"jc+cs", "JC+C&S"},
    {"metis", "METIS"}, {"kmeans", "K-Means"}, {"random", "Random"}, {"none", "untuned"}, {"searched", "searched"}, {"graphs", "Graphs"}, {"fresh", "fresh graphs"}, {"graph", "Graph"},
    {"published", "published"}, {"metaself", "Meta-Self"}, {"fixed", "Meta-Self, fixed start"}, {"fixed-row", "Meta-Self, fixed start, scaled rows"}, {"ameta", "A-Meta-Self"},
};

const char *table_title(const char *key, const char *value, int n, char out[64])
{
    snprintf(out, 64, "%.*s", n, value);
    if (!strcmp(key, "metric"))
        return table_metric(out)->title;
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (!strcmp(titles[i][0], out))
            return titles[i][1];
    const char *colon = !strcmp(key, "partition") ? memchr(value, ':', (size_t)n) : NULL;
    char name[64];
    if (colon)
        snprintf(out, 64, "%s, start %.*s", table_title(key, value, (int)(colon - value), name), (int)(value + n - colon - 1), colon + 1);
    return out;
}

static int rank(const char *v, int n)
{
    int i = 0, count = sizeof titles / sizeof titles[0];
    while (i < count && (strncmp(titles[i][0], v, (size_t)n) || titles[i][0][n]))
        i++;
    return i;
}

int table_order(const paper_cell *x, const paper_cell *y, const char *key)
{
    int nx = 0, ny = 0;
    const char *vx = paper_value(x, key, &nx), *vy = paper_value(y, key, &ny);
    if (!vx || !vy)
        return !vy - !vx;
    if (!strcmp(key, "metric")) {
        const metric_def *a = table_metric(vx), *b = table_metric(vy);
        return (a > b) - (a < b);
    }
    char *ex, *ey;
    double a = strtod(vx, &ex), b = strtod(vy, &ey);
    if (ex != vx + nx || ey != vy + ny || !nx || !ny) { /* not numbers */
        a = rank(vx, nx);
        b = rank(vy, ny);
    }
    if (a != b)
        return a < b ? -1 : 1;
    int c = strncmp(vx, vy, (size_t)(nx < ny ? nx : ny));
    return c ? c : nx - ny;
}

void table_add_value(buf *t, const paper_cell *c, const char *key, size_t len, const char *between)
{
    char name[64], out[64];
    int n;
    if (len >= sizeof name)
        return;
    memcpy(name, key, len);
    name[len] = 0;
    const char *v = paper_value(c, name, &n);
    if (!v || (n == 1 && *v == '-'))
        return;
    const char *unit = !strcmp(name, "ptb")        ? " % perturbed"
                       : !strcmp(name, "labels")   ? " labels"
                       : !strcmp(name, "clusters") ? " clusters"
                       : !strcmp(name, "layers")   ? " layers"
                                                   : "";
    buf_add(t, "%s%s%s", t->n ? between : "", table_title(name, v, n, out), unit);
}
