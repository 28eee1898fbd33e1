#include "memory.h"
#include "err.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHARE 0.75
#define UNLIMITED 0x1p62 /* version 1 has no word for it, but a number near 2^63 */

static double limit;
static int given;

/* The number after the name in the file; name "": the first number at the start of a line. NAN: none. */
static double number_in(const char *path, const char *name)
{
    FILE *f = fopen(path, "r");
    char line[256];
    size_t n = strlen(name);
    double x = NAN;
    while (f && isnan(x) && fgets(line, sizeof line, f))
        if (!strncmp(line, name, n) && sscanf(line + n, "%lf", &x) != 1)
            x = NAN;
    if (f)
        fclose(f);
    return x;
}

/* ---- control groups ---- */

typedef struct version {
    const char *mount, *limit, *usage, *cached;
} version;

static const version versions[] = {
    {"/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "},
    {"", "memory.max", "memory.current", "inactive_file "},
    {"/unified", "memory.max", "memory.current", "inactive_file "},
};

/* One group: its limit and what is left of it, where they are smaller than those so far. */
static void look(double *max, double *left, const version *v, const char *dir)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", dir, v->limit);
    double size = number_in(path, ""); /* "max": none */
    if (!(size >= 0 && size < UNLIMITED))
        return;
    snprintf(path, sizeof path, "%s/%s", dir, v->usage);
    double used = number_in(path, "");
    snprintf(path, sizeof path, "%s/memory.stat", dir);
    double cached = number_in(path, v->cached);
    *max = fmin(*max, size);
    *left = fmin(*left, fmax(0, size - (used > 0 ? used : 0) + (cached > 0 ? cached : 0)));
}

/* The group and those above it, up to the root of the mount. In a container its path may be that of the host, which is
 * not mounted: then the root is the group. */
static void look_up(double *max, double *left, const version *v, const char *root, const char *group)
{
    char dir[PATH_MAX];
    snprintf(dir, sizeof dir, "%s%s%s", root, v->mount, group);
    for (size_t top = strlen(root) + strlen(v->mount);;) {
        look(max, left, v, dir);
        char *slash = strrchr(dir, '/');
        if (strlen(dir) <= top || !slash || (size_t)(slash - dir) < top)
            return;
        *slash = 0;
    }
}

void memory_cgroup(double *max, double *left, const char *self, const char *root)
{
    FILE *f = fopen(self, "r");
    char line[PATH_MAX];
    *max = *left = INFINITY;
    while (f && fgets(line, sizeof line, f)) { /* NUMBER:CONTROLLERS:/GROUP */
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = 0;
        if (!strcmp(controllers, ":memory"))
            look_up(max, left, versions, root, group);
        else if (!controllers[1]) /* version 2 */
            look_up(max, left, versions + 1, root, group), look_up(max, left, versions + 2, root, group);
    }
    if (f)
        fclose(f);
}

static void cgroup_here(double *max, double *left) { memory_cgroup(max, left, "/proc/self/cgroup", "/sys/fs/cgroup"); }

/* ---- this machine ---- */

double memory_total(void)
{
    double max, left;
    cgroup_here(&max, &left);
    return fmin(max, (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE));
}

double memory_available(void)
{
    double max, left, kib = number_in("/proc/meminfo", "MemAvailable:");
    cgroup_here(&max, &left);
    return kib > 0 ? fmin(left, 1024 * kib) : fmin(left, memory_total());
}

void memory_set(void *text)
{
    const char *size = text;
    static const char units[] = "KMGT";
    if (!size)
        return;
    char *end;
    double bytes = strtod(size, &end);
    const char *unit = *end ? strchr(units, *end & ~32) : NULL;
    for (long k = unit ? unit - units : -1; k >= 0; k--)
        bytes *= 1024;
    if (end == size || (*end && (!unit || end[1])) || !(bytes >= 1 && bytes < 1e18))
        die("--memory must be a size such as 8G or 500M, not '%s'", size);
    limit = bytes;
    given = 1;
}

int memory_is_set(void) { return given; }

double memory_limit(void)
{
#pragma omp critical(memory)
    if (!(limit > 0))
        limit = SHARE * memory_available();
    return limit;
}
