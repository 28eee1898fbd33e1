/* wellformed: a small parser of markup that stops at the first error of well-formedness: tags that do not match,
 * attributes without quotes or given twice, stray < and &, unknown entities. It passes every attribute to a callback.
 */
#ifndef JCB_WELLFORMED_H
#define JCB_WELLFORMED_H

#include <stdio.h>
#include <string.h>

enum { WELLFORMED_DEPTH = 256, WELLFORMED_NAME = 64 };

typedef void attribute_seen(void *arg, const char *tag, const char *name, const char *value);

typedef struct wellformed {
    const char *start, *s;
    attribute_seen *seen;
    void *arg;
    char open[WELLFORMED_DEPTH][WELLFORMED_NAME];
    int depth, elements;
    char error[160];
} wellformed;

static int wf_fail(wellformed *w, const char *what)
{
    int line = 1;
    for (const char *p = w->start; p < w->s; p++)
        line += *p == '\n';
    snprintf(w->error, sizeof w->error, "line %d: %s, at \"%.40s\"", line, what, w->s);
    return 0;
}

static int wf_entities(wellformed *w, const char *s, size_t n)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#"};
    for (const char *end = s + n; s < end; s++) {
        int ok = *s != '&';
        for (int i = 0; i < 6 && !ok; i++)
            ok = !strncmp(s, known[i], strlen(known[i]));
        if (!ok || ((unsigned char)*s < 0x20 && *s != '\n' && *s != '\t'))
            return wf_fail(w, "an unknown entity, a bare & or a control character");
    }
    return 1;
}

static int wf_name(wellformed *w, char out[WELLFORMED_NAME])
{
    size_t n = strspn(w->s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:");
    if (!n || n >= WELLFORMED_NAME)
        return wf_fail(w, "not a name");
    memcpy(out, w->s, n);
    out[n] = 0;
    w->s += n;
    return 1;
}

static int wf_attributes(wellformed *w, const char *tag)
{
    char seen[32][WELLFORMED_NAME];
    static char value[1 << 20];
    for (int count = 0;; count++) {
        size_t blank = strspn(w->s, " \t\r\n");
        w->s += blank;
        if (*w->s == '>' || *w->s == '/')
            return 1;
        if (!blank || count == 32 || !wf_name(w, seen[count]))
            return wf_fail(w, "expected an attribute");
        for (int i = 0; i < count; i++)
            if (!strcmp(seen[i], seen[count]))
                return wf_fail(w, "an attribute twice");
        char quote = w->s[0] == '=' ? w->s[1] : 0;
        const char *end = quote == '"' || quote == '\'' ? strchr(w->s + 2, quote) : NULL;
        size_t n = end ? (size_t)(end - w->s - 2) : 0;
        if (!end || n >= sizeof value || memchr(w->s + 2, '<', n) || !wf_entities(w, w->s + 2, n))
            return wf_fail(w, "an attribute without a proper value");
        memcpy(value, w->s + 2, n);
        value[n] = 0;
        w->seen(w->arg, tag, seen[count], value);
        w->s = end + 1;
    }
}

static int wf_tag(wellformed *w)
{
    char name[WELLFORMED_NAME];
    int closes = w->s[1] == '/';
    w->s += 1 + closes;
    if (!wf_name(w, name))
        return 0;
    if (closes) {
        if (*w->s != '>' || !w->depth || strcmp(w->open[w->depth - 1], name))
            return wf_fail(w, "a closing tag that does not match");
        w->depth--;
    } else {
        if (!wf_attributes(w, name))
            return 0;
        int empty = *w->s == '/';
        w->s += empty;
        if (*w->s != '>' || w->depth == WELLFORMED_DEPTH)
            return wf_fail(w, "a tag that does not end");
        w->elements++;
        if (!empty)
            strcpy(w->open[w->depth++], name);
    }
    w->s++;
    return 1;
}

/* 1 if text is one well-formed element after its DOCTYPE. */
static int wellformed_check(wellformed *w, const char *text)
{
    static const char doctype[] = "<!DOCTYPE html>\n";
    w->start = w->s = text;
    if (strncmp(text, doctype, sizeof doctype - 1))
        return wf_fail(w, "no DOCTYPE");
    w->s += sizeof doctype - 1;
    do {
        size_t n = strcspn(w->s, "<");
        if (!wf_entities(w, w->s, n))
            return 0;
        w->s += n;
        if (!*w->s)
            return wf_fail(w, "the end inside an element");
        if (!wf_tag(w))
            return 0;
    } while (w->depth);
    return !strcmp(w->s, "\n") || wf_fail(w, "something behind the end");
}

#endif
