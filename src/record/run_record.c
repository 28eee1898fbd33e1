#include "run_record.h"
#include "../base/hash.h"
#include "../graph/blas.h"
#include "../graph/simd.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const first_columns[] = {
    "key",          "experiment",    "dataset",   "model",       "loss",          "setting",  "run",      "seed",
    "val_acc",      "test_acc",      "macro_f1",  "weighted_f1", "ece",           "brier",    "nll",      "val_loss",
    "test_loss",    "train_loss",    "epochs",    "best_epoch",  "train_seconds", "epoch_ms", "infer_ms", "peak_bytes",
    "within_links", "between_links", "smooth",    "threads",     "jobs",          "blas",     "cpu",      "commit",
    "origin",       "data_hash",     "part_hash", "metis_bits",  "param_hash"};
/* The scores as predicted, but ece_mass, are among the first columns. */
static const char *const calibration_columns[] = {"temperature", "ece_mass",        "nll_scaled", "brier_scaled",
                                                  "ece_scaled",  "ece_mass_scaled", "nll_tau",    "brier_tau",
                                                  "ece_tau",     "ece_mass_tau"};
enum {
    FIRST = sizeof first_columns / sizeof *first_columns,
    CALIBRATION = sizeof calibration_columns / sizeof *calibration_columns,
    COLUMNS = FIRST + CALIBRATION + 2
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

run_data run_data_of(const problem *p, const spec *s)
{
    const partition *q = problem_partition(p, s);
    run_data d = {.data_hash = p->d->hash,
                  .part_hash = q ? q->hash : 0,
                  .origin = (int)p->d->origin,
                  .metis_bits = q ? q->metis_bits : 0};
    problem_links(&d.within, &d.between, p, s);
    return d;
}

/* Hyper-parameters enter as text, so that a new one with a default changes no key. */
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
    run_words w = {.dataset = r->s->dataset, .setting = r->setting, .spec = spec_identity(&a, r->s)};
    w.data_hash = arena_printf(&a, "%016llx", (unsigned long long)r->data.data_hash);
    w.part_hash = arena_printf(&a, "%016llx", (unsigned long long)r->data.part_hash);
    w.seed = arena_printf(&a, "%d", r->seed);
    w.run = arena_printf(&a, "%d", r->run);
    run_key_of(out, &w);
    arena_free(&a);
}

void run_file_append(const run_file *f, const run_id *r, const outcome *o, int jobs)
{
    char text[COLUMNS][96], key[17];
    const char *value[COLUMNS];
    arena a = {0};
    const spec *s = r->s;
    const run_data *d = &r->data;
    int n = 0;
    run_key(key, r);
    const calibration *k = &o->calibration;
    const metric_scores *z = &k->predicted.scaled, *u = &k->at_tau;
#define PUT(...) (snprintf(text[n], sizeof text[n], __VA_ARGS__), value[n] = text[n], n++)
    PUT("%s", key), PUT("%s", f->experiment), PUT("%s", s->dataset), PUT("%s", method_model(s)),
        PUT("%s", method_loss(s));
    PUT("%s", r->setting), PUT("%d", r->run), PUT("%d", r->seed), PUT("%.9g", o->val.acc), PUT("%.9g", o->test.acc);
    PUT("%.9g", o->test.macro_f1), PUT("%.9g", o->test.weighted_f1), PUT("%.9g", o->test.ece),
        PUT("%.9g", o->test.brier);
    PUT("%.9g", o->test.nll), PUT("%.9g", o->val_loss), PUT("%.9g", o->test_loss), PUT("%.9g", o->train_loss),
        PUT("%d", o->epochs);
    PUT("%d", o->best_epoch), PUT("%.6g", o->seconds), PUT("%.6g", o->epoch_ms), PUT("%.6g", o->infer_ms),
        PUT("%zu", o->bytes), PUT("%lld", (long long)d->within);
    PUT("%lld", (long long)d->between), PUT("%s", o->smooth), PUT("%d", o->threads);
    PUT("%d", jobs), PUT("%s", blas_name()), PUT("%s", simd_name()), PUT("%s", f->commit),
        PUT("%s", origin_name[d->origin]);
    PUT("%016llx", (unsigned long long)d->data_hash), PUT("%016llx", (unsigned long long)d->part_hash);
    PUT("%d", d->metis_bits), PUT("%016llx", (unsigned long long)o->param_hash);
    double found[CALIBRATION] = {k->predicted.temperature,
                                 k->predicted.plain.ece_mass,
                                 z->nll,
                                 z->brier,
                                 z->ece,
                                 z->ece_mass,
                                 u->nll,
                                 u->brier,
                                 u->ece,
                                 u->ece_mass};
    for (int i = 0; i < CALIBRATION && f->calibrated; i++)
        if (k->measured && isfinite(found[i]))
            PUT("%.9g", found[i]);
        else
            PUT("%s", "");
    value[n++] = spec_identity(&a, s);
    PUT("%s", o->status);
#undef PUT
    record_append(f->f, value);
    arena_free(&a);
}
