/* products_graph: small graphs, 20 to 200 nodes, with what users' graphs have: isolated nodes, nodes without label or
 * features, classes of very different sizes, a class without training nodes, several splits or none. */
#include "products.h"
#include "../../src/base/file.h"
#include "../../src/base/tsv.h"
#include "../../src/data/dataset.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int has_link(const graph *g, const unsigned char *adj, int u, int v)
{
    return adj[(size_t)u * (size_t)g->nodes + (size_t)v];
}

static void draw_links(arena *a, graph *g, draw *d)
{
    int n = g->nodes, alone = draw_chance(d, 0.5) ? draw_below(d, n / 4) : 0; /* the first nodes have no link */
    int want = draw_chance(d, 0.04) ? 0 : (n - alone) * (1 + draw_below(d, 4));
    double same = draw_uniform(d);
    unsigned char *adj = NEW(a, unsigned char, (size_t)n *(size_t)n);
    g->u = NEW(a, int, (size_t)want + 1), g->v = NEW(a, int, (size_t)want + 1);
    for (int t = 0; t < 4 * want && g->nlinks < want; t++) {
        int u = alone + draw_below(d, n - alone), v = alone + draw_below(d, n - alone);
        int equal = g->y && g->y[u] == g->y[v];
        if (u >= v || has_link(g, adj, u, v) || (!equal && draw_uniform(d) < same))
            continue;
        adj[(size_t)u * (size_t)n + (size_t)v] = 1;
        g->u[g->nlinks] = u, g->v[g->nlinks++] = v;
    }
}

static void draw_labels(arena *a, graph *g, draw *d)
{
    int n = g->nodes, c = g->classes, skewed = draw_chance(d, 0.3);
    double none = draw_chance(d, 0.3) ? 0.2 : 0;
    if (g->multi) {
        g->ym = NEW(a, unsigned char, (size_t)n *(size_t)c);
        for (int i = 0; i < n; i++)
            for (int q = 0; q < c; q++)
                g->ym[i * c + q] = (unsigned char)draw_chance(d, i % c == q ? 0.8 : 0.2);
        return;
    }
    g->y = NEW(a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        g->y[i] = i < c ? i : draw_chance(d, none) ? -1 : skewed && draw_chance(d, 0.6) ? 0 : draw_below(d, c);
}

static void draw_features(arena *a, graph *g, draw *d)
{
    int negative = draw_chance(d, 0.2), bag = draw_chance(d, 0.5), whole = draw_chance(d, 0.1);
    double share = g->dense ? 1 : 0.05 + 0.3 * draw_uniform(d);
    g->x = NEW(a, float, (size_t)g->nodes *(size_t)g->features + 1);
    for (int i = 0; i < g->nodes; i++)
        for (int j = 0; j < g->features; j++) {
            int own = g->multi ? i % g->classes : g->y[i] < 0 ? 0 : g->y[i];
            if (!draw_chance(d, j % g->classes == own ? share + 0.2 : share) && !(i == 0 && j == g->features - 1))
                continue;
            double x = bag ? 1 : 0.01 + draw_uniform(d) + (j % g->classes == own) - (negative ? 0.7 : 0);
            g->x[i * g->features + j] = (float)(whole ? 1e4 * x : x);
        }
}

static void draw_splits(arena *a, graph *g, draw *d)
{
    int untested = draw_chance(d, 0.05), missing = draw_chance(d, 0.15) ? draw_below(d, g->classes) : -1;
    double train = 0.15 + 0.4 * draw_uniform(d), val = 0.1 + 0.25 * draw_uniform(d);
    g->part = NEW(a, unsigned char, (size_t)g->nsplits *(size_t)g->nodes + 1);
    for (int s = 0; s < g->nsplits; s++)
        for (int i = 0; i < g->nodes; i++) {
            double x = draw_uniform(d);
            int part = x < train ? TRAIN : x < train + val ? VAL : x < 0.97 ? TEST : PARTS;
            part = i == 0 ? TRAIN : i == 1 ? VAL : part; /* no part is empty; the first nodes have labels */
            part = part == TEST && untested ? PARTS : part;
            if (g->y && (g->y[i] < 0 || (g->y[i] == missing && part == TRAIN && i)))
                part = PARTS;
            g->part[s * g->nodes + i] = (unsigned char)part;
        }
}

graph graph_draw(arena *a, draw *d)
{
    graph g = {.nodes = 20 + draw_below(d, draw_chance(d, 0.8) ? 60 : 181),
               .classes = 2 + draw_below(d, draw_chance(d, 0.8) ? 3 : 9),
               .multi = draw_chance(d, 0.15),
               .dense = draw_chance(d, 0.4),
               .nsplits = draw_chance(d, 0.75) ? 1 + draw_below(d, draw_chance(d, 0.7) ? 1 : 4) : 0};
    g.features = draw_chance(d, 0.08) ? 0 : 1 + draw_below(d, 24);
    draw_labels(a, &g, d);
    draw_links(a, &g, d);
    draw_features(a, &g, d);
    draw_splits(a, &g, d);
    return g;
}

dataset graph_dataset(const graph *g)
{
    return (dataset){.name = "drawn",
                     .nodes = g->nodes,
                     .features = g->features ? g->features : g->nodes,
                     .classes = g->classes,
                     .ym = g->ym};
}

/* ---- files ---- */

enum style { REPEATED = 1, LOOPS = 2, WORDS = 4, CRLF = 8, COMMAS = 16, HEADERS = 32, REVERSED = 64 };

typedef struct sheet {
    FILE *f;
    const char *end, *blank;
} sheet;

static sheet start(const char *dir, const char *name, uint64_t style, const char *header)
{
    arena tmp = {0};
    const char *path = arena_printf(&tmp, "%s/%s", dir, name);
    sheet s = {fopen(path, "w"), style & CRLF ? "\r\n" : "\n", style & COMMAS ? ", " : " "};
    if (!s.f) {
        fprintf(stderr, "products: cannot write %s\n", path);
        exit(1);
    }
    if (style & HEADERS && header)
        fprintf(s.f, "%s%s# a comment%s%s", header, s.end, s.end, s.end);
    arena_free(&tmp);
    return s;
}

static void write_class(const sheet *s, int c, uint64_t style)
{
    if (style & WORDS) /* in the order of the numbers */
        fprintf(s->f, "%sk%c", s->blank, 'a' + c);
    else
        fprintf(s->f, "%s%d", s->blank, c);
}

static void write_labels(const graph *g, const char *dir, uint64_t style)
{
    sheet s = start(dir, g->multi ? "multilabels.tsv" : "labels.tsv", style, "node class");
    for (int i = 0; i < g->nodes; i++) {
        int any = 0;
        if (!g->multi && g->y[i] < 0)
            continue;
        for (int c = 0; c < g->classes && g->multi; c++)
            any |= g->ym[i * g->classes + c];
        if (g->multi && !any)
            continue;
        fprintf(s.f, "%d", i);
        for (int c = 0; c < g->classes; c++)
            if (g->multi ? g->ym[i * g->classes + c] : g->y[i] == c)
                write_class(&s, c, style);
        fputs(s.end, s.f);
    }
    fclose(s.f);
}

static void write_links(const graph *g, const char *dir, uint64_t style)
{
    sheet s = start(dir, "edges.tsv", style, "from to");
    for (int pass = 0; pass < (style & REPEATED ? 2 : 1); pass++)
        for (int e = 0; e < g->nlinks; e++) {
            int back = (style & REVERSED) && (e + pass) % 2;
            fprintf(s.f, "%d%s%d%s", back ? g->v[e] : g->u[e], s.blank, back ? g->u[e] : g->v[e], s.end);
        }
    for (int i = 0; i < g->nodes && style & LOOPS; i += 3)
        fprintf(s.f, "%d%s%d%s", i, s.blank, i, s.end);
    fclose(s.f);
}

static void write_features(const graph *g, const char *dir, uint64_t style)
{
    sheet s = start(dir, g->dense ? "features.tsv" : "features.svm", style, NULL);
    for (int i = 0; i < g->nodes; i++) {
        const float *x = g->x + (size_t)i * (size_t)g->features;
        if (!g->dense)
            fprintf(s.f, "%d", i);
        for (int j = 0; j < g->features; j++)
            if (g->dense)
                fprintf(s.f, "%s%.9g", j ? s.blank : "", (double)x[j]);
            else if (x[j] != 0)
                fprintf(s.f, "%s%d:%.9g", s.blank, j, (double)x[j]);
        fputs(s.end, s.f);
    }
    fclose(s.f);
}

void graph_write(const graph *g, const char *dir, uint64_t style)
{
    static const char *const part[] = {"train", "val", "test", "-"};
    arena tmp = {0};
    file_mkdirs(arena_printf(&tmp, "%s/x", dir));
    arena_free(&tmp);
    write_labels(g, dir, style);
    write_links(g, dir, style);
    if (g->features)
        write_features(g, dir, style);
    sheet s = start(dir, "sizes.tsv", style & ~(uint64_t)HEADERS, NULL);
    fprintf(s.f, "nodes %d%sclasses %d%s", g->nodes, s.end, g->classes, s.end);
    if (g->features)
        fprintf(s.f, "features %d%s", g->features, s.end);
    fclose(s.f);
    if (!g->nsplits)
        return;
    s = start(dir, "split.tsv", style, g->nsplits == 1 ? "node part" : NULL);
    for (int i = 0; i < g->nodes; i++) {
        fprintf(s.f, "%d", i);
        for (int k = 0; k < g->nsplits; k++)
            fprintf(s.f, "%s%s", s.blank, part[g->part[k * g->nodes + i]]);
        fputs(s.end, s.f);
    }
    fclose(s.f);
}

/* ---- graphs that are related to another ---- */

static graph copy(arena *a, const graph *g)
{
    graph q = *g;
    size_t n = (size_t)g->nodes;
#define COPY(field, size) \
    if (g->field)         \
    q.field =             \
        memcpy(arena_alloc(a, (size) * sizeof *g->field + 1, sizeof *g->field), g->field, (size) * sizeof *g->field)
    COPY(u, (size_t)g->nlinks);
    COPY(v, (size_t)g->nlinks);
    COPY(y, n);
    COPY(ym, n * (size_t)g->classes);
    COPY(x, n * (size_t)g->features);
    COPY(part, n * (size_t)g->nsplits);
#undef COPY
    return q;
}

graph graph_permuted(arena *a, const graph *g, draw *d, int **to)
{
    graph q = copy(a, g);
    int n = g->nodes, *at = *to = NEW(a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        at[i] = i;
    rng_shuffle(at, n, d->r, 1000);
    for (int i = 0; i < n; i++) {
        if (g->y)
            q.y[at[i]] = g->y[i];
        if (g->ym)
            memcpy(q.ym + at[i] * g->classes, g->ym + i * g->classes, (size_t)g->classes);
        memcpy(q.x + at[i] * g->features, g->x + i * g->features, (size_t)g->features * sizeof *q.x);
        for (int s = 0; s < g->nsplits; s++)
            q.part[s * n + at[i]] = g->part[s * n + i];
    }
    for (int e = 0; e < g->nlinks; e++)
        q.u[e] = at[g->u[e]], q.v[e] = at[g->v[e]];
    return q;
}

graph graph_flipped(arena *a, const graph *g, const int *u, const int *v, int n)
{
    graph q = copy(a, g);
    q.u = NEW(a, int, (size_t)(g->nlinks + n) + 1), q.v = NEW(a, int, (size_t)(g->nlinks + n) + 1), q.nlinks = 0;
    for (int e = 0; e < g->nlinks + n; e++) {
        int p = e < g->nlinks ? g->u[e] : u[e - g->nlinks], r = e < g->nlinks ? g->v[e] : v[e - g->nlinks], met = 0;
        for (int f = 0; f < (e < g->nlinks ? n : g->nlinks); f++)
            met |= e < g->nlinks ? u[f] == p && v[f] == r : g->u[f] == p && g->v[f] == r;
        if (!met)
            q.u[q.nlinks] = p, q.v[q.nlinks++] = r;
    }
    return q;
}

graph graph_other_test_labels(arena *a, const graph *g, draw *d, int run)
{
    graph q = copy(a, g);
    const unsigned char *part = g->part + (size_t)(run % g->nsplits) * (size_t)g->nodes;
    for (int i = 0; i < g->nodes; i++) {
        if (part[i] != TEST)
            continue;
        if (g->y)
            q.y[i] = draw_below(d, g->classes);
        for (int c = 0; c < g->classes && g->ym; c++)
            q.ym[i * g->classes + c] = (unsigned char)draw_below(d, 2);
    }
    return q;
}

/* The catalogue with small numbers: its twins have 60 nodes for each of at most five classes. */
void graph_catalogue(arena *a, const char *path)
{
    tsv t = tsv_read(a, arena_printf(a, "%s/data/catalog.tsv", products_tree));
    const char *all = "";
    for (int c = 0; c < t.cols; c++)
        all = arena_printf(a, "%s%s%s", all, c ? "\t" : "", t.name[c]);
    for (int i = 0; i < t.rows; i++) {
        int classes = atoi(tsv_get(&t, i, "classes")) < 5 ? atoi(tsv_get(&t, i, "classes")) : 5;
        int features = atoi(tsv_get(&t, i, "features"));
        const char *sizes = "60";
        for (int c = 1; c < classes; c++)
            sizes = arena_printf(a, "%s,60", sizes);
        for (int c = 0; c < t.cols; c++) {
            const char *name = t.name[c], *text = t.cell[i][c];
            if (!strcmp(name, "nodes"))
                text = arena_printf(a, "%d", 60 * classes);
            else if (!strcmp(name, "edges"))
                text = arena_printf(a, "%d", 200 * classes);
            else if (!strcmp(name, "features"))
                text = arena_printf(a, "%d", features < 30 ? features : 30);
            else if (!strcmp(name, "classes"))
                text = arena_printf(a, "%d", classes);
            else if (!strcmp(name, "class_sizes") && strcmp(text, "-"))
                text = sizes;
            all = arena_printf(a, "%s%s%s", all, c ? "\t" : "\n", text);
        }
    }
    call_write(path, "%s\n", all);
}
