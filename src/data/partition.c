/* partition: of : {0 .. n-1} -> {0 .. M-1}.
 *
 *   metis, metis32   see metis.c
 *   kmeans           see kmeans.c
 *   random           of(perm(i)) = i mod M
 *   file:PATH        read from a text file
 *
 * A cache file is a part_head and then `nodes` cluster ids of 32 bits. */
#include "partition.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "../base/rng.h"
#include "text.h"
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KMEANS_RESTARTS 10
#define PARTITION_VERSION 2 /* raise it when a method or KMEANS_RESTARTS changes: it makes old files stale */

typedef struct partition_head {
    char magic[8];
    uint32_t version;
    int32_t nodes, clusters, metis_bits;
    uint64_t data, hash; /* of the data set, of the partition */
} partition_head;

static const char partition_magic[8] = "jcbpart";
_Static_assert(sizeof(int) == 4, "a cluster id of the file is an int");

void partition_sign(partition *p)
{
    uint64_t h = hash_u64(hash_u64(HASH_INIT, (uint64_t)p->nodes), (uint64_t)p->clusters);
    p->hash = hash_bytes(h, p->of, (size_t)p->nodes * sizeof *p->of);
}

void partition_check(const char *method, int clusters, int nodes)
{
    if (clusters < 1 || clusters > nodes)
        die("%s: %d clusters of %d nodes: want 1 to %d", method, clusters, nodes, nodes);
}

partition partition_random(arena *a, int nodes, int clusters, uint64_t seed)
{
    partition_check("random", clusters, nodes);
    partition p = {.nodes = nodes, .clusters = clusters, .of = NEW(a, int, (size_t)nodes)};
    arena tmp = {0};
    int *perm = NEW(&tmp, int, (size_t)nodes);
    for (int i = 0; i < nodes; i++)
        perm[i] = i;
    rng_shuffle(perm, nodes, rng_make(seed, 0, RNG_PARTITION), 0);
    for (int i = 0; i < nodes; i++)
        p.of[perm[i]] = i % clusters;
    arena_free(&tmp);
    partition_sign(&p);
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

/* Reading and writing below err_try: a cache that cannot be used does not end the run. */
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
    cache_job job = {.a = &tmp, .path = path, .size = sizeof(partition_head) + (size_t)p->nodes * sizeof(int32_t)};
    partition_head head = {.version = 0};
    int ok = file_exists(path) && err_try(cache_load, &job) == NULL && job.file.n == job.size;
    if (ok) {
        memcpy(&head, job.file.p, sizeof head);
        ok = memcmp(head.magic, partition_magic, sizeof partition_magic) == 0 && head.version == PARTITION_VERSION &&
             head.metis_bits == p->metis_bits && head.nodes == p->nodes && head.clusters == p->clusters &&
             head.data == data;
    }
    if (ok)
        memcpy(p->of, job.file.p + sizeof head, (size_t)p->nodes * sizeof *p->of);
    for (int i = 0; ok && i < p->nodes; i++)
        ok = p->of[i] >= 0 && p->of[i] < p->clusters;
    arena_free(&tmp);
    partition_sign(p);
    return ok && p->hash == head.hash;
}

static void cache_write(const char *path, const partition *p, uint64_t data)
{
    arena tmp = {0};
    size_t size = sizeof(partition_head) + (size_t)p->nodes * sizeof(int32_t);
    unsigned char *out = NEW(&tmp, unsigned char, size);
    partition_head head = {.version = PARTITION_VERSION,
                           .nodes = p->nodes,
                           .clusters = p->clusters,
                           .metis_bits = p->metis_bits,
                           .data = data,
                           .hash = p->hash};
    memcpy(head.magic, partition_magic, sizeof partition_magic);
    memcpy(out, &head, sizeof head);
    memcpy(out + sizeof head, p->of, (size_t)p->nodes * sizeof *p->of);
    cache_job job = {.a = &tmp, .path = path, .file = {out, size, path}};
    const char *why = err_try(cache_store, &job);
    if (why)
        warn("%s: the partition will be computed again next time", why);
    arena_free(&tmp);
}

static const char *const known[] = {
    [PARTITION_METIS] = "metis",
    [PARTITION_METIS32] = "metis32",
    [PARTITION_KMEANS] = "kmeans",
    [PARTITION_RANDOM] = "random",
};

partition_rule partition_rule_read(const char *given)
{
    partition_rule r = {.text = given, .kind = PARTITION_FILE};
    size_t n = strcspn(given, ":");
    int ok = 0;
    if (!strncmp(given, "file:", 5))
        return r;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strlen(known[k]) == n && !strncmp(given, known[k], n))
            r.kind = (enum partition_kind)k, ok = 1;
    if (ok && given[n]) {
        char *end;
        long seed = strtol(given + n + 1, &end, 10);
        ok = !*end && seed >= 1 && seed <= INT_MAX;
        r.seed = (int)seed;
    }
    if (!ok)
        die("partition method '%s': want metis, metis32, kmeans or random, each also as NAME:SEED with a seed of 1 or "
            "more, or file:PATH",
            given);
    return r;
}

static partition from_file(arena *a, const char *path, int clusters, const partition_input *in)
{
    partition p = partition_read(a, path, in->graph->rows);
    if (p.clusters > clusters)
        die("%s: cluster ids go up to %d: give --clusters %d", path, p.clusters - 1, p.clusters);
    p.clusters = clusters;
    if (in->row) {
        int *of = NEW(a, int, (size_t)p.nodes);
        for (int i = 0; i < p.nodes; i++)
            of[in->row[i]] = p.of[i];
        p.of = of;
    }
    partition_sign(&p);
    return p;
}

partition partition_get(arena *a, const char *cache, partition_rule r, int clusters, const partition_input *in)
{
    int nodes = in->graph->rows;
    partition_check(r.text, clusters, nodes);
    if (r.kind == PARTITION_FILE)
        return from_file(a, r.text + strlen("file:"), clusters, in);
    int metis = r.kind == PARTITION_METIS || r.kind == PARTITION_METIS32, kmeans = r.kind == PARTITION_KMEANS;
    int points = in->xs && in->xs->rows ? in->xs->rows : in->xd ? in->xd->rows : 0;
    if (kmeans && points != nodes)
        die("kmeans: %d rows of features for %d nodes", points, nodes);
    int bits = !metis ? 0 : metis_bits(r.kind == PARTITION_METIS32 ? 32 : 64);
    const char *path = NULL;
    if (cache && *cache) {
        path =
            arena_printf(a, "%s/%016" PRIx64 "-%s-%d-%d.part", cache, in->data_hash, known[r.kind], clusters, r.seed);
        partition p = {.nodes = nodes, .clusters = clusters, .metis_bits = bits, .of = NEW(a, int, (size_t)nodes)};
        if (cache_read(&p, path, in->data_hash))
            return p;
    }
    partition p = metis    ? partition_metis(a, in->graph, clusters, bits, r.seed)
                  : kmeans ? partition_kmeans(a, in->xs, in->xd, clusters, KMEANS_RESTARTS, (uint64_t)r.seed)
                           : partition_random(a, nodes, clusters, (uint64_t)r.seed);
    if (path)
        cache_write(path, &p, in->data_hash);
    return p;
}

void partition_write(const char *path, const partition *p)
{
    arena tmp = {0};
    char *lines = NEW(&tmp, char, (size_t)p->nodes * 12 + 1), *end = lines; /* an int and its newline fit in 12 */
    for (int i = 0; i < p->nodes; i++)
        end += sprintf(end, "%d\n", p->of[i]);
    file_write(path, lines, (size_t)(end - lines));
    arena_free(&tmp);
}

partition partition_read(arena *a, const char *path, int nodes)
{
    if (nodes < 1)
        die("%s: a partition of %d nodes", path, nodes);
    text t = text_open(file_read(a, path, 0));
    if (text_lines(&t) != nodes)
        die("%s: %lld lines for the graph's %d nodes: one cluster id on each", path, (long long)text_lines(&t), nodes);
    partition p = {.nodes = nodes, .of = NEW(a, int, (size_t)nodes)};
    for (int i = 0; i < nodes; i++) {
        p.of[i] = (int)text_int(&t, "a cluster id", 0, nodes - 1);
        p.clusters = p.of[i] >= p.clusters ? p.of[i] + 1 : p.clusters;
        text_eol(&t);
    }
    partition_sign(&p);
    return p;
}
