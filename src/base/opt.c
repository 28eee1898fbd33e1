#include "opt.h"
#include "err.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unreleased"
#endif

static void help(const opt *table, const char *usage, const char *more)
{
    printf("Usage: %s\n\nOptions:\n", usage);
    for (const opt *o = table; o->name; o++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", o->name, o->type == OPT_FLAG ? "" : " ", o->type == OPT_FLAG ? "" : o->arg);
        printf("  %-24s %s\n", left, o->help);
    }
    printf("  %-24s %s\n", "--help", "this text");
    if (more && *more)
        printf("\n%s", more);
    exit(EXIT_SUCCESS);
}

static _Noreturn void usage_error(const char *what, const char *name)
{
    fprintf(stderr, "%s: %s '%s' (try --help)\n", err_program, what, name);
    exit(EXIT_USAGE);
}

static void store(const opt *o, const char *s)
{
    char *end = (char *)s, what[96];
    double x = 0;
    if (o->type == OPT_TEXT) {
        *(const char **)o->to = s;
        return;
    }
    x = strtod(s, &end);
    if (o->type == OPT_SECONDS && end != s && *end) {
        x *= *end == 's' ? 1 : *end == 'm' ? 60 : *end == 'h' ? 3600 : -1;
        end++;
    }
    int bad = end == s || *end || !(x == x) || (o->type == OPT_SECONDS && x < 0);
    if (o->type == OPT_INT)
        bad |= !(x >= -2147483647.0 && x <= 2147483647.0) || x != (double)(int)x;
    if (!bad && (o->min != 0 || o->max != 0))
        bad = x < o->min || x > o->max;
    if (bad) {
        if (o->min != 0 || o->max != 0)
            snprintf(what, sizeof what, "--%s wants a number from %g to %g, not", o->name, o->min, o->max);
        else
            snprintf(what, sizeof what, "--%s wants %s, not", o->name,
                     o->type == OPT_SECONDS ? "a time such as 90s, 10m or 2h" : o->type == OPT_INT ? "a whole number" : "a number");
        usage_error(what, s);
    }
    if (o->type == OPT_INT)
        *(int *)o->to = (int)x;
    else
        *(double *)o->to = x;
}

int opt_parse(int argc, char **argv, const opt *table, const char *usage, const char *more)
{
    int positional = 0;
    for (int i = 1; i < argc; i++) {
        char *s = argv[i];
        if (s[0] != '-' || !s[1]) {
            argv[1 + positional++] = s;
            continue;
        }
        if (!strcmp(s, "--help") || !strcmp(s, "-h"))
            help(table, usage, more);
        if (!strcmp(s, "--version")) {
            printf("%s (jcbench) %s\n", err_program, PACKAGE_VERSION);
            exit(EXIT_SUCCESS);
        }
        const char *eq = strchr(s, '=');
        size_t n = eq ? (size_t)(eq - s) : strlen(s);
        const opt *o = table;
        while (o->name && !(n > 2 && !strncmp(s, "--", 2) && strlen(o->name) == n - 2 && !strncmp(s + 2, o->name, n - 2)))
            o++;
        if (!o->name)
            usage_error("unknown option", s);
        if (o->type == OPT_FLAG) {
            if (eq)
                usage_error("no value goes with", s);
            *(int *)o->to = 1;
        } else if (eq) {
            store(o, eq + 1);
        } else if (i + 1 < argc) {
            store(o, argv[++i]);
        } else {
            usage_error("a value is missing after", s);
        }
    }
    return positional;
}
