#include "attack.h"
#include "../../base/err.h"
#include "../../base/guess.h"
#include "edit.h"
#include <math.h>
#include <string.h>

const char *const attack_init_name[] = {"fresh", "fixed", NULL};

const attack_method *attack_find(const char *name)
{
    guess g = {.word = name};
    for (const attack_method *m = attack_methods; m->name; m++) {
        if (!strcmp(m->name, name))
            return m;
        guess_list(&g, m->name);
    }
    guess_die(&g, "attack", "");
}

void attack_check(const attack_spec *s)
{
    if (s->steps && (s->method->run != meta_run || s->method->approximate))
        die("%s has no number of inner steps; only metaself, metatrain and metaboth have", s->method->name);
    if (s->steps && (s->steps < 2 || s->steps > ATTACK_STEPS))
        die("%d inner steps: it must be 2 to %d", s->steps, ATTACK_STEPS);
}

/* --- the target --- */

static void scale_sparse(arena *a, csr *x)
{
    const csr from = *x;
    x->val = NEW(a, real, (size_t)csr_nnz(x));
    for (int i = 0; i < x->rows; i++) {
        double sum = 0;
        for (int64_t k = x->ptr[i]; k < x->ptr[i + 1]; k++)
            sum += fabs((double)csr_value(&from, k));
        for (int64_t k = x->ptr[i]; k < x->ptr[i + 1]; k++)
            x->val[k] = sum != 0 ? (real)((double)csr_value(&from, k) / sum) : csr_value(&from, k);
    }
}

static void scale_dense(arena *a, mat *x)
{
    const mat from = *x;
    *x = mat_new(a, from.rows, from.cols);
    for (int i = 0; i < x->rows; i++) {
        double sum = 0;
        for (int j = 0; j < x->cols; j++)
            sum += fabs((double)mat_row(from, i)[j]);
        for (int j = 0; j < x->cols; j++)
            mat_row(*x, i)[j] = sum != 0 ? (real)((double)mat_row(from, i)[j] / sum) : mat_row(from, i)[j];
    }
}

attack_target attack_target_of(arena *a, const dataset *d, const split *part, int scale_rows)
{
    if (!d->y)
        die("%s: its nodes have several labels; attacks need one class a node", d->name);
    if (!part->n[TRAIN])
        die("%s: no training nodes: an attack needs labels to train its surrogate", d->name);
    if (d->features < 1)
        die("%s: its nodes have no features", d->name);
    if (!csr_nnz(&d->graph))
        die("%s: the graph has no links, and a rate is a share of them", d->name);
    attack_target t = {.nodes = d->nodes,
                       .features = d->features,
                       .classes = d->classes,
                       .graph = d->graph,
                       .xs = d->xs,
                       .xd = d->xd,
                       .y = d->y,
                       .part = *part};
    if (scale_rows && t.xs.rows)
        scale_sparse(a, &t.xs);
    if (scale_rows && t.xd.rows)
        scale_dense(a, &t.xd);
    return t;
}

/* --- running one --- */

int64_t attack_budget(const attack_target *t, const attack_spec *s)
{
    int64_t links = csr_nnz(&t->graph) / 2, pairs = (int64_t)t->nodes * (t->nodes - 1) / 2;
    int64_t max = s->method->max_flips ? s->method->max_flips(t) : pairs;
    double want = floor(s->rate * (double)links + 1e-9); /* 0.3 * 10 is 3 */
    if (!(s->rate > 0))
        die("rate %g: an attack needs a positive one", s->rate);
    if (!(want >= 1))
        die("rate %g of %lld links is not one flip; raise the rate", s->rate, (long long)links);
    if (want > (double)max)
        die("rate %g of %lld links is %.0f flips, but %s can make at most %lld", s->rate, (long long)links, want,
            s->method->name, (long long)max);
    return (int64_t)want;
}

double attack_memory(const attack_target *t, const attack_spec *s)
{
    double links = (double)csr_nnz(&t->graph);
    return s->method->memory ? s->method->memory(t, s) : 32 * links + 16 * (double)t->nodes;
}

void attack_found(attack_job *j, int u, int v)
{
    flip f = u < v ? (flip){u, v} : (flip){v, u};
    const attack_watch *w = j->w;
    if (w && j->n < w->nknown) {
        const flip *k = &w->known[j->n];
        if (k->u != f.u || k->v != f.v)
            die("flip %lld of %s differs from the known one: the list was changed, or made by another version or CPU",
                (long long)j->n + 1, j->s->method->name);
    } else if (w && w->found) {
        w->found(w->arg, &f, 1);
    }
    j->out[j->n++] = f;
}

void attack_stepped(const attack_job *j, int64_t done, int64_t total, double loss, double accuracy)
{
    if (j->w && j->w->step)
        j->w->step(j->w->arg, done, total, loss, accuracy);
}

static void run(void *job)
{
    attack_job *j = job;
    j->s->method->run(j);
}

flip *attack_run(arena *a, int64_t *n, const attack_target *t, const attack_spec *s, const attack_watch *watch)
{
    attack_job j = {.t = t, .s = s, .w = watch, .budget = attack_budget(t, s)};
    if (watch && watch->nknown > j.budget)
        die("%lld flips are already known, more than the %lld of this attack", (long long)watch->nknown,
            (long long)j.budget);
    j.out = NEW(a, flip, (size_t)j.budget);
    const char *why = err_try(run, &j);
    arena_free(&j.a);
    arena_free(&j.scratch);
    if (why)
        die("%s", arena_printf(a, "%s", why));
    *n = j.n;
    return j.out;
}

csr attack_apply(arena *a, const csr *graph, const flip *f, int64_t n)
{
    arena tmp = {0};
    edit e = edit_new(&tmp, graph, n);
    edit_flip(&e, f, n);
    csr out = csr_new(a, graph->rows, graph->cols, csr_nnz(&e.graph), 0);
    memcpy(out.ptr, e.graph.ptr, ((size_t)graph->rows + 1) * sizeof *out.ptr);
    memcpy(out.idx, e.graph.idx, (size_t)csr_nnz(&out) * sizeof *out.idx);
    arena_free(&tmp);
    return out;
}
