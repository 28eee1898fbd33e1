/* IC, Mixup and JC have the same cluster inputs: cluster means and mean labels have the same bits for all objectives,
 * and agree with the definition, in training (training rows) and prediction (training and validation rows), also for
 * clusters without such a row.
 *
 * The linker inserts this file between the objectives and clusters.c (--wrap, see tests/local.mk); the library is not
 * changed. */
#include "../../src/kernel/blas.h"
#include "../../src/net/loss/loss.h"
#include "../../src/net/clusters.h"
#include "../../src/train/trainer.h"
#include "cell_of.h"
#include "test.h"
#include "toy.h"

enum { NODES = 240, CLUSTERS = 6, CLASSES = 3 };

static struct {
    const char *model, *loss;
    const trainer *t;
    double z[2][4096], y[4096]; /* inputs of the first objective: means in prediction, in training, and mean labels */
    int cols[2], looks;
} seen;

/* Means of `value` over the rows of each cluster; of a cluster without a row, over all rows. */
static void means(double *out, double (*value)(const op_state *z, int id, int k), const op_state *z, const int *rows,
                  int n, int d)
{
    for (int m = 0; m < CLUSTERS; m++)
        for (int k = 0; k < d; k++) {
            double sum = 0, all = 0;
            int count = 0;
            for (int i = 0; i < n; i++) {
                int here = seen.t->data.cluster[rows[i]] == m;
                sum += here ? value(z, rows[i], k) : 0, all += value(z, rows[i], k);
                count += here;
            }
            out[m * d + k] = count ? sum / count : all / n;
        }
}

static double embedding(const op_state *z, int id, int k) { return (double)mat_row(z->out, workspace_row(z, id))[k]; }

static double one_hot(const op_state *z, int id, int k)
{
    (void)z;
    return seen.t->data.y.one[id] == k;
}

/* Compares with the definition, and bit for bit with the first objective. */
static void look(const char *what, double *first, mat have, const double *want, int known)
{
    for (int i = 0; i < have.rows * have.cols; i++) {
        CHECK_NEAR((double)have.v[i], want[i], 1e-6 * (1 + fabs(want[i])));
        if (!known)
            first[i] = (double)have.v[i];
        CHECK((double)have.v[i] == first[i], "%s %s: other %s than the first objective", seen.model, seen.loss, what);
    }
    seen.looks++;
}

void __real_clusters_forward(clusters *c, const op_state *z);
void __wrap_clusters_forward(clusters *c, const op_state *z);
clusters __real_clusters_new(workspace *ws, const op_state *z);
clusters __wrap_clusters_new(workspace *ws, const op_state *z);

void __wrap_clusters_forward(clusters *c, const op_state *z)
{
    static double want[4096];
    __real_clusters_forward(c, z);
    if (!seen.t)
        return;
    int training = c->dzbar.v != NULL, d = c->zbar.cols;
    const split *q = &seen.t->part;
    means(want, embedding, z, training ? q->idx[TRAIN] : seen.t->mean, training ? q->n[TRAIN] : q->n[TRAIN] + q->n[VAL],
          d);
    look("cluster means", seen.z[training], c->zbar, want, seen.cols[training]);
    seen.cols[training] = d;
}

/* The labels, of every clusters that an objective makes. */
static struct {
    mat ybar[8];
    int n;
} made;

static int watching; /* other tests call these functions, too */

clusters __wrap_clusters_new(workspace *ws, const op_state *z)
{
    clusters c = __real_clusters_new(ws, z);
    if (!watching)
        return c;
    CHECK(!c.ybar.v == !ws->training, "mean labels outside training");
    if (c.ybar.v && made.n < 8)
        made.ybar[made.n++] = c.ybar;
    return c;
}

/* Cluster 4 keeps validation and test nodes alone, cluster 5 test nodes alone. */
static void strip(partition *p, const split *q)
{
    for (int part = TRAIN; part <= VAL; part++)
        for (int i = 0; i < q->n[part]; i++) {
            int *of = p->of + q->idx[part][i];
            *of = *of == 5 || (*of == 4 && part == TRAIN) ? i % 4 : *of;
        }
}

static int check_cell(const char *name, const char *loss, int first)
{
    problem *p = toy(NODES, 40, CLASSES, 0);
    p->split_rule = split_rule_read("per-class:12:12");
    spec s = spec_default();
    s.model = name, s.loss = loss, s.hidden = 8, s.clusters = CLUSTERS, s.partition = partition_rule_read("random"),
    s.in_dropout = 0.2;
    problem_prepare(p, CELL(&s));
    split q = split_draw(&p->a, p->d, p->split_rule, 1, 0);
    strip(&p->part[0].p, &q);
    made.n = 0;
    trainer *t = trainer_new(p, CELL(&s), 1, 0);
    if (first)
        seen.cols[0] = seen.cols[1] = 0;
    seen.model = name, seen.loss = loss, seen.t = t, seen.looks = 0;
    double want[CLUSTERS * CLASSES];
    means(want, one_hot, NULL, q.idx[TRAIN], q.n[TRAIN], CLASSES);
    for (int k = 0; k < made.n; k++)
        look("mean labels", seen.y, made.ybar[k], want, !first || k);
    CHECK(made.n > 0, "%s %s has no mean labels", name, loss);
    int before = seen.looks, reads = strcmp(loss, "csmooth"); /* which reads the labels only */
    workspace_forward(t->train, 1);
    CHECK((seen.looks > before) == !!reads, "%s %s: no cluster means while training", name, loss);
    before = seen.looks;
    workspace_forward(t->val, 0);
    CHECK((seen.looks > before) == !!reads, "%s %s: no cluster means when predicting", name, loss);
    seen.t = NULL;
    trainer_free(t);
    problem_close(p);
    return seen.looks;
}

TEST_MAIN(test_clusters)
{
    blas_init();
    watching = 1;
    for (int b = 0; backbones[b]; b++) {
        int looks = 0, count = 0;
        for (int o = 0; objectives[o]; o++)
            if (objectives[o]->clusters)
                looks += check_cell(backbones[b]->name, objectives[o]->name, !count++);
        printf("%-8s %d objectives, %d matrices of cluster inputs: the same\n", backbones[b]->name, count, looks);
    }
    return test_end();
}
