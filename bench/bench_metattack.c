/* Our own metattack beside the published graphs, on Cora, and on CiteSeer and Polblogs at 5 and 20 %: accuracy on the
 * poisoned graphs, and statistics of the changed links. Three attacks: exact Meta-Self with new random weights for
 * every flip; the same with fixed initial weights and 25 instead of 100 steps of inner training (the strongest of T =
 * 10, 25, 50 and 100 by the validation accuracy of GCN; Cora, 20 %, seed 1); and A-Meta-Self. Each is greedy: the flips
 * of a smaller rate are the first flips of a larger one. At 20 % two more seeds. A run writes the statistics of its
 * graph to OUT/curves/metattack/KEY.tsv. PubMed is left out: it has 63 times the pairs and 9 times the flips of Cora.
 */
#include "../src/base/file.h"
#include "../src/base/tsv.h"
#include "../src/base/buf.h"
#include "attack_cells.h"
#include "bench.h"
#include <stdio.h>

static const struct {
    const char *name, *attack, *after; /* setting graph=NAME, attack=ATTACK:RATE[:SEED]AFTER */
} graphs[] = {{"published", "meta", NULL},
              {"metaself", "metaself", ""},
              {"fixed-25", "metaself", ":fixed:steps25"},
              {"ameta", "ameta", ""}};

enum {
    GRAPHS = sizeof graphs / sizeof *graphs,
    SEEDS = 3,
    DATASETS = 3,
    MOST = DATASETS * 5 * GRAPHS * SEEDS * ATTACK_NETWORKS
};

static const char *const *make_cells(arena *a, const struct queue *q)
{
    const char **cells = NEW(a, const char *, MOST + 1);
    int n = 0;
    (void)q;
    for (int d = 0; d < DATASETS; d++)
        for (int rate = 5; rate <= 25; rate += d ? 15 : 5)
            for (int g = 0; g < GRAPHS; g++)
                for (int seed = 1; seed <= (rate == 20 && graphs[g].after ? SEEDS : 1); seed++) {
                    const char *graph = arena_printf(a, "%s:%g", graphs[g].attack, rate / 100.0);
                    const char *setting = arena_printf(a, "ptb=%d,graph=%s", rate, graphs[g].name);
                    if (graphs[g].after)
                        graph = arena_printf(a, "%s:%d%s", graph, seed, graphs[g].after);
                    if (seed > 1)
                        setting = arena_printf(a, "%s:%d", setting, seed);
                    for (int k = 0; k < ATTACK_NETWORKS; k++)
                        cells[n++] = attack_meta_cell(a, &attack_datasets[d], graph, k, setting);
                }
    return cells;
}

static void after(bench_run *r)
{
    const variant_change *c = problem_change(r->t->p);
    double n = c->added ? (double)c->added : 1;
    buf b = {.a = &r->t->a};
    buf_add(&b, "added\tdeleted\tadded_homophily\tadded_touch_training\ttest_acc\n%lld\t%lld\t%.4f\t%.4f\t%.6f\n",
            (long long)c->added, (long long)c->removed, (double)c->same / n, (double)c->touch / n, r->o->test.acc);
    file_write(r->curve, b.s, b.n);
}

/* One line for each graph: that of run 0 of GCN with CE. */
static void show(const spec *s, int run, const char *curve)
{
    arena a = {0};
    if (run == 0 && !strcmp(s->model, "gcn") && !strcmp(s->loss, "ce")) {
        tsv t = tsv_read(&a, curve);
        if (t.rows == 1)
            printf("%-14s attack=%-22s %5s added %4s deleted; of the added %5.1f %% join equal classes, %5.1f %% touch "
                   "a training node\n",
                   s->dataset, s->attack, tsv_get(&t, 0, "added"), tsv_get(&t, 0, "deleted"),
                   100 * tsv_number(&t, 0, "added_homophily"), 100 * tsv_number(&t, 0, "added_touch_training"));
    }
    arena_free(&a);
}

const bench bench_metattack = {
    .name = "metattack",
    .about = "our metattack beside the published poisoned graphs",
    .make_cells = make_cells,
    .after = after,
    .show = show,
};
BENCH_MAIN(bench_metattack)
