/* markdown: RESULTS.md, and the block of a README. */
#include "markdown.h"
#include "../base/err.h"
#include "../base/file.h"
#include "markdown_parts.h"
#include <string.h>

/* ---- elements ---- */

void markdown_head(buf *out, const char *const *title, int n)
{
    markdown_row(out, title, n);
    buf_put(out, "|");
    for (int j = 0; j < n; j++)
        buf_put(out, "---|");
    buf_put(out, "\n");
}

void markdown_row(buf *out, const char *const *value, int n)
{
    buf_put(out, "|");
    for (int j = 0; j < n; j++) {
        buf_put(out, " ");
        buf_md(out, value[j] ? value[j] : "");
        buf_put(out, " |");
    }
    buf_put(out, "\n");
}

void markdown_text(buf *out, const char *text)
{
    buf_md(out, text);
    buf_put(out, "\n\n");
}

void span_add(span *s, int n)
{
    if (n < 1)
        return;
    s->least = s->least && s->least < n ? s->least : n;
    s->most = s->most > n ? s->most : n;
}

const char *span_text(arena *a, span s) { return s.most ? render_span(a, s.least, s.most) : "–"; }

/* ---- the block of a README ---- */

/* The first line at or after `from` that begins with mark; NULL: none. */
static const char *find_line(const char *from, const char *mark)
{
    size_t n = strlen(mark);
    for (const char *s = from; *s;) {
        if (!strncmp(s, mark, n))
            return s;
        s += strcspn(s, "\n");
        s += *s == '\n';
    }
    return NULL;
}

static const char *next_line(const char *s)
{
    s += strcspn(s, "\n");
    return s + (*s == '\n');
}

const char *markdown_replace(arena *a, const char *path, const char *text, const char *block)
{
    static const char begin_mark[] = "<!-- results: begin", end_mark[] = "<!-- results: end";
    const char *begin = find_line(text, begin_mark), *end = find_line(text, end_mark);
    if (!begin || !end)
        die("%s: no line that begins with '%s' (add the lines '%s -->' and '%s -->' around the place of the results)",
            path, begin ? end_mark : begin_mark, begin_mark, end_mark);
    if (end < begin)
        die("%s: the line '%s' is before '%s' (swap them)", path, end_mark, begin_mark);
    if (find_line(next_line(begin), begin_mark) || find_line(next_line(end), end_mark))
        die("%s: '%s' or '%s' begins more than one line (keep one of each)", path, begin_mark, end_mark);
    const char *inside = next_line(begin);
    return arena_printf(a, "%.*s%s%s", (int)(inside - text), text, block, end);
}

static const char *readme_block(arena *a, const char *headline, const shown_figure *f, int figures, const char *name,
                                int rows)
{
    buf out = {.a = a};
    buf_add(&out, "%s\n\n", headline);
    if (figures)
        markdown_figure(&out, f, 0);
    if (rows)
        buf_add(&out,
                "[%s](%s): table by table, what differs, what depends on the partition, on tuning and on duplicated "
                "nodes, machine and hashes.\n",
                name, name);
    return out.s;
}

/* ---- the file ---- */

static void section(buf *out, const char *title) { buf_add(out, "## %s\n\n", title); }

static const char *directory_of(arena *a, const char *path) /* with its '/'; "": the current one */
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_printf(a, "%.*s", (int)(slash - path + 1), path) : "";
}

static void figures_section(buf *out, const shown_figure *f, int n)
{
    if (n < 2)
        return;
    section(out, "Figures");
    for (int i = 1; i < n; i++)
        markdown_figure(out, &f[i], 1);
}

/* Why the page is not for the repository; NULL: it is. */
static const char *draft_reason(arena *a, const tables *all, const markdown *m)
{
    const char *missing = markdown_missing(a, all, &m->dirs);
    if (m->commit && strstr(m->commit, "-dirty"))
        return arena_printf(a, "the program is built from uncommitted changes (%s)", m->commit);
    return *missing ? arena_printf(a, "these data sets of the records are missing: %s", missing) : NULL;
}

/* unfit: draft_reason. */
static const char *whole(arena *a, const tables *all, const markdown *m, const char *headline, const char *unfit,
                         const shown_figure *f, int figures)
{
    buf out = {.a = a};
    buf_put(&out,
            "# Results\n\nWritten from the records by `jcb report --markdown` (`make results`); do not edit.\n\n");
    if (unfit)
        buf_add(&out, "**Draft**: %s.\n\n", unfit);
    buf_add(&out, "%s\n\n", headline);
    if (!all->sum.rows)
        return out.s;
    if (figures)
        markdown_figure(&out, &f[0], 1);
    section(&out, "What explains the gain");
    markdown_explain(a, &out, all);
    section(&out, "Table by table");
    markdown_tables(a, &out, all);
    section(&out, "What differs from the paper");
    markdown_differences(a, &out, all);
    section(&out, "Over all data sets");
    markdown_text(&out, table_overall_text(a, &all->overall));
    section(&out, "What depends on the partition");
    markdown_partitions(a, &out, all);
    section(&out, "What depends on split, partition and run");
    markdown_variance(a, &out, all);
    section(&out, "What depends on tuning");
    markdown_tuning(a, &out, all, m->specs);
    section(&out, "What depends on duplicated nodes");
    markdown_leaks(a, &out, all, &m->dirs);
    section(&out, "What was not run");
    markdown_not_run(a, &out, all, m);
    figures_section(&out, f, figures);
    section(&out, "Machine, time, commands, hashes");
    markdown_environment(a, &out, all, m);
    return out.s;
}

tables_summary markdown_write(arena *a, const markdown *m, const char *path, const char *readme)
{
    const char *dir = directory_of(a, path), *before = NULL;
    if (readme && strcmp(dir, directory_of(a, readme)))
        die("%s is not in the directory of %s (its links would be broken: put both into one directory)", readme, path);
    if (readme) {
        bytes b = file_read(a, readme, 0);
        before = (const char *)b.p;
        if (strlen(before) < b.n)
            die("%s contains a zero byte (is it a text file?)", readme);
        markdown_replace(a, readme, before, "");
    }
    const tables *all = tables_read(a, m->records, m->paper);
    const char *headline = markdown_headline(a, all), *unfit = draft_reason(a, all, m);
    if (unfit && !m->draft)
        die("%s is not written: %s (--draft writes it all the same, and says so)", path, unfit);
    shown_figure f[SHOWN_FIGURES];
    int figures = all->sum.rows ? markdown_figures(a, f, m->figures) : 0;
    const char *text = whole(a, all, m, headline, unfit, f, figures);
    for (int i = 0; i < figures; i++)
        file_write(arena_printf(a, "%sdoc/%s.svg", dir, f[i].name), f[i].svg, f[i].n);
    file_write(path, text, strlen(text));
    if (readme) {
        const char *after = markdown_replace(a, readme, before,
                                             readme_block(a, headline, f, figures, path + strlen(dir), all->sum.rows));
        file_write(readme, after, strlen(after));
    }
    return all->sum;
}
