/* markdown_environment: cost and environment of the runs, the commands that reproduce them, and hashes of their
 * parameters. */
#include "../record/check.h"
#include "../record/command_log.h"
#include "environment.h"
#include "markdown_parts.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void facts(arena *a, buf *out, const tables *all)
{
    static const struct {
        environment_fact *fact;
        const char *title;
    } column[] = {{environment_cpu, "instruction set of the runs"},
                  {environment_blas, "BLAS and its branch"},
                  {environment_metis_bits, "bits of METIS's integers (0: no METIS partition)"},
                  {environment_threads, "threads of a run"},
                  {environment_jobs, "concurrent runs"},
                  {environment_commit, "commit of the program"}};
    static const char *const head[] = {"", "of the records"};
    environment_cost c = environment_experiment(a, all, NULL);
    markdown_head(out, head, 2);
    environment_values commits = environment_distinct(a, all, NULL, environment_commit);
    int dirty = 0;
    for (int i = 0; i < commits.n; i++)
        dirty += strstr(commits.v[i], "-dirty") ? commits.count[i] : 0;
    const char *number[] = {"runs", arena_printf(a, "%d, and %d failed", c.ok, c.failed)};
    const char *uncommitted[] = {"runs of a program with uncommitted changes (-dirty)", arena_printf(a, "%d", dirty)};
    const char *time[] = {"training time, summed over runs", environment_duration(a, c.seconds)};
    const char *version[] = {
        "results version",
        arena_printf(a, "%d%s", RESULTS_VERSION,
                     all->runs.older ? arena_printf(a, "; %d rows of other versions are left out", all->runs.older)
                                     : "")};
    const char *machine[] = {"machine that wrote this file", environment_machine(a)};
    markdown_row(out, number, 2);
    markdown_row(out, uncommitted, 2);
    markdown_row(out, time, 2);
    for (size_t i = 0; i < sizeof column / sizeof *column; i++) {
        environment_values d = environment_distinct(a, all, NULL, column[i].fact);
        const char *v[] = {column[i].title, environment_list(a, &d, 1)};
        markdown_row(out, v, 2);
    }
    markdown_row(out, version, 2);
    markdown_row(out, machine, 2);
    buf_put(out, "\n");
}

static void experiments(arena *a, buf *out, const tables *all)
{
    static const char *const head[] = {"experiment", "cells", "runs", "failed", "training time"};
    environment_values e = environment_distinct(a, all, NULL, environment_experiment_name);
    markdown_head(out, head, 5);
    for (int i = 0; i < e.n; i++) {
        environment_cost c = environment_experiment(a, all, e.v[i]);
        const char *v[] = {e.v[i], arena_printf(a, "%d", c.cells), arena_printf(a, "%d", c.ok),
                           arena_printf(a, "%d", c.failed), environment_duration(a, c.seconds)};
        markdown_row(out, v, 5);
    }
    buf_put(out, "\n");
}

/* The commands that made the records, as far as they were logged. */
static void commands(arena *a, buf *out, const char *dir)
{
    static const char *const head[] = {"command", "first started", "starts", "time", "runs", "concurrent"};
    int n;
    const command_line *c = command_log_read(a, dir, &n);
    if (n)
        markdown_head(out, head, 6);
    for (int i = 0; i < n; i++, c++) {
        const char *killed = c->ended < c->starts ? arena_printf(a, " (%d unknown)", c->starts - c->ended) : "";
        const char *v[] = {c->command,
                           c->first,
                           arena_printf(a, "%d", c->starts),
                           arena_printf(a, "%s%s", environment_duration(a, c->seconds), killed),
                           arena_printf(a, "%d", c->runs),
                           arena_printf(a, "%d", c->jobs)};
        markdown_row(out, v, 6);
    }
    buf_put(out, n ? "\n" : "");
}

static void hash_line(arena *a, buf *out, const cell *c)
{
    const record *r = c->run[0];
    const char *v[] = {r->experiment,
                       render_cell_name(a, c),
                       arena_printf(a, "%d", r->run),
                       arena_printf(a, "%d", r->seed),
                       arena_printf(a, "%016" PRIx64, r->data_hash),
                       arena_printf(a, "%016" PRIx64, r->part_hash),
                       arena_printf(a, "%016" PRIx64, r->param_hash)};
    markdown_row(out, v, 7);
}

/* Run 0 of both sides of the first tested ordering of each data set. */
static void hashes(arena *a, buf *out, const tables *all)
{
    static const char *const head[] = {"experiment", "cell", "run", "seed", "data", "partition", "trained parameters"};
    const contrast *listed[256];
    int n = 0;
    for (int i = 0; i < all->n; i++)
        for (int j = 0; j < all->t[i].contrasts && n < 256; j++) {
            const contrast *c = &all->t[i].contrast[j];
            int seen = !c->n || c->a->run[0]->run != 0 || c->b->run[0]->run != 0;
            for (int k = 0; k < n && !seen; k++)
                seen = !strcmp(listed[k]->a->paper->dataset, c->a->paper->dataset);
            if (seen)
                continue;
            if (!n)
                markdown_head(out, head, 7);
            listed[n++] = c;
            hash_line(a, out, c->b);
            hash_line(a, out, c->a);
        }
    buf_put(out, n ? "\n" : "");
}

void markdown_environment(arena *a, buf *out, const tables *all, const markdown *m)
{
    facts(a, out, all);
    experiments(a, out, all);
    commands(a, out, m->records);
    buf_put(out, "```\n./setup.sh && make reproduce TIME=10m   # or longer; start again to continue\n"
                 "make results                            # this file, its figures, the block of README.md\n"
                 "src/jcb check results                   # checks the records, compares their bits with "
                 "data/reference.tsv\n```\n\n");
    buf found = {.a = a};
    enum check_verdict v = check_records(&found, m->records, m->reference);
    const char *last = found.s + found.n - (found.n > 0);
    while (last > found.s && last[-1] != '\n')
        last--;
    markdown_text(
        out, arena_printf(a, "jcb check on these records: %s (%.*s).", check_word[v], (int)strcspn(last, "\n"), last));
    markdown_text(out, "Hashes to compare, on the same BLAS branch and instruction set, at any number of threads:");
    hashes(a, out, all);
}
