/* memory: the limit of memory use.
 *
 * The limit is one for the whole process: --memory SIZE, else three quarters of what is available when it is first
 * queried. What depends on it (how many nodes are predicted together, whether features are mapped from a file)
 * changes no result. */
#ifndef JCB_MEMORY_H
#define JCB_MEMORY_H

#include <stddef.h>

void memory_set(void *size); /* text, "8G", "500M" or bytes; NULL: the default. Dies on a bad size (for opt_try). Before
                                threads start */
int memory_is_set(void);
double memory_limit(void);     /* bytes */
double memory_available(void); /* bytes available now to this process: of the machine, or of its control group */
double memory_total(void);     /* bytes of the machine, or the limit of the control group */

/* What the memory control groups of a process allow (containers, Slurm, systemd): the smallest limit of its group and
 * the groups above, and the smallest number of bytes that are left in one of them (unused, or cached files that the
 * kernel may drop). Both INFINITY where nothing is limited. self: /proc/self/cgroup; root: /sys/fs/cgroup; versions 1
 * and 2. */
void memory_cgroup(double *max, double *left, const char *self, const char *root);

#define OPT_MEMORY(to)                                                                                                 \
    {                                                                                                                  \
        "memory", OPT_TEXT, to, "SIZE", "most memory to use, e.g. 8G (default: three quarters of what is free)", NULL, \
            0, 0                                                                                                       \
    }

#endif
