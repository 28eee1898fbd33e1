#include "loss.h"
#include "../../base/err.h"
#include "../../base/guess.h"
#include "../../base/portable.h"
#include "net/registry.h" /* OBJECTIVES: made from the files of this directory, see local.mk */
#include <math.h>
#include <string.h>

#define DECLARE(name) extern const objective objective_##name;
OBJECTIVES(DECLARE)

#define ADDRESS(name) &objective_##name,
const objective *const objectives[] = {OBJECTIVES(ADDRESS) NULL};

int loss_smoothed(const char *name)
{
    size_t n = strlen(name);
    return n > 3 && !strcmp(name + n - 3, "+cs");
}

const objective *objective_find(const char *name)
{
    size_t n = strlen(name) - (loss_smoothed(name) ? 3 : 0);
    guess g = {.word = name};
    for (int i = 0; objectives[i]; i++) {
        if (strlen(objectives[i]->name) == n && !strncmp(objectives[i]->name, name, n))
            return objectives[i];
        guess_list(&g, objectives[i]->name);
    }
    guess_die(&g, "loss", ", each also as NAME+cs");
}

int loss_head(model *m, const spec *s, const backbone *b, int in, int out)
{
    if (b->graph_head)
        return b->head(m, s, in, out);
    double bound = 1 / sqrt(m->ops[in].cols);
    return op_activate(m, op_linear(m, in, out, bound), bound, LINEAR, 0);
}

targets loss_targets(workspace *ws, const op_state *n)
{
    int count = ws->b->ntarget;
    int *node = NEW(ws->a, int, (size_t)count);
    targets t = {.cluster = ws->b->cluster ? NEW(ws->a, int, (size_t)count) : NULL};
    for (int q = 0; q < MAX_IN && n->d.in[q] >= 0; q++) {
        t.row[q] = NEW(ws->a, int, (size_t)count);
        for (int i = 0; i < count; i++)
            t.row[q][i] = workspace_row(workspace_in(ws, n, q), ws->b->target[i]);
    }
    for (int i = 0; i < count; i++) {
        node[i] = batch_node(ws->b, ws->b->target[i]);
        if (t.cluster)
            t.cluster[i] = ws->b->cluster[ws->b->target[i]];
    }
    t.y = labels_pick(ws->a, &ws->b->data->y, node, count);
    return t;
}

double loss_nll(const mat prob, const int *y)
{
    double sum = 0, product = 1;
    int n = 0;
    for (int i = 0; i < prob.rows; i++)
        if (y[i] >= 0) {
            product *= (double)mat_row(prob, i)[y[i]] + 1e-30;
            if (++n % 8 == 0) /* one logarithm for eight rows: their product is 1e-240 at least */
                sum -= portable_log(product), product = 1;
        }
    return n ? (sum - portable_log(product)) / n : 0;
}

double loss_of(const mat prob, const node_labels *y)
{
    if (y->one)
        return loss_nll(prob, y->one);
    double sum = 0;
    for (int i = 0; i < prob.rows; i++) {
        double row = 0;
        for (int k = 0; k < prob.cols; k++) {
            double p = (double)mat_row(prob, i)[k];
            row -= portable_log((y->many[(size_t)i * (size_t)prob.cols + (size_t)k] ? p : 1 - p) + 1e-30);
        }
        sum += row;
    }
    return prob.rows ? sum / ((double)prob.rows * prob.cols) : 0;
}
