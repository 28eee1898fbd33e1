#!/bin/sh
# A file includes headers of its own room of src/ (with its subdirectories) or of an earlier one: base <- kernel <- data <-
# net <- train <- attack <- run <- result <- cli. Only blas.c, and the comparison with MKL, may include a BLAS header.
# Rooms up to attack call no exp(), log(), ... of the C library (src/base/portable.h), but for plain reference versions.
# Functions have at most 60 lines; `make lint` checks the length of lines.
cd "$srcdir" || exit 1
bad=0
seen=
for room in base kernel data net train attack run result cli; do
    seen="$seen $room"
    # shellcheck disable=SC2044
    for file in $(find src/$room -name '*.[ch]' ! -name report_files.h ! -name registry.h); do
        for include in $(sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file"); do
            from=$(cd "$(dirname "$file")" && realpath -m --relative-to="$OLDPWD/src" "$include")
            from=${from%%/*}
            [ -d "src/$from" ] || continue # version.h and what make writes
            case " $seen " in
                *" $from "*) ;;
                *) echo "$file includes $include, of a later room"; bad=1 ;;
            esac
        done
    done
done
if grep -lE '#include <(mkl|cblas)' -r src bench | grep -v -e '^src/kernel/blas.c$' -e '^bench/kernels/kernels_mkl.c$'; then
    echo "BLAS headers belong into src/kernel/blas.c"
    bad=1
fi
if grep -nE '(^|[^_[:alnum:].])(exp|expm1|exp2|log|log1p|log2|log10|pow|sin|cos|tan|tanh|erf|cbrt|hypot)f?\(' -r src/base src/kernel src/data src/net src/train src/attack |
    grep -vE '^[^:]*:[0-9]*:(/\*| \*|.*/\*.*(exp|log|tanh)\()|^src/kernel/(ref|attention_ref)\.c|^src/kernel/exp\.h.*(exp|expm1)\(x\); \}$'; then
    echo "the C library's functions differ in their last bits: src/base/portable.h"
    bad=1
fi
# shellcheck disable=SC2046
limits=$(awk '
    FNR == 1 { start = 0 }
    /^{/ { start = FNR }
    /^}/ { if (start && FNR - start - 1 > 60) print FILENAME ":" start ": a function of " FNR - start - 1 " lines"; start = 0 }
' $(find src bench tests reference -name '*.[ch]' ! -name version.h ! -name report_files.h))
[ -z "$limits" ] || { echo "$limits"; bad=1; }
[ $bad = 0 ] && echo "layers hold"
exit $bad
