/* jcb diff */
#include "../base/opt.h"
#include "../base/places.h"
#include "../result/diff.h"
#include "../result/table.h"
#include "jcb.h"
#include <stdio.h>
#include <stdlib.h>

int jcb_diff(int argc, char **argv)
{
    const char *paper;
    int rows;
    const opt table[] = {
        {"rows", OPT_INT, &rows, "N", "cells to show, those that differ most first", "20", 0, 1000000},
        OPT_PAPER(&paper),
        {0},
    };
    int n = opt_parse(argc, argv, table,
                      "jcb diff A B [option ...]\nWhat differs between two results directories: bits of the same runs, "
                      "mean accuracy of cells, verdicts.",
                      "A run is its experiment and key: data, split, seed and hyper-parameters. Exit code 1: runs of "
                      "both have other bits.\n");
    if (n != 2)
        opt_wrong("which two directories?");
    arena a = {0};
    buf out = {.a = &a};
    const char *dir[2];
    for (int k = 0; k < 2; k++) {
        dir[k] = jcb_records(&a, argv[k + 1]);
        tables_need(dir[k]);
    }
    int other = diff_records(&out, dir, places_of(&a, PLACE_PAPER, paper), rows);
    fputs(out.s, stdout);
    arena_free(&a);
    return other ? EXIT_FAILURE : EXIT_SUCCESS;
}
