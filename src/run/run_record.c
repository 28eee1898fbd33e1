#include "run_record.h"
#include "../base/hash.h"
#include "../kernel/blas.h"
#include "../kernel/simd.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const first_columns[] = {
    "key",          "experiment",    "dataset",   "model",       "loss",          "setting",  "run",      "seed",
    "val_acc",      "test_acc",      "macro_f1",  "weighted_f1", "ece",           "brier",    "nll",      "val_loss",
    "test_loss",    "train_loss",    "epochs",    "best_epoch",  "train_seconds", "epoch_ms", "infer_ms", "peak_bytes",
    "within_links", "between_links", "smooth",    "threads",     "jobs",          "blas",     "cpu",      "commit",
    "origin",       "data_hash",     "part_hash", "metis_bits",  "param_hash"};
/* Without the scores as predicted (except ece_mass), which are among the first columns. */
static const char *const calibration_columns[] = {"temperature", "ece_mass",        "nll_scaled", "brier_scaled",
                                                  "ece_scaled",  "ece_mass_scaled", "nll_tau",    "brier_tau",
                                                  "ece_tau",     "ece_mass_tau"};
enum {
    FIRST = sizeof first_columns / sizeof *first_columns,
    CALIBRATION = sizeof calibration_columns / sizeof *calibration_columns
};

record_file *run_record_open(arena *a, const char *path, const char *const *first, int n)
{
    const char **name = NEW(a, const char *, (size_t)n + 2);
    memcpy(name, first, (size_t)n * sizeof *name);
    name[n++] = "spec";
    name[n++] = "status";
    return record_open(a, path, name, n);
}

run_file run_file_open(arena *a, const char *path, const char *experiment, const char *commit, int calibrated)
{
    const char *name[FIRST + CALIBRATION];
    memcpy(name, first_columns, sizeof first_columns);
    memcpy(name + FIRST, calibration_columns, sizeof calibration_columns);
    run_file f = {run_record_open(a, path, name, calibrated ? FIRST + CALIBRATION : FIRST), experiment, commit,
                  calibrated};
    if (calibrated)
        record_need(f.f, calibration_columns[0]);
    return f;
}

run_data run_data_of(const problem *p, const cell *c)
{
    const partition *q = problem_partition(p, c);
    run_data d = {.data_hash = problem_dataset(p)->hash,
                  .part_hash = q ? q->hash : 0,
                  .origin = (int)problem_dataset(p)->origin,
                  .metis_bits = q ? q->metis_bits : 0};
    problem_links(&d.within, &d.between, p, c);
    return d;
}

/* Hyper-parameters are hashed as the text of those that differ from the defaults, so that a new one changes no key. */
void run_key_of(char out[17], const run_words *w)
{
    arena a = {0};
    const char *text =
        arena_printf(&a, "results=%d dataset=%s data=%s partition=%s seed=%s run=%s setting=%s %s", RESULTS_VERSION,
                     w->dataset, w->data_hash, w->part_hash, w->seed, w->run, w->setting, w->spec);
    snprintf(out, 17, "%016llx", (unsigned long long)hash_text(HASH_INIT, text));
    arena_free(&a);
}

void run_key(char out[17], const run_id *r)
{
    arena a = {0};
    run_words w = {.dataset = r->c->s.dataset, .setting = r->c->setting, .spec = spec_identity(&a, &r->c->s)};
    w.data_hash = arena_printf(&a, "%016llx", (unsigned long long)r->data.data_hash);
    w.part_hash = arena_printf(&a, "%016llx", (unsigned long long)r->data.part_hash);
    w.seed = arena_printf(&a, "%d", r->seed);
    w.run = arena_printf(&a, "%d", r->run);
    run_key_of(out, &w);
    arena_free(&a);
}

void record_put_build(record_row *row, const char *commit)
{
    record_put(row, "blas", "%s", blas_name());
    record_put(row, "cpu", "%s", simd_name());
    record_put(row, "commit", "%s", commit);
}

void run_record_id(record_row *row, const run_id *r, const char *experiment)
{
    char key[17];
    arena a = {0};
    run_key(key, r);
    record_put(row, "key", "%s", key);
    record_put(row, "experiment", "%s", experiment);
    record_put(row, "dataset", "%s", r->c->s.dataset);
    record_put(row, "model", "%s", r->c->model);
    record_put(row, "loss", "%s", r->c->loss);
    record_put(row, "setting", "%s", r->c->setting);
    record_put(row, "run", "%d", r->run);
    record_put(row, "seed", "%d", r->seed);
    record_put(row, "origin", "%s", origin_name[r->data.origin]);
    record_put_hash(row, "data_hash", r->data.data_hash);
    record_put(row, "spec", "%s", spec_identity(&a, &r->c->s));
    arena_free(&a);
}

static int has_own_bits(const char *cpu)
{
    size_t n = strlen(cpu);
    return !strcmp(cpu, "x86-64") || !strcmp(cpu, "generic") || (n > 4 && !strcmp(cpu + n - 4, "-all"));
}

int run_same_bits(const char *cpu, const char *other)
{
    return !strcmp(cpu, other) || (!has_own_bits(cpu) && !has_own_bits(other));
}

static void put_scores(record_row *row, const outcome *o)
{
    record_put(row, "val_acc", "%.9g", o->val.acc);
    record_put(row, "test_acc", "%.9g", o->test.acc);
    record_put(row, "macro_f1", "%.9g", o->test.macro_f1);
    record_put(row, "weighted_f1", "%.9g", o->test.weighted_f1);
    record_put(row, "ece", "%.9g", o->test.ece);
    record_put(row, "brier", "%.9g", o->test.brier);
    record_put(row, "nll", "%.9g", o->test.nll);
    record_put(row, "val_loss", "%.9g", o->val_loss);
    record_put(row, "test_loss", "%.9g", o->test_loss);
    record_put(row, "train_loss", "%.9g", o->train_loss);
}

static void put_calibration(record_row *row, const calibration *k)
{
    const metric_scores *z = &k->predicted.scaled, *u = &k->at_tau;
    struct {
        const char *column;
        double x;
    } found[] = {{"temperature", k->predicted.temperature},
                 {"ece_mass", k->predicted.plain.ece_mass},
                 {"nll_scaled", z->nll},
                 {"brier_scaled", z->brier},
                 {"ece_scaled", z->ece},
                 {"ece_mass_scaled", z->ece_mass},
                 {"nll_tau", u->nll},
                 {"brier_tau", u->brier},
                 {"ece_tau", u->ece},
                 {"ece_mass_tau", u->ece_mass}};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        if (isfinite(found[i].x))
            record_put(row, found[i].column, "%.9g", found[i].x);
}

void run_file_append(const run_file *f, const run_id *r, const outcome *o, int jobs)
{
    record_row row = record_row_new(f->f);
    run_record_id(&row, r, f->experiment);
    put_scores(&row, o);
    record_put(&row, "epochs", "%d", o->epochs);
    record_put(&row, "best_epoch", "%d", o->best_epoch);
    record_put(&row, "train_seconds", "%.6g", o->seconds);
    record_put(&row, "epoch_ms", "%.6g", o->epoch_ms);
    record_put(&row, "infer_ms", "%.6g", o->infer_ms);
    record_put(&row, "peak_bytes", "%zu", o->bytes);
    record_put(&row, "within_links", "%lld", (long long)r->data.within);
    record_put(&row, "between_links", "%lld", (long long)r->data.between);
    record_put(&row, "smooth", "%s", o->smooth);
    record_put(&row, "threads", "%d", o->threads);
    record_put(&row, "jobs", "%d", jobs);
    record_put_build(&row, f->commit);
    record_put_hash(&row, "part_hash", r->data.part_hash);
    record_put(&row, "metis_bits", "%d", r->data.metis_bits);
    record_put_hash(&row, "param_hash", o->param_hash);
    if (f->calibrated && o->calibration.measured)
        put_calibration(&row, &o->calibration);
    record_put(&row, "status", "%s", o->status);
    record_row_append(&row);
}
