/* table_files: writes every table as Markdown, LaTeX and TSV, and the overview. */
#include "table_files.h"
#include "sections.h"
#include "table_tsv.h"

static void save(const doc *d, const char *out_dir, const char *name, int tex)
{
    buf md = {.a = d->a}, out = {.a = d->a};
    doc_md(&md, d);
    buf_save(&md, out_dir, name, ".md");
    if (tex) {
        doc_tex(&out, d);
        buf_save(&out, out_dir, name, ".tex");
    }
}

static void save_table(arena *a, const table *t, const char *out_dir)
{
    doc d = {.a = a};
    buf cells = {.a = a}, claims = {.a = a};
    section_table(&d, t, 1);
    table_tsv(&cells, t);
    table_claims_tsv(a, &claims, t);
    save(&d, out_dir, t->def->label, 1);
    buf_save(&cells, out_dir, t->def->label, ".tsv");
    buf_save(&claims, out_dir, t->def->label, ".claims.tsv");
}

static void save_gains(arena *a, const gains *g, const char *out_dir)
{
    doc d = {.a = a};
    buf tab = {.a = a};
    section_gains(&d, g, 1, 1);
    gains_tsv(&tab, g);
    save(&d, out_dir, g->def->label, 0);
    buf_save(&tab, out_dir, g->def->label, ".tsv");
}

static void save_metattack(arena *a, const tables *all, const char *curves, const char *out_dir)
{
    doc d = {.a = a};
    buf tab = {.a = a};
    int n;
    const metattack_graph *g = metattack_read(a, &all->runs, curves, &n);
    section_metattack(&d, g, n);
    metattack_tsv(&tab, g, n);
    save(&d, out_dir, "metattack", 0);
    buf_save(&tab, out_dir, "metattack", ".tsv");
}

static void save_statements(arena *a, const tables *all, const char *out_dir)
{
    doc d = {.a = a};
    buf tab = {.a = a};
    doc_heading(&d, 1, NULL, "Statements of the paper's text about its own tables");
    section_statements(&d, all);
    claims_tsv(&tab, all->claim, all->sum.statements);
    save(&d, out_dir, "paper_claims", 0);
    buf_save(&tab, out_dir, "paper_claims", ".tsv");
}

static void save_overview(arena *a, const tables *all, const char *out_dir)
{
    doc d = {.a = a};
    doc_heading(&d, 1, NULL, "The paper's tables");
    section_headline(&d, all);
    section_tables(&d, all, ".md");
    section_overall(&d, all);
    for (int i = 0; i < all->gains_count; i++)
        doc_say(&d, DOC_ITEM, DOC_LINK "%s.md" DOC_LINK_TEXT "%s" DOC_LINK_END " (not in the paper)",
                all->gain[i].def->label, all->gain[i].def->title);
    doc_put(&d, DOC_ITEM,
            DOC_LINK "metattack.md" DOC_LINK_TEXT "Our metattack beside the published graphs" DOC_LINK_END
                     " (not in the paper)");
    doc_say(&d, DOC_ITEM,
            DOC_LINK "paper_claims.md" DOC_LINK_TEXT "The paper's text against its own tables" DOC_LINK_END
                     ": %d of %d statements differ",
            all->sum.statements_differ, all->sum.statements);
    section_differences(&d, all);
    save(&d, out_dir, "README", 0);
}

tables_summary tables_write(arena *a, const char *records_dir, const char *paper_dir, const char *out_dir)
{
    const tables *all = tables_read(a, records_dir, paper_dir);
    for (int i = 0; i < all->n; i++)
        save_table(a, &all->t[i], out_dir);
    for (int i = 0; i < all->gains_count; i++)
        save_gains(a, &all->gain[i], out_dir);
    save_metattack(a, all, arena_printf(a, "%s/../curves", records_dir), out_dir);
    save_statements(a, all, out_dir);
    save_overview(a, all, out_dir);
    return all->sum;
}
