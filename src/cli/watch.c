#include "watch.h"
#include "../base/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds: to the first page, and between the end of one and the start of the next, which is also at least SHARE times
 * the processor time of a page. */
enum { FIRST = 8, BETWEEN = 25, SHARE = 10 };

/* line: NULL: the work has ended. */
static pid_t write_page(const watch *w, const char *line)
{
    const char *const argv[] = {"jcb",   "report",  "--out",  w->out,   "--data",
                                w->data, "--paper", w->paper, "--draw", line ? "--progress" : NULL,
                                line,    NULL};
    pid_t pid = fork();
    if (pid)
        return pid > 0 ? pid : 0;
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd <= STDERR_FILENO && null >= 0; fd++)
        dup2(null, fd);
    signal(SIGINT, SIG_IGN); /* Ctrl-C reaches the whole process group */
    signal(SIGTERM, SIG_IGN);
    int ignored = nice(10);
    (void)ignored;
    execv("/proc/self/exe", (char *const *)argv);
    _exit(EXIT_FAILURE);
}

static void tick(scheduler_watch *s, const char *line)
{
    watch *w = (watch *)s; /* its first member */
    double now = clock_now();
    struct rusage used = {0};
    s->due = now + 0.5;
    if (!w->pid) {
        w->pid = write_page(w, line);
    } else if (wait4(w->pid, NULL, WNOHANG, &used)) {
        w->pid = 0;
        s->due = now + fmax(BETWEEN, SHARE * (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec));
    }
}

watch watch_start(const char *out, const char *data, const char *paper)
{
    return (watch){.s = {.due = clock_now() + FIRST, .tick = tick}, .out = out, .data = data, .paper = paper};
}

static void await(pid_t pid)
{
    while (pid && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

void watch_end(watch *w)
{
    await(w->pid);
    await(write_page(w, NULL));
}
