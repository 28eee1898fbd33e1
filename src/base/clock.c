#include "clock.h"
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_start(progress *p, int quiet)
{
    *p = (progress){.quiet = quiet, .unit = "runs", .tty = isatty(STDERR_FILENO), .start = clock_now()};
}

void clock_text(char *out, size_t size, double s)
{
    if (!(s >= 0) || s > 1e9)
        snprintf(out, size, "?");
    else if (s < 100)
        snprintf(out, size, "%.0fs", s);
    else if (s < 6000)
        snprintf(out, size, "%dm%02ds", (int)(s / 60), (int)s % 60);
    else
        snprintf(out, size, "%dh%02dm", (int)(s / 3600), (int)(s / 60) % 60);
}

int progress_is_due(const progress *p)
{
    return !p->quiet && (!p->last || clock_now() - p->last >= (p->tty ? 0.1 : 30));
}

void progress_text(progress *p, const char *format, ...)
{
    va_list ap;
    p->last = clock_now();
    va_start(ap, format);
    fputs(p->tty ? "\r\033[K" : "", stderr);
    vfprintf(stderr, format, ap);
    fputs(p->tty ? "" : "\n", stderr);
    va_end(ap);
    fflush(stderr);
}

void progress_show(progress *p, long done, long total, double left_seconds, const char *what)
{
    double spent = clock_now() - p->start;
    if (p->quiet || !(progress_is_due(p) || done == total))
        return;
    char eta[32], used[32];
    clock_text(eta, sizeof eta, left_seconds);
    clock_text(used, sizeof used, spent);
    progress_text(p, "%ld/%ld %s  %s  %.1f %s/s  %s elapsed, %s left", done, total, p->unit, what,
                  spent > 0 ? (double)done / spent : 0, p->unit, used, eta);
}

void progress_clear(progress *p)
{
    if (p->tty && p->last)
        fprintf(stderr, "\r\033[K");
}
