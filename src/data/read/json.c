#include "json.h"
#include "../../base/err.h"
#include "stream.h"
#include "../text.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <yajl/yajl_parse.h>

#define TOKEN_MAX ((uint64_t)1 << 20) /* bytes without any event: no token of ours is that long */

typedef struct reader {
    json_entry e;
    int64_t capacity;
    enum { BEFORE, KEY, VALUE, LIST, AFTER } state;
    uint64_t base, events; /* file offset of the window; callbacks seen */
    yajl_handle yajl;
    arena *tmp;
    void (*each)(void *, const json_entry *);
    void *ctx;
} reader;

/* Allocator of yajl: nothing is freed before the arena. A block is preceded by its size, for realloc. */
static void *take(void *ctx, size_t n)
{
    size_t *p = arena_alloc(ctx, n + 16, 1);
    *p = n;
    return (char *)p + 16;
}

static void drop(void *ctx, void *p)
{
    (void)ctx;
    (void)p;
}

static void *resize(void *ctx, void *old, size_t n)
{
    void *p = take(ctx, n);
    if (old) {
        size_t had = *(size_t *)((char *)old - 16);
        memcpy(p, old, had < n ? had : n);
    }
    return p;
}

static _Noreturn void complain(const reader *r, const char *found)
{
    static const char *const want[] = {"an object", "a key", "an integer or a list of integers", "an integer",
                                       "the end of the file"};
    char key[80] = "";
    if (r->state == VALUE || r->state == LIST)
        snprintf(key, sizeof key, "entry '%s': ", r->e.key);
    die("%s: byte %llu: %sexpected %s, found %s", r->e.path,
        (unsigned long long)(r->base + yajl_get_bytes_consumed(r->yajl)), key, want[r->state], found);
}

static int on_null(void *ctx) { complain(ctx, "null"); }

static int on_bool(void *ctx, int x) { complain(ctx, x ? "true" : "false"); }

static int on_string(void *ctx, const unsigned char *s, size_t n)
{
    (void)s;
    (void)n;
    complain(ctx, "a string");
}

static void give(reader *r, int list)
{
    r->e.list = list;
    r->each(r->ctx, &r->e);
    r->state = KEY;
}

static int on_number(void *ctx, const char *s, size_t n)
{
    reader *r = ctx;
    char shown[48];
    r->events++;
    int64_t x = 0;
    size_t k = s[0] == '-', first = k;
    for (; k < n && s[k] >= '0' && s[k] <= '9'; k++)
        x = k - first < 18 ? 10 * x + (s[k] - '0') : x;
    if ((r->state != VALUE && r->state != LIST) || k - first > 18)
        complain(r, text_show(shown, (const unsigned char *)s, n));
    if (k < n && s[k] == '.')
        do
            k++;
        while (k < n && s[k] == '0');
    if (k < n)
        complain(r, text_show(shown, (const unsigned char *)s, n));
    GROW(r->tmp, r->e.v, r->e.n, r->capacity, 256);
    r->e.v[r->e.n++] = first ? -x : x;
    if (r->state == VALUE)
        give(r, 0);
    return 1;
}

static int on_map(void *ctx)
{
    reader *r = ctx;
    r->events++;
    if (r->state != BEFORE)
        complain(r, "an object");
    r->state = KEY;
    return 1;
}

static int on_map_end(void *ctx)
{
    reader *r = ctx;
    r->events++;
    r->state = AFTER;
    return 1;
}

static int on_key(void *ctx, const unsigned char *s, size_t n)
{
    reader *r = ctx;
    char shown[48];
    r->events++;
    if (n >= sizeof r->e.key)
        die("%s: byte %llu: key '%s' is too long", r->e.path,
            (unsigned long long)(r->base + yajl_get_bytes_consumed(r->yajl)), text_show(shown, s, n));
    for (size_t k = 0; k < n; k++)
        r->e.key[k] = s[k] >= ' ' && s[k] < 127 ? (char)s[k] : '?';
    r->e.key[n] = 0;
    r->e.n = 0;
    r->state = VALUE;
    return 1;
}

static int on_list(void *ctx)
{
    reader *r = ctx;
    r->events++;
    if (r->state != VALUE)
        complain(r, "a list");
    r->state = LIST;
    return 1;
}

static int on_list_end(void *ctx)
{
    reader *r = ctx;
    r->events++;
    give(r, 1);
    return 1;
}

static _Noreturn void syntax(const reader *r)
{
    char shown[48];
    const char *s = (const char *)yajl_get_error(r->yajl, 0, NULL, 0);
    die("%s: byte %llu: %s", r->e.path, (unsigned long long)(r->base + yajl_get_bytes_consumed(r->yajl)),
        text_show(shown, (const unsigned char *)s, strlen(s)));
}

void json_entries(arena *tmp, const char *path, void (*each)(void *ctx, const json_entry *e), void *ctx)
{
    static const yajl_callbacks calls = {.yajl_null = on_null,
                                         .yajl_boolean = on_bool,
                                         .yajl_number = on_number,
                                         .yajl_string = on_string,
                                         .yajl_start_map = on_map,
                                         .yajl_map_key = on_key,
                                         .yajl_end_map = on_map_end,
                                         .yajl_start_array = on_list,
                                         .yajl_end_array = on_list_end};
    yajl_alloc_funcs alloc = {.malloc = take, .realloc = resize, .free = drop, .ctx = tmp};
    reader r = {.e.path = path, .tmp = tmp, .each = each, .ctx = ctx};
    stream s = stream_open(path);
    unsigned char *window = NEW(tmp, unsigned char, STREAM_WINDOW);
    r.yajl = yajl_alloc(&calls, &alloc, &r);
    uint64_t seen = 0, quiet = 0;
    for (uint64_t at = 0; at < s.size;) {
        size_t n = s.size - at < STREAM_WINDOW ? (size_t)(s.size - at) : STREAM_WINDOW;
        stream_read(window, &s, at, n);
        r.base = at;
        if (yajl_parse(r.yajl, window, n) != yajl_status_ok)
            syntax(&r);
        at += n;
        quiet = r.events == seen ? quiet + n : 0;
        seen = r.events;
        if (quiet > TOKEN_MAX)
            die("%s: byte %llu: a token longer than %llu bytes: corrupt", path, (unsigned long long)at,
                (unsigned long long)TOKEN_MAX);
    }
    if (yajl_complete_parse(r.yajl) != yajl_status_ok)
        syntax(&r);
    if (r.state != AFTER)
        die("%s: contains no object: empty or truncated", path);
}

int json_key_id(const json_entry *e, int count)
{
    int64_t x = 0;
    const char *s = e->key;
    for (; *s >= '0' && *s <= '9' && x <= INT_MAX; s++)
        x = 10 * x + (*s - '0');
    if (*s || s == e->key || x >= count)
        die("%s: key '%s' is not a node id in 0..%d", e->path, e->key, count - 1);
    return (int)x;
}
