/* render_html: a table as a section of the report. A cell has three lines: ours, the paper's, the difference; only the
 * first in a table beyond the paper. */
#include "html.h"
#include <math.h>
#include <string.h>

static int same_column(const table_grid *g, int i, int j, int keys) /* whether the columns share their first keys */
{
    for (int k = 0; k < keys; k++)
        if (strcmp(g->col_title[i * g->col_keys + k], g->col_title[j * g->col_keys + k]))
            return 0;
    return 1;
}

static void grid_head(buf *out, const table_grid *g)
{
    buf_put(out, "<thead>");
    for (int k = 0; k < g->col_keys; k++) {
        buf_put(out, "<tr>");
        if (!k) {
            buf_add(out, "<th class=\"key\" rowspan=\"%d\">", g->col_keys);
            for (int j = 0; j < g->row_keys; j++) {
                buf_put(out, j ? ", " : "");
                buf_html(out, g->row_head[j]);
            }
            buf_add(out, "</th><td class=\"lines\" rowspan=\"%d\"></td>", g->col_keys);
        }
        for (int j = 0, next; j < g->cols; j = next) {
            for (next = j + 1; next < g->cols && same_column(g, j, next, k + 1);)
                next++;
            buf_add(out, "<th colspan=\"%d\" scope=\"col\">", next - j);
            buf_html(out, g->col_title[j * g->col_keys + k]);
            buf_put(out, "</th>");
        }
        buf_put(out, "</tr>");
    }
    buf_put(out, "</thead>\n");
}

static void put_cell(arena *a, buf *out, const cell *c, int beyond)
{
    if (!c) {
        buf_put(out, "<td></td>");
        return;
    }
    int noted = strcmp(c->paper->note, "-");
    buf_add(out, "<td class=\"%s\"><b>", html_class[c->verdict]);
    html_number(out, render_ours(a, c));
    if (beyond) {
        buf_put(out, "</b></td>");
        return;
    }
    buf_add(out, "</b><span class=\"paper%s\">", c->paper->bold ? " best" : "");
    html_number(out, render_paper(a, c));
    if (noted) {
        buf_put(out, "<abbr title=\"");
        buf_html(out, c->paper->note);
        buf_put(out, "\">*</abbr>");
    }
    const char *word = verdict_word[c->verdict], *diff = render_interval(a, c);
    buf_add(out, "</span><span><i role=\"img\" title=\"%s\" aria-label=\"%s\">%s</i> ", word, word,
            html_symbol[c->verdict]);
    html_number(out, *diff ? diff : word);
    buf_put(out, "</span></td>");
}

enum { MANY_COLUMNS = 6 }; /* from here on, lines of a cell may wrap and rows do not name them */

static void put_grid(arena *a, buf *out, const table *t)
{
    table_grid g = render_grid(a, t);
    buf_add(out, "<div class=\"box\"><table class=\"grid%s\">", g.cols >= MANY_COLUMNS ? " many" : "");
    grid_head(out, &g);
    buf_put(out, "<tbody>");
    for (int i = 0; i < g.rows; i++) {
        const char **title = &g.row_title[i * g.row_keys];
        int group = i && g.row_keys > 1 && strcmp(title[0], title[-g.row_keys]);
        buf_add(out, "<tr%s><th class=\"key\" scope=\"row\">", group ? " class=\"group\"" : "");
        for (int j = 0; j < g.row_keys; j++)
            html_el(out, "span", title[j]);
        buf_add(out, "</th><td class=\"lines\"><span>ours</span>%s</td>",
                t->beyond ? "" : "<span>paper</span><span>diff.</span>");
        for (int j = 0; j < g.cols; j++)
            put_cell(a, out, g.at[i * g.cols + j], t->beyond);
        buf_put(out, "</tr>\n");
    }
    buf_put(out, "</tbody></table></div>\n");
}

static void contrast_row(arena *a, buf *out, const contrast *c)
{
    const char *v[RENDER_COLUMNS];
    int stand_in = c->n && !origin_comparable(c->origin), kind = stand_in ? CLAIM_VERDICTS : (int)c->verdict;
    render_contrast(a, v, c);
    buf_put(out, "<tr>");
    for (int j = 0; j < RENDER_ONE_LOOK; j++) {
        if (j == RENDER_VERDICT) {
            html_verdict(out, html_claim_class[kind], html_claim_symbol[kind], v[j]);
            continue;
        }
        buf_put(out, j < RENDER_VERDICT ? "<td>" : j == RENDER_OURS ? "<td class=\"ours\">" : "<td class=\"num\">");
        html_number(out, v[j]);
        buf_put(out, "</td>");
    }
    buf_put(out, "</tr>\n");
}

/* The tests for one look: a folded table of their own, so that the main one fits the page. */
static void one_look_table(arena *a, buf *out, const table *t)
{
    const char *head[RENDER_LOOK_COLUMNS];
    for (int j = 0; j < RENDER_LOOK_COLUMNS; j++)
        head[j] = render_look_head(j);
    buf_put(out, "<details><summary>The same for one look at a number of runs fixed in advance</summary>\n<div "
                 "class=\"box\"><table class=\"sort\">");
    html_head(out, head, RENDER_LOOK_COLUMNS);
    buf_put(out, "<tbody>");
    for (int i = 0; i < t->contrasts; i++) {
        const char *v[RENDER_COLUMNS];
        render_contrast(a, v, &t->contrast[i]);
        buf_put(out, "<tr>");
        for (int j = 0; j < RENDER_LOOK_COLUMNS; j++) {
            buf_put(out, j < 2 ? "<td>" : "<td class=\"num\">");
            html_number(out, v[render_look[j]]);
            buf_put(out, "</td>");
        }
        buf_put(out, "</tr>\n");
    }
    buf_put(out, "</tbody></table></div></details>\n");
}

static void contrasts(arena *a, buf *out, const table *t, const tally *k)
{
    int run = t->contrasts - k->claim[CLAIM_NOT_RUN];
    buf_add(out, "<details%s><summary>%d orderings:", run ? " open=\"open\"" : "", t->contrasts);
    for (int i = 0; i <= CLAIM_VERDICTS; i++) {
        int n = i < CLAIM_VERDICTS ? k->claim[i] : k->stand_in;
        if (n)
            html_tag(out, html_claim_class[i], html_claim_symbol[i], n, html_claim_word(i));
    }
    buf_put(out, "</summary>\n<div class=\"box\"><table class=\"sort orderings\">");
    html_head(out, render_head, RENDER_ONE_LOOK);
    buf_put(out, "<tbody>");
    for (int i = 0; i < t->contrasts; i++)
        contrast_row(a, out, &t->contrast[i]);
    buf_put(out, "</tbody></table></div></details>\n");
    if (run)
        one_look_table(a, out, t);
}

static void trends(arena *a, buf *out, const table *t)
{
    static const char *const head[] = {"Gain against the rate",    "verdict", "paper's slope", "ours",
                                       "95 % confidence sequence", "runs",    "e-value"};
    if (!t->trends)
        return;
    buf_add(
        out,
        "<details%s><summary>Does the gain grow with the rate? Slope of the gain, percentage points per ten</summary>\n"
        "<div class=\"box\"><table class=\"sort\">",
        t->trend[0].n ? " open=\"open\"" : "");
    html_head(out, head, sizeof head / sizeof *head);
    buf_put(out, "<tbody>");
    for (int i = 0; i < t->trends; i++) {
        const trend *q = &t->trend[i];
        buf_put(out, "<tr>");
        html_el(out, "td", q->where);
        html_el(out, "td", claim_verdict_word[q->verdict]);
        html_el(out, "td", render_signed(a, q->paper, 2));
        html_el(out, "td", q->n ? render_signed(a, q->mean, 2) : "–");
        html_el(out, "td",
                q->n && isfinite(q->lo)
                    ? arena_printf(a, "%s to %s", render_signed(a, q->lo, 2), render_signed(a, q->hi, 2))
                    : "–");
        html_el(out, "td", arena_printf(a, "%d", q->n));
        html_el(out, "td", q->n ? arena_printf(a, "%.3g", q->e) : "–");
        buf_put(out, "</tr>\n");
    }
    buf_put(out, "</tbody></table></div></details>\n");
}

static void notes(arena *a, buf *out, const table *t)
{
    int n = 0;
    for (int i = 0; i < t->paper.n; i++) {
        const cell *c = &t->cell[i];
        if (!strcmp(c->paper->note, "-"))
            continue;
        buf_put(out, n++ ? "" : "<details><summary>* Notes on the printed cells</summary><ul>");
        buf_put(out, "<li>");
        buf_html(out, render_cell_name(a, c));
        buf_put(out, ", ");
        buf_html(out, c->metric->title);
        buf_put(out, ": ");
        buf_html(out, c->paper->note);
        buf_put(out, "</li>");
    }
    buf_put(out, n ? "</ul></details>\n" : "");
}

void render_html(arena *a, buf *out, const table *t)
{
    tally k = table_tally(t);
    int lines, most = 0;
    const char **line = render_legend(a, t, &lines);
    for (int i = 0; i < t->paper.n; i++)
        most = t->cell[i].n > most ? t->cell[i].n : most;
    buf_add(out, "<section id=\"t-%s\"><h3>Table %d <span class=\"label\">%s</span></h3>\n", t->def->label,
            t->def->number, t->def->label);
    html_el(out, "p", t->paper.caption);
    buf_put(out, "<p class=\"small\">");
    html_programs(out, t->def->experiment, most ? most : 10);
    buf_add(out, ". %d cells:", t->paper.n);
    for (int i = 0; i < VERDICTS; i++)
        if (k.cell[i])
            html_tag(out, html_class[i], html_symbol[i], k.cell[i], verdict_word[i]);
    buf_put(out, "</p>\n");
    put_grid(a, out, t);
    if (t->contrasts)
        contrasts(a, out, t, &k);
    trends(a, out, t);
    notes(a, out, t);
    buf_put(out, "<details><summary>Legend</summary><ul>");
    for (int i = 0; i < lines; i++)
        html_el(out, "li", line[i]);
    buf_put(out, "</ul></details></section>\n");
}
