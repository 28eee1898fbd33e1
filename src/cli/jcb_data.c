/* jcb data, jcb partition */
#include "../base/err.h"
#include "../base/opt.h"
#include "../data/leak.h"
#include "../data/split.h"
#include "../data/own/own.h"
#include "jcb.h"
#include "../train/method/resolve.h"
#include "../train/problem.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const dataset *d)
{
    printf("%s\n", d->name);
    printf("  origin      %s%s%s\n", origin_name[d->origin], *d->origin_note ? ": " : "", d->origin_note);
    if (d->origin == ORIGIN_USER)
        printf("  format      %s\n", own_detect(d->name)->name);
    printf("  nodes       %d\n  edges       %lld (undirected)\n", d->nodes, (long long)csr_nnz(&d->graph) / 2);
    if (d->xs.rows)
        printf("  features    %d, sparse, %.1f per node\n", d->features, (double)csr_nnz(&d->xs) / d->nodes);
    else
        printf("  features    %d, dense\n", d->features);
    printf("  classes     %d%s\n", d->classes, d->y ? "" : " (multi-label)");
    if (d->y) {
        printf("  class sizes");
        for (int k = 0; k < d->classes; k++) {
            int n = 0;
            for (int i = 0; i < d->nodes; i++)
                n += d->y[i] == k;
            printf(" %d", n);
        }
        printf("\n  homophily   %.4f\n", dataset_homophily(d));
    }
    printf("  splits      %d published", d->nsplits);
    if (d->nsplits)
        printf(", the first %d / %d / %d", d->splits[0].n[TRAIN], d->splits[0].n[VAL], d->splits[0].n[TEST]);
    printf("\n  hash        %016llx\n", (unsigned long long)d->hash);
}

/* Compares the counts of the data with the catalogue's; returns the number of differences. */
static int verify(const catalog_entry *e, const dataset *d)
{
    const struct {
        const char *what;
        int64_t want, have;
    } pair[] = {{"nodes", e->nodes, d->nodes},
                {"edges", e->edges, csr_nnz(&d->graph) / 2},
                {"features", e->features, d->features},
                {"classes", e->classes, d->classes}};
    int wrong = 0;
    printf("%-18s %-10s", e->name, origin_name[d->origin]);
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        int same = pair[i].want == pair[i].have;
        wrong += !same;
        printf("  %s %lld%s", pair[i].what, (long long)pair[i].have, same ? "" : " (!)");
        if (!same)
            printf(" catalogue %lld", (long long)pair[i].want);
    }
    printf("  %s\n", wrong ? "differs" : "ok");
    return wrong;
}

/* Test nodes that duplicate training nodes: see leak.h. */
static void show_leak(const dataset *d)
{
    if (!d->nsplits)
        return;
    leak n = leak_count(d);
    printf("  duplicates  %.1f %% of the test nodes have a training node with the same neighbours",
           n.test ? 100 * (double)n.duplicated / (double)n.test : 0.0);
    if (n.duplicated)
        printf(", %.1f %% of those one with the same label", 100 * (double)n.same_label / (double)n.duplicated);
    printf(" (%d published split%s)\n", d->nsplits, d->nsplits > 1 ? "s" : "");
}

static int for_each(const char *what, const data_dirs *dirs, const catalog *c, char **names, int n)
{
    int failures = 0, all = n == 0, count = all ? c->n : n;
    if (all)
        catalog_need(c);
    for (int i = 0; i < count; i++) {
        arena a = {0};
        const char *name = all ? c->entry[i].name : names[i];
        const catalog_entry *e = catalog_search(c, name);
        dataset *d;
        if (all && e->multi) {
            printf("%-18s left out because it is large; name it to include it\n", e->name);
            continue;
        }
        const char *error = dataset_try(&d, &a, dirs, name);
        if (error) {
            warn("%s", error);
            failures++;
        } else if (!strcmp(what, "verify") && e) {
            failures += verify(e, d) && origin_comparable(d->origin);
        } else if (!strcmp(what, "cache")) {
            printf("%-18s %-10s %016llx\n", name, origin_name[d->origin], (unsigned long long)d->hash);
        } else {
            show(d);
        }
        if (!error && !strcmp(what, "verify"))
            show_leak(d);
        arena_free(&a);
    }
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* The rules of the catalogue that a copy, as a user's graph, does not have. */
static void say_rules(const catalog_entry *e, const dataset *d, const catalog *c)
{
    const char *rule = split_auto(d, c).text;
    dataset copy = *d;
    copy.origin = ORIGIN_USER;
    int rules = strcmp(rule, split_auto(&copy, c).text) != 0, norm = strcmp(e->norm, "row") != 0;
    if (rules || norm)
        printf("rules of the catalogue are not part of the copy; to train as on %s, give%s%s%s%s\n", d->name,
               norm ? " --norm " : "", norm ? e->norm : "", rules ? " --split " : "", rules ? rule : "");
}

/* Writes a copy in another format. */
static int convert(const data_dirs *dirs, char **name, int n, const char *format)
{
    if (n != 2)
        opt_wrong("jcb data convert needs FROM and TO (the binary cache is written by jcb data cache)");
    const own_format *f = own_writable(format);
    arena a = {0};
    const dataset *d = dataset_open(&a, dirs, name[0]);
    if (!origin_comparable(d->origin) && d->origin != ORIGIN_USER)
        warn("%s is a %s%s%s: the copy does not record this", name[0], origin_name[d->origin],
             *d->origin_note ? ": " : "", d->origin_note);
    uint64_t hash = own_save(d, dirs->cache, name[1], f);
    printf("%s: format %s, %d nodes, %lld links, %d features, %d splits; hash %016llx, equal to that of %s\n", name[1],
           f->name, d->nodes, (long long)csr_nnz(&d->graph) / 2, d->features, d->nsplits, (unsigned long long)hash,
           name[0]);
    const catalog_entry *e = catalog_search(&dirs->catalog, name[0]);
    if (d->origin != ORIGIN_USER && e)
        say_rules(e, d, &dirs->catalog);
    arena_free(&a);
    return EXIT_SUCCESS;
}

int jcb_data(int argc, char **argv)
{
    const char *data, *format;
    const opt table[] = {{"format", OPT_TEXT, &format, "NAME",
                          "convert: plain, arrays, mtx or ogb (doc/manual.md, \"Your own graph\")", "plain", 0, 0},
                         OPT_DATA(&data),
                         {0}};
    int n =
        opt_parse(argc, argv, table,
                  "jcb data list|info|verify|cache [NAME ...] [option ...], jcb data convert FROM TO [--format "
                  "NAME]\nLists, describes, verifies and converts data sets.",
                  "list     the data sets of the catalogue\n"
                  "info     sizes, class sizes, homophily, splits and origin\n"
                  "verify   compare the counts with the catalogue's; for data with published splits, count the test "
                  "nodes that have a training\n"
                  "         node with exactly the same neighbours (undirected, without loops; nodes without neighbours "
                  "are not counted)\n"
                  "cache    read the upstream files and write the binary cache\n"
                  "convert  write the data set FROM into the new directory TO, read it again and compare the hashes\n"
                  "NAME and FROM are data sets of the catalogue or paths to graphs of your own, in any format; no NAME "
                  "means all of the catalogue.\n");
    arena a = {0};
    data_dirs dirs = select_dirs(&a, data);
    const char *what = n ? argv[1] : "";
    const catalog *c = &dirs.catalog;
    dirs.twins = strcmp(what, "convert") != 0; /* the others print the origin */
    if (!strcmp(what, "list")) {
        catalog_need(c);
        for (int i = 0; i < c->n; i++)
            printf("%-18s %9d nodes %10lld edges %5d features %4d classes  %s\n", c->entry[i].name, c->entry[i].nodes,
                   (long long)c->entry[i].edges, c->entry[i].features, c->entry[i].classes, c->entry[i].title);
        arena_free(&a);
        return EXIT_SUCCESS;
    }
    if (strcmp(what, "info") && strcmp(what, "convert") && strcmp(what, "verify") && strcmp(what, "cache"))
        opt_wrong("expected list, info, verify, cache or convert");
    int rc =
        !strcmp(what, "convert") ? convert(&dirs, argv + 2, n - 1, format) : for_each(what, &dirs, c, argv + 2, n - 1);
    arena_free(&a);
    return rc;
}

static void read_method(void *arg)
{
    partition_rule *rule = arg;
    *rule = partition_rule_read(rule->text);
}

int jcb_partition(int argc, char **argv)
{
    const char *data, *name = NULL, *attack, *how, *out = NULL;
    int clusters;
    const opt table[] = {
        {"dataset", OPT_TEXT, &name, "NAME", "data set or directory", NULL, 0, 0},
        {"attack", OPT_TEXT, &attack, "TEXT", "another graph, as in jcb train", "none", 0, 0},
        {"method", OPT_TEXT, &how, "NAME",
         "metis, kmeans (on normalised features) or random; NAME:SEED: another random seed", "metis", 0, 0},
        {"clusters", OPT_INT, &clusters, "M", "number of clusters", "5", 1, 2147483647},
        {"write", OPT_TEXT, &out, "FILE", "write the cluster of each node, one a line", NULL, 0, 0},
        OPT_DATA(&data),
        {0},
    };
    opt_only(
        argc, argv, table,
        "jcb partition --dataset NAME [option ...]\nClusters a graph and prints how many links stay within clusters.",
        "");
    if (!name)
        opt_wrong("--dataset is needed");
    partition_rule by = {.text = how};
    opt_try(read_method, &by);
    arena a = {0};
    data_dirs dirs = select_dirs(&a, data);
    spec s = spec_default();
    s.loss = "jc";
    cell c = resolve_cell(&s, NULL, "-");
    c.s.dataset = name, c.s.partition = by, c.s.clusters = clusters, c.s.attack = variant_rule_read(attack);
    jcb_need_directory("write", out);
    jcb_need_dataset(&dirs, name);
    problem *p = problem_open(&dirs, &c.s);
    jcb_warn_origin(problem_dataset(p));
    problem_prepare(p, &c);
    const partition *q = problem_partition(p, &c);
    int64_t within, between;
    problem_links(&within, &between, p, &c);
    printf("%s  %s  M = %d  within %lld  between %lld  rate %.2f  hash %016llx\nsizes", name, how, clusters,
           (long long)within, (long long)between, between ? (double)within / (double)between : INFINITY,
           (unsigned long long)q->hash);
    int *size = NEW(&a, int, (size_t)clusters);
    for (int i = 0; i < q->nodes; i++)
        size[q->of[i]]++;
    for (int m = 0; m < clusters && m < 50; m++)
        printf(" %d", size[m]);
    printf(clusters > 50 ? " ...\n" : "\n");
    if (out) {
        partition shown = *q;
        shown.of = NEW(&a, int, (size_t)q->nodes);
        for (int i = 0; i < q->nodes; i++)
            shown.of[i] = q->of[dataset_row(problem_dataset(p), i)];
        partition_write(out, &shown);
    }
    problem_close(p);
    arena_free(&a);
    return EXIT_SUCCESS;
}
