/* metis: clusters by METIS, with the random numbers of a 64-bit or of a 32-bit build.
 *
 *   min over of of |{(u, v) in E : of(u) != of(v)}|  subject to  |cluster| <= (1 + 0.03) n / M
 *
 * METIS draws from rand(), which it seeds itself (4321 by default): its answer depends neither on the calls before it
 * nor on srand(). A number below max is  rand() % max  in a build with 32-bit ids and  (rand() << 32 | rand()) % max,
 * the first call being the high half, in one with 64-bit ids; nothing else differs between the two. The paper's
 * clusters (PyG's METIS) are of a 64-bit build, the libraries of most distributions have 32-bit ids.
 *
 * Both functions below bear the names that METIS gives its own: defined in the program, they take the place of those in
 * a shared library. They are weak, so that a static METIS, which cannot be overridden, still links. Whether METIS calls
 * them is found out with a probe. */
#include "../base/err.h"
#include "../base/memory.h"
#include "partition.h"
#include <inttypes.h>
#include <metis.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* METIS and rand() have global state */
static int draw_bits = IDXTYPEWIDTH;                     /* which kind of numbers the replacement gives */
static int drawn;                                        /* set when METIS draws through the replacement */

/* The names are METIS's; there is no header that declares them. */
idx_t libmetis__irand(void);
idx_t libmetis__irandInRange(idx_t max);

static uint64_t draw(void)
{
    drawn = 1;
    uint64_t high = draw_bits == 64 ? (uint64_t)rand() : 0;
    return high << 32 | (uint64_t)rand();
}

__attribute__((weak)) idx_t libmetis__irand(void) { return (idx_t)draw(); }
__attribute__((weak)) idx_t libmetis__irandInRange(idx_t max) { return (idx_t)(draw() % (uint64_t)max); }

/* The graph for METIS: its own type of ids, no loops. The columns are shared with the graph when nothing has to be
 * changed. */
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

/* Returns METIS's error code; *replaced: whether it drew through us. */
static int kway(idx_t *of, int *replaced, idx_t nodes, idx_t clusters, idx_t *ptr, idx_t *idx, int bits, int seed)
{
    idx_t constraints = 1, cut, options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    if (seed)
        options[METIS_OPTION_SEED] = seed;
    pthread_mutex_lock(&lock);
    draw_bits = bits;
    drawn = 0;
    int rc =
        METIS_PartGraphKway(&nodes, &constraints, ptr, idx, NULL, NULL, NULL, &clusters, NULL, NULL, options, &cut, of);
    *replaced = drawn;
    pthread_mutex_unlock(&lock);
    return rc;
}

/* Whether METIS draws through the functions above: it does draw for a ring of 64 nodes in two parts. */
static int probe(int *rc)
{
    enum { NODES = 64 };
    idx_t ptr[NODES + 1], idx[2 * NODES], of[NODES];
    int replaced = 0;
    for (int i = 0; i < NODES; i++) {
        ptr[i] = 2 * i;
        idx[2 * i] = (i + NODES - 1) % NODES;
        idx[2 * i + 1] = (i + 1) % NODES;
    }
    ptr[NODES] = 2 * NODES;
    *rc = kway(of, &replaced, NODES, 2, ptr, idx, IDXTYPEWIDTH, 0);
    return replaced;
}

static pthread_once_t probed = PTHREAD_ONCE_INIT;
static int replaces, probe_error;
static void probe_once(void) { replaces = probe(&probe_error); }

int metis_bits(int bits)
{
    static int warned;
    pthread_once(&probed, probe_once);
    if (probe_error != METIS_OK) /* says nothing about its random numbers */
        die("metis: error %d on a ring of nodes%s", probe_error,
            probe_error == METIS_ERROR_MEMORY ? ": out of memory" : "");
    if (replaces || bits == IDXTYPEWIDTH)
        return bits;
    if (!__atomic_exchange_n(&warned, 1, __ATOMIC_RELAXED))
        warn("this METIS keeps its own random numbers (of %d-bit ids; static library?): clusters differ from those of "
             "a %d-bit METIS%s",
             IDXTYPEWIDTH, bits, bits == 64 ? ", which the paper used" : "");
    return IDXTYPEWIDTH;
}

/* METIS keeps the graphs of all levels of coarsening at once, 8 bytes an entry each; the coarser ones lose nodes sooner
 * than links. Its peak was 41 to 61 bytes an entry of the graph on four large graphs in 50 to 6000 parts. */
static void check_memory(const csr *graph, int clusters)
{
    enum { ENTRY_BYTES = 60 };
    double need = ENTRY_BYTES * (double)csr_nnz(graph);
    double available = memory_is_set() ? memory_limit() : memory_available();
    if (need > available)
        die("metis: %d nodes and %" PRId64 " links in %d parts take about %.1f GiB, %s %.1f: raise --memory, or give "
            "clusters of your own (--partition file:PATH)",
            graph->rows, csr_nnz(graph) / 2, clusters, need / (1 << 30),
            memory_is_set() ? "the limit is" : "available are", available / (1 << 30));
}

partition partition_metis(arena *a, const csr *graph, int clusters, int bits, int seed)
{
    partition_check("metis", clusters, graph->rows);
    check_memory(graph, clusters);
    if (csr_nnz(graph) > (int64_t)IDX_MAX)
        die("metis: %" PRId64 " links are more than its %d-bit indices can count", csr_nnz(graph), IDXTYPEWIDTH);
    partition p = {
        .nodes = graph->rows, .clusters = clusters, .metis_bits = bits, .of = NEW(a, int, (size_t)graph->rows)};
    arena tmp = {0};
    idx_t *ptr, *idx, *of = NEW(&tmp, idx_t, (size_t)p.nodes);
    metis_graph(&tmp, &ptr, &idx, graph);
    /* METIS 5.1 divides by the logarithm of M = 1, and complains on stdout when M is close to n. Without links there is
     * nothing to cut. In these cases the parts are runs of consecutive nodes. */
    int replaced, rc = METIS_OK;
    if (clusters == 1 || clusters > p.nodes / 2 || ptr[p.nodes] == 0)
        for (int i = 0; i < p.nodes; i++)
            of[i] = (idx_t)((int64_t)i * clusters / p.nodes);
    else
        rc = kway(of, &replaced, p.nodes, clusters, ptr, idx, bits, seed);
    for (int i = 0; i < p.nodes && rc == METIS_OK; i++)
        p.of[i] = (int)of[i];
    arena_free(&tmp);
    if (rc != METIS_OK)
        die("metis: error %d on %d nodes in %d clusters%s", rc, p.nodes, clusters,
            rc == METIS_ERROR_MEMORY ? ": out of memory" : "");
    partition_sign(&p);
    return p;
}
