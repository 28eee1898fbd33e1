/* report: the whole page. */
#include "report.h"
#include "../base/file.h"
#include "result/report_files.h" /* report_css, report_js: the files of that name, see local.mk */
#include "sections.h"
#include <string.h>

static const char title[] = "Rethinking Independent Cross-Entropy Loss For Graph-Structured Data, on CPUs";

/* A page of runs that go on says when it was written: report.js loads it again. */
static void head(buf *out, const report *r)
{
    buf_add(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\"><head><meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; img-src data:\"/>\n<title>%s</title>\n<style>\n",
        title);
    buf_put(out, report_css);
    buf_put(out, "</style></head>\n<body");
    if (r->progress)
        buf_add(out, " data-written=\"%lld\"", (long long)r->when);
    buf_put(out, ">\n");
}

static const char dots_of[] = "dots-"; /* the picture of a table is shown below it */

static int of_table(const doc_block *b) { return !strncmp(b->id, dots_of, sizeof dots_of - 1); }

/* The headings of the first three levels that have a name, and the figures but for those of tables. */
static void contents(buf *out, const doc *d)
{
    buf_put(out, "<nav aria-label=\"Contents\"><details><summary>Contents</summary><ul>");
    for (const doc_block *b = d->first; b; b = b->next) {
        int part = b->kind == DOC_HEADING && b->level < 3;
        if (!b->id || (b->kind != DOC_HEADING && (b->kind != DOC_FIGURE || of_table(b))))
            continue;
        buf_add(out, "<li%s><a href=\"#%s\">", part ? " class=\"part\"" : "", b->id);
        buf_html(out, b->level == 1 ? "Summary" : b->kind == DOC_FIGURE ? b->id : b->text);
        buf_put(out, "</a></li>");
    }
    buf_put(out, "</ul></details></nav>\n");
}

static void fill(doc *d, const tables *all, const report *r)
{
    char when[64];
    struct tm tm;
    figures f = section_figures_read(d->a, r->figures);
    strftime(when, sizeof when, "%d %B %Y, %H:%M UTC", gmtime_r(&r->when, &tm));
    doc_heading(d, 1, "summary", title);
    doc_say(d, DOC_SMALL, "jcbench report of %s, program " DOC_CODE "%s" DOC_CODE_END, when, r->commit);
    section_progress(d, all, r->progress);
    section_headline(d, all);
    section_tiles(d, all);
    section_tables(d, all, NULL);
    doc_heading(d, 2, "differences", "What differs from the paper");
    section_reasons(d, all);
    section_differences(d, all);
    doc_heading(d, 2, "overall", "Over all data sets");
    section_overall(d, all);
    doc_heading(d, 2, "gains", "What the gain depends on");
    section_all_gains(d, all, 3, 1);
    doc_heading(d, 2, "figures", "Figures");
    if (!f.n)
        doc_say(d, DOC_TEXT, "No figures in " DOC_CODE "%s" DOC_CODE_END "; make figures draws them.", r->figures);
    for (int i = 0; i < f.n; i++)
        if (!of_table(&f.v[i]))
            doc_figure(d, &f.v[i]);
    doc_heading(d, 2, "tables", "Tables");
    for (int i = 0; i < all->n; i++) {
        const doc_block *dots = section_figures_find(&f, arena_printf(d->a, "%s%s", dots_of, all->t[i].def->label));
        section_table(d, &all->t[i], 3);
        if (dots)
            doc_figure(d, dots);
    }
    doc_heading(d, 2, "statements", "Statements of the paper's text about its tables");
    section_statements(d, all);
    doc_heading(d, 2, "environment", "Environment");
    section_machine(d, all, r->commit, r->flags, f.gnuplot);
    section_experiments(d, all);
    section_failures(d, all);
    doc_heading(d, 2, "data", "Data");
    section_data(d, all, r->data);
    doc_heading(d, 2, "commands", "Commands");
    section_commands(d, r->records);
}

tables_summary report_write(arena *a, const report *r, const char *path)
{
    const tables *all = tables_read(a, r->records, r->paper);
    doc d = {.a = a};
    buf out = {.a = a};
    fill(&d, all, r);
    head(&out, r);
    contents(&out, &d);
    buf_put(&out, "<main>\n");
    doc_html(&out, &d);
    buf_add(&out, "</main>\n<script>\n%s</script>\n</body></html>\n", report_js);
    file_write(path, out.s, out.n);
    return all->sum;
}
