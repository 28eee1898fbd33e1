/* fuzz: see fuzz.h. Checksums of files are corrected first, so that the reader behind them is reached.
 * Link with --wrap=exit. */
#include "cell_of.h"
#include "fuzz.h"
#include "../../src/run/select.h"
#include "../../src/data/variant/flip_file.h"
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "../../src/base/hash.h"
#include "../../src/base/opt.h"
#include "../../src/data/cache.h"
#include "../../src/data/split.h"
#include "../../src/run/run.h"
#include "../../src/train/saved.h"
#include "test.h"
#include "toy.h"
#include <setjmp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[256], path[300];
static problem *small, *opened; /* one for all, and one that is closed after each input */
static const raw_set *sets;
static int nsets;

typedef struct input {
    const unsigned char *p;
    size_t n;
    arena a;
    const raw_set *set;
} input;

static void put(const char *file, const unsigned char *p, size_t n)
{
    raw_write(dir, file, &(blob){.p = (unsigned char *)p, .n = n});
}

/* The input as a string. */
static char *string(input *in)
{
    char *s = NEW(&in->a, char, in->n + 1);
    if (in->n)
        memcpy(s, in->p, in->n);
    return s;
}

/* ---- targets; each may die ---- */

static void try_records(input *in)
{
    static const char *const columns[] = {"key", "experiment", "spec", "status"}, *const row[] = {"0123456789abcdef",
                                                                                                  "x", "lr=0.5", "ok"};
    put("records/a.tsv", in->p, in->n);
    snprintf(path, sizeof path, "%s/records/a.tsv", dir);
    records_read(&in->a, path);
    record_file *f = record_open(&in->a, path, columns, 4);
    record_append(f, row);
    record_close(f);
    records r = records_read(&in->a, path);
    int found = 0;
    char key[17];
    for (int k = 0; k < r.n; k++)
        found += !strcmp(run_key_text(key, r.v[k].key), row[0]);
    CHECK(found == 1, "a row that was appended is there %d times", found);
    for (int k = 1; unlink(arena_printf(&in->a, "%s/records/a.old-%d.tsv", dir, k)) == 0;)
        k++;
}

static uint64_t number_at(const unsigned char *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    return x;
}

/* The header of cache.c: payload hash at byte 32, the header's own at its end; the payload from the next multiple of 64
 * on. */
static void try_cache(input *in)
{
    enum { HEAD = 8 + 8 + 32 + 24 + 16 * 12 + 8, FIRST = (HEAD + 63) / 64 * 64 };
    unsigned char *p = (unsigned char *)string(in);
    if (in->n >= FIRST && in->n < 1 << 20) {
        uint64_t h = in->n > FIRST ? hash_u64(HASH_INIT, hash_bytes(HASH_INIT, p + FIRST, in->n - FIRST)) : HASH_INIT,
                 n = in->n;
        memcpy(p + 24, &n, 8);
        memcpy(p + 32, &h, 8);
        h = hash_bytes(HASH_INIT, p, HEAD - 8);
        memcpy(p + HEAD - 8, &h, 8);
    }
    put("a.jcb", p, in->n);
    dataset d = {.name = "a"};
    snprintf(path, sizeof path, "%s/a.jcb", dir);
    if (cache_load(&in->a, &d, path, in->n >= 24 ? number_at(p + 16) : 0)) {
        int64_t sum = 0; /* whatever a loaded data set points to can be read */
        for (int64_t k = 0; k < csr_nnz(&d.graph); k++)
            sum += d.graph.ptr[d.graph.idx[k]];
        for (int i = 0; d.y && i < d.nodes; i++)
            sum += d.y[i] < d.classes;
        for (int s = 0; s < d.nsplits; s++)
            for (int k = 0; k < PARTS; k++)
                for (int i = 0; i < d.splits[s].n[k]; i++)
                    sum += d.graph.ptr[d.splits[s].idx[k][i]];
        CHECK(sum != INT64_MIN && strlen(d.origin_note) < in->n, "%s", d.origin_note);
        munmap((char *)d.graph.ptr - number_at(p + HEAD - 8 - 16 * 12), in->n);
    }
}

static void try_model(input *in)
{
    char *s = string(in), *line = strstr(s, "\nhash="), *end = line ? strstr(line, "\n\n") : NULL;
    if (end && end - line == 22) { /* as saved.c computes it */
        char text[17];
        const char *body = end + 2;
        uint64_t h = hash_bytes(HASH_INIT, s, (size_t)(line + 1 - s));
        snprintf(text, sizeof text, "%016llx", (unsigned long long)hash_bytes(h, body, (size_t)(s + in->n - body)));
        memcpy(line + 6, text, 16);
    }
    put("a.model", (unsigned char *)s, in->n);
    snprintf(path, sizeof path, "%s/a.model", dir);
    saved m = saved_read(&in->a, path);
    if (m.size < 100000 && m.s.layers < 8 && m.s.clusters <= 60 && m.s.partition.kind == PARTITION_RANDOM &&
        m.s.attack.kind == VARIANT_NONE && m.s.hops < 8) {
        opened = toy(60, 20, 3, 0);
        problem_prepare(opened, CELL(&m.s));
        saved_predict(&in->a, &m, CELL(&m.s), opened);
    }
}

static void try_spec(input *in)
{
    spec s = spec_default();
    for (char *t = string(in), *word; (word = strsep(&t, " \n"));) {
        char *eq = strchr(word, '=');
        if (eq)
            *eq++ = 0;
        spec_set(&s, word, eq ? eq : "");
    }
    spec_check(&s);
    spec_identity(&in->a, &s);
    split_draw(&in->a, small->d, s.split.kind != SPLIT_AUTO ? s.split : split_rule_read("per-class:4:4"), 1, 0);
}

static void try_spec_file(input *in)
{
    put("specs.tsv", in->p, in->n);
    snprintf(path, sizeof path, "%s/specs.tsv", dir);
    spec_file f = spec_file_read(&in->a, path);
    spec s = spec_default();
    spec_file_apply(&f, CELL(&s), "-");
    static const char *const row[SPEC_COLUMNS] = {"cora",        "gcn", "ce", "-",   "lr=0.01",
                                                  "lr=0.01,0.1", "2",   "3",  "0.5", "-"};
    spec_file_put(path, row);
    CHECK(spec_file_read(&in->a, path).t.rows > 0, "no row after one was added");
}

static void try_partition(input *in)
{
    put("clusters.txt", in->p, in->n);
    snprintf(path, sizeof path, "%s/clusters.txt", dir);
    partition q = partition_read(&in->a, path, 60);
    for (int i = 0; i < 60; i++)
        CHECK(q.of[i] >= 0 && q.of[i] < q.clusters, "node %d in cluster %d of %d", i, q.of[i], q.clusters);
}

static void try_flips(input *in)
{
    static const flip one = {0, 1};
    put("flips", in->p, in->n);
    snprintf(path, sizeof path, "%s/flips", dir);
    flip *known;
    int64_t n;
    flip_file f = flip_file_open(&in->a, &known, &n, path, "# an attack", small->d, 0);
    flip_file_add(&f, &one, 1);
    flip_file_close(&f);
    flip_file_read(&in->a, &n, path, small->d, 0, NULL);
}

static void try_table(input *in)
{
    put("a.tsv", in->p, in->n);
    snprintf(path, sizeof path, "%s/a.tsv", dir);
    tsv t = tsv_read(&in->a, path);
    for (int i = 0; i < t.rows; i++)
        for (int j = 0; j < t.cols; j++)
            CHECK(t.cell[i][j] != NULL, "row %d has no cell %d", i, j);
}

static void try_catalogue(input *in)
{
    put("catalog.tsv", in->p, in->n);
    snprintf(path, sizeof path, "%s/catalog.tsv", dir);
    catalog c = catalog_read(&in->a, path);
    catalog_find(&c, "cora");
}

/* Words, one a line, as the arguments of a program with options of every type. */
static void try_command_line(input *in)
{
    int flag = 0, whole = 0;
    double number = 0, seconds = 0;
    const char *text = NULL, *only = NULL, *attack = "none", *batches = "full", *clusters = "metis";
    const opt table[] = {{"flag", OPT_FLAG, &flag, NULL, "a flag", NULL, 0, 0},
                         {"whole", OPT_INT, &whole, "N", "a whole number", "3", 1, 4096},
                         {"real_number", OPT_REAL, &number, "X", "a number", "0.5", 0, 0},
                         {"text", OPT_TEXT, &text, "TEXT", "a text", NULL, 0, 0},
                         {"time", OPT_SECONDS, &seconds, "TIME", "a time", "1h", 0, 0},
                         {"attack", OPT_TEXT, &attack, "TEXT", "a graph", "none", 0, 0},
                         {"batch", OPT_TEXT, &batches, "TEXT", "batches", "full", 0, 0},
                         {"partition", OPT_TEXT, &clusters, "TEXT", "clusters", "metis", 0, 0},
                         OPT_CELLS(&only),
                         {0}};
    char *argv[66] = {"fuzz"}, *t = string(in);
    int argc = 1;
    for (char *word; argc < 64 && (word = strsep(&t, "\n"));)
        argv[argc++] = word;
    opt_parse(argc, argv, table, "fuzz [option ...]", "");
    CHECK(whole >= 1 && whole <= 4096 && seconds >= 0, "%d, %g seconds", whole, seconds);
    variant_rule_read(attack);
    batch_rule_read(batches);
    partition_rule_read(clusters);
    spec s = spec_default();
    unsigned known = 0;
    int selected = select_cell(&s, "ptb=20", "attack", only, &known);
    select_check(only, known, selected);
}

static void try_load(input *in)
{
    const raw_set *s = in->set;
    const raw_file *f = &s->f[in->n ? in->p[0] % s->nfiles : 0];
    int member = in->n > 1 ? in->p[1] % (f->n + 1) : 0;
    blob rest = {.p = (unsigned char *)in->p + (in->n > 1 ? 2 : in->n), .n = in->n > 1 ? in->n - 2 : 0}, packed = {0};
    if (member) {
        raw_file g = *f;
        g.m[member - 1].b = rest;
        packed = raw_pack(&g);
    }
    raw_write(dir, f->path, member ? &packed : &rest);
    blob_free(&packed);
    draft out = {0};
    snprintf(path, sizeof path, "%s/%s", dir, s->path);
    load_run(s->load, &in->a, &out, path, s->name);
    dataset_finish(&in->a, &out, s->title);
}

/* ---- one input ---- */

static const struct target {
    const char *name;
    void (*fn)(input *in);
} target[] = {{"records", try_records},     {"cache", try_cache},
              {"model", try_model},         {"spec", try_spec},
              {"spec_file", try_spec_file}, {"partition", try_partition},
              {"flips", try_flips},         {"table", try_table},
              {"catalogue", try_catalogue}, {"command_line", try_command_line}};
enum { TARGETS = sizeof target / sizeof *target };

static jmp_buf leave;
static volatile int leaving;
void __real_exit(int code) __attribute__((noreturn));
void __wrap_exit(int code) __attribute__((noreturn));
void __wrap_exit(int code) /* of opt_parse: --help, and mistakes */
{
    if (!leaving)
        __real_exit(code);
    leaving = 0;
    longjmp(leave, 1);
}

typedef struct attempt {
    void (*fn)(input *in);
    input in;
} attempt;

static void run_attempt(void *arg)
{
    attempt *t = arg;
    leaving = 1;
    if (setjmp(leave) == 0)
        t->fn(&t->in);
    leaving = 0;
}

long fuzz_taken, fuzz_refused;

static void whole_set(const raw_set *s)
{
    for (int j = 0; j < s->nfiles; j++) {
        blob b = raw_pack(&s->f[j]);
        raw_write(dir, s->f[j].path, &b);
        blob_free(&b);
    }
}

void fuzz_try(int k, const unsigned char *p, size_t n)
{
    static attempt t; /* static: it must survive longjmp */
    t = (attempt){k < TARGETS ? target[k].fn : try_load,
                  {.p = p, .n = n, .set = k < TARGETS ? NULL : &sets[k - TARGETS]}};
    const char *failed = err_try(run_attempt, &t);
    leaving = 0;
    fuzz_taken += !failed;
    fuzz_refused += failed != NULL;
    CHECK(!failed || (*failed && !strchr(failed, '\n')), "'%s'", failed);
    CHECK(t.in.a.live < ((size_t)64 << 20) + 2000 * n, "%zu bytes of memory for an input of %zu", t.in.a.live, n);
    arena_free(&t.in.a);
    if (opened)
        problem_close(opened);
    opened = NULL;
    if (t.in.set)
        whole_set(t.in.set); /* the replaced file */
}

/* ---- all of them ---- */

int fuzz_targets(void) { return TARGETS + nsets; }
int fuzz_failures(void) { return test_failures; }
const raw_set *fuzz_set(int k) { return k < TARGETS ? NULL : &sets[k - TARGETS]; }

const char *fuzz_name(int k)
{
    static char name[64];
    snprintf(name, sizeof name, "%s", k < TARGETS ? target[k].name : sets[k - TARGETS].title);
    for (char *c; (c = strpbrk(name, " ,"));)
        *c = '_';
    return name;
}

void fuzz_start(void)
{
    struct stat st;
    nsets = raw_sets(&sets);
    snprintf(dir, sizeof dir, "%s/jcb_fuzz_XXXXXX",
             stat("/dev/shm", &st) == 0 && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(dir))
        die("cannot make %s", dir);
    for (int k = 0; k < nsets; k++)
        whole_set(&sets[k]);
    small = toy(60, 20, 3, 0);
}

void fuzz_write_cache(const char *to) { CHECK(cache_store(to, small->d, 7), "%s", to); }

void fuzz_end(void)
{
    problem_close(small);
    test_remove(dir);
}
