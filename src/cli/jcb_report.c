/* jcb report */
#include "../run/bench.h"
#include "../base/file.h"
#include "../base/opt.h"
#include "../base/places.h"
#include "jcb.h"
#include "../result/results.h"
#include "../result/figure.h"
#include "../result/report.h"
#include "version.h"
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

static const char *const *programs(arena *a)
{
    bench_shelf shelf = {.a = a};
    bench *const *b = bench_all(&shelf);
    size_t n = 0;
    while (b[n])
        n++;
    const char **v = NEW(a, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        v[i] = b[i]->name;
    return v;
}

static tables_summary write_markdown(arena *a, const report *r, const char *data, const char *specs, const char *out,
                                     const char *readme, int as_draft)
{
    const char *reference = places_of(a, PLACE_REFERENCE, arena_printf(a, "%s/reference.tsv", data));
    results m = {.records = r->records,
                 .paper = r->paper,
                 .figures = r->figures,
                 .specs = specs,
                 .dirs = select_dirs(a, data),
                 .programs = programs(a)};
    m.commit = r->commit, m.flags = r->flags, m.draft = as_draft;
    m.reference = file_exists(reference) ? reference : NULL;
    return results_write(a, &m, out, readme);
}

/* Defaults of records and figures: in --out if that is a directory. Returns the file to write. */
static const char *find_results(arena *a, report *r, const char *out, int as_markdown)
{
    const char *dir = out && file_is_directory(out) ? out : NULL;
    if (!r->records)
        r->records = jcb_results(a, NULL, dir, "records");
    if (!r->figures)
        r->figures = jcb_results(a, NULL, dir, "figures");
    if (as_markdown)
        return out ? out : "RESULTS.md";
    return out && !dir ? out : jcb_results(a, NULL, dir, "report.html");
}

int jcb_report(int argc, char **argv)
{
    const char *data, *specs, *out = NULL, *readme = NULL, *epoch = getenv("SOURCE_DATE_EPOCH");
    int as_markdown = 0, as_draft = 0, drawn = 0;
    report r = {
        .commit = JCB_COMMIT, .flags = JCB_FLAGS, .when = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL)};
    const opt table[] = {
        OPT_RECORDS(&r.records),
        OPT_PAPER(&r.paper),
        {"figures", OPT_TEXT, &r.figures, "DIR", "NAME.svg with captions NAME.txt (default: OUT/figures)", NULL, 0, 0},
        {"data", OPT_TEXT, &data, "DIR", "data directory: files.tsv, and for --markdown the data sets", "data", 0, 0},
        {"out", OPT_TEXT, &out, "PATH",
         "results directory (default: results), in which report.html is written; or the file to write", NULL, 0, 0},
        {"markdown", OPT_FLAG, &as_markdown, NULL,
         "write FILE (RESULTS.md) instead, and its figures into doc/ beside it", NULL, 0, 0},
        {"readme", OPT_TEXT, &readme, "FILE",
         "with --markdown: also replace the block between <!-- results: begin and <!-- results: end in this file, and "
         "write what runs cost to data/costs.tsv beside it",
         NULL, 0, 0},
        {"draft", OPT_FLAG, &as_draft, NULL,
         "with --markdown: write it although this program has uncommitted changes, or data are missing", NULL, 0, 0},
        {"draw", OPT_FLAG, &drawn, NULL, "write the figures of OUT first and draw them (needs gnuplot)", NULL, 0, 0},
        {"progress", OPT_TEXT, &r.progress, "TEXT",
         "what jcb reproduce says while it runs: stands at the top of the page, which reloads itself", NULL, 0, 0},
        {"specs", OPT_TEXT, &specs, "DIR", "with --markdown: hyper-parameters found by jcb tune", "bench/specs", 0, 0},
        {0},
    };
    int n = opt_parse(argc, argv, table,
                      "jcb report [option ...]\njcb report --markdown [FILE] [option ...]\nWrites one self-contained "
                      "HTML page: every table of the paper with our results, the verdicts\n"
                      "on its claims, the figures, the machine, the data and the commands.\n"
                      "With --markdown: a short version for the repository, with its figures as SVG.",
                      "");
    if (n > as_markdown)
        opt_wrong("unexpected argument '%s'", argv[1 + as_markdown]);
    if (n && out)
        opt_wrong("--markdown %s and --out %s name two files", argv[1], out);
    if ((readme || as_draft) && !as_markdown)
        opt_wrong("%s needs --markdown", readme ? "--readme" : "--draft");
    arena a = {0};
    const char *files = places_find(&a, PLACE_FILES);
    r.data = file_exists(arena_printf(&a, "%s/files.tsv", data)) || !files
                 ? data
                 : arena_printf(&a, "%.*s", (int)(strrchr(files, '/') - files), files);
    r.paper = places_of(&a, PLACE_PAPER, r.paper);
    specs = places_of(&a, PLACE_SPECS, specs);
    out = find_results(&a, &r, n ? argv[1] : out, as_markdown);
    if (as_markdown && (drawn || r.progress))
        opt_wrong("--markdown and %s exclude each other", drawn ? "--draw" : "--progress");
    tables_need(r.records);
    if (drawn && figures_write(&a, r.records, arena_printf(&a, "%s/../curves", r.records), r.paper, r.figures))
        jcb_draw(r.figures, "svg");
    tables_summary s =
        as_markdown ? write_markdown(&a, &r, data, specs, out, readme, as_draft) : report_write(&a, &r, out);
    printf("%s: %d of %d comparisons confirmed, %d contradicted, %d practically equal, %d undecided, %d on stand-in "
           "data, %d not run\n",
           out, s.all.claim[CONFIRMED], s.orderings, s.all.claim[CONTRADICTED], s.all.claim[EQUAL], s.all.claim[OPEN],
           s.all.stand_in, s.all.claim[CLAIM_NOT_RUN]);
    arena_free(&a);
    return 0;
}
