/* buf: doubling buffer. What it outgrows stays in the arena, at most as much again as the final string. */
#include "buf.h"
#include "err.h"
#include "file.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void reserve(buf *t, size_t more)
{
    if (t->s && t->capacity - t->n > more)
        return;
    size_t capacity = 2 * t->capacity + more + 256;
    char *s = arena_alloc(t->a, capacity, 1);
    if (t->n)
        memcpy(s, t->s, t->n);
    t->s = s;
    t->capacity = capacity;
}

void buf_add(buf *t, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    reserve(t, 0);
    size_t left = t->capacity - t->n, n = (size_t)vsnprintf(t->s + t->n, left, fmt, ap);
    if (n >= left) {
        reserve(t, n);
        vsnprintf(t->s + t->n, n + 1, fmt, again);
    }
    va_end(ap);
    va_end(again);
    t->n += n;
}

void buf_put(buf *t, const char *s)
{
    size_t n = strlen(s);
    reserve(t, n);
    memcpy(t->s + t->n, s, n + 1);
    t->n += n;
}

void buf_number(buf *t, double x)
{
    if (isnan(x))
        buf_put(t, "\t-");
    else
        buf_add(t, "\t%.10g", x == 0 ? 0 : x);
}

static int holds(const char *path, const char *s, size_t n)
{
    if (!file_exists(path))
        return 0;
    arena tmp = {0};
    bytes b = file_read(&tmp, path, 0);
    int same = b.n == n && !memcmp(b.p, s, n);
    arena_free(&tmp);
    return same;
}

void buf_save(const buf *t, const char *dir, const char *name, const char *suffix)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s%s", dir, name, suffix) >= sizeof path)
        die("%s: path is too long", dir);
    const char *s = t->s ? t->s : "";
    if (!holds(path, s, t->n))
        file_write(path, s, t->n);
}

void buf_md(buf *t, const char *s)
{
    for (; *s; s++) {
        int tag = *s == '<' && (isalpha((unsigned char)s[1]) || (s[1] && strchr("/!?", s[1])));
        int link = *s == '[' && strstr(s, "](");
        buf_add(t, tag || link || strchr("|\\*_`", *s) ? "\\%c" : "%c", *s);
    }
}

void buf_tex(buf *t, const char *s)
{
    static const struct {
        const char *from, *to;
    } map[] = {{"\\", "\\textbackslash{}"},
               {"~", "\\textasciitilde{}"},
               {"^", "\\textasciicircum{}"},
               {"<", "\\textless{}"},
               {">", "\\textgreater{}"},
               {"|", "\\textbar{}"},
               {"\"", "''"},
               {"&", "\\&"},
               {"%", "\\%"},
               {"$", "\\$"},
               {"#", "\\#"},
               {"_", "\\_"},
               {"{", "\\{"},
               {"}", "\\}"},
               {"+-", "$\\pm$"},
               {"±", "$\\pm$"},
               {"–", "--"},
               {"-∞", "$-\\infty$"},
               {"+∞", "$+\\infty$"}};
    for (const char *start = s; *s;) {
        int minus = *s == '-' && s[1] >= '0' && s[1] <= '9' && (s == start || strchr(" [", s[-1])); /* not a hyphen */
        if (minus) {
            buf_put(t, "$-$");
            s++;
            continue;
        }
        size_t i = 0, count = sizeof map / sizeof map[0];
        while (i < count && strncmp(s, map[i].from, strlen(map[i].from)))
            i++;
        if (i < count)
            buf_put(t, map[i].to);
        else
            buf_add(t, "%c", *s);
        s += i < count ? strlen(map[i].from) : 1;
    }
}

/* The bytes of the character at s, or 0 when it is not UTF-8 or XML has no place for it. */
static int character(const unsigned char *s)
{
    if (*s < 0x80)
        return *s >= 0x20 || *s == '\t' || *s == '\n';
    int n = *s >= 0xf0 && *s < 0xf5 ? 4 : *s >= 0xe0 && *s < 0xf0 ? 3 : *s >= 0xc2 && *s < 0xe0 ? 2 : 0;
    unsigned long c = n ? *s & (0xffu >> (n + 1)) : 0;
    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (s[i] & 0x3fu);
    }
    int overlong = (n == 3 && c < 0x800) || (n == 4 && c < 0x10000);
    return overlong || c > 0x10ffff || (c >= 0xd800 && c < 0xe000) || c == 0xfffe || c == 0xffff ? 0 : n;
}

void buf_html(buf *t, const char *s)
{
    while (*s) {
        int n = character((const unsigned char *)s);
        switch (*s) {
        case '&': buf_put(t, "&amp;"); break;
        case '<': buf_put(t, "&lt;"); break;
        case '>': buf_put(t, "&gt;"); break;
        case '"': buf_put(t, "&quot;"); break;
        case '\'': buf_put(t, "&#39;"); break;
        default: buf_add(t, "%.*s", n ? n : 3, n ? s : "\xef\xbf\xbd");
        }
        s += n ? n : 1;
    }
}
