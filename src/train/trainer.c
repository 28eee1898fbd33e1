#include "trainer.h"
#include "../base/clock.h"
#include "../base/err.h"
#include "../base/hash.h"
#include "../base/memory.h"
#include "../net/loss/loss.h"
#include "inductive.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const enum spec_select each[CHOICES] = {SELECT_ACC, SELECT_MACRO_F1, SELECT_WEIGHTED_F1};

static int merge(int *out, const int *a, int na, const int *b, int nb)
{
    int n = 0;
    for (int i = 0, j = 0; i < na || j < nb;)
        out[n++] = j == nb || (i < na && a[i] < b[j]) ? a[i++] : b[j++];
    return n;
}

int trainer_runs(const problem *p, const spec *s)
{
    return split_runs(problem_dataset(p), problem_split_rule(p, s->split));
}

split trainer_split(arena *a, const problem *p, const spec *s, uint64_t seed, int run)
{
    return split_draw(a, problem_dataset(p), problem_split_rule(p, s->split), seed, run);
}

/* A workspace that trains on full batches. */
static workspace *full(trainer *t, enum policy policy)
{
    const split *q = &t->part;
    batch *b = NEW(&t->a, batch, 1);
    *b = batch_full(&t->data, q->idx[TRAIN], q->n[TRAIN], q->idx[TRAIN], q->n[TRAIN]);
    workspace *ws = workspace_new(&t->a, program_compile(&t->a, t->m, 1, policy), &t->net, NULL);
    workspace_bind(ws, b);
    return ws;
}

static predictor *predict_by(trainer *t, const model *m, enum policy policy, const int *rows, int n, workspace *feeds)
{
    predictor_input in = {
        .p = t->p, .c = &t->c, .m = m, .n = &t->net, .data = &t->data, .policy = policy, .feeds = feeds};
    in.rows = rows, in.nrows = n, in.mean = t->mean, in.nmean = t->nmean;
    in.taken = (double)t->a.live + 2 * (double)t->batch_memory.live; /* outputs, and gradients to come */
    return predictor_new(&t->a, &in);
}

static void make_workspaces(trainer *t, enum policy policy, int share)
{
    const split *q = &t->part;
    batch_rule rule = t->c.s.batch;
    if (t->on_val)
        predictor_free(t->on_val);
    if (rule.kind != BATCH_FULL) {
        arena_free(&t->batch_memory);
        const program *p = program_compile(&t->a, t->m, 1, policy);
        if (t->c.s.inductive && !t->links.rows)
            t->links = inductive_links(&t->a, &problem_dataset(t->p)->graph, q);
        t->batches =
            sampler_new(&t->a, &rule, t->p, &t->data, t->c.s.inductive ? &t->links : &problem_dataset(t->p)->graph,
                        t->m, p->hops, q, t->seed, t->run);
        t->train = workspace_new(&t->batch_memory, p, &t->net, NULL);
        const batch *first = problem_blocks(t->p, &t->c.s) ? sampler_batch(t->batches, 1, 0) : NULL;
        if (first) /* tells how much memory the others take */
            workspace_bind(t->train, first);
    } else {
        t->train = full(t, policy);
    }
    t->train->r = rng_make(t->seed, (uint64_t)t->run, RNG_DROPOUT);
    t->on_val = predict_by(t, t->m, policy, q->idx[VAL], q->n[VAL], share && !t->batches ? t->train : NULL);
    t->val = t->on_val->ws;
}

/* All but t->a, p, s, seed and run. May die. */
static void fill(void *arg)
{
    trainer *t = arg;
    const problem *p = t->p;
    const spec *s = &t->c.s;
    t->part = trainer_split(&t->a, p, s, t->seed, t->run);
    const split *q = &t->part;
    if (!q->n[TRAIN] || !q->n[VAL])
        die("%s: the split has no %s nodes", problem_dataset(p)->name, q->n[TRAIN] ? "validation" : "training");
    t->m = NEW(&t->a, model, 1);
    problem_model(t->m, p, &t->c, q);
    t->data = problem_data(p, &t->c);
    if (s->inductive)
        inductive_features(&t->a, &t->data, q);
    t->net = net_new(&t->a, t->m);
    enum spec_select by = (enum spec_select)s->select;
    t->nchosen = by == SELECT_EACH ? CHOICES : 1;
    for (int k = 0; k < t->nchosen; k++)
        t->chosen[k] = (choice){.by = by == SELECT_EACH ? each[k] : by,
                                .score = -INFINITY,
                                .loss = INFINITY,
                                .w = NEW(&t->a, real, t->m->size)};
    t->mean = NEW(&t->a, int, (size_t)(q->n[TRAIN] + q->n[VAL]));
    t->nmean = merge(t->mean, q->idx[TRAIN], q->n[TRAIN], q->idx[VAL], problem_batch_clusters(s) ? 0 : q->n[VAL]);
    make_workspaces(t, POLICY_ALL, s->validate_every == 1);
    t->work = metric_work_new(&t->a, t->m->classes);
    net_init(&t->net, t->seed, t->run);
    double bytes = (double)t->a.live + (double)problem_bytes(p);
    if (memory_is_set() && !t->batches && bytes > memory_limit())
        die("%s: training on the whole graph takes %.3g MiB, --memory allows %.3g: give more, or train in batches "
            "(--batch)",
            problem_dataset(p)->name, bytes / 0x1p20, memory_limit() / 0x1p20);
}

trainer *trainer_new(const problem *p, const cell *c, uint64_t seed, int run)
{
    arena a = {0};
    trainer *t = NEW(&a, trainer, 1);
    *t = (trainer){.a = a, .p = p, .c = *c, .seed = seed, .run = run};
    const char *why = err_try(fill, t);
    if (why) { /* a worker goes on with other runs */
        trainer_free(t);
        die("%s", why);
    }
    return t;
}

void trainer_policy(trainer *t, enum policy policy)
{
    if (t->batches)
        sampler_free(t->batches);
    t->batches = NULL;
    make_workspaces(t, policy, 0);
}

void trainer_free(trainer *t)
{
    arena a = t->a; /* t itself lives in it */
    if (t->batches)
        sampler_free(t->batches);
    if (t->on_val)
        predictor_free(t->on_val);
    if (t->on_test)
        predictor_free(t->on_test);
    arena_free(&t->batch_memory);
    arena_free(&a);
}

predictor *trainer_predictor(trainer *t, const int *rows, int n)
{
    return predict_by(t, t->m, POLICY_ALL, rows, n, NULL);
}

mat trainer_predict(trainer *t, const int *rows, int n)
{
    predictor *q = trainer_predictor(t, rows, n);
    predictor_run(q);
    predictor_free(q);
    return q->prob;
}

/* 0 .. nodes - 1 */
static int *every(trainer *t)
{
    int *all = NEW(&t->a, int, (size_t)t->data.nodes);
    for (int i = 0; i < t->data.nodes; i++)
        all[i] = i;
    return all;
}

mat trainer_predict_all(trainer *t) { return trainer_predict(t, every(t), t->data.nodes); }

mat trainer_embed(trainer *t)
{
    model *encoder = NEW(&t->a, model, 1);
    *encoder = *t->m;
    encoder->nops = t->m->z + 1;
    predictor *q = predict_by(t, encoder, POLICY_ALL, every(t), t->data.nodes, NULL);
    if (q->by) {
        mat z = blocks_embed(&t->a, q->by);
        predictor_free(q);
        return z;
    }
    predictor_run(q);
    return q->ws->ops[t->m->z].out;
}

int *trainer_labels(trainer *t, const int *rows, int n)
{
    if (!t->data.y.one)
        die("%s has several labels a node: this measurement needs one", problem_dataset(t->p)->name);
    int *y = NEW(&t->a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        y[i] = t->data.y.one[rows[i]];
    return y;
}

/* The validation scores by which epochs are chosen. */
static metrics validate(trainer *t, const node_labels *y)
{
    const mat *q = &t->on_val->prob;
    enum spec_select by = t->chosen->by;
    predictor_run(t->on_val);
    if (t->nchosen == 1 && (by == SELECT_ACC || by == SELECT_ACC_OR_LOSS) && y->one)
        return (metrics){.acc = metric_accuracy(q->v, y->one, q->rows, q->cols)};
    if (by == SELECT_LOSS || by == SELECT_OBJECTIVE)
        return (metrics){0};
    return metric_labels(NULL, q->v, y, q->rows, &t->work);
}

double trainer_val_acc(const trainer *t)
{
    arena tmp = {0};
    const mat *q = &t->on_val->prob;
    node_labels y = labels_pick(&tmp, &t->data.y, t->part.idx[VAL], q->rows);
    metric_work work = metric_work_new(&tmp, q->cols);
    double acc = metric_labels(NULL, q->v, &y, q->rows, &work).acc;
    arena_free(&tmp);
    return acc;
}

/* The larger the better. */
static double score(const trainer *t, const metrics *m, enum spec_select by)
{
    switch (by) {
    case SELECT_MACRO_F1: return m->macro_f1;
    case SELECT_WEIGHTED_F1: return m->weighted_f1;
    case SELECT_LOSS:
    case SELECT_OBJECTIVE: return -t->on_val->loss;
    default: return m->acc;
    }
}

/* Whether this epoch is the best so far by the measure of the choice. */
static int improves(choice *c, double now, double loss)
{
    int lower_loss = c->by == SELECT_ACC_OR_LOSS && loss < c->loss;
    int higher_score = now > c->score;
    if (lower_loss)
        c->loss = loss;
    if (higher_score)
        c->score = now;
    return lower_loss || higher_score;
}

/* Copies the parameters for each choice that they improve. A choice whose patience is exhausted does not change.
 * Returns how many choices are still open, -1 when something is not finite. */
static int choose(trainer *t, int epoch, const node_labels *y)
{
    if (epoch < t->c.s.evaluate_from && t->batches) /* full batches start from the prediction before them */
        return isfinite(t->train->loss) ? 1 : -1;
    metrics m = validate(t, y);
    t->predicted = epoch;
    if (epoch < t->c.s.evaluate_from)
        return isfinite(t->train->loss) ? 1 : -1;
    int patience = t->c.s.patience, on = 0;
    for (int k = 0; k < t->nchosen; k++) {
        choice *c = t->chosen + k;
        double now = score(t, &m, c->by);
        if (!isfinite(t->train->loss) || !isfinite(t->on_val->loss) || !isfinite(now))
            return -1;
        if (patience && c->epoch && epoch - 1 - c->epoch >= patience) /* counts from the first evaluation on */
            continue;
        if (improves(c, now, t->on_val->loss)) {
            c->epoch = epoch;
            c->train_loss = t->train->loss;
            memcpy(c->w, t->net.w, t->m->size * sizeof(real));
        }
        on += !patience || epoch - c->epoch < patience;
    }
    return on;
}

void trainer_steps(adam_now now[2], const spec *s, long step)
{
    const adam constants = {s->lr, 0.9, 0.999, 1e-8};
    int rmsprop = s->optimiser == OPTIMISER_RMSPROP;
    for (int k = 0; k < 2; k++) {
        double decay = k ? s->wd2 : s->wd;
        now[k] = rmsprop ? (adam_now){.step = (real)s->lr,
                                      .b2 = (real)0.99,
                                      .new1 = 1,
                                      .new2 = (real)0.01,
                                      .eps = (real)1e-8,
                                      .decay = (real)decay,
                                      .root = 1}
                         : adam_at(&constants, decay, step);
    }
}

static void learn_batch(trainer *t, long step)
{
    adam_now now[2];
    trainer_steps(now, &t->c.s, step);
    workspace_learn(t->train, (uint32_t)step, now);
}

/* The loss of the epoch is the mean over its targets. */
static void learn_batches(trainer *t, int epoch)
{
    int count = sampler_batches(t->batches);
    double loss = 0, rows = 0;
    for (int k = 0; k < count; k++) {
        const batch *b = sampler_batch(t->batches, epoch, k);
        if (!b)
            continue;
        workspace_bind(t->train, b);
        learn_batch(t, (long)(epoch - 1) * count + k + 1);
        loss += t->train->loss * b->ntarget, rows += b->ntarget;
    }
    t->train->loss = loss / rows;
}

void trainer_learn(trainer *t, int epoch)
{
    if (t->batches)
        learn_batches(t, epoch);
    else
        learn_batch(t, epoch);
}

/* Rows of a matrix over all nodes. */
static mat pick(trainer *t, mat all, const int *rows, int n)
{
    mat m = mat_new(&t->a, n, all.cols);
    for (int i = 0; i < n; i++)
        memcpy(mat_row(m, i), mat_row(all, rows[i]), (size_t)all.cols * sizeof(real));
    return m;
}

/* Scores of Correct & Smooth are no probabilities: what judges probabilities is not defined for them. */
static void drop_probabilistic(metrics *m, double *loss) { m->ece = m->brier = m->nll = *loss = NAN; }

/* Chosen parameters on validation nodes and, where there are some, on test nodes. */
static void judge(trainer *t, outcome *o, const choice *c, const node_labels *y_val, const node_labels *y_test)
{
    const split *q = &t->part;
    size_t bytes = t->m->size * sizeof(real);
    memcpy(t->net.w, c->w, bytes);
    o->val_score = c->score, o->best_epoch = c->epoch, o->train_loss = c->train_loss;
    o->param_hash = hash_bytes(HASH_INIT, c->w, bytes);
    mat all = t->stage ? t->stage(t, o) : (mat){0};
    predictor_run(t->on_val);
    mat val = t->stage ? pick(t, all, q->idx[VAL], q->n[VAL]) : t->on_val->prob;
    o->val = metric_labels(NULL, val.v, y_val, q->n[VAL], &t->work);
    o->val_loss = loss_of(val, y_val);
    if (t->stage)
        drop_probabilistic(&o->val, &o->val_loss);
    if (!t->on_test) { /* NaN, not 0: there is nothing to test on */
        o->test = metric_compute(NULL, NULL, NULL, 0, &t->work);
        o->test_loss = NAN;
        return;
    }
    double start = clock_now();
    predictor_run(t->on_test);
    o->infer_ms = 1e3 * (clock_now() - start);
    mat prob = t->stage ? pick(t, all, q->idx[TEST], q->n[TEST]) : t->on_test->prob;
    o->test = metric_labels(NULL, prob.v, y_test, q->n[TEST], &t->work);
    o->test_loss = loss_of(prob, y_test);
    if (t->stage)
        drop_probabilistic(&o->test, &o->test_loss);
}

/* The trainer looks at test nodes here and nowhere else. With several choices each F1 is that of its own; all else is
 * the first's. */
static void judge_all(trainer *t, outcome *o, const node_labels *y_val)
{
    const int *rows = t->part.idx[TEST], n = t->part.n[TEST];
    const node_labels y = labels_pick(&t->a, &t->data.y, rows, n);
    t->on_test = n ? trainer_predictor(t, rows, n) : NULL;
    t->test = n ? t->on_test->ws : NULL;
    outcome of[CHOICES];
    for (int k = t->nchosen; k-- > 0;) { /* the first choice last: its parameters stay */
        judge(t, o, t->chosen + k, y_val, &y);
        of[k] = *o;
    }
    if (t->nchosen > 1) {
        o->val.macro_f1 = of[1].val.macro_f1, o->test.macro_f1 = of[1].test.macro_f1;
        o->val.weighted_f1 = of[2].val.weighted_f1, o->test.weighted_f1 = of[2].test.weighted_f1;
    }
}

void outcome_settle(outcome *o, int tested, int probabilities)
{
    int finite = isfinite(o->val.acc) && isfinite(o->train_loss) && (!probabilities || isfinite(o->val_loss));
    if (tested && probabilities) /* without a labelled test node the accuracy is NaN, and the loss 0 */
        finite &= isfinite(o->test_loss);
    if (strcmp(o->status, "ok"))
        return;
    if (o->best_epoch < 1)
        snprintf(o->status, sizeof o->status, "failed:no epoch was chosen");
    else if (!finite)
        snprintf(o->status, sizeof o->status, "failed:predictions are not finite");
}

void trainer_test(trainer *t, outcome *o)
{
    choice *c = t->chosen;
    const node_labels y = labels_pick(&t->a, &t->data.y, t->part.idx[VAL], t->part.n[VAL]);
    *c = (choice){.by = c->by, .score = -t->on_val->loss, .epoch = o->epochs, .train_loss = t->train->loss, .w = c->w};
    memcpy(c->w, t->net.w, t->m->size * sizeof(real));
    judge_all(t, o, &y);
    outcome_settle(o, t->part.n[TEST] > 0, 1);
}

void trainer_fit(trainer *t, outcome *o, epoch_watch *watch, void *arg)
{
    if (t->c.smoothed && !t->stage)
        die("loss %s: the trainer has no stage for what follows training (use the method's)", t->c.s.loss);
    const node_labels y_val = labels_pick(&t->a, &t->data.y, t->part.idx[VAL], t->part.n[VAL]);
    *o = (outcome){.bytes = t->a.live, .smooth = "-", .status = "ok"};
    predictor_run(t->on_val); /* an epoch starts from what the prediction before it has computed (net/share.h) */
    double start = clock_now();
    for (int epoch = 1, on = 1; epoch <= t->c.s.epochs && on > 0; epoch++) {
        trainer_learn(t, epoch);
        o->epochs = epoch;
        if (epoch % t->c.s.validate_every == 0 || epoch == t->c.s.epochs)
            on = choose(t, epoch, &y_val);
        if (on < 0 || !isfinite(t->train->loss)) {
            snprintf(o->status, sizeof o->status, "failed:loss is not finite at epoch %d", epoch);
            return;
        }
        if (watch)
            watch(arg, t, epoch);
    }
    o->seconds = clock_now() - start;
    o->bytes += t->batch_memory.live;
    o->epoch_ms = 1e3 * o->seconds / o->epochs;
    judge_all(t, o, &y_val);
    outcome_settle(o, t->part.n[TEST] > 0, !t->stage);
}
