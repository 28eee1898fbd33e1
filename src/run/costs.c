#include "costs.h"
#include "../base/places.h"
#include "../base/tsv.h"
#include "select.h"
#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 6, WEIGHT = 3 };
static const char *const column[COLUMNS] = {"experiment", "dataset", "model", "loss", "setting", "seconds"};

void costs_open(queue *q)
{
    arena tmp = {0};
    const char *path = places_find(&tmp, PLACE_COSTS);
    tsv t = path ? tsv_read(&tmp, path) : (tsv){0};
    record *row = NEW(&tmp, record, (size_t)t.rows + 1);
    int at[COLUMNS] = {0};
    for (int j = 0; j < COLUMNS && path; j++)
        at[j] = tsv_need(&t, column[j]);
    for (int i = 0; i < t.rows; i++)
        row[i] = (record){.experiment = t.cell[i][at[0]],
                          .dataset = t.cell[i][at[1]],
                          .model = t.cell[i][at[2]],
                          .loss = t.cell[i][at[3]],
                          .setting = t.cell[i][at[4]]};
    for (int k = 0; k < q->cells; k++) {
        const record mine = queue_record(q->cell + k);
        int i = 0;
        while (i < t.rows && record_by_cell(&mine, row + i))
            i++;
        double seconds = i < t.rows ? tsv_number(&t, i, "seconds") : 0;
        q->cell[k].published = seconds > 0 ? seconds : 0;
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

static int by_cell(const void *x, const void *y)
{
    return record_by_cell(((const cost *)x)->of, ((const cost *)y)->of);
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
        if (!n || record_by_cell(v[last].of, &r->v[i]))
            for (last = 0; last < n && record_by_cell(v[last].of, &r->v[i]);)
                last++;
        if (last == n)
            v[n++] = (cost){.of = &r->v[i]};
        v[last].seconds += seconds;
        v[last].runs++;
    }
    qsort(v, (size_t)n, sizeof *v, by_cell);
    buf_put(out, "# Mean seconds of a run of each cell, of the published records: what jcb reproduce expects before it "
                 "has run one.\n");
    for (int j = 0; j < COLUMNS; j++)
        buf_add(out, "%s%c", column[j], j + 1 < COLUMNS ? '\t' : '\n');
    for (int i = 0; i < n; i++) {
        const record *c = v[i].of;
        buf_add(out, "%s\t%s\t%s\t%s\t%s\t%.3g\n", c->experiment, c->dataset, c->model, c->loss, c->setting,
                v[i].seconds / v[i].runs);
    }
    arena_free(&tmp);
}
