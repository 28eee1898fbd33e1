/* origin: where the data of a run come from, best first. Records and tables have the name.
 *
 *   real        the published files
 *   rebuilt     real graph and labels; the published features are offline and were recomputed from published files by
 *               a recipe that was checked against published values
 *   substitute  real graph, labels and split; features that are not the published ones
 *   twin        a synthetic graph
 *   user        a graph of the user's own */
#ifndef JCB_ORIGIN_H
#define JCB_ORIGIN_H

enum origin { ORIGIN_REAL, ORIGIN_REBUILT, ORIGIN_SUBSTITUTE, ORIGIN_TWIN, ORIGIN_USER, ORIGINS };

extern const char *const origin_name[ORIGINS];
extern const char origin_rebuilt_text[]; /* what was rebuilt and how it was checked, for tables and report */

enum origin origin_find(const char *name); /* ORIGINS: unknown, such as that of a cell without runs */
const char *origin_word(enum origin o);    /* its name; "-" for ORIGINS */
int origin_comparable(enum origin o);      /* 1: results may be compared with the paper's: real and rebuilt */
const char *origin_label(enum origin o);   /* what is printed beside a result: "" for real, else the name */

#endif
