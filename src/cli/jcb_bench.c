/* jcb bench, jcb fetch; the programs bench_NAME are links to jcb. */
#include "../run/bench.h"
#include "../run/measure.h"
#include "../base/err.h"
#include "../base/opt.h"
#include "../base/places.h"
#include "jcb.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static arena always; /* never freed: an experiment lives as long as the process */
static bench_shelf shelf = {.a = &always};

static void list(void)
{
    printf(
        "Usage: jcb bench NAME [option ...]\nRuns one experiment; `jcb bench NAME --help` lists its options. NAME may "
        "also be a file, as in ./mine.tsv.\nExperiments:\n\n");
    for (bench *const *b = bench_all(&shelf); *b; b++)
        printf("  %-15s %s\n", (*b)->name, (*b)->about);
}

/* The main function of a process that measure_process started. */
static int process(int argc, char **argv)
{
    for (int i = 0; bench_kinds[i] && argc > 2; i++)
        if (bench_kinds[i]->process && !strcmp(bench_kinds[i]->name, argv[2]))
            return bench_kinds[i]->process(argc - 3, argv + 3);
    die("%s: for internal use", MEASURE_FLAG);
}

static void find(void *name) { bench_find(&shelf, name); }

/* argv[0] is not read; prefix: what stands in front of the experiment's name in messages. */
static int run(int argc, char **argv, const char *name, const char *prefix)
{
    if (!bench_exists(&shelf, name))
        opt_try(find, (void *)name);
    bench *b = bench_find(&shelf, name);
    err_program = arena_printf(&always, "%s%s", prefix, b->name);
    return bench_main(argc, argv, b, err_program);
}

int jcb_bench_link(int argc, char **argv, const char *name) { return run(argc, argv, name, "bench_"); }

int jcb_bench(int argc, char **argv)
{
    if (measure_is_process(argc, argv))
        return process(argc, argv);
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        list();
        return EXIT_SUCCESS;
    }
    if (argc > 1 && opt_describe(argv[1], "jcb bench NAME [option ...]\nRuns one experiment."))
        return EXIT_SUCCESS;
    if (argc < 2)
        opt_wrong("which experiment? `jcb bench --help` lists them");
    return run(argc - 1, argv + 1, argv[1], "jcb bench ");
}

int jcb_fetch(int argc, char **argv)
{
    if (argc > 1 && opt_describe(argv[1], "jcb fetch [--mirror DIR|URL] [--to DIR] [--list] [NAME ...]\nDownloads the "
                                          "data sets of the paper, or those named, and verifies them."))
        return EXIT_SUCCESS;
    arena a = {0};
    const char *script = places_find(&a, PLACE_FETCH),
               *data = access("data/catalog.tsv", R_OK) == 0 ? "data" : places_data(&a);
    if (!script)
        die("fetch.sh: not found: is jcb installed? (make install)");
    char **args = NEW(&a, char *, (size_t)argc + 4);
    int n = 0, to = 0;
    args[n++] = "bash";
    args[n++] = (char *)script;
    for (int i = 1; i < argc; i++)
        to |= !strncmp(argv[i], "--to", 4);
    if (!to)
        args[n++] = arena_printf(&a, "--to=%s/raw", data);
    for (int i = 1; i < argc; i++)
        args[n++] = argv[i];
    execvp("bash", args);
    die("cannot start bash: %s", strerror(errno));
}
