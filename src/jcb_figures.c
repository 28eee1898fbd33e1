/* jcb figures: records and curves -> the numbers and captions of the figures. */
#include "jcb.h"
#include "base/opt.h"
#include "base/places.h"
#include "paper/figure.h"
#include <stdio.h>

int jcb_figures(int argc, char **argv)
{
    const char *records, *curves, *paper, *out;
    const opt table[] = {
        OPT_RECORDS(&records),
        {"curves", OPT_TEXT, &curves, "DIR", "curves of single runs", "results/curves", 0, 0},
        OPT_PAPER(&paper),
        {"out", OPT_TEXT, &out, "DIR", "where the figures go", "results/figures", 0, 0},
        {0},
    };
    opt_only(argc, argv, table,
             "jcb figures [option ...]\nWrites what the figures show, NAME.tsv, and their captions, NAME.txt. A figure "
             "without runs is left out with a message.",
             "plots/draw.sh DIR draws them as PNG, SVG and PDF; `make figures` does both.\n");
    arena a = {0};
    int n = figures_write(&a, records, curves, places_of(&a, PLACE_PAPER, paper), out);
    printf("%d figures: %s\n", n, out);
    arena_free(&a);
    return 0;
}
