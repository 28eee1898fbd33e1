/* PR-BCD and GR-BCD (Geisler et al. 2021) on a GCN that was trained on the clean graph (relaxed.h).
 *
 * PR-BCD: gradient ascent in the values p of a block of candidates, from p = 0 (the publication: 1e-7), each step
 * projected to sum p <= budget; candidates with p = 0 are replaced by new ones. The p with the lowest accuracy is
 * rounded to flips: the largest values, or one of 19 samples with probability p, whichever gives the lowest accuracy
 * within the budget.
 * GR-BCD: 500 steps; each permanently flips the budget / 500 candidates of a new block with the largest gradients. */
#include "../base/err.h"
#include "../data/variant/edit.h"
#include "relaxed.h"
#include "../base/portable.h"
#include <math.h>
#include <string.h>

enum { STEPS = 400, RESAMPLE = 300, SAMPLES = 20, GREEDY = 500 };

typedef struct bcd {
    attack_job *j;
    relaxed f;
    edit e;
    block b;
    rng r;
    real *grad;
} bcd;

static int64_t block_size(const attack_target *t, const attack_spec *s)
{
    int64_t budget = (int64_t)(s->rate * (double)csr_nnz(&t->graph) / 2), size = s->block;
    if (!size)
        size = t->nodes < 10000 ? 1000000 : t->nodes < 100000 ? 2500000 : 10000000;
    return size > 2 * budget ? size : 2 * budget;
}

/* Estimated bytes; active: most candidates with p > 0. */
static double memory(const attack_target *t, const attack_spec *s, double active)
{
    double n = t->nodes, links = (double)csr_nnz(&t->graph) * (1 + s->rate);
    double b = fmin((double)block_size(t, s), n * (n - 1) / 2);
    double total = relaxed_memory(t) + block_memory(t->nodes, block_size(t, s)) + b * (3 * sizeof(real) + 8);
    active = fmin(active, b);
    total += links * 8 + (links + n + 2 * active) * (4 + 2 * sizeof(real)); /* two graphs; A_hat and weights */
    return total + active * (2 * (4 + sizeof(real)) + 8 + sizeof(real));
}

double bcd_projected_memory(const attack_target *t, const attack_spec *s) { return memory(t, s, INFINITY); }
double bcd_greedy_memory(const attack_target *t, const attack_spec *s) { return memory(t, s, 0); }

static bcd bcd_new(attack_job *j)
{
    if (!j->t->part.n[TEST])
        die("%s attacks the test nodes, and there are none", j->s->method->name);
    feature_matrix x = features_of(&j->a, j->t);
    bcd s = {
        .j = j, .r = rng_make(j->s->seed, ATTACK_BLOCK, RNG_ATTACK), .f = relaxed_new(&j->a, j->t, &x, j->s->seed)};
    s.e = edit_new(&j->a, &j->t->graph, j->budget);
    s.b = block_new(&j->a, j->t->nodes, block_size(j->t, j->s));
    s.grad = NEW(&j->a, real, (size_t)s.b.capacity);
    return s;
}

/* --- PR-BCD --- */

/* The candidates with p > 0 at the best step. */
typedef struct best {
    int64_t *index, n;
    real *p;
    double accuracy, loss;
} best;

static void best_keep(best *b, const bcd *s)
{
    if (s->f.accuracy > b->accuracy || (s->f.accuracy == b->accuracy && !(s->f.loss > b->loss)))
        return;
    b->accuracy = s->f.accuracy, b->loss = s->f.loss;
    b->n = 0;
    for (int64_t k = 0; k < s->b.n; k++)
        if (s->b.p[k] > 0) {
            b->index[b->n] = s->b.index[k];
            b->p[b->n++] = s->b.p[k];
        }
}

/* Makes the block hold the best p; the remaining candidates are drawn. */
static void best_restore(bcd *s, const best *b, uint64_t stream)
{
    if (s->b.capacity == s->b.all) {
        block_draw(&s->b, s->r, stream);
        for (int64_t k = 0; k < b->n; k++)
            s->b.p[b->index[k]] = b->p[k];
        return;
    }
    memcpy(s->b.index, b->index, (size_t)b->n * sizeof *b->index);
    memcpy(s->b.p, b->p, (size_t)b->n * sizeof *b->p);
    s->b.n = b->n;
    block_fill(&s->b, s->r, stream);
}

/* Sets p of the candidates to 0 or 1; returns the accuracy, or 2 if the sample exceeds the budget. */
static double try_sample(bcd *s, const real *chosen)
{
    double sum = 0;
    for (int64_t k = 0; k < s->b.n; k++)
        sum += (double)(s->b.p[k] = chosen[k]);
    if (sum > (double)s->j->budget || sum == 0)
        return 2;
    arena tmp = {0};
    weighted a = weighted_new(&tmp, &s->e.graph, &s->b);
    relaxed_loss(&s->f, &a.ahat);
    arena_free(&tmp);
    return s->f.accuracy;
}

/* Rounds the best p, which the block holds, and reports the flips. */
static void discrete(bcd *s)
{
    const int64_t n = s->b.n;
    rng r = rng_make(s->j->s->seed, ATTACK_SAMPLE, RNG_ATTACK);
    real *p = NEW(&s->j->a, real, (size_t)n), *sample = s->grad, *winner = NEW(&s->j->a, real, (size_t)n),
         *value = NEW(&s->j->a, real, (size_t)n);
    int64_t *at = NEW(&s->j->a, int64_t, (size_t)n);
    double least = 2;
    memcpy(p, s->b.p, (size_t)n * sizeof *p);
    for (int trial = 0; trial < SAMPLES; trial++) {
        for (int64_t k = 0; k < n; k++) {
            value[k] = p[k] > 0 ? p[k] : -INFINITY;
            sample[k] = trial && rng_uniform(r, (uint64_t)trial, (uint64_t)k) < (double)p[k];
        }
        for (int64_t m = trial ? 0 : block_largest(at, &s->j->scratch, value, n, s->j->budget), k = 0; k < m; k++)
            sample[at[k]] = 1;
        double accuracy = try_sample(s, sample);
        if (accuracy < least) {
            least = accuracy;
            memcpy(winner, sample, (size_t)n * sizeof *winner);
        }
    }
    for (int64_t k = 0; k < n; k++)
        if (winner[k] > 0) {
            flip f = block_pair(s->b.nodes, s->b.index[k]);
            attack_found(s->j, f.u, f.v);
        }
}

void bcd_projected(attack_job *j)
{
    bcd s = bcd_new(j);
    const double pairs = (double)s.b.all, capacity = (double)s.b.capacity;
    const double rate =
        (double)j->budget / j->t->nodes / 2 * 100 * fmax(portable_log(pairs / capacity) / 0.69314718055994531, 1);
    best b = {NEW(&j->a, int64_t, (size_t)s.b.capacity), 0, NEW(&j->a, real, (size_t)s.b.capacity), 2, 0};
    block_draw(&s.b, s.r, 0);
    for (int e = 0; e <= STEPS; e++) {
        weighted a = weighted_new(&j->scratch, &s.e.graph, &s.b);
        relaxed_loss(&s.f, &a.ahat);
        best_keep(&b, &s);
        if (e == RESAMPLE || e == STEPS)
            best_restore(&s, &b, STEPS + (uint64_t)e);
        if (e == RESAMPLE) {
            arena_free(&j->scratch);
            a = weighted_new(&j->scratch, &s.e.graph, &s.b);
            relaxed_loss(&s.f, &a.ahat);
        }
        if (e < STEPS) {
            relaxed_gradient(s.grad, &s.f, &a, &s.e.graph, &s.b);
            double lr = rate / sqrt(fmax(0, e - RESAMPLE) + 1);
            for (int64_t k = 0; k < s.b.n; k++)
                s.b.p[k] += (real)(lr * (double)s.grad[k]);
            block_project(s.b.p, s.b.n, (double)j->budget);
            if (e < RESAMPLE - 1)
                block_redraw(&s.b, s.r, (uint64_t)e + 1);
            attack_stepped(j, e + 1, STEPS, s.f.loss, s.f.accuracy);
        }
        arena_free(&j->scratch);
    }
    discrete(&s);
}

/* --- GR-BCD --- */

/* The `count` best flips of a new block. */
static int64_t greedy_step(flip *out, bcd *s, int64_t count, int step)
{
    int64_t *at = NEW(&s->j->scratch, int64_t, (size_t)s->b.capacity);
    block_draw(&s->b, s->r, (uint64_t)step);
    weighted a = weighted_new(&s->j->scratch, &s->e.graph, NULL);
    relaxed_loss(&s->f, &a.ahat);
    relaxed_gradient(s->grad, &s->f, &a, &s->e.graph, &s->b);
    for (int64_t k = 0, q = 0; k < s->e.ndone; k++) { /* excludes flipped pairs; both lists are ascending */
        int64_t index = block_index(s->b.nodes, (int)(s->e.done[k] / s->b.nodes), (int)(s->e.done[k] % s->b.nodes));
        while (q < s->b.n && s->b.index[q] < index)
            q++;
        if (q < s->b.n && s->b.index[q] == index)
            s->grad[q] = -INFINITY;
    }
    int64_t n = block_largest(at, &s->j->scratch, s->grad, s->b.n, count);
    for (int64_t k = 0; k < n; k++)
        out[k] = block_pair(s->b.nodes, s->b.index[at[k]]);
    return n;
}

void bcd_greedy(attack_job *j)
{
    bcd s = bcd_new(j);
    const int64_t steps = j->budget < GREEDY ? j->budget : GREEDY, known = j->w ? j->w->nknown : 0;
    flip *f = NEW(&j->a, flip, (size_t)(j->budget / steps + 1));
    for (int step = 0; step < steps; step++) {
        int64_t count = j->budget / steps + (step < j->budget % steps), n = count;
        if (j->n + count <= known) {
            memcpy(f, j->w->known + j->n, (size_t)count * sizeof *f);
        } else {
            n = greedy_step(f, &s, count, step);
            arena_free(&j->scratch);
            attack_stepped(j, step + 1, steps, s.f.loss, s.f.accuracy);
        }
        if (n < count)
            die("after %lld flips no pair is left that may be flipped; lower the rate", (long long)j->n + n);
        edit_flip(&s.e, f, n);
        for (int64_t k = 0; k < n; k++)
            attack_found(j, f[k].u, f[k].v);
    }
}
