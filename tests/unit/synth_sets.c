/* synth_sets: the data sets of synth_raw.h, one function for each upstream format; formats for users' graphs:
 * synth_own.c. */
#include "synth_raw.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETS 28
#define N RAW_NODES

static raw_set *all;
static int count;

raw_set *raw_add_set(const char *title, loader *load, const char *path, const char *name, int nodes, int features,
                     int classes)
{
    raw_set *s = &all[count++];
    *s = (raw_set){.title = title,
                   .load = load,
                   .path = path,
                   .name = name,
                   .nodes = nodes,
                   .edges = nodes,
                   .features = features,
                   .classes = classes};
    return s;
}

blob *raw_add_text(raw_set *s, enum packing packing, const char *path) { return &raw_add(s, packing, path)->m[0].b; }

/* --- npz --- */

/* A CSR matrix under prefix: a ring for "adj_" and "" (one direction; both when symmetric), else features. */
static void npz_csr(raw_file *f, const char *prefix, int nodes, int cols, int ring, int symmetric, int main)
{
    double ptr[64] = {0}, idx[256], val[256], shape[2] = {nodes, cols ? cols : nodes};
    int n = 0;
    char key[32];
    for (int i = 0; i < nodes; i++) {
        int m = i < main ? main : nodes, base = i < main ? 0 : main, k = i - base, len = m - base;
        int next = base + (k + 1) % len, before = base + (k + len - 1) % len;
        if (!ring) {
            idx[n] = i % cols;
            val[n++] = raw_weight(i);
        } else {
            if (symmetric)
                idx[n] = next < before ? next : before, val[n++] = 1;
            idx[n] = symmetric && next < before ? before : next, val[n++] = 1;
            if (!symmetric && i % 5 == 0)
                idx[n] = (i + 7) % nodes, val[n++] = 0; /* stored, but no edge */
        }
        ptr[i + 1] = n;
    }
#define KEY(s) (snprintf(key, sizeof key, "%s" s, prefix), key)
    raw_npy(f, KEY("data"), ring ? "<f4" : "<f8", n, 0, val);
    raw_npy(f, KEY("indices"), "<i4", n, 0, idx);
    raw_npy(f, KEY("indptr"), symmetric ? "<i8" : "<i4", nodes + 1, 0, ptr);
    raw_npy(f, KEY("shape"), "<i8", 2, 0, shape);
#undef KEY
}

static void npz_labels(raw_file *f, const char *key, const char *descr, int nodes, int classes)
{
    double y[64];
    for (int i = 0; i < nodes; i++)
        y[i] = i % classes;
    raw_npy(f, key, descr, nodes, 0, y);
}

static void npz_format(raw_file *f)
{
    blob *b = &f->m[f->n].b;
    strcpy(f->m[f->n++].name, "format.npy");
    raw_npy_header(b, "{'descr': '|S3', 'fortran_order': False, 'shape': (), }");
    blob_text(b, "csr");
}

/* The last array of the file is laid out by columns; x has to be in that order already. */
static void by_columns(raw_file *f) { memcpy(strstr((char *)f->m[f->n - 1].b.p + 10, "False"), "True ", 5); }

static void heterophilous_set(void)
{
    static const char *const mask[PARTS] = {"train_masks", "val_masks", "test_masks"};
    enum { SPLITS = 3 };
    raw_set *s =
        raw_add_set("heterophilous", load_heterophilous, "chameleon_filtered.npz", "chameleon-filtered", N, 6, 5);
    raw_file *f = raw_add(s, NPZ, "chameleon_filtered.npz");
    f->deflate = 1;
    double edge[2 * N], x[6 * N] = {0}, in[SPLITS * N];
    for (int i = 0; i < N; i++) {
        edge[2 * i] = (i + 1) % N;
        edge[2 * i + 1] = i;
        x[6 * i + i % 6] = raw_weight(i);
    }
    raw_npy(f, "node_features", "<f4", N, 6, x);
    npz_labels(f, "node_labels", "<i8", N, 5);
    raw_npy(f, "edges", "<i8", N, 2, edge);
    for (int part = 0; part < PARTS; part++) {
        for (int i = 0; i < N; i++)
            for (int k = 0; k < SPLITS;
                 k++) /* training masks by rows, the others by columns, as upstream has all of them */
                in[part == TRAIN ? k * N + i : i * SPLITS + k] = part == (int[]){0, 0, 0, 1, 2}[(i + k) % 5];
        raw_npy(f, mask[part], "|b1", SPLITS, N, in);
        if (part != TRAIN)
            by_columns(f);
    }
    s->weighted = 1;
    raw_parts(s, SPLITS, 18, 6, 6);
}

static void make_npz_sets(void)
{
    raw_set *s = raw_add_set("citation npz", load_npz_citation, "dblp.npz", "dblp", N, 7, 4);
    raw_file *f = raw_add(s, NPZ, "dblp.npz");
    f->deflate = 1;
    npz_csr(f, "attr_", N, 7, 0, 0, N);
    npz_csr(f, "adj_", N, 0, 1, 1, N);
    npz_labels(f, "labels", "<i8", N, 4);
    strcpy(f->m[f->n].name, "idx_to_attr.npy"); /* a pickled object: never looked at */
    raw_npy_header(&f->m[f->n++].b, "{'descr': '|O', 'fortran_order': False, 'shape': (), }");

    s = raw_add_set("ptg npz", load_ptg_npz, "facebook.npz", "facebook", N, 5, 4);
    f = raw_add(s, NPZ, "facebook.npz");
    double edge[2 * N], x[5 * N] = {0};
    for (int i = 0; i < N; i++) {
        edge[2 * i] = i;
        edge[2 * i + 1] = (i + 1) % N;
        x[i % 5 * N + i] = raw_weight(i); /* Fortran order */
    }
    raw_npy(f, "edges", "<i8", N, 2, edge);
    raw_npy(f, "features", "<f8", N, 5, x);
    by_columns(f);
    npz_labels(f, "target", "<i8", N, 4);
    s->weighted = 1;
}

static void make_deeprobust_sets(void)
{
    static const char *const parts = "{\"idx_train\": [4, 0, 2], \"idx_val\": [1, 3],\n \"idx_test\": [9, 8, 7, 6]}";
    raw_set *s = raw_add_set("deeprobust", load_deeprobust, "gnn-meta-attack/cora", "cora-lcc", N - 4, 7, 3);
    raw_file *f = raw_add(s, NPZ, "gnn-meta-attack/cora.npz");
    npz_csr(f, "adj_", N, 0, 1, 0, N - 4);
    npz_csr(f, "attr_", N, 7, 0, 0, N);
    npz_labels(f, "labels", "|i1", N, 3);
    blob_text(raw_add_text(s, PLAIN, "prognn/splits/cora_prognn_splits.json"), "%s", parts);
    s->weighted = 1;
    raw_parts(s, 1, 3, 2, 4);

    s = raw_add_set("deeprobust identity", load_deeprobust, "gnn-meta-attack/polblogs", "polblogs-lcc", N - 4, N, 2);
    f = raw_add(s, NPZ, "gnn-meta-attack/polblogs.npz");
    npz_csr(f, "adj_", N, 0, 1, 0, N - 4);
    npz_labels(f, "labels", "<i8", N, 2);
    blob_text(raw_add_text(s, PLAIN, "prognn/splits/polblogs_prognn_splits.json"), "%s", parts);
    raw_parts(s, 1, 3, 2, 4);

    s = raw_add_set("deeprobust pubmed", load_deeprobust, "gnn-meta-attack/pubmed", "pubmed-lcc", 560, 9, 3);
    raw_planetoid(s, "planetoid/ind.pubmed");
    blob_text(raw_add_text(s, PLAIN, "prognn/splits/pubmed_prognn_splits.json"), "%s", parts);
    raw_parts(s, 1, 3, 2, 4);
}

/* --- text --- */

static void geom_gcn_set(void)
{
    raw_set *s = raw_add_set("geom-gcn", load_geom_gcn, "geom-gcn/chameleon", "chameleon", N, 6, 5);
    blob *b = raw_add_text(s, PLAIN, "geom-gcn/chameleon/out1_graph_edges.txt");
    blob_text(b, "node_id\tnode_id\n");
    for (int i = 0; i < N; i++)
        blob_text(b, "%d\t%d\n%d\t%d\n", i, (i + 1) % N, i % 3 ? (i + 1) % N : i, i);
    b = raw_add_text(s, PLAIN, "geom-gcn/chameleon/out1_node_feature_label.txt");
    blob_text(b, "node_id\tfeature\tlabel\n");
    for (int i = 0; i < N; i++) {
        blob_text(b, "%d", i);
        for (int j = 0; j < 6; j++)
            blob_text(b, "%c%d", j ? ',' : '\t', i % 6 == j);
        blob_text(b, "\t%d\n", i % 5);
    }
    for (int k = 0; k < 10; k++) {
        static const char *const mask[PARTS] = {"train_mask", "val_mask", "test_mask"};
        char path[96];
        snprintf(path, sizeof path, "geom-gcn/splits/chameleon_split_0.6_0.2_%d.npz", k);
        raw_file *f = raw_add(s, NPZ, path);
        f->deflate = 1;
        for (int part = 0; part < PARTS; part++) {
            double x[N];
            for (int i = 0; i < N; i++)
                x[i] = part == (int[]){0, 0, 0, 1, 2}[(i + k) % 5];
            raw_npy(f, mask[part], k % 3 ? "|u1" : "|b1", N, 0, x);
        }
    }
    raw_parts(s, 10, 18, 6, 6);
}

void raw_csv_edges(blob *b, const char *header)
{
    blob_text(b, "%s", header);
    for (int i = 0; i < N; i++)
        blob_text(b, "%d,%d\n", i, (i + 1) % N);
}

static void json_features(blob *b, int features)
{
    for (int i = N - 1; i >= 0; i--)
        blob_text(b, "%s\"%d\": [%d]%s", i == N - 1 ? "{" : "", i, i % features, i ? ", " : "}");
}

static void make_csv_sets(void)
{
    static const char *const type[] = {"company", "government", "politician", "tvshow"};
    raw_set *s = raw_add_set("musae", load_musae, "musae/musae_facebook", "facebook", N, 11, 4);
    raw_csv_edges(raw_add_text(s, PLAIN, "musae/musae_facebook_edges.csv"), "id_1,id_2\n");
    blob *b = raw_add_text(s, PLAIN, "musae/musae_facebook_target.csv");
    blob_text(b, "id,facebook_id,page_name,page_type\n");
    for (int i = 0; i < N; i++)
        blob_text(b, "%d,12345678901%d,%s,%s\n", i, i, i % 3 ? "\"Caf\xc3\xa9, \"\"le\"\" bon\"" : "page", type[i % 4]);
    json_features(raw_add_text(s, PLAIN, "musae/musae_facebook_features.json"), 11);

    for (int with = 1; with >= 0; with--) {
        const char *path = with ? "with/lastfm_asia" : "without/lastfm_asia";
        char name[96];
        s = raw_add_set(with ? "lastfm" : "lastfm without features", load_lastfm, path, "lastfmasia", N, with ? 8 : 0,
                        6);
        snprintf(name, sizeof name, "%s_edges.csv", path);
        raw_csv_edges(raw_add_text(s, PLAIN, name), "node_1,node_2\n");
        snprintf(name, sizeof name, "%s_target.csv", path);
        b = raw_add_text(s, PLAIN, name);
        blob_text(b, "id,target\r\n");
        for (int i = 0; i < N; i++)
            blob_text(b, "%d,%d\r\n", i, i % 6);
        snprintf(name, sizeof name, "%s_features.json", path);
        if (with)
            json_features(raw_add_text(s, PLAIN, name), 8);
    }
}

/* With a published split: edge_list.csv with ids as floats; without: edges_undir.csv. */
static void mlgnc_set(int published)
{
    raw_set *s = raw_add_set(published ? "mlgnc" : "mlgnc, no split", load_mlgnc, published ? "HumanGo" : "pcg",
                             "humloc", N, 3, 4);
    char path[96];
#define PATH(s) (snprintf(path, sizeof path, "%s/%s", published ? "HumanGo" : "pcg", s), path)
    blob *x = raw_add_text(s, PLAIN, PATH("features.csv")), *y = raw_add_text(s, PLAIN, PATH("labels.csv"));
    blob *e = raw_add_text(s, PLAIN, PATH(published ? "edge_list.csv" : "edges_undir.csv"));
    if (published)
        blob_text(e, "prot1,prot2,direct interaction\n");
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < 3; j++)
            blob_text(x, "%.6g%c", i % 3 == j ? raw_weight(i) : 0.0, j < 2 ? ',' : '\n');
        for (int c = 0; c < 4; c++)
            blob_text(y, published ? "%d.0%c" : "%d%c", i % 4 == c, c < 3 ? ',' : '\n');
        blob_text(e, published ? "%d.0,%d.0,0.5\n" : "%d,%d\n", i, (i + 1) % N);
        if (!published)
            blob_text(e, "%d,%d\n", (i + 1) % N, i);
    }
    s->weighted = 1;
    if (!published)
        return;
    blob *part[] = {raw_add_text(s, PLAIN, PATH("train.txt")), raw_add_text(s, PLAIN, PATH("test.txt"))};
#undef PATH
    for (int k = 0; k < 2; k++)
        blob_text(part[k], "Node_idx\n");
    for (int i = 0; i < N; i++)
        blob_text(part[i % 5 == 0], "%d\n", i);
    raw_parts(s, 1, 24, 0, 6);
}

static void make_ogb_set(void)
{
    raw_set *s = raw_add_set("ogb", load_ogb, "ogbn-arxiv", "ogbn-arxiv", N, 4, 3);
    blob_text(raw_add_text(s, GZIP, "ogbn-arxiv/raw/num-node-list.csv.gz"), "%d\n", N);
    raw_csv_edges(raw_add_text(s, GZIP, "ogbn-arxiv/raw/edge.csv.gz"), "");
    blob *y = raw_add_text(s, GZIP, "ogbn-arxiv/raw/node-label.csv.gz"),
         *x = raw_add_text(s, GZIP, "ogbn-arxiv/raw/node-feat.csv.gz");
    blob *part[] = {raw_add_text(s, GZIP, "ogbn-arxiv/split/time/train.csv.gz"),
                    raw_add_text(s, GZIP, "ogbn-arxiv/split/time/valid.csv.gz"),
                    raw_add_text(s, GZIP, "ogbn-arxiv/split/time/test.csv.gz")};
    for (int i = 0; i < N; i++) {
        blob_text(y, "%d\n", i % 3);
        for (int j = 0; j < 4; j++)
            blob_text(x, "%.6g%c", i % 4 == j ? raw_weight(i) : -0.0, j < 3 ? ',' : '\n');
        blob_text(part[i % 10 == 0 ? VAL : i % 5 == 0 ? TEST : TRAIN], "%d\n", i);
    }
    s->weighted = 1;
    raw_parts(s, 1, 24, 3, 3);
}

static void graphsaint_set(int several)
{
    raw_set *s = raw_add_set(several ? "graphsaint" : "graphsaint, one class", load_graphsaint,
                             several ? "yelp" : "flickr", "yelp", N, 3, 4);
    char path[96];
#define PATH(s) (snprintf(path, sizeof path, "%s/%s", several ? "yelp" : "flickr", s), path)
    raw_file *f = raw_add(s, NPZ, PATH("adj_full.npz"));
    f->deflate = f->zip64 = several;
    npz_csr(f, "", N, 0, 1, several, N);
    npz_format(f);
    double x[3 * N] = {0};
    for (int i = 0; i < N; i++)
        x[3 * i + i % 3] = raw_weight(i);
    f = raw_add(s, PLAIN, PATH("feats.npy"));
    f->n = 0;
    raw_npy(f, "", several ? "<f8" : "<f4", N, 3, x);
    blob *b = raw_add_text(s, PLAIN, PATH("class_map.json"));
    for (int i = 0; i < N; i++) {
        blob_text(b, "%s\"%d\": ", i ? ", " : "{", i);
        if (!several)
            blob_text(b, "%d", i % 4);
        for (int c = 0; several && c < 4; c++)
            blob_text(b, i % 2 ? "%s%d" : "%s%d.0", c ? ", " : "[", i % 4 == c);
        blob_text(b, several ? "]" : "");
    }
    blob_text(b, "}");
    blob_text(raw_add_text(s, PLAIN, PATH("role.json")), "{\"tr\": [3, 2, 1], \"va\": [5], \"te\": [9, 0]}");
#undef PATH
    s->weighted = 1;
    raw_parts(s, 1, 3, 1, 2);
}

int raw_sets(const raw_set **sets)
{
    if (!all) {
        all = calloc(SETS, sizeof *all);
        raw_planetoid(raw_add_set("planetoid", load_planetoid, "planetoid/ind.cora", "cora", 560, 9, 3),
                      "planetoid/ind.cora");
        make_npz_sets();
        make_deeprobust_sets();
        geom_gcn_set();
        heterophilous_set();
        make_csv_sets();
        make_ogb_set();
        graphsaint_set(1);
        graphsaint_set(0);
        mlgnc_set(1);
        mlgnc_set(0);
        raw_own_sets();
    }
    *sets = all;
    return count;
}
