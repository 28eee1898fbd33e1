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

static void setup(work *w, int backward)
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
    t->out = w->out = NEW(&w->a, real, n * d);
    w->n = n * d;
    double entries = (double)csr_nnz(s), all = (double)n * w->d * sizeof(real),
           scores = entries * nheads * sizeof(real);
    w->flops = entries * (2.0 * w->d + 30 * nheads) + 4.0 * (double)n * w->d;
    w->bytes = entries * sizeof(int) + scores + 3 * all; /* reads H; writes alpha, each, out */
    if (!backward)
        return;
    t->dout = check_random(&w->a, n * d, 3);
    t->dh = w->out = NEW(&w->a, real, n * d);
    t->da = NEW(&w->a, real, 2 * d);
    w->flops += entries * (4.0 * w->d + 10 * nheads) + 8.0 * (double)n * w->d;
    w->bytes += 2 * entries * sizeof(int) + 2 * scores + 4 * all; /* index and place, alpha to du; dout, each, H, dH */
}

static int forward_setup(work *w) { return setup(w, 0), 1; }
static int train_setup(work *w) { return setup(w, 1), 1; }

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

/* A submatrix that has all entries of some columns. */
typedef struct piece {
    arena a;
    int nrows, ncols, *rows, *cols, *node; /* node: 1 for the complete columns, which are checked */
    attention_graph g;
    real *h, *dout, *out, *dh, *da;
} piece;

static int collect(arena *a, int **list, const unsigned char *marked, int n)
{
    int k = 0;
    *list = NEW(a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        if (marked[i])
            (*list)[k++] = i;
    return k;
}

static piece *piece_new(work *w)
{
    arena a = {0};
    piece *q = NEW(&a, piece, 1);
    q->a = a;
    heads *t = w->state;
    const csr *s = &t->g.s;
    int n = s->rows, count, *pick = check_sample(&q->a, n, n <= SMALL ? n : CHECKED, &count);
    unsigned char *row = NEW(&q->a, unsigned char, (size_t)n), *col = NEW(&q->a, unsigned char, (size_t)n);
    q->node = NEW(&q->a, int, (size_t)n);
    for (int k = 0; k < count; k++) { /* the matrix is symmetric: the rows that read a column are its entries */
        int i = pick[k];
        q->node[i] = n <= SMALL || s->ptr[i + 1] - s->ptr[i] <= DEGREE;
        for (int64_t e = s->ptr[i]; e < s->ptr[i + 1] && q->node[i]; e++)
            row[s->idx[e]] = 1;
    }
    for (int i = 0; i < n; i++)
        for (int64_t e = s->ptr[i]; e < s->ptr[i + 1] && row[i]; e++)
            col[s->idx[e]] = 1;
    q->nrows = collect(&q->a, &q->rows, row, n);
    q->ncols = collect(&q->a, &q->cols, col, n);
    csr cut = csr_restrict(&q->a, s, q->rows, q->nrows, q->cols, q->ncols);
    q->g = attention_graph_new(&q->a, &cut, q->rows, q->cols, 1);
    q->h = check_rows(&q->a, t->h, q->cols, q->ncols, (size_t)w->d);
    return q;
}

static double forward_error(work *w)
{
    heads *t = w->state;
    piece *q = piece_new(w);
    size_t n = (size_t)q->nrows * (size_t)w->d;
    q->out = NEW(&q->a, real, n);
    attention_forward_ref(q->out, &q->g, q->h, t->a, &t->o);
    double e = !n ? INFINITY : check_error(check_rows(&q->a, t->out, q->rows, q->nrows, (size_t)w->d), q->out, n);
    arena a = q->a;
    arena_free(&a);
    return e;
}

/* dH of the complete columns; da, too, if the piece is the whole graph. */
static double train_error(work *w)
{
    heads *t = w->state;
    piece *q = piece_new(w);
    size_t d = (size_t)w->d;
    int k = 0;
    q->dout = check_rows(&q->a, t->dout, q->rows, q->nrows, d);
    q->dh = NEW(&q->a, real, (size_t)q->ncols * d), q->da = NEW(&q->a, real, 2 * d);
    attention_backward_ref(q->dh, q->da, &q->g, q->dout, q->h, t->a, &t->o);
    int *at = NEW(&q->a, int, (size_t)q->ncols), *id = NEW(&q->a, int, (size_t)q->ncols);
    for (int j = 0; j < q->ncols; j++)
        if (q->node[q->cols[j]])
            at[k] = j, id[k++] = q->cols[j];
    double e = !k ? INFINITY
                  : check_error(check_rows(&q->a, t->dh, id, k, d), check_rows(&q->a, q->dh, at, k, d), (size_t)k * d);
    if (q->nrows == w->in->nodes)
        e = fmax(e, check_error(t->da, q->da, 2 * d));
    arena a = q->a;
    arena_free(&a);
    return e;
}

const kernel kernels_attention[] = {
    {"attention", "att", ALL_WIDTHS, forward_setup, forward_run, forward_error},
    {"attention", "att_train", ALL_WIDTHS, train_setup, train_run, train_error},
    {0},
};
