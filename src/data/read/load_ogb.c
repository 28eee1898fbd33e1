/* load_ogb: an OGB node property set (ogbn-arxiv) as gzipped text. In the directory `path`:
 *   raw/num-node-list.csv.gz   one number
 *   raw/edge.csv.gz            source,target per line
 *   raw/node-label.csv.gz      one class per line, nan: none; or 0 and 1 for each of several classes, with commas
 *   raw/node-feat.csv.gz       comma-separated numbers, one line per node
 *   split/SCHEME/{train,valid,test}.csv.gz   one node id per line; one scheme, or, for several splits, 0, 1, 2, ...
 * Without node-feat.csv.gz the data set has no features: the caller substitutes some; in a user's directory
 * (load_ogb_own) they are the identity matrix. In the latter, features with less than a quarter of non-zeros are stored
 * sparse. */
#include "../../base/err.h"
#include "load_common.h"
#include "../text.h"
#include <string.h>

#define SPARSE 0.25
#define SCHEMES_MAX 1000

static const char *part_path(load *l, const char *part) { return arena_printf(l->tmp, "%s/%s.csv.gz", l->path, part); }
static text open_part(load *l, const char *part) { return text_open(file_read_gz(l->tmp, part_path(l, part), 0)); }

static void read_features(load *l, const char *path)
{
    dataset *d = &l->out->d;
    text t = text_open(file_read_gz(l->tmp, path, 0));
    int64_t columns = 1;
    for (const unsigned char *p = t.p; p < t.end && *p != '\n'; p++)
        columns += *p == ',';
    if (text_lines(&t) != d->nodes)
        die("%s: %lld lines for %d nodes", path, (long long)text_lines(&t), d->nodes);
    if (columns > FEATURES_MAX || columns * d->nodes > (t.end - t.p + 1) / 2) /* a value takes two bytes */
        text_die(&t, "%lld values on the first line of %d: corrupt", (long long)columns, d->nodes);
    d->features = (int)columns;
    d->xd = mat_new(l->a, d->nodes, d->features);
    for (int i = 0; i < d->nodes; i++) {
        real *x = mat_row(d->xd, i);
        for (int j = 0; j < d->features; j++) {
            if (j)
                text_char(&t, ',');
            x[j] = text_real(&t, "a feature value");
        }
        text_eol(&t);
    }
}

static void read_part(load *l, split *s, enum part part, const char *scheme)
{
    static const char *const name[PARTS] = {"train", "valid", "test"};
    text t = open_part(l, arena_printf(l->tmp, "split/%s/%s", scheme, name[part]));
    load_id_lines(l, s, part, &t);
}

/* Schemes 0, 1, 2, ... are several splits (save_ogb.c). Schemes with names are usually alternatives: dies if there are
 * several, since the user must choose. */
static void read_splits(load *l)
{
    dataset *d = &l->out->d;
    const char *dir = arena_printf(l->tmp, "%s/split", l->path), *name = NULL;
    int entries, n = 0, counted = 0;
    char **entry = file_list(l->tmp, dir, "", &entries);
    for (int i = 0; i < entries; i++)
        if (file_named(part_path(l, arena_printf(l->tmp, "split/%s/train", entry[i]))))
            name = entry[i], n++;
    if (!n)
        return;
    while (counted < n && counted < SCHEMES_MAX &&
           file_named(part_path(l, arena_printf(l->tmp, "split/%d/train", counted))))
        counted++;
    if (n > 1 && counted < n)
        die("%s: %d schemes: keep one, or name them 0, 1, 2, ... if run k shall use split k", dir, n);
    d->nsplits = n;
    d->splits = NEW(l->a, split, (size_t)n);
    for (int k = 0; k < n; k++)
        for (int p = 0; p < PARTS; p++)
            read_part(l, &d->splits[k], (enum part)p, n > 1 ? arena_printf(l->tmp, "%d", k) : name);
}

/* 4, 4.0 (as pandas writes integers if some are missing) or nan. */
static int read_label(text *t, const char *what, int lo, int hi)
{
    if (t->end - t->p >= 3 && !memcmp(t->p, "nan", 3)) {
        t->p += 3;
        return -1;
    }
    int y = (int)text_int(t, what, lo, hi);
    if (*t->p == '.')
        for (t->p++; *t->p == '0'; t->p++)
            ;
    return y;
}

static void read_labels(load *l)
{
    dataset *d = &l->out->d;
    text t = open_part(l, "raw/node-label");
    int64_t columns = 1;
    if (text_lines(&t) != d->nodes)
        die("%s: %lld labels for %d nodes", t.path, (long long)text_lines(&t), d->nodes);
    for (const unsigned char *p = t.p; p < t.end && *p != '\n'; p++)
        columns += *p == ',';
    if (columns > 1 && columns * d->nodes > (t.end - t.p + 1) / 2) /* a label takes two bytes */
        text_die(&t, "%lld labels on the first line of %d: corrupt", (long long)columns, d->nodes);
    if (columns > 1) {
        d->classes = (int)columns;
        d->ym = NEW_2D(l->a, unsigned char, d->nodes, columns);
    } else
        d->y = NEW(l->a, int, (size_t)d->nodes);
    for (int i = 0; i < d->nodes; i++) {
        for (int c = 0; c < columns; c++) {
            if (c)
                text_char(&t, ',');
            if (d->y)
                d->y[i] = read_label(&t, "a class", 0, NODES_MAX);
            else
                d->ym[(size_t)i * (size_t)columns + (size_t)c] = read_label(&t, "0 or 1", 0, 1) == 1;
        }
        text_eol(&t);
    }
    if (d->y)
        d->classes = load_count_classes(d->y, d->nodes, t.path);
}

void load_ogb(load *l)
{
    dataset *d = &l->out->d;
    text t = open_part(l, "raw/num-node-list");
    d->nodes = (int)text_int(&t, "the number of nodes", 1, NODES_MAX);
    text_eol(&t);
    if (text_more(&t))
        text_die(&t, "a second graph: expected one");
    read_labels(l);
    t = open_part(l, "raw/edge");
    load_edge_lines(l, &t, ',', d->nodes);
    read_splits(l);
    const char *features = part_path(l, "raw/node-feat");
    if (file_named(features))
        read_features(l, features);
}

/* Converts features to sparse form if that is smaller. */
static void pack_features(load *l)
{
    dataset *d = &l->out->d;
    size_t n = (size_t)d->nodes * (size_t)d->features, nnz = 0;
    for (size_t k = 0; k < n; k++)
        nnz += d->xd.v[k] != 0;
    if ((double)nnz >= SPARSE * (double)n)
        return;
    d->xs = load_sparse(l->a, d->xd);
    d->xd = (mat){0};
}

void load_ogb_own(load *l)
{
    dataset *d = &l->out->d;
    load_ogb(l);
    if (d->xd.rows)
        pack_features(l);
    else
        d->features = (d->xs = load_identity(l->a, d->nodes)).cols;
}
