/* What earlier records tell about the cells of a queue before any data are opened. */
#include "costs.h"
#include <stdlib.h>
#include <string.h>

enum { RUNS = 128 /* of queue_recalled.runs */ };

/* --- rows of a cell --- */

record queue_record(const queue_cell *c)
{
    return (record){.experiment = c->file->b->name,
                    .dataset = c->cell.s.dataset,
                    .model = c->cell.model,
                    .loss = c->cell.loss,
                    .setting = c->cell.setting};
}

int queue_looks_like(const queue_cell *c, const record *r)
{
    const record mine = queue_record(c);
    return r->ok && !record_by_cell(&mine, r);
}

typedef struct known_cell {
    uint64_t hash;    /* record_cell_hash */
    const char *spec; /* spec_identity */
    queue_cell *c;
} known_cell;

static int by_hash(const void *a, const void *b)
{
    const known_cell *x = a, *y = b;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

/* Sorted by hash: there are thousands of cells and tens of thousands of rows. */
static known_cell *sorted_cells(arena *a, const queue *q)
{
    known_cell *to = NEW(a, known_cell, (size_t)q->cells + 1);
    for (int k = 0; k < q->cells; k++) {
        queue_cell *c = q->cell + k;
        const record mine = queue_record(c);
        to[k] = (known_cell){record_cell_hash(&mine), spec_identity(a, &c->cell.s), c};
    }
    qsort(to, (size_t)q->cells, sizeof *to, by_hash);
    return to;
}

/* --- runs --- */

/* A run of the cell itself: hyper-parameters and seed are its own. Those on other data than the row before are
 * forgotten. */
static void add_run(const queue *q, const known_cell *to, const record *r)
{
    queue_recalled *m = &to->c->recalled, found = {.known = 1, .data_hash = r->data_hash, .part_hash = r->part_hash};
    if (strcmp(r->spec, to->spec) || r->seed != q->seed || r->run < 0 || r->run >= RUNS || !r->data_hash)
        return;
    if (!m->known || m->data_hash != found.data_hash || m->part_hash != found.part_hash)
        *m = found;
    m->runs[r->run / 64] |= UINT64_C(1) << r->run % 64;
}

static void count_run(queue *q, const known_cell *to, const record *r)
{
    const bench_kind *kind = to->c->file->kind;
    double seconds = r->number[RUN_train_seconds];
    if (!queue_looks_like(to->c, r))
        return;
    to->c->recorded++;
    if (seconds > 0)
        costs_add(q, to->c, seconds);
    if (kind->trains && !kind->after && !to->c->file->b->calibration) /* others need more than a row */
        add_run(q, to, r);
}

void queue_recall(queue *q, const records *r)
{
    arena a = {0};
    const known_cell *known = sorted_cells(&a, q), *end = known + q->cells;
    for (const record *v = r->v; v < r->v + r->n; v++) {
        const known_cell row = {.hash = record_cell_hash(v)},
                         *k = bsearch(&row, known, (size_t)q->cells, sizeof *known, by_hash);
        while (k && k > known && k[-1].hash == row.hash)
            k--;
        for (; k && k < end && k->hash == row.hash; k++)
            count_run(q, k, v);
    }
    costs_update(q);
    arena_free(&a);
}

/* --- whether they count --- */

int queue_next(const queue *q, const queue_cell *c)
{
    const queue_recalled *m = &c->recalled;
    int n = 0;
    if (c->state != CELL_NEW)
        return c->next;
    if (q->recall <= 0 || !m->known || m->data_hash != c->set->data_hash || (m->part_hash && !q->parts_agree))
        return 0;
    while (n < RUNS && n < c->max_runs && m->runs[n / 64] >> n % 64 & 1)
        n++;
    return n;
}

/* One contradiction is enough: another METIS, say, has other answers for all data. */
void queue_check_recall(queue *q, const queue_cell *c)
{
    const queue_recalled *m = &c->recalled;
    if (!c->data.data_hash) /* a kind that opens the data itself tells nothing about them */
        return;
    c->set->data_hash = c->data.data_hash;
    if (!m->known || m->data_hash != c->data.data_hash)
        return;
    if (m->part_hash != c->data.part_hash)
        q->recall = -1;
    else if (m->part_hash)
        q->parts_agree = 1;
}
