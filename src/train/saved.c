/* Layout: "jcbench model 3\n", one "key=value\n" line per hyper-parameter, then "run=", "seed=", "data_hash=",
 * "part_hash=", "labels=multi" (of multi-label data), "features=", "classes=", "size=", "real=" and "hash=" (of
 * everything before that line, and the parameters), an empty line, and the parameters. */
#include "saved.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/hash.h"
#include "../net/loss/loss.h"
#include "inductive.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "jcbench model 3\n";
static const char magic2[] = "jcbench model 2\n"; /* its hash is that of the parameters alone */
static const char magic1[] = "jcbench model 1\n"; /* without part_hash; its `metis` is what is called metis32 now */

void saved_write(const char *path, const trainer *t)
{
    size_t body = t->m->size * sizeof(real), capacity = 65536 + body, n = 0;
    arena a = {0};
    spec s = t->c.s;
    s.attack = variant_of_run(&a, s.attack, t->run);
    char *out = arena_alloc(&a, capacity, 1), buf[32];
    n += (size_t)sprintf(out, "%s", magic);
    for (int k = 0; k < SPEC_COUNT; k++)
        n += (size_t)snprintf(out + n, 4096, "%s=%s\n", spec_name[k], spec_get(&s, k, buf));
    const partition *q = problem_partition(t->p, &t->c);
    if (t->m->multi)
        n += (size_t)sprintf(out + n, "labels=multi\n");
    n += (size_t)sprintf(out + n, "part_hash=%016llx\n", (unsigned long long)(q ? q->hash : 0));
    n += (size_t)sprintf(out + n, "run=%d\nseed=%llu\ndata_hash=%016llx\nfeatures=%d\nclasses=%d\nsize=%zu\nreal=%s\n",
                         t->run, (unsigned long long)t->seed, (unsigned long long)problem_dataset(t->p)->hash,
                         t->m->features, t->m->classes, t->m->size, REAL_NAME);
    n += (size_t)sprintf(out + n, "hash=%016llx\n\n",
                         (unsigned long long)hash_bytes(hash_bytes(HASH_INIT, out, n), t->chosen[0].w, body));
    memcpy(out + n, t->chosen[0].w, body);
    file_write(path, out, n + body);
    arena_free(&a);
}

static int whole(const char *path, const char *key, const char *value, int max)
{
    char *end;
    long x = strtol(value, &end, 10);
    if (end == value || *end || x < 0 || x > max)
        die("%s: %s is '%s', not a number from 0 to %d: damaged file", path, key, value, max);
    return (int)x;
}

static void saved_line(saved *s, uint64_t *hash, const char *path, const char *key, const char *value)
{
    if (!strcmp(key, "run"))
        s->run = whole(path, key, value, INT_MAX);
    else if (!strcmp(key, "seed"))
        s->seed = strtoull(value, NULL, 10);
    else if (!strcmp(key, "data_hash"))
        s->data_hash = strtoull(value, NULL, 16);
    else if (!strcmp(key, "part_hash"))
        s->part_hash = strtoull(value, NULL, 16);
    else if (!strcmp(key, "features"))
        s->features = whole(path, key, value, 1 << 24);
    else if (!strcmp(key, "labels"))
        s->multi = !strcmp(value, "multi");
    else if (!strcmp(key, "classes"))
        s->classes = whole(path, key, value, 1 << 16);
    else if (!strcmp(key, "size"))
        s->size = strtoull(value, NULL, 10);
    else if (!strcmp(key, "hash"))
        *hash = strtoull(value, NULL, 16);
    else if (strcmp(key, "real"))
        spec_set(&s->s, key, value);
    else if (strcmp(value, REAL_NAME))
        die("%s: parameters are %s, this program uses %s", path, value, REAL_NAME);
}

saved saved_read(arena *a, const char *path)
{
    bytes b = file_read(a, path, 0);
    char *p = (char *)b.p, *end = p + b.n;
    int first = b.n > sizeof magic1 && !memcmp(p, magic1, sizeof magic1 - 1);
    int second = b.n > sizeof magic2 && !memcmp(p, magic2, sizeof magic2 - 1);
    if (b.n < sizeof magic || (memcmp(p, magic, sizeof magic - 1) && !first && !second))
        die("%s: not a model saved by this version of jcb train --save", path);
    p += sizeof magic - 1;
    saved s = {.s = spec_default()};
    uint64_t hash = 0, have = HASH_INIT;
    const char *line = strstr(p, "\nhash="); /* the file ends with a NUL, see file_read */
    if (!first && !second && line)
        have = hash_bytes(have, b.p, (size_t)(line + 1 - (const char *)b.p));
    while (p < end && *p != '\n') {
        char *nl = memchr(p, '\n', (size_t)(end - p)), *eq = nl ? memchr(p, '=', (size_t)(nl - p)) : NULL;
        if (!eq)
            die("%s: damaged header at byte %zu", path, (size_t)(p - (char *)b.p));
        *nl = *eq = 0;
        saved_line(&s, &hash, path, p, eq + 1);
        p = nl + 1;
    }
    p++;
    if (p > end || s.size > b.n || (size_t)(end - p) != s.size * sizeof(real))
        die("%s: %zu bytes of parameters, the header says %zu: truncated?", path, p > end ? 0 : (size_t)(end - p),
            s.size * sizeof(real));
    s.w = NEW(a, real, s.size);
    memcpy(s.w, p, s.size * sizeof(real));
    if (hash_bytes(have, s.w, s.size * sizeof(real)) != hash)
        die("%s: header or parameters do not match their hash: damaged file", path);
    if (s.classes < 1)
        die("%s: a model of %d classes: damaged file", path, s.classes);
    if (first && s.s.partition.kind == PARTITION_METIS)
        s.s.partition = partition_rule_read(arena_printf(a, "metis32%s", s.s.partition.text + strlen("metis")));
    spec_check(&s.s);
    if (loss_smoothed(s.s.loss)) /* saved by a version that did not refuse it */
        die("%s: loss %s: a saved model has the network only, not Correct & Smooth, which reads labels of its graph",
            path, s.s.loss);
    return s;
}

mat saved_predict(arena *a, const saved *s, const cell *c, const problem *p)
{
    const dataset *d = problem_dataset(p);
    if (d->features != s->features)
        die("%s has %d features, the model was trained on %d", d->name, d->features, s->features);
    model *m = NEW(a, model, 1);
    if (!s->multi != !d->ym)
        die("%s has %s, the model was trained on nodes with %s", d->name,
            d->ym ? "several labels a node" : "one label a node", s->multi ? "several" : "one");
    split part = {0};
    int same = d->hash == s->data_hash; /* then rounding is that of the run: its split chooses the order of products */
    if (same)
        part = split_draw(a, d, problem_split_rule(p, c->s.split), s->seed, s->run);
    problem_model(m, p, c, same ? &part : NULL);
    m->classes = s->classes;
    if (d->classes != s->classes) { /* another graph may lack some classes: build for the model's */
        dataset other = *d;
        other.classes = s->classes;
        problem_model(m, problem_view(a, p, &other), c, NULL);
    }
    if (m->size != s->size)
        die("%s: the model has %zu parameters, this data needs %zu (sparse or dense features?)", d->name, s->size,
            m->size);
    net *n = NEW(a, net, 1);
    *n = (net){.m = m, .w = s->w};
    node_data *data = NEW(a, node_data, 1);
    *data = problem_data(p, c);
    int *all = NEW(a, int, (size_t)d->nodes), *mean = all, nmean = d->nodes;
    for (int i = 0; i < d->nodes; i++)
        all[i] = i;
    if (c->s.inductive && !same)
        die("%s is not the data that the model was trained on: inductive=1 standardises features by its training "
            "nodes, which the model does not keep",
            d->name);
    const partition *clusters = problem_partition(p, c);
    if (c->objective->learns_clusters && (!same || (clusters && clusters->hash != s->part_hash)))
        die("%s: loss %s has learned numbers for each cluster of its graph, and the clusters here are others", d->name,
            c->s.loss);
    if (same) {
        if (c->s.inductive)
            inductive_features(a, data, &part);
        char *in = NEW(a, char, (size_t)d->nodes);
        for (int k = TRAIN; k <= (problem_batch_clusters(&c->s) ? TRAIN : VAL); k++)
            for (int i = 0; i < part.n[k]; i++)
                in[part.idx[k][i]] = 1;
        mean = NEW(a, int, (size_t)d->nodes);
        nmean = 0;
        for (int i = 0; i < d->nodes; i++)
            if (in[i])
                mean[nmean++] = i;
    }
    predictor_input in = {.p = p, .c = c, .m = m, .n = n, .data = data, .policy = POLICY_ALL};
    in.rows = all, in.nrows = d->nodes, in.mean = mean, in.nmean = nmean, in.taken = (double)a->live;
    predictor *q = predictor_new(a, &in);
    predictor_run(q);
    predictor_free(q);
    return q->prob;
}
