/* product: "dataset=cora|citeseer loss=ce|jc" stands for all combinations, the leftmost key varying slowest.
 *
 *   key=A|B|C      alternatives; 1..8 is 1|2|...|8
 *   a/b=1/x|2/y    keys that change together: a=1 b=x, then a=2 b=y
 *   {key}          in a value: the value of a key further left
 *
 * Keys are hyper-parameters (net/spec.h) or variables, which exist only to be read by {key}. */
#ifndef JCB_PRODUCT_H
#define JCB_PRODUCT_H

#include "../base/arena.h"

enum { PRODUCT_KEYS = 16, BINDING_KEYS = 40 };

typedef struct product_factor {
    int keys;                      /* one, or several that change together */
    const char *key[PRODUCT_KEYS]; /* their names */
    int count;                     /* alternatives */
    const char **value;            /* alternative i of key k: value[i * keys + k] */
} product_factor;

typedef struct product {
    const char *where; /* in front of messages: file, line and column */
    int factors;
    product_factor factor[PRODUCT_KEYS];
} product;

/* The values of one combination, in the order of their keys; of equal keys the last counts. */
typedef struct binding {
    int count;
    const char *key[BINDING_KEYS], *value[BINDING_KEYS];
    int *used[BINDING_KEYS]; /* set to 1 when the value is read by {key}; may be NULL */
} binding;

product product_parse(arena *a, const char *text, const char *where);

/* Calls fn(arg, b) for each combination, with its values added to *b. `used` (NULL: not asked) has an element for each
 * key, in order. */
void product_each(arena *a, const product *p, binding *b, int *used, void (*fn)(void *arg, binding *b), void *arg);

/* The text with each {key} replaced by its value. Dies on an unknown key. */
const char *binding_fill(arena *a, const binding *b, const char *text, const char *where);

#endif
