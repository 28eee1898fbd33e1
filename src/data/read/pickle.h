/* pickle: the few Python 2 pickles (protocol 2) of the Planetoid files, as data.
 *
 * The reader knows the opcodes and the six names that occur in those files and refuses every other one: it calls
 * nothing and builds nothing but numbers, text, tuples, lists, dictionaries, numpy arrays of int32 and float32, and
 * the attribute dictionary of a scipy csr_matrix. Memory is proportional to the file: sizes are checked against the
 * bytes that are left, and lists, dictionaries and arrays cannot be shared through the memo. */
#ifndef JCB_PICKLE_H
#define JCB_PICKLE_H

#include "../../base/file.h"
#include <stdint.h>

enum pickle_kind {
    PICKLE_NONE,
    PICKLE_BOOL,
    PICKLE_INT,
    PICKLE_TEXT,
    PICKLE_TUPLE,
    PICKLE_LIST,
    PICKLE_DICT,
    PICKLE_ARRAY,
    PICKLE_CSR,
    PICKLE_DTYPE,
    PICKLE_GLOBAL,
    PICKLE_MARK
};

typedef struct pickle_array {
    char type; /* 'i': int32, 'f': float32, 0: not yet built */
    int dims;  /* 1 or 2 */
    int64_t rows, cols;
    const unsigned char *data; /* rows x cols elements of 4 bytes, not aligned */
} pickle_array;

typedef struct pickle_value {
    enum pickle_kind kind;
    int64_t i; /* BOOL, INT, GLOBAL (which); TEXT: its bytes */
    union {
        const unsigned char *text;
        struct pickle_seq *seq; /* TUPLE, LIST; DICT and CSR: key, value, key, value, ... */
        pickle_array *array;    /* ARRAY, DTYPE (its type) */
    };
} pickle_value;

typedef struct pickle_seq {
    int64_t n, capacity;
    pickle_value *v;
} pickle_seq;

pickle_value pickle_read(arena *tmp, bytes b); /* dies naming file, byte and opcode */

/* The value of a text key in a DICT or CSR, or NULL. */
const pickle_value *pickle_get(const pickle_value *dict, const char *key);

int32_t pickle_i4(const pickle_array *x, int64_t k);
float pickle_f4(const pickle_array *x, int64_t k);

#endif
