#include "split_rule.h"
#include "../base/err.h"
#include <stdio.h>
#include <string.h>

/* Whether `rest`, what follows the rule, is nothing or @S. */
static int ends(split_rule *r, const char *rest)
{
    if (*rest != '@')
        return !*rest;
    size_t digits = strspn(rest + 1, "0123456789");
    if (digits < 1 || digits > 9 || rest[1] == '0' || rest[1 + digits])
        die("split '%s': @ is followed by the number of the split, from 1 to 999999999, e.g. per-class:20:30@3",
            r->text);
    sscanf(rest, "@%9d", &r->number);
    return 1;
}

static enum split_kind kind_of(split_rule *r)
{
    const char *s = r->text;
    int end = 0;
    if (!strcmp(s, "public"))
        return SPLIT_PUBLIC;
    if (!strncmp(s, "public@", 7))
        die("split '%s': @S is for drawn splits, not for published ones; redraw@S draws one of the same sizes", s);
    if (!strncmp(s, "redraw", 6) && ends(r, s + 6))
        return SPLIT_REDRAW;
    if (sscanf(s, "per-class:%9d:%9d%n", &r->train, &r->val, &end) == 2 && ends(r, s + end))
        return SPLIT_PER_CLASS;
    if (sscanf(s, "fraction:%20lf:%20lf%n", &r->train_share, &r->val_share, &end) == 2 && ends(r, s + end))
        return SPLIT_FRACTION;
    if (sscanf(s, "holdout:%20lf%n", &r->val_share, &end) == 1 && ends(r, s + end))
        return SPLIT_HOLDOUT;
    if (sscanf(s, "labels:%9d%n", &r->train, &end) == 1 && ends(r, s + end))
        return SPLIT_LABELS;
    r->seed = 42, r->val = end = 0;
    if (sscanf(s, "python:%9d%n", &r->train, &end) == 1 && ends(r, s + end))
        return SPLIT_PYTHON;
    if (sscanf(s, "python:%9d:%9d%n", &r->train, &r->val, &end) == 2 && ends(r, s + end))
        return SPLIT_PYTHON;
    if (sscanf(s, "python:%9d:%9d:%9d%n", &r->train, &r->val, &r->seed, &end) == 3 && r->seed >= 0 && ends(r, s + end))
        return SPLIT_PYTHON;
    return SPLIT_AUTO;
}

int split_rule_try(split_rule *rule, const char *text)
{
    *rule = (split_rule){.text = text};
    rule->kind = kind_of(rule);
    return rule->kind != SPLIT_AUTO || !strcmp(text, "auto");
}

split_rule split_rule_read(const char *text)
{
    split_rule r;
    if (!split_rule_try(&r, text))
        die("unknown split '%s': public, redraw, per-class:T:V, fraction:a:b, holdout:b, labels:T, python:K or "
            "python:T:V, e.g. per-class:20:30",
            text);
    return r;
}
