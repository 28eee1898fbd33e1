/* Attacks. Metattack's factored gradient against differences of the loss after the whole inner training (in double) and
 * against its dense twin, flip by flip; what is told beforehand about memory; the same flips at any number of threads
 * and when taken up again; DICE, random, PR-BCD and GR-BCD: their budgets, what they may flip, projections and blocks
 * against obvious twins. */
#include "../src/attack/block.h"
#include "../src/attack/hops.h"
#include "../src/attack/meta.h"
#include "../src/attack/relaxed.h"
#include "../src/base/err.h"
#include "../src/data/split.h"
#include "test.h"
#include "toy.h"
#include <omp.h>

static arena a;

/* A toy graph with its split as a target; node n - 1 has no link. */
static attack_target target(int nodes, int features, int classes, int dense)
{
    problem *p = toy(nodes, features, classes, dense);
    dataset *d = NEW(&a, dataset, 1);
    *d = *p->d;
    int *u = NEW(&a, int, (size_t)csr_nnz(&d->graph)), *v = NEW(&a, int, (size_t)csr_nnz(&d->graph)), m = 0;
    for (int i = 0; i < nodes; i++)
        for (int64_t k = d->graph.ptr[i]; k < d->graph.ptr[i + 1]; k++)
            if (i < d->graph.idx[k] && d->graph.idx[k] != nodes - 1)
                u[m] = i, v[m++] = d->graph.idx[k];
    d->graph = csr_from_pairs(&a, nodes, nodes, u, v, m, 1, 0);
    split *s = NEW(&a, split, 1);
    *s = split_draw(&a, d, "per-class:4:2", 1, 0);
    return attack_target_of(&a, d, s, 0);
}

static attack_spec spec_of(const char *method, double rate, enum attack_init init)
{
    return (attack_spec){.method = attack_find(method), .rate = rate, .seed = 5, .init = init};
}

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

/* Greedy flips of the fast one and of the twin side by side. The features' number decides about the form: dual or
 * primal. */
static void twin(const char *method, enum attack_init init, int nodes, int features, int dense, int flips,
                 double tolerance)
{
    attack_target t = target(nodes, features, 3, dense);
    attack_spec s = spec_of(method, 1, init);
    feature_matrix x = features_of(&a, &t);
    int *label = meta_labels(&a, &t, &x, s.seed);
    arena own = {0};
    meta m = meta_new(&own, &t, &x, &s, flips, label);
    meta_ref ref = {&t, label, m.approximate, m.lambda, m.w.w1, m.w.w2};
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
    meta_ref ref = {&t, label, 0, m.lambda, m.w.w1, m.w.w2};
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

/* --- what every method holds --- */

static flip *run(int64_t *n, const attack_target *t, const attack_spec *s, const flip *known, int64_t nknown)
{
    attack_watch w = {.known = known, .nknown = nknown};
    return attack_run(&a, n, t, s, &w);
}

static int same(const flip *x, const flip *y, int64_t n) { return !memcmp(x, y, (size_t)n * sizeof *x); }

/* Distinct pairs u < v, at most the budget. */
static void check_list(const attack_target *t, const attack_spec *s, const flip *f, int64_t n)
{
    unsigned char *seen = NEW(&a, unsigned char, (size_t)t->nodes *(size_t)t->nodes);
    int64_t budget = attack_budget(t, s), bad = 0;
    for (int64_t k = 0; k < n; k++)
        bad += f[k].u < 0 || f[k].u >= f[k].v || f[k].v >= t->nodes ||
               seen[(size_t)f[k].u * (size_t)t->nodes + (size_t)f[k].v]++;
    CHECK(!bad && n > 0 && n <= budget, "%s: %d bad pairs, %d of %d", s->method->name, (int)bad, (int)n, (int)budget);
    CHECK(n == budget || !strcmp(s->method->name, "prbcd"), "%s: %d of %d flips", s->method->name, (int)n, (int)budget);
}

/* The same flips at 1, 2, 3 and 8 threads, and when an attack goes on from some of them. */
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
    split many = split_draw(&a, &(dataset){.name = "toy", .nodes = 700, .classes = 3, .y = (int *)dual.y},
                            "fraction:0.85:0.05", 1, 0);
    split some = split_draw(&a, &(dataset){.name = "toy", .nodes = 700, .classes = 3, .y = (int *)dual.y},
                            "fraction:0.5:0.05", 1, 0);
    primal.part = many, dual.part = some;
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
static void tiles(void) { twin("metaself", ATTACK_FRESH, 500, 8, 0, 1, sizeof(real) == 8 ? 1e-10 : 1e-4); }

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

/* Rows that were made again after flips are those of a new start, bit for bit; what was told about memory is what is
 * taken. */
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
    real *adj = dense_graph(&t.graph), *new = dense_graph(&after.graph);
    for (int64_t k = 0; k < n; k++) {
        int i = f[k].u * t.nodes + f[k].v, j = f[k].v * t.nodes + f[k].u;
        adj[i] = adj[j] = 1 - adj[i];
    }
    CHECK(!memcmp(adj, new, (size_t)(t.nodes * t.nodes) * sizeof *adj), "attack_apply is not the flipped graph");
    arena_free(&own);
    arena_free(&other);
}

/* --- chance --- */

static void chance(void)
{
    attack_target t = target(120, 12, 3, 0);
    int *y = NEW(&a, int, 120), bad = 0, removed = 0;
    memcpy(y, t.y, 120 * sizeof *y);
    y[7] = y[90] = -1; /* no label: dice keeps off */
    t.y = y;
    int64_t n, links = csr_nnz(&t.graph) / 2;
    attack_spec s = spec_of("random", 1, ATTACK_FRESH);
    flip *f = run(&n, &t, &s, NULL, 0);
    check_list(&t, &s, f, n);
    CHECK(n == links, "%d links, rate 1: %d flips", (int)links, (int)n);
    for (int64_t k = 0; k < n; k++)
        bad += edit_linked(&t.graph, f[k].u, f[k].v);
    CHECK(!bad, "random removes");
    s = spec_of("dice", 0.9, ATTACK_FRESH);
    f = run(&n, &t, &s, NULL, 0);
    check_list(&t, &s, f, n);
    for (int64_t k = 0; k < n; k++) {
        int linked = edit_linked(&t.graph, f[k].u, f[k].v), p = y[f[k].u], q = y[f[k].v];
        bad += p < 0 || q < 0 || linked != (p == q);
        removed += linked;
    }
    csr after = attack_apply(&a, &t.graph, f, n);
    for (int i = 0; i < t.nodes; i++)
        bad += after.ptr[i] == after.ptr[i + 1] && t.graph.ptr[i] < t.graph.ptr[i + 1];
    /* A ring, where every second removal would leave a node alone. */
    int x[60], z[60];
    for (int i = 0; i < 60; i++)
        x[i] = i, z[i] = (i + 1) % 60, y[i] = i / 30;
    attack_target ring = {
        .nodes = 60, .features = 1, .classes = 2, .graph = csr_from_pairs(&a, 60, 60, x, z, 60, 1, 0), .y = y};
    attack_spec half = spec_of("dice", 0.9, ATTACK_FRESH);
    for (half.seed = 0; half.seed < 20; half.seed++) {
        int64_t m;
        flip *g = run(&m, &ring, &half, NULL, 0);
        csr left = attack_apply(&a, &ring.graph, g, m);
        for (int i = 0; i < 60; i++)
            bad += left.ptr[i] == left.ptr[i + 1];
    }
    CHECK(!bad, "dice: %d flips that it may not make", bad);
    CHECK(fabs(removed - 0.5 * (double)n) < 4 * sqrt(0.25 * (double)n), "dice: %d of %d are removals", removed, (int)n);
}

/* The first random pair of 20,000 seeds: every pair that is no link, equally often. Chi-square, 99.99 %. */
static void uniform(void)
{
    int u[] = {0, 1, 2}, v[] = {1, 2, 5}, y[] = {0, 1, 0, 1, 0, 1}, count[6][6] = {{0}}, seeds = 20000, train[] = {0};
    attack_target t = {.nodes = 6,
                       .features = 1,
                       .classes = 2,
                       .graph = csr_from_pairs(&a, 6, 6, u, v, 3, 1, 0),
                       .xd = mat_new(&a, 6, 1),
                       .y = y};
    t.part.n[TRAIN] = 1, t.part.idx[TRAIN] = train;
    attack_spec s = spec_of("random", 0.4, ATTACK_FRESH);
    for (int k = 0; k < seeds; k++) {
        int64_t n;
        s.seed = (uint64_t)k;
        flip *f = run(&n, &t, &s, NULL, 0);
        count[f->u][f->v]++;
    }
    double chi = 0, each = seeds / 12.0;
    for (int i = 0; i < 6; i++)
        for (int j = i + 1; j < 6; j++)
            if (!edit_linked(&t.graph, i, j))
                chi += (count[i][j] - each) * (count[i][j] - each) / each;
            else
                CHECK(!count[i][j], "a link was drawn");
    CHECK(chi < 39.0, "chi-square %.1f with 11 degrees of freedom", chi);
}

/* --- blocks --- */

static int descending(const void *x, const void *y)
{
    real p = *(const real *)x, q = *(const real *)y;
    return (p < q) - (p > q);
}

static void numbering(void)
{
    int bad = 0;
    for (int n = 2; n < 40; n++) {
        int64_t k = 0;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++, k++) {
                flip f = block_pair(n, k);
                bad += f.u != i || f.v != j || block_index(n, i, j) != k;
            }
    }
    rng r = rng_make(1, 0, RNG_ATTACK);
    const int large = 2147483000;
    for (int q = 0; q < 100000; q++) {
        int64_t k = (int64_t)rng_below(r, 0, (uint64_t)q, (uint64_t)large * (uint64_t)(large - 1) / 2);
        flip f = block_pair(large, k);
        bad += f.u < 0 || f.u >= f.v || f.v >= large || block_index(large, f.u, f.v) != k;
    }
    CHECK(!bad, "%d pairs lose their number", bad);
}

static void blocks(void)
{
    rng r = rng_make(2, 0, RNG_ATTACK);
    block b = block_new(&a, 300, 5000);
    block_draw(&b, r, 0);
    int64_t bad = 0, n = b.n;
    CHECK(n == 5000, "%d of 5000 candidates", (int)n);
    real *p = NEW(&a, real, 5000), *sorted = NEW(&a, real, 5000);
    for (int64_t k = 0; k < n; k++) {
        bad += (k && b.index[k] <= b.index[k - 1]) || b.index[k] < 0 || b.index[k] >= b.all;
        b.p[k] = p[k] = sorted[k] = (real)((int)(100 * rng_uniform(r, 1, (uint64_t)k)) / 100.0); /* with ties */
    }
    CHECK(!bad, "%d candidates out of order", (int)bad);
    /* the largest, with ties by position */
    int64_t *at = NEW(&a, int64_t, 5000), m = block_largest(at, &a, p, n, 777);
    qsort(sorted, (size_t)n, sizeof *sorted, descending);
    CHECK(m == 777, "%d of 777 largest", (int)m);
    for (int64_t k = 0; k < m; k++)
        bad += p[at[k]] != sorted[k] || (k && p[at[k]] == p[at[k - 1]] && at[k] < at[k - 1]);
    CHECK(!bad, "%d of the largest are wrong", (int)bad);
    CHECK(block_largest(at, &a, p, 3, 9) == 3, "fewer than asked for");
    /* at least half is dropped, the least first */
    int64_t *before = NEW(&a, int64_t, 5000);
    memcpy(before, b.index, 5000 * sizeof *before);
    block_redraw(&b, r, 1);
    double kept = 0, half = 0;
    int64_t positive = 0;
    for (int64_t k = 0; k < b.n; k++) {
        bad += k && b.index[k] <= b.index[k - 1];
        kept += (double)b.p[k], positive += b.p[k] > 0;
    }
    for (int64_t k = 0; k < 2500; k++)
        half += (double)sorted[k];
    CHECK(b.n == 5000 && !bad && positive == 2500 && fabs(kept - half) < 1e-2, "%d candidates, %d kept with %g of %g",
          (int)b.n, (int)positive, kept, half);
    /* all pairs of a small graph stay */
    block all = block_new(&a, 20, 5000);
    block_draw(&all, r, 0);
    all.p[3] = 1;
    block_redraw(&all, r, 1);
    CHECK(all.n == 190 && all.index[189] == 189 && all.p[3] == 1, "%d of 190 pairs", (int)all.n);
    /* projection: the sum, and a common shift */
    block_project(p, n, 100);
    double sum = 0;
    for (int64_t k = 0; k < n; k++)
        sum += (double)p[k];
    CHECK_NEAR(sum, 100, 0.02);
    real few[] = {(real)0.5, 3, -1, (real)0.25};
    block_project(few, 4, 100);
    CHECK(few[0] == (real)0.5 && few[1] == 1 && few[2] == 0 && few[3] == (real)0.25, "values are clamped to 0 .. 1");
    real tight[] = {1, (real)0.75, (real)0.25};
    block_project(tight, 3, 1); /* shift 0.375 */
    CHECK_NEAR(tight[0], 0.625, 1e-5);
    CHECK_NEAR(tight[1], 0.375, 1e-5);
    CHECK_NEAR(tight[2], 0, 1e-5);
}

/* On a graph that a GCN knows well they harm it more than chance does. */
static void harm(void)
{
    attack_target t = target(300, 30, 3, 0);
    feature_matrix x = features_of(&a, &t);
    relaxed f = relaxed_new(&a, &t, &x, 5);
    static const char *const method[] = {"random", "dice", "grbcd", "prbcd"};
    double left[4];
    for (int k = 0; k < 4; k++) {
        attack_spec s = spec_of(method[k], 0.1, ATTACK_FRESH);
        int64_t n;
        flip *q = run(&n, &t, &s, NULL, 0);
        check_list(&t, &s, q, n);
        csr after = attack_apply(&a, &t.graph, q, n), ahat = csr_adjacency(&a, &after, ADJ_GCN);
        relaxed_loss(&f, &ahat);
        left[k] = f.accuracy;
        printf("%-8s leaves %.3f right\n", method[k], f.accuracy);
    }
    CHECK(left[2] < left[1] - 0.03 && left[3] < left[1] - 0.03 && left[3] < left[0] - 0.05,
          "they do not harm more than chance");
}

/* --- mistakes --- */

typedef struct attempt {
    const attack_target *t;
    attack_spec s;
    const char *text;
    const flip *known;
    int64_t nknown, n;
} attempt;

static void try_run(void *arg)
{
    attempt *q = arg;
    run(&q->n, q->t, &q->s, q->known, q->nknown);
}

static void try_parse(void *arg)
{
    attempt *q = arg;
    q->s = attack_parse(q->text);
}

static void expect(void (*fn)(void *), attempt *q, const char *part)
{
    const char *why = err_try(fn, q);
    CHECK(why && strstr(why, part), "'%s' where '%s' was expected", why ? why : "(no error)", part);
}

static void mistakes(void)
{
    attack_target t = target(60, 12, 3, 0);
    attempt q = {.t = &t, .s = spec_of("random", 0, ATTACK_FRESH)};
    expect(try_run, &q, "positive");
    q.s.rate = -1, expect(try_run, &q, "positive");
    q.s.rate = NAN, expect(try_run, &q, "positive");
    q.s.rate = 1e-9, expect(try_run, &q, "not one flip");
    q.s.rate = 1e9, expect(try_run, &q, "at most");
    q.s = spec_of("dice", 30, ATTACK_FRESH), expect(try_run, &q, "at most");
    q.s = spec_of("metaself", INFINITY, ATTACK_FRESH), expect(try_run, &q, "at most");
    flip wrong[] = {{0, 1}, {2, 3}};
    static const char *const again[] = {"random", "dice", "prbcd"};
    for (int k = 0; k < 3; k++) {
        q = (attempt){&t, spec_of(again[k], 0.1, ATTACK_FRESH), "", wrong, 2, 0};
        expect(try_run, &q, "not the one that was found before");
    }
    q.s.rate = 1 / (double)(csr_nnz(&t.graph) / 2), expect(try_run, &q, "more than the 1 of");
    attack_target untested = t;
    untested.part.n[TEST] = 0;
    q = (attempt){.t = &untested, .s = spec_of("prbcd", 0.1, ATTACK_FRESH)};
    expect(try_run, &q, "test nodes");
    attack_target learnt = t;
    learnt.part.n[TRAIN] = t.nodes;
    q = (attempt){.t = &learnt, .s = spec_of("metaself", 0.1, ATTACK_FRESH)};
    expect(try_run, &q, "nodes that do not train");
    static const char *const text[] = {
        "", "metaself", "metaself:", "metaself:x", "metaself:0.1:", "metaself:0.1:2:3", "metaself:0.1 ", "x:0.1"};
    for (int k = 0; k < 8; k++) {
        q.text = text[k];
        expect(try_parse, &q, k == 7 ? "unknown attack" : "expected METHOD:RATE");
    }
    q.text = "prbcd:0.25:77";
    CHECK(!err_try(try_parse, &q) && q.s.seed == 77 && q.s.rate == 0.25 && !strcmp(q.s.method->name, "prbcd"),
          "a description is misread");
    q.text = "random:0.4";
    CHECK(!err_try(try_parse, &q) && q.s.seed == 1, "the seed of a description without one");
    /* memory runs short anywhere */
    for (const attack_method *m = attack_methods; m->name; m++)
        for (long k = 1; k < 400; k += 1 + k / 3) {
            q = (attempt){.t = &t, .s = spec_of(m->name, 0.02, ATTACK_FRESH)};
            arena_fail_at = k;
            const char *why = err_try(try_run, &q);
            CHECK(!why || strstr(why, "out of memory"), "%s", why);
            arena_fail_at = 0;
        }
}

/* Graphs at the edge: two nodes; all links there are; a class without other nodes to test. */
static void edges(void)
{
    int u[] = {0, 0, 1}, v[] = {1, 2, 2}, y[] = {0, 1, 0}, train[] = {0, 1}, test[] = {2};
    attack_target t = {.nodes = 3, .features = 2, .classes = 2, .xd = mat_new(&a, 3, 2), .y = y};
    for (int i = 0; i < 6; i++)
        t.xd.v[i] = (real)(i % 4);
    t.part.n[TRAIN] = 2, t.part.idx[TRAIN] = train, t.part.n[TEST] = 1, t.part.idx[TEST] = test;
    t.graph = csr_from_pairs(&a, 3, 3, u, v, 3, 1, 0); /* a triangle: one removal, then none */
    attempt q = {.t = &t, .s = spec_of("metaself", 0.34, ATTACK_FRESH)};
    CHECK(!err_try(try_run, &q) && q.n == 1, "a triangle has a link to remove");
    q.s.rate = 1;
    expect(try_run, &q, "no pair is left");
    q.s = spec_of("random", 0.34, ATTACK_FRESH), expect(try_run, &q, "at most 0");
    q.s = spec_of("dice", 0.34, ATTACK_FRESH);
    CHECK(!err_try(try_run, &q) && q.n == 1, "dice on a triangle");
    q.s = spec_of("grbcd", 0.7, ATTACK_FRESH);
    CHECK(!err_try(try_run, &q) && q.n == 2, "grbcd on a triangle");
}

int main(void)
{
#ifdef JCB_DOUBLE
    relaxed_differences();
    differences("metaself", 30, 0);
    differences("metaself", 8, 0);
    differences("metatrain", 30, 1);
    differences("metaboth", 8, 1);
#endif
    numbering();
    blocks();
    chance();
    uniform();
    mistakes();
    edges();
    harm();
    incremental();
    all_threads();
    tiles();
    ties();
    double tolerance = sizeof(real) == 8 ? 1e-10 : 1e-4;
    int flips = 24;
    for (int k = 0; k < 4; k++) {
        twin(meta_methods[k], ATTACK_FRESH, 60, 30, 0, flips, tolerance);
        twin(meta_methods[k], ATTACK_FIXED, 50, 8, 1, flips, tolerance);
    }
    arena_free(&a);
    return test_end();
}
