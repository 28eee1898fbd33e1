/* record_toy: small rows for the tests of records. */
#ifndef JCB_RECORD_TOY_H
#define JCB_RECORD_TOY_H

#include "../../src/run/run.h"
#include "test.h"
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

static const char *const columns[] = {"key", "experiment", "dataset", "run", "test_acc", "param_hash", "lr", "status"};
enum { COLUMNS = 8 };
static char dir[] = "/tmp/jcb_record_XXXXXX";

static inline const char *path_of(arena *a, const char *name) { return arena_printf(a, "%s/%s", dir, name); }

static inline const char *key_of(char out[17], uint64_t i)
{
    snprintf(out, 17, "%016" PRIx64, i * UINT64_C(0x9E3779B97F4A7C15));
    return out;
}

static inline void add(record_file *f, uint64_t i, const char *acc, const char *status)
{
    char key[17], run[24];
    snprintf(run, sizeof run, "%" PRIu64, i);
    const char *v[] = {key_of(key, i), "balanced", "cora", run, acc, "ff", "0.01", status};
    record_append(f, v);
}

static inline int done(record_file *f, uint64_t i)
{
    char key[17];
    return record_done(f, key_of(key, i));
}

static inline void put(const char *path, int flags, const char *s)
{
    int fd = open(path, O_WRONLY | O_CREAT | flags, 0666);
    CHECK(fd >= 0 && write(fd, s, strlen(s)) == (ssize_t)strlen(s), "%s", path);
    close(fd);
}

#endif
