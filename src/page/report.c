/* report: assembles the page. */
#include "report.h"
#include "../base/file.h"
#include "calibration_render.h"
#include "html.h"
#include "page/report_files.h" /* report_css, report_js: the files of that name, see local.mk */

static const char *const title = "Rethinking Independent Cross-Entropy Loss For Graph-Structured Data, on CPUs";

static void head(buf *out)
{
    buf_put(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\"><head><meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; img-src data:\"/>\n");
    html_el(out, "title", title);
    buf_put(out, "\n<style>\n");
    buf_put(out, report_css);
    buf_put(out, "</style></head>\n<body>\n");
}

static void contents(buf *out, const tables *all, const figures *f)
{
    buf_put(out, "<nav aria-label=\"Contents\"><details><summary>Contents</summary><ul><li class=\"part\"><a "
                 "href=\"#summary\">Summary</a></li><li class=\"part\"><a href=\"#explain\">What explains the "
                 "gain</a></li><li class=\"part\"><a href=\"#statements\">Statements of the text</a></li><li "
                 "class=\"part\"><a href=\"#partitions\">Partitions</a></li><li class=\"part\"><a "
                 "href=\"#variance\">Split, partition, run</a></li><li class=\"part\"><a "
                 "href=\"#calibration\">Calibration</a></li><li class=\"part\"><a href=\"#tables\">Tables</a></li>");
    for (int i = 0; i < all->n; i++) {
        buf_put(out, "<li>");
        html_table_link(out, all->t[i].def);
        buf_put(out, "</li>");
    }
    buf_put(out, "<li class=\"part\"><a href=\"#figures\">Figures</a></li>");
    for (int i = 0; i < f->n; i++) {
        buf_add(out, "<li><a href=\"#f-%d\">", i + 1);
        html_el(out, "span class=\"label\"", f->v[i].name);
        buf_put(out, "</a></li>");
    }
    buf_put(out, "<li class=\"part\"><a href=\"#environment\">Environment</a></li>"
                 "<li class=\"part\"><a href=\"#data\">Data</a></li>"
                 "<li class=\"part\"><a href=\"#commands\">Commands</a></li></ul></details></nav>\n");
}

static void section(buf *out, const char *id, const char *name) { buf_add(out, "<h2 id=\"%s\">%s</h2>\n", id, name); }

tables_summary report_write(arena *a, const report *r, const char *path)
{
    const tables *all = tables_read(a, r->records, r->paper);
    figures f = html_figures_read(a, r->figures);
    buf out = {.a = a};
    char when[64];
    struct tm tm;
    strftime(when, sizeof when, "%d %B %Y, %H:%M UTC", gmtime_r(&r->when, &tm));
    head(&out);
    contents(&out, all, &f);
    buf_put(&out, "<main><h1 id=\"summary\">");
    buf_html(&out, title);
    buf_add(&out, "</h1><p class=\"small\">jcbench report of %s, program ", when);
    html_el(&out, "code", r->commit);
    buf_put(&out, "</p>\n");
    html_summary(a, &out, all);
    section(&out, "explain", "What explains the gain");
    html_explain(a, &out, all);
    section(&out, "statements", "Statements of the paper's text about its tables");
    html_statements(&out, all);
    section(&out, "partitions", "How much of the gain depends on the partition");
    html_partitions(a, &out, all);
    section(&out, "variance", "How much of the gain depends on split, partition and run");
    html_variance(a, &out, all);
    section(&out, "calibration", calibration_title);
    html_calibration(a, &out, all);
    section(&out, "tables", "Tables");
    for (int i = 0; i < all->n; i++)
        render_html(a, &out, &all->t[i]);
    section(&out, "figures", "Figures");
    html_figures(&out, &f, r->figures);
    section(&out, "environment", "Environment");
    html_machine(a, &out, all, r, &f);
    html_experiments(a, &out, all);
    html_failures(&out, all);
    section(&out, "data", "Data");
    html_data(a, &out, all, r->data);
    section(&out, "commands", "Commands");
    html_commands(&out, all);
    buf_add(&out, "</main>\n<script>\n%s</script>\n</body></html>\n", report_js);
    file_write(path, out.s, out.n);
    return all->sum;
}
