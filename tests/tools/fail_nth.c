/* fail_nth.so: preloaded, makes the n-th call of one kind fail.
 *
 *   FAIL_CALL   open (also opendir) | read (pread) | write | fsync (fdatasync) | rename (link) | unlink | mkdir | stat
 *               (lstat, fstat) | close | mmap | malloc (calloc, realloc, posix_memalign) | fork (pthread_create) | lock
 *               (flock) | random
 *   FAIL_NTH    which one, from 1; 0: none, only count
 *   FAIL_ON     1: that one and all that follow
 *   FAIL_ERROR  the number to put into errno; `short`: read and write do the first half of what was asked
 *   FAIL_UNDER  only files whose path begins so (not for mmap of memory, malloc and fork: these count anywhere)
 *   FAIL_COUNT  a file of 16 zero bytes or more: the two counters of calls and failures, shared with child processes
 *   FAIL_LOG    a line `CALL PATH` is appended for each failure
 *   CLOCK_STEP  the time of day jumps back and forth by so many seconds, at every call
 *
 * Calls that libraries make among themselves count as far as the dynamic linker sees them; the C library's own do
 * not, nor do allocations of LLVM's OpenMP runtime: without memory for its message it waits for its own lock for
 * ever. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct {
    int ready, on, error, shorten;
    long nth, step;
    const char *call, *under, *log;
    atomic_long *count;     /* calls, failures */
    uintptr_t omp, omp_end; /* where LLVM's OpenMP runtime is */
} set;
static _Thread_local int inside; /* what this file calls itself does not count */

static const char *text(const char *name)
{
    const char *v = getenv(name);
    return v ? v : "";
}

static int find_omp(struct dl_phdr_info *o, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < o->dlpi_phnum && strstr(o->dlpi_name, "/libomp.so"); i++)
        if (o->dlpi_phdr[i].p_type == PT_LOAD && o->dlpi_phdr[i].p_flags & PF_X) {
            set.omp = o->dlpi_addr + o->dlpi_phdr[i].p_vaddr;
            set.omp_end = set.omp + o->dlpi_phdr[i].p_memsz;
        }
    return 0;
}

__attribute__((constructor)) static void start(void)
{
    inside++;
    const char *error = text("FAIL_ERROR");
    int fd = (int)syscall(SYS_openat, AT_FDCWD, text("FAIL_COUNT"), O_RDWR | O_CLOEXEC, 0);
    void *p = (void *)syscall(SYS_mmap, NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    set.count = p == MAP_FAILED ? NULL : p;
    set.call = text("FAIL_CALL"), set.under = text("FAIL_UNDER"), set.log = text("FAIL_LOG");
    set.nth = atol(text("FAIL_NTH")), set.on = atoi(text("FAIL_ON")), set.step = atol(text("CLOCK_STEP"));
    set.shorten = !strcmp(error, "short"), set.error = set.shorten ? EIO : atoi(error);
    dl_iterate_phdr(find_omp, NULL);
    set.ready = set.count != NULL;
    if (fd >= 0)
        syscall(SYS_close, fd);
    inside--;
}

static void note(const char *call, const char *path)
{
    char line[4200];
    int n = snprintf(line, sizeof line, "%s %s\n", call, path),
        fd = (int)syscall(SYS_openat, AT_FDCWD, set.log, O_WRONLY | O_APPEND | O_CREAT, 0666);
    if (fd >= 0 && n > 0)
        syscall(SYS_write, fd, line, (size_t)n);
    if (fd >= 0)
        syscall(SYS_close, fd);
}

/* Whether this call is to fail; errno is then set. Path: NULL where there is none. */
static int fails(const char *call, const char *path)
{
    if (!set.ready || inside || strcmp(call, set.call) || (path && strncmp(path, set.under, strlen(set.under))))
        return 0;
    long k = atomic_fetch_add(&set.count[0], 1) + 1;
    if (!set.nth || (set.on ? k < set.nth : k != set.nth))
        return 0;
    atomic_fetch_add(&set.count[1], 1);
    inside++;
    note(call, path ? path : "-");
    inside--;
    errno = set.error;
    return 1;
}

static int fails_fd(const char *call, int fd)
{
    char link[64], path[4096];
    if (!set.ready || inside || strcmp(call, set.call))
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    return fails(call, path);
}

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name)
{
    inside++;
    void *f = dlsym(RTLD_NEXT, name);
    inside--;
    return f;
}

int open(const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    return fails("open", path) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) __attribute__((alias("open")));

DIR *opendir(const char *path) { return fails("open", path) ? NULL : REAL(opendir)(path); }

ssize_t read(int fd, void *p, size_t n)
{
    if (fails_fd("read", fd)) {
        if (!set.shorten)
            return -1;
        n = (n + 1) / 2;
    }
    return syscall(SYS_read, fd, p, n);
}

ssize_t pread(int fd, void *p, size_t n, off_t at)
{
    if (fails_fd("read", fd)) {
        if (!set.shorten)
            return -1;
        n = (n + 1) / 2;
    }
    return syscall(SYS_pread64, fd, p, n, at);
}
ssize_t pread64(int fd, void *p, size_t n, off_t at) __attribute__((alias("pread")));

ssize_t write(int fd, const void *p, size_t n)
{
    if (fails_fd("write", fd)) {
        if (!set.shorten)
            return -1;
        n = (n + 1) / 2;
    }
    return syscall(SYS_write, fd, p, n);
}

int fsync(int fd) { return fails_fd("fsync", fd) ? -1 : (int)syscall(SYS_fsync, fd); }
int fdatasync(int fd) { return fails_fd("fsync", fd) ? -1 : (int)syscall(SYS_fdatasync, fd); }
int rename(const char *from, const char *to) { return fails("rename", to) ? -1 : (int)syscall(SYS_rename, from, to); }
int link(const char *from, const char *to) { return fails("rename", from) ? -1 : (int)syscall(SYS_link, from, to); }
int unlink(const char *path) { return fails("unlink", path) ? -1 : (int)syscall(SYS_unlink, path); }
int mkdir(const char *path, mode_t mode) { return fails("mkdir", path) ? -1 : (int)syscall(SYS_mkdir, path, mode); }
int flock(int fd, int op) { return fails_fd("lock", fd) ? -1 : (int)syscall(SYS_flock, fd, op); }
ssize_t getrandom(void *p, size_t n, unsigned flags)
{
    return fails("random", NULL) ? -1 : syscall(SYS_getrandom, p, n, flags);
}

int close(int fd) /* the descriptor is gone even so, as on Linux */
{
    int failed = fails_fd("close", fd), error = errno, rc = (int)syscall(SYS_close, fd);
    if (failed)
        errno = error;
    return failed ? -1 : rc;
}

int stat(const char *restrict path, struct stat *restrict st)
{
    return fails("stat", path) ? -1 : REAL(stat)(path, st);
}
int lstat(const char *restrict path, struct stat *restrict st)
{
    return fails("stat", path) ? -1 : REAL(lstat)(path, st);
}
int fstat(int fd, struct stat *st) { return fails_fd("stat", fd) ? -1 : REAL(fstat)(fd, st); }

void *mmap(void *p, size_t n, int prot, int flags, int fd, off_t at)
{
    if (flags & MAP_ANONYMOUS ? fails("mmap", NULL) : fails_fd("mmap", fd))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, p, n, prot, flags, fd, at);
}
void *mmap64(void *p, size_t n, int prot, int flags, int fd, off_t at) __attribute__((alias("mmap")));

extern void *__libc_malloc(size_t n), *__libc_calloc(size_t n, size_t size), *__libc_realloc(void *p, size_t n),
    *__libc_memalign(size_t align, size_t n);
static int fails_for(void *caller)
{
    uintptr_t at = (uintptr_t)caller;
    return (at < set.omp || at >= set.omp_end) && fails("malloc", NULL);
}
#define NO_MEMORY fails_for(__builtin_return_address(0))
void *malloc(size_t n) { return NO_MEMORY ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return NO_MEMORY ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return NO_MEMORY ? NULL : __libc_realloc(p, n); }
int posix_memalign(void **p, size_t align, size_t n)
{
    if (NO_MEMORY)
        return ENOMEM;
    *p = __libc_memalign(align, n);
    return *p ? 0 : ENOMEM;
}

int clock_gettime(clockid_t which, struct timespec *t)
{
    static atomic_long looks;
    int rc = (int)syscall(SYS_clock_gettime, which, t);
    if (rc == 0 && which == CLOCK_REALTIME && set.step)
        t->tv_sec += atomic_fetch_add(&looks, 1) % 2 ? set.step : -set.step;
    return rc;
}

time_t time(time_t *out)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (out)
        *out = t.tv_sec;
    return t.tv_sec;
}

pid_t fork(void) { return fails("fork", NULL) ? -1 : REAL(fork)(); }
int pthread_create(pthread_t *restrict t, const pthread_attr_t *restrict attr, void *(*fn)(void *), void *restrict arg)
{
    return fails("fork", NULL) ? errno : REAL(pthread_create)(t, attr, fn, arg);
}
