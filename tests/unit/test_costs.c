/* Expected seconds of runs: published means, the pace of this machine, runs of one's own; and the file of costs. */
#include "../../src/run/costs.h"
#include "test.h"
#include <math.h>
#include <string.h>

static void test_update(void)
{
    queue_cell c[3] = {{.published = 2}, {.published = 8}, {.published = 0, .seconds = 5}};
    queue q = {.cell = c, .cells = 3};
    costs_update(&q);
    CHECK(c[0].seconds == 2 && c[1].seconds == 8 && c[2].seconds == 5, "as published; otherwise the estimate");
    costs_add(&q, &c[0], 4); /* this machine needs twice as long */
    costs_update(&q);
    CHECK_NEAR(c[0].seconds, (3 * 2 * 2 + 4) / 4.0, 1e-12);
    CHECK_NEAR(c[1].seconds, 16, 1e-12);
    costs_add(&q, &c[2], 1);
    costs_add(&q, &c[2], 3);
    costs_add(&q, &c[2], NAN);
    costs_update(&q);
    CHECK_NEAR(c[2].seconds, 2, 1e-12);
    CHECK_NEAR(c[1].seconds, 16, 1e-12); /* cells that were not published say nothing about the pace */
}

static void test_file(void)
{
    arena a = {0};
    record v[4];
    for (int i = 0; i < 4; i++) {
        v[i] = (record){.experiment = "e",
                        .dataset = i == 2 ? "cora" : "pubmed",
                        .model = "gcn",
                        .loss = "ce",
                        .setting = "-",
                        .ok = i != 3};
        v[i].number[RUN_train_seconds] = i + 1;
    }
    buf out = {.a = &a};
    costs_tsv(&out, &(records){.v = v, .n = 4});
    CHECK(strstr(out.s, "\nexperiment\tdataset\tmodel\tloss\tsetting\tseconds\ne\tcora\tgcn\tce\t-"
                        "\t3\ne\tpubmed\tgcn\tce\t-\t1.5\n"),
          "%s", out.s);
    arena_free(&a);
}

TEST_MAIN(test_costs)
{
    test_update();
    test_file();
    return test_end();
}
