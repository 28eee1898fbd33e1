/* products_effects: whether a field matters. jcb train refuses an option that a run does not read (method_reads). Both
 * directions are checked against the truth, by library calls in a child process: runs that differ in one field have
 * the same bits if it is not read; if it is read, some pair of values gives something else. */
#include "../unit/cell_of.h"
#include "products.h"
#include "../../src/base/err.h"
#include "../../src/base/hash.h"
#include "../../src/data/dataset.h"
#include "../../src/kernel/blas.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS = 14, PAIRS_NEEDED = 8, UNREAD = 3, TRIES = 300 };

typedef struct trial {
    kase *k;
    const spec *s;
    uint64_t hash; /* of everything that a run gives but times */
    int failed;    /* training failed */
} trial;

static void run_trial(void *arg)
{
    trial *t = arg;
    arena a = {0};
    outcome o;
    mat prob = {0};
    data_dirs dirs = {.raw = t->k->data, .cache = ""};
    problem *p = problem_open(&dirs, t->s);
    method_prepare(p, CELL(t->s));
    method_run(&o, p, CELL(t->s), 1, 0, &(run_watch){.prob = &prob, .a = &a});
    t->failed = strcmp(o.status, "ok") != 0;
    if (!t->failed) {
        const double number[] = {o.val_score, o.val_loss, o.test_loss, o.epochs, o.best_epoch, o.val.acc, o.test.acc};
        t->hash = hash_bytes(HASH_INIT, &o.param_hash, sizeof o.param_hash);
        t->hash = hash_bytes(t->hash, prob.v, (size_t)prob.rows * (size_t)prob.cols * sizeof(real));
        t->hash = hash_bytes(t->hash, number, sizeof number);
    }
    arena_free(&a);
    problem_close(p);
}

/* Two legal specs that differ in the field alone. Returns 0 when the draw does not give them. */
static int draw_pair(kase *k, int field, spec s[2])
{
    char buf[2][32];
    combination_draw_fields(k);
    for (int i = 0; i < 2; i++) {
        combination_set(k, spec_name[field], draw_value(k, field, NULL));
        if (!k->c.legal)
            return 0;
        s[i] = k->c.s;
    }
    return strcmp(spec_get(&s[0], field, buf[0]), spec_get(&s[1], field, buf[1])) != 0;
}

typedef struct verdict {
    int pairs, different, unread; /* unread: pairs that method_reads says are equal */
    const char *wrong;            /* such a pair that differs */
} verdict;

static void try_field(kase *k, int field, verdict *v)
{
    spec s[2];
    char buf[32];
    const dataset d = graph_dataset(&k->g);
    for (int t = 0; t < TRIES && v->pairs < PAIRS && v->unread < UNREAD && !v->different; t++) {
        if (!draw_pair(k, field, s))
            continue;
        int reads = method_reads(CELL(&s[0]), field, &d) || method_reads(CELL(&s[1]), field, &d);
        trial one = {.k = k, .s = &s[0]}, other = {.k = k, .s = &s[1]};
        if (err_try(run_trial, &one) || err_try(run_trial, &other) || (one.failed && other.failed))
            continue;
        int differ = one.failed != other.failed || one.hash != other.hash;
        v->pairs += reads, v->unread += !reads, v->different |= reads && differ;
        if (!reads && differ)
            v->wrong = arena_printf(&k->a, "%s=%s against %s", spec_identity(&k->a, &s[0]), spec_name[field],
                                    spec_get(&s[1], field, buf));
        if (v->wrong)
            return;
    }
}

/* In a child process, whose end would otherwise be that of the tester. */
static int in_child(kase *k, int field, verdict *v)
{
    int fd[2], status = 0;
    char text[4096] = "";
    fflush(NULL);
    if (pipe(fd))
        die("no pipe");
    pid_t pid = fork();
    if (!pid) {
        alarm((unsigned)products_limit);
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        blas_init();
        omp_set_num_threads(1);
        try_field(k, field, v);
        int n = snprintf(text, sizeof text, "%d %d %d %s", v->pairs, v->different, v->unread, v->wrong ? v->wrong : "");
        _exit(write(fd[1], text, (size_t)n) != n);
    }
    close(fd[1]);
    ssize_t n = read(fd[0], text, sizeof text - 1);
    close(fd[0]);
    waitpid(pid, &status, 0);
    int at = 0;
    if (n <= 0 || sscanf(text, "%d %d %d %n", &v->pairs, &v->different, &v->unread, &at) != 3)
        return 0;
    v->wrong = text[at] ? arena_printf(&k->a, "%s", text + at) : NULL;
    return status == 0;
}

/* Without links no network reads the graph; an attack changes the data, also where the network reads no graph. */
static int cannot(const kase *k, const char *name) { return !k->g.nlinks || !strcmp(name, "attack"); }

static void effect(kase *k)
{
    int field = draw_below(&k->d, SPEC_COUNT);
    const char *name = spec_name[field];
    verdict v = {0};
    if (!strcmp(name, "dataset") || !strcmp(name, "model") || !strcmp(name, "loss") || !strcmp(name, "method"))
        return;
    const char *of = arena_printf(&k->a, "%s %s %s%s", k->c.s.method, k->c.s.model, k->c.s.loss,
                                  k->g.multi ? ", several labels" : "");
    if (!oracle(k, ORACLE_ends, in_child(k, field, &v), "%s of %s: the library ended the process", name, of))
        return;
    k->accepted += v.pairs > 0;
    if (v.pairs >= PAIRS_NEEDED || v.different)
        oracle(k, ORACLE_effect, v.different || cannot(k, name),
               "%s of %s is read, but %d pairs of values give the same", name, of, v.pairs);
    if (v.unread)
        oracle(k, ORACLE_no_effect, !v.wrong, "%s of %s is not read, but matters: %s", name, of, v.wrong);
}

const kind effect_kinds[] = {{"effect", NULL, 12, effect}, {0}};
