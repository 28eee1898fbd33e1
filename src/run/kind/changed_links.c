/* changed-links: training on an attacked graph; the curve has the statistics of the changed links. */
#include "../../base/file.h"
#include "../../net/loss/loss.h"
#include "../../base/tsv.h"
#include "../../base/buf.h"
#include "../queue.h"
#include <stdio.h>

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
static void show(const cell *c, int run, const char *curve)
{
    arena a = {0};
    if (run == 0 && c->backbone == &backbone_gcn && c->objective == &objective_ce) {
        tsv t = tsv_read(&a, curve);
        if (t.rows == 1)
            printf("%-14s attack=%-22s %5s added %4s deleted; of the added %5.1f %% join equal classes, %5.1f %% touch "
                   "a training node\n",
                   c->s.dataset, c->s.attack.text, tsv_get(&t, 0, "added"), tsv_get(&t, 0, "deleted"),
                   100 * tsv_number(&t, 0, "added_homophily"), 100 * tsv_number(&t, 0, "added_touch_training"));
    }
    arena_free(&a);
}

const bench_kind kind_changed_links = {.name = "changed-links", KIND_TRAINING, .after = after, .show = show};
