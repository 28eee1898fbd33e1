#include "calibration_table.h"
#include "../stats/stats.h"
#include <math.h>
#include <string.h>

static const char *const datasets[] = {"cora", "citeseer", "pubmed",
                                       "dblp", "facebook", "ogbn-arxiv"}; /* of bench_ece */
static const char *const losses[] = {"ce", "jc"};

/* Metrics of metrics.tsv. */
static const char *const metric[CALIBRATION_SCORES][CALIBRATION_WAYS] = {
    {"ece_plain", "ece_scaled", "ece_tau"},
    {"ece_mass", "ece_mass_scaled", "ece_mass_tau"},
    {"nll_plain", "nll_scaled", "nll_tau"},
    {"brier_plain", "brier_scaled", "brier_tau"},
};

/* ---- from records to cells and orderings ---- */

static int known(const calibration_table *t, const record *v)
{
    for (int i = 0; i < t->pairs; i++)
        if (!strcmp(t->pair[i].dataset, v->dataset) && !strcmp(t->pair[i].model, v->model))
            return 1;
    return 0;
}

static calibration_table list_pairs(arena *a, const records *r)
{
    size_t fixed = sizeof datasets / sizeof *datasets;
    calibration_table t = {.pair = NEW(a, calibration_pair, fixed + (size_t)r->n)};
    for (size_t i = 0; i < fixed; i++)
        t.pair[t.pairs++] = (calibration_pair){.dataset = datasets[i], .model = "gcn", .tau = ""};
    for (int i = 0; i < r->n; i++)
        if (r->v[i].ok && !strcmp(r->v[i].experiment, "ece") && !known(&t, &r->v[i]))
            t.pair[t.pairs++] = (calibration_pair){.dataset = r->v[i].dataset, .model = r->v[i].model, .tau = ""};
    return t;
}

/* The cells of all pairs, CE then JC, under each of n metrics: number ((m pairs + pair) 2 + loss). */
static cell *make_cells(arena *a, const table_def *d, const calibration_table *t, const char *const *name, int n,
                        const records *r)
{
    paper p = {.name = d->label, .caption = "", .cell = NEW(a, paper_cell, (size_t)(2 * n * t->pairs))};
    for (int m = 0; m < n; m++)
        for (int i = 0; i < t->pairs; i++)
            for (int l = 0; l < 2; l++)
                p.cell[p.n++] = (paper_cell){
                    t->pair[i].dataset, t->pair[i].model, losses[l], "-", name[m], "-", "-", "-", NAN, NAN, 0};
    return cells_make(a, d, &p, r);
}

static const contrast *find(const contrast *c, int n, const contrast_def *def, const cell *jc)
{
    for (int i = 0; i < n; i++)
        if (c[i].def == def && c[i].a == jc)
            return &c[i];
    return NULL;
}

static void add_score(arena *a, calibration_table *t, enum calibration_score s, const records *r)
{
    table_def *d = NEW(a, table_def, 1);
    *d = (table_def){.label = "calibration", .experiment = "ece", .extra = ""};
    for (int w = 0; w < CALIBRATION_WAYS; w++)
        d->contrast[w] =
            (contrast_def){arena_printf(a, "loss=jc,metric=%s", metric[s][w]),
                           arena_printf(a, "loss=ce,metric=%s", metric[s][w == AT_TAU ? AS_PREDICTED : w])};
    int n;
    const cell *c = make_cells(a, d, t, metric[s], CALIBRATION_WAYS, r);
    const contrast *k = contrasts_below(a, d, c, 2 * CALIBRATION_WAYS * t->pairs, &n);
    for (int w = 0; w < CALIBRATION_WAYS; w++)
        for (int i = 0; i < t->pairs; i++) {
            calibration_pair *p = &t->pair[i];
            for (int l = 0; l < 2; l++)
                p->score[l][w][s] = &c[(w * t->pairs + i) * 2 + l];
            p->jc_below_ce[w][s] = find(k, n, &d->contrast[w], p->score[1][w][s]);
        }
}

calibration_table calibration_table_read(arena *a, const records *r)
{
    static const table_def def = {.label = "calibration", .experiment = "ece", .extra = ""};
    static const char *const fitted[] = {"temperature"};
    calibration_table t = list_pairs(a, r);
    for (int s = 0; s < CALIBRATION_SCORES; s++)
        add_score(a, &t, (enum calibration_score)s, r);
    const cell *c = make_cells(a, &def, &t, fitted, 1, r);
    for (int i = 0; i < t.pairs; i++) {
        const cell *jc = t.pair[i].score[1][AT_TAU][SCORE_ECE];
        t.pair[i].temperature[0] = &c[2 * i];
        t.pair[i].temperature[1] = &c[2 * i + 1];
        t.pair[i].tau = jc->n ? arena_printf(a, "%g", jc->run[0]->s.tau) : "";
    }
    return t;
}

/* ---- in words ---- */

/* The ordering if it has runs on comparable data, else NULL. */
static const contrast *judged(const calibration_table *t, int pair, enum calibration_way w, enum calibration_score s)
{
    const contrast *c = t->pair[pair].jc_below_ce[w][s];
    return c && c->n && origin_comparable(c->origin) ? c : NULL;
}

/* Counts the orderings with a verdict and appends their data sets, with the model if there are several. */
static int with_verdict(buf *names, const calibration_table *t, enum calibration_way w, enum calibration_score s,
                        enum claim_verdict v)
{
    int n = 0, models = 0;
    for (int i = 0; i < t->pairs; i++)
        models |= strcmp(t->pair[i].model, t->pair[0].model) != 0;
    for (int i = 0; i < t->pairs; i++) {
        const contrast *c = judged(t, i, w, s);
        if (!c || c->verdict != v)
            continue;
        buf_put(names, n++ ? ", " : "");
        buf where = {.a = names->a};
        table_add_value(&where, c->a->paper, "dataset", strlen("dataset"), "");
        if (models)
            table_add_value(&where, c->a->paper, "model", strlen("model"), "/");
        buf_put(names, where.s);
    }
    return n;
}

/* "As predicted it is lower under JC on 2 (Cora, PubMed); undecided on 1 (DBLP). " Returns how many were judged. */
static int add_way(buf *out, const calibration_table *t, enum calibration_way w, enum calibration_score s,
                   const char *front)
{
    static const struct {
        enum claim_verdict v;
        const char *text;
    } kind[] = {{CONFIRMED, "lower under JC"},
                {CONTRADICTED, "lower under CE"},
                {EQUAL, "practically equal"},
                {OPEN, "undecided"}};
    int all = 0;
    for (int k = 0; k < 4; k++) {
        buf names = {.a = out->a};
        int n = with_verdict(&names, t, w, s, kind[k].v);
        if (n)
            buf_add(out, "%s%s on %d (%s)", all ? "; " : front, kind[k].text, n, names.s);
        all += n;
    }
    buf_put(out, all ? ". " : "");
    return all;
}

/* Of the pairs whose claim is confirmed as predicted: how many have each verdict after scaling, and the mean
 * differences before and after. */
static int after_scaling(int count[CLAIM_VERDICTS], double diff[2], const calibration_table *t)
{
    int all = 0;
    memset(count, 0, CLAIM_VERDICTS * sizeof *count);
    diff[0] = diff[1] = 0;
    for (int i = 0; i < t->pairs; i++) {
        const contrast *before = judged(t, i, AS_PREDICTED, SCORE_ECE), *after = judged(t, i, SCALED, SCORE_ECE);
        if (!before || !after || before->verdict != CONFIRMED)
            continue;
        count[after->verdict]++;
        diff[0] += before->mean;
        diff[1] += after->mean;
        all++;
    }
    diff[0] /= all ? all : 1;
    diff[1] /= all ? all : 1;
    return all;
}

static void add_conclusion(buf *out, const calibration_table *t)
{
    double diff[2];
    int count[CLAIM_VERDICTS], all = after_scaling(count, diff, t), stays = count[CONFIRMED];
    if (!all) {
        buf_put(out, "These runs confirm the claim as predicted on no data set, so its survival of temperature scaling "
                     "cannot be tested.");
        return;
    }
    buf_add(out,
            "Of the %d where JC is lower as predicted, after scaling it stays lower on %d, is higher on %d, "
            "practically equal on %d and undecided on %d",
            all, stays, count[CONTRADICTED], count[EQUAL], count[OPEN]);
    buf_add(out, " (JC - CE there, on average: %s points before, %s after): the claim %s temperature scaling.",
            render_signed(out->a, diff[0], 2), render_signed(out->a, diff[1], 2),
            stays == all      ? "survives"
            : stays           ? "survives in part"
            : count[OPEN] > 0 ? "has not been shown to survive"
                              : "does not survive");
}

/* The mean ECE over the pairs that have runs as predicted and scaled, with both losses. */
static void add_means(buf *out, const calibration_table *t)
{
    double sum[2][2] = {{0}};
    int n = 0;
    for (int i = 0; i < t->pairs; i++) {
        const calibration_pair *p = &t->pair[i];
        if (!judged(t, i, SCALED, SCORE_ECE))
            continue;
        n++;
        for (int l = 0; l < 2; l++)
            for (int w = 0; w < 2; w++)
                sum[l][w] += p->score[l][w][SCORE_ECE]->mean;
    }
    if (n)
        buf_add(out,
                "The temperature changes the ECE, a mean over %d data set%s, from %.2f to %.2f %% under CE and from "
                "%.2f to %.2f %% under JC. ",
                n, n > 1 ? "s" : "", sum[0][0] / n, sum[0][1] / n, sum[1][0] / n, sum[1][1] / n);
}

const char *calibration_table_text(arena *a, const calibration_table *t)
{
    buf out = {.a = a};
    buf_put(&out, "The paper claims that JC lowers the expected calibration error (ECE). ");
    if (!add_way(&out, t, AS_PREDICTED, SCORE_ECE, "As predicted it is "))
        return "No paired runs of bench_ece on comparable data yet.";
    int scaled =
        add_way(&out, t, SCALED, SCORE_ECE, "After one temperature for each, fitted on validation nodes, it is ");
    add_way(&out, t, AT_TAU, SCORE_ECE,
            "With JC predicted at its training temperature, against CE as predicted, it is ");
    add_means(&out, t);
    if (scaled) {
        add_way(&out, t, SCALED, SCORE_NLL, "The NLL, a proper score, is after scaling ");
        add_conclusion(&out, t);
    } else {
        buf_put(&out, "No run has been measured after temperature scaling yet.");
    }
    return out.s;
}
