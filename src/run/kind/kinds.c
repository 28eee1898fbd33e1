#include "../kind.h"
#include <stddef.h>

const bench_kind *const bench_kinds[] = {&kind_training,      &kind_reliability, &kind_loss_gap, &kind_tsne,
                                         &kind_changed_links, &kind_time_memory, &kind_counts,   NULL};
