/* html_figures: inlines DIR/NAME.svg as written by gnuplot, with the caption DIR/NAME.txt (its first line is the
 * title).
 *
 * Ids must be unique in the page: id="x", href="#x" and url(#x) become id="fN-x" and so on. A figure that has scripts
 * or external references is left out. */
#include "../base/err.h"
#include "../base/file.h"
#include "html.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURE_MAX = 64 << 20 };

/* By name; those of single tables ("dots-LABEL") last. */
static int by_name(const void *x, const void *y)
{
    const char *a = ((const drawn_figure *)x)->name, *b = ((const drawn_figure *)y)->name;
    int last = !strncmp(a, "dots-", 5) - !strncmp(b, "dots-", 5);
    return last ? last : strcmp(a, b);
}

static const char *skip_blank(const char *s) { return s + strspn(s, " \t\r\n"); }

/* Whether each & of s begins an entity that XML predefines, or a character reference. */
static int entities(const char *s, size_t n)
{
    static const char *const known[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (const char *e = s; (e = memchr(e, '&', n - (size_t)(e - s))); e++) {
        size_t digits = strspn(e + 1, "#x0123456789abcdefABCDEF");
        int ok = e[1] == '#' && digits > 1 && e[1 + digits] == ';';
        for (int i = 0; i < 5; i++)
            ok |= !strncmp(e, known[i], strlen(known[i]));
        if (!ok)
            return 0;
    }
    return 1;
}

static void put_value(buf *out, const char *name, const char *value, int number)
{
    int link = !strcmp(name, "href") || !strcmp(name, "xlink:href");
    if (!strcmp(name, "id") || (link && *value == '#')) {
        buf_add(out, "%sf%d-%s", link ? "#" : "", number, value + link);
        return;
    }
    for (const char *url; (url = strstr(value, "url(#")); value = url + 5)
        buf_add(out, "%.*surl(#f%d-", (int)(url - value), value, number);
    buf_put(out, value);
}

/* Whether the attribute is no event handler and has no external reference. */
static int harmless(const char *name, const char *value)
{
    int link = !strcmp(name, "href") || !strcmp(name, "xlink:href");
    for (const char *url = value; (url = strstr(url, "url(")); url++)
        if (url[4] != '#')
            return 0;
    return strncmp(name, "on", 2) && !strchr(value, '<') && entities(value, strlen(value)) &&
           (!link || *value == '#' || !strncmp(value, "data:image/", 11));
}

/* Copies the attributes of a tag with ids renamed; s points behind its name. Returns the end of the tag; NULL:
 * malformed, or not harmless. The width of the root element becomes its max-width, so that figures shrink with the
 * page. */
static const char *attributes(arena *a, buf *out, const char *s, int number, int root)
{
    const char *seen[32];
    int count = 0;
    for (const char *end; s = skip_blank(end = s), *s && *s != '>' && *s != '/'; s = end + 1) {
        size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:");
        const char *name = arena_printf(a, "%.*s", (int)n, s), *q = skip_blank(s + n);
        if (s == end || !n || s[0] < 'A' || *q != '=' || count == 32)
            return NULL;
        q = skip_blank(q + 1);
        end = *q == '"' || *q == '\'' ? strchr(q + 1, *q) : NULL;
        const char *value = end ? arena_printf(a, "%.*s", (int)(end - q - 1), q + 1) : "<";
        if (!harmless(name, value))
            return NULL;
        for (int i = 0; i < count; i++)
            if (!strcmp(seen[i], name))
                return NULL;
        seen[count++] = name;
        if (root && !strcmp(name, "width") && *value && !value[strspn(value, "0123456789")])
            buf_add(out, " style=\"max-width:%spx\"", value);
        if (root && (!strcmp(name, "width") || !strcmp(name, "height") || !strcmp(name, "style")))
            continue;
        buf_add(out, " %s=%c", name, *q);
        put_value(out, name, value, number);
        buf_add(out, "%c", *q);
    }
    return s;
}

/* Text up to the next tag. */
static const char *text(buf *out, const char *s)
{
    size_t n = strcspn(s, "<");
    buf_add(out, "%.*s", (int)n, s);
    return entities(s, n) ? s + n : NULL;
}

static int drawing(const char *name, size_t n)
{
    static const char *const known[] = {
        "svg",     "g",           "defs",       "desc",    "title",          "path",           "circle", "ellipse",
        "rect",    "line",        "use",        "polygon", "polyline",       "text",           "tspan",  "pattern",
        "image",   "clipPath",    "mask",       "stop",    "linearGradient", "radialGradient", "filter", "feFlood",
        "feMerge", "feMergeNode", "feComposite"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == n && !strncmp(known[i], name, n))
            return 1;
    return 0;
}

/* Copies the element that begins at s, without titles (they would be tooltips) and comments. Returns its end; NULL: not
 * well-formed, or not a drawing. */
static const char *element(arena *a, buf *out, const char *s, int number, int depth)
{
    const char *name = s + 1;
    size_t n = strcspn(name, " \t\r\n/>");
    buf drop = {.a = a};
    if (*s != '<' || depth > 64 || !drawing(name, n))
        return NULL;
    out = n == 5 && !strncmp(name, "title", n) ? &drop : out;
    buf_add(out, "<%.*s", (int)n, name);
    s = attributes(a, out, name + n, number, depth == 0);
    if (!s || !*s || (*s == '/' && s[1] != '>'))
        return NULL;
    buf_put(out, *s == '/' ? "/>" : ">");
    if (*s == '/')
        return s + 2;
    for (s++; (s = text(out, s)) && *s && strncmp(s, "</", 2);) {
        int comment = !strncmp(s, "<!--", 4), data = !strncmp(s, "<![CDATA[", 9);
        const char *end = comment ? strstr(s + 4, "-->") : data ? strstr(s + 9, "]]>") : NULL;
        if (end && data)
            buf_html(out, arena_printf(a, "%.*s", (int)(end - s - 9), s + 9));
        s = end ? end + 3 : element(a, out, s, number, depth + 1);
        if (!s)
            return NULL;
    }
    if (!s || !*s || strncmp(s + 2, name, n) || *skip_blank(s + 2 + n) != '>')
        return NULL;
    buf_add(out, "</%.*s>", (int)n, name);
    return skip_blank(s + 2 + n) + 1;
}

/* The <svg> element of a file; NULL: none, or not one that can be shown. */
static const char *inline_svg(arena *a, const char *s, int number)
{
    buf out = {.a = a};
    const char *svg = strstr(s, "<svg");
    return svg && element(a, &out, svg, number, 0) ? out.s : NULL;
}

static void load(arena *a, figures *f, drawn_figure *v, int number, const char *dir)
{
    const char *caption = arena_printf(a, "%s/%s.txt", dir, v->name), *mark = "Produced by GNUPLOT ";
    bytes b = file_read(a, arena_printf(a, "%s/%s.svg", dir, v->name), FIGURE_MAX);
    v->caption = file_exists(caption) ? (const char *)file_read(a, caption, 1 << 16).p : "";
    v->svg = inline_svg(a, (const char *)b.p, number);
    const char *version = strstr((const char *)b.p, mark);
    if (version && !f->gnuplot)
        f->gnuplot = arena_printf(a, "%.*s", (int)strcspn(version + strlen(mark), "<\n"), version + strlen(mark));
}

figures html_figures_read(arena *a, const char *dir)
{
    figures f = {0};
    DIR *d = opendir(dir);
    int room = 0;
    if (!d && errno != ENOENT)
        die("%s: %s", dir, strerror(errno));
    if (!d)
        return f;
    while (readdir(d))
        room++;
    rewinddir(d);
    f.v = NEW(a, drawn_figure, (size_t)room + 1);
    for (struct dirent *e; (e = readdir(d)) && f.n < room;) {
        size_t n = strlen(e->d_name);
        if (n > 4 && !strcmp(e->d_name + n - 4, ".svg") && file_exists(arena_printf(a, "%s/%s", dir, e->d_name)))
            f.v[f.n++].name = arena_printf(a, "%.*s", (int)n - 4, e->d_name);
    }
    closedir(d);
    qsort(f.v, (size_t)f.n, sizeof *f.v, by_name);
    for (int i = 0; i < f.n; i++)
        load(a, &f, &f.v[i], i + 1, dir);
    return f;
}

void html_figures(buf *out, const figures *f, const char *dir)
{
    if (!f->n) {
        buf_put(out, "<p>No figures in ");
        html_el(out, "code", dir);
        buf_put(out, "; <code>make figures</code> draws them.</p>\n");
    }
    for (int i = 0; i < f->n; i++) {
        const drawn_figure *v = &f->v[i];
        buf_add(out, "<figure id=\"f-%d\">", i + 1);
        if (v->svg)
            buf_put(out, v->svg);
        else
            buf_put(out, "<p class=\"note\">This file is not a self-contained SVG picture and is left out.</p>");
        size_t title = strcspn(v->caption, "\n");
        buf_put(out, "\n<figcaption>");
        html_el(out, "b", arena_printf(out->a, "%.*s", (int)title, v->caption));
        buf_put(out, " ");
        html_el(out, "span class=\"label\"", v->name);
        buf_html(out, v->caption + title);
        buf_put(out, "</figcaption></figure>\n");
    }
}
