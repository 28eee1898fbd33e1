/* test: checks. TEST_MAIN(test_NAME) calls the cases of a test and returns test_end(). */
#ifndef JCB_TEST_H
#define JCB_TEST_H

#include "runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test_checks, test_failures;

#define CHECK(cond, ...)                                                       \
    do {                                                                       \
        test_checks++;                                                         \
        if (!(cond)) {                                                         \
            test_failures++;                                                   \
            fprintf(stderr, "%s:%d: failed: %s: ", __FILE__, __LINE__, #cond); \
            fprintf(stderr, __VA_ARGS__);                                      \
            fputc('\n', stderr);                                               \
        }                                                                      \
    } while (0)

#define CHECK_NEAR(x, y, tol)                                                    \
    do {                                                                         \
        double x_ = (x), y_ = (y);                                               \
        CHECK(fabs(x_ - y_) <= (tol), "%s = %.10g, %s = %.10g", #x, x_, #y, y_); \
    } while (0)

/* A file or directory of the source tree; valid until the next call. */
static inline const char *test_path(const char *name)
{
    static char path[4200];
    const char *src = getenv("srcdir");
    snprintf(path, sizeof path, "%s/%s", src ? src : ".", name);
    return path;
}

/* Removes a directory with its contents, unless KEEP=1 is set in the environment. */
static inline void test_remove(const char *dir)
{
    char command[4200];
    snprintf(command, sizeof command, getenv("KEEP") ? "echo '%s'" : "rm -rf '%s'", dir);
    CHECK(system(command) == 0, "%s is left behind", dir);
}

static inline int test_end(void)
{
    printf("%d checks, %d failures\n", test_checks, test_failures);
    return test_failures ? 1 : test_checks ? 0 : 1;
}

#endif
