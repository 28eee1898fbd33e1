#include "measure.h"
#include "../base/clock.h"
#include "../base/err.h"
#include "../base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- clock --- */

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

double measure_median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, ascending);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* Runs too short for the clock's resolution are timed in groups. */
timing measure_time(void (*run)(void *), void *arg, double seconds)
{
    enum { MAX_TIMES = 2000 };
    double t[MAX_TIMES], start = clock_now(), now;
    int n = 0, times = 1;
    do {
        double before = clock_now();
        for (int k = 0; k < times; k++)
            run(arg);
        now = clock_now();
        t[n++] = (now - before) / times;
        if (n == 1 && t[0] < 2e-5)
            times = t[0] > 1e-6 ? (int)(2e-5 / t[0]) + 1 : 20;
    } while (n < MAX_TIMES && (now - start < seconds || (n < 3 && now - start < 10 * seconds)));
    double median = measure_median(t, n);
    return (timing){t[0], median};
}

void measure_busy(void)
{
    double load = 0;
    if (getloadavg(&load, 1) == 1 && load > 0.5)
        warn("the machine is busy (load %.1f): timings are inflated, severely so with several threads", load);
}

/* --- measurements in a new process --- */

struct call {
    void (*fn)(void *, void *);
    void *arg, *result;
};

static void call_it(void *arg)
{
    struct call *c = arg;
    c->fn(c->arg, c->result);
}

static size_t get(int fd, void *p, size_t n)
{
    size_t have = 0;
    for (ssize_t k = 1; have < n && k != 0;) {
        k = read(fd, (char *)p + have, n - have);
        if (k < 0 && errno != EINTR)
            break;
        have += k > 0 ? (size_t)k : 0;
    }
    return have;
}

/* The child sends an error message of fixed size ("": none), then the result. */
const char *measure_alone(arena *a, void (*fn)(void *, void *), void *arg, void *result, size_t n)
{
    enum { MESSAGE = 512 };
    int end[2], status = 0;
    char *text = NEW(a, char, MESSAGE);
    fflush(NULL);
    if (pipe(end) != 0)
        die("cannot open a pipe: %s", strerror(errno));
    pid_t pid = fork();
    if (pid < 0)
        die("cannot start a process: %s", strerror(errno));
    if (pid == 0) {
        struct call c = {fn, arg, result};
        const char *error = err_try(call_it, &c);
        snprintf(text, MESSAGE, "%s", error ? error : "");
        _exit(file_put(end[1], text, MESSAGE) || file_put(end[1], result, n) ? EXIT_FAILURE : EXIT_SUCCESS);
    }
    close(end[1]);
    int whole = get(end[0], text, MESSAGE) == MESSAGE && get(end[0], result, n) == n;
    close(end[0]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (!whole)
        snprintf(text, MESSAGE, "the process that measured it ended by %s %d",
                 WIFSIGNALED(status) ? "signal" : "exit code",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return *text ? text : NULL;
}

/* Reads the pipe to its end; out[n] receives the last line, without its newline. */
static void get_last(int fd, char *out, size_t n)
{
    size_t have = 0;
    for (;;) {
        ssize_t k = read(fd, out + have, n - 1 - have);
        if (k == 0 || (k < 0 && errno != EINTR))
            break;
        have += k > 0 ? (size_t)k : 0;
        if (have == n - 1)
            memmove(out, out + n / 2, have -= n / 2);
    }
    while (have && out[have - 1] == '\n')
        have--;
    out[have] = 0;
    char *line = strrchr(out, '\n');
    if (line)
        memmove(out, line + 1, strlen(line));
}

const char *measure_process(arena *a, char *out, size_t n, const char *const *args)
{
    enum { MAX_ARGS = 32 };
    char *argv[MAX_ARGS + 4] = {"jcb", "bench", MEASURE_FLAG};
    int end[2], status = 0, argc = 3;
    pid_t pid;
    for (int i = 0; i < MAX_ARGS && args[i]; i++)
        argv[argc++] = (char *)args[i];
    argv[argc] = NULL;
    if (pipe2(end, O_CLOEXEC) != 0)
        die("cannot open a pipe: %s", strerror(errno));
    posix_spawn_file_actions_t to;
    posix_spawn_file_actions_init(&to);
    posix_spawn_file_actions_adddup2(&to, end[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&to, end[1], STDERR_FILENO);
    int error = posix_spawn(&pid, "/proc/self/exe", &to, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&to);
    close(end[1]);
    if (error) {
        close(end[0]);
        return arena_printf(a, "cannot start a process: %s", strerror(error));
    }
    get_last(end[0], out, n);
    close(end[0]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        return arena_printf(a, "the process that measured it ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status) ? arena_printf(a, "%s", *out ? out : "the process that measured it failed") : NULL;
}

int measure_is_process(int argc, char **argv)
{
    int yes = argc > 1 && !strcmp(argv[1], MEASURE_FLAG);
    if (yes)
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* must not outlive the worker that waits for it */
    return yes;
}

/* --- memory --- */

void measure_reset_peak(void)
{
    FILE *f = fopen("/proc/self/clear_refs", "w");
    if (f) {
        fputs("5", f);
        fclose(f);
    }
}

/* The value of a line "NAME: N kB" of a file in /proc, in bytes; 0: not found. */
static double kib_of(const char *path, const char *format)
{
    double kib = 0;
    char line[128];
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, format, &kib) == 1)
            break;
    if (f)
        fclose(f);
    return 1024 * kib;
}

double measure_peak(void) { return kib_of("/proc/self/status", "VmHWM: %lf"); }
