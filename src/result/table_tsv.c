/* table_tsv: a table for programs: one row for each cell, one for each ordering, with all digits. */
#include "anytime.h"
#include "table_tsv.h"
#include <math.h>

void table_tsv(buf *out, const table *t)
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

void table_claims_tsv(arena *a, buf *out, const table *t)
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
