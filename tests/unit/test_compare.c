/* compare: when a comparison is decided, its verdict, warnings, and the page. */
#include "../../src/base/file.h"
#include "../../src/base/tsv.h"
#include "../../src/result/compare.h"
#include "../../src/train/grid.h"
#include "test.h"
#include "wellformed.h"

enum { MOST = 64 };

/* Pairs with these differences around 80 %. */
static compare_pairs pairs(arena *a, const double *x, int n, double margin)
{
    compare_pairs v = {.n = n,
                       .name = {"ce", "jc"},
                       .spec = {"lr=0.01", "tau=<&>"},
                       .about = "a <graph> & more",
                       .score = "accuracy",
                       .search = "Searched, <b>alike</b>.",
                       .command = "jcb compare --dataset '<x>'",
                       .linear = NAN,
                       .margin = margin};
    for (int k = 0; k < 2; k++) {
        v.run[k] = NEW(a, compare_run, MOST);
        for (int i = 0; i < n; i++)
            v.run[k][i] = (compare_run){80 + (k ? x[i] : 0), 5, 81, 50, 200};
    }
    return v;
}

/* The first k with E_k >= 20, by the formula of anytime.h; 0: none. */
static int first_decided(const double *x, int n)
{
    double sum = 0, squares = 0, g = 0.5;
    for (int k = 1; k <= n; k++) {
        sum += x[k - 1], squares += x[k - 1] * x[k - 1];
        double e = pow(1 + k * g, -0.5) * pow(1 - g * sum * sum / ((1 + k * g) * squares), -0.5 * k);
        if (k > 1 && e >= 20)
            return k;
    }
    return 0;
}

static void check_words(arena *a)
{
    double up[MOST], down[MOST], none[MOST], small[MOST], later[MOST];
    for (int i = 0; i < MOST; i++) {
        double noise = i % 3 - 1.0 + 0.1 * (i % 2);
        up[i] = 1.2 + noise, down[i] = -1.2 + noise, none[i] = 3 * noise, small[i] = 0.05 * noise;
        later[i] = i < 20 ? up[i] : -5; /* what comes after the verdict does not change it */
    }
    compare_pairs v = pairs(a, up, MOST, 0.5);
    compare_verdict d = compare_decide(&v);
    int at = first_decided(up, MOST);
    CHECK(at > 2 && at < 20, "the example decides after %d runs", at);
    CHECK(d.word == COMPARE_SECOND && d.at == at, "up: word %d after %d, expected %d", d.word, d.at, at);
    CHECK(fabs(d.mean[0] - 80) < 1e-12 && fabs(d.gain - (d.mean[1] - d.mean[0])) < 1e-12, "means");
    v = pairs(a, later, MOST, 0.5), d = compare_decide(&v);
    CHECK(d.word == COMPARE_SECOND && d.at == at, "later runs changed the word to %d", d.word);
    v = pairs(a, up, at - 1, 0.5), d = compare_decide(&v);
    CHECK(d.word == COMPARE_OPEN && !d.at && d.needed[0] >= 1 && d.needed[0] <= d.needed[1],
          "one run earlier it is open, %g to %g needed", d.needed[0], d.needed[1]);
    v = pairs(a, down, MOST, 0.5), d = compare_decide(&v);
    CHECK(d.word == COMPARE_FIRST && d.at == first_decided(down, MOST), "down: word %d", d.word);
    v = pairs(a, none, MOST, 0.5), d = compare_decide(&v);
    CHECK(d.word == COMPARE_OPEN, "noise: word %d", d.word);
    v = pairs(a, small, MOST, 0.5), d = compare_decide(&v);
    CHECK(d.word == COMPARE_EQUAL && d.interval.lo > -0.5 && d.interval.hi < 0.5, "small differences: word %d", d.word);
    v = pairs(a, small, MOST, 0), d = compare_decide(&v);
    CHECK(d.word != COMPARE_EQUAL, "a margin of 0 is never met");
    v = pairs(a, up, 1, 0.5), d = compare_decide(&v);
    CHECK(d.word == COMPARE_OPEN && isinf(d.interval.lo), "one run decides nothing");
}

/* Below a linear model nothing is concluded: by more than five points, or at all where training had not ended. */
static void check_untrained(arena *a)
{
    double up[MOST];
    buf text = {.a = a};
    for (int i = 0; i < MOST; i++)
        up[i] = 1.2 + 0.1 * (i % 3);
    compare_pairs v = pairs(a, up, MOST, 0.5);
    v.linear = 84, v.linear_hops = 2;
    CHECK(compare_decide(&v).word == COMPARE_SECOND, "three points below a linear model");
    v.linear = 87;
    compare_verdict d = compare_decide(&v);
    CHECK(d.word == COMPARE_UNTRAINED && !d.at, "six points below a linear model");
    compare_sentence(&text, &v, &d);
    CHECK(strstr(text.s,
                 "Not trained enough to compare ce and jc on a <graph> & more: on validation nodes ce has 81.0 % "
                 "and jc has 81.0 %, a linear model on the propagated features 87.0 %.") &&
              !strstr(text.s, "better") && !strstr(text.s, "difference"),
          "%s", text.s);
    v.linear = 82;
    for (int i = 0; i < MOST; i++)
        v.run[1][i].best_epoch = 199;
    CHECK(compare_decide(&v).word == COMPARE_UNTRAINED, "below a linear model, and the last epochs are the best");
    v.linear = 80;
    CHECK(compare_decide(&v).word == COMPARE_SECOND, "above a linear model");
}

/* Several models share the level of 5 %. */
static void check_level(arena *a)
{
    double x[MOST];
    for (int i = 0; i < MOST; i++)
        x[i] = 1 + 1.2 * (i % 3 - 1);
    compare_pairs v = pairs(a, x, MOST, 0.5);
    compare_verdict one = compare_decide(&v);
    v.models = 5;
    compare_verdict five = compare_decide(&v);
    CHECK(one.at && five.at > one.at, "decided after %d, of five models after %d", one.at, five.at);
    CHECK(five.interval.lo < one.interval.lo && five.interval.hi > one.interval.hi, "a wider interval");
    v.splits = 10, v.test_train = 0.5;
    double sd = stats_sd(x, MOST);
    CHECK(fabs(compare_decide(&v).se_splits - sd * sqrt(1.0 / MOST + 0.5)) < 1e-12, "Nadeau and Bengio");
}

/* Of the points of the search each six in a row use two values three times and three values twice (a seed
 * without a repeated point), and a key has the
 * same values in the grids of both losses. */
static void check_balanced(arena *a)
{
    enum { POINTS = 6 };
    spec base = spec_default(), *one, *two;
    grid short_grid = grid_parse(a, "lr=.1,.2,.3 hidden=7,8 wd=1,2,3"),
         long_grid = grid_parse(a, "lr=.1,.2,.3 tau=3,4,5,6 hidden=7,8 wd=1,2,3");
    CHECK(grid_points(a, &one, &short_grid, &base, POINTS, 1, 2) == POINTS + 1 &&
              grid_points(a, &two, &long_grid, &base, POINTS, 1, 2) == POINTS + 1,
          "number of points");
    int lr[3] = {0}, hidden[2] = {0};
    for (int i = 1; i <= POINTS; i++) {
        lr[(int)round(10 * one[i].lr) - 1]++, hidden[one[i].hidden - 7]++;
        CHECK(one[i].lr == two[i].lr && one[i].hidden == two[i].hidden && one[i].wd == two[i].wd, "point %d", i);
    }
    CHECK(lr[0] == 2 && lr[1] == 2 && lr[2] == 2 && hidden[0] == 3, "balanced: %d %d %d, %d", lr[0], lr[1], lr[2],
          hidden[0]);
}

static void no_references(void *arg, const char *tag, const char *name, const char *value)
{
    (void)arg;
    int inside = *value == '#' || !strncmp(value, "data:", 5);
    CHECK(inside || (strcmp(name, "src") && strcmp(name, "href")), "<%s %s=%s>: the page stands alone", tag, name,
          value);
}

static void check_text(arena *a)
{
    double x[] = {1, 2, 1, 2, 1, 2, 1, 2};
    compare_pairs v = pairs(a, x, 8, 0.5);
    compare_verdict d = compare_decide(&v);
    buf text = {.a = a};
    compare_sentence(&text, &v, &d);
    CHECK(strstr(text.s,
                 "jc is better than ce on a <graph> & more, decided after 7 pairs of runs. Test accuracy: ce 80.00 "
                 "%, jc 81.50 %, difference +1.50 points (95 % confidence sequence"),
          "%s", text.s);
    compare_pairs one = pairs(a, x, 1, 0.5);
    compare_verdict early = compare_decide(&one);
    text = (buf){.a = a};
    compare_sentence(&text, &one, &early);
    CHECK(strstr(text.s, "Undecided") && strstr(text.s, "One pair of runs cannot be tested."), "%s", text.s);
    text = (buf){.a = a};
    compare_doubts(&text, &v);
    CHECK(!text.s, "no doubts, but: %s", text.s);
    for (int i = 0; i < 8; i++)
        v.run[0][i].best_epoch = 197, v.run[1][i].ece = 60;
    compare_doubts(&text, &v);
    CHECK(text.s && strstr(text.s, "ce chose one of its last epochs in 8 of 8 runs") &&
              strstr(text.s, "jc is badly calibrated, ECE 60.0 %"),
          "doubts: %s", text.s);

    char dir[] = "/tmp/jcb_compare_XXXXXX";
    CHECK(mkdtemp(dir), "mkdtemp");
    compare_page(a, &v, &d, dir, "compare");
    char *path = arena_printf(a, "%s/compare.html", dir);
    bytes page = file_read(a, path, 0);
    char *s = arena_printf(a, "%.*s", (int)page.n, (const char *)page.p);
    CHECK(strstr(s, "a &lt;graph&gt; &amp; more") && !strstr(s, "<graph>") && strstr(s, "tau=&lt;&amp;&gt;"),
          "what comes from outside is escaped");
    bytes row = file_read(a, arena_printf(a, "%s/compare.tsv", dir), 0);
    tsv t = tsv_parse(a, "row", (char *)row.p, row.n);
    CHECK(t.rows == 1 && !strcmp(tsv_get(&t, 0, "verdict"), "second") && tsv_number(&t, 0, "difference") == 1.5 &&
              tsv_number(&t, 0, "decided_at") == d.at,
          "the row");
    compare_index(a, dir);
    bytes index = file_read(a, arena_printf(a, "%s/index.html", dir), 0);
    CHECK(strstr((const char *)index.p, "href=\"compare.html\"") && strstr((const char *)index.p, "jc is better"),
          "the list of comparisons");
    static wellformed w = {.seen = no_references};
    CHECK(wellformed_check(&w, s), "the page: %s", w.error);
    test_remove(dir);
}

TEST_MAIN(test_compare)
{
    arena a = {0};
    check_words(&a);
    check_untrained(&a);
    check_balanced(&a);
    check_level(&a);
    check_text(&a);
    arena_free(&a);
    return test_end();
}
