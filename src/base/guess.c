#include "guess.h"
#include "err.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 40 };

static int letter(char c) { return c == '_' ? '-' : tolower((unsigned char)c); }

static int least(int a, int b) { return a < b ? a : b; }

/* The Damerau-Levenshtein distance (of optimal string alignment); LONGEST for words that are longer. */
static int distance(const char *x, const char *y)
{
    int n = (int)strlen(x), m = (int)strlen(y), d[LONGEST + 1][LONGEST + 1];
    if (n >= LONGEST || m >= LONGEST)
        return LONGEST;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (!i || !j) {
                d[i][j] = i + j;
                continue;
            }
            int same = letter(x[i - 1]) == letter(y[j - 1]);
            d[i][j] = least(d[i - 1][j - 1] + !same, 1 + least(d[i - 1][j], d[i][j - 1]));
            if (i > 1 && j > 1 && letter(x[i - 1]) == letter(y[j - 2]) && letter(x[i - 2]) == letter(y[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

void guess_try(guess *g, const char *name)
{
    int d = distance(g->word, name);
    if (!g->best || d < g->distance)
        g->best = name, g->distance = d;
}

void guess_list(guess *g, const char *name)
{
    size_t n = strlen(g->known);
    guess_try(g, name);
    snprintf(g->known + n, sizeof g->known - n, "%s%s", n ? ", " : "", name);
}

const char *guess_text(const guess *g, char out[80])
{
    *out = 0;
    if (g->best && g->distance <= (int)(strlen(g->word) + 2) / 3 && g->distance < (int)strlen(g->best))
        snprintf(out, 80, "; did you mean '%s'?", g->best);
    return out;
}

void guess_die(const guess *g, const char *kind, const char *rest)
{
    char hint[80];
    die("unknown %s '%s'%s; there are %s%s", kind, g->word, guess_text(g, hint), g->known, rest);
}
