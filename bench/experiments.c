#include "experiments.h"
#include <stddef.h>

#define EXPERIMENTS(X) \
    X(datasets)        \
    X(balanced)        \
    X(imbalanced)      \
    X(large)           \
    X(batches)         \
    X(factorised)      \
    X(heterophilic)    \
    X(incontext)       \
    X(mixup)           \
    X(backbones)       \
    X(correct_smooth)  \
    X(crf)             \
    X(label_scarcity)  \
    X(clustering)      \
    X(partitions)      \
    X(variance)        \
    X(explain)         \
    X(cluster_count) X(ece) X(loss_gap) X(depth) X(tsne) X(efficiency) X(attack) X(random_attack) X(metattack)

#define DECLARE(name) extern const bench bench_##name;
EXPERIMENTS(DECLARE)

#define ADDRESS(name) &bench_##name,
const bench *const experiments[] = {EXPERIMENTS(ADDRESS) NULL};
