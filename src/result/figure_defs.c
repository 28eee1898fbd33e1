/* figure_defs: the kinds of figures that paper_tables/figures.tsv may name. */
#include "gains.h"

const figure_kind figure_kinds[] = {
    {"records", NULL},
    {"plain", figure_plain},
    {"gains", figure_gains},
    {"gain_lines", figure_gain_lines},
    {"overall", figure_overall},
    {"verdicts", figure_verdicts},
    {"ranks", figure_ranks},
    {"tsne", figure_tsne},
    {"reliability", figure_reliability},
    {"calibration", figure_calibration},
    {"pooled", figure_pooled},
    {"units", figure_units},
    {NULL, NULL},
};
