#include "../base/arena.h"
#include "../base/clock.h"
#include "../base/err.h"
#include "transport.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IDLE_DEATHS = 100 /* gives up after so many workers that ended without a job */ };

typedef struct process {
    pid_t pid;
    int fd;
    int busy;
    double deadline; /* by clock_now; INFINITY: none */
} process;

typedef struct local {
    transport t;
    arena a;
    transport_work w;
    process *p;
    struct pollfd *poll;
    void *answer;
    int idle_deaths;
} local;

/* --- the worker --- */

/* Closes the files of the scheduler: a lock on records must be released when the scheduler ends. */
static void keep_only(int fd)
{
    int last = (int)sysconf(_SC_OPEN_MAX);
    for (int i = STDERR_FILENO + 1; i < (last > 0 && last < 4096 ? last : 4096); i++)
        if (i != fd)
            close(i);
}

/* The out-of-memory killer shall choose a worker, not the scheduler. */
static void raise_oom_score(void)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    ssize_t ignored = fd < 0 ? 0 : write(fd, "500", 3);
    (void)ignored;
    if (fd >= 0)
        close(fd);
}

/* Exits without the atexit functions of the parent, which would finalise MPI. `make coverage` needs its counts written.
 */
extern void __gcov_dump(void) __attribute__((weak));

static _Noreturn void leave(int code)
{
    if (__gcov_dump)
        __gcov_dump();
    _exit(code);
}

/* The loop of a worker. Ctrl-C reaches the whole process group: workers ignore it, and the scheduler ends them. If the
 * scheduler dies, its workers are killed. */
static _Noreturn void serve(const transport_work *w, int fd, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    static const int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}; /* MPI installs handlers */
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], SIG_DFL);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    keep_only(fd);
    raise_oom_score();
    arena a = {0};
    char *in = NEW(&a, char, w->in), *out = NEW(&a, char, w->out);
    for (;;) {
        ssize_t n = recv(fd, in, w->in, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n != (ssize_t)w->in)
            leave(n == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
        size_t k = w->work(w->arg, out, in);
        while (send(fd, out, k, MSG_NOSIGNAL) < 0)
            if (errno != EINTR)
                leave(EXIT_FAILURE);
    }
}

/* --- the scheduler --- */

static void start(local *l, int k)
{
    int end[2];
    pid_t parent = getpid();
    fflush(NULL);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, end) != 0)
        die("cannot open a socket for a worker: %s", strerror(errno));
    pid_t pid = fork();
    if (pid < 0)
        die("cannot start a worker process: %s", strerror(errno));
    if (pid == 0)
        serve(&l->w, end[1], parent);
    close(end[1]);
    l->p[k] = (process){.pid = pid, .fd = end[0], .deadline = INFINITY};
}

/* Waits for the process to end; why: how it ended. */
static void reap(process *p, char why[64])
{
    int status = 0;
    close(p->fd);
    while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        snprintf(why, 64, "signal %d", WTERMSIG(status));
    else
        snprintf(why, 64, "exit code %d", WEXITSTATUS(status));
}

static void local_send(transport *t, int worker, const void *job, double timeout)
{
    local *l = (local *)t;
    process *p = l->p + worker;
    p->busy = 1;
    p->deadline = timeout > 0 ? clock_now() + timeout : INFINITY;
    while (send(p->fd, job, l->w.in, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ; /* receive reports a worker that has ended */
}

/* Replaces a worker that ended; returns whether it had a job. */
static int replace(local *l, int k, transport_message *m, const char *reason)
{
    int busy = l->p[k].busy;
    *m = (transport_message){.worker = k};
    reap(l->p + k, m->why);
    if (reason)
        snprintf(m->why, sizeof m->why, "%s", reason);
    if (!busy && ++l->idle_deaths > IDLE_DEATHS)
        die("worker processes keep ending without a job (%s)", m->why);
    start(l, k);
    return busy;
}

static int next_wait(const local *l, double until)
{
    for (int k = 0; k < l->t.workers; k++)
        until = fmin(until, l->p[k].deadline);
    double ms = ceil(1e3 * (until - clock_now()));
    return ms < 0 ? 0 : ms > 1e6 ? 1000000 : (int)ms;
}

static int take_answer(local *l, int k, transport_message *m)
{
    process *p = l->p + k;
    ssize_t n = recv(p->fd, l->answer, l->w.out, MSG_DONTWAIT);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return 0;
    if (n <= 0)
        return replace(l, k, m, NULL);
    p->busy = 0;
    p->deadline = INFINITY;
    *m = (transport_message){.worker = k, .data = l->answer};
    return 1;
}

static int local_receive(transport *t, transport_message *m, double seconds)
{
    local *l = (local *)t;
    for (int k = 0; k < t->workers; k++)
        l->poll[k] = (struct pollfd){.fd = l->p[k].fd, .events = POLLIN};
    if (poll(l->poll, (nfds_t)t->workers, next_wait(l, clock_now() + seconds)) < 0)
        return 0;
    for (int k = 0; k < t->workers; k++)
        if (l->poll[k].revents && take_answer(l, k, m))
            return 1;
    for (int k = 0; k < t->workers; k++)
        if (l->p[k].busy && clock_now() > l->p[k].deadline) {
            kill(l->p[k].pid, SIGKILL);
            return replace(l, k, m, "timeout");
        }
    return 0;
}

static void local_close(transport *t)
{
    local *l = (local *)t;
    char why[64];
    for (int k = 0; k < t->workers; k++) {
        if (l->p[k].busy)
            kill(l->p[k].pid, SIGKILL);
        shutdown(l->p[k].fd, SHUT_RDWR);
    }
    for (int k = 0; k < t->workers; k++)
        reap(l->p + k, why);
    arena a = l->a;
    arena_free(&a);
}

transport *transport_local(const transport_work *w, int workers)
{
    arena a = {0};
    local *l = NEW(&a, local, 1);
    l->p = NEW(&a, process, (size_t)workers);
    l->poll = NEW(&a, struct pollfd, (size_t)workers);
    l->answer = NEW(&a, char, w->out);
    l->w = *w;
    l->t = (transport){workers, NEW(&a, int, (size_t)workers), local_send, local_receive, local_close};
    l->a = a;
    for (int k = 0; k < workers; k++)
        start(l, k);
    return &l->t;
}
