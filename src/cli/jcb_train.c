/* jcb train */
#include "../run/bench.h"
#include "../base/clock.h"
#include "../base/err.h"
#include "../base/memory.h"
#include "../base/file.h"
#include "../base/opt.h"
#include "jcb.h"
#include "../net/profile.h"
#include "../train/method/cost_model.h"
#include "../train/method/resolve.h"
#include "../result/compare.h"
#include "../run/spec_file.h"
#include "../result/stats.h"
#include "../train/saved.h"
#include "version.h"
#include <errno.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct train_args {
    const char *specs, *setting, *data, *memory, *predictions, *embeddings, *save, *curve;
    FILE *curve_file;
    int runs, seed, jobs, threads, plan, profile, full, calibration, json, tsv, quiet;
    const char *text[SPEC_COUNT];
} train_args;

static void parse_train(train_args *t, int argc, char **argv)
{
    static char help[SPEC_COUNT][200];
    const opt own[] = {
        {"runs", OPT_INT, &t->runs, "N",
         "runs, each with its own seed and split (at most one for each split where several are published)", "1", 1,
         100000},
        {"spec", OPT_TEXT, &t->specs, "FILE",
         "hyper-parameters for this data set, model and loss from a file of jcb tune, or `bench`: those of the "
         "experiments; other options override them",
         NULL, 0, 0},
        {"setting", OPT_TEXT, &t->setting, "K=V", "with --spec: the setting of the row", "-", 0, 0},
        OPT_SEED(&t->seed),
        OPT_JOBS(&t->jobs),
        {"threads", OPT_INT, &t->threads, "N", "threads of a run; implies one run at a time (default: the cores)", NULL,
         1, 4096},
        OPT_DATA(&t->data),
        OPT_MEMORY(&t->memory),
        {"curve", OPT_TEXT, &t->curve, "FILE",
         "write run, epoch, training loss, validation loss and validation accuracy (micro-F1) of each epoch; a FILE "
         "NAME.tsv is drawn by plots/draw.sh with its directory",
         NULL, 0, 0},
        {"calibration", OPT_FLAG, &t->calibration, NULL,
         "print NLL, Brier score and ECE of the test nodes: as predicted, scaled by a temperature fitted on validation "
         "nodes, scaled by tau",
         NULL, 0, 0},
        {"plan", OPT_FLAG, &t->plan, NULL, "print the network, one op a line", NULL, 0, 0},
        {"profile", OPT_FLAG, &t->profile, NULL, "print the time of each op in an epoch", NULL, 0, 0},
        {"full", OPT_FLAG, &t->full, NULL,
         "for timing: compute all nodes in every layer and reuse no values of the prediction; same bits", NULL, 0, 0},
        {"predictions", OPT_TEXT, &t->predictions, "FILE",
         "write label, prediction, confidence, probabilities and part of every node; print F1 by class and the "
         "confusion matrix (last run)",
         NULL, 0, 0},
        {"embeddings", OPT_TEXT, &t->embeddings, "FILE",
         "write the embedding of every node, the input of the last layer (last run)", NULL, 0, 0},
        {"save", OPT_TEXT, &t->save, "FILE", "write the trained model (last run) for jcb predict", NULL, 0, 0},
        {"json", OPT_FLAG, &t->json, NULL, "print each run as a JSON object on a line", NULL, 0, 0},
        {"tsv", OPT_FLAG, &t->tsv, NULL, "print the runs as tab-separated values", NULL, 0, 0},
        {"quiet", OPT_FLAG, &t->quiet, NULL, "print nothing but errors", NULL, 0, 0},
        {NULL, OPT_FLAG, NULL, NULL, NULL, NULL, 0, 0},
    };
    static opt table[SPEC_COUNT + sizeof own / sizeof *own];
    spec s = spec_default();
    char text[32];
    for (int k = 0; k < SPEC_COUNT; k++) {
        snprintf(help[k], sizeof help[k], "%s (default: %s)", spec_help[k], spec_get(&s, k, text));
        table[k] = (opt){spec_name[k], OPT_TEXT, &t->text[k], "X", help[k], NULL, 0, 0};
    }
    memcpy(table + SPEC_COUNT, own, sizeof own);
    opt_only(argc, argv, table,
             "jcb train [option ...]\nTrains a network and tests it at the epoch that was best on validation nodes.",
             "Example: jcb train --dataset cora --model gcn --loss jc --spec bench --runs 10\n"
             "A graph of your own: jcb train --dataset path/to/directory (doc/manual.md, \"Your own graph\").\n");
    for (int k = 0; k < SPEC_COUNT; k++)
        if (!strcmp(spec_name[k], "dataset") || !strcmp(spec_name[k], "model") || !strcmp(spec_name[k], "loss") ||
            !strcmp(spec_name[k], "method"))
            opt_fold(t->text[k]);
}

/* Prints a TSV row (after a header for run 0) or a JSON object; NaN is an empty field or null. */
static void show_values(const train_args *args, const cell *c, int run, const outcome *o, const dataset *d)
{
    arena a = {0};
    const struct {
        const char *name, *text;
    } about[] = {{"dataset", d->name},
                 {"origin", origin_name[d->origin]},
                 {"model", c->model},
                 {"loss", c->loss},
                 {"spec", spec_identity(&a, &c->s)},
                 {"version", JCB_COMMIT},
                 {"data_hash", arena_printf(&a, "%016llx", (unsigned long long)d->hash)},
                 {"param_hash", arena_printf(&a, "%016llx", (unsigned long long)o->param_hash)}};
    const struct {
        const char *name;
        double x;
    } v[] = {{"test_acc", o->test.acc},      {"val_acc", o->val.acc},
             {"macro_f1", o->test.macro_f1}, {"weighted_f1", o->test.weighted_f1},
             {"ece", o->test.ece},           {"brier", o->test.brier},
             {"nll", o->test.nll},           {"best_epoch", o->best_epoch},
             {"epochs", o->epochs},          {"epoch_ms", o->epoch_ms}};
    int n = sizeof v / sizeof *v, texts = sizeof about / sizeof *about;
    if (args->tsv && !run) {
        printf("run\tseed");
        for (int i = 0; i < n; i++)
            printf("\t%s", v[i].name);
        for (int i = 0; i < texts; i++)
            printf("\t%s", about[i].name);
        printf("\n");
    }
    printf(args->tsv ? "%d\t%d" : "{\"run\": %d, \"seed\": %d", run, args->seed);
    for (int i = 0; i < n; i++) {
        printf(args->tsv ? "\t" : ", \"%s\": ", v[i].name);
        printf(isfinite(v[i].x) ? "%.9g" : args->tsv ? "" : "null", v[i].x);
    }
    for (int i = 0; i < texts; i++) {
        printf(args->tsv ? "\t" : ", \"%s\": \"", about[i].name);
        for (const char *s = about[i].text; *s; s++) /* names and paths: no control characters */
            printf(!args->tsv && (*s == '"' || *s == '\\') ? "\\%c" : "%c", *s);
        printf(args->tsv ? "" : "\"");
    }
    printf(args->tsv ? "\n" : "}\n");
    arena_free(&a);
}

static void show_run(const train_args *args, const cell *c, int run, const outcome *o, const dataset *d)
{
    int multi = d->ym != NULL;
    if (args->tsv || args->json)
        show_values(args, c, run, o, d);
    if (args->tsv || args->json || args->quiet)
        return;
    printf("run %d: ", run);
    if (isnan(o->test.acc))
        printf("no test nodes  validation %.2f %%", 100 * o->val.acc);
    else if (multi)
        printf("test %.2f %%  validation %.2f %%  (micro-F1)  macro-F1 %.2f %%  NLL %.4f", 100 * o->test.acc,
               100 * o->val.acc, 100 * o->test.macro_f1, o->test.nll);
    else
        printf("test %.2f %%  validation %.2f %%", 100 * o->test.acc, 100 * o->val.acc);
    if (isfinite(o->test.ece) && !multi)
        printf("  ECE %.2f %%", 100 * o->test.ece);
    printf("  epoch %d of %d  %.3f ms/epoch  parameters %016llx\n", o->best_epoch, o->epochs, o->epoch_ms,
           (unsigned long long)o->param_hash);
}

static void show_scores(const char *how, const metric_scores *s)
{
    printf("  %-24s NLL %.4f  Brier %.4f  ECE %.2f %%  ECE of equal mass %.2f %%\n", how, s->nll, s->brier,
           100 * s->ece, 100 * s->ece_mass);
}

static void show_calibration(const calibration *c, double tau)
{
    char how[64];
    show_scores("as predicted", &c->predicted.plain);
    snprintf(how, sizeof how, "at temperature %.3g", c->predicted.temperature);
    show_scores(how, &c->predicted.scaled);
    snprintf(how, sizeof how, "logits / tau = %g", tau);
    if (isfinite(c->at_tau.nll))
        show_scores(how, &c->at_tau);
}

struct setting { /* the arguments of set_cell */
    arena *a;
    const train_args *args;
    spec s;
    cell c; /* of s, at the end */
};

/* Whether the cell of an experiment, on this data set or that of the twin, is what is to be trained. */
static int same_cell(const cell *x, const cell *want)
{
    const char *name = want->s.dataset + (catalog_is_twin(want->s.dataset) ? strlen("twin:") : 0);
    return !strcmp(x->s.dataset, name) && !strcmp(x->setting, want->setting) && x->backbone == want->backbone &&
           x->objective == want->objective && x->smoothed == want->smoothed && x->method == want->method;
}

/* Gives c the hyper-parameters of the first experiment that has it; returns 0 if there is none. */
static int from_bench(arena *a, cell *c)
{
    bench_shelf shelf = {.a = a};
    const catalog none = {0};
    for (bench *const *b = bench_all(&shelf); *b; b++) {
        spec_file searched = select_specs(a, NULL, (*b)->specs ? (*b)->specs : (*b)->name);
        const bench_cell *v = (*b)->kind->trains ? bench_cells(a, *b, &none) : NULL;
        for (const bench_cell *end = v ? v + (*b)->cells : NULL; v < end; v++) {
            cell x = v->cell;
            spec_file_apply(&searched, &x, (*b)->specs ? "-" : x.setting);
            if (same_cell(&x, c)) {
                x.s.dataset = c->s.dataset;
                *c = x;
                return 1;
            }
        }
    }
    return 0;
}

/* Sets the hyper-parameters from --spec. */
static void from_file(struct setting *mine, const char *path)
{
    static const char *const key[] = {"dataset", "model", "loss"};
    for (int i = 0; i < 3; i++)
        if (mine->args->text[spec_field(key[i])])
            spec_set(&mine->s, key[i], mine->args->text[spec_field(key[i])]);
    cell c = resolve_cell(&mine->s, NULL, mine->args->setting);
    int of_bench = !strcmp(path, "bench");
    if (!of_bench && !file_exists(path))
        die("--spec %s: no such file", path);
    spec_file f = of_bench ? (spec_file){0} : spec_file_read(mine->a, path);
    if (!(of_bench ? from_bench(mine->a, &c) : spec_file_apply(&f, &c, c.setting)))
        die("--spec %s: no %s for %s %s %s, setting %s", path, of_bench ? "experiment has a cell" : "row", c.s.dataset,
            c.model, c.loss, c.setting);
    mine->s = c.s;
}

/* The defaults of --method, which --spec and the other options override. */
static void set_method(void *arg)
{
    struct setting *mine = arg;
    const char *name = mine->args->text[spec_field("method")];
    if (name) {
        mine->s.method = name;
        resolve_defaults(mine->a, &mine->s);
    }
}

static void set_cell(void *arg)
{
    struct setting *mine = arg;
    for (int k = 0; k < SPEC_COUNT; k++)
        if (mine->args->text[k])
            spec_set(&mine->s, spec_name[k], mine->args->text[k]);
    mine->c = resolve_cell(&mine->s, NULL, mine->args->setting);
}

/* --- a run, as --curve, --plan, --profile, --full and --save watch it --- */

static void before_run(void *arg, trainer *t)
{
    const train_args *args = arg;
    if (args->full)
        trainer_policy(t, POLICY_ALL & ~RECEPTIVE_FIELD);
    if (args->plan && !t->run)
        model_print(t->m);
    if (args->profile && !t->val)
        die("--profile: prediction in blocks is not profiled; try a smaller graph");
    if (args->profile)
        t->train->timed = t->val->timed = 1;
}

static void show_epoch(void *arg, const trainer *t, int epoch)
{
    const train_args *args = arg;
    fprintf(args->curve_file, "%d\t%d\t%.6f", t->run, epoch, t->train->loss);
    if (t->predicted == epoch)
        fprintf(args->curve_file, "\t%.6f\t%.6f\n", t->on_val->loss, trainer_val_acc(t));
    else
        fprintf(args->curve_file, "\t-\t-\n");
}

static void after_run(void *arg, trainer *t, const outcome *o)
{
    const train_args *args = arg;
    if (args->profile)
        profile_print(t->train, t->val, o->epochs, o->epoch_ms);
    if (args->save && t->run == args->runs - 1)
        saved_write(args->save, t);
    if (args->embeddings && t->run == args->runs - 1)
        jcb_write_embeddings(args->embeddings, problem_dataset(t->p), trainer_embed(t), &t->part);
}

struct given { /* the arguments of check_given */
    const cell *c;
    const dataset *d;
    const char *const *text;
};

/* Dies on an option without effect. */
static void check_given(void *arg)
{
    const struct given *g = arg;
    for (int k = 0; k < SPEC_COUNT; k++)
        if (g->text[k])
            method_check_given(g->c, k, g->d);
}

static problem *open_problem(arena *a, const cell *c, const train_args *args)
{
    data_dirs dirs = select_dirs(a, args->data);
    jcb_need_dataset(&dirs, c->s.dataset);
    problem *p = problem_open(&dirs, &c->s);
    struct given given = {c, problem_dataset(p), args->text};
    opt_try(check_given, &given);
    method_prepare(p, c);
    int most = trainer_runs(p, &c->s);
    if (args->runs > most)
        die("%s has %d published splits, and run %d would repeat that of run 0: use --runs %d, or --split redraw to "
            "draw one of the same sizes for each run",
            c->s.dataset, most, most, most);
    return p;
}

/* Whether none of the most important hyper-parameters was given. */
static int uses_defaults(const train_args *t)
{
    static const char *const name[] = {"lr", "wd", "dropout", "hidden", "tau", "norm"};
    int given = t->specs != NULL;
    for (size_t k = 0; k < sizeof name / sizeof *name; k++)
        given |= t->text[spec_field(name[k])] != NULL;
    return !given;
}

/* Prints warnings about the results; after them, since a refusal is one line. */
static void show_doubts(arena *a, const train_args *args, const cell *c, const dataset *d, const compare_run *runs)
{
    buf doubts = {.a = a};
    jcb_warn_origin(d);
    if (args->quiet)
        return;
    if (d->origin == ORIGIN_USER && uses_defaults(args))
        warn("hyper-parameters are the defaults (for citation graphs with bags of words) and may be far from the best "
             "for this graph: jcb compare and jcb tune search, --spec FILE uses the result of jcb tune");
    if (c->method->trainer)
        compare_doubts_of(&doubts, c->s.loss, runs, args->runs);
    for (char *rest = doubts.s, *line; rest && (line = strtok_r(rest, "\n", &rest));)
        warn("%s", line);
}

/* The number of concurrent runs. Runs that print during training or are timed op by op are sequential, and so are runs
 * on large graphs, which use all threads. */
static int concurrent_runs(const train_args *args, const problem *p)
{
    int alone = args->curve || args->plan || args->profile || args->full || args->threads;
    int jobs = args->jobs ? args->jobs : alone || cost_large(problem_dataset(p)->nodes) ? 1 : omp_get_num_procs();
    return jobs < args->runs ? jobs : args->runs;
}

/* prob: NULL, or set to the probabilities of all nodes, from tmp. */
static void one_run(arena *tmp, outcome *o, mat *prob, const problem *p, const cell *c, int r, const train_args *args)
{
    int starts = args->curve || args->full || args->plan || args->profile;
    const run_watch w = {.calibrated = args->calibration,
                         .prob = prob,
                         .a = tmp,
                         .arg = (void *)args,
                         .before = starts ? before_run : NULL,
                         .epoch = args->curve ? show_epoch : NULL,
                         .after = args->profile || args->save || args->embeddings ? after_run : NULL};
    method_run(o, p, c, (uint64_t)args->seed, r, &w);
    if (strcmp(o->status, "ok"))
        die("run %d: %s", r, o->status);
}

static void tell_predictions(arena *tmp, mat prob, const problem *p, const cell *c, int r, const train_args *args)
{
    split part = trainer_split(tmp, p, &c->s, (uint64_t)args->seed, r);
    jcb_write_predictions(args->predictions, problem_dataset(p), prob, c->smoothed, &part);
    if (!args->tsv && !args->json && !args->quiet && part.n[TEST])
        jcb_show_classes(problem_dataset(p), prob, &part);
}

/* Options that exclude each other, or that the spec does not allow. */
static void check_options(const train_args *args, const cell *c)
{
    int words = args->json || args->tsv || args->quiet;
    if (args->json + args->tsv + args->quiet > 1 || (words && (args->plan || args->profile)))
        opt_wrong("--json, --tsv and --quiet exclude each other, and --plan and --profile");
    if (args->calibration && words)
        opt_wrong("--calibration is printed for readers: leave out --json, --tsv and --quiet");
    if (args->jobs > 1 && (args->curve || args->plan || args->profile || args->full || args->threads))
        opt_wrong("--jobs: concurrent runs have one thread each and print nothing during training; leave out "
                  "--threads, --curve, --plan, --profile, --full");
    if (!args->specs && strcmp(args->setting, "-"))
        opt_wrong("--setting is for --spec: the setting of the row");
    if (!c->method->trainer &&
        (args->curve || args->plan || args->profile || args->full || args->save || args->embeddings))
        opt_wrong("--curve, --embeddings, --plan, --profile, --full and --save need a method that trains a single "
                  "network; %s does "
                  "not",
                  c->s.method);
    if (args->save && c->smoothed)
        opt_wrong(
            "--save: Correct & Smooth reads labels of its graph and is not part of a saved network: use --loss %.*s, "
            "or --predictions",
            (int)strlen(c->s.loss) - 3, c->s.loss);
    if (args->calibration && c->smoothed)
        opt_wrong("--calibration: Correct & Smooth predicts scores, not probabilities: leave it out");
}

/* plots/draw.sh draws it; the second line is the title. */
static FILE *open_curve(const char *path, const cell *c)
{
    FILE *f = fopen(path, "w");
    if (!f)
        die("%s: %s", path, strerror(errno));
    fprintf(f, "# plots/learning.gp\n# %s, %s, %s\n", c->s.dataset, c->model, c->loss);
    fprintf(f, "run\tepoch\ttrain_loss\tval_loss\tval_acc\n");
    return f;
}

int jcb_train(int argc, char **argv)
{
    arena a = {0};
    train_args args = {0};
    parse_train(&args, argc, argv);
    int words = args.json || args.tsv || args.quiet;
    if (args.threads)
        omp_set_num_threads(args.threads);
    struct setting mine = {.a = &a, .args = &args, .s = spec_default()};
    opt_try(set_method, &mine);
    if (args.specs)
        from_file(&mine, args.specs);
    opt_try(set_cell, &mine);
    opt_try(memory_set, (void *)args.memory);
    const cell *c = &mine.c;
    check_options(&args, c);
    jcb_need_directory("save", args.save);
    jcb_need_directory("predictions", args.predictions);
    jcb_need_directory("embeddings", args.embeddings);
    jcb_need_directory("curve", args.curve);
    problem *p = open_problem(&a, c, &args);
    args.curve_file = args.curve ? open_curve(args.curve, c) : NULL;
    double *acc = NEW(&a, double, (size_t)args.runs);
    compare_run *runs = NEW(&a, compare_run, (size_t)args.runs);
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(concurrent_runs(&args, p))
    for (int r = 0; r < args.runs; r++) {
        arena tmp = {0};
        outcome o = {0};
        mat prob = {0};
        int predicts = args.predictions && r == args.runs - 1;
        one_run(&tmp, &o, predicts ? &prob : NULL, p, c, r, &args);
        acc[r] = 100 * o.test.acc;
        runs[r] = (compare_run){
            .ece = isnan(o.test.ece) ? 0 : 100 * o.test.ece, .best_epoch = o.best_epoch, .epochs = o.epochs};
#pragma omp ordered
        {
            show_run(&args, c, r, &o, problem_dataset(p));
            if (args.calibration)
                show_calibration(&o.calibration, c->s.tau);
            if (predicts)
                tell_predictions(&tmp, prob, p, c, r, &args);
        }
        arena_free(&tmp);
    }
    if (args.runs > 1 && !isnan(acc[0]) && !words)
        printf("test %s %.2f %% +- %.2f (sample sd, n = %d)\n", problem_dataset(p)->ym ? "micro-F1" : "accuracy",
               stats_mean(acc, args.runs), stats_sd(acc, args.runs), args.runs);
    show_doubts(&a, &args, c, problem_dataset(p), runs);
    if (args.curve_file && (ferror(args.curve_file) | fclose(args.curve_file)))
        die("%s: cannot be written", args.curve);
    problem_close(p);
    arena_free(&a);
    return EXIT_SUCCESS;
}
