/* Trends of made-up gains: slopes against the closed form, one slope a run, what decides, which groups count. E-values: anytime_t, which test_anytime
 * checks, of slopes computed by hand. */
#include "../src/stats/anytime.h"
#include "../src/paper/definitions.h"
#include "test.h"

enum { RATES = 3, GROUPS = 2, MOST = 30 };

static const table_def def = {.label = "test", .experiment = "test", .rows = "dataset,ptb", .cols = "model,loss", .extra = "", .contrast = {{"loss=jc", "loss=ce"}}, .trend = "ptb"};

typedef struct fixture {
    arena a;
    paper_cell paper[GROUPS * RATES];
    cell cell[GROUPS * RATES];
    contrast contrast[GROUPS * RATES];
    double x[GROUPS * RATES][MOST];
    table t;
} fixture;

/* Rates 5, 15, 25; the paper's gains are 1, 2, 4. */
static void set_up(fixture *f)
{
    static const char *const setting[RATES] = {"ptb=5", "ptb=15", "ptb=25"};
    memset(f, 0, sizeof *f);
    for (int i = 0; i < GROUPS * RATES; i++) {
        f->paper[i] = (paper_cell){i < RATES ? "cora-lcc" : "citeseer-lcc", "gcn", "jc", setting[i % RATES], "acc", "-", "-", "-", NAN, NAN, 0};
        f->cell[i] = (cell){.paper = &f->paper[i], .metric = table_metric("acc"), .origin = "real"};
        f->contrast[i] = (contrast){.a = &f->cell[i], .b = &f->cell[i], .def = &def.contrast[0], .origin = "real", .x = f->x[i],
                                    .paper = i % RATES == 2 ? 4 : i % RATES + 1};
    }
    f->t = (table){.def = &def, .contrast = f->contrast, .contrasts = GROUPS * RATES};
}

/* Run `run` of a group: gains that rise by `slope` per ten points, with a bump in the middle that no slope sees. */
static void add(fixture *f, int group, int run, double slope)
{
    for (int j = 0; j < RATES; j++) {
        contrast *c = &f->contrast[group * RATES + j];
        c->x[run] = 7 + slope * j + (j == 1 ? 3 : 0);
        c->n = run + 1;
    }
}

static void slopes(void)
{
    static const double s[] = {1.5, 1.1, 1.9, 1.3, 1.6, 1.4, 1.7, 1.2};
    fixture f;
    int n;
    set_up(&f);
    trend *t = trends_make(&f.a, &f.t, &n);
    CHECK(n == 3 && t[0].verdict == CLAIM_NOT_RUN && t[1].verdict == CLAIM_NOT_RUN && t[1].n == 0, "nothing run");
    CHECK_NEAR(t[1].paper, 1.5, 1e-12); /* (4 - 1) / 20 * 10 */
    for (int run = 0; run < 8; run++)
        add(&f, 0, run, s[run]);
    t = trends_make(&f.a, &f.t, &n);
    double log_e[8], most = 1, e[GROUPS], both[GROUPS] = {1, 1};
    anytime_t(log_e, s, 8);
    for (int k = 0; k < 8; k++)
        most = fmax(most, exp(log_e[k]));
    for (int k = 0; k < 8; k++)
        CHECK_NEAR(t[1].x[k], s[k], 1e-12);
    CHECK_NEAR(t[1].mean, 1.4625, 1e-12);
    both[0] = most;
    anytime_holm(e, both, GROUPS);
    CHECK_NEAR(t[1].e / e[0], 1, 1e-9);
    CHECK_NEAR(t[0].e / most, 1, 1e-9);
    CHECK(t[1].verdict == CONFIRMED && t[0].verdict == CONFIRMED && t[2].verdict == CLAIM_NOT_RUN, "a clear trend");
    CHECK(t[0].n == 8 && strstr(t[0].where, "1 of 2"), "%s", t[0].where);
    stats_interval i = anytime_interval(s, 8, ANYTIME_ALPHA);
    CHECK(t[1].lo == i.lo && t[1].hi == i.hi, "confidence sequence");
    for (int run = 0; run < 5; run++)
        add(&f, 1, run, -s[run]);
    t = trends_make(&f.a, &f.t, &n);
    CHECK(t[0].n == 5 && strstr(t[0].where, "2 of 2") && t[0].verdict == OPEN, "as many runs as the shortest has");
    CHECK_NEAR(t[0].mean, 0, 1e-12);
    for (int run = 5; run < 8; run++)
        add(&f, 1, run, -s[run]);
    t = trends_make(&f.a, &f.t, &n);
    CHECK(t[2].verdict == CONTRADICTED, "gains that fall");
    f.contrast[4].n = 0; /* a rate without runs: no slope */
    t = trends_make(&f.a, &f.t, &n);
    CHECK(t[2].verdict == CLAIM_NOT_RUN && strstr(t[0].where, "1 of 2"), "a rate without runs");
    f.t.def = &(table_def){.label = "test", .extra = ""};
    CHECK(!trends_make(&f.a, &f.t, &n) && !n, "a table without a trend");
    arena_free(&f.a);
}

int main(void)
{
    definitions_read(test_path("paper_tables"));
    slopes();
    return test_end();
}
