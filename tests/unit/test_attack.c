/* Metattack. Its factored gradient against differences of the loss after the whole inner training (in double) and
 * against its dense reference version, flip by flip; the same flips at any number of threads and when it is continued,
 * for every attack. */
#include "../../src/attack/hops.h"
#include "meta_ref.h"
#include "../../src/attack/relaxed.h"
#include "attack_toy.h"
#include <omp.h>

static real *dense_graph(const csr *g)
{
    int n = g->rows;
    real *adj = NEW(&a, real, (size_t)(n * n));
    for (int i = 0; i < n; i++)
        for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
            adj[i * n + g->idx[k]] = 1;
    return adj;
}

/* All g_ij, from tiles. */
static void all_scores(real *g, const score *s)
{
    int n = s->nodes;
    real *tile = NEW(&a, real, SCORE_ROWS * SCORE_COLS);
    for (int r = 0; r < n; r += SCORE_ROWS)
        for (int c = 0; c < n; c += SCORE_COLS) {
            int rows = n - r < SCORE_ROWS ? n - r : SCORE_ROWS, cols = n - c < SCORE_COLS ? n - c : SCORE_COLS;
            score_tile(tile, s, r, rows, c, cols);
            for (int i = 0; i < rows; i++)
                memcpy(g + (r + i) * n + c, tile + i * cols, (size_t)cols * sizeof *g);
        }
}

static double worst_pair(const real *x, const real *y, int n)
{
    double worst = 0, size = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j) {
                double d = fabs((double)x[i * n + j] - (double)y[i * n + j]);
                size = fmax(size, fabs((double)y[i * n + j]));
                worst = d > worst || d != d ? d : worst;
            }
    return worst / size;
}

static const char *const meta_methods[] = {"metaself", "metatrain", "metaboth", "ameta"};

/* Greedy flips of the fast version and of the reference version. The number of features decides the form, dual or
 * primal. */
static void twin(const char *method, enum attack_init init, int steps, int nodes, int features, int dense, int flips,
                 double tolerance)
{
    attack_target t = target(nodes, features, 3, dense);
    attack_spec s = spec_of(method, 1, init);
    s.steps = steps;
    feature_matrix x = features_of(&a, &t);
    int *label = meta_labels(&a, &t, &x, s.seed);
    arena own = {0};
    meta m = meta_new(&own, &t, &x, &s, flips, label);
    meta_ref ref = {&t, label, m.approximate, m.w.steps, m.lambda, m.w.w1, m.w.w2};
    real *adj = dense_graph(&t.graph), *g = NEW(&a, real, (size_t)(nodes * nodes)),
         *fast = NEW(&a, real, (size_t)(nodes * nodes));
    unsigned char *frozen = NEW(&a, unsigned char, (size_t)(nodes * nodes));
    double worst = 0;
    CHECK(m.approximate || (m.w.form == INNER_DUAL) == (features >= 12), "the form of %d features", features);
    for (int k = 0; k < flips; k++) {
        arena scratch = {0};
        flip f = {-1, -1}, want;
        double value;
        meta_gradient(&m, &scratch, k);
        all_scores(fast, &m.s);
        CHECK(score_best(&f, &value, &m.s, &m.e), "no pair");
        meta_ref_gradient(g, &ref, adj);
        worst = fmax(worst, worst_pair(fast, g, nodes));
        CHECK(meta_ref_best(&want, g, adj, frozen, nodes), "no pair");
        CHECK(f.u == want.u && f.v == want.v, "%s: flip %d is %d %d, the twin's %d %d", method, k, f.u, f.v, want.u,
              want.v);
        meta_flip(&m, want);
        adj[want.u * nodes + want.v] = adj[want.v * nodes + want.u] = 1 - adj[want.u * nodes + want.v];
        frozen[want.u * nodes + want.v] = 1;
        arena_free(&scratch);
    }
    CHECK(worst < tolerance, "%s: the largest difference is %g of the largest score", method, worst);
    printf("%-9s %d nodes %d features: %d flips, largest difference %.1e\n", method, nodes, features, flips, worst);
    arena_free(&own);
}

#ifdef JCB_DOUBLE
/* g_ij against the loss after training on graphs with the weight of one link changed, every pair. */
static void differences(const char *method, int features, int dense)
{
    const int n = 21;
    attack_target t = target(n, features, 3, dense);
    attack_spec s = spec_of(method, 1, ATTACK_FRESH);
    feature_matrix x = features_of(&a, &t);
    int *label = meta_labels(&a, &t, &x, s.seed);
    arena own = {0}, scratch = {0};
    meta m = meta_new(&own, &t, &x, &s, 1, label);
    meta_gradient(&m, &scratch, 0);
    meta_ref ref = {&t, label, 0, m.w.steps, m.lambda, m.w.w1, m.w.w2};
    real *adj = dense_graph(&t.graph), *g = NEW(&a, real, (size_t)(n * n)), *want = NEW(&a, real, (size_t)(n * n));
    all_scores(g, &m.s);
    CHECK_NEAR(m.loss, meta_ref_loss(&ref, adj), 1e-12);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double loss[2], h = 1e-5, w = adj[i * n + j];
            for (int side = 0; side < 2; side++) {
                adj[i * n + j] = adj[j * n + i] = w + (side ? h : -h);
                loss[side] = meta_ref_loss(&ref, adj);
            }
            adj[i * n + j] = adj[j * n + i] = w;
            want[i * n + j] = want[j * n + i] = (loss[1] - loss[0]) / (2 * h);
        }
    double worst = worst_pair(g, want, n);
    CHECK(worst < 1e-6, "%s: %g from the differences", method, worst);
    printf("%-9s %d features: differences of the loss agree to %.1e\n", method, features, worst);
    arena_free(&own);
    arena_free(&scratch);
}
#endif

#ifdef JCB_DOUBLE
/* dLoss/dp of every candidate against differences of the loss, at p between 0 and 1 for links and for others. */
static void relaxed_differences(void)
{
    attack_target t = target(40, 20, 3, 0);
    feature_matrix x = features_of(&a, &t);
    relaxed f = relaxed_new(&a, &t, &x, 3);
    rng r = rng_make(9, 0, RNG_ATTACK);
    block b = block_new(&a, t.nodes, 400);
    block_draw(&b, r, 1);
    for (int64_t k = 0; k < b.n; k++) {
        flip q = block_pair(t.nodes, b.index[k]);
        b.p[k] = q.u % 2 ? rng_uniform(r, 2, (uint64_t)k) : 0.02 * rng_uniform(r, 2, (uint64_t)k) + 1e-3;
    }
    real *g = NEW(&a, real, (size_t)b.n), *want = NEW(&a, real, (size_t)b.n);
    double worst = 0, size = 0;
    int links = 0;
    weighted w = weighted_new(&a, &t.graph, &b);
    relaxed_loss(&f, &w.ahat);
    relaxed_gradient(g, &f, &w, &t.graph, &b);
    for (int64_t k = 0; k < b.n; k++) {
        double loss[2], h = 1e-6, p = b.p[k];
        flip q = block_pair(t.nodes, b.index[k]);
        links += t.graph.ptr[q.u] < t.graph.ptr[q.u + 1] && g[k] != 0;
        for (int side = 0; side < 2; side++) {
            arena tmp = {0};
            b.p[k] = p + (side ? h : -h);
            weighted v = weighted_new(&tmp, &t.graph, &b);
            relaxed_loss(&f, &v.ahat);
            loss[side] = f.loss;
            arena_free(&tmp);
        }
        b.p[k] = p;
        want[k] = (loss[1] - loss[0]) / (2 * h);
        worst = fmax(worst, fabs(g[k] - want[k])), size = fmax(size, fabs(want[k]));
    }
    CHECK(worst < 1e-6 * size, "gradient of the candidates: %g of %g", worst, size);
    printf("relaxed: %d candidates, differences of the loss agree to %.1e\n", (int)b.n, worst / size);
}
#endif

/* --- every method --- */

/* The same flips at 1, 2, 3 and 8 threads, and when an attack is continued after some of them. */
static void threads(const char *method, const attack_target *t, int flips)
{
    static const int team[] = {2, 3, 8};
    attack_spec s = spec_of(method, (flips + 0.5) / ((double)csr_nnz(&t->graph) / 2), ATTACK_FRESH);
    s.block = 20000;
    int64_t n, m;
    omp_set_num_threads(1);
    flip *want = run(&n, t, &s, NULL, 0);
    check_list(t, &s, want, n);
    for (int k = 0; k < 3; k++) {
        omp_set_num_threads(team[k]);
        flip *have = run(&m, t, &s, NULL, 0);
        CHECK(m == n && same(have, want, n), "%s: other flips at %d threads", method, team[k]);
    }
    omp_set_num_threads(2);
    if (!strcmp(method, "prbcd")) /* does all of its 400 steps again */
        return;
    flip *have = run(&m, t, &s, want, n / 2);
    CHECK(m == n && same(have, want, n), "%s: other flips after %d known ones", method, (int)n / 2);
    have = run(&m, t, &s, want, n);
    CHECK(m == n && same(have, want, n), "%s: other flips after all known ones", method);
    s.seed++;
    have = run(&m, t, &s, NULL, 0);
    CHECK(m != n || !same(have, want, n), "%s: another seed, the same flips", method);
}

static void all_threads(void)
{
    attack_target dual = target(700, 450, 3, 0), primal = target(700, 220, 3, 1), small = target(150, 30, 3, 0);
    /* enough training rows that steps run on a team */
    split large = split_draw(&a, &(dataset){.name = "toy", .nodes = 700, .classes = 3, .y = (int *)dual.y},
                             split_rule_read("fraction:0.85:0.05"), 1, 0);
    split some = split_draw(&a, &(dataset){.name = "toy", .nodes = 700, .classes = 3, .y = (int *)dual.y},
                            split_rule_read("fraction:0.5:0.05"), 1, 0);
    primal.part = large, dual.part = some;
    threads("metaself", &dual, 4);
    threads("metaself", &primal, 2);
    threads("ameta", &small, 4);
    threads("metatrain", &small, 6);
    threads("dice", &small, 60);
    threads("random", &small, 100);
    threads("prbcd", &small, 12);
    threads("grbcd", &small, 12);
}

/* More nodes than a tile has rows and columns. */
static void tiles(void) { twin("metaself", ATTACK_FRESH, 0, 500, 8, 0, 1, sizeof(real) == 8 ? 1e-10 : 1e-4); }

/* Pairs with equal scores in many tiles: the first one, row by row, at any number of threads. */
static void ties(void)
{
    enum { N = 700 };
    int u[] = {0, 0, 1}, v[] = {1, 2, 3};
    csr graph = csr_from_pairs(&a, N, N, u, v, 3, 1, 0);
    edit e = edit_new(&a, &graph, 3);
    score s = score_new(&a, N, 1, 4, 0);
    s.side = csr_new(&a, N, 0, 0, 1);
    for (int i = 0; i < N; i++)
        s.r[i] = 1, s.v[i] = -1; /* g = 2 for every pair, -2 to remove a link */
    for (int k = 0; k < 3; k++) {
        flip f, want = k < 2 ? (flip){0, 3 + k} : (flip){1, 2};
        double value;
        for (int team = 1; team <= 8; team++) {
            omp_set_num_threads(team);
            CHECK(score_best(&f, &value, &s, &e) && f.u == want.u && f.v == want.v && value == 2, "%d threads: %d %d",
                  team, f.u, f.v);
        }
        edit_flip(&e, &f, 1);
        for (int j = 5; k == 1 && j < N; j++) /* nothing is left for node 0 */
            s.v[0] = 1;
    }
    omp_set_num_threads(2);
}

/* Rows recomputed after flips have the bits of a new start; the estimate of memory is what is used. */
static void incremental(void)
{
    attack_target t = target(300, 60, 3, 0);
    attack_spec s = spec_of("metaself", 0.1, ATTACK_FRESH);
    int64_t n;
    arena own = {0}, other = {0};
    flip *f = run(&n, &t, &s, NULL, 0);
    feature_matrix x = features_of(&own, &t);
    meta m = meta_new(&own, &t, &x, &s, n, t.y);
    for (int64_t k = 0; k < n; k++)
        meta_flip(&m, f[k]);
    attack_target after = t;
    after.graph = attack_apply(&a, &t.graph, f, n);
    meta fresh = meta_new(&other, &after, &x, &s, n, t.y);
    CHECK(!memcmp(m.w.bt, fresh.w.bt, (size_t)t.part.n[TRAIN] * (size_t)t.features * sizeof(real)),
          "rows differ after %d flips", (int)n);
    CHECK(m.e.graph.ptr[t.nodes] == after.graph.ptr[t.nodes] &&
              !memcmp(m.e.graph.idx, after.graph.idx, (size_t)csr_nnz(&after.graph) * sizeof(int)),
          "the graph differs");
    double told = attack_memory(&t, &s);
    CHECK((double)own.live < 1.2 * told && (double)own.live > 0.6 * told, "%zu bytes taken, %.0f told", own.live, told);
    real *adj = dense_graph(&t.graph), *flipped = dense_graph(&after.graph);
    for (int64_t k = 0; k < n; k++) {
        int i = f[k].u * t.nodes + f[k].v, j = f[k].v * t.nodes + f[k].u;
        adj[i] = adj[j] = 1 - adj[i];
    }
    CHECK(!memcmp(adj, flipped, (size_t)(t.nodes * t.nodes) * sizeof *adj), "attack_apply is not the flipped graph");
    arena_free(&own);
    arena_free(&other);
}

TEST_MAIN(test_attack)
{
#ifdef JCB_DOUBLE
    relaxed_differences();
    differences("metaself", 30, 0);
    differences("metaself", 8, 0);
    differences("metatrain", 30, 1);
    differences("metaboth", 8, 1);
#endif
    incremental();
    all_threads();
    tiles();
    ties();
    double tolerance = sizeof(real) == 8 ? 1e-10 : 1e-4;
    int flips = 24;
    for (int k = 0; k < 4; k++) {
        twin(meta_methods[k], ATTACK_FRESH, 0, 60, 30, 0, flips, tolerance);
        twin(meta_methods[k], ATTACK_FIXED, 0, 50, 8, 1, flips, tolerance);
    }
    twin("metaself", ATTACK_FRESH, 7, 60, 30, 0, flips, tolerance);
    twin("metaself", ATTACK_FIXED, 2, 50, 8, 1, flips, tolerance);
    forget();
    return test_end();
}
