/* Posterior smoothing in the style of PosteL (Heo et al. 2024):  t_i = (1 - e) onehot(y_i) + e q_i,  q_i what the
 * labels of the neighbours say of node i:
 *
 *   q_i[k]  ~  P(k)  prod over j in N(i) and T of P(y_j | k)
 *   P(k) = L_k / L,   P(l | k) = (n_kl + 1) / (sum over l of n_kl + c)
 *
 * T: the training nodes (the rows batch.mean), L_k of them in class k; n_kl: ordered links (i, j) between nodes of T
 * with y_i = k, y_j = l. Declared form: labels of T and no others, no pseudo-labels; one is added to each count,
 * because the published splits have few such links (Cora 21, CiteSeer 8, PubMed none: there q is the prior, and with
 * equally many nodes of each class this is label smoothing). */
#include "soft.h"
#include "../../base/portable.h"
#include <math.h>

/* links (c x c, ordered) between nodes whose label is known; known[node] is the class or -1 */
static void count_links(double *links, const csr *graph, const int *known, size_t c)
{
    for (int i = 0; i < graph->rows; i++)
        for (int64_t e = graph->ptr[i]; known[i] >= 0 && e < graph->ptr[i + 1]; e++)
            if (known[graph->idx[e]] >= 0)
                links[(size_t)known[i] * c + (size_t)known[graph->idx[e]]]++;
}

static void posterior(mat q, workspace *ws, const op_state *n, const targets *t)
{
    const csr *graph = ws->b->data->graph;
    int c = q.cols, *known = NEW(ws->a, int, (size_t)graph->rows);
    double *links = NEW_2D(ws->a, double, c, c), *prior = NEW(ws->a, double, (size_t)c),
           *score = NEW(ws->a, double, (size_t)c);
    (void)n, (void)t;
    for (int i = 0; i < graph->rows; i++)
        known[i] = -1;
    for (int i = 0; i < ws->b->nmean; i++) {
        int node = batch_node(ws->b, ws->b->mean[i]);
        known[node] = ws->b->data->y.one[node];
        prior[known[node]] += 1.0 / ws->b->nmean;
    }
    count_links(links, graph, known, (size_t)c);
    for (int k = 0; k < c; k++) {
        double sum = c, *row = links + (size_t)k * (size_t)c;
        for (int l = 0; l < c; l++)
            sum += row[l];
        for (int l = 0; l < c; l++)
            row[l] = portable_log((row[l] + 1) / sum);
    }
    for (int i = 0; i < q.rows; i++) {
        int node = batch_node(ws->b, ws->b->target[i]);
        double largest = -INFINITY, sum = 0;
        for (int k = 0; k < c; k++) {
            score[k] = portable_log(prior[k]);
            for (int64_t e = graph->ptr[node]; e < graph->ptr[node + 1]; e++)
                if (known[graph->idx[e]] >= 0)
                    score[k] += links[(size_t)k * (size_t)c + (size_t)known[graph->idx[e]]];
            largest = fmax(largest, score[k]);
        }
        for (int k = 0; k < c; k++)
            sum += portable_exp(score[k] - largest);
        for (int k = 0; k < c; k++)
            mat_row(q, i)[k] = (real)(portable_exp(score[k] - largest) / sum);
    }
}

static void bind(workspace *ws, op_state *n) { soft_bind(ws, n, posterior); }

static const op_kind kind = {.name = "postel", .bind = bind, .forward = soft_forward, .backward = soft_backward};

static void build(model *m, const spec *s, const backbone *b) { soft_build(m, s, b, &kind); }

const objective objective_postel = {.name = "postel",
                                    .about = "cross-entropy, labels smoothed towards what the neighbours' labels say",
                                    .build = build};
