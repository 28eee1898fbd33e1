#include "labels.h"
#include <string.h>

node_labels labels_pick(arena *a, const node_labels *y, const int *rows, int n)
{
    node_labels out = {.classes = y->classes};
    size_t c = (size_t)y->classes;
    if (y->one) {
        int *one = NEW(a, int, (size_t)n);
        for (int i = 0; i < n; i++)
            one[i] = y->one[rows[i]];
        out.one = one;
    } else {
        unsigned char *many = NEW_2D(a, unsigned char, n, c);
        for (int i = 0; i < n; i++)
            memcpy(many + (size_t)i * c, y->many + (size_t)rows[i] * c, c);
        out.many = many;
    }
    return out;
}
