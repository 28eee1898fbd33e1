/* Table adv_res: accuracy on graphs poisoned by metattack, 5 to 25 % of the links, as Pro-GNN publishes them; and on
 * the clean graphs, which the paper leaves out. SGC is also run with searched hyper-parameters (tuning=searched:
 * specs/attack.tsv, validation nodes only) and with those that fit the printed numbers (tuning=fitted). */
#include "attack_cells.h"
#include "bench.h"

enum { RATES = 6, MOST = ATTACK_DATASETS * RATES * ATTACK_NETWORKS * 3 };

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
                const attack_dataset *to = &attack_datasets[d];
                const char *cell = attack_meta_cell(a, to, graph, k, setting);
                const char *fitted = strstr(cell, "loss=jc") ? to->fitted_jc : to->fitted_ce;
                cells[n++] = cell;
                if (attack_is_sgc(k))
                    cells[n++] = arena_printf(a, "%s,tuning=searched", cell);
                if (attack_is_sgc(k) && fitted && rate)
                    cells[n++] = attack_cell(a, to->name, graph, k, arena_printf(a, "%s %s", to->sgc, fitted),
                                             arena_printf(a, "%s,tuning=fitted", setting));
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
