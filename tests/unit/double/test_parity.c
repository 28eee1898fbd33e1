/* Every backbone x objective against an independent implementation, in double: its numbers are frozen in
 * tests/fixtures/parity/, and README.md says how they were made. From the same data and parameters: class probabilities
 * of all nodes, the gradient of the training loss, the losses of ten epochs, and the probabilities after them. Features
 * are tried sparse and dense. */
#include "../../../src/base/err.h"
#include "../../../src/base/file.h"
#include "../../../src/kernel/blas.h"
#include "../../../src/net/loss/loss.h"
#include "../../../src/train/problem_fields.h"
#include "../../../src/train/trainer.h"
#include "../cell_of.h"
#include "../test.h"
#include <dirent.h>

#define CLOSE 1e-9 /* largest difference / largest value of each block ... */
#define SMALL 1e-3 /* ... or this, where rounding is all there is: the gradient of a bias below batch normalisation */

/* Cells without a reference: there is no definition to check them against. */
static const char *const unchecked[] = {"gat-mixup"};

typedef struct block {
    const char *kind, *name; /* param; state: a parameter that is not learned; gradient; result */
    int rows, cols;
    double *v;
} block;

typedef struct fixture {
    arena a;
    const char *dir, *file, *toy;
    int dense;
    spec s;
    int n;
    block b[2 * MAX_PARAMS + 3];
    double prob, gradient, loss; /* differences found */
    real *losses;
} fixture;

static const char *word(fixture *f, char **at)
{
    char *w = strtok_r(NULL, " \n", at);
    if (!w)
        die("%s: ends early", f->file);
    return w;
}

static void read_fixture(fixture *f)
{
    char *path = arena_printf(&f->a, "%s/%s", f->dir, f->file), *at;
    bytes text = file_read(&f->a, path, 0);
    f->s = spec_default();
    for (char *w = strtok_r((char *)text.p, " \n", &at); w; w = strtok_r(NULL, " \n", &at)) {
        const char *name = word(f, &at);
        if (!strcmp(w, "spec")) {
            spec_set(&f->s, name, word(f, &at));
            continue;
        }
        if (f->n == (int)(sizeof f->b / sizeof *f->b))
            die("%s: too many blocks", f->file);
        block *b = f->b + f->n++;
        *b = (block){.kind = w, .name = name, .rows = atoi(word(f, &at))};
        b->cols = atoi(word(f, &at));
        b->v = NEW(&f->a, double, (size_t)b->rows *(size_t)b->cols);
        for (int i = 0; i < b->rows * b->cols; i++) {
            const char *x = word(f, &at);
            char *end;
            b->v[i] = strtod(x, &end);
            if (*end)
                die("%s: '%s' in %s %s", f->file, x, b->kind, b->name);
        }
    }
}

static const block *find(const fixture *f, const char *kind, const char *name)
{
    for (int i = 0; i < f->n; i++)
        if (!strcmp(f->b[i].kind, kind) && !strcmp(f->b[i].name, name))
            return f->b + i;
    die("%s: no %s %s", f->file, kind, name);
}

static void compare(fixture *f, double *worst, const real *ours, const block *b)
{
    double most = 0, error = 0;
    for (int i = 0; i < b->rows * b->cols; i++) {
        double e = fabs((double)ours[i] - b->v[i]);
        error = e > error || isnan(e) ? e : error;
        most = fmax(most, fabs(b->v[i]));
    }
    most = fmax(most, SMALL);
    CHECK(error <= CLOSE * most, "%s: %s %s differs by %g, of at most %g", f->file, b->kind, b->name, error, most);
    *worst = fmax(*worst, error / most);
}

/* Fixtures NAME-multi: node i also has every label k with (i + k) mod 3 = 0. */
static void more_labels(problem *p)
{
    dataset *d = (dataset *)p->d;
    d->ym = NEW(&p->a, unsigned char, (size_t)d->nodes *(size_t)d->classes);
    for (int i = 0; i < d->nodes; i++)
        for (int k = 0; k < d->classes; k++)
            d->ym[i * d->classes + k] = d->y[i] == k || (i + k) % 3 == 0;
    d->y = NULL;
}

/* The data set with its clusters in place of METIS's. */
static problem *open_toy(fixture *f)
{
    data_dirs dirs = {.raw = "", .cache = ""};
    spec s = spec_default();
    s.dataset = f->toy;
    problem *p = problem_open(&dirs, &s);
    p->part = NEW(&p->a, struct problem_partition_entry, 1);
    p->part[0].p = partition_read(&p->a, arena_printf(&f->a, "%s/clusters.txt", f->toy), p->d->nodes);
    p->part[0].rule = f->s.partition;
    p->part[0].clusters = p->part[0].p.clusters;
    p->npartitions = 1;
    if (strstr(f->file, "-multi."))
        more_labels(p);
    if (f->dense) {
        p->xd[0] = mat_new(&p->a, p->d->nodes, p->d->features);
        for (int i = 0; i < p->d->nodes; i++)
            for (int64_t k = p->xs[0].ptr[i]; k < p->xs[0].ptr[i + 1]; k++)
                mat_row(p->xd[0], i)[p->xs[0].idx[k]] = p->xs[0].val[k];
        p->xs[0] = (csr){0};
    }
    return p;
}

/* Parameter k of the model, in the order of the file. */
static const block *param_block(const fixture *f, int k)
{
    for (int i = 0; i < f->n; i++)
        if ((!strcmp(f->b[i].kind, "param") || !strcmp(f->b[i].kind, "state")) && k-- == 0)
            return f->b + i;
    return NULL;
}

static void set_params(const fixture *f, const trainer *t)
{
    for (int k = 0; k < t->m->nparams; k++) {
        const block *b = param_block(f, k);
        const param *q = t->m->params + k;
        if (!b)
            die("%s: fewer parameters than the model's %d", f->file, t->m->nparams);
        if (b->rows != q->rows || b->cols != q->cols)
            die("%s: %s is %d x %d, the model's %d x %d", f->file, b->name, b->rows, b->cols, q->rows, q->cols);
        for (int i = 0; i < b->rows * b->cols; i++)
            t->net.w[q->at + (size_t)i] = (real)b->v[i];
    }
    if (param_block(f, t->m->nparams))
        die("%s: more parameters than the model's %d", f->file, t->m->nparams);
}

static void check_val(fixture *f, const trainer *t, const block *all)
{
    for (int i = 0; i < t->part.n[VAL]; i++) {
        block row = {"validation", all->name, 1, all->cols, all->v + t->part.idx[VAL][i] * all->cols};
        compare(f, &f->prob, mat_row(t->val->prob, i), &row);
    }
}

static void after_epoch(void *arg, const trainer *t, int epoch)
{
    fixture *f = arg;
    f->losses[epoch - 1] = (real)t->train->loss;
    if (epoch == t->c.s.epochs)
        check_val(f, t, find(f, "result", "trained"));
}

static void check_trainer(fixture *f, trainer *t)
{
    int nodes = t->data.nodes, *all = NEW(&f->a, int, (size_t)nodes);
    const block *prob = find(f, "result", "prob"), *losses = find(f, "result", "losses");
    for (int i = 0; i < nodes; i++)
        all[i] = i;
    set_params(f, t);
    compare(f, &f->prob, trainer_predict(t, all, nodes).v, prob);
    workspace_forward(t->val, 0);
    check_val(f, t, prob);

    workspace_forward(t->train, 0);
    workspace_backward(t->train);
    for (int k = 0; k < t->m->nparams; k++)
        if (!strcmp(param_block(f, k)->kind, "param"))
            compare(f, &f->gradient, t->net.g + t->m->params[k].at, find(f, "gradient", param_block(f, k)->name));

    outcome o;
    f->losses = NEW(&f->a, real, (size_t)losses->cols);
    set_params(f, t); /* the pass above has moved the running statistics */
    trainer_fit(t, &o, after_epoch, f);
    CHECK(!strcmp(o.status, "ok"), "%s: %s", f->file, o.status);
    compare(f, &f->loss, f->losses, losses);
}

static void check_fixture(void *arg)
{
    fixture *f = arg;
    read_fixture(f);
    f->s.epochs = find(f, "result", "losses")->cols;
    problem *p = open_toy(f);
    problem_prepare(p, CELL(&f->s));
    if (p->npartitions != 1)
        die("%s: asks for %d clusters, toy has %d", f->file, f->s.clusters, p->part[0].clusters);
    trainer *t = trainer_new(p, CELL(&f->s), 1, 0);
    check_trainer(f, t);
    trainer_free(t);
    problem_close(p);
}

static void run(const char *dir, const char *file, const char *toy, int dense)
{
    fixture *f = calloc(1, sizeof *f);
    *f = (fixture){.dir = dir, .file = file, .toy = toy, .dense = dense};
    const char *why = err_try(check_fixture, f);
    CHECK(!why, "%s features: %s", dense ? "dense" : "sparse", why);
    if (!why)
        printf("%-22s %-6s probabilities %.1e  gradient %.1e  losses %.1e\n", file, dense ? "dense" : "sparse", f->prob,
               f->gradient, f->loss);
    arena_free(&f->a);
    free(f);
}

/* Registered cells without a fixture are named; those that had one still have it. */
static void check_covered(const char *dir)
{
    enum { KNOWN = 72 }; /* cells with a fixture, and gat-mixup */
    arena a = {0};
    int found = 0;
    for (int b = 0; backbones[b]; b++)
        for (int o = 0; objectives[o]; o++) {
            char *name = arena_printf(&a, "%s-%s", backbones[b]->name, objectives[o]->name);
            int known = file_exists(arena_printf(&a, "%s/%s.txt", dir, name));
            for (size_t k = 0; k < sizeof unchecked / sizeof *unchecked; k++)
                if (!strcmp(name, unchecked[k]))
                    known = 1, printf("%s has no reference\n", name);
            if (!known)
                printf("%s: skipped, tests/fixtures/parity/%s.txt is missing; tests/README.md says how to make it\n",
                       name, name);
            found += known;
        }
    CHECK(found >= KNOWN, "%d cells have fixtures, %d had", found, KNOWN);
    arena_free(&a);
}

static int is_fixture(const struct dirent *e)
{
    size_t n = strlen(e->d_name);
    return n > 4 && !strcmp(e->d_name + n - 4, ".txt");
}

/* test_parity [DIR]: the fixtures of the tree, or those in DIR (made by reference/jc). */
TEST_MAIN(test_parity)
{
    blas_init();
    const char *src = getenv("srcdir");
    char own[4000], toy[4096], *dir = argc > 1 ? argv[1] : own;
    snprintf(own, sizeof own, "%s/tests/fixtures/parity", src ? src : ".");
    snprintf(toy, sizeof toy, "%s/toy", own);
    struct dirent **entry;
    int n = scandir(dir, &entry, is_fixture, alphasort);
    CHECK(n > 0, "no fixtures in %s", dir);
    for (int i = 0; i < n; i++) {
        for (int dense = 0; dense < 2; dense++)
            run(dir, entry[i]->d_name, toy, dense);
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
    if (argc < 2)
        check_covered(dir);
    return test_end();
}
