/* fuzz CORPUS                 replays CORPUS/TARGET/FILE, all of them
 * fuzz --random N [SEED]      N inputs for each target: its seeds with small changes
 * fuzz --seeds DIR            writes the seeds to DIR/TARGET/
 * fuzz --list                 the targets
 * Seeds are well-formed files; those that fuzz.c does not make are read from the corpus (FUZZ_CORPUS,
 * tests/fixtures/corpus). */
#include "../../src/base/err.h"
#include "../../src/base/file.h"
#include "fuzz.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t state = 1;

static uint64_t draw(uint64_t below) /* xorshift */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

/* ---- seeds ---- */

enum { SEEDS = 400 };
static blob seed[SEEDS];
static int nseeds;

static void add_seed(const void *p, size_t n)
{
    if (nseeds < SEEDS)
        blob_add(&seed[nseeds++], p, n);
}

/* Every file of a set, as a whole and by members. */
static void seeds_of_set(const raw_set *s)
{
    for (int j = 0; j < s->nfiles; j++)
        for (int m = 0; m <= s->f[j].n; m++) {
            blob whole = m ? (blob){0} : raw_pack(&s->f[j]), b = {0};
            blob_le(&b, (uint64_t)j, 1);
            blob_le(&b, (uint64_t)m, 1);
            blob_add(&b, m ? s->f[j].m[m - 1].b.p : whole.p, m ? s->f[j].m[m - 1].b.n : whole.n);
            add_seed(b.p, b.n);
            blob_free(&whole);
            blob_free(&b);
        }
}

static int visible(const struct dirent *e) { return e->d_name[0] != '.'; }

/* The files of a directory, in the order of their names; none if it does not exist. */
static void seeds_of_dir(const char *dir)
{
    struct dirent **e;
    int n = scandir(dir, &e, visible, alphasort);
    for (int k = 0; k < n; k++) {
        arena a = {0};
        bytes b = file_read(&a, arena_printf(&a, "%s/%s", dir, e[k]->d_name), 0);
        add_seed(b.p, b.n);
        arena_free(&a);
        free(e[k]);
    }
    if (n >= 0)
        free(e);
}

static void forget_seeds(void)
{
    while (nseeds)
        blob_free(&seed[--nseeds]);
}

/* ---- damage ---- */

static const char *interesting(size_t *n)
{
    static const char *const token[] = {"-1",
                                        "0",
                                        "4294967295",
                                        "2147483647",
                                        "2147483648",
                                        "99999999999999999999",
                                        "1e999",
                                        "nan",
                                        "[",
                                        "]",
                                        "{",
                                        "}",
                                        "\"",
                                        ",",
                                        "\n",
                                        "\t",
                                        ":",
                                        "#",
                                        " ",
                                        "R",
                                        "b",
                                        "(",
                                        "t",
                                        "e",
                                        "u",
                                        "True",
                                        "(1,)",
                                        "|O",
                                        "\xff\xff\xff\xff",
                                        "\xff\xff\xff\x7f",
                                        "PK\1\2",
                                        "\x80\x02",
                                        "=",
                                        "%s",
                                        "\r",
                                        "\xef\xbb\xbf"};
    const char *s = token[draw(sizeof token / sizeof *token)];
    *n = strlen(s);
    return s;
}

/* One to four changes: a bit, a byte, a token over or between the bytes, a piece removed or doubled, the end cut. The
 * first `keep` bytes stay. */
static void damage(blob *b, size_t keep)
{
    for (int k = 1 + (int)draw(4); k > 0; k--) {
        size_t rest = b->n > keep ? b->n - keep : 0, at = keep + (rest ? draw(rest) : 0), m, len = 1 + draw(16);
        const char *token = interesting(&m);
        blob next = {0};
        if (at > b->n)
            return;
        len = at + len > b->n ? b->n - at : len;
        switch (draw(6)) {
        case 0: b->n = at; continue;
        case 1:
            if (rest)
                b->p[at] ^= (unsigned char)(1 << draw(8));
            continue;
        case 2:
            if (at + m <= b->n)
                memcpy(b->p + at, token, m);
            continue;
        case 3: /* a token between */
            blob_add(&next, b->p, at);
            blob_add(&next, token, m);
            blob_add(&next, b->p + at, b->n - at);
            break;
        case 4: /* a piece less */
            blob_add(&next, b->p, at);
            blob_add(&next, b->p + at + len, b->n - at - len);
            break;
        default: /* a piece twice */ blob_add(&next, b->p, at + len); blob_add(&next, b->p + at, b->n - at);
        }
        blob_free(b);
        *b = next;
    }
}

/* Hides warnings, which are expected, but not reports of sanitizers. */
static void hush(int on)
{
    static int shown[2], hidden = -1;
    if (hidden < 0) {
        shown[0] = dup(1), shown[1] = dup(2);
        hidden = open("/dev/null", O_WRONLY);
    }
    fflush(stdout);
    for (int k = 0; k < 2; k++)
#ifdef __SANITIZE_ADDRESS__
        if (k == 0)
#endif
            dup2(on ? hidden : shown[k], k + 1);
}

static void try_all(int k, const blob *b)
{
    int before = fuzz_failures();
    hush(1);
    fuzz_try(k, b->p, b->n);
    hush(0);
    if (fuzz_failures() == before)
        return;
    arena a = {0};
    const char *path = arena_printf(&a, "failed-%s", fuzz_name(k));
    file_write(path, b->p, b->n);
    fprintf(stderr, "%s: the input is in %s\n", fuzz_name(k), path);
    arena_free(&a);
}

static void visit(int k, const char *mode, const char *what, long n)
{
    arena a = {0};
    const char *corpus = getenv("FUZZ_CORPUS") ? getenv("FUZZ_CORPUS") : "tests/fixtures/corpus";
    int seeds = !strcmp(mode, "--seeds"), random = !strcmp(mode, "--random");
    if ((seeds || random) && fuzz_set(k))
        seeds_of_set(fuzz_set(k));
    if (!seeds)
        seeds_of_dir(arena_printf(&a, "%s/%s", random ? corpus : mode, fuzz_name(k)));
    if (seeds && !strcmp(fuzz_name(k), "cache"))
        fuzz_write_cache(arena_printf(&a, "%s/cache/seed-0", what));
    for (int i = 0; i < nseeds && seeds; i++)
        file_write(arena_printf(&a, "%s/%s/seed-%d", what, fuzz_name(k), i), seed[i].p, seed[i].n);
    for (int i = 0; i < nseeds && !seeds; i++)
        try_all(k, &seed[i]);
    for (long i = 0; i < n && random && nseeds; i++) {
        blob b = blob_copy(&seed[draw((uint64_t)nseeds)]);
        damage(&b, fuzz_set(k) ? 2 : 0);
        try_all(k, &b);
        blob_free(&b);
    }
    forget_seeds();
    arena_free(&a);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "", *what = argc > 2 ? argv[2] : "";
    int list = !strcmp(mode, "--list");
    if (argc < 2 || (!strncmp(mode, "--", 2) && argc < 3 && !list)) {
        fprintf(stderr, "fuzz CORPUS | --random N [SEED] | --seeds DIR | --list\n");
        return EXIT_USAGE;
    }
    state = argc > 3 ? 2 * strtoull(argv[3], NULL, 10) + 1 : 1;
    fuzz_start();
    for (int k = 0; k < fuzz_targets(); k++)
        if (list)
            puts(fuzz_name(k));
        else
            visit(k, mode, what, atol(what));
    if (!list)
        printf("%ld inputs taken, %ld refused, %d failures\n", fuzz_taken, fuzz_refused, fuzz_failures());
    fuzz_end();
    return fuzz_failures() || (fuzz_taken + fuzz_refused == 0 && !list && strcmp(mode, "--seeds")) ? EXIT_FAILURE
                                                                                                   : EXIT_SUCCESS;
}
