/* html_summary: the results in words and by table, and the statements of the paper's text. */
#include "html.h"
#include <string.h>

static int runs_of(const tables *all, const char *experiment, size_t len)
{
    int n = 0;
    for (int i = 0; i < all->runs.n; i++) {
        const char *e = all->runs.v[i].experiment;
        n += !strncmp(e, experiment, len) && !e[len] && all->runs.v[i].ok;
    }
    return n;
}

/* Fewest and most paired runs of the orderings that were tested on comparable data. */
static void paired_runs(int *least, int *most, const tables *all)
{
    *least = *most = 0;
    for (int i = 0; i < all->n; i++)
        for (int j = 0; j < all->t[i].contrasts && !all->t[i].beyond; j++) {
            const contrast *c = &all->t[i].contrast[j];
            if (!c->n || !origin_comparable(c->origin))
                continue;
            *least = !*least || c->n < *least ? c->n : *least;
            *most = c->n > *most ? c->n : *most;
        }
}

static void words(buf *out, const tables *all)
{
    const tables_summary *s = &all->sum;
    int least, most;
    paired_runs(&least, &most, all);
    if (most == 1)
        buf_put(out, "<p class=\"note\">Every ordering has only one paired run (n = 1), which cannot be tested.</p>\n");
    int tested = s->confirmed + s->contradicted + s->equal + s->open;
    const char *n = render_span(out->a, least, most);
    if (!s->rows)
        buf_put(out, "<p class=\"note\">There are no records yet, so every cell below is a dash. Run the commands at "
                     "the end of this page.</p>\n");
    buf_add(out,
            "<p><b>%d of the %d orderings that the paper's tables state (such as JC above CE) are confirmed</b> on our "
            "runs: the paired t e-process, which is valid under repeated looks, gives the paper's sign with an "
            "e-value of 20 or more after e-Holm over the table. Contradicted: %d, practically equal (the confidence "
            "sequence lies within ±0.5 points): %d, undecided: %d, of %d tested on real or rebuilt data with n = %s "
            "paired runs each; each undecided line estimates how many more runs it needs. %d more could only be tested "
            "on a substitute or a synthetic twin of the data and are counted separately; %d have not been run.</p>\n",
            s->confirmed, s->orderings, s->contradicted, s->equal, s->open, tested, n, s->stand_in, s->not_run);
    buf_add(out,
            "<p>Of %d printed cells in %d tables %d have runs: %d agree with the paper's number, %d are higher, %d are "
            "lower, %d are undecided and %d are not comparable (stand-in data, or seconds and bytes of another "
            "machine). ",
            s->cells, s->tables, s->cells_run, s->agrees, s->higher, s->lower, s->undecided, s->not_comparable);
    buf_add(out,
            "Of the %d <a href=\"#statements\">statements in the paper's text</a> %d differ from the paper's own "
            "tables. The records hold %d runs, %d of them failed.</p>\n",
            s->statements, s->statements_differ, s->rows, s->failed);
}

static void tiles(buf *out, const int *count)
{
    buf_put(out, "<div class=\"tiles\">");
    for (int i = 0; i <= CLAIM_VERDICTS; i++)
        buf_add(out, "<div class=\"%s\"><b><i>%s</i> %d</b>%s</div>", html_claim_class[i], html_claim_symbol[i],
                count[i], html_claim_word(i));
    buf_put(out, "</div>\n");
}

static void contradicted(arena *a, buf *out, const tables *all)
{
    if (!all->sum.contradicted)
        return;
    buf_put(out, "<p>Contradicted:</p><ul>");
    for (int i = 0; i < all->n; i++)
        for (int j = 0; j < all->t[i].contrasts; j++) {
            const contrast *c = &all->t[i].contrast[j];
            const char *v[RENDER_COLUMNS];
            if (c->verdict != CONTRADICTED || !origin_comparable(c->origin))
                continue;
            render_contrast(a, v, c);
            buf_put(out, "<li>");
            html_table_link(out, all->t[i].def);
            html_number(out, arena_printf(a, ", %s: the statement is %s (printed: %s), ours is %s, %s", v[0], v[1],
                                          v[RENDER_OURS - 1], v[RENDER_OURS], c->a->metric->title));
            buf_put(out, "</li>");
        }
    buf_put(out, "</ul>\n");
}

/* Lists the substitutes and twins on which cells of the table ran. */
static void stand_ins(buf *out, const table *t)
{
    for (int i = 0; i < t->paper.n; i++) {
        const cell *c = &t->cell[i];
        int seen = !c->n || origin_comparable(c->origin);
        for (int j = 0; j < i && !seen; j++)
            seen =
                t->cell[j].n && !strcmp(t->cell[j].paper->dataset, c->paper->dataset) && t->cell[j].origin == c->origin;
        if (seen)
            continue;
        char title[64];
        const char *d = c->paper->dataset;
        buf_html(out, table_title("dataset", d, (int)strlen(d), title));
        buf_put(out, " is a ");
        buf_html(out, origin_word(c->origin));
        buf_put(out, ". ");
    }
}

static void reasons(buf *out, const tables *all, const table *t, const tally *k)
{
    int failed = 0, machine = 0;
    for (const char *e = t->def->experiment; *e; e += *e == ',') {
        size_t len = strcspn(e, ",");
        if (!runs_of(all, e, len))
            buf_add(out, "<code>bench_%.*s</code>: no runs. ", (int)len, e);
        e += len;
    }
    for (int i = 0; i < t->paper.n; i++) {
        failed |= t->cell[i].failed;
        machine |= t->cell[i].n && t->cell[i].metric->kind == MACHINE;
    }
    if (k->run && k->run < t->printed)
        buf_add(out, "%d cells without runs. ", t->printed - k->run);
    if (failed)
        buf_put(out, "Some <a href=\"#failures\">runs failed</a>. ");
    if (machine)
        buf_put(out, "Seconds and bytes depend on the machine. ");
    stand_ins(out, t);
}

static void number(buf *out, int n, const char *class)
{
    buf_add(out, n ? "<td class=\"num %s\">%d</td>" : "<td class=\"num\">·</td>", class, n);
}

static void summary_row(buf *out, const tables *all, const table *t)
{
    tally k = table_tally(t);
    buf_put(out, "<tr><td>");
    html_table_link(out, t->def);
    buf_put(out, t->beyond ? " (beyond the paper)</td><td>" : "</td><td>");
    html_bar(out, &k);
    buf_put(out, "</td>");
    for (int i = 0; i <= CLAIM_VERDICTS; i++)
        number(out, i < CLAIM_VERDICTS ? k.claim[i] : k.stand_in, html_claim_class[i]);
    buf_add(out, "<td class=\"word\">%d of %d%s", k.run, t->printed, k.run ? "<br/>" : "");
    for (int i = AGREES; i <= NOT_COMPARABLE; i++)
        if (k.cell[i])
            html_tag(out, html_class[i], html_symbol[i], k.cell[i], "");
    buf_put(out, "</td><td class=\"small\">");
    reasons(out, all, t, &k);
    buf_put(out, "</td></tr>\n");
}

void html_summary(arena *a, buf *out, const tables *all)
{
    const tables_summary *s = &all->sum;
    const int sum[] = {s->confirmed, s->contradicted, s->equal, s->open, s->not_run, s->stand_in};
    words(out, all);
    tiles(out, sum);
    buf_put(out, "<p>");
    html_number(out, table_overall_text(a, &all->overall));
    buf_put(out, "</p>\n");
    contradicted(a, out, all);
    buf_put(out, "<div class=\"box\"><table class=\"wide\"><thead><tr><th>Table</th><th>Orderings</th>");
    for (int i = 0; i <= CLAIM_VERDICTS; i++)
        buf_add(out, "<th class=\"num\"><abbr title=\"%s\">%s</abbr></th>", html_claim_word(i),
                html_claim_symbol[i]); /* the tiles have the words */
    buf_put(out, "<th>Cells run, by verdict</th><th>Why not all</th></tr></thead>\n<tbody>");
    for (int beyond = 0; beyond < 2; beyond++) /* tables beyond the paper are last and not in the sums */
        for (int i = 0; i < all->n; i++)
            if (all->t[i].beyond == beyond)
                summary_row(out, all, &all->t[i]);
    buf_put(out, "</tbody><tfoot><tr><td>all of the paper</td><td></td>");
    for (int i = 0; i <= CLAIM_VERDICTS; i++)
        number(out, sum[i], "");
    buf_add(out, "<td>%d of %d</td><td></td></tr></tfoot></table></div>\n", s->cells_run, s->cells);
    buf_put(out, "<p class=\"small\">Cells: ");
    for (int i = 0; i < VERDICTS; i++)
        buf_add(out, "%s%s %s", i ? ", " : "", html_symbol[i], verdict_word[i]);
    buf_put(out, "; the legend of each table defines them. A cell that several tables print counts in each. Real "
                 "data: the published files. Rebuilt: ");
    buf_html(out, origin_rebuilt_text);
    buf_put(out, " Substitute: a part, such as the features, is not the published one. Twin: a synthetic graph of the "
                 "same size.</p>\n");
}

void html_statements(buf *out, const tables *all)
{
    static const char *const head[] = {"Statement", "Table", "Text says", "Printed cells give", "", "Our means give"};
    static const char *const class[] = {"yes", "no", "open", "none"}, *const symbol[] = {"✓", "✗", "·", "–"};
    int count[4] = {0}, n = all->sum.statements;
    for (int i = 0; i < n; i++)
        count[all->claim[i].result]++;
    buf_add(
        out,
        "<p>Recomputed from the paper's printed cells: of %d statements %d match to the digits given, %d differ, %d "
        "give no number and %d are not about a table. The last column is the same computation on our means of real "
        "or rebuilt data, without a verdict: the orderings are tested table by table.</p>\n<div class=\"box\"><table "
        "class=\"sort\">",
        n, count[CLAIM_MATCHES], count[CLAIM_DIFFERS], count[CLAIM_REPORTED], count[CLAIM_EXTERNAL]);
    html_head(out, head, 6);
    buf_put(out, "<tbody>");
    for (int i = 0; i < n; i++) {
        const claim *c = &all->claim[i];
        const char *cells[] = {c->claimed, c->computed_text, c->ours_text};
        for (int j = 0; j < 3; j++)
            cells[j] = strcmp(cells[j], "-") ? cells[j] : "–";
        buf_put(out, "<tr>");
        html_el(out, "td class=\"say\"", c->text);
        buf_put(out, "<td>");
        for (int k = 0; k < all->n; k++)
            if (!strcmp(all->t[k].def->label, c->table))
                html_table_link(out, all->t[k].def);
        buf_put(out, "</td><td>");
        html_number(out, cells[0]);
        buf_put(out, "</td><td>");
        html_number(out, cells[1]);
        buf_put(out, "</td>");
        html_verdict(out, class[c->result], symbol[c->result], claims_word(c->result));
        buf_put(out, "<td class=\"word\">");
        html_number(out, cells[2]);
        buf_put(out, "</td></tr>\n");
    }
    buf_put(out, "</tbody></table></div>\n");
}
