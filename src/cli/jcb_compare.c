/* jcb compare: is one loss better than another on this graph? For each model: searches hyper-parameters for both with
 * the same budget (compare_search.c), then trains both on the same splits and seeds until the paired differences decide
 * (compare_runs.c). Verdict: paired t e-process at 5 % over all models, confidence sequence, "practically equal" within
 * +-MARGIN; "not trained enough" for networks below a linear model (result/compare.h). */
#include "../base/clock.h"
#include "../base/err.h"
#include "../base/hash.h"
#include "../base/opt.h"
#include "../base/signals.h"
#include "../run/command_log.h"
#include "../train/grid.h"
#include "../train/method/resolve.h"
#include "asked.h"
#include <ctype.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum run_number score;
} metric[] = {{"accuracy", RUN_test_acc}, {"macro-f1", RUN_macro_f1}, {"weighted-f1", RUN_weighted_f1}};

static void check(asked *ask)
{
    if (!ask->dataset)
        opt_wrong("--dataset is needed");
    opt_fold(ask->dataset), opt_fold(ask->models), opt_fold(ask->losses);
    if (strcmp(ask->until, "decided") && strcmp(ask->until, "runs"))
        opt_wrong("--until is decided or runs, not '%s'", ask->until);
    ask->score = RUN_NUMBER_COUNT;
    for (size_t k = 0; k < sizeof metric / sizeof *metric; k++)
        if (!strcmp(ask->metric, metric[k].name))
            ask->score = metric[k].score;
    if (ask->score == RUN_NUMBER_COUNT)
        opt_wrong("--metric is accuracy, macro-f1 or weighted-f1, not '%s'", ask->metric);
}

static void options(asked *ask, arena *a, int argc, char **argv)
{
    const opt table[] = {
        {"dataset", OPT_TEXT, &ask->dataset, "NAME",
         "data set of the catalogue, or a directory with a graph of your own", NULL, 0, 0},
        {"model", OPT_TEXT, &ask->models, "A,B,...", "backbones, one after another: see `jcb list`", "gcn", 0, 0},
        {"losses", OPT_TEXT, &ask->losses, "A,B", "the two losses; tested is whether B is better than A", "ce,jc", 0,
         0},
        {"metric", OPT_TEXT, &ask->metric, "NAME",
         "what is compared on test nodes: accuracy (micro-F1 of multi-label data), macro-f1, weighted-f1; searched is "
         "by validation accuracy",
         "accuracy", 0, 0},
        {"base", OPT_TEXT, &ask->base, "K=V ...",
         "hyper-parameters of both, from which the search starts: 'epochs=500 patience=100'", "", 0, 0},
        {"grid", OPT_TEXT, &ask->grid, "K=V,V ...",
         "values to search, as far as a loss depends on them (default: below)", "", 0, 0},
        {"tune", OPT_INT, &ask->tune, "N", "points to try for each loss besides the base; 0: no search", "12", 0,
         GRID_POINTS - 1},
        {"seeds", OPT_INT, &ask->seeds, "K",
         "runs of each point of the search; if fewer than eight, the best three points then get eight", "2", 1, 1000},
        {"runs", OPT_INT, &ask->runs, "N", "largest number of pairs of runs", "40", 2, 100000},
        {"until", OPT_TEXT, &ask->until, "WHEN", "decided: stop as soon as there is a verdict; runs: do all of --runs",
         "decided", 0, 0},
        {"margin", OPT_REAL, &ask->margin, "X", "differences within +-X points are practically equal", "0.5", 0, 100},
        OPT_SEED(&ask->seed),
        OPT_JOBS(&ask->jobs),
        OPT_TIME(&ask->time),
        OPT_DATA(&ask->data),
        {"out", OPT_TEXT, &ask->out, "DIR", "records, searched hyper-parameters, a page of each comparison, index.html",
         "compare", 0, 0},
        OPT_QUIET(&ask->quiet),
        {0},
    };
    buf command = {.a = a};
    command_text(&command, "jcb compare", argc, argv);
    ask->command = command.s;
    opt_only(argc, argv, table,
             "jcb compare --dataset NAME|DIR [option ...]\n"
             "Which of two losses is better on this graph: equal search, paired runs, a verdict that is valid under "
             "repeated looks.",
             "Example: jcb compare --dataset path/to/graph --model gcn,gat --losses ce,jc --time 10m\n"
             "Searched: " COMPARE_GRID " (dense features: also standard).\nThe search does not use test labels. With "
             "little --time it has fewer seeds, then fewer points. The level "
             "of the tests is\n"
             "5 % over all models together. Networks below a linear model on validation nodes are called not trained "
             "enough.\nFormat of a directory: doc/manual.md, \"Your own graph\".\n");
    check(ask);
}

static void split_losses(asked *ask, arena *a)
{
    const char *comma = strchr(ask->losses, ',');
    if (!comma || strchr(comma + 1, ','))
        opt_wrong("--losses must be two names, A,B, not '%s'", ask->losses);
    ask->loss[0] = arena_printf(a, "%.*s", (int)(comma - ask->losses), ask->losses);
    ask->loss[1] = comma + 1;
    if (!strcmp(ask->loss[0], ask->loss[1]))
        opt_wrong("--losses %s: the same loss twice", ask->losses);
}

const char *asked_base(compare *c, int k)
{
    return arena_printf(&c->a, "model=%s loss=%s %s", c->model, c->ask->loss[k], c->ask->base);
}

/* "cora-gcn-ce-jc-1f2e3d4c": what is compared, and a hash of everything that the question depends on. */
static const char *name_of(compare *c)
{
    const asked *ask = c->ask;
    size_t n = strlen(ask->dataset), from;
    while (n > 1 && ask->dataset[n - 1] == '/')
        n--;
    for (from = n; from && ask->dataset[from - 1] != '/';)
        from--;
    const char *const word[] = {ask->dataset, c->model, ask->losses, ask->base, ask->grid, ask->metric};
    uint64_t h = HASH_INIT;
    for (size_t k = 0; k < sizeof word / sizeof *word; k++)
        h = hash_text(h, word[k]);
    h = hash_u64(hash_bytes(h, &ask->margin, sizeof ask->margin), (uint64_t)ask->seed);
    char *name = arena_printf(&c->a, "%.*s-%s-%s-%s-%08x", (int)(n - from), ask->dataset + from, c->model, ask->loss[0],
                              ask->loss[1], (unsigned)h);
    for (char *s = name; *s; s++)
        if (!isalnum((unsigned char)*s) && !strchr("+-._", *s))
            *s = '_';
    return name;
}

/* Specs of both losses before the search; mistakes are reported here. */
static void base_specs(void *arg)
{
    compare *c = arg;
    if (*c->ask->grid)
        grid_parse(&c->a, c->ask->grid);
    for (int k = 0; k < 2; k++) {
        spec s = resolve_text(&c->a, NULL, asked_base(c, k), "--base");
        s.dataset = c->ask->dataset;
        c->c[k] = resolve_cell(&s, NULL, "-");
    }
    resolve_check_keys(c->ask->base, c->c, 2);
}

static const char *how_ended(const compare *c, const compare_pairs *v, const compare_verdict *d)
{
    if (signals_stopped())
        return "stopped by a signal";
    if (d->word == COMPARE_UNTRAINED && v->n < c->runs)
        return "stopped, since more of them tell nothing";
    if (d->at && v->n < c->runs)
        return "decided";
    if (v->n >= c->runs)
        return c->runs < c->ask->runs ? "one for each published split" : "all";
    return "stopped by --time; start again to continue";
}

static void answer(compare *c)
{
    double start = clock_now();
    const asked *ask = c->ask;
    compare_look(c);
    compare_search(c);
    c->time = c->time > 0 ? fmax(1, c->time - (clock_now() - start)) : 0;
    c->path = arena_printf(&c->a, "%s/records/compare.tsv", ask->out);
    compare_run_pairs(c);
    int ready = c->q.cell[0].state == CELL_READY && c->q.cell[1].state == CELL_READY;
    compare_pairs v = ready ? compare_read(c, &c->a) : (compare_pairs){0};
    if (v.n < 1)
        die("no pair of runs was finished; start again with more --time to continue");
    compare_verdict d = compare_decide(&v);
    compare_print(&v, &d);
    compare_page(&c->a, &v, &d, ask->out, c->name);
    if (!ask->quiet)
        printf("%d pairs of runs of %d requested: %s. %s\n", v.n, ask->runs, how_ended(c, &v, &d), c->found);
    printf("page: %s/%s.html   records: %s\n", ask->out, c->name, c->path);
}

static compare *new_question(const asked *ask, const char *name)
{
    compare *c = calloc(1, sizeof *c);
    if (!c)
        die("out of memory");
    c->ask = ask, c->model = name, c->runs = ask->runs;
    opt_try(base_specs, c);
    c->name = name_of(c);
    return c;
}

int jcb_compare(int argc, char **argv)
{
    enum { MODELS = 64 };
    arena a = {0};
    asked ask = {.jobs = omp_get_num_procs()};
    compare *c[MODELS] = {0};
    double start = clock_now();
    options(&ask, &a, argc, argv);
    split_losses(&ask, &a);
    char *rest = arena_printf(&a, "%s", ask.models), *name;
    while ((name = strsep(&rest, ",")) && ask.nmodels < MODELS)
        c[ask.nmodels++] = new_question(&ask, name);
    for (int k = 1; k < ask.nmodels; k++)
        for (int i = 0; i < k; i++)
            if (!strcmp(c[i]->name, c[k]->name))
                opt_wrong("--model %s: the same model twice", ask.models);
    data_dirs dirs = select_dirs(&a, ask.data);
    jcb_need_dataset(&dirs, ask.dataset);
    signals_catch();
    for (int k = 0; k < ask.nmodels && !signals_stopped(); k++) {
        double left = ask.time - (clock_now() - start);
        c[k]->time = ask.time > 0 ? fmax(1, left / (ask.nmodels - k)) : 0;
        answer(c[k]);
    }
    compare_index(&a, ask.out);
    for (int k = 0; k < ask.nmodels; k++) {
        arena_free(&c[k]->q.a);
        arena_free(&c[k]->a);
        free(c[k]);
    }
    arena_free(&a);
    return signals_stopped() ? 128 + signals_stopped() : EXIT_SUCCESS;
}
