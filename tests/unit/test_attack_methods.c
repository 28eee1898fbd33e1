/* DICE, random, PR-BCD and GR-BCD: budgets, which pairs they may flip, projections and blocks against plain reference
 * versions, loss of accuracy; errors and short memory for every attack. */
#include "../../src/attack/block.h"
#include "../../src/data/variant/edit.h"
#include "../../src/attack/relaxed.h"
#include "../../src/base/err.h"
#include "attack_toy.h"

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

/* They reduce the accuracy of a GCN more than random flips do. */
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
        expect(try_run, &q, "differs from the known one");
    }
    q.s.rate = 1 / (double)(csr_nnz(&t.graph) / 2), expect(try_run, &q, "more than the 1 of");
    attack_target untested = t;
    untested.part.n[TEST] = 0;
    q = (attempt){.t = &untested, .s = spec_of("prbcd", 0.1, ATTACK_FRESH)};
    expect(try_run, &q, "test nodes");
    attack_target learnt = t;
    learnt.part.n[TRAIN] = t.nodes;
    q = (attempt){.t = &learnt, .s = spec_of("metaself", 0.1, ATTACK_FRESH)};
    expect(try_run, &q, "nodes outside the training set");
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
    q.text = "metaself:0.2:3:fixed:row";
    CHECK(!err_try(try_parse, &q) && q.s.seed == 3 && q.s.init == ATTACK_FIXED && q.s.norm == ATTACK_NORM_ROW,
          "options");
    q.text = "metaself:0.2:fixed";
    CHECK(!err_try(try_parse, &q) && q.s.seed == 1 && q.s.init == ATTACK_FIXED && q.s.norm == ATTACK_NORM_VICTIM,
          "an option");
    static const char *const option[] = {"metaself:0.2:fixed:fixed", "metaself:0.2:none:row", "metaself:0.2:1:warm",
                                         "metaself:0.2:1::"};
    for (int k = 0; k < 4; k++)
        q.text = option[k], expect(try_parse, &q, "expected METHOD:RATE");
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

/* Extreme graphs: two nodes; a complete graph; no nodes to attack. */
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

TEST_MAIN(test_attack_methods)
{
    numbering();
    blocks();
    chance();
    uniform();
    mistakes();
    edges();
    harm();
    forget();
    return test_end();
}
