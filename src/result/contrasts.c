/* contrasts: an ordering that the paper prints (JC above CE for a data set and model), tested on our runs.
 *
 * Runs are paired by (run, seed): the same split and the same random streams on both sides. The anytime tests need the
 * differences of runs 0, 1, 2, ... without a gap: the first run that is missing on a side ends them. The paired t
 * e-process decides, with e-Holm over all orderings of the table, run (E_n) or not (E = 1), so that the family is fixed
 * in advance. Round k of a table has the first k runs of every ordering; the largest adjusted e-value of all rounds
 * counts. In a directory that keeps its decisions (decisions.c) they count instead, and the e-values of all runs that
 * are there. Tests for one look at one n are computed as well. */
#include "../base/hash.h"
#include "../base/list.h"
#include "anytime.h"
#include "table_parts.h"
#include <math.h>
#include <string.h>

enum { DRAWS = 10000 };

const char *const claim_verdict_word[CLAIM_VERDICTS] = {"confirmed", "contradicted", "equal", "undecided", "not run"};

static int before(const record *p, const record *q)
{
    return p->run < q->run || (p->run == q->run && p->seed < q->seed);
}

/* Stores the values of the pairs of runs k = 0, 1, ..., those with the lowest seed, up to the first run without a pair
 * and at most `most` runs. */
static void pair_up(arena *a, contrast *c, double **x, double **y, int max)
{
    const table_cell *ca = c->a, *cb = c->b;
    *x = NEW(a, double, (size_t)ca->n + 1);
    *y = NEW(a, double, (size_t)ca->n + 1);
    for (int i = 0, j = 0; i < ca->n && j < cb->n && ca->origin == cb->origin;) {
        const record *p = ca->run[i], *q = cb->run[j];
        if (before(p, q)) {
            i++;
        } else if (before(q, p)) {
            j++;
        } else if (p->run == c->n && c->n < max) {
            (*x)[c->n] = ca->value[i++];
            (*y)[c->n++] = cb->value[j++];
        } else {
            c->left_out++;
            i++;
            j++;
        }
    }
}

/* The published splits of the runs of the cell; NULL: none, or redrawn. */
static const split_def *splits_of(const table_cell *c)
{
    enum split_kind kind = c->n ? c->run[0]->s.split.kind : SPLIT_AUTO;
    int drawn = kind != SPLIT_AUTO && kind != SPLIT_PUBLIC;
    return drawn ? NULL : table_splits(c->paper->dataset);
}

static void test_for_one_look(contrast *c, const double *x, const double *y, int decide_only)
{
    const paper_cell *p = c->a->paper;
    uint64_t seed = hash_text(hash_text(hash_text(HASH_INIT, p->dataset), p->model), c->b->paper->loss);
    stats_test t = stats_paired(x, y, c->n, 0.95);
    c->mean = t.diff;
    c->once = (one_look){t.lo, t.hi, t.p, NAN, NAN, NAN, NAN};
    if (decide_only)
        return;
    stats_interval b = stats_bootstrap(x, y, c->n, 0.95, DRAWS, seed);
    c->once.boot_lo = b.lo;
    c->once.boot_hi = b.hi;
    c->once.p_wilcoxon = c->n < 2 ? NAN : stats_wilcoxon(x, y, c->n).p;
}

static void test(arena *a, contrast *c, int decide_only)
{
    double *x, *y;
    const split_def *splits = splits_of(c->a);
    pair_up(a, c, &x, &y, splits ? splits->count : c->a->n);
    size_t n = (size_t)c->n;
    c->origin = n ? c->a->origin : ORIGINS;
    c->x = NEW(a, double, n + 1);
    c->log_e = NEW(a, double, n + 1);
    c->log_symmetry = NEW(a, double, n + 1);
    for (size_t i = 0; i < n; i++)
        c->x[i] = x[i] - y[i];
    test_for_one_look(c, x, y, decide_only);
    anytime_t(c->log_e, c->x, c->n);
    if (!decide_only)
        anytime_symmetry(c->log_symmetry, c->x, c->n);
    stats_interval i = anytime_interval(c->x, c->n, ANYTIME_ALPHA);
    int varies = c->once.t_lo < c->once.t_hi; /* by more than the rounding of x - y */
    c->lo = i.lo;
    c->hi = i.hi;
    c->sd = stats_sd(c->x, c->n);
    c->skew = varies ? stats_skew(c->x, c->n) : NAN;
    c->se_splits = splits && n > 1 ? c->sd * sqrt(1.0 / (double)n + splits->test_train) : NAN;
    c->more = NAN;
}

static double e_value(const contrast *c, int round)
{
    return c->n ? exp(c->log_e[(round < c->n ? round : c->n) - 1]) : 1;
}

static int sign_of_sum(const contrast *c, int round)
{
    double sum = 0;
    for (int i = 0; i < round && i < c->n; i++)
        sum += c->x[i];
    return (sum > 0) - (sum < 0);
}

/* e-Holm after each round, or with `last` after the last one only; returns the e-values of the last one. */
static double *adjust(arena *a, contrast *c, int m, int last)
{
    double *e = NEW(a, double, (size_t)m + 1), *adjusted = NEW(a, double, (size_t)m + 1);
    int rounds = 1;
    for (int i = 0; i < m; i++)
        rounds = c[i].n > rounds ? c[i].n : rounds;
    for (int round = last ? rounds : 1; round <= rounds; round++) {
        for (int i = 0; i < m; i++)
            e[i] = e_value(&c[i], round);
        anytime_holm(adjusted, e, m);
        for (int i = 0; i < m; i++)
            if (c[i].n && adjusted[i] > c[i].e_holm) {
                c[i].e_holm = adjusted[i];
                c[i].sign = sign_of_sum(&c[i], round);
            }
    }
    return e;
}

int contrasts_equal(const contrast *c) { return anytime_equal((stats_interval){c->lo, c->hi}, c->a->metric->equal); }

static enum claim_verdict judge(const contrast *c)
{
    if (!c->n)
        return CLAIM_NOT_RUN;
    const one_look *t = &c->once;
    int fixed = c->n > 1 && c->a->metric->fixed && isnan(t->p_t) && t->t_lo == t->t_hi; /* the same in every run */
    if (fixed)
        return (c->mean > 0) == (c->claim > 0) ? CONFIRMED : CONTRADICTED;
    if (c->e_holm >= 1 / ANYTIME_ALPHA)
        return (c->sign > 0) == (c->claim > 0) ? CONFIRMED : CONTRADICTED;
    return contrasts_equal(c) ? EQUAL : OPEN;
}

/* Estimated further runs until a decision or equality, whichever needs fewer. */
static double runs_needed(const contrast *c, double goal)
{
    double log_e = c->log_e[c->n - 1];
    return fmin(anytime_runs_to_decide(log_e, log(goal), c->mean, c->sd, c->n),
                anytime_runs_to_equal(c->mean, c->sd, c->n, c->a->metric->equal, ANYTIME_ALPHA));
}

/* The claimed sign of a - b; 0: nothing is claimed. stated: this sign, regardless of what is printed; 0: the sign of
 * the printed difference. */
static int claim_of(const table_cell *a, const table_cell *b, int stated)
{
    double diff = a->paper->value - b->paper->value;
    return stated ? stated : (diff > 0) - (diff < 0);
}

static int claimed(const contrast_def *k, const table_cell *a, const table_cell *b, int stated)
{
    return claim_of(a, b, stated) && paper_match(a->paper, k->a) && paper_match(b->paper, k->b) &&
           paper_partner(a->paper, k->a, b->paper, k->b);
}

/* Returns the number of orderings, and stores them if out is not NULL. */
static int list(contrast *out, const table_def *d, const table_cell *c, int cells, int stated)
{
    int n = 0;
    for (const contrast_def *k = d->contrast; k->a; k++)
        for (int i = 0; i < cells; i++)
            for (int j = 0; j < cells; j++)
                if (claimed(k, &c[i], &c[j], stated)) {
                    if (out)
                        out[n] = (contrast){.a = &c[i],
                                            .b = &c[j],
                                            .def = k,
                                            .claim = claim_of(&c[i], &c[j], stated),
                                            .paper = c[i].paper->value - c[j].paper->value};
                    n++;
                }
    return n;
}

static contrast *make(arena *a, const table_def *d, const table_cell *c, int cells, const decisions *kept, int *n,
                      int decide_only)
{
    int stated = d->claim;
    *n = list(NULL, d, c, cells, stated);
    contrast *out = NEW(a, contrast, (size_t)*n + 1);
    double *p = NEW(a, double, (size_t)*n + 1);
    list(out, d, c, cells, stated);
    for (int i = 0; i < *n; i++) {
        test(a, &out[i], decide_only);
        p[i] = out[i].once.p_t;
    }
    stats_holm(p, p, *n);
    double *e = adjust(a, out, *n, kept != NULL);
    for (int i = 0; i < *n; i++) {
        out[i].once.p_holm = p[i];
        out[i].verdict = judge(&out[i]);
        if (kept)
            decisions_recall(a, kept, d->label, &out[i]);
        if (out[i].verdict == OPEN)
            out[i].more = runs_needed(&out[i], anytime_holm_goal(e, *n, i, ANYTIME_ALPHA));
    }
    return out;
}

contrast *contrasts_make(arena *a, const table_def *d, const table_cell *c, int cells, const decisions *kept, int *n)
{
    return make(a, d, c, cells, kept, n, 0);
}

contrast *contrasts_decide(arena *a, const table_def *d, const table_cell *c, int cells, const decisions *kept, int *n)
{
    return make(a, d, c, cells, kept, n, 1);
}

/* Whether the contrast names the key, so that it differs between the sides. */
static int named(const contrast_def *d, const char *key, size_t len)
{
    for (list_item i = list_first(d->a); i.s; i = list_next(i))
        if (i.key == len && !strncmp(i.s, key, len))
            return 1;
    return 0;
}

const char *contrasts_where(arena *a, const contrast *c)
{
    static const char *const columns[] = {"dataset", "model", "loss"};
    buf t = {.a = a};
    for (int i = 0; i < 3; i++)
        if (!named(c->def, columns[i], strlen(columns[i])))
            table_add_value(&t, c->a->paper, columns[i], strlen(columns[i]), ", ");
    for (list_item i = list_first(c->a->paper->setting); i.s; i = list_next(i))
        if (i.key < i.n && !named(c->def, i.s, i.key))
            table_add_value(&t, c->a->paper, i.s, i.key, ", ");
    return t.s ? t.s : "";
}

const char *contrasts_what(arena *a, const contrast *c)
{
    const table_cell *side[] = {c->a, c->b};
    buf t[2] = {{.a = a}, {.a = a}};
    for (int k = 0; k < 2; k++)
        for (list_item i = list_first(c->def->a); i.s; i = list_next(i))
            table_add_value(&t[k], side[k]->paper, i.s, i.key, " ");
    return arena_printf(a, "%s %c %s", t[0].s ? t[0].s : "", c->claim > 0 ? '>' : '<', t[1].s ? t[1].s : "");
}
