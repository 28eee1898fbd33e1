#!/bin/sh
# A file includes headers of its own layer or an earlier one: base <- graph <- data <- attack <- model <- loss <- train <-
# method <- stats <- record <- paper <- page. Only blas.c, and the comparison with MKL, may include a BLAS header. Functions
# have at most 60 lines; `make lint` checks the length of lines.
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
if grep -lE '#include <(mkl|cblas)' -r src bench | grep -v -e '^src/graph/blas.c$' -e '^bench/kernels/kernels_mkl.c$'; then
    echo "BLAS headers belong into src/graph/blas.c"
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
