/* table_files: writes every table as Markdown, LaTeX and TSV, and the overview. */
#include "table_files.h"
#include "anytime.h"
#include "sections.h"
#include <math.h>

/* ---- for programs, with all digits ---- */

/* One row for each cell. */
static void cells_tsv(buf *out, const table *t)
{
    buf_put(out, "table\tdataset\tmodel\tloss\tsetting\tmetric\torigin\tn\tmean\tsd\tpaper\tpaper_sd\tdifference\tci_"
                 "low\tci_high\tverdict\tfailed\tleft_out\tnote\n");
    for (int i = 0; i < t->paper.n; i++) {
        const table_cell *c = &t->cell[i];
        const paper_cell *p = c->paper;
        buf_add(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d", t->def->label, p->dataset, p->model, p->loss, p->setting,
                p->metric, origin_word(c->origin), c->n);
        buf_number(out, c->mean);
        buf_number(out, c->sd);
        buf_add(out, "\t%s\t%s", p->value_text, p->sd_text);
        buf_number(out, c->diff);
        buf_number(out, c->lo);
        buf_number(out, c->hi);
        buf_add(out, "\t%s\t%d\t%d\t%s\n", verdict_word[c->verdict], c->failed, c->left_out, p->note);
    }
}

/* One row for each ordering. */
static void orderings_tsv(arena *a, buf *out, const table *t)
{
    buf_put(
        out,
        "table\tdataset\tmodel_a\tloss_a\tsetting_a\tmodel_b\tloss_b\tsetting_b\tmetric\tclaim\torigin\tn\tleft_out\t"
        "paper_difference\tdifference\tsd\tskewness\tcs_low\tcs_high\te_value\tanytime_p\te_holm\tsymmetry_e_"
        "value\tsymmetry_p\t"
        "more_runs\tsplits_se\tt_low\tt_high\tt_p\twilcoxon_p\tholm_p\tboot_low\tboot_high\twithin_margin\tdecided_"
        "at\tverdict\n");
    for (int i = 0; i < t->contrasts; i++) {
        const contrast *c = &t->contrast[i];
        const paper_cell *p = c->a->paper, *q = c->b->paper;
        const one_look *o = &c->once;
        int n = c->n;
        buf_add(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d", t->def->label, p->dataset, p->model, p->loss,
                p->setting, q->model, q->loss, q->setting, p->metric, contrasts_what(a, c), origin_word(c->origin), n,
                c->left_out);
        const double v[] = {c->paper,
                            c->mean,
                            c->sd,
                            c->skew,
                            c->lo,
                            c->hi,
                            n ? exp(c->log_e[n - 1]) : NAN,
                            n ? anytime_p(c->log_e, n) : NAN,
                            n ? c->e_holm : NAN,
                            n ? exp(c->log_symmetry[n - 1]) : NAN,
                            n ? anytime_p(c->log_symmetry, n) : NAN,
                            c->more,
                            c->se_splits,
                            o->t_lo,
                            o->t_hi,
                            o->p_t,
                            o->p_wilcoxon,
                            o->p_holm,
                            o->boot_lo,
                            o->boot_hi};
        for (size_t j = 0; j < sizeof v / sizeof *v; j++)
            buf_number(out, v[j]);
        buf_add(out, "\t%s", !n ? "-" : contrasts_equal(c) ? "yes" : "no");
        buf_number(out, c->decided ? c->decided : NAN);
        buf_add(out, "\t%s\n", claim_verdict_word[c->verdict]);
    }
}

/* ---- files ---- */

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
    cells_tsv(&cells, t);
    orderings_tsv(a, &claims, t);
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
