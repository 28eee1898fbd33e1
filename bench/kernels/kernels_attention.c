/* Attention of GAT over all nodes: eight heads as in its hidden layer, one head for d < 64 as in its output layer;
 * dropout 0.6 on the attention weights.
 *
 *   att        forward as in training (saves the values of backward)      att_train   forward and backward
 *
 * Operations: forward 2 d an entry and 4 d a node for products, 30 a head and entry for score, exp and dropout;
 * backward twice the products and 10. The gradient is checked on a sample of columns: all rows that read them are
 * recomputed from all columns that these rows read. */
#include "../../src/kernel/attention.h"
#include "kernels.h"
#include <math.h>

enum { CHECKED = 32, DEGREE = 200, SMALL = 600 };

typedef struct heads {
    attention o;
    attention_graph g;
    attention_state st;
    int *id;
    real *h, *a, *out, *dout, *dh, *da;
} heads;

static int setup(work *w, int backward)
{
    const csr *s = &w->in->adj;
    size_t n = (size_t)w->in->nodes, d = (size_t)w->d;
    heads *t = w->state = NEW(&w->a, heads, 1);
    int nheads = w->d < 64 || w->d % 8 ? 1 : 8;
    t->o = (attention){
        .heads = nheads, .f = w->d / nheads, .slope = 0.2, .drop = {rng_make(1, 0, RNG_DROPOUT), 1, 2, 0.6}};
    t->id = NEW(&w->a, int, n);
    for (size_t i = 0; i < n; i++)
        t->id[i] = (int)i;
    t->g = attention_graph_new(&w->a, s, t->id, t->id, 1);
    t->st = attention_state_new(&w->a, &t->g, &t->o, 1);
    t->h = check_random(&w->a, n * d, 1);
    t->a = check_random(&w->a, 2 * d, 2);
    check_result(w, w->in->nodes, w->d, CHECKED);
    t->out = w->out;
    double entries = (double)csr_nnz(s), all = (double)n * w->d * sizeof(real),
           scores = entries * nheads * sizeof(real);
    w->flops = entries * (2.0 * w->d + 30 * nheads) + 4.0 * (double)n * w->d;
    w->bytes = entries * sizeof(int) + scores + 3 * all; /* reads H; writes alpha, each, out */
    if (!backward)
        return 1;
    check_result(w, w->in->nodes, w->d, 0);
    t->dh = w->out;
    t->dout = check_random(&w->a, n * d, 3);
    t->da = NEW(&w->a, real, 2 * d);
    w->flops += entries * (4.0 * w->d + 10 * nheads) + 8.0 * (double)n * w->d;
    w->bytes += 2 * entries * sizeof(int) + 2 * scores + 4 * all; /* index and place, alpha to du; dout, each, H, dH */
    return 1;
}

static int forward_setup(work *w) { return setup(w, 0); }
static int train_setup(work *w) { return setup(w, 1); }

static void forward_run(work *w)
{
    heads *t = w->state;
    attention_forward(t->out, &t->st, &t->g, t->h, t->a, &t->o);
}

static void train_run(work *w)
{
    heads *t = w->state;
    forward_run(w);
    attention_backward(t->dh, t->da, &t->st, &t->g, t->dout, t->h, t->a, &t->o, 0, 0);
}

static void forward_ref(work *w, real *out, const int *rows, int n)
{
    heads *t = w->state;
    csr cut = csr_restrict(&w->a, &t->g.s, rows, n, NULL, 0);
    attention_graph g = attention_graph_new(&w->a, &cut, rows, t->id, 1);
    attention_forward_ref(out, &g, t->h, t->a, &t->o);
}

/* Marks the neighbours of the nodes in `of`. */
static void mark_neighbours(unsigned char *marked, const csr *s, const unsigned char *of)
{
    for (int i = 0; i < s->rows; i++)
        for (int64_t e = s->ptr[i]; e < s->ptr[i + 1] && of[i]; e++)
            marked[s->idx[e]] = 1;
}

static int *list(arena *a, int *count, const unsigned char *marked, int n)
{
    int *v = NEW(a, int, (size_t)n);
    *count = 0;
    for (int i = 0; i < n; i++)
        if (marked[i])
            v[(*count)++] = i;
    return v;
}

/* dH of some columns from all rows that read them; da, too, if these are the whole graph. The matrix is symmetric. */
static double train_error(work *w)
{
    arena *a = &w->a;
    heads *t = w->state;
    const csr *s = &t->g.s;
    size_t d = (size_t)w->d;
    int n = s->rows, count, nrows, ncols, k = 0, *pick = check_sample(a, n, n <= SMALL ? n : CHECKED, &count);
    unsigned char *mine = NEW(a, unsigned char, (size_t)n), *row = NEW(a, unsigned char, (size_t)n),
                  *col = NEW(a, unsigned char, (size_t)n);
    for (int i = 0; i < count; i++)
        mine[pick[i]] = n <= SMALL || s->ptr[pick[i] + 1] - s->ptr[pick[i]] <= DEGREE;
    mark_neighbours(row, s, mine);
    mark_neighbours(col, s, row);
    int *rows = list(a, &nrows, row, n), *cols = list(a, &ncols, col, n), *at = NEW(a, int, (size_t)ncols);
    csr cut = csr_restrict(a, s, rows, nrows, cols, ncols);
    attention_graph g = attention_graph_new(a, &cut, rows, cols, 1);
    real *dh = NEW(a, real, (size_t)ncols * d), *da = NEW(a, real, 2 * d);
    attention_backward_ref(dh, da, &g, check_rows(a, t->dout, rows, nrows, d), check_rows(a, t->h, cols, ncols, d),
                           t->a, &t->o);
    for (int j = 0; j < ncols; j++)
        if (mine[cols[j]])
            pick[k] = cols[j], at[k++] = j;
    double e =
        !k ? INFINITY : check_error(check_rows(a, t->dh, pick, k, d), check_rows(a, dh, at, k, d), (size_t)k * d);
    return nrows == n ? fmax(e, check_error(t->da, da, 2 * d)) : e;
}

const kernel kernels_attention[] = {
    {"attention", "att", ALL_WIDTHS, forward_setup, forward_run, forward_ref, NULL},
    {"attention", "att_train", ALL_WIDTHS, train_setup, train_run, NULL, train_error},
    {0},
};
