#include "variant.h"
#include "../../base/clock.h"
#include "../../base/err.h"
#include "../../base/file.h"
#include "../../base/hash.h"
#include "../cache.h"
#include "../catalog.h"
#include "../read/prognn.h"
#include "../split.h"
#include "edit.h"
#include "flip_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- comparison of graphs --- */

variant_change variant_compare(const csr *before, const csr *after, const int *y, const split *part)
{
    arena tmp = {0};
    variant_change c = {0};
    unsigned char *trains = NEW(&tmp, unsigned char, (size_t)before->rows);
    for (int k = 0; k < part->n[TRAIN]; k++)
        trains[part->idx[TRAIN][k]] = 1;
    for (int u = 0; u < before->rows; u++) {
        int64_t i = before->ptr[u], j = after->ptr[u], to = before->ptr[u + 1], end = after->ptr[u + 1];
        while (i < to || j < end) {
            int p = i < to ? before->idx[i] : after->cols, q = j < end ? after->idx[j] : after->cols, v = p < q ? p : q;
            if (u < v && q < p) {
                c.added++;
                c.same += y && y[u] >= 0 && y[u] == y[v];
                c.touch += trains[u] || trains[v];
            } else if (u < v && p < q) {
                c.removed++;
            }
            i += p <= q;
            j += q <= p;
        }
    }
    arena_free(&tmp);
    return c;
}

/* --- finding flips --- */

typedef struct watched {
    flip_file file;
    progress show;
    const char *what;
    int64_t first; /* steps of an earlier start */
} watched;

static void found(void *arg, const flip *f, int64_t n) { flip_file_add(&((watched *)arg)->file, f, n); }

static void step(void *arg, int64_t done, int64_t total, double loss, double accuracy)
{
    watched *r = arg;
    char what[160];
    if (r->first < 0)
        r->first = done - 1;
    double left = (clock_now() - r->show.start) / (double)(done - r->first) * (double)(total - done);
    int used = snprintf(what, sizeof what, "%s", r->what);
    if (loss == loss && used < (int)sizeof what)
        snprintf(what + used, sizeof what - (size_t)used, "  attack loss %.4f  surrogate %.2f %% right", loss,
                 100 * accuracy);
    progress_show(&r->show, (long)done, (long)total, left, what);
}

static const char complete[] = "complete";

static int is_complete(arena *a, const char *path)
{
    bytes b = file_read(a, path, 0);
    const char *line = arena_printf(a, "\n# %s\n", complete);
    size_t n = strlen(line);
    return b.n >= n && !memcmp(b.p + b.n - n, line, n);
}

typedef struct search {
    arena *a;
    const attack_target *t;
    const attack_spec *s;
    const attack_watch *w;
    flip *out;
    int64_t n;
} search;

static void run_search(void *arg)
{
    search *q = arg;
    q->out = attack_run(q->a, &q->n, q->t, q->s, q->w);
}

flip *variant_flips(arena *a, int64_t *n, int64_t *nknown, const dataset *d, const attack_target *t,
                    const attack_spec *s, const variant_file *to)
{
    watched r = {.first = -1,
                 .what =
                     arena_printf(a, "%s %s:%g:%llu", d->name, s->method->name, s->rate, (unsigned long long)s->seed)};
    int64_t budget = attack_budget(t, s);
    attack_watch w = {&r, found, step, NULL, 0};
    flip *known;
    r.file = flip_file_open(a, &known, &w.nknown, to->path, to->header, d, to->wait);
    *nknown = w.nknown;
    int whole = to->mark && is_complete(a, to->path);
    if (whole || (to->prefix && w.nknown >= budget)) {
        flip_file_close(&r.file);
        *n = whole ? w.nknown : budget;
        return known;
    }
    w.known = known;
    progress_start(&r.show, to->quiet);
    r.show.unit = "steps";
    search q = {a, t, s, &w, NULL, 0};
    const char *why = err_try(run_search, &q);
    why = why ? arena_printf(a, "%s", why) : NULL;
    progress_clear(&r.show);
    if (!why && to->mark)
        flip_file_note(&r.file, complete);
    flip_file_close(&r.file);            /* releases the lock, for which another process may be waiting */
    if (why && r.first < 0 && !w.nknown) /* refused before its first step */
        unlink(to->path);
    if (why)
        die("%s", why);
    *n = q.n;
    return q.out;
}

split variant_split(arena *a, const data_dirs *dirs, const dataset *d, uint64_t seed)
{
    if (!d->y)
        die("%s: its nodes have several labels; attacks need one class a node", d->name);
    return split_draw(a, d, split_auto(d, &dirs->catalog), seed, 0);
}

/* Random flips are cheap and drawn again; others are stored. */
static int is_drawn(const attack_spec *s) { return s->method->run == draw_random || s->method->run == draw_dice; }

static int is_nested(const attack_spec *s) { return s->method->run == meta_run; }

/* A flip of metattack costs a pass over all pairs and the inner training. */
static double seconds(const attack_spec *s, double nodes, double links, double features)
{
    if (is_drawn(s))
        return 0;
    return is_nested(s) ? s->rate * links * (2.5e-9 * nodes * nodes + 1e-8 * nodes * features) : 60 + 1e-4 * links;
}

double variant_cost(variant_rule r, double nodes, double links, double features)
{
    return r.kind == VARIANT_FOUND && !r.per_run ? seconds(&r.s, nodes, links, features) : 0;
}

static flip *find(arena *a, int64_t *n, const data_dirs *dirs, const dataset *d, const split *part,
                  const attack_spec *s, int scale_rows)
{
    int rows = s->norm == ATTACK_NORM_VICTIM ? scale_rows : s->norm == ATTACK_NORM_ROW;
    attack_target t = attack_target_of(a, d, part, rows);
    if (is_drawn(s) || !*dirs->cache || !cache_usable(dirs->cache))
        return attack_run(a, n, &t, s, NULL);
    const char *which = arena_printf(a, "%s-%llu-%s-%s", s->method->name, (unsigned long long)s->seed,
                                     attack_init_name[s->init], rows ? "row" : "none");
    if (s->steps)
        which = arena_printf(a, "%s-steps%d", which, s->steps);
    if (!is_nested(s))
        which = arena_printf(a, "%s-%.10g", which, s->rate);
    variant_file f = {
        .path = arena_printf(a, "%s/attack/%016llx-%s.flips", dirs->cache, (unsigned long long)d->hash, which),
        .header = arena_printf(a, "# jcb attack kept %s data=%016llx", which, (unsigned long long)d->hash),
        .wait = 1,
        .quiet = !isatty(STDERR_FILENO),
        .prefix = is_nested(s),
        .mark = !is_nested(s)};
    int64_t known, budget = attack_budget(&t, s);
    if (!f.quiet && !file_exists(f.path) && seconds(s, t.nodes, (double)csr_nnz(&t.graph) / 2, t.features) > 5)
        fprintf(stderr, "%s: looking for %lld flips by %s, once; kept in %s\n", d->name, (long long)budget,
                s->method->name, f.path);
    flip *out = variant_flips(a, n, &known, d, &t, s, &f);
    if (is_nested(s) && *n < budget)
        die("%s: %lld flips, expected %lld; remove it", f.path, (long long)*n, (long long)budget);
    return out;
}

/* --- the graphs --- */

static csr published_graph(arena *a, const data_dirs *dirs, const dataset *d, double share)
{
    const char *rate = arena_printf(a, "%g", share);
    size_t n = strlen(d->name);
    int stem = (int)(n > 4 && !strcmp(d->name + n - 4, "-lcc") ? n - 4 : 0);
    const char *path = arena_printf(a, "%s/prognn/meta/%.*s_meta_adj_%s.npz", dirs->raw, stem, d->name, rate);
    if (!stem)
        die("attack=meta:%s: no poisoned graph of %s is published, only of cora-lcc, citeseer-lcc, polblogs-lcc, "
            "pubmed-lcc; metaself:%s makes one",
            rate, d->name, rate);
    if (!file_exists(path))
        die("attack=meta:%s: %s is missing; the published rates are 0.05 0.1 0.15 0.2 0.25, `data/fetch.sh %s` gets "
            "them",
            rate, path, d->name);
    arena tmp = {0};
    draft f = {0};
    load_prognn_graph(&tmp, &f, path, d->nodes);
    csr g = csr_from_pairs(a, d->nodes, d->nodes, f.eu, f.ev, f.nedges, 1, 0);
    arena_free(&tmp);
    return g;
}

static csr make_graph(arena *a, const data_dirs *dirs, const dataset *d, variant_rule r, int scale_rows)
{
    int64_t n = 0;
    flip *f;
    if (r.kind == VARIANT_PUBLISHED && d->origin != ORIGIN_TWIN)
        return published_graph(a, dirs, d, r.s.rate);
    if (r.kind == VARIANT_PUBLISHED) {
        r.s = attack_parse(arena_printf(a, "dice:%g", r.s.rate));
        warn("%s: a twin has no published poisoned graph: using dice:%g", d->name, r.s.rate);
        r.kind = VARIANT_FOUND;
    }
    if (r.kind == VARIANT_FILE) {
        f = flip_file_read(a, &n, r.path, d, 0, NULL);
    } else {
        split part = variant_split(a, dirs, d, r.s.seed);
        f = find(a, &n, dirs, d, &part, &r.s, scale_rows);
    }
    return attack_apply(a, &d->graph, f, n);
}

dataset *variant_open(arena *a, const data_dirs *dirs, const char *name, variant_rule r, int scale_rows,
                      variant_change *change)
{
    dataset *d = dataset_open(a, dirs, name);
    *change = (variant_change){0};
    if (r.kind == VARIANT_NONE || r.per_run)
        return d;
    dataset *out = NEW(a, dataset, 1);
    *out = *d;
    out->graph = make_graph(a, dirs, d, r, scale_rows);
    out->hash = hash_bytes(out->hash, out->graph.ptr, ((size_t)out->graph.rows + 1) * sizeof *out->graph.ptr);
    out->hash = hash_bytes(out->hash, out->graph.idx, (size_t)csr_nnz(&out->graph) * sizeof *out->graph.idx);
    split part = d->y ? variant_split(a, dirs, d, 1) : (split){0};
    *change = variant_compare(&d->graph, &out->graph, d->y, &part);
    return out;
}
