#!/bin/sh
# What shellcheck, cppcheck and clang-tidy have to say; each is left out, with a word, where it is not installed. FILES: only these C files. From the top of the
# source tree. .clang-tidy lists the checks.
cd "${srcdir:-.}" || exit 1
bad=0
# Looked at and left: v is written through a vector pointer; sums that are 0 only without points; a pointer that is not null where it is read; numbers of two
# bytes in the memory of floats, on purpose.
known='--suppress=uninitvar:src/graph/kernels.c --suppress=invalidFunctionArg:src/graph/tsne.c --suppress=nullPointer:bench/kernels_model.c
    --suppress=invalidPointerCast:bench/kernels_dense.c --suppress=arrayIndexThenCheck:src/attack/relaxed.c'
have() { command -v "$1" >/dev/null || { echo "no $1: left out"; return 1; }; }
# shellcheck disable=SC2046
! have shellcheck || shellcheck -S warning setup.sh .ci/run $(find . -path './build*' -prune -o -name '*.sh' -print) || bad=1
files=${FILES:-$(find src bench -name '*.c') $(echo tests/*.c)}
# shellcheck disable=SC2086
! have cppcheck || cppcheck --quiet --std=c11 --enable=warning,portability,performance --inline-suppr --error-exitcode=1 \
    $known --suppress=missingIncludeSystem --suppress=internalAstError --suppress=normalCheckLevelMaxBranches '-D_Noreturn=__attribute__((noreturn))' -Isrc -D__GNUC__ -j2 $files || bad=1
# shellcheck disable=SC2086
! have clang-tidy || clang-tidy --quiet $files -- -std=gnu11 -fopenmp -D_GNU_SOURCE -Isrc -I/usr/include/mkl 2>/dev/null || bad=1
exit $bad
