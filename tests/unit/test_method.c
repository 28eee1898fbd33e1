/* Every method of the registry: found by name, the same bits at any number of threads, no influence of test labels,
 * probabilities that agree with the outcome; how name and defaults enter the identity of runs. */
#include "../../src/base/err.h"
#include "../../src/base/hash.h"
#include "../../src/kernel/blas.h"
#include "../../src/net/loss/loss.h"
#include "../../src/train/method/method.h"
#include "../../src/train/blind.h"
#include "cell_of.h"
#include "test.h"
#include "toy.h"
#include <omp.h>

static spec spec_of(arena *a, const method *m, const char *more)
{
    return resolve_text(
        a, NULL, arena_printf(a, "method=%s loss=%s%s %s", m->name, "ce", m->suffix ? m->suffix : "", more), "test");
}

static void find(void *arg) { (void)CELL(arg)->method; }
static void check(void *arg) { resolve_cell(arg, NULL, "-"); }

static void test_names(void)
{
    arena a = {0};
    spec s = spec_default();
    CHECK(CELL(&s)->method == &method_network && !*spec_identity(&a, &s), "the default is a network, and has no text");
    s.loss = "jc+cs";
    CHECK(CELL(&s)->method == &method_correct_smooth && !strcmp(spec_identity(&a, &s), "loss=jc+cs"),
          "Correct & Smooth has another identity");
    s.loss = "ce", s.method = "netwrok";
    const char *why = err_try(find, &s);
    CHECK(why && strstr(why, "did you mean 'network'"), "%s", why ? why : "found");
    for (int i = 0; methods[i]; i++) {
        s = spec_of(&a, methods[i], "dataset=cora");
        resolve_cell(&s, NULL, "-");
        CHECK(CELL(&s)->method == methods[i], "%s is not itself", methods[i]->name);
        CHECK(!strcmp(CELL(&s)->model, methods[i]->own_networks ? methods[i]->name : "gcn"), "%s is called %s",
              methods[i]->name, CELL(&s)->model);
        s.model = "mlp";
        why = err_try(check, &s);
        CHECK(!why == !methods[i]->own_networks, "%s with another model: %s", methods[i]->name, why ? why : "taken");
    }
    arena_free(&a);
}

static uint64_t hash_of(const outcome *o, mat prob)
{
    uint64_t h = hash_bytes(HASH_INIT, prob.v, (size_t)prob.rows * (size_t)prob.cols * sizeof(real));
    return hash_bytes(h, &o->test_loss, sizeof o->test_loss);
}

static void test_bits(const method *m)
{
    static const int threads[] = {1, 2, 3, 8};
    arena a = {0};
    problem *p = toy(1200, 120, 4, 0);
    spec s = spec_of(&a, m, "epochs=6");
    p->split_rule = split_rule_read("per-class:40:40");
    method_prepare(p, CELL(&s));
    uint64_t first = 0, now = 0;
    outcome o;
    mat prob;
    for (int k = 0; k < 4; k++) {
        omp_set_num_threads(threads[k]);
        method_run(&o, p, CELL(&s), 1, 0, &(run_watch){.prob = &prob, .a = &a});
        now = hash_of(&o, prob);
        first = k ? first : now;
        CHECK(!strcmp(o.status, "ok") && now == first, "%s%s: %d threads give different bits (%s)", m->name,
              m->suffix ? m->suffix : "", threads[k], o.status);
    }
    omp_set_num_threads(2);
    split part = trainer_split(&a, p, &s, 1, 0);
    outcome again = {0};
    method_judge(&again, prob, p, &part);
    int scores = loss_smoothed(s.loss); /* no probabilities: their losses are not defined */
    CHECK(again.test.acc == o.test.acc && again.val.acc == o.val.acc &&
              (scores ? isnan(o.test_loss) && isnan(o.test.ece) : fabs(again.test_loss - o.test_loss) < 1e-6),
          "%s: probabilities of all nodes score %g, the outcome is %g", m->name, again.test.acc, o.test.acc);
    CHECK(o.test.acc > 0.4 && o.seconds > 0 && o.infer_ms > 0 && o.epoch_ms > 0, "%s: test accuracy %g in %g s",
          m->name, o.test.acc, o.seconds);
    method_run(&o, p, CELL(&s), 1, 1, &(run_watch){.prob = &prob, .a = &a});
    CHECK(hash_of(&o, prob) != first, "%s: run 1 is run 0 again", m->name);
    printf("%s%s: test accuracy %.3f\n", m->name, m->suffix ? m->suffix : "", o.test.acc);
    arena_free(&a);
    problem_close(p);
}

/* Member 0 is the network of the same run; the other has weights of its own, and its own probabilities. */
static void test_ensemble(void)
{
    arena a = {0};
    problem *p = toy(300, 60, 4, 0);
    spec one = resolve_text(&a, NULL, "epochs=5", "test"),
         two = resolve_text(&a, NULL, "epochs=5 method=ensemble", "test");
    method_prepare(p, CELL(&one));
    outcome o;
    mat x, mean;
    double away = 0, sum = 0;
    method_run(&o, p, CELL(&one), 1, 0, &(run_watch){.prob = &x, .a = &a});
    method_run(&o, p, CELL(&two), 1, 0, &(run_watch){.prob = &mean, .a = &a});
    for (int i = 0; i < mean.rows; i++) {
        for (int k = 0; k < mean.cols; k++) {
            double other = 2 * (double)mat_row(mean, i)[k] - (double)mat_row(x, i)[k];
            CHECK(other > -1e-6 && other < 1 + 1e-6, "node %d: the other member has probability %g", i, other);
            sum += other, away += fabs(other - (double)mat_row(x, i)[k]);
        }
    }
    CHECK_NEAR(sum / mean.rows, 1, 1e-5);
    CHECK(away / mean.rows > 1e-3, "the members are the same: %g", away / mean.rows);
    arena_free(&a);
    problem_close(p);
}

/* Changed test labels have no influence, and a blind problem, which has none, gives the same result. */
static void test_blindness(const method *m)
{
    arena a = {0};
    problem *p = toy(400, 60, 4, 0);
    spec s = spec_of(&a, m, "epochs=5");
    method_prepare(p, CELL(&s));
    split part = trainer_split(&a, p, &s, 1, 7);
    outcome one, other, blind;
    mat x, y, z;
    method_run(&one, p, CELL(&s), 1, 7, &(run_watch){.prob = &x, .a = &a});
    method_run(&blind, blind_problem(&a, p, split_rule_read("auto"), 1, 7), CELL(&s), 1, 7,
               &(run_watch){.prob = &z, .a = &a});
    dataset d = *p->d;
    d.splits = &part, d.nsplits = 1;
    problem *turned = problem_view(&a, p, &d);
    for (int k = 0; k < part.n[TEST]; k++)
        d.y[part.idx[TEST][k]] = (d.y[part.idx[TEST][k]] + 1) % d.classes;
    method_run(&other, turned, CELL(&s), 1, 7, &(run_watch){.prob = &y, .a = &a});
    size_t bytes = (size_t)x.rows * (size_t)x.cols * sizeof(real);
    CHECK(!memcmp(x.v, y.v, bytes) && one.val.acc == other.val.acc && one.test.acc != other.test.acc,
          "%s: test labels matter", m->name);
    CHECK(!memcmp(x.v, z.v, bytes) && one.val.acc == blind.val.acc, "%s: a blind problem fits otherwise", m->name);
    arena_free(&a);
    problem_close(p);
}

TEST_MAIN(test_method)
{
    blas_init();
    test_names();
    test_ensemble();
    for (int i = 0; methods[i]; i++) {
        test_bits(methods[i]);
        test_blindness(methods[i]);
    }
    return test_end();
}
