/* html_data: the data sets of the records with their files, and the commands that reproduce everything. */
#include "../base/file.h"
#include "../base/tsv.h"
#include "html.h"
#include <inttypes.h>
#include <string.h>

static void file_row(buf *out, const tsv *f, int i)
{
    const char *url = tsv_get(f, i, "url");
    int web = !strncmp(url, "https://", 8) || !strncmp(url, "http://", 7);
    buf_put(out, "<tr><td class=\"long\">");
    if (web) {
        buf_put(out, "<a href=\"");
        buf_html(out, url);
        buf_put(out, "\">");
    }
    buf_html(out, tsv_get(f, i, "path"));
    buf_put(out, web ? "</a></td>" : "</td>");
    html_el(out, "td class=\"num\"", tsv_get(f, i, "bytes"));
    html_el(out, "td class=\"long\"", tsv_get(f, i, "sha256"));
    buf_put(out, "</tr>\n");
}

static void files_of(buf *out, const tsv *f, const char *dataset)
{
    static const char *const head[] = {"File", "Bytes", "SHA-256"};
    int n = 0;
    for (int i = 0; i < f->rows; i++) {
        if (!tsv_lists(tsv_get(f, i, "datasets"), dataset))
            continue;
        if (!n++) {
            buf_put(out, "<details><summary>");
            buf_html(out, dataset);
            buf_put(out, "</summary><div class=\"box\"><table>");
            html_head(out, head, 3);
            buf_put(out, "<tbody>");
        }
        file_row(out, f, i);
    }
    buf_put(out, n ? "</tbody></table></div></details>\n" : "");
}

typedef struct used {
    const char *dataset;
    enum origin origin;
    uint64_t hash;
    int runs;
} used;

static int list_used(used *u, const tables *all)
{
    int n = 0;
    for (int i = 0; i < all->runs.n; i++) {
        const record *v = &all->runs.v[i];
        used x = {v->dataset, v->origin, v->data_hash, 0};
        int k = 0;
        while (k < n && (strcmp(u[k].dataset, x.dataset) || u[k].origin != x.origin || u[k].hash != x.hash))
            k++;
        if (k == n)
            u[n++] = x;
        u[k].runs++;
    }
    return n;
}

void html_data(arena *a, buf *out, const tables *all, const char *data_dir)
{
    static const char *const head[] = {"Data set", "Origin", "Runs", "Hash of the loaded data"};
    const char *path = arena_printf(a, "%s/files.tsv", data_dir);
    used *u = NEW(a, used, (size_t)all->runs.n + 1);
    int n = list_used(u, all);
    if (!n) {
        buf_put(out, "<p>No data set has been used yet.</p>\n");
        return;
    }
    buf_put(out, "<div class=\"box\"><table class=\"sort\">");
    html_head(out, head, 4);
    buf_put(out, "<tbody>");
    for (int i = 0; i < n; i++) {
        int apart = !origin_comparable(u[i].origin);
        buf_put(out, "<tr>");
        html_el(out, "td class=\"long\"", u[i].dataset);
        html_el(out, apart ? "td class=\"apart\"" : "td", origin_word(u[i].origin));
        buf_add(out, "<td class=\"num\">%d</td>", u[i].runs);
        html_el(out, "td class=\"long\"", arena_printf(a, "%016" PRIx64, u[i].hash));
        buf_put(out, "</tr>\n");
    }
    buf_put(out, "</tbody></table></div>\n");
    if (!file_exists(path))
        return;
    tsv f = tsv_read(a, path);
    buf_put(out, "<p>The published files, which <code>data/fetch.sh</code> downloads and verifies:</p>\n");
    for (int i = 0; i < n; i++) {
        int seen = 0;
        for (int j = 0; j < i; j++)
            seen |= !strcmp(u[i].dataset, u[j].dataset);
        if (!seen)
            files_of(out, &f, u[i].dataset);
    }
}

void html_commands(buf *out, const tables *all)
{
    buf_put(out, "<pre><code>./setup.sh                       # packages, configure\n"
                 "make reproduce TIME=10m      # build, data, every experiment within ten minutes, tables, figures, "
                 "report\n"
                 "make reproduce TIME=24h      # continues\n"
                 "make tables figures report   # from the records, at any time</code></pre>\n"
                 "<p>One table: its programs, then <code>make tables figures report</code>.</p>\n"
                 "<div class=\"box\"><table><thead><tr><th>Table</th><th>Programs</th></tr></thead><tbody>");
    for (int i = 0; i < all->n; i++) {
        buf_put(out, "<tr><td>");
        html_table_link(out, all->t[i].def);
        buf_put(out, "</td><td>");
        html_programs(out, all->t[i].def->experiment, 10);
        buf_put(out, "</td></tr>\n");
    }
    buf_put(out, "</tbody></table></div>\n");
}
