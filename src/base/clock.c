#include "clock.h"
#include <stdio.h>
#include <time.h>
#include <unistd.h>

double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(progress *p, int quiet)
{
    *p = (progress){.quiet = quiet, .unit = "runs", .tty = isatty(STDERR_FILENO), .start = clock_now()};
}

static void duration(char *out, size_t size, double s)
{
    if (s < 0)
        snprintf(out, size, "?");
    else if (s < 100)
        snprintf(out, size, "%.0fs", s);
    else if (s < 6000)
        snprintf(out, size, "%dm%02ds", (int)(s / 60), (int)s % 60);
    else
        snprintf(out, size, "%dh%02dm", (int)(s / 3600), (int)(s / 60) % 60);
}

void progress_show(progress *p, long done, long total, double left_seconds, const char *what)
{
    double now = clock_now(), spent = now - p->start;
    if (p->quiet || (p->last && done < total && now - p->last < (p->tty ? 0.1 : 30)))
        return;
    p->last = now;
    char eta[32], used[32];
    duration(eta, sizeof eta, left_seconds);
    duration(used, sizeof used, spent);
    fprintf(stderr, p->tty ? "\r\033[K%ld/%ld %s  %s  %.1f %s/s  %s gone, %s left" : "%ld/%ld %s  %s  %.1f %s/s  %s gone, %s left\n", done, total,
            p->unit, what, spent > 0 ? (double)done / spent : 0, p->unit, used, eta);
    fflush(stderr);
}

void progress_clear(progress *p)
{
    if (p->tty && p->last)
        fprintf(stderr, "\r\033[K");
}
