/* The table of bench_variance: variance components by hand and on simulated designs with known ones; rows and text from
 * records that this test writes. */
#include "../src/paper/variance.h"
#include "../src/base/rng.h"
#include "../src/paper/definitions.h"
#include "test.h"
#include <unistd.h>

/* Exact on tables made of orthogonal effects; close to the truth on a large random one. */
static void test_two(void)
{
    double rows[] = {-1, 1}, cols[] = {-2, 0, 2}, rest[2][3] = {{1, -2, 1}, {-1, 2, -1}}, a[6], row, col;
    for (int p = 0; p < 2; p++)
        for (int r = 0; r < 3; r++)
            a[3 * p + r] = 80 + rows[p] + cols[r] + rest[p][r];
    components_two(&row, &col, a, 2, 3); /* MS_row = 6, MS_col = 8, MS_rest = 6 */
    CHECK_NEAR(row, 0, 1e-12);
    CHECK_NEAR(col, sqrt(1 + 6), 1e-12);
    enum { P = 400, R = 300 };
    static double big[P * R];
    rng g = rng_make(5, 0, RNG_TUNE);
    for (int p = 0; p < P; p++)
        for (int r = 0; r < R; r++)
            big[p * R + r] = 80 + 1.5 * rng_normal(g, 0, (uint64_t)p) + 0.4 * rng_normal(g, 1, (uint64_t)r) +
                             0.3 * rng_normal(g, 2, (uint64_t)(p * R + r));
    components_two(&row, &col, big, P, R);
    CHECK_NEAR(row, 1.5, 0.15);
    CHECK_NEAR(col, 0.5, 0.05);
    components_two(&row, &col, big, 1, R);
    CHECK(isnan(row) && isnan(col), "one row");
    components_two(&row, &col, big, P, 1);
    CHECK(isnan(row) && isnan(col), "one column");
}

/* x = 3 a(i) + 2 b(j) + a(i) b(j) + c(k) + d a(i) b(j) c(k), a, b, c = -1, 1: sums of squares over 8 values are 72, 32,
 * 8, 8 and 8 d^2, those of AC and BC 0, all with one degree of freedom. */
static void test_three_by_hand(void)
{
    double x[8], var[COMPONENTS];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++) {
                int a = 2 * i - 1, b = 2 * j - 1, c = 2 * k - 1;
                x[4 * i + 2 * j + k] = 7 + 3 * a + 2 * b + a * b + c + 2 * a * b * c;
            }
    components_three(var, x, 2, 2, 2);
    CHECK_NEAR(var[COMPONENT_AB], (8 - 32) / 2.0, 1e-12);
    CHECK_NEAR(var[COMPONENT_A], (72 - 8 - 0 + 32) / 4.0, 1e-12);
    CHECK_NEAR(var[COMPONENT_B], (32 - 8 - 0 + 32) / 4.0, 1e-12);
    CHECK_NEAR(var[COMPONENT_REPEAT], (8 + 32) / 4.0, 1e-12); /* 8 + 0 + 0 + 32 over 4 pairs with one degree each */
    for (int n = 0; n < 3; n++) {
        components_three(var, x, n == 0 ? 1 : 2, n == 1 ? 1 : 2, n == 2 ? 1 : 2);
        for (int c = 0; c < COMPONENTS; c++)
            CHECK(isnan(var[c]), "factor %d has one level", n);
    }
}

/* Many tables of the size that the experiment has, with known components and CE's noise shared by all partitions of a
 * split and run: estimates are right on average, below 0 in some. (With runs taken for replicates of a cell, split x
 * partition would be too small by a third of the shared .64, and the split too large by as much.) */
static void test_three_simulated(void)
{
    enum { S = 8, P = 3, R = 3, TABLES = 4000 };
    static const double truth[COMPONENTS] = {0.49, 0.25, 0.16, 0.09 + 0.64 + 0.04 + 1};
    double sum[COMPONENTS] = {0}, squares[COMPONENTS] = {0};
    int below = 0;
    for (int t = 0; t < TABLES; t++) {
        rng g = rng_make(3, (uint64_t)t, RNG_TUNE);
        double x[S * P * R], var[COMPONENTS];
        for (int s = 0; s < S; s++)
            for (int p = 0; p < P; p++)
                for (int r = 0; r < R; r++)
                    x[(s * P + p) * R + r] =
                        2 + 0.7 * rng_normal(g, 0, (uint64_t)s) + 0.5 * rng_normal(g, 1, (uint64_t)p) +
                        0.4 * rng_normal(g, 2, (uint64_t)(s * P + p)) + 0.3 * rng_normal(g, 3, (uint64_t)r) +
                        0.8 * rng_normal(g, 4, (uint64_t)(s * R + r)) + 0.2 * rng_normal(g, 5, (uint64_t)(p * R + r)) +
                        rng_normal(g, 6, (uint64_t)((s * P + p) * R + r));
        components_three(var, x, S, P, R);
        for (int c = 0; c < COMPONENTS; c++) {
            sum[c] += var[c];
            squares[c] += var[c] * var[c];
        }
        below += var[COMPONENT_AB] < 0;
    }
    for (int c = 0; c < COMPONENTS; c++) {
        double mean = sum[c] / TABLES, se = sqrt((squares[c] / TABLES - mean * mean) / TABLES);
        CHECK(fabs(mean - truth[c]) < 4.5 * se && se < 0.02, "component %d: %g (standard error %g) instead of %g", c,
              mean, se, truth[c]);
    }
    CHECK(below > TABLES / 20 && below < TABLES / 2, "%d of %d below 0", below, TABLES);
}

/* ---- rows ---- */

static record_file *out;

static void row(const char *dataset, const char *loss, const char *setting, int run, double acc, const char *origin)
{
    static int keys;
    char key[17], number[16], value[32];
    snprintf(key, sizeof key, "%016x", ++keys);
    snprintf(number, sizeof number, "%d", run);
    snprintf(value, sizeof value, "%.6f", acc / 100);
    record_append(out, (const char *[]){key, "variance", dataset, "gcn", loss, setting, number, "1", value, origin, "0",
                                        acc > 0 ? "ok" : "failed:loss is not finite"});
}

/* Gains of a data set: 3 + s + 2 p + r c(s, p), c = 1 where s + p is even and -1 else, for splits 1 .. 3 and partitions
 * 0 .. 2, and twice that with split 0; CE has 70 + 2 s + r. */
static void write_rows(arena *a, const char *dataset, const char *origin, int count, int missing_split, int missing_run)
{
    for (int s = 0; s <= 3; s++)
        for (int r = 0; r < count; r++) {
            const char *split = s ? arena_printf(a, "%d", s) : "public";
            double ce = 70 + 2 * s + r;
            row(dataset, "ce", arena_printf(a, "split=%s", split), r, ce, origin);
            for (int p = 0; p <= 2; p++) {
                const char *which = p ? arena_printf(a, "metis:%d", p) : "metis";
                double gain = (3 + s + 2 * p + r * ((s + p) % 2 ? -1 : 1)) * (s ? 1 : 2);
                int lost = s == missing_split && r == missing_run && p == 2;
                row(dataset, "jc", arena_printf(a, "split=%s,partition=%s", split, which), r, lost ? 0 : ce + gain,
                    origin);
            }
        }
}

static void check_rows(const variance_row *v, int n)
{
    CHECK(n == 3 && !strcmp(v[0].at.dataset, "cora") && !strcmp(v[1].at.dataset, "citeseer"), "%d rows", n);
    CHECK(v[0].splits == 3 && v[0].partitions == 2 && v[0].runs == 3, "%d x %d x %d", v[0].splits, v[0].partitions,
          v[0].runs);
    CHECK_NEAR(v[0].ce_public, 71, 1e-9);
    CHECK_NEAR(v[0].ce_random, 75, 1e-9);
    CHECK_NEAR(v[0].ce_sd_split, 2, 1e-9);
    CHECK_NEAR(v[0].ce_sd_run, 1, 1e-9);
    /* on partition 0: public 2 (3 + 1), splits 4 - 1, 5 + 1 and 6 - 1 */
    CHECK_NEAR(v[0].gain[PUBLIC_SPLIT][PAPERS_PARTITION], 8, 1e-9);
    CHECK_NEAR(v[0].gain[PUBLIC_SPLIT][OTHER_PARTITIONS], 12, 1e-9);
    CHECK_NEAR(v[0].gain[RANDOM_SPLITS][PAPERS_PARTITION], 14.0 / 3, 1e-9);
    CHECK_NEAR(v[0].gain[RANDOM_SPLITS][OTHER_PARTITIONS], 8, 1e-9);
    CHECK_NEAR(v[0].by_split[PAPERS_PARTITION][0], 3, 1e-9);
    CHECK_NEAR(v[0].by_split[PAPERS_PARTITION][2], 6, 1e-9);
    CHECK_NEAR(v[0].sd_splits, sqrt(7.0 / 3), 1e-9);
    CHECK_NEAR(v[0].distance, (8 - 14.0 / 3) / sqrt(7.0 / 3), 1e-9);
    CHECK_NEAR(v[0].share, 1, 1e-9);
    CHECK_NEAR(v[0].var[COMPONENT_REPEAT], 1, 1e-9); /* r in each cell: sample variance 1 */
    double g[18], var[COMPONENTS];
    for (int i = 0; i < 18; i++) {
        int s = 1 + i / 6, p = 1 + i / 3 % 2, r = i % 3;
        g[i] = 3 + s + 2 * p + r * ((s + p) % 2 ? -1 : 1);
    }
    components_three(var, g, 3, 2, 3);
    for (int c = 0; c < COMPONENTS; c++)
        CHECK_NEAR(v[0].var[c], var[c], 1e-9);
    CHECK(v[1].splits == 3 && v[1].runs == 1 && isnan(v[1].var[0]) && isnan(v[1].ce_sd_split),
          "a gap ends the runs of all: %d", v[1].runs);
    CHECK(v[2].at.origin == ORIGIN_TWIN && v[2].runs == 2, "the twin");
}

static void check_words(arena *a, const variance_row *v, int n)
{
    const char *text = variance_text(a, v, 1);
    static const char *const says[] = {
        "Over 1 pairs of data set and model (3 random splits, 2 METIS partitions from other seeds, 3 runs), the mean "
        "gain of JC over CE is +8.00 points (above 0 in 1 of 1 pairs) on the public split",
        "+12.00 points (above 0 in 1 of 1 pairs) on that split over other METIS partitions, +4.67 points (above 0 in 1 "
        "of 1 pairs) over random splits on the paper's partition, and +8.00 points",
        "above the mean over random splits in 1 of 1 pairs, by +2.2 standard deviations over splits in the median "
        "(+2.2 to +2.2), and more than two away in 1.",
        "CE's accuracy on random splits is +4.00 points from that on the public one; it has a standard deviation of "
        "2.00 to 2.00 points by split and 1.00 to 1.00 by run."};
    for (size_t k = 0; k < sizeof says / sizeof *says; k++)
        CHECK(text && strstr(text, says[k]), "%s", text ? text : "no text");
    variance_row known = v[0];
    const double var[COMPONENTS] = {4, 1, -2, 5};
    memcpy(known.var, var, sizeof var);
    text = variance_text(a, &known, 1);
    CHECK(strstr(text, "over the 1 pairs with two runs or more, 40 % are due to the split, 10 % are due to the "
                       "partition, 0 % are due to split x partition, 50 % "
                       "are due to the run; the largest component is the run.") &&
              strstr(text, "on one split and one partition, is 2.24 points; over splits and partitions as well it is "
                           "3.16. Reporting only the first omits 50 % of the variance."),
          "%s", text);
    buf md = {.a = a}, tab = {.a = a};
    variance_md(&md, a, &known, 1);
    CHECK(strstr(md.s, "| Cora | GCN | 3 x 2 x 3 | 71.00 | 75.00 | 2.00 / 1.00 | +8.00 | +12.00 | +4.67 | +8.00 | +2.2 "
                       "| 100 % | 2.00 / 1.00 / 0.00 / 2.24 |\n"),
          "%s", md.s);
    variance_tsv(&tab, &known, 1);
    CHECK(
        strstr(tab.s, "cora\tgcn\treal\t3\t2\t3\t71\t75\t2\t1\t8\t12\t4.66667\t8\t1.52753\t2.18218\t1\t4\t1\t-2\t5\n"),
        "%s", tab.s);
    CHECK(!variance_text(a, v + 2, n - 2), "a twin is not comparable");
    md = (buf){.a = a};
    variance_md(&md, a, v + 2, n - 2);
    CHECK(strstr(md.s, "No runs on comparable data yet") && strstr(md.s, "| PubMed | GCN | 3 x 2 x 2 |"), "%s", md.s);
    md = (buf){.a = a};
    variance_md(&md, a, v, 0);
    CHECK(strstr(md.s, "No runs yet"), "%s", md.s);
}

static void test_rows(void)
{
    static const char *const columns[] = {"key", "experiment", "dataset",  "model",  "loss",       "setting",
                                          "run", "seed",       "test_acc", "origin", "param_hash", "status"};
    char dir[] = "/tmp/jcb_variance_XXXXXX";
    arena a = {0};
    if (!mkdtemp(dir))
        CHECK(0, "no directory");
    out = record_open(&a, arena_printf(&a, "%s/records/variance.tsv", dir), columns, 12);
    write_rows(&a, "cora", "real", 3, -1, -1);
    write_rows(&a, "citeseer", "real", 3, 2, 1);
    write_rows(&a, "pubmed", "twin", 2, -1, -1);
    write_rows(&a, "dblp", "real", 2, 0, 0); /* the public split has no run 0 */
    record_close(out);
    records r = records_read(&a, arena_printf(&a, "%s/records", dir));
    int n;
    const variance_row *v = variance_read(&a, &r, &n);
    check_rows(v, n);
    check_words(&a, v, n);
    test_remove(dir);
    arena_free(&a);
}

int main(void)
{
    definitions_read(test_path("paper_tables"));
    test_two();
    test_three_by_hand();
    test_three_simulated();
    test_rows();
    return test_end();
}
