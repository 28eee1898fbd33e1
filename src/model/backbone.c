#include "backbone.h"
#include "../base/err.h"
#include "../base/guess.h"
#include <stdio.h>
#include <string.h>

const backbone *const backbones[] = {&backbone_gcn, &backbone_sgc, &backbone_sage, &backbone_gat, &backbone_mlp, &backbone_chebnet, &backbone_gcnii, &backbone_sign, &backbone_crf_gcn, NULL};

int backbone_hidden(model *m, const spec *s, int in, double bias_bound, enum shape f)
{
    if (!s->norm_batch)
        return op_activate(m, in, bias_bound, f, s->dropout);
    return op_activate(m, op_norm(m, op_activate(m, in, bias_bound, LINEAR, 0)), -1, f, s->dropout);
}

const backbone *backbone_find(const char *name)
{
    char known[256] = "";
    for (int i = 0; backbones[i]; i++) {
        if (!strcmp(backbones[i]->name, name))
            return backbones[i];
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", backbones[i]->name);
    }
    char hint[80];
    guess g = {.word = name};
    for (int i = 0; backbones[i]; i++)
        guess_try(&g, backbones[i]->name);
    die("unknown model '%s'%s; there are %s", name, guess_text(&g, hint), known);
}
