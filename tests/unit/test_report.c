/* The report: well-formed, complete, self-contained, consistent with the tables; hostile records and pictures do no
 * harm. */
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "../../src/base/tsv.h"
#include "../../src/kernel/blas.h"
#include "../../src/base/buf.h"
#include "../../src/run/record.h"
#include "../../src/result/report.h"
#include "../../src/result/table_files.h"
#include "../../src/result/definitions.h"
#include "test.h"
#include "wellformed.h"
#include <unistd.h>

static const char *const columns[] = {
    "key",    "experiment", "dataset", "model",         "loss",   "setting",   "run",        "seed", "test_acc", "ece",
    "commit", "cpu",        "blas",    "train_seconds", "origin", "data_hash", "param_hash", "lr",   "status"};
enum { COLUMNS = sizeof columns / sizeof columns[0] };
static char memory[] = "/dev/shm/jcb_report_XXXXXX", disk[] = "/tmp/jcb_report_XXXXXX";
static const char *dir;

static void row(record_file *f, const char *dataset, const char *loss, const char *setting, int run, double acc,
                const char *commit, const char *origin, const char *status)
{
    static int keys;
    char key[17], number[2][32];
    snprintf(key, sizeof key, "%016x", ++keys);
    snprintf(number[0], 32, "%d", run);
    snprintf(number[1], 32, "%.6f", acc / 100);
    const char *v[COLUMNS] = {key,       "balanced", dataset, "gcn",  loss,  setting,  number[0],
                              number[0], number[1],  "0.1",   commit, "any", "blas-1", "60",
                              origin,    "abcd",     "0123",  "0.01", status};
    record_append(f, v);
}

static void write_records(arena *a, const char *path)
{
    record_file *f = record_open(a, path, columns, COLUMNS);
    for (int i = 0; i < 10; i++) {
        row(f, "cora", "ce", "-", i, 81 + 0.1 * i, "c1", "real", "ok");
        row(f, "cora", "jc", "-", i, 83 + 0.1 * i + 0.05 * (i % 3), "c2", "real", "ok");
        row(f, "citeseer", "ce", "-", i, 73 + 0.1 * i, "c2", "real", "ok");
        row(f, "citeseer", "jc", "-", i, 70 + 0.1 * i + 0.05 * (i % 3), "c2", "real", "ok");
        row(f, "pubmed", "ce", "-", i, 79 + 0.1 * i, "c2", "real", "ok");
        row(f, "pubmed", "jc", "-", i, 79 + 0.1 * (9 - i), "c2", "real", "ok");
        row(f, "facebook", "ce", "-", i, 73 + 0.1 * i, "c2", "rebuilt", "ok");
        row(f, "facebook", "jc", "-", i, 75 + 0.1 * i + 0.05 * (i % 3), "c2", "rebuilt", "ok");
        row(f, "dblp", "ce", "-", i, 60 + 0.1 * i, "c2", "twin", "ok");
        row(f, "dblp", "jc", "-", i, 70 + 0.1 * i + 0.05 * (i % 3), "c2", "twin", "ok");
    }
    row(f, "<script>alert(1)</script>", "\"'><img src=x onerror=alert(2)>", "a&b;<!--", 0, 50, "<b>\x01\xff\xc3(",
        "<i>", "ok");
    row(f, "cora", "ce", "-", 11, 50, "c2", "real", "failed:</td></table><script>alert(3)</script>");
    record_close(f);
}

/* ---- callbacks of the checker ---- */

enum { MAX_IDS = 4096 };
typedef struct page {
    char id[MAX_IDS][64], link[MAX_IDS][64];
    int ids, links, outside;
} page;

static void seen(void *arg, const char *tag, const char *name, const char *value)
{
    page *p = arg;
    int href = !strcmp(name, "href") || !strcmp(name, "xlink:href");
    if (!strcmp(name, "id") && p->ids < MAX_IDS)
        snprintf(p->id[p->ids++], 64, "%s", value);
    if (href && *value == '#' && p->links < MAX_IDS)
        snprintf(p->link[p->links++], 64, "%s", value + 1);
    if (href && *value != '#') { /* the files' homes, for people */
        p->outside++;
        CHECK(!strcmp(tag, "a") && !strncmp(value, "https://", 8), "<%s %s=%s>", tag, name, value);
    }
    CHECK((strcmp(name, "src") || (!strcmp(tag, "img") && !strncmp(value, "data:image/", 11))) &&
              strcmp(name, "srcset") && strcmp(tag, "link") && strcmp(tag, "iframe") && strcmp(tag, "object") &&
              strncmp(name, "on", 2),
          "<%s %s=%s>", tag, name, value);
    CHECK(!strstr(value, "url(") || strstr(value, "url(#"), "%s=%s", name, value);
}

static page *check_page(const char *html)
{
    static page p;
    static wellformed w;
    p = (page){.ids = 0};
    w = (wellformed){.seen = seen, .arg = &p};
    CHECK(wellformed_check(&w, html), "%s", w.error);
    for (int i = 0; i < p.ids; i++)
        for (int j = 0; j < i; j++)
            CHECK(strcmp(p.id[i], p.id[j]), "id %s twice", p.id[i]);
    for (int i = 0; i < p.links; i++) {
        int found = 0;
        for (int j = 0; j < p.ids && !found; j++)
            found = !strcmp(p.link[i], p.id[j]);
        CHECK(found, "#%s leads nowhere", p.link[i]);
    }
    CHECK(!strstr(html, "@import") && !strstr(html, "url(h"), "the style asks for a file");
    return &p;
}

static int occurs(const char *html, const char *what)
{
    int n = 0;
    for (const char *s = html; (s = strstr(s, what)); s += strlen(what))
        n++;
    return n;
}

/* ---- the cases ---- */

static void check_tables(arena *a, const char *html, const char *tables_dir, const tables *all)
{
    const tables_summary *s = &all->sum;
    int verdict[CLAIM_VERDICTS] = {0}, stand_in = 0, orderings = 0, beyond = 0;
    for (const table_def *d = definitions.table; d->label; d++) {
        CHECK(occurs(html, arena_printf(a, "<h3 id=\"t-%s\">", d->label)) == 1, "no table %s", d->label);
        tsv t = tsv_read(a, arena_printf(a, "%s/%s.claims.tsv", tables_dir, d->label));
        paper printed = paper_read(a, definitions.dir, d->label);
        if (!paper_prints(&printed)) { /* beyond the paper: in no sum */
            beyond += t.rows;
            continue;
        }
        orderings += t.rows;
        for (int i = 0; i < t.rows; i++) {
            int apart = !strcmp(tsv_get(&t, i, "origin"), "twin");
            stand_in += apart;
            for (int k = 0; k < CLAIM_VERDICTS; k++)
                verdict[k] += !apart && !strcmp(tsv_get(&t, i, "verdict"), claim_verdict_word[k]);
        }
    }
    for (int k = 0; k < CLAIM_VERDICTS; k++) { /* one row each, and the same sum in the summary */
        int rows = occurs(html, arena_printf(a, "</i> %s</td>", claim_verdict_word[k])) +
                   occurs(html, arena_printf(a, "</i> %s (rebuilt)</td>", claim_verdict_word[k]));
        rows -= k == CLAIM_NOT_RUN ? beyond : 0;
        for (int i = 0; i < all->n; i++) /* the lines of trends have such cells, too */
            for (int j = 0; j < all->t[i].trends; j++)
                rows -= (int)all->t[i].trend[j].verdict == k;
        CHECK(rows == verdict[k], "%d rows are %s, the TSV has %d", rows, claim_verdict_word[k], verdict[k]);
        CHECK(strstr(html, arena_printf(a, "</i> %d</b>%s</div>", verdict[k], claim_verdict_word[k])), "%d %s",
              verdict[k], claim_verdict_word[k]);
    }
    CHECK(occurs(html, " (twin)</td>") == stand_in && s->all.stand_in == stand_in && stand_in > 0, "%d twins",
          stand_in);
    CHECK(strstr(html, "</i> confirmed (rebuilt)</td>") && strstr(html, ">rebuilt</td>") &&
              strstr(html, "Rebuilt data count as real: the 128 features"),
          "rebuilt data");
    CHECK(s->orderings == orderings && s->all.claim[CONFIRMED] == verdict[CONFIRMED] && verdict[CONFIRMED] > 0 &&
              verdict[CONTRADICTED] > 0 && verdict[OPEN] > 0,
          "%d confirmed, %d contradicted, %d undecided", verdict[CONFIRMED], verdict[CONTRADICTED], verdict[OPEN]);
    CHECK(strstr(html, "4 cells with two or more paired runs (40 runs in all) on 4 data sets") &&
              strstr(html, ">0.63 ["),
          "one look");
    CHECK(strstr(html, arena_printf(a, "of the paper&#39;s %d tested", orderings)), "no sentence");
    CHECK(occurs(html, "<span>paper</span>") > 100 && strstr(html, "<b>81.45 ± 0.30 (10)</b>"), "no cell of Cora");
}

static void check_hostile(const char *html)
{
    CHECK(occurs(html, "<script>") == 1, "%d scripts", occurs(html, "<script>"));
    CHECK(!strstr(html, "<img src=x") && strstr(html, "&lt;script&gt;alert(1)&lt;/script&gt;"), "the data set's name");
    CHECK(strstr(html, "failed:&lt;/td&gt;&lt;/table&gt;&lt;script&gt;alert(3)"), "the failure's reason");
    CHECK(strstr(html, "&lt;b&gt;<b>\xef\xbf\xbd\xef\xbf\xbd("), "bytes that are not text");
    CHECK(strstr(html, "c1 (10 runs), c2 (91 runs)"), "mixed commits are not said");
}

static const char svg_good[] =
    "<?xml version=\"1.0\" encoding=\"utf-8\"  standalone=\"no\"?>\n<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\"\n "
    "\"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n<svg\n width=\"600\" height=\"480\"\n viewBox=\"0 0 600 "
    "480\"\n"
    " xmlns=\"http://www.w3.org/2000/svg\"\n "
    "xmlns:xlink=\"http://www.w3.org/1999/xlink\"\n>\n\n<title>Gnuplot</title>\n"
    "<desc>Produced by GNUPLOT 9.8 patchlevel 7 </desc>\n<g id=\"gnuplot_canvas\">\n<defs><!-- < & -->\n"
    "<circle id='gpDot' r='0.5' stroke-width='0.5' stroke='currentColor'/></defs><use xlink:href='#gpDot' "
    "fill=\"url(#gpDot)\"/><text><![CDATA[a < b]]></text></g></svg>\n\n";

static void write_figures(arena *a, const char *to)
{
    static const struct {
        const char *name, *text;
    } file[] = {{"a.svg", svg_good},
                {"a.txt", "first <b>caption</b>"},
                {"b.svg", svg_good},
                {"c.svg", "<svg><script>alert(4)</script></svg>"}, /* pictures run no scripts */
                {"d.svg", ""}};
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        file_write(arena_printf(a, "%s/%s", to, file[i].name), file[i].text, strlen(file[i].text));
}

static void check_figures(const char *html)
{
    CHECK(occurs(html, "<figure id=\"") == 4 && occurs(html, "src=\"data:image/svg+xml;base64,") == 4, "%d figures",
          occurs(html, "<figure id=\""));
    CHECK(strstr(html, "base64,PD94bWwgdmVyc2lvbj0iMS4wIiBlbmNvZGluZz0idXRmLTgi") &&
              strstr(html, "base64,PHN2Zz48c2NyaXB0PmFsZXJ0KDQpPC9zY3JpcHQ+PC9zdmc+\""),
          "their bytes");
    CHECK(!strstr(html, "alert(4)"), "a script");
    CHECK(strstr(html, "first &lt;b&gt;caption&lt;/b&gt;") && strstr(html, "gnuplot 9.8 patchlevel 7"),
          "caption, version");
}

static void check_escape(arena *a)
{
    static const char *const pair[][2] = {{"a<b>&\"'", "a&lt;b&gt;&amp;&quot;&#39;"},
                                          {"± – 𝄞", "± – 𝄞"},
                                          {"\x02\x80x", "\xef\xbf\xbd\xef\xbf\xbdx"},
                                          {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
                                          {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
                                          {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
                                          {"\xef\xbf\xbe", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        buf b = {.a = a};
        buf_html(&b, pair[i][0]);
        CHECK(!strcmp(b.s, pair[i][1]), "%s", b.s);
    }
}

static void check_checker(void) /* the checker finds what it should */
{
    static const char *const bad[] = {"<p>",           "<p></div>",    "<p a=b></p>",     "<p a=\"1\" a=\"2\"></p>",
                                      "<p>&nbsp;</p>", "<p>a & b</p>", "<p a=\"<\"></p>", "<p></p><p></p>",
                                      "<p>\x01</p>"};
    static wellformed w;
    static page p;
    char text[128];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        w = (wellformed){.seen = seen, .arg = &p};
        snprintf(text, sizeof text, "<!DOCTYPE html>\n%s\n", bad[i]);
        CHECK(!wellformed_check(&w, text), "%s passes", bad[i]);
    }
}

TEST_MAIN(test_report)
{
    err_program = "test_report";
    dir = mkdtemp(memory);
    if (!dir && !(dir = mkdtemp(disk)))
        return EXIT_FAILURE;
    blas_init();
    arena a = {0};
    const char *src = getenv("srcdir"), *out = arena_printf(&a, "%s/report.html", dir);
    src = src ? src : ".";
    report r = {.records = arena_printf(&a, "%s/records", dir),
                .paper = arena_printf(&a, "%s/paper_tables", src),
                .figures = arena_printf(&a, "%s/figures", dir),
                .data = arena_printf(&a, "%s/data", src),
                .commit = "c<1>",
                .flags = "-O3 -DX=\"<\"",
                .when = 1700000000};
    check_checker();
    check_escape(&a);

    report_write(&a, &r, out);
    const char *html = (const char *)file_read(&a, out, 0).p;
    page *p = check_page(html);
    CHECK(strstr(html, "No runs are recorded yet") && strstr(html, "No figures in"), "an empty page says so");
    CHECK(occurs(html, "<i>–</i> not run</span>") == 744 && !p->outside, "%d dashes",
          occurs(html, "<i>–</i> not run</span>"));

    write_records(&a, arena_printf(&a, "%s/records/balanced.tsv", dir));
    write_figures(&a, r.figures);
    tables_write(&a, r.records, r.paper, arena_printf(&a, "%s/tables", dir));
    report_write(&a, &r, out);
    html = (const char *)file_read(&a, out, 0).p;
    p = check_page(html);
    CHECK(p->outside > 8, "%d addresses of files", p->outside);
    check_tables(&a, html, arena_printf(&a, "%s/tables", dir), tables_read(&a, r.records, r.paper));
    check_hostile(html);
    check_figures(html);
    CHECK(strstr(html, "14 November 2023, 22:13 UTC") && strstr(html, "-DX=&quot;&lt;&quot;"), "time and flags");

    report_write(&a, &r, out);
    CHECK(!strcmp(html, (const char *)file_read(&a, out, 0).p), "the same records, another page");
    test_remove(dir);
    arena_free(&a);
    return test_end();
}
