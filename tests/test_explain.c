/* The table of bench_explain: rows, places, pooled gains, verdicts and text from records that this test writes. */
#include "../src/paper/explain.h"
#include "../src/paper/definitions.h"
#include "../src/stats/anytime.h"
#include "test.h"
#include <unistd.h>

static record_file *out;

static void row(const char *dataset, const char *model, const char *loss, const char *setting, int run, double acc,
                const char *origin, const char *status)
{
    static int keys;
    char key[17], number[16], value[32];
    snprintf(key, sizeof key, "%016x", ++keys);
    snprintf(number, sizeof number, "%d", run);
    snprintf(value, sizeof value, "%.6f", acc / 100);
    record_append(
        out, (const char *[]){key, "explain", dataset, model, loss, setting, number, "1", value, origin, "0", status});
}

static explain read_back(arena *a, const char *dir)
{
    records r = records_read(a, arena_printf(a, "%s/records", dir));
    return explain_read(a, &r);
}

/* Twelve runs of every row that is asked for, at two places and on a twin that does not count. */
static void write_records(arena *a, const char *dir)
{
    static const char *const columns[] = {"key", "experiment", "dataset",  "model",  "loss",       "setting",
                                          "run", "seed",       "test_acc", "origin", "param_hash", "status"};
    out = record_open(a, arena_printf(a, "%s/records/explain.tsv", dir), columns, 12);
    for (int r = 0; r < 12; r++) {
        double noise = 0.1 * (r % 3), wide = r % 2 ? 4 : -4;
        row("cora", "gcn", "ce", "row=ce", r, 80 + r, "real", "ok");
        row("cora", "gcn", "ce", "row=ce-tuned", r, 81 + r + noise, "real", "ok");
        row("cora", "gcn", "jc", "row=jc", r, 83 + r + noise, "real", "ok");
        row("cora", "gcn", "jc", "row=jc-tuned", r, 83 + r - noise, "real", "ok");
        row("cora", "gcn", "jcf", "row=jcf", r, 82.9 + r, "real", "ok");
        row("cora", "gcn", "jc", "row=jc-metis:1", r, 81 + r, "real", "ok");
        row("cora", "gcn", "jc", "row=jc-metis:2", r, 82 + r + 2 * noise, "real", "ok");
        row("cora", "gcn", "jc", "row=jc-random", r, 80 + r + wide, "real", "ok");
        row("cora", "gcn", "smooth", "row=smooth", r, 79 + r - noise, "real", "ok");
        row("cora", "gcn", "ce", "row=ce-tau", r, 80 + r + (r % 2 ? 0.1 : -0.1), "real", "ok");
        row("cora", "gcn", "ce", "row=ce-other", r, 90, "real", "ok"); /* no such row */
        row("pubmed", "mlp", "ce", "row=ce", r, 70, "real", "ok");
        row("pubmed", "mlp", "jc", "row=jc", r, 71 - noise, "real",
            r == 7 ? "failed:loss is not finite" : "ok"); /* ends the comparison */
        row("pubmed", "mlp", "ce", "row=ce-tuned", r, 72, "real", "ok");
        row("dblp", "mlp", "ce", "row=ce", r, 50, "twin", "ok");
        row("dblp", "mlp", "jc", "row=jc", r, 90, "twin", "ok");
    }
    record_close(out);
}

static void check_gains(arena *a, const explain *e)
{
    CHECK(e->places == 3 && !strcmp(e->place[0].at.dataset, "cora") && !strcmp(e->place[1].at.dataset, "pubmed"),
          "%d places", e->places);
    explain_gain jc = explain_at(a, &e->place[0], ROW_JC, ROW_CE),
                 metis = explain_at(a, &e->place[0], ROW_JC_METIS, ROW_CE),
                 none = explain_at(a, &e->place[0], ROW_JCT, ROW_CE);
    CHECK_NEAR(jc.mean, 3.1, 1e-9);
    CHECK(jc.n == 12 && jc.most == 1 && jc.verdict == CONFIRMED && !none.n, "%d runs, verdict %d", jc.n,
          (int)jc.verdict);
    CHECK(metis.most == 2 && metis.n == 12, "%d partitions", metis.most);
    CHECK_NEAR(metis.mean, 1.6, 1e-9);
    stats_interval i = anytime_interval(jc.x, 12, 0.05);
    CHECK(jc.lo == i.lo && jc.hi == i.hi, "interval %g %g", jc.lo, jc.hi);
    CHECK(explain_at(a, &e->place[0], ROW_SMOOTH, ROW_CE).verdict == CONTRADICTED, "behind");
    CHECK(explain_at(a, &e->place[0], ROW_CE_TAU, ROW_CE).verdict == EQUAL, "equal");
    CHECK(explain_at(a, &e->place[0], ROW_JC_RANDOM, ROW_CE).verdict == OPEN, "open");
    CHECK(explain_at(a, &e->place[1], ROW_JC, ROW_CE).n == 7, "a failed run ends the comparison");
    explain_gain all = explain_pooled(a, e, ROW_JC, ROW_CE, NULL, NULL),
                 cora = explain_pooled(a, e, ROW_JC, ROW_CE, "cora", NULL);
    CHECK(all.places == 2 && all.n == 7 && cora.places == 1 && cora.n == 12, "%d places, %d runs", all.places, all.n);
    for (int r = 0; r < all.n; r++)
        CHECK_NEAR(all.x[r], (3 + 0.1 * (r % 3) + 1 - 0.1 * (r % 3)) / 2, 1e-9);
    CHECK(explain_pooled(a, e, ROW_JC, ROW_CE, NULL, "sage").n == 0, "no such model");
}

static void check_words(arena *a, const explain *e)
{
    const char *text = explain_text(a, e), *summary = explain_summary(a, e);
    CHECK(text && strstr(text, "gains +2.00") && strstr(text, "over 2 pairs") && strstr(text, "other METIS partitions"),
          "%s", text);
    CHECK(summary && strstr(summary, "By data set the gain is +3.10 on Cora, +0.91 on PubMed; by model it is +3.10 for "
                                     "GCN, +0.91 for MLP."),
          "%s", summary);
    const char *sentence = explain_sentence(a, e);
    CHECK(sentence &&
              strstr(sentence, "is +3.10 for GCN, +0.91 for MLP (points) on the paper's own METIS partition, and "
                               "+1.60 for GCN on average over METIS partitions from 2 other seeds"),
          "%s", sentence ? sentence : "none");
    CHECK(summary && strstr(summary, "on the former it gains over CE +1.60 for GCN."), "%s", summary);
    CHECK(summary && strstr(summary, "We would use JC with the factorised head"), "%s", summary);
    buf md = {.a = a}, tab = {.a = a};
    explain_md(&md, a, e);
    explain_tsv(&tab, a, e);
    CHECK(strstr(md.s, "| JC, other METIS starts | +1.60"), "%s", md.s);
    CHECK(strstr(tab.s, "cora\tgcn\treal\tLabel smoothing\t1\t12\t-1.1\t"), "%s", tab.s);
    explain empty = {0};
    md = (buf){.a = a};
    explain_md(&md, a, &empty);
    CHECK(!explain_text(a, &empty) && !explain_summary(a, &empty) && strstr(md.s, "No runs"), "%s", md.s);
}

/* e-Holm over the table: a gain that is decided by itself may be undecided among many. */
static void check_table(arena *a, const explain *e)
{
    const explain_gain *g = explain_table(a, e);
    double raw[3 * EXPLAIN_ROWS], want[3 * EXPLAIN_ROWS];
    for (int k = 0; k < 3 * EXPLAIN_ROWS; k++)
        raw[k] = k % EXPLAIN_ROWS == ROW_CE
                     ? NAN
                     : explain_at(a, &e->place[k / EXPLAIN_ROWS], (enum explain_row)(k % EXPLAIN_ROWS), ROW_CE).e;
    anytime_holm(want, raw, 3 * EXPLAIN_ROWS);
    for (int k = 0; k < 3 * EXPLAIN_ROWS; k++) {
        CHECK(g[k].e == want[k] || (isnan(g[k].e) && isnan(want[k])), "row %d: %g instead of %g", k, g[k].e, want[k]);
        CHECK(g[k].verdict != CONFIRMED || g[k].e >= 20, "row %d is confirmed at %g", k, g[k].e);
    }
}

int main(void)
{
    definitions_read(test_path("paper_tables"));
    char dir[] = "/tmp/jcb_explain_XXXXXX";
    arena a = {0};
    if (!mkdtemp(dir))
        CHECK(0, "no directory");
    write_records(&a, dir);
    explain e = read_back(&a, dir);
    check_gains(&a, &e);
    check_words(&a, &e);
    check_table(&a, &e);
    test_remove(dir);
    arena_free(&a);
    return test_end();
}
