/* jcb: the list of subcommands, and the short ones. */
#include "jcb.h"
#include "../run/select.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/guess.h"
#include "../base/opt.h"
#include "../base/places.h"
#include "../kernel/blas.h"
#include "../kernel/simd.h"
#include "../net/loss/loss.h"
#include "../train/method/method.h"
#include "../result/table_files.h"
#include "version.h"
#include <metis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *jcb_results(arena *a, const char *records, const char *out, const char *name)
{
    return arena_printf(a, "%s/%s", records || !out ? "results" : out, name);
}

const char *jcb_records(arena *a, const char *dir)
{
    const char *below = arena_printf(a, "%s/records", dir);
    return file_is_directory(below) ? below : dir;
}

void jcb_need_directory(const char *option, const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    char dir[4096];
    if (!slash || slash == file)
        return;
    snprintf(dir, sizeof dir, "%.*s", (int)(slash - file), file);
    if (!file_is_directory(dir))
        die("cannot write --%s %s: no such directory: %s", option, file, dir);
}

struct name_of { /* the arguments of find_name */
    const data_dirs *dirs;
    const char *name;
};

static void find_name(void *arg)
{
    const struct name_of *o = arg;
    if (!dataset_known(o->dirs, o->name))
        catalog_find(&o->dirs->catalog, o->name); /* dies with the names there are */
}

void jcb_need_dataset(const data_dirs *dirs, const char *name)
{
    if (!dataset_known(dirs, name))
        catalog_need(&dirs->catalog);
    opt_try(find_name, &(struct name_of){dirs, name});
    dataset_need(dirs, name);
}

void jcb_warn_origin(const dataset *d)
{
    if (d->origin == ORIGIN_SUBSTITUTE || d->origin == ORIGIN_TWIN)
        warn("%s: %s data: %s", d->name, origin_name[d->origin], d->origin_note);
}

int jcb_tables(int argc, char **argv)
{
    const char *records = NULL, *paper, *out = NULL;
    const opt table[] = {
        OPT_RECORDS(&records),
        OPT_PAPER(&paper),
        {"out", OPT_TEXT, &out, "DIR",
         "results directory; the tables are written to DIR/tables, with --records to DIR itself (default: results)",
         NULL, 0, 0},
        {0},
    };
    opt_only(argc, argv, table,
             "jcb tables [option ...]\nWrites every table of the paper with our results beside the printed numbers, as "
             "Markdown, LaTeX and TSV.",
             "");
    arena a = {0};
    const char *from = records ? records : jcb_results(&a, NULL, out, "records");
    tables_need(from);
    tables_write(&a, from, places_of(&a, PLACE_PAPER, paper),
                 records && out ? out : jcb_results(&a, records, out, "tables"));
    arena_free(&a);
    return 0;
}

static int jcb_list(int argc, char **argv)
{
    const opt table[] = {{0}};
    opt_only(argc, argv, table, "jcb list\nLists backbones, objectives and methods.", "");
    printf("models:\n");
    for (int i = 0; backbones[i]; i++)
        printf("  %-8s %s\n", backbones[i]->name, backbones[i]->about);
    printf("methods:\n");
    for (int i = 0; methods[i]; i++)
        printf("  %s%-*s %s\n", methods[i]->name, 8 - (int)strlen(methods[i]->name),
               methods[i]->suffix ? methods[i]->suffix : "", methods[i]->about);
    printf("losses:\n");
    for (int i = 0; objectives[i]; i++)
        printf("  %-8s %s\n", objectives[i]->name, objectives[i]->about);
    return 0;
}

static const struct {
    const char *name;
    int (*run)(int, char **);
    const char *about;
} command[] = {
    {"train", jcb_train, "train one spec, one or more runs, on a data set or a graph of your own"},
    {"compare", jcb_compare, "compare two losses on one graph: equal search, paired runs, a verdict"},
    {"predict", jcb_predict, "apply a saved model to a graph"},
    {"tune", jcb_tune, "search hyper-parameters by validation accuracy, for the bench programs"},
    {"data", jcb_data, "list, describe, convert and verify data sets"},
    {"partition", jcb_partition, "cluster a graph and print its cut"},
    {"bench", jcb_bench, "run one experiment of the paper"},
    {"fetch", jcb_fetch, "download and verify the data sets"},
    {"reproduce", jcb_reproduce, "run the experiments of the paper, the most decisive runs first"},
    {"check", jcb_check, "check records: undamaged, consistent, same bits as the reference"},
    {"merge", jcb_merge, "combine the records of several results directories"},
    {"diff", jcb_diff, "compare two results directories: bits, accuracies, verdicts"},
    {"attack", jcb_attack, "flip links so that networks trained on the graph are less accurate"},
    {"tables", jcb_tables, "make the paper's tables from records"},
    {"figures", jcb_figures, "make figures from records and curves"},
    {"report", jcb_report, "write tables, figures and environment as one HTML page"},
    {"list", jcb_list, "list models, losses and methods"},
};

/* --print-options: the commands, one a line, for shell completion; --print-man: the manual page of jcb. */
static void describe(const char *as)
{
    int n = sizeof command / sizeof *command, man = !strcmp(as, "--print-man");
    if (man)
        printf(".TH \"jcb\" 1 \"\" \"jcbench %s\" \"User commands\"\n.SH NAME\njcb \\- node classification with the "
               "joint\\-cluster loss on multicore CPUs\n"
               ".SH SYNOPSIS\n.B jcb\n.I COMMAND\n.RI [ option \" ...]\"\n.SH COMMANDS\nEach has a manual page, "
               "jcb\\-COMMAND(1), and an option \\-\\-help.\n",
               PACKAGE_VERSION);
    for (int i = 0; i < n; i++)
        printf(man ? ".TP\n.B %s\n%s\n" : "%s\n", command[i].name, command[i].about);
    if (man)
        printf(
            ".SH FILES\n.TP\n.I ~/.local/share/jcbench\ndata sets ($XDG_DATA_HOME); the default of --data outside the "
            "source tree\n"
            ".TP\n.I ~/.cache/jcbench\nfiles computed from them ($XDG_CACHE_HOME)\n"
            ".SH EXIT STATUS\n0: success; 1: failure; 2: wrong command line; 128 + N: ended by signal N.\n");
}

int main(int argc, char **argv)
{
    static char name[64];
    const char *slash = strrchr(argc ? argv[0] : "", '/'), *called = slash ? slash + 1 : argc ? argv[0] : "jcb";
    int n = sizeof command / sizeof *command;
    err_start("jcb");
    if (!strncmp(called, "bench_", 6)) { /* a link: see bench/local.mk */
        blas_init();
        return jcb_bench_link(argc, argv, called + 6);
    }
    if (argc == 3 && !strcmp(argv[1], "help")) /* jcb help train: jcb train --help */
        argv[1] = argv[2], argv[2] = "--help";
    for (int i = 0; argc > 1 && i < n; i++)
        if (!strcmp(argv[1], command[i].name)) {
            snprintf(name, sizeof name, "jcb %s", argv[1]);
            err_program = name;
            blas_init();
            return command[i].run(argc - 1, argv + 1);
        }
    if (argc > 1 && (!strcmp(argv[1], "--print-options") || !strcmp(argv[1], "--print-man"))) {
        describe(argv[1]);
        return 0;
    }
    int help = argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"));
    if (argc > 1 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "version"))) {
        blas_init();
        printf("jcb (jcbench) %s (%s)\nBLAS %s, METIS %d.%d.%d, instruction set %s\n", PACKAGE_VERSION, JCB_COMMIT,
               blas_name(), METIS_VER_MAJOR, METIS_VER_MINOR, METIS_VER_SUBMINOR, simd_name());
        return 0;
    }
    if (argc > 1 && !help) {
        char hint[80];
        guess g = {.word = argv[1]};
        for (int i = 0; i < n; i++)
            guess_try(&g, command[i].name);
        opt_wrong("unknown command '%s'%s", argv[1], guess_text(&g, hint));
    }
    FILE *to = help ? stdout : stderr;
    fprintf(
        to,
        "Usage: jcb COMMAND [option ...]\n\nNode classification with the joint-cluster loss on multicore CPUs.\n\n");
    for (int i = 0; i < n; i++)
        fprintf(to, "  %-10s %s\n", command[i].name, command[i].about);
    fprintf(to, "\n`jcb COMMAND --help` describes the options of a command. Example:\n  jcb train --dataset cora "
                "--model gcn --loss jc --clusters 5 --lr 0.005 --runs 10\n");
    return help ? 0 : EXIT_USAGE;
}
