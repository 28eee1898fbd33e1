/* plan: a network as a short list of ops, and the buffers to run it for a chosen set of rows.
 *
 * A *model* describes the network: ops in order, each reading the outputs of earlier ones, and parameters. Backbones
 * and objectives append to it (op_*). A *net* holds the parameters of one run. A *plan* is the model made ready for one
 * purpose: train on these rows, or predict those. It computes only what is read: walking from the last op to the first
 * it works out the rows each op must produce (the receptive field), allocates buffers for exactly these and cuts the
 * sparse matrices down to them. Running a plan again allocates nothing. */
#ifndef JCB_PLAN_H
#define JCB_PLAN_H

#include "../base/rng.h"
#include "../graph/kernels.h"
#include <stdint.h>

enum { MAX_OPS = 512, MAX_IN = 2, MAX_PARAMS = 512, STATE = -1 };

typedef struct plan plan;
typedef struct node node;

/* One kind of op: a forward/backward pair. backward adds what the op's output gradient means for its inputs and
 * parameters: use plan_beta() to know whether it is the first to write. */
typedef struct op_kind {
    const char *name;
    int in_place; /* the output lives in the input's buffer; nobody else reads that input */
    int follows;  /* computed for all rows that its input has, be it more than are read (implied by in_place) */
    int whole;    /* training computes it for all nodes */
    int same;     /* without dropout, training computes what prediction does */
    int product;  /* a matrix product and nothing else */
    enum ends { ENDS_NOT, ENDS_SHAPE, ENDS_DROPOUT } ends; /* it applies bias and ReLU of an activation that follows; ReLU and dropout */
    int in_back, own_back; /* the backward pass reads the inputs' values, its own output */
    void (*need)(plan *p, node *n, unsigned char *const *rows); /* marks rows of the inputs; NULL: the output's rows */
    void (*prepare)(plan *p, node *n);                          /* once, after outputs have buffers (grad.rows says whether there will be a gradient); NULL: nothing */
    void (*forward)(plan *p, node *n);
    void (*backward)(plan *p, node *n);
} op_kind;

typedef struct op {
    const op_kind *kind;
    int in[MAX_IN]; /* earlier ops, -1: none */
    int w, b;       /* parameters, -1: none */
    int cols;       /* width of the output */
    int hops;       /* features: how often propagated beforehand */
    enum adjacency adj;
    enum shape shape; /* activation */
    int heads;      /* attention */
    double p;       /* dropout */
    double tau;     /* temperature of the objective */
    int own_loss;   /* objective: predicting, the loss is that of the objective (select=objective), not of the predicted classes */
    double x, y;    /* factors of a combination */
} op;

typedef struct param {
    int rows, cols;
    double base, bound; /* initialised uniformly in (base - bound, base + bound) */
    int group;    /* weight decay: 0 the spec's wd, 1 its wd2; STATE: not trained (running statistics) */
    size_t at;    /* offset in the blocks of the net */
} param;

typedef struct model {
    int features, classes, clusters;
    int ahead; /* where a backbone propagates the features first, it had better do so once beforehand: (A X) W, not A (X W) */
    int nops, nparams;
    int z; /* the op whose output is the embedding, set by the objective */
    op ops[MAX_OPS];
    param params[MAX_PARAMS];
    size_t size; /* of all parameters */
    int group;   /* weight decay group of the parameters that ops append */
    int again;   /* > 0: model_param gives the parameters from number again - 1 on once more, for layers that share weights */
} model;

typedef struct net {
    const model *m;
    real *w, *g;      /* all parameters and their gradients, one block each */
    real *mean, *var; /* Adam's moments */
} net;

/* What the ops read. Shared by all runs on a data set; never written while plans run. */
typedef struct plan_data {
    int nodes;
    const csr *adj[ADJ_KINDS], *adj_t[ADJ_KINDS]; /* and their transposes; NULL where no op asks for it */
    const csr *xs[4];    /* features after 0, 1, 2, 3 propagations: sparse here ... */
    const mat *xd[4];    /* ... or dense here */
    const int *y;        /* class of each node, -1 without one */
    const int *cluster;  /* cluster of each node; NULL when the objective has none */
} plan_data;

/* What a plan is for. target: rows to predict (and to learn from, when training). mean: rows whose embeddings make the
 * cluster means. Both ascending. */
typedef struct task {
    const int *target, *mean;
    int ntarget, nmean, training;
    int full;          /* every op but the objective computes all nodes: the slow twin, for comparison */
    int at_tau;        /* predicting: the objective divides its logits by its tau, as in training; 0: it does not */
    struct plan *with; /* predicting: a training plan that takes the first layers from this plan, NULL: none (share.h) */
} task;

enum share { SHARE_NO, SHARE_SKIP, SHARE_COPY, SHARE_DROP }; /* computed here; not needed; copied from a prediction; copied, then dropped */

struct node {
    op d;
    int rows;      /* of the output */
    int *id;       /* node id of each row, ascending */
    mat out, grad; /* grad.rows is 0 when not training or nothing below has parameters; else grad.v is there once the plan is ready */
    int filled;    /* the gradient has been written in this pass */
    csr s, st;     /* sparse matrix cut to these rows, and its transpose */
    mat x;         /* dense features cut to these rows */
    void *state;
    const node *then; /* an activation that this op applies to what it computes (see ends), NULL: none */
    enum share share;
    const node *from; /* its values, in the prediction plan, */
    int *map;         /* at these rows */
    double spent[2];  /* seconds in forward and backward, of a timed plan */
};

struct plan {
    arena *a;
    const model *m;
    net *net;
    const plan_data *data;
    task task;
    node *nodes;
    unsigned char *param_filled;
    rng r;           /* dropout stream */
    uint32_t epoch;
    struct pool *pool; /* of its buffers */
    const adam_now *adam; /* by decay group; not NULL: ops may update parameters that no other op has, instead of giving their gradient, */
    unsigned char *updated; /* and say so here */
    int ready;         /* gradients have theirs: from the prediction that the plan takes from, or when it first runs */
    int timed;         /* ops add to `spent` */
    double loss;     /* set by the objective's op */
    mat prob;        /* ntarget x classes, set by the objective's op */
};

net net_new(arena *a, const model *m);
void net_init(net *n, uint64_t seed, int run);

plan *plan_new(arena *a, const model *m, net *n, const plan_data *data, const task *t);
void plan_forward(plan *p, uint32_t epoch);
void plan_backward(plan *p); /* after plan_forward of a training plan: fills net->g */
void plan_print(const model *m); /* the ops, one a line */

/* For ops. */
static inline node *plan_in(plan *p, const node *n, int k) { return p->nodes + n->d.in[k]; }
static inline real *plan_w(const plan *p, int w) { return p->net->w + p->m->params[w].at; }
static inline real *plan_g(const plan *p, int w) { return p->net->g + p->m->params[w].at; }
real plan_beta(int *filled); /* 0 for the first writer of a gradient, then 1 */
real plan_beta_param(plan *p, int w);
const adam_now *plan_update(plan *p, int w); /* the step to take for w at once; NULL: give its gradient */
dropout plan_dropout(const plan *p, const node *n); /* the op's dropout in this epoch; off when not training */
int plan_row(const node *n, int id); /* the row of a node id, -1 when it has none */
int *plan_map(plan *p, const node *n, const node *h); /* of each row of n, its row in h */
/* Gradient of h at map[i] += f from[i], rows of d numbers ld apart; the first writer clears it. */
void plan_scatter(node *h, const int *map, real f, const real *from, int ld, int rows, int d);

/* Builders. Each appends an op and returns its index. */
int model_param(model *m, int rows, int cols, double bound, int group);
int model_constant(model *m, int cols, double value, int group); /* one row that starts at a value */
int model_op(model *m, op o);

#endif
