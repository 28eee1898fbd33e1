/* The order of runs: rounds, then the cheapest to complete, then curves; on synthetic cells, costs and claims, and
 * against a plain reference version of the rule for orderings. */
#include "../../src/run/choice.h"
#include "test.h"
#include <math.h>
#include <string.h>

enum { CELLS = 8, CLAIMS = 6 };

static choice_cell cell[CELLS];
static choice_claim claim[CLAIMS];

static choice_cell cell_of(double seconds, int claims)
{
    return (choice_cell){.seconds = seconds, .max_runs = 100, .printed = 1, .claims = claims};
}

static choice_rule default_rule(void)
{
    return (choice_rule){
        .rounds = 3, .fill = 3, .worth = 1, .others = 1, .curves = 10, .jobs = 2, .left = INFINITY, .time = INFINITY};
}

static int take(int cells, int claims, const choice_rule *r)
{
    choice_input in = {cell, cells, claim, claims};
    int k = choice_next(&in, r);
    if (k >= 0)
        cell[k].next++;
    return k;
}

/* Every cell once before any twice, cheap before expensive, concurrent before exclusive. */
static void rounds(void)
{
    choice_rule r = default_rule();
    const double seconds[] = {5, 1, 3, .5};
    const int want[] = {1, 2, 0, 3};
    for (int k = 0; k < 4; k++)
        cell[k] = cell_of(seconds[k], 0);
    cell[3].alone = 1;
    for (int i = 0; i < 12; i++) {
        int k = take(4, 0, &r);
        CHECK(k == want[i % 4], "run %d is of cell %d", i, k);
    }
    r.until_decided = 1;
    CHECK(take(4, 0, &r) == CHOICE_NONE, "a fourth run before decisions");
    r.until_decided = 0;
    CHECK(take(4, 0, &r) == 1, "curves go on in rounds");
    cell[1].max_runs = cell[1].next;
    CHECK(take(4, 0, &r) == 2, "a cell beyond its published splits");
}

static void orderings(void)
{
    choice_rule r = default_rule();
    for (int k = 0; k < 6; k++)
        cell[k] = cell_of(k < 4 ? 1 : 0.01, k < 4), cell[k].next = 3;
    claim[0] = (choice_claim){0, 1, 1, 3, 20, 0};
    claim[1] = (choice_claim){2, 3, 1, 3, 4, 0};
    for (int i = 0; i < 8; i++) { /* four pairs, the two sides in turns; the cheap curves wait */
        int k = take(6, 2, &r);
        CHECK(k == 2 + i % 2, "run %d goes to cell %d", i, k);
    }
    CHECK(cell[2].next == 7 && cell[3].next == 7, "pairs");
    CHECK(take(6, 2, &r) == 0, "runs of claim 1 are under way: the other claim is next");
    claim[1].n = 7, claim[1].open = 0;
    for (int i = 0; i < 39; i++)
        CHECK(take(6, 2, &r) < 2, "a decided ordering got a run");
    CHECK(cell[0].next == 23 && cell[1].next == 23, "claim 0: %d and %d runs", cell[0].next, cell[1].next);
    claim[0].n = 23, claim[0].more = 1, claim[0].stand_in = 1;
    claim[1].open = 1, claim[1].more = 50;
    CHECK(take(6, 2, &r) == 2, "real data before stand-ins");
    claim[0].open = claim[1].open = 0;
    CHECK(take(6, 2, &r) >= 4, "curves when all is decided");
    r.until_decided = 1;
    CHECK(take(6, 2, &r) == CHOICE_NONE, "--until decided");
}

/* Existing runs of a side cost nothing; an ordering with a side that cannot be run gets no runs. */
static void costs(void)
{
    choice_rule r = default_rule();
    for (int k = 0; k < 6; k++)
        cell[k] = cell_of(1, 1), cell[k].next = 3;
    cell[0].next = 50; /* has runs from other tables */
    cell[1].seconds = 3;
    claim[0] = (choice_claim){0, 1, 1, 3, 5, 0}; /* 5 x 3 */
    claim[1] = (choice_claim){2, 3, 1, 3, 8, 0}; /* 8 x 2 */
    choice_input in = {cell, 6, claim, 2};
    CHECK(choice_seconds(&in, &claim[0], &r) == 15 && choice_seconds(&in, &claim[1], &r) == 16, "expected seconds");
    CHECK(take(6, 2, &r) == 1, "the least expected time");
    cell[1].next = 3, cell[1].alone = 1; /* displaces two jobs */
    CHECK(choice_seconds(&in, &claim[0], &r) == 30 && take(6, 2, &r) == 2, "a run alone");
    cell[1].alone = 0, cell[1].gone = 1;
    CHECK(isinf(choice_seconds(&in, &claim[0], &r)) && take(6, 2, &r) == 3, "one side cannot be run");
    claim[1].more = INFINITY;
    CHECK(take(6, 2, &r) == 2, "an ordering with no known end still gets runs");
    claim[1].a = -1;
    CHECK(take(6, 2, &r) == CHOICE_NONE, "orderings of other cells");
}

/* Runs that do not fit are not started; long runs and cells that are not printed wait; a cell being prepared delays the
 * next round, not its own. */
static void limits(void)
{
    choice_rule r = default_rule();
    for (int k = 0; k < 3; k++)
        cell[k] = cell_of(k == 2 ? 100 : 1, 0);
    r.left = 50;
    for (int i = 0; i < 6; i++)
        CHECK(take(3, 0, &r) != 2, "a run that does not fit");
    r.left = INFINITY;
    for (int k = 0; k < 3; k++)
        cell[k] = cell_of(1 + k, 0), cell[k].printed = k == 1;
    CHECK(take(3, 0, &r) == 1, "printed cells first");
    cell[0].printed = cell[2].printed = 1;
    cell[1].next = 0, cell[0].busy = 1;
    CHECK(take(3, 0, &r) == 1 && take(3, 0, &r) == 2, "others of the round");
    CHECK(take(3, 0, &r) == CHOICE_WAIT, "the round is not over");
    cell[0].busy = 0, cell[0].gone = 1;
    CHECK(take(3, 0, &r) == 1, "a cell without data holds nothing up");
}

/* After the first round: three runs of a printed cell, the first of another, or a decision, whichever takes the least
 * core-seconds; a decision counts as much as `worth` cells. */
static void soonest(void)
{
    choice_rule r = default_rule();
    r.rounds = 1;
    for (int k = 0; k < 6; k++)
        cell[k] = cell_of(1, k < 2), cell[k].next = k < 2 ? 3 : 1;
    cell[2].seconds = 10;                        /* 2 x 10 to three runs */
    cell[3].printed = cell[4].printed = 0;       /* beyond the paper */
    cell[3].next = 0, cell[3].seconds = 19;      /* 19 to the first */
    cell[4].seconds = .1, cell[5].next = 3;      /* has its run; a printed cell that has three */
    claim[0] = (choice_claim){0, 1, 1, 3, 9, 0}; /* 9 x 2 */
    CHECK(take(6, 1, &r) == 0 && take(6, 1, &r) == 1, "18 s to a decision, 19 and 20 to complete a cell");
    claim[0].more = 20;
    CHECK(take(6, 1, &r) == 3, "the first run of a cell beyond the paper");
    CHECK(take(6, 1, &r) == 2 && take(6, 1, &r) == 2 && cell[2].next == 3, "three runs of a printed cell");
    cell[2].next = 1, r.worth = r.others = 5;
    CHECK(take(6, 1, &r) < 2, "a decision counts as five cells");
    claim[0].stand_in = 1;
    cell[3].next = 0, cell[3].seconds = 4.1; /* 5 x 4.1 */
    CHECK(take(6, 1, &r) == 2, "stand-ins come last; other cells count a fifth");
    cell[2].next = 1, cell[3].seconds = 3.9;
    CHECK(take(6, 1, &r) == 3, "other cells count a fifth");
    cell[2].next = 3, cell[1].next = 2, cell[0].next = 3;
    claim[0].n = 0, claim[0].stand_in = 0;
    CHECK(take(6, 1, &r) == 1, "the side with fewer runs");
    claim[0].open = 0;
    CHECK(take(6, 1, &r) == 4, "then the curves, in rounds");
}

/* The first run of a table and the points of a figure count more than their cells. */
static void firsts(void)
{
    choice_rule r = default_rule();
    r.rounds = 0, r.first = .1;
    for (int k = 0; k < 4; k++)
        cell[k] = cell_of(10, 0), cell[k].next = 1;
    cell[1].printed = cell[2].printed = 2, cell[3].printed = 0, cell[3].figure = 1;
    cell[1].next = cell[2].next = cell[3].next = 0;
    cell[1].seconds = 100, cell[2].seconds = 150, cell[3].seconds = 120;
    CHECK(take(4, 0, &r) == 1, "10 for the first run of table 2");
    CHECK(take(4, 0, &r) == 3, "12 for the point of a figure");
    CHECK(take(4, 0, &r) == 0 && take(4, 0, &r) == 0, "20 for three runs of table 1");
    CHECK(take(4, 0, &r) == 1 && take(4, 0, &r) == 1 && take(4, 0, &r) == 2, "table 2 has begun: its cells count once");
}

/* Printed cells of small graphs come first when their runs take a third of what is left, but not in a short time. */
static void due(void)
{
    choice_rule r = default_rule();
    r.rounds = 0, r.worth = 100;
    for (int k = 0; k < 5; k++)
        cell[k] = cell_of(10, 0), cell[k].next = 3;
    cell[2].next = 1, cell[3].next = 1, cell[3].large = 1; /* 20 s are missing on cell 2 */
    claim[0] = (choice_claim){0, 1, 1, 3, 20, 0};          /* 400 s / 100 */
    r.time = 40, r.left = 35;
    CHECK(take(5, 1, &r) == 0, "more than 60 s are left on two workers");
    r.left = 32;
    CHECK(take(5, 1, &r) == 1, "the same");
    r.left = 28;
    CHECK(take(5, 1, &r) == 2, "less than 60 s");
    CHECK(take(5, 1, &r) == 0, "10 s are missing");
    cell[2].next = 1, r.time = 39;
    CHECK(take(5, 1, &r) == 1, "fewer than four times 20 s in all");
}

/* Random states: the chosen run is one of the open, feasible ordering with the least time, found by trying them all. */
static void against_twin(void)
{
    choice_rule r = default_rule();
    unsigned x = 12345;
#define DRAW(n) ((int)((x = x * 1664525u + 1013904223u) >> 8) % (int)(n))
    for (int trial = 0; trial < 20000; trial++) {
        for (int k = 0; k < CELLS; k++)
            cell[k] = (choice_cell){.seconds = 1 + DRAW(50),
                                    .alone = DRAW(2),
                                    .next = 3 + DRAW(4),
                                    .max_runs = 5 + DRAW(4),
                                    .printed = 1,
                                    .claims = 1,
                                    .gone = DRAW(8) == 0};
        for (int i = 0; i < CLAIMS; i++)
            claim[i] = (choice_claim){DRAW(CELLS), DRAW(CELLS), DRAW(3) > 0, 3, 1 + DRAW(6), 0};
        choice_input in = {cell, CELLS, claim, CLAIMS};
        r.until_decided = 1;
        r.left = 10 + DRAW(60);
        int k = choice_next(&in, &r);
        double least = INFINITY, mine = INFINITY;
        int possible = 0;
        for (int i = 0; i < CLAIMS; i++) {
            const choice_claim *q = &claim[i];
            const choice_cell *a = cell + q->a, *b = cell + q->b, *behind = a->next <= b->next ? a : b;
            double goal = 3 + q->more, need_a = fmax(0, goal - a->next), need_b = fmax(0, goal - b->next);
            int can = q->open && !behind->gone && behind->next < behind->max_runs && behind->next < goal &&
                      behind->seconds <= r.left;
            int ends = (need_a == 0 || (!a->gone && a->next < a->max_runs)) &&
                       (need_b == 0 || (!b->gone && b->next < b->max_runs));
            double s = need_a * a->seconds * (1 + a->alone) + need_b * b->seconds * (1 + b->alone);
            s = (ends ? s : 1e5) + 1e6 * (behind->seconds > r.left / 4);
            possible |= can;
            if (can)
                least = fmin(least, s);
            if (can && behind == cell + k)
                mine = fmin(mine, s);
        }
        CHECK((k >= 0) == possible, "trial %d: %d is chosen, %d", trial, k, possible);
        CHECK(!isfinite(least) || (k >= 0 && mine == least), "trial %d: %g s instead of %g", trial, mine, least);
    }
}

TEST_MAIN(test_choice)
{
    rounds();
    orderings();
    costs();
    limits();
    soonest();
    firsts();
    due();
    against_twin();
    return test_end();
}
