/* jcb attack */
#include "../data/variant/variant.h"
#include "../base/clock.h"
#include "../base/err.h"
#include "../base/memory.h"
#include "../base/opt.h"
#include "../data/catalog.h"
#include "jcb.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct attack_args {
    const char *dataset, *method, *write, *init, *norm, *data;
    double rate, block;
    int seed, quiet, steps;
} attack_args;

static int init_of(const char *name)
{
    for (int k = 0; attack_init_name[k]; k++)
        if (!strcmp(attack_init_name[k], name))
            return k;
    return -1;
}

static void parse(attack_args *o, int argc, char **argv)
{
    char more[1024];
    size_t used = (size_t)snprintf(more, sizeof more, "Methods:\n");
    for (const attack_method *m = attack_methods; m->name && used < sizeof more; m++)
        used += (size_t)snprintf(more + used, sizeof more - used, "  %-10s %s\n", m->name, m->about);
    const opt table[] = {
        {"dataset", OPT_TEXT, &o->dataset, "NAME", "data set or directory", NULL, 0, 0},
        {"method", OPT_TEXT, &o->method, "NAME", "see below", "metaself", 0, 0},
        {"rate", OPT_REAL, &o->rate, "R", "number of flips as a share of the links", "0.05", 1e-9, 1},
        OPT_SEED(&o->seed),
        {"write", OPT_TEXT, &o->write, "FILE",
         "write the flips, one line 'u v' each, as they are found; an unfinished file is continued", NULL, 0, 0},
        {"init", OPT_TEXT, &o->init, "NAME",
         "metattack: fresh (new initial weights for every flip) or fixed (one Xavier draw for all; default where nodes "
         "have features)",
         NULL, 0, 0},
        {"steps", OPT_INT, &o->steps, "T",
         "exact metattack: steps of the inner training (default: 25 with fixed, 100 with fresh)", NULL, 2,
         ATTACK_STEPS},
        {"norm", OPT_TEXT, &o->norm, "NAME",
         "features: none (unchanged), row (rows scaled to sum 1), auto (none for data sets of the attack tables)",
         "auto", 0, 0},
        {"block", OPT_REAL, &o->block, "N",
         "prbcd, grbcd: candidate pairs in memory at a time (default: depends on the graph)", NULL, 1, 1e12},
        OPT_DATA(&o->data),
        OPT_QUIET(&o->quiet),
        {0},
    };
    opt_only(argc, argv, table,
             "jcb attack --dataset NAME --write FILE [option ...]\nFlips links of a graph so that networks trained on "
             "it are less accurate. The attacker knows the training labels of the first split.",
             more);
    if (!o->dataset || !o->write)
        opt_wrong("--dataset and --write are needed");
    if (o->init && init_of(o->init) < 0)
        opt_wrong("--init is '%s'; it must be fresh or fixed", o->init);
    if (strcmp(o->norm, "none") && strcmp(o->norm, "row") && strcmp(o->norm, "auto"))
        opt_wrong("--norm is '%s'; it must be none, row or auto", o->norm);
}

/* --norm, with auto replaced by the preparation that the networks of the paper's tables use. */
static const char *norm_of(const attack_args *o, const data_dirs *dirs, const dataset *d)
{
    if (strcmp(o->norm, "auto"))
        return o->norm;
    if (d->origin == ORIGIN_USER)
        return "row";
    const catalog_entry *e = catalog_find(&dirs->catalog, o->dataset);
    return strcmp(e->paper_table, "dataset_attack") ? e->norm : "none";
}

/* The strongest setting of metattack that we know: one Xavier start and 25 steps where nodes have features (Cora,
 * CiteSeer), new weights for every flip where their features are the identity matrix (Polblogs). */
static void set_defaults(attack_args *o, const dataset *d, const attack_method *m)
{
    const int exact = m->run == meta_run && !m->approximate;
    const int identity = d->xs.rows == d->nodes && d->features == d->nodes && csr_nnz(&d->xs) == d->nodes;
    if (!o->init)
        o->init = attack_init_name[exact && !identity ? ATTACK_FIXED : ATTACK_FRESH];
    if (!o->steps && exact && init_of(o->init) == ATTACK_FIXED)
        o->steps = 25;
}

static void summary(const attack_target *t, const flip *f, int64_t n)
{
    arena tmp = {0};
    csr after = attack_apply(&tmp, &t->graph, f, n);
    variant_change c = variant_compare(&t->graph, &after, t->y, &t->part);
    printf("%lld added, %lld removed", (long long)c.added, (long long)c.removed);
    if (c.added)
        printf("; of the added %.1f %% join equal classes, %.1f %% touch a training node",
               100.0 * (double)c.same / (double)c.added, 100.0 * (double)c.touch / (double)c.added);
    printf("\n");
    arena_free(&tmp);
}

static void check_memory(const attack_target *t, const attack_spec *s, const attack_args *o, int64_t budget)
{
    double need = attack_memory(t, s), have = memory_total();
    if (need > have)
        die("%s on %s needs about %.1f GiB of memory and this machine has %.1f; prbcd and grbcd need much less",
            s->method->name, o->dataset, need / 0x1p30, have / 0x1p30);
    if (!o->quiet)
        fprintf(stderr, "%s: %lld flips of %lld links by %s, about %.0f MiB, %d threads\n", o->dataset,
                (long long)budget, (long long)csr_nnz(&t->graph) / 2, s->method->name, need / 0x1p20,
                omp_get_max_threads());
}

static void check_method(void *arg)
{
    const attack_args *o = arg;
    attack_check(&(attack_spec){.method = attack_find(o->method), .steps = o->steps});
}

int jcb_attack(int argc, char **argv)
{
    arena a = {0};
    attack_args o = {0};
    parse(&o, argc, argv);
    opt_try(check_method, &o);
    const attack_method *m = attack_find(o.method);
    jcb_need_directory("write", o.write);
    data_dirs dirs = select_dirs(&a, o.data);
    jcb_need_dataset(&dirs, o.dataset);
    const dataset *d = dataset_open(&a, &dirs, o.dataset);
    set_defaults(&o, d, m);
    attack_spec s = {.method = m,
                     .rate = o.rate,
                     .seed = (uint64_t)o.seed,
                     .init = (enum attack_init)init_of(o.init),
                     .steps = o.steps,
                     .block = (int64_t)o.block};
    split part = variant_split(&a, &dirs, d, (uint64_t)o.seed);
    o.norm = norm_of(&o, &dirs, d);
    attack_target t = attack_target_of(&a, d, &part, !strcmp(o.norm, "row"));
    jcb_warn_origin(d);
    int64_t budget = attack_budget(&t, &s), n, known;
    check_memory(&t, &s, &o, budget);
    variant_file to = {.path = o.write, .quiet = o.quiet};
    to.header = arena_printf(
        &a, "# jcb attack method=%s rate=%.10g seed=%d init=%s norm=%s%s block=%lld data=%016llx flips=%lld", o.method,
        o.rate, o.seed, o.init, o.norm, o.steps ? arena_printf(&a, " steps=%d", o.steps) : "", (long long)s.block,
        (unsigned long long)d->hash, (long long)budget);
    double start = clock_now();
    flip *f = variant_flips(&a, &n, &known, d, &t, &s, &to);
    printf("%lld flips (%lld of them from an earlier start) in %.1f s -> %s\n", (long long)n, (long long)known,
           clock_now() - start, o.write);
    summary(&t, f, n);
    arena_free(&a);
    return EXIT_SUCCESS;
}
