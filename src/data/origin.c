#include "origin.h"
#include <string.h>

const char *const origin_name[ORIGINS] = {"real", "rebuilt", "substitute", "twin", "user"};
const char origin_rebuilt_text[] = "the 128 features of Facebook, whose host is offline, recomputed from the raw files "
                                   "by non-negative matrix factorisation; all 104 published values that are known "
                                   "agree to 2.2e-5. Comparable "
                                   "with the paper.";

enum origin origin_find(const char *name)
{
    int k = 0;
    while (k < ORIGINS && strcmp(origin_name[k], name))
        k++;
    return (enum origin)k;
}

const char *origin_word(enum origin o) { return o < ORIGINS ? origin_name[o] : "-"; }

int origin_comparable(enum origin o) { return o == ORIGIN_REAL || o == ORIGIN_REBUILT; }

const char *origin_label(enum origin o) { return o == ORIGIN_REAL ? "" : origin_word(o); }
