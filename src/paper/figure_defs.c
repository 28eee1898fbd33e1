/* figure_defs: what the figures are. A new one is a row here and a script in plots/; see figure_parts.h for the fields. */
#include "figure_parts.h"

#define PERCENT "acc,micro_f1,macro_f1,weighted_f1"
#define BARS " Bars: 95 % confidence interval of the mean (Student)."
#define GAIN_COLOURS \
    " Colours, by the verdict of the table (paired t e-process with e-Holm): blue: JC is ahead, orange: CE is, green: practically equal, " \
    "within 0.5 points, grey: not decided. An interval that leaves the axis is cut, with an arrow; below six runs it is the whole line."
#define SEQUENCE " Bars: 95 % confidence sequence of the mean, valid at every number of runs; none below six runs."
#define HOLLOW " Hollow: the paper's mean, with its standard deviation where it prints one."

const figure_def figure_defs[] = {
    {.name = "gains", .script = "gains", .rank = 1, .make = figure_gains,
     .tables = "main_res,more-backbones|imbalance_res,tab_hete,multi-label|few-label",
     .title = "What the joint-cluster loss gains",
     .text = "JC minus CE over runs paired by split and seed, in percentage points, with the 95 % confidence sequence, valid at every number of "
             "runs; hollow: the paper's difference." GAIN_COLOURS},
    {.name = "gains-attack", .script = "gains", .make = figure_gains, .tables = "adv_res|random_attack",
     .title = "What the joint-cluster loss gains under attack",
     .text = "JC minus CE over paired runs on graphs with false edges, in percentage points, with the 95 % confidence sequence, valid at every "
             "number of runs; hollow: the paper's difference." GAIN_COLOURS},
    {.name = "overall", .script = "profile", .rank = 4, .make = figure_overall, .tables = "*",
     .title = "JC against CE, over all data sets",
     .text = "Left: the share of cells (data set, model, setting) whose gain JC - CE in accuracy is larger than x, with a pointwise interval, and the "
             "paper's share of the same cells; ticks: the gains; grey band: within 0.5 points. Right: the probabilities below, dashed at 0.75."},
    {.name = "ours-vs-paper", .script = "scatter", .rank = 2, .make = figure_plain, .tables = "*", .metrics = PERCENT, .series = "loss", .x = "paper",
     .title = "Our means against the printed ones",
     .text = "Every accuracy and F1 cell of every table that has runs; a cell that several tables print is drawn for each. Grey: "
             "data that are not the published ones." BARS},
    {.name = "over-smooth", .script = "lines", .rank = 5, .make = figure_plain, .experiment = "depth", .metrics = "acc", .panel = "dataset",
     .group = "metric", .series = "model,loss", .x = "layers", .panels = "cora,citeseer,pubmed",
     .title = "Accuracy against depth", .text = "Test accuracy of GCN with 2 to 32 layers." BARS},
    {.name = "cluster_num", .script = "lines", .make = figure_plain, .experiment = "cluster_count", .metrics = "acc", .panel = "dataset",
     .group = "metric", .series = "model,method,loss", .x = "clusters", .panels = "cora,ogbn-arxiv,yelp,humloc,eukloc,pcg",
     .title = "Accuracy against the number of clusters",
     .text = "Test accuracy (Yelp: F1-micro) of the joint-cluster loss." BARS},
    {.name = "t-sne", .script = "tsne", .make = figure_tsne, .experiment = "tsne,loss_gap", .metrics = "acc",
     .title = "Embeddings and loss gap",
     .text = "Left, middle: t-SNE of the last hidden layer of an 8-layer GCN, first run; a colour and marker is a class, and the "
             "silhouette is that of the embedding, not of the picture. Right: test loss minus training loss, mean over runs, "
             "each divided by its own largest value; band: 95 % confidence interval."},
    {.name = "reliability", .script = "reliability", .make = figure_reliability, .tables = "prediction_calibration", .experiment = "ece",
     .metrics = "ece", .title = "Reliability of the predicted probabilities",
     .text = "Accuracy of the test nodes in ten bins of confidence, mean over runs, against the diagonal of perfect calibration; "
             "hatched: the gap to the mean confidence; below: share of nodes in each bin." BARS},
    {.name = "calibration", .script = "calibration", .make = figure_calibration, .tables = "prediction_calibration", .experiment = "ece",
     .title = "Calibration before and after temperature scaling",
     .text = "Expected calibration error of the test nodes, ten bins of equal width: as predicted, after one temperature T fitted on validation nodes, and JC at "
             "the temperature tau that it trains with." BARS " Hollow: the paper's."},
    {.name = "clustering", .script = "groups", .make = figure_plain, .tables = "clustering-methods", .experiment = "clustering",
     .only = "clusters=5", .metrics = "acc,link_rate", .panel = "metric", .label = "dataset", .series = "partition",
     .title = "How nodes are clustered",
     .text = "GCN trained with the joint-cluster loss on 5 clusters: accuracy, and links within clusters for each link between "
             "clusters." BARS HOLLOW},
    {.name = "partitions", .script = "strips", .rank = 3, .make = figure_partitions, .experiment = "partitions",
     .title = "How much of the gain depends on the partition",
     .text = "JC minus CE on paired runs, in percentage points: a dot for each partition (mean over runs), bars from quartile to quartile with the "
             "median; the star is the paper's own partition, the line at 0 is CE."},
    {.name = "balanced", .script = "groups", .make = figure_plain, .tables = "main_res", .panel = "dataset", .label = "model",
     .series = "loss", .title = "Class-balanced graphs", .text = "Test accuracy (%)." BARS HOLLOW},
    {.name = "imbalanced", .script = "groups", .make = figure_plain, .tables = "imbalance_res", .panel = "dataset,metric",
     .label = "model", .series = "loss", .title = "Class-imbalanced graphs", .text = "Test F1 (%)." BARS HOLLOW},
    {.name = "heterophilic", .script = "groups", .make = figure_plain, .tables = "tab_hete", .panel = "dataset", .label = "model",
     .series = "loss,tuning", .title = "Heterophilic graphs",
     .text = "Test accuracy (%). Untuned: default hyper-parameters, nothing searched for." BARS HOLLOW},
    {.name = "label_scarcity", .script = "groups", .make = figure_plain, .tables = "few-label", .panel = "labels,dataset",
     .label = "model", .series = "loss", .title = "Few labels a class",
     .text = "Test accuracy (%) with 5 and 10 labelled nodes a class." BARS HOLLOW},
    {.name = "attack", .script = "rates", .make = figure_plain, .tables = "adv_res", .experiment = "attack", .metrics = "acc",
     .panel = "dataset,model", .series = "loss,tuning", .x = "ptb", .sequence = 1, .title = "Accuracy against the rate of metattack",
     .text = "Test accuracy (%) on the graphs poisoned by metattack that Pro-GNN publishes, against the flipped share of the links (%); 0: the clean "
             "graph." SEQUENCE HOLLOW},
    {.name = "attack-gain", .script = "rates", .make = figure_gain_lines, .tables = "adv_res", .x = "ptb",
     .title = "JC - CE against the rate of metattack", .text = "Gain of the joint-cluster loss on paired runs, in percentage points." SEQUENCE HOLLOW},
    {.name = "random_attack", .script = "rates", .make = figure_plain, .tables = "random_attack", .experiment = "random_attack", .metrics = "acc",
     .panel = "dataset,model", .series = "loss,graphs", .x = "ptb", .sequence = 1, .title = "Accuracy against the share of random links",
     .text = "Test accuracy (%) on graphs with links added at random, against their share of the real ones (%): one graph for all runs of a point, and "
             "one for each run (fresh graphs)." SEQUENCE HOLLOW},
    {.name = "random_attack-gain", .script = "rates", .make = figure_gain_lines, .tables = "random_attack", .x = "ptb",
     .title = "JC - CE against the share of random links",
     .text = "Gain of the joint-cluster loss on paired runs, in percentage points; one graph for all runs of a point." SEQUENCE HOLLOW},
    {.name = "metattack", .script = "rates", .make = figure_plain, .experiment = "metattack", .metrics = "acc", .panel = "dataset,model,loss",
     .series = "graph", .x = "ptb", .sequence = 1, .title = "Our metattack and the published graphs",
     .text = "Test accuracy (%) against the flipped share of the links (%): published graphs, and ours by exact Meta-Self (fresh weights for every flip, "
             "or one fixed start) and A-Meta-Self; several seeds at 20 %." SEQUENCE},
    {.name = "roofline", .script = "roofline", .experiment = "kernels", .title = "What the kernels reach",
     .text = "Each kernel and width on one graph, under what the machine can do: bandwidth of a triad out of memory and caches, rate of a large sgemm."},
    {.name = "scaling", .script = "scaling", .experiment = "kernels", .title = "Strong scaling of the kernels",
     .text = "Speed-up over one thread; bench_kernels --threads 1,2,4 measures more than the default."},
    {.name = "growth", .script = "growth", .experiment = "growth", .title = "Cost against the size of the graph",
     .text = "Time and memory of an epoch, training and validation, on synthetic graphs, with the fitted exponent."},
    {.name = "dots-", .script = "dots", .make = figure_plain, .panel = "metric", .group = "dataset,ptb,labels,clusters",
     .label = "model,partition,tuning,loss", .series = "loss", .title = "Ours against the paper's", .text = "One line a printed cell." BARS HOLLOW},
    {0},
};
