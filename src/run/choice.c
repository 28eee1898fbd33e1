#include "choice.h"
#include <math.h>

/* tests/unit/test_order.c plays it over the published runs. */
const choice_rule choice_default = {.fill = 3, .worth = 15, .first = .01, .others = 5, .curves = 10};

enum { PART = 4 }; /* of the time left: longer runs wait */

static double core_seconds(const choice_cell *c, const choice_rule *r) { return c->seconds * (c->alone ? r->jobs : 1); }

static int can(const choice_cell *c, const choice_rule *r)
{
    return !c->gone && c->next < c->max_runs && c->seconds <= r->left;
}

/* Order within rounds: fewer runs, then concurrent before exclusive, then cheaper. */
static int before(const choice_cell *x, const choice_cell *y)
{
    if (x->next != y->next)
        return x->next < y->next;
    if (x->alone != y->alone)
        return !x->alone;
    return x->seconds < y->seconds;
}

static int in_rounds(const choice_cell *c, const choice_rule *r) { return c->printed && c->next < r->rounds; }

/* The number of runs that completes the cell, regardless of orderings. */
static int full(const choice_cell *c, const choice_rule *r) { return c->printed ? r->fill : 1; }

static int in_curves(const choice_cell *c, const choice_rule *r)
{
    return !r->until_decided && !c->claims && c->next < r->curves;
}

/* The number of pairs at which the ordering is expected to be decided. */
static double goal(const choice_claim *q) { return q->n + fmax(1, ceil(q->more)); }

double choice_seconds(const choice_input *in, const choice_claim *q, const choice_rule *r)
{
    double sum = 0;
    if (q->a < 0 || q->b < 0)
        return INFINITY;
    for (int side = 0; side < 2; side++) {
        const choice_cell *c = in->cell + (side ? q->b : q->a);
        double missing = goal(q) - c->next;
        if (missing > 0 && (c->gone || c->next >= c->max_runs))
            return INFINITY;
        if (missing > 0)
            sum += missing * core_seconds(c, r);
    }
    return sum;
}

/* The side of the ordering that needs a run: the one with fewer runs, since only pairs count; -1: none now. */
static int wanted(const choice_input *in, const choice_claim *q, const choice_rule *r)
{
    int side = in->cell[q->b].next < in->cell[q->a].next ? q->b : q->a;
    const choice_cell *c = in->cell + side;
    return !c->busy && can(c, r) && c->next < goal(q) ? side : -1;
}

typedef struct price {
    int cell;
    int rank; /* lower ranks first. 0: its seconds are known, 1: unknown; 2, 3: the same on stand-in data; 4 to 7: the
               * same, but the run takes a large part of the time that is left */
    double seconds;
} price;

static void offer(price *best, price p, const choice_input *in, const choice_rule *r)
{
    if (in->cell[p.cell].seconds > r->left / PART)
        p.rank += 4;
    if (best->cell < 0 || p.rank < best->rank || (p.rank == best->rank && p.seconds < best->seconds))
        *best = p;
}

/* Orderings whose number of runs is unknown are sorted by runs so far, then by the cost of a pair. */
static price price_of_claim(const choice_input *in, const choice_claim *q, const choice_rule *r)
{
    price p = {wanted(in, q, r), q->stand_in ? 2 : 0, choice_seconds(in, q, r) / r->worth};
    if (!isfinite(p.seconds)) {
        p.rank++;
        p.seconds = 1e6 * q->n + core_seconds(in->cell + q->a, r) + core_seconds(in->cell + q->b, r);
    }
    return p;
}

static price price_of_cell(const choice_cell *c, int k, int table_begun, const choice_rule *r)
{
    double runs = c->printed && table_begun ? r->fill - c->next : c->printed || c->figure ? r->first : r->others;
    return (price){k, 0, runs * core_seconds(c, r)};
}

/* Runs that the cell still gets, up to `runs` of them. */
static double to_come(int runs, const choice_cell *c)
{
    int max = runs < c->max_runs ? runs : c->max_runs;
    return c->gone || c->next >= max ? 0 : max - c->next;
}

/* Whether the cell is one of those that are completed in any case, where there is time. */
static int due(const choice_cell *c, const choice_rule *r) { return c->printed && !c->large && c->next < r->fill; }

/* Whether only these cells are considered now. */
static int due_now(const choice_input *in, const choice_rule *r)
{
    double sum = 0;
    for (int k = 0; k < in->cells; k++)
        if (due(in->cell + k, r) && can(in->cell + k, r))
            sum += to_come(r->fill, in->cell + k) * core_seconds(in->cell + k, r);
    return sum > 0 && sum >= r->left * r->jobs / 3 && sum <= r->time * r->jobs / 4;
}

static int cheapest_to_complete(const choice_input *in, const choice_rule *r, int due_only)
{
    price best = {.cell = CHOICE_NONE};
    char begun[CHOICE_TABLES] = {0};
    for (int k = 0; k < in->cells; k++)
        begun[in->cell[k].printed] |= in->cell[k].next > 0;
    for (int k = 0; k < in->cells; k++) {
        const choice_cell *c = in->cell + k;
        if (!c->busy && can(c, r) && c->next < full(c, r) && (!due_only || due(c, r)))
            offer(&best, price_of_cell(c, k, begun[c->printed], r), in, r);
    }
    for (int i = 0; i < in->claims && !due_only; i++) {
        const choice_claim *q = in->claim + i;
        if (q->open && q->a >= 0 && q->b >= 0 && wanted(in, q, r) >= 0)
            offer(&best, price_of_claim(in, q, r), in, r);
    }
    return best.cell;
}

static int next_of_rounds(const choice_input *in, const choice_rule *r)
{
    int best = CHOICE_NONE;
    for (int k = 0; k < in->cells; k++)
        if (can(in->cell + k, r) && in_rounds(in->cell + k, r) && (best < 0 || before(in->cell + k, in->cell + best)))
            best = k;
    if (best < 0 || !in->cell[best].busy)
        return best;
    int busy = best; /* being prepared: another cell of the same round may run meanwhile */
    best = CHOICE_WAIT;
    for (int k = 0; k < in->cells; k++) {
        const choice_cell *c = in->cell + k;
        if (!c->busy && can(c, r) && in_rounds(c, r) && c->next == in->cell[busy].next &&
            (best < 0 || before(c, in->cell + best)))
            best = k;
    }
    return best;
}

static int next_of_curves(const choice_input *in, const choice_rule *r)
{
    int best = CHOICE_NONE;
    for (int k = 0; k < in->cells; k++) {
        const choice_cell *c = in->cell + k;
        if (!c->busy && can(c, r) && in_curves(c, r) && (best < 0 || before(c, in->cell + best)))
            best = k;
    }
    return best;
}

int choice_next(const choice_input *in, const choice_rule *r)
{
    int best = next_of_rounds(in, r);
    if (best == CHOICE_NONE && due_now(in, r))
        best = cheapest_to_complete(in, r, 1);
    if (best == CHOICE_NONE)
        best = cheapest_to_complete(in, r, 0);
    return best == CHOICE_NONE ? next_of_curves(in, r) : best;
}

double choice_left(const choice_input *in, const choice_rule *r)
{
    double sum = 0;
    for (int k = 0; k < in->cells; k++) {
        const choice_cell *c = in->cell + k;
        double want = to_come(c->printed ? r->rounds : 0, c);
        want = fmax(want, to_come(full(c, r), c));
        if (!r->until_decided && !c->claims)
            want = fmax(want, to_come(r->curves, c));
        for (int i = 0; i < in->claims; i++) {
            const choice_claim *q = in->claim + i;
            if (q->open && q->a >= 0 && q->b >= 0 && (q->a == k || q->b == k) && !in->cell[q->a].gone &&
                !in->cell[q->b].gone)
                want = fmax(want, to_come(goal(q) < c->max_runs ? (int)goal(q) : c->max_runs, c));
        }
        sum += want * core_seconds(c, r);
    }
    return sum;
}
