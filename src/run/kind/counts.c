/* counts: statistics of a data set on this machine. A cell is a data set. Everything is counted when the cell is
 * prepared; its one run has nothing left to do. */
#include "../../base/err.h"
#include "../../base/hash.h"
#include "../../data/split.h"
#include "../queue.h"
#include <stdio.h>

enum {
    TWIN_EDGES = 5000000 /* a twin has the catalogue's counts by construction; larger ones are not worth making */
};

typedef struct counts {
    int known;
    int nodes, features, classes, part[PARTS];
    int64_t edges;
    double homophily, imbalance;
    enum origin origin;
    uint64_t hash;
} counts;

struct opening {
    const queue *q;
    const queue_cell *c;
    arena a;
};

static void open_and_count(void *arg)
{
    struct opening *o = arg;
    const catalog_entry *e = o->c->set->entry;
    const dataset *d = dataset_open(&o->a, &o->q->dirs, e->name);
    split part = split_draw(&o->a, d, e->rule, 1, 0);
    *(counts *)o->c->own = (counts){1,
                                    d->nodes,
                                    d->features,
                                    d->classes,
                                    {part.n[TRAIN], part.n[VAL], part.n[TEST]},
                                    csr_nnz(&d->graph) / 2,
                                    dataset_homophily(d),
                                    dataset_imbalance(d),
                                    d->origin,
                                    d->hash};
}

static int prepare(const queue *q, queue_cell *c)
{
    const catalog_entry *e = c->set->entry;
    if (e->edges > TWIN_EDGES && dataset_missing(&q->dirs, e->name))
        return 0;
    struct opening o = {q, c, {0}};
    const char *error = err_try(open_and_count, &o);
    arena_free(&o.a);
    if (error)
        die("%s", error);
    return 1;
}

static double seconds(const queue_cell *c) { return 0.05 + 2e-6 * (double)c->set->entry->edges; }

static void key_of(char out[17], const queue *q, const queue_cell *c, int run)
{
    const counts *n = c->own;
    (void)q, (void)run;
    snprintf(out, 17, "%016llx", (unsigned long long)hash_u64(hash_text(HASH_INIT, c->cell.s.dataset), n->hash));
}

static void run(void *result, const queue *q, const queue_cell *c, int run)
{
    (void)result, (void)q, (void)c, (void)run;
}

static const char *const column[] = {"key",       "experiment", "dataset", "model", "loss",     "setting",
                                     "run",       "seed",       "nodes",   "edges", "features", "classes",
                                     "homophily", "imbalance",  "train",   "val",   "test",     "origin",
                                     "data_hash", "param_hash", "status"};
enum { COLUMNS = sizeof column / sizeof *column };

static run_file open_records(arena *a, const char *path, const bench *b)
{
    return (run_file){record_open(a, path, column, COLUMNS), b->name, "", 0};
}

static int append(const queue *q, const queue_cell *c, int run, const void *result, int jobs)
{
    const counts *d = c->own;
    char key[17];
    (void)result, (void)jobs;
    key_of(key, q, c, run);
    record_row row = record_row_new(c->file->records.f);
    record_put(&row, "key", "%s", key);
    record_put(&row, "experiment", "%s", c->file->b->name);
    record_put(&row, "dataset", "%s", c->cell.s.dataset);
    record_put(&row, "model", "-");
    record_put(&row, "loss", "-");
    record_put(&row, "setting", "-");
    record_put(&row, "run", "0");
    record_put(&row, "seed", "1");
    record_put(&row, "nodes", "%d", d->nodes);
    record_put(&row, "edges", "%lld", (long long)d->edges);
    record_put(&row, "features", "%d", d->features);
    record_put(&row, "classes", "%d", d->classes);
    record_put(&row, "homophily", "%.9g", d->homophily);
    record_put(&row, "imbalance", "%.9g", d->imbalance);
    record_put(&row, "train", "%d", d->part[TRAIN]);
    record_put(&row, "val", "%d", d->part[VAL]);
    record_put(&row, "test", "%d", d->part[TEST]);
    record_put(&row, "origin", "%s", origin_name[d->origin]);
    record_put_hash(&row, "data_hash", d->hash);
    record_put(&row, "param_hash", "-");
    record_put(&row, "status", "ok");
    record_row_append(&row);
    return 1;
}

static void list(const queue *q, queue_cell *c)
{
    const catalog_entry *e = c->set->entry;
    printf("dataset=%s setting=- nodes=%d edges=%lld files=%s\n", e->name, e->nodes, (long long)e->edges,
           dataset_missing(&q->dirs, e->name) ? "missing" : "here");
}

/* --- summary --- */

/* The count, with the paper's number in parentheses if it differs. */
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

static void show(const queue_cell *c)
{
    const catalog_entry *e = c->set->entry;
    const counts *d = c->own;
    if (c->state == CELL_LEFT_OUT)
        printf("%-18s -          files missing; a twin of %lld edges is not made for these statistics\n", e->name,
               (long long)e->edges);
    if (!d->known)
        return;
    printf("%-18s %-10s", e->name, origin_name[d->origin]);
    show_count(d->nodes, e->paper_nodes, 15);
    show_count(d->edges, e->paper_edges, 17);
    show_count(d->features, e->paper_features, 8);
    show_count(d->classes, e->paper_classes, 7);
    show_real(d->homophily, 4);
    show_real(d->imbalance, 1);
    printf("  %d / %d / %d\n", d->part[TRAIN], d->part[VAL], d->part[TEST]);
}

static void summary(queue *q, const records *r)
{
    (void)r;
    printf("%-18s %-10s %-15s %-17s %-8s %-7s %9s %9s  %s\n", "dataset", "origin", "nodes (paper)", "edges (paper)",
           "features", "classes", "homophily", "imbalance", "train / val / test");
    for (int k = 0; k < q->cells; k++)
        show(q->cell + k);
}

const bench_kind kind_counts = {
    .name = "counts",
    .max_runs = 1,
    .own = sizeof(counts),
    .open = open_records,
    .seconds = seconds,
    .prepare = prepare,
    .key = key_of,
    .run = run,
    .append = append,
    .list = list,
    .summary = summary,
};
