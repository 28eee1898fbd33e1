/* synth_pickle: the Planetoid files of synth_raw.h, with the opcodes that the real ones have. */
#include "synth_raw.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void pickle_int(blob *b, int x)
{
    if (x >= 0 && x < 256)
        blob_text(b, "K%c", 0), b->p[b->n - 1] = (unsigned char)x;
    else if (x >= 0 && x < 65536)
        blob_text(b, "M"), blob_le(b, (uint64_t)x, 2);
    else
        blob_text(b, "J"), blob_le(b, (uint32_t)x, 4);
}

static void pickle_word(blob *b, const char *s) { blob_text(b, "U%c%s", (int)strlen(s), s); }

/* put: memo entry for the function's name; 0: it is entry 4 already. */
static void pickle_array(blob *b, char type, int rows, int cols, const void *data, int put)
{
    if (put)
        blob_text(b, "cnumpy.core.multiarray\n_reconstruct\nq%c", put);
    blob_text(b, put ? "cnumpy\nndarray\n"
                     : "h\x04"
                       "cnumpy\nndarray\n");
    pickle_int(b, 0);
    blob_add(b, "\x85", 1);
    pickle_word(b, "b");
    blob_add(b, "\x87R(", 3);
    pickle_int(b, 1);
    pickle_int(b, rows);
    if (cols)
        pickle_int(b, cols);
    blob_add(b, cols ? "\x86" : "\x85", 1);
    blob_text(b, "cnumpy\ndtype\nU\x02%c4", type);
    pickle_int(b, 0);
    pickle_int(b, 1);
    blob_add(b, "\x87R(", 3);
    pickle_int(b, 3);
    pickle_word(b, "<");
    blob_text(b, "NNN");
    pickle_int(b, -1);
    pickle_int(b, -1);
    pickle_int(b, 0);
    size_t size = (size_t)rows * (size_t)(cols ? cols : 1) * 4;
    blob_add(b, "tb\x89", 3);
    blob_text(b, size < 256 ? "U" : "T");
    blob_le(b, size, size < 256 ? 1 : 4);
    blob_add(b, data, size);
    blob_text(b, "tb");
}

/* Rows first .. first+rows-1 of the features, at the nodes `node` when given. */
static void pickle_matrix(blob *b, int rows, int cols, const int *node)
{
    int32_t *ptr = calloc((size_t)rows + 1, 4), *idx = calloc((size_t)rows, 4);
    float *val = calloc((size_t)rows, 4);
    for (int i = 0; i < rows; i++) {
        int u = node ? node[i] : i;
        ptr[i + 1] = i + 1;
        idx[i] = u % cols;
        val[i] = (float)raw_weight(u);
    }
    blob_add(b, "\200\002cscipy.sparse.csr\ncsr_matrix\nq\x01)\x81q\x02}q\x03(", 41);
    pickle_word(b, "format");
    pickle_word(b, "csr");
    pickle_word(b, "_shape");
    pickle_int(b, rows);
    pickle_int(b, cols);
    blob_add(b, "\x86", 1);
    pickle_word(b, "indptr");
    pickle_array(b, 'i', rows + 1, 0, ptr, 4);
    pickle_word(b, "_cs_matrix__has_sorted_indices");
    blob_add(b, "\x88", 1);
    pickle_word(b, "indices");
    pickle_array(b, 'i', rows, 0, idx, 0);
    pickle_word(b, "maxprint");
    pickle_int(b, 50);
    pickle_word(b, "data");
    pickle_array(b, 'f', rows, 0, val, 0);
    blob_text(b, "ub.");
    free(ptr);
    free(idx);
    free(val);
}

static void pickle_onehot(blob *b, int rows, int classes, const int *node)
{
    int32_t *y = calloc((size_t)rows * (size_t)classes, 4);
    for (int i = 0; i < rows; i++)
        y[i * classes + (node ? node[i] : i) % classes] = 1;
    blob_add(b, "\x80\x02", 2);
    pickle_array(b, 'i', rows, classes, y, 1);
    blob_text(b, ".");
    free(y);
}

static void pickle_graph(blob *b, int nodes)
{
    blob_add(b, "\x80\x02", 2);
    blob_text(b, "ccollections\ndefaultdict\nq\x01"
                 "c__builtin__\nlist\nq\x02\x85R(");
    for (int i = 0; i < nodes; i++) {
        pickle_int(b, i);
        blob_text(b, "]r");
        blob_le(b, (uint64_t)i + 3, 4);
        if (i % 2) {
            pickle_int(b, (i + 1) % nodes);
            blob_text(b, "a");
        } else {
            blob_text(b, "(");
            pickle_int(b, (i + 1) % nodes);
            pickle_int(b, i);
            pickle_int(b, (i + nodes - 1) % nodes);
            pickle_int(b, (i + 1) % nodes);
            blob_text(b, "e");
        }
        if (i % 100 == 99 && i + 1 < nodes)
            blob_text(b, "u(");
    }
    blob_text(b, "u.");
}

/* 520 rows in allx, test ids 520..559 backwards without the five 525, 532, ...: those nodes are bare. */
void raw_planetoid(raw_set *s, const char *prefix)
{
    static const char *const part[] = {"x", "y", "tx", "ty", "allx", "ally", "graph", "test.index"};
    int test[40], tests = 0;
    for (int u = 559; u >= 520; u--)
        if (u % 7)
            test[tests++] = u;
    for (int k = 0; k < 8; k++) {
        char path[96];
        snprintf(path, sizeof path, "%s.%s", prefix, part[k]);
        blob *b = &raw_add(s, PLAIN, path)->m[0].b;
        int rows = k < 2 ? 6 : k < 4 ? tests : 520;
        const int *node = k == 2 || k == 3 ? test : NULL;
        if (k == 6)
            pickle_graph(b, 560);
        else if (k == 7)
            for (int i = 0; i < tests; i++)
                blob_text(b, "%d\n", test[i]);
        else if (k % 2 == 0)
            pickle_matrix(b, rows, 9, node);
        else
            pickle_onehot(b, rows, 3, node);
    }
    s->weighted = 1;
    raw_parts(s, 1, 6, 500, tests);
}
