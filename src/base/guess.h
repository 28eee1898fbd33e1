/* guess: "did you mean": the known name that is closest to a word. */
#ifndef JCB_GUESS_H
#define JCB_GUESS_H

typedef struct guess {
    const char *word;
    const char *best; /* NULL: none yet */
    int distance;
} guess;

void guess_try(guess *g, const char *name); /* insertions, deletions, changes and swaps of neighbours count one; upper
                                               and lower case, - and _ are the same */
const char *guess_text(const guess *g, char out[80]); /* "; did you mean 'NAME'?", or "" where no name is close */

#endif
