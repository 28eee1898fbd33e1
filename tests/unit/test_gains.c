/* Tables of gains (gains.h): rows, places, units, pooled gains, verdicts and texts from records that this test writes.
 */
#include "../../src/result/definitions.h"
#include "../../src/result/sections.h"
#include "../../src/result/anytime.h"
#include "test.h"
#include <math.h>
#include <unistd.h>

static record_file *out;
static const char *const columns[] = {"key", "experiment", "dataset",  "model",  "loss",       "setting",
                                      "run", "seed",       "test_acc", "origin", "param_hash", "status"};

static void row(const char *experiment, const char *data, const char *model, const char *loss, const char *setting,
                int run, double acc, const char *origin, const char *status)
{
    static int keys;
    char key[17], number[16], value[32];
    snprintf(key, sizeof key, "%016x", ++keys);
    snprintf(number, sizeof number, "%d", run);
    snprintf(value, sizeof value, "%.6f", acc / 100);
    record_append(
        out, (const char *[]){key, experiment, data, model, loss, setting, number, "1", value, origin, "0", status});
}

static const gain_table_def *def_of(const char *label)
{
    for (int i = 0; i < definitions.gain_tables; i++)
        if (!strcmp(definitions.gain[i].label, label))
            return &definitions.gain[i];
    CHECK(0, "no table %s", label);
    exit(1);
}

static int row_of(const gain_table_def *d, const char *title)
{
    for (int i = 0; i < d->rows; i++)
        if (!strcmp(d->row[i].title, title))
            return i;
    CHECK(0, "no row %s", title);
    exit(1);
}

static const gain *at(const gains *g, int place, const char *title)
{
    return &g->place[place].row[row_of(g->def, title)];
}

static gains read_back(arena *a, const char *dir, const char *label)
{
    records r = records_read(a, arena_printf(a, "%s/records", dir));
    return gains_read(a, def_of(label), &r);
}

static const char *as_md(arena *a, const gains *g)
{
    doc d = {.a = a};
    buf md = {.a = a};
    section_gains(&d, g, 1, 1);
    doc_md(&md, &d);
    return md.s;
}

/* ---- pooled over places: explain ---- */

/* Twelve runs of every row that is asked for, at two places and on a twin that does not count. */
static void write_explain(arena *a, const char *dir)
{
    out = record_open(a, arena_printf(a, "%s/records/explain.tsv", dir), columns, 12);
    for (int r = 0; r < 12; r++) {
        double noise = 0.1 * (r % 3), wide = r % 2 ? 4 : -4;
        row("explain", "cora", "gcn", "ce", "row=ce", r, 80 + r, "real", "ok");
        row("explain", "cora", "gcn", "ce", "row=ce-tuned", r, 81 + r + noise, "real", "ok");
        row("explain", "cora", "gcn", "jc", "row=jc", r, 83 + r + noise, "real", "ok");
        row("explain", "cora", "gcn", "jc", "row=jc-tuned", r, 83 + r - noise, "real", "ok");
        row("explain", "cora", "gcn", "jcf", "row=jcf", r, 82.9 + r, "real", "ok");
        row("explain", "cora", "gcn", "jc", "row=jc-metis:1", r, 81 + r, "real", "ok");
        row("explain", "cora", "gcn", "jc", "row=jc-metis:2", r, 82 + r + 2 * noise, "real", "ok");
        row("explain", "cora", "gcn", "jc", "row=jc-random", r, 80 + r + wide, "real", "ok");
        row("explain", "cora", "gcn", "smooth", "row=smooth", r, 79 + r - noise, "real", "ok");
        row("explain", "cora", "gcn", "ce", "row=ce-tau", r, 80 + r + (r % 2 ? 0.1 : -0.1), "real", "ok");
        row("explain", "cora", "gcn", "ce", "row=ce-other", r, 90, "real", "ok"); /* no such row */
        row("explain", "pubmed", "mlp", "ce", "row=ce", r, 70, "real", "ok");
        row("explain", "pubmed", "mlp", "jc", "row=jc", r, 71 - noise, "real",
            r == 7 ? "failed:loss is not finite" : "ok"); /* ends the comparison */
        row("explain", "pubmed", "mlp", "ce", "row=ce-tuned", r, 72, "real", "ok");
        row("explain", "dblp", "mlp", "ce", "row=ce", r, 50, "twin", "ok");
        row("explain", "dblp", "mlp", "jc", "row=jc", r, 90, "twin", "ok");
    }
    record_close(out);
}

static void check_explain(arena *a, const gains *g)
{
    CHECK(g->places == 3 && !strcmp(g->place[0].dataset, "cora") && !strcmp(g->place[1].dataset, "pubmed"), "%d places",
          g->places);
    const gain *jc = at(g, 0, "JC as published"), *metis = at(g, 0, "JC, other METIS starts");
    CHECK_NEAR(jc->mean, 3.1, 1e-9);
    CHECK(jc->n == 12 && jc->units == 1 && jc->verdict == CONFIRMED, "%d runs, verdict %d", jc->n, (int)jc->verdict);
    CHECK(!at(g, 0, "JC, trainable statistics")->places, "not run");
    CHECK(metis->units == 2 && metis->n == 12, "%d partitions", metis->units);
    CHECK_NEAR(metis->mean, 1.6, 1e-9);
    CHECK_NEAR(metis->base, 85.5, 1e-9);
    stats_interval i = anytime_interval(jc->x, 12, 0.05);
    CHECK(jc->lo == i.lo && jc->hi == i.hi, "interval %g %g", jc->lo, jc->hi);
    CHECK(at(g, 0, "Label smoothing")->verdict == CONTRADICTED, "behind");
    CHECK(at(g, 0, "CE at a temperature, searched")->verdict == EQUAL, "equal");
    CHECK(at(g, 0, "JC, random clusters")->verdict == OPEN, "open");
    CHECK(at(g, 1, "JC as published")->n == 7, "a failed run ends the comparison");
    int row = row_of(g->def, "JC as published");
    gain all = gains_pooled(a, g, row, NULL, NULL), cora = gains_pooled(a, g, row, "cora", NULL);
    CHECK(all.places == 2 && all.n == 7 && cora.places == 1 && cora.n == 12, "%d places, %d runs", all.places, all.n);
    for (int r = 0; r < all.n; r++)
        CHECK_NEAR(all.x[r], (3 + 0.1 * (r % 3) + 1 - 0.1 * (r % 3)) / 2, 1e-9);
    CHECK(!gains_pooled(a, g, row, NULL, "sage").places, "no such model");
    CHECK(g->models == 2 && !strcmp(g->model[0], "gcn") && g->by_model[0][row].n == 12, "%d models", g->models);
}

/* e-Holm over the table: a gain that is decided by itself may be undecided among many. */
static void check_holm(const gains *g)
{
    double raw[64], want[64];
    int m = 0;
    for (int i = 0; i < g->places; i++)
        for (int k = 0; k < g->def->rows; k++) {
            const gain *one = &g->place[i].row[k];
            double log_e[16];
            if (one->places && g->def->row[k].against)
                anytime_t(log_e, one->x, one->n);
            raw[m++] = one->places && g->def->row[k].against ? exp(log_e[one->n - 1]) : NAN;
        }
    anytime_holm(want, raw, m);
    for (int j = 0; j < m; j++) {
        const gain *one = &g->place[j / g->def->rows].row[j % g->def->rows];
        CHECK(one->e == want[j] || (isnan(one->e) && isnan(want[j])), "gain %d: %g instead of %g", j, one->e, want[j]);
        CHECK(one->verdict != CONFIRMED || one->e >= 20, "gain %d is confirmed at %g", j, one->e);
    }
}

static void test_explain(arena *a, const char *dir)
{
    write_explain(a, dir);
    gains g = read_back(a, dir, "explain");
    check_explain(a, &g);
    check_holm(&g);
    buf tab = {.a = a};
    gains_tsv(&tab, &g);
    CHECK(strstr(tab.s, "cora\tgcn\treal\tLabel smoothing\t1\t12\t85.5\t-1.1\t"), "%s", tab.s);
    const char *md = as_md(a, &g);
    CHECK(strstr(md, "| JC as published | 2 | 7 | +2.00") && strstr(md, "| JC, other METIS starts | 1 | 12 | +1.60"),
          "%s", md);
    gains budget = read_back(a, dir, "budget");
    CHECK_NEAR(at(&budget, 0, "JC searched")->mean, 1.8, 1e-9);
    CHECK_NEAR(at(&budget, 0, "JC, other METIS starts")->mean, 0.5, 1e-9);
    const tables all = {.gain = &g, .gains_count = 1};
    const char *sentence = section_gains_sentence(a, &all);
    CHECK(strstr(sentence, "JC, other METIS starts against CE as published, points: GCN +1.60 (ahead); 12 runs of 1 "),
          "%s", sentence);
    CHECK(!strstr(sentence, "JC as published against"), "%s: not a row of the headline", sentence);
}

/* ---- units of one kind: partitions ---- */

static void write_partitions(arena *a, const char *dir)
{
    out = record_open(a, arena_printf(a, "%s/records/partitions.tsv", dir), columns, 12);
    for (int r = 0; r < 4; r++) {
        const char *p = "partitions", *d = "cora";
        row(p, d, "gcn", "ce", "-", r, 80 + r, "real", "ok");
        row(p, d, "gcn", "jc", "partition=metis", r, 82 + r, "real", "ok");
        row(p, d, "gcn", "jc", "partition=metis:1", r, 79 + r, "real", "ok");
        row(p, d, "gcn", "jc", "partition=metis:2", r, 81 + r, "real", "ok");
        row(p, d, "gcn", "jc", "partition=metis:3", r, 83 + r, "real", "ok");
        if (r != 2) /* a gap ends what counts */
            row(p, d, "gcn", "jc", "partition=random:1", r, 85 + r, "real", "ok");
        row(p, d, "sgc", "jc", "partition=metis:1", r, 80, "real", "ok"); /* no CE beside it */
        row(p, d, "gcn", "jc", "partition=kmeans:1", r, 80, "real", r ? "ok" : "failed:loss is not finite");
    }
    record_close(out);
}

static void test_partitions(arena *a, const char *dir)
{
    write_partitions(a, dir);
    gains g = read_back(a, dir, "partitions");
    const gain *metis = at(&g, 0, "METIS, other seeds"), *random = at(&g, 0, "Random");
    CHECK_NEAR(at(&g, 0, "METIS, the paper's")->mean, 2, 1e-9);
    CHECK(metis->units == 3 && metis->n == 4 && random->n == 2, "%d partitions, %d and %d runs", metis->units, metis->n,
          random->n);
    CHECK(!at(&g, 0, "K-Means")->places && g.places == 2 && !at(&g, 1, "METIS, other seeds")->places, "left out");
    CHECK_NEAR(metis->mean, 1, 1e-9);
    CHECK_NEAR(metis->sd, 2, 1e-9);
    CHECK_NEAR(metis->above, 2.0 / 3, 1e-9);
    CHECK_NEAR(metis->unit[0], -1, 1e-9);
    CHECK_NEAR(metis->base, 81.5, 1e-9);
    CHECK_NEAR(metis->variance[COMPONENT_A], 4, 1e-9);
    CHECK_NEAR(metis->variance[COMPONENT_REPEAT], 5.0 / 3, 1e-9);
    CHECK_NEAR(random->mean, 5, 1e-9);
    const char *md = as_md(a, &g);
    CHECK(strstr(md,
                 "| Cora | GCN | METIS, other seeds | 4 | 81.50 | +1.00 | 3 | 2.00 | -1.00 to +3.00 | 67 % | 2.00 / "
                 "1.29 |"),
          "%s", md);
}

/* ---- units of two kinds: variance ---- */

static void put(const char *data, const char *loss, const char *setting, int run, double acc, const char *origin)
{
    row("variance", data, "gcn", loss, setting, run, acc, origin, acc > 0 ? "ok" : "failed:loss is not finite");
}

/* Gains of a data set: 3 + s + 2 p + r c(s, p), c = 1 where s + p is even and -1 else, for splits 1 .. 3 and partitions
 * 0 .. 2, and twice that with split 0; CE has 70 + 2 s + r. */
static void write_rows(arena *a, const char *data, const char *origin, int count, int missing_split, int missing_run)
{
    for (int s = 0; s <= 3; s++)
        for (int r = 0; r < count; r++) {
            const char *which_split = s ? arena_printf(a, "%d", s) : "public";
            double ce = 70 + 2 * s + r;
            put(data, "ce", arena_printf(a, "split=%s", which_split), r, ce, origin);
            for (int p = 0; p <= 2; p++) {
                const char *which = p ? arena_printf(a, "metis:%d", p) : "metis";
                double up = (3 + s + 2 * p + r * ((s + p) % 2 ? -1 : 1)) * (s ? 1 : 2);
                int lost = s == missing_split && r == missing_run && p == 2;
                put(data, "jc", arena_printf(a, "split=%s,partition=%s", which_split, which), r, lost ? 0 : ce + up,
                    origin);
            }
        }
}

static void check_variance(arena *a, const gains *g)
{
    const gain *ce = at(g, 0, "CE, random splits (accuracy)"),
               *papers = at(g, 0, "Random splits, the paper's partition"),
               *others = at(g, 0, "Random splits, other METIS partitions");
    CHECK(others->units == 6 && others->dots == 3 && others->n == 3, "%d units, %d runs", others->units, others->n);
    CHECK_NEAR(at(g, 0, "CE, public split (accuracy)")->mean, 71, 1e-9);
    CHECK(ce->verdict == CLAIM_NOT_RUN && isnan(ce->e), "an accuracy is no gain");
    CHECK_NEAR(ce->mean, 75, 1e-9);
    CHECK_NEAR(ce->variance[COMPONENT_A], 4, 1e-9);
    CHECK_NEAR(ce->variance[COMPONENT_REPEAT], 1, 1e-9);
    /* on partition 0: public 2 (3 + 1), splits 4 - 1, 5 + 1 and 6 - 1 */
    CHECK_NEAR(at(g, 0, "Public split, the paper's partition")->mean, 8, 1e-9);
    CHECK_NEAR(at(g, 0, "Public split, other METIS partitions")->mean, 12, 1e-9);
    CHECK_NEAR(papers->mean, 14.0 / 3, 1e-9);
    CHECK_NEAR(papers->base, 75, 1e-9);
    CHECK_NEAR(others->mean, 8, 1e-9);
    CHECK_NEAR(papers->unit[0], 3, 1e-9);
    CHECK_NEAR(papers->unit[2], 6, 1e-9);
    CHECK_NEAR(papers->sd, sqrt(7.0 / 3), 1e-9);
    CHECK_NEAR(papers->above, 1, 1e-9);
    CHECK_NEAR(others->variance[COMPONENT_REPEAT], 1, 1e-9); /* r in each cell: sample variance 1 */
    double x[18], var[COMPONENTS];
    for (int i = 0; i < 18; i++) {
        int s = 1 + i / 6, p = 1 + i / 3 % 2, r = i % 3;
        x[i] = 3 + s + 2 * p + r * ((s + p) % 2 ? -1 : 1);
    }
    components_three(var, x, 3, 2, 3);
    for (int c = 0; c < COMPONENTS; c++)
        CHECK_NEAR(others->variance[c], var[c], 1e-9);
    others = at(g, 1, "Random splits, other METIS partitions");
    CHECK(others->n == 1 && isnan(others->variance[COMPONENT_A]), "a gap ends the runs of all: %d", others->n);
    CHECK(g->place[2].origin == ORIGIN_TWIN &&
              g->all[row_of(g->def, "Public split, the paper's partition")].places == 3,
          "the twin is not comparable");
    const char *md = as_md(a, g);
    CHECK(strstr(md, "| PubMed (twin) | GCN | Public split, the paper's partition | 2 |"), "%s", md);
}

static void test_variance(arena *a, const char *dir)
{
    out = record_open(a, arena_printf(a, "%s/records/variance.tsv", dir), columns, 12);
    write_rows(a, "cora", "real", 3, -1, -1);
    write_rows(a, "citeseer", "real", 3, 2, 1);
    write_rows(a, "pubmed", "twin", 2, -1, -1);
    row("variance", "facebook", "gcn", "ce", "split=public", 0, 70, "rebuilt", "ok"); /* nothing to draw */
    row("variance", "facebook", "sgc", "ce", "split=public", 0, 70, "rebuilt", "ok");
    row("variance", "facebook", "sgc", "jc", "split=public,partition=metis", 0, 71, "rebuilt", "ok");
    record_close(out);
    gains g = read_back(a, dir, "variance");
    check_variance(a, &g);
    figure f = {.a = a, .def = &(figure_def){.name = "variance"}};
    CHECK(!figure_units(&f, &(figure_source){.a = a, .gain = &g, .gains_count = 1}), "a figure");
    for (int i = 0; i < f.n; i++) { /* panels and their lines are numbered without a gap */
        const figure_row *r = &f.row[i], *last = i ? r - 1 : NULL;
        int panel = last ? r->panel - last->panel : r->panel;
        CHECK(panel == 0 || (panel == 1 && r->row == 1), "row %d: panel %d, line %d", i, r->panel, r->row);
    }
}

static void test_nothing(arena *a)
{
    records none = {0};
    for (int i = 0; i < definitions.gain_tables; i++) {
        gains g = gains_read(a, &definitions.gain[i], &none);
        CHECK(!g.places && strstr(as_md(a, &g), "No runs of bench"), "%s", as_md(a, &g));
    }
}

TEST_MAIN(test_gains)
{
    definitions_read(test_path("paper_tables"));
    char dir[] = "/tmp/jcb_gains_XXXXXX";
    arena a = {0};
    if (!mkdtemp(dir))
        CHECK(0, "no directory");
    test_explain(&a, dir);
    test_partitions(&a, dir);
    test_variance(&a, dir);
    test_nothing(&a);
    test_remove(dir);
    arena_free(&a);
    return test_end();
}
