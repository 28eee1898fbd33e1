#!/bin/sh
# make lint: clang-format, shellcheck, cppcheck and clang-tidy; exit code 1 on any finding. A tool that is not installed
# is skipped with a message, or is an error with LINT=strict. FILES: only these C files. From the top of the source tree;
# .clang-format and .clang-tidy have the rules.
cd "${srcdir:-.}" || exit 1
bad=0
have() {
    command -v "$1" >/dev/null && return 0
    echo "$1 is not installed: skipped"
    [ "${LINT:-}" != strict ] || bad=1
    return 1
}
sources=${FILES:-$(find src bench tests reference -name '*.c')}
headers=${FILES:-$(find src bench tests reference -name '*.h' ! -name version.h ! -name report_files.h ! -name registry.h)}

# Versions of clang-format differ in details: the tree is formatted by 14.
# shellcheck disable=SC2086
if have clang-format; then
    case $(clang-format --version) in
    *'version 14.'*) clang-format --dry-run -Werror $sources $headers || bad=1 ;;
    *) echo "$(clang-format --version): not version 14, skipped" ;;
    esac
fi

# shellcheck disable=SC2046
! have shellcheck ||
    shellcheck -S warning setup.sh .ci/run $(find . -path './build*' -prune -o -name '*.sh' -print) || bad=1

# Not the tests: CHECK() continues after a failure, which cppcheck reports as use of null pointers. Suppressed: sums that
# cannot be 0 before log() (invalidFunctionArg); pointers to the first of several elements (objectIndex); fields accessed
# by offset, half floats in the memory of floats (invalidPointerCast); and single places: v is written through a vector
# pointer; the shift is at most 24; p is not null; the index is checked by the preceding loop.
# shellcheck disable=SC2046,SC2086
! have cppcheck || cppcheck --quiet --std=c11 --enable=warning,portability,performance --inline-suppr \
    --error-exitcode=1 --suppress=missingIncludeSystem --suppress=internalAstError \
    --suppress=normalCheckLevelMaxBranches --suppress=invalidFunctionArg --suppress=objectIndex \
    --suppress=invalidPointerCast --suppress=uninitvar:src/kernel/kernels.c \
    --suppress=shiftTooManyBitsSigned:src/kernel/pairs.c --suppress=nullPointer:bench/kernels/kernels_model.c \
    --suppress=arrayIndexThenCheck:src/attack/relaxed.c \
    '-D_Noreturn=__attribute__((noreturn))' -Isrc -D__GNUC__ -j2 $(for f in $sources; do
        case $f in tests/* | reference/*) ;; *) echo "$f" ;; esac
    done) || bad=1

# shellcheck disable=SC2086
! have clang-tidy || clang-tidy --quiet $sources -- -std=gnu11 -fopenmp -D_GNU_SOURCE -Isrc -I/usr/include/mkl \
    '-DPACKAGE_VERSION="0"' '-DJCB_DATADIR="/"' \
    2>/dev/null || bad=1
exit $bad
