/* table_files: writes every table as Markdown, LaTeX and TSV, and the overview. */
#include "table_files.h"
#include "../paper/explain.h"
#include "../paper/metattack.h"
#include "../paper/partitions.h"
#include "../paper/variance.h"
#include "calibration_render.h"
#include "render_parts.h"

static void overview_head(buf *out)
{
    buf_put(
        out,
        "# The paper's tables\n\n"
        "Cells: ours against the printed number. Orderings: what the printed numbers state (such as JC above CE), "
        "tested on our paired runs of real or rebuilt data; those on a substitute or a twin are counted separately. "
        "A cell that several tables print counts in each. Each table explains its terms.\n\n"
        "| table | experiment | cells run | agrees | higher | lower | undecided | not comparable | orderings "
        "confirmed | contradicted | equal | undecided | not run | on stand-ins |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

static void overview_rows(buf *out, const tables *all, int beyond)
{
    for (const table *t = all->t; t < all->t + all->n; t++) {
        tally k = table_tally(t);
        if (t->beyond != beyond)
            continue;
        buf_add(out, "| [%s](%s.md)%s | %s | %d of %d ", t->def->label, t->def->label,
                beyond ? " (beyond the paper)" : "", t->def->experiment, k.run, t->printed);
        for (int i = AGREES; i <= NOT_COMPARABLE; i++)
            buf_add(out, "| %d ", k.cell[i]);
        for (int i = 0; i < CLAIM_VERDICTS; i++)
            buf_add(out, "| %d ", k.claim[i]);
        buf_add(out, "| %d |\n", k.stand_in);
    }
}

static void overview_sum(buf *out, const tables_summary *s)
{
    buf_add(out, "| all | | %d of %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", s->cells_run,
            s->cells, s->agrees, s->higher, s->lower, s->undecided, s->not_comparable, s->confirmed, s->contradicted,
            s->equal, s->open, s->not_run, s->stand_in);
}

static void overview_end(buf *out, const tables_summary *s, const records *r, const char *overall)
{
    buf_add(out, "\n%s\n", overall);
    buf_add(out,
            "\n[What explains the gain](explain.md): not in the paper.\n"
            "\n[How much of the gain depends on the partition](partitions.md): not in the paper.\n"
            "\n[How much of the gain depends on split, partition and run](variance.md): not in the paper.\n"
            "\n[Our metattack beside the published graphs](metattack.md): not in the paper.\n"
            "\n[Calibration before and after temperature scaling](calibration.md): not in the paper.\n"
            "\n[The paper's text against its own tables](paper_claims.md): %d of %d statements differ from the "
            "printed cells.\n\n",
            s->statements_differ, s->statements);
    buf_add(out,
            "Records: %d rows from %d files, %d of them failed runs; %d rows replaced by later ones, %d of trial runs "
            "(--short) and %d malformed lines left out.\n",
            s->rows, r->files, s->failed, r->superseded, r->trials, r->malformed);
}

static void overview_warnings(buf *out, const tables *all)
{
    int n = 0;
    for (int i = 0; i < all->n; i++)
        for (int k = 0; k < all->t[i].warnings; k++) {
            buf_add(out, "%s- %s: ", n++ ? "" : "\nWarnings:\n\n", all->t[i].def->label);
            buf_md(out, all->t[i].warning[k]);
            buf_put(out, "\n");
        }
}

static void save(arena *a, const table *t, const char *out_dir)
{
    buf md = {.a = a}, tex = {.a = a}, tab = {.a = a}, tab_claims = {.a = a};
    render_md(a, &md, t);
    render_tex(a, &tex, t);
    render_tsv(&tab, t);
    render_claims_tsv(a, &tab_claims, t);
    buf_save(&md, out_dir, t->def->label, ".md");
    buf_save(&tex, out_dir, t->def->label, ".tex");
    buf_save(&tab, out_dir, t->def->label, ".tsv");
    buf_save(&tab_claims, out_dir, t->def->label, ".claims.tsv");
}

static void save_partitions(arena *a, const tables *all, const char *out_dir)
{
    buf md = {.a = a}, tab = {.a = a};
    int n;
    const partition_group *g = partitions_read(a, &all->runs, &n);
    partitions_md(&md, a, g, n);
    partitions_tsv(&tab, g, n);
    buf_save(&md, out_dir, "partitions", ".md");
    buf_save(&tab, out_dir, "partitions", ".tsv");
}

static void save_variance(arena *a, const tables *all, const char *out_dir)
{
    buf md = {.a = a}, tab = {.a = a};
    int n;
    const variance_row *v = variance_read(a, &all->runs, &n);
    variance_md(&md, a, v, n);
    variance_tsv(&tab, v, n);
    buf_save(&md, out_dir, "variance", ".md");
    buf_save(&tab, out_dir, "variance", ".tsv");
}

static void save_explain(arena *a, const tables *all, const char *out_dir)
{
    buf md = {.a = a}, tab = {.a = a};
    explain e = explain_read(a, &all->runs);
    explain_md(&md, a, &e);
    explain_tsv(&tab, a, &e);
    buf_save(&md, out_dir, "explain", ".md");
    buf_save(&tab, out_dir, "explain", ".tsv");
}

static void save_metattack(arena *a, const tables *all, const char *records_dir, const char *out_dir)
{
    buf md = {.a = a}, tab = {.a = a};
    int n;
    const metattack_graph *g = metattack_read(a, &all->runs, arena_printf(a, "%s/../curves", records_dir), &n);
    metattack_md(&md, g, n);
    metattack_tsv(&tab, g, n);
    buf_save(&md, out_dir, "metattack", ".md");
    buf_save(&tab, out_dir, "metattack", ".tsv");
}

static void save_calibration(arena *a, const tables *all, const char *out_dir)
{
    buf md = {.a = a}, tex = {.a = a}, tab = {.a = a}, claims = {.a = a};
    calibration_table t = calibration_table_read(a, &all->runs);
    calibration_md(a, &md, &t);
    calibration_tex(a, &tex, &t);
    calibration_tsv(a, &tab, &t);
    calibration_claims_tsv(&claims, &t);
    buf_save(&md, out_dir, "calibration", ".md");
    buf_save(&tex, out_dir, "calibration", ".tex");
    buf_save(&tab, out_dir, "calibration", ".tsv");
    buf_save(&claims, out_dir, "calibration", ".claims.tsv");
}

tables_summary tables_write(arena *a, const char *records_dir, const char *paper_dir, const char *out_dir)
{
    const tables *all = tables_read(a, records_dir, paper_dir);
    buf readme = {.a = a};
    overview_head(&readme);
    for (int i = 0; i < all->n; i++)
        save(a, &all->t[i], out_dir);
    overview_rows(&readme, all, 0);
    overview_sum(&readme, &all->sum);
    overview_rows(&readme, all, 1);
    save_partitions(a, all, out_dir);
    save_variance(a, all, out_dir);
    save_explain(a, all, out_dir);
    save_calibration(a, all, out_dir);
    save_metattack(a, all, records_dir, out_dir);
    claims_write(a, out_dir, all->claim, all->sum.statements);
    overview_end(&readme, &all->sum, &all->runs, table_overall_text(a, &all->overall));
    overview_warnings(&readme, all);
    buf_save(&readme, out_dir, "README", ".md");
    return all->sum;
}
