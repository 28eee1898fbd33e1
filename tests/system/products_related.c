/* products_related: a run, and another one whose result follows from it. */
#include "../unit/cell_of.h"
#include "products.h"
#include "../../src/base/tsv.h"
#include "../../src/net/loss/loss.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is(const kase *k, const char *name, const char *value)
{
    const char *given = combination_get(k, name);
    return given && !strcmp(given, value);
}

/* ---- files of flips and clusters ---- */

/* A few distinct pairs, links or not. */
static int draw_flips(kase *k, int *u, int *v, int max)
{
    int n = 0, want = 1 + draw_below(&k->d, max);
    for (int t = 0; t < 10 * want && n < want; t++) {
        int known = t % 2 && k->g.nlinks, e = known ? draw_below(&k->d, k->g.nlinks) : 0, met = 0;
        int p = known ? k->g.u[e] : draw_below(&k->d, k->g.nodes),
            q = known ? k->g.v[e] : draw_below(&k->d, k->g.nodes);
        for (int i = 0; i < n; i++)
            met |= u[i] == p && v[i] == q;
        if (p < q && !met)
            u[n] = p, v[n++] = q;
    }
    return n;
}

/* Flips of a file, and the graph that has them. */
static void flips(kase *k)
{
    enum { MOST = 12 };
    int u[MOST], v[MOST], n = draw_flips(k, u, v, MOST);
    const char *file = call_path(k, "flips"), *other = call_path(k, "other"), *text = "# pairs\n";
    for (int i = 0; i < n; i++)
        text = arena_printf(&k->a, "%s%d %d\n", text, i % 2 ? v[i] : u[i], i % 2 ? u[i] : v[i]);
    call_write(file, "%s", text);
    combination_set(k, "attack", arena_printf(&k->a, "file:%s", file));
    trained t = train_first(k, 0);
    graph g = graph_flipped(&k->a, &k->g, u, v, n);
    graph_write(&g, other, 0);
    combination_set(k, "attack", NULL);
    if (!t.ok)
        return;
    trained w = train_again(k, train_args(k, other), call_path(k, "again.tsv"));
    train_same(k, ORACLE_flips, &t, &w);
}

/* Clusters that jcb partition writes. */
static void clusters(kase *k)
{
    static const char *const how[] = {"metis", "random", "metis32", "metis:3", "random:2"};
    if (!k->c.legal || !objective_find(k->c.s.loss)->clusters || CELL(&k->c.s)->method->own_networks) {
        combination_set(k, "method", NULL);
        combination_set(k, "loss", "jc");
    }
    combination_set(k, "inference", NULL);
    if (!combination_default(k, "attack")) /* jcb partition has no --norm, on which attacks depend */
        combination_set(k, "norm", NULL);
    combination_set(k, "partition", how[draw_below(&k->d, 5)]);
    trained t = train_first(k, 0);
    if (!t.ok || (combination_get(k, "attack") && strstr(combination_get(k, "attack"), ":run")))
        return;
    args v = {0};
    const char *file = call_path(k, "clusters.txt");
    args_words(k, &v, "partition --data");
    args_add(&k->a, &v, "%s", k->data);
    args_add(&k->a, &v, "--dataset=%s", k->graph_dir);
    args_add(&k->a, &v, "--method=%s", k->c.s.partition.text);
    args_add(&k->a, &v, "--attack=%s", k->c.s.attack.text);
    args_add(&k->a, &v, "--clusters=%d", k->c.s.clusters);
    args_add(&k->a, &v, "--write=%s", file);
    result r = call(k, &v);
    oracle(k, ORACLE_clusters, r.code == 0, "jcb partition refuses what jcb train accepts: %s", r.err);
    if (r.code)
        return;
    combination_set(k, "partition", arena_printf(&k->a, "file:%s", file));
    trained w = train_again(k, train_args(k, k->graph_dir), call_path(k, "again.tsv"));
    train_same(k, ORACLE_clusters, &t, &w);
}

/* ---- training that ends earlier ---- */

static void shorter(kase *k)
{
    if (!train_network(k))
        combination_set(k, "method", NULL);
    k->runs = 1;
    trained t = train_first(k, 0);
    if (!t.ok || !t.run[0] || k->c.s.select == SELECT_EACH) /* F1 scores of other epochs */
        return;
    double best = call_value(t.run[0], "best_epoch");
    if (best < k->c.s.evaluate_from)
        return;
    combination_set(k, "epochs", arena_printf(&k->a, "%.0f", best));
    trained w = train_again(k, train_args(k, k->graph_dir), NULL);
    oracle(k, ORACLE_shorter, w.ok, "refused");
    if (!w.ok || !w.run[0])
        return;
    const char *a = call_hash(&k->a, t.run[0]), *b = call_hash(&k->a, w.run[0]);
    double test = call_value(t.run[0], "test_acc"), again = call_value(w.run[0], "test_acc");
    oracle(k, ORACLE_shorter,
           !strcmp(a, b) && call_value(w.run[0], "best_epoch") == best &&
               (test == again || (isnan(test) && isnan(again))),
           "epoch %g was chosen: %s\n  and, where it is the last: %s", best, t.run[0], w.run[0]);
}

/* ---- other graphs ---- */

/* Scores of validation nodes, parameters and predictions; the numbers of test nodes may differ. */
static void other_test_labels(kase *k)
{
    const char *attack = combination_get(k, "attack");
    if (!k->g.nsplits)
        return;
    combination_set(k, "split", draw_chance(&k->d, 0.5) ? NULL : "public");
    if (attack && strcmp(attack, "none")) /* some attacks look at all labels */
        combination_set(k, "attack", NULL);
    k->runs = 1;
    trained t = train_first(k, 0);
    if (!t.ok || !t.run[0])
        return;
    const char *other = call_path(k, "other"), *again = call_path(k, "again.tsv");
    graph g = graph_other_test_labels(&k->a, &k->g, &k->d, 0);
    graph_write(&g, other, 0);
    trained w = train_again(k, train_args(k, other), again);
    oracle(k, ORACLE_test_labels, w.ok, "refused");
    if (!w.ok || !w.run[0])
        return;
    oracle(k, ORACLE_test_labels,
           !strcmp(call_hash(&k->a, t.run[0]), call_hash(&k->a, w.run[0])) &&
               call_value(t.run[0], "val_acc") == call_value(w.run[0], "val_acc") &&
               call_value(t.run[0], "best_epoch") == call_value(w.run[0], "best_epoch"),
           "%s\n  and %s", t.run[0], w.run[0]);
    tsv x = tsv_read(&k->a, t.predictions), y = tsv_read(&k->a, again);
    for (int i = 0; i < x.rows && i < y.rows; i++)
        for (int c = 2; c < x.cols && c < y.cols; c++)
            if (!oracle(k, ORACLE_test_labels, !strcmp(x.cell[i][c], y.cell[i][c]), "node %d, %s: %s and %s", i,
                        x.name[c], x.cell[i][c], y.cell[i][c]))
                return;
}

/* The largest difference of probabilities between two files, node i being to[i] in the second. */
static double difference(kase *k, const char *first, const char *second, const int *to)
{
    double max = 0;
    tsv x = tsv_read(&k->a, first), y = tsv_read(&k->a, second);
    if (x.rows != y.rows || x.cols != y.cols)
        return INFINITY;
    for (int i = 0; i < x.rows; i++)
        for (int c = x.cols - k->g.classes; c < x.cols; c++)
            max = fmax(max, fabs(strtod(x.cell[i][c], NULL) - strtod(y.cell[to ? to[i] : i][c], NULL)));
    return max;
}

/* A few gentle steps of a network without batch normalisation and dropout: rounding is all that may differ. The last
 * epoch is taken, so that equal scores do not decide. */
static void make_gentle(kase *k)
{
    if (!train_network(k))
        combination_set(k, "method", NULL);
    const char *loss = combination_get(k, "loss");
    if (loss && strstr(loss, "+cs"))
        combination_set(k, "loss", "ce");
    static const char *const unset[] = {"norm_batch", "lr",  "patience", "validate_every",
                                        "attack",     "tau", "beta",     "optimiser"};
    for (size_t i = 0; i < sizeof unset / sizeof *unset; i++)
        combination_set(k, unset[i], NULL);
    combination_set(k, "epochs", "3");
    combination_set(k, "evaluate_from", "3");
    combination_set(k, "lr", "0.001");
    k->runs = 1;
}

/* Numbers of dropout go by node, and by the place of its op. */
static void no_dropout(kase *k)
{
    const dataset d = graph_dataset(&k->g);
    for (int f = 0; f < SPEC_COUNT; f++)
        if (strstr(spec_name[f], "dropout"))
            combination_set(k, spec_name[f], k->c.legal && method_reads(CELL(&k->c.s), f, &d) ? "0" : NULL);
}

static void one_batch(kase *k)
{
    if (k->c.illegal) { /* what is read cannot be told */
        train_first(k, 0);
        return;
    }
    make_gentle(k);
    static const char *const unset[] = {"inductive", "inference", "partition"};
    for (int i = 0; i < 3; i++)
        combination_set(k, unset[i], NULL);
    combination_set(k, "batch", NULL);
    no_dropout(k);
    trained t = train_first(k, 0);
    if (!t.ok)
        return;
    static const char *const whole[] = {"neighbour:1000:0", "cluster:1:1", "rows:1000"};
    const char *rule = whole[draw_below(&k->d, 3)], *again = call_path(k, "again.tsv");
    combination_set(k, "batch", rule);
    args v = train_args(k, k->graph_dir);
    args_words(k, &v, "--json --predictions");
    args_add(&k->a, &v, "%s", again);
    result r = call(k, &v);
    if (r.code == 1 && !strcmp(rule, "rows:1000")) /* the network reads the graph */
        return;
    oracle(k, ORACLE_one_batch, r.code == 0, "%s is refused", rule);
    double max = r.code ? 0 : difference(k, t.predictions, again, NULL);
    oracle(k, ORACLE_one_batch, max < 1e-3, "%s: probabilities differ by %g", rule, max);
}

static void permuted(kase *k)
{
    int *to;
    if (!k->g.features || !k->g.nsplits || k->c.illegal) /* columns of the identity matrix, drawn splits go by node */
        return;
    make_gentle(k);
    combination_set(k, "split", NULL);
    combination_set(k, "batch", NULL), combination_set(k, "inductive", NULL), combination_set(k, "inference", NULL);
    if (k->c.legal && objective_find(k->c.s.loss)->clusters) /* METIS depends on the order */
        combination_set(k, "clusters", "1"), combination_set(k, "partition", NULL);
    no_dropout(k);
    trained t = train_first(k, 0);
    if (!t.ok || is(k, "split", "redraw"))
        return;
    const char *other = call_path(k, "other"), *again = call_path(k, "again.tsv");
    graph g = graph_permuted(&k->a, &k->g, &k->d, &to);
    graph_write(&g, other, 0);
    trained w = train_again(k, train_args(k, other), again);
    oracle(k, ORACLE_permuted, w.ok, "refused");
    double max = w.ok ? difference(k, t.predictions, again, to) : 0;
    oracle(k, ORACLE_permuted, max < 1e-3, "probabilities differ by %g", max);
}

const kind related_kinds[] = {
    {"flips", NULL, 6, flips},
    {"clusters", NULL, 5, clusters},
    {"shorter", NULL, 6, shorter},
    {"test_labels", NULL, 7, other_test_labels},
    {"one_batch", NULL, 5, one_batch},
    {"permuted", NULL, 4, permuted},
    {0},
};
