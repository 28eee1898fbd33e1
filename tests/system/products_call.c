/* products_call: runs the program as a user does, without a shell, and reads what it prints. */
#include "products.h"
#include "../../src/base/file.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *products_jcb = "src/jcb";
double products_limit = 20;

void args_add(arena *a, args *to, const char *format, ...)
{
    char text[8192];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    if (to->n < ARGS_MAX)
        to->v[to->n++] = arena_printf(a, "%s", text);
}

int call_exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

char *call_read(arena *a, const char *path)
{
    if (!call_exists(path))
        return arena_printf(a, "%s", "");
    return (char *)file_read(a, path, 0).p; /* ends with a NUL */
}

void call_write(const char *path, const char *format, ...)
{
    va_list ap;
    FILE *f = fopen(path, "w");
    if (!f) {
        fprintf(stderr, "products: cannot write %s: %s\n", path, strerror(errno));
        exit(1);
    }
    va_start(ap, format);
    vfprintf(f, format, ap);
    va_end(ap);
    fclose(f);
}

const char *call_path(kase *k, const char *name) { return arena_printf(&k->a, "%s/%s", k->dir, name); }

static void redirect(const char *path, int fd)
{
    int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (to < 0 || dup2(to, fd) < 0)
        _exit(126);
    close(to);
}

static _Noreturn void child(kase *k, const args *what, const char *out, const char *err)
{
    char threads[16], *v[ARGS_MAX + 2] = {(char *)products_jcb};
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    snprintf(threads, sizeof threads, "%d", k->threads);
    setenv("OMP_NUM_THREADS", threads, 1);
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("JCB_RAW", k->data, 1); /* no files of the catalogue: its names mean small twins */
    redirect("/dev/null", 0);
    redirect(out, 1);
    redirect(err, 2);
    memcpy(v + 1, what->v, (size_t)(what->n + 1) * sizeof *v);
    execv(products_jcb, v);
    _exit(127);
}

/* Waits for the child; after the limit kills its process group. */
static void await(result *r, pid_t pid)
{
    sigset_t chld;
    int status = 0;
    struct timespec now, end;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (time_t)products_limit;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec > end.tv_sec) {
            r->late = 1;
            kill(-pid, SIGKILL);
            waitpid(pid, &status, 0);
            break;
        }
        sigtimedwait(&chld, NULL, &(struct timespec){.tv_sec = 1});
    }
    kill(-pid, SIGKILL); /* workers that it has left behind */
    r->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    r->sig = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/* Whether every line starts with the name of the program. */
static int lines_of_program(const char *s, int *lines)
{
    int named = 1;
    for (*lines = 0; *s; s += strcspn(s, "\n"), s += *s == '\n') {
        named &= !strncmp(s, "jcb ", 4);
        ++*lines;
    }
    return named;
}

static const char *first_line(arena *a, const char *s) { return arena_printf(a, "%.*s", (int)strcspn(s, "\n"), s); }

/* Commands that run several cells may report each that fails. */
static int runs_cells(const char *command)
{
    return !strcmp(command, "tune") || !strcmp(command, "compare") || !strcmp(command, "bench");
}

static void check_end(kase *k, const result *r, const char *command)
{
    static const char *const bad[] = {"AddressSanitizer", "LeakSanitizer", "runtime error:", "ThreadSanitizer",
                                      "ssert"};
    int lines, named = lines_of_program(r->err, &lines), reported = 0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        reported |= strstr(r->err, bad[i]) != NULL;
    oracle(k, ORACLE_ends, !r->late && !r->sig && r->code >= 0 && r->code <= 2 && !reported,
           "exit code %d, signal %d%s: %s", r->code, r->sig, r->late ? ", stopped after the time limit" : "",
           first_line(&k->a, r->err));
    if (r->late || r->sig || reported)
        return;
    oracle(k, ORACLE_one_line, named && (r->code == 0 || lines == 1 || (lines > 1 && runs_cells(command))),
           "exit code %d, %d lines: %s", r->code, lines, r->err);
}

result call(kase *k, const args *what)
{
    result r = {0};
    sigset_t chld;
    const char *out = call_path(k, "stdout"), *err = call_path(k, "stderr");
    if (k->nsaid < (int)(sizeof k->said / sizeof *k->said))
        k->said[k->nsaid++] = *what;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    sigprocmask(SIG_BLOCK, &chld, NULL);
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        perror("products: fork");
        exit(1);
    }
    if (!pid)
        child(k, what, out, err);
    await(&r, pid);
    r.out = call_read(&k->a, out);
    r.err = call_read(&k->a, err);
    check_end(k, &r, what->v[0]);
    return r;
}

/* ---- what jcb train --json prints ---- */

const char *call_run(arena *a, const char *out, int run)
{
    const char *mark = arena_printf(a, "{\"run\": %d,", run), *at = out;
    while (at && strncmp(at, mark, strlen(mark)))
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    if (!at)
        return NULL;
    const char *ms = strstr(at, "\"epoch_ms\""), *hash = ms ? strstr(ms, "\"param_hash\"") : NULL;
    if (!hash || hash > at + strcspn(at, "\n"))
        return NULL;
    return arena_printf(a, "%.*s%.*s", (int)(ms - at), at, (int)strcspn(hash, ",}\n"), hash);
}

double call_value(const char *json, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(json, key);
    if (!at || !strncmp(at + strlen(key), "null", 4))
        return NAN;
    return strtod(at + strlen(key), NULL);
}

const char *call_hash(arena *a, const char *json)
{
    static const char key[] = "\"param_hash\": \"";
    const char *at = strstr(json, key);
    return at ? arena_printf(a, "%.16s", at + strlen(key)) : "";
}
