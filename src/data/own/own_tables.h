/* own_tables: the text files that formats of users' graphs share (load_plain.c, load_mtx.c). Fields are
 * separated by blanks, tabs or commas; empty lines, lines that start with '#' and a byte order mark are skipped, and so
 * is a first line whose fields, two or more, all begin with a letter (a header).
 *
 *   labels.tsv        node id, class. Classes are all integers 0, 1, ... or else words, numbered in alphabetical order;
 *                     a node without a line has no label
 *   multilabels.tsv   instead: node id, then any number of classes; a node without a line has none
 *   split.tsv         optional: node id, then train, val, test or - (none) for each split;
 *                     a node without a line is in no part
 *   sizes.tsv         optional: `nodes N`, `features F`, `classes C`, a line each: where the other files do not show
 *                     them, since the last nodes have no links, or no node has the last column or class  */
#ifndef JCB_OWN_TABLES_H
#define JCB_OWN_TABLES_H

#include "../read/load_common.h"
#include "../text.h"

#define GAPS 64 /* nodes or columns may exceed the number of those mentioned by at most this factor */

typedef struct own_table {
    ints node, line, first; /* of line k: word[first.v[k] .. first.v[k + 1]) */
    bytes *word;
    const char *path;
} own_table;

typedef struct own {
    load *l;
    int nodes, features, classes; /* as sizes.tsv or a matrix says; -1: not known */
    int last;                     /* largest node id seen */
    int64_t mentions;             /* of nodes */
    int multi, parts;             /* there are multilabels.tsv, split.tsv */
    own_table labels, split;
} own;

/* Past a byte order mark and a header line; line ends have to be LF or CR LF. */
text own_open(load *l, const char *name);
int own_has(load *l, const char *name);
int own_next_field(text *t);                   /* past blanks and one comma; 0 at the end of the line */
void own_end_field(text *t, const char *what); /* a number has to end where a field ends */
int64_t own_count_fields(text *t);             /* from here on; goes to the end of the line */
int own_node(own *g, text *t);                 /* a node id */
_Noreturn void own_die_gaps(const own *g, int node);

/* In the order of the calls: */
void own_read_sizes(own *g);           /* sizes.tsv, if it exists */
void own_read_tables(own *g);          /* labels and split */
void own_count_nodes(own *g);          /* sets the number of nodes, once all files have been read */
void own_check_features(const own *g); /* the draft's features against sizes.tsv */
void own_set_tables(own *g);           /* labels and splits of the draft */

#endif
