#!/bin/sh
# Every input of tests/fixtures/corpus, and a few hundred damaged ones for each target of tests/unit/fuzz.c, are accepted or refused with one line.
export OMP_NUM_THREADS=1 FUZZ_CORPUS="$srcdir/tests/fixtures/corpus"
tests/fuzz "$FUZZ_CORPUS" && tests/fuzz --random "${INPUTS:-200}" "${SEED:-1}"
