/* The scheduler and the tables agree on which cells fill which numbers: every ordering of the paper's tables has both
 * sides among the cells of the experiments, those of methods with networks of their own too. */
#include "../../src/run/bench.h"
#include "../../src/run/queue.h"
#include "../../src/result/verdicts.h"
#include "../../src/result/definitions.h"
#include "test.h"
#include <stdlib.h>

TEST_MAIN(test_verdicts)
{
    const char *top = getenv("srcdir");
    arena a = {0};
    static queue q;
    top = top ? top : ".";
    q.data = arena_printf(&a, "%s/data", top);
    q.specs = arena_printf(&a, "%s/bench/specs", top);
    q.out = "none";
    q.runs = 10;
    q.seed = 1;
    bench_shelf shelf = {.a = &a, .dir = arena_printf(&a, "%s/bench", top)};
    for (bench *const *b = bench_all(&shelf); *b; b++)
        queue_add(&q, *b);
    const verdicts *v = (verdicts *)verdicts_open(&q.a, &q, arena_printf(&a, "%s/paper_tables", top), 0);
    int all = 0;
    for (int t = 0; t < v->tables; t++) {
        int unmatched = 0;
        for (int i = v->first[t]; i < v->first[t + 1]; i++, all++)
            unmatched += v->goals.claim[i].a < 0 || v->goals.claim[i].b < 0;
        const char *label = definitions.table[t].label;
        CHECK(!unmatched, "%s: %d of %d orderings have no cell", label, unmatched, v->first[t + 1] - v->first[t]);
    }
    printf("%d orderings\n", all);
    return test_end();
}
