/* synth_raw: small data sets in every upstream format, as files that can be unpacked, changed and packed again.
 *
 * In all of them node i has class i % classes and the one feature i % features, with value 1 or 0.5 + i / 8; the nodes
 * of the (main) component form a ring, with some duplicates, loops and reversed edges. */
#ifndef JCB_SYNTH_RAW_H
#define JCB_SYNTH_RAW_H

#include "../../src/data/dataset.h"
#include <stddef.h>
#include <stdint.h>

typedef struct blob {
    unsigned char *p;
    size_t n, cap;
} blob;

void blob_add(blob *b, const void *data, size_t n);
void blob_le(blob *b, uint64_t x, int n); /* n bytes, little-endian */
void blob_text(blob *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
blob blob_copy(const blob *b);
void blob_free(blob *b);

enum packing { PLAIN, GZIP, NPZ };

#define MEMBERS 12
typedef struct raw_file {
    char path[96]; /* below the test's directory */
    enum packing packing;
    int deflate; /* NPZ: members are compressed */
    int zip64;   /* NPZ: sizes and offsets of 64 bits in the directory */
    int n;       /* members; 1 unless NPZ */
    struct {
        char name[48];
        blob b;
    } m[MEMBERS];
} raw_file;

#define FILES 12
typedef struct raw_set {
    const char *title;
    loader *load;
    const char *path, *name;
    int nfiles;
    raw_file f[FILES];
    int nodes, edges, features, classes, splits, part[PARTS], weighted; /* expected result of the loader */
} raw_set;

int raw_sets(const raw_set **sets); /* how many; made once */

/* For the files that make them. */
enum { RAW_NODES = 30 }; /* of the small sets */
raw_set *raw_add_set(const char *title, loader *load, const char *path, const char *name, int nodes, int features,
                     int classes);
blob *raw_add_text(raw_set *s, enum packing packing, const char *path);
void raw_csv_edges(blob *b, const char *header);
void raw_own_sets(void); /* synth_own.c */

void raw_temp_dir(char *dir, size_t size); /* a new directory */

blob raw_pack(const raw_file *f);
void raw_write(const char *dir, const char *path, const blob *b); /* dies on failure */
int raw_read(raw_file *f, const char *dir, const char *path);     /* unpacks a file on disk; 0: no such file */

raw_file *raw_add(raw_set *s, enum packing packing, const char *path);
void raw_parts(raw_set *s, int splits, int train, int val, int test);
void raw_planetoid(raw_set *s, const char *prefix); /* adds the eight files, 560 nodes, 9 features, 3 classes */
double raw_weight(int i);

/* An npy member: rows x cols values, or one dimension when cols is 0; descr as numpy writes it. */
void raw_npy(raw_file *f, const char *key, const char *descr, int rows, int cols, const double *x);
void raw_npy_header(blob *b, const char *dict);

#endif
