#include "environment.h"
#include "../base/err.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *count_text(arena *a, int n) { return n < 0 ? "" : arena_printf(a, "%d", n); }

const char *environment_experiment_name(arena *a, const record *r) { return (void)a, r->experiment; }
const char *environment_commit(arena *a, const record *r) { return (void)a, r->commit; }
const char *environment_cpu(arena *a, const record *r) { return (void)a, r->cpu; }
const char *environment_blas(arena *a, const record *r) { return (void)a, r->blas; }
const char *environment_threads(arena *a, const record *r) { return count_text(a, r->threads); }
const char *environment_jobs(arena *a, const record *r) { return count_text(a, r->jobs); }
const char *environment_metis_bits(arena *a, const record *r) { return count_text(a, r->metis_bits); }

environment_values environment_distinct(arena *a, const tables *all, const char *experiment, environment_fact *fact)
{
    const records *r = &all->runs;
    environment_values d = {.v = NEW(a, const char *, (size_t)r->n + 1), .count = NEW(a, int, (size_t)r->n + 1)};
    for (int i = 0; i < r->n; i++) {
        const char *s = fact(a, &r->v[i]);
        int k = 0;
        if (!*s || (experiment && strcmp(r->v[i].experiment, experiment)))
            continue;
        while (k < d.n && strcmp(d.v[k], s))
            k++;
        d.v[k] = s;
        d.count[k]++;
        d.n += k == d.n;
    }
    return d;
}

const char *environment_list(arena *a, const environment_values *d, int counts)
{
    buf b = {.a = a};
    for (int i = 0; i < d->n; i++) {
        buf_add(&b, "%s%s", i ? ", " : "", d->v[i]);
        if (counts && d->n > 1)
            buf_add(&b, " (%d runs)", d->count[i]);
    }
    return b.s ? b.s : "–";
}

static int same_cell(const record *x, const record *y)
{
    return !strcmp(x->experiment, y->experiment) && !strcmp(x->dataset, y->dataset) && !strcmp(x->model, y->model) &&
           !strcmp(x->loss, y->loss) && !strcmp(x->setting, y->setting) && x->s.select == y->s.select;
}

environment_cost environment_experiment(arena *a, const tables *all, const char *experiment)
{
    const records *r = &all->runs;
    environment_cost c = {0};
    int *cell_of = NEW(a, int, (size_t)r->n + 1), timed = 0;
    for (int i = 0; i < r->n; i++) {
        if (experiment && strcmp(r->v[i].experiment, experiment))
            continue;
        int k = 0;
        while (k < c.cells && !same_cell(&r->v[cell_of[k]], &r->v[i]))
            k++;
        cell_of[k] = i;
        c.cells += k == c.cells;
        c.ok += r->v[i].ok;
        c.failed += !r->v[i].ok;
        double s = r->v[i].number[RUN_train_seconds];
        timed |= s > 0;
        c.seconds += isfinite(s) ? s : 0;
    }
    c.seconds = timed ? c.seconds : NAN;
    return c;
}

const char *environment_duration(arena *a, double s)
{
    return isnan(s)    ? "–"
           : s >= 5400 ? arena_printf(a, "%.1f h", s / 3600)
           : s >= 90   ? arena_printf(a, "%.1f min", s / 60)
                       : arena_printf(a, "%.1f s", s);
}

const char *environment_machine(arena *a)
{
    static const char path[] = "/proc/cpuinfo";
    char s[2048], *name; /* of the first processor */
    const char *model = "unknown processor";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, s, sizeof s - 1);
    if (n < 0 || (fd < 0 && errno != ENOENT && errno != EACCES))
        die("%s: %s", path, strerror(errno));
    s[n] = 0;
    if ((name = strstr(s, "\nmodel name")) && (name = strchr(name, ':')))
        model = arena_printf(a, "%.*s", (int)strcspn(name + 2, "\n"), name + 2);
    if (fd >= 0)
        close(fd);
    return arena_printf(a, "%s, %ld cores online, %.1f GiB of memory", model, sysconf(_SC_NPROCESSORS_ONLN),
                        (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / (1 << 30));
}
