#!/bin/sh
# The n-th call of every kind fails (tests/tools/fail_nth.c), once and from then on, in every program that writes something. After each fault:
#   - exit 0 and the whole result (the call was repeated or was not needed), or exit 1 and a message that names the file;
#   - an end within two minutes (LONGEST, in seconds);
#   - every file is the old one or the new one; records hold the old rows and no others than the new; nothing else is left;
#   - the next start, without a fault, gives what an undisturbed one gives.
# FAULTS=all: every n (malloc: every seventh, or every STEP-th); some: n = 1, 3, 7, 15, ...; otherwise a sample that fits into `make check`. SCENARIOS, CALLS: only these.
. "$srcdir/tests/tools/common.sh"
lib=$PWD/tests/fail_nth.so
[ -f "$lib" ] || { echo "no $lib: skipped"; exit 77; }
export JCB_RAW="$tmp/none" OMP_NUM_THREADS=2 SOURCE_DATE_EPOCH=1000000000 # the minute on the page
LD_PRELOAD=$lib jcb --version >"$tmp/out" 2>&1 || { echo "programs do not start with a preloaded library: skipped"; exit 77; }
fault='' w=$tmp/w
specs=$srcdir/bench/specs paper=$srcdir/paper_tables
EIO=5 ENOSPC=28 EINTR=4 ENOMEM=12 EAGAIN=11

# ---- what is run; each in the directory $w, which holds what an earlier run left ----
bench() { program=$1; shift; $fault "$program" --data "$w/data" --specs "$specs" --out "$w/out" --jobs 1 --quiet "$@"; }
records() { bench bench_balanced --only dataset=cora,model=mlp,loss=ce --runs 2; }
columns_added() { records; }
curves() { bench bench_loss_gap --only dataset=cora --runs 1 --short 20; }
tables() { $fault jcb tables --records "$w/records" --paper "$paper" --out "$w/out"; }
figures() { $fault jcb figures --records "$w/records" --curves "$w/curves" --paper "$paper" --out "$w/out"; }
report() { $fault jcb report --records "$w/records" --paper "$paper" --figures "$w/figures" --data "$w/data" --out "$w/out/report.html"; }
markdown() {
    $fault jcb report --markdown "$w/out/R.md" --draft --readme "$w/out/README.md" --records "$w/records" --paper "$paper" --figures "$w/figures" --data "$w/data" --specs "$specs"
}
model() { $fault jcb train --dataset "$w/own" --data "$w/data" --loss jc --clusters 2 --epochs 5 --save "$w/out/m" --predictions "$w/out/p.tsv"; }
predict() { $fault jcb predict --model "$w/m" --data "$w/data" --predictions "$w/out/p.tsv"; }
attack() { $fault jcb attack --dataset "$w/own" --data "$w/data" --method dice --rate 0.2 --write "$w/out/own.flips" --quiet; }
partition() { $fault jcb partition --dataset "$w/own" --data "$w/data" --clusters 3 --write "$w/out/clusters.txt"; }
cache() { $fault jcb data cache cora --data "$w/data"; }
merge() { $fault jcb merge "$w/out" "$w/part1" "$w/part2"; }
tune() {
    $fault jcb tune --experiment mine --base "dataset=twin:cora model=mlp loss=ce epochs=3" --grid "lr=.01,.05" --seeds 1 --jobs 1 --data "$w/data" --out "$w/out" \
        --specs "$w/out/specs" --quiet
}
train() { $fault jcb train --dataset "$w/own" --data "$w/data" --partition "file:$w/part.txt" --attack "file:$w/own.flips" --loss jc --clusters 3 --epochs 3 >"$w/out/text"; }

# old_NAME: what is there before, in $w
start() { rm -rf "$w" && mkdir -p "$w/out" && cp -r "$tmp/base/data" "$tmp/base/own" "$w/"; }
old_records() { start && bench bench_balanced --only dataset=cora,model=mlp,loss=ce --runs 1; }
old_columns_added() { # a file of an earlier program: without the columns of checks and one more
    old_records && awk -F'\t' 'BEGIN { OFS = FS } NR == 1 { for (i = 1; i <= NF; i++) if ($i == "check" || $i == "seconds") skip[i] = 1 }
        { row = ""; for (i = 1; i <= NF; i++) if (!skip[i]) row = row (row == "" ? "" : FS) $i; print row }' "$w/out/records/balanced.tsv" >"$w/t" &&
        mv "$w/t" "$w/out/records/balanced.tsv"
}
old_curves() { start; }
old_tables() { start && cp -r "$tmp/base/records" "$w/" && mv "$w/records" "$w/more" && mkdir "$w/records" && tables >/dev/null 2>&1; rmdir "$w/records" && mv "$w/more" "$w/records"; }
old_figures() { start && cp -r "$tmp/base/records" "$tmp/base/curves" "$w/"; }
old_report() { start && cp -r "$tmp/base/records" "$tmp/base/figures" "$w/" && echo old >"$w/out/report.html"; }
old_markdown() { start && cp -r "$tmp/base/records" "$tmp/base/figures" "$w/" && printf 'a\n<!-- results: begin -->\n<!-- results: end -->\nz\n' >"$w/out/README.md"; }
old_model() { start && echo old >"$w/out/m" && echo old >"$w/out/p.tsv"; }
old_predict() { start && model >/dev/null && mv "$w/out/m" "$w/m" && echo old >"$w/out/p.tsv"; }
old_attack() { start; }
old_partition() { start && echo old >"$w/out/clusters.txt"; }
old_cache() { start && rm -rf "$w/data/cache"; }
old_merge() { start && mkdir "$w/part1" "$w/part2" && cp -r "$tmp/base/records" "$w/part1/" && old=$w && w=$tmp/other && start && records && w=$old && mv "$tmp/other/out/records" "$w/part2/"; }
old_tune() { start; }
old_train() { start && partition >/dev/null && mv "$w/out/clusters.txt" "$w/part.txt" && attack && mv "$w/out/own.flips" "$w/"; }

mkdir -p "$tmp/base/own" && cp -r "$data" "$tmp/base/data"
awk 'BEGIN { for (i = 0; i < 60; i++) print i, (i + 2) % 60 }' >"$tmp/base/own/edges.tsv"
awk 'BEGIN { for (i = 0; i < 60; i++) print i, i % 2 }' >"$tmp/base/own/labels.tsv"
awk 'BEGIN { for (i = 0; i < 60; i++) print i % 2 + 1, 2 - i % 2, 1 }' >"$tmp/base/own/features.tsv"
awk 'BEGIN { for (i = 0; i < 60; i++) print i, i < 20 ? "train" : i < 40 ? "val" : "test" }' >"$tmp/base/own/split.tsv"
start && bench bench_balanced --only dataset=cora,model=mlp --runs 2 && bench bench_loss_gap --only dataset=cora --runs 1 || fail "the runs to start with"
cp -r "$w/out/records" "$w/out/curves" "$tmp/base/" && cp -r "$w/data/cache" "$tmp/base/data/"
$fault jcb figures --records "$tmp/base/records" --curves "$tmp/base/curves" --paper "$paper" --out "$tmp/base/figures" >/dev/null || fail "figures"

# ---- judging ----
# What a file says, without what differs from run to run: times and peaks of records. A run that ended with an error is recorded as failed and
# done again by the next start: the row of its failure stays.
said() {
    case $1 in
        *records/*.tsv | *tune/*.tsv) columns "$1" key status param_hash test_acc val_acc 2>/dev/null | grep -v ' failed:' | sort ;;
        *) sed -e 's/[0-9.]* ms.epoch//' -e 's/[0-9]* files in [0-9.]* s//' "$1" ;;
    esac
}
bad=0 runs=0 faults=0
wrong() {
    bad=$((bad + 1))
    echo "WRONG: $scenario, $call number $n, error $error, on=$on, $(head -n 1 "$tmp/log"): $*"
    sed 's/^/    /' "$tmp/err" | tail -n 3
    [ $bad -lt "${MOST:-20}" ] || fail "$bad mistakes, $runs runs"
}
# Every file of $w/out is the old or the new one; with `whole` the new one.
judge_files() {
    # commands.log has a line for every start, with its time
    diff -rq -x '.*.lock' -x commands.log "$w/out" "$tmp/new/out" >"$tmp/diff" && return
    sed -n -e "s|^Files $w/out/\(.*\) and .* differ\$|\1|p" -e "s|^Only in $w/out\(.*\): \(.*\)|.\1/\2|p" -e "s|^Only in $tmp/new/out\(.*\): \(.*\)|missing .\1/\2|p" "$tmp/diff" >"$tmp/differ"
    while read -r file more; do
        [ "$file" != missing ] || { [ "$1" != whole ] || wrong "$more is missing"; continue; }
        [ -f "$w/out/$file" ] || continue # a directory that is there early
        said "$w/out/$file" >"$tmp/have"
        said "$tmp/new/out/$file" >"$tmp/will" 2>/dev/null || : >"$tmp/will"
        cmp -s "$tmp/have" "$tmp/will" && continue
        [ "$1" != whole ] || { wrong "$file is not what an undisturbed run writes"; continue; }
        said "$tmp/old/out/$file" >"$tmp/was" 2>/dev/null || : >"$tmp/was"
        case $file in
            text) continue ;; # standard output, as far as it came
            *.flips) [ "$(head -c "$(wc -c <"$tmp/have")" "$tmp/will")" = "$(cat "$tmp/have")" ] && continue ;; # appended line by line
            *records/*.tsv | *tune/*.tsv) [ -z "$(comm -23 "$tmp/was" "$tmp/have")$(comm -13 "$tmp/will" "$tmp/have")" ] && continue ;;
        esac
        [ -f "$tmp/old/out/$file" ] && cmp -s "$tmp/have" "$tmp/was" || wrong "$file is neither the old nor the new one"
    done <"$tmp/differ"
}

# One fault. Returns 1 when the program came through without meeting it.
one() {
    rm -rf "$w" "$tmp/log" && cp -a "$tmp/old" "$w"
    head -c 16 /dev/zero >"$tmp/count"
    fault="timeout -k 5 ${LONGEST:-120} env LD_PRELOAD=$lib FAIL_CALL=$call FAIL_NTH=$n FAIL_ON=$on FAIL_ERROR=$error FAIL_UNDER=$w FAIL_COUNT=$tmp/count FAIL_LOG=$tmp/log"
    $scenario >"$tmp/out" 2>"$tmp/err"
    code=$?
    fault=''
    runs=$((runs + 1))
    [ -s "$tmp/log" ] || return 1
    if [ $call = malloc ]; then # libraries have their own words, and MKL its own exit code
        [ $code != 2 ] || ! grep -q MKL "$tmp/out" || { code=1; echo "libgomp: MKL" >"$tmp/err"; }
        sed -i -e '/^ *Maximum memory used/d' -e '/^ *Current memory used/d' -e '/^\*\*\*Memory/d' -e '/^Failed during/d' -e '/^$/d' -e 's/allocating [0-9]* bytes/allocating bytes/' "$tmp/err"
    fi
    # LLVM's OpenMP runtime aborts with its own message
    [ $code != 134 ] || ! grep -q '^OMP: Error' "$tmp/err" || { code=1; echo "libomp: no memory or no thread" >"$tmp/err"; }
    faults=$((faults + 1))
    sed -e 's/\.tmp[0-9a-f]\{16\}$//' -e 's/.*\///' "$tmp/log" >"$tmp/names"
    case $code in
        0) judge_files whole ;;
        1)
            grep -qE '^[a-z_ ]+: ' "$tmp/err" || wrong "no message"
            # each process may warn; what is said without a fault, too, does not count. A fault that lasts ends the runs of workers one by one and meets several files: a line each
            most=2
            case $on,$scenario in 1,records | 1,columns_added | 1,curves | 1,tune) most=$(($(sort -u "$tmp/names" | grep -c .) + 1)) && [ $most -gt 3 ] || most=3 ;; esac
            [ "$(sort -u "$tmp/err" | grep -v -x -F -f "$tmp/notes" | grep -c .)" -le $most ] || wrong "more than $most messages and warnings"
            case $call in
                mmap | malloc | fork | random) ;;
                *) grep -q -F -f "$tmp/names" "$tmp/err" || wrong "the message does not name the file" ;;
            esac
            [ $error != $EINTR ] && [ $error != short ] || case $call in read | write) wrong "not repeated" ;; esac
            judge_files any ;;
        *) wrong "exit $code"; judge_files any ;;
    esac
    [ $code != 0 ] || return 0
    $scenario >"$tmp/out" 2>"$tmp/err" || wrong "the next start: exit $?"
    judge_files whole
}

tier=${FAULTS:-sample} turn=0
scenarios=${SCENARIOS:-records columns_added curves tables figures report markdown model predict attack partition cache merge tune train}
for scenario in $scenarios; do
    "old_$scenario" >"$tmp/out" 2>&1 || { cat "$tmp/out"; fail "old_$scenario"; }
    rm -rf "$tmp/old" "$tmp/new" && cp -a "$w" "$tmp/old"
    $scenario >"$tmp/out" 2>"$tmp/err" || { cat "$tmp/err"; fail "$scenario without a fault"; }
    mv "$w" "$tmp/new"
    mv "$tmp/err" "$tmp/notes"
    before=$faults
    for call in ${CALLS:-open read write fsync rename unlink mkdir stat close mmap malloc fork lock random}; do
        case $call in
            read) errors="$EIO $EINTR short" ;;
            write) errors="$EIO $ENOSPC $EINTR short" ;;
            mmap | malloc) errors=$ENOMEM ;;
            fork) errors=$EAGAIN ;;
            fsync | open | lock) errors="$EIO $EINTR" ;;
            *) errors=$EIO ;;
        esac
        for error in $errors; do
            for on in 0 1; do
                [ $on = 0 ] || [ "$error" != $EINTR ] || continue # for ever interrupted: nothing ends that
                [ $on = 0 ] || [ "$error" != short ] || [ $call != read ] || continue
                n=1 step=1 turn=$((turn + 1))
                [ $call != malloc ] || step=${STEP:-7} # most are those of libraries
                case $tier in
                    all) while one; do n=$((n + step)); done ;;
                    some) while one; do n=$((2 * n + 1)); done ;;
                    *) [ $((turn % 9)) != 0 ] || { n=$((1 + turn / 9 % 4)) && one; } ;;
                esac
            done
        done
    done
    [ -z "${VERBOSE:-}" ] || echo "$scenario: $((faults - before)) faults"
done
[ $bad = 0 ] || fail "$bad mistakes in $faults faults"
echo "$faults faults in $runs runs"
