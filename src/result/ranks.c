#include "ranks.h"
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

/* P(the range of k standard normal variables <= q) = k int phi(x) (Phi(x) - Phi(x - q))^(k-1) dx, by Simpson's rule. */
static double range_below(double q, int k)
{
    enum { STEPS = 2000 };
    const double from = -8, h = (16 + q) / STEPS;
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        double x = from + i * h, weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
        double inside = gsl_cdf_ugaussian_P(x) - gsl_cdf_ugaussian_P(x - q);
        sum += weight * exp(-x * x / 2) * pow(inside, k - 1);
    }
    return k * sum * h / 3 / sqrt(2 * M_PI);
}

static double range_quantile(double p, int k)
{
    double lo = 0, hi = 20;
    for (int i = 0; i < 60; i++) {
        double mid = (lo + hi) / 2;
        *(range_below(mid, k) < p ? &lo : &hi) = mid;
    }
    return lo;
}

ranks ranks_compute(arena *a, const double *value, int n, int k)
{
    ranks r = {.k = k, .n = n, .mean = NEW(a, double, (size_t)k)};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) {
            const double *v = value + (size_t)i * (size_t)k;
            double rank = 1;
            for (int other = 0; other < k; other++)
                rank += v[other] > v[j] ? 1 : other != j && v[other] == v[j] ? 0.5 : 0;
            r.mean[j] += rank / n;
        }
    double sum = 0;
    for (int j = 0; j < k; j++)
        sum += r.mean[j] * r.mean[j];
    double chi2 = fmax(0, 12.0 * n / (k * (k + 1.0)) * (sum - k * (k + 1.0) * (k + 1.0) / 4)),
           rest = n * (k - 1.0) - chi2;
    r.p = rest > 1e-9 ? gsl_cdf_fdist_Q((n - 1) * chi2 / rest, k - 1, (k - 1.0) * (n - 1)) : 0;
    r.cd = range_quantile(0.95, k) / M_SQRT2 * sqrt(k * (k + 1.0) / (6.0 * n));
    return r;
}

static int may_rank(const table_cell *c) { return c->n >= 2 && origin_comparable(c->origin); }

static const table_cell *cell_at(const table *t, const char *dataset, const char *model, const char *loss)
{
    for (int i = 0; i < t->printed; i++) {
        const paper_cell *p = t->cell[i].paper;
        if (!strcmp(p->dataset, dataset) && !strcmp(p->model, model) && !strcmp(p->loss, loss))
            return &t->cell[i];
    }
    return NULL;
}

table_ranks ranks_of_table(arena *a, const table *t)
{
    table_ranks out = {0};
    const char **model = NEW(a, const char *, (size_t)t->printed + 1);
    double *value = NEW(a, double, (size_t)t->printed *(size_t)t->printed + 1);
    out.name = NEW(a, const char *, (size_t)t->printed + 1);
    out.loss = NEW(a, const char *, (size_t)t->printed + 1);
    int k = 0, n = 0;
    for (int i = 0; i < t->printed; i++) { /* the ways: those of the first data set */
        const paper_cell *p = t->cell[i].paper;
        if (strcmp(p->dataset, t->cell[0].paper->dataset))
            continue;
        model[k] = p->model;
        out.loss[k] = p->loss;
        out.name[k++] =
            arena_printf(a, "%s, %s", table_title_of(a, "model", p->model), table_title_of(a, "loss", p->loss));
    }
    for (int i = 0; i < t->printed; i++) {
        const char *dataset = t->cell[i].paper->dataset;
        int whole = 1;
        for (int j = 0; j < i; j++)
            whole &= strcmp(t->cell[j].paper->dataset, dataset) != 0; /* it was looked at */
        for (int j = 0; j < k && whole; j++) {
            const table_cell *c = cell_at(t, dataset, model[j], out.loss[j]);
            whole = c && may_rank(c);
            value[(size_t)n * (size_t)k + (size_t)j] = whole ? c->mean : NAN;
        }
        n += whole;
    }
    if (n >= OVERALL_DATASETS && k > 1)
        out.r = ranks_compute(a, value, n, k);
    return out;
}
