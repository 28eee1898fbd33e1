/* The text files of the experiments: those of bench/ are right, what is searched for them is used by rows that say so,
 * products and bases give the cells that they should, and wrong files are refused with file, line and column. */
#include "../../src/run/bench.h"
#include "../../src/run/product.h"
#include "../../src/run/queue.h"
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "test.h"
#include <unistd.h>

static char dir[] = "/tmp/test_bench.XXXXXX";

/* --- the files of bench/ --- */

static void test_tree(void)
{
    arena a = {0};
    bench_shelf shelf = {.a = &a, .dir = arena_printf(&a, "%s", test_path("bench"))};
    catalog names = catalog_read(&a, arena_printf(&a, "%s", test_path("data/catalog.tsv")));
    int last = 0, count = 0, cells = 0;
    for (bench *const *b = bench_all(&shelf); *b; b++, count++) {
        const bench_cell *c = bench_cells(&a, *b, &names);
        const char *path = arena_printf(&a, "bench/specs/%s.tsv", (*b)->specs ? (*b)->specs : (*b)->name);
        spec_file f = spec_file_read(&a, arena_printf(&a, "%s", test_path(path)));
        CHECK((*b)->cells > 0 && (*b)->order > last, "%s: %d cells, order %d after %d", (*b)->path, (*b)->cells,
              (*b)->order, last);
        for (int i = 0; i < (*b)->cells; i++) {
            CHECK(catalog_search(&names, c[i].cell.s.dataset) != NULL, "%s:%d: unknown data set %s", (*b)->path,
                  c[i].line, c[i].cell.s.dataset);
            cell x = c[i].cell;
            int searched = spec_file_apply(&f, &x, (*b)->specs ? "-" : x.setting);
            CHECK(!searched || c[i].source == SOURCE_SEARCHED, "%s:%d: %s has a row, but the source is not `searched`",
                  (*b)->path, c[i].line, path);
        }
        for (int i = 0; i < f.t.rows && !(*b)->specs; i++)
            CHECK(f.row[i].used, "%s: row %d matches no cell", path, i + 1);
        last = (*b)->order;
        cells += (*b)->cells;
    }
    CHECK(count >= 26, "%d experiments", count);
    printf("%d experiments, %d cells\n", count, cells);
    arena_free(&a);
}

/* --- what rows mean --- */

struct reading { /* the arguments of read_cells */
    bench_shelf *shelf;
    const char *path;
    bench *b;
};

static void read_cells(void *arg)
{
    struct reading *r = arg;
    const catalog_entry entry[] = {{.name = "cora"}, {.name = "pubmed"}};
    const catalog names = {.n = 2, .entry = (catalog_entry *)entry};
    r->b = bench_find(r->shelf, r->path);
    bench_cells(r->shelf->a, r->b, &names);
}

/* The cells of a text, a line each: data set, model, loss, setting, lr; or the message. */
static const char *cells_of(arena *a, const char *text)
{
    bench_shelf shelf = {.a = a, .dir = dir};
    struct reading r = {&shelf, arena_printf(a, "%s/mine.tsv", dir), NULL};
    file_write(r.path, text, strlen(text));
    const char *error = err_try(read_cells, &r), *out = "";
    if (error)
        return arena_printf(a, "%s", error);
    for (int i = 0; i < r.b->cells; i++) {
        const cell *c = &r.b->cell[i].cell;
        out = arena_printf(a, "%s%s %s %s %s %g\n", out, c->s.dataset, c->s.model, c->s.loss, c->setting, c->s.lr);
    }
    return out;
}

static void test_rows(void)
{
    static const struct {
        const char *text, *cells;
    } good[] = {
        {"cells\tsource\ndataset=cora|pubmed loss=ce|jc\tours\n",
         "cora gcn ce - 0.01\ncora gcn jc - 0.01\npubmed gcn ce - 0.01\npubmed gcn jc - 0.01\n"},
        {"# a comment\ncells\tsource\tsetting\n\nn=1..3 lr=.{n}\tours: why\trate={n}\n",
         "cora gcn ce rate=1 0.1\ncora gcn ce rate=2 0.2\ncora gcn ce rate=3 0.3\n"},
        {"for\tcells\tsetting\tsource\ndataset=cora|pubmed\tmodel=gcn lr=.1\t-\tours\n\"\tmodel=sgc lr=.2\tx=1\t\"\n",
         "cora gcn ce - 0.1\ncora sgc ce x=1 0.2\npubmed gcn ce - 0.1\npubmed sgc ce x=1 0.2\n"},
        {"cells\tsource\ndataset/lr=cora/.1|pubmed/.2\tours\n", "cora gcn ce - 0.1\npubmed gcn ce - 0.2\n"},
        {"cells\tfrom\nlr=.5\tbase loss=jc\n", "cora gcn jc - 0.5\npubmed gcn jc - 0.5\n"},
        {"cells\tfrom\tsetting\na=1|2\tbase dataset=cora\ta={a}\n",
         "cora gcn ce a=1 0.1\ncora gcn jc a=1 0.2\ncora gcn ce a=2 0.1\ncora gcn jc a=2 0.2\n"},
        {"cells\tonly\tsetting\tsource\nk=1..3 lr=.{k} dataset=cora|pubmed\tdataset=cora k=2|3\tk={k}\tsearched: "
         "specs/mine.tsv\n",
         "cora gcn ce k=2 0.2\ncora gcn ce k=3 0.3\n"},
        {"# kind: counts\ncells\ndataset=* model=- loss=-\n", "cora - - - 0.01\npubmed - - - 0.01\n"},
    };
    arena a = {0};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const char *got = cells_of(&a, arena_printf(&a, "# about: x\n%s", good[i].text));
        CHECK(!strcmp(got, good[i].cells), "case %zu: %s", i, got);
    }
    arena_free(&a);
}

/* --- wrong files --- */

#define TABLE "# about: x\ncells\tsource\n"

static void test_wrong(void)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "mine.tsv: the property `# about: ...` is missing"},
        {"# about: x\n", "mine.tsv: no rows"},
        {"# about: x\n# run: 3\n", "mine.tsv:2: unknown property 'run'; did you mean 'runs'?"},
        {"# about: x\n# runs: many\n", "mine.tsv:2: runs must be a whole number from 1 to 100000, not 'many'"},
        {"# about: x\n# kind: training2\n", "mine.tsv:2: unknown kind 'training2'; did you mean 'training'?"},
        {"# about: x\n# order:\n", "mine.tsv:2: order has no value"},
        {"# about: x\n# unsearched: kept\n", "mine.tsv:2: unsearched must be 'left out', not 'kept'"},
        {"# about: x\ncell\tsource\n", "mine.tsv:2: unknown column 'cell'; did you mean 'cells'?"},
        {"# about: x\ncells\tcells\n", "mine.tsv:2: the column cells is there twice"},
        {TABLE "lr=1\tours\tmore\n", "mine.tsv:3: more cells than the header line has columns"},
        {TABLE "lr=1\t\"\n", "mine.tsv:3: source: \" in the first row"},
        {TABLE "lr=1\t-\n", "mine.tsv:3: source: where are the hyper-parameters from?"},
        {TABLE "lr=1\tour\n", "mine.tsv:3: source: unknown source 'our'; did you mean 'ours'?"},
        {TABLE "lr=1\tsearched: specs/other.tsv\n", "mine.tsv:3: source: 'searched: specs/other.tsv', but what is"},
        {TABLE "lrr=1\tours\n", "mine.tsv:3: cells: unknown hyper-parameter 'lrr'; did you mean 'lr'?"},
        {TABLE "lr\tours\n", "mine.tsv:3: cells: 'lr' is not key=value"},
        {TABLE "lr=\tours\n", "mine.tsv:3: cells: 'lr' is not key=value"},
        {TABLE "lr=.1||.2\tours\n", "mine.tsv:3: cells: lr has an empty value"},
        {TABLE "lr/wd=.1/0|.2\tours\n", "mine.tsv:3: cells: '.2' has 1 value for the 2 keys that change together"},
        {TABLE "hidden=8..4\tours\n", "mine.tsv:3: cells: the range 8..4 of hidden is empty"},
        {TABLE "hidden=1..5000\tours\n", "mine.tsv:3: cells: hidden has more than 1000 values"},
        {TABLE "lr=fast\tours\n", "mine.tsv:3: cells: lr must be a number, not 'fast'"},
        {TABLE "lr=1000\tours\n", "mine.tsv:3: cells: lr is 1000; it must lie between"},
        {TABLE "model=gnc\tours\n", "mine.tsv:3: cells: unknown model 'gnc'"},
        {TABLE "\nlr={rate}\tours\n", "mine.tsv:4: cells: {rate} has no value here"},
        {TABLE "rate=.1 lr={rat}\tours\n", "mine.tsv:3: cells: {rat} has no value here; did you mean 'rate'?"},
        {TABLE "rate=.1 lr={rate\tours\n", "mine.tsv:3: cells: '{rate' has a { without }"},
        {TABLE "lr=.1 setting=a=1\tours\n", "mine.tsv:3: cells: setting is a column of its own"},
        {TABLE "lr=.1\tours\nlr=.2\tours\n", "mine.tsv:4: setting: the cell cora gcn ce - is that of line 3"},
        {"# about: x\nfor\tcells\tsource\nsed=1..2\tlr=.1\tours\n\"\tlr=.2\t\"\n", "mine.tsv:4: setting: the cell"},
        {"# about: x\nfor\tcells\tsource\nlamda=1\tlr=.1\tours\n",
         "mine.tsv:3: for: unknown hyper-parameter 'lamda'; did you mean 'lambda'?"},
        {"# about: x\nfrom\nbse\n", "mine.tsv:3: from: there is no experiment 'bse'"},
        {"# about: x\nfrom\nmine\n", "mine.tsv: its cells are made from themselves (column from)"},
        {"# about: x\nfrom\nbase loss\n", "mine.tsv:3: from: 'base loss' is not NAME key=value ..."},
        {"# about: x\nfrom\nbase loss=ic\n", "mine.tsv:3: from: the row makes no cell"},
        {"# about: x\nfrom\nbase los=jc\n", "mine.tsv:3: from: key 1 of 'los=jc' is neither a hyper-parameter nor"},
        {"# about: x\ncells\tonly\tsource\nlr=.1\tloss=jc\tours\n", "mine.tsv:3: only: the row makes no cell"},
        {"# about: x\ncells\tonly\tsource\nlr=.1\tloss\tours\n", "mine.tsv:3: only: 'loss' is not key=value ..."},
        {"# about: x\ncells\tsetting\tsource\nlr=.1\ta b\tours\n", "mine.tsv:3: setting: 'a b' has a blank"},
    };
    arena a = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *got = cells_of(&a, bad[i].text), *name = strstr(got, "mine.tsv");
        CHECK(name && !strncmp(name, bad[i].says, strlen(bad[i].says)), "case %zu: '%s' instead of '%s'", i, got,
              bad[i].says);
    }
    arena_free(&a);
}

TEST_MAIN(test_bench)
{
    static const char base[] = "# about: y\ncells\tsource\ndataset=cora|pubmed loss/lr=ce/.1|jc/.2\tauthors' release\n";
    arena a = {0};
    CHECK(mkdtemp(dir) != NULL, "a directory");
    file_write(arena_printf(&a, "%s/base.tsv", dir), base, sizeof base - 1);
    test_tree();
    test_rows();
    test_wrong();
    test_remove(dir);
    arena_free(&a);
    return test_end();
}
