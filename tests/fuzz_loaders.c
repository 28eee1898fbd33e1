/* fuzz_loaders [SECONDS [SEED]]: damages files of every upstream format and loads them. Each must load, or fail with
 * one line; a crash, a sanitizer report or unbounded memory is a failure. Damage is done to the file as it is
 * (truncation, flipped bits) and to what is inside it before it is packed again, so that checksums do not hide the
 * readers behind them.
 *
 * With JCB_RAW naming a directory of real files, those are damaged too. */
#include "../src/base/err.h"
#include "synth_raw.h"
#include "test.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static char dir[256];
static uint64_t state;

static uint64_t draw(uint64_t below) /* xorshift */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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
    t->s->load(&t->a, &t->f, path, t->s->name);
    dataset_finish(&t->a, &t->f, t->s->title);
}

/* Warnings about empty classes are expected; a sanitizer's report must be seen. */
static void hush(int on)
{
#ifndef __SANITIZE_ADDRESS__
    static int shown = -1, hidden = -1;
    if (shown < 0) {
        shown = dup(2);
        hidden = open("/dev/null", O_WRONLY);
    }
    dup2(on ? hidden : shown, 2);
#else
    (void)on;
#endif
}

static long loaded, refused;

static void try_load(const raw_set *s, const raw_file *f, const blob *b)
{
    attempt t = {.s = s};
    raw_write(dir, f->path, b);
    hush(1);
    const char *failed = err_try(load_and_finish, &t);
    hush(0);
    loaded += !failed;
    refused += failed != NULL;
    CHECK(!failed || (*failed && !strchr(failed, '\n')), "%s: '%s'", f->path, failed);
    CHECK(t.a.live < ((size_t)64 << 20) + 2000 * b->n, "%s: %zu bytes of memory from a file of %zu", f->path, t.a.live,
          b->n);
    arena_free(&t.a);
}

static const unsigned char *interesting(size_t *n)
{
    static const char *const token[] = {
        "-1", "0", "4294967295", "2147483647", "2147483648", "99999999999999999999", "1e999", "nan", "[", "]", "{", "}",
        "\"", ",", "\n", "\t", ":", "#", " ", "R", "b", "(", "t", "e", "u", "True", "(1,)", "|O", "\xff\xff\xff\xff",
        "\xff\xff\xff\x7f", "PK\1\2", "\x80\x02"};
    const char *s = token[draw(sizeof token / sizeof *token)];
    *n = strlen(s);
    return (const unsigned char *)s;
}

/* One to four changes: a bit, a byte, a token over or between the bytes, a piece removed, doubled or moved, the end
 * cut. */
static blob damage(const blob *b)
{
    blob out = blob_copy(b);
    for (int k = 1 + (int)draw(4); k > 0; k--) {
        size_t n = out.n, at = n ? draw(n) : 0, len = 1 + draw(16), m;
        const unsigned char *s = interesting(&m);
        blob next = {0};
        len = at + len > n ? n - at : len;
        switch (draw(7)) {
        case 0: out.n = at; continue;
        case 1: if (n) out.p[at] ^= (unsigned char)(1 << draw(8)); continue;
        case 2: if (n) out.p[at] = (unsigned char)draw(256); continue;
        case 3: if (at + m <= n) memcpy(out.p + at, s, m); continue;
        case 4: /* a token between */
            blob_add(&next, out.p, at);
            blob_add(&next, s, m);
            blob_add(&next, out.p + at, n - at);
            break;
        case 5: /* a piece less */
            blob_add(&next, out.p, at);
            blob_add(&next, out.p + at + len, n - at - len);
            break;
        default: /* a piece more, from elsewhere */
            blob_add(&next, out.p, at);
            m = n ? draw(n) : 0;
            blob_add(&next, out.p + m, m + len > n ? n - m : len);
            blob_add(&next, out.p + at, n - at);
        }
        blob_free(&out);
        out = next;
    }
    return out;
}

static void write_file(const raw_file *f)
{
    blob b = raw_pack(f);
    raw_write(dir, f->path, &b);
    blob_free(&b);
}

static void round_of(const raw_set *s, const raw_file *f)
{
    blob b;
    if (f->packing == PLAIN || draw(4)) {
        raw_file g = *f;
        int m = (int)draw((uint64_t)f->n);
        g.m[m].b = damage(&f->m[m].b);
        b = raw_pack(&g);
        blob_free(&g.m[m].b);
    } else {
        blob whole = raw_pack(f);
        b = damage(&whole);
        blob_free(&whole);
    }
    try_load(s, f, &b);
    blob_free(&b);
    write_file(f);
}

static void truncate_file(const raw_set *s, const raw_file *f)
{
    blob b = raw_pack(f), cut = b;
    size_t step = 1 + b.n / 24;
    for (cut.n = 0; cut.n < b.n; cut.n += cut.n < 8 ? 1 : step)
        try_load(s, f, &cut);
    raw_write(dir, f->path, &b);
    blob_free(&b);
}

static void run(const raw_set *s, int nsets, double seconds)
{
    double end = now() + seconds;
    for (int k = 0; k < nsets; k++)
        for (int j = 0; j < s[k].nfiles; j++)
            write_file(&s[k].f[j]);
    for (int k = 0; k < nsets; k++) /* real files take longer: not all lengths of all files */
        for (int j = 0; j < s[k].nfiles && now() < end; j++)
            truncate_file(&s[k], &s[k].f[j]);
    while (now() < end) {
        const raw_set *t = &s[draw((uint64_t)nsets)];
        round_of(t, &t->f[draw((uint64_t)t->nfiles)]);
    }
}

/* The smaller real sets, file by file. */
static int real_sets(raw_set *out, const char *raw)
{
    static const struct {
        loader *load;
        const char *path, *name, *files[10];
    } sets[] = {
        {load_planetoid, "planetoid/ind.cora", "cora",
         {"planetoid/ind.cora.x", "planetoid/ind.cora.y", "planetoid/ind.cora.tx", "planetoid/ind.cora.ty",
          "planetoid/ind.cora.allx", "planetoid/ind.cora.ally", "planetoid/ind.cora.graph",
          "planetoid/ind.cora.test.index"}},
        {load_deeprobust, "gnn-meta-attack/polblogs", "polblogs-lcc",
         {"gnn-meta-attack/polblogs.npz", "prognn/splits/polblogs_prognn_splits.json"}},
        {load_lastfm, "lastfm-asia/lastfm_asia", "lastfmasia",
         {"lastfm-asia/lastfm_asia_edges.csv", "lastfm-asia/lastfm_asia_target.csv"}},
        {load_musae, "musae/musae_facebook", "facebook",
         {"musae/musae_facebook_edges.csv", "musae/musae_facebook_target.csv", "musae/musae_facebook_features.json"}},
        {load_npz_citation, "citationfull/dblp.npz", "dblp", {"citationfull/dblp.npz"}},
        {load_mlgnc, "mlgnc/HumanGo", "humloc",
         {"mlgnc/HumanGo/features.csv", "mlgnc/HumanGo/labels.csv", "mlgnc/HumanGo/edge_list.csv", "mlgnc/HumanGo/train.txt", "mlgnc/HumanGo/test.txt"}},
        {load_heterophilous, "heterophilous/chameleon_filtered.npz", "chameleon-filtered", {"heterophilous/chameleon_filtered.npz"}},
    };
    int n = 0;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        raw_set *s = &out[n];
        *s = (raw_set){.title = sets[k].name, .load = sets[k].load, .path = sets[k].path, .name = sets[k].name};
        int there = 1;
        for (int j = 0; sets[k].files[j]; j++)
            there &= raw_read(&s->f[s->nfiles++], raw, sets[k].files[j]);
        n += there;
    }
    return n;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 3;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) * 2 + 1 : 1;
    const char *raw = getenv("JCB_RAW");
    const raw_set *sets;
    int n = raw_sets(&sets);
    raw_temp_dir(dir, sizeof dir);
    run(sets, n, seconds);
    static raw_set found[8];
    if (raw && *raw)
        run(found, real_sets(found, raw), seconds);
    test_remove(dir);
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
#ifndef __SANITIZE_ADDRESS__
    CHECK(use.ru_maxrss < 1 << 20, "%ld kB of memory", use.ru_maxrss);
#endif
    printf("%ld loaded, %ld refused, at most %ld MB\n", loaded, refused, use.ru_maxrss >> 10);
    return test_end();
}
