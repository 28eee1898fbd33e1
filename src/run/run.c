#include "run.h"
#include "../base/hash.h"
#include "record_rows.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const number_name[RUN_NUMBER_COUNT] = {
#define X(name) #name,
    RUN_NUMBERS(X)
#undef X
};

int run_number_find(const char *column)
{
    for (int k = 0; k < RUN_NUMBER_COUNT; k++)
        if (!strcmp(number_name[k], column))
            return k;
    return -1;
}

char *run_key_text(char out[17], uint64_t key)
{
    snprintf(out, 17, "%016" PRIx64, key);
    return out;
}

/* Text that is not a finite number, such as nan, is no number of a run. */
static double number_of(const char *s)
{
    char *end;
    double x = strtod(s, &end);
    return end == s || *end || !isfinite(x) ? NAN : x;
}

static int whole_of(const char *s)
{
    double x = number_of(s);
    return x >= 0 && x < 1 << 30 && x == floor(x) ? (int)x : -1;
}

static uint64_t hash_of(const char *s)
{
    char *end;
    uint64_t h = strtoull(s, &end, 16);
    return end == s || *end ? 0 : h;
}

/* Hyper-parameters and values that this program does not know are skipped: the row may be from a later one. */
static spec read_spec(arena *a, const char *text)
{
    spec s = spec_default();
    char *save = NULL, *copy = arena_printf(a, "%s", text);
    for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        char *eq = strchr(w, '=');
        if (!eq)
            continue;
        *eq = 0;
        if (spec_field(w) >= 0)
            spec_try(&s, w, eq + 1);
    }
    return s;
}

/* Where the columns are; -1: the file has none. */
typedef struct columns {
    int key, experiment, dataset, model, loss, setting, run, seed, origin, data_hash, part_hash, param_hash, spec,
        status, blas, cpu, commit, threads, jobs, metis_bits, number[RUN_NUMBER_COUNT];
} columns;

static columns columns_of(const tsv *t)
{
    columns c = {0};
#define AT(name) c.name = tsv_col(t, #name)
    AT(key), AT(experiment), AT(dataset), AT(model), AT(loss), AT(setting), AT(run), AT(seed), AT(origin);
    AT(data_hash), AT(part_hash), AT(param_hash), AT(spec), AT(status), AT(blas), AT(cpu), AT(commit);
    AT(threads), AT(jobs), AT(metis_bits);
#undef AT
    for (int k = 0; k < RUN_NUMBER_COUNT; k++)
        c.number[k] = tsv_col(t, number_name[k]);
    return c;
}

static const char *get(char **row, int column) { return column < 0 ? "" : row[column]; }

static record read_run(arena *a, char **row, const columns *c)
{
    record r = {.key = hash_of(row[c->key]),
                .experiment = get(row, c->experiment),
                .dataset = get(row, c->dataset),
                .model = get(row, c->model),
                .loss = get(row, c->loss),
                .setting = get(row, c->setting),
                .run = whole_of(get(row, c->run)),
                .seed = whole_of(get(row, c->seed)),
                .origin = origin_find(get(row, c->origin)),
                .data_hash = hash_of(get(row, c->data_hash)),
                .part_hash = hash_of(get(row, c->part_hash)),
                .param_hash = hash_of(get(row, c->param_hash)),
                .spec = get(row, c->spec),
                .status = get(row, c->status),
                .blas = get(row, c->blas),
                .cpu = get(row, c->cpu),
                .commit = get(row, c->commit),
                .threads = whole_of(get(row, c->threads)),
                .jobs = whole_of(get(row, c->jobs)),
                .metis_bits = whole_of(get(row, c->metis_bits))};
    r.s = read_spec(a, r.spec);
    r.spec_hash = hash_text(HASH_INIT, r.spec);
    r.ok = !strcmp(r.status, "ok");
    for (int k = 0; k < RUN_NUMBER_COUNT; k++)
        r.number[k] = number_of(get(row, c->number[k]));
    return r;
}

/* Keeps the last run of each (experiment, key), successes before failures, in their order. */
static void drop_superseded(records *r)
{
    arena tmp = {0};
    size_t size = 64;
    while (size < 2 * (size_t)r->n)
        size *= 2;
    int *slot = NEW(&tmp, int, size), kept = 0; /* 1 + index */
    char *drop = NEW(&tmp, char, (size_t)r->n + 1);
    for (int i = 0; i < r->n; i++) {
        const record *v = &r->v[i];
        size_t at = hash_text(hash_u64(HASH_INIT, v->key), v->experiment) & (size - 1);
        while (slot[at] && (r->v[slot[at] - 1].key != v->key || strcmp(r->v[slot[at] - 1].experiment, v->experiment)))
            at = (at + 1) & (size - 1);
        int old = slot[at] - 1;
        if (old >= 0 && r->v[old].ok && !v->ok) {
            drop[i] = 1;
            continue;
        }
        if (old >= 0)
            drop[old] = 1;
        slot[at] = i + 1;
    }
    for (int i = 0; i < r->n; i++)
        if (!drop[i])
            r->v[kept++] = r->v[i];
    r->superseded = r->n - kept;
    r->n = kept;
    arena_free(&tmp);
}

records records_read(arena *a, const char *path)
{
    records r = {0};
    char **file = record_files(a, path, &r.files);
    tsv *part = NEW(a, tsv, (size_t)r.files + 1);
    size_t rows = 0;
    for (int i = 0; i < r.files; i++) {
        part[i] = record_rows(a, file[i], &r.malformed);
        rows += (size_t)part[i].rows;
    }
    r.v = NEW(a, record, rows + 1);
    for (int i = 0; i < r.files; i++) {
        const columns c = columns_of(&part[i]);
        for (int k = 0; k < part[i].rows; k++)
            if (record_is_current(&part[i], k))
                r.v[r.n++] = read_run(a, part[i].cell[k], &c);
            else
                r.older++;
    }
    drop_superseded(&r);
    return r;
}

int record_by_cell(const record *x, const record *y)
{
    int order = strcmp(x->experiment, y->experiment);
    order = order ? order : strcmp(x->dataset, y->dataset);
    order = order ? order : strcmp(x->model, y->model);
    order = order ? order : strcmp(x->loss, y->loss);
    return order ? order : strcmp(x->setting, y->setting);
}

uint64_t record_cell_hash(const record *r)
{
    uint64_t h = hash_text(hash_text(hash_text(HASH_INIT, r->experiment), r->dataset), r->model);
    return hash_text(hash_text(h, r->loss), r->setting);
}

static int is_trial(const char *setting) { return !strncmp(setting, "short=", 6) || strstr(setting, ",short="); }

void records_drop_trials(records *r)
{
    int n = 0;
    for (int i = 0; i < r->n; i++)
        if (!is_trial(r->v[i].setting))
            r->v[n++] = r->v[i];
    r->trials += r->n - n;
    r->n = n;
}

const record *records_find(const records *r, const char *key)
{
    uint64_t k;
    for (int i = r->n - 1; i >= 0 && record_key(key, &k); i--)
        if (r->v[i].key == k)
            return &r->v[i];
    return NULL;
}
