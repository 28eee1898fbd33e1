#include "product.h"
#include "../base/err.h"
#include "../base/guess.h"
#include "../base/list.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 1000 };

/* LO..HI: returns 1 and the numbers. */
static int is_range(const char *text, int *lo, int *hi)
{
    char end;
    return sscanf(text, "%d..%d%c", lo, hi, &end) == 2;
}

static void add_alternative(arena *a, product_factor *f, char *text, const char *where)
{
    const char *whole = arena_printf(a, "%s", text);
    const char **to = f->value + (size_t)f->count * (size_t)f->keys;
    int n = 0;
    if (f->keys == 1)
        to[n++] = text;
    else
        for (char *rest; text; text = rest, n++) {
            rest = list_cut(text, '/');
            if (n < f->keys)
                to[n] = text;
        }
    if (n != f->keys)
        die("%s: '%s' has %d value%s for the %d keys that change together", where, whole, n, n > 1 ? "s" : "", f->keys);
    for (int k = 0; k < n; k++)
        if (!*to[k])
            die("%s: %s has an empty value", where, f->key[k]);
    f->count++;
}

/* How many values "A|LO..HI|C" stands for, at most MAX_VALUES + 1. */
static int values_in(const char *text)
{
    int n = 0;
    for (const char *s = text; s && n <= MAX_VALUES; s = strchr(s, '|'), s += s != NULL) {
        int lo, hi;
        n += sscanf(s, "%d..%d", &lo, &hi) == 2 && lo <= hi && hi - (int64_t)lo < MAX_VALUES ? hi - lo + 1 : 1;
    }
    return n < MAX_VALUES ? n : MAX_VALUES + 1;
}

static product_factor factor_parse(arena *a, char *word, const char *where)
{
    product_factor f = {.value = NULL};
    char *values = list_cut(word, '=');
    if (!values || !*word || !*values)
        die("%s: '%s' is not key=value", where, word);
    for (char *key = word, *rest; key; key = rest) {
        rest = list_cut(key, '/');
        if (!*key || f.keys == PRODUCT_KEYS)
            die("%s: an empty key, or more than %d that change together", where, PRODUCT_KEYS);
        f.key[f.keys++] = key;
    }
    f.value = NEW(a, const char *, (size_t)values_in(values) * (size_t)f.keys);
    for (char *rest; values; values = rest) {
        int lo = 0, hi = 0, range = f.keys == 1;
        rest = list_cut(values, '|');
        range = range && is_range(values, &lo, &hi);
        if (range && lo > hi)
            die("%s: the range %s of %s is empty", where, values, f.key[0]);
        if (f.count + (range ? hi - lo : 0) >= MAX_VALUES)
            die("%s: %s has more than %d values", where, f.key[0], MAX_VALUES);
        for (int i = lo; range && i <= hi; i++)
            f.value[f.count++] = arena_printf(a, "%d", i);
        if (!range)
            add_alternative(a, &f, values, where);
    }
    return f;
}

product product_parse(arena *a, const char *text, const char *where)
{
    product p = {.where = where};
    char *save = NULL, *copy = arena_printf(a, "%s", text);
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        if (p.factors == PRODUCT_KEYS)
            die("%s: more than %d keys", where, PRODUCT_KEYS);
        p.factor[p.factors++] = factor_parse(a, w, where);
    }
    return p;
}

struct loop { /* the arguments of product_each that stay the same */
    arena *a;
    const product *p;
    int *used;
    void (*fn)(void *, binding *);
    void *arg;
};

static void loop(const struct loop *l, int i, binding *b)
{
    if (i == l->p->factors) {
        l->fn(l->arg, b);
        return;
    }
    const product_factor *f = l->p->factor + i;
    int before = b->count, at = 0;
    for (int k = 0; k < i; k++)
        at += l->p->factor[k].keys;
    if (before + f->keys > BINDING_KEYS)
        die("%s: more than %d keys", l->p->where, BINDING_KEYS);
    for (int v = 0; v < f->count; v++) {
        for (int k = 0; k < f->keys; k++) {
            const char *value = binding_fill(l->a, b, f->value[v * f->keys + k], l->p->where);
            b->key[b->count] = f->key[k];
            b->used[b->count] = l->used ? l->used + at + k : NULL;
            b->value[b->count++] = value;
        }
        loop(l, i + 1, b);
        b->count = before;
    }
}

void product_each(arena *a, const product *p, binding *b, int *used, void (*fn)(void *arg, binding *b), void *arg)
{
    const struct loop l = {a, p, used, fn, arg};
    loop(&l, 0, b);
}

static const char *value_of(const binding *b, const char *key)
{
    for (int i = b->count - 1; i >= 0; i--)
        if (!strcmp(b->key[i], key)) {
            if (b->used[i])
                *b->used[i] = 1;
            return b->value[i];
        }
    return NULL;
}

const char *binding_fill(arena *a, const binding *b, const char *text, const char *where)
{
    const char *out = "", *open;
    for (; (open = strchr(text, '{')); text = strchr(open, '}') + 1) {
        char key[64], hint[80];
        if (!strchr(open, '}'))
            die("%s: '%s' has a { without }", where, text);
        snprintf(key, sizeof key, "%.*s", (int)strcspn(open + 1, "}"), open + 1);
        const char *value = value_of(b, key);
        guess g = {.word = key};
        for (int i = 0; i < b->count && !value; i++)
            guess_try(&g, b->key[i]);
        if (!value)
            die("%s: {%s} has no value here%s", where, key, guess_text(&g, hint));
        out = arena_printf(a, "%s%.*s%s", out, (int)(open - text), text, value);
    }
    return *out ? arena_printf(a, "%s%s", out, text) : text;
}
