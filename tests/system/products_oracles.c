/* products_oracles: what every successful run must satisfy, and what a refused one must not leave. */
#include "../unit/cell_of.h"
#include "products.h"
#include "../../src/base/tsv.h"
#include "../../src/net/loss/loss.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether the rows of predictions are probabilities: not after Correct & Smooth. */
static int gives_probabilities(const kase *k) { return !loss_smoothed(k->c.s.loss); }

/* The parts of the run's split, NULL where they are drawn. */
static const unsigned char *known_parts(const kase *k, int run)
{
    if (!k->g.nsplits || (k->c.s.split.kind != SPLIT_AUTO && k->c.s.split.kind != SPLIT_PUBLIC))
        return NULL;
    return k->g.part + (size_t)(run % k->g.nsplits) * (size_t)k->g.nodes;
}

/* Test nodes of the run; -1: some, the number is not known. */
static int count_tested(const kase *k, int run)
{
    enum split_kind rule = k->c.s.split.kind;
    int published = k->g.nsplits && rule != SPLIT_PER_CLASS && rule != SPLIT_FRACTION, n = 0;
    const unsigned char *part = k->g.part + (size_t)(published ? run % k->g.nsplits : 0) * (size_t)k->g.nodes;
    for (int i = 0; i < k->g.nodes && published; i++)
        n += part[i] == TEST;
    return published ? n : -1;
}

static void check_epoch(kase *k, const char *run)
{
    double best = call_value(run, "best_epoch"), epochs = call_value(run, "epochs");
    int own = CELL(&k->c.s)->method->own_networks, from = own ? 1 : k->c.s.evaluate_from;
    oracle(k, ORACLE_chosen, best >= from && best <= epochs && (own || epochs <= k->c.s.epochs),
           "epoch %g of %g, evaluate_from %d, epochs %d", best, epochs, k->c.s.evaluate_from, k->c.s.epochs);
}

static int within(double x, double lo, double hi) { return x >= lo && x <= hi; }

static void check_numbers(kase *k, const char *run, int tested)
{
    static const char *const share[] = {"test_acc", "macro_f1", "weighted_f1"};
    static const char *const score[] = {"ece", "brier", "nll"};
    double val = call_value(run, "val_acc");
    oracle(k, ORACLE_numbers, within(val, 0, 1), "val_acc is %g: %s", val, run);
    for (int i = 0; i < 3; i++) {
        double x = call_value(run, share[i]), y = call_value(run, score[i]);
        if (tested == 0) {
            oracle(k, ORACLE_numbers, isnan(x) && isnan(y), "no test nodes, but %s is %g, %s %g: %s", share[i], x,
                   score[i], y, run);
            continue;
        }
        oracle(k, ORACLE_numbers, within(x, 0, 1), "%s is %g: %s", share[i], x, run);
        int multi_brier = k->g.multi && i == 1; /* not defined for several labels */
        if (gives_probabilities(k) && !multi_brier)
            oracle(k, ORACLE_numbers, within(y, 0, i == 0 ? 1 : i == 1 ? 2 : 20), "%s is %g: %s", score[i], y, run);
    }
}

/* ---- the file of predictions ---- */

static int true_class(const kase *k, int node, int c) { return k->g.ym[node * k->g.classes + c]; }

/* The classes of a cell: "2,5" or "-". */
static void read_classes(unsigned char *out, int classes, const char *text)
{
    memset(out, 0, (size_t)classes);
    for (const char *at = text; *at >= '0' && *at <= '9'; at += *at == ',') {
        char *end;
        long c = strtol(at, &end, 10);
        if (c < classes)
            out[c] = 1;
        at = end;
    }
}

typedef struct tally { /* over test nodes */
    double rows, right, nll, brier;
    double both, predicted, actual; /* multi-label decisions */
} tally;

static void add_one(tally *t, const kase *k, int node, int predicted, char *const *p)
{
    int y = k->g.y[node];
    t->rows++;
    t->right += predicted == y;
    t->nll -= log(fmax(1e-8, strtod(p[y], NULL)));
    for (int c = 0; c < k->g.classes; c++) {
        double e = strtod(p[c], NULL) - (c == y);
        t->brier += e * e;
    }
}

static void add_many(tally *t, const kase *k, int node, char *const *text)
{
    unsigned char is[64];
    read_classes(is, k->g.classes, text[2]);
    t->rows++;
    for (int c = 0; c < k->g.classes; c++) {
        t->both += is[c] && true_class(k, node, c);
        t->predicted += is[c];
        t->actual += true_class(k, node, c);
    }
}

static int label_agrees(const kase *k, int node, const char *text)
{
    unsigned char is[64];
    if (!k->g.multi)
        return atoi(text) == k->g.y[node];
    read_classes(is, k->g.classes, text);
    for (int c = 0; c < k->g.classes; c++)
        if (is[c] != true_class(k, node, c))
            return 0;
    return 1;
}

/* One row: node, label, largest score, sum. p: its scores. */
static int check_row(kase *k, int node, char *const *text, char *const *p)
{
    double sum = 0, max = -INFINITY;
    for (int c = 0; c < k->g.classes; c++) {
        double x = strtod(p[c], NULL);
        sum += x, max = fmax(max, x);
        if (!isfinite(x) || (gives_probabilities(k) && !within(x, 0, 1 + 1e-5)))
            return oracle(k, ORACLE_predictions, 0, "node %d: score %d is %s", node, c, p[c]);
    }
    double confidence = gives_probabilities(k) ? strtod(text[3], NULL) : max;
    return oracle(k, ORACLE_predictions,
                  atoi(text[0]) == node && label_agrees(k, node, text[1]) && confidence == max &&
                      (k->g.multi || strtod(p[atoi(text[2])], NULL) == max) &&
                      (k->g.multi || !gives_probabilities(k) || fabs(sum - 1) < 1e-4),
                  "node %d: line of node %s, label %s, predicted %s, confidence %g, largest %g, sum %g", node, text[0],
                  text[1], text[2], confidence, max, sum);
}

static void check_predictions(kase *k, const char *path, const char *run, const unsigned char *part)
{
    tsv t = tsv_read(&k->a, path);
    tally n = {0};
    int first = gives_probabilities(k) ? 4 : 3; /* scores have no column `confidence` */
    if (!oracle(k, ORACLE_predictions, t.rows == k->g.nodes && t.cols == first + k->g.classes + 1,
                "%d rows, %d columns", t.rows, t.cols))
        return;
    for (int i = 0; i < t.rows; i++) {
        if (!check_row(k, i, t.cell[i], t.cell[i] + first))
            return;
        static const char *const word[PARTS + 1] = {"train", "val", "test", "-"};
        if (part && !oracle(k, ORACLE_predictions, !strcmp(word[part[i]], t.cell[i][t.cols - 1]),
                            "node %d: part %s, not %s", i, t.cell[i][t.cols - 1], word[part[i]]))
            return;
        if (!part || part[i] != TEST)
            continue;
        if (k->g.multi)
            add_many(&n, k, i, t.cell[i]);
        else
            add_one(&n, k, i, atoi(t.cell[i][2]), t.cell[i] + first);
    }
    int cut = k->c.s.batch.kind == BATCH_ROWS && k->c.s.inference == INFERENCE_RELEASE;
    if (!part || !n.rows || cut) /* cut: inference batches consist of the predicted nodes, here all (predict.h) */
        return;
    double acc = k->g.multi ? 2 * n.both / (n.predicted + n.actual) : n.right / n.rows,
           said = call_value(run, "test_acc");
    acc = isnan(acc) ? 0 : acc; /* nothing to find and nothing found */
    oracle(k, ORACLE_predictions, fabs(acc - said) < 1e-6, "accuracy %.9g of the file, %.9g printed", acc, said);
    if (k->g.multi || !gives_probabilities(k))
        return;
    double nll = call_value(run, "nll"), brier = call_value(run, "brier");
    oracle(k, ORACLE_predictions,
           fabs(n.nll / n.rows - nll) < 1e-4 * (1 + nll) && fabs(n.brier / n.rows - brier) < 1e-4,
           "NLL %g and Brier score %g of the file, %g and %g printed", n.nll / n.rows, n.brier / n.rows, nll, brier);
}

void check_runs(kase *k, const char *out, const char *predictions)
{
    for (int r = 0; r < k->runs; r++) {
        const char *run = call_run(&k->a, out, r);
        if (!oracle(k, ORACLE_numbers, run != NULL, "run %d of %d is not printed", r, k->runs))
            return;
        const unsigned char *part = known_parts(k, r);
        check_epoch(k, run);
        check_numbers(k, run, count_tested(k, r));
        if (predictions && r == k->runs - 1)
            check_predictions(k, predictions, run, part);
    }
}

void check_left_behind(kase *k, const char *const *files, int n)
{
    for (int i = 0; i < n; i++)
        oracle(k, ORACLE_left_behind, !call_exists(files[i]), "%s is left behind", files[i]);
}

/* ---- records ---- */

static double cell_number(const tsv *t, int row, const char *name)
{
    const char *s = tsv_get(t, row, name);
    char *end;
    double x = strtod(s, &end);
    return end == s || *end ? NAN : x;
}

void records_hold(kase *k, const char *path, int tested)
{
    tsv t = tsv_read(&k->a, path);
    oracle(k, ORACLE_records, t.rows > 0, "%s has no rows", path);
    for (int i = 0; i < t.rows; i++) {
        const char *status = tsv_get(&t, i, "status");
        if (strcmp(status, "ok")) {
            oracle(k, ORACLE_records, !strncmp(status, "failed:", 7) && status[7], "row %d: status '%s'", i, status);
            continue;
        }
        double best = cell_number(&t, i, "best_epoch"), epochs = cell_number(&t, i, "epochs"),
               val = cell_number(&t, i, "val_acc"), test = cell_number(&t, i, "test_acc"),
               loss = cell_number(&t, i, "val_loss");
        oracle(k, ORACLE_records,
               best >= 1 && best <= epochs && within(val, 0, 1) &&
                   (isfinite(loss) || loss_smoothed(tsv_get(&t, i, "loss"))) &&
                   (tested ? within(test, 0, 1) : isnan(test)) && strlen(tsv_get(&t, i, "param_hash")) == 16,
               "row %d: best_epoch %g of %g, val_acc %g, val_loss %g, test_acc %g", i, best, epochs, val, loss, test);
    }
}
