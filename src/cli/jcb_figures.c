/* jcb figures */
#include "jcb.h"
#include "../base/err.h"
#include "../base/opt.h"
#include "../base/places.h"
#include "../result/figure.h"
#include "../result/table.h"
#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int jcb_draw(const char *dir, const char *format)
{
    arena a = {0};
    const char *plots = places_find(&a, PLACE_PLOTS);
    int status = 0;
    if (!plots)
        die("plots/draw.sh: not found: is jcb installed? (make install)");
    const char *script = arena_printf(&a, "%s/draw.sh", plots);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        execlp("sh", "sh", script, dir, format, (char *)NULL);
        _exit(127);
    }
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status) == 127)
        die("cannot run %s", script);
    arena_free(&a);
    return WEXITSTATUS(status);
}

int jcb_figures(int argc, char **argv)
{
    const char *records = NULL, *curves = NULL, *paper, *out = NULL;
    int drawn = 0;
    const opt table[] = {
        OPT_RECORDS(&records),
        {"curves", OPT_TEXT, &curves, "DIR", "curves of single runs (default: OUT/curves)", NULL, 0, 0},
        OPT_PAPER(&paper),
        {"out", OPT_TEXT, &out, "DIR",
         "results directory; the figures are written to DIR/figures, with --records to DIR itself (default: results)",
         NULL, 0, 0},
        {"draw", OPT_FLAG, &drawn, NULL, "also draw them, as PNG, SVG and PDF (needs gnuplot)", NULL, 0, 0},
        {0},
    };
    opt_only(
        argc, argv, table,
        "jcb figures [option ...]\nWrites the numbers of each figure, NAME.tsv, and its caption, NAME.txt. Figures "
        "without runs are left out with a message.",
        "In the source tree `make figures` writes and draws them.\n");
    arena a = {0};
    const char *to = records && out ? out : jcb_results(&a, records, out, "figures");
    curves = curves ? curves : jcb_results(&a, records, out, "curves");
    records = records ? records : jcb_results(&a, NULL, out, "records");
    tables_need(records);
    int n = figures_write(&a, records, curves, places_of(&a, PLACE_PAPER, paper), to);
    printf("%d figures: %s\n", n, to);
    int code = drawn && n ? jcb_draw(to, NULL) : 0;
    arena_free(&a);
    return code;
}
