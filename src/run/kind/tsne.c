/* t-sne: training; the curve is a t-SNE of the embeddings of all nodes.
 *
 * The embeddings are z, the input of the head, of all nodes at the chosen epoch, without dropout. Curve files have the
 * columns node, class, x, y, after comment lines with the silhouette in the space of z (all nodes, each class) and in
 * the picture. */
#include "../queue.h"
#include "../../base/file.h"
#include "../../kernel/silhouette.h"
#include "../../kernel/tsne.h"
#include "../../base/buf.h"
#include <stdio.h>
#include <string.h>

static void draw(bench_run *r)
{
    trainer *t = r->t;
    const dataset *d = problem_dataset(t->p);
    double *by_class = NEW(&t->a, double, (size_t)d->classes);
    buf b = {.a = &t->a};
    mat z = trainer_embed(t);
    tsne s = tsne_run(&t->a, z, TSNE_PERPLEXITY, TSNE_STEPS, t->seed, t->run);
    buf_add(&b, "# silhouette %.6f\n", silhouette(by_class, z, d->y, d->classes));
    for (int c = 0; c < d->classes; c++)
        buf_add(&b, "# silhouette.class %d %.6f\n", c, by_class[c]);
    buf_add(&b, "# silhouette2 %.6f\n# kl %.6f\n# perplexity %g\n", silhouette(NULL, s.at, d->y, d->classes), s.kl,
            s.perplexity);
    buf_add(&b, "node\tclass\tx\ty\n");
    for (int i = 0; i < d->nodes; i++) {
        int row = dataset_row(d, i);
        buf_add(&b, "%d\t%d\t%.5g\t%.5g\n", i, d->y[row], (double)mat_row(s.at, row)[0], (double)mat_row(s.at, row)[1]);
    }
    file_write(r->curve, b.s, b.n);
}

/* Prints the numbers of the comment lines in order. */
static void show(const cell *c, int run, const char *curve)
{
    static int shown;
    arena a = {0};
    char name[32], value[32];
    const char *line = (const char *)file_read(&a, curve, 0).p;
    if (!shown++)
        printf(
            "\nsilhouettes: all nodes, each class, all nodes in the picture; then KL and perplexity of the picture\n");
    printf("%s %s #%d", c->s.dataset, c->s.loss, run);
    for (const char *end; *line == '#' && (end = strchr(line, '\n')); line = end + 1)
        if (sscanf(line, "# silhouette.class %*d %31s", value) == 1 || sscanf(line, "# %31s %31s", name, value) == 2)
            printf(" %9s", value);
    putchar('\n');
    arena_free(&a);
}

const bench_kind kind_tsne = {.name = "t-sne", KIND_TRAINING, .after = draw, .show = show};
