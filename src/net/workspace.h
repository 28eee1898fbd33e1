/* workspace: a program, parameters, and the buffers to run it on a batch.
 *
 *   workspace_bind      determines the rows that each op must compute for the batch (its receptive field), assigns
 *                       buffers and extracts the submatrices for these rows
 *   workspace_forward   computes all outputs, workspace.loss and workspace.prob
 *   workspace_backward  fills net.g; parameters do not change
 *   workspace_update    one step of Adam from net.g
 *   workspace_learn     the three together; with FUSE_UPDATE some parameters are updated in the backward pass already
 *
 * Running it again on the same batch allocates nothing. Binding it again releases everything that was allocated from
 * its arena since workspace_new, so a workspace that is bound repeatedly must have an arena of its own. The arena keeps
 * the memory for the next batch. */
#ifndef JCB_WORKSPACE_H
#define JCB_WORKSPACE_H

#include "batch.h"
#include "program.h"

/* Where a training op gets its values from (share.h). */
enum share {
    SHARE_NO,   /* it computes them */
    SHARE_SKIP, /* nobody reads them: nothing is computed */
    SHARE_COPY, /* copied from the prediction */
    SHARE_DROP, /* copied from the prediction, then dropout is applied */
    SHARE_ALIAS /* read in the buffer of the prediction */
};

/* An op of the program, on the rows of a batch. */
struct op_state {
    op d;
    int hop; /* which links of the batch it reads */

    /* The rows that it computes. */
    int rows;        /* their number */
    int *id;         /* of each row, its node in the batch, ascending */
    const int *node; /* of each row, its node in the graph */
    int field;       /* training without RECEPTIVE_FIELD: the number of rows that it would compute with it */
    int *field_id;   /* the nodes of these in the batch, for sums over blocks of rows; NULL: all rows */

    /* Its values. */
    mat out;               /* rows x d.cols */
    mat grad;              /* the gradient of out; cols is 0 when there is none; v is set once the workspace is ready */
    int filled;            /* the gradient has been written in this pass */
    csr s;                 /* the sparse matrix that it multiplies by, cut to these rows */
    csr st;                /* its transpose */
    mat x;                 /* dense features, cut to these rows */
    void *state;           /* whatever else its kind keeps for the batch */
    const op_state *fused; /* the activation that it applies to what it computes, NULL: none */

    /* Values that a prediction has computed (share.h). */
    enum share share;
    const op_state *from; /* SHARE_COPY, SHARE_DROP: the op of the prediction that has the values */
    int *map;             /* of each row, its row in `from` */
    mat spare;            /* SHARE_ALIAS: the op's own buffer, which it does not use */

    double spent[2]; /* seconds in forward and in backward, of a timed workspace */
};

struct workspace {
    arena *a;
    arena_mark start; /* binding releases what was allocated after it */
    const program *p;
    const model *m;
    net *net;
    const batch *b;
    int training;
    int at_tau; /* predicting: the objective divides its logits by its tau, as in training */
    op_state *ops;
    unsigned char *param_filled; /* of each parameter: its gradient has been written in this pass */
    rng r;                       /* of dropout */
    uint32_t step;               /* counter of r: epochs of full batches, steps of others */
    struct buffer_pool *pool;    /* of its buffers */
    workspace *feeds;            /* predicting: the training workspace that reuses its first layers; NULL: none */
    const adam_now *adam;   /* by decay group, only in workspace_learn: ops may update parameters at once; else NULL */
    unsigned char *updated; /* of each parameter: an op has updated it in this pass */
    int bound;              /* number of batches so far */
    int ready;              /* gradients have their buffers */
    int timed;              /* ops add to `spent` */
    double loss;            /* set by the objective's op */
    mat prob;               /* targets x classes, set by the objective's op */
};

/* feeds: see share.h; NULL for any other. */
workspace *workspace_new(arena *a, const program *p, net *n, workspace *feeds);
void workspace_bind(workspace *ws, const batch *b); /* the batch must outlive its use */
void workspace_forward(workspace *ws, uint32_t step);
void workspace_backward(workspace *ws);
void workspace_update(workspace *ws, const adam_now *now); /* now: by decay group */
void workspace_learn(workspace *ws, uint32_t step, const adam_now *now);

/* For ops. */
static inline op_state *workspace_in(workspace *ws, const op_state *n, int k) { return ws->ops + n->d.in[k]; }
static inline real *workspace_w(const workspace *ws, int w) { return ws->net->w + ws->m->params[w].at; }
static inline real *workspace_g(const workspace *ws, int w) { return ws->net->g + ws->m->params[w].at; }
static inline const csr *workspace_adj(const workspace *ws, const op_state *n) { return ws->b->adj[n->hop][n->d.adj]; }
real workspace_beta(int *filled); /* 0 for the first writer of a gradient, then 1 */
real workspace_beta_param(workspace *ws, int w);
const adam_now *workspace_step(workspace *ws, int w); /* the step to take for w at once; NULL: give its gradient */
epilogue workspace_epilogue(const workspace *ws, const op_state *n); /* bias and shape of n->fused */
int workspace_fuses_back(const workspace *ws,
                         const op_state *n); /* n's backward pass includes that of n->fused, a ReLU */
dropout workspace_dropout(const workspace *ws, const op_state *n); /* of this step; off when not training */
int workspace_row(const op_state *n, int id); /* the row of a node of the batch, -1 when it has none */
int *workspace_map(workspace *ws, const op_state *n, const op_state *h); /* of each row of n, its row in h */
/* Gradient of h at map[i] += f from[i], rows of d numbers ld apart; the first writer clears it. */
void workspace_scatter(op_state *h, const int *map, real f, const real *from, int ld, int rows, int d);

#endif
