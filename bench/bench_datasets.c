/* Tables dataset and dataset_attack: the statistics of the data sets, counted in what is on this machine, against the printed ones. Homophily (the
 * share of edges that join equal labels) and imbalance (largest class / smallest class) are added. Edges are undirected, without loops
 * and repeats; the notes of the tables say how the paper counts them. */
#include "../src/base/err.h"
#include "../src/base/hash.h"
#include "../src/base/opt.h"
#include "../src/data/catalog.h"
#include "../src/data/split.h"
#include "../src/report/record.h"
#include "bench.h"
#include "select.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TWIN_EDGES = 5000000 /* a twin has the catalogue's counts by construction: larger ones are not made to count them */ };

typedef struct task_of {
    arena a;
    const data_dirs *dirs;
    const catalog_entry *e;
    dataset *d;
    split part;
} task_of;

static void open_one(void *arg)
{
    task_of *t = arg;
    t->d = dataset_open(&t->a, t->dirs, t->e->name);
    t->part = split_draw(&t->a, t->d, t->e->rule, 1, 0);
}

static const char *const column[] = {"key", "experiment", "dataset", "model", "loss", "setting", "run", "seed", "nodes", "edges", "features",
    "classes", "homophily", "imbalance", "train", "val", "test", "origin", "data_hash", "param_hash", "status"};
enum { COLUMNS = sizeof column / sizeof *column };

static void keep(record_file *f, const dataset *d, const split *part)
{
    char text[COLUMNS][64];
    const char *value[COLUMNS];
    int n = 0;
#define PUT(...) (snprintf(text[n], sizeof text[n], __VA_ARGS__), value[n] = text[n], n++)
    PUT("%016llx", (unsigned long long)hash_u64(hash_text(HASH_INIT, d->name), d->hash));
    if (record_done(f, text[0]))
        return;
    PUT("datasets"), PUT("%s", d->name), PUT("-"), PUT("-"), PUT("-"), PUT("0"), PUT("1"), PUT("%d", d->nodes);
    PUT("%lld", (long long)csr_nnz(&d->graph) / 2), PUT("%d", d->features), PUT("%d", d->classes), PUT("%.9g", dataset_homophily(d));
    PUT("%.9g", dataset_imbalance(d)), PUT("%d", part->n[TRAIN]), PUT("%d", part->n[VAL]), PUT("%d", part->n[TEST]);
    PUT("%s", origin_name[d->origin]), PUT("%016llx", (unsigned long long)d->hash), PUT("-"), PUT("ok");
#undef PUT
    record_append(f, value);
}

/* What was counted and, where the paper prints another number, that too. */
static void show_count(int64_t n, int64_t paper, int width)
{
    char text[64];
    if (paper && paper != n)
        snprintf(text, sizeof text, "%lld (%lld)", (long long)n, (long long)paper);
    else
        snprintf(text, sizeof text, "%lld", (long long)n);
    printf(" %-*s", width, text);
}

static void show_real(double x, int digits)
{
    if (x == x)
        printf(" %9.*f", digits, x);
    else
        printf(" %9s", "-");
}

static void show(const catalog_entry *e, const dataset *d, const split *part)
{
    printf("%-18s %-10s", d->name, origin_name[d->origin]);
    show_count(d->nodes, e->paper_nodes, 15);
    show_count(csr_nnz(&d->graph) / 2, e->paper_edges, 17);
    show_count(d->features, e->paper_features, 8);
    show_count(d->classes, e->paper_classes, 7);
    show_real(dataset_homophily(d), 4);
    show_real(dataset_imbalance(d), 1);
    printf("  %d / %d / %d\n", part->n[TRAIN], part->n[VAL], part->n[TEST]);
}

/* The value of --only dataset=A|B; NULL: all. */
static const char *wanted(const char *only)
{
    if (only && (strncmp(only, "dataset=", 8) || strchr(only, ',')))
        opt_wrong("--only wants dataset=NAME[|NAME], not '%s'", only);
    return only ? only + 8 : NULL;
}

int main(int argc, char **argv)
{
    const char *data, *out, *only = NULL, *text;
    int quiet = 0, number, failed = 0, seen = 0;
    double seconds;
    static const char none[] = "taken, as by the other programs, and of no effect: nothing is trained";
    const opt table[] = {
        OPT_DATA(&data), OPT_OUT(&out),
        {"only", OPT_TEXT, &only, "dataset=A|B", "only these data sets", NULL, 0, 0},
        {"quiet", OPT_FLAG, &quiet, NULL, "no table", NULL, 0, 0},
        {"time", OPT_SECONDS, &seconds, "TIME", none, NULL, 0, 0},
        {"longest", OPT_SECONDS, &seconds, "TIME", none, NULL, 0, 0},
        {"runs", OPT_INT, &number, "N", none, NULL, 1, 100000},
        {"jobs", OPT_INT, &number, "N", none, NULL, 1, 4096},
        {"specs", OPT_TEXT, &text, "DIR", none, NULL, 0, 0},
        {0},
    };
    err_program = "bench_datasets";
    opt_only(argc, argv, table, "bench_datasets [option ...]\ntables dataset, dataset_attack: statistics of the data sets",
             "Counts go to DIR/records/datasets.tsv; the paper's numbers are in parentheses where they differ.\n");
    only = wanted(only);
    arena a = {0};
    data_dirs dirs = select_dirs(&a, data);
    catalog c = catalog_read(&a, dirs.catalog);
    record_file *f = record_open(&a, arena_printf(&a, "%s/records/datasets.tsv", out), column, COLUMNS);
    if (!quiet)
        printf("%-18s %-10s %-15s %-17s %-8s %-7s %9s %9s  %s\n", "dataset", "origin", "nodes (paper)", "edges (paper)", "features", "classes",
               "homophily", "imbalance", "train / val / test");
    for (int i = 0; i < c.n; i++) {
        task_of t = {.dirs = &dirs, .e = c.entry + i};
        const char *name = t.e->name, *error = NULL;
        if (only && !select_match(only, strlen(only), name))
            continue;
        seen++;
        if (t.e->edges > TWIN_EDGES && dataset_missing(&dirs, name)) {
            if (!quiet)
                printf("%-18s -          its files are not here, and a twin of %lld edges is not made for this\n", name, (long long)t.e->edges);
        } else if ((error = err_try(open_one, &t))) {
            warn("%s: %s", name, error);
            failed = 1;
        } else {
            keep(f, t.d, &t.part);
            if (!quiet)
                show(t.e, t.d, &t.part);
        }
        arena_free(&t.a);
    }
    record_close(f);
    if (!seen)
        die("no data set matches --only dataset=%s (jcb data list names them)", only);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
