/* products [--seed S] [--count N] [--time T] [--case K] [--only NAME] [--with 'K=V ...'] [--list] [--jcb PATH]
 *          [--keep] [--verbose]
 *
 * Tries N combinations (or as many as fit into T) and prints one block for each finding: oracle, seed and case number,
 * what differs, and the commands. products.h says how it is organised. Ends with 1 if there is a finding. */
#include "products.h"
#include "../unit/runner.h"
#include "../../src/base/clock.h"
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "../../src/base/opt.h"
#include "../../src/base/tsv.h"
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *products_tree = ".";

static const char *const oracle_name[] = {
#define O(name, about) #name,
    ORACLES(O)
#undef O
};
static const char *const oracle_about[] = {
#define O(name, about) about,
    ORACLES(O)
#undef O
};

static long checks[ORACLE_COUNT], failures[ORACLE_COUNT];

/* A command as one would type it. */
static void print_command(const args *v)
{
    printf("  %s", products_jcb);
    for (int i = 0; i < v->n; i++) {
        const char *s = v->v[i];
        int plain =
            *s && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,+@") == strlen(s);
        printf(plain ? " %s" : " '%s'", s);
    }
    printf("\n");
}

int oracle(kase *k, enum oracle o, int holds, const char *format, ...)
{
    checks[o]++;
    if (holds)
        return 1;
    va_list ap;
    failures[o]++, k->findings++;
    printf("FOUND %s: seed %llu case %ld: ", oracle_name[o], (unsigned long long)k->seed, k->number);
    va_start(ap, format);
    vprintf(format, ap);
    va_end(ap);
    printf("\n  OMP_NUM_THREADS=%d; again: tests/run products --keep --only %s --seed %llu --case %ld --with '%s'\n",
           k->threads, k->kind, (unsigned long long)k->seed, k->number, k->drawn);
    for (int i = 0; i < k->nsaid; i++)
        print_command(&k->said[i]);
    fflush(stdout);
    return 0;
}

typedef struct options {
    int seed, count, number, keep, list, verbose;
    double time;
    const char *only, *with, *jcb, *corpus;
} options;

typedef struct tried {
    long cases, accepted, refused, failed;
} tried;

static const kind *const tables[] = {train_kinds, related_kinds, command_kinds, effect_kinds, NULL};

/* What is drawn in a case has streams of its own, so that its graph depends on seed and number alone. */
enum { STREAM_KIND = 1, STREAM_GRAPH, STREAM_COMBINATION };

/* The kind of a case: --only, or drawn by weight. */
static const kind *choose(rng r, const char *only)
{
    draw d = {r, STREAM_KIND, 0};
    int total = 0, at;
    for (int t = 0; tables[t]; t++)
        for (const kind *q = tables[t]; q->name; q++) {
            total += q->weight;
            if (only && !strcmp(q->name, only))
                return q;
        }
    if (only)
        die("unknown kind '%s' (--list)", only);
    at = draw_below(&d, total);
    for (int t = 0; tables[t]; t++)
        for (const kind *q = tables[t]; q->name; q++)
            if ((at -= q->weight) < 0)
                return q;
    return train_kinds;
}

/* ---- what was tried ---- */

enum { NAMES_MAX = 400 };
static struct {
    char *name;
    long accepted, refused;
} names[NAMES_MAX];

static void count_name(const char *name, int accepted)
{
    int i = 0;
    while (i < NAMES_MAX - 1 && names[i].name && strcmp(names[i].name, name))
        i++;
    if (!names[i].name)
        names[i].name = strdup(name);
    names[i].accepted += accepted, names[i].refused += !accepted;
}

/* Fields that were given, and the values of those that are names. */
static void count_names(kase *k)
{
    combination_read(k, k->drawn);
    for (int f = 0; f < SPEC_COUNT; f++) {
        const char *name = spec_name[f], *value = k->c.value[f];
        if (value && (!strcmp(name, "model") || !strcmp(name, "loss") || !strcmp(name, "method")))
            count_name(arena_printf(&k->a, "%s=%s", name, value), k->accepted > 0);
        else if (value)
            count_name(name, k->accepted > 0);
    }
    count_name(arena_printf(&k->a, "kind %s", k->kind), k->accepted > 0);
}

static void show_names(void)
{
    printf("accepted and refused cases in which it was given:");
    for (int i = 0; i < NAMES_MAX && names[i].name; i++)
        printf("%s %s %ld %ld", i ? "," : "", names[i].name, names[i].accepted, names[i].refused);
    printf("\n");
}

static const char *work, *catalogue; /* temporary directory, a file in it */

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *at)
{
    (void)st, (void)flag, (void)at;
    return remove(path);
}

static void remove_all(const char *dir)
{
    if (nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS))
        warn("cannot remove %s", dir);
}

/* with: the combination, NULL or "-": drawn. */
static void one_case(tried *n, const options *o, uint64_t seed, long number, const char *only, const char *with)
{
    kase *k = calloc(1, sizeof *k);
    if (!k)
        die("out of memory");
    *k = (kase){.seed = seed, .number = number, .threads = 1, .runs = 1};
    rng r = rng_make(seed, (uint64_t)number, RNG_TWIN);
    const kind *q = choose(r, only);
    k->kind = q->name;
    k->dir = arena_printf(&k->a, "%s/%ld", work, number);
    k->data = arena_printf(&k->a, "%s/data", k->dir);
    file_mkdirs(arena_printf(&k->a, "%s/x", k->data));
    if (link(catalogue, arena_printf(&k->a, "%s/catalog.tsv", k->data)))
        die("cannot link %s", catalogue);
    k->d = (draw){r, STREAM_GRAPH, 0};
    k->g = graph_draw(&k->a, &k->d);
    k->graph_dir = arena_printf(&k->a, "%s/%s", k->dir, draw_chance(&k->d, 0.1) ? "a graph \xc3\xbc" : "graph");
    graph_write(&k->g, k->graph_dir, 0);
    k->train_seed = draw_chance(&k->d, 0.9) ? draw_below(&k->d, 10) : 2147483647;
    k->runs = draw_chance(&k->d, 0.9) ? 1 : 2;
    k->d = (draw){r, STREAM_COMBINATION, 0};
    if (with && strcmp(with, "-"))
        combination_read(k, with);
    else
        combination_draw(k);
    k->drawn = combination_text(k);
    static const char *const name[] = {"loss", "model"};
    for (int i = 0; i < 2; i++)
        if (combination_get(k, name[i]))
            k->drawn = arena_printf(&k->a, "%s=%s %s", name[i], combination_get(k, name[i]), k->drawn);
    q->run(k);
    n->cases++, n->accepted += k->accepted, n->refused += k->refused, n->failed += k->findings > 0;
    if (o->verbose) {
        printf("%ld %s: %s\n", number, q->name, k->accepted ? "accepted" : k->refused ? "refused" : "-");
        if (k->refused)
            printf("  refusal: %s", call_read(&k->a, call_path(k, "stderr")));
    }
    if (k->c.illegal == 0 && (k->accepted || k->refused))
        count_names(k);
    if (o->keep && k->findings)
        printf("  kept: %s\n", k->dir);
    else
        remove_all(k->dir);
    arena_free(&k->a);
    free(k);
}

/* Cases that were findings once. */
static void replay(tried *n, const options *o)
{
    arena a = {0};
    if (file_exists(o->corpus)) {
        tsv t = tsv_read(&a, o->corpus);
        for (int i = 0; i < t.rows; i++)
            one_case(n, o, strtoull(tsv_get(&t, i, "seed"), NULL, 10), atol(tsv_get(&t, i, "case")),
                     tsv_get(&t, i, "kind"), tsv_get(&t, i, "combination"));
    }
    arena_free(&a);
}

static void show_figures(const tried *n, double seconds)
{
    printf("%ld combinations tried in %.0f s: %ld accepted, %ld refused, %ld with findings\n", n->cases, seconds,
           n->accepted, n->refused, n->failed);
    for (int i = 0; i < ORACLE_COUNT; i++)
        if (checks[i])
            printf("  %-12s %8ld checks %6ld failures\n", oracle_name[i], checks[i], failures[i]);
}

static void list(void)
{
    printf("kinds of cases (--only):");
    for (int t = 0; tables[t]; t++)
        for (const kind *q = tables[t]; q->name; q++)
            printf(" %s", q->name);
    printf("\noracles:\n");
    for (int i = 0; i < ORACLE_COUNT; i++)
        printf("  %-12s %s\n", oracle_name[i], oracle_about[i]);
}

static options parse(int argc, char **argv)
{
    options o = {.number = -1};
    const opt table[] = {
        {"seed", OPT_INT, &o.seed, "S", "of all cases", "1", 0, 2147483647},
        {"count", OPT_INT, &o.count, "N", "cases", "200", 1, 2147483647},
        {"time", OPT_SECONDS, &o.time, "TIME", "as many cases as fit into it, instead of --count", NULL, 0, 0},
        {"case", OPT_INT, &o.number, "K", "this case alone", NULL, 0, 2147483647},
        {"only", OPT_TEXT, &o.only, "NAME", "only cases of this kind", NULL, 0, 0},
        {"with", OPT_TEXT, &o.with, "K=V ...", "this combination", NULL, 0, 0},
        {"limit", OPT_SECONDS, &products_limit, "TIME", "a call that takes longer is a finding", "20s", 0, 0},
        {"jcb", OPT_TEXT, &o.jcb, "PATH", "the program", "src/jcb", 0, 0},
        {"corpus", OPT_TEXT, &o.corpus, "FILE", "cases to repeat first (default: tests/fixtures/products.tsv)", NULL, 0,
         0},
        {"keep", OPT_FLAG, &o.keep, NULL, "keep the directories of cases with findings", NULL, 0, 0},
        {"verbose", OPT_FLAG, &o.verbose, NULL, "a line for each case, and why it was refused", NULL, 0, 0},
        {"list", OPT_FLAG, &o.list, NULL, "print kinds and oracles", NULL, 0, 0},
        {0},
    };
    opt_only(argc, argv, table, "products [option ...]\nTries random combinations and checks what must hold for all.",
             "");
    return o;
}

TEST_MAIN(products)
{
    arena a = {0};
    tried n = {0};
    err_start("products");
    options o = parse(argc, argv);
    if (o.list) {
        list();
        return EXIT_SUCCESS;
    }
    const char *tree = getenv("srcdir"), *tmp = getenv("TMPDIR");
    products_tree = tree && *tree ? tree : ".";
    if (!o.corpus)
        o.corpus = o.only || o.with ? "" : arena_printf(&a, "%s/tests/fixtures/products.tsv", products_tree);
    char *path = realpath(o.jcb, NULL);
    products_jcb = path;
    if (!path)
        die("--jcb %s: no such file", o.jcb);
    char *name = arena_printf(&a, "%s/jcb-products.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    work = mkdtemp(name);
    if (!work)
        die("cannot create %s", name);
    catalogue = arena_printf(&a, "%s/catalog.tsv", work);
    graph_catalogue(&a, catalogue);
    double start = clock_now();
    if (o.number >= 0)
        one_case(&n, &o, (uint64_t)o.seed, o.number, o.only, o.with);
    else {
        replay(&n, &o);
        for (long i = 0; o.time > 0 ? clock_now() - start < o.time : i < o.count; i++)
            one_case(&n, &o, (uint64_t)o.seed, i, o.only, o.with);
    }
    show_figures(&n, clock_now() - start);
    if (o.verbose)
        show_names();
    remove(catalogue);
    if (rmdir(work) && !o.keep)
        warn("%s is left", work);
    for (int i = 0; i < NAMES_MAX; i++)
        free(names[i].name);
    free(path);
    arena_free(&a);
    return n.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
