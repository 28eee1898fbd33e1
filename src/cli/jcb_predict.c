/* jcb predict, and the file of predictions, which jcb train writes, too */
#include "../base/err.h"
#include "../base/file.h"
#include "../base/memory.h"
#include "../base/opt.h"
#include "jcb.h"
#include "../train/method/resolve.h"
#include "../train/saved.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The classes of a multi-label row, "2,5"; "-": none. given: 0 or 1 for each class; NULL: those with probability > 1/2.
 */
static size_t write_classes(char *out, const unsigned char *given, const real *p, int classes)
{
    size_t n = 0;
    for (int k = 0; k < classes; k++)
        if (given ? given[k] : p[k] > (real)0.5)
            n += (size_t)sprintf(out + n, "%s%d", n ? "," : "", k);
    return n ? n : (size_t)sprintf(out, "-");
}

/* label, predicted, confidence; for multi-label data lists of classes, and the largest probability. */
static size_t write_row(char *out, const node_labels *y, int row, const real *p, int scores)
{
    int best = 0;
    size_t n = 0;
    for (int k = 1; k < y->classes; k++)
        if (p[k] > p[best])
            best = k;
    if (scores) /* of one label a node */
        return (size_t)sprintf(out, "\t%d\t%d", y->one[row], best);
    if (y->one)
        return (size_t)sprintf(out, "\t%d\t%d\t%.6g", y->one[row], best, (double)p[best]);
    out[n++] = '\t';
    n += write_classes(out + n, y->many + (size_t)row * (size_t)y->classes, p, y->classes);
    out[n++] = '\t';
    n += write_classes(out + n, NULL, p, y->classes);
    return n + (size_t)sprintf(out + n, "\t%.6g", (double)p[best]);
}

/* node, label, predicted, confidence, then the probability of each class. Scores: no confidence. */
void jcb_write_predictions(const char *path, const dataset *d, mat prob, int scores)
{
    arena a = {0};
    node_labels y = dataset_labels(d);
    size_t capacity = 1 << 16, n = 0;
    capacity += (size_t)prob.rows * (64 + 28 * (size_t)prob.cols);
    char *out = arena_alloc(&a, capacity, 1);
    y.classes = prob.cols; /* those of the model */
    if (y.many && prob.cols != d->classes)
        die("%s has %d labels, the model was trained on %d", d->name, d->classes, prob.cols);
    if (d->origin == ORIGIN_SUBSTITUTE || d->origin == ORIGIN_TWIN)
        n += (size_t)snprintf(out, capacity, "# %s: %s data: %s\n", d->name, origin_name[d->origin], d->origin_note);
    n += (size_t)sprintf(out + n, "node\tlabel\tpredicted%s", scores ? "" : "\tconfidence");
    for (int k = 0; k < prob.cols; k++)
        n += (size_t)sprintf(out + n, scores ? "\tscore%d" : "\tp%d", k);
    n += (size_t)sprintf(out + n, "\n");
    for (int i = 0; i < prob.rows; i++) {
        int row = dataset_row(d, i);
        const real *p = mat_row(prob, row);
        n += (size_t)sprintf(out + n, "%d", i);
        n += write_row(out + n, &y, row, p, scores);
        for (int k = 0; k < prob.cols; k++)
            n += (size_t)sprintf(out + n, "\t%.6g", (double)p[k]);
        n += (size_t)sprintf(out + n, "\n");
    }
    file_write(path, out, n);
    arena_free(&a);
}

int jcb_predict(int argc, char **argv)
{
    arena a = {0};
    const char *data, *memory = NULL, *file = NULL, *name = NULL, *out = NULL;
    const opt table[] = {
        {"model", OPT_TEXT, &file, "FILE", "a model saved by jcb train --save", NULL, 0, 0},
        {"dataset", OPT_TEXT, &name, "NAME", "data set or directory (default: the one it was trained on)", NULL, 0, 0},
        {"predictions", OPT_TEXT, &out, "FILE", "write the predictions to this file (TSV)", NULL, 0, 0},
        OPT_DATA(&data),
        OPT_MEMORY(&memory),
        {0},
    };
    opt_only(argc, argv, table,
             "jcb predict --model FILE --predictions FILE [option ...]\nWrites class probabilities of every node of a "
             "graph.",
             "");
    if (!file || !out)
        opt_wrong("--model and --predictions are needed");
    opt_try(memory_set, (void *)memory);
    jcb_need_directory("predictions", out);
    saved s = saved_read(&a, file);
    const char *trained_on = s.s.dataset;
    const char *attack = s.s.attack;
    if (name && strcmp(name, trained_on))
        s.s.dataset = name, s.s.attack = "none";
    const cell c = resolve_cell(&s.s, NULL, "-");
    data_dirs dirs = select_dirs(&a, data);
    jcb_need_dataset(&dirs, s.s.dataset);
    problem *p = problem_open(&dirs, &s.s);
    problem_prepare(p, &c);
    if (!strcmp(s.s.dataset, trained_on) && problem_dataset(p)->hash != s.data_hash)
        warn("%s has changed since the model was trained: cluster means are taken over all nodes", s.s.dataset);
    const partition *q = problem_partition(p, &c);
    if (q && s.part_hash && problem_dataset(p)->hash == s.data_hash && q->hash != s.part_hash)
        warn("the clusters (%s) are not those of training: probabilities differ", s.s.partition.text);
    mat prob = saved_predict(&a, &s, &c, p);
    jcb_write_predictions(out, problem_dataset(p), prob, 0);
    metric_work work = metric_work_new(&a, prob.cols);
    const node_labels y = dataset_labels(problem_dataset(p));
    metrics m = metric_labels(NULL, prob.v, &y, prob.rows, &work);
    jcb_warn_origin(problem_dataset(p));
    if (strcmp(attack, s.s.attack))
        warn("the model was trained on %s with attack=%s; %s is taken as it is", trained_on, attack, name);
    printf("%d nodes -> %s", prob.rows, out);
    if (m.acc == m.acc)
        printf("; %s over all labelled nodes (training nodes included) %.2f %%", y.many ? "micro-F1" : "accuracy",
               100 * m.acc);
    printf("\n");
    problem_close(p);
    arena_free(&a);
    return EXIT_SUCCESS;
}
