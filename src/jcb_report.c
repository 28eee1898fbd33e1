/* jcb report: tables, figures, environment and commands on one page. */
#include "base/err.h"
#include "base/file.h"
#include "base/opt.h"
#include "jcb.h"
#include "report/report.h"
#include "version.h"
#include <stdio.h>
#include <stdlib.h>

int jcb_report(int argc, char **argv)
{
    const char *data, *out, *epoch = getenv("SOURCE_DATE_EPOCH");
    report r = {.commit = JCB_COMMIT, .flags = JCB_FLAGS, .when = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL)};
    const opt table[] = {
        OPT_RECORDS(&r.records), OPT_PAPER(&r.paper),
        {"figures", OPT_TEXT, &r.figures, "DIR", "NAME.svg with captions NAME.txt", "results/figures", 0, 0},
        {"data", OPT_TEXT, &data, "DIR", "data directory, for files.tsv", "data", 0, 0},
        {"out", OPT_TEXT, &out, "FILE", "the page", "results/report.html", 0, 0},
        {0},
    };
    opt_only(argc, argv, table,
              "jcb report [option ...]\nWrites one HTML page that needs no other file: every table of the paper with our results,\n"
              "the claims that hold and those that do not, the figures, the machine, the data, the commands.", "");
    arena a = {0};
    r.data = file_exists(arena_printf(&a, "%s/files.tsv", data)) ? data : JCB_DATADIR;
    tables_summary s = report_write(&a, &r, out);
    printf("%s: %d of %d orderings confirmed, %d contradicted, %d practically equal, %d undecided, %d on stand-in "
           "data, %d not run\n",
           out, s.confirmed, s.orderings, s.contradicted, s.equal, s.open, s.stand_in, s.not_run);
    arena_free(&a);
    return 0;
}
