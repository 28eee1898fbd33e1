/* Belief propagation against exact enumeration on trees, and on cycles against its equations in plain loops; the
 * potentials of SPN and the networks of methods (gcn2) against central differences. In double. */
#include "../../../src/kernel/blas.h"
#include "../../../src/train/method/spn.h"
#include "../cell_of.h"
#include "../test.h"
#include "../toy.h"
#include <omp.h>

enum { C = 3, MOST = 8 };

static csr graph_of(arena *a, int n, const int (*edge)[2], int m)
{
    int u[32], v[32];
    for (int k = 0; k < m; k++)
        u[k] = edge[k][0], v[k] = edge[k][1];
    return csr_from_pairs(a, n, n, u, v, m, 1, 0);
}

/* Random potentials, theta_st(x, z) = theta_ts(z, x). */
static void fill(belief *f, uint64_t seed)
{
    rng r = rng_make(seed, 0, RNG_TWIN);
    for (int i = 0; i < f->b->nodes * C; i++)
        f->theta_s[i] = (real)rng_normal(r, 1, (uint64_t)i);
    for (int64_t k = 0; k < csr_nnz(&f->b->g); k++)
        for (int x = 0; x < C; x++)
            for (int z = 0; z < C; z++) {
                int64_t one = k < f->b->back[k] ? k : f->b->back[k];
                int at = one == k ? x * C + z : z * C + x;
                f->theta_st[k * C * C + x * C + z] = (real)(1.5 * rng_normal(r, 2 + (uint64_t)one, (uint64_t)at));
            }
}

/* The marginals (max: max-marginals, normalised) of exp(sum of potentials), by all assignments; pair: of one link. */
static void enumerate(double *q, double *pair, const belief *f, int64_t link, int max)
{
    int n = f->b->nodes, x[MOST], all = (int)lround(pow(C, n));
    memset(q, 0, (size_t)(n * C) * sizeof *q), memset(pair, 0, C * C * sizeof *pair);
    for (int a = 0; a < all; a++) {
        double sum = 0;
        for (int i = 0, rest = a; i < n; i++, rest /= C)
            sum += (double)f->theta_s[i * C + (x[i] = rest % C)];
        for (int64_t k = 0; k < csr_nnz(&f->b->g); k++)
            if (k < f->b->back[k])
                sum += (double)f->theta_st[k * C * C + x[f->b->from[k]] * C + x[f->b->g.idx[k]]];
        double p = exp(sum), *to = pair + x[f->b->from[link]] * C + x[f->b->g.idx[link]];
        *to += p;
        for (int i = 0; i < n; i++)
            q[i * C + x[i]] = max ? fmax(q[i * C + x[i]], p) : q[i * C + x[i]] + p;
    }
    double sum = 0;
    for (int i = 0; i < C * C; i++)
        sum += pair[i];
    for (int i = 0; i < C * C; i++)
        pair[i] /= sum;
    for (int i = 0; i < n; i++) {
        sum = q[i * C] + q[i * C + 1] + q[i * C + 2];
        for (int k = 0; k < C; k++)
            q[i * C + k] /= sum;
    }
}

static void test_trees(void)
{
    static const int path[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}},
                     star[][2] = {{2, 0}, {2, 1}, {2, 3}, {2, 4}, {2, 5}},
                     tree[][2] = {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}};
    const int(*const all[])[2] = {path, star, tree};
    for (int t = 0; t < 3; t++)
        for (int max = 0; max < 2; max++) {
            arena a = {0};
            csr g = graph_of(&a, 6, all[t], 5);
            belief_graph b = belief_graph_new(&a, &g, (const int[]){0, 1, 2, 3, 4, 5}, 6);
            belief f = belief_new(&a, &b, C, 1);
            double want[6 * C], pair[C * C], worst = 0, worst_pair = 0;
            real q[6 * C], link[C * C];
            fill(&f, 10 + (uint64_t)t);
            belief_run(&f, 6, max);
            belief_nodes(q, &f);
            for (int64_t k = 0; k < csr_nnz(&b.g); k++) {
                CHECK(b.back[b.back[k]] == k && b.from[k] == b.g.idx[b.back[k]] && b.from[b.back[k]] == b.g.idx[k],
                      "link %d has no way back", (int)k);
                enumerate(want, pair, &f, k, max);
                belief_link(link, &f, k);
                for (int i = 0; i < C * C && !max; i++)
                    worst_pair = fmax(worst_pair, fabs((double)link[i] - pair[i]));
            }
            for (int i = 0; i < 6 * C; i++)
                worst = fmax(worst, fabs((double)q[i] - want[i]));
            CHECK(worst < 1e-9 && worst_pair < 1e-9, "tree %d, %s-product: marginals differ by %g, of links by %g", t,
                  max ? "max" : "sum", worst, worst_pair);
            arena_free(&a);
        }
}

/* The equations, link by link, in plain loops; on a graph with cycles and rho = 1/2, of a part of a larger graph. */
static void test_cycles(void)
{
    static const int edge[][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 4}, {4, 5}, {5, 6}, {6, 2}, {3, 4}, {3, 7}};
    static const int node[] = {0, 1, 2, 4, 5, 6};
    for (int max = 0; max < 2; max++) {
        arena a = {0};
        csr g = graph_of(&a, 8, edge, 9);
        belief_graph b = belief_graph_new(&a, &g, node, 6);
        belief f = belief_new(&a, &b, C, 0.5);
        int n = (int)csr_nnz(&b.g);
        CHECK(n == 14, "%d links among the nodes", n);
        fill(&f, 3);
        belief_run(&f, 4, max);
        double m[14][C] = {{0}}, next[14][C], worst = 0;
        for (int step = 0; step < 4; step++, memcpy(m, next, sizeof m))
            for (int k = 0; k < n; k++) {
                double out[C], sum = 0;
                for (int z = 0; z < C; z++) {
                    out[z] = max ? -INFINITY : 0;
                    for (int x = 0; x < C; x++) {
                        double w = (double)f.theta_st[(k * C + x) * C + z] + (double)f.theta_s[b.from[k] * C + x] -
                                   m[b.back[k]][x];
                        for (int e = 0; e < n; e++)
                            w += b.g.idx[e] == b.from[k] ? 0.5 * m[e][x] : 0;
                        out[z] = max ? fmax(out[z], exp(w)) : out[z] + exp(w);
                    }
                    sum += out[z];
                }
                for (int z = 0; z < C; z++)
                    next[k][z] = log(out[z] / sum);
            }
        for (int k = 0; k < n; k++)
            for (int z = 0; z < C; z++)
                worst = fmax(worst, fabs(m[k][z] - (double)f.message[k * C + z]));
        CHECK(worst < 1e-9, "cycles, %s-product: messages differ by %g", max ? "max" : "sum", worst);
        arena_free(&a);
    }
}

static double potential_sum(const real *logits, const real *weight, real gamma)
{
    real theta[C * C];
    double sum = 0;
    memcpy(theta, logits, sizeof theta);
    spn_potential(theta, C, gamma);
    for (int i = 0; i < C * C; i++)
        sum += (double)(theta[i] * weight[i]);
    return sum;
}

static void test_potential(void)
{
    rng r = rng_make(5, 0, RNG_TWIN);
    real logits[C * C], d[C * C], weight[C * C], mean = 0;
    for (int i = 0; i < C * C; i++)
        logits[i] = (real)rng_normal(r, 1, (uint64_t)i), weight[i] = (real)rng_normal(r, 2, (uint64_t)i),
        mean += weight[i] / (C * C);
    for (int i = 0; i < C * C; i++)
        weight[i] -= mean; /* as a difference of two distributions, it sums to 0 */
    memcpy(d, weight, sizeof d);
    spn_potential_back(d, logits, C, (real)0.7);
    for (int i = 0; i < C * C; i++) {
        real was = logits[i], h = (real)1e-5;
        logits[i] = was + h;
        double up = potential_sum(logits, weight, (real)0.7);
        logits[i] = was - h;
        double down = potential_sum(logits, weight, (real)0.7);
        logits[i] = was;
        CHECK_NEAR((double)d[i], (up - down) / (2 * (double)h), 1e-8);
    }
}

/* The gradient of the head of SPN on top of a gcn2, for the loss sum of squares of all links' logits. */
static double head_loss(gcn2_view *v, spn_parts *t, const spn_head *h, const belief_graph *b, real *d)
{
    double loss = 0;
    gcn2_forward(v, 3);
    spn_head_forward(t, h, v->out);
    for (int64_t k = 0; k < csr_nnz(&b->g); k++) {
        real *to = d + k * h->cc;
        spn_logits(to, t, b, k);
        for (int i = 0; i < h->cc; i++)
            loss += (double)(to[i] * to[i]) / 2;
    }
    return loss;
}

static void test_networks(int dense)
{
    arena a = {0};
    problem *p = toy(40, 20, C, dense);
    spec s = spec_default();
    method_prepare(p, CELL(&s));
    const node_data data = problem_data(p, CELL(&s));
    gcn2 *nn = gcn2_new(&a, &data, &(gcn2_shape){20, 7, SPN_WIDTH, 0.3, 0.2, 1, 1}, 1, 0);
    int some[30];
    for (int i = 0; i < 30; i++)
        some[i] = i + i / 3;
    gcn2_view v = gcn2_view_new(nn, some, 30, 1);
    belief_graph b = belief_graph_new(&a, &p->d->graph, some, 30);
    spn_head h = spn_head_new(&a, C, 2, 0);
    spn_parts t = spn_parts_new(&a, 30, C * C);
    real *d = NEW(&a, real, (size_t)csr_nnz(&b.g) * C * C);
    head_loss(&v, &t, &h, &b, d);
    spn_gather(&t, &b, d);
    spn_head_backward(v.grad, &h, &t, v.out);
    workspace_backward(v.ws);
    double worst = 0;
    int checked = 0;
    for (size_t i = 0; i < nn->m->size + h.size; i += 7) {
        real *w = i < nn->m->size ? nn->net.w + i : h.w + (i - nn->m->size), was = *w, step = (real)1e-6;
        double g = (double)(i < nn->m->size ? nn->net.g[i] : h.g[i - nn->m->size]);
        *w = was + step;
        double up = head_loss(&v, &t, &h, &b, d);
        *w = was - step;
        double down = head_loss(&v, &t, &h, &b, d), slope = (up - down) / (2 * (double)step);
        *w = was;
        worst = fmax(worst, fabs(g - slope) / (1 + fabs(slope)));
        checked += slope != 0;
    }
    CHECK(worst < 1e-5 && checked > 100, "%s features: gradients differ by %g (%d checked)", dense ? "dense" : "sparse",
          worst, checked);
    problem_close(p);
    arena_free(&a);
}

TEST_MAIN(test_belief)
{
    blas_init();
    test_trees();
    test_cycles();
    test_potential();
    test_networks(0);
    test_networks(1);
    return test_end();
}
