/* definitions: reads the files of definitions. */
#include "definitions.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/tsv.h"
#include <limits.h>
#include <math.h>
#include <string.h>

struct definitions definitions;
static arena keep; /* owns everything read; never freed, since tables point into it */

typedef struct row { /* row i of a file */
    const tsv *t;
    int i;
} row;

static tsv open_file(const char *dir, const char *name)
{
    const char *path = arena_printf(&keep, "%s/%s.tsv", dir, name);
    tsv t = tsv_read(&keep, path);
    if (!t.name)
        die("%s: no header line", path);
    return t;
}

/* NULL for "-". */
static const char *text(row r, const char *column)
{
    const char *v = r.t->cell[r.i][tsv_need(r.t, column)];
    if (!*v)
        die("%s: row %d: %s is empty (write - for none)", r.t->path, r.i + 1, column);
    return strcmp(v, "-") ? v : NULL;
}

static const char *need(row r, const char *column)
{
    const char *v = text(r, column);
    if (!v)
        die("%s: row %d: %s is missing", r.t->path, r.i + 1, column);
    return v;
}

static const char *or_empty(row r, const char *column)
{
    const char *v = text(r, column);
    return v ? v : "";
}

static double number(row r, const char *column)
{
    need(r, column);
    double x = tsv_number(r.t, r.i, column);
    if (!isfinite(x))
        die("%s: row %d: %s is not a number", r.t->path, r.i + 1, column);
    return x;
}

static int whole(row r, const char *column)
{
    double x = number(r, column);
    if (x < 0 || x > INT_MAX || x != floor(x))
        die("%s: row %d: %s is '%s', not a non-negative integer", r.t->path, r.i + 1, column, text(r, column));
    return (int)x;
}

/* The index of the value in a list of words that ends with NULL; dies if it is not there. */
static int choice(row r, const char *column, const char *const *word)
{
    const char *v = need(r, column);
    for (int i = 0; word[i]; i++)
        if (!strcmp(word[i], v))
            return i;
    buf all = {.a = &keep};
    for (int i = 0; word[i]; i++)
        buf_add(&all, "%s%s", i ? ", " : "", word[i]);
    die("%s: row %d: %s is '%s', not one of %s", r.t->path, r.i + 1, column, v, all.s);
}

/* "a : b ; a : b" */
static void read_orderings(contrast_def out[TABLE_CONTRASTS + 1], row r)
{
    char *s = arena_printf(&keep, "%s", or_empty(r, "orderings"));
    for (int n = 0; *s; n++) {
        char *end = strstr(s, " ; "), *next = end ? end + 3 : s + strlen(s);
        if (end)
            *end = 0;
        char *colon = strstr(s, " : ");
        if (!colon || n == TABLE_CONTRASTS)
            die("%s: row %d: orderings are at most %d of the form 'FILTER : FILTER', with ' ; ' between them",
                r.t->path, r.i + 1, TABLE_CONTRASTS);
        *colon = 0;
        out[n] = (contrast_def){s, colon + 3};
        s = next;
    }
}

static void read_tables(const char *dir)
{
    static const char *const claims[] = {"below", "printed", "above", NULL};
    tsv t = open_file(dir, "tables");
    table_def *d = NEW(&keep, table_def, (size_t)t.rows + 1);
    for (int i = 0; i < t.rows; i++) {
        row r = {&t, i};
        d[i] = (table_def){.label = need(r, "label"),
                           .number = i + 1,
                           .experiment = need(r, "experiment"),
                           .rows = need(r, "rows"),
                           .cols = need(r, "cols"),
                           .extra = or_empty(r, "extra"),
                           .claim = choice(r, "claim", claims) - 1,
                           .scheduled = whole(r, "scheduled"),
                           .trend = text(r, "trend")};
        if (strpbrk(d[i].label, "/\\"))
            die("%s: row %d: label '%s' is not the name of a file", t.path, i + 1, d[i].label);
        read_orderings(d[i].contrast, r);
    }
    definitions.table = d;
    definitions.tables = t.rows;
}

static void read_reasons(const char *dir)
{
    static const char *const evidence[] = {"proven", "strong", "plausible", "not found", "open", NULL};
    definitions.reasons = 0;
    if (!file_exists(arena_printf(&keep, "%s/reasons.tsv", dir)))
        return;
    tsv t = open_file(dir, "reasons");
    definitions.reason = NEW(&keep, reason_def, (size_t)t.rows + 1);
    for (int i = 0; i < t.rows; i++) {
        row r = {&t, i};
        definitions.reason[i] =
            (reason_def){need(r, "label"), evidence[choice(r, "evidence", evidence)], need(r, "reason")};
        int known = 0;
        for (int k = 0; k < definitions.tables; k++)
            known |= !strcmp(definitions.table[k].label, definitions.reason[i].label);
        if (!known)
            die("%s: row %d: no table '%s' in tables.tsv", t.path, i + 1, definitions.reason[i].label);
    }
    definitions.reasons = t.rows;
}

/* The enum run_number of the column that the cell names; -1 for "-". */
static int measured(row r, const char *column)
{
    const char *v = text(r, column);
    int k = v ? run_number_find(v) : -1;
    if (v && k < 0)
        die("%s: row %d: %s is '%s', not a measured column of the records", r.t->path, r.i + 1, column, v);
    return k;
}

static void read_metrics(const char *dir)
{
    static const char *const kinds[] = {[MEASURED] = "measured", [EXACT] = "exact", [MACHINE] = "machine", NULL};
    tsv t = open_file(dir, "metrics");
    metric_def *m = NEW(&keep, metric_def, (size_t)t.rows + 1);
    for (int i = 0; i < t.rows; i++) {
        row r = {&t, i};
        m[i] = (metric_def){.name = need(r, "name"),
                            .title = need(r, "title"),
                            .column = (need(r, "column"), measured(r, "column")),
                            .per = measured(r, "per"),
                            .scale = number(r, "scale"),
                            .margin = number(r, "margin"),
                            .margin_rel = number(r, "margin_rel"),
                            .select = text(r, "select") ? spec_word_find("select", text(r, "select")) : -1,
                            .kind = (enum metric_kind)choice(r, "kind", kinds),
                            .over_ce = whole(r, "over_ce"),
                            .fixed = whole(r, "fixed"),
                            .equal = number(r, "equal")};
    }
    definitions.metric = m;
    definitions.metrics = t.rows;
}

static void read_titles(const char *dir)
{
    tsv t = open_file(dir, "titles");
    title_def *v = NEW(&keep, title_def, (size_t)t.rows + 1);
    for (int i = 0; i < t.rows; i++)
        v[i] = (title_def){need((row){&t, i}, "name"), need((row){&t, i}, "title")};
    definitions.title = v;
    definitions.titles = t.rows;
}

static void read_splits(const char *dir)
{
    tsv t = open_file(dir, "splits");
    split_def *v = NEW(&keep, split_def, (size_t)t.rows + 1);
    for (int i = 0; i < t.rows; i++) {
        row r = {&t, i};
        v[i] = (split_def){need(r, "dataset"), whole(r, "count"), number(r, "test_train")};
        if (v[i].count < 1)
            die("%s: row %d: count is 0", t.path, i + 1);
    }
    definitions.split = v;
    definitions.splits = t.rows;
}

/* The caption with each $phrase, a row of the same file, replaced by its text. */
static const char *expand(const tsv *t, const char *s)
{
    buf out = {.a = &keep};
    while (*s) {
        size_t plain = strcspn(s, "$"), len = 0;
        buf_add(&out, "%.*s", (int)plain, s);
        s += plain;
        if (!*s)
            break;
        len = 1 + strspn(s + 1, "abcdefghijklmnopqrstuvwxyz_");
        int i = 0;
        while (i < t->rows &&
               (strncmp(t->cell[i][tsv_need(t, "name")], s, len) || t->cell[i][tsv_need(t, "name")][len]))
            i++;
        if (i == t->rows)
            die("%s: no row '%.*s' for a phrase of a caption", t->path, (int)len, s);
        buf_put(&out, need((row){t, i}, "text"));
        s += len;
    }
    return out.s ? out.s : "";
}

/* The kinds of figures that figures.tsv may name. */
static const struct {
    const char *name;
    figure_make *make;
} figure_kinds[] = {
    {"records", NULL},
    {"plain", figure_plain},
    {"gains", figure_gains},
    {"gain_lines", figure_gain_lines},
    {"overall", figure_overall},
    {"verdicts", figure_verdicts},
    {"ranks", figure_ranks},
    {"tsne", figure_tsne},
    {"reliability", figure_reliability},
    {"calibration", figure_calibration},
    {"pooled", figure_pooled},
    {"units", figure_units},
    {NULL, NULL},
};

static figure_def read_figure(row r)
{
    enum { KINDS = sizeof figure_kinds / sizeof *figure_kinds };
    const char *word[KINDS]; /* the last one NULL */
    for (int i = 0; i < KINDS; i++)
        word[i] = figure_kinds[i].name;
    return (figure_def){.name = need(r, "name"),
                        .script = need(r, "script"),
                        .make = figure_kinds[choice(r, "kind", word)].make,
                        .rank = whole(r, "rank"),
                        .tables = text(r, "tables"),
                        .experiment = text(r, "experiment"),
                        .only = text(r, "only"),
                        .metrics = text(r, "metrics"),
                        .panel = text(r, "panel"),
                        .group = text(r, "group"),
                        .label = text(r, "label"),
                        .series = text(r, "series"),
                        .x = text(r, "x"),
                        .panels = text(r, "panels"),
                        .sequence = whole(r, "sequence"),
                        .title = need(r, "title"),
                        .text = expand(r.t, need(r, "text"))};
}

static void read_figures(const char *dir)
{
    tsv t = open_file(dir, "figures");
    figure_def *v = NEW(&keep, figure_def, (size_t)t.rows + 1);
    int n = 0;
    for (int i = 0; i < t.rows; i++)
        if (*need((row){&t, i}, "name") != '$')
            v[n++] = read_figure((row){&t, i});
    definitions.figure = v;
    definitions.figures = n;
}

static gain_row_def read_gain_row(row r)
{
    static const char *const spreads[] = {
        [SPREAD_NONE] = "none", [SPREAD_ACCURACY] = "accuracy", [SPREAD_GAIN] = "gain", NULL};
    gain_row_def d = {.title = need(r, "row"),
                      .of = need(r, "of"),
                      .against = text(r, "against"),
                      .units = render_keys(&keep, or_empty(r, "units")),
                      .spread = (enum gain_spread)choice(r, "spread", spreads),
                      .series = text(r, "series"),
                      .headline = whole(r, "headline")};
    if (d.spread == SPREAD_ACCURACY && d.units.n != 1)
        die("%s: row %d: the spread of the accuracy is over one kind of units", r.t->path, r.i + 1);
    if (d.spread == SPREAD_GAIN && (d.units.n != 2 || !d.against))
        die("%s: row %d: the spread of a gain is over two kinds of units", r.t->path, r.i + 1);
    return d;
}

static void read_gains(const char *dir)
{
    tsv t = open_file(dir, "gains"), rows = open_file(dir, "gain_rows");
    gain_table_def *d = NEW(&keep, gain_table_def, (size_t)t.rows + 1);
    int used = 0;
    for (int i = 0; i < t.rows; i++) {
        row r = {&t, i};
        d[i] = (gain_table_def){need(r, "table"),
                                need(r, "experiment"),
                                need(r, "baseline"),
                                need(r, "title"),
                                need(r, "text"),
                                NEW(&keep, gain_row_def, (size_t)rows.rows + 1),
                                0};
        for (int k = 0; k < rows.rows; k++)
            if (!strcmp(need((row){&rows, k}, "table"), d[i].label))
                d[i].row[d[i].rows++] = read_gain_row((row){&rows, k});
        used += d[i].rows;
    }
    if (used != rows.rows)
        die("%s: %d rows name no table, or a table twice in %s", rows.path, rows.rows - used, t.path);
    definitions.gain = d;
    definitions.gain_tables = t.rows;
}

void definitions_read(const char *paper_dir)
{
    if (definitions.dir && !strcmp(definitions.dir, paper_dir))
        return;
    definitions.dir = NULL;
    read_tables(paper_dir);
    read_reasons(paper_dir);
    read_metrics(paper_dir);
    read_titles(paper_dir);
    read_splits(paper_dir);
    read_figures(paper_dir);
    read_gains(paper_dir);
    definitions.dir = arena_printf(&keep, "%s", paper_dir);
}
