/* Table adv_res: accuracy on graphs poisoned by metattack, 5 to 25 % of the links, as Pro-GNN publishes them; and on
 * the clean graphs, which the paper leaves out. On Cora SGC, CE and JC alike, also has cells with searched
 * hyper-parameters (tuning=searched: specs/attack.tsv, validation nodes only). */
#include "attack_cells.h"
#include "bench.h"

enum { RATES = 6, MOST = ATTACK_DATASETS * RATES * ATTACK_NETWORKS * 2 };

static const char *const *make_cells(arena *a, const struct queue *q)
{
    const char **cells = NEW(a, const char *, MOST + 1);
    int n = 0;
    (void)q;
    for (int d = 0; d < ATTACK_DATASETS; d++)
        for (int rate = 0; rate < 5 * RATES; rate += 5) {
            const char *graph = rate ? arena_printf(a, "meta:%g", rate / 100.0) : "none",
                       *setting = arena_printf(a, "ptb=%d", rate);
            for (int k = 0; k < ATTACK_NETWORKS; k++) {
                const char *cell = attack_cell(a, &attack_datasets[d], graph, k, setting);
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
