#include "attack.h"
#include "../../base/err.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

attack_spec attack_parse(const char *text)
{
    char name[32], piece[24] = "";
    attack_spec s = {.seed = 1};
    int end = 0, n = 0, bad = sscanf(text, "%31[a-z]:%30lf%n", name, &s.rate, &end) != 2, seeded = 0, read = 0;
    for (const char *at = text + end; !bad && *at; at += n) {
        n = 0;
        bad = sscanf(at, ":%23[a-z0-9]%n", piece, &n) != 1;
        if (bad)
            break;
        if (!seeded && strspn(piece, "0123456789") == strlen(piece)) {
            s.seed = strtoull(piece, NULL, 10);
            seeded = 1;
        } else if (!strcmp(piece, "fixed") && s.init == ATTACK_FRESH) {
            s.init = ATTACK_FIXED;
        } else if ((!strcmp(piece, "none") || !strcmp(piece, "row")) && s.norm == ATTACK_NORM_VICTIM) {
            s.norm = strcmp(piece, "none") ? ATTACK_NORM_ROW : ATTACK_NORM_NONE;
        } else if (!s.steps && sscanf(piece, "steps%9d%n", &s.steps, &read) == 1 && !piece[read] && s.steps > 0) {
            continue;
        } else {
            bad = 1;
        }
    }
    if (bad)
        die("attack '%s': expected METHOD:RATE[:SEED][:fixed][:row|:none][:stepsT], e.g. metaself:0.05:1", text);
    s.method = attack_find(name);
    attack_check(&s);
    return s;
}

variant_rule variant_rule_read(const char *text)
{
    variant_rule r = {.text = text, .kind = VARIANT_FOUND};
    if (!strcmp(text, "none"))
        return (variant_rule){.text = text};
    if (!strncmp(text, "meta:", 5)) {
        char *end;
        double rate = strtod(text + 5, &end);
        if (!(rate > 0) || *end || strspn(text + 5, "0123456789.") != strlen(text + 5))
            die("attack '%s': expected meta:RATE, e.g. meta:0.2", text);
        return (variant_rule){.text = text, .kind = VARIANT_PUBLISHED, .s = {.rate = rate}};
    }
    if (!strncmp(text, "file:", 5)) {
        if (!text[5])
            die("attack '%s': expected file:PATH", text);
        return (variant_rule){.text = text, .kind = VARIANT_FILE, .path = text + 5};
    }
    size_t n = strlen(text);
    char seeded[128];
    r.per_run = n > 4 && n < sizeof seeded && !strcmp(text + n - 4, ":run");
    if (r.per_run)
        snprintf(seeded, sizeof seeded, "%.*s", (int)(n - 4), text);
    r.s = attack_parse(r.per_run ? seeded : text);
    return r;
}

variant_rule variant_of_run(arena *a, variant_rule r, int run)
{
    int stem = (int)strlen(r.text) - (int)strlen(":run");
    return r.per_run ? variant_rule_read(arena_printf(a, "%.*s:%d", stem, r.text, run + 1)) : r;
}
