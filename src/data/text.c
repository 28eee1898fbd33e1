#include "text.h"
#include "../base/err.h"
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

text text_open(bytes b) { return (text){b.path, b.p, b.p + b.n, 1}; }

_Noreturn void text_die(const text *t, const char *fmt, ...)
{
    char line[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    die("%s:%lld: %s", t->path, (long long)t->line, line);
}

const char *text_show(char out[48], const unsigned char *p, size_t n)
{
    size_t k = 0;
    for (; k < n && k < 40 && p[k] != '\n' && p[k] != '\r'; k++)
        out[k] = p[k] >= ' ' && p[k] < 127 ? (char)p[k] : '?';
    strcpy(out + k, k == 40 && k < n ? "..." : "");
    return out;
}

/* Dies naming what was expected and what is at the cursor. */
static _Noreturn void expected(const text *t, const char *what)
{
    char found[48];
    if (!text_more(t))
        text_die(t, "expected %s, found the end of the file: truncated?", what);
    if (text_at_eol(t))
        text_die(t, "expected %s, found the end of the line", what);
    size_t n = 0;
    while (t->p + n < t->end && n < 41 && !strchr(" \t,\r\n", t->p[n]))
        n++;
    text_die(t, "expected %s, found '%s'", what, text_show(found, t->p, n ? n : 1));
}

int64_t text_lines(const text *t)
{
    int64_t n = 0;
    for (const unsigned char *p = t->p; p < t->end; n++) {
        p = memchr(p, '\n', (size_t)(t->end - p));
        if (!p)
            return n + 1;
        p++;
    }
    return n;
}

int text_at_eol(const text *t) { return t->p >= t->end || *t->p == '\n' || (*t->p == '\r' && t->p[1] == '\n'); }

void text_eol(text *t)
{
    if (!text_at_eol(t))
        expected(t, "the end of the line");
    if (t->p < t->end && *t->p == '\r')
        t->p++;
    if (t->p < t->end) {
        t->p++;
        t->line++;
    }
}

void text_header(text *t, const char *want)
{
    size_t n = strlen(want);
    if ((size_t)(t->end - t->p) < n || memcmp(t->p, want, n) != 0)
        text_die(t, "the header line is not '%s'", want);
    t->p += n;
    text_eol(t);
}

void text_char(text *t, char c)
{
    char what[16];
    if (t->p < t->end && *t->p == (unsigned char)c) {
        t->p++;
        return;
    }
    snprintf(what, sizeof what, c == '\t' ? "a tab" : "'%c'", c);
    expected(t, what);
}

void text_skip_blanks(text *t)
{
    while (*t->p == ' ' || *t->p == '\t')
        t->p++;
}

int text_next_line(text *t)
{
    for (;;) {
        text_skip_blanks(t);
        if (*t->p == '#') {
            const unsigned char *nl = memchr(t->p, '\n', (size_t)(t->end - t->p));
            t->p = nl ? nl : t->end;
        }
        if (!text_more(t))
            return 0;
        if (!text_at_eol(t))
            return 1;
        text_eol(t);
    }
}

int64_t text_int(text *t, const char *what, int64_t lo, int64_t hi)
{
    const unsigned char *p = t->p;
    int negative = *p == '-';
    p += negative;
    int64_t x = 0, digits = 0;
    for (; *p >= '0' && *p <= '9'; p++, digits++)
        x = digits < 18 ? 10 * x + (*p - '0') : x;
    if (!digits)
        expected(t, what);
    if (negative)
        x = -x;
    if (digits > 18 || x < lo || x > hi) {
        char found[48];
        text_die(t, "%s is %s, outside %lld..%lld", what, text_show(found, t->p, (size_t)(p - t->p)), (long long)lo,
                 (long long)hi);
    }
    t->p = p;
    return x;
}

/* d is the double nearest to a decimal number. Returns whether rounding d gives the real nearest to that number: not if
 * d is half-way between two floats, or in the range of subnormal floats. */
static int rounds_once(double d)
{
    if (sizeof(real) == sizeof(double))
        return 1;
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    double size = fabs(d);
    return (bits & 0x1fffffff) != 0x10000000 && (size == 0 || (size >= FLT_MIN && size < FLT_MAX));
}

real text_real(text *t, const char *what)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const unsigned char *p = t->p;
    int negative = *p == '-', dot = 0;
    int64_t digits = 0, significant = 0, scale = 0;
    p += negative || *p == '+';
    uint64_t m = 0;
    for (;; p++) {
        if (*p == '.' && !dot) {
            dot = 1;
            continue;
        }
        if (*p < '0' || *p > '9')
            break;
        digits++;
        significant += m != 0 || *p != '0';
        if (significant <= 18)
            m = 10 * m + (uint64_t)(*p - '0');
        scale -= dot;
    }
    if (!digits)
        expected(t, what);
    if (*p == 'e' || *p == 'E') {
        const unsigned char *q = p + 1;
        int down = *q == '-', e = 0;
        q += down || *q == '+';
        if (*q < '0' || *q > '9')
            expected(t, what);
        for (; *q >= '0' && *q <= '9'; q++)
            e = e < 9999 ? 10 * e + (*q - '0') : e;
        scale += down ? -e : e;
        p = q;
    }
    real x;
    double d = (double)m;
    if (significant <= 18 && m < UINT64_C(1) << 53 && scale >= -22 && scale <= 22 &&
        rounds_once(d = scale < 0 ? d / power[-scale] : d * power[scale]))
        x = (real)(negative ? -d : d);
    else
        x = sizeof(real) == sizeof(float) ? (real)strtof((const char *)t->p, NULL)
                                          : (real)strtod((const char *)t->p, NULL);
    if (!isfinite(x))
        text_die(t, "%s is out of range", what);
    t->p = p;
    return x;
}

bytes text_csv(text *t)
{
    const unsigned char *from = t->p;
    int open = 0;
    for (; t->p < t->end; t->p++) {
        if (*t->p == '"')
            open = !open;
        else if (text_at_eol(t) || (*t->p == ',' && !open))
            break;
    }
    if (open)
        text_die(t, "a quote is not closed on its line");
    return (bytes){from, (size_t)(t->p - from), t->path};
}

bytes text_word(text *t, const char *what)
{
    const unsigned char *from = t->p;
    while (!text_at_eol(t) && !strchr(" \t,", *t->p))
        t->p++;
    if (t->p == from)
        expected(t, what);
    return (bytes){from, (size_t)(t->p - from), t->path};
}

int text_equal(bytes b, const char *s) { return b.n == strlen(s) && memcmp(b.p, s, b.n) == 0; }
