#include "sampler.h"
#include "../base/err.h"
#include "../net/ops.h"
#include "maker.h"
#include <omp.h>
#include <pthread.h>

enum { OVERLAP_FROM = 50000 }; /* nodes from which a helper thread pays */

struct sampler {
    maker m[2];
    int now; /* the one whose batch is in use */
    int overlap;
    int running, epoch, k; /* the helper is at this batch */
    int failed;
    pthread_t thread;
};

int sampler_draw(int *out, int n, int k, rng r, const uint32_t draw[3])
{
    uint32_t u[4];
    if (k >= n) {
        for (int i = 0; i < n; i++)
            out[i] = i;
        return n;
    }
    for (int i = 0; i < k; i++) {
        int last = n - k + i, at = i;
        if (i % 4 == 0)
            rng_block(u, r, (uint32_t)i / 4, draw[0], draw[1], draw[2]);
        int x = (int)((uint64_t)u[i % 4] * (uint64_t)(last + 1) >> 32);
        for (int q = 0; q < i && x != last; q++)
            x = out[q] == x ? last : x;         /* drawn before: take `last`, which no earlier draw could be (Floyd) */
        for (; at > 0 && out[at - 1] > x; at--) /* kept ascending */
            out[at] = out[at - 1];
        out[at] = x;
    }
    return k;
}

/* The nodes of cluster m at node[first[m]] .. node[first[m + 1] - 1]. */
static void list_clusters(arena *a, int **first, int **node, const partition *p)
{
    int *at = NEW(a, int, (size_t)p->clusters + 2) + 1; /* filling moves each start to that of the next cluster */
    *first = at - 1, *node = NEW(a, int, (size_t)p->nodes);
    for (int i = 0; i < p->nodes; i++)
        at[p->of[i] + 1]++;
    for (int m = 0; m < p->clusters; m++)
        at[m + 1] += at[m];
    for (int i = 0; i < p->nodes; i++)
        (*node)[at[p->of[i]]++] = i;
}

sampler *sampler_new(arena *a, const batch_rule *rule, const problem *p, const node_data *data, const csr *graph,
                     const model *m, int hops, const split *part, uint64_t seed, int run)
{
    sampler *all = NEW(a, sampler, 1);
    if (rule->kind == BATCH_ROWS && hops)
        die("batches of rows are for networks that read no graph (mlp, sgc, sign); this one reads %d hop%s: use "
            "neighbour:B:f1,... or cluster:P:q",
            hops, hops > 1 ? "s" : "");
    if (hops > BATCH_HOPS)
        die("the network reads %d hops of the graph; batches have at most %d: use cluster:P:q", hops, BATCH_HOPS);
    unsigned char *is_train = NEW(a, unsigned char, (size_t)data->nodes);
    for (int i = 0; i < part->n[TRAIN]; i++)
        is_train[part->idx[TRAIN][i]] = 1;
    int *first = NULL, *node = NULL;
    if (rule->kind == BATCH_CLUSTER)
        list_clusters(a, &first, &node, problem_batch_partition(p, rule->clusters));
    all->overlap = data->nodes >= OVERLAP_FROM && omp_get_max_threads() > 1;
    for (maker *s = all->m; s < all->m + 2; s++) {
        *s = (maker){.rule = *rule,
                     .data = data,
                     .graph = graph,
                     .train_only = graph != &problem_dataset(p)->graph,
                     .part = part,
                     .is_train = is_train,
                     .r = rng_make(seed, (uint64_t)run, RNG_BATCH),
                     .hops = hops,
                     .clusters = m->clusters,
                     .deal = data->cluster == NULL};
        s->set = node_set_new(a, data->nodes);
        s->norder = rule->kind == BATCH_CLUSTER ? rule->clusters : part->n[TRAIN];
        s->order = NEW(a, int, (size_t)s->norder);
        s->cluster_first = first, s->cluster_node = node;
        for (int k = 0; k < m->nops; k++) {
            if (m->ops[k].kind->reads_graph)
                s->used[m->ops[k].adj] = 1;
            if (op_reads_features(m->ops + k))
                s->gather[m->ops[k].hops] = 1;
        }
    }
    return all;
}

int sampler_batches(const sampler *s) { return (s->m->norder + s->m->rule.size - 1) / s->m->rule.size; }

/* --- the next batch, by a helper thread --- */

typedef struct task {
    maker *s;
    int epoch, k;
} task;

static void make_task(void *arg)
{
    task *t = arg;
    maker_make(t->s, t->epoch, t->k);
}

/* On an error the thread that asks for the batch makes it again and reports the error. */
static void *help(void *arg)
{
    sampler *s = arg;
    task t = {s->m + !s->now, s->epoch, s->k};
    omp_set_num_threads(1);
    s->failed = err_try(make_task, &t) != NULL;
    return NULL;
}

static void await(sampler *s)
{
    if (s->running)
        pthread_join(s->thread, NULL);
    s->running = 0;
}

const batch *sampler_batch(sampler *s, int epoch, int k)
{
    int ready = s->running && s->epoch == epoch && s->k == k;
    await(s);
    s->now = !s->now;
    maker *m = s->m + s->now;
    if (!ready || s->failed)
        maker_make(m, epoch, k);
    if (s->overlap) {
        int last = k + 1 == sampler_batches(s);
        s->epoch = last ? epoch + 1 : epoch, s->k = last ? 0 : k + 1;
        s->running = pthread_create(&s->thread, NULL, help, s) == 0;
    }
    return m->b.ntarget ? &m->b : NULL;
}

void sampler_overlap(sampler *s, int on)
{
    await(s);
    s->overlap = on;
}

void sampler_seconds(double *sampling, double *gathering, const sampler *s)
{
    *sampling = s->m[0].spent[0] + s->m[1].spent[0];
    *gathering = s->m[0].spent[1] + s->m[1].spent[1];
}

void sampler_free(sampler *s)
{
    await(s);
    arena_free(&s->m[0].a), arena_free(&s->m[1].a);
}
