/* claims: over the pairs (a, b) of cells that two filters select,
 *   mean_abs    mean (a - b)                      mean_rel    100 mean ((a - b) / b)
 *   pooled_rel  100 (mean a - mean b) / mean b    best_abs, best_rel  the first two with b the largest partner of a
 *   all_greater, count_greater  how many a > b    increasing  mean (a - b) grows from each value of `group` to the next
 * and over the cells of one filter: max, min, count, thousands (of the last one, cut). */
#include "claims.h"
#include "../base/err.h"
#include "../base/tsv.h"
#include "../base/buf.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pairs {
    double *a, *b, *group;
    int n;
} pairs;

static int selected(const paper_cell *c, const char *filter, const char *metric)
{
    return !isnan(c->value) && (!strcmp(metric, "-") || !strcmp(metric, c->metric)) && paper_match(c, filter);
}

static double group_value(const paper_cell *c, const char *group)
{
    int n;
    const char *v = strcmp(group, "-") ? paper_value(c, group, &n) : NULL;
    return v ? strtod(v, NULL) : 0;
}

/* The cells of filter a, each paired with every partner under filter b, or (best) with the largest one only; unpaired
 * if there is no filter b. */
static pairs collect(arena *mem, const paper *p, const char *fa, const char *fb, const char *metric, const char *group,
                     int best)
{
    size_t capacity = (size_t)p->n * (size_t)p->n + 1;
    pairs out = {.a = NEW(mem, double, capacity), .b = NEW(mem, double, capacity), .group = NEW(mem, double, capacity)};
    int alone = !strcmp(fb, "-");
    for (int i = 0; i < p->n; i++) {
        const paper_cell *a = &p->cell[i];
        int first = out.n;
        if (!selected(a, fa, metric))
            continue;
        for (int j = 0; j < p->n; j++) {
            const paper_cell *b = &p->cell[j];
            if (alone ? j != i : !selected(b, fb, metric) || !paper_partner(a, fa, b, fb))
                continue;
            if (best && out.n > first) {
                out.b[first] = fmax(out.b[first], b->value);
                continue;
            }
            out.a[out.n] = a->value;
            out.b[out.n] = b->value;
            out.group[out.n++] = group_value(a, group);
        }
    }
    return out;
}

enum statistic { MEAN_ABS, MEAN_REL, POOLED_REL, GREATER, MAX, MIN, COUNT, THOUSANDS, INCREASING };

static double compute(const pairs *p, enum statistic what)
{
    double sum_a = 0, sum_b = 0, abs = 0, rel = 0, max = p->a[0], min = p->a[0];
    int greater = 0;
    for (int i = 0; i < p->n; i++) {
        const double a = p->a[i], b = p->b[i];
        sum_a += a, sum_b += b;
        abs += a - b, rel += (a - b) / b;
        max = fmax(max, a), min = fmin(min, a);
        greater += a > b;
    }
    switch (what) {
    case MEAN_ABS: return abs / p->n;
    case MEAN_REL: return 100 * rel / p->n;
    case POOLED_REL: return 100 * (sum_a - sum_b) / sum_b;
    case GREATER: return greater;
    case MAX: return max;
    case MIN: return min;
    case COUNT: return p->n;
    default: return floor(p->a[p->n - 1] / 1000);
    }
}

/* The number of steps from one group to the next in which the mean difference grows; *steps: the number of steps. */
static double growing(arena *mem, const pairs *p, int *steps, const char **detail)
{
    double *done = NEW(mem, double, (size_t)p->n), last = 0;
    buf t = {.a = mem};
    int groups = 0, grew = 0;
    for (;;) {
        int next = -1, n = 0;
        double sum = 0;
        for (int i = 0; i < p->n; i++)
            if ((groups == 0 || p->group[i] > done[groups - 1]) && (next < 0 || p->group[i] < p->group[next]))
                next = i;
        if (next < 0)
            break;
        for (int i = 0; i < p->n; i++)
            if (p->group[i] == p->group[next]) {
                sum += p->a[i] - p->b[i];
                n++;
            }
        grew += groups > 0 && sum / n > last;
        last = sum / n;
        done[groups++] = p->group[next];
        buf_add(&t, "%s%.2f", groups > 1 ? " " : "", last);
    }
    *steps = groups - 1;
    *detail = t.s;
    return grew;
}

static enum claim_result judge(double computed, const char *claimed, int all)
{
    if (!strcmp(claimed, "-"))
        return CLAIM_REPORTED;
    if (!strcmp(claimed, "all"))
        return computed == all ? CLAIM_MATCHES : CLAIM_DIFFERS;
    double half = 0.5 * pow(10, -paper_decimals(claimed));
    return fabs(computed - strtod(claimed, NULL)) <= half * (1 + 1e-9) ? CLAIM_MATCHES : CLAIM_DIFFERS;
}

typedef struct op {
    const char *name;
    enum statistic what;
    int best, counts;
} op;

static const op *find_op(const claim *c)
{
    static const op ops[] = {{"mean_abs", MEAN_ABS, 0, 0},
                             {"mean_rel", MEAN_REL, 0, 0},
                             {"pooled_rel", POOLED_REL, 0, 0},
                             {"best_abs", MEAN_ABS, 1, 0},
                             {"best_rel", MEAN_REL, 1, 0},
                             {"all_greater", GREATER, 0, 1},
                             {"count_greater", GREATER, 0, 1},
                             {"max", MAX, 0, 0},
                             {"min", MIN, 0, 0},
                             {"count", COUNT, 0, 0},
                             {"thousands", THOUSANDS, 0, 0},
                             {"increasing", INCREASING, 0, 1}};
    for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++)
        if (!strcmp(ops[k].name, c->op))
            return &ops[k];
    die("claims.tsv: %s: no operation '%s'", c->id, c->op);
}

/* Computes the operation over the cells of p. Returns the number of pairs; if 0, *value is not set. *all: the total of
 * a count. */
static int evaluate(arena *mem, const claim *c, const paper *p, double *value, int *all, const char **text)
{
    const op *o = find_op(c);
    pairs v = collect(mem, p, c->filter_a, c->filter_b, c->metric, c->group, o->best);
    const char *detail = NULL;
    if (!v.n)
        return 0;
    *all = v.n;
    *value = o->what == INCREASING ? growing(mem, &v, all, &detail) : compute(&v, o->what);
    if (o->counts)
        *text = arena_printf(mem, "%.0f of %d%s%s%s", *value, *all, detail ? " (" : "", detail ? detail : "",
                             detail ? ")" : "");
    else
        *text = arena_printf(mem, strchr(c->op, '_') ? "%.4f" : "%.10g", *value);
    return v.n;
}

static void check(arena *mem, claim *c, const paper *p)
{
    int all = 0;
    c->pairs = evaluate(mem, c, p, &c->computed, &all, &c->computed_text);
    if (!c->pairs)
        die("claims.tsv: %s: no cell of %s matches its filters", c->id, c->table);
    c->result = judge(c->computed, c->claimed, all);
}

void claims_ours(arena *a, claim *c, int n, const paper *ours, int papers)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < papers; k++) {
            double value;
            int all, have;
            if (strcmp(c[i].table, ours[k].name) || c[i].result == CLAIM_EXTERNAL)
                continue;
            have = evaluate(a, &c[i], &ours[k], &value, &all, &c[i].ours_text);
            if (have && 2 * have < c[i].pairs)
                c[i].ours_text = arena_printf(a, "only %d of %d pairs", have, c[i].pairs);
            else if (have && have < c[i].pairs)
                c[i].ours_text = arena_printf(a, "%s (%d of %d pairs)", c[i].ours_text, have, c[i].pairs);
        }
}

claim *claims_check(arena *a, const char *paper_dir, int *n)
{
    tsv t = tsv_read(a, arena_printf(a, "%s/claims.tsv", paper_dir));
    static const char *const need[] = {"id", "table", "filter_a", "filter_b", "metric",
                                       "op", "group", "claimed",  "text"};
    for (int j = 0; j < 9; j++)
        tsv_need(&t, need[j]);
    claim *out = NEW(a, claim, (size_t)t.rows + 1);
    paper p = {.name = ""};
    for (int i = 0; i < t.rows; i++) {
        claim *c = &out[i];
        *c = (claim){.id = tsv_get(&t, i, "id"),
                     .table = tsv_get(&t, i, "table"),
                     .filter_a = tsv_get(&t, i, "filter_a"),
                     .filter_b = tsv_get(&t, i, "filter_b"),
                     .metric = tsv_get(&t, i, "metric"),
                     .op = tsv_get(&t, i, "op"),
                     .group = tsv_get(&t, i, "group"),
                     .claimed = tsv_get(&t, i, "claimed"),
                     .text = tsv_get(&t, i, "text"),
                     .result = CLAIM_EXTERNAL,
                     .computed = NAN,
                     .computed_text = "-",
                     .ours_text = "-"};
        if (!strcmp(c->op, "external"))
            continue;
        if (strcmp(p.name, c->table))
            p = paper_read(a, paper_dir, c->table);
        check(a, c, &p);
    }
    *n = t.rows;
    return out;
}

const char *claims_word(enum claim_result r)
{
    static const char *const word[] = {"matches", "differs", "no number", "not from a table"};
    return word[r];
}

void claims_tsv(buf *out, const claim *c, int n)
{
    buf_put(out, "id\ttable\tmetric\top\tpairs\tclaimed\tcomputed\tresult\ttext\n");
    for (int i = 0; i < n; i++)
        buf_add(out, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\n", c[i].id, c[i].table, c[i].metric, c[i].op, c[i].pairs,
                c[i].claimed, c[i].computed_text, claims_word(c[i].result), c[i].text);
}
