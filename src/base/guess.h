/* guess: "did you mean": the known name that is closest to a word. */
#ifndef JCB_GUESS_H
#define JCB_GUESS_H

typedef struct guess {
    const char *word;
    const char *best; /* NULL: none yet */
    int distance;
    char known[512]; /* the names given to guess_list, comma-joined */
} guess;

void guess_try(guess *g, const char *name);  /* insertions, deletions, changes and swaps of neighbours count one; upper
                                                and lower case, - and _ are the same */
void guess_list(guess *g, const char *name); /* guess_try, and guess_die lists the name */
const char *guess_text(const guess *g, char out[80]); /* "; did you mean 'NAME'?", or "" where no name is close */

/* Dies with "unknown KIND 'WORD'; did you mean 'NAME'?; there are NAME, NAME, ..." and `rest`. */
_Noreturn void guess_die(const guess *g, const char *kind, const char *rest);

#endif
