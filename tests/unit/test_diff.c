/* diff: runs that both directories have, with the same bits or others; cells whose means differ; verdicts. */
#include "../../src/result/diff.h"
#include "table_records.h"

static char top[] = "/tmp/jcb_diff_XXXXXX";

/* Ten pairs of Cora GCN with a gain that decides, and five runs of MLP. In B: three pairs, run 4 of MLP with other
 * bits, one more run of it, and SGC only there. */
static const char *fill(arena *a, const char *name, int b)
{
    const char *dir = arena_printf(a, "%s/%s", top, name);
    keys = 0;
    out = record_open(a, arena_printf(a, "%s/balanced.tsv", dir), columns, COLUMNS);
    for (int i = 0; i < (b ? 3 : 10); i++)
        for (int jc = 0; jc < 2; jc++) {
            keys = 100 + 2 * i + jc;
            row("experiment=balanced dataset=cora model=gcn loss=%s run=%d seed=1 test_acc=%.4f data_hash=aa "
                "part_hash=%d "
                "param_hash=%x",
                jc ? "jc" : "ce", i, 0.8 + 0.02 * jc + 0.0005 * (i % 3) * jc + 0.001 * i, jc, keys);
        }
    for (int i = 0; i < 5 + b; i++) {
        keys = 200 + i;
        row("experiment=balanced dataset=cora model=mlp loss=ce run=%d seed=1 test_acc=%.4f data_hash=aa "
            "param_hash=%x%s",
            i, b && i == 5 ? 0.9 : 0.6, b && i == 4 ? 77 : i, b ? " lr=0.02" : "");
    }
    keys = 300;
    if (b)
        row("experiment=balanced dataset=cora model=sgc loss=ce run=0 seed=1 test_acc=.8 data_hash=aa param_hash=1");
    record_close(out);
    return dir;
}

TEST_MAIN(test_diff)
{
    arena a = {0};
    const char *src = getenv("srcdir"), *paper = arena_printf(&a, "%s/paper_tables", src ? src : ".");
    CHECK(mkdtemp(top), "mkdtemp");
    const char *dir[2] = {fill(&a, "a", 0), fill(&a, "b", 1)}, *same[2] = {dir[0], dir[0]};
    buf t = {.a = &a};
    CHECK(diff_records(&t, same, paper, 20) == 0, "a directory and itself");
    CHECK(strstr(t.s, "0 only in A, 0 only in B, 25 in both with the same bits, 0 with other bits") &&
              strstr(t.s, "verdicts: 0 of ") && !strstr(t.s, "test accuracy"),
          "%s", t.s);
    t = (buf){.a = &a};
    CHECK(diff_records(&t, dir, paper, 20) == 1, "one run has other bits");
    CHECK(strstr(t.s, "14 only in A, 2 only in B, 10 in both with the same bits, 1 with other bits") &&
              strstr(t.s, "the first: balanced cora mlp ce, run 4"),
          "runs: %s", t.s);
    CHECK(strstr(t.s, "0 only in A, 1 only in B, 3 in both; of these 1 with other hyper-parameters, 0 with other data"),
          "cells: %s", t.s);
    CHECK(strstr(t.s, " 60.00 (  5)     65.00 (  6)      +5.00  balanced cora mlp ce -  [other hyper-parameters]"),
          "means: %s", t.s);
    CHECK(strstr(t.s, "Cora, GCN: JC > CE") && strstr(t.s, "confirmed (10) -> undecided (3)"), "verdicts: %s", t.s);
    test_remove(top);
    arena_free(&a);
    return test_end();
}
