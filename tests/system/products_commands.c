/* products_commands: searches, comparisons, attacks and experiments, and what is made from their records. */
#include "../unit/cell_of.h"
#include "products.h"
#include "../../src/run/bench.h"
#include "../../src/data/variant/attack.h"
#include "../../src/base/tsv.h"
#include "../../src/net/loss/loss.h"
#include "../../src/run/spec_file.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value in "key=value ..." may not have blanks. */
static int has_blanks(const char *s) { return strpbrk(s, " \t") != NULL; }

/* "dataset=... model=... key=value ...": the combination as jcb tune takes it. */
static const char *base_text(kase *k)
{
    const char *all = arena_printf(&k->a, "dataset=%s", k->graph_dir);
    static const char *const name[] = {"model", "loss"};
    for (int i = 0; i < 2; i++)
        if (combination_get(k, name[i]))
            all = arena_printf(&k->a, "%s %s=%s", all, name[i], combination_get(k, name[i]));
    return arena_printf(&k->a, "%s %s", all, combination_text(k));
}

/* A refused command must leave nothing in a new directory. */
static void check_directory(kase *k, const result *r, const char *out)
{
    if (r->code == 2)
        check_left_behind(k, &out, 1);
}

static args command(kase *k, const char *words)
{
    args v = {0};
    args_words(k, &v, words);
    args_add(&k->a, &v, "--data=%s", k->data);
    return v;
}

/* jcb check, and one of tables, figures and report, which write into the results directory. */
static void check_reports(kase *k, const char *out)
{
    static const char *const make[] = {"tables", "figures", "report"};
    args v = {0};
    args_words(k, &v, "check");
    args_add(&k->a, &v, "%s", out);
    result r = call(k, &v);
    oracle(k, ORACLE_reported, r.code == 0 && !strstr(r.out, "INVALID"), "jcb check: %s%s", r.out, r.err);
    args w = {0};
    const char *what = make[draw_below(&k->d, 3)];
    args_add(&k->a, &w, "%s", what);
    args_add(&k->a, &w, "--out=%s", out);
    args_add(&k->a, &w, "--paper=%s/paper_tables", products_tree);
    if (!strcmp(what, "report"))
        args_add(&k->a, &w, "--data=%s", k->data);
    r = call(k, &w);
    oracle(k, ORACLE_reported, r.code == 0, "jcb %s: exit code %d: %s", what, r.code, r.err);
}

/* jcb train with the spec of a recorded run gives its parameters and scores. */
static void check_same(kase *k, const tsv *t, int row, const char *name)
{
    spec s = resolve_text(&k->a, NULL, tsv_get(t, row, "spec"), "record");
    char buf[32];
    const spec defaults = spec_default();
    int run = atoi(tsv_get(t, row, "run"));
    args v = {0};
    if (strcmp(tsv_get(t, row, "status"), "ok") || run > 7)
        return;
    args_words(k, &v, "train --json");
    args_add(&k->a, &v, "--data=%s", k->data);
    args_add(&k->a, &v, "--dataset=%s", name);
    args_add(&k->a, &v, "--seed=%s", tsv_get(t, row, "seed"));
    args_add(&k->a, &v, "--runs=%d", run + 1);
    for (int f = 0; f < SPEC_COUNT; f++) {
        const char *value = spec_get(&s, f, buf);
        char def[32];
        if (strcmp(spec_name[f], "dataset") && strcmp(value, spec_get(&defaults, f, def)) &&
            method_reads(CELL(&s), f, NULL))
            args_add(&k->a, &v, "--%s=%s", spec_name[f], value);
    }
    result r = call(k, &v);
    const char *got = r.code ? NULL : call_run(&k->a, r.out, run);
    oracle(k, ORACLE_same_record,
           got && !strcmp(call_hash(&k->a, got), tsv_get(t, row, "param_hash")) &&
               !(fabs(call_value(got, "test_acc") - strtod(tsv_get(t, row, "test_acc"), NULL)) > 1e-8),
           "run %d is recorded with %s, accuracy %s; jcb train gives %s%s", run, tsv_get(t, row, "param_hash"),
           tsv_get(t, row, "test_acc"), got ? got : r.err, "");
}

/* ---- jcb tune ---- */

/* One or two keys that the combination reads, two values each. */
static const char *draw_grid(kase *k)
{
    const dataset d = graph_dataset(&k->g);
    const char *all = "";
    for (int t = 0, n = 0; t < 60 && n < 2; t++) {
        int f = draw_below(&k->d, SPEC_COUNT);
        const char *name = spec_name[f], *x = draw_value(k, f, NULL), *y = draw_value(k, f, NULL);
        if (!k->c.legal || !method_reads(CELL(&k->c.s), f, &d) || strstr(all, name) || !strcmp(x, y) ||
            strchr(x, ',') || strchr(y, ',') ||
            strstr("dataset model loss split attack method batch inductive partition inference", name))
            continue;
        all = arena_printf(&k->a, "%s%s%s=%s,%s", all, n++ ? " " : "", name, x, y);
    }
    return *all ? all : "lr=0.01,0.1";
}

/* The largest mean validation accuracy of a spec with all its runs, in percent. */
static double best_recorded(const tsv *t, int seeds)
{
    double best = -INFINITY;
    for (int i = 0; i < t->rows; i++) {
        double sum = 0;
        int n = 0;
        for (int j = 0; j < t->rows; j++)
            if (!strcmp(tsv_get(t, i, "spec"), tsv_get(t, j, "spec")) && !strcmp(tsv_get(t, j, "status"), "ok"))
                sum += strtod(tsv_get(t, j, "val_acc"), NULL), n++;
        if (n == seeds)
            best = fmax(best, 100 * sum / n);
    }
    return best;
}

static void tune(kase *k)
{
    if (has_blanks(k->graph_dir))
        return;
    const char *out = call_path(k, "out"), *specs = call_path(k, "specs"), *grid = draw_grid(k);
    int seeds = 1 + draw_below(&k->d, 2);
    args v = command(k, "tune --experiment=try --quiet");
    args_add(&k->a, &v, "--base=%s", base_text(k));
    args_add(&k->a, &v, "--grid=%s", grid);
    args_add(&k->a, &v, "--out=%s", out);
    args_add(&k->a, &v, "--specs=%s", specs);
    args_add(&k->a, &v, "--seeds=%d", seeds);
    args_add(&k->a, &v, "--jobs=%d", 1 + draw_below(&k->d, 2));
    result r = call(k, &v);
    k->accepted += r.code == 0, k->refused += r.code != 0;
    check_directory(k, &r, out);
    check_directory(k, &r, specs);
    const char *path = arena_printf(&k->a, "%s/tune/try.tsv", out), *found = arena_printf(&k->a, "%s/try.tsv", specs);
    if (r.code) {
        check_left_behind(k, &found, 1);
        return;
    }
    records_hold(k, path, 0);
    tsv t = tsv_read(&k->a, path), w = tsv_read(&k->a, found);
    double best = best_recorded(&t, seeds), said = w.rows ? strtod(tsv_get(&w, 0, "val_acc"), NULL) : NAN;
    oracle(k, ORACLE_winner, w.rows == 1 && fabs(best - said) < 0.0051,
           "val_acc %g is written, the best recorded is %g", said, best);
    args u = train_on(k, k->graph_dir);
    static const char *const name[] = {"model", "loss", "method"};
    for (int i = 0; i < 3; i++)
        if (combination_get(k, name[i]))
            args_add(&k->a, &u, "--%s=%s", name[i], combination_get(k, name[i]));
    args_add(&k->a, &u, "--spec=%s/try.tsv", specs);
    args_words(k, &u, "--json");
    if (combination_get(k, "attack")) /* names the cell, and has no column */
        args_add(&k->a, &u, "--attack=%s", combination_get(k, "attack"));
    r = call(k, &u);
    oracle(k, ORACLE_winner, r.code == 0 || strstr(r.err, "failed:"), "jcb train refuses the winner: %s", r.err);
}

/* ---- jcb compare ---- */

static void compare(kase *k)
{
    int n = 0, points = draw_chance(&k->d, 0.3) ? 1 : 0;
    while (objectives[n])
        n++;
    const char *out = call_path(k, "out"), *a = objectives[draw_below(&k->d, n)]->name,
               *b = objectives[draw_below(&k->d, n)]->name;
    if (k->g.multi)
        a = "ce", b = "jc";
    combination_set(k, "method", NULL);
    combination_set(k, "loss", NULL);
    for (int f = 0; f < SPEC_COUNT; f++) /* what one of the losses does not read is refused */
        if (k->c.value[f] &&
            !strstr("model epochs hidden lr wd split norm select patience validate_every", spec_name[f]))
            k->c.value[f] = NULL;
    args v = command(k, "compare --quiet --seeds=1 --runs=2 --until=runs");
    const char *network = combination_get(k, "model") ? combination_get(k, "model") : "gcn";
    combination_set(k, "model", NULL);
    args_add(&k->a, &v, "--dataset=%s", k->graph_dir);
    args_add(&k->a, &v, "--model=%s", network);
    args_add(&k->a, &v, "--losses=%s,%s", a, b);
    args_add(&k->a, &v, "--base=%s", combination_text(k));
    args_add(&k->a, &v, "--tune=%d", points);
    args_add(&k->a, &v, "--out=%s", out);
    args_add(&k->a, &v, "--jobs=%d", 1 + draw_below(&k->d, 2));
    result r = call(k, &v);
    k->accepted += r.code == 0, k->refused += r.code != 0;
    check_directory(k, &r, out);
    if (r.code)
        return;
    const char *path = arena_printf(&k->a, "%s/records/compare.tsv", out);
    records_hold(k, path, 1);
    tsv t = tsv_read(&k->a, path);
    oracle(k, ORACLE_records, t.rows == 4, "%d rows for two losses and two runs", t.rows);
    check_same(k, &t, draw_below(&k->d, t.rows), k->graph_dir);
    check_reports(k, out);
}

/* ---- jcb attack ---- */

/* The flips that jcb attack finds are those of --attack METHOD:RATE:SEED, at any number of threads, and are not found
 * again when it is started again. */
static void attack(kase *k)
{
    int n = 0, seed = 1 + draw_below(&k->d, 5);
    while (attack_methods[n].name)
        n++;
    const char *name = attack_methods[draw_below(&k->d, n)].name, *file = call_path(k, "flips"),
               *rate = arena_printf(&k->a, "%.3f", 0.01 + 0.09 * draw_uniform(&k->d));
    combination_set(k, "norm", NULL);
    combination_set(k, "attack", arena_printf(&k->a, "%s:%s:%d", name, rate, seed));
    args v = command(k, "attack --quiet");
    args_add(&k->a, &v, "--dataset=%s", k->graph_dir);
    args_add(&k->a, &v, "--method=%s", name);
    args_add(&k->a, &v, "--rate=%s", rate);
    args_add(&k->a, &v, "--seed=%d", seed);
    args_add(&k->a, &v, "--init=fresh"); /* what METHOD:RATE:SEED means; without options it depends on the graph */
    args_add(&k->a, &v, "--write=%s", file);
    k->threads = 1 + draw_below(&k->d, 3);
    result r = call(k, &v);
    k->threads = 1;
    if (r.code) {
        check_left_behind(k, &file, 1);
        k->refused++;
        return;
    }
    char *flips = call_read(&k->a, file);
    r = call(k, &v);
    oracle(k, ORACLE_flips, r.code == 0 && !strcmp(flips, call_read(&k->a, file)), "a second start: exit code %d",
           r.code);
    trained t = train_first(k, 0);
    if (!t.ok)
        return;
    combination_set(k, "attack", arena_printf(&k->a, "file:%s", file));
    trained w = train_again(k, train_args(k, k->graph_dir), call_path(k, "again.tsv"));
    train_same(k, ORACLE_flips, &t, &w);
}

/* ---- jcb bench ---- */

static args bench_command_of(kase *k, const bench *b, const char *only, const char *out)
{
    args v = {0};
    args_words(k, &v, "bench");
    args_add(&k->a, &v, "%s", b->name);
    args_add(&k->a, &v, "--data=%s", k->data);
    args_add(&k->a, &v, "--specs=%s", call_path(k, "specs"));
    args_add(&k->a, &v, "--only=%s", only);
    args_add(&k->a, &v, "--out=%s", out);
    args_words(k, &v, "--quiet --jobs=1");
    return v;
}

/* Fewer epochs, and other hyper-parameters that the cell reads. */
static void write_spec(kase *k, const bench *b, const spec *s, const char *setting)
{
    int own = CELL(s)->method->own_networks;
    const char *text =
        arena_printf(&k->a, "epochs=%d%s", 1 + draw_below(&k->d, 12), own ? "" : " patience=0 evaluate_from=1");
    for (int t = 0; t < 2; t++) {
        int f = draw_below(&k->d, SPEC_COUNT);
        if (strstr("hidden dropout lr wd tau beta eps", spec_name[f]) && !strstr(text, spec_name[f]) &&
            method_reads(CELL(s), f, NULL))
            text = arena_printf(&k->a, "%s %s=%s", text, spec_name[f], draw_value(k, f, NULL));
    }
    const char *row[SPEC_COLUMNS] = {
        s->dataset, CELL(s)->model, CELL(s)->loss, b->specs ? "-" : setting, text, "-", "1", "1", "1", "-"};
    spec_file_put(arena_printf(&k->a, "%s/%s.tsv", call_path(k, "specs"), b->specs ? b->specs : b->name), row);
}

/* Specs for the cell and those with its data set, model and loss in other settings; --only, which selects them. */
static const char *draw_cells(kase *k, const bench *b)
{
    const bench_cell *drawn = b->cell + draw_below(&k->d, b->cells);
    const char *setting = drawn->cell.setting;
    const spec s = drawn->cell.s;
    for (int i = 0; i < b->cells; i++) {
        const spec q = b->cell[i].cell.s;
        if (!strcmp(q.dataset, s.dataset) && !strcmp(q.model, s.model) && !strcmp(q.loss, s.loss) &&
            !strcmp(q.method, s.method))
            write_spec(k, b, &q, b->cell[i].cell.setting);
    }
    int one = strchr(setting, '=') && !strchr(setting, ',');
    return arena_printf(&k->a, "dataset=%s,model=%s,loss=%s,method=%s%s%s", s.dataset, s.model, s.loss, s.method,
                        one ? "," : "", one ? setting : "");
}

static void experiment(kase *k)
{
    enum { MAX_CELLS = 100 }; /* more are those on attacked graphs, and many settings of one cell */
    int n = 0, shortened = draw_chance(&k->d, 0.2); /* tables leave such runs out */
    bench_shelf shelf = {.a = &k->a};
    bench *const *all = bench_all(&shelf);
    while (all[n])
        n++;
    bench *b = all[draw_below(&k->d, n)];
    if (!b->kind->trains)
        return;
    bench_cells(&k->a, b, &(catalog){0});
    if (b->cells > MAX_CELLS)
        return;
    const char *out = call_path(k, "out"), *path = arena_printf(&k->a, "%s/records/%s.tsv", out, b->name);
    args v = bench_command_of(k, b, draw_cells(k, b), out);
    args_add(&k->a, &v, "--runs=%d", 1 + draw_below(&k->d, 2));
    if (shortened)
        args_words(k, &v, "--short=3");
    result r = call(k, &v);
    k->accepted += r.code == 0, k->refused += r.code != 0;
    /* Cells for graphs with more nodes than these twins have, and training that diverges, are failures with a reason.
     */
    int failed = r.code == 1 && (strstr(r.err, "clusters of") || strstr(r.err, "runs or cells failed"));
    oracle(k, ORACLE_records, failed || (r.code == 0 && call_exists(path)), "jcb bench: exit code %d: %s", r.code,
           r.err);
    if (!call_exists(path) || (failed && tsv_read(&k->a, path).rows == 0))
        return;
    records_hold(k, path, 1);
    tsv t = tsv_read(&k->a, path);
    int row = draw_below(&k->d, t.rows);
    check_same(k, &t, row, arena_printf(&k->a, "twin:%s", tsv_get(&t, row, "dataset")));
    if (!shortened)
        check_reports(k, out);
}

/* Two shards, merged, are the whole. */
static void merged(kase *k)
{
    bench_shelf shelf = {.a = &k->a};
    const bench *b = bench_find(&shelf, "balanced");
    const char *dir[] = {call_path(k, "whole"), call_path(k, "one"), call_path(k, "two"), call_path(k, "merged")};
    const char *only = arena_printf(&k->a, "dataset=cora,model=%s", draw_chance(&k->d, 0.5) ? "mlp" : "gcn|sgc");
    static const char *const pair[][2] = {{"gcn", "ce"}, {"gcn", "jc"}, {"sgc", "ce"},
                                          {"sgc", "jc"}, {"mlp", "ce"}, {"mlp", "jc"}};
    for (int i = 0; i < 6; i++) {
        spec s = spec_default();
        s.model = pair[i][0], s.loss = pair[i][1];
        write_spec(k, b, &s, "-");
    }
    for (int i = 0; i < 3; i++) {
        args v = bench_command_of(k, b, only, dir[i]);
        args_words(k, &v, "--runs=2");
        if (i)
            args_add(&k->a, &v, "--shard=%d/2", i);
        if (call(k, &v).code)
            return;
    }
    k->accepted++;
    args v = {0};
    args_words(k, &v, "merge");
    for (int i = 0; i < 3; i++)
        args_add(&k->a, &v, "%s", dir[i ? i : 3]);
    result r = call(k, &v);
    oracle(k, ORACLE_reported, r.code == 0, "jcb merge: %s", r.err);
    tsv x = tsv_read(&k->a, arena_printf(&k->a, "%s/records/balanced.tsv", dir[0])),
        y = tsv_read(&k->a, arena_printf(&k->a, "%s/records/balanced.tsv", dir[3]));
    int found = 0;
    for (int i = 0; i < x.rows; i++)
        for (int j = 0; j < y.rows; j++)
            found += !strcmp(tsv_get(&x, i, "key"), tsv_get(&y, j, "key")) &&
                     !strcmp(tsv_get(&x, i, "param_hash"), tsv_get(&y, j, "param_hash")) &&
                     !strcmp(tsv_get(&x, i, "test_acc"), tsv_get(&y, j, "test_acc"));
    oracle(k, ORACLE_reported, found == x.rows && x.rows == y.rows, "%d rows, merged %d, %d equal", x.rows, y.rows,
           found);
    check_reports(k, dir[3]);
}

const kind command_kinds[] = {
    {"tune", NULL, 3, tune},        {"compare", NULL, 2, compare}, {"attack", NULL, 3, attack},
    {"bench", NULL, 3, experiment}, {"merge", NULL, 1, merged},    {0},
};
