/* compare: when a comparison is decided, its verdict, warnings, and the page. */
#include "../../src/base/file.h"
#include "../../src/result/compare.h"
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
                       .margin = margin};
    for (int k = 0; k < 2; k++) {
        v.run[k] = NEW(a, compare_run, MOST);
        for (int i = 0; i < n; i++)
            v.run[k][i] = (compare_run){80 + (k ? x[i] : 0), 5, 50, 200};
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
    CHECK(d.word == COMPARE_OPEN && !d.at && d.needed >= 1, "one run earlier it is open, %g needed", d.needed);
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

static void no_references(void *arg, const char *tag, const char *name, const char *value)
{
    (void)arg;
    CHECK(strcmp(name, "src") && strcmp(name, "href"), "<%s %s=%s>: the page stands alone", tag, name, value);
}

static void check_text(arena *a)
{
    double x[] = {1, 2, 1, 2, 1, 2, 1, 2};
    compare_pairs v = pairs(a, x, 8, 0.5);
    compare_verdict d = compare_decide(&v);
    buf text = {.a = a};
    compare_sentence(&text, &v, &d);
    CHECK(strstr(text.s, "jc is better than ce on a <graph> & more: ce 80.00 %, jc 81.50 % (test accuracy), difference "
                         "+1.50 points"),
          "%s", text.s);
    compare_pairs one = pairs(a, x, 1, 0.5);
    compare_verdict early = compare_decide(&one);
    text = (buf){.a = a};
    compare_sentence(&text, &one, &early);
    CHECK(strstr(text.s, "Undecided") && strstr(text.s, "one pair of runs, which cannot be tested"), "%s", text.s);
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
    int dots = 0;
    for (char *at = s; (at = strstr(at, "<circle")); at++)
        dots++;
    CHECK(dots == 8, "%d dots for 8 runs", dots);
    CHECK(strstr(s, "class=\"band\""), "no confidence sequence drawn");
    static wellformed w = {.seen = no_references};
    CHECK(wellformed_check(&w, s), "the page: %s", w.error);
    test_remove(dir);
}

TEST_MAIN(test_compare)
{
    arena a = {0};
    check_words(&a);
    check_text(&a);
    arena_free(&a);
    return test_end();
}
