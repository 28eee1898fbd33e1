/* test_raw: the real files below JCB_RAW load with the published counts, and with the sums that an independent reader
 * (numpy) gave. Skipped without JCB_RAW. */
#include "../../src/base/err.h"
#include "../../src/data/read/prognn.h"
#include "../../src/data/partition.h"
#include "test.h"

static const struct {
    loader *load;
    const char *path, *name;
    int nodes, edges, features, classes, splits,
        part[PARTS]; /* part: sizes of every split, or of the first where they vary */
    double x;        /* sum of value * (1 + column % 97) */
    long long y, g;  /* sum of class * (node % 101); sum of u * v % 1009 over directed edges */
} reals[] = {
    {load_planetoid, "planetoid/ind.cora", "cora", 2708, 5278, 1433, 7, 1, {140, 500, 1000}, 2274541, 389728, 5343110},
    {load_planetoid,
     "planetoid/ind.citeseer",
     "citeseer",
     3327,
     4552,
     3703,
     6,
     1,
     {120, 500, 1000},
     5168483,
     449305,
     4578592},
    {load_planetoid,
     "planetoid/ind.pubmed",
     "pubmed",
     19717,
     44324,
     500,
     3,
     1,
     {60, 500, 1000},
     1834344.252,
     1173446,
     44438856},
    {load_npz_citation, "citationfull/dblp.npz", "dblp", 17716, 52867, 1639, 4, 0, {0}, 4198795, 802125, 53028244},
    {load_geom_gcn,
     "geom-gcn/chameleon",
     "chameleon",
     2277,
     31371,
     2325,
     5,
     10,
     {1092, 729, 456},
     1417126,
     220405,
     31700600},
    {load_geom_gcn,
     "geom-gcn/squirrel",
     "squirrel",
     5201,
     198353,
     2089,
     5,
     10,
     {2496, 1664, 1041},
     4539857,
     521904,
     199840612},
    {load_geom_gcn, "geom-gcn/wisconsin", "wisconsin", 251, 450, 1703, 5, 10, {120, 80, 51}, 1141750, 22188, 448968},
    {load_heterophilous,
     "heterophilous/chameleon_filtered.npz",
     "chameleon-filtered",
     890,
     8854,
     2325,
     5,
     10,
     {409, 287, 194},
     478680,
     79054,
     8857986},
    {load_heterophilous,
     "heterophilous/squirrel_filtered.npz",
     "squirrel-filtered",
     2223,
     46998,
     2089,
     5,
     10,
     {1053, 718, 452},
     1573457,
     157122,
     47636418},
    {load_musae, "musae/musae_facebook", "facebook", 22470, 170823, 4714, 4, 0, {0}, 14536630, 1419574, 171933432},
    {load_lastfm, "lastfm-asia/lastfm_asia", "lastfmasia", 7624, 27806, 0, 18, 0, {0}, 0, 3551000, 27853062},
    {load_ogb, "ogbn-arxiv", "ogbn-arxiv", 169343, 1157799, 0, 40, 1, {90941, 29799, 48603}, 0, 175034962, 1164874220},
    {load_deeprobust,
     "gnn-meta-attack/cora",
     "cora-lcc",
     2485,
     5069,
     1433,
     7,
     1,
     {247, 249, 1988},
     2098543,
     328847,
     5066906},
    {load_deeprobust,
     "gnn-meta-attack/citeseer",
     "citeseer-lcc",
     2110,
     3668,
     3703,
     6,
     1,
     {210, 211, 1688},
     3326013,
     290335,
     3625808},
    {load_deeprobust,
     "gnn-meta-attack/polblogs",
     "polblogs-lcc",
     1222,
     16714,
     1490,
     2,
     1,
     {121, 123, 978},
     58377,
     32155,
     16822034},
    {load_deeprobust,
     "gnn-meta-attack/pubmed",
     "pubmed-lcc",
     19717,
     44324,
     500,
     3,
     1,
     {1971, 1972, 15774},
     1834344.252,
     1173446,
     44438856},
};

static void check_sums(int k, const dataset *d)
{
    double x = 0;
    long long y = 0, g = 0;
    for (int64_t e = 0; e < csr_nnz(&d->xs); e++)
        x += (double)csr_value(&d->xs, e) * (1 + d->xs.idx[e] % 97);
    for (int i = 0; i < d->nodes; i++) {
        y += d->y[i] * (i % 101);
        for (int64_t e = d->graph.ptr[i]; e < d->graph.ptr[i + 1]; e++)
            g += (long long)i * d->graph.idx[e] % 1009;
    }
    if (d->features && reals[k].features) /* where features may be absent the numbers were taken without */
        CHECK_NEAR(x, reals[k].x, 0.001);
    CHECK(y == reals[k].y && g == reals[k].g, "%s: label sum %lld, edge sum %lld", reals[k].name, y, g);
}

static const char *raw;

static void test_real(void *which)
{
    const size_t k = *(size_t *)which;
    arena a = {0};
    draft f;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", raw, reals[k].path);
    load_run(reals[k].load, &a, &f, path, reals[k].name);
    dataset_finish(&a, &f, reals[k].name);
    const dataset *d = &f.d;
    CHECK(d->nodes == reals[k].nodes && csr_nnz(&d->graph) == 2 * (int64_t)reals[k].edges &&
              (d->features == reals[k].features || !reals[k].features) && d->classes == reals[k].classes &&
              d->nsplits == reals[k].splits,
          "%s: %d nodes, %lld edges, %d features, %d classes", d->name, d->nodes, (long long)csr_nnz(&d->graph) / 2,
          d->features, d->classes);
    for (int s = 0; s < d->nsplits; s++)
        CHECK(!memcmp(d->splits[s].n, reals[k].part, sizeof reals[k].part) ||
                  (s && reals[k].load == load_heterophilous),
              "%s: split %d", d->name, s);
    check_sums((int)k, d);
    arena_free(&a);
}

/* A poisoned graph differs from the clean one in the published number of edges. */
static void test_poisoned(void *which)
{
    static const struct {
        const char *name;
        int changed[5];
    } graphs[] = {{"cora", {253, 506, 760, 1013, 1267}},
                  {"citeseer", {183, 366, 550, 733, 917}},
                  {"polblogs", {835, 1671, 2507, 3342, 4178}},
                  {"pubmed", {2216, 4432, 6648, 8864, 11081}}};
    static const char *const rate[] = {"0.05", "0.1", "0.15", "0.2", "0.25"};
    const size_t k = *(size_t *)which;
    arena a = {0};
    draft f;
    char path[4096], name[32];
    snprintf(path, sizeof path, "%s/gnn-meta-attack/%s", raw, graphs[k].name);
    snprintf(name, sizeof name, "%s-lcc", graphs[k].name);
    load_run(load_deeprobust, &a, &f, path, name);
    dataset_finish(&a, &f, name);
    csr *g = &f.d.graph;
    for (int r = 0; r < 5; r++) {
        snprintf(path, sizeof path, "%s/prognn/meta/%s_meta_adj_%s.npz", raw, graphs[k].name, rate[r]);
        load_prognn_graph(&a, &f, path, g->rows);
        csr p = csr_from_pairs(&a, g->rows, g->rows, f.eu, f.ev, f.nedges, 1, 0);
        int64_t same = 0;
        for (int i = 0; i < g->rows; i++)
            for (int64_t e = p.ptr[i], q = g->ptr[i]; e < p.ptr[i + 1]; e++) {
                while (q < g->ptr[i + 1] && g->idx[q] < p.idx[e])
                    q++;
                same += q < g->ptr[i + 1] && g->idx[q] == p.idx[e];
            }
        int64_t changed = (csr_nnz(g) + csr_nnz(&p) - 2 * same) / 2;
        CHECK(changed == graphs[k].changed[r], "%s: %lld edges changed", path, (long long)changed);
    }
    arena_free(&a);
}

/* METIS with the random numbers of a 64-bit build cuts as many links as a 64-bit METIS; those for five clusters are
 * printed in the paper. */
static void test_cut(void *which)
{
    static const struct {
        const char *name;
        int clusters, cut;
    } known[] = {{"cora", 5, 368},    {"cora", 7, 457},    {"citeseer", 5, 122},
                 {"citeseer", 4, 58}, {"pubmed", 5, 3296}, {"pubmed", 3, 2356}};
    const size_t k = *(size_t *)which;
    arena a = {0};
    draft f;
    load_run(load_planetoid, &a, &f, arena_printf(&a, "%s/planetoid/ind.%s", raw, known[k].name), known[k].name);
    dataset_finish(&a, &f, known[k].name);
    int64_t within, between;
    partition p = partition_metis(&a, &f.d.graph, known[k].clusters, metis_bits(64), 0);
    partition_links(&within, &between, &p, &f.d.graph);
    CHECK(between == known[k].cut || p.metis_bits != 64, "%s, %d clusters: %lld links cut", known[k].name,
          known[k].clusters, (long long)between);
    arena_free(&a);
}

/* A missing file skips the test; any other error fails it. */
static void attempt(void (*test)(void *), size_t k)
{
    const char *failed = err_try(test, &k);
    if (failed && strstr(failed, "No such file"))
        printf("skipped: %s\n", failed);
    else
        CHECK(!failed, "%s", failed);
}

TEST_MAIN(test_raw)
{
    raw = getenv("JCB_RAW");
    if (!raw || !*raw) {
        printf("skipped: JCB_RAW does not name a directory of data sets\n");
        return EXIT_SKIP;
    }
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        attempt(test_real, k);
    for (size_t k = 0; k < 4; k++)
        attempt(test_poisoned, k);
    for (size_t k = 0; k < 6; k++)
        attempt(test_cut, k);
    return test_checks ? test_end() : EXIT_SKIP;
}
