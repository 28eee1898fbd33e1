/* The table of bench_partitions: groups and their numbers from records that this test writes. */
#include "../src/paper/partitions.h"
#include "../src/paper/definitions.h"
#include "test.h"
#include <unistd.h>

static record_file *out;

static void row(const char *model, const char *loss, const char *setting, int run, double acc, const char *status)
{
    static int keys;
    char key[17], number[16], value[32];
    snprintf(key, sizeof key, "%016x", ++keys);
    snprintf(number, sizeof number, "%d", run);
    snprintf(value, sizeof value, "%.6f", acc / 100);
    record_append(out, (const char *[]){key, "partitions", "cora", model, loss, setting, number, "1", value, "real",
                                        "0", status});
}

static void test_groups(void)
{
    static const char *const columns[] = {"key", "experiment", "dataset",  "model",  "loss",       "setting",
                                          "run", "seed",       "test_acc", "origin", "param_hash", "status"};
    char dir[] = "/tmp/jcb_partitions_XXXXXX";
    arena a = {0};
    if (!mkdtemp(dir))
        CHECK(0, "no directory");
    out = record_open(&a, arena_printf(&a, "%s/records/partitions.tsv", dir), columns, 12);
    for (int r = 0; r < 4; r++) {
        row("gcn", "ce", "-", r, 80 + r, "ok");
        row("gcn", "jc", "partition=metis", r, 82 + r, "ok");
        row("gcn", "jc", "partition=metis:1", r, 79 + r, "ok");
        row("gcn", "jc", "partition=metis:2", r, 81 + r, "ok");
        row("gcn", "jc", "partition=metis:3", r, 83 + r, "ok");
        if (r != 2) /* a gap ends what counts */
            row("gcn", "jc", "partition=random:1", r, 85 + r, "ok");
        row("sgc", "jc", "partition=metis:1", r, 80, "ok"); /* no CE beside it */
        row("gcn", "jc", "partition=kmeans:1", r, 80, r ? "ok" : "failed:loss is not finite");
    }
    record_close(out);
    records r = records_read(&a, arena_printf(&a, "%s/records", dir));
    int n;
    const partition_group *g = partitions_read(&a, &r, &n);
    CHECK(n == 3 && g[0].kind == PAPERS && g[1].kind == METIS && g[2].kind == RANDOM, "%d groups", n);
    CHECK_NEAR(g[0].mean, 2, 1e-9);
    CHECK(g[1].partitions == 3 && g[1].runs == 4 && g[2].runs == 2, "%d partitions, %d and %d runs", g[1].partitions,
          g[1].runs, g[2].runs);
    CHECK_NEAR(g[1].mean, 1, 1e-9);
    CHECK_NEAR(g[1].sd, 2, 1e-9);
    CHECK_NEAR(g[1].share, 2.0 / 3, 1e-9);
    CHECK_NEAR(g[1].gain[0], -1, 1e-9);
    CHECK_NEAR(g[1].sd_partition, 2, 1e-9);
    CHECK_NEAR(g[1].sd_run, sqrt(5.0 / 3), 1e-9);
    CHECK_NEAR(g[2].mean, 5, 1e-9);
    buf md = {.a = &a};
    partitions_md(&md, &a, g, n);
    CHECK(
        strstr(
            md.s,
            "| Cora | GCN | METIS, other seeds | 3 | 4 | 81.50 | +1.00 | 2.00 | -1.00 | +3.00 | 67 % | 2.00 / 1.29 |"),
        "%s", md.s);
    CHECK(strstr(md.s, "above the median in 1 and the best in 0 of 1 pairs"), "%s", md.s);
    md = (buf){.a = &a};
    partitions_md(&md, &a, g, 0);
    CHECK(strstr(md.s, "No runs yet"), "%s", md.s);
    test_remove(dir);
    arena_free(&a);
}

int main(void)
{
    definitions_read(test_path("paper_tables"));
    test_groups();
    return test_end();
}
