/* dataset: opens a data set by name, from the files that exist.
 *
 *   cache file made from the same inputs   mapped; keeps its origin
 *   all upstream files                     real
 *   raw words for a reduced data set       factorised to the catalogue's width (nmf.h). Facebook: rebuilt, since this
 *                                          gives the published features; LastFMAsia: substitute, since no published
 *                                          values are available for comparison
 *   graph and labels, no features          substitute: generated features (twin_features.c)
 *   upstream files missing                 twin where data_dirs.twins allows it, else an error
 *
 * twin:NAME is the twin, whether there are files or not.
 *
 * Only a missing file leads to a stand-in: a damaged one is an error. The stamp of a cache file covers name, size and
 * time of all upstream files that matter, present or missing, so that a cached stand-in is not used once the files are
 * there. */
#include "dataset.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "cache.h"
#include "catalog.h"
#include "nmf.h"
#include "own/own.h"
#include "twin.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define LOAD_VERSION                                                                                                \
    5 /* raised when a loader, the factorisation, generated features, the order or what is done here changes a data \
         set */

enum { LARGE = 100000 }; /* nodes; beyond, features exceed the caches and reordering pays off */

/* The files of each format: suffixes of the catalogue's path, or, after '<', of the path's directory. '@' stands for
 * the data set's name (without "-lcc"), '?' marks an optional file. */
typedef struct format {
    const char *name;
    loader *load;
    const char *file[13];
} format;

#define GEOM_SPLIT(k) "<splits/@_split_0.6_0.2_" #k ".npz"
static const format formats[] = {
    {"planetoid", load_planetoid, {".x", ".y", ".tx", ".ty", ".allx", ".ally", ".graph", ".test.index"}},
    {"npz-citation", load_npz_citation, {""}},
    {"geom-gcn",
     load_geom_gcn,
     {"/out1_graph_edges.txt", "/out1_node_feature_label.txt", GEOM_SPLIT(0), GEOM_SPLIT(1), GEOM_SPLIT(2),
      GEOM_SPLIT(3), GEOM_SPLIT(4), GEOM_SPLIT(5), GEOM_SPLIT(6), GEOM_SPLIT(7), GEOM_SPLIT(8), GEOM_SPLIT(9)}},
    {"heterophilous", load_heterophilous, {""}},
    {"mlgnc",
     load_mlgnc,
     {"/features.csv", "/labels.csv", "?/edge_list.csv", "?/edges_undir.csv", "?/train.txt", "?/test.txt"}},
    {"musae", load_musae, {"_edges.csv", "_target.csv", "_features.json"}},
    {"lastfm", load_lastfm, {"_edges.csv", "_target.csv", "?_features.json"}},
    {"ptg-npz", load_ptg_npz, {""}},
    {"ogb",
     load_ogb,
     {"/raw/num-node-list.csv.gz", "/raw/node-label.csv.gz", "/raw/edge.csv.gz", "/split/time/train.csv.gz",
      "/split/time/valid.csv.gz", "/split/time/test.csv.gz", "?/raw/node-feat.csv.gz"}},
    {"graphsaint", load_graphsaint, {"/adj_full.npz", "/feats.npy", "/class_map.json", "/role.json"}},
    {"deeprobust", load_deeprobust, {".npz", "<../prognn/splits/@_prognn_splits.json"}},
    {"deeprobust-planetoid", /* PubMed, which the catalogue lists as deeprobust */
     load_deeprobust,
     {"<ind.@.x", "<ind.@.y", "<ind.@.tx", "<ind.@.ty", "<ind.@.allx", "<ind.@.ally", "<ind.@.graph",
      "<ind.@.test.index", "<../prognn/splits/@_prognn_splits.json"}},
};

static const format *format_find(const char *name)
{
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (!strcmp(formats[k].name, name))
            return &formats[k];
    return NULL;
}

/* Where a data set comes from. */
typedef struct source {
    const catalog_entry *e;
    const char *raw;
    loader *load;        /* NULL: nothing to load, make the twin */
    const char *path;    /* for the loader */
    const char *missing; /* the first missing file, below raw */
    int present;         /* number of files that exist */
    uint64_t stamp;
} source;

/* The path, below raw, of a file of the format. */
static const char *expand(arena *tmp, const char *base, const char *file, const char *name)
{
    int stem = (int)strlen(base), id = (int)strlen(name);
    if (id > 4 && !strcmp(name + id - 4, "-lcc"))
        id -= 4;
    if (*file == '<') {
        const char *slash = strrchr(base, '/');
        stem = slash ? (int)(slash - base) + 1 : 0;
        file++;
    }
    const char *at = strchr(file, '@');
    if (!at)
        return arena_printf(tmp, "%.*s%s", stem, base, file);
    return arena_printf(tmp, "%.*s%.*s%.*s%s", stem, base, (int)(at - file), file, id, name, at + 1);
}

/* Adds a file to the stamp. Returns whether it exists. */
static int look(source *s, arena *tmp, const char *path)
{
    const char *full = arena_printf(tmp, "%s/%s", s->raw, path);
    struct stat st = {0};
    int there = file_exists(full) && stat(full, &st) == 0;
    if (!there && file_named(full))
        die("%s: exists but cannot be read: not a regular file, a dangling link, or no permission", full);
    s->stamp = hash_u64(hash_text(s->stamp, path), (uint64_t)there);
    if (there) {
        s->stamp = hash_u64(s->stamp, (uint64_t)st.st_size);
        s->stamp = hash_u64(hash_u64(s->stamp, (uint64_t)st.st_mtim.tv_sec), (uint64_t)st.st_mtim.tv_nsec);
        s->present++;
    } else if (!s->missing)
        s->missing = path;
    return there;
}

/* Whether all required files of the format exist below base. */
static int look_all(source *s, arena *tmp, const format *f, const char *base)
{
    int all = 1;
    s->missing = NULL;
    for (int k = 0; k < (int)(sizeof f->file / sizeof *f->file) && f->file[k]; k++) {
        if (*f->file[k] == '?') {
            const char *first = s->missing;
            look(s, tmp, expand(tmp, base, f->file[k] + 1, s->e->name));
            s->missing = first;
        } else
            all &= look(s, tmp, expand(tmp, base, f->file[k], s->e->name));
    }
    return all;
}

/* The reduced features of a MUSAE or LastFM graph: NAME.npz beside the raw files or under ptg/. */
static const char *look_reduced(source *s, arena *tmp)
{
    const char *slash = strrchr(s->e->path, '/'), *base = slash ? slash + 1 : s->e->path, *found = NULL;
    int dir = (int)(base - s->e->path);
    if (!strncmp(base, "musae_", 6))
        base += 6;
    const char *place[] = {arena_printf(tmp, "%.*s%s.npz", dir, s->e->path, base),
                           arena_printf(tmp, "ptg/%s.npz", base)};
    for (int k = 0; k < 2; k++)
        if (look(s, tmp, place[k]) && !found)
            found = place[k];
    return found;
}

static uint64_t first_stamp(const catalog_entry *e) { return hash_u64(hash_u64(e->hash, TWIN_VERSION), LOAD_VERSION); }

static source find_source(arena *tmp, const catalog_entry *e, const char *raw)
{
    source s = {.e = e, .raw = raw, .stamp = first_stamp(e)};
    int shared = !strcmp(e->format, "deeprobust") && !strncmp(e->name, "pubmed", 6);
    const format *f = format_find(shared ? "deeprobust-planetoid" : e->format);
    const char *path = shared ? "planetoid/pubmed" : e->path; /* the loader finds the split relative to it */
    if (!f)
        die("%s: the catalogue's format '%s' has no loader", e->name, e->format);
    if (f->load == load_musae || f->load == load_lastfm) {
        const char *reduced = look_reduced(&s, tmp);
        if (reduced) {
            s.load = load_ptg_npz;
            s.path = arena_printf(tmp, "%s/%s", raw, reduced);
            return s;
        }
    }
    s.present = 0;
    if (look_all(&s, tmp, f, path)) {
        s.load = f->load;
        s.path = arena_printf(tmp, "%s/%s", raw, path);
    }
    return s;
}

static const char checked_note[] =
    "the recipe of the published ones (NMF); the 104 published values that are known agree to 2.2e-5";
static const char assumed_note[] = "Facebook's recipe (NMF), not checked against published values";

/* Loads the files that exist and makes substitutes for the others. */
static void fill(arena *a, draft *f, const source *s)
{
    const catalog_entry *e = s->e;
    f->d.name = e->name;
    load_run(s->load, a, f, s->path, e->name);
    if (!f->d.xs.rows && !f->d.xd.rows) {
        twin_features(a, &f->d, e);
        f->d.origin = ORIGIN_SUBSTITUTE;
        f->d.origin_note =
            arena_printf(a, "real graph, labels and splits; %d features generated from the labels", e->features);
    } else if ((s->load == load_musae || s->load == load_lastfm) && f->d.features > e->features) {
        int words = f->d.features, checked = s->load == load_musae;
        f->d.xd = nmf_features(a, &f->d.xs, e->features);
        f->d.xs = (csr){0};
        f->d.features = e->features;
        f->d.origin = checked ? ORIGIN_REBUILT : ORIGIN_SUBSTITUTE;
        f->d.origin_note = arena_printf(a, "real graph and labels; %d features rebuilt from the raw %d by %s",
                                        e->features, words, checked ? checked_note : assumed_note);
    } else {
        f->d.origin = ORIGIN_REAL;
        f->d.origin_note = "";
    }
}

typedef struct job {
    arena *a, tmp;
    dataset *d;
    const source *s;
    const char *dir;   /* of cache files, "" for none */
    const char *cache; /* the file to store to, or NULL */
    int stored;
} job;

static void build(void *arg)
{
    job *j = arg;
    draft f = {0};
    if (j->s->load)
        fill(j->a, &f, j->s);
    else
        twin_make(j->a, &j->tmp, &f, j->s->e);
    dataset_finish(j->a, &f, j->s->e->name);
    dataset_reorder(j->a, &f.d, j->dir, LARGE);
    arena_free(&j->tmp);
    f.d.name = j->d->name;
    *j->d = f.d;
    if (j->cache)
        j->stored = cache_store(j->cache, j->d, j->s->stamp);
}

/* Builds in a temporary arena and maps the stored copy, so that the memory of loading is released. */
static int build_and_map(arena *a, dataset *d, const source *s, const char *dir, const char *path)
{
    arena own = {0};
    job j = {.a = &own, .d = d, .s = s, .dir = dir, .cache = path};
    const char *why = err_try(build, &j);
    char line[1024];
    if (why)
        snprintf(line, sizeof line, "%s", why);
    int mapped = !why && j.stored && cache_load(a, d, path, s->stamp);
    arena_free(&own);
    arena_free(&j.tmp);
    if (why)
        die("%s", line);
    return mapped;
}

static dataset *open_own(arena *a, const char *cache, const char *path)
{
    draft f = {0};
    dataset *d = NEW(a, dataset, 1);
    f.d.name = arena_printf(a, "%s", path);
    load_run(own_detect(path)->load, a, &f, path, path);
    f.d.origin = ORIGIN_USER;
    f.d.origin_note = "";
    dataset_finish(a, &f, path);
    dataset_reorder(a, &f.d, cache, LARGE);
    *d = f.d;
    return d;
}

/* A name with a '/' is a directory; otherwise the catalogue comes first, so that a directory named "cora" does not
 * shadow the data set ("./cora" is the directory). */
static int is_own(const data_dirs *dirs, const char *name)
{
    return strchr(name, '/') ||
           (!catalog_search(&dirs->catalog, name) && (file_is_directory(name) || own_is_file(name)));
}

int dataset_known(const data_dirs *dirs, const char *name)
{
    return is_own(dirs, name) || catalog_search(&dirs->catalog, name) != NULL;
}

static _Noreturn void die_missing(const source *s, const char *name)
{
    die("%s: %s is missing in %s: get it with `jcb fetch %s`, or use the synthetic twin:%s", name, s->missing, s->raw,
        name, name);
}

void dataset_need(const data_dirs *dirs, const char *name)
{
    arena tmp = {0};
    if (is_own(dirs, name)) {
        own_detect(name);
        return;
    }
    source s = find_source(&tmp, catalog_find(&dirs->catalog, name), dirs->raw);
    if (!s.load && !dirs->twins && !catalog_is_twin(name))
        die_missing(&s, name);
    arena_free(&tmp);
}

dataset *dataset_open(arena *a, const data_dirs *dirs, const char *name)
{
    if (is_own(dirs, name))
        return open_own(a, dirs->cache, name);
    const catalog_entry *e = catalog_find(&dirs->catalog, name);
    int twin = catalog_is_twin(name);
    source s = twin ? (source){.e = e, .raw = dirs->raw, .stamp = first_stamp(e)} : find_source(a, e, dirs->raw);
    dataset *d = NEW(a, dataset, 1);
    d->name = twin ? arena_printf(a, "%s", name) : e->name;
    if (!s.load && !twin && !dirs->twins)
        die_missing(&s, name);
    const char *path = arena_printf(a, "%s/%s%s.jcb", dirs->cache, name, sizeof(real) == 4 ? "" : "-" REAL_NAME);
    if (*dirs->cache && cache_load(a, d, path, s.stamp))
        return d;
    if (!s.load && !twin && s.present)
        warn("%s: %s is missing in %s: using a synthetic twin", name, s.missing, s.raw);
    if (!*dirs->cache || !cache_usable(dirs->cache) || !build_and_map(a, d, &s, dirs->cache, path)) {
        job j = {.a = a, .d = d, .s = &s, .dir = ""};
        build(&j);
    }
    return d;
}

struct opening { /* the arguments of open_it */
    arena *a;
    const data_dirs *dirs;
    const char *name;
    dataset *d;
};

static void open_it(void *arg)
{
    struct opening *o = arg;
    o->d = dataset_open(o->a, o->dirs, o->name);
}

const char *dataset_try(dataset **d, arena *a, const data_dirs *dirs, const char *name)
{
    struct opening o = {a, dirs, name, NULL};
    const char *why = err_try(open_it, &o);
    *d = o.d;
    return why;
}

int dataset_missing(const data_dirs *dirs, const char *name)
{
    arena tmp = {0};
    int missing = !catalog_is_twin(name) && !find_source(&tmp, catalog_find(&dirs->catalog, name), dirs->raw).load;
    arena_free(&tmp);
    return missing;
}

double dataset_homophily(const dataset *d)
{
    int64_t same = 0, all = csr_nnz(&d->graph);
    if (!d->y)
        return NAN;
#pragma omp parallel for schedule(static) reduction(+ : same)
    for (int i = 0; i < d->nodes; i++)
        for (int64_t k = d->graph.ptr[i]; k < d->graph.ptr[i + 1]; k++) {
            int p = d->y[i], q = d->y[d->graph.idx[k]];
            same += p >= 0 && p == q;
        }
    return all ? (double)same / (double)all : NAN;
}

double dataset_imbalance(const dataset *d)
{
    if (!d->y)
        return NAN;
    arena tmp = {0};
    int *size = NEW(&tmp, int, (size_t)d->classes), least = d->nodes, largest = 0;
    for (int i = 0; i < d->nodes; i++)
        if (d->y[i] >= 0)
            size[d->y[i]]++;
    for (int k = 0; k < d->classes; k++) {
        least = size[k] < least ? size[k] : least;
        largest = size[k] > largest ? size[k] : largest;
    }
    arena_free(&tmp);
    return (double)largest / least;
}
