/* Metattack by its definition: dense matrices, one operation after another, and their adjoints in reverse order. */
#include "meta_ref.h"
#include "../../src/base/size.h"
#include <math.h>
#include <string.h>

/* c (m x n) += op(a) op(b), op(a) is m x k; ta, tb: stored transposed. */
static void mul(real *c, const real *a, int ta, const real *b, int tb, int m, int n, int k)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int p = 0; p < k; p++)
                c[SIZE(i, n) + (size_t)j] += a[ta ? SIZE(p, m) + (size_t)i : SIZE(i, k) + (size_t)p] *
                                             b[tb ? SIZE(j, k) + (size_t)p : SIZE(p, n) + (size_t)j];
}

typedef struct state {
    arena a;
    int n, d, h, c, L, T;
    const meta_ref *m;
    const real *adj;
    real *r, *ahat, *x, *y, *b, *bt;   /* n; n x n; n x d three times; L x d */
    real *w1, *w2, *v1, *v2;           /* current weights and velocities */
    real *n_, *p, *r_, *u, *w1s, *w2s; /* of each step */
    real *z, *g;                       /* logits and their gradient, n x c */
    real *gb, *ga;                     /* dLoss/dB, n x d; dLoss/dA_hat, n x n */
} state;

static real *zeros(state *s, size_t n) { return NEW(&s->a, real, n); }

static void propagate(state *s)
{
    const int n = s->n, d = s->d;
    const attack_target *t = s->m->t;
    for (int i = 0; i < n; i++) {
        real degree = 1;
        for (int j = 0; j < n; j++)
            degree += s->adj[SIZE(i, n) + (size_t)j];
        s->r[i] = 1 / (real)sqrt((double)degree);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s->ahat[SIZE(i, n) + (size_t)j] = s->r[i] * s->r[j] * (s->adj[SIZE(i, n) + (size_t)j] + (i == j));
    for (int i = 0; i < n && t->xs.rows; i++)
        for (int64_t k = t->xs.ptr[i]; k < t->xs.ptr[i + 1]; k++)
            s->x[SIZE(i, d) + (size_t)t->xs.idx[k]] = csr_value(&t->xs, k);
    if (t->xd.rows)
        memcpy(s->x, t->xd.v, SIZE(n, d) * sizeof(real));
    mul(s->y, s->ahat, 0, s->x, 0, n, d, n);
    mul(s->b, s->ahat, 0, s->y, 0, n, d, n);
    for (int k = 0; k < s->L; k++)
        memcpy(s->bt + SIZE(k, d), s->b + SIZE(t->part.idx[TRAIN][k], d), (size_t)d * sizeof(real));
}

static state begin(const meta_ref *m, const real *adj)
{
    const attack_target *t = m->t;
    state s = {.n = t->nodes,
               .d = t->features,
               .h = INNER_HIDDEN,
               .c = t->classes,
               .L = t->part.n[TRAIN],
               .T = m->steps,
               .m = m,
               .adj = adj};
    size_t n = (size_t)s.n, d = (size_t)s.d, h = (size_t)s.h, c = (size_t)s.c, L = (size_t)s.L, T = (size_t)s.T;
    s.r = zeros(&s, n), s.ahat = zeros(&s, n * n), s.x = zeros(&s, n * d), s.y = zeros(&s, n * d),
    s.b = zeros(&s, n * d), s.bt = zeros(&s, L * d);
    s.w1 = zeros(&s, d * h), s.w2 = zeros(&s, h * c), s.v1 = zeros(&s, d * h), s.v2 = zeros(&s, h * c);
    s.n_ = zeros(&s, T * L * h), s.p = zeros(&s, T * L * c), s.r_ = zeros(&s, T * L * c), s.u = zeros(&s, T * L * h);
    s.w1s = zeros(&s, T * d * h), s.w2s = zeros(&s, T * h * c), s.z = zeros(&s, n * c), s.g = zeros(&s, n * c);
    s.gb = zeros(&s, n * d), s.ga = zeros(&s, n * n);
    memcpy(s.w1, m->w1, d * h * sizeof(real));
    memcpy(s.w2, m->w2, h * c * sizeof(real));
    propagate(&s);
    return s;
}

static void softmax_rows(real *z, int rows, int c)
{
    for (int i = 0; i < rows; i++, z += c) {
        double top = (double)z[0], sum = 0;
        for (int k = 1; k < c; k++)
            top = fmax(top, (double)z[k]);
        for (int k = 0; k < c; k++)
            sum += exp((double)z[k] - top);
        for (int k = 0; k < c; k++)
            z[k] = (real)(exp((double)z[k] - top) / sum);
    }
}

/* Gradients g1, g2 of the training loss; stores the intermediate values of step t. */
static void gradient(state *s, real *g1, real *g2, int t)
{
    const int L = s->L, d = s->d, h = s->h, c = s->c;
    real *n = s->n_ + SIZE(t, L * h), *p = s->p + SIZE(t, L * c), *r = s->r_ + SIZE(t, L * c),
         *u = s->u + SIZE(t, L * h);
    memcpy(s->w1s + SIZE(t, d * h), s->w1, SIZE(d, h) * sizeof(real));
    memcpy(s->w2s + SIZE(t, h * c), s->w2, SIZE(h, c) * sizeof(real));
    mul(n, s->bt, 0, s->w1, 0, L, h, d);
    mul(p, n, 0, s->w2, 0, L, c, h);
    softmax_rows(p, L, c);
    for (int i = 0; i < L; i++)
        for (int k = 0; k < c; k++)
            r[i * c + k] = (p[i * c + k] - (s->m->label[s->m->t->part.idx[TRAIN][i]] == k)) / (real)L;
    mul(u, r, 0, s->w2, 1, L, h, c);
    mul(g1, s->bt, 1, u, 0, d, h, L);
    mul(g2, n, 1, r, 0, h, c, L);
}

static void momentum(real *w, real *v, const real *g, int n)
{
    for (int i = 0; i < n; i++) {
        v[i] = (real)0.9 * v[i] + g[i];
        w[i] -= (real)0.1 * v[i];
    }
}

static void train(state *s)
{
    for (int t = 0; t < s->T; t++) {
        real *g1 = zeros(s, SIZE(s->d, s->h)), *g2 = zeros(s, SIZE(s->h, s->c));
        gradient(s, g1, g2, t);
        momentum(s->w1, s->v1, g1, s->d * s->h);
        momentum(s->w2, s->v2, g2, s->h * s->c);
    }
}

/* The attack loss at the current weights; sets z and g. */
static double attack_loss(state *s)
{
    const int n = s->n, c = s->c;
    real *hidden = zeros(s, SIZE(n, s->h));
    unsigned char *trains = NEW(&s->a, unsigned char, (size_t)n);
    for (int k = 0; k < s->L; k++)
        trains[s->m->t->part.idx[TRAIN][k]] = 1;
    memset(s->z, 0, SIZE(n, c) * sizeof(real));
    mul(hidden, s->b, 0, s->w1, 0, n, s->h, s->d);
    mul(s->z, hidden, 0, s->w2, 0, n, c, s->h);
    softmax_rows(s->z, n, c);
    double loss = 0;
    for (int i = 0; i < n; i++) {
        double factor = trains[i] ? s->m->lambda / s->L : (1 - s->m->lambda) / (n - s->L);
        loss -= factor * log((double)s->z[SIZE(i, c) + (size_t)s->m->label[i]]);
        for (int k = 0; k < c; k++)
            s->g[SIZE(i, c) + (size_t)k] =
                (real)(factor * (double)(s->z[SIZE(i, c) + (size_t)k] - (k == s->m->label[i])));
    }
    return loss;
}

double meta_ref_loss(const meta_ref *m, const real *adj)
{
    state s = begin(m, adj);
    train(&s);
    double loss = attack_loss(&s);
    arena_free(&s.a);
    return loss;
}

/* gb += g (W1 W2)^T */
static void direct(state *s)
{
    real *w = zeros(s, SIZE(s->d, s->c));
    mul(w, s->w1, 0, s->w2, 0, s->d, s->c, s->h);
    mul(s->gb, s->g, 0, w, 1, s->n, s->d, s->c);
}

/* The adjoints of one step: s1, s2 of its gradients; adds to those of Bt, W1 and W2. */
static void gradient_back(state *s, real *dbt, real *a1, real *a2, const real *s1, const real *s2, int t)
{
    const int L = s->L, d = s->d, h = s->h, c = s->c;
    const real *n = s->n_ + SIZE(t, L * h), *p = s->p + SIZE(t, L * c), *r = s->r_ + SIZE(t, L * c),
               *u = s->u + SIZE(t, L * h);
    const real *w1 = s->w1s + SIZE(t, d * h), *w2 = s->w2s + SIZE(t, h * c);
    real *du = zeros(s, SIZE(L, h)), *dn = zeros(s, SIZE(L, h)), *dr = zeros(s, SIZE(L, c)), *dz = zeros(s, SIZE(L, c));
    mul(dbt, u, 0, s1, 1, L, d, h); /* g1 = Bt^T U */
    mul(du, s->bt, 0, s1, 0, L, h, d);
    mul(dn, r, 0, s2, 1, L, h, c); /* g2 = N^T R */
    mul(dr, n, 0, s2, 0, L, c, h);
    mul(dr, du, 0, w2, 0, L, c, h); /* U = R W2^T */
    mul(a2, du, 1, r, 0, h, c, L);
    for (int i = 0; i < L; i++) { /* R = (softmax(Z) - Y) / L */
        real dot = 0;
        for (int k = 0; k < c; k++)
            dot += p[i * c + k] * dr[i * c + k] / (real)L;
        for (int k = 0; k < c; k++)
            dz[i * c + k] = p[i * c + k] * (dr[i * c + k] / (real)L - dot);
    }
    mul(dn, dz, 0, w2, 1, L, h, c); /* Z = N W2 */
    mul(a2, n, 1, dz, 0, h, c, L);
    mul(dbt, dn, 0, w1, 1, L, d, h); /* N = Bt W1 */
    mul(a1, s->bt, 1, dn, 0, d, h, L);
}

static void train_back(state *s)
{
    const int n = s->n, L = s->L, d = s->d, h = s->h, c = s->c;
    real *dbt = zeros(s, SIZE(L, d)), *a1 = zeros(s, SIZE(d, h)), *a2 = zeros(s, SIZE(h, c)),
         *b1 = zeros(s, SIZE(d, h)), *b2 = zeros(s, SIZE(h, c));
    real *bw = zeros(s, SIZE(n, h)), *gw = zeros(s, SIZE(n, h));
    mul(gw, s->g, 0, s->w2, 1, n, h, c);
    mul(a1, s->b, 1, gw, 0, d, h, n);
    mul(bw, s->b, 0, s->w1, 0, n, h, d);
    mul(a2, bw, 1, s->g, 0, h, c, n);
    for (int t = s->T - 1; t >= 0; t--) {
        real *s1 = zeros(s, SIZE(d, h)), *s2 = zeros(s, SIZE(h, c));
        for (int i = 0; i < d * h; i++)
            s1[i] = b1[i] - (real)0.1 * a1[i], b1[i] = (real)0.9 * s1[i];
        for (int i = 0; i < h * c; i++)
            s2[i] = b2[i] - (real)0.1 * a2[i], b2[i] = (real)0.9 * s2[i];
        gradient_back(s, dbt, a1, a2, s1, s2, t);
    }
    for (int k = 0; k < L; k++)
        for (int j = 0; j < d; j++)
            s->gb[SIZE(s->m->t->part.idx[TRAIN][k], d) + (size_t)j] += dbt[SIZE(k, d) + (size_t)j];
}

/* A-Meta: the gradient of the attack loss summed over 100 steps of Adam. */
static void train_adam(state *s)
{
    real *m[2] = {zeros(s, SIZE(s->d, s->h)), zeros(s, SIZE(s->h, s->c))}, *w[2] = {s->w1, s->w2},
         *v[2] = {s->v1, s->v2};
    for (int t = 0; t < s->T; t++) {
        real *g[2] = {zeros(s, SIZE(s->d, s->h)), zeros(s, SIZE(s->h, s->c))};
        gradient(s, g[0], g[1], t);
        attack_loss(s);
        direct(s);
        for (int q = 0; q < 2; q++)
            for (int i = 0; i < (q ? s->h * s->c : s->d * s->h); i++) {
                double x = (double)g[q][i];
                m[q][i] = (real)(0.9 * (double)m[q][i] + 0.1 * x);
                v[q][i] = (real)(0.999 * (double)v[q][i] + 0.001 * x * x);
                w[q][i] -= (real)(0.01 * ((double)m[q][i] / (1 - pow(0.9, t + 1))) /
                                  (sqrt((double)v[q][i] / (1 - pow(0.999, t + 1))) + 1e-8));
            }
    }
}

void meta_ref_gradient(real *out, const meta_ref *m, const real *adj)
{
    state s = begin(m, adj);
    const int n = s.n;
    if (m->approximate) {
        train_adam(&s);
    } else {
        train(&s);
        attack_loss(&s);
        direct(&s);
        train_back(&s);
    }
    real *dy = zeros(&s, SIZE(n, s.d)), *dr = zeros(&s, (size_t)n);
    mul(s.ga, s.gb, 0, s.y, 1, n, n, s.d); /* B = A_hat Y */
    mul(dy, s.ahat, 1, s.gb, 0, n, s.d, n);
    mul(s.ga, dy, 0, s.x, 1, n, n, s.d); /* Y = A_hat X */
#define AT(x, i, j) (x)[SIZE(i, n) + (size_t)(j)]
    for (int i = 0; i < n; i++) /* A_hat_ij = r_i r_j (A + I)_ij */
        for (int j = 0; j < n; j++)
            dr[i] += (AT(s.ga, i, j) + AT(s.ga, j, i)) * (AT(adj, i, j) + (i == j)) * s.r[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            real ij = AT(s.ga, i, j) * s.r[i] * s.r[j] -
                      dr[i] * s.r[i] * s.r[i] * s.r[i] / 2; /* r_i = degree^-1/2, the degree is row i's sum */
            real ji = AT(s.ga, j, i) * s.r[i] * s.r[j] - dr[j] * s.r[j] * s.r[j] * s.r[j] / 2;
            AT(out, i, j) = ij + ji;
        }
    arena_free(&s.a);
}

int meta_ref_best(flip *best, const real *g, const real *adj, const unsigned char *frozen, int n)
{
    real largest = -INFINITY;
    *best = (flip){-1, -1};
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            real links_i = 0, links_j = 0, value = AT(g, i, j) * (1 - 2 * AT(adj, i, j));
            for (int k = 0; k < n; k++)
                links_i += AT(adj, i, k), links_j += AT(adj, j, k);
            if (frozen[SIZE(i, n) + (size_t)j] || (AT(adj, i, j) == 1 && (links_i <= 1 || links_j <= 1)))
                continue;
            if (value > largest)
                largest = value, *best = (flip){i, j};
        }
    return best->u >= 0;
}
