/* decisions: the comparisons that were decided while runs were added to a results directory, each with its moment:
 * RECORDS/decisions.log, written as records are (record.h).
 *
 * e-Holm is closed testing with averages of e-processes. For every set of comparisons whose null hypotheses are true
 * the average of their E is an e-process, so by Ville's inequality it ever reaches 1 / alpha with probability at most
 * alpha. "Decided at some time" is therefore no more likely to be wrong than "decided now": a decision is kept although
 * later runs of others lower the average. This holds along one history. The history of a directory is: the rounds of
 * contrasts.c over the runs that it has when the file is made, then the runs in the order in which they are added.
 * jcb merge joins histories and removes the file. */
#include "../base/file.h"
#include "../base/hash.h"
#include "../run/record.h"
#include "../run/record_rows.h"
#include "table_parts.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const column[] = {"key",    "table",      "comparison", "verdict", "sign",  "pairs",
                                     "e_holm", "runs_above", "runs_below", "time",    "status"};
enum { COLUMNS = sizeof column / sizeof *column };

static const char *path_in(arena *a, const char *records_dir)
{
    return arena_printf(a, "%s/decisions.log", records_dir);
}

decisions *decisions_read(arena *a, const char *records_dir)
{
    const char *path = path_in(a, records_dir);
    int malformed = 0;
    if (!file_named(path))
        return NULL;
    decisions *d = NEW(a, decisions, 1);
    d->rows = record_rows(a, path, &malformed);
    return d;
}

/* Names the comparison and the differences x[0..n) on which it was decided. With other runs, such as those of other
 * hyper-parameters, it is another key and the decision does not count. */
static uint64_t key_of(const char *label, const char *name, const double *x, int n)
{
    uint64_t h = hash_text(hash_text(HASH_INIT, label), name);
    return hash_bytes(h, x, (size_t)n * sizeof *x);
}

const char *decisions_name(arena *a, const contrast *c)
{
    const metric_def *m = c->a->metric;
    const char *title = strcmp(m->name, "acc") ? arena_printf(a, " (%s)", m->title) : "";
    return arena_printf(a, "%s: %s%s", contrasts_where(a, c), contrasts_what(a, c), title);
}

void decisions_recall(arena *a, const decisions *d, const char *label, contrast *c)
{
    const char *name = d->rows.rows && c->n ? decisions_name(a, c) : NULL;
    for (int i = 0; name && i < d->rows.rows; i++) {
        int pairs = (int)tsv_number(&d->rows, i, "pairs");
        uint64_t key;
        if (strcmp(tsv_get(&d->rows, i, "table"), label) || strcmp(tsv_get(&d->rows, i, "comparison"), name) ||
            pairs < 1 || pairs > c->n || !record_is_current(&d->rows, i) || !record_key(d->rows.cell[i][0], &key) ||
            key != key_of(label, name, c->x, pairs))
            continue;
        const char *verdict = tsv_get(&d->rows, i, "verdict");
        for (int v = CONFIRMED; v <= EQUAL; v++)
            if (!strcmp(verdict, claim_verdict_word[v]))
                c->verdict = (enum claim_verdict)v;
        c->decided = pairs;
        c->e_holm = tsv_number(&d->rows, i, "e_holm");
        c->sign = (int)tsv_number(&d->rows, i, "sign");
        return;
    }
}

record_file *decisions_open(arena *a, const char *records_dir)
{
    return record_open(a, path_in(a, records_dir), column, COLUMNS);
}

void decisions_keep(record_file *f, const char *label, const contrast *c)
{
    record_row row = record_row_new(f);
    const char *name = decisions_name(&row.a, c);
    char when[32] = "?";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    record_put_hash(&row, "key", key_of(label, name, c->x, c->n));
    record_put(&row, "table", "%s", label);
    record_put(&row, "comparison", "%s", name);
    record_put(&row, "verdict", "%s", claim_verdict_word[c->verdict]);
    record_put(&row, "sign", "%d", c->sign);
    record_put(&row, "pairs", "%d", c->n);
    record_put(&row, "e_holm", "%.17g", c->e_holm);
    record_put(&row, "runs_above", "%d", c->claim > 0 ? c->a->n : c->b->n);
    record_put(&row, "runs_below", "%d", c->claim > 0 ? c->b->n : c->a->n);
    record_put(&row, "time", "%s", when);
    record_put(&row, "status", "ok");
    record_row_append(&row);
}
