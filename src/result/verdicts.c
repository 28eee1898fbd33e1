#include "verdicts.h"
#include "../base/err.h"
#include "../data/origin.h"
#include "anytime.h"
#include "definitions.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Each cell of the queue as its runs are called in the records. */
static record *rows_of(arena *a, const queue *q)
{
    record *row = NEW(a, record, (size_t)q->cells + 1);
    for (int k = 0; k < q->cells; k++)
        row[k] = queue_record(q->cell + k);
    return row;
}

/* The cell of the queue that fills the table cell; -1: none. */
static int cell_of(const record *row, int cells, const table_def *d, const table_cell *c)
{
    int found = -1, best = INT_MAX;
    for (int k = 0; k < cells; k++) {
        int rank = cells_rank(d, c->metric, c->paper, row + k);
        if (rank >= 0 && rank < best)
            found = k, best = rank;
    }
    return found;
}

static void touch(scheduler_goals *g, const char *experiment)
{
    verdicts *v = (verdicts *)g; /* its first member */
    for (int t = 0; t < v->tables; t++)
        v->stale[t] |= cells_may_fill(definitions.table + t, experiment);
}

static int is_stale(const scheduler_goals *g)
{
    const verdicts *v = (const verdicts *)g;
    return memchr(v->stale, 1, (size_t)v->tables) != NULL;
}

/* The runs that may fill cells of the table. */
static records runs_of(arena *a, const records *all, const table_def *d)
{
    records r = {.v = NEW(a, record, (size_t)all->n + 1)};
    for (int i = 0; i < all->n; i++)
        if (cells_may_fill(d, all->v[i].experiment))
            r.v[r.n++] = all->v[i];
    return r;
}

/* Whether it was decided now, by a test whose decisions hold at all times (not: the same in every run). */
static int is_new(const contrast *c)
{
    return !c->decided && (c->verdict == EQUAL ||
                           ((c->verdict == CONFIRMED || c->verdict == CONTRADICTED) && c->e_holm >= 1 / ANYTIME_ALPHA));
}

static void keep(arena *a, verdicts *v, const table_def *d, const contrast *c)
{
    decisions_keep(v->log, d->label, c);
    snprintf(v->news, sizeof v->news, "%s %s", decisions_name(a, c), claim_verdict_word[c->verdict]);
}

static void update_table(arena *a, verdicts *v, int t, const records *all, const decisions *kept)
{
    const table_def *d = definitions.table + t;
    paper p = paper_read(a, v->paper_dir, d->label);
    records r = runs_of(a, all, d);
    int n;
    table_cell *c = cells_make(a, d, &p, &r);
    contrast *k = contrasts_decide(a, d, c, p.n, kept, &n);
    for (int i = 0; i < n && v->keep; i++)
        if (is_new(&k[i]))
            keep(a, v, d, &k[i]);
    for (int i = 0; i < n && d->scheduled; i++) {
        choice_claim *q = v->goals.claim + v->first[t] + i;
        q->n = k[i].n;
        q->open = k[i].verdict == OPEN || k[i].verdict == CLAIM_NOT_RUN;
        q->stand_in = k[i].n && !origin_comparable(k[i].origin);
        q->more = k[i].n ? k[i].more : VERDICTS_UNKNOWN;
        if (isnan(q->more))
            q->more = INFINITY;
    }
}

static void count(verdicts *v)
{
    scheduler_goals *g = &v->goals;
    memset(g->decided, 0, sizeof g->decided);
    memset(g->open, 0, sizeof g->open);
    for (int t = 0; t < v->tables; t++)
        for (int i = v->first[t]; i < v->first[t + 1] && v->printed[t]; i++) {
            const choice_claim *q = g->claim + i;
            if (q->a >= 0 && q->b >= 0)
                (q->open ? g->open : g->decided)[q->stand_in]++;
        }
}

static void update(scheduler_goals *g)
{
    verdicts *v = (verdicts *)g;
    arena tmp = {0};
    if (!is_stale(g))
        return;
    records all = records_read(&tmp, v->records_dir);
    records_drop_trials(&all);
    const decisions *kept = decisions_read(&tmp, v->records_dir); /* none yet: the rounds are the history so far */
    if (v->keep && !v->log)
        v->log = decisions_open(&v->a, v->records_dir);
    verdicts_judge(v, &all, kept);
    arena_free(&tmp);
}

void verdicts_judge(verdicts *v, const records *all, const decisions *kept)
{
    arena tmp = {0};
    for (int t = 0; t < v->tables; t++)
        if (v->stale[t])
            update_table(&tmp, v, t, all, kept);
    memset(v->stale, 0, (size_t)v->tables);
    count(v);
    arena_free(&tmp);
}

scheduler_goals *verdicts_open(arena *a, const queue *q, const char *paper_dir, int keep)
{
    enum { MAX_CLAIMS = 10000 };
    verdicts *v = NEW(a, verdicts, 1);
    *v = (verdicts){.goals = {.touch = touch, .stale = is_stale, .update = update},
                    .q = q,
                    .paper_dir = paper_dir,
                    .records_dir = arena_printf(a, "%s/records", q->out),
                    .keep = keep};
    scheduler_goals *g = &v->goals;
    g->news = v->news;
    arena tmp = {0};
    const records nothing = {0};
    record *row = rows_of(&tmp, q);
    definitions_read(paper_dir);
    v->tables = definitions.tables;
    v->first = NEW(a, int, (size_t)v->tables + 1);
    v->stale = NEW(a, unsigned char, (size_t)v->tables);
    v->printed = NEW(a, unsigned char, (size_t)v->tables);
    memset(v->stale, 1, (size_t)v->tables);
    g->claim = NEW(a, choice_claim, MAX_CLAIMS);
    g->printed = NEW(a, unsigned char, (size_t)q->cells + 1);
    for (int t = 0; t < v->tables; t++) {
        const table_def *d = definitions.table + t;
        paper p = paper_read(&tmp, paper_dir, d->label);
        int n;
        v->printed[t] = (unsigned char)paper_prints(&p);
        table_cell *c = cells_make(&tmp, d, &p, &nothing);
        contrast *k = contrasts_decide(&tmp, d, c, p.n, NULL, &n);
        for (int i = 0; i < p.n && v->printed[t]; i++) { /* only tables of the paper have printed cells */
            int at = cell_of(row, q->cells, d, c + i);
            if (at >= 0 && !g->printed[at])
                g->printed[at] = (unsigned char)(t + 1);
        }
        v->first[t] = g->claims;
        n = d->scheduled ? n : 0;
        if (n > MAX_CLAIMS - g->claims)
            die("%s: the tables state more than %d comparisons", paper_dir, MAX_CLAIMS);
        for (int i = 0; i < n; i++)
            g->claim[g->claims++] = (choice_claim){
                cell_of(row, q->cells, d, k[i].a), cell_of(row, q->cells, d, k[i].b), 1, 0, VERDICTS_UNKNOWN, 0};
    }
    v->first[v->tables] = g->claims;
    arena_free(&tmp);
    return g;
}
