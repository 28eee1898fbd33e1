/* render_tsv: a table for programs: a row a cell, and a row an ordering, with all digits. */
#include "table_parts.h"
#include <math.h>

static void number(buf *out, double x)
{
    if (isnan(x))
        buf_put(out, "\t-");
    else
        buf_add(out, "\t%.10g", x == 0 ? 0 : x);
}

void render_tsv(buf *out, const table *t)
{
    buf_put(out, "table\tdataset\tmodel\tloss\tsetting\tmetric\torigin\tn\tmean\tsd\tpaper\tpaper_sd\tdifference\tci_"
                 "low\tci_high\tverdict\t"
                 "failed\tleft_out\tnote\n");
    for (int i = 0; i < t->paper.n; i++) {
        const cell *c = &t->cell[i];
        const paper_cell *p = c->paper;
        buf_add(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d", t->def->label, p->dataset, p->model, p->loss, p->setting,
                p->metric, c->origin, c->n);
        number(out, c->mean);
        number(out, c->sd);
        buf_add(out, "\t%s\t%s", p->value_text, p->sd_text);
        number(out, c->diff);
        number(out, c->lo);
        number(out, c->hi);
        buf_add(out, "\t%s\t%d\t%d\t%s\n", verdict_word[c->verdict], c->failed, c->left_out, p->note);
    }
}

void render_claims_tsv(arena *a, buf *out, const table *t)
{
    buf_put(out, "table\tdataset\tmodel_a\tloss_a\tsetting_a\tmodel_b\tloss_b\tsetting_"
                 "b\tmetric\tclaim\torigin\tn\tpaper_difference\tdifference\t"
                 "ci_low\tci_high\tboot_low\tboot_high\tt_p\twilcoxon_p\tholm_p\tverdict\n");
    for (int i = 0; i < t->contrasts; i++) {
        const contrast *c = &t->contrast[i];
        const paper_cell *p = c->a->paper, *q = c->b->paper;
        buf_add(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d", t->def->label, p->dataset, p->model, p->loss,
                p->setting, q->model, q->loss, q->setting, p->metric, contrasts_what(a, c), c->origin, c->n);
        const double v[] = {c->paper, c->mean, c->lo, c->hi, c->boot_lo, c->boot_hi, c->p_t, c->p_wilcoxon, c->p_holm};
        for (int j = 0; j < 9; j++)
            number(out, v[j]);
        buf_add(out, "\t%s\n", claim_verdict_word[c->verdict]);
    }
}
