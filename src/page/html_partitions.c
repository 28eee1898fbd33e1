/* html_partitions: the section on partitions. */
#include "html.h"
#include "../paper/partitions.h"

void html_partitions(arena *a, buf *out, const tables *all)
{
    int n;
    const partition_group *g = partitions_read(a, &all->runs, &n);
    const char *text = partitions_text(a, g, n);
    html_el(out, "p", text ? text : "No runs of bench_partitions yet.");
    if (!n)
        return;
    buf_put(out, "\n<div class=\"box\"><table class=\"sort\">");
    html_head(out, partitions_head, PARTITION_COLUMNS);
    buf_put(out, "<tbody>");
    for (int i = 0; i < n; i++) {
        const char *v[PARTITION_COLUMNS];
        partitions_line(v, a, &g[i]);
        buf_put(out, "<tr>");
        for (int j = 0; j < PARTITION_COLUMNS; j++) {
            buf_put(out, "<td>");
            html_number(out, v[j]);
            buf_put(out, "</td>");
        }
        buf_put(out, "</tr>\n");
    }
    buf_put(out, "</tbody></table></div>\n");
    html_el(out, "p class=\"small\"", partitions_legend);
    buf_put(out, "\n");
}
