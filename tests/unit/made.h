/* made: shared by the tests of data sets. */
#ifndef JCB_MADE_H
#define JCB_MADE_H

#include "../../src/base/err.h"
#include "../../src/data/twin.h"
#include "test.h"
#include <unistd.h>

static arena all;
static catalog cat;
static const char *catalog_path, *dir; /* dir: temporary, removed at the end */

static inline void made_start(const char *test)
{
    const char *src = getenv("srcdir"), *tmp = getenv("TMPDIR");
    char *name = arena_printf(&all, "%s/jcb-test.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    err_program = test;
    dir = mkdtemp(name);
    if (!dir)
        die("cannot create %s", name);
    catalog_path = arena_printf(&all, "%s/data/catalog.tsv", src && *src ? src : ".");
    cat = catalog_read(&all, catalog_path);
}

static inline int made_end(void)
{
    test_remove(dir);
    arena_free(&all);
    return test_end();
}

static inline double skew_of(const dataset *d)
{
    double sum = 0, squares = 0, n = 0;
    for (int i = 0; i < d->nodes; i++) {
        double degree = (double)(d->graph.ptr[i + 1] - d->graph.ptr[i]);
        if (degree > 0)
            n++, sum += log(degree), squares += log(degree) * log(degree);
    }
    return sqrt(squares / n - sum / n * (sum / n));
}

static inline dataset make_twin(arena *a, const catalog_entry *e)
{
    arena tmp = {0};
    draft f = {0};
    twin_make(a, &tmp, &f, e);
    dataset_finish(a, &f, e->name);
    arena_free(&tmp);
    return f.d;
}

/* Counts, homophily, skew and class sizes. */
static inline void check_against_catalogue(const dataset *d, const catalog_entry *e)
{
    CHECK(d->nodes == e->nodes && d->features == e->features && d->classes == e->classes,
          "%s: %d nodes, %d features, %d classes", e->name, d->nodes, d->features, d->classes);
    double edges = (double)csr_nnz(&d->graph) / 2;
    CHECK(fabs(edges / (double)e->edges - 1) <= 0.01, "%s: %.0f edges", e->name, edges);
    CHECK(e->multi || fabs(dataset_homophily(d) - e->homophily) <= 0.03, "%s: homophily %g", e->name,
          dataset_homophily(d));
    CHECK(isnan(e->skew) || fabs(skew_of(d) / e->skew - 1) <= 0.15, "%s: skew %g", e->name, skew_of(d));
    int wrong = 0;
    for (int c = 0; c < e->nsizes; c++) {
        int n = 0;
        for (int i = 0; i < d->nodes; i++)
            n += d->y[i] == c;
        wrong += n != e->class_size[c];
    }
    CHECK(!wrong, "%s: %d classes of another size", e->name, wrong);
}

#endif
