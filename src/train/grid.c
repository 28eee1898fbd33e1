#include "grid.h"
#include "../base/err.h"
#include "../base/rng.h"
#include <stdio.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

static void set_in(spec *s, const char *name, const char *value, const char *where)
{
    const char *error = spec_try(s, name, value);
    if (error) {
        char copy[512];
        snprintf(copy, sizeof copy, "%s", error);
        die("%s: %s", where, copy);
    }
}

/* Cuts "key=value" in two and returns the value. */
static char *cut(char *word, const char *where)
{
    char *value = strchr(word, '=');
    if (!value || value == word || !value[1])
        die("%s: '%s' is not key=value", where, word);
    *value = 0;
    return value + 1;
}

uint64_t grid_spec(arena *a, spec *s, const char **setting, const char *text, const char *where)
{
    uint64_t given = 0;
    char *save = NULL, *copy = arena_printf(a, "%s", text);
    for (char *w = strtok_r(copy, blanks, &save); w; w = strtok_r(NULL, blanks, &save)) {
        const char *value = cut(w, where);
        if (setting && !strcmp(w, "setting")) {
            *setting = value;
            continue;
        }
        set_in(s, w, value, where);
        given |= UINT64_C(1) << spec_field(w);
    }
    return given;
}

const char *grid_spec_text(arena *a, const spec *s)
{
    const char *text = "";
    char buf[32];
    for (int k = 3; k < SPEC_COUNT; k++)
        if (strcmp(spec_name[k], "attack") && (strcmp(spec_name[k], "split") || s->split.kind != SPLIT_AUTO) &&
            (strcmp(spec_name[k], "norm") || s->norm != NORM_AUTO) &&
            (strcmp(spec_name[k], "method") || strcmp(s->method, "network")))
            text = arena_printf(a, "%s%s%s=%s", text, *text ? " " : "", spec_name[k], spec_get(s, k, buf));
    return text;
}

static void parse_key(grid *g, const char *name, char *values)
{
    static const char *const cell[] = {"dataset", "model", "loss", "split", "attack", "method"};
    spec s = spec_default();
    char buf[32];
    int k = g->nkeys, field = spec_field(name);
    if (field < 0)
        die("--grid: unknown hyper-parameter '%s' (jcb train --help lists them)", name);
    for (size_t i = 0; i < sizeof cell / sizeof *cell; i++)
        if (!strcmp(name, cell[i]))
            die("--grid: %s is not searched; set it in --base", name);
    for (int i = 0; i < k; i++)
        if (g->field[i] == field)
            die("--grid: %s is listed twice", name);
    if (k == GRID_KEYS)
        die("--grid: more than %d hyper-parameters", GRID_KEYS);
    g->field[g->nkeys++] = field;
    for (char *v; (v = strsep(&values, ","));) {
        if (!*v)
            die("--grid: %s has an empty value", name);
        set_in(&s, name, v, "--grid");
        const char *now = spec_get(&s, field, buf);
        for (int i = 0; i < g->nvalues[k]; i++) {
            spec other = s;
            char was[32];
            spec_set(&other, name, g->value[k][i]);
            if (!strcmp(now, spec_get(&other, field, was)))
                die("--grid: %s has the value %s twice", name, now);
        }
        if (g->nvalues[k] == GRID_VALUES)
            die("--grid: %s has more than %d values", name, GRID_VALUES);
        g->value[k][g->nvalues[k]++] = v;
    }
}

grid grid_parse(arena *a, const char *text)
{
    grid g = {.text = "", .size = 1};
    char *save = NULL, *copy = arena_printf(a, "%s", text);
    for (char *w = strtok_r(copy, blanks, &save); w; w = strtok_r(NULL, blanks, &save)) {
        g.text = arena_printf(a, "%s%s%s", g.text, *g.text ? " " : "", w);
        char *values = cut(w, "--grid");
        parse_key(&g, w, values);
        if (__builtin_mul_overflow(g.size, (uint64_t)g.nvalues[g.nkeys - 1], &g.size))
            die("--grid: too many points");
    }
    if (!g.nkeys)
        die("--grid is empty; it must be key=value,value ..., such as 'lr=.005,.01 hidden=64,128'");
    return g;
}

static spec point(const grid *g, const spec *base, uint64_t index)
{
    spec s = *base;
    for (int k = g->nkeys; k-- > 0; index /= (uint64_t)g->nvalues[k])
        spec_set(&s, spec_name[g->field[k]], g->value[k][index % (uint64_t)g->nvalues[k]]);
    return s;
}

/* Point i of the balanced sequence: each key goes through its values in an order that is drawn anew each time. */
static spec balanced_point(const grid *g, const spec *base, rng r, uint64_t i)
{
    spec s = *base;
    for (int k = 0; k < g->nkeys; k++) {
        int order[GRID_VALUES], count = g->nvalues[k];
        const char *name = spec_name[g->field[k]];
        for (int j = 0; j < count; j++)
            order[j] = j;
        rng_shuffle(order, count, r, rng_mix(rng_seed(name), i / (uint64_t)count));
        spec_set(&s, name, g->value[k][order[i % (uint64_t)count]]);
    }
    return s;
}

/* Whether the grid has the base. */
static int has(const grid *g, const spec *base)
{
    for (int k = 0; k < g->nkeys; k++) {
        char have[32], buf[32];
        const char *want = spec_get(base, g->field[k], have);
        int found = 0;
        for (int i = 0; i < g->nvalues[k] && !found; i++) {
            spec s = *base;
            spec_set(&s, spec_name[g->field[k]], g->value[k][i]);
            found = !strcmp(want, spec_get(&s, g->field[k], buf));
        }
        if (!found)
            return 0;
    }
    return 1;
}

static int there(const char *const *name, int n, const char *identity)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(name[i], identity))
            return 1;
    return 0;
}

int grid_points(arena *a, spec **out, const grid *g, const spec *base, int random, int balanced, uint64_t seed)
{
    rng r = rng_make(seed, 0, RNG_TUNE);
    uint64_t others = g->size - (uint64_t)has(g, base);
    int drawn = random > 0 && (uint64_t)random < others, n = 0; /* else there are no more than are asked for */
    if (!drawn && others >= GRID_POINTS)
        die("--grid: %llu points are too many; search some of them with --random", (unsigned long long)g->size);
    int max = 1 + (drawn ? random : (int)others);
    spec *s = *out = NEW(a, spec, (size_t)max);
    const char **name = NEW(a, const char *, (size_t)max);
    s[n] = *base;
    name[n++] = spec_identity(a, base);
    for (uint64_t i = 0; n < max && (drawn || i < g->size); i++) {
        spec q =
            drawn && balanced ? balanced_point(g, base, r, i) : point(g, base, drawn ? rng_below(r, 0, i, g->size) : i);
        name[n] = spec_identity(a, &q);
        if (there(name, n, name[n]))
            continue;
        s[n++] = q;
    }
    return n;
}

const char *grid_point_text(arena *a, const grid *g, const spec *s)
{
    const char *text = "";
    char buf[32];
    for (int k = 0; k < g->nkeys; k++)
        text =
            arena_printf(a, "%s%s%s=%s", text, *text ? " " : "", spec_name[g->field[k]], spec_get(s, g->field[k], buf));
    return text;
}
