#include "metattack.h"
#include "../base/err.h"
#include "../base/tsv.h"
#include "figure_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const networks[METATTACK_NETWORKS][2] = {{"gcn", "ce"}, {"gcn", "jc"}, {"sgc", "ce"},
                                                            {"sgc", "jc"}, {"gat", "ce"}, {"gat", "jc"}};

typedef struct fingerprint {
    arena *a;
    const char *path;
    metattack_graph *g;
} fingerprint;

static void read_fingerprint(void *arg)
{
    fingerprint *f = arg;
    tsv t = tsv_read(f->a, f->path);
    if (t.rows != 1)
        die("%s: %d rows", f->path, t.rows);
    double v[] = {tsv_number(&t, 0, "added"), tsv_number(&t, 0, "deleted"), tsv_number(&t, 0, "added_homophily"),
                  tsv_number(&t, 0, "added_touch_training")};
    for (int k = 0; k < 4; k++)
        if (!isfinite(v[k]))
            die("%s: a number is missing", f->path);
    f->g->added = v[0], f->g->deleted = v[1], f->g->same = v[2], f->g->touch = v[3];
}

static void add_cell(metattack_graph *g, arena *a, const table_cell *c, const char *curves)
{
    for (int k = 0; k < METATTACK_NETWORKS; k++)
        if (!strcmp(c->paper->model, networks[k][0]) && !strcmp(c->paper->loss, networks[k][1]))
            g->n[k] = c->n, g->mean[k] = c->mean;
    for (int i = 0; i < c->n && isnan(g->added); i++) {
        char key[17];
        fingerprint f = {a, arena_printf(a, "%s/metattack/%s.tsv", curves, run_key_text(key, c->run[i]->key)), g};
        err_try(read_fingerprint, &f);
    }
}

static int by_graph(const void *x, const void *y)
{
    const metattack_graph *a = x, *b = y;
    const paper_cell p = {.dataset = a->dataset}, q = {.dataset = b->dataset};
    int order = table_order(&p, &q, "dataset");
    order = order ? order : a->rate - b->rate;
    int published = !strcmp(b->graph, "published") - !strcmp(a->graph, "published");
    order = order ? order : published;
    return order ? order : strcmp(a->graph, b->graph);
}

metattack_graph *metattack_read(arena *a, const records *r, const char *curves, int *n)
{
    const figure_source in = {.a = a, .runs = *r};
    static const figure_def def = {.name = "metattack", .experiment = "metattack"};
    int cells, length;
    const table_cell *c = figure_found(&in, &def, "acc", &cells);
    metattack_graph *g = NEW(a, metattack_graph, (size_t)cells + 1);
    *n = 0;
    for (int i = 0; i < cells; i++) {
        const char *rate = paper_value(c[i].paper, "ptb", &length), *name = paper_value(c[i].paper, "graph", &length);
        if (!rate || !name || !c[i].n)
            continue;
        metattack_graph next = {.dataset = c[i].paper->dataset,
                                .graph = arena_printf(a, "%.*s", length, name),
                                .origin = c[i].origin,
                                .rate = atoi(rate),
                                .added = NAN,
                                .deleted = NAN,
                                .same = NAN,
                                .touch = NAN};
        int k = 0;
        while (k < *n &&
               (strcmp(g[k].dataset, next.dataset) || strcmp(g[k].graph, next.graph) || g[k].rate != next.rate))
            k++;
        for (int j = 0; j < METATTACK_NETWORKS; j++)
            next.mean[j] = NAN;
        if (k == *n)
            g[(*n)++] = next;
        add_cell(&g[k], a, &c[i], curves);
    }
    qsort(g, (size_t)*n, sizeof *g, by_graph);
    return g;
}

void metattack_tsv(buf *out, const metattack_graph *g, int n)
{
    buf_put(out, "dataset\trate\tgraph\torigin\tadded\tdeleted\tadded_homophily\tadded_touch_training");
    for (int k = 0; k < METATTACK_NETWORKS; k++)
        buf_add(out, "\t%s_%s\t%s_%s_n", networks[k][0], networks[k][1], networks[k][0], networks[k][1]);
    for (int i = 0; i < n; i++) {
        buf_add(out, "\n%s\t%d\t%s\t%s\t%.6g\t%.6g\t%.6g\t%.6g", g[i].dataset, g[i].rate, g[i].graph,
                origin_word(g[i].origin), g[i].added, g[i].deleted, g[i].same, g[i].touch);
        for (int k = 0; k < METATTACK_NETWORKS; k++)
            buf_add(out, "\t%.6g\t%d", g[i].mean[k], g[i].n[k]);
    }
    buf_put(out, "\n");
}
