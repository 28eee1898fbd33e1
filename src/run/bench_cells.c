/* The cells of an experiment from the rows of its text file. */
#include "../base/err.h"
#include "../base/guess.h"
#include "../train/method/resolve.h"
#include "bench_row.h"
#include "select.h"
#include <string.h>

enum { MAX_CELLS = 20000, FIRST_CELLS = 64 };

typedef struct maker {
    arena *a;
    bench *b;
    const catalog *names;
    const bench_row *end; /* behind the last row of the block */
    bench_row *row;       /* the current one */
    int64_t capacity;     /* of b->cell */
} maker;

struct source_text { /* the arguments of resolve */
    cell *out;
    spec s;
    const bench *b;
    const char *setting;
};

static void resolve(void *arg)
{
    const struct source_text *t = arg;
    *t->out = (t->b->kind && t->b->kind->prepare ? resolve_dataset : resolve_cell)(&t->s, t->b->name, t->setting);
}

/* Rows of equal data set, model, loss and setting could not be told apart in the records. */
static void check_new(const bench *b, const bench_cell *last)
{
    const cell *c = &last->cell;
    for (const bench_cell *o = b->cell; o < last; o++)
        if (!strcmp(o->cell.s.dataset, c->s.dataset) && !strcmp(o->cell.setting, c->setting) &&
            !strcmp(o->cell.model, c->model) && !strcmp(o->cell.loss, c->loss))
            die("%s:%d: setting: the cell %s %s %s %s is that of line %d: another setting would tell them apart",
                b->path, last->line, c->s.dataset, c->model, c->loss, c->setting, o->line);
}

/* Room for one more. */
static bench_cell *next_cell(maker *m)
{
    bench *b = m->b;
    if (b->cells == MAX_CELLS)
        die("%s: more than %d cells", b->path, MAX_CELLS);
    GROW(m->a, b->cell, b->cells, m->capacity, FIRST_CELLS);
    return b->cell + b->cells;
}

/* One cell; base: NULL, or the cell that it starts from. */
static void make(maker *m, const binding *b, const bench_cell *base)
{
    bench_row *row = m->row;
    bench_cell *c = next_cell(m);
    const char *where = row->where[COLUMN_CELLS];
    *c = (bench_cell){.text = base ? base->text : "", .source = row->source, .line = row->line};
    struct source_text t = {&c->cell, .b = m->b, .setting = "-"};
    if (base && c->source == SOURCE_NONE)
        c->source = base->source;
    for (int i = 0; i < b->count; i++)
        if (spec_field(b->key[i]) >= 0)
            c->text = arena_printf(m->a, "%s%s%s=%s", c->text, *c->text ? " " : "", b->key[i], b->value[i]);
    t.s = resolve_text(m->a, NULL, c->text, where);
    if (*row->text[COLUMN_SETTING])
        t.setting = binding_fill(m->a, b, row->text[COLUMN_SETTING], row->where[COLUMN_SETTING]);
    if (strchr(t.setting, ' '))
        die("%s: '%s' has a blank", row->where[COLUMN_SETTING], t.setting);
    const char *only = binding_fill(m->a, b, row->text[COLUMN_ONLY], row->where[COLUMN_ONLY]);
    if (!select_cell(&t.s, t.setting, m->b->name, only, &row->known_only))
        return;
    const char *error = err_try(resolve, &t);
    if (error)
        die("%s", arena_printf(m->a, "%s: %s", where, error)); /* the copy: error is a buffer of die() */
    check_new(m->b, c);
    m->b->cells++;
    row->made++;
}

static void make_combination(void *arg, binding *b)
{
    maker *m = arg;
    bench_row *row = m->row;
    if (!row->base) {
        make(m, b, NULL);
        return;
    }
    const char *which = row->which ? binding_fill(m->a, b, row->which, row->where[COLUMN_FROM]) : NULL;
    const bench_cell *c = bench_cells(m->a, row->base, m->names);
    for (int i = 0; i < row->base->cells; i++)
        if (select_cell(&c[i].cell.s, c[i].cell.setting, row->base->name, which, &row->known))
            make(m, b, c + i);
}

/* The rows of a block, for one combination of its loop. */
static void make_block(void *arg, binding *b)
{
    maker *m = arg;
    bench_row *first = m->row;
    for (; m->row < m->end; m->row++)
        product_each(m->a, &m->row->cells, b, m->row->cells_used, make_combination, m);
    m->row = first;
}

/* dataset=*: all of the catalogue. */
static void name_datasets(arena *a, product *p, const catalog *names)
{
    for (int i = 0; i < p->factors; i++) {
        product_factor *f = p->factor + i;
        if (f->keys != 1 || f->count != 1 || strcmp(f->key[0], "dataset") || strcmp(f->value[0], "*"))
            continue;
        f->count = names->n;
        f->value = NEW(a, const char *, (size_t)names->n + 1);
        for (int k = 0; k < names->n; k++)
            f->value[k] = names->entry[k].name;
    }
}

/* A key that is no hyper-parameter and that nothing reads is a mistake. */
static void check_keys(const product *p, const int *used)
{
    for (int i = 0, at = 0; i < p->factors; i++)
        for (int k = 0; k < p->factor[i].keys; k++, at++) {
            const char *key = p->factor[i].key[k];
            char hint[80];
            guess g = {.word = key};
            for (int f = 0; f < SPEC_COUNT; f++)
                guess_try(&g, spec_name[f]);
            if (!strcmp(key, "setting"))
                die("%s: setting is a column of its own", p->where);
            if (spec_field(key) < 0 && !used[at])
                die("%s: unknown hyper-parameter '%s'%s (and no {%s} reads it)", p->where, key, guess_text(&g, hint),
                    key);
        }
}

static int keys_in(const char *text)
{
    int n = *text != 0;
    for (; *text; text++)
        n += *text == ',';
    return n;
}

static void check_row(const bench_row *row)
{
    if (row->first)
        check_keys(&row->loop, row->loop_used);
    check_keys(&row->cells, row->cells_used);
    const struct {
        const char *text, *where;
        unsigned known;
    } filter[] = {{row->which ? row->which : "", row->where[COLUMN_FROM], row->known},
                  {row->text[COLUMN_ONLY], row->where[COLUMN_ONLY], row->known_only}};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < keys_in(filter[i].text); k++)
            if (!(filter[i].known >> k & 1))
                die("%s: key %d of '%s' is neither a hyper-parameter nor in a setting of these cells", filter[i].where,
                    k + 1, filter[i].text);
    if (!row->made)
        die("%s: the row makes no cell: none is selected by %s",
            row->where[*row->text[COLUMN_ONLY] ? COLUMN_ONLY : COLUMN_FROM],
            *row->text[COLUMN_ONLY] ? row->text[COLUMN_ONLY] : row->text[COLUMN_FROM]);
}

const bench_cell *bench_cells(arena *a, bench *b, const catalog *names)
{
    if (b->making)
        die("%s: its cells are made from themselves (column from)", b->path);
    if (b->cell)
        return b->cell;
    b->making = 1;
    maker m = {.a = a, .b = b, .names = names, .row = b->row};
    for (const bench_row *end = b->row + b->rows; m.row < end; m.row = (bench_row *)m.end) {
        for (m.end = m.row + 1; m.end < end && !m.end->first; m.end++)
            ;
        name_datasets(a, &m.row->loop, names);
        for (bench_row *r = m.row; r < m.end; r++)
            name_datasets(a, &r->cells, names);
        binding values = {0};
        product_each(a, &m.row->loop, &values, m.row->loop_used, make_block, &m);
    }
    for (const bench_row *r = b->row; r < b->row + b->rows; r++)
        check_row(r);
    b->making = 0;
    return b->cell;
}
