/* watch: OUT/report.html while runs go on. A process of its own, `jcb report --draw --progress LINE`, writes it again
 * about every half minute, with lower priority; the page reloads itself. Each page replaces the one before as a whole,
 * so that a reader, Ctrl-C or a kill leaves a page that is complete. */
#ifndef JCB_WATCH_H
#define JCB_WATCH_H

#include "../run/scheduler.h"
#include <sys/types.h>

typedef struct watch {
    scheduler_watch s;              /* what the scheduler calls; first */
    const char *out, *data, *paper; /* directories */
    pid_t pid;                      /* of the process that writes the page; 0: none */
} watch;

watch watch_start(const char *out, const char *data, const char *paper);
void watch_end(
    watch *w); /* waits for the process and writes the page a last time: it does not reload itself any more */

#endif
