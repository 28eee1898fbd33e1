/* program: a network as a short list of ops. It knows no nodes.
 *
 * A *model* describes the network: ops in order, each reading the outputs of earlier ones, and parameters. Backbones
 * and objectives append to it (op_*). A *net* holds the parameters of one run. A *program* is the model compiled for
 * training or for prediction: what is fused, which ops share a buffer, how long each buffer is read, what has a
 * gradient, which hop of the graph each op reads. A workspace (workspace.h) runs it on batches (batch.h). */
#ifndef JCB_PROGRAM_H
#define JCB_PROGRAM_H

#include "../base/rng.h"
#include "../kernel/kernels.h"
#include <stdint.h>

enum { MAX_OPS = 512, MAX_IN = 2, MAX_PARAMS = 512, STATE = -1 };

typedef struct workspace workspace;
typedef struct op_state op_state;

/* What an op can do in its own forward pass for an activation that reads its output. */
enum fuses {
    FUSES_NOT,
    FUSES_SHAPE,  /* add the bias and apply ReLU */
    FUSES_DROPOUT /* apply ReLU and dropout; the activation must have no bias */
};

/* One kind of op: a forward/backward pair. backward adds what the op's output gradient means for its inputs and
 * parameters: use workspace_beta() to know whether it is the first to write. */
typedef struct op_kind {
    const char *name;

    /* The output lives in the input's buffer; no other op may read that input. */
    int in_place;

    /* The op computes every row its input has, even rows that nobody reads. in_place implies it. */
    int inherits_rows;

    /* While training the op computes all nodes of the batch where batch.same_nodes is set. */
    int all_rows_in_training;

    /* Without dropout, training computes the values that prediction computes, so that it can reuse them (share.h). */
    int equal_in_eval;

    /* The op is a matrix product and nothing else; profiles list it by its arithmetic. */
    int product;

    /* forward points the output at a matrix over all nodes of the batch that exists already; the op has no buffer. */
    int borrows_output;

    /* The op multiplies by the adjacency matrix: its first input stands one hop further from the targets. */
    int reads_graph;

    /* What of an activation above it the op can apply itself. */
    enum fuses fuses;

    /* The backward pass can sum the gradient of its input over rows, for the bias of the activation below. */
    int sums_bias_below;

    /* The backward pass reads the values of the inputs, so that their buffers are kept. */
    int reads_input_back;

    /* The backward pass reads the op's own output, so that its buffer is kept. */
    int reads_output_back;

    /* Marks the rows of the inputs that the op reads: rows[k][i] = 1 for node i of the batch in op k. NULL: the rows of
     * its output. */
    void (*need)(workspace *ws, op_state *n, unsigned char *const *rows);

    /* Prepares what depends on the rows. Called for each batch, after outputs have buffers; grad.cols says whether
     * there will be a gradient. NULL: nothing to prepare. */
    void (*bind)(workspace *ws, op_state *n);

    void (*forward)(workspace *ws, op_state *n);
    void (*backward)(workspace *ws, op_state *n);
} op_kind;

/* An op of a model. Fields that its kind does not use are 0. */
typedef struct op {
    const op_kind *kind;
    int in[MAX_IN];     /* the earlier ops that it reads, -1: none */
    int w;              /* its first parameter, -1: none */
    int b;              /* its bias or second parameter, -1: none */
    int cols;           /* width of the output */
    int hops;           /* op_features: which features (batch.h); op_stored: which of batch.stored */
    enum adjacency adj; /* the matrix by which it propagates */
    enum shape shape;   /* of an activation */
    int heads;          /* of an attention */
    double p;           /* probability of dropout */
    double tau;         /* objective: temperature of its softmax */
    int own_loss;   /* objective: when predicting, the loss is its own (select=objective), not that of the classes */
    int factorised; /* objective: two factors of c classes instead of c x c joint classes */
    double x;       /* factor of the first term of a combination */
    double y;       /* factor of the second term of a combination */
} op;

typedef struct param {
    int rows, cols;
    double base;  /* centre of its initial values, */
    double bound; /* which are uniform in (base - bound, base + bound) */
    int group;    /* weight decay: 0 the spec's wd, 1 its wd2; STATE: not trained (running statistics) */
    size_t at;    /* offset in the blocks of the net */
} param;

/* Where a backbone propagates the features. */
enum first_layer {
    PROJECT_FIRST,  /* A (X W) */
    PRECOMPUTED,    /* (A X) W, A X computed once for the whole graph */
    AGGREGATE_FIRST /* (A X) W, with the A of the batch */
};

typedef struct model {
    int features; /* columns of X */
    int classes;  /* c */
    int clusters; /* M, for objectives with clusters */
    int multi;    /* nodes have any number of classes, not one */
    enum first_layer first;
    int nops, nparams;
    int z; /* the op whose output is the embedding, set by the objective */
    op ops[MAX_OPS];
    param params[MAX_PARAMS];
    size_t size; /* of all parameters, in numbers */
    int group;   /* weight decay group of the parameters that ops append */
    int again; /* while > 0, model_param() returns existing parameters, starting at again - 1, so that a repeated layer
                  shares weights */
} model;

/* Builders. Each appends an op or parameter and returns its index. */
int model_param(model *m, int rows, int cols, double bound, int group);
int model_constant(model *m, int cols, double value, int group); /* one row that starts at a value */
int model_op(model *m, op o);
void model_print(const model *m);                /* the ops, one a line */
int model_equal(const model *a, const model *b); /* whether they are the same network, initialised alike */

typedef struct net {
    const model *m;
    real *w;    /* all parameters, one block */
    real *g;    /* their gradients */
    real *mean; /* Adam's first moments */
    real *var;  /* Adam's second moments */
} net;

net net_new(arena *a, const model *m);
void net_init(net *n, uint64_t seed, int run);

/* What a workspace may do beyond the plain meaning of its ops. None of it changes a bit of a result, with one
 * exception: products with weights of 2^18 elements and more are the BLAS's (kernel/blas.h), which may round a row
 * otherwise when other rows are computed along with it (RECEPTIVE_FIELD). */
enum policy {
    /* Products apply the activation that follows. */
    FUSE_ACTIVATION = 1,
    /* workspace_learn updates a parameter of a single op where its gradient is made. */
    FUSE_UPDATE = 2,
    /* Buffers that are not read again are recycled. */
    RECYCLE = 4,
    /* Ops compute only the rows that are read. Without it every op but the objective computes all nodes of the batch,
     * where all layers have the same nodes. */
    RECEPTIVE_FIELD = 8,
    /* Normalisation goes back through the ReLU above it, and sums the gradient of the bias below it. */
    FUSE_BACKWARD = 16,
    POLICY_ALL = 31
};

/* What the compiler has found out about an op. */
typedef struct program_op {
    int owner;       /* the op whose buffer it uses */
    int last;        /* of an owner: the last op that reads its buffer */
    int kept;        /* of an owner: its buffer is read by the backward pass or the objective, and is not recycled */
    int learns;      /* it has a gradient */
    int fused;       /* the activation that it applies to what it computes, -1: none */
    int bias_below;  /* its backward pass gives the gradient of its input's bias */
    int bias_summed; /* the gradient of its bias is given by the op above */
    int hop;         /* ops above it, on the longest way to the output, that read the graph */
} program_op;

typedef struct program {
    const model *m;
    int training;
    enum policy policy;
    int hops; /* ops that read the graph on the longest way through the network */
    program_op *ops;
    unsigned char *sole; /* of each parameter: a single op has it */
} program;

program *program_compile(arena *a, const model *m, int training, enum policy policy);

#endif
