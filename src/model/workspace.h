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

enum share {
    SHARE_NO,
    SHARE_SKIP,
    SHARE_COPY,
    SHARE_DROP,
    SHARE_ALIAS
}; /* computed here; not needed; copied from a prediction; copied, then dropped; its buffer */

/* An op of the program, on the rows of a batch. */
struct op_state {
    op d;
    int hop;         /* which links of the batch it reads */
    int rows;        /* of the output */
    int *id;         /* each row's node in the batch, ascending */
    int field;       /* training without RECEPTIVE_FIELD: the number of rows that would be computed with it, */
    int *field_id;   /* and their nodes in the batch, for sums over blocks of rows; NULL: all of them */
    const int *node; /* each row's node in the graph */
    mat out, grad;   /* grad.cols is 0 when there is no gradient; else grad.v is there once the workspace is ready */
    int filled;      /* the gradient has been written in this pass */
    csr s, st;       /* sparse matrix cut to these rows, and its transpose */
    mat x;           /* dense features cut to these rows */
    void *state;
    const op_state *fused; /* an activation that this op applies to what it computes, NULL: none */
    enum share share;
    const op_state *from; /* its values, in the workspace that predicts, */
    int *map;             /* at these rows */
    mat spare;            /* SHARE_ALIAS: the buffer that it does not use */
    double spent[2];      /* seconds in forward and backward, of a timed workspace */
};

struct workspace {
    arena *a;
    arena_mark start;
    const program *p;
    const model *m;
    net *net;
    const batch *b;
    int training;
    int at_tau; /* predicting: the objective divides its logits by its tau, as in training; 0: it does not */
    op_state *ops;
    unsigned char *param_filled; /* of each parameter: its gradient has been written in this pass */
    rng r;                       /* dropout stream */
    uint32_t step;               /* its counter: epochs of full batches, steps of others */
    struct buffer_pool *pool;    /* of its buffers */
    workspace *feeds;     /* predicting: a workspace for training that takes its first layers from this one, NULL: none
                             (share.h) */
    const adam_now *adam; /* by decay group; not NULL: in workspace_learn, ops may update parameters instead of giving
                             their gradient, */
    unsigned char *updated; /* and say so here */
    int bound;
    int ready;   /* gradients have their buffers */
    int timed;   /* ops add to `spent` */
    double loss; /* set by the objective's op */
    mat prob;    /* targets x classes, set by the objective's op */
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
