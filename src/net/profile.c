#include "profile.h"
#include <stdio.h>

enum { DENSE, SPARSE, REST, CLASSES };

static int class_of(const op_state *n) { return n->d.kind->product ? (n->s.ptr ? SPARSE : DENSE) : REST; }

/* Multiply-adds of the forward pass, as operations; the backward pass has one such product for each of its inputs. */
static double flops(const workspace *ws, const op_state *n)
{
    double inner = n->x.v ? n->x.cols : n->d.in[0] >= 0 ? ws->ops[n->d.in[0]].d.cols : 0;
    return class_of(n) == SPARSE ? 2.0 * (double)csr_nnz(&n->s) * n->d.cols : 2.0 * n->rows * n->d.cols * inner;
}

static double csr_bytes(const csr *s)
{
    return 8.0 * (s->rows + 1) + (double)csr_nnz(s) * (sizeof(int) + sizeof(real));
}

/* Of the forward and the backward pass of a product. */
static double bytes(const workspace *ws, const op_state *n, int backward)
{
    const op_state *h = n->d.in[0] < 0 ? NULL : ws->ops + n->d.in[0];
    double matrix = n->s.ptr ? csr_bytes(&n->s) : 0, out = (double)n->rows * n->d.cols,
           in = h        ? (double)h->rows * h->d.cols
                : n->x.v ? (double)n->rows * n->x.cols
                         : 0;
    if (!backward)
        return matrix + (in + out) * sizeof(real);
    int reads = class_of(n) == DENSE,
        writes = h && h->grad.cols; /* its input, for the weights; the gradient of its input */
    return matrix + (out + in * (reads + writes)) * sizeof(real);
}

static void add_work(profile_work *w, const workspace *ws)
{
    for (const op_state *n = ws->ops; n < ws->ops + ws->m->nops; n++) {
        int ran = n->share == SHARE_NO, dense = class_of(n) == DENSE;
        if (class_of(n) == REST)
            continue;
        w->bytes += (ran ? bytes(ws, n, 0) : 0) + (ws->training ? bytes(ws, n, 1) : 0);
        w->dense_flops += dense ? flops(ws, n) * (ran + (ws->training ? 1 + (n->d.in[0] >= 0) : 0)) : 0;
    }
}

profile_work profile_compulsory(const workspace *train, const workspace *predict)
{
    profile_work w = {0};
    add_work(&w, train);
    if (predict)
        add_work(&w, predict);
    return w;
}

static void print_times(const workspace *ws, const char *name, int epochs, double ms[CLASSES], double work[CLASSES])
{
    printf("%-10s op              rows   cols   forward  backward  (ms an epoch)\n", name);
    for (int k = 0; k < ws->m->nops; k++) {
        const op_state *n = ws->ops + k;
        double f = 1e3 * n->spent[0] / (epochs + !ws->training), b = 1e3 * n->spent[1] / epochs;
        int c = class_of(n), ran = n->share == SHARE_NO;
        printf("%10d %-12s %8d %5d  %8.4f  %8.4f%s\n", k, n->d.kind->name, n->rows, n->d.cols, f, b,
               ran ? "" : "  taken from the prediction");
        ms[c] += f + b;
        if (c != REST)
            work[c] += flops(ws, n) * (ran + (ws->training ? 1 + (c == DENSE && n->d.in[0] >= 0) : 0));
    }
}

void profile_print(const workspace *train, const workspace *predict, int epochs, double total_ms)
{
    static const char *const name[] = {"dense products", "sparse products"};
    double ms[CLASSES] = {0}, work[CLASSES] = {0};
    print_times(train, "training", epochs, ms, work);
    print_times(predict, "predicting", epochs, ms, work);
    for (int c = 0; c < REST; c++)
        printf("%-16s %9.4f ms  %4.1f %%  %6.1f GFLOP/s\n", name[c], ms[c], 100 * ms[c] / total_ms,
               ms[c] > 0 ? 1e-6 * work[c] / ms[c] : 0);
    printf("%-16s %9.4f ms  %4.1f %%\n", "other ops", ms[REST], 100 * ms[REST] / total_ms);
    double left = total_ms - ms[DENSE] - ms[SPARSE] - ms[REST];
    printf("%-16s %9.4f ms  %4.1f %%  (update, choice of the epoch)\n%-16s %9.4f ms\n", "outside", left,
           100 * left / total_ms, "epoch", total_ms);
}
