/* jc: the whole method in one file, to be read first (data.h only reads the graph). A two-layer GCN or
 * MLP, trained with cross-entropy (CE) or with the joint-cluster loss (JC), from the files of a graph to its test
 * accuracy; dense matrices, double precision, nothing but libc.
 *
 *   reference/jc DIR [key=value ...]            trains; prints the loss, the accuracies and the epoch chosen
 *   reference/jc DIR fixture=1 [key=value ...]  prints a fixture of test_parity, as in tests/fixtures/parity
 *
 * DIR holds edges.tsv, labels.tsv (classes 0, 1, ...), features.svm, split.tsv as described in
 * ../src/data/load_plain.c, and clusters.txt: one cluster for each node. Keys: model (gcn, mlp), loss (ce, jc), hidden,
 * lr, wd, tau, dropout, epochs, seed.
 *
 * Notation: n nodes, f features, h hidden units, c classes, M clusters, L training nodes. */
#include "data.h"
#include <math.h>

#define EPS 1e-8 /* inside the logarithms of JC, as in the authors' code */

static const char *model = "gcn", *loss = "ce";
static double lr = 0.01, wd = 5e-4, tau = 1, dropout = 0.5;
static int hidden = 64, epochs = 200, fixture;
static unsigned long long seed = 1;

/* Random numbers in [0, 1): xorshift64*. */
static double uniform(void)
{
    seed ^= seed >> 12, seed ^= seed << 25, seed ^= seed >> 27;
    return (double)((seed * 2685821657736338717ull) >> 11) / 9007199254740992.0;
}

/* --- Data --- */

static int count(int of)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += part[i] == of;
    return total;
}

/* A <- D^-1/2 (A + I) D^-1/2, D the degrees of A + I;  rows of X to sum 1. */
static void normalise(void)
{
    double *degree = zeros((size_t)n, sizeof *degree);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        AT(A, i, i) = 1;
        for (int j = 0; j < n; j++)
            degree[i] += AT(A, i, j);
        for (int j = 0; j < f; j++)
            sum += AT(X, i, j);
        for (int j = 0; j < f && sum > 0; j++)
            AT(X, i, j) /= sum;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            AT(A, i, j) /= sqrt(degree[i] * degree[j]);
}

/* --- Matrices --- */

/* C = op(P) op(Q), op = transpose where the flag says so. */
static matrix product(matrix P, int tp, matrix Q, int tq)
{
    int inner = tp ? P.rows : P.cols;
    matrix C = zero_matrix(tp ? P.cols : P.rows, tq ? Q.rows : Q.cols);
    for (int i = 0; i < C.rows; i++)
        for (int k = 0; k < inner; k++) {
            double p = tp ? AT(P, k, i) : AT(P, i, k);
            for (int j = 0; p != 0 && j < C.cols; j++)
                AT(C, i, j) += p * (tq ? AT(Q, j, k) : AT(Q, k, j));
        }
    return C;
}

static void softmax_row(double *p, const double *a, int k, double temperature)
{
    double max = a[0], sum = 0;
    for (int j = 1; j < k; j++)
        max = fmax(max, a[j]);
    for (int j = 0; j < k; j++)
        sum += p[j] = exp((a[j] - max) / temperature);
    for (int j = 0; j < k; j++)
        p[j] /= sum;
}

/* --- Network: parameters, their gradients, Adam's moments --- */

enum { W1, B1, WHEAD, BHEAD, PARAMS };
static const char *const name[PARAMS] = {"W1", "b1", "Whead", "bhead"};
static matrix w[PARAMS], g[PARAMS], moment1[PARAMS], moment2[PARAMS];
static matrix H, mask, Z; /* of the last forward pass: hidden layer after ReLU and dropout (n x h), dropout's factors,
                             embeddings (n x h) */

static void init(void)
{
    int joint = !strcmp(loss, "jc"), in = joint ? 2 * hidden : hidden, out = joint ? c * c : c;
    int shape[PARAMS][2] = {{f, hidden}, {1, hidden}, {in, out}, {1, out}};
    for (int k = 0; k < PARAMS; k++) {
        w[k] = zero_matrix(shape[k][0], shape[k][1]);
        moment1[k] = zero_matrix(shape[k][0], shape[k][1]), moment2[k] = zero_matrix(shape[k][0], shape[k][1]);
        /* GCN: U(-1/sqrt(out), 1/sqrt(out)); MLP: of the layer's inputs */
        double bound = 1 / sqrt(!strcmp(model, "gcn") ? shape[k][1] : k < WHEAD ? f : in);
        for (int i = 0; i < shape[k][0] * shape[k][1]; i++)
            w[k].v[i] = (2 * uniform() - 1) * bound;
    }
}

/* GCN: H = drop(relu(A X W1 + b1)), Z = A H.   MLP: H = drop(relu(X W1 + b1)), Z = H. */
static void encode(int training)
{
    int gcn = !strcmp(model, "gcn");
    matrix XW = product(X, 0, w[W1], 0);
    H = gcn ? product(A, 0, XW, 0) : XW;
    mask = zero_matrix(n, hidden);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < hidden; j++) {
            AT(mask, i, j) = !training || dropout == 0 ? 1 : uniform() < dropout ? 0 : 1 / (1 - dropout);
            AT(H, i, j) = fmax(AT(H, i, j) + w[B1].v[j], 0) * AT(mask, i, j);
        }
    if (gcn)
        Z = product(A, 0, H, 0);
    else
        memcpy((Z = zero_matrix(n, hidden)).v, H.v, (size_t)(n * hidden) * sizeof(double));
}

/* From dL/dZ to dL/dW1 and dL/db1: the encoder backwards. */
static void encode_backward(matrix dZ)
{
    int gcn = !strcmp(model, "gcn");
    matrix dH = gcn ? product(A, 1, dZ, 0) : dZ;
    g[B1] = zero_matrix(1, hidden);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < hidden; j++) {
            AT(dH, i, j) *= AT(H, i, j) > 0 ? AT(mask, i, j) : 0;
            g[B1].v[j] += AT(dH, i, j);
        }
    matrix dXW = gcn ? product(A, 1, dH, 0) : dH;
    g[W1] = product(X, 1, dXW, 0);
}

/* --- Head:  a = U W + b,  dW = U^T da,  db = sum of da,  dU = da W^T --- */

static matrix head(matrix U)
{
    matrix a = product(U, 0, w[WHEAD], 0);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < a.cols; j++)
            AT(a, i, j) += w[BHEAD].v[j];
    return a;
}

static matrix head_backward(matrix U, matrix da)
{
    g[WHEAD] = product(U, 1, da, 0);
    g[BHEAD] = zero_matrix(1, da.cols);
    for (int i = 0; i < da.rows; i++)
        for (int j = 0; j < da.cols; j++)
            g[BHEAD].v[j] += AT(da, i, j);
    return product(da, 0, w[WHEAD], 1);
}

/* --- CE:  P = softmax((Z W + b) / tau),  loss = -(1/L) sum over training nodes of log P[i][y_i],
 *          da = (P - onehot(y)) / (L tau); prediction: tau = 1 --- */

static void ce_predict(matrix P, double temperature)
{
    matrix a = head(Z);
    for (int i = 0; i < n; i++)
        softmax_row(&AT(P, i, 0), &AT(a, i, 0), c, temperature);
}

static double ce(void)
{
    matrix P = zero_matrix(n, c), da = zero_matrix(n, c);
    double total = 0, L = count(TRAIN);
    ce_predict(P, tau);
    for (int i = 0; i < n; i++) {
        if (part[i] != TRAIN)
            continue;
        total -= log(AT(P, i, y[i])) / L;
        for (int j = 0; j < c; j++)
            AT(da, i, j) = (AT(P, i, j) - (j == y[i])) / (L * tau);
    }
    encode_backward(head_backward(Z, da));
    return total;
}

/* --- JC --- */

/* zbar (M x h), ybar (M x c): means of Z and of the one-hot labels over the training nodes of each cluster; predicting,
 * of Z over training and validation nodes. A cluster without such a node has the mean over all of them. Returns how
 * many nodes each cluster's mean is over. */
static int *cluster_means(matrix zbar, matrix ybar, int training)
{
    matrix z = zero_matrix(1, hidden), l = zero_matrix(1, c);
    int *member = zeros((size_t)M, sizeof *member), all = 0;
    for (int i = 0; i < n; i++) {
        if (part[i] != TRAIN && (training || part[i] != VAL))
            continue;
        member[cluster[i]]++, all++;
        for (int j = 0; j < hidden; j++)
            AT(zbar, cluster[i], j) += AT(Z, i, j), z.v[j] += AT(Z, i, j);
        AT(ybar, cluster[i], y[i])++, l.v[y[i]]++;
    }
    for (int m = 0; m < M; m++) {
        for (int j = 0; j < hidden; j++)
            AT(zbar, m, j) = member[m] ? AT(zbar, m, j) / member[m] : z.v[j] / all;
        for (int k = 0; k < c; k++)
            AT(ybar, m, k) = member[m] ? AT(ybar, m, k) / member[m] : l.v[k] / all;
    }
    return member;
}

/* u = [z_i ; zbar_m], m the cluster of node i, or [zbar_m ; z_i] when swapped. */
static void pair_input(double *u, int i, matrix zbar, int swapped)
{
    memcpy(u + swapped * hidden, &AT(Z, i, 0), (size_t)hidden * sizeof(double));
    memcpy(u + !swapped * hidden, &AT(zbar, cluster[i], 0), (size_t)hidden * sizeof(double));
}

/* Prediction: softmax([z_i ; zbar_m] W + b) over c x c joint classes (k, l), summed over the cluster's class l. */
static void jc_predict(matrix P)
{
    matrix zbar = zero_matrix(M, hidden), U = zero_matrix(n, 2 * hidden), joint = zero_matrix(1, c * c);
    cluster_means(zbar, zero_matrix(M, c), 0);
    for (int i = 0; i < n; i++)
        pair_input(&AT(U, i, 0), i, zbar, 0);
    matrix a = head(U);
    for (int i = 0; i < n; i++) {
        softmax_row(joint.v, &AT(a, i, 0), c * c, 1);
        for (int k = 0; k < c; k++) {
            AT(P, i, k) = 0;
            for (int l = 0; l < c; l++)
                AT(P, i, k) += joint.v[k * c + l];
        }
    }
}

/* Each training node i of cluster m makes two rows of U: [z_i ; zbar_m] with target T[k][l] = [k = y_i] ybar_m[l], and
 * [zbar_m ; z_i] with T^T.
 *
 *   a = U W + b,  p = softmax(a / tau) by rows,  loss = -(1/2L) sum over rows of t . log(p + eps)
 *   with q = t p / (p + eps):  da = (p sum(q) - q) / (2 L tau),  dW = U^T da,  db = sum of da,  dU = da W^T
 *
 * The halves of dU belong to z_i and to zbar_m, which passes its own on to the nodes that it is the mean of. */
static double jc(void)
{
    int L = count(TRAIN), cc = c * c, r = 0;
    matrix zbar = zero_matrix(M, hidden), ybar = zero_matrix(M, c), dzbar = zero_matrix(M, hidden),
           U = zero_matrix(2 * L, 2 * hidden), T = zero_matrix(2 * L, cc), dZ = zero_matrix(n, hidden);
    int *member = cluster_means(zbar, ybar, 1);
    for (int i = 0; i < n; i++)
        for (int swapped = 0; swapped < 2 && part[i] == TRAIN; swapped++, r++) {
            pair_input(&AT(U, r, 0), i, zbar, swapped);
            for (int l = 0; l < c; l++)
                AT(T, r, swapped ? l * c + y[i] : y[i] * c + l) = AT(ybar, cluster[i], l);
        }
    matrix a = head(U), da = zero_matrix(2 * L, cc);
    double total = 0;
    for (r = 0; r < 2 * L; r++) {
        double *p = &AT(da, r, 0), *t = &AT(T, r, 0), q = 0;
        softmax_row(p, &AT(a, r, 0), cc, tau);
        for (int j = 0; j < cc; j++)
            total -= t[j] * log(p[j] + EPS) / (2 * L), q += t[j] * p[j] / (p[j] + EPS);
        for (int j = 0; j < cc; j++)
            p[j] = (p[j] * q - t[j] * p[j] / (p[j] + EPS)) / (2 * L * tau);
    }
    matrix dU = head_backward(U, da);
    for (int i = r = 0; i < n; i++)
        for (int swapped = 0; swapped < 2 && part[i] == TRAIN; swapped++, r++)
            for (int j = 0; j < hidden; j++) {
                AT(dZ, i, j) += AT(dU, r, swapped * hidden + j);
                AT(dzbar, cluster[i], j) += AT(dU, r, !swapped * hidden + j);
            }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < hidden && part[i] == TRAIN; j++)
            AT(dZ, i, j) += AT(dzbar, cluster[i], j) / member[cluster[i]];
    encode_backward(dZ);
    return total;
}

/* --- Training --- */

static double loss_and_gradient(void)
{
    encode(1);
    return !strcmp(loss, "jc") ? jc() : ce();
}

static void predict(matrix P)
{
    encode(0);
    if (!strcmp(loss, "jc"))
        jc_predict(P);
    else
        ce_predict(P, 1);
}

/* Adam (Kingma & Ba) with L2 decay added to the gradient, step t = 1, 2, ... */
static void adam(int t)
{
    for (int k = 0; k < PARAMS; k++)
        for (int i = 0; i < w[k].rows * w[k].cols; i++) {
            double d = g[k].v[i] + wd * w[k].v[i], *m = moment1[k].v + i, *v = moment2[k].v + i;
            *m = 0.9 * *m + 0.1 * d;
            *v = 0.999 * *v + 0.001 * d * d;
            w[k].v[i] -= lr * (*m / (1 - pow(0.9, t))) / (sqrt(*v / (1 - pow(0.999, t))) + 1e-8);
        }
}

static double accuracy(matrix P, int of)
{
    int right = 0;
    for (int i = 0; i < n; i++) {
        int best = 0;
        for (int k = 1; k < c; k++)
            best = AT(P, i, k) > AT(P, i, best) ? k : best;
        right += part[i] == of && best == y[i];
    }
    return 100.0 * right / count(of);
}

/* The epoch with the best validation accuracy gives the test accuracy. */
static void train(void)
{
    matrix P = zero_matrix(n, c);
    double best = -1, test = 0;
    int at = 0;
    for (int t = 1, mark = made; t <= epochs; t++, release(mark)) {
        double l = loss_and_gradient();
        adam(t);
        predict(P);
        double val = accuracy(P, VAL);
        if (val > best)
            best = val, test = accuracy(P, TEST), at = t;
        if (t % 20 == 0 || t == epochs)
            printf("epoch %4d  loss %.4f  validation %.2f %%  best %.2f %% at %d\n", t, l, val, best, at);
    }
    printf("%s %s: test %.2f %%, validation %.2f %%, epoch %d\n", model, loss, test, best, at);
}

static void print(const char *kind, const char *what, matrix m)
{
    printf("%s %s %d %d\n", kind, what, m.rows, m.cols);
    for (int i = 0; i < m.rows; i++)
        for (int j = 0; j < m.cols; j++)
            printf("%.17g%c", AT(m, i, j), j + 1 < m.cols ? ' ' : '\n');
}

static void write_fixture(void)
{
    matrix P = zero_matrix(n, c), losses = zero_matrix(1, 10);
    printf("spec model %s\nspec loss %s\nspec hidden %d\nspec layers 2\nspec lr %.17g\nspec wd %.17g\nspec clusters "
           "%d\nspec tau %.17g\nspec dropout 0\n",
           model, loss, hidden, lr, wd, M, tau);
    for (int k = 0; k < PARAMS; k++)
        print("param", name[k], w[k]);
    dropout = 0;
    predict(P);
    print("result", "prob", P);
    for (int t = 1; t <= losses.cols; t++) {
        losses.v[t - 1] = loss_and_gradient();
        for (int k = 0; k < PARAMS && t == 1; k++)
            print("gradient", name[k], g[k]);
        adam(t);
    }
    print("result", "losses", losses);
    predict(P);
    print("result", "trained", P);
}

static int option(const char *arg)
{
    if (!strncmp(arg, "model=", 6) && (!strcmp(arg + 6, "gcn") || !strcmp(arg + 6, "mlp")))
        return (model = arg + 6) != NULL;
    if (!strncmp(arg, "loss=", 5) && (!strcmp(arg + 5, "ce") || !strcmp(arg + 5, "jc")))
        return (loss = arg + 5) != NULL;
    return sscanf(arg, "lr=%lf", &lr) == 1 || sscanf(arg, "wd=%lf", &wd) == 1 || sscanf(arg, "tau=%lf", &tau) == 1 ||
           sscanf(arg, "dropout=%lf", &dropout) == 1 || sscanf(arg, "hidden=%d", &hidden) == 1 ||
           sscanf(arg, "epochs=%d", &epochs) == 1 || sscanf(arg, "seed=%llu", &seed) == 1 ||
           sscanf(arg, "fixture=%d", &fixture) == 1;
}

int main(int argc, char **argv)
{
    int known = argc > 1;
    for (int i = 2; i < argc; i++)
        known = known && option(argv[i]);
    if (!known)
        fprintf(stderr, "usage: jc DIR [key=value ...]; the keys are at the head of reference/jc.c\n"), exit(2);
    seed = seed * 0x9E3779B97F4A7C15ull + 1;
    read_graph(argv[1]);
    normalise();
    init();
    if (fixture)
        write_fixture();
    else
        train();
    release(0);
    return 0;
}
