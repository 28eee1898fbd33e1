/* test_open: data sets with and without their files: twins, substitutes and the cache; the real files too when JCB_RAW
 * names them. */
#include "../../src/base/file.h"
#include "../../src/base/rng.h"
#include "../../src/data/cache.h"
#include "made.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define SMALL 25000 /* nodes of the data sets that are opened here */

/* Expected warnings go nowhere. */
static int hush(int saved)
{
    fflush(stderr);
    if (saved >= 0) {
        dup2(saved, 2);
        close(saved);
        return -1;
    }
    int keep = dup(2), null = open("/dev/null", O_WRONLY);
    dup2(null, 2);
    close(null);
    return keep;
}

typedef struct opening {
    arena a;
    data_dirs dirs;
    const char *name;
    dataset *d;
} opening;

static void open_it(void *arg)
{
    opening *o = arg;
    o->d = dataset_open(&o->a, &o->dirs, o->name);
}

static opening opened(const char *raw, const char *cache, const char *name)
{
    opening o = {.dirs = {cat, raw, cache, 1}, .name = name};
    const char *why = err_try(open_it, &o);
    CHECK(!why, "%s: %s", name, why);
    if (why)
        exit(test_end());
    return o;
}

static void test_open(void)
{
    const char *none = arena_printf(&all, "%s/none", dir), *cache = arena_printf(&all, "%s/cache", dir);
    opening plain = opened(none, "", "cora"), first = opened(none, cache, "cora"), again = opened(none, cache, "cora");
    CHECK(first.d->hash == plain.d->hash && again.d->hash == plain.d->hash, "the cache changes the data");
    CHECK(!strcmp(again.d->name, "cora") && again.d->origin == ORIGIN_TWIN &&
              !strcmp(again.d->origin_note, plain.d->origin_note),
          "origin through the cache");
    CHECK(dataset_homophily(again.d) == dataset_homophily(plain.d), "homophily through the cache");
    opening named = {.dirs = {cat, none, "", 0}, .name = "cora"},
            twin = {.dirs = {cat, none, "", 0}, .name = "twin:cora"};
    const char *why = err_try(open_it, &named);
    CHECK(why && strstr(why, "jcb fetch cora"), "a real name without files: %s", why ? why : "opened");
    why = err_try(open_it, &twin);
    CHECK(!why && twin.d->origin == ORIGIN_TWIN && twin.d->hash == plain.d->hash && !strcmp(twin.d->name, "twin:cora"),
          "a twin by its name: %s", why ? why : "differs");
    arena_free(&named.a);
    arena_free(&twin.a);
    CHECK(!memcmp(again.d->splits->idx[TEST], plain.d->splits->idx[TEST], 1000 * sizeof(int)),
          "split through the cache");
    CHECK(!memcmp(again.d->xs.idx, plain.d->xs.idx, (size_t)csr_nnz(&plain.d->xs) * sizeof(int)) && !again.d->xs.val,
          "features");

    int quiet = hush(-1);
    const char *file = arena_printf(&all, "%s/a file", dir);
    file_write(file, "x", 1);
    opening blocked = opened(none, arena_printf(&all, "%s/cache", file), "cora");
    struct rlimit was, low = {1000, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &was);
    low.rlim_max = was.rlim_max;
    setrlimit(RLIMIT_FSIZE, &low);
    opening full = opened(none, arena_printf(&all, "%s/full", dir), "cora");
    setrlimit(RLIMIT_FSIZE, &was);
    hush(quiet);
    CHECK(blocked.d->hash == plain.d->hash, "without a cache directory");
    CHECK(full.d->hash == plain.d->hash, "with a full disk");

    opening bad = {.dirs = {cat, none, ""}, .name = "coral"};
    why = err_try(open_it, &bad);
    CHECK(why && strstr(why, "cora") && strstr(why, "ogbn-arxiv") && strstr(why, "directory"), "%s",
          why ? why : "no error");
    opening *every[] = {&plain, &first, &again, &blocked, &full, &bad};
    for (int k = 0; k < 6; k++)
        arena_free(&every[k]->a);
}

/* Damaged files are not replaced by a twin; an incomplete set of files is, until it is complete. */
static void test_files(void)
{
    static const char *const suffix[] = {"x", "y", "tx", "ty", "allx", "ally", "graph", "test.index"};
    const char *raw = arena_printf(&all, "%s/raw", dir), *cache = arena_printf(&all, "%s/cache2", dir);
    for (int k = 0; k < 7; k++)
        file_write(arena_printf(&all, "%s/planetoid/ind.cora.%s", raw, suffix[k]), "nonsense", 8);
    int quiet = hush(-1);
    opening o = opened(raw, cache, "cora");
    hush(quiet);
    CHECK(o.d->origin == ORIGIN_TWIN, "incomplete files");
    arena_free(&o.a);
    file_write(arena_printf(&all, "%s/planetoid/ind.cora.test.index", raw), "1\n", 2);
    opening bad = {.dirs = {cat, raw, cache, 1}, .name = "cora"};
    const char *why = err_try(open_it, &bad);
    CHECK(why && strstr(why, "ind.cora."), "damaged files: %s", why ? why : "no error");
    arena_free(&bad.a);

    const char *mine = arena_printf(&all, "%s/mine", dir);
    file_write(arena_printf(&all, "%s/edges.tsv", mine), "0 1\n1 2\n2 0\n", 12);
    file_write(arena_printf(&all, "%s/labels.tsv", mine), "0 a\n1 b\n2 a\n", 12);
    o = opened(raw, cache, mine);
    CHECK(o.d->origin == ORIGIN_USER && o.d->nodes == 3 && o.d->classes == 2, "a graph of one's own");
    CHECK_NEAR(dataset_homophily(o.d), 1.0 / 3, 1e-12);
    arena_free(&o.a);
}

/* Real labels and graph without the file of features: generated features; then features factorised from raw ones. */
static void test_substitute(void)
{
    const char *raw = arena_printf(&all, "%s/raw", dir);
    char text[4096] = "id,target\n", edges[4096] = "node_1,node_2\n";
    for (int i = 0; i < 36; i++) {
        sprintf(text + strlen(text), "%d,%d\n", i, i % 18);
        sprintf(edges + strlen(edges), "%d,%d\n", i, (i + 1) % 36);
    }
    file_write(arena_printf(&all, "%s/lastfm-asia/lastfm_asia_target.csv", raw), text, strlen(text));
    file_write(arena_printf(&all, "%s/lastfm-asia/lastfm_asia_edges.csv", raw), edges, strlen(edges));
    opening o = opened(raw, "", "lastfmasia");
    CHECK(o.d->origin == ORIGIN_SUBSTITUTE && strstr(o.d->origin_note, "generated"), "%s", o.d->origin_note);
    CHECK(o.d->nodes == 36 && o.d->xd.rows == 36 && o.d->xd.cols == 128, "128 features");
    double least = 1;
    for (int i = 0; i < 36 * 128; i++)
        least = fmin(least, (double)o.d->xd.v[i]);
    CHECK(least >= 0, "row-normalised features must not be negative: %g", least);
    arena_free(&o.a);
    strcpy(text, "{\"0\": [0, 3]");
    for (int i = 1; i < 36; i++)
        sprintf(text + strlen(text), ", \"%d\": [%d, %d]", i, 4 * i, 4 * i + 2);
    strcat(text, "}");
    file_write(arena_printf(&all, "%s/lastfm-asia/lastfm_asia_features.json", raw), text, strlen(text));
    o = opened(raw, "", "lastfmasia");
    CHECK(o.d->origin == ORIGIN_SUBSTITUTE && strstr(o.d->origin_note, "not checked"), "%s", o.d->origin_note);
    CHECK(o.d->xd.cols == 128 && !o.d->xs.rows, "128 features from the raw ones");
    arena_free(&o.a);

    static const char *const type[] = {"company", "government", "politician", "tvshow"};
    file_write(arena_printf(&all, "%s/musae/musae_facebook_features.json", raw), text, strlen(text));
    strcpy(edges, "id_1,id_2\n0,1\n");
    file_write(arena_printf(&all, "%s/musae/musae_facebook_edges.csv", raw), edges, strlen(edges));
    strcpy(edges, "id,facebook_id,page_name,page_type\n");
    for (int i = 0; i < 36; i++)
        sprintf(edges + strlen(edges), "%d,1,\"a, b\",%s\n", i, type[i % 4]);
    file_write(arena_printf(&all, "%s/musae/musae_facebook_target.csv", raw), edges, strlen(edges));
    o = opened(raw, "", "facebook");
    CHECK(o.d->origin == ORIGIN_REBUILT && strstr(o.d->origin_note, "104 published values"), "%s", o.d->origin_note);
    CHECK(o.d->xd.cols == 128 && !o.d->xs.rows, "128 features from the raw ones");
    arena_free(&o.a);
}

static void test_origins(void)
{
    static const char *const good[] = {"real", "rebuilt"}, *const other[] = {"substitute", "twin", "user",
                                                                             "-",          "",     "realistic"};
    for (int k = 0; k < 2; k++)
        CHECK(origin_comparable(origin_find(good[k])), "%s", good[k]);
    for (int k = 0; k < 6; k++)
        CHECK(!origin_comparable(origin_find(other[k])), "%s", other[k]);
    for (int k = 0; k < ORIGINS; k++)
        CHECK((int)origin_find(origin_name[k]) == k, "%s", origin_name[k]);
    CHECK(!*origin_label(ORIGIN_REAL) && !strcmp(origin_label(ORIGIN_REBUILT), "rebuilt"), "labels");
}

/* ---- a damaged cache ---- */

static void test_damage(void)
{
    arena a = {0};
    dataset d = make_twin(&a, catalog_find(&cat, "wisconsin")), got;
    const char *path = arena_printf(&a, "%s/damage.jcb", dir);
    CHECK(cache_store(path, &d, 7), "stored");
    CHECK(cache_load(&a, &got, path, 7) && got.hash == d.hash, "round trip");
    CHECK(!cache_load(&a, &got, path, 8), "another stamp");
    CHECK(!cache_load(&a, &got, arena_printf(&a, "%s/absent.jcb", dir), 7), "no file");
    bytes b = file_read(&a, path, 0);
    unsigned char *copy = NEW(&a, unsigned char, b.n + 8);
    rng r = rng_make(1, 1, RNG_STATS);
    int used = 0, quiet = hush(-1);
    for (int k = 0; k < 400; k++) { /* every byte of the header, then some of the rest */
        size_t at = k < 272 ? (size_t)k : (size_t)rng_below(r, 0, (uint64_t)k, b.n);
        memcpy(copy, b.p, b.n);
        copy[at] ^= (unsigned char)(1 << rng_below(r, 1, (uint64_t)k, 8));
        file_write(path, copy, b.n);
        used += cache_load(&a, &got, path, 7);
    }
    CHECK(!used, "%d flipped bits went unnoticed", used);
    for (int k = 0; k < 40; k++) {
        size_t n = k < 4 ? (size_t)k * 100 : (size_t)rng_below(r, 2, (uint64_t)k, b.n);
        file_write(path, b.p, n);
        used += cache_load(&a, &got, path, 7);
    }
    memcpy(copy, b.p, b.n);
    file_write(path, copy, b.n + 8);
    used += cache_load(&a, &got, path, 7);
    CHECK(!used, "%d files of another length went unnoticed", used);

    const char *cache = arena_printf(&a, "%s/cache3", dir), *file;
    file = arena_printf(&a, "%s/wisconsin%s.jcb", cache, sizeof(real) == 4 ? "" : "-" REAL_NAME);
    opening first = opened(dir, cache, "wisconsin");
    file_write(file, "junk", 4);
    opening again = opened(dir, cache, "wisconsin");
    struct stat st;
    hush(quiet);
    CHECK(again.d->hash == first.d->hash && stat(file, &st) == 0 && st.st_size > 1000, "made anew");
    arena_free(&first.a);
    arena_free(&again.a);
    arena_free(&a);
}

static void test_real(const char *raw)
{
    int found = 0;
    const char *cache = arena_printf(&all, "%s/cache", dir); /* holds twins by now: the files must win */
    for (int k = 0; k < cat.n; k++) {
        const catalog_entry *e = &cat.entry[k];
        if (e->nodes > SMALL || !strcmp(e->name, "facebook")) /* the factorisation takes seconds: test_nmf */
            continue;
        opening o = opened(raw, cache, e->name);
        found += o.d->origin != ORIGIN_TWIN;
        check_against_catalogue(o.d, e);
        if (origin_comparable(o.d->origin))
            CHECK((isnan(e->skew) || fabs(skew_of(o.d) - e->skew) < 1e-3) &&
                      (e->multi || fabs(dataset_homophily(o.d) - e->homophily) < 1e-3),
                  "%s", e->name);
        opening again = opened(raw, cache, e->name);
        CHECK(again.d->hash == o.d->hash && again.d->origin == o.d->origin, "%s through the cache", e->name);
        arena_free(&o.a);
        arena_free(&again.a);
    }
    printf("%s: %d data sets\n", raw, found);
}

TEST_MAIN(test_open)
{
    made_start("test_open");
    test_open();
    test_files();
    test_substitute();
    test_origins();
    test_damage();
    const char *raw = getenv("JCB_RAW");
    if (raw && *raw && access(raw, R_OK) == 0)
        test_real(raw);
    return made_end();
}
