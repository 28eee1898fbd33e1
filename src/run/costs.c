#include "costs.h"
#include "../base/places.h"
#include "../base/tsv.h"
#include "select.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 5, WEIGHT = 3 };
static const char *const column[COLUMNS] = {"experiment", "dataset", "model", "loss", "setting"};

/* The row of a cell; -1: none. at: where the columns are. */
static int find(const tsv *t, const int at[COLUMNS], const char *const word[COLUMNS])
{
    for (int i = 0; i < t->rows; i++) {
        int same = 1;
        for (int j = COLUMNS - 1; j >= 0 && same; j--) /* settings differ most */
            same = !strcmp(t->cell[i][at[j]], word[j]);
        if (same)
            return i;
    }
    return -1;
}

void costs_open(queue *q)
{
    arena tmp = {0};
    const char *path = places_find(&tmp, PLACE_COSTS);
    if (path) {
        tsv t = tsv_read(&tmp, path);
        int at[COLUMNS];
        for (int j = 0; j < COLUMNS; j++)
            at[j] = tsv_need(&t, column[j]);
        tsv_need(&t, "seconds");
        for (int k = 0; k < q->cells; k++) {
            queue_cell *c = q->cell + k;
            const char *const word[] = {c->file->b->name, c->cell.s.dataset, c->cell.model, c->cell.loss,
                                        c->cell.setting};
            int row = find(&t, at, word);
            double seconds = row < 0 ? 0 : tsv_number(&t, row, "seconds");
            c->published = seconds > 0 ? seconds : 0;
        }
    }
    arena_free(&tmp);
    costs_update(q);
}

void costs_add(queue *q, queue_cell *c, double seconds)
{
    if (!(seconds > 0))
        return;
    c->own_seconds += seconds;
    c->own_runs++;
    if (c->published > 0) {
        q->pace += log(seconds / c->published);
        q->paced++;
    }
}

void costs_update(queue *q)
{
    double pace = q->paced ? exp(q->pace / q->paced) : 1;
    for (int k = 0; k < q->cells; k++) {
        queue_cell *c = q->cell + k;
        double weight = c->published > 0 ? WEIGHT : 0;
        if (weight + c->own_runs > 0)
            c->seconds = (weight * c->published * pace + c->own_seconds) / (weight + c->own_runs);
    }
}

typedef struct cost {
    const record *of;
    double seconds;
    int runs;
} cost;

static int same_cell(const record *x, const record *y)
{
    return !strcmp(x->setting, y->setting) && !strcmp(x->loss, y->loss) && !strcmp(x->model, y->model) &&
           !strcmp(x->dataset, y->dataset) && !strcmp(x->experiment, y->experiment);
}

static int by_columns(const void *x, const void *y)
{
    const record *a = ((const cost *)x)->of, *b = ((const cost *)y)->of;
    const char *const mine[] = {a->experiment, a->dataset, a->model, a->loss, a->setting}, *const other[] = {
                                                                                               b->experiment,
                                                                                               b->dataset, b->model,
                                                                                               b->loss, b->setting};
    int order = 0;
    for (int j = 0; j < COLUMNS && !order; j++)
        order = strcmp(mine[j], other[j]);
    return order;
}

void costs_tsv(buf *out, const records *r)
{
    arena tmp = {0};
    cost *v = NEW(&tmp, cost, (size_t)r->n + 1);
    int n = 0, last = 0;
    for (int i = 0; i < r->n; i++) {
        double seconds = r->v[i].number[RUN_train_seconds];
        if (!r->v[i].ok || !(seconds > 0))
            continue;
        if (!n || !same_cell(v[last].of, &r->v[i]))
            for (last = 0; last < n && !same_cell(v[last].of, &r->v[i]);)
                last++;
        if (last == n)
            v[n++] = (cost){.of = &r->v[i]};
        v[last].seconds += seconds;
        v[last].runs++;
    }
    qsort(v, (size_t)n, sizeof *v, by_columns);
    buf_put(out, "# Mean seconds of a run of each cell, of the published records: what jcb reproduce expects before it "
                 "has run one.\n");
    for (int j = 0; j < COLUMNS; j++)
        buf_add(out, "%s\t", column[j]);
    buf_put(out, "seconds\n");
    for (int i = 0; i < n; i++) {
        const record *c = v[i].of;
        buf_add(out, "%s\t%s\t%s\t%s\t%s\t%.3g\n", c->experiment, c->dataset, c->model, c->loss, c->setting,
                v[i].seconds / v[i].runs);
    }
    arena_free(&tmp);
}
