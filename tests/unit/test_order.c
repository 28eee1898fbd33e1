/* The order of runs (choice.h), played over the published runs: two workers, the seconds and values that the records
 * have, verdicts as jcb reproduce computes them. Compared with rounds (every printed cell once, twice, ...) and with an
 * oracle that knows how many pairs each comparison needs.
 *
 * The figure doc/order.svg: ORDER=DIR make check TESTS=tests/unit/test_order.c; plots/draw.sh DIR svg */
#include "../../src/base/file.h"
#include "../../src/result/anytime.h"
#include "../../src/result/definitions.h"
#include "../../src/result/verdicts.h"
#include "../../src/run/bench.h"
#include "../../src/run/costs.h"
#include "test.h"
#include <math.h>
#include <unistd.h>

enum { WORKERS = 2, RUNS = 100 };

typedef struct worker {
    int cell; /* -1: idle */
    int run;
    double until;
} worker;

typedef struct play {
    arena a;
    queue q;
    verdicts *v;
    records all;               /* published */
    const record *(*of)[RUNS]; /* of each cell: its runs */
    double *known;             /* of each comparison: pairs at which the published runs decide it, INFINITY: none */
    choice_cell *cell;
    records so_far;
    double now, judged;
    worker w[WORKERS];
} play;

/* --- what was published --- */

static void read_published(play *p)
{
    char dir[] = "/tmp/test_orderXXXXXX", command[4500];
    CHECK(mkdtemp(dir), "%s", dir);
    snprintf(command, sizeof command, "tar -C %s -xJf '%s'", dir, test_path("doc/records.tar.xz"));
    CHECK(system(command) == 0, "%s", command);
    p->all = records_read(&p->a, arena_printf(&p->a, "%s/records", dir));
    test_remove(dir);
    p->of = arena_alloc(&p->a, (size_t)p->q.cells, sizeof *p->of);
    for (int k = 0; k < p->q.cells; k++)
        for (int i = 0; i < p->all.n; i++) {
            const record *r = p->all.v + i;
            if (r->run >= 0 && r->run < RUNS && queue_looks_like(p->q.cell + k, r))
                p->of[k][r->run] = r;
        }
}

static void set_up(play *p)
{
    p->q.data = arena_printf(&p->a, "%s", test_path("data"));
    p->q.specs = arena_printf(&p->a, "%s", test_path("bench/specs"));
    p->q.out = "none";
    p->q.runs = RUNS;
    p->q.seed = 1;
    bench_shelf shelf = {.a = &p->a, .dir = arena_printf(&p->a, "%s", test_path("bench"))};
    for (bench *const *b = bench_all(&shelf); *b; b++)
        queue_add(&p->q, *b);
    p->v = (verdicts *)verdicts_open(&p->a, &p->q, arena_printf(&p->a, "%s", test_path("paper_tables")), 0);
    read_published(p);
    CHECK(chdir(test_path(".")) == 0, "data/costs.tsv is there");
    costs_open(&p->q);
}

/* --- the game --- */

static void start(play *p)
{
    p->cell = NEW(&p->a, choice_cell, (size_t)p->q.cells);
    p->so_far = (records){.v = NEW(&p->a, record, (size_t)p->all.n + 1)};
    p->now = p->judged = 0;
    for (int i = 0; i < WORKERS; i++)
        p->w[i].cell = -1;
    for (int k = 0; k < p->q.cells; k++) {
        choice_cell *c = p->cell + k;
        int n = 0;
        while (n < RUNS && p->of[k][n])
            n++;
        *c = (choice_cell){.seconds = p->q.cell[k].seconds,
                           .max_runs = n,
                           .printed = p->v->goals.printed[k],
                           .large = queue_large(p->q.cell + k),
                           .figure = queue_draws(p->q.cell + k),
                           .gone = !n};
    }
    for (int i = 0; i < p->v->goals.claims; i++) {
        choice_claim *q = p->v->goals.claim + i;
        q->open = 1, q->n = 0, q->more = VERDICTS_UNKNOWN, q->stand_in = 0;
        if (q->a >= 0 && q->b >= 0)
            p->cell[q->a].claims++, p->cell[q->b].claims++;
    }
}

static void judge(play *p, int oracle)
{
    verdicts_judge(p->v, &p->so_far, NULL);
    p->judged = p->now;
    for (int i = 0; i < p->v->goals.claims && oracle; i++) {
        choice_claim *q = p->v->goals.claim + i;
        q->more = p->known[i] - q->n;
    }
}

static void end_run(play *p, worker *w)
{
    const record *r = p->of[w->cell][w->run];
    p->so_far.v[p->so_far.n++] = *r;
    p->v->goals.touch(&p->v->goals, r->experiment);
    w->cell = -1;
}

static void begin_run(play *p, worker *w, const choice_rule *rule)
{
    const choice_input in = {p->cell, p->q.cells, p->v->goals.claim, p->v->goals.claims};
    int k = choice_next(&in, rule);
    w->cell = k >= 0 ? k : -1;
    if (k < 0)
        return;
    w->run = p->cell[k].next++;
    double seconds = p->of[k][w->run]->number[RUN_train_seconds]; /* NaN: curves, t-SNE */
    w->until = p->now + (seconds > 0 ? seconds : p->cell[k].seconds);
}

/* Until the time limit, or nothing is left; every look of `at` seconds gives the comparisons decided so far. */
static void run(play *p, choice_rule rule, int oracle, const double *at, int *decided, int looks)
{
    int look = 0;
    start(p);
    judge(p, oracle);
    rule.jobs = WORKERS;
    while (look < looks) {
        worker *first = NULL;
        for (worker *w = p->w; w < p->w + WORKERS; w++) {
            rule.time = at[looks - 1], rule.left = rule.time - p->now;
            if (w->cell < 0)
                begin_run(p, w, &rule);
            if (w->cell >= 0 && (!first || w->until < first->until))
                first = w;
        }
        double next = first ? first->until : INFINITY;
        for (; look < looks && at[look] < next; look++) {
            judge(p, oracle);
            decided[look] = p->v->goals.decided[0];
        }
        if (!first || look == looks)
            break;
        p->now = next;
        end_run(p, first);
        if (p->now - p->judged > fmax(0.5, p->now / 60))
            judge(p, oracle);
    }
}

/* --- what the oracle knows --- */

/* About: e-Holm asks for an E of 20 to 20 times the number of comparisons. */
static int decides(const contrast *k, int pairs)
{
    return exp(k->log_e[pairs - 1]) >= 2 / ANYTIME_ALPHA ||
           anytime_equal(anytime_interval(k->x, pairs, ANYTIME_ALPHA), k->a->metric->equal);
}

static void read_outcomes(play *p)
{
    p->known = NEW(&p->a, double, (size_t)p->v->goals.claims + 1);
    for (int t = 0; t < p->v->tables; t++) {
        const table_def *d = definitions.table + t;
        paper printed = paper_read(&p->a, p->v->paper_dir, d->label);
        table_cell *c = cells_make(&p->a, d, &printed, &p->all);
        int n;
        contrast *k = contrasts_decide(&p->a, d, c, printed.n, NULL, &n);
        for (int i = 0; i < n && d->scheduled; i++) {
            double *pairs = p->known + p->v->first[t] + i;
            *pairs = INFINITY;
            for (int j = 0; j < k[i].n && isinf(*pairs); j++)
                if (decides(k + i, j + 1))
                    *pairs = j + 1;
            if (k[i].verdict == OPEN || k[i].verdict == CLAIM_NOT_RUN)
                *pairs = INFINITY;
        }
    }
}

/* --- figures and tables --- */

/* Experiments that are figures of the paper and have no run. */
static int figures_lack(const play *p)
{
    int n = 0;
    const bench *seen = NULL;
    for (int k = 0; k < p->q.cells; k++) {
        const bench *b = p->q.cell[k].file->b;
        if (b->figure && b != seen) {
            int runs = 0;
            for (int i = 0; i < p->q.cells; i++)
                runs += p->q.cell[i].file->b == b ? p->cell[i].next : 0;
            n += !runs;
            seen = b;
        }
    }
    return n;
}

/* The tables of the paper that have published runs and none in this play. */
static int tables_lack(const play *p)
{
    char can[CHOICE_TABLES] = {0}, have[CHOICE_TABLES] = {0};
    int n = 0;
    for (int k = 0; k < p->q.cells; k++) {
        can[p->cell[k].printed] |= !p->cell[k].gone;
        have[p->cell[k].printed] |= p->cell[k].next > 0;
    }
    for (int t = 1; t < CHOICE_TABLES; t++)
        n += can[t] && !have[t];
    return n;
}

/* Printed cells on small graphs that can have three runs and have fewer. */
static int cells_lack(const play *p, int *of)
{
    int n = 0;
    *of = 0;
    for (int k = 0; k < p->q.cells; k++) {
        const choice_cell *c = p->cell + k;
        if (c->printed && !c->large && c->max_runs >= 3)
            ++*of, n += c->next < 3;
    }
    return n;
}

enum { LOOKS = 120, STEP = 5, MINUTE = 60 / STEP, HOUR = 60, ROUNDS = 0, PRICE, ORACLE, RULES };

static void write_figure(const char *dir, int decided[RULES][LOOKS], const double *at)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/order.txt", dir);
    static const char title[] = "Comparisons decided over time, on two cores, by the order of runs\n";
    file_write(path, title, sizeof title - 1);
    snprintf(path, sizeof path, "%s/order.tsv", dir);
    FILE *f = fopen(path, "w");
    CHECK(f != NULL, "%s", path);
    if (!f)
        return;
    fprintf(f, "# plots/order.gp\nminutes\trounds\tprice\toracle\n0\t0\t0\t0\n");
    for (int i = 0; i < LOOKS; i++)
        fprintf(f, "%g\t%d\t%d\t%d\n", at[i] / 60, decided[ROUNDS][i], decided[PRICE][i], decided[ORACLE][i]);
    CHECK(!fclose(f), "%s", path);
}

TEST_MAIN(test_order)
{
    static const char *const name[RULES] = {"rounds", "price", "oracle"};
    static play p;
    static double at[LOOKS], hour_at[HOUR];
    static int decided[RULES][LOOKS], minute[MINUTE], hour[HOUR];
    const char *out = getenv("ORDER");
    if (!file_exists(test_path("doc/records.tar.xz"))) {
        printf("no published records\n");
        return 77;
    }
    for (int i = 0; i < LOOKS; i++)
        at[i] = STEP * (i + 1);
    set_up(&p);
    read_outcomes(&p);
    for (int r = 0; r < RULES; r++) {
        choice_rule rule = choice_default;
        rule.rounds = r == ROUNDS ? rule.fill : 0;
        run(&p, rule, r == ORACLE, at, decided[r], LOOKS);
        int bare_tables = tables_lack(&p), bare_figures = figures_lack(&p);
        printf("%s: %d comparisons decided after 1 minute, %d after 5, %d after 10; without a run: %d tables, %d "
               "figures\n",
               name[r], decided[r][MINUTE - 1], decided[r][5 * MINUTE - 1], decided[r][LOOKS - 1], bare_tables,
               bare_figures);
        if (r == PRICE) {
            CHECK(decided[r][MINUTE - 1] >= 40, "%d decided after 1 minute", decided[r][MINUTE - 1]);
            CHECK(decided[r][LOOKS - 1] >= 120, "%d decided after 10 minutes", decided[r][LOOKS - 1]);
            CHECK(!bare_tables && !bare_figures, "%d tables and %d figures without a run", bare_tables, bare_figures);
        }
    }
    for (int i = 0; i < HOUR; i++)
        hour_at[i] = 60 * (i + 1);
    run(&p, choice_default, 0, hour_at, hour, HOUR);
    int cells, few = cells_lack(&p, &cells);
    printf("price, with one hour: %d decided; %d of %d cells on small graphs have fewer than three runs\n",
           hour[HOUR - 1], few, cells);
    CHECK(!few, "%d cells", few);
    run(&p, choice_default, 0, at, minute, MINUTE);
    printf("price, with one minute in all: %d\n", minute[MINUTE - 1]);
    CHECK(minute[MINUTE - 1] >= 40, "%d decided", minute[MINUTE - 1]);
    for (int i = 0; i < LOOKS; i++) {
        CHECK(decided[PRICE][i] >= decided[ROUNDS][i], "%g s: rounds are ahead", at[i]);
        CHECK(at[i] < 60 || decided[PRICE][i] >= .7 * decided[ORACLE][i], "%g s: %d decided, by the oracle %d", at[i],
              decided[PRICE][i], decided[ORACLE][i]);
    }
    if (out)
        write_figure(out, decided, at);
    return test_end();
}
