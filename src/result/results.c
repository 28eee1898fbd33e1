/* results: RESULTS.md, the figures it shows, and the block of a README. */
#include "results.h"
#include "../base/err.h"
#include "../base/file.h"
#include "definitions.h"
#include "../run/costs.h"
#include "sections.h"
#include <stdio.h>
#include <string.h>

enum { SHOWN_FIGURES = 16, SHOWN_BYTES = 200 << 10 }; /* larger drawings are left out */

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

const char *results_replace(arena *a, const char *path, const char *text, const char *block)
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

/* ---- figures ---- */

/* The figure of the next higher rank; NULL: none. */
static const figure_def *next_rank(int rank)
{
    const figure_def *best = NULL;
    for (const figure_def *d = definitions.figure; d && d->name; d++)
        if (d->rank > rank && (!best || d->rank < best->rank))
            best = d;
    return best;
}

/* The drawings that figures.tsv ranks, in this order; their number. */
static int shown(const doc_block *out[SHOWN_FIGURES], const figures *f)
{
    int n = 0;
    for (const figure_def *d = next_rank(0); d && n < SHOWN_FIGURES; d = next_rank(d->rank)) {
        const doc_block *b = section_figures_find(f, d->name);
        if (!b)
            printf("%s: not drawn, left out\n", d->name);
        else if (b->size > SHOWN_BYTES)
            printf("%s: left out: %zu KiB, more than %d\n", d->name, b->size >> 10, SHOWN_BYTES >> 10);
        else
            out[n++] = b;
    }
    return n;
}

static const char *readme_block(arena *a, const tables *all, const doc_block *drawn, const char *name)
{
    doc d = {.a = a};
    buf out = {.a = a};
    section_headline(&d, all);
    if (drawn) {
        doc_block plain = *drawn;
        plain.more = NULL;
        doc_figure(&d, &plain);
    }
    doc_md(&out, &d);
    if (all->sum.rows)
        buf_add(&out, "[%s](%s): table by table, what explains the gain, what differs from the paper and why.\n", name,
                name);
    return out.s;
}

/* ---- the file ---- */

static const char *directory_of(arena *a, const char *path) /* with its '/'; "": the current one */
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_printf(a, "%.*s", (int)(slash - path + 1), path) : "";
}

/* Why the page is not for the repository; NULL: it is. */
static const char *draft_reason(arena *a, const tables *all, const results *m)
{
    const char *missing = section_missing_data(a, all, &m->dirs);
    if (m->commit && strstr(m->commit, "-dirty"))
        return arena_printf(a, "the program is built from uncommitted changes (%s)", m->commit);
    return *missing ? arena_printf(a, "these data sets of the records are missing: %s", missing) : NULL;
}

/* What runs cost, for the next reader who starts without records of his own. */
static void write_costs(arena *a, const tables *all, const char *dir)
{
    buf out = {.a = a};
    costs_tsv(&out, &all->runs);
    file_write(arena_printf(a, "%sdata/costs.tsv", dir), out.s, out.n);
}

static void begin(doc *d, const char *title, const char *unfit)
{
    doc_heading(d, 1, NULL, title);
    doc_put(d, DOC_TEXT,
            "Written from the records by " DOC_CODE "jcb report --markdown" DOC_CODE_END
            " (make results); do not edit.");
    if (unfit)
        doc_say(d, DOC_NOTE, DOC_B "Draft" DOC_B_END ": %s.", unfit);
}

/* unfit: draft_reason. */
static void fill(doc *d, const tables *all, const char *unfit, const doc_block *const *f, int n)
{
    begin(d, "Results", unfit);
    section_headline(d, all);
    if (!all->sum.rows)
        return;
    for (int i = 0; i < n && i < 2; i++)
        doc_figure(d, f[i]);
    section_all_gains(d, all, 2, 0);
    doc_heading(d, 2, NULL, "What differs from the paper, and why we think so");
    section_reasons(d, all);
    doc_heading(d, 2, NULL, "Over all data sets");
    section_overall(d, all);
    if (n > 2)
        doc_heading(d, 2, NULL, "Figures");
    for (int i = 2; i < n; i++)
        doc_figure(d, f[i]);
}

/* What RESULTS.md leaves out: doc/details.md. */
static void fill_details(doc *d, const tables *all, const results *m, const char *unfit, const char *gnuplot)
{
    begin(d, "Results in detail", unfit);
    doc_heading(d, 2, NULL, "Table by table");
    section_tables(d, all, NULL);
    doc_heading(d, 2, NULL, "What differs from the paper");
    section_differences(d, all);
    doc_heading(d, 2, NULL, "What depends on tuning");
    section_tuning(d, all, m->specs);
    doc_heading(d, 2, NULL, "What depends on duplicated nodes");
    section_leaks(d, all, &m->dirs);
    doc_heading(d, 2, NULL, "What was not run");
    section_not_run(d, all, m->programs);
    doc_heading(d, 2, NULL, "Machine, time, commands, hashes");
    section_machine(d, all, m->commit, m->flags, gnuplot);
    section_experiments(d, all);
    section_commands(d, m->records);
    section_hashes(d, all, m->records, m->reference);
}

tables_summary results_write(arena *a, const results *m, const char *path, const char *readme)
{
    const char *dir = directory_of(a, path), *before = NULL;
    if (readme && strcmp(dir, directory_of(a, readme)))
        die("%s is not in the directory of %s (its links would be broken: put both into one directory)", readme, path);
    if (readme) {
        bytes b = file_read(a, readme, 0);
        before = (const char *)b.p;
        if (strlen(before) < b.n)
            die("%s contains a zero byte (is it a text file?)", readme);
        results_replace(a, readme, before, "");
    }
    const tables *all = tables_read(a, m->records, m->paper);
    const char *unfit = draft_reason(a, all, m);
    if (unfit && !m->draft)
        die("%s is not written: %s (--draft writes it all the same, and says so)", path, unfit);
    figures drawn = section_figures_read(a, m->figures);
    const doc_block *f[SHOWN_FIGURES];
    int n = all->sum.rows ? shown(f, &drawn) : 0;
    doc d = {.a = a}, details = {.a = a};
    buf text = {.a = a}, more = {.a = a};
    fill(&d, all, unfit, f, n);
    doc_md(&text, &d);
    if (all->sum.rows) {
        buf_put(&text, "\n[doc/details.md](doc/details.md): every number and comparison that differs, tuning, "
                       "duplicated nodes, what was "
                       "not run, machine, hashes.\n");
        fill_details(&details, all, m, unfit, drawn.gnuplot);
        doc_md(&more, &details);
        file_write(arena_printf(a, "%sdoc/details.md", dir), more.s, more.n);
    }
    for (int i = 0; i < n; i++)
        file_write(arena_printf(a, "%s%s", dir, f[i]->path), f[i]->svg, f[i]->size);
    file_write(path, text.s, text.n);
    if (readme) {
        const char *after =
            results_replace(a, readme, before, readme_block(a, all, n ? f[0] : NULL, path + strlen(dir)));
        file_write(readme, after, strlen(after));
        if (all->sum.rows)
            write_costs(a, all, dir);
    }
    return all->sum;
}
