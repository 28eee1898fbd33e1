#!/bin/sh
# variant.sh NAME, from the top of a configured build: makes another build in build-NAME/, from a copy of the sources, and runs tests with it.
#   asan       AddressSanitizer, UndefinedBehaviorSanitizer and LeakSanitizer; make check (TESTS='tests/unit/test_record.c ...': these)
#   tsan       ThreadSanitizer, with clang, libomp and its archer; the tests of kernels, records and training
#   coverage   gcov; make check, then lines and branches by directory (LAYERS='base data': only these are instrumented, which is faster)
#   fuzz       libFuzzer with both sanitizers, with clang: every target of tests/unit/fuzz.c, together for TIME (10m)
# Ends with 77 if clang is needed and missing.
set -u
name=$1 dir=build-$1 top=$PWD
say() { printf '%s\n' "$*"; }
die() { say "variant.sh: $*" >&2; exit 1; }
need_clang() { # SANITIZERS; sets cc
    echo 'int LLVMFuzzerTestOneInput(const unsigned char *p, unsigned long n) { return p && n > 9; }' >"$dir/try.c"
    case $1 in *fuzzer*) ;; *) echo 'int main(void) { return 0; }' >>"$dir/try.c" ;; esac
    for cc in clang clang-14 clang-15 clang-16; do
        command -v $cc >/dev/null && $cc -fopenmp -fsanitize="$1" -o "$dir/try" "$dir/try.c" 2>/dev/null && return 0
    done
    say "no clang with OpenMP and -fsanitize=$1 (Debian 12: clang libclang-rt-14-dev libomp-14-dev): skipped"
    exit 77
}

# configured ARGUMENT...: copies the sources and runs configure once, with the BLAS of this build
configured() {
    make -s distdir distdir="$dir/source" >/dev/null 2>&1 || die "make distdir failed"
    blas=$(sed -n 's/^JCB_LIBS = .*\(mkl\|openblas\).*/\1/p' Makefile)
    cd "$dir" || exit 1
    [ -f Makefile ] || ./source/configure --with-blas="$blas" "$@" >configure.log 2>&1 || { tail -n 5 configure.log; die "configure failed"; }
}
build() { make -j"${JOBS:-$(getconf _NPROCESSORS_ONLN)}" "$@" >build.log 2>&1 || { grep -E 'error|\*\*\*' build.log | head -n 20; die "the build failed: $dir/build.log"; }; }
# checked TEST...: builds and runs these tests, one after the other; without any, make check
checked() {
    JCB_RAW=${JCB_RAW:-${JCB_MIRROR:-$top/data/raw}}
    export JCB_RAW
    if [ $# -eq 0 ]; then
        build && build tests/run tests/run_double tests/fuzz
        make -k -j"${JOBS:-1}" check
        return
    fi
    # shellcheck disable=SC2046
    build src/version.h && build $(printf '%s\n' "$@" | sed -n 's|.*/double/.*|tests/run_double|p; t; s|.*\.c$|tests/run|p' | sort -u)
    # Without programs, which C tests need not: this saves minutes.
    case $* in *.sh* | *products*) build all ;; esac
    make -k -j"${JOBS:-1}" check-TESTS TESTS="$*"
}

mkdir -p "$dir"
case $name in
    asan)
        configured --enable-asan CC="${CC:-gcc}"
        # allocator_may_return_null: tests ask for more memory than there is, as the programs' own messages say
        ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:allocator_may_return_null=1 LSAN_OPTIONS="suppressions=$top/${srcdir:-.}/tests/tools/leaks.supp:print_suppressions=0"
        TIMEOUT=${TIMEOUT:-40s} # kill.sh: runs take longer
        export ASAN_OPTIONS LSAN_OPTIONS TIMEOUT
        # shellcheck disable=SC2086
        checked ${TESTS:-}
        ;;
    tsan)
        need_clang thread
        configured --enable-tsan CC="$cc"
        llvm=$(dirname "$($cc -print-file-name=libarcher.so)")
        # Only code compiled with the sanitizer is checked, not MKL and libomp.
        TSAN_OPTIONS="ignore_noninstrumented_modules=1 halt_on_error=0 exitcode=66" LD_LIBRARY_PATH="$llvm${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" OMP_NUM_THREADS=4
        export TSAN_OPTIONS LD_LIBRARY_PATH OMP_NUM_THREADS
        # shellcheck disable=SC2086
        checked ${TESTS:-tests/unit/test_kernels.c tests/unit/test_attention.c tests/unit/test_record.c tests/unit/double/test_order.c tests/unit/double/test_sampler.c \
            tests/unit/double/test_batch.c tests/unit/test_train.c}
        ;;
    coverage)
        layers=${LAYERS:-base graph data attack model loss train method stats record paper page jcb bench}
        if [ -n "${LAYERS:-}" ]; then
            # in a directory of its own, with a compiler wrapper that instruments these layers only: training with instrumented kernels is slow
            dir=$dir-$(echo "$layers" | tr ' ' -) && mkdir -p "$dir"
            # shellcheck disable=SC2059,SC2086,SC2016
            { printf '#!/bin/sh\nfor x; do case $x in\n' && printf "*src/%s/*.c) exec ${CC:-gcc} \"\$@\" -O1 --coverage ;;\n" $layers &&
                printf 'esac; done\nexec %s "$@"\n' "${CC:-gcc}"; } >"$dir/cc" && chmod +x "$dir/cc"
            configured CC="$top/$dir/cc" LDFLAGS="--coverage -Wl,-u,__gcov_dump" # for workers, which end by _exit
        else
            configured CC="${CC:-gcc}" CFLAGS="-O1 --coverage"
        fi
        find . -name '*.gcda' -exec rm -f {} +
        # shellcheck disable=SC2086
        checked ${TESTS:-} >check.log 2>&1 || { grep -E '^(FAIL|ERROR)' check.log; say "not all tests passed: $dir/check.log"; }
        for layer in $layers; do
            case $layer in
                jcb) objects=$(find src -maxdepth 1 -name '*.gcda') ;;
                bench) objects=$(find bench -name '*.gcda') ;;
                *) objects=$(find "src/$layer" -name '*.gcda' ! -name 'lib*') ;;
            esac
            # shellcheck disable=SC2086
            gcov -n -b $objects 2>/dev/null | awk -v layer="$layer" -v list="${LIST:-0}" -F"[:%' ]+" '
                /^File/ { ours = $2 ~ /(src|bench)\/.*\.c$/; file = $2; lines = 0 }
                ours && /^Lines executed/ && !lines++ { # the second one is the sum of all files
                    n += $5; hit += $3 * $5 / 100; if (list) printf "  %-40s %6.1f %% of %d lines\n", file, $3, $5
                }
                ours && /^Taken at least/ { b += $7; taken += $5 * $7 / 100 }
                END { printf "%-8s %6.1f %% of %5d lines, %6.1f %% of %5d branches\n", layer, n ? 100 * hit / n : 0, n, b ? 100 * taken / b : 0, b }'
        done
        ;;
    fuzz)
        need_clang fuzzer,address
        configured CC="$cc" CFLAGS="-O1 -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined" && build src/version.h && build tests/fuzz tests/fuzz_llvm
        seconds=$(echo "${TIME:-10m}" | awk '{ x = $1 + 0; print x * ($1 ~ /h$/ ? 3600 : $1 ~ /m$/ ? 60 : 1) }')
        export OMP_NUM_THREADS=1 ASAN_OPTIONS=detect_leaks="${LEAKS:-1}"
        tests/fuzz --seeds seeds >/dev/null 2>&1
        targets=${TARGETS:-$(tests/fuzz --list)}
        # shellcheck disable=SC2086
        each=$(set -- $targets; echo $((seconds / $# > 0 ? seconds / $# : 1)))
        bad=0 total=0
        for t in $targets; do
            mkdir -p "seeds/$t" "found/$t" "crashes"
            cp "$top/${srcdir:-.}/tests/fixtures/corpus/$t"/* "seeds/$t/" 2>/dev/null
            FUZZ_TARGET=$t tests/fuzz_llvm -max_total_time="$each" -print_final_stats=1 -detect_leaks=0 -close_fd_mask=3 -timeout=30 -rss_limit_mb=2500 -max_len=65536 -verbosity=0 \
                -artifact_prefix="crashes/$t-" "found/$t" "seeds/$t" >"fuzz-$t.log" 2>&1 ||
                { bad=$((bad + 1)); say "$t: FAILED, see $dir/fuzz-$t.log"; grep -E 'ERROR|SUMMARY|runtime error' "fuzz-$t.log" | head -n 3; }
            runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "fuzz-$t.log" | tail -n 1)
            total=$((total + ${runs:-0}))
            say "$t: ${runs:-0} inputs"
        done
        say "$total inputs, $bad targets failed"
        [ $bad = 0 ]
        ;;
    *) die "NAME is asan, tsan, coverage or fuzz" ;;
esac
