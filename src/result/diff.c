#include "diff.h"
#include "table_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs of one experiment, data set, model, loss and setting in both directories. */
typedef struct side {
    int n; /* runs with an accuracy */
    double sum;
    uint64_t spec, data; /* of the last of them */
    const char *text;    /* its hyper-parameters */
} side;

typedef struct pair {
    const record *is; /* any of its runs */
    uint64_t hash;
    side of[2];
} pair;

static int by_key(const void *x, const void *y)
{
    const record *a = *(const record *const *)x, *b = *(const record *const *)y;
    return a->key != b->key ? (a->key < b->key ? -1 : 1) : strcmp(a->experiment, b->experiment);
}

static const record **sorted(arena *a, const records *r)
{
    const record **v = NEW(a, const record *, (size_t)r->n + 1);
    for (int i = 0; i < r->n; i++)
        v[i] = r->v + i;
    qsort(v, (size_t)r->n, sizeof *v, by_key);
    return v;
}

/* The runs of both, and whether their parameters have the same bits. */
static int put_runs(buf *out, const records r[2])
{
    const record **x = sorted(out->a, &r[0]), **y = sorted(out->a, &r[1]), *example = NULL;
    int i = 0, j = 0, only[2] = {0}, same = 0, other = 0, elsewhere = 0, failed = 0;
    while (i < r[0].n || j < r[1].n) {
        int c = i == r[0].n ? 1 : j == r[1].n ? -1 : by_key(&x[i], &y[j]);
        if (c) {
            only[c > 0]++;
            i += c<0, j += c> 0;
            continue;
        }
        const record *a = x[i++], *b = y[j++];
        int differs = a->param_hash != b->param_hash;
        failed += !a->ok || !b->ok;
        if (!a->ok || !b->ok)
            continue;
        same += !differs, other += differs;
        elsewhere += differs && (strcmp(a->blas, b->blas) || strcmp(a->cpu, b->cpu));
        example = differs && !example ? a : example;
    }
    buf_add(out, "runs: %d only in A, %d only in B, %d in both with the same bits, %d with other bits", only[0],
            only[1], same, other);
    if (failed)
        buf_add(out, ", %d in both that failed in one", failed);
    buf_put(out, "\n");
    if (other)
        buf_add(out, "other bits: %d of them on another BLAS or instruction set; the first: %s %s %s %s, run %d\n",
                elsewhere, example->experiment, example->dataset, example->model, example->loss, example->run);
    return other;
}

static int by_hash(const void *x, const void *y)
{
    const pair *a = x, *b = y;
    return (a->hash > b->hash) - (a->hash < b->hash);
}

/* One row a run, then joined by cell. */
static pair *collect(arena *a, const records r[2], int *n)
{
    pair *v = NEW(a, pair, (size_t)(r[0].n + r[1].n) + 1);
    int rows = 0;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < r[s].n; i++) {
            const record *q = r[s].v + i;
            if (!q->ok || isnan(q->number[RUN_test_acc]))
                continue;
            v[rows] = (pair){.is = q, .hash = record_cell_hash(q)};
            v[rows++].of[s] = (side){1, 100 * q->number[RUN_test_acc], q->spec_hash, q->data_hash, q->spec};
        }
    qsort(v, (size_t)rows, sizeof *v, by_hash);
    *n = 0;
    for (int i = 0; i < rows; i++) {
        if (!*n || v[*n - 1].hash != v[i].hash) {
            v[(*n)++] = v[i];
            continue;
        }
        for (int s = 0; s < 2; s++)
            if (v[i].of[s].n) {
                side sum = v[i].of[s];
                sum.n += v[*n - 1].of[s].n, sum.sum += v[*n - 1].of[s].sum;
                v[*n - 1].of[s] = sum;
            }
    }
    return v;
}

static double gap(const pair *p) { return p->of[1].sum / p->of[1].n - p->of[0].sum / p->of[0].n; }

static int by_gap(const void *x, const void *y)
{
    const pair *a = x, *b = y;
    int both_a = a->of[0].n && a->of[1].n, both_b = b->of[0].n && b->of[1].n;
    if (both_a != both_b)
        return both_b - both_a;
    double d = both_a ? fabs(gap(b)) - fabs(gap(a)) : 0;
    return d > 0 ? 1 : d < 0 ? -1 : by_hash(x, y);
}

static void put_cells(buf *out, const records r[2], int rows)
{
    int n, both = 0, only[2] = {0}, specs = 0, data = 0, shown = 0;
    pair *v = collect(out->a, r, &n);
    qsort(v, (size_t)n, sizeof *v, by_gap);
    for (int i = 0; i < n; i++) {
        const side *of = v[i].of;
        both += of[0].n && of[1].n;
        only[0] += !of[1].n, only[1] += !of[0].n;
        specs += of[0].n && of[1].n && of[0].spec != of[1].spec;
        data += of[0].n && of[1].n && of[0].data != of[1].data;
    }
    buf_add(out,
            "cells: %d only in A, %d only in B, %d in both; of these %d with other hyper-parameters, %d with other "
            "data\n",
            only[0], only[1], both, specs, data);
    for (int i = 0; i < n && shown < rows && v[i].of[0].n && v[i].of[1].n && fabs(gap(&v[i])) >= 0.005; i++) {
        const record *q = v[i].is;
        const side *of = v[i].of;
        if (!shown++)
            buf_put(out, "\ntest accuracy, %, mean (runs)\n        A               B          B - A  cell\n");
        buf_add(out, "%6.2f (%3d)    %6.2f (%3d)    %+7.2f  %s %s %s %s %s%s%s\n", of[0].sum / of[0].n, of[0].n,
                of[1].sum / of[1].n, of[1].n, gap(&v[i]), q->experiment, q->dataset, q->model, q->loss, q->setting,
                of[0].spec != of[1].spec ? "  [other hyper-parameters]" : "",
                of[0].data != of[1].data ? "  [other data]" : "");
    }
}

static const contrast *same_contrast(arena *a, const table *t, const contrast *x)
{
    const char *name = decisions_name(a, x);
    for (int k = 0; k < t->contrasts; k++)
        if (!strcmp(name, decisions_name(a, &t->contrast[k])))
            return &t->contrast[k];
    return NULL;
}

static void put_verdicts(buf *out, const char *const dir[2], const char *paper_dir)
{
    const tables *t[2];
    int changed = 0, all = 0;
    for (int s = 0; s < 2; s++)
        t[s] = tables_read(out->a, dir[s], paper_dir);
    for (int i = 0; i < t[0]->n; i++)
        for (int j = 0; j < t[0]->t[i].contrasts; j++) {
            const contrast *x = &t[0]->t[i].contrast[j], *y = same_contrast(out->a, &t[1]->t[i], x);
            all++;
            if (!y || x->verdict == y->verdict)
                continue;
            if (!changed++)
                buf_put(out, "\nverdicts on the paper's comparisons\n");
            buf_add(out, "%-14s %-44s %s (%d) -> %s (%d)\n", t[0]->t[i].def->label, decisions_name(out->a, x),
                    claim_verdict_word[x->verdict], x->n, claim_verdict_word[y->verdict], y->n);
        }
    buf_add(out, "%sverdicts: %d of %d comparisons differ\n", changed ? "" : "\n", changed, all);
}

int diff_records(buf *out, const char *const dir[2], const char *paper_dir, int rows)
{
    records r[2];
    for (int s = 0; s < 2; s++) {
        r[s] = records_read(out->a, dir[s]);
        records_drop_trials(&r[s]);
    }
    int other = put_runs(out, r);
    put_cells(out, r, rows);
    put_verdicts(out, dir, paper_dir);
    return other;
}
