/* correct_smooth: a network, then Correct & Smooth over all nodes with parameters that are chosen on validation nodes,
 * run by run (train/smooth.h). What it predicts are scores: rows need not sum to one. */
#include "method.h"

static mat smoothed(trainer *t, outcome *o)
{
    mat prob = trainer_predict_all(t);
    const int *known = smooth_known(&t->a, t->data.y.one, t->data.nodes, &t->part);
    smooth_params q = smooth_tune(&t->a, NULL, problem_smooth(t->p), prob, known, &t->part);
    if (o)
        smooth_text(o->smooth, &q);
    return correct_and_smooth(&t->a, problem_smooth(t->p), prob, known, &t->part, &q);
}

static void prepare(problem *p, const cell *c)
{
    (void)c;
    problem_prepare_smooth(p);
}

static trainer *smoothed_trainer(const problem *p, const cell *c, uint64_t seed, int run)
{
    trainer *t = trainer_new(p, c, seed, run);
    t->stage = smoothed;
    return t;
}

const method method_correct_smooth = {.name = "network",
                                      .suffix = "+cs",
                                      .about = "the same, then Correct & Smooth: a loss NAME+cs",
                                      .cost = 1,
                                      .prepare = prepare,
                                      .trainer = smoothed_trainer};
