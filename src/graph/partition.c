/* partition: of : {0 .. n-1} -> {0 .. M-1}.
 *
 *   metis    min over of of |{(u, v) in E : of(u) != of(v)}|  subject to  |cluster| <= (1 + 0.03) n / M
 *   random   of(perm(i)) = i mod M
 *   kmeans   see kmeans.c
 *
 * METIS draws from rand(), which it seeds itself with 4321 under the default options, so that its answer depends
 * neither on the calls before it nor on srand(). Only two calls at once could disturb each other: they are locked.
 *
 * A cache file is a part_head and then `nodes` cluster ids of 32 bits. */
#include "partition.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "../base/rng.h"
#include <inttypes.h>
#include <limits.h>
#include <metis.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KMEANS_RESTARTS 10
#define PART_VERSION 1 /* raise it when a method or KMEANS_RESTARTS changes: it makes old files stale */

typedef struct part_head {
    char magic[8];
    uint32_t version;
    int32_t nodes, clusters;
    uint32_t zero;
    uint64_t data, hash; /* of the data set, of the partition */
} part_head;

static const char part_magic[8] = "jcbpart";

static void sign(partition *p)
{
    uint64_t h = hash_u64(hash_u64(HASH_INIT, (uint64_t)p->nodes), (uint64_t)p->clusters);
    p->hash = hash_bytes(h, p->of, (size_t)p->nodes * sizeof *p->of);
}

static void check_count(const char *method, int clusters, int nodes)
{
    if (clusters < 1 || clusters > nodes)
        die("%s: %d clusters of %d nodes: want 1 to %d", method, clusters, nodes, nodes);
}

/* The graph for METIS: 32-bit offsets, no loops. The columns are shared with the graph when there are none. */
static void metis_graph(arena *a, idx_t **ptr, idx_t **idx, const csr *g)
{
    int64_t nnz = csr_nnz(g), loops = 0;
    for (int i = 0; i < g->rows; i++)
        for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
            loops += g->idx[k] == i;
    int share = loops == 0 && sizeof(idx_t) == sizeof(int);
    *ptr = NEW(a, idx_t, (size_t)g->rows + 1);
    *idx = share ? (idx_t *)(void *)g->idx : NEW(a, idx_t, (size_t)(nnz - loops));
    idx_t kept = 0;
    for (int i = 0; i < g->rows; i++) {
        for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++) {
            if (!share && g->idx[k] != i)
                (*idx)[kept] = g->idx[k];
            kept += g->idx[k] != i;
        }
        (*ptr)[i + 1] = kept;
    }
}

partition partition_metis(arena *a, const csr *graph, int clusters, int seed)
{
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    check_count("metis", clusters, graph->rows);
    if (csr_nnz(graph) > (int64_t)IDX_MAX)
        die("metis: %" PRId64 " links are more than its %d-bit indices can count", csr_nnz(graph), IDXTYPEWIDTH);
    partition p = {graph->rows, clusters, NEW(a, int, (size_t)graph->rows), 0};
    arena tmp = {0};
    idx_t *ptr, *idx, *of = NEW(&tmp, idx_t, (size_t)p.nodes);
    metis_graph(&tmp, &ptr, &idx, graph);
    /* METIS 5.1 divides by log2(M) = 0 at M = 1, and complains on stdout when M is close to n. Without links there is
     * nothing to cut. Runs of consecutive nodes then serve as well as anything. */
    if (clusters == 1 || clusters > p.nodes / 2 || ptr[p.nodes] == 0) {
        for (int i = 0; i < p.nodes; i++)
            of[i] = (idx_t)((int64_t)i * clusters / p.nodes);
    } else {
        idx_t nodes = p.nodes, parts = clusters, constraints = 1, cut, options[METIS_NOPTIONS];
        METIS_SetDefaultOptions(options);
        if (seed)
            options[METIS_OPTION_SEED] = seed;
        pthread_mutex_lock(&one);
        int rc = METIS_PartGraphKway(&nodes, &constraints, ptr, idx, NULL, NULL, NULL, &parts, NULL, NULL, options,
                                     &cut, of);
        pthread_mutex_unlock(&one);
        if (rc != METIS_OK) {
            arena_free(&tmp);
            die("metis: error %d on %d nodes in %d clusters%s", rc, p.nodes, clusters,
                rc == METIS_ERROR_MEMORY ? ": out of memory" : "");
        }
    }
    for (int i = 0; i < p.nodes; i++)
        p.of[i] = (int)of[i];
    arena_free(&tmp);
    sign(&p);
    return p;
}

partition partition_random(arena *a, int nodes, int clusters, uint64_t seed)
{
    check_count("random", clusters, nodes);
    partition p = {nodes, clusters, NEW(a, int, (size_t)nodes), 0};
    arena tmp = {0};
    int *perm = NEW(&tmp, int, (size_t)nodes);
    for (int i = 0; i < nodes; i++)
        perm[i] = i;
    rng_shuffle(perm, nodes, rng_make(seed, 0, RNG_PARTITION), 0);
    for (int i = 0; i < nodes; i++)
        p.of[perm[i]] = i % clusters;
    arena_free(&tmp);
    sign(&p);
    return p;
}

void partition_links(int64_t *within, int64_t *between, const partition *p, const csr *graph)
{
    int64_t in = 0, out = 0;
#pragma omp parallel for reduction(+ : in, out) schedule(static)
    for (int i = 0; i < graph->rows; i++)
        for (int64_t k = graph->ptr[i]; k < graph->ptr[i + 1]; k++) {
            int j = graph->idx[k];
            in += i < j && p->of[i] == p->of[j];
            out += i < j && p->of[i] != p->of[j];
        }
    *within = in;
    *between = out;
}

/* Reading and writing below err_try: a cache that cannot be used is not worth a run. */
typedef struct cache_job {
    arena *a;
    const char *path;
    bytes file;
    size_t size;
} cache_job;

static void cache_load(void *job)
{
    cache_job *j = job;
    j->file = file_read(j->a, j->path, j->size);
}

static void cache_store(void *job)
{
    const cache_job *j = job;
    file_write(j->path, j->file.p, j->file.n);
}

/* 1 when the file held this very partition, 0 when it is missing, stale or damaged. */
static int cache_read(partition *p, const char *path, uint64_t data)
{
    arena tmp = {0};
    cache_job job = {.a = &tmp, .path = path, .size = sizeof(part_head) + (size_t)p->nodes * sizeof(int32_t)};
    part_head head = {.version = 0};
    int ok = file_exists(path) && err_try(cache_load, &job) == NULL && job.file.n == job.size;
    if (ok) {
        memcpy(&head, job.file.p, sizeof head);
        ok = memcmp(head.magic, part_magic, sizeof part_magic) == 0 && head.version == PART_VERSION &&
             head.zero == 0 && head.nodes == p->nodes && head.clusters == p->clusters && head.data == data;
    }
    for (int i = 0; ok && i < p->nodes; i++) {
        int32_t m;
        memcpy(&m, job.file.p + sizeof head + (size_t)i * sizeof m, sizeof m);
        ok = m >= 0 && m < p->clusters;
        p->of[i] = m;
    }
    arena_free(&tmp);
    sign(p);
    return ok && p->hash == head.hash;
}

static void cache_write(const char *path, const partition *p, uint64_t data)
{
    arena tmp = {0};
    size_t size = sizeof(part_head) + (size_t)p->nodes * sizeof(int32_t);
    unsigned char *out = NEW(&tmp, unsigned char, size);
    part_head head = {.version = PART_VERSION, .nodes = p->nodes, .clusters = p->clusters, .data = data,
                      .hash = p->hash};
    memcpy(head.magic, part_magic, sizeof part_magic);
    memcpy(out, &head, sizeof head);
    for (int i = 0; i < p->nodes; i++) {
        int32_t m = p->of[i];
        memcpy(out + sizeof head + (size_t)i * sizeof m, &m, sizeof m);
    }
    cache_job job = {.a = &tmp, .path = path, .file = {out, size, path}};
    const char *why = err_try(cache_store, &job);
    if (why)
        warn("%s: the partition will be computed again next time", why);
    arena_free(&tmp);
}

partition partition_get(arena *a, const char *cache, const char *method, int clusters, const partition_input *in)
{
    const char *colon = strchr(method, ':');
    char *end = "";
    long seed = colon ? strtol(colon + 1, &end, 10) : 0;
    const char *name = colon ? arena_printf(a, "%.*s", (int)(colon - method), method) : method;
    int metis = strcmp(name, "metis") == 0, kmeans = strcmp(name, "kmeans") == 0;
    if ((!metis && !kmeans && strcmp(name, "random") != 0) || *end || (colon && (seed < 1 || seed > INT_MAX)))
        die("partition method '%s': want metis, kmeans or random, or metis:S, ... with a seed S of 1 or more", method);
    int nodes = in->graph->rows;
    check_count(method, clusters, nodes);
    int points = in->xs && in->xs->rows ? in->xs->rows : in->xd ? in->xd->rows : 0;
    if (kmeans && points != nodes)
        die("kmeans: %d rows of features for %d nodes", points, nodes);
    const char *path = NULL;
    if (cache && *cache) {
        path = arena_printf(a, "%s/%016" PRIx64 "-%s-%d-%ld.part", cache, in->data_hash, name, clusters, seed);
        partition p = {nodes, clusters, NEW(a, int, (size_t)nodes), 0};
        if (cache_read(&p, path, in->data_hash))
            return p;
    }
    partition p = metis    ? partition_metis(a, in->graph, clusters, (int)seed)
                  : kmeans ? partition_kmeans(a, in->xs, in->xd, clusters, KMEANS_RESTARTS, (uint64_t)seed)
                           : partition_random(a, nodes, clusters, (uint64_t)seed);
    if (path)
        cache_write(path, &p, in->data_hash);
    return p;
}

void partition_write(const char *path, const partition *p)
{
    arena tmp = {0};
    char *text = NEW(&tmp, char, (size_t)p->nodes * 12 + 1), *end = text; /* an int and its newline fit in 12 */
    for (int i = 0; i < p->nodes; i++)
        end += sprintf(end, "%d\n", p->of[i]);
    file_write(path, text, (size_t)(end - text));
    arena_free(&tmp);
}

partition partition_read(arena *a, const char *path, int nodes)
{
    if (nodes < 1)
        die("%s: a partition of %d nodes", path, nodes);
    bytes file = file_read(a, path, 0);
    const char *s = (const char *)file.p, *end = s + file.n;
    partition p = {nodes, 0, NEW(a, int, (size_t)nodes), 0};
    int line = 0;
    for (; s < end; line++) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        const char *next = stop ? stop + 1 : end;
        int64_t id = 0;
        const char *q = s;
        for (; q < end && *q >= '0' && *q <= '9' && id < nodes; q++)
            id = id * 10 + (*q - '0');
        int digits = q > s;
        if (q < next && *q == '\r')
            q++;
        if (!digits || (q < next && *q != '\n') || id >= nodes)
            die("%s:%d: want one cluster id, 0 to %d, on each line", path, line + 1, nodes - 1);
        if (line == nodes)
            die("%s:%d: more lines than the graph's %d nodes", path, line + 1, nodes);
        p.of[line] = (int)id;
        p.clusters = (int)id >= p.clusters ? (int)id + 1 : p.clusters;
        s = next;
    }
    if (line != nodes)
        die("%s: %d lines for the graph's %d nodes", path, line, nodes);
    sign(&p);
    return p;
}
