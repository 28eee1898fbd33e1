/* render: the parts that all formats share: the grid and the text of cells and orderings. */
#include "../base/err.h"
#include "../base/list.h"
#include "anytime.h"
#include "table_parts.h"
#include <math.h>
#include <string.h>

enum { MORE_MAX = 1000 }; /* larger estimates of runs are too uncertain to be printed */

key_list render_keys(arena *a, const char *list)
{
    key_list k = {0};
    for (list_item i = list_first(list); i.s; i = list_next(i)) {
        if (k.n == KEYS)
            die("layout '%s' has more than %d keys", list, KEYS);
        k.name[k.n++] = arena_printf(a, "%.*s", (int)i.n, i.s);
    }
    return k;
}

/* The keys of the layout that some cell has: a layout may name keys of cells beyond the paper. */
static key_list keys_there(arena *a, const char *list, const table *t)
{
    key_list all = render_keys(a, list), out = {0};
    for (int j = 0; j < all.n; j++)
        for (int i = 0, n; i < t->paper.n; i++)
            if (paper_value(&t->paper.cell[i], all.name[j], &n)) {
                out.name[out.n++] = all.name[j];
                break;
            }
    return out;
}

/* The display name of the cell's value under a key of the layout. */
static const char *title_of(const paper_cell *c, const char *key, char out[64])
{
    int len = 0;
    const char *v = paper_value(c, key, &len);
    return v && !(len == 1 && *v == '-') ? table_title(key, v, len, out) : "–";
}

int render_same_place(arena *a, const table_def *d, const paper_cell *x, const paper_cell *y)
{
    const key_list k[] = {render_keys(a, d->rows), render_keys(a, d->cols)};
    char mine[64], other[64];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < k[i].n; j++)
            if (strcmp(title_of(x, k[i].name[j], mine), title_of(y, k[i].name[j], other)))
                return 0;
    return 1;
}

/* The index of the cell's title among those seen so far; adds it if it is new. */
static int place(arena *a, const char **title, int *n, const key_list *k, const paper_cell *c)
{
    char out[KEYS][64];
    const char *mine[KEYS];
    for (int j = 0; j < k->n; j++)
        mine[j] = title_of(c, k->name[j], out[j]);
    for (int i = 0; i < *n; i++) {
        int same = 1;
        for (int j = 0; j < k->n; j++)
            same &= !strcmp(title[i * k->n + j], mine[j]);
        if (same)
            return i;
    }
    for (int j = 0; j < k->n; j++)
        title[*n * k->n + j] = arena_printf(a, "%s", mine[j]);
    return (*n)++;
}

table_grid render_grid(arena *a, const table *t)
{
    key_list rk = keys_there(a, t->def->rows, t), ck = keys_there(a, t->def->cols, t);
    size_t n = (size_t)t->paper.n;
    table_grid g = {.row_keys = rk.n,
                    .col_keys = ck.n,
                    .row_title = NEW(a, const char *, n *KEYS),
                    .col_title = NEW(a, const char *, n *KEYS)};
    int *row = NEW(a, int, n), *col = NEW(a, int, n);
    g.row_head = NEW(a, const char *, KEYS);
    for (int j = 0; j < rk.n; j++)
        g.row_head[j] = table_title("", rk.name[j], (int)strlen(rk.name[j]), NEW(a, char, 64));
    for (size_t i = 0; i < n; i++) {
        row[i] = place(a, g.row_title, &g.rows, &rk, t->cell[i].paper);
        col[i] = place(a, g.col_title, &g.cols, &ck, t->cell[i].paper);
    }
    g.at = NEW(a, const table_cell *, (size_t)g.rows *(size_t)g.cols + 1);
    for (size_t i = 0; i < n; i++) {
        const table_cell **at = &g.at[row[i] * g.cols + col[i]];
        if (*at)
            die("%s: cell %zu has the same place as another one in the layout %s by %s", t->def->label, i + 1,
                t->def->rows, t->def->cols);
        *at = &t->cell[i];
    }
    return g;
}

const char *render_span(arena *a, int min, int max)
{
    return min < max ? arena_printf(a, "%d to %d", min, max) : arena_printf(a, "%d", max);
}

const char *render_signed(arena *a, double x, int digits)
{
    if (isnan(x))
        return "–";
    if (isinf(x))
        return x > 0 ? "+∞" : "-∞";
    char *s = arena_printf(a, "%+.*f", digits, x);
    return strpbrk(s, "123456789") ? s : s + 1; /* no sign in front of 0.00 */
}

const char *render_number(arena *a, double x, int digits)
{
    return isnan(x) ? "–" : arena_printf(a, "%.*f", digits, x);
}

const char *render_between(arena *a, double lo, double hi, int digits)
{
    return isnan(lo) ? "–" : arena_printf(a, "[%s, %s]", render_signed(a, lo, digits), render_signed(a, hi, digits));
}

const char *render_marked(arena *a, const char *name, enum origin origin)
{
    const char *mark = origin_label(origin);
    return *mark ? arena_printf(a, "%s (%s)", name, mark) : name;
}

const char *render_p(arena *a, double p) { return isnan(p) ? "–" : p < 1e-4 ? "< 0.0001" : arena_printf(a, "%.4f", p); }

const char *render_ours(arena *a, const table_cell *c)
{
    if (!c->n)
        return "–";
    const char *sd = c->n > 1 ? arena_printf(a, " ± %.*f", c->sd_digits, c->sd) : "";
    const char *mark = origin_label(c->origin);
    return arena_printf(a, "%.*f%s (%d%s%s)", c->digits, c->mean, c->metric->kind == EXACT ? "" : sd, c->n,
                        *mark ? ", " : "", mark);
}

const char *render_paper(arena *a, const table_cell *c)
{
    if (isnan(c->paper->value))
        return "–";
    if (isnan(c->paper->sd))
        return c->paper->value_text;
    return arena_printf(a, "%s ± %s", c->paper->value_text, c->paper->sd_text);
}

const char *render_interval(arena *a, const table_cell *c)
{
    if (c->verdict == NOT_RUN || c->verdict == NOT_PRINTED || c->metric->kind == MACHINE)
        return ""; /* seconds of two machines cannot be compared */
    const char *d = render_signed(a, c->diff, c->digits);
    if (isnan(c->lo) || c->metric->kind == EXACT)
        return d;
    return arena_printf(a, "%s %s", d, render_between(a, c->lo, c->hi, c->digits));
}

const char *render_diff(arena *a, const table_cell *c)
{
    const char *d = render_interval(a, c);
    return arena_printf(a, "%s%s%s", d, *d ? " " : "", verdict_word[c->verdict]);
}

const char *render_cell_name(arena *a, const table_cell *c)
{
    static const char *const columns[] = {"dataset", "model", "loss"};
    buf b = {.a = a};
    for (int i = 0; i < 3; i++)
        table_add_value(&b, c->paper, columns[i], strlen(columns[i]), ", ");
    for (list_item i = list_first(c->paper->setting); i.s; i = list_next(i))
        if (i.key < i.n)
            table_add_value(&b, c->paper, i.s, i.key, ", ");
    return b.s ? b.s : "";
}

static const char *verdict_text(arena *a, const contrast *c)
{
    buf t = {.a = a};
    buf_put(&t, claim_verdict_word[c->verdict]);
    if ((c->verdict == CONFIRMED || c->verdict == CONTRADICTED) && contrasts_equal(c))
        buf_add(&t, ", within ±%g", c->a->metric->equal);
    if (c->decided && c->decided < c->n)
        buf_add(&t, ", at n = %d", c->decided);
    if (c->n && *origin_label(c->origin))
        buf_add(&t, " (%s)", origin_label(c->origin));
    return t.s;
}

static const char *more_text(arena *a, const contrast *c)
{
    if (isnan(c->more))
        return "–";
    if (c->more > MORE_MAX)
        return arena_printf(a, "> %d", MORE_MAX);
    return arena_printf(a, "%.0f%s", c->more, c->n < 2 ? " or more" : ""); /* one run gives no spread */
}

static const char *ours_text(arena *a, const contrast *c, int digits)
{
    buf t = {.a = a};
    buf_put(&t, render_signed(a, c->mean, digits));
    if (c->n)
        buf_add(&t, " %s", render_between(a, c->lo, c->hi, digits));
    if (!isnan(c->se_splits))
        buf_add(&t, ", standard error over splits %.*f", digits, c->se_splits);
    return t.s;
}

contrast_text render_contrast(arena *a, const contrast *c)
{
    int digits = c->a->digits > c->b->digits ? c->a->digits : c->b->digits;
    int one = paper_decimals(c->a->paper->value_text), two = paper_decimals(c->b->paper->value_text);
    const one_look *t = &c->once;
    contrast_text v;
    v.where = contrasts_where(a, c), v.what = contrasts_what(a, c);
    v.verdict = verdict_text(a, c), v.more = more_text(a, c);
    v.metric = c->a->metric->title;
    v.paper = render_signed(a, c->paper, one > two ? one : two);
    v.ours = ours_text(a, c, digits);
    v.n = c->left_out ? arena_printf(a, "%d (%d left out)", c->n, c->left_out) : arena_printf(a, "%d", c->n);
    v.skew = render_signed(a, c->skew, 1);
    v.anytime_p = render_p(a, c->n ? anytime_p(c->log_e, c->n) : NAN);
    v.e_holm_p = render_p(a, c->n ? fmin(1, 1 / c->e_holm) : NAN);
    v.symmetry_p = render_p(a, c->n ? anytime_p(c->log_symmetry, c->n) : NAN);
    v.t_p = render_p(a, t->p_t), v.wilcoxon_p = render_p(a, t->p_wilcoxon), v.holm_p = render_p(a, t->p_holm);
    v.bootstrap = render_between(a, t->boot_lo, t->boot_hi, digits);
    return v;
}
