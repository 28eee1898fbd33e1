/* list: the items of a comma-joined text, "a,b=1,c". */
#ifndef JCB_LIST_H
#define JCB_LIST_H

#include <stddef.h>
#include <string.h>

typedef struct list_item {
    const char *s; /* n characters, not NUL-terminated; NULL: behind the last item */
    size_t n;
    size_t key; /* characters in front of '='; n where there is none */
} list_item;

static inline list_item list_from(const char *s)
{
    size_t n = strcspn(s, ","), key = strcspn(s, "=");
    return *s ? (list_item){s, n, key < n ? key : n} : (list_item){NULL, 0, 0};
}

/* for (list_item i = list_first(text); i.s; i = list_next(i)) */
static inline list_item list_first(const char *text) { return list_from(text ? text : ""); }
static inline list_item list_next(list_item i) { return list_from(i.s + i.n + (i.s[i.n] == ',')); }

static inline int list_is(list_item i, const char *word) { return strlen(word) == i.n && !strncmp(i.s, word, i.n); }

/* Cuts a text at the first such character; returns what follows, or NULL. */
static inline char *list_cut(char *text, char at)
{
    char *rest = strchr(text, at);
    if (rest)
        *rest++ = 0;
    return rest;
}

#endif
