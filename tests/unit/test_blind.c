/* Searches of hyper-parameters have no access to test labels: a blind problem hides them, and changing them changes no
 * bit. */
#include "../../src/kernel/blas.h"
#include "../../src/net/loss/loss.h"
#include "../../src/train/blind.h"
#include "../../src/train/method/method.h"
#include "cell_of.h"
#include "test.h"
#include "toy.h"

static void test_hidden(void)
{
    problem *p = toy(400, 60, 4, 0);
    arena a = {0};
    split part = split_draw(&a, p->d, split_rule_read("per-class:5:6"), 1, 1000);
    problem *b = blind_problem(&a, p, split_rule_read("per-class:5:6"), 1, 1000);
    int known = 0;
    for (int i = 0; i < p->d->nodes; i++)
        known += b->d->y[i] >= 0;
    CHECK(known == part.n[TRAIN] + part.n[VAL], "%d labels are left of %d", known, part.n[TRAIN] + part.n[VAL]);
    for (int k = 0; k < part.n[TEST]; k++)
        CHECK(b->d->y[part.idx[TEST][k]] == -1, "test node %d has a label", part.idx[TEST][k]);
    split seen = split_draw(&a, b->d, b->split_rule, 1, 1000);
    CHECK(seen.n[TEST] == 0 && seen.n[TRAIN] == part.n[TRAIN] && seen.n[VAL] == part.n[VAL], "the parts changed");
    CHECK(p->d->y[part.idx[TEST][0]] >= 0 && p->d->nsplits == 0, "the problem itself changed");
    arena_free(&a);
    problem_close(p);
}

/* The same for several labels a node. */
static void test_hidden_sets(void)
{
    problem *p = toy(400, 60, 4, 0);
    arena a = {0};
    dataset d = *p->d;
    split part = split_draw(&a, p->d, split_rule_read("per-class:5:6"), 1, 1000);
    d.ym = NEW(&a, unsigned char, (size_t)d.nodes *(size_t)d.classes);
    for (int i = 0; i < d.nodes; i++)
        d.ym[i * d.classes + d.y[i]] = d.ym[i * d.classes] = 1;
    d.y = NULL, d.splits = &part, d.nsplits = 1;
    p->d = &d, p->split_rule = split_rule_read("public");
    problem *b = blind_problem(&a, p, split_rule_read("auto"), 1, 1000);
    for (int q = TRAIN; q <= TEST; q++)
        for (int k = 0; k < part.n[q]; k++)
            for (int c = 0; c < d.classes; c++) {
                int at = part.idx[q][k] * d.classes + c;
                CHECK(b->d->ym[at] == (q == TEST ? 0 : d.ym[at]), "node %d, class %d: %d", part.idx[q][k], c,
                      b->d->ym[at]);
            }
    CHECK(!b->d->y && d.ym[part.idx[TEST][0] * d.classes], "the problem itself changed");
    arena_free(&a);
    problem_close(p);
}

/* The same split with different labels of its test nodes. */
static void test_other_labels(void)
{
    problem *p = toy(400, 60, 4, 0);
    dataset d = *p->d;
    split part = split_draw(&p->a, &d, split_rule_read("per-class:5:6"), 1, 1000);
    d.splits = &part, d.nsplits = 1;
    p->d = &d, p->split_rule = split_rule_read("public");
    for (int m = 0; backbones[m]; m++)
        for (int o = 0; objectives[o]; o++) {
            arena a = {0};
            spec s = spec_default();
            s.model = backbones[m]->name, s.loss = objectives[o]->name, s.epochs = 6, s.hidden = 16,
            s.partition = partition_rule_read("random");
            problem_prepare(p, CELL(&s));
            outcome one, other;
            method_once(&one, blind_problem(&a, p, split_rule_read("auto"), 1, 1000), CELL(&s), 1, 1000);
            for (int k = 0; k < part.n[TEST]; k++)
                d.y[part.idx[TEST][k]] = (d.y[part.idx[TEST][k]] + 1) % d.classes;
            method_once(&other, blind_problem(&a, p, split_rule_read("auto"), 1, 1000), CELL(&s), 1, 1000);
            CHECK(!strcmp(one.status, "ok") && one.param_hash == other.param_hash && one.val.acc == other.val.acc &&
                      one.val_loss == other.val_loss && one.best_epoch == other.best_epoch,
                  "%s %s: test labels matter", s.model, s.loss);
            method_once(&other, p, CELL(&s), 1,
                        1000); /* the same split with test labels trains to the same parameters */
            CHECK(one.param_hash == other.param_hash, "%s %s: a blind problem trains otherwise", s.model, s.loss);
            arena_free(&a);
        }
    problem_close(p);
}

TEST_MAIN(test_blind)
{
    blas_init();
    test_hidden();
    test_hidden_sets();
    test_other_labels();
    return test_end();
}
