/* Trends of synthetic gains: slopes against the closed form, one slope for each run, verdicts, which groups count.
 * E-values: anytime_t, which test_anytime checks, of slopes computed by hand. The table of poisoned graphs from records
 * and curve files that this test writes. */
#include "../../src/base/file.h"
#include "../../src/result/anytime.h"
#include "../../src/result/definitions.h"
#include "../../src/result/sections.h"
#include "test.h"
#include <stdlib.h>

enum { RATES = 3, GROUPS = 2, MOST = 30 };

static const table_def def = {.label = "test",
                              .experiment = "test",
                              .rows = "dataset,ptb",
                              .cols = "model,loss",
                              .extra = "",
                              .contrast = {{"loss=jc", "loss=ce"}},
                              .trend = "ptb"};

typedef struct fixture {
    arena a;
    paper_cell paper[GROUPS * RATES];
    table_cell cell[GROUPS * RATES];
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
        f->paper[i] = (paper_cell){i < RATES ? "cora-lcc" : "citeseer-lcc",
                                   "gcn",
                                   "jc",
                                   setting[i % RATES],
                                   "acc",
                                   "-",
                                   "-",
                                   "-",
                                   NAN,
                                   NAN,
                                   0};
        f->cell[i] = (table_cell){.paper = &f->paper[i], .metric = table_metric("acc"), .origin = ORIGIN_REAL};
        f->contrast[i] = (contrast){.a = &f->cell[i],
                                    .b = &f->cell[i],
                                    .def = &def.contrast[0],
                                    .origin = ORIGIN_REAL,
                                    .x = f->x[i],
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
    double log_e[8], max = 1, e[GROUPS], both[GROUPS] = {1, 1};
    anytime_t(log_e, s, 8);
    for (int k = 0; k < 8; k++)
        max = fmax(max, exp(log_e[k]));
    for (int k = 0; k < 8; k++)
        CHECK_NEAR(t[1].x[k], s[k], 1e-12);
    CHECK_NEAR(t[1].mean, 1.4625, 1e-12);
    both[0] = max;
    anytime_holm(e, both, GROUPS);
    CHECK_NEAR(t[1].e / e[0], 1, 1e-9);
    CHECK_NEAR(t[0].e / max, 1, 1e-9);
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

static void put_record(record_file *out, const char *loss, const char *setting, int run, const char *acc)
{
    static int keys;
    char key[17], number[16];
    snprintf(key, sizeof key, "%016x", ++keys);
    snprintf(number, sizeof number, "%d", run);
    record_append(
        out, (const char *[]){key, "metattack", "cora-lcc", "gcn", loss, setting, number, "1", acc, "real", "0", "ok"});
}

/* Two graphs; the fingerprint of the first run is missing, that of the second graph is damaged. */
static void graphs(void)
{
    static const char *const columns[] = {"key", "experiment", "dataset",  "model",  "loss",       "setting",
                                          "run", "seed",       "test_acc", "origin", "param_hash", "status"};
    static const char good[] =
        "added\tdeleted\tadded_homophily\tadded_touch_training\ttest_acc\n250\t3\t0.1600\t0.9960\t0.5\n",
                      bad[] = "added\n1\n";
    char dir[] = "/tmp/jcb_trends_XXXXXX";
    arena a = {0};
    int n;
    CHECK(mkdtemp(dir) != NULL, "no directory");
    record_file *out = record_open(&a, arena_printf(&a, "%s/records/metattack.tsv", dir), columns, 12);
    put_record(out, "ce", "ptb=5,graph=metaself", 0, "0.70");
    put_record(out, "ce", "ptb=5,graph=metaself", 1, "0.72");
    put_record(out, "jc", "ptb=5,graph=metaself", 0, "0.75");
    put_record(out, "ce", "ptb=5,graph=published", 0, "0.76");
    record_close(out);
    file_write(arena_printf(&a, "%s/curves/metattack/%016x.tsv", dir, 2), good, sizeof good - 1);
    file_write(arena_printf(&a, "%s/curves/metattack/%016x.tsv", dir, 4), bad, sizeof bad - 1);
    records r = records_read(&a, arena_printf(&a, "%s/records", dir));
    const metattack_graph *g = metattack_read(&a, &r, arena_printf(&a, "%s/curves", dir), &n);
    CHECK(n == 2 && !strcmp(g[0].graph, "published") && !strcmp(g[1].graph, "metaself"), "%d graphs", n);
    CHECK(isnan(g[0].added) && g[1].added == 250 && g[1].deleted == 3, "fingerprints");
    buf md = {.a = &a}, tab = {.a = &a};
    doc d = {.a = &a};
    section_metattack(&d, g, n);
    doc_md(&md, &d);
    CHECK(strstr(md.s, "| 5 | metaself | 250 | 3 | 16.0 % | 99.6 % | 71.0 (2) | 75.0 (1) | – | – | – | – |"), "%s",
          md.s);
    CHECK(strstr(md.s, "| 5 | published | – | – | – | – | 76.0 (1) | – |"), "%s", md.s);
    metattack_tsv(&tab, g, n);
    CHECK(strstr(tab.s, "cora-lcc\t5\tmetaself\treal\t250\t3\t0.16\t0.996\t71\t2\t75\t1\tnan"), "%s", tab.s);
    CHECK(!system(arena_printf(&a, "rm -r %s", dir)), "cannot clean up");
    arena_free(&a);
}

TEST_MAIN(test_trends)
{
    definitions_read(test_path("paper_tables"));
    slopes();
    graphs();
    return test_end();
}
