/* jcb predict */
#include "../base/err.h"
#include "../base/memory.h"
#include "../base/opt.h"
#include "jcb.h"
#include "../train/method/resolve.h"
#include "../train/saved.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    const char *attack = s.s.attack.text;
    if (name && strcmp(name, trained_on))
        s.s.dataset = name, s.s.attack = variant_rule_read("none");
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
    const int same = problem_dataset(p)->hash == s.data_hash;
    split part = same ? trainer_split(&a, p, &s.s, s.seed, s.run) : (split){0};
    jcb_write_predictions(out, problem_dataset(p), prob, 0, same ? &part : NULL);
    metric_work work = metric_work_new(&a, prob.cols);
    const node_labels y = dataset_labels(problem_dataset(p));
    metrics m = metric_labels(NULL, prob.v, &y, prob.rows, &work);
    jcb_warn_origin(problem_dataset(p));
    if (strcmp(attack, s.s.attack.text))
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
