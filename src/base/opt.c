#include "opt.h"
#include "err.h"
#include "guess.h"
#include <stdarg.h>
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
        snprintf(left, sizeof left, "--%s", o->name);
        for (char *c = left; (c = strchr(c, '_'));)
            *c = '-';
        size_t used = strlen(left);
        snprintf(left + used, sizeof left - used, "%s%s", o->type == OPT_FLAG ? "" : " ", o->type == OPT_FLAG ? "" : o->arg);
        printf("  %-24s %s%s%s%s\n", left, o->help, o->value ? " (default: " : "", o->value ? o->value : "", o->value ? ")" : "");
    }
    printf("  %-24s %s\n", "--help", "this text");
    if (more && *more)
        printf("\n%s", more);
    exit(EXIT_SUCCESS);
}

void opt_wrong(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: ", err_program);
    vfprintf(stderr, format, args);
    fprintf(stderr, " (try --help)\n");
    exit(EXIT_USAGE);
}

void opt_try(void (*fn)(void *), void *arg)
{
    const char *wrong = err_try(fn, arg);
    if (wrong)
        opt_wrong("%s", wrong);
}

static void store(const opt *o, const char *s)
{
    char *end = (char *)s;
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
    if (bad && (o->min != 0 || o->max != 0))
        opt_wrong("--%s wants a number from %g to %g, not '%s'", o->name, o->min, o->max, s);
    if (bad)
        opt_wrong("--%s wants %s, not '%s'", o->name,
                  o->type == OPT_SECONDS ? "a time such as 90s, 10m or 2h" : o->type == OPT_INT ? "a whole number" : "a number", s);
    if (o->type == OPT_INT)
        *(int *)o->to = (int)x;
    else
        *(double *)o->to = x;
}

/* - and _ are the same. */
static int is_option(const char *s, size_t n, const char *name)
{
    size_t k = 0;
    while (k < n && (s[k] == name[k] || (s[k] == '-' && name[k] == '_') || (s[k] == '_' && name[k] == '-')))
        k++;
    return k == n && !name[n];
}

static _Noreturn void unknown(const opt *table, const char *s, size_t n)
{
    char word[64], shown[80];
    snprintf(word, sizeof word, "%.*s", (int)n, s);
    guess g = {.word = word + strspn(word, "-")};
    for (const opt *o = table; o->name; o++)
        guess_try(&g, o->name);
    for (char *c = strcpy(shown, g.best ? g.best : ""); (c = strchr(c, '_'));)
        *c = '-';
    g.best = *shown ? shown : NULL;
    char hint[80];
    opt_wrong("unknown option '%s'%s", s, guess_text(&g, hint));
}

int opt_parse(int argc, char **argv, const opt *table, const char *usage, const char *more)
{
    int positional = 0;
    for (const opt *o = table; o->name; o++)
        if (o->value)
            store(o, o->value);
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
        while (o->name && !(n > 2 && !strncmp(s, "--", 2) && is_option(s + 2, n - 2, o->name)))
            o++;
        if (!o->name)
            unknown(table, s, n);
        if (o->type == OPT_FLAG) {
            if (eq)
                opt_wrong("no value goes with '%s'", s);
            *(int *)o->to = 1;
        } else if (eq) {
            store(o, eq + 1);
        } else if (i + 1 < argc) {
            store(o, argv[++i]);
        } else {
            opt_wrong("a value is missing after '%s'", s);
        }
    }
    return positional;
}

void opt_only(int argc, char **argv, const opt *table, const char *usage, const char *more)
{
    if (opt_parse(argc, argv, table, usage, more))
        opt_wrong("unexpected argument '%s'", argv[1]);
}
