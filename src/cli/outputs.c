/* outputs: what jcb train and jcb predict tell of one run: the file of predictions, the file of embeddings, scores by
 * class. */
#include "../base/buf.h"
#include "../base/err.h"
#include "../base/file.h"
#include "jcb.h"
#include <math.h>
#include <stdio.h>

static int largest(const real *p, int classes)
{
    int best = 0;
    for (int k = 1; k < classes; k++)
        if (p[k] > p[best])
            best = k;
    return best;
}

/* The classes of a multi-label row, "2,5"; "-": none. given: 0 or 1 for each class; NULL: those with probability > 1/2.
 */
static void put_classes(buf *out, const unsigned char *given, const real *p, int classes)
{
    int n = 0;
    for (int k = 0; k < classes; k++)
        if (given ? given[k] : p[k] > (real)0.5)
            buf_add(out, n++ ? ",%d" : "\t%d", k);
    if (!n)
        buf_put(out, "\t-");
}

/* label, predicted, confidence; for multi-label data lists of classes, and the largest probability. */
static void put_row(buf *out, const node_labels *y, int row, const real *p, int scores)
{
    int best = largest(p, y->classes);
    if (y->one) {
        buf_add(out, "\t%d\t%d", y->one[row], best);
    } else {
        put_classes(out, y->many + (size_t)row * (size_t)y->classes, p, y->classes);
        put_classes(out, NULL, p, y->classes);
    }
    if (!scores)
        buf_add(out, "\t%.6g", (double)p[best]);
}

/* The part of each row in the split: train, val, test or "-". */
static const char **parts_of(arena *a, const dataset *d, const split *part)
{
    static const char *const word[] = {"train", "val", "test"};
    const char **of = NEW(a, const char *, (size_t)d->nodes);
    for (int i = 0; i < d->nodes; i++)
        of[i] = "-";
    for (int p = TRAIN; part && p <= TEST; p++)
        for (int k = 0; k < part->n[p]; k++)
            of[part->idx[p][k]] = word[p];
    return of;
}

void jcb_write_predictions(const char *path, const dataset *d, mat prob, int scores, const split *part)
{
    arena a = {0};
    node_labels y = dataset_labels(d);
    buf b = {.a = &a};
    const char **of = parts_of(&a, d, part);
    y.classes = prob.cols; /* those of the model */
    if (y.many && prob.cols != d->classes)
        die("%s has %d labels, the model was trained on %d", d->name, d->classes, prob.cols);
    if (d->origin == ORIGIN_SUBSTITUTE || d->origin == ORIGIN_TWIN)
        buf_add(&b, "# %s: %s data: %s\n", d->name, origin_name[d->origin], d->origin_note);
    buf_add(&b, "node\tlabel\tpredicted%s", scores ? "" : "\tconfidence");
    for (int k = 0; k < prob.cols; k++)
        buf_add(&b, scores ? "\tscore%d" : "\tp%d", k);
    buf_put(&b, "\tpart\n");
    for (int i = 0; i < prob.rows; i++) {
        int row = dataset_row(d, i);
        buf_add(&b, "%d", i);
        put_row(&b, &y, row, mat_row(prob, row), scores);
        for (int k = 0; k < prob.cols; k++)
            buf_add(&b, "\t%.6g", (double)mat_row(prob, row)[k]);
        buf_add(&b, "\t%s\n", of[row]);
    }
    file_write(path, b.s, b.n);
    arena_free(&a);
}

void jcb_write_embeddings(const char *path, const dataset *d, mat z, const split *part)
{
    arena a = {0};
    buf b = {.a = &a};
    const char **of = parts_of(&a, d, part);
    buf_put(&b, "node\tpart");
    for (int k = 0; k < z.cols; k++)
        buf_add(&b, "\tz%d", k);
    for (int i = 0; i < d->nodes; i++) {
        int row = dataset_row(d, i);
        buf_add(&b, "\n%d\t%s", i, of[row]);
        for (int k = 0; k < z.cols; k++)
            buf_add(&b, "\t%.7g", (double)mat_row(z, row)[k]);
    }
    buf_put(&b, "\n");
    file_write(path, b.s, b.n);
    arena_free(&a);
}

/* ---- scores by class ---- */

static int says(const real *p, int k, int best, int multi) { return multi ? p[k] > (real)0.5 : k == best; }

static double ratio(int part, int whole) { return whole ? 100.0 * part / whole : NAN; }

static void show_ratio(double x)
{
    if (isnan(x))
        printf("  %9s", "-");
    else
        printf("  %9.2f", x);
}

void jcb_show_classes(const dataset *d, mat prob, const split *part)
{
    enum { MATRIX = 20 }; /* more classes do not fit into a line */
    arena a = {0};
    const node_labels y = dataset_labels(d);
    const int c = prob.cols, multi = y.many != NULL;
    int *hit = NEW(&a, int, (size_t)c), *said = NEW(&a, int, (size_t)c), *is = NEW(&a, int, (size_t)c);
    int *count = NEW(&a, int, (size_t)c *(size_t)c);
    for (int i = 0; i < part->n[TEST]; i++) {
        int row = part->idx[TEST][i];
        const real *p = mat_row(prob, row);
        int best = largest(p, c);
        if (!multi && (y.one[row] < 0 || y.one[row] >= c))
            continue;
        for (int k = 0; k < c; k++) {
            int yes = says(p, k, best, multi),
                holds = multi ? y.many[(size_t)row * (size_t)c + (size_t)k] : y.one[row] == k;
            said[k] += yes, is[k] += holds, hit[k] += yes && holds;
        }
        if (!multi)
            count[y.one[row] * c + best]++;
    }
    printf("%5s  %5s  %9s  %9s  %9s  %9s   (test nodes, %%)\n", "class", "nodes", "predicted", "precision", "recall",
           "F1");
    for (int k = 0; k < c; k++) {
        printf("%5d  %5d  %9d", k, is[k], said[k]);
        show_ratio(ratio(hit[k], said[k]));
        show_ratio(ratio(hit[k], is[k]));
        show_ratio(ratio(2 * hit[k], said[k] + is[k]));
        printf("\n");
    }
    if (!multi && c <= MATRIX) {
        printf("label \\ predicted");
        for (int k = 0; k < c; k++)
            printf(" %5d", k);
        for (int i = 0; i < c; i++) {
            printf("\n%17d", i);
            for (int k = 0; k < c; k++)
                printf(" %5d", count[i * c + k]);
        }
        printf("\n");
    }
    arena_free(&a);
}
