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

int origin_comparable(const char *name)
{
    enum origin o = origin_find(name);
    return o == ORIGIN_REAL || o == ORIGIN_REBUILT;
}

const char *origin_label(const char *name) { return origin_find(name) == ORIGIN_REAL ? "" : name; }
