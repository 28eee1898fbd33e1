/* figure_defs: the kinds of figures that paper_tables/figures.tsv may name. */
#include "figure_parts.h"

const figure_kind figure_kinds[] = {
    {"records", NULL},
    {"plain", figure_plain},
    {"gains", figure_gains},
    {"gain_lines", figure_gain_lines},
    {"overall", figure_overall},
    {"tsne", figure_tsne},
    {"reliability", figure_reliability},
    {"calibration", figure_calibration},
    {"partitions", figure_partitions},
    {"variance", figure_variance},
    {"explain", figure_explain},
    {NULL, NULL},
};
