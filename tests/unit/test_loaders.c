/* test_loaders: every upstream format, well formed and hostile. See test_raw.c for the real files and fuzz.c
 * for random damage. */
#include "../../src/base/err.h"
#include "../../src/data/text.h"
#include "loader_edits.h"
#include "synth_raw.h"
#include "test.h"

static char dir[256];
static const raw_set *sets;
static int nsets;

typedef struct attempt {
    const raw_set *s;
    arena a;
    draft f;
} attempt;

static void load_and_finish(void *arg)
{
    attempt *t = arg;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, t->s->path);
    load_run(t->s->load, &t->a, &t->f, path, t->s->name);
    dataset_finish(&t->a, &t->f, t->s->title);
}

static double feature(const dataset *d, int i, int j)
{
    if (d->xd.rows)
        return (double)mat_row(d->xd, i)[j];
    for (int64_t k = d->xs.ptr[i]; k < d->xs.ptr[i + 1]; k++)
        if (d->xs.idx[k] == j)
            return (double)csr_value(&d->xs, k);
    return 0;
}

static void check_content(const raw_set *s, const dataset *d)
{
    int wrong = 0;
    for (int i = 0; i < d->nodes; i++) {
        int bare = s->nodes == 560 && i >= 520 && i % 7 == 0;
        if (d->y)
            wrong += d->y[i] != (bare ? -1 : i % s->classes);
        for (int c = 0; d->ym && c < s->classes; c++)
            wrong += d->ym[i * s->classes + c] != (i % s->classes == c);
        for (int j = 0; j < d->features; j++) {
            double want = bare || i % s->features != j ? 0 : s->weighted ? raw_weight(i) : 1;
            wrong += feature(d, i, j) != want;
        }
    }
    CHECK(wrong == 0, "%s: %d labels or features differ", s->title, wrong);
    for (int k = 0; k < d->nsplits; k++)
        for (int part = 0; part < PARTS; part++)
            CHECK(d->splits[k].n[part] == s->part[part], "%s: split %d part %d has %d", s->title, k, part,
                  d->splits[k].n[part]);
}

static void write_set(const raw_set *s)
{
    for (int k = 0; k < s->nfiles; k++) {
        blob b = raw_pack(&s->f[k]);
        raw_write(dir, s->f[k].path, &b);
        blob_free(&b);
    }
}

static void test_well_formed(void)
{
    for (int k = 0; k < nsets; k++) {
        const raw_set *s = &sets[k];
        attempt t = {.s = s}, again = {.s = s};
        write_set(s);
        const char *failed = err_try(load_and_finish, &t);
        CHECK(!failed, "%s: %s", s->title, failed);
        if (!failed) {
            const dataset *d = &t.f.d;
            CHECK(d->nodes == s->nodes && csr_nnz(&d->graph) == 2 * s->edges && d->features == s->features &&
                      d->classes == s->classes && d->nsplits == s->splits,
                  "%s: %d nodes, %lld directed edges, %d features, %d classes, %d splits", s->title, d->nodes,
                  (long long)csr_nnz(&d->graph), d->features, d->classes, d->nsplits);
            CHECK(!strcmp(d->name, s->name), "%s", d->name);
            check_content(s, d);
            CHECK(!err_try(load_and_finish, &again) && again.f.d.hash == d->hash && d->hash, "%s: hash", s->title);
        }
        arena_free(&t.a);
        arena_free(&again.a);
    }
}

/* --- hostile files --- */

static const raw_set *find_set(const char *title)
{
    for (int k = 0; k < nsets; k++)
        if (!strcmp(sets[k].title, title))
            return &sets[k];
    die("no set %s", title);
}

static const raw_file *find_file(const raw_set *s, const char *suffix)
{
    for (int k = 0; k < s->nfiles; k++) {
        size_t n = strlen(s->f[k].path), m = strlen(suffix);
        if (n >= m && !strcmp(s->f[k].path + n - m, suffix))
            return &s->f[k];
    }
    die("no file %s", suffix);
}

/* With b in place of the file, loading must fail with one line that contains the word, using little memory. */
static void expect(const raw_set *s, const raw_file *f, const blob *b, const char *word)
{
    attempt t = {.s = s};
    raw_write(dir, f->path, b);
    const char *failed = err_try(load_and_finish, &t);
    CHECK(failed && strstr(failed, word) && !strchr(failed, '\n'), "%s %s: '%s' instead of '%s'", s->title, f->path,
          failed ? failed : "loaded", word);
    CHECK(t.a.live < (size_t)16 << 20, "%s: %zu bytes", s->title, t.a.live);
    arena_free(&t.a);
    blob whole = raw_pack(f);
    raw_write(dir, f->path, &whole);
    blob_free(&whole);
}

/* b with every `old` replaced. */
static blob swapped(const blob *b, const char *from, const char *to, int *times)
{
    blob out = {0};
    size_t n = strlen(from);
    *times = 0;
    for (size_t k = 0; k < b->n;)
        if (k + n <= b->n && !memcmp(b->p + k, from, n)) {
            blob_add(&out, to, strlen(to));
            k += n;
            ++*times;
        } else {
            blob_add(&out, b->p + k++, 1);
        }
    return out;
}

static void test_edits(void)
{
    for (size_t k = 0; k < sizeof edits / sizeof *edits; k++) {
        char file[64];
        snprintf(file, sizeof file, "%s", edits[k].file);
        char *member = strchr(file, ':');
        if (member)
            *member++ = 0;
        const raw_set *s = find_set(edits[k].set);
        const raw_file *f = find_file(s, file);
        raw_file changed = *f;
        int times = 0, at = 0;
        while (member && strncmp(f->m[at].name, member, strlen(member)))
            at++;
        changed.m[at].b = swapped(&f->m[at].b, edits[k].from, edits[k].to, &times);
        CHECK(times > 0, "%s: '%s' does not occur", file, edits[k].from);
        blob b = raw_pack(&changed);
        expect(s, f, &b, edits[k].word);
        blob_free(&b);
        blob_free(&changed.m[at].b);
    }
}

/* Members that are missing, or have the contents of another one. */
static void test_members(void)
{
    static const struct {
        const char *member, *from, *word; /* from: "": the member is not there */
    } swap[] = {
        {"node_features", "", "node_features"},
        {"node_labels", "", "node_labels"},
        {"edges", "", "edges"},
        {"test_masks", "", "test_masks"},
        {"test_masks", "val_masks", "occurs twice in the split"},
        {"train_masks", "node_features", "'train_masks' is 30 x 6"},
        {"node_labels", "edges", "60 elements"},
    };
    const raw_set *s = find_set("heterophilous");
    const raw_file *f = &s->f[0];
    for (size_t k = 0; k < sizeof swap / sizeof *swap; k++) {
        raw_file changed = *f;
        int at = 0, from = 0;
        while (strncmp(f->m[at].name, swap[k].member, strlen(swap[k].member)))
            at++;
        while (*swap[k].from && strncmp(f->m[from].name, swap[k].from, strlen(swap[k].from)))
            from++;
        if (*swap[k].from)
            changed.m[at].b = f->m[from].b;
        else
            strcpy(changed.m[at].name, "other.npy");
        blob b = raw_pack(&changed);
        expect(s, f, &b, swap[k].word);
        blob_free(&b);
    }
}

static void test_pickles(void)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *word;
    } bad[] = {
        {"\x80\x02"
         "cposix\nsystem\nU\x02id\x85R.",
         23, "byte 2: opcode 0x63 'c': names 'posix system'"},
        {"\x80\x02"
         "cnumpy\ndtype\nU\x02id\x85R.",
         22, "calls numpy dtype with arguments that do not occur"},
        {"\x80\x02T\xff\xff\xff\x7fxx.", 10, "needs 2147483647 bytes"},
        {"\x80\x02T\xff\xff\xff\xffxx.", 10, "needs 4294967295 bytes"},
        {"\x80\x02Kar\xff\xff\xff\xff.", 10, "memo entry"},
        {"\x80\x02h\x09.", 5, "memo entry 9"},
        {"\x80\x02]q\x01h\x01"
         "a.",
         8, "not a name"},
        {"\x80\x02R.", 4, "stack is empty"},
        {"\x80\x02t.", 4, "no mark"},
        {"\x80\x02((K\x01t.", 8, "2 values"},
        {"\x80\x02((K\x01\x86.", 7, "mark inside"},
        {"\x80\x02]Nae.", 6, "integer"},
        {"\x80\x02.", 3, "0 values"},
        {"\x80\x02NN.", 5, "2 values"},
        {"\x80\x02N.N", 5, "1 bytes left"},
        {"\x80\x02i", 3, "opcode 0x69 'i'"},
        {"\x80\x04\x95", 3, "protocol 2"},
        {"", 0, "protocol 2"},
    };
    const raw_set *s = find_set("planetoid");
    const raw_file *f = find_file(s, ".x");
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        blob b = {0};
        blob_add(&b, bad[k].bytes, bad[k].n);
        expect(s, f, &b, bad[k].word);
        blob_free(&b);
    }
    blob deep = {0};
    blob_add(&deep, "\x80\x02", 2);
    for (int k = 0; k < 70000; k++)
        blob_add(&deep, "(", 1);
    expect(s, f, &deep, "on the stack");
    blob_free(&deep);
}

/* Patches n bytes at distance `at` behind every occurrence of a zip signature. */
static blob patched(const raw_file *f, const char *signature, size_t at, uint64_t x, int n)
{
    blob b = raw_pack(f);
    for (size_t k = 0; k + 4 <= b.n; k++)
        if (!memcmp(b.p + k, signature, 4))
            for (int i = 0; i < n; i++)
                b.p[k + at + (size_t)i] = (unsigned char)(x >> 8 * i);
    return b;
}

static void test_zips(void)
{
    static const struct {
        const char *signature;
        size_t at;
        uint64_t x;
        int n;
        const char *word;
    } patches[] = {
        {"PK\1\2", 8, 1, 2, "encrypted"},          {"PK\1\2", 10, 12, 2, "method 12"},
        {"PK\1\2", 24, 0xfffffff0, 4, "claims"},   {"PK\1\2", 24, 0xffffffff, 4, "zip64 sizes missing"},
        {"PK\1\2", 20, 0x7fffffff, 4, "outside"},  {"PK\1\2", 42, 0x7fffffff, 4, "outside"},
        {"PK\1\2", 16, 0, 4, "checksum"},          {"PK\1\2", 28, 300, 2, "corrupt"},
        {"PK\1\2", 46, '/', 1, "not the name"},    {"PK\1\2", 46, '.', 1, "not the name"},
        {"PK\1\2", 46, 'x', 1, "no array"},        {"PK\1\2", 30, 60000, 2, "corrupt"},
        {"PK\3\4", 8, 0, 2, "local header"},       {"PK\3\4", 28, 65535, 2, "outside"},
        {"PK\5\6", 10, 65535, 2, "zip64"},         {"PK\5\6", 10, 300, 2, "300 entries"},
        {"PK\5\6", 12, 0xfffffff, 4, "directory"}, {"PK\5\6", 16, 0xfffffff, 4, "directory"},
        {"PK\5\6", 16, 0xffffffff, 4, "zip64"},    {"PK\5\6", 16, 1, 4, "corrupt"},
        {"PK\5\6", 20, 9, 2, "no end record"},     {"PK\5\6", 4, 1, 2, "several parts"},
    };
    const raw_set *s = find_set("citation npz");
    const raw_file *f = &s->f[0];
    for (size_t k = 0; k < sizeof patches / sizeof *patches; k++) {
        blob b = patched(f, patches[k].signature, patches[k].at, patches[k].x, patches[k].n);
        expect(s, f, &b, patches[k].word);
        blob_free(&b);
    }
    raw_file bomb = *f; /* 200 MB of zeros in 200 kB: unpacked only as far as a loader asks */
    for (int m = 0; m < f->n; m++)
        if (!strcmp(f->m[m].name, "labels.npy")) {
            bomb.m[m].b = (blob){0};
            raw_npy_header(&bomb.m[m].b, "{'descr': '<i8', 'fortran_order': False, 'shape': (26214400,), }");
            size_t n = bomb.m[m].b.n + 8 * (size_t)26214400;
            bomb.m[m].b.p = realloc(bomb.m[m].b.p, n);
            memset(bomb.m[m].b.p + bomb.m[m].b.n, 0, n - bomb.m[m].b.n);
            bomb.m[m].b.n = n;
            blob b = raw_pack(&bomb);
            expect(s, f, &b, "26214400 elements, but 30 are expected");
            blob_free(&b);
            blob_free(&bomb.m[m].b);
        }
}

static void test_numbers(void)
{
    uint64_t x = 88172645463325252;
    int wrong = 0;
    for (int k = 0; k < 200000; k++) {
        char s[64];
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        uint64_t m = x >> (x & 63);
        switch (k % 4) {
        case 0:
            snprintf(s, sizeof s, "%s%llu.%03u", x & 64 ? "-" : "", (unsigned long long)m, (unsigned)(x >> 20) % 1000);
            break;
        case 1: snprintf(s, sizeof s, "0.%06u", (unsigned)(x >> 30) % 1000000); break;
        case 2:
            snprintf(s, sizeof s, "%llue%d", (unsigned long long)m, (int)(x >> 32) % 40 - (x & 256 ? 30 : 0));
            break;
        default: snprintf(s, sizeof s, "%.9g", (double)(float)(m >> 40) * 1.0000001 / 3); break;
        }
        float want = strtof(s, NULL);
        text t = text_open((bytes){(unsigned char *)s, strlen(s), "number"});
        if (isfinite(want))
            wrong += sizeof(real) == sizeof(float) && ((float)text_real(&t, "x") != want || t.p != t.end);
    }
    CHECK(wrong == 0, "%d numbers are not rounded as strtof does", wrong);
}

TEST_MAIN(test_loaders)
{
    raw_temp_dir(dir, sizeof dir);
    nsets = raw_sets(&sets);
    test_well_formed();
    test_edits();
    test_members();
    test_pickles();
    test_zips();
    test_numbers();
    test_remove(dir);
    return test_end();
}
