/* The definitions of the paper's tables and figures: the files are consistent, a new table needs no code, and damaged
 * files are refused with their name. */
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "../../src/result/definitions.h"
#include "../../src/result/figure.h"
#include "../../src/run/record.h"
#include "test.h"
#include <unistd.h>

static char dir[] = "/tmp/jcb_definitions_XXXXXX";

static int is_label(const char *word, size_t len)
{
    for (int i = 0; i < definitions.tables; i++)
        if (strlen(definitions.table[i].label) == len && !strncmp(definitions.table[i].label, word, len))
            return 1;
    return 0;
}

/* References between the files are valid. */
static void whole(void)
{
    arena a = {0};
    definitions_read(test_path("paper_tables"));
    CHECK(definitions.tables == 26 && definitions.figures >= 20, "%d tables, %d figures", definitions.tables,
          definitions.figures);
    for (int i = 0; i < definitions.tables; i++) {
        paper p = paper_read(&a, definitions.dir, definitions.table[i].label);
        for (int j = 0; j < p.n; j++)
            table_metric(p.cell[j].metric); /* dies when there is none */
    }
    for (const figure_def *f = definitions.figure; f->name; f++) {
        CHECK(access(test_path(arena_printf(&a, "plots/%s.gp", f->script)), R_OK) == 0, "%s: no script %s", f->name,
              f->script);
        CHECK(!strchr(f->text, '$'), "%s: a phrase is left in '%s'", f->name, f->text);
        for (const char *s = f->tables; s && strcmp(s, "*") && *s; s += strcspn(s, ",|"), s += *s != 0)
            CHECK(is_label(s, strcspn(s, ",|")), "%s: no table '%s'", f->name, s);
    }
    arena_free(&a);
}

/* A copy of the definitions in dir/NAME. */
static const char *copy(arena *a, const char *name)
{
    const char *to = arena_printf(a, "%s/%s", dir, name);
    CHECK(system(arena_printf(a, "cp -r '%s' '%s'", test_path("paper_tables"), to)) == 0, "cannot copy");
    return to;
}

static void append(arena *a, const char *at, const char *file, const char *text)
{
    FILE *f = fopen(arena_printf(a, "%s/%s", at, file), "a");
    CHECK(f && fputs(text, f) >= 0 && !fclose(f), "cannot write");
}

/* A new experiment: one row and one file with a caption give it a table, a verdict and a figure. */
static void own_table(void)
{
    static const char *const columns[] = {"key", "experiment", "dataset",  "model",  "loss",  "setting",
                                          "run", "seed",       "test_acc", "origin", "status"};
    arena a = {0};
    const char *at = copy(&a, "own"), *rows = arena_printf(&a, "%s/records", dir);
    append(&a, at, "tables.tsv", "own\town\tmodel,loss\tdataset\t-\tloss=jc : loss=ce\tabove\t-\t1\n");
    append(&a, at, "own.tsv",
           "# caption: An experiment of one's own.\ndataset\tmodel\tloss\tsetting\tmetric\tvalue\tsd\tbold\tnote\n");
    record_file *out = record_open(&a, arena_printf(&a, "%s/own.tsv", rows), columns, 11);
    for (int run = 0; run < 20; run++)
        for (int jc = 0; jc < 2; jc++) {
            const char *v[] = {arena_printf(&a, "%016x", 2 * run + jc),
                               "own",
                               "mine",
                               "gcn",
                               jc ? "jc" : "ce",
                               "-",
                               arena_printf(&a, "%d", run),
                               arena_printf(&a, "%d", run),
                               arena_printf(&a, "%g", 0.7 + jc * (0.02 + 0.001 * (run % 3))),
                               "real",
                               "ok"};
            record_append(out, v);
        }
    record_close(out);
    tables *all = tables_read(&a, rows, at);
    const table *t = &all->t[all->n - 1];
    CHECK(all->n == 27 && !strcmp(t->def->label, "own") && t->paper.n == 2, "%d tables, %d cells", all->n, t->paper.n);
    CHECK(t->contrasts == 1 && t->contrast[0].verdict == CONFIRMED && t->contrast[0].n == 20 &&
              isnan(t->contrast[0].paper),
          "the ordering of one's own table");
    CHECK(t->beyond && all->sum.tables == 19 && all->sum.cells == 744 && all->sum.orderings == 375 &&
              !all->sum.all.claim[CONFIRMED],
          "a table beyond the paper is in no sum: %d tables, %d cells, %d orderings, %d confirmed", all->sum.tables,
          all->sum.cells, all->sum.orderings, all->sum.all.claim[CONFIRMED]);
    CHECK(t->cell[0].digits == 2 && t->cell[0].sd_digits == 2, "%d digits where nothing is printed", t->cell[0].digits);
    CHECK(!strcmp(contrasts_what(&a, &t->contrast[0]), "JC > CE"), "%s", contrasts_what(&a, &t->contrast[0]));
    const char *to = arena_printf(&a, "%s/figures", dir);
    figures_write(&a, rows, arena_printf(&a, "%s/curves", dir), at, to);
    CHECK(access(arena_printf(&a, "%s/dots-own.tsv", to), R_OK) == 0, "no figure of one's own table");
    arena_free(&a);
}

static void read_it(void *at) { definitions_read(at); }

static void refused(void)
{
    static const struct {
        const char *file, *row, *says;
    } bad[] = {
        {"tables.tsv", "x\tx\tmodel\tdataset\t-\tloss=jc\tprinted\t-\t1\n", "FILTER : FILTER"},
        {"tables.tsv", "x\tx\tmodel\tdataset\t-\t-\tperhaps\t-\t1\n", "perhaps"},
        {"tables.tsv", "../x\tx\tmodel\tdataset\t-\t-\tprinted\t-\t1\n", "name of a file"},
        {"tables.tsv", "x\tx\tmodel\n", "is empty"},
        {"metrics.tsv", "m\tM\tmoon\t-\t1\t0\t0\t-\tmeasured\t0\t0\t0\n", "not a measured column"},
        {"metrics.tsv", "m\tM\ttest_acc\t-\tmany\t0\t0\t-\tmeasured\t0\t0\t0\n", "many"},
        {"metrics.tsv", "m\tM\ttest_acc\t-\t1\t0\t0\t-\tmeasured\t0\t0.5\t0\n", "fixed"},
        {"titles.tsv", "x\t-\n", "title"},
        {"splits.tsv", "x\t0\t1\n", "count"},
        {"gain_rows.tsv", "explain\tx\ta=b\t-\t-\tnarrow\t-\t0\n", "narrow"},
        {"gain_rows.tsv", "explain\tx\ta=b\tc=d\t-\taccuracy\t-\t0\n", "one kind of units"},
        {"gain_rows.tsv", "explain\tx\ta=b\t-\tp,q\tgain\t-\t0\n", "two kinds of units"},
        {"gain_rows.tsv", "nothing\tx\ta=b\t-\t-\tnone\t-\t0\n", "name no table"},
        {"figures.tsv", "f\ts\tcake\t0\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t0\tT\tx\n", "cake"},
        {"figures.tsv", "f\ts\tplain\t0\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t0\tT\tx $nothing\n", "$nothing"},
    };
    arena a = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *at = copy(&a, arena_printf(&a, "bad%zu", i));
        append(&a, at, bad[i].file, bad[i].row);
        const char *why = err_try(read_it, (void *)at);
        CHECK(why && strstr(why, bad[i].file) && strstr(why, bad[i].says), "%s: %s", bad[i].file,
              why ? why : "accepted");
    }
    const char *why = err_try(read_it, arena_printf(&a, "%s/nowhere", dir));
    CHECK(why && strstr(why, "tables.tsv"), "no directory: %s", why ? why : "accepted");
    arena_free(&a);
}

TEST_MAIN(test_definitions)
{
    err_program = "test_definitions";
    if (!mkdtemp(dir))
        return EXIT_FAILURE;
    whole();
    own_table();
    refused();
    test_remove(dir);
    return test_end();
}
