/* calibration_render: the table of calibration in Markdown, LaTeX and TSV; in HTML: html_calibration.c. */
#include "../stats/anytime.h"
#include "calibration_render.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MORE_MAX = 1000 }; /* larger estimates of runs are too uncertain to be printed */

const char calibration_title[] = "Calibration before and after temperature scaling";
const char calibration_legend[] = "Test nodes, mean ± sample sd over runs. As predicted: softmax of the logits, under "
                                  "JC its marginals. T: one temperature fitted on the validation nodes by NLL (its "
                                  "mean is shown), p^(1/T) normalised. tau: JC trains on softmax(a / tau) and predicts "
                                  "softmax(a); at tau it predicts the marginals of softmax(a / tau). ECE: ten bins of "
                                  "equal width, as in the paper, or of equal mass. JC - CE on runs paired by split and "
                                  "seed with the 95 % confidence sequence (infinite below six runs); lower is better. "
                                  "Verdicts by the paired t e-process, e-Holm over all orderings of the same score, "
                                  "run or not; equal: the sequence lies within ±0.5 points (ECE), ±0.01 (NLL), ±0.005 "
                                  "(Brier). An undecided one says how many more runs it may need.";

static const int digits[CALIBRATION_SCORES] = {2, 2, 4, 4};
static const char *const losses[] = {"CE", "JC"};
static const char *const way_name[CALIBRATION_WAYS] = {"plain", "scaled", "tau"};
static const char *const score_name[CALIBRATION_SCORES] = {"ece", "ece_mass", "nll", "brier"};

/* ---- grids ---- */

static const char *way_text(arena *a, const calibration_pair *p, int loss, enum calibration_way w)
{
    const cell *t = p->temperature[loss];
    return w == AS_PREDICTED ? "as predicted"
           : w == AT_TAU     ? (*p->tau ? arena_printf(a, "at tau = %s", p->tau) : "at tau")
           : t->n            ? arena_printf(a, "T = %.2f", t->mean)
                             : "T";
}

static const char *score_text(arena *a, const cell *c, int decimals)
{
    if (!c->n)
        return "–";
    return c->n > 1 ? arena_printf(a, "%.*f ± %.*f", decimals, c->mean, decimals, c->sd)
                    : arena_printf(a, "%.*f", decimals, c->mean);
}

text_grid calibration_scores_grid(arena *a, const calibration_table *t)
{
    enum { FRONT = 5, COLS = FRONT + CALIBRATION_SCORES, LINES = 5 };
    static const char *const head[COLS] = {
        "Data set", "Model", "Loss", "Prediction", "Runs", "ECE (%)", "ECE, equal mass (%)", "NLL", "Brier"};
    text_grid g = {head, NEW(a, const char *, (size_t)(t->pairs * LINES * COLS) + 1), 0, COLS};
    for (int i = 0; i < t->pairs; i++)
        for (int l = 0; l < 2; l++)
            for (int w = 0; w < (l ? CALIBRATION_WAYS : AT_TAU); w++) {
                const calibration_pair *p = &t->pair[i];
                const cell *const *c = p->score[l][w];
                const char **v = g.cell + g.rows++ * COLS, *mark = c[0]->n ? origin_label(c[0]->origin) : "";
                v[0] = table_title_of(a, "dataset", p->dataset);
                v[1] = table_title_of(a, "model", p->model);
                v[2] = losses[l];
                v[3] = way_text(a, p, l, (enum calibration_way)w);
                v[4] = arena_printf(a, "%d%s%s", c[0]->n, *mark ? ", " : "", mark);
                for (int s = 0; s < CALIBRATION_SCORES; s++)
                    v[FRONT + s] = score_text(a, c[s], digits[s]);
            }
    return g;
}

static const char *verdict(const contrast *c)
{
    static const char *const word[CLAIM_VERDICTS] = {"JC lower", "CE lower", "equal", "undecided", "not run"};
    return word[c->verdict];
}

static const char *ordering_text(arena *a, const contrast *c, int decimals)
{
    buf b = {.a = a};
    if (!c || !c->n)
        return "–";
    buf_add(&b, "%s [%s, %s] %s", render_signed(a, c->mean, decimals), render_signed(a, c->lo, decimals),
            render_signed(a, c->hi, decimals), verdict(c));
    if (c->verdict == OPEN && c->more <= MORE_MAX)
        buf_add(&b, ", %.0f more", c->more);
    else if (c->verdict == OPEN)
        buf_add(&b, ", > %d more", MORE_MAX);
    return b.s;
}

text_grid calibration_orderings_grid(arena *a, const calibration_table *t)
{
    enum { FRONT = 4, COLS = FRONT + CALIBRATION_SCORES };
    static const char *const head[COLS] = {
        "Data set", "Model", "JC - CE", "Pairs", "ECE (points)", "ECE, equal mass (points)", "NLL", "Brier"};
    static const char *const both[CALIBRATION_WAYS] = {"as predicted", "each at its T", "JC at tau, CE as predicted"};
    text_grid g = {head, NEW(a, const char *, (size_t)(t->pairs * CALIBRATION_WAYS * COLS) + 1), 0, COLS};
    for (int i = 0; i < t->pairs; i++)
        for (int w = 0; w < CALIBRATION_WAYS; w++) {
            const calibration_pair *p = &t->pair[i];
            const contrast *const *c = p->jc_below_ce[w];
            const char **v = g.cell + g.rows++ * COLS, *mark = c[0] && c[0]->n ? origin_label(c[0]->origin) : "";
            v[0] = table_title_of(a, "dataset", p->dataset);
            v[1] = table_title_of(a, "model", p->model);
            v[2] = both[w];
            v[3] = arena_printf(a, "%d%s%s", c[0] ? c[0]->n : 0, *mark ? ", " : "", mark);
            for (int s = 0; s < CALIBRATION_SCORES; s++)
                v[FRONT + s] = ordering_text(a, c[s], digits[s]);
        }
    return g;
}

/* ---- formats ---- */

static void grid_md(buf *out, const text_grid *g)
{
    for (int i = -1; i < g->rows; i++) {
        buf_put(out, "|");
        for (int j = 0; j < g->cols; j++) {
            buf_put(out, " ");
            buf_md(out, i < 0 ? g->head[j] : g->cell[i * g->cols + j]);
            buf_put(out, " |");
        }
        buf_put(out, "\n");
        for (int j = 0; j < g->cols && i < 0; j++)
            buf_put(out, j ? "---|" : "|---|");
        buf_put(out, i < 0 ? "\n" : "");
    }
}

void calibration_md(arena *a, buf *out, const calibration_table *t)
{
    text_grid scores = calibration_scores_grid(a, t), orderings = calibration_orderings_grid(a, t);
    buf_add(out, "# %s\n\nExperiment: ece (beyond the paper). %s\n\n", calibration_title, calibration_table_text(a, t));
    grid_md(out, &scores);
    buf_put(out, "\nIs JC better calibrated than CE?\n\n");
    grid_md(out, &orderings);
    buf_add(out, "\n%s\n", calibration_legend);
}

static void grid_tex(buf *out, const text_grid *g, const char *caption, const char *label)
{
    buf_put(out, "\\begin{table*}[tbp]\n\\centering\n\\tiny\n\\setlength{\\tabcolsep}{3pt}\n\\begin{tabular}{");
    for (int j = 0; j < g->cols; j++)
        buf_put(out, "l");
    buf_put(out, "}\n\\toprule\n");
    for (int i = -1; i < g->rows; i++) {
        for (int j = 0; j < g->cols; j++) {
            buf_put(out, j ? " & " : "");
            buf_tex(out, i < 0 ? g->head[j] : g->cell[i * g->cols + j]);
        }
        buf_put(out, i < 0 ? " \\\\\n\\midrule\n" : " \\\\\n");
    }
    buf_put(out, "\\bottomrule\n\\end{tabular}\n\\caption{");
    buf_tex(out, caption);
    buf_add(out, "}\n\\label{jcb:%s}\n\\end{table*}\n", label);
}

void calibration_tex(arena *a, buf *out, const calibration_table *t)
{
    text_grid scores = calibration_scores_grid(a, t), orderings = calibration_orderings_grid(a, t);
    buf_put(out, "% \\usepackage{booktabs}\n");
    grid_tex(out, &scores, calibration_title, "calibration");
    grid_tex(out, &orderings, "Is JC better calibrated than CE?", "calibration:claims");
    buf_put(out, "{\\footnotesize\n");
    buf_tex(out, calibration_table_text(a, t));
    buf_put(out, "\n");
    buf_tex(out, calibration_legend);
    buf_put(out, "\n\\par}\n");
}

void calibration_tsv(arena *a, buf *out, const calibration_table *t)
{
    buf_put(out, "dataset\tmodel\tloss\tway\tat\tscore\torigin\tn\tmean\tsd\n");
    for (int i = 0; i < t->pairs; i++)
        for (int l = 0; l < 2; l++)
            for (int w = 0; w < (l ? CALIBRATION_WAYS : AT_TAU); w++)
                for (int s = 0; s < CALIBRATION_SCORES; s++) {
                    const calibration_pair *p = &t->pair[i];
                    const cell *c = p->score[l][w][s];
                    const char *at = w == AS_PREDICTED ? "1"
                                     : w == AT_TAU     ? p->tau
                                                       : arena_printf(a, "%.9g", p->temperature[l]->mean);
                    buf_add(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%.9g\t%.9g\n", p->dataset, p->model, l ? "jc" : "ce",
                            way_name[w], *at ? at : "-", score_name[s], origin_word(c->origin), c->n, c->mean, c->sd);
                }
}

void calibration_claims_tsv(buf *out, const calibration_table *t)
{
    buf_put(out, "dataset\tmodel\tway\tscore\torigin\tn\tverdict\tmore_runs\tdiff\tlo\thi\tsd\tskewness\tanytime_p\te_"
                 "holm_p\tsymmetry_p\tp_t_one_look\n");
    for (int i = 0; i < t->pairs; i++)
        for (int w = 0; w < CALIBRATION_WAYS; w++)
            for (int s = 0; s < CALIBRATION_SCORES; s++) {
                const calibration_pair *p = &t->pair[i];
                const contrast *c = p->jc_below_ce[w][s];
                if (!c)
                    continue;
                buf_add(out, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\n",
                        p->dataset, p->model, way_name[w], score_name[s], origin_word(c->origin), c->n,
                        claim_verdict_word[c->verdict], c->more, c->mean, c->lo, c->hi, c->sd, c->skew,
                        c->n ? anytime_p(c->log_e, c->n) : NAN, c->n ? fmin(1, 1 / c->e_holm) : NAN,
                        c->n ? anytime_p(c->log_symmetry, c->n) : NAN, c->once.p_t);
            }
}
