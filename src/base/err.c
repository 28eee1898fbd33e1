#include "err.h"
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *err_program = "jcb";

enum { MESSAGE_BYTES = 1024 }; /* bytes of a message */

static _Thread_local jmp_buf *guard;
static _Thread_local char message[MESSAGE_BYTES];
static atomic_flag ended = ATOMIC_FLAG_INIT; /* a thread has called die() without a guard, */
static _Thread_local int dying;              /* this one */

static void close_stdout(void)
{
    int failed = ferror(stdout), error = 0;
    if (fclose(stdout) != 0 && errno != EBADF) /* EBADF: it was closed from the start */
        error = errno;
    if (!failed && !error)
        return;
    fprintf(stderr, "%s: cannot write to standard output%s%s\n", err_program, error ? ": " : "",
            error ? strerror(error) : "");
    _exit(EXIT_FAILURE);
}

void err_start(const char *program)
{
    err_program = program;
    signal(SIGXFSZ, SIG_IGN);
    static int started; /* `jcb bench` starts twice */
    if (!started++)
        atexit(close_stdout);
}

/* The text, at most as long as a message. Of a longer one the middle is left out: a long path is followed by the
 * reason. */
static void compose(char out[MESSAGE_BYTES], const char *fmt, va_list ap)
{
    char whole[4 * 4096];
    vsnprintf(whole, sizeof whole, fmt, ap);
    size_t n = strlen(whole), half = MESSAGE_BYTES / 2 - sizeof " ... ";
    if (n < MESSAGE_BYTES)
        memcpy(out, whole, n + 1);
    else
        snprintf(out, MESSAGE_BYTES, "%.*s ... %s", (int)half, whole, whole + n - half);
}

_Noreturn void die(const char *fmt, ...)
{
    char line[MESSAGE_BYTES]; /* an argument may be the message of an earlier die() */
    va_list ap;
    va_start(ap, fmt);
    compose(line, fmt, ap);
    va_end(ap);
    memcpy(message, line, strlen(line) + 1);
    if (guard)
        longjmp(*guard, 1);
    if (!dying && atomic_flag_test_and_set(&ended)) /* another thread is ending the process: one message is enough */
        for (;;)
            pause();
    dying = 1;
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", err_program, message);
    exit(EXIT_FAILURE);
}

void warn(const char *fmt, ...)
{
    char line[MESSAGE_BYTES];
    va_list ap;
    va_start(ap, fmt);
    compose(line, fmt, ap);
    va_end(ap);
    fprintf(stderr, "%s: %s\n", err_program, line);
}

const char *err_try(void (*fn)(void *), void *arg)
{
    jmp_buf here;
    jmp_buf *volatile outer = guard;
    volatile int failed = 0;
    if (setjmp(here) == 0) {
        guard = &here;
        fn(arg);
    } else {
        failed = 1;
    }
    guard = outer;
    return failed ? message : NULL;
}

int err_is_memory(const char *why) { return !strncmp(why, "out of memory", strlen("out of memory")); }
