/* reliability: training; the curve is the reliability diagram on the test nodes: for each bin of confidence (the
 * largest class probability; JC: of the marginal) the number of nodes, their mean confidence and their accuracy. */
#include "../../base/file.h"
#include "../../base/buf.h"
#include "../queue.h"

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

const bench_kind kind_reliability = {.name = "reliability", KIND_TRAINING, .after = after};
