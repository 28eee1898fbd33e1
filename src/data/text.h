/* text: a cursor over the lines of a text file; every error names file and line. */
#ifndef JCB_TEXT_H
#define JCB_TEXT_H

#include "../base/file.h"
#include "../kernel/real.h"
#include <stdint.h>

typedef struct text {
    const char *path;
    const unsigned char *p, *end; /* *end is 0 */
    int64_t line;                 /* the line of p, from 1 */
} text;

text text_open(bytes b);

_Noreturn void text_die(const text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline int text_more(const text *t) { return t->p < t->end; }

int64_t text_lines(const text *t); /* lines from here on, an unfinished last one included */

void text_header(text *t, const char *want); /* the whole line, and on to the next */

/* A decimal integer in lo .. hi; `what` names it in messages. */
int64_t text_int(text *t, const char *what, int64_t lo, int64_t hi);

/* A finite decimal number, correctly rounded. No nan, inf or hexadecimal. */
real text_real(text *t, const char *what);

void text_char(text *t, char c); /* exactly c */
void text_eol(text *t);          /* LF, CR LF or the end of the file */
int text_at_eol(const text *t);

void text_skip_blanks(text *t); /* blanks and tabs */

/* Past blanks, empty lines and '#' lines; 0 at the end of the file. */
int text_next_line(text *t);

/* A CSV field, up to a comma or the end of the line: its bytes, quotes included when it is quoted. */
bytes text_csv(text *t);

/* A word without blanks or commas. */
bytes text_word(text *t, const char *what);

int text_equal(bytes b, const char *s);

/* Up to 40 printable bytes of b for a message. */
const char *text_show(char out[48], const unsigned char *p, size_t n);

#endif
