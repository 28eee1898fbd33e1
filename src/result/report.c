/* report: the whole page. */
#include "report.h"
#include "page.h"
#include "sections.h"
#include <string.h>

static const char title[] = "Rethinking Independent Cross-Entropy Loss For Graph-Structured Data, on CPUs";

static const char dots_of[] = "dots-"; /* the picture of a table is shown below it */

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
        if (strncmp(f.v[i].id, dots_of, sizeof dots_of - 1))
            doc_figure(d, &f.v[i]);
    doc_heading(d, 2, "tables", "Tables");
    for (int i = 0; i < all->n; i++) {
        const doc_block *dots = section_figures_find(&f, arena_printf(d->a, "%s%s", dots_of, all->t[i].def->label));
        section_table(d, &all->t[i], 3);
        if (dots) {
            doc_block of_table = *dots;
            of_table.level = 1;
            doc_figure(d, &of_table);
        }
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
    fill(&d, all, r);
    page_write(path, title, &d, r->progress ? r->when : 0);
    return all->sum;
}
