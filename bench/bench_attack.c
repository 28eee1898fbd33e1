/* Table adv_res: accuracy on graphs poisoned by metattack, 5 to 25 % of the links, as Pro-GNN publishes them; and on the clean graphs, which the
 * paper leaves out. The release's SGC+JC (learning rate 0.1, five clusters) does not give the printed numbers on Cora, so there SGC, CE and JC alike,
 * also has cells with searched hyper-parameters (tuning=searched: specs/attack.tsv, validation nodes only). */
#include "../src/base/arena.h"
#include "attack_cells.h"
#include "bench.h"
#include <string.h>

static const char *const datasets[] = {"cora-lcc", "citeseer-lcc", "polblogs-lcc", "pubmed-lcc"};
enum { DATASETS = sizeof datasets / sizeof *datasets, RATES = 6, MOST = DATASETS * RATES * ATTACK_NETWORKS * 2 };

static const char *const *make_cells(arena *a, const struct queue *q)
{
    const char **cells = NEW(a, const char *, MOST + 1);
    int n = 0;
    (void)q;
    for (int d = 0; d < DATASETS; d++)
        for (int rate = 0; rate < 5 * RATES; rate += 5) {
            const char *graph = rate ? arena_printf(a, "attack=meta:%g", rate / 100.0) : "attack=none";
            for (int k = 0; k < ATTACK_NETWORKS; k++) {
                const char *cell = arena_printf(a, "dataset=%s %s %s setting=ptb=%d", datasets[d], graph, attack_networks[k], rate);
                cells[n++] = cell;
                if (d == 0 && strstr(cell, "model=sgc"))
                    cells[n++] = arena_printf(a, "%s,tuning=searched", cell);
            }
        }
    return cells;
}

const bench bench_attack = {
    .name = "attack",
    .about = "table adv_res: graphs poisoned by metattack",
    .make_cells = make_cells,
};
BENCH_MAIN(bench_attack)
