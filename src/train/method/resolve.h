/* resolve: from text to cells. The only file that looks up what the words of a spec name. */
#ifndef JCB_RESOLVE_H
#define JCB_RESOLVE_H

#include "method.h"

/* The spec of a text "key=value ...": the defaults of its method, overridden by the text. `setting` as for grid_spec.
 * Dies with a message that begins with `where` when the text is none. */
spec resolve_text(arena *a, const char **setting, const char *text, const char *where);

/* Resets all fields but the data set to the defaults of s->method. Values that are words are in the arena. */
void resolve_defaults(arena *a, spec *s);

/* The cell of a spec. The pointers to experiment (NULL: none) and setting ("-": none) are kept. Dies with one line when
 * a name is unknown, a number is out of its range, or hyper-parameters do not fit together. */
cell resolve_cell(const spec *s, const char *experiment, const char *setting);

/* The cell of a data set alone, where nothing is trained: the words of its spec are not looked up. */
cell resolve_dataset(const spec *s, const char *experiment, const char *setting);

/* Dies unless each key of "key=value ..." is read by one of the n cells. */
void resolve_check_keys(const char *text, const cell *c, int n);

#endif
