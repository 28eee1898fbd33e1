/* Reading the text files of the experiments. */
#include "bench.h"
#include "../base/err.h"
#include "../base/file.h"
#include "../base/guess.h"
#include "../base/list.h"
#include "../base/places.h"
#include "bench_row.h"
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_RUNS = 10 };

static const char *const column_name[BENCH_COLUMNS] = {"for", "cells", "from", "only", "setting", "source"};

static const char *const source_name[] = {
    [SOURCE_NONE] = "",
    [SOURCE_AUTHORS] = "authors' release",
    [SOURCE_METHOD] = "paper of the method",
    [SOURCE_SEARCHED] = "searched",
    [SOURCE_OURS] = "ours",
};
enum { SOURCES = sizeof source_name / sizeof *source_name };

typedef struct reader {
    bench_shelf *shelf;            /* for experiments that it takes cells from */
    bench *b;                      /* what is being read */
    const char *path;              /* of its file */
    int line;                      /* the current one, from 1 */
    int properties;                /* 1: the line may be a property */
    int columns;                   /* of the header line; 0: not yet read */
    int column[BENCH_COLUMNS + 1]; /* which enum bench_column each of them is */
} reader;

static bench *open_path(bench_shelf *shelf, const char *path);

/* The index of the word among the known ones; -1: none, and the hint is "; did you mean ...?" or "". */
static int known_word(char hint[80], const char *const *known, int n, const char *word)
{
    guess g = {.word = word};
    for (int k = 0; k < n; k++) {
        if (!strcmp(known[k], word))
            return k;
        guess_try(&g, known[k]);
    }
    guess_text(&g, hint);
    return -1;
}

/* --- properties --- */

static int whole_number(const reader *r, const char *key, const char *text, int lo, int hi)
{
    char *end;
    long x = strtol(text, &end, 10);
    if (end == text || *end || x < lo || x > hi)
        die("%s:%d: %s must be a whole number from %d to %d, not '%s'", r->path, r->line, key, lo, hi, text);
    return (int)x;
}

static const bench_kind *kind_find(const reader *r, const char *name)
{
    char hint[80];
    guess g = {.word = name};
    for (int i = 0; bench_kinds[i]; i++) {
        if (!strcmp(bench_kinds[i]->name, name))
            return bench_kinds[i];
        guess_try(&g, bench_kinds[i]->name);
    }
    die("%s:%d: unknown kind '%s'%s", r->path, r->line, name, guess_text(&g, hint));
}

static void set_property(const reader *r, const char *key, const char *value)
{
    static const char *const known[] = {"about", "order",       "kind",   "runs",
                                        "specs", "calibration", "figure", "unsearched"};
    enum { ABOUT, ORDER, KIND, RUNS, SPECS, CALIBRATION, FIGURE, UNSEARCHED, KNOWN };
    bench *b = r->b;
    char hint[80];
    int k = known_word(hint, known, KNOWN, key);
    if (!*value)
        die("%s:%d: %s has no value", r->path, r->line, key);
    switch (k) {
    case ABOUT: b->about = value; break;
    case ORDER: b->order = whole_number(r, key, value, 1, 1000000); break;
    case KIND: b->kind = kind_find(r, value); break;
    case RUNS: b->runs = whole_number(r, key, value, 1, 100000); break;
    case SPECS: b->specs = value; break;
    case CALIBRATION: b->calibration = whole_number(r, key, value, 0, 1); break;
    case FIGURE: b->figure = value; break;
    case UNSEARCHED:
        b->unsearched_out = !strcmp(value, "left out");
        if (!b->unsearched_out)
            die("%s:%d: unsearched must be 'left out', not '%s'", r->path, r->line, value);
        break;
    default: die("%s:%d: unknown property '%s'%s (a line # alone ends the properties)", r->path, r->line, key, hint);
    }
}

/* "# key: value" sets a property; returns 0 for other comments. */
static int property(const reader *r, const char *line)
{
    size_t key = strspn(line + 2 * !strncmp(line, "# ", 2), "abcdefghijklmnopqrstuvwxyz_");
    if (strncmp(line, "# ", 2) || !key || line[2 + key] != ':')
        return 0;
    const char *value = line + 3 + key;
    set_property(r, arena_printf(r->shelf->a, "%.*s", (int)key, line + 2), value + strspn(value, " "));
    return 1;
}

/* --- rows --- */

static void read_header(reader *r, char *line)
{
    for (char *name = line, *rest; name; name = rest) {
        char hint[80];
        rest = list_cut(name, '\t');
        int k = known_word(hint, column_name, BENCH_COLUMNS, name);
        if (k < 0)
            die("%s:%d: unknown column '%s'%s; columns are for, cells, from, only, setting, source", r->path, r->line,
                name, hint);
        for (int i = 0; i < r->columns; i++)
            if (r->column[i] == k)
                die("%s:%d: the column %s is there twice", r->path, r->line, name);
        r->column[r->columns++] = k;
    }
}

static enum source source_of(const reader *r, const bench_row *row)
{
    const char *text = row->text[COLUMN_SOURCE];
    size_t n = strcspn(text, ":");
    const char *word = arena_printf(r->shelf->a, "%.*s", (int)n, text);
    char hint[80];
    int k = known_word(hint, source_name, SOURCES, word);
    if (k < 0)
        die("%s: unknown source '%s'%s; a source begins with authors' release, paper of the method, searched or ours",
            row->where[COLUMN_SOURCE], word, hint);
    if (k == SOURCE_NONE && !row->base && (!r->b->kind || r->b->kind->trains))
        die("%s: where are the hyper-parameters from? authors' release, paper of the method, searched or ours",
            row->where[COLUMN_SOURCE]);
    const char *file = arena_printf(r->shelf->a, "searched: specs/%s.tsv", r->b->specs ? r->b->specs : r->b->name);
    if (k == SOURCE_SEARCHED && text[n] && strncmp(text, file, strlen(file)))
        die("%s: '%s', but what is searched for this experiment is read from specs/%s", row->where[COLUMN_SOURCE], text,
            strchr(file, '/') + 1);
    return (enum source)k;
}

/* "NAME key=A|B ..." becomes the experiment and "key=A|B,...". */
static void read_base(const reader *r, bench_row *row)
{
    const char *where = row->where[COLUMN_FROM], *dir = r->path, *slash = strrchr(r->path, '/');
    char *name = arena_printf(r->shelf->a, "%s", row->text[COLUMN_FROM]), *which = list_cut(name, ' ');
    for (char *w = which; w && *w; w += strcspn(w, " "), *w && (*w++ = ','))
        if (strcspn(w, "=") >= strcspn(w, " ") || *w == '=')
            die("%s: '%s' is not NAME key=value ...", where, row->text[COLUMN_FROM]);
    const char *beside =
        arena_printf(r->shelf->a, "%.*s%s.tsv", slash ? (int)(slash + 1 - dir) : 0, slash ? dir : "", name);
    if (!file_named(beside) && !bench_exists(r->shelf, name))
        die("%s: there is no experiment '%s'", where, name);
    row->base = file_named(beside) ? open_path(r->shelf, beside) : bench_find(r->shelf, name);
    row->which = which && *which ? which : NULL;
}

/* "key=A|B ..." as select_cell wants it. */
static void read_only(const reader *r, bench_row *row)
{
    char *text = arena_printf(r->shelf->a, "%s", row->text[COLUMN_ONLY]);
    for (char *w = text; *w; w += strcspn(w, " "), *w && (*w++ = ','))
        if (strcspn(w, "=") >= strcspn(w, " ") || *w == '=')
            die("%s: '%s' is not key=value ...", row->where[COLUMN_ONLY], row->text[COLUMN_ONLY]);
    row->text[COLUMN_ONLY] = text;
}

static int keys_of(const product *p)
{
    int n = 0;
    for (int i = 0; i < p->factors; i++)
        n += p->factor[i].keys;
    return n;
}

static void read_products(const reader *r, bench_row *row, const bench_row *above)
{
    arena *a = r->shelf->a;
    if (row->first)
        row->loop = product_parse(a, row->text[COLUMN_FOR], row->where[COLUMN_FOR]);
    row->loop_used = row->first ? NEW(a, int, (size_t)keys_of(&row->loop) + 1) : above->loop_used;
    row->cells = product_parse(a, row->text[COLUMN_CELLS], row->where[COLUMN_CELLS]);
    row->cells_used = NEW(a, int, (size_t)keys_of(&row->cells) + 1);
}

static void read_row(const reader *r, char *line)
{
    bench *b = r->b;
    bench_row *row = b->row + b->rows++, *above = b->rows > 1 ? row - 1 : NULL;
    int n = 0;
    *row = (bench_row){.line = r->line, .first = 1};
    for (int k = 0; k < BENCH_COLUMNS; k++) {
        row->text[k] = "";
        row->where[k] = arena_printf(r->shelf->a, "%s:%d: %s", r->path, r->line, column_name[k]);
    }
    for (char *text = line, *rest; text; text = rest, n++) {
        rest = list_cut(text, '\t');
        if (n == r->columns)
            die("%s:%d: more cells than the header line has columns", r->path, r->line);
        int k = r->column[n], same = !strcmp(text, "\"");
        if (same && !above)
            die("%s: \" in the first row", row->where[k]);
        row->text[k] = same ? above->text[k] : strcmp(text, "-") ? text : "";
        if (same && k == COLUMN_FOR)
            row->first = !*row->text[k];
    }
    read_products(r, row, above);
    read_only(r, row);
    if (*row->text[COLUMN_FROM])
        read_base(r, row);
    row->source = source_of(r, row);
}

/* --- files --- */

static void read_line(reader *r, char *line)
{
    r->properties = r->properties && *line == '#' && property(r, line);
    if (!*line || *line == '#')
        return;
    if (r->columns)
        read_row(r, line);
    else
        read_header(r, line);
}

static bench *open_path(bench_shelf *shelf, const char *path)
{
    for (int i = 0; i < shelf->count; i++)
        if (!strcmp(shelf->v[i]->path, path))
            return shelf->v[i];
    if (shelf->count == sizeof shelf->v / sizeof *shelf->v)
        die("%s: more than %d experiments", path, shelf->count);
    bytes text = file_read(shelf->a, path, 1 << 24);
    bench *b = shelf->v[shelf->count++] = NEW(shelf->a, bench, 1);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t lines = 1, stem = strlen(name) - (file_ends(name, ".tsv") ? strlen(".tsv") : 0);
    for (size_t i = 0; i < text.n; i++)
        lines += text.p[i] == '\n';
    *b = (bench){.name = arena_printf(shelf->a, "%.*s", (int)stem, name),
                 .path = arena_printf(shelf->a, "%s", path),
                 .kind = &kind_training,
                 .runs = DEFAULT_RUNS,
                 .row = NEW(shelf->a, bench_row, lines)};
    reader r = {.shelf = shelf, .b = b, .path = b->path, .line = 1, .properties = 1};
    if (memchr(text.p, 0, text.n))
        die("%s: a zero byte, not text", path);
    for (char *line = (char *)text.p, *rest; line; line = rest, r.line++) {
        rest = list_cut(line, '\n');
        list_cut(line, '\r');
        read_line(&r, line);
    }
    if (!b->about)
        die("%s: the property `# about: ...` is missing", path);
    if (!b->rows)
        die("%s: no rows", path);
    return b;
}

static const char *directory(bench_shelf *shelf)
{
    const char *found = shelf->dir ? shelf->dir : places_find(shelf->a, PLACE_EXPERIMENTS);
    if (!found)
        die("the experiments (bench/*.tsv) are not found here: name a file, as in `jcb bench ./mine.tsv`");
    if (!shelf->dir)
        shelf->dir = arena_printf(shelf->a, "%.*s", (int)(strrchr(found, '/') - found), found);
    return shelf->dir;
}

static int is_path(const char *name) { return strchr(name, '/') || file_ends(name, ".tsv"); }

static const char *path_of(bench_shelf *shelf, const char *name)
{
    return is_path(name) ? name : arena_printf(shelf->a, "%s/%s.tsv", directory(shelf), name);
}

int bench_exists(bench_shelf *shelf, const char *name) { return file_exists(path_of(shelf, name)); }

bench *bench_find(bench_shelf *shelf, const char *name)
{
    char hint[80];
    guess g = {.word = name};
    if (file_named(path_of(shelf, name)))
        return open_path(shelf, path_of(shelf, name));
    if (is_path(name))
        die("%s: there is no such file", name);
    int n;
    char **known = file_list(shelf->a, directory(shelf), ".tsv", &n);
    for (int i = 0; i < n; i++)
        guess_try(&g, known[i]);
    die("unknown experiment '%s'%s; `jcb bench --help` lists them", name, guess_text(&g, hint));
}

static int by_order(const void *x, const void *y)
{
    const bench *a = *(bench *const *)x, *b = *(bench *const *)y;
    int p = a->order ? a->order : 1000001, q = b->order ? b->order : 1000001;
    return p != q ? (p > q) - (p < q) : strcmp(a->name, b->name);
}

bench *const *bench_all(bench_shelf *shelf)
{
    int n;
    char **name = file_list(shelf->a, directory(shelf), ".tsv", &n);
    bench **v = NEW(shelf->a, bench *, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        v[i] = open_path(shelf, path_of(shelf, name[i]));
    qsort(v, (size_t)n, sizeof *v, by_order);
    return v;
}
