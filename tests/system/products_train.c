/* products_train: a combination is trained, and then once more in a way that must not matter. */
#include "../unit/cell_of.h"
#include "products.h"
#include "../../src/base/file.h"
#include "../../src/base/tsv.h"
#include "../../src/net/loss/loss.h"
#include "../../src/run/spec_file.h"
#include "../../src/train/grid.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_fields(kase *k, args *v)
{
    for (int f = 0; f < SPEC_COUNT; f++)
        if (k->c.value[f] && strcmp(spec_name[f], "dataset")) {
            args_add(&k->a, v, "--%s", spec_name[f]);
            args_add(&k->a, v, "%s", k->c.value[f]);
        }
}

/* The words of a command, "train --full". */
void args_words(kase *k, args *v, const char *words)
{
    char *text = arena_printf(&k->a, "%s", words), *save = NULL;
    for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save))
        args_add(&k->a, v, "%s", w);
}

args train_on(kase *k, const char *graph_dir)
{
    args v = {0};
    args_words(k, &v, "train --data");
    args_add(&k->a, &v, "%s", k->data);
    args_add(&k->a, &v, "--dataset");
    args_add(&k->a, &v, "%s", graph_dir);
    return v;
}

args train_args(kase *k, const char *graph_dir)
{
    args v = train_on(k, graph_dir);
    add_fields(k, &v);
    args_add(&k->a, &v, "--seed=%d", k->train_seed);
    if (k->runs > 1)
        args_add(&k->a, &v, "--runs=%d", k->runs);
    return v;
}

/* Runs it with --json. predictions: the file to write, NULL: none. */
trained train_again(kase *k, args v, const char *predictions)
{
    trained t = {.predictions = predictions};
    args_add(&k->a, &v, "--json");
    if (predictions)
        args_add(&k->a, &v, "--predictions=%s", predictions);
    result r = call(k, &v);
    t.ok = r.code == 0;
    if (!t.ok) {
        check_left_behind(k, &predictions, predictions != NULL);
        return t;
    }
    for (int i = 0; i < k->runs && i < 8; i++)
        t.run[i] = call_run(&k->a, r.out, i);
    return t;
}

/* What the library's checks say must agree with the exit code. Later failures (the split, training that diverges) are
 * 1. */
static void check_legal(kase *k, int code, int save)
{
    if (code < 0 || code > 2)
        return;
    if (save && k->c.legal && loss_smoothed(k->c.s.loss)) {
        oracle(k, ORACLE_legal, code != 0, "a model with Correct & Smooth is saved");
        return;
    }
    if (k->c.legal && k->c.reads)
        oracle(k, ORACLE_legal, code != 2, "the library allows it, the program calls it a wrong command line");
    else
        oracle(k, ORACLE_legal, code != 0, "accepted, but %s", k->c.legal ? "a field is not read" : k->c.why);
}

/* The first training of a case, with predictions, and the oracles of every run. */
trained train_first(kase *k, int save)
{
    args v = train_args(k, k->graph_dir);
    const char *files[] = {call_path(k, "predictions.tsv"), call_path(k, "model")};
    args_add(&k->a, &v, "--json");
    args_add(&k->a, &v, "--predictions=%s", files[0]);
    if (save)
        args_add(&k->a, &v, "--save=%s", files[1]);
    result r = call(k, &v);
    trained t = {.ok = r.code == 0, .predictions = files[0], .model = save ? files[1] : NULL};
    k->accepted += t.ok, k->refused += !t.ok;
    check_legal(k, r.code, save);
    if (!t.ok) {
        check_left_behind(k, files, 1 + save);
        return t;
    }
    check_runs(k, r.out, files[0]);
    for (int i = 0; i < k->runs && i < 8; i++)
        t.run[i] = call_run(&k->a, r.out, i);
    return t;
}

/* All numbers but the time and, where the first ones were written, all predictions are equal. */
void train_same(kase *k, enum oracle o, const trained *a, const trained *b)
{
    if (!oracle(k, o, b->ok, "the second command is refused"))
        return;
    for (int i = 0; i < k->runs && i < 8; i++)
        if (!oracle(k, o, a->run[i] && b->run[i] && !strcmp(a->run[i], b->run[i]), "run %d: %s\n  and %s", i, a->run[i],
                    b->run[i]))
            return;
    if (b->predictions)
        oracle(k, o, !strcmp(call_read(&k->a, a->predictions), call_read(&k->a, b->predictions)),
               "the predictions differ: %s %s", a->predictions, b->predictions);
}

int train_network(const kase *k) { return k->c.legal && CELL(&k->c.s)->method->trainer != NULL; }

/* ---- the same run in another way ---- */

static void with_threads(kase *k)
{
    k->threads = 1;
    trained t = train_first(k, 0);
    if (!t.ok)
        return;
    args v = train_args(k, k->graph_dir);
    k->threads = 2 + draw_below(&k->d, 2);
    if (draw_chance(&k->d, 0.5))
        args_add(&k->a, &v, "--threads=%d", k->threads);
    trained u = train_again(k, v, call_path(k, "again.tsv"));
    train_same(k, ORACLE_threads, &t, &u);
}

static void with_words(kase *k, enum oracle o, const char *words)
{
    trained t = train_first(k, 0);
    if (!t.ok)
        return;
    args v = train_args(k, k->graph_dir);
    args_words(k, &v, words);
    trained u = train_again(k, v, call_path(k, "again.tsv"));
    if (u.ok || o != ORACLE_memory)
        train_same(k, o, &t, &u);
}

static void with_full(kase *k)
{
    if (!train_network(k)) {
        combination_set(k, "method", NULL);
        combination_check(k);
    }
    with_words(k, ORACLE_full, "--full");
}

static void with_memory(kase *k)
{
    static const char *const size[] = {"1", "100K", "1M", "2M", "4M", "8M", "16M", "64M", "1G"};
    int n = sizeof size / sizeof *size;
    with_words(k, ORACLE_memory, arena_printf(&k->a, "--memory %s", size[draw_below(&k->d, n)]));
}

static void with_jobs(kase *k)
{
    k->runs = 2 + draw_below(&k->d, 2);
    if (k->g.nsplits > 1 && k->runs > k->g.nsplits)
        k->runs = k->g.nsplits;
    trained t = train_first(k, 0);
    if (!t.ok)
        return;
    args v = train_args(k, k->graph_dir);
    args_add(&k->a, &v, "--jobs=%d", 1 + draw_below(&k->d, 3));
    trained u = train_again(k, v, call_path(k, "again.tsv"));
    train_same(k, ORACLE_jobs, &t, &u);
    for (int i = 1; i < k->runs && train_network(k) && t.run[i]; i++)
        oracle(k, ORACLE_jobs, strcmp(call_hash(&k->a, t.run[0]), call_hash(&k->a, t.run[i])) != 0,
               "run %d has the parameters of run 0", i);
    k->runs = 1;
    trained w = train_again(k, train_args(k, k->graph_dir), NULL);
    train_same(k, ORACLE_jobs, &t, &w);
}

/* The columns of --tsv up to the time, and the hash, as --json prints them. */
static const char *row_as_json(kase *k, const char *out)
{
    char *text = arena_printf(&k->a, "%s", out);
    tsv t = tsv_parse(&k->a, "stdout", text, strlen(text));
    if (t.rows != 1)
        return "not one row";
    const char *all = arena_printf(&k->a, "{\"run\": %s", t.cell[0][0]);
    for (int c = 1; c < t.cols && strcmp(t.name[c], "epoch_ms"); c++)
        all = arena_printf(&k->a, "%s, \"%s\": %s", all, t.name[c], *t.cell[0][c] ? t.cell[0][c] : "null");
    return arena_printf(&k->a, "%s, \"param_hash\": \"%s\"", all, tsv_get(&t, 0, "param_hash"));
}

static void with_observers(kase *k)
{
    static const char *const watch[] = {"--calibration", "--curve", "--profile", "--plan", "--tsv"};
    k->runs = 1;
    trained t = train_first(k, 0);
    if (!t.ok)
        return;
    const char *how = watch[train_network(k) ? draw_below(&k->d, 5) : 4];
    args v = train_args(k, k->graph_dir);
    if (!strcmp(how, "--curve"))
        args_add(&k->a, &v, "--curve=%s", call_path(k, "curve.tsv"));
    else
        args_add(&k->a, &v, "%s", how);
    result r = call(k, &v);
    if (!strcmp(how, "--tsv")) {
        const char *json = row_as_json(k, r.out);
        oracle(k, ORACLE_observed, !strcmp(json, t.run[0]), "%s\n  and %s", t.run[0], json);
        return;
    }
    if (r.code && (k->g.multi || loss_smoothed(k->c.s.loss))) /* --calibration needs probabilities of one label */
        return;
    const char *mark = arena_printf(&k->a, "parameters %s\n", call_hash(&k->a, t.run[0]));
    oracle(k, ORACLE_observed, r.code == 0 && strstr(r.out, mark), "%s: exit code %d, no '%s' in the output", how,
           r.code, mark);
}

/* Another order, = and _, and fields that were not given at their defaults where these are read. */
static void spelled(kase *k)
{
    trained t = train_first(k, 0);
    if (!t.ok)
        return;
    char buf[32];
    int order[SPEC_COUNT];
    const dataset d = graph_dataset(&k->g);
    args v = {0};
    args_words(k, &v, "train --json --data");
    args_add(&k->a, &v, "%s", k->data);
    for (int f = 0; f < SPEC_COUNT; f++)
        order[f] = f;
    rng_shuffle(order, SPEC_COUNT, k->d.r, 2000);
    for (int i = 0; i < SPEC_COUNT; i++) {
        int f = order[i];
        const char *value = k->c.value[f];
        if (!strcmp(spec_name[f], "dataset"))
            value = k->graph_dir;
        else if (!value && draw_chance(&k->d, 0.3) && method_reads(CELL(&k->c.s), f, &d))
            value = spec_get(&k->c.s, f, buf);
        if (!value)
            continue;
        char *name = arena_printf(&k->a, "%s", spec_name[f]);
        for (char *c = name; draw_chance(&k->d, 0.5) && (c = strchr(c, '_'));)
            *c = '-';
        args_add(&k->a, &v, "--%s=%s", name, value);
    }
    args_add(&k->a, &v, "--seed=%d", k->train_seed);
    args_add(&k->a, &v, "--runs=%d", k->runs);
    const char *other = call_path(k, "again.tsv");
    args_add(&k->a, &v, "--predictions=%s", other);
    result r = call(k, &v);
    trained u = {.ok = r.code == 0, .predictions = other};
    for (int i = 0; i < k->runs && u.ok && i < 8; i++)
        u.run[i] = call_run(&k->a, r.out, i);
    train_same(k, ORACLE_spelled, &t, &u);
}

/* ---- models, data and hyper-parameters from files ---- */

static void saved_model(kase *k)
{
    if (!train_network(k))
        combination_set(k, "method", NULL);
    if (draw_chance(&k->d, 0.5) && k->g.nsplits != 1) /* another split than that of run 0 */
        k->runs = 2;
    trained t = train_first(k, 1);
    if (!t.ok)
        return;
    const char *again = call_path(k, "again.tsv");
    args v = {0};
    args_words(k, &v, "predict --data");
    args_add(&k->a, &v, "%s", k->data);
    args_add(&k->a, &v, "--model=%s", t.model);
    args_add(&k->a, &v, "--predictions=%s", again);
    const char *copy = k->graph_dir;
    if (draw_chance(&k->d, 0.3) && combination_default(k, "attack")) /* another directory with the same data */
        graph_write(&k->g, copy = call_path(k, "copy"), 0);
    if (draw_chance(&k->d, 0.5) || copy != k->graph_dir)
        args_add(&k->a, &v, "--dataset=%s", copy);
    result r = call(k, &v);
    oracle(k, ORACLE_saved, r.code == 0, "jcb predict refuses the model: %s", r.err);
    oracle(k, ORACLE_saved, r.code || !strcmp(call_read(&k->a, t.predictions), call_read(&k->a, again)),
           "the predictions differ: %s %s", t.predictions, again);
}

static void converted(kase *k)
{
    static const char *const format[] = {"plain", "arrays", "mtx", "ogb"};
    trained t = train_first(k, 0);
    if (!t.ok)
        return;
    const char *other = call_path(k, draw_chance(&k->d, 0.2) ? "other graph \xc3\xa9" : "other"),
               *to = format[draw_below(&k->d, 4)];
    args v = {0};
    args_words(k, &v, "data convert --data");
    args_add(&k->a, &v, "%s", k->data);
    args_add(&k->a, &v, "%s", k->graph_dir);
    args_add(&k->a, &v, "%s", other);
    args_add(&k->a, &v, "--format=%s", to);
    result r = call(k, &v);
    if (r.code == 1 && strstr(r.err, "cannot represent")) {
        const char *files[] = {other};
        check_left_behind(k, files, 1);
        return;
    }
    oracle(k, ORACLE_converted, r.code == 0, "%s: exit code %d", to, r.code);
    trained u = train_again(k, train_args(k, other), call_path(k, "again.tsv"));
    train_same(k, ORACLE_converted, &t, &u);
}

static void other_files(kase *k)
{
    trained t = train_first(k, 0);
    if (!t.ok)
        return;
    const char *other = call_path(k, "other");
    uint64_t words = 4, style = (uint64_t)(1 + draw_below(&k->d, 127));
    graph_write(&k->g, other, k->g.multi ? style & ~words : style);
    trained u = train_again(k, train_args(k, other), call_path(k, "again.tsv"));
    train_same(k, ORACLE_files, &t, &u);
}

static void from_spec(kase *k)
{
    trained t = train_first(k, 0);
    if (!t.ok || !*combination_text(k))
        return;
    const char *file = call_path(k, "specs.tsv");
    const char *row[SPEC_COLUMNS] = {
        k->graph_dir, CELL(&k->c.s)->model, CELL(&k->c.s)->loss, "-", combination_text(k), "-", "1", "1", "1", "-"};
    spec_file_put(file, row);
    args v = train_on(k, k->graph_dir);
    static const char *const name[] = {"model", "loss", "method"};
    for (int i = 0; i < 3; i++)
        if (combination_get(k, name[i]))
            args_add(&k->a, &v, "--%s=%s", name[i], combination_get(k, name[i]));
    args_add(&k->a, &v, "--spec=%s", file);
    args_add(&k->a, &v, "--seed=%d", k->train_seed);
    args_add(&k->a, &v, "--runs=%d", k->runs);
    trained u = train_again(k, v, call_path(k, "again.tsv"));
    train_same(k, ORACLE_from_spec, &t, &u);
}

#define KIND(name, weight, run)  \
    {                            \
#name, NULL, weight, run \
    }

const kind train_kinds[] = {
    KIND(threads, 10, with_threads),
    KIND(full, 7, with_full),
    KIND(memory, 5, with_memory),
    KIND(jobs, 6, with_jobs),
    KIND(observed, 5, with_observers),
    KIND(spelled, 7, spelled),
    KIND(saved, 9, saved_model),
    KIND(converted, 6, converted),
    KIND(files, 6, other_files),
    KIND(from_spec, 6, from_spec),
    {0},
};
