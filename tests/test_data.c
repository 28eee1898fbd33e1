/* test_data: the catalogue, twins, substitutes, the cache, splits and the SVD; the real files too when JCB_RAW names them. */
#include "../src/base/err.h"
#include "../src/base/file.h"
#include "../src/base/hash.h"
#include "../src/base/rng.h"
#include "../src/data/cache.h"
#include "../src/data/catalog.h"
#include "../src/data/split.h"
#include "../src/data/svd.h"
#include "../src/data/twin.h"
#include "test.h"
#include <fcntl.h>
#include <omp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define SMALL 25000 /* nodes of the data sets that are made in full here */

static arena all;
static const char *catalog_path, *dir; /* dir: of our own, removed at the end */
static catalog cat;

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

static double skew_of(const dataset *d)
{
    double sum = 0, squares = 0, n = 0;
    for (int i = 0; i < d->nodes; i++) {
        double degree = (double)(d->graph.ptr[i + 1] - d->graph.ptr[i]);
        if (degree > 0)
            n++, sum += log(degree), squares += log(degree) * log(degree);
    }
    return sqrt(squares / n - sum / n * (sum / n));
}

static dataset make_twin(arena *a, const catalog_entry *e)
{
    arena tmp = {0};
    draft f = {0};
    twin_make(a, &tmp, &f, e);
    dataset_finish(a, &f, e->name);
    arena_free(&tmp);
    return f.d;
}

/* ---- twins ---- */

static void check_against_catalogue(const dataset *d, const catalog_entry *e)
{
    CHECK(d->nodes == e->nodes && d->features == e->features && d->classes == e->classes,
          "%s: %d nodes, %d features, %d classes", e->name, d->nodes, d->features, d->classes);
    double edges = (double)csr_nnz(&d->graph) / 2;
    CHECK(fabs(edges / (double)e->edges - 1) <= 0.01, "%s: %.0f edges", e->name, edges);
    CHECK(fabs(dataset_homophily(d) - e->homophily) <= 0.03, "%s: homophily %g", e->name, dataset_homophily(d));
    CHECK(fabs(skew_of(d) / e->skew - 1) <= 0.15, "%s: skew %g", e->name, skew_of(d));
    int wrong = 0;
    for (int c = 0; c < e->nsizes; c++) {
        int n = 0;
        for (int i = 0; i < d->nodes; i++)
            n += d->y[i] == c;
        wrong += n != e->class_size[c];
    }
    CHECK(!wrong, "%s: %d classes of another size", e->name, wrong);
}

static void test_twins(void)
{
    for (int k = 0; k < cat.n; k++) {
        const catalog_entry *e = &cat.entry[k];
        if (e->nodes > SMALL)
            continue;
        arena a = {0};
        dataset d = make_twin(&a, e);
        check_against_catalogue(&d, e);
        CHECK(d.origin == ORIGIN_TWIN && *d.origin_note, "%s", e->name);
        CHECK((d.nsplits > 0) == !strcmp(e->rule, "public"), "%s: %d splits", e->name, d.nsplits);
        arena_free(&a);
    }
    arena a = {0};
    dataset d = make_twin(&a, catalog_find(&cat, "cora"));
    CHECK(d.splits->n[TRAIN] == 140 && d.splits->n[VAL] == 500 && d.splits->n[TEST] == 1000, "planetoid");
    d = make_twin(&a, catalog_find(&cat, "wisconsin"));
    CHECK(d.nsplits == 10 && d.splits[9].n[TRAIN] == 120 && d.splits[9].n[VAL] == 80 && d.splits[9].n[TEST] == 51,
          "geom-gcn");
    arena_free(&a);
}

static void test_threads(void)
{
    catalog_entry multi = {.name = "amazon-small",
                           .format = "graphsaint",
                           .norm = "none",
                           .nodes = 3000,
                           .edges = 60000,
                           .features = 200,
                           .classes = 107,
                           .multi = 1,
                           .homophily = NAN,
                           .skew = NAN};
    const catalog_entry *entry[] = {catalog_find(&cat, "cora"), catalog_find(&cat, "squirrel"),
                                    catalog_find(&cat, "lastfmasia"), &multi};
    static const int threads[] = {1, 2, 3, 8};
    int before = omp_get_max_threads();
    for (int k = 0; k < 4; k++) {
        uint64_t first = 0;
        for (int t = 0; t < 4; t++) {
            arena a = {0};
            omp_set_num_threads(threads[t]);
            dataset d = make_twin(&a, entry[k]);
            first = t ? first : d.hash;
            CHECK(d.hash == first, "%s with %d threads", entry[k]->name, threads[t]);
            arena_free(&a);
        }
    }
    omp_set_num_threads(before);
    arena a = {0};
    dataset d = make_twin(&a, &multi);
    double labels = 0;
    for (size_t k = 0; k < (size_t)d.nodes * (size_t)d.classes; k++)
        labels += d.ym[k];
    CHECK(!d.y && labels / d.nodes > 3 && labels / d.nodes < 7, "%g labels per node", labels / d.nodes);
    CHECK(d.splits->n[TRAIN] == 2550 && d.splits->n[VAL] == 150 && d.splits->n[TEST] == 300, "roles");
    arena_free(&a);
}

/* ---- opening, with and without files and cache ---- */

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
    opening o = {.dirs = {catalog_path, raw, cache}, .name = name};
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

    opening bad = {.dirs = {catalog_path, none, ""}, .name = "coral"};
    const char *why = err_try(open_it, &bad);
    CHECK(why && strstr(why, "cora") && strstr(why, "ogbn-arxiv") && strstr(why, "directory"), "%s",
          why ? why : "no error");
    opening *every[] = {&plain, &first, &again, &blocked, &full, &bad};
    for (int k = 0; k < 6; k++)
        arena_free(&every[k]->a);
}

/* Files that are there but damaged are not replaced by a twin; an incomplete set is, and not once it is complete. */
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
    opening bad = {.dirs = {catalog_path, raw, cache}, .name = "cora"};
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

/* Real labels and graph with generated features: as upstream's files without the features. */
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
    CHECK(o.d->origin == ORIGIN_SUBSTITUTE && strstr(o.d->origin_note, "SVD"), "%s", o.d->origin_note);
    CHECK(o.d->xd.cols == 128 && !o.d->xs.rows, "reduced to 128");
    arena_free(&o.a);
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
        size_t at = k < 256 ? (size_t)k : (size_t)rng_below(r, 0, (uint64_t)k, b.n);
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

    const char *cache = arena_printf(&a, "%s/cache3", dir), *file = arena_printf(&a, "%s/wisconsin.jcb", cache);
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

/* ---- splits ---- */

static void check_split(const dataset *d, const split *s, const char *rule)
{
    unsigned char *seen = NEW(&all, unsigned char, (size_t)d->nodes);
    int bad = 0;
    for (int p = 0; p < PARTS; p++)
        for (int k = 0; k < s->n[p]; k++) {
            int i = s->idx[p][k];
            bad += i < 0 || i >= d->nodes || seen[i]++ || d->y[i] < 0 || (k && s->idx[p][k - 1] >= i);
        }
    CHECK(!bad, "split %s: %d bad entries", rule, bad);
}

static int same_split(const split *s, const split *t, enum part p)
{
    return s->n[p] == t->n[p] && !memcmp(s->idx[p], t->idx[p], (size_t)s->n[p] * sizeof(int));
}

static int count_class(const dataset *d, const split *s, enum part p, int c)
{
    int n = 0;
    for (int k = 0; k < s->n[p]; k++)
        n += d->y[s->idx[p][k]] == c;
    return n;
}

typedef struct drawing {
    const dataset *d;
    const char *rule;
} drawing;

static void draw_it(void *arg)
{
    drawing *w = arg;
    split_draw(&all, w->d, w->rule, 1, 0);
}

static void test_splits(void)
{
    arena a = {0};
    dataset d = make_twin(&a, catalog_find(&cat, "citeseer")), w = make_twin(&a, catalog_find(&cat, "wisconsin"));
    dataset l = make_twin(&a, catalog_find(&cat, "lastfmasia"));
    d.name = "citeseer";
    static const char *const rule[] = {"public", "per-class:20:30", "fraction:0.25:0.25", "labels:5"};
    for (int k = 0; k < 4; k++) {
        split s = split_draw(&a, &d, rule[k], 1, 0), t = split_draw(&a, &d, rule[k], 1, 0),
              u = split_draw(&a, &d, rule[k], 1, 1), v = split_draw(&a, &d, rule[k], 2, 0);
        check_split(&d, &s, rule[k]);
        CHECK(same_split(&s, &t, TRAIN) && same_split(&s, &t, VAL) && same_split(&s, &t, TEST), "%s: drawn twice",
              rule[k]);
        CHECK(same_split(&s, &u, TRAIN) == (k == 0) && same_split(&s, &v, TRAIN) == (k == 0), "%s: other run or seed",
              rule[k]);
    }
    split s = split_draw(&a, &d, "per-class:20:30", 1, 0);
    CHECK(s.n[TRAIN] == 120 && s.n[VAL] == 180 && s.n[TEST] == 3312 - 300, "per-class sizes");
    s = split_draw(&a, &d, "labels:5", 1, 3);
    CHECK(s.n[TRAIN] == 30 && same_split(&s, d.splits, VAL) && same_split(&s, d.splits, TEST), "labels:5");
    s = split_draw(&a, &l, "fraction:0.25:0.25", 1, 0);
    for (int c = 0; c < l.classes; c++)
        CHECK(count_class(&l, &s, TRAIN, c) == catalog_find(&cat, "lastfmasia")->class_size[c] / 4, "class %d", c);
    s = split_draw(&a, &w, "fraction:0.01:0.01", 1, 0);
    for (int c = 0; c < w.classes; c++)
        for (int p = 0; p < PARTS; p++)
            CHECK(count_class(&w, &s, (enum part)p, c) >= 1, "class %d has none in part %d", c, p);
    split last = split_draw(&a, &w, "public", 1, 13);
    CHECK(last.idx[TRAIN] == w.splits[3].idx[TRAIN], "public split of run 13 is number 3");

    static const struct {
        int set;
        const char *rule, *says;
    } bad[] = {{1, "per-class:20:30", "class 0"},   {2, "public", "no published split"}, {0, "labels:4000", "class 0"},
               {0, "fraction:0.5:0.5", "leave"},    {0, "per-class:20", "unknown"},      {0, "labels:5x", "unknown"},
               {0, "fraction:nan:0.1", "fraction"}, {0, "per-class:-1:5", "at least"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        drawing job = {bad[k].set == 0 ? &d : bad[k].set == 1 ? &w : &l, bad[k].rule};
        const char *why = err_try(draw_it, &job);
        CHECK(why && strstr(why, bad[k].says), "%s: %s", bad[k].rule, why ? why : "no error");
    }
    arena_free(&a);
}

/* ---- singular values ---- */

static csr sparse(arena *a, int rows, int cols, const double *x)
{
    csr m = csr_new(a, rows, cols, (int64_t)rows * cols, 1);
    int64_t n = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++)
            if (x[i * cols + j] != 0)
                m.idx[n] = j, m.val[n++] = (real)x[i * cols + j];
        m.ptr[i + 1] = n;
    }
    return m;
}

static void test_svd(void)
{
    arena a = {0};
    double sigma[80], ones[15], x[8] = {3, 0, 4, 5, 0, 0, 0, 0}; /* [[3, 0], [4, 5]]: sqrt(45) and sqrt(5) */
    csr m = sparse(&a, 4, 2, x);
    mat u = svd_reduce(&a, &m, 3, sigma);
    CHECK_NEAR(sigma[0], sqrt(45), 1e-12);
    CHECK_NEAR(sigma[1], sqrt(5), 1e-12);
    CHECK(sigma[2] == 0 && u.rows == 4 && u.cols == 3 && mat_row(u, 1)[2] == 0, "beyond the rank");
    CHECK_NEAR(mat_row(u, 0)[0], 3 / sqrt(2), 1e-6); /* X v, v = (1, 1) / sqrt(2) */
    CHECK_NEAR(mat_row(u, 1)[0], 9 / sqrt(2), 1e-6);
    CHECK_NEAR(mat_row(u, 3)[0], 0, 1e-12);
    for (int k = 0; k < 15; k++)
        ones[k] = 1;
    m = sparse(&a, 5, 3, ones);
    u = svd_reduce(&a, &m, 2, sigma);
    CHECK_NEAR(sigma[0], sqrt(15), 1e-12);
    CHECK_NEAR(sigma[1], 0, 1e-7);
    CHECK_NEAR(mat_row(u, 4)[0], sqrt(3), 1e-6);

    rng r = rng_make(3, 0, RNG_STATS);
    double *big = NEW(&a, double, 300 * 80), norm = 0, sum = 0, worst = 0;
    for (uint64_t k = 0; k < 300 * 80; k++)
        big[k] = rng_uniform(r, 0, k) < 0.1 ? rng_normal(r, 1, k) : 0;
    m = sparse(&a, 300, 80, big);
    for (int64_t k = 0; k < m.ptr[300]; k++)
        norm += (double)m.val[k] * (double)m.val[k];
    u = svd_reduce(&a, &m, 80, sigma);
    for (int j = 0; j < 80; j++) {
        sum += sigma[j] * sigma[j];
        for (int l = 0; l < 80; l++) { /* columns of U S are orthogonal, of length sigma */
            double dot = 0;
            for (int i = 0; i < 300; i++)
                dot += (double)mat_row(u, i)[j] * (double)mat_row(u, i)[l];
            worst = fmax(worst, fabs(dot - (j == l ? sigma[j] * sigma[j] : 0)));
        }
    }
    CHECK_NEAR(sum / norm, 1, 1e-10);
    CHECK(worst < 1e-4, "U S is off by %g", worst);
    uint64_t first = 0;
    int before = omp_get_max_threads();
    for (int t = 1; t <= 3; t++) {
        omp_set_num_threads(t);
        u = svd_reduce(&a, &m, 10, sigma);
        uint64_t h = hash_bytes(HASH_INIT, u.v, 300 * 10 * sizeof(real));
        first = t == 1 ? h : first;
        CHECK(h == first, "%d threads", t);
    }
    omp_set_num_threads(before);
    arena_free(&a);
}

/* ---- the catalogue, and the real files ---- */

static void read_bad(void *path)
{
    arena a = {0};
    catalog_read(&a, path);
}

static void test_catalogue(void)
{
    CHECK(cat.n >= 12, "%d data sets", cat.n);
    const catalog_entry *e = catalog_find(&cat, "lastfmasia");
    CHECK(e->nodes == 7624 && e->classes == 18 && e->nsizes == 18 && e->class_size[17] == 1572 && !e->multi,
          "lastfmasia");
    CHECK(!strcmp(e->rule, "fraction:0.25:0.25") && !strcmp(catalog_find(&cat, "cora")->rule, "public"), "rules");
    CHECK(catalog_find(&cat, "yelp")->multi && isnan(catalog_find(&cat, "yelp")->skew), "yelp");
    static const char *const head = "name\tformat\tpath\tnodes\tedges\tfeatures\tclasses\tlabels\tsplit\tclass_sizes\n";
    static const char *const row[][2] = {
        {"a\tx\ty\t-5\t1\t1\t1\tsingle\t-\t-\n", "nodes"},      {"a\tx\ty\t5\t1.5\t1\t1\tsingle\t-\t-\n", "edges"},
        {"a\tx\ty\t5\t1\t1\t2\tsingle\t-\t3\n", "class_sizes"}, {"a\tx\ty\t5\t1\t1\t1\tsingle\t-\t9\n", "class_sizes"},
        {"a/b\tx\ty\t5\t1\t1\t1\tsingle\t-\t-\n", "a/b"},       {"a\tx\ty\t5\n", "newline"}};
    for (int k = 0; k < 6; k++) {
        char *path = arena_printf(&all, "%s/bad.tsv", dir), text[256];
        snprintf(text, sizeof text, "%s%s", head, row[k][0]);
        file_write(path, text, strlen(text) - (k == 5));
        const char *why = err_try(read_bad, path);
        CHECK(why && strstr(why, row[k][1]), "%s: %s", row[k][1], why ? why : "no error");
    }
}

static void test_real(const char *raw)
{
    int found = 0;
    const char *cache = arena_printf(&all, "%s/cache", dir); /* holds twins by now: the files must win */
    for (int k = 0; k < cat.n; k++) {
        const catalog_entry *e = &cat.entry[k];
        if (e->nodes > SMALL || !strcmp(e->name, "facebook")) /* the SVD takes seconds */
            continue;
        opening o = opened(raw, cache, e->name);
        found += o.d->origin != ORIGIN_TWIN;
        check_against_catalogue(o.d, e);
        if (o.d->origin == ORIGIN_REAL)
            CHECK(fabs(skew_of(o.d) - e->skew) < 1e-3 && fabs(dataset_homophily(o.d) - e->homophily) < 1e-3, "%s",
                  e->name);
        opening again = opened(raw, cache, e->name);
        CHECK(again.d->hash == o.d->hash && again.d->origin == o.d->origin, "%s through the cache", e->name);
        arena_free(&o.a);
        arena_free(&again.a);
    }
    printf("%s: %d data sets\n", raw, found);
}

int main(void)
{
    const char *src = getenv("srcdir"), *raw = getenv("JCB_RAW"), *tmp = getenv("TMPDIR");
    char *made = arena_printf(&all, "%s/test_data.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    err_program = "test_data";
    dir = mkdtemp(made);
    if (!dir)
        die("cannot create %s", made);
    catalog_path = arena_printf(&all, "%s/data/catalog.tsv", src && *src ? src : ".");
    cat = catalog_read(&all, catalog_path);
    test_catalogue();
    test_twins();
    test_threads();
    test_open();
    test_files();
    test_substitute();
    test_damage();
    test_splits();
    test_svd();
    if (raw && *raw && access(raw, R_OK) == 0)
        test_real(raw);
    if (system(arena_printf(&all, "rm -rf '%s'", dir)) != 0)
        warn("%s is left behind", dir);
    arena_free(&all);
    return test_end();
}
