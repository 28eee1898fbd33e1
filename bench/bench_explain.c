/* What explains the gain of JC over CE: controls. GCN, SGC, MLP and GAT on the five graphs of main_res; every row of
 * the table is one way to train, compared with CE as published.
 *
 *   ce        CE as published                              jc          JC as published, on the paper's clusters
 *   ce-jc     CE at JC's lr, width, epochs, decay          jc-metis:S  the same on METIS partitions of seeds 1 to 8
 *   ce-tuned  CE, searched                                 jc-random   the same on random clusters
 *   ce-tau    CE with a temperature in training, searched  jc-tuned    JC, searched
 *   smooth    label smoothing, searched                    jcf         the factorised head, searched
 *   csmooth   smoothing towards the cluster's mean label   jct         trainable cluster statistics, searched
 *   postel    smoothing towards the neighbours' labels     ic          in-context learning, searched
 *   ensemble  two networks of CE as published, averaged
 *
 * All searched rows have the same number of points and seeds (bench/search.sh, bench/specs/explain.tsv). Searches of
 * the joint objectives start from the published JC, the others from the published CE. A searched row without a result
 * in the file of specs is left out. If the file has no rows at all (search.sh passes an empty directory), all rows are
 * made, as bases of the searches. */
#include "bench.h"
#include "../src/base/arena.h"
#include "../src/train/grid.h"
#include "main_cells.h"
#include "queue.h"
#include "select.h"
#include <string.h>

enum { MOST = 1000, STARTS = 8 };

/* change: appended to the text of the published cell; later pairs override earlier ones. */
static const struct {
    const char *name, *change;
    int from_jc, searched;
} row[] = {
    {"ce", "", 0, 0},
    {"ce-jc", "loss=ce tau=1 clusters=5", 1, 0},
    {"ce-tuned", "", 0, 1},
    {"ce-tau", "", 0, 1},
    {"smooth", "loss=smooth", 0, 1},
    {"csmooth", "loss=csmooth", 0, 1},
    {"postel", "loss=postel", 0, 1},
    {"ensemble", "method=ensemble", 0, 0},
    {"ic", "loss=ic", 0, 1},
    {"jc", "", 1, 0},
    {"jc-random", "partition=random", 1, 0},
    {"jc-tuned", "", 1, 1},
    {"jcf", "loss=jcf", 1, 1},
    {"jct", "loss=jct", 1, 1},
};

static int has_search_result(arena *a, spec_file *f, const char *text)
{
    spec s = spec_default();
    const char *setting = "-";
    grid_spec(a, &s, &setting, text, "cell");
    return spec_file_apply(a, f, &s, setting);
}

static const char *const *make_cells(arena *a, const struct queue *q)
{
    const char **cells = NEW(a, const char *, MOST + 1);
    spec_file specs = select_specs(a, q->specs, "explain");
    int n = 0;
    for (int i = 0; main_cells[i]; i += 2) { /* CE, then its JC */
        if (strstr(main_cells[i], "model=sage"))
            continue;
        for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
            const char *published = main_cells[i + row[k].from_jc];
            cells[n] = arena_printf(a, "%s %s setting=row=%s", published, row[k].change, row[k].name);
            n += !row[k].searched || !specs.t.rows || has_search_result(a, &specs, cells[n]);
        }
        for (int s = 1; s <= STARTS; s++)
            cells[n++] = arena_printf(a, "%s partition=metis:%d setting=row=jc-metis:%d", main_cells[i + 1], s, s);
    }
    cells[n] = NULL;
    return cells;
}

const bench bench_explain = {
    .name = "explain",
    .about = "what explains the gain of JC: equal budgets, other losses, other partitions",
    .make_cells = make_cells,
};
BENCH_MAIN(bench_explain)
