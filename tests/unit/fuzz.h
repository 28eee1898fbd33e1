/* fuzz: mangled input for everything that reads what a user or another program wrote: files of every upstream format,
 * records, cache, saved models, specs, partitions, attacks, tables, the catalogue, command lines. Every input must be
 * accepted, or refused with one line; a crash, a sanitizer report or excessive memory is a failure.
 *
 * Targets are numbered: those of the table in fuzz.c, then the sets of synth_raw.h. An input of a set is one of its
 * files: the first byte says which one, the second which member of a zip (0: the file as a whole). */
#ifndef JCB_FUZZ_H
#define JCB_FUZZ_H

#include "synth_raw.h"

void fuzz_start(void); /* makes a directory with well-formed files */
void fuzz_end(void);

int fuzz_targets(void);
const char *fuzz_name(int k);   /* until the next call */
const raw_set *fuzz_set(int k); /* NULL: not a set */
void fuzz_try(int k, const unsigned char *p, size_t n);
void fuzz_write_cache(const char *to); /* a seed of the target `cache` */
int fuzz_failures(void);               /* so far; each was reported */
extern long fuzz_taken, fuzz_refused;

#endif
