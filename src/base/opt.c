#include "opt.h"
#include "err.h"
#include "guess.h"
#include <stdarg.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unreleased"
#endif

/* "--norm-batch X" */
static void spell(char *out, size_t n, const opt *o)
{
    snprintf(out, n, "--%s", o->name);
    for (char *c = out; (c = strchr(c, '_'));)
        *c = '-';
    size_t used = strlen(out);
    if (o->type != OPT_FLAG)
        snprintf(out + used, n - used, " %s", o->arg);
}

/* " (default: VALUE)"; nothing without a default, or where it is empty. */
static void print_default(const opt *o)
{
    if (o->value && *o->value)
        printf(" (default: %s)", o->value);
}

static _Noreturn void help(const opt *table, const char *usage, const char *more)
{
    printf("Usage: %s\n\nOptions:\n", usage);
    for (const opt *o = table; o->name; o++) {
        char left[64];
        spell(left, sizeof left, o);
        printf("  %-24s %s", left, o->help);
        print_default(o);
        putchar('\n');
    }
    printf("  %-24s %s\n", "--help", "this text");
    if (more && *more)
        printf("\n%s", more);
    exit(EXIT_SUCCESS);
}

/* Text for roff: backslash, dash and what begins a request are escaped. */
static void roff(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if ((i == 0 || s[i - 1] == '\n') && (s[i] == '.' || s[i] == '\''))
            printf("\\&");
        if (s[i] == '\\')
            printf("\\e");
        else if (s[i] == '-')
            printf("\\-");
        else
            putchar(s[i]);
    }
}

/* The first sentence as the NAME section has it: no capital, no full stop. */
static void name_line(const char *s)
{
    size_t n = strcspn(s, "\n:");
    const char *stop = strstr(s, ". ");
    if (stop && (size_t)(stop - s) < n)
        n = (size_t)(stop - s);
    n -= n && s[n - 1] == '.';
    int word = n > 1 && isupper((unsigned char)s[0]) && islower((unsigned char)s[1]);
    if (word)
        putchar(tolower((unsigned char)s[0]));
    roff(s + word, n - (size_t)word);
}

/* The first line of `usage` is the synopsis (further ones may begin with the same word), the rest says what the program
 * does. */
static void manual(const opt *table, const char *usage, const char *more)
{
    size_t word = strcspn(usage, " \n"), first = strcspn(usage, "\n");
    const char *about = usage + first;
    while (*about == '\n' && !strncmp(about + 1, usage, word))
        about += 1 + strcspn(about + 1, "\n");
    about += *about == '\n';
    char title[64];
    int n = snprintf(title, sizeof title, "%s", err_program);
    for (int i = 0; i < n; i++)
        title[i] = title[i] == ' ' ? '-' : title[i];
    printf(".TH \"%s\" 1 \"\" \"jcbench %s\" \"User commands\"\n.SH NAME\n", title, PACKAGE_VERSION);
    roff(title, strlen(title));
    printf(" \\- ");
    name_line(about);
    printf("\n.SH SYNOPSIS\n.nf\n");
    roff(usage, (size_t)(about - usage));
    printf("\n.fi\n.SH DESCRIPTION\n");
    roff(about, strlen(about));
    printf("\n.SH OPTIONS\n");
    for (const opt *o = table; o->name; o++) {
        char left[64];
        spell(left, sizeof left, o);
        printf(".TP\n.B \"");
        roff(left, strlen(left));
        printf("\"\n");
        roff(o->help, strlen(o->help));
        print_default(o);
        putchar('\n');
    }
    if (more && *more) {
        printf(".SH NOTES\n.nf\n");
        roff(more, strlen(more));
        printf(".fi\n");
    }
    printf(".SH SEE ALSO\njcb(1)\n");
}

static int describe(const char *s, const opt *table, const char *usage, const char *more)
{
    char name[64];
    if (!strcmp(s, "--print-man"))
        manual(table, usage, more);
    else if (!strcmp(s, "--print-options"))
        for (const opt *o = table; o->name; o++) {
            spell(name, sizeof name, o);
            printf("%.*s\n", (int)strcspn(name, " "), name);
        }
    else
        return 0;
    return 1;
}

int opt_describe(const char *s, const char *usage)
{
    const opt none = {0};
    return describe(s, &none, usage, NULL);
}

void opt_fold(const char *name)
{
    if (!name || strchr(name, '/') || access(name, F_OK) == 0)
        return;
    for (char *c = (char *)name; *c; c++) /* the memory of argv; defaults have no capitals */
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
}

void opt_wrong(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: ", err_program);
    vfprintf(stderr, format, args);
    va_end(args);
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
    int bad = end == s || *end || !(x == x) || (o->type == OPT_SECONDS && x <= 0);
    if (o->type == OPT_INT)
        bad |= !(x >= -2147483647.0 && x <= 2147483647.0) || x != (double)(int)x;
    if (!bad && (o->min != 0 || o->max != 0))
        bad = x < o->min || x > o->max;
    if (bad && (o->min != 0 || o->max != 0))
        opt_wrong("--%s must be a number from %g to %g, not '%s'", o->name, o->min, o->max, s);
    if (bad)
        opt_wrong("--%s must be %s, not '%s'", o->name,
                  o->type == OPT_SECONDS ? "a time such as 90s, 10m or 2h"
                  : o->type == OPT_INT   ? "a whole number"
                                         : "a number",
                  s);
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
    char word[64], hint[80];
    snprintf(word, sizeof word, "--%.*s", (int)n - (int)strspn(s, "-"), s + strspn(s, "-"));
    guess g = {.word = word};
    static char name[128][64];
    for (int k = 0; k < 128 && table[k].name; k++) {
        spell(name[k], sizeof name[k], table + k);
        name[k][strcspn(name[k], " ")] = 0;
        guess_try(&g, name[k]);
    }
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
        if (describe(s, table, usage, more))
            exit(EXIT_SUCCESS);
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
                opt_wrong("'%s' takes no value", s);
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
