/* contrasts: an ordering that the paper prints (JC above CE for a data set and model), tested on our runs.
 *
 * Runs are paired by (run, seed): the same split and the same random streams on both sides. The paired t test decides,
 * with Holm's correction over all orderings of the table that could be tested; Wilcoxon's test and the bootstrap
 * interval stand beside it. */
#include "../base/hash.h"
#include "stats.h"
#include "table_parts.h"
#include <math.h>
#include <string.h>

enum { DRAWS = 10000 };

const char *const claim_verdict_word[CLAIM_VERDICTS] = {"confirmed", "contradicted", "undecided", "not run"};

/* The values of the runs that both cells have, in their order. */
static int pair_up(arena *a, double **x, double **y, const cell *ca, const cell *cb)
{
    int n = 0;
    *x = NEW(a, double, (size_t)ca->n + 1);
    *y = NEW(a, double, (size_t)ca->n + 1);
    for (int i = 0, j = 0; i < ca->n && j < cb->n && !strcmp(ca->origin, cb->origin);) {
        const run_row *p = ca->run[i], *q = cb->run[j];
        if (p->run == q->run && p->seed == q->seed) {
            (*x)[n] = ca->value[i++];
            (*y)[n++] = cb->value[j++];
        } else if (p->run < q->run || (p->run == q->run && p->seed < q->seed)) {
            i++;
        } else {
            j++;
        }
    }
    return n;
}

static void test(arena *a, contrast *c)
{
    double *x, *y;
    c->n = pair_up(a, &x, &y, c->a, c->b);
    stats_test t = stats_paired(x, y, c->n, 0.95);
    c->mean = t.diff;
    c->lo = t.lo;
    c->hi = t.hi;
    c->p_t = t.p;
    c->p_wilcoxon = c->n < 2 ? NAN : stats_wilcoxon(x, y, c->n).p;
    const paper_cell *p = c->a->paper;
    uint64_t seed = hash_text(hash_text(hash_text(HASH_INIT, p->dataset), p->model), c->b->paper->loss);
    stats_interval b = stats_bootstrap(x, y, c->n, 0.95, DRAWS, seed);
    c->boot_lo = b.lo;
    c->boot_hi = b.hi;
    c->origin = c->n ? c->a->origin : "-";
}

static enum claim_verdict judge(const contrast *c)
{
    if (!c->n)
        return CLAIM_NOT_RUN;
    int fixed = c->n > 1 && c->a->metric->fixed && isnan(c->p_t) && c->lo == c->hi; /* never varied */
    if (!fixed && !(c->p_holm < 0.05))
        return OPEN;
    return (c->mean > 0) == (c->paper > 0) ? CONFIRMED : CONTRADICTED;
}

static int claimed(const contrast_def *k, const cell *a, const cell *b)
{
    double diff = a->paper->value - b->paper->value;
    return !isnan(diff) && diff != 0 && paper_match(a->paper, k->a) && paper_match(b->paper, k->b) &&
           paper_partner(a->paper, k->a, b->paper, k->b);
}

/* Stores the orderings when out is not NULL; returns their number. */
static int list(contrast *out, const table_def *d, const cell *c, int cells)
{
    int n = 0;
    for (const contrast_def *k = d->contrast; k->a; k++)
        for (int i = 0; i < cells; i++)
            for (int j = 0; j < cells; j++)
                if (claimed(k, &c[i], &c[j])) {
                    if (out)
                        out[n] = (contrast){
                            .a = &c[i], .b = &c[j], .def = k, .paper = c[i].paper->value - c[j].paper->value};
                    n++;
                }
    return n;
}

contrast *contrasts_make(arena *a, const table_def *d, const cell *c, int cells, int *n)
{
    *n = list(NULL, d, c, cells);
    contrast *out = NEW(a, contrast, (size_t)*n + 1);
    double *p = NEW(a, double, (size_t)*n + 1);
    list(out, d, c, cells);
    for (int i = 0; i < *n; i++) {
        test(a, &out[i]);
        p[i] = out[i].p_t;
    }
    stats_holm(p, p, *n);
    for (int i = 0; i < *n; i++) {
        out[i].p_holm = p[i];
        out[i].verdict = judge(&out[i]);
    }
    return out;
}

/* Whether the contrast names the key, which then differs between its sides. */
static int named(const contrast_def *d, const char *key, size_t len)
{
    for (const char *s = d->a; *s; s += *s == ',') {
        if (strcspn(s, "=") == len && !strncmp(s, key, len))
            return 1;
        s += strcspn(s, ",");
    }
    return 0;
}

const char *contrasts_where(arena *a, const contrast *c)
{
    static const char *const columns[] = {"dataset", "model", "loss"};
    buf t = {.a = a};
    for (int i = 0; i < 3; i++)
        if (!named(c->def, columns[i], strlen(columns[i])))
            table_add_value(&t, c->a->paper, columns[i], strlen(columns[i]), ", ");
    for (const char *s = c->a->paper->setting; *s; s += *s == ',') {
        size_t len = strcspn(s, "=,");
        if (s[len] == '=' && !named(c->def, s, len))
            table_add_value(&t, c->a->paper, s, len, ", ");
        s += strcspn(s, ",");
    }
    return t.s ? t.s : "";
}

const char *contrasts_what(arena *a, const contrast *c)
{
    const cell *side[] = {c->a, c->b};
    buf t[2] = {{.a = a}, {.a = a}};
    for (int i = 0; i < 2; i++)
        for (const char *s = c->def->a; *s; s += *s == ',') {
            table_add_value(&t[i], side[i]->paper, s, strcspn(s, "="), " ");
            s += strcspn(s, ",");
        }
    return arena_printf(a, "%s %c %s", t[0].s ? t[0].s : "", c->paper > 0 ? '>' : '<', t[1].s ? t[1].s : "");
}
