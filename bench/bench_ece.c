/* Table "prediction calibration": expected calibration error of GCN on the test nodes, CE against JC (confidence: the
 * largest class probability; JC: of the marginal). Table calibration: the same after scaling by a temperature fitted on
 * validation nodes and, for JC, at its training temperature. The paper has PubMed and ogbn-arxiv. Hyper-parameters of
 * bench_balanced and bench_imbalanced. The curve is the reliability diagram. */
#include "../src/base/file.h"
#include "../src/base/buf.h"
#include "bench.h"
#include "cells.h"
#include <stddef.h>

static const char *const cells[] = {
    MAIN_CELLS_GCN,
    ARXIV "model=gcn loss=ce",
    ARXIV "model=gcn loss=jc",
    NULL,
};

static void after(bench_run *r)
{
    trainer *t = r->t;
    const int n = t->part.n[TEST], *y = trainer_labels(t, t->part.idx[TEST], n);
    metric_bins bins;
    metric_compute(&bins, t->on_test->prob.v, y, n, &t->work);
    buf out = {.a = &t->a};
    buf_add(&out, "lo\thi\tcount\tconfidence\taccuracy\n");
    for (int b = 0; b < METRIC_BINS; b++) {
        buf_add(&out, "%g\t%g\t%d\t", b / (double)METRIC_BINS, (b + 1) / (double)METRIC_BINS, bins.count[b]);
        if (bins.count[b])
            buf_add(&out, "%.9g\t%.9g", bins.confidence[b], bins.accuracy[b]);
        else
            buf_add(&out, "\t");
        buf_add(&out, "\n");
    }
    file_write(r->curve, out.s, out.n);
}

const bench bench_ece = {
    .name = "ece",
    .about = "table prediction calibration: expected calibration error of GCN, before and after temperature scaling",
    .cells = cells,
    .calibration = 1,
    .after = after,
};
BENCH_MAIN(bench_ece)
