/* jcb merge */
#include "../base/err.h"
#include "../base/opt.h"
#include "jcb.h"
#include "../run/merge.h"
#include <stdio.h>
#include <stdlib.h>

int jcb_merge(int argc, char **argv)
{
    const opt table[] = {{0}};
    int n = opt_parse(argc, argv, table,
                      "jcb merge OUT DIR ...\nCombines the records (and curves) of results directories in OUT.",
                      "Runs are identified by their keys. Runs that OUT has are kept; a success replaces a failure. If "
                      "two records of the same run have\n"
                      "different bits, nothing is written, both files are named and the exit code is 1.\n"
                      "Example: each machine does its part (bench_balanced --shard 1/4 --out part1), then jcb merge "
                      "results part1 part2 part3 part4\n");
    if (n < 2)
        opt_wrong("which directories? OUT and at least one other");
    arena a = {0};
    buf out = {.a = &a};
    int contradictions = merge_records(&out, argv[1], argv + 2, n - 1);
    fputs(out.s, stdout);
    if (contradictions)
        die("%d runs have contradictory records: nothing is written to %s", contradictions, argv[1]);
    arena_free(&a);
    return EXIT_SUCCESS;
}
