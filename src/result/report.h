/* report: everything on one page. */
#ifndef JCB_REPORT_H
#define JCB_REPORT_H

#include "../base/arena.h"
#include "table.h"
#include <time.h>

typedef struct report {
    const char *records, *paper, *figures, *data; /* directories; records, figures and data need not exist */
    const char *commit, *flags;                   /* of this build */
    const char *progress;                         /* of runs that go on; NULL: none do, the page stays as it is */
    time_t when;
} report;

/* Writes the page to path: HTML5 that is well-formed XML too, without references to other files. */
tables_summary report_write(arena *a, const report *r, const char *path);

#endif
