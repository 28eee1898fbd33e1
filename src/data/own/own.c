#include "own.h"
#include "../../base/err.h"
#include "../../base/file.h"
#include "../../base/guess.h"
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const own_format own_formats[] = {
    {"plain", "edges.tsv", NULL, "edges.tsv, labels.tsv or multilabels.tsv, features.tsv or .svm, split.tsv, sizes.tsv",
     load_plain, save_plain},
    {"arrays", "labels.npy", NULL,
     "labels.npy, edges.npy or graph.npz, features.npy or .npz, train.npy, val.npy, test.npy", load_arrays,
     save_arrays},
    {"mtx", "graph.mtx", NULL, "graph.mtx, features.mtx, and text files as in plain", load_mtx, save_mtx},
    {"ogb", "raw/edge.csv.gz", NULL,
     "raw/edge.csv.gz, node-label, node-feat, num-node-list, split/SCHEME/{train,valid,test}", load_ogb_own, save_ogb},
    {"npz", NULL, ".npz", "FILE.npz with adj_*, attr_* and labels (graph2gauss, gnn-benchmark)", load_npz_citation,
     NULL},
};
const int own_count = (int)(sizeof own_formats / sizeof *own_formats);

int own_is_file(const char *path)
{
    int found = 0;
    for (int k = 0; k < own_count; k++)
        found |= own_formats[k].suffix && file_ends(path, own_formats[k].suffix) && file_named(path) &&
                 !file_is_directory(path);
    return found;
}

const own_format *own_detect(const char *path)
{
    const own_format *found = NULL;
    arena tmp = {0};
    char signs[200] = "";
    int directory = file_is_directory(path);
    for (int k = 0; k < own_count; k++) {
        const own_format *f = &own_formats[k];
        size_t n = strlen(signs);
        if (f->sign)
            snprintf(signs + n, sizeof signs - n, "%s%s (%s)", n ? ", " : "", f->sign, f->name);
        int fits = f->sign ? directory && file_named(arena_printf(&tmp, "%s/%s", path, f->sign))
                           : !directory && file_ends(path, f->suffix);
        if (fits && found) {
            arena_free(&tmp);
            die("%s: has %s (format %s) and %s (format %s): keep the files of one format", path, found->sign,
                found->name, f->sign, f->name);
        }
        found = fits ? f : found;
    }
    arena_free(&tmp);
    if (!found && directory)
        die("%s: no graph in a known format: none of %s exists", path, signs);
    if (!found)
        die("%s: %s: give a directory with a graph, or an npz file", path,
            file_named(path) ? "not a directory" : "not found");
    return found;
}

const own_format *own_writable(const char *name)
{
    guess g = {.word = name};
    for (int k = 0; k < own_count; k++)
        if (own_formats[k].save) {
            if (!strcmp(own_formats[k].name, name))
                return &own_formats[k];
            guess_list(&g, own_formats[k].name);
        }
    guess_die(&g, "format", "");
}

static void want_empty(const char *to)
{
    DIR *d = opendir(to);
    int used = 0;
    if (!d && errno == ENOENT)
        return;
    if (!d)
        die("%s: %s", to, strerror(errno));
    for (struct dirent *e; (e = readdir(d));)
        used |= strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(d);
    if (used)
        die("%s: is not empty: give a new directory", to);
}

static int erase(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st, (void)type, (void)where;
    return remove(path);
}

uint64_t own_save(const dataset *d, const char *cache, const char *to, const own_format *f)
{
    arena tmp = {0};
    const char *path = strchr(to, '/') ? to : arena_printf(&tmp, "./%s", to);
    want_empty(to);
    f->save(&tmp, d, path);
    arena_free(&tmp);
    path = strchr(to, '/') ? to : arena_printf(&tmp, "./%s", to);
    data_dirs dirs = {.cache = cache};
    uint64_t hash = dataset_open(&tmp, &dirs, path)->hash;
    arena_free(&tmp);
    if (hash != d->hash)
        nftw(to, erase, 8, FTW_DEPTH | FTW_PHYS);
    if (hash != d->hash)
        die("%s: the copy differs when it is read back (hash %016llx, not %016llx): format %s cannot represent the "
            "data",
            to, (unsigned long long)hash, (unsigned long long)d->hash, f->name);
    return hash;
}
