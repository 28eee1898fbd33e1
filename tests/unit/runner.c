/* tests/run and tests/run_double: `run NAME [ARGUMENT ...]` runs a test, `run --list` prints the names. NAME may be the
 * path of the test's file, as in `make check TESTS=tests/unit/test_stats.c`. */
#include "runner.h"
#include <stdio.h>
#include <string.h>

static test_entry *tests; /* sorted by name */

void test_register(test_entry *e)
{
    test_entry **at = &tests;
    while (*at && strcmp((*at)->name, e->name) < 0)
        at = &(*at)->next;
    e->next = *at;
    *at = e;
}

/* path: without its directories and ".c", which are cut off. */
static test_entry *find(char *path)
{
    char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *end = strstr(name, ".c");
    if (end)
        *end = '\0';
    test_entry *e = tests;
    while (e && strcmp(e->name, name))
        e = e->next;
    return e;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--list")) {
        for (test_entry *e = tests; e; e = e->next)
            puts(e->name);
        return 0;
    }
    if (argc < 2 || argv[1][0] == '-') {
        fprintf(stderr, "usage: %s NAME [ARGUMENT ...] | --list\n", argv[0]);
        return 2;
    }
    test_entry *e = find(argv[1]);
    if (!e) {
        fprintf(stderr, "%s: no test %s: see --list\n", argv[0], argv[1]);
        return 2;
    }
    argv[1] = (char *)e->name;
    return e->run(argc - 1, argv + 1);
}
