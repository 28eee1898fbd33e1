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
    const char *metric = c->a->metric->title;
    int len = several_metrics(t) ? (int)strcspn(metric, "(") - 1 : 0;
    return render_marked(a, arena_printf(a, "%s%s%.*s", contrasts_where(a, c), len ? ", " : "", len, metric),
                         c->origin);
}

/* The series of a verdict. */
static const char *winner(const contrast *c)
{
    if (c->verdict == CONFIRMED || c->verdict == CONTRADICTED)
        return (c->verdict == CONFIRMED) == (c->claim > 0) ? "JC" : "CE";
    return c->verdict == EQUAL ? "equal" : "open";
}

/* The gain with its confidence sequence, beside the paper's. */
static figure_row gain_row(const contrast *c, const char *title, const char *label, const char *series)
{
    figure_row r = figure_line(0, title, 1, label, series);
    r.mean = c->mean, r.lo = c->lo, r.hi = c->hi, r.n = c->n;
    r.origin = c->origin, r.dataset = c->a->paper->dataset, r.paper = c->paper;
    return r;
}

static int by_place(const contrast *x, const contrast *y)
{
    static const char *const key[] = {"dataset", "ptb", "labels", "metric", "model"};
    return table_by_keys(x->a->paper, y->a->paper, key, 5);
}

static int by_panel(const contrast *x, const contrast *y, const char *along)
{
    const char *const key[] = {"dataset", "model", along};
    return table_by_keys(x->a->paper, y->a->paper, key, 3);
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
        figure_row r = gain_row(seen[i], NULL, line_name(f->a, t, seen[i]), winner(seen[i]));
        r.panel = panel, r.row = ++line[panel];
        r.group =
            arena_printf(f->a, "%.*s (%s)", (int)strcspn(t->def->experiment, ","), t->def->experiment, t->def->label);
        figure_add(f, r);
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
        const char *title = render_marked(f->a, figure_words(f->a, c->a->paper, &keys), c->origin);
        figure_row r = gain_row(c, title, f->def->x, "JC");
        int len;
        const char *x = paper_value(c->a->paper, f->def->x, &len);
        r.panel = panel += !i || strcmp(title, f->row[f->n - 1].title);
        r.x = x ? strtod(x, NULL) : NAN;
        if (!isfinite(r.lo))
            r.lo = r.hi = NAN;
        figure_add(f, r);
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
