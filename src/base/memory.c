#include "memory.h"
#include "err.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHARE 0.75

static double limit;
static int given;

double memory_available(void)
{
    FILE *f = fopen("/proc/meminfo", "r");
    char line[128];
    double kib = 0;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %lf", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib > 0 ? 1024 * kib : (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
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
