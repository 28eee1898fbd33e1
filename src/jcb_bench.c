/* jcb bench, jcb fetch */
#include "../bench/experiments.h"
#include "base/err.h"
#include "base/guess.h"
#include "base/opt.h"
#include "base/places.h"
#include "jcb.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void list(FILE *to)
{
    fprintf(to, "Usage: jcb bench NAME [option ...]\nRuns one experiment; `jcb bench NAME --help` lists its options. "
                "Experiments:\n\n");
    for (int i = 0; experiments[i]; i++)
        fprintf(to, "  %-15s %.*s\n", experiments[i]->name, (int)strcspn(experiments[i]->about, "\n"),
                experiments[i]->about);
}

int jcb_bench(int argc, char **argv)
{
    char hint[80];
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        list(stdout);
        return EXIT_SUCCESS;
    }
    if (argc > 1 && opt_describe(argv[1], "jcb bench NAME [option ...]\nRuns one experiment."))
        return EXIT_SUCCESS;
    if (argc < 2)
        opt_wrong("which experiment? `jcb bench --help` lists them");
    guess g = {.word = argv[1]};
    for (int i = 0; experiments[i]; i++) {
        if (!strcmp(argv[1], experiments[i]->name)) {
            bench_command = "reproduce"; /* jcb reproduce handles measure_process for all experiments */
            return bench_main(argc - 1, argv + 1, experiments[i]);
        }
        guess_try(&g, experiments[i]->name);
    }
    opt_wrong("unknown experiment '%s'%s; `jcb bench --help` lists them", argv[1], guess_text(&g, hint));
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
