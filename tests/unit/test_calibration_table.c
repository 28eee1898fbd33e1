/* Calibration as ordinary tables (paper_tables/calibration_*.tsv): cells, verdicts with a family for each score, and
 * records from before temperatures were measured. */
#include "../../src/result/definitions.h"
#include "../../src/run/record.h"
#include "../../src/run/run_record.h"
#include "test.h"
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const columns[] = {
    "key",   "experiment", "dataset",     "model",    "loss",       "setting",    "run",     "seed", "ece",   "nll",
    "brier", "origin",     "temperature", "ece_mass", "ece_scaled", "nll_scaled", "ece_tau", "spec", "status"};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* One file of records. value: ECE as predicted, scaled and at tau in percent, each + run % 3 / 100; NaN: an empty
 * cell. */
static void add(record_file *f, const char *data, const char *loss, const char *origin, int run, const double value[3])
{
    static int keys;
    char text[COLUMNS][24];
    const char *v[COLUMNS];
    double noise = run % 3 * 1e-2, ece[3];
    for (int w = 0; w < 3; w++)
        ece[w] = (value[w] + noise) / 100;
    snprintf(text[0], 24, "%016x", ++keys);
    const char *words[] = {text[0], "ece", data, "gcn", loss, "-"};
    memcpy(v, words, sizeof words);
    snprintf(text[6], 24, "%d", run);
    double number[COLUMNS] = {
        [7] = 1,       [8] = ece[0],  [9] = ece[0],  [10] = .1,     [12] = isnan(ece[1]) ? NAN : .5,
        [13] = ece[0], [14] = ece[1], [15] = ece[1], [16] = ece[2], [17] = isnan(ece[2]) ? NAN : 1.5};
    for (int k = 7; k < COLUMNS - 1; k++)
        snprintf(text[k], 24, "%.9g", number[k]);
    for (int k = 6; k < COLUMNS - 1; k++)
        v[k] = k > 6 && isnan(number[k]) ? "" : text[k];
    char tau[32];
    snprintf(tau, sizeof tau, "tau=%s", text[17]);
    v[17] = *v[17] ? tau : "";
    v[11] = origin;
    v[COLUMNS - 1] = "ok";
    record_append(f, v);
}

/* The table of a score from the records in dir. */
static const table *table_of(arena *a, const char *dir, const char *score)
{
    const tables *all = tables_read(a, arena_printf(a, "%s/records", dir), test_path("paper_tables"));
    for (int i = 0; i < all->n; i++)
        if (!strcmp(all->t[i].def->label, arena_printf(a, "calibration_%s", score)))
            return &all->t[i];
    CHECK(0, "no table of %s", score);
    exit(1);
}

static const char *written(arena *a, void (*rows)(record_file *f))
{
    char *dir = arena_printf(a, "/tmp/jcb_calibration_XXXXXX");
    CHECK(mkdtemp(dir) != NULL, "no directory");
    record_file *f = record_open(a, arena_printf(a, "%s/records/ece.tsv", dir), columns, COLUMNS);
    rows(f);
    record_close(f);
    return dir;
}

/* The mean of a cell. */
static double mean_of(const table *t, const char *data, const char *loss, const char *metric)
{
    for (int i = 0; i < t->paper.n; i++) {
        const paper_cell *p = t->cell[i].paper;
        if (!strcmp(p->dataset, data) && !strcmp(p->loss, loss) && !strcmp(p->metric, metric))
            return t->cell[i].mean;
    }
    CHECK(0, "no cell %s %s %s", data, loss, metric);
    return NAN;
}

/* JC < CE, JC by this metric. */
static const contrast *below(const table *t, const char *data, const char *metric)
{
    for (int i = 0; i < t->contrasts; i++)
        if (!strcmp(t->contrast[i].a->paper->dataset, data) && !strcmp(t->contrast[i].a->paper->metric, metric))
            return &t->contrast[i];
    CHECK(0, "no ordering %s %s", data, metric);
    exit(1);
}

/* Cora: JC lower in all ways. PubMed: JC lower as predicted, higher scaled. CiteSeer: JC higher, equal scaled. DBLP: a
 * twin. */
static void mixed(record_file *f)
{
    for (int run = 0; run < 12; run++) {
        double up = run % 2 * .02;
        add(f, "cora", "ce", "real", run, (double[]){20, 9, NAN});
        add(f, "cora", "jc", "real", run, (double[]){10 + up, 4 + up, 6 + up});
        add(f, "pubmed", "ce", "real", run, (double[]){10, 2, NAN});
        add(f, "pubmed", "jc", "real", run, (double[]){7 + up, 5 + up, 17 + up});
        add(f, "citeseer", "ce", "real", run, (double[]){5, 3, NAN});
        add(f, "citeseer", "jc", "real", run, (double[]){9 + up, 3 + (run % 2 ? .2 : -.2), 5 + (run % 2 ? 4 : -4)});
        add(f, "dblp", "ce", "twin", run, (double[]){10, 2, NAN});
        add(f, "dblp", "jc", "twin", run, (double[]){1 + up, 1 + up, 1 + up});
    }
}

static void test_table(void)
{
    static const char *const data[] = {"cora", "pubmed", "citeseer"}, *const way[] = {"ece_plain", "ece_scaled",
                                                                                      "ece_tau"};
    static const enum claim_verdict want[3][3] = {
        {CONFIRMED, CONFIRMED, CONFIRMED}, {CONFIRMED, CONTRADICTED, CONTRADICTED}, {CONTRADICTED, EQUAL, OPEN}};
    arena a = {0};
    const char *dir = written(&a, mixed);
    const table *t = table_of(&a, dir, "ece");
    CHECK(t->beyond && t->contrasts == 18 && !t->def->scheduled, "%d orderings", t->contrasts);
    CHECK_NEAR(mean_of(t, "cora", "ce", "ece_plain"), 20.01, 1e-9);
    CHECK_NEAR(mean_of(t, "cora", "jc", "ece_scaled"), 4.02, 1e-9);
    CHECK_NEAR(mean_of(t, "cora", "jc", "ece_tau"), 6.02, 1e-9);
    CHECK_NEAR(mean_of(t, "cora", "jc", "temperature"), .5, 1e-9);
    CHECK_NEAR(below(t, "cora", "ece_tau")->mean, 6.01 - 20, 1e-9); /* against CE as predicted */
    for (int i = 0; i < 3; i++)
        for (int w = 0; w < 3; w++)
            CHECK(below(t, data[i], way[w])->verdict == want[i][w], "%s, %s: %s", data[i], way[w],
                  claim_verdict_word[below(t, data[i], way[w])->verdict]);
    CHECK(below(t, "ogbn-arxiv", "ece_scaled")->verdict == CLAIM_NOT_RUN, "not run");
    CHECK(below(t, "dblp", "ece_plain")->origin == ORIGIN_TWIN, "a twin");
    CHECK_NEAR(below(table_of(&a, dir, "nll"), "cora", "nll_scaled")->mean, -.0499, 1e-9);
    test_remove(dir);
    arena_free(&a);
}

/* Records of bench_ece before it measured temperatures: empty columns here, no columns in an older file. */
static void old(record_file *f)
{
    for (int run = 0; run < 12; run++) {
        add(f, "pubmed", "ce", "real", run, (double[]){10, NAN, NAN});
        add(f, "pubmed", "jc", "real", run, (double[]){7 + run % 2 * .02, NAN, NAN});
    }
}

static void test_old(void)
{
    arena a = {0};
    const char *dir = written(&a, old);
    records r = records_read(&a, arena_printf(&a, "%s/records", dir));
    const table *t = table_of(&a, dir, "ece");
    CHECK(below(t, "pubmed", "ece_plain")->verdict == CONFIRMED &&
              below(t, "pubmed", "ece_scaled")->verdict == CLAIM_NOT_RUN,
          "as predicted alone");
    /* The file has the rows; a program that needs the columns repeats the runs, another one does not. */
    const char *path = arena_printf(&a, "%s/records/ece.tsv", dir);
    record_file *f = record_open(&a, path, columns, COLUMNS);
    char key[17];
    run_key_text(key, r.v[0].key);
    CHECK(record_done(f, key), "done");
    record_need(f, "ece");
    CHECK(record_done(f, key), "it has an ECE");
    record_need(f, "temperature");
    CHECK(!record_done(f, key), "it has no temperature");
    record_need(f, "moon");
    CHECK(!record_done(f, key), "nor such a column");
    record_close(f);
    test_remove(dir);
    arena_free(&a);
}

/* A file without the columns is extended by a program that measures, keeps its rows and makes the same table as
 * before. */
static void test_extended(void)
{
    static const char *const before[] = {"key", "experiment", "dataset", "model",  "loss",  "setting",
                                         "run", "seed",       "ece",     "origin", "status"};
    arena a = {0};
    char dir[] = "/tmp/jcb_calibration_XXXXXX";
    CHECK(mkdtemp(dir) != NULL, "no directory");
    const char *path = arena_printf(&a, "%s/records/ece.tsv", dir);
    record_file *f = record_open(&a, path, before, 11);
    record_append(
        f, (const char *[]){"00000000000000aa", "ece", "pubmed", "gcn", "ce", "-", "0", "1", "0.1", "real", "ok"});
    record_append(
        f, (const char *[]){"00000000000000ab", "ece", "pubmed", "gcn", "jc", "-", "0", "1", "0.07", "real", "ok"});
    record_close(f);
    for (int k = 0; k < 2; k++) {
        CHECK_NEAR(mean_of(table_of(&a, dir, "ece"), "pubmed", "ce", "ece_plain"), 10, 1e-9);
        run_file g = run_file_open(&a, path, "ece", "", 1);
        CHECK(!record_done(g.f, "00000000000000aa"), "not done: no temperature");
        record_close(g.f);
        g = run_file_open(&a, path, "ece", "", 0);
        CHECK(record_done(g.f, "00000000000000aa"), "done");
        record_close(g.f);
    }
    test_remove(dir);
    arena_free(&a);
}

TEST_MAIN(test_calibration_table)
{
    test_table();
    test_old();
    test_extended();
    return test_end();
}
