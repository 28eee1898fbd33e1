/* Tables from records that this test writes: known means give known cells, verdicts and orderings, and the same records
 * always the same bytes. */
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "../../src/base/tsv.h"
#include "../../src/result/table_files.h"
#include "../../src/result/table_parts.h"
#include "table_records.h"
#include <dirent.h>
#include <unistd.h>

/* In memory where there is such a place: file_write() waits for a disk. */
static char memory[] = "/dev/shm/jcb_table_XXXXXX", disk[] = "/tmp/jcb_table_XXXXXX";
static const char *dir, *paper_dir;

static const char *slurp(arena *a, const char *set, const char *name)
{
    return (const char *)file_read(a, arena_printf(a, "%s/%s/%s", dir, set, name), 0).p;
}

static void has(arena *a, const char *name, const char *want)
{
    const char *got = slurp(a, "out", name);
    CHECK(strstr(got, want) != NULL, "%s has no line\n%s", name, want);
}

/* The row of a cell; the columns of the TSV are read by name. */
static int find(const tsv *t, const char *dataset, const char *model, const char *loss, const char *setting,
                const char *metric)
{
    int claims = tsv_col(t, "loss_a") >= 0;
    for (int i = 0; i < t->rows; i++)
        if (!strcmp(tsv_get(t, i, "dataset"), dataset) && !strcmp(tsv_get(t, i, claims ? "model_a" : "model"), model) &&
            !strcmp(tsv_get(t, i, claims ? "claim" : "loss"), loss) &&
            !strcmp(tsv_get(t, i, claims ? "setting_a" : "setting"), setting) &&
            !strcmp(tsv_get(t, i, "metric"), metric))
            return i;
    CHECK(0, "%s: no row %s %s %s %s %s", t->path, dataset, model, loss, setting, metric);
    return 0;
}

static tsv open_out(arena *a, const char *name) { return tsv_read(a, arena_printf(a, "%s/out/%s", dir, name)); }

static void check_verdicts(arena *a)
{
    static const struct {
        const char *dataset, *model, *loss, *n, *origin, *verdict;
    } want[] = {
        {"cora", "gcn", "ce", "10", "real", "agrees"},
        {"cora", "gcn", "jc", "10", "real", "agrees"},
        {"citeseer", "gcn", "ce", "10", "real", "higher"},
        {"citeseer", "gcn", "jc", "10", "real", "lower"},
        {"pubmed", "gcn", "ce", "1", "real", "undecided"},
        {"dblp", "gcn", "ce", "4", "twin", "not comparable"},
        {"facebook", "gcn", "ce", "10", "real", "agrees"},
        {"facebook", "gcn", "jc", "10", "substitute", "not comparable"},
        {"facebook", "sgc", "ce", "10", "rebuilt", "agrees"},
        {"facebook", "sgc", "jc", "10", "rebuilt", "agrees"},
        {"cora", "sgc", "ce", "3", "real", "undecided"},
        {"cora", "sgc", "jc", "0", "-", "not run"},
        {"cora", "mlp", "ce", "10", "real", "agrees"},
        {"cora", "gat", "ce", "0", "-", "not run"},
    };
    tsv t = open_out(a, "main_res.tsv");
    CHECK(t.rows == 50, "%d rows", t.rows);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        int r = find(&t, want[i].dataset, want[i].model, want[i].loss, "-", "acc");
        CHECK(!strcmp(tsv_get(&t, r, "n"), want[i].n) && !strcmp(tsv_get(&t, r, "origin"), want[i].origin) &&
                  !strcmp(tsv_get(&t, r, "verdict"), want[i].verdict),
              "%s %s %s: n %s, %s, %s", want[i].dataset, want[i].model, want[i].loss, tsv_get(&t, r, "n"),
              tsv_get(&t, r, "origin"), tsv_get(&t, r, "verdict"));
    }
    int r = find(&t, "cora", "gcn", "ce", "-", "acc");
    CHECK_NEAR(tsv_number(&t, r, "mean"), 81.70, 1e-9);
    CHECK_NEAR(tsv_number(&t, r, "sd"), sqrt(3.3 / 9), 1e-9);
    double se = sqrt(3.3 / 90 + 0.65 * 0.65 / 10); /* t with 17.91 degrees of freedom at 97.5 %: 2.1017 */
    CHECK_NEAR(tsv_number(&t, r, "ci_high"), 2.1017 * se, 1e-4);
    CHECK(!strcmp(tsv_get(&t, r, "left_out"), "2"), "%s left out", tsv_get(&t, r, "left_out"));
    CHECK(!strcmp(tsv_get(&t, find(&t, "cora", "sgc", "jc", "-", "acc"), "failed"), "1"), "a failed run");
}

static void check_warnings(arena *a)
{
    const char *text = (const char *)file_read(a, arena_printf(a, "%s/out/README.md", dir), 0).p;
    static const char *const want[] = {
        "main\\_res: Cora, SGC, CE: 1 successful run without a finite value (accuracy (%)), left out.",
        "main\\_res: CiteSeer, MLP, JC: its runs had different partitions (runs 0 and 1).",
        "main\\_res: PubMed, MLP, JC > CE: the two sides had different data.",
        "main\\_res: PubMed, SGC, JC: METIS used the random numbers of its 32-bit build",
        "ic\\_res: PubMed, SGC, JC > IC: the two sides had different clusters (metis, 5 of them; metis, 4 of them)."};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        CHECK(strstr(text, want[i]), "no warning '%s' in %s", want[i], text);
    text = (const char *)file_read(a, arena_printf(a, "%s/out/main_res.md", dir), 0).p;
    int n = 0;
    for (const char *s = text; (s = strstr(s, "- Warning: ")); s++)
        n++;
    CHECK(n == 4, "%d warnings in the table", n);
}

static void check_orderings(arena *a)
{
    tsv t = open_out(a, "main_res.claims.tsv");
    static const struct {
        const char *dataset, *model, *n, *origin, *verdict;
    } want[] = {{"cora", "gcn", "10", "real", "confirmed"},       {"citeseer", "gcn", "10", "real", "contradicted"},
                {"pubmed", "gcn", "1", "real", "undecided"},      {"dblp", "gcn", "4", "twin", "undecided"},
                {"facebook", "gcn", "0", "-", "not run"},         {"cora", "sgc", "0", "-", "not run"},
                {"facebook", "sgc", "10", "rebuilt", "confirmed"}};
    CHECK(t.rows == 25, "%d orderings", t.rows);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        int r = find(&t, want[i].dataset, want[i].model, "JC > CE", "-", "acc");
        CHECK(!strcmp(tsv_get(&t, r, "n"), want[i].n) && !strcmp(tsv_get(&t, r, "origin"), want[i].origin) &&
                  !strcmp(tsv_get(&t, r, "verdict"), want[i].verdict),
              "%s %s: n %s, %s, %s", want[i].dataset, want[i].model, tsv_get(&t, r, "n"), tsv_get(&t, r, "origin"),
              tsv_get(&t, r, "verdict"));
    }
    int r = find(&t, "cora", "gcn", "JC > CE", "-", "acc");
    double half = 2.262157 * sqrt(0.1 / 9) / sqrt(10); /* differences 1.8 +- 0.1 */
    CHECK_NEAR(tsv_number(&t, r, "difference"), 1.8, 1e-9);
    CHECK_NEAR(tsv_number(&t, r, "t_low"), 1.8 - half, 1e-5);
    /* Computed apart: E by its definition, the interval by bisection of E, e-Holm over 25 claims of which 5 have runs.
     */
    CHECK_NEAR(tsv_number(&t, r, "e_value"), 2941.2215018689, 1e-3);
    CHECK_NEAR(tsv_number(&t, r, "e_holm"), 129.01779799396, 1e-6);
    CHECK_NEAR(tsv_number(&t, r, "cs_low"), 1.664025183188, 1e-8);
    CHECK_NEAR(tsv_number(&t, r, "cs_high"), 1.935974816812, 1e-8);
    CHECK_NEAR(tsv_number(&t, r, "anytime_p"), 1 / 2941.2215018689, 1e-9);
    CHECK_NEAR(tsv_number(&t, r, "skewness"), 0, 1e-9);
    CHECK_NEAR(tsv_number(&t, find(&t, "dblp", "gcn", "JC > CE", "-", "acc"), "e_holm"), 1.19035690277, 1e-8);
    CHECK_NEAR(tsv_number(&t, r, "wilcoxon_p"), 2.0 / 1024, 1e-9);
    CHECK(tsv_number(&t, r, "boot_low") > 1.7 && tsv_number(&t, r, "boot_high") < 1.9, "bootstrap");
    CHECK(tsv_number(&t, r, "holm_p") >= tsv_number(&t, r, "t_p") &&
              tsv_number(&t, r, "holm_p") <= 3 * tsv_number(&t, r, "t_p"),
          "Holm, three tests");
    CHECK(isnan(tsv_number(&t, find(&t, "pubmed", "gcn", "JC > CE", "-", "acc"), "t_p")), "one pair is no test");
}

static void check_other_tables(arena *a)
{
    tsv t = open_out(a, "imbalance_res.tsv");
    CHECK_NEAR(tsv_number(&t, find(&t, "lastfmasia", "gcn", "ce", "-", "micro_f1"), "mean"), 85, 1e-9);
    CHECK_NEAR(tsv_number(&t, find(&t, "lastfmasia", "gcn", "ce", "-", "macro_f1"), "mean"), 74, 1e-9);
    CHECK_NEAR(tsv_number(&t, find(&t, "lastfmasia", "gcn", "ce", "-", "weighted_f1"), "mean"), 84, 1e-9);
    CHECK_NEAR(tsv_number(&t, find(&t, "lastfmasia", "gcn", "jc", "-", "micro_f1"), "mean"), 86, 1e-9);
    CHECK_NEAR(tsv_number(&t, find(&t, "lastfmasia", "gcn", "jc", "-", "macro_f1"), "mean"), 75, 1e-9);
    CHECK_NEAR(tsv_number(&t, find(&t, "lastfmasia", "gcn", "jc", "-", "weighted_f1"), "mean"), 85, 1e-9);
    t = open_out(a, "table_memory.tsv");
    int r = find(&t, "cora", "gcn", "jc", "-", "memory_ratio");
    CHECK_NEAR(tsv_number(&t, r, "mean"), 1.01, 1e-6);
    CHECK(!strcmp(tsv_get(&t, r, "verdict"), "agrees"), "%s", tsv_get(&t, r, "verdict"));
    t = open_out(a, "effiency.tsv");
    r = find(&t, "cora", "gcn", "ce", "-", "train_seconds");
    CHECK_NEAR(tsv_number(&t, r, "mean"), 0.0045, 1e-9);
    CHECK(!strcmp(tsv_get(&t, r, "verdict"), "not comparable"), "another computer");
    CHECK_NEAR(tsv_number(&t, find(&t, "cora", "gcn", "ce", "-", "memory_mb"), "mean"), 10, 1e-9);
    t = open_out(a, "effiency.claims.tsv");
    CHECK(!strcmp(tsv_get(&t, find(&t, "cora", "gcn", "JC > CE", "-", "memory_mb"), "verdict"), "confirmed"),
          "bytes never vary");
    t = open_out(a, "crf-gcn.tsv"); /* accuracy from one experiment, times from the one that measures them */
    CHECK_NEAR(tsv_number(&t, find(&t, "cora", "gcn", "ce", "-", "train_seconds"), "mean"), 0.0045, 1e-9);
    t = open_out(a, "clustering-methods.tsv");
    r = find(&t, "cora", "-", "-", "partition=metis", "link_rate");
    CHECK_NEAR(tsv_number(&t, r, "mean"), 4908.0 / 370, 1e-8);
    CHECK(!strcmp(tsv_get(&t, r, "verdict"), "agrees"), "%s", tsv_get(&t, r, "verdict"));
    t = open_out(a, "cluster_methods_num.claims.tsv");
    CHECK(
        !strcmp(tsv_get(&t, find(&t, "cora", "gcn", "METIS > K-Means", "clusters=5,partition=metis", "acc"), "n"), "4"),
        "pairs");
    t = open_out(a, "cluster_methods_num.tsv"); /* the paper has no such row */
    r = find(&t, "cora", "gcn", "jc", "clusters=5,partition=random", "acc");
    CHECK_NEAR(tsv_number(&t, r, "mean"), 79, 1e-9);
    CHECK(!strcmp(tsv_get(&t, r, "verdict"), "not printed"), "%s", tsv_get(&t, r, "verdict"));
    t = open_out(a, "dataset.tsv");
    CHECK(!strcmp(tsv_get(&t, find(&t, "cora", "-", "-", "-", "nodes"), "verdict"), "agrees"), "2708 nodes");
    CHECK(!strcmp(tsv_get(&t, find(&t, "cora", "-", "-", "-", "edges"), "verdict"), "lower"), "5278 edges, not 5429");
    t = open_out(a, "few-label.tsv");
    CHECK_NEAR(tsv_number(&t, find(&t, "cora", "gcn", "ce", "labels=5", "acc"), "mean"), 71.5, 1e-9);
    t = open_out(a, "ic_res.tsv");
    CHECK(!strcmp(tsv_get(&t, find(&t, "cora", "gcn", "ce", "-", "acc"), "n"), "10"), "from the experiment balanced");
    t = open_out(a, "ic_res.claims.tsv");
    CHECK(!strcmp(tsv_get(&t, find(&t, "cora", "gcn", "JC > IC", "-", "acc"), "n"), "4"), "pairs across experiments");
    t = open_out(a, "prediction_calibration.tsv");
    CHECK_NEAR(tsv_number(&t, find(&t, "pubmed", "gcn", "ce", "-", "ece"), "mean"), 10.2, 1e-9);
}

static void check_text(arena *a)
{
    has(a, "main_res.md",
        "| Model | Loss | | Cora | CiteSeer | PubMed | DBLP | Facebook |\n|---|---|---|---|---|---|---|---|\n"
        "| GCN | CE | ours | 81.70 ± 0.61 (10) | 75.00 ± 0.61 (10) | 79.00 (1) | 59.40 ± 0.26 (4, twin) | 74.00 ± 0.61 "
        "(10) |\n"
        "| | | paper | 81.70 ± 0.65 | 71.43 ± 0.47 | 79.06 ± 0.32 | 74.30 ± 1.94 | 73.91 ± 1.40 |\n"
        "| | | difference | 0.00 [-0.59, +0.59] agrees | +3.57 [+3.06, +4.08] higher | -0.06 undecided | "
        "-14.90 [-16.30, -13.50] not comparable | +0.09 [-0.96, +1.14] agrees |\n");
    has(a, "main_res.md", "| | | paper | **83.51 ± 0.35** |");
    has(a, "main_res.md",
        "| Cora, GCN | JC > CE | confirmed | – | accuracy (%) | +1.81 | +1.80 [+1.66, +1.94] | 10 | 0.0 | 0.0003 | "
        "0.0078 | 0.0174 |\n");
    has(a, "main_res.md", "| Cora, GCN | JC > CE | 10 | < 0.0001 | 0.0020 | < 0.0001 | [+1.74, +1.86] |");
    has(a, "main_res.md",
        "| PubMed, GCN | JC > CE | undecided | 8 or more | accuracy (%) | +0.74 | +1.00 [-∞, +∞] | 1 | – | 1.0000 |");
    has(a, "main_res.md", "| undecided (twin) |");
    has(a, "main_res.tex", "+1.00 [$-\\infty$, $+\\infty$]");
    has(a, "main_res.md", "| confirmed (rebuilt) |");
    has(a, "main_res.md", "74.10 ± 0.61 (10, rebuilt)");
    has(a, "main_res.md", "- rebuilt: the 128 features of Facebook, ");
    has(a, "main_res.md", "- CiteSeer, GAT, JC, accuracy (%): misprint somewhere: ic\\_res prints 70.18");
    has(a, "main_res.tex", "GCN & CE & ours & 81.70 $\\pm$ 0.61 (10) & ");
    has(a, "main_res.tex", " & $-$14.90 [$-$16.30, $-$13.50] not comparable & ");
    has(a, "main_res.tex", "\\textbf{83.51 $\\pm$ 0.35}");
    has(a, "main_res.tex", "Test Accuracy (\\%) for different models");
    has(a, "cs.tex", "CE+C\\&S");
    has(a, "few-label.md", "| Cora | 5 | ours | 71.50 ± 1.29 (4) | – |");
    has(a, "dataset.md", "| Cora | ours | 2708 (1) | 5278 (1) | – | – |");
    has(a, "README.md", "| [main\\_res](main_res.md) | 18 of 50 | 6 | 1 | 2 | 6 | 3 | ");
    has(a, "README.md", "JC against CE in accuracy: ");
    has(a, "paper_claims.md", "| adv\\_res | 2.2 | 2.1467 | differs |");
}

static void check_heterophilic(arena *a)
{
    tsv t = open_out(a, "tab_hete.tsv");
    CHECK(t.rows == 18 + 5, "%d rows", t.rows);
    int tuned = find(&t, "chameleon", "gcn", "ce", "-", "acc"),
        untuned = find(&t, "chameleon", "gcn", "ce", "tuning=none", "acc");
    CHECK_NEAR(tsv_number(&t, tuned, "mean"), 61.5, 1e-9);
    CHECK_NEAR(tsv_number(&t, untuned, "mean"), 51.5, 1e-9);
    CHECK(!strcmp(tsv_get(&t, untuned, "verdict"), "not printed") && !strcmp(tsv_get(&t, tuned, "left_out"), "0"),
          "%s, %s left out", tsv_get(&t, untuned, "verdict"), tsv_get(&t, tuned, "left_out"));
    has(a, "tab_hete.md",
        "| Model | Loss | Variant | | Chameleon | Squirrel | Wisconsin | Chameleon filtered | Squirrel filtered |\n");
    has(a, "tab_hete.md",
        "| GCN | CE | – | ours | 61.50 ± 1.29 (4) | – | – | 31.50 ± 1.29 (4) | |\n"); /* beyond the paper: only what
                                                                                          was run */
    has(a, "tab_hete.md", "| GCN | JC | – | ours | 77.50 ± 1.29 (4) | – | – | 21.50 ± 1.29 (4) | 11.50 ± 1.29 (4) |\n");
    const char *md = slurp(a, "out", "tab_hete.md"),
               *gcn = strstr(md, "| GCN | CE | untuned | ours | 51.50 ± 1.29 (4) |");
    const char *mlp = strstr(md, "| MLP | CE | untuned | ours |");
    CHECK(gcn && mlp && gcn < mlp, "the order of the rows");
    has(a, "tab_hete.md", "- untuned: CE with the defaults");
    has(a, "README.md", "| [tab\\_hete](tab_hete.md) | 2 of 18 | ");
    t = open_out(a, "tab_hete.claims.tsv");
    CHECK(t.rows == 9, "%d orderings: those that are printed", t.rows);
    CHECK_NEAR(tsv_number(&t, find(&t, "chameleon", "gcn", "JC > CE", "-", "acc"), "difference"), 16, 1e-9);
    tables *all = tables_read(a, arena_printf(a, "%s/records", dir), paper_dir);
    for (int i = 0; i < all->sum.statements; i++)
        if (!strcmp(all->claim[i].id, "hete_all"))
            CHECK(!strcmp(all->claim[i].ours_text, "only 1 of 9 pairs"), "statement: %s", all->claim[i].ours_text);
    CHECK(all->sum.cells == 744, "%d printed cells", all->sum.cells);
}

/* Braces and environments of the LaTeX are balanced, and a line of a table has as many cells as its tabular. */
static void check_tex(arena *a, const char *name)
{
    const char *s = slurp(a, "out", name);
    int depth = 0, open = 0, columns_of = 0, bad = 0, cells = 1;
    for (const char *p = s; *p; p++) {
        if (*p == '\\' && p[1] && strchr("{}&%$#_", p[1])) {
            p++;
            continue;
        }
        depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
        open += !strncmp(p, "\\begin{", 7) ? 1 : !strncmp(p, "\\end{", 5) ? -1 : 0;
        if (!strncmp(p, "\\begin{tabular}{", 16))
            columns_of = (int)strspn(strchr(p + 7, '{') + 1, "lc");
        cells += *p == '&';
        if (!strncmp(p, "\\\\\n", 3))
            bad += cells != columns_of;
        if (*p == '\n')
            cells = 1;
        bad += depth < 0 || (unsigned char)*p >= 128;
    }
    CHECK(depth == 0 && open == 0 && bad == 0, "%s: %d braces, %d environments, %d bad lines", name, depth, open, bad);
}

static void for_each_output(arena *a, void (*fn)(arena *, const char *), const char *suffix)
{
    DIR *d = opendir(arena_printf(a, "%s/out", dir));
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.' && strlen(e->d_name) > strlen(suffix) &&
            !strcmp(e->d_name + strlen(e->d_name) - strlen(suffix), suffix))
            fn(a, e->d_name);
    if (d)
        closedir(d);
}

static int compared;

static void check_same(arena *a, const char *name)
{
    compared++;
    CHECK(!strcmp(slurp(a, "out", name), slurp(a, "again", name)), "%s differs from one time to the next", name);
}

TEST_MAIN(test_table)
{
    err_program = "test_table";
    dir = mkdtemp(memory);
    if (!dir && !(dir = mkdtemp(disk)))
        return EXIT_FAILURE;
    arena a = {0};
    const char *src = getenv("srcdir");
    paper_dir = arena_printf(&a, "%s/paper_tables", src ? src : ".");
    const char *records_dir = arena_printf(&a, "%s/records", dir), *to = arena_printf(&a, "%s/out", dir);
    tables_summary s = tables_write(&a, records_dir, paper_dir, to);
    CHECK(s.tables == 19 && s.cells == 744 && s.all.run == 0 && s.all.claim[CLAIM_NOT_RUN] == s.orderings,
          "no records: all tables, nothing run");
    has(&a, "adv_res.md", "| Cora LCC | 5 | ours | – | – | – | – | – | – |");
    has(&a, "adv_res.md", "| difference | not run | not run |");
    has(&a, "tab_hete.md",
        "| Model | Loss | | Chameleon | Squirrel | Wisconsin |\n"); /* no column for what nothing has */
    out = record_open(&a, arena_printf(&a, "%s/balanced.tsv", records_dir), columns, COLUMNS);
    balanced();
    record_close(out);
    out = record_open(&a, arena_printf(&a, "%s/others.tsv", records_dir), columns, COLUMNS);
    other_experiments();
    heterophilic();
    record_close(out);
    s = tables_write(&a, records_dir, paper_dir, to);
    CHECK(s.all.claim[CONTRADICTED] == 4 && s.failed == 1 && s.statements == 66,
          "%d contradicted (in each table that prints the cells), %d failed", s.all.claim[CONTRADICTED], s.failed);
    check_verdicts(&a);
    check_warnings(&a);
    check_orderings(&a);
    check_other_tables(&a);
    check_text(&a);
    check_heterophilic(&a);
    for_each_output(&a, check_tex, ".tex");
    tables_write(&a, records_dir, paper_dir, arena_printf(&a, "%s/again", dir));
    for_each_output(&a, check_same, "");
    CHECK(compared == 26 * 4 + 6 * 2 + 1, "%d files",
          compared); /* tables; four tables of gains, metattack, statements: .md and .tsv each; the overview */
    test_remove(dir);
    arena_free(&a);
    return test_end();
}
