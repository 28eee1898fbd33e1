#include "backbone.h"
#include "../base/err.h"
#include "../base/guess.h"
#include "net/registry.h" /* BACKBONES: made from the files of backbone/, see local.mk */
#include <string.h>

#define DECLARE(name) extern const backbone backbone_##name;
BACKBONES(DECLARE)

#define ADDRESS(name) &backbone_##name,
const backbone *const backbones[] = {BACKBONES(ADDRESS) NULL};

void backbone_check(const backbone *b, const spec *s)
{
    if (s->layers < 2 && !b->one_layer)
        die("layers is %d; %s has at least 2", s->layers, b->name);
    if (b->max_hops && s->hops > b->max_hops)
        die("hops is %d; %s has at most %d", s->hops, b->name, b->max_hops);
}

int backbone_hidden(model *m, const spec *s, int in, double bias_bound, enum shape f)
{
    if (!s->norm_batch)
        return op_activate(m, in, bias_bound, f, s->dropout);
    return op_activate(m, op_norm(m, op_activate(m, in, bias_bound, LINEAR, 0)), -1, f, s->dropout);
}

const backbone *backbone_find(const char *name)
{
    guess g = {.word = name};
    for (int i = 0; backbones[i]; i++) {
        if (!strcmp(backbones[i]->name, name))
            return backbones[i];
        guess_list(&g, backbones[i]->name);
    }
    guess_die(&g, "model", "");
}
