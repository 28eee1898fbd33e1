#include "queue.h"
#include "../base/err.h"
#include "../base/file.h"
#include "select.h"
#include <stdio.h>
#include <string.h>

enum { FILES = 64, CELLS = 20000, SETS = 1000 }; /* at most */

/* --- cells --- */

/* Sets are equal if problem_open would give the same. Runs with graphs of their own share the clean data set. */
static queue_set *set_of(queue *q, const spec *s)
{
    const variant_rule graph = s->attack.per_run ? variant_rule_read("none") : s->attack;
    const char *name = arena_printf(&q->a, "%s attack=%s norm=%d", s->dataset, graph.text, s->norm);
    for (int k = 0; k < q->sets; k++)
        if (!strcmp(q->set[k].name, name))
            return q->set + k;
    if (q->sets == SETS)
        die("more than %d data sets and attacked graphs: use --only", SETS);
    const catalog_entry *e = catalog_search(&q->dirs.catalog, s->dataset);
    q->set[q->sets] = (queue_set){.name = name, .entry = e};
    if (e)
        q->set[q->sets].attack_seconds = variant_cost(graph, e->nodes, (double)e->edges, e->features);
    return q->set + q->sets++;
}

/* --short K: 1/K of the epochs and of what counts epochs, validated about ten times. The setting tells such runs apart,
 * so that they fill no cell of the paper's tables. */
static void shorten(queue *q, queue_cell *c)
{
    if (q->shorten < 2 || !c->file->kind->trains)
        return;
    int *const count[] = {&c->cell.s.epochs, &c->cell.s.patience, &c->cell.s.evaluate_from};
    for (int i = 0; i < 3; i++)
        *count[i] = (*count[i] + q->shorten - 1) / q->shorten;
    c->cell.s.validate_every = c->cell.s.epochs > 10 ? c->cell.s.epochs / 10 : 1;
    c->cell.setting = strcmp(c->cell.setting, "-") ? arena_printf(&q->a, "%s,short=%d", c->cell.setting, q->shorten)
                                                   : arena_printf(&q->a, "short=%d", q->shorten);
}

double queue_estimate(const queue_cell *c)
{
    if (c->file->kind->seconds)
        return c->file->kind->seconds(c);
    return c->set->p ? cost_of(c->set->p, &c->cell) : c->set->entry ? cost_of_unopened(c->set->entry, &c->cell) : 1;
}

/* Allocates everything in the first call: cells and sets must keep their addresses. */
static void allocate(queue *q)
{
    if (q->capacity)
        return;
    q->capacity = CELLS;
    q->file = NEW(&q->a, queue_file, FILES);
    q->cell = NEW(&q->a, queue_cell, CELLS);
    q->set = NEW(&q->a, queue_set, SETS);
    q->dirs = select_dirs(&q->a, q->data);
    q->dirs.twins = q->twins;
}

queue_file *queue_add_file(queue *q, const bench *b)
{
    allocate(q);
    if (q->files == FILES)
        die("more than %d experiments", FILES);
    queue_file *f = q->file + q->files++;
    *f = (queue_file){.b = b, .kind = b->kind ? b->kind : &kind_training};
    return f;
}

queue_cell *queue_add_cell(queue *q, const queue_file *f, const cell *what)
{
    if (q->cells == q->capacity)
        die("%s: more than %d cells", f->b->name, q->capacity);
    queue_cell *c = q->cell + q->cells++;
    *c = (queue_cell){.file = f, .cell = *what};
    c->cell.experiment = f->b->name;
    shorten(q, c);
    c->set = set_of(q, &c->cell.s);
    c->own = NEW(&q->a, char, f->kind->own + 1);
    c->seconds = queue_estimate(c);
    c->max_runs = f->kind->max_runs && f->kind->max_runs < q->runs ? f->kind->max_runs : q->runs;
    return c;
}

/* setting: of a repetition; NULL: the cell's own. */
static void add(queue *q, queue_file *f, const bench_cell *c, const char *setting)
{
    cell what = c->cell;
    what.setting = setting ? setting : what.setting;
    int searched = spec_file_apply(&f->specs, &what, f->b->specs ? "-" : what.setting);
    if (f->b->unsearched_out && c->source == SOURCE_SEARCHED && !searched && f->specs.t.rows)
        return;
    if (select_cell(&what.s, what.setting, f->b->name, q->only, &q->only_known))
        queue_add_cell(q, f, &what)->searched = searched;
}

void queue_add(queue *q, bench *b)
{
    queue_file *f = queue_add_file(q, b);
    int before = q->cells, n = 0;
    const char *setting = NULL;
    catalog_need(&q->dirs.catalog);
    f->specs = select_specs(&q->a, q->specs, b->specs ? b->specs : b->name);
    const bench_cell *c = bench_cells(&q->a, b, &q->dirs.catalog);
    do {
        for (int i = 0; i < b->cells; i++)
            add(q, f, c + i, setting);
        setting = f->kind->repeat ? f->kind->repeat(&q->a, q, ++n) : NULL;
    } while (setting);
    for (int i = 0; i < f->specs.t.rows && !b->specs; i++)
        if (!f->specs.row[i].used)
            warn("%s: row %d matches no cell of this experiment", f->specs.t.path, i + 1);
    if (q->cells == before)
        q->files--;
}

double *queue_values(int *n, queue *q, const queue_cell *c, const records *r, enum run_number which)
{
    double *x = NEW(&q->a, double, (size_t)r->n + 1);
    *n = 0;
    for (const record *v = r->v; v < r->v + r->n && c->state == CELL_READY; v++) {
        char key[17], recorded[17];
        if (!queue_looks_like(c, v) || v->run < 0 || v->run >= c->max_runs)
            continue;
        c->file->kind->key(key, q, c, v->run);
        if (!strcmp(key, run_key_text(recorded, v->key)))
            x[(*n)++] = v->number[which];
    }
    return x;
}

int queue_draws(const queue_cell *c)
{
    size_t n = strlen(c->cell.s.dataset);
    for (const char *p = c->file->b->figure; p && *p; p += strspn(p, " ")) {
        size_t word = strcspn(p, " ");
        if (word == n && !memcmp(p, c->cell.s.dataset, n))
            return 1;
        p += word;
    }
    return 0;
}

void queue_open_records(queue *q)
{
    for (int k = 0; k < q->files; k++) {
        const bench *b = q->file[k].b;
        q->file[k].records = q->file[k].kind->open(&q->a, arena_printf(&q->a, "%s/records/%s.tsv", q->out, b->name), b);
    }
}

void queue_close(queue *q)
{
    for (int k = 0; k < q->files; k++)
        record_close(q->file[k].records.f);
}

/* --- data --- */

struct call { /* arguments of open_clean */
    queue *q;
    queue_cell *c;
};

static void open_clean(void *arg)
{
    const struct call *o = arg;
    spec s = o->c->cell.s;
    s.attack = variant_rule_read("none");
    o->c->set->p = problem_open(&o->q->dirs, &s);
}

const char *queue_open_clean(queue *q, queue_cell *c)
{
    struct call o = {q, c};
    return c->set->p ? NULL : err_try(open_clean, &o);
}

static int mine(const queue *q, const queue_cell *c, int run)
{
    return !q->parts || (int)((run * (int64_t)q->cells + (c - q->cell)) % q->parts) == q->part;
}

static int is_done(const queue *q, const queue_cell *c, int run)
{
    char key[17], path[PATH_MAX];
    c->file->kind->key(key, q, c, run);
    return !q->force && record_done(c->file->records.f, key) &&
           (!c->file->kind->after || file_exists(queue_curve(q, c, key, path)));
}

static void advance(const queue *q, queue_cell *c)
{
    while (c->next < c->max_runs && (!mine(q, c, c->next) || is_done(q, c, c->next)))
        c->next++;
}

/* Why a cell or one of its runs failed; not again while others fail for the same reason. */
static void say_once(queue *q, const queue_cell *c, const char *why, const char *more)
{
    char text[sizeof q->said] = "";
    snprintf(text, sizeof text, "%s %s %s: %s", c->cell.s.dataset, c->cell.model, c->cell.loss, why);
    if (strcmp(text, q->said))
        warn("%s%s", text, more);
    memcpy(q->said, text, sizeof text);
}

void queue_prepared(queue *q, queue_cell *c, const queue_answer *w)
{
    int known = c->set->failed;
    if (!*w->error) {
        c->state = w->state;
        c->max_runs = w->max_runs;
        c->nodes = w->nodes;
        c->multi = w->multi;
        c->data = w->data;
        queue_check_recall(q, c);
        if (!c->own_runs && !(c->published > 0))
            c->seconds = w->seconds;
        memcpy(c->own, w->payload, c->file->kind->own);
        if (c->state == CELL_READY)
            advance(q, c);
        return;
    }
    c->state = CELL_FAILED;
    c->set->failed |= !w->nodes && !c->file->kind->prepare;
    if (!known)
        say_once(q, c, w->error, c->set->failed ? " (not reported again for other cells of this data set)" : "");
}

/* --- runs --- */

int queue_large(const queue_cell *c)
{
    return cost_large(c->nodes ? c->nodes : c->set->entry ? c->set->entry->nodes : 0);
}

int queue_alone(const queue_cell *c) { return c->file->kind->alone || queue_large(c); }

run_id queue_id(const queue *q, const queue_cell *c, int run) { return (run_id){c->data, &c->cell, q->seed, run}; }

char *queue_curve(const queue *q, const queue_cell *c, const char *key, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/curves/%s/%s.tsv", q->out, c->file->b->name, key);
    return path;
}

static int claim(queue *q, const queue_cell *c, int run)
{
    char key[17];
    c->file->kind->key(key, q, c, run);
    if (!record_claim(c->file->records.f, key))
        return 0;
    if (!is_done(q, c, run))
        return 1;
    record_release(c->file->records.f, key); /* another process has done it since */
    return 0;
}

int queue_take(queue *q, queue_cell *c)
{
    while (c->next < c->max_runs) {
        int run = c->next++, taken = claim(q, c, run);
        advance(q, c);
        if (taken)
            return run;
    }
    return -1;
}

void queue_release(queue *q, const queue_cell *c, int run)
{
    char key[17];
    c->file->kind->key(key, q, c, run);
    record_release(c->file->records.f, key);
}

void queue_append(queue *q, queue_cell *c, int run, const void *result, int jobs)
{
    q->failed += !c->file->kind->append(q, c, run, result, jobs);
}

void queue_fail(queue *q, queue_cell *c, int run, const char *why, int jobs)
{
    char which[32];
    snprintf(which, sizeof which, " (run %d)", run);
    say_once(q, c, why, which);
    if (c->file->kind->fail)
        c->file->kind->fail(q, c, run, why, jobs);
    q->failed++;
}
