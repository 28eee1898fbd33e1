/* products_draw: values of fields and combinations of them.
 *
 * Ranges, words and examples come from the list of fields, names from the registries: a new field, backbone, loss,
 * method or attack takes part at once. The tables below only keep runs short and add texts that examples do not
 * cover. */
#include "../unit/cell_of.h"
#include "products.h"
#include "../../src/data/variant/attack.h"
#include "../../src/base/err.h"
#include "../../src/net/loss/loss.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double draw_uniform(draw *d) { return rng_uniform(d->r, d->stream, d->n++); }
int draw_below(draw *d, int n) { return (int)rng_below(d->r, d->stream, d->n++, (uint64_t)n); }
int draw_chance(draw *d, double p) { return draw_uniform(d) < p; }

enum type { TYPE_text, TYPE_integer, TYPE_number, TYPE_word, TYPE_batch, TYPE_partition, TYPE_attack, TYPE_split };
#define F(type, name, value, values, help) TYPE_##type,
static const enum type type_of[SPEC_COUNT] = {SPEC_FIELDS(F)};
#undef F

/* Most that is drawn of fields that cost time; others: the range. */
static const struct {
    const char *name;
    int max;
} costly[] = {{"hidden", 32},        {"layers", 4},   {"epochs", 30}, {"patience", 12},
              {"validate_every", 6}, {"hops", 4},     {"heads", 4},   {"out_heads", 3},
              {"evaluate_from", 8},  {"clusters", 9}, {"order", 5}};

static double max_of(int field, double hi)
{
    for (size_t i = 0; i < sizeof costly / sizeof *costly; i++)
        if (!strcmp(costly[i].name, spec_name[field]))
            return costly[i].max;
    return hi;
}

static const char *draw_number(kase *k, int field, int *illegal)
{
    static const char *const wrong[] = {"nan", "-1e30", "1e30", "x", "", "1e", "0x", "1,5", "--", "inf"};
    const spec defaults = spec_default();
    char *end, buf[32];
    double lo = strtod(spec_values[field], &end), hi = strtod(end + 4, NULL), max = max_of(field, hi);
    double normal = strtod(spec_get(&defaults, field, buf), NULL), x;
    if (illegal && draw_chance(&k->d, 0.01)) {
        *illegal = 1;
        switch (draw_below(&k->d, 3)) {
        case 0: return arena_printf(&k->a, "%.17g", lo - 1);
        case 1: return arena_printf(&k->a, "%.17g", hi + 1);
        default: return wrong[draw_below(&k->d, sizeof wrong / sizeof *wrong)];
        }
    }
    if (draw_chance(&k->d, 0.08))
        x = lo;
    else if (draw_chance(&k->d, 0.08))
        x = max;
    else if (type_of[field] == TYPE_integer)
        x = lo + floor(draw_uniform(&k->d) * (fmin(max, lo + 40) - lo + 1));
    else if (hi <= 1)
        x = lo + draw_uniform(&k->d) * (hi - lo);
    else /* around the default, by its order of magnitude */
        x = fmin(hi, fmax(lo, (normal > 0 ? normal : 1) * pow(10, 2 * draw_uniform(&k->d) - 1)));
    return arena_printf(&k->a, type_of[field] == TYPE_integer ? "%.0f" : "%.4g", x);
}

/* One of "A|B|C". */
static const char *draw_word(kase *k, const char *list)
{
    int n = 1, pick;
    for (const char *c = list; (c = strchr(c, '|')); c++)
        n++;
    for (pick = draw_below(&k->d, n); pick > 0; pick--)
        list = strchr(list, '|') + 1;
    return arena_printf(&k->a, "%.*s", (int)strcspn(list, "|"), list);
}

static const char *draw_batch(kase *k)
{
    int n = 1 + draw_below(&k->d, 40), parts = 1 + draw_below(&k->d, 8);
    switch (draw_below(&k->d, 5)) {
    case 0: return "full";
    case 1: return arena_printf(&k->a, "rows:%d", n);
    case 2: return arena_printf(&k->a, "cluster:%d:%d", parts, 1 + draw_below(&k->d, parts));
    case 3: return arena_printf(&k->a, "neighbour:%d:%d", n, draw_below(&k->d, 6));
    default: return arena_printf(&k->a, "neighbour:%d:%d,%d", n, draw_below(&k->d, 6), draw_below(&k->d, 6));
    }
}

static const char *draw_attack(kase *k)
{
    int n = 0, fast = draw_chance(&k->d, 0.7);
    while (attack_methods[n].name)
        n++;
    const char *name = fast ? draw_word(k, "random|dice") : attack_methods[draw_below(&k->d, n)].name;
    double rate = 0.02 + 0.2 * draw_uniform(&k->d) * (fast ? 2 : 0.2);
    const char *more = "";
    if (draw_chance(&k->d, 0.3))
        more = draw_chance(&k->d, 0.5) ? ":run" : arena_printf(&k->a, ":%d", draw_below(&k->d, 9));
    return arena_printf(&k->a, "%s:%.3f%s", name, rate, more);
}

static const char *draw_split(kase *k)
{
    const char *at = draw_chance(&k->d, 0.2) ? arena_printf(&k->a, "@%d", 1 + draw_below(&k->d, 5)) : "";
    switch (draw_below(&k->d, 4)) {
    case 0: return arena_printf(&k->a, "per-class:%d:%d%s", 1 + draw_below(&k->d, 5), 1 + draw_below(&k->d, 4), at);
    case 1:
        return arena_printf(&k->a, "fraction:%.2f:%.2f%s", 0.05 + 0.4 * draw_uniform(&k->d),
                            0.05 + 0.4 * draw_uniform(&k->d), at);
    default: return draw_word(k, strchr(spec_values[spec_field("split")], 'a') + strlen("as ") + strlen("auto|"));
    }
}

static const char *draw_text(kase *k, int field, int *illegal)
{
    const char *name = spec_name[field], *values = spec_values[field];
    int closed = strncmp(values, "such as ", 8) != 0;
    if (illegal && draw_chance(&k->d, 0.01)) {
        *illegal = 1;
        return draw_word(k, "nonesuch|:|A B|1|none:|full:0:0||\xc3\xa4");
    }
    if (!strcmp(name, "batch"))
        return draw_batch(k);
    if (!strcmp(name, "attack"))
        return draw_attack(k);
    if (!strcmp(name, "split") && draw_chance(&k->d, 0.7))
        return draw_split(k);
    return draw_word(k, closed ? values : values + 8);
}

const char *draw_value(kase *k, int field, int *illegal)
{
    int is_number = type_of[field] == TYPE_integer || type_of[field] == TYPE_number;
    return is_number ? draw_number(k, field, illegal) : draw_text(k, field, illegal);
}

/* ---- combinations ---- */

const char *combination_get(const kase *k, const char *name) { return k->c.value[spec_field(name)]; }

int combination_default(const kase *k, const char *name)
{
    const spec defaults = spec_default();
    char buf[32];
    const char *given = combination_get(k, name);
    return !given || !strcmp(given, spec_get(&defaults, spec_field(name), buf));
}

const char *combination_text(kase *k)
{
    const char *all = "";
    for (int f = 0; f < SPEC_COUNT; f++)
        if (k->c.value[f] && strcmp(spec_name[f], "dataset") && strcmp(spec_name[f], "model") &&
            strcmp(spec_name[f], "loss"))
            all = arena_printf(&k->a, "%s%s%s=%s", all, *all ? " " : "", spec_name[f], k->c.value[f]);
    return all;
}

static void set_all(void *arg)
{
    kase *k = arg;
    combination *c = &k->c;
    c->s = spec_default();
    const char *named = combination_get(k, "method");
    if (named) {
        c->s.method = named;
        resolve_defaults(&k->a, &c->s);
    }
    for (int f = 0; f < SPEC_COUNT; f++)
        if (c->value[f])
            spec_set(&c->s, spec_name[f], c->value[f]);
    c->s.dataset = k->graph_dir;
    resolve_cell(&c->s, NULL, "-");
    const dataset d = graph_dataset(&k->g);
    model *m = NEW(&k->a, model, 1);
    cell_build(m, CELL(&c->s), &d, PROJECT_FIRST); /* dies for a loss or network that the data do not allow */
    if (CELL(&c->s)->method->single && d.ym)
        die("method %s is for data with one label a node", c->s.method);
}

void combination_check(kase *k)
{
    const dataset d = graph_dataset(&k->g);
    const char *why = err_try(set_all, k);
    k->c.why = why ? arena_printf(&k->a, "%s", why) : NULL;
    k->c.legal = !why;
    k->c.reads = 1;
    for (int f = 0; f < SPEC_COUNT && k->c.legal; f++)
        k->c.reads &= !k->c.value[f] || method_reads(CELL(&k->c.s), f, &d);
}

void combination_set(kase *k, const char *name, const char *value)
{
    k->c.value[spec_field(name)] = value;
    combination_check(k);
}

void combination_read(kase *k, const char *words)
{
    char *copy = arena_printf(&k->a, "%s", words), *save = NULL;
    memset(&k->c, 0, sizeof k->c);
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        char *value = strchr(w, '=');
        if (!value || (*value++ = 0, spec_field(w) < 0))
            die("'%s' in '%s' is no field", w, words);
        k->c.value[spec_field(w)] = value;
    }
    combination_check(k);
}

static void set(kase *k, const char *name, const char *value) { k->c.value[spec_field(name)] = value; }

/* Method, model and loss. */
static void draw_names(kase *k)
{
    draw *d = &k->d;
    int nb = 0, no = 0, nm = 0;
    while (backbones[nb])
        nb++;
    while (objectives[no])
        no++;
    while (methods[nm])
        nm++;
    const method *m = methods[draw_below(d, nm)];
    int network = draw_chance(d, 0.7) || m->suffix || !strcmp(m->name, "network");
    if (!network || draw_chance(d, 0.02))
        set(k, "method", m->name);
    if (!network && m->own_networks && !draw_chance(d, 0.02))
        return;
    set(k, "model", backbones[draw_below(d, nb)]->name);
    const char *loss = objectives[draw_below(d, draw_chance(d, 0.5) ? 2 : no)]->name;
    if (k->g.multi && draw_chance(d, 0.9))
        loss = draw_word(k, "ce|jc");
    set(k, "loss", draw_chance(d, 0.12) && !k->g.multi ? arena_printf(&k->a, "%s+cs", loss) : loss);
}

/* Whether networks of the combination so far depend on the field; 1 where that cannot be told. */
static int is_read(kase *k, int field)
{
    const dataset d = graph_dataset(&k->g);
    return !k->c.legal || method_reads(CELL(&k->c.s), field, &d);
}

static void draw_field(kase *k, int f)
{
    if (is_read(k, f) || draw_chance(&k->d, 0.01))
        k->c.value[f] = draw_value(k, f, &k->c.illegal);
}

/* Fields that mean something only together: a batch with clusters of its own, an inductive one. */
static void draw_company(kase *k)
{
    if (!combination_get(k, "batch") || !strcmp(combination_get(k, "batch"), "full"))
        return;
    if (draw_chance(&k->d, 0.25))
        set(k, "inductive", "1");
    if (!k->c.legal || !objective_find(k->c.s.loss)->clusters || !draw_chance(&k->d, 0.4))
        return;
    set(k, "partition", "batch");
    if (draw_chance(&k->d, 0.4))
        set(k, "inference", "release");
}

static int is_name(int f)
{
    return !strcmp(spec_name[f], "dataset") || !strcmp(spec_name[f], "model") || !strcmp(spec_name[f], "loss") ||
           !strcmp(spec_name[f], "method");
}

void combination_draw(kase *k)
{
    memset(&k->c, 0, sizeof k->c);
    draw_names(k);
    combination_draw_fields(k);
}

void combination_draw_fields(kase *k)
{
    double share = 0.04 + 0.25 * draw_uniform(&k->d);
    k->c.illegal = 0;
    for (int f = 0; f < SPEC_COUNT; f++)
        k->c.value[f] = is_name(f) ? k->c.value[f] : NULL;
    combination_check(k);
    int epochs = spec_field("epochs"), hidden = spec_field("hidden");
    for (int f = 0; f < SPEC_COUNT; f++)
        if (!is_name(f) && (draw_chance(&k->d, share) || f == epochs || (f == hidden && draw_chance(&k->d, 0.8))))
            draw_field(k, f);
    if (k->g.nsplits == 0 && !combination_get(k, "split")) /* the default asks for more nodes than there are */
        set(k, "split", k->g.multi || draw_chance(&k->d, 0.5) ? "fraction:0.3:0.3" : "per-class:2:2");
    if (k->g.multi && draw_chance(&k->d, 0.9))
        set(k, "attack", NULL);
    draw_company(k);
    combination_check(k);
    /* What is still refused is mostly drawn again, field by field. */
    for (int t = 0; t < 40 && (!k->c.legal || !k->c.reads) && !k->c.illegal && !draw_chance(&k->d, 0.03); t++) {
        int f = draw_below(&k->d, SPEC_COUNT);
        if (!is_name(f) && k->c.value[f] && f != epochs)
            k->c.value[f] = draw_chance(&k->d, 0.5) ? NULL : draw_value(k, f, NULL);
        combination_check(k);
    }
}
