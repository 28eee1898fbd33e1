/* trends: whether a gain grows along a key of the setting, such as the rate of an attack.
 *
 * The gains of one run at the rates r_1 .. r_k are paired (same seed, same network at all rates), so a run has a slope
 * of its own,
 *   b = sum_j (r_j - rbar) gain_j / sum_j (r_j - rbar)^2,    per ten units of the key,
 * and the slopes of runs 0, 1, 2, ... are a series of independent numbers, about normal, with mean 0 if there is no
 * trend, as the paired t e-process of anytime.c requires. Slopes of group means would give no such series, and
 * orderings of neighbouring rates would test a different hypothesis.
 *
 * Groups are distinguished by the other columns and keys (data set and model), with e-Holm over all of them, run or
 * not. The statement over all groups tests their mean slope in each run; it includes the groups that have runs at every
 * printed rate, so running another group changes the statement. All tests are conditional on the poisoned graphs, which
 * runs share. */
#include "../base/list.h"
#include "anytime.h"
#include "table_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 16 };

typedef struct group {
    const contrast *at[POINTS];
    double key[POINTS];
    int n, runs; /* points; runs that all of them have */
} group;

static double key_of(const contrast *c, const char *key)
{
    int n;
    const char *v = paper_value(c->a->paper, key, &n);
    return v ? strtod(v, NULL) : NAN;
}

/* Equal but for the key. */
static int alike(const contrast *x, const contrast *y, const char *key)
{
    const paper_cell *a = x->a->paper, *b = y->a->paper;
    size_t len = strlen(key);
    if (x->def != y->def || strcmp(a->dataset, b->dataset) || strcmp(a->model, b->model) ||
        strcmp(a->metric, b->metric))
        return 0;
    list_item i = list_first(a->setting), j = list_first(b->setting);
    for (; i.s && j.s; i = list_next(i), j = list_next(j)) {
        int named = i.key == len && j.key == len && !strncmp(i.s, key, len) && !strncmp(j.s, key, len);
        if (!named && (i.n != j.n || strncmp(i.s, j.s, i.n)))
            return 0;
    }
    return i.s == j.s;
}

static double slope(const group *g, int run)
{
    double mean = 0, up = 0, down = 0;
    for (int j = 0; j < g->n; j++)
        mean += g->key[j] / g->n;
    for (int j = 0; j < g->n; j++) {
        double gain = run < 0 ? g->at[j]->paper : g->at[j]->x[run];
        up += (g->key[j] - mean) * gain;
        down += (g->key[j] - mean) * (g->key[j] - mean);
    }
    return 10 * up / down;
}

static int gather(group *g, const table *t)
{
    int n = 0;
    for (int i = 0; i < t->contrasts; i++) {
        const contrast *c = &t->contrast[i];
        int k = 0;
        while (k < n && !alike(g[k].at[0], c, t->def->trend))
            k++;
        double key = key_of(c, t->def->trend);
        if (isnan(key) || g[k].n == POINTS)
            continue;
        n += k == n;
        g[k].runs = g[k].n ? (c->n < g[k].runs ? c->n : g[k].runs) : c->n;
        g[k].at[g[k].n] = c;
        g[k].key[g[k].n++] = key;
    }
    return n;
}

static void test(arena *a, trend *t)
{
    double *log_e = NEW(a, double, (size_t)t->n + 1);
    anytime_t(log_e, t->x, t->n);
    t->mean = stats_mean(t->x, t->n);
    stats_interval i = anytime_interval(t->x, t->n, ANYTIME_ALPHA);
    t->lo = i.lo;
    t->hi = i.hi;
    t->e = 1;
    for (int k = 0; k < t->n; k++) /* further runs do not revoke a verdict */
        t->e = fmax(t->e, exp(log_e[k]));
}

static const char *where(arena *a, const contrast *c)
{
    buf b = {.a = a};
    table_add_value(&b, c->a->paper, "dataset", 7, ", ");
    table_add_value(&b, c->a->paper, "model", 5, ", ");
    return render_marked(a, b.s, c->origin);
}

trend *trends_make(arena *a, const table *t, int *n)
{
    *n = 0;
    if (!t->def->trend || !t->contrasts)
        return NULL;
    group *g = NEW(a, group, (size_t)t->contrasts + 1);
    int m = gather(g, t), with = 0;
    trend *out = NEW(a, trend, (size_t)m + 1), *all = &out[0];
    double *e = NEW(a, double, (size_t)m + 1);
    *all = (trend){.n = m ? 1 << 30 : 0};
    for (int k = 0; k < m; k++) {
        trend *q = &out[k + 1];
        *q = (trend){.where = where(a, g[k].at[0]),
                     .n = g[k].runs,
                     .x = NEW(a, double, (size_t)g[k].runs + 1),
                     .paper = slope(&g[k], -1)};
        for (int run = 0; run < q->n; run++)
            q->x[run] = slope(&g[k], run);
        test(a, q);
        e[k] = q->e;
        all->paper += q->paper / m;
        if (q->n && origin_comparable(g[k].at[0]->origin)) {
            with++;
            all->n = q->n < all->n ? q->n : all->n;
        }
    }
    all->n = with ? all->n : 0;
    all->x = NEW(a, double, (size_t)all->n + 1);
    for (int k = 0; k < m; k++)
        for (int run = 0; run < all->n && out[k + 1].n && origin_comparable(g[k].at[0]->origin); run++)
            all->x[run] += out[k + 1].x[run] / with;
    test(a, all);
    all->where = arena_printf(a, "all: mean over %d of %d", with, m);
    anytime_holm(e, e, m);
    for (int k = 0; k <= m; k++) {
        double sure = k ? e[k - 1] : all->e;
        out[k].e = sure;
        out[k].verdict = !out[k].n                   ? CLAIM_NOT_RUN
                         : sure >= 1 / ANYTIME_ALPHA ? (out[k].mean > 0 ? CONFIRMED : CONTRADICTED)
                                                     : OPEN;
    }
    *n = m + 1;
    return out;
}
