#include "resolve.h"
#include "../../net/loss/loss.h"
#include "../../base/err.h"
#include "../../base/guess.h"
#include "../grid.h"
#include <stdio.h>
#include <string.h>

static int named(const method *m, const spec *s)
{
    size_t n = strlen(s->loss), k = m->suffix ? strlen(m->suffix) : 0;
    return !strcmp(m->name, s->method) && (!k || (n > k && !strcmp(s->loss + n - k, m->suffix)));
}

/* A row with a suffix is the better match. */
static const method *method_of(const spec *s)
{
    const method *best = NULL;
    guess g = {.word = s->method};
    for (int i = 0; methods[i]; i++) {
        if (named(methods[i], s) && (!best || methods[i]->suffix))
            best = methods[i];
        if (!methods[i]->suffix)
            guess_list(&g, methods[i]->name);
    }
    if (!best)
        guess_die(&g, "method", "");
    return best;
}

/* What a method refuses. */
static void check_method(const method *m, const spec *s)
{
    const spec plain = spec_default();
    if (m->own_networks && (strcmp(s->model, plain.model) || strcmp(s->loss, plain.loss)))
        die("method %s has networks and a loss of its own: leave model=%s and loss=%s out", m->name, s->model, s->loss);
    if (loss_smoothed(s->loss) && !m->suffix)
        die("method %s has no Correct & Smooth after it: leave +cs out of loss=%s", m->name, s->loss);
    if (m->full_batch && s->batch.kind != BATCH_FULL)
        die("method %s trains on the whole graph: leave batch=%s out", m->name, s->batch.text);
}

cell resolve_cell(const spec *s, const char *experiment, const char *setting)
{
    const method *m = method_of(s);
    spec_check(s);
    cell c = {.s = *s,
              .experiment = experiment,
              .setting = setting,
              .method = m,
              .backbone = backbone_find(s->model),
              .smoothed = loss_smoothed(s->loss),
              .model = m->own_networks ? m->name : s->model,
              .loss = m->own_networks ? "-" : s->loss};
    c.objective = objective_find(s->loss);
    backbone_check(c.backbone, s);
    check_method(m, s);
    return c;
}

cell resolve_dataset(const spec *s, const char *experiment, const char *setting)
{
    return (cell){.experiment = experiment, .setting = setting, .s = *s, .model = s->model, .loss = s->loss};
}

void resolve_defaults(arena *a, spec *s)
{
    spec now = spec_default();
    now.dataset = s->dataset, now.method = s->method;
    const method *m = method_of(&now);
    if (m->defaults)
        grid_spec(a, &now, NULL, m->defaults, m->name);
    *s = now;
}

spec resolve_text(arena *a, const char **setting, const char *text, const char *where)
{
    const spec plain = spec_default();
    spec s = plain;
    grid_spec(a, &s, setting, text, where);
    if (strcmp(s.method, plain.method)) {
        resolve_defaults(a, &s);
        grid_spec(a, &s, setting, text, where);
    }
    return s;
}

void resolve_check_keys(const char *text, const cell *c, int n)
{
    char name[64];
    for (const char *w = text + strspn(text, " \t\r\n"); *w; w += strcspn(w, " \t\r\n"), w += strspn(w, " \t\r\n")) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(w, "="), w);
        int field = spec_field(name), reads = field < 0; /* setting=... */
        for (int i = 0; i < n && !reads; i++)
            reads = method_reads(c + i, field, NULL);
        if (!reads)
            method_check_given(c, field, NULL);
    }
}
