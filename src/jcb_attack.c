/* jcb attack */
#include "attack/edit.h"
#include "attack/flip_file.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/opt.h"
#include "data/catalog.h"
#include "data/split.h"
#include "jcb.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct attack_args {
    const char *dataset, *method, *write, *init, *norm, *data;
    double rate, block;
    int seed, quiet;
} attack_args;

static void parse(attack_args *o, int argc, char **argv)
{
    char more[1024];
    size_t used = (size_t)snprintf(more, sizeof more, "Methods:\n");
    for (const attack_method *m = attack_methods; m->name && used < sizeof more; m++)
        used += (size_t)snprintf(more + used, sizeof more - used, "  %-10s %s\n", m->name, m->about);
    const opt table[] = {
        {"dataset", OPT_TEXT, &o->dataset, "NAME", "data set or directory", NULL, 0, 0},
        {"method", OPT_TEXT, &o->method, "NAME", "see below", "metaself", 0, 0},
        {"rate", OPT_REAL, &o->rate, "R", "flips as a share of the links", "0.05", 0, 0},
        OPT_SEED(&o->seed),
        {"write", OPT_TEXT, &o->write, "FILE",
         "the flips, a line 'u v' each, appended as they are found; an unfinished file is continued", NULL, 0, 0},
        {"init", OPT_TEXT, &o->init, "NAME", "metattack: fresh weights for every flip, or one fixed start", "fresh", 0,
         0},
        {"norm", OPT_TEXT, &o->norm, "NAME",
         "features: none as they are, row scaled to sum 1, auto none for the attack tables' data sets", "auto", 0, 0},
        {"block", OPT_REAL, &o->block, "N",
         "prbcd, grbcd: candidate pairs at a time (default: by the size of the graph)", NULL, 1, 1e12},
        OPT_DATA(&o->data),
        OPT_QUIET(&o->quiet),
        {0},
    };
    opt_only(argc, argv, table,
             "jcb attack --dataset NAME --write FILE [option ...]\nFlips links of a graph so that networks trained on "
             "it do worse. The labels of the first split are known.",
             more);
    if (!o->dataset || !o->write)
        opt_wrong("--dataset and --write are needed");
    if (strcmp(o->init, "fresh") && strcmp(o->init, "fixed"))
        opt_wrong("--init is '%s'; it must be fresh or fixed", o->init);
    if (strcmp(o->norm, "none") && strcmp(o->norm, "row") && strcmp(o->norm, "auto"))
        opt_wrong("--norm is '%s'; it must be none, row or auto", o->norm);
}

/* How the data set is split and whether its rows are scaled. */
static split protocol(arena *a, attack_args *o, const data_dirs *dirs, const dataset *d)
{
    const char *rule = "per-class:20:30", *norm = "row";
    if (d->origin != ORIGIN_USER) {
        catalog c = catalog_read(a, dirs->catalog);
        const catalog_entry *e = catalog_find(&c, o->dataset);
        rule = e->rule;
        norm = strcmp(e->paper_table, "dataset_attack") ? e->norm : "none";
    }
    if (d->nsplits)
        rule = "public";
    if (!strcmp(o->norm, "auto"))
        o->norm = norm;
    if (!d->y)
        die("%s: its nodes have several labels; attacks need one class a node", d->name);
    return split_draw(a, d, rule, (uint64_t)o->seed, 0);
}

/* What is watched while an attack runs. */
typedef struct run {
    flip_file file;
    progress show;
    int64_t first; /* steps that an earlier start had made */
} run;

static void found(void *arg, const flip *f, int64_t n)
{
    run *r = arg;
    flip_file_add(&r->file, f, n);
}

static void step(void *arg, int64_t done, int64_t total, double loss, double accuracy)
{
    run *r = arg;
    char what[80] = "";
    if (r->first < 0)
        r->first = done - 1;
    double left = (clock_now() - r->show.start) / (double)(done - r->first) * (double)(total - done);
    if (loss == loss)
        snprintf(what, sizeof what, "attack loss %.4f  surrogate %.2f %% right", loss, 100 * accuracy);
    progress_show(&r->show, (long)done, (long)total, left, what);
}

/* Added and removed links, how many of the added join equal classes, and how many touch a training node. */
static void summary(const flip *f, int64_t n, const attack_target *t)
{
    arena tmp = {0};
    unsigned char *trains = NEW(&tmp, unsigned char, (size_t)t->nodes);
    int64_t added = 0, same = 0, touch = 0;
    for (int k = 0; k < t->part.n[TRAIN]; k++)
        trains[t->part.idx[TRAIN][k]] = 1;
    for (int64_t k = 0; k < n; k++)
        if (!edit_linked(&t->graph, f[k].u, f[k].v)) {
            added++;
            same += t->y[f[k].u] >= 0 && t->y[f[k].u] == t->y[f[k].v];
            touch += trains[f[k].u] || trains[f[k].v];
        }
    printf("%lld added, %lld removed", (long long)added, (long long)(n - added));
    if (added)
        printf("; of the added %.1f %% join equal classes, %.1f %% touch a training node",
               100.0 * (double)same / (double)added, 100.0 * (double)touch / (double)added);
    printf("\n");
    arena_free(&tmp);
}

static void check_memory(const attack_target *t, const attack_spec *s, const attack_args *o, int64_t budget)
{
    double need = attack_memory(t, s), have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE);
    if (need > have)
        die("%s on %s needs about %.1f GiB and this machine has %.1f; prbcd and grbcd need memory for links and "
            "candidates only",
            s->method->name, o->dataset, need / 0x1p30, have / 0x1p30);
    if (!o->quiet)
        fprintf(stderr, "%s: %lld flips of %lld links by %s, about %.0f MiB, %d threads\n", o->dataset,
                (long long)budget, (long long)csr_nnz(&t->graph) / 2, s->method->name, need / 0x1p20,
                omp_get_max_threads());
}

static void find_method(void *arg)
{
    attack_find(((attack_args *)arg)->method);
}

int jcb_attack(int argc, char **argv)
{
    arena a = {0};
    attack_args o = {0};
    parse(&o, argc, argv);
    opt_try(find_method, &o);
    attack_spec s = {attack_find(o.method), o.rate, (uint64_t)o.seed,
                     strcmp(o.init, "fixed") ? ATTACK_FRESH : ATTACK_FIXED, (int64_t)o.block};
    data_dirs dirs = jcb_dirs(&a, o.data);
    const dataset *d = dataset_open(&a, &dirs, o.dataset);
    split part = protocol(&a, &o, &dirs, d);
    attack_target t = attack_target_of(&a, d, &part, !strcmp(o.norm, "row"));
    if (d->origin == ORIGIN_SUBSTITUTE || d->origin == ORIGIN_TWIN)
        warn("%s: %s data: %s", o.dataset, origin_name[d->origin], d->origin_note);
    int64_t budget = attack_budget(&t, &s), n;
    check_memory(&t, &s, &o, budget);
    run r = {.first = -1};
    attack_watch w = {&r, found, step, NULL, 0};
    flip *known;
    const char *header = arena_printf(
        &a, "# jcb attack method=%s rate=%.10g seed=%d init=%s norm=%s block=%lld data=%016llx flips=%lld", o.method,
        o.rate, o.seed, o.init, o.norm, (long long)s.block, (unsigned long long)d->hash, (long long)budget);
    r.file = flip_file_open(&a, &known, &w.nknown, o.write, header, d);
    w.known = known;
    progress_start(&r.show, o.quiet);
    r.show.unit = "steps";
    flip *f = attack_run(&a, &n, &t, &s, &w);
    progress_clear(&r.show);
    flip_file_close(&r.file);
    printf("%lld flips (%lld of them from an earlier start) in %.1f s -> %s\n", (long long)n, (long long)w.nknown,
           clock_now() - r.show.start, o.write);
    summary(f, n, &t);
    arena_free(&a);
    return EXIT_SUCCESS;
}
