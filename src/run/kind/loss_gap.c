/* loss-gap: training; the curve has training and test loss after each epoch. Figure t-sne draws test - train, CE and JC
 * each over its own maximum.
 *
 * The paper does not say how the losses are measured. Here both are -mean log p(true class) in evaluation mode, p being
 * the class probabilities (JC: the marginal) that the network of that epoch predicts. The quantity that JC minimises
 * cannot be used: it involves dropout and temperature, is over c x c joint classes, and its soft targets keep it above
 * zero, so that its distance from a test loss would say little about overfitting. Test nodes are measured but choose
 * nothing. */
#include "../../base/file.h"
#include "../../net/loss/loss.h"
#include "../../base/buf.h"
#include "../queue.h"

typedef struct gap {
    predictor *on; /* predicts training and test nodes together */
    int *y[PARTS]; /* of its rows: the class where the row is in the part, else -1 */
    buf out;
} gap;

static void before(bench_run *r)
{
    trainer *t = r->t;
    const split *q = &t->part;
    gap *g = NEW(&t->a, gap, 1);
    int nodes = t->data.nodes, n = 0, *rows = NEW(&t->a, int, (size_t)nodes);
    unsigned char *part = NEW(&t->a, unsigned char, (size_t)nodes);
    for (int i = 0; i < q->n[TRAIN]; i++)
        part[q->idx[TRAIN][i]] = 1 + TRAIN;
    for (int i = 0; i < q->n[TEST]; i++)
        part[q->idx[TEST][i]] = 1 + TEST;
    for (int i = 0; i < nodes; i++)
        if (part[i])
            rows[n++] = i;
    for (int k = TRAIN; k < PARTS; k++) {
        g->y[k] = trainer_labels(t, rows, n);
        for (int i = 0; i < n; i++)
            if (part[rows[i]] != 1 + k)
                g->y[k][i] = -1;
    }
    g->on = trainer_predictor(t, rows, n);
    g->out.a = &t->a;
    buf_add(&g->out, "epoch\ttrain_loss\ttest_loss\n");
    r->mine = g;
}

static void epoch(void *arg, const trainer *t, int epoch)
{
    (void)t;
    gap *g = ((bench_run *)arg)->mine;
    predictor_run(g->on);
    buf_add(&g->out, "%d\t%.9g\t%.9g\n", epoch, loss_nll(g->on->prob, g->y[TRAIN]), loss_nll(g->on->prob, g->y[TEST]));
}

static void after(bench_run *r)
{
    const gap *g = r->mine;
    file_write(r->curve, g->out.s, g->out.n);
}

const bench_kind kind_loss_gap = {.name = "loss-gap", KIND_TRAINING, .before = before, .epoch = epoch, .after = after};
