/* figure_gains: JC - CE with its confidence sequence, from the paired runs of contrasts.c, beside the paper's
 * difference. */
#include "figure_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether an earlier row has the same runs: some tables repeat cells of others. */
static int repeated(const contrast *const *seen, int n, const contrast *c)
{
    for (int i = 0; i < n; i++)
        if (seen[i]->a->run[0] == c->a->run[0] && seen[i]->b->run[0] == c->b->run[0] &&
            seen[i]->a->metric == c->a->metric)
            return 1;
    return 0;
}

static int several_metrics(const table *t)
{
    for (int i = 1; i < t->paper.n; i++)
        if (t->cell[i].metric != t->cell[0].metric)
            return 1;
    return 0;
}

/* "Cora, GCN, F1-macro (twin)" */
static const char *line_name(arena *a, const table *t, const contrast *c)
{
    const char *metric = c->a->metric->title, *origin = origin_label(c->origin);
    int len = several_metrics(t) ? (int)strcspn(metric, "(") - 1 : 0;
    return arena_printf(a, "%s%s%.*s%s%s%s", contrasts_where(a, c), len ? ", " : "", len, metric, *origin ? " (" : "",
                        origin, *origin ? ")" : "");
}

/* The series of a verdict. */
static const char *winner(const contrast *c)
{
    if (c->verdict == CONFIRMED || c->verdict == CONTRADICTED)
        return (c->verdict == CONFIRMED) == (c->claim > 0) ? "JC" : "CE";
    return c->verdict == EQUAL ? "equal" : "open";
}

static int by_place(const contrast *x, const contrast *y)
{
    static const char *const key[] = {"dataset", "ptb", "labels", "metric", "model"};
    int order = 0;
    for (int i = 0; i < 5 && !order; i++)
        order = table_order(x->a->paper, y->a->paper, key[i]);
    return order;
}

static int by_panel(const contrast *x, const contrast *y, const char *along)
{
    const char *const key[] = {"dataset", "model", along};
    int order = 0;
    for (int i = 0; i < 3 && !order; i++)
        order = table_order(x->a->paper, y->a->paper, key[i]);
    return order;
}

static int panel_of(const char *which, const char *label) /* 1 + the number of '|' before the label */
{
    int panel = 1;
    size_t len = strlen(label);
    for (const char *s = which; *s; s++) {
        if ((s == which || strchr(",|", s[-1])) && !strncmp(s, label, len) && strchr(",|", s[len]))
            return panel;
        panel += *s == '|';
    }
    return 0;
}

static void add_table(figure *f, const table *t, const contrast **seen, int *n, int line[])
{
    int panel = panel_of(f->tables, t->def->label), first = *n;
    for (int i = 0; i < t->contrasts; i++) {
        const contrast *c = &t->contrast[i];
        if (!c->n || strcmp(c->def->a, "loss=jc") || strcmp(c->def->b, "loss=ce") || repeated(seen, *n, c))
            continue;
        int j = (*n)++;
        for (; j > first && by_place(seen[j - 1], c) > 0; j--)
            seen[j] = seen[j - 1];
        seen[j] = c;
    }
    line[panel] += *n > first; /* for the name of the group */
    for (int i = first; i < *n; i++) {
        const contrast *c = seen[i];
        figure_add(f, (figure_row){.panel = panel,
                                   .row = ++line[panel],
                                   .group = arena_printf(f->a, "%.*s (%s)", (int)strcspn(t->def->experiment, ","),
                                                         t->def->experiment, t->def->label),
                                   .label = line_name(f->a, t, c),
                                   .series = winner(c),
                                   .x = NAN,
                                   .mean = c->mean,
                                   .lo = c->lo,
                                   .hi = c->hi,
                                   .n = c->n,
                                   .origin = c->origin,
                                   .dataset = c->a->paper->dataset,
                                   .paper = c->paper,
                                   .paper_sd = NAN});
    }
}

/* JC - CE against a key of the setting, a panel for each data set and model. */
const char *figure_gain_lines(figure *f, const figure_source *in)
{
    key_list keys = render_keys(f->a, "dataset,model");
    int panel = 0, max = 1;
    for (const table *t = in->table; t < in->table + in->tables; t++)
        max += t->contrasts;
    const contrast **seen = NEW(f->a, const contrast *, (size_t)max);
    int n = 0;
    for (const table *t = in->table; t < in->table + in->tables; t++)
        for (int i = 0; i < t->contrasts && figure_listed(f->tables, t->def->label); i++) {
            int j = n;
            if (!t->contrast[i].n)
                continue;
            for (n++; j > 0 && by_panel(seen[j - 1], &t->contrast[i], f->def->x) > 0; j--)
                seen[j] = seen[j - 1];
            seen[j] = &t->contrast[i];
        }
    for (int i = 0; i < n; i++) {
        const contrast *c = seen[i];
        const char *origin = origin_label(c->origin), *title = figure_words(f->a, c->a->paper, &keys);
        title = *origin ? arena_printf(f->a, "%s (%s)", title, origin) : title;
        panel += !i || strcmp(title, f->row[f->n - 1].title);
        int len;
        const char *x = paper_value(c->a->paper, f->def->x, &len);
        figure_add(f, (figure_row){.panel = panel,
                                   .title = title,
                                   .row = 1,
                                   .label = f->def->x,
                                   .series = "JC",
                                   .x = x ? strtod(x, NULL) : NAN,
                                   .mean = c->mean,
                                   .lo = isfinite(c->lo) ? c->lo : NAN,
                                   .hi = isfinite(c->hi) ? c->hi : NAN,
                                   .n = c->n,
                                   .origin = c->origin,
                                   .dataset = c->a->paper->dataset,
                                   .paper = c->paper,
                                   .paper_sd = NAN});
    }
    return n ? NULL : figure_missing(f);
}

const char *figure_gains(figure *f, const figure_source *in)
{
    int capacity = 1, n = 0, panels = 1;
    for (int k = 0; k < in->tables; k++)
        capacity += in->table[k].contrasts;
    for (const char *s = f->tables; *s; s++)
        panels += *s == '|';
    const contrast **seen = NEW(f->a, const contrast *, (size_t)capacity);
    int *line = NEW(f->a, int, (size_t)panels + 2), *place = NEW(f->a, int, (size_t)panels + 2);
    for (int k = 0; k < in->tables; k++)
        if (figure_listed(f->tables, in->table[k].def->label))
            add_table(f, &in->table[k], seen, &n, line);
    for (int p = 1; p <= panels; p++) /* removes panels without lines */
        place[p] = place[p - 1] + (line[p] > 0);
    for (int i = 0; i < f->n; i++) {
        f->row[i].panel = place[f->row[i].panel];
        f->row[i].title = "JC - CE (percentage points)";
    }
    return n ? NULL : figure_missing(f);
}
