/* overall: a bootstrap sample is a weight for each run, so that values are sorted once and every draw is one pass. */
#include "overall.h"
#include "../base/rng.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

enum { WIN, IQM, PROFILE }; /* indices in a row of statistics */

typedef struct pooled {
    const overall_cell *cell;
    int cells, runs;
    int *first;             /* cells: of each, its first run */
    double *value, *weight; /* runs: all differences, cell after cell; their weights in the sample, which sum to 1 */
    size_t *order;          /* runs: ascending values */
    int groups;             /* data sets */
    int *member, *start;    /* cells in the order of their data sets; groups + 1: where each data set begins */
    const double *at;
    int points;
} pooled;

static void list_groups(arena *a, pooled *p)
{
    p->member = NEW(a, int, (size_t)p->cells), p->start = NEW(a, int, (size_t)p->cells + 1);
    for (int g = 0, n = 0; g < p->cells && n < p->cells; g++) {
        int before = n;
        for (int i = 0; i < p->cells; i++)
            if (p->cell[i].group == g)
                p->member[n++] = i;
        if (n > before)
            p->start[++p->groups] = n;
    }
}

static pooled pool(arena *a, const overall_cell *c, int cells, const double *at, int points)
{
    pooled p = {.cell = c, .cells = cells, .at = at, .points = points};
    for (int i = 0; i < cells; i++)
        p.runs += c[i].n;
    p.value = NEW(a, double, (size_t)p.runs);
    p.weight = NEW(a, double, (size_t)p.runs);
    p.order = NEW(a, size_t, (size_t)p.runs);
    p.first = NEW(a, int, (size_t)cells);
    for (int i = 0, v = 0; i < cells; v += c[i++].n) {
        memcpy(p.value + v, c[i].x, (size_t)c[i].n * sizeof *c[i].x);
        p.first[i] = v;
    }
    gsl_sort_index(p.order, p.value, 1, (size_t)p.runs);
    list_groups(a, &p);
    return p;
}

static double middle_mean(const pooled *p)
{
    double below = 0, sum = 0; /* weight of the values before this one */
    for (int k = 0; k < p->runs; k++) {
        double w = p->weight[p->order[k]];
        sum += p->value[p->order[k]] * fmax(0, fmin(below + w, 0.75) - fmax(below, 0.25));
        below += w;
    }
    return 2 * sum;
}

/* Adds a cell to the sample: the profile of out, and the weights of its runs. chosen: the run in place k, NULL: each
 * once. */
static void add_cell(double *out, pooled *p, int i, double share, const int *chosen)
{
    int n = p->cell[i].n;
    double mean = 0;
    for (int k = 0; k < n; k++) {
        int v = p->first[i] + (chosen ? chosen[k] : k);
        p->weight[v] += share / n;
        mean += p->value[v] / n;
    }
    for (int k = 0; k < p->points; k++)
        out[PROFILE + k] += mean > p->at[k] ? share : 0;
}

static void begin(double *out, pooled *p)
{
    memset(out, 0, (size_t)(PROFILE + p->points) * sizeof *out);
    memset(p->weight, 0, (size_t)p->runs * sizeof *p->weight);
}

static void end(double *out, const pooled *p)
{
    for (int k = 0; k < p->runs; k++)
        out[WIN] += p->weight[k] * ((p->value[k] > 0) + 0.5 * (p->value[k] == 0));
    out[IQM] = middle_mean(p);
}

static void plain(double *out, pooled *p)
{
    begin(out, p);
    for (int i = 0; i < p->cells; i++)
        add_cell(out, p, i, 1.0 / p->cells, NULL);
    end(out, p);
}

/* group, chosen: work space for the data sets and for the runs of a cell. */
static void resample(double *out, pooled *p, rng r, uint64_t draw, int *group, int *chosen)
{
    uint64_t count = 0;
    int all = 0;
    begin(out, p);
    for (int g = 0; g < p->groups; g++) {
        group[g] = (int)rng_below(r, draw, count++, (uint64_t)p->groups);
        all += p->start[group[g] + 1] - p->start[group[g]];
    }
    for (int g = 0; g < p->groups; g++) {
        const int *member = p->member + p->start[group[g]];
        int cells = p->start[group[g] + 1] - p->start[group[g]];
        for (int k = 0; k < cells; k++) {
            int i = member[rng_below(r, draw, count++, (uint64_t)cells)];
            for (int v = 0; v < p->cell[i].n; v++)
                chosen[v] = (int)rng_below(r, draw, count++, (uint64_t)p->cell[i].n);
            add_cell(out, p, i, 1.0 / all, chosen);
        }
    }
    end(out, p);
}

overall_statistics overall_compute(arena *a, const overall_cell *c, int cells, const double *at, int points, int draws,
                                   uint64_t seed)
{
    arena tmp = {0};
    int columns = PROFILE + points;
    pooled p = pool(&tmp, c, cells, at, points);
    double *value = NEW(&tmp, double, (size_t)columns), *row = NEW(&tmp, double, (size_t)columns);
    double *all = NEW(&tmp, double, (size_t)columns *(size_t)draws); /* columns x draws */
    rng r = rng_make(seed, 0, RNG_STATS);
    int *group = NEW(&tmp, int, (size_t)cells), *chosen = NEW(&tmp, int, (size_t)p.runs);
    plain(value, &p);
    for (int d = 0; d < draws; d++) {
        resample(row, &p, r, (uint64_t)d, group, chosen);
        for (int j = 0; j < columns; j++)
            all[(size_t)j * (size_t)draws + (size_t)d] = row[j];
    }
    overall_statistics out = {.profile = NEW(a, overall_value, (size_t)points + 1)};
    for (int j = 0; j < columns; j++) {
        double *v = all + (size_t)j * (size_t)draws;
        gsl_sort(v, 1, (size_t)draws);
        overall_value x = {value[j], gsl_stats_quantile_from_sorted_data(v, 1, (size_t)draws, 0.025),
                           gsl_stats_quantile_from_sorted_data(v, 1, (size_t)draws, 0.975)};
        *(j == WIN ? &out.win : j == IQM ? &out.iqm : &out.profile[j - PROFILE]) = x;
    }
    arena_free(&tmp);
    return out;
}

/* Gamma variates that sum to the Dirichlet's: shape 1/2 is half a squared normal, shape 1 an exponential. */
static void dirichlet(double *w, int n, rng r, uint64_t draw)
{
    double z = rng_normal(r, draw, 0), sum = w[0] = 0.5 * z * z;
    for (int i = 1; i <= n; i++)
        sum += w[i] = -log1p(-rng_uniform(r, draw, (uint64_t)i));
    for (int i = 0; i <= n; i++)
        w[i] /= sum;
}

static double exceeds(double x, double limit) { return x > limit ? 1 : x == limit ? 0.5 : 0; }

overall_posterior overall_signed_rank(const double *z, int n, double rope, int draws, uint64_t seed)
{
    if (n < 1 || draws < 1)
        return (overall_posterior){NAN, NAN, NAN};
    arena tmp = {0};
    double *w = NEW(&tmp, double, (size_t)n + 1), *value = NEW(&tmp, double, (size_t)n + 1);
    double wins[3] = {0};
    memcpy(value + 1, z, (size_t)n * sizeof *z); /* value[0] = 0 is that of the prior */
    rng r = rng_make(seed, 1, RNG_STATS);
    for (int d = 0; d < draws; d++) {
        double below = 0, above = 0;
        dirichlet(w, n, r, (uint64_t)d);
        for (int i = 0; i <= n; i++)
            for (int j = 0; j <= n; j++) {
                above += w[i] * w[j] * exceeds(value[i] + value[j], 2 * rope);
                below += w[i] * w[j] * exceeds(-value[i] - value[j], 2 * rope);
            }
        double within = 1 - above - below;
        wins[above > within && above > below ? 2 : within >= below ? 1 : 0]++;
    }
    arena_free(&tmp);
    return (overall_posterior){wins[0] / draws, wins[1] / draws, wins[2] / draws};
}
