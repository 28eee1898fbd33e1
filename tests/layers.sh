#!/bin/sh
# A file includes headers of its own layer or an earlier one: base <- graph <- data <- attack <- model <- loss <- train <-
# method <- stats <- record <- paper <- page. Only blas.c, and the comparison with MKL, may include a BLAS header. Files have
# at most 400 lines (tests 450), functions 60; `make lint` checks the length of lines.
cd "$srcdir" || exit 1
bad=0
seen=
for layer in base graph data attack model loss train method stats record paper page; do
    seen="$seen $layer"
    for file in src/$layer/*.[ch]; do
        for include in $(sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file"); do
            case $include in
                ../*) from=${include#../}; from=${from%%/*} ;;
                *) from=$layer ;;
            esac
            case " $seen " in
                *" $from "*) ;;
                *) echo "$file includes $include, a later layer"; bad=1 ;;
            esac
        done
    done
done
if grep -lE '#include <(mkl|cblas)' -r src bench | grep -v -e '^src/graph/blas.c$' -e '^bench/kernels_mkl.c$'; then
    echo "BLAS headers belong into src/graph/blas.c"
    bad=1
fi
# shellcheck disable=SC2046
limits=$(awk '
    function check_file() { if (lines > (file ~ /^tests/ ? 450 : 400)) print file " has " lines " lines" }
    FNR == 1 { check_file(); file = FILENAME; start = 0 }
    { lines = FNR }
    /^{/ { start = FNR }
    /^}/ { if (start && FNR - start - 1 > 60) print FILENAME ":" start ": a function of " FNR - start - 1 " lines"; start = 0 }
    END { check_file() }
' $(find src bench tests -name '*.[ch]' ! -name version.h ! -name report_files.h))
[ -z "$limits" ] || { echo "$limits"; bad=1; }
[ $bad = 0 ] && echo "layers hold"
exit $bad
