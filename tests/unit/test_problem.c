/* test_problem: how features are normalised before training. */
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "../../src/train/problem_fields.h"
#include "made.h"

/* A graph of three nodes with these features, opened. */
static problem *opened_norm(const char *file, const char *text, enum spec_norm norm)
{
    static int graphs;
    const char *path = arena_printf(&all, "%s/graph%d", dir, graphs++);
    data_dirs dirs = {cat, dir, "", 1};
    file_write(arena_printf(&all, "%s/edges.tsv", path), "0 1\n1 2\n", 8);
    file_write(arena_printf(&all, "%s/labels.tsv", path), "0 a\n1 b\n2 a\n", 12);
    file_write(arena_printf(&all, "%s/%s", path, file), text, strlen(text));
    spec s = spec_default();
    s.dataset = path;
    s.norm = norm;
    return problem_open(&dirs, &s);
}

static problem *opened(const char *file, const char *text) { return opened_norm(file, text, NORM_AUTO); }

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

static void bad_norm(void *unused)
{
    (void)unused;
    spec s = spec_default();
    spec_set(&s, "norm", "rows");
}

/* The other preparations, worked out by hand. */
static void test_norms(void)
{
    /* pyg: the smallest entry goes, whatever its sign; a sum below 1 is not scaled up. */
    static const double as_pyg[] = {0.5, 0, 0.5, 0.25, 0.5, 0.25, 0, 0.25, 0.125};
    problem *p = opened_norm("features.tsv", "3 2 3\n3 4 3\n2 2.25 2.125\n", NORM_PYG);
    check_features(p, 0, as_pyg, "pyg, dense");
    problem_close(p);
    static const double kept[] = {0.25, 0, 0.75, 0, 0, 0, 0.125, 0.25, 0.25};
    p = opened_norm("features.svm", "0 0:1 2:3\n2 0:0.125 1:0.25 2:0.25\n", NORM_PYG);
    check_features(p, 1, kept, "pyg, sparse: zeros are the smallest");
    problem_close(p);
    static const double below[] = {3.0 / 8, 2.0 / 8, 3.0 / 8, 0.25, 0, 0.5, 1.0 / 3, 1.0 / 3, 1.0 / 3};
    p = opened_norm("features.svm", "0 0:1 2:1\n1 0:-1.75 1:-2 2:-1.5\n", NORM_PYG);
    check_features(p, 0, below, "pyg, sparse with negative entries");
    problem_close(p);
    /* standard: sd with divisor n; a constant column becomes 0. */
    double r = sqrt(1.5);
    const double as_standard[] = {-r, 0, sqrt(2), 0, 0, -1 / sqrt(2), r, 0, -1 / sqrt(2)};
    p = opened_norm("features.tsv", "1 0.1 6\n2 0.1 0\n3 0.1 0\n", NORM_STANDARD);
    check_features(p, 0, as_standard, "standard, dense");
    problem_close(p);
    const double from_sparse[] = {sqrt(2), 0, r, -1 / sqrt(2), 0, 0, -1 / sqrt(2), 0, -r};
    p = opened_norm("features.svm", "0 0:3 1:5 2:2\n1 1:5 2:1\n2 1:5\n", NORM_STANDARD);
    check_features(p, 0, from_sparse, "standard, sparse");
    problem_close(p);
    static const double raw[] = {1, 0, -3, 0, 0, 0, 0, 0, 2};
    p = opened_norm("features.svm", "0 0:1 2:-3\n2 2:2\n", NORM_NONE);
    check_features(p, 1, raw, "none");
    problem_close(p);
    CHECK(err_try(bad_norm, NULL) && strstr(err_try(bad_norm, NULL), "standard"), "an unknown norm");
}

TEST_MAIN(test_problem)
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
    test_norms();
    return made_end();
}
