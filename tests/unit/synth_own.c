/* synth_own: the data sets of synth_raw.h in the formats for users' graphs: text files, Matrix Market, OGB folders. */
#include "synth_raw.h"
#include <stdio.h>
#include <string.h>

#define N RAW_NODES

static void plain_set(int dense)
{
    static const char *const word[] = {"ant", "bee", "cat"};
    raw_set *s =
        raw_add_set(dense ? "plain, dense" : "plain, sparse", load_plain, dense ? "mine" : "yours", "mine", N, 5, 3);
    char path[96];
#define PATH(s) (snprintf(path, sizeof path, "%s/%s", dense ? "mine" : "yours", s), path)
    blob *e = raw_add_text(s, PLAIN, PATH("edges.tsv")), *y = raw_add_text(s, PLAIN, PATH("labels.tsv"));
    blob *x = raw_add_text(s, PLAIN, PATH(dense ? "features.tsv" : "features.svm")),
         *p = raw_add_text(s, PLAIN, PATH("split.tsv"));
    blob_text(e, "# who knows whom\n\n");
    for (int i = 0; i < N; i++) {
        blob_text(e, i % 2 ? "%d %d\n" : "  %d , %d\r\n", i, (i + 1) % N);
        if (dense)
            blob_text(y, "%d\t%d\n", i, i % 3);
        else
            blob_text(y, "%d %s\n", i, word[i % 3]);
        blob_text(p, "%d %s\n", i, i % 2 ? "train" : i % 4 ? "val" : "test");
        if (!dense)
            blob_text(x, "%d %d:%.9g\n", i, i % 5, raw_weight(i));
        for (int j = 0; dense && j < 5; j++)
            blob_text(x, "%.9g%s", i % 5 == j ? raw_weight(i) : 0.0, j < 4 ? ", " : "\n");
    }
#undef PATH
    s->weighted = 1;
    raw_parts(s, 1, 15, 7, 8);
}

/* multilabels.tsv, several splits, sizes.tsv. */
static void plain_multi_set(void)
{
    raw_set *s = raw_add_set("plain, multi-label", load_plain, "ours", "ours", N, 5, 3);
    blob *e = raw_add_text(s, PLAIN, "ours/edges.tsv"), *y = raw_add_text(s, PLAIN, "ours/multilabels.tsv"),
         *x = raw_add_text(s, PLAIN, "ours/features.svm"), *p = raw_add_text(s, PLAIN, "ours/split.tsv");
    blob_text(raw_add_text(s, PLAIN, "ours/sizes.tsv"), "nodes\t%d\nfeatures %d\nclasses, %d\n", N, 5, 3);
    blob_text(y, "node,classes\n");
    blob_text(p, "node one two\n");
    for (int i = 0; i < N; i++) {
        blob_text(e, "%d %d\n", i, (i + 1) % N);
        blob_text(y, "%d %d\n", i, i % 3);
        blob_text(x, "%d %d:%.9g\n", i, i % 5, raw_weight(i));
        blob_text(p, "%d %s %s\n", i, i % 2 ? "train" : i % 4 ? "val" : "-", i % 2 ? "train" : i % 4 ? "val" : "-");
    }
    s->weighted = 1;
    raw_parts(s, 2, 15, 7, 0);
}

static void mtx_set(int dense)
{
    raw_set *s = raw_add_set(dense ? "mtx, array" : "mtx, coordinate", load_mtx, dense ? "mm" : "mc", "m", N, 5, 3);
    char path[96];
#define PATH(s) (snprintf(path, sizeof path, "%s/%s", dense ? "mm" : "mc", s), path)
    blob *g = raw_add_text(s, PLAIN, PATH("graph.mtx")), *x = raw_add_text(s, PLAIN, PATH("features.mtx")),
         *y = raw_add_text(s, PLAIN, PATH("labels.tsv")), *p = raw_add_text(s, PLAIN, PATH("split.tsv"));
#undef PATH
    blob_text(g, "%%%%MatrixMarket matrix coordinate %s\n%% links\n\n%d %d %d\n",
              dense ? "pattern symmetric" : "real general", N, N, dense ? N : N + 1);
    blob_text(x, "%%%%matrixmarket Matrix %s\r\n%d %d", dense ? "ARRAY real general" : "coordinate double general", N,
              5);
    blob_text(x, dense ? "\r\n" : " %d\r\n", N);
    for (int i = 0; i < N; i++) {
        int j = (i + 1) % N, low = i > j ? i : j, high = i > j ? j : i;
        blob_text(g, dense ? "%d %d\n" : "  %d\t%d 2.5e0\n", low + 1, high + 1);
        blob_text(y, "%d %d\n", i, i % 3);
        blob_text(p, "%d %s\n", i, i % 2 ? "train" : i % 4 ? "val" : "test");
        if (!dense)
            blob_text(x, "%d %d %.9g\n", i + 1, i % 5 + 1, raw_weight(i));
    }
    if (!dense)
        blob_text(g, "1 4 0\n"); /* stored, but no link */
    for (int j = 0; dense && j < 5; j++)
        for (int i = 0; i < N; i++)
            blob_text(x, "%.9g\n", i % 5 == j ? raw_weight(i) : 0.0);
    s->weighted = 1;
    raw_parts(s, 1, 15, 7, 8);
}

static void ogb_own_set(int several)
{
    raw_set *s = raw_add_set(several ? "ogb folder, multi-label" : "ogb folder", load_ogb_own, several ? "of2" : "of1",
                             "of", N, several ? 5 : N, 3);
    char path[96];
#define PATH(s) (snprintf(path, sizeof path, "%s/%s", several ? "of2" : "of1", s), path)
    blob_text(raw_add_text(s, GZIP, PATH("raw/num-node-list.csv.gz")), "%d\n", N);
    raw_csv_edges(raw_add_text(s, GZIP, PATH("raw/edge.csv.gz")), "");
    blob *y = raw_add_text(s, GZIP, PATH("raw/node-label.csv.gz")),
         *x = several ? raw_add_text(s, GZIP, PATH("raw/node-feat.csv.gz")) : NULL;
    for (int i = 0; i < N; i++) {
        if (several)
            blob_text(y, "%d,%d.0,%d\n", i % 3 == 0, i % 3 == 1, i % 3 == 2);
        else
            blob_text(y, i % 2 ? "%d\n" : "%d.0\n", i % 3);
        for (int j = 0; several && j < 5; j++)
            blob_text(x, "%.9g%c", i % 5 == j ? raw_weight(i) : 0.0, j < 4 ? ',' : '\n');
    }
    for (int k = 0; k < 2 * several; k++)
        for (int part = 0; part < PARTS; part++) {
            static const char *const name[PARTS] = {"train", "valid", "test"};
            char file[64];
            snprintf(file, sizeof file, "split/%d/%s.csv.gz", k, name[part]);
            blob_text(raw_add_text(s, GZIP, PATH(file)), "%d\n%d\n", part + 3 * k, part + 9);
        }
#undef PATH
    s->weighted = several;
    if (several)
        raw_parts(s, 2, 2, 2, 2);
}

void raw_own_sets(void)
{
    plain_set(1);
    plain_set(0);
    plain_multi_set();
    mtx_set(1);
    mtx_set(0);
    ogb_own_set(0);
    ogb_own_set(1);
}
