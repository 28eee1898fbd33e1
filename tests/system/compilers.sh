#!/bin/sh
# The kernels have the same bits (tests/unit/test_bits.c, test_portable.c) from other compilers and options than those of this build: gcc and clang at -O2.
# COMPILERS="gcc-13 clang-19", or "all" that are installed, with each line of OPTIONS; QEMU="Haswell Nehalem": on these emulated CPUs, too.
. "$srcdir/tests/tools/common.sh"
files="tests/unit/runner tests/unit/test_bits tests/unit/test_portable src/base/arena src/base/err src/base/hash src/base/mt19937 src/base/portable src/base/rng src/data/nmf
    src/kernel/attention src/kernel/attention_back src/kernel/csr src/kernel/distance src/kernel/dropout src/kernel/gemm src/kernel/kernels src/kernel/mat src/kernel/philox
    src/kernel/simd src/kernel/spmm"
case $(uname -m) in x86_64) v3="-march=x86-64-v3 -DJCB_ONE_CPU" v1="-march=x86-64 -DJCB_ONE_CPU" ;; *) v3="" v1="" ;; esac
grep -qw avx2 /proc/cpuinfo || v3=$v1
case ${COMPILERS:-} in
    "") COMPILERS="gcc clang" OPTIONS="${OPTIONS:--O2 $v3}" ;;
    all) COMPILERS="$(seq -f gcc-%g 9 20) $(seq -f clang-%g 14 30)" OPTIONS="${OPTIONS:-$(printf -- '-O2\n-O3\n-O2 %s\n-O3 %s\n-O1 %s\n-O3 -march=native -DJCB_ONE_CPU' "$v3" "$v3" "$v1")}" ;;
    *) OPTIONS=${OPTIONS:--O3} ;;
esac
cat >"$tmp/omp.h" <<'END'
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
END
tried=0
# compiled COMPILER OPTION...: the program $tmp/bits; two compilers at a time
compiled() {
    echo "$files" | tr -s ' \n' '\n\n' | xargs -P 2 -I {} sh -c 'exec "$@" -c "$0.c" -o "$tmp/$(basename "$0").o"' "$srcdir/{}" \
        "$@" -std=gnu11 -ffp-contract=off -fno-math-errno -fno-trapping-math -w -fopenmp-simd -DALONE "-I$srcdir/src" "-I$tmp" 2>"$tmp/err" && "$@" -o "$tmp/bits" "$tmp"/*.o -lm 2>"$tmp/err"
}
export tmp
for compiler in $COMPILERS; do
    command -v "$compiler" >/dev/null || continue
    echo "$OPTIONS" >"$tmp/options"
    while read -r options; do
        # shellcheck disable=SC2086
        compiled "$compiler" $options || { head -n 5 "$tmp/err"; fail "$compiler $options: does not compile"; }
        for test in bits portable; do
            holds "$compiler $options: test_$test: $(tail -n 3 "$tmp/out" 2>/dev/null)" sh -c "'$tmp/bits' test_$test >'$tmp/out' 2>&1 </dev/null"
            for cpu in ${QEMU:-}; do
                holds "$compiler $options: test_$test on $cpu" sh -c "qemu-x86_64-static -cpu $cpu '$tmp/bits' test_$test >'$tmp/out' 2>&1 </dev/null"
            done
        done
        echo "$compiler $options: the same bits"
        tried=$((tried + 1))
    done <"$tmp/options"
done
[ $tried -gt 0 ] || { echo "none of these is installed: $COMPILERS"; exit 77; }
