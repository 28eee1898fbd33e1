/* test_problem: how features are normalised before training. */
#include "../src/base/file.h"
#include "../src/train/problem.h"
#include "made.h"

/* A graph of three nodes with these features, opened. */
static problem *opened(const char *file, const char *text)
{
    static int graphs;
    const char *path = arena_printf(&all, "%s/graph%d", dir, graphs++);
    data_dirs dirs = {catalog_path, dir, ""};
    file_write(arena_printf(&all, "%s/edges.tsv", path), "0 1\n1 2\n", 8);
    file_write(arena_printf(&all, "%s/labels.tsv", path), "0 a\n1 b\n2 a\n", 12);
    file_write(arena_printf(&all, "%s/%s", path, file), text, strlen(text));
    spec s = spec_default();
    s.dataset = path;
    return problem_open(&dirs, &s);
}

static void check_features(const problem *p, int sparse, const double *want, const char *what)
{
    CHECK((p->xs[0].rows == 3) == sparse && (p->xd[0].rows == 3) == !sparse, "%s: which matrix", what);
    for (int i = 0; i < 3; i++) {
        double have[3] = {0};
        for (int64_t k = sparse ? p->xs[0].ptr[i] : 0; sparse && k < p->xs[0].ptr[i + 1]; k++)
            have[p->xs[0].idx[k]] = (double)p->xs[0].val[k];
        for (int j = 0; j < 3 && !sparse; j++)
            have[j] = (double)mat_row(p->xd[0], i)[j];
        for (int j = 0; j < 3; j++)
            CHECK(fabs(have[j] - want[3 * i + j]) < 1e-7, "%s: (%d, %d) is %g, not %g", what, i, j, have[j],
                  want[3 * i + j]);
    }
}

int main(void)
{
    made_start("test_problem");
    /* Without negative entries: rows divided by their sum, also where it is below 1; rows of zeros stay. */
    static const double plain[] = {0.25, 0, 0.75, 0, 0, 0, 0.2, 0.4, 0.4};
    problem *p = opened("features.tsv", "1 0 3\n0 0 0\n0.1 0.2 0.2\n");
    check_features(p, 0, plain, "dense");
    problem_close(p);
    p = opened("features.svm", "0 0:1 2:3\n2 0:0.1 1:0.2 2:0.2\n");
    check_features(p, 1, plain, "sparse");
    problem_close(p);
    /* With them: X + 2 first, zeros included, then the rows. The row of the smallest entries stays zero. */
    static const double shifted[] = {3.0 / 10, 2.0 / 10, 5.0 / 10, 0, 0, 0, 1.0 / 5, 2.0 / 5, 2.0 / 5};
    p = opened("features.tsv", "1 0 3\n-2 -2 -2\n-1 0 0\n");
    check_features(p, 0, shifted, "dense, negative entries");
    problem_close(p);
    p = opened("features.svm", "0 0:1 2:3\n1 0:-2 1:-2 2:-2\n2 0:-1\n");
    check_features(p, 0, shifted, "sparse, negative entries");
    problem_close(p);
    return made_end();
}
