/* Orderings from cells that this test makes: which runs pair, what decides, and when. Values of E and of the intervals:
 * an independent computation (bisection of the e-process, numpy). */
#include "../../src/result/definitions.h"
#include "../../src/run/record.h"
#include "test.h"

enum { MOST = 40, CLAIMS = 3 };

static const table_def def = {.label = "test",
                              .experiment = "test",
                              .rows = "model,loss",
                              .cols = "dataset",
                              .extra = "",
                              .contrast = {{"loss=jc", "loss=ce"}}};
static const char *const dataset[CLAIMS] = {"cora", "citeseer", "wisconsin"};

/* Three data sets with JC > CE by 1 in the paper; cells 2 k and 2 k + 1 are JC and CE of data set k. */
typedef struct fixture {
    arena a;
    paper_cell paper[2 * CLAIMS];
    table_cell cell[2 * CLAIMS];
    double value[2 * CLAIMS][MOST];
    const record *run[2 * CLAIMS][MOST];
    record row[2 * CLAIMS][MOST];
} fixture;

static void set_up(fixture *f)
{
    memset(f, 0, sizeof *f);
    for (int i = 0; i < 2 * CLAIMS; i++) {
        f->paper[i] = (paper_cell){dataset[i / 2],
                                   "gcn",
                                   i % 2 ? "ce" : "jc",
                                   "-",
                                   "acc",
                                   i % 2 ? "80.00" : "81.00",
                                   "-",
                                   "-",
                                   i % 2 ? 80 : 81,
                                   NAN,
                                   0};
        f->cell[i] = (table_cell){.paper = &f->paper[i],
                                  .metric = table_metric("acc"),
                                  .digits = 2,
                                  .value = f->value[i],
                                  .run = f->run[i],
                                  .origin = ORIGIN_REAL};
    }
}

/* A run of both sides of ordering k with the difference x. */
static void add(fixture *f, int k, int run, int seed, double x)
{
    for (int i = 2 * k; i < 2 * k + 2; i++) {
        table_cell *c = &f->cell[i];
        f->row[i][c->n] = (record){.run = run, .seed = seed, .ok = 1, .s = spec_default()};
        f->run[i][c->n] = &f->row[i][c->n];
        f->value[i][c->n++] = 80 + (i % 2 ? 0 : x);
    }
}

static void add_all(fixture *f, int k, int n, const double *x)
{
    for (int i = 0; i < n; i++)
        add(f, k, i, 0, x[i]);
}

static contrast *contrasts(fixture *f)
{
    int n;
    contrast *c = contrasts_make(&f->a, &def, f->cell, 2 * CLAIMS, NULL, &n);
    CHECK(n == CLAIMS, "%d orderings", n);
    return c;
}

static void test_prefix(void)
{
    fixture f;
    set_up(&f);
    const int present[] = {0, 1, 2, 4, 5}; /* run 3 is missing */
    for (int i = 0; i < 5; i++)
        add(&f, 0, present[i], 7, i);
    for (int i = 0; i < 4; i++) { /* two seeds for each run: the lower one counts */
        add(&f, 1, i, 3, 1 + i);
        add(&f, 1, i, 9, 100);
    }
    for (int i = 1; i < 5; i++) /* run 0 is missing */
        add(&f, 2, i, 0, 1);
    contrast *c = contrasts(&f);
    CHECK(c[0].n == 3 && c[0].left_out == 2 && c[0].mean == 1, "n %d, %d left out, mean %g", c[0].n, c[0].left_out,
          c[0].mean);
    CHECK(c[1].n == 4 && c[1].left_out == 4 && c[1].x[3] == 4, "n %d, %d left out", c[1].n, c[1].left_out);
    CHECK(c[2].n == 0 && c[2].left_out == 4 && c[2].verdict == CLAIM_NOT_RUN, "n %d, %d left out", c[2].n,
          c[2].left_out);
    contrast_text v = render_contrast(&f.a, &c[0]);
    CHECK(!strcmp(v.n, "3 (2 left out)"), "%s", v.n);
    f.cell[1].n = 2; /* CE has run 0 and 1 only, JC more: two pairs, and nothing was left out */
    c = contrasts(&f);
    CHECK(c[0].n == 2 && c[0].left_out == 0, "n %d, %d left out", c[0].n, c[0].left_out);
    f.cell[0].origin = ORIGIN_TWIN;
    CHECK(contrasts(&f)[0].n == 0, "real data and a twin do not pair");
    arena_free(&f.a);
}

static void test_splits(void)
{
    fixture f;
    set_up(&f);
    for (int i = 0; i < 12; i++) {
        add(&f, 0, i, 0, i % 3);
        add(&f, 2, i, 0, i % 3);
    }
    contrast *c = contrasts(&f);
    CHECK(c[0].n == 12 && isnan(c[0].se_splits), "splits that are drawn, or fixed: n %d", c[0].n);
    CHECK(c[2].n == 10 && c[2].left_out == 2, "ten published splits: n %d, %d left out", c[2].n, c[2].left_out);
    CHECK_NEAR(c[2].se_splits / (c[2].sd / sqrt(10)), 2.27, 0.005);
    for (int i = 4; i < 6; i++)
        f.row[i][0].s.split = split_rule_read("fraction:0.48:0.32");
    c = contrasts(&f);
    CHECK(c[2].n == 12 && isnan(c[2].se_splits), "drawn anew: n %d", c[2].n);
    arena_free(&f.a);
}

static void test_verdicts(void)
{
    const double small[] = {.3, .1, -.2, .4, .2, .0, .1, .3}; /* [-.177, .477] */
    const double ahead[] = {1.0, 1.1, .9, 1.05, .95, 1.0, 1.1, .9, -3, -4, -3.5, 5, -6};
    fixture f;
    set_up(&f);
    add_all(&f, 0, 8, small);
    add_all(&f, 1, 8, ahead);
    add_all(&f, 2, 5, small);
    contrast *c = contrasts(&f);
    CHECK_NEAR(c[0].lo, -0.1767457523, 1e-9);
    CHECK_NEAR(c[0].hi, 0.4767457523, 1e-9);
    CHECK_NEAR(exp(c[0].log_e[7]), 2.183528473446, 1e-9);
    CHECK(c[0].verdict == EQUAL && isnan(c[0].more), "%s", claim_verdict_word[c[0].verdict]);
    CHECK_NEAR(exp(c[1].log_e[7]), 255.83242203, 1e-6);
    CHECK(c[1].verdict == CONFIRMED && c[1].sign == 1, "%s", claim_verdict_word[c[1].verdict]);
    CHECK(c[2].verdict == OPEN && c[2].lo == -INFINITY && c[2].more > 0, "%s, %g more",
          claim_verdict_word[c[2].verdict], c[2].more);
    f.paper[2].value = 79; /* the paper says JC < CE */
    CHECK(contrasts(&f)[1].verdict == CONTRADICTED, "the other sign");
    f.paper[2].value = 81;
    for (int i = 8; i < 13; i++) /* E falls to .38, but it had decided */
        add(&f, 1, i, 0, ahead[i]);
    c = contrasts(&f);
    CHECK(c[1].verdict == CONFIRMED && c[1].sign == 1 && c[1].mean < 0, "a verdict is taken back: %s",
          claim_verdict_word[c[1].verdict]);
    CHECK(c[1].once.p_t > 0.05, "for one look: %g", c[1].once.p_t);
    arena_free(&f.a);
}

static void test_margin_and_runs(void)
{
    fixture f;
    set_up(&f);
    for (int i = 0; i < 12; i++)
        add(&f, 0, i, 0, .2 + .01 * (i % 3)); /* a sure gain, smaller than the margin */
    for (int i = 0; i < 10; i++)
        add(&f, 1, i, 0, i % 2 ? 2 : -1); /* +.5 with sd 1.58 */
    add(&f, 2, 0, 0, 1);
    contrast *c = contrasts(&f);
    CHECK(c[0].verdict == CONFIRMED && contrasts_equal(&c[0]), "%s", claim_verdict_word[c[0].verdict]);
    contrast_text v = render_contrast(&f.a, &c[0]);
    CHECK(!strcmp(v.verdict, "confirmed, within ±0.5") && !strcmp(v.more, "–"), "%s, %s", v.verdict, v.more);
    double d = .5 / c[1].sd * 5 / 6,
           goal = 2 * 20 - 1; /* the other open ordering has E = 1, the decided one does not count */
    double want = ceil((log(goal) - c[1].log_e[9]) / (.5 * log(1 + d * d)));
    CHECK(c[1].verdict == OPEN && c[1].more == want, "%g more, want %g", c[1].more, want);
    v = render_contrast(&f.a, &c[2]);
    CHECK(!strcmp(v.more, "6 or more") && !strcmp(v.ours, "+1.00 [-∞, +∞]"), "%s; %s", v.more, v.ours);
    arena_free(&f.a);
}

/* A decision is kept for the pairs on which it was made, and only for these. */
static void test_kept(void)
{
    const double ahead[] = {1.0, 1.1, .9, 1.05, .95, 1.0, 1.1, .9, -3, -4, -3.5, 5, -6};
    char dir[] = "/tmp/test_contrastsXXXXXX";
    fixture f;
    int n;
    set_up(&f);
    add_all(&f, 1, 8, ahead);
    contrast *c = contrasts(&f);
    CHECK(c[1].verdict == CONFIRMED && !c[1].decided, "%s", claim_verdict_word[c[1].verdict]);
    CHECK(mkdtemp(dir) && !decisions_read(&f.a, dir), "%s", dir);
    record_file *log = decisions_open(&f.a, dir);
    decisions *kept = decisions_read(&f.a, dir);
    CHECK(kept && kept->rows.rows == 0, "an empty file");
    for (int i = 8; i < 13; i++)
        add(&f, 1, i, 0, ahead[i]);
    c = contrasts_make(&f.a, &def, f.cell, 2 * CLAIMS, kept, &n);
    CHECK(c[1].verdict == OPEN, "one look at all runs: %s", claim_verdict_word[c[1].verdict]);
    f.cell[2].n = f.cell[3].n = 8;
    c = contrasts(&f);
    decisions_keep(log, def.label, &c[1]);
    record_close(log);
    kept = decisions_read(&f.a, dir);
    f.cell[2].n = f.cell[3].n = 13;
    c = contrasts_make(&f.a, &def, f.cell, 2 * CLAIMS, kept, &n);
    CHECK(c[1].verdict == CONFIRMED && c[1].decided == 8 && c[1].sign == 1 && c[1].e_holm > 20, "%s at %d",
          claim_verdict_word[c[1].verdict], c[1].decided);
    CHECK(!c[0].decided && !c[2].decided, "others");
    f.cell[2].n = f.cell[3].n = 7;
    CHECK(!contrasts_make(&f.a, &def, f.cell, 2 * CLAIMS, kept, &n)[1].decided, "fewer runs than it was decided on");
    f.cell[2].n = f.cell[3].n = 13;
    f.value[2][4] += .01;
    CHECK(!contrasts_make(&f.a, &def, f.cell, 2 * CLAIMS, kept, &n)[1].decided, "another run among the first eight");
    test_remove(dir);
    arena_free(&f.a);
}

/* Counts that never vary are decided by their sign; accuracies that never vary by their e-value, like any other. */
static void test_fixed(void)
{
    fixture f;
    set_up(&f);
    for (int i = 0; i < 4; i++)
        add(&f, 0, i, 0, 7);
    CHECK(contrasts(&f)[0].verdict == OPEN, "four equal accuracies");
    f.cell[0].metric = f.cell[1].metric = table_metric("within_links");
    CHECK(contrasts(&f)[0].verdict == CONFIRMED, "links");
    for (int i = 0; i < 4; i++)
        f.value[0][i] = 80;
    CHECK(contrasts(&f)[0].verdict == OPEN, "the same links");
    arena_free(&f.a);
}

TEST_MAIN(test_contrasts)
{
    definitions_read(test_path("paper_tables"));
    test_prefix();
    test_splits();
    test_verdicts();
    test_margin_and_runs();
    test_fixed();
    test_kept();
    return test_end();
}
