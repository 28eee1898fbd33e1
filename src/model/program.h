/* program: a network as a short list of ops. It knows no nodes.
 *
 * A *model* describes the network: ops in order, each reading the outputs of earlier ones, and parameters. Backbones
 * and objectives append to it (op_*). A *net* holds the parameters of one run. A *program* is the model compiled for
 * training or for prediction: what is fused, which ops share a buffer, how long each buffer is read, what has a
 * gradient, which hop of the graph each op reads. A workspace (workspace.h) runs it on batches (batch.h). */
#ifndef JCB_PROGRAM_H
#define JCB_PROGRAM_H

#include "../base/rng.h"
#include "../graph/kernels.h"
#include <stdint.h>

enum { MAX_OPS = 512, MAX_IN = 2, MAX_PARAMS = 512, STATE = -1 };

typedef struct workspace workspace;
typedef struct op_state op_state;

/* One kind of op: a forward/backward pair. backward adds what the op's output gradient means for its inputs and
 * parameters: use workspace_beta() to know whether it is the first to write. */
typedef struct op_kind {
    const char *name;
    int in_place;      /* the output lives in the input's buffer; nobody else reads that input */
    int inherits_rows; /* computed for all rows that its input has, be it more than are read (implied by in_place) */
    int all_rows_in_training; /* training computes it for all nodes of the batch, where the batch says so */
    int equal_in_eval;        /* without dropout, training computes what prediction does */
    int product;              /* a matrix product and nothing else */
    int borrows_output; /* forward points its output at a matrix over all nodes of the batch that is there already */
    int reads_graph;    /* multiplies by the adjacency matrix: its input stands one hop further out */
    enum fuses {
        FUSES_NOT,
        FUSES_SHAPE,
        FUSES_DROPOUT
    } fuses;             /* it can apply bias and ReLU of an activation that follows; ReLU and dropout */
    int sums_bias_below; /* its backward pass can sum the gradient of its input for a bias there */
    int reads_input_back, reads_output_back; /* the backward pass reads the inputs' values, its own output */
    void (*need)(workspace *ws, op_state *n,
                 unsigned char *const *rows); /* marks rows of the inputs; NULL: the output's rows */
    void (*bind)(workspace *ws, op_state *n); /* for each batch, after outputs have buffers (grad.cols says whether
                                                 there will be a gradient); NULL: nothing */
    void (*forward)(workspace *ws, op_state *n);
    void (*backward)(workspace *ws, op_state *n);
} op_kind;

typedef struct op {
    const op_kind *kind;
    int in[MAX_IN]; /* earlier ops, -1: none */
    int w, b;       /* parameters, -1: none */
    int cols;       /* width of the output */
    int hops;       /* features: which (batch.h) */
    enum adjacency adj;
    enum shape shape; /* activation */
    int heads;        /* attention */
    double p;         /* dropout */
    double tau;       /* temperature of the objective */
    int own_loss;   /* objective: predicting, the loss is that of the objective (select=objective), not of the predicted
                       classes */
    int factorised; /* objective: two factors of c classes instead of c x c joint classes */
    double x, y;    /* factors of a combination */
} op;

typedef struct param {
    int rows, cols;
    double base, bound; /* initialised uniformly in (base - bound, base + bound) */
    int group;          /* weight decay: 0 the spec's wd, 1 its wd2; STATE: not trained (running statistics) */
    size_t at;          /* offset in the blocks of the net */
} param;

typedef struct model {
    int features, classes, clusters;
    int multi; /* nodes have any number of classes, not one */
    enum first_layer {
        PROJECT_FIRST,
        PRECOMPUTED,
        AGGREGATE_FIRST
    } first; /* where a backbone propagates the features: A (X W), or (A X) W with A X computed
                once for the whole graph, or with the A of the batch */
    int nops, nparams;
    int z; /* the op whose output is the embedding, set by the objective */
    op ops[MAX_OPS];
    param params[MAX_PARAMS];
    size_t size; /* of all parameters */
    int group;   /* weight decay group of the parameters that ops append */
    int again;   /* > 0: model_param gives the parameters from number again - 1 on once more, for layers that share
                    weights */
} model;

/* Builders. Each appends an op or parameter and returns its index. */
int model_param(model *m, int rows, int cols, double bound, int group);
int model_constant(model *m, int cols, double value, int group); /* one row that starts at a value */
int model_op(model *m, op o);
void model_print(const model *m);                /* the ops, one a line */
int model_equal(const model *a, const model *b); /* whether they are the same network, initialised alike */

typedef struct net {
    const model *m;
    real *w, *g;      /* all parameters and their gradients, one block each */
    real *mean, *var; /* Adam's moments */
} net;

net net_new(arena *a, const model *m);
void net_init(net *n, uint64_t seed, int run);

/* What a workspace may do beyond the plain meaning of its ops. None of it changes a bit of a result, with one
 * exception: products with weights of 2^18 elements and more are the BLAS's (graph/blas.h), which may round a row
 * otherwise when other rows are computed along with it (RECEPTIVE_FIELD). */
enum policy {
    FUSE_ACTIVATION = 1, /* products apply the activation that follows */
    FUSE_UPDATE = 2,     /* workspace_learn updates a parameter that one op alone has where its gradient is made */
    RECYCLE = 4,         /* buffers that nobody reads any more hold others */
    RECEPTIVE_FIELD = 8, /* ops compute the rows that are read; without it every op but the objective computes all nodes
                            of the batch, where all layers have the same nodes */
    FUSE_BACKWARD =
        16, /* normalisation goes back through the ReLU above it, and sums the gradient of the bias below it */
    POLICY_ALL = 31
};

typedef struct program_op {
    int owner;  /* the op whose buffer it uses */
    int last;   /* of an owner: the last op that reads its buffer */
    int kept;   /* of an owner: the backward pass or the objective reads its buffer, which is not recycled */
    int learns; /* it has a gradient */
    int fused;  /* the activation that it applies to what it computes, -1: none */
    int bias_below, bias_summed; /* its backward pass gives the gradient of its input's bias; the gradient of its bias
                                    is given so */
    int hop;                     /* ops above it, on the longest way to the output, that read the graph */
} program_op;

typedef struct program {
    const model *m;
    int training;
    enum policy policy;
    int hops; /* ops that read the graph on the longest way through the network */
    program_op *ops;
    unsigned char *sole; /* of each parameter: one op alone has it */
} program;

program *program_compile(arena *a, const model *m, int training, enum policy policy);

#endif
