/* Every backbone x objective: the gradient of the training loss against central differences, in double, dropout on. A
 * difference across a kink of ReLU changes when the step is halved, and is left out. */
#include "../../../src/kernel/blas.h"
#include "../../../src/net/loss/loss.h"
#include "../../../src/train/trainer.h"
#include "../cell_of.h"
#include "../test.h"
#include "../toy.h"

static double loss_at(trainer *t, size_t i, double x)
{
    real keep = t->net.w[i];
    t->net.w[i] = (real)x;
    workspace_forward(t->val, 0); /* training takes its first layers from there */
    workspace_forward(t->train, 3);
    t->net.w[i] = keep;
    return t->train->loss;
}

static void check_cell(const char *name, const char *loss, int dense, int layers, int norm, int multi)
{
    problem *p = (multi ? toy_multi : toy)(60, 24, 3, dense);
    spec s = spec_default();
    s.model = name, s.loss = loss, s.hidden = 9, s.layers = layers, s.clusters = 4, s.tau = 0.7,
    s.partition = partition_rule_read("random");
    s.in_dropout = 0.3, s.heads = 3, s.out_heads = layers, s.order = layers + 1, s.beta = 0.4, s.norm_batch = norm,
    s.init = dense ? INIT_GLOROT : INIT_AUTO;
    problem_prepare(p, CELL(&s));
    trainer *t = trainer_new(p, CELL(&s), 5, 0);
    workspace_forward(t->val, 0); /* training takes its first layers from there */
    workspace_forward(t->train, 3);
    workspace_backward(t->train);
    double *g = NEW(&t->a, double, t->m->size), worst = 0;
    for (size_t i = 0; i < t->m->size; i++)
        g[i] = (double)t->net.g[i];
    int checked = 0, kinks = 0, nonzero = 0;
    for (int k = 0; k < t->m->nparams; k++) {
        const param *q = t->m->params + k;
        size_t n = (size_t)q->rows * (size_t)q->cols;
        for (size_t e = 0; e < n; e += 1 + n / 60) {
            size_t i = q->at + e;
            double x = (double)t->net.w[i], h = 1e-5;
            double d2 = (loss_at(t, i, x + h / 2) - loss_at(t, i, x - h / 2)) / h,
                   error = fabs(g[i] - d2) / (1e-3 + fabs(d2));
            if (!(error < 1e-5)) { /* only now look whether it is a kink: two more evaluations */
                double d1 = (loss_at(t, i, x + h) - loss_at(t, i, x - h)) / (2 * h);
                if (fabs(d1 - d2) > 5e-9 * (1 + fabs(d1))) {
                    kinks++;
                    continue;
                }
            }
            worst = worst == worst && !(error <= worst) ? error : worst; /* one that is no number stays */
            checked++;
            nonzero += d2 != 0;
        }
    }
    CHECK(worst < 1e-5,
          "%s %s %s features, %d layers, norm %d, multi %d: relative error %g (near 1e-5 it may be a kink of ReLU that "
          "both steps straddle: "
          "try another seed; otherwise backward does not belong to forward)",
          name, loss, dense ? "dense" : "sparse", layers, norm, multi, worst);
    CHECK(checked > 60 && kinks < checked / 4 && nonzero > checked / 4, "%s %s: %d checked, %d kinks, %d not zero",
          name, loss, checked, kinks, nonzero);
    printf("%-7s %-5s %-6s %d layers%s%s: %4d derivatives, worst relative error %.1e\n", name, loss,
           dense ? "dense" : "sparse", layers, norm ? ", norm" : "", multi ? ", multi-label" : "", checked, worst);
    trainer_free(t);
    problem_close(p);
}

TEST_MAIN(test_gradient)
{
    blas_init();
    for (int b = 0; backbones[b]; b++)
        for (int o = 0; objectives[o]; o++)
            for (int dense = 0; dense < 2; dense++) {
                if (o >= 4) { /* on the networks of the others: sparse or dense, two or three layers in turns */
                    if (dense == (b + o) % 2)
                        check_cell(backbones[b]->name, objectives[o]->name, dense, 2 + b / 2 % 2, 0, 0);
                    continue;
                }
                check_cell(backbones[b]->name, objectives[o]->name, dense, 2, 0, 0);
                check_cell(backbones[b]->name, objectives[o]->name, dense, 3, dense, 0);
                if (objectives[o]->multi)
                    check_cell(backbones[b]->name, objectives[o]->name, dense, 2, dense, 1);
            }
    return test_end();
}
