/* load_ogb: an OGB node classification set (ogbn-arxiv) as gzipped text. In the directory `path`:
 *   raw/num-node-list.csv.gz   one number           raw/edge.csv.gz        source,target per line
 *   raw/node-label.csv.gz      one class per line   raw/node-feat.csv.gz   comma-separated numbers, one line per node
 *   split/time/{train,valid,test}.csv.gz            one node id per line
 * Without node-feat.csv.gz the data set has no features and the caller substitutes some. */
#include "../base/err.h"
#include "load_common.h"
#include "text.h"

static text open_part(load *l, const char *part)
{
    return text_open(file_read_gz(l->tmp, arena_printf(l->tmp, "%s/%s.csv.gz", l->path, part), 0));
}

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

static void read_split(load *l, enum part part, const char *file)
{
    split *s = l->out->d.splits;
    text t = open_part(l, file);
    int64_t lines = text_lines(&t);
    if (lines > l->out->d.nodes)
        text_die(&t, "%lld ids, but there are %d nodes", (long long)lines, l->out->d.nodes);
    s->n[part] = (int)lines;
    s->idx[part] = NEW(l->a, int, (size_t)lines);
    for (int i = 0; i < s->n[part]; i++) {
        s->idx[part][i] = (int)text_int(&t, "a node id", 0, l->out->d.nodes - 1);
        text_eol(&t);
    }
}

static void ogb(load *l)
{
    dataset *d = &l->out->d;
    text t = open_part(l, "raw/num-node-list");
    d->nodes = (int)text_int(&t, "the number of nodes", 1, NODES_MAX);
    text_eol(&t);
    t = open_part(l, "raw/node-label");
    if (text_lines(&t) != d->nodes)
        die("%s: %lld labels for %d nodes", t.path, (long long)text_lines(&t), d->nodes);
    d->y = NEW(l->a, int, (size_t)d->nodes);
    for (int i = 0; i < d->nodes; i++) {
        d->y[i] = (int)text_int(&t, "a class", 0, NODES_MAX);
        text_eol(&t);
    }
    d->classes = load_count_classes(d->y, d->nodes, t.path);
    t = open_part(l, "raw/edge");
    load_edge_lines(l, &t, ',', d->nodes);
    d->nsplits = 1;
    d->splits = NEW(l->a, split, 1);
    read_split(l, TRAIN, "split/time/train");
    read_split(l, VAL, "split/time/valid");
    read_split(l, TEST, "split/time/test");
    const char *features = arena_printf(l->tmp, "%s/raw/node-feat.csv.gz", l->path);
    if (file_named(features))
        read_features(l, features);
}

void load_ogb(arena *a, draft *out, const char *path, const char *name) { load_run(ogb, a, out, path, name); }
