/* html_partitions: the sections on partitions, and on splits, partitions and runs. */
#include "html.h"
#include "../paper/partitions.h"
#include "../paper/variance.h"

static void box_open(buf *out, const char *const *head, int columns)
{
    buf_put(out, "\n<div class=\"box\"><table class=\"sort\">");
    html_head(out, head, columns);
    buf_put(out, "<tbody>");
}

static void box_close(buf *out, const char *legend)
{
    buf_put(out, "</tbody></table></div>\n");
    html_el(out, "p class=\"small\"", legend);
    buf_put(out, "\n");
}

void html_partitions(arena *a, buf *out, const tables *all)
{
    int n;
    const partition_group *g = partitions_read(a, &all->runs, &n);
    const char *text = partitions_text(a, g, n), *v[PARTITION_COLUMNS];
    html_el(out, "p", text ? text : "No runs of bench_partitions yet.");
    if (!n)
        return;
    box_open(out, partitions_head, PARTITION_COLUMNS);
    for (int i = 0; i < n; i++) {
        partitions_line(v, a, &g[i]);
        html_line(out, v, PARTITION_COLUMNS);
    }
    box_close(out, partitions_legend);
}

void html_variance(arena *a, buf *out, const tables *all)
{
    int n;
    const variance_row *r = variance_read(a, &all->runs, &n);
    const char *text = variance_text(a, r, n), *v[VARIANCE_COLUMNS];
    html_el(out, "p", text ? text : "No runs of bench_variance on comparable data yet.");
    if (!n)
        return;
    box_open(out, variance_head, VARIANCE_COLUMNS);
    for (int i = 0; i < n; i++) {
        variance_line(v, a, &r[i]);
        html_line(out, v, VARIANCE_COLUMNS);
    }
    box_close(out, variance_legend);
}
