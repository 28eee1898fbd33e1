#include "select.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/list.h"
#include "../base/opt.h"
#include "../base/places.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

data_dirs select_dirs(arena *a, const char *data)
{
    const char *raw = getenv("JCB_RAW");
    data_dirs d = {.raw = raw ? raw : arena_printf(a, "%s/raw", data), .cache = arena_printf(a, "%s/cache", data)};
    const char *path = arena_printf(a, "%s/catalog.tsv", data), *installed;
    if (file_named(path) || !(installed = places_find(a, PLACE_CATALOG))) {
        d.catalog = catalog_read(a, path);
        return d;
    }
    if (!strcmp(data, "data")) { /* the default, outside the source tree */
        if (!raw)
            d.raw = arena_printf(a, "%s/raw", places_data(a));
        d.cache = places_cache(a);
    }
    int use = !strcmp(data, "data") || (file_is_directory(data) && file_exists(JCB_DATADIR "/catalog.tsv"));
    d.catalog = catalog_read(a, use ? installed : path);
    return d;
}

spec_file select_specs(arena *a, const char *dir, const char *experiment)
{
    if (dir && !file_is_directory(dir))
        die("--specs %s: there is no such directory", dir);
    if (!dir && !(dir = places_find(a, PLACE_SPECS)))
        die("the hyper-parameters of the experiments (bench/specs) are not found here: name their directory with "
            "--specs");
    return spec_file_read(a, arena_printf(a, "%s/%s.tsv", dir, experiment));
}

int select_match(const char *alternatives, size_t n, const char *value)
{
    size_t len = strlen(value);
    for (const char *s = alternatives, *end = s + n; s <= end;) {
        const char *bar = memchr(s, '|', (size_t)(end - s));
        size_t piece = (size_t)((bar ? bar : end) - s);
        if (piece == len && !strncasecmp(s, value, len))
            return 1;
        s += piece + 1;
    }
    return 0;
}

/* The value of a key of the setting; NULL: it has none. */
static const char *setting_value(char out[64], const char *setting, const char *key)
{
    size_t len = strlen(key);
    for (list_item i = list_first(setting); i.s; i = list_next(i))
        if (i.key == len && i.key < i.n && !strncmp(i.s, key, len)) {
            snprintf(out, 64, "%.*s", (int)(i.n - len - 1), i.s + len + 1);
            return out;
        }
    return NULL;
}

int select_cell(const spec *s, const char *setting, const char *experiment, const char *only, unsigned *known)
{
    int match = 1, i = 0;
    for (list_item o = list_first(only); o.s; o = list_next(o), i++) {
        if (o.key == o.n)
            opt_wrong("--only must be key=value[,key=value], not '%s'", only);
        size_t n = o.n - o.key - 1;
        char key[32] = "", buf[32], part[64];
        snprintf(key, sizeof key, "%.*s", (int)o.key, o.s);
        int k = spec_field(key);
        const char *in_setting = setting_value(part, setting, key);
        const char *value = k >= 0                       ? spec_get(s, k, buf)
                            : !strcmp(key, "experiment") ? experiment
                            : !strcmp(key, "setting")    ? setting
                                                         : in_setting;
        if (value && i < 32)
            *known |= 1u << i;
        if (!select_match(o.s + o.key + 1, n, value ? value : "-") &&
            !(in_setting && select_match(o.s + o.key + 1, n, in_setting)))
            match = 0;
    }
    return match;
}

void select_check(const char *only, unsigned known, int cells)
{
    int i = 0;
    for (list_item o = list_first(only); o.s; o = list_next(o), i++)
        if (i < 32 && !(known >> i & 1))
            opt_wrong("--only: neither a hyper-parameter nor a setting is called '%.*s': say dataset, model, loss, ...",
                      (int)o.key, o.s);
    if (!cells)
        die("no cell matches --only %s (`jcb bench NAME --list` prints the cells)", only);
}
