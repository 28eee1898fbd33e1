#!/bin/sh
# Limits of a real system: a full or read-only file system, little memory, a memory control group, signals, two writers, two containers, clock steps, other processors, many threads,
# another locale. What the system does not allow here (no user namespaces, no qemu) is left out, and said.
. "$srcdir/tests/tools/common.sh"
export JCB_RAW="$tmp/none"
left=''
leave() { left="$left $1"; }
mkdir "$tmp/own"
awk 'BEGIN { for (i = 0; i < 60; i++) print i, (i + 2) % 60 }' >"$tmp/own/edges.tsv"
awk 'BEGIN { for (i = 0; i < 60; i++) print i, i % 2 }' >"$tmp/own/labels.tsv"
awk 'BEGIN { for (i = 0; i < 60; i++) print i % 2 + 1.5, 2 - i % 2, 1 }' >"$tmp/own/features.tsv"
awk 'BEGIN { for (i = 0; i < 60; i++) print i, i < 20 ? "train" : i < 40 ? "val" : "test" }' >"$tmp/own/split.tsv"
bench() { bench_balanced --data "$data" --specs "$srcdir/bench/specs" --only "dataset=cora,model=mlp,loss=ce" --quiet "$@"; }
train() { jcb train --dataset "$tmp/own" --data "$data" --loss jc --clusters 2 --epochs 20 "$@"; }
bits() { sed -n 's/^run .*parameters //p' "$1"; }
rows() { columns "$1/records/balanced.tsv" key status | sort; }
bench --out "$tmp/want" --runs 4 || fail "bench_balanced"
train >"$tmp/plain" || fail "jcb train"

# 64 KiB of file system: a message; with room again the next start goes on. Read-only: the same.
if unshare -rm true 2>/dev/null; then
    mkdir "$tmp/disk"
    cat >"$tmp/full.sh" <<'SH'
mount -t tmpfs -o size=64k none "$tmp/disk" || exit 77
mkdir "$tmp/disk/records" && cp "$tmp/want/records/balanced.tsv" "$tmp/disk/records/" && head -c 60000 /dev/zero >"$tmp/disk/ballast" 2>/dev/null
rows=$(wc -l <"$tmp/disk/records/balanced.tsv")
bench_balanced --data "$data" --specs "$srcdir/bench/specs" --only "dataset=cora,model=mlp,loss=ce" --quiet --out "$tmp/disk" --runs 60 --jobs 1 2>"$tmp/err"
[ $? -eq 1 ] || { echo "a full disk: not exit 1"; exit 1; }
grep -q 'cannot append to .*balanced.tsv: No space left' "$tmp/err" || { cat "$tmp/err"; exit 1; }
jcb tables --records "$tmp/disk/records" --paper "$srcdir/paper_tables" --out "$tmp/disk/tables" 2>"$tmp/err" && { echo "tables on a full disk"; exit 1; }
grep -q 'No space left' "$tmp/err" && [ -z "$(find "$tmp/disk" -name '*.tmp*')" ] || { cat "$tmp/err"; find "$tmp/disk"; exit 1; }
[ "$(wc -l <"$tmp/disk/records/balanced.tsv")" -ge "$rows" ] || exit 1
rm -r "$tmp/disk/ballast" "$tmp/disk/tables"
bench_balanced --data "$data" --specs "$srcdir/bench/specs" --only "dataset=cora,model=mlp,loss=ce" --quiet --out "$tmp/disk" --runs 60 --jobs 1 || exit 1
[ "$(cut -f1 "$tmp/disk/records/balanced.tsv" | grep -cE '^[0-9a-f]{16}$')" -ge 60 ] || { echo "not all runs"; exit 1; }
mount -o remount,ro "$tmp/disk" || exit 0
bench_balanced --data "$data" --specs "$srcdir/bench/specs" --only "dataset=cora,model=mlp,loss=ce" --quiet --out "$tmp/disk" --runs 61 2>"$tmp/err" && exit 1
grep -q 'cannot open .*balanced.tsv: Read-only' "$tmp/err" || { cat "$tmp/err"; exit 1; }
jcb train --dataset "$tmp/own" --data "$tmp/disk" --epochs 2 --save "$tmp/disk/m" 2>"$tmp/err" >/dev/null && exit 1
grep -q 'cannot write .*/m: Read-only' "$tmp/err" || { cat "$tmp/err"; exit 1; }
SH
    export tmp data srcdir
    unshare -rm sh "$tmp/full.sh" >"$tmp/out" 2>&1
    case $? in 0) checks=$((checks + 8)) ;; 77) leave tmpfs ;; *) cat "$tmp/out"; fail "a full or read-only file system" ;; esac
else
    leave "file-systems"
fi

# Two containers, both with process id 1, and two plain processes on one directory: every run once.
if unshare -rpf true 2>/dev/null; then
    shared=$tmp/containers
    # /proc and /dev/shm of their own, as containers have them, where that is allowed: LLVM's OpenMP runtime finds the other process with the same id there
    # shellcheck disable=SC2016
    contained() { unshare -rpf --mount-proc sh -c 'mount -t tmpfs none /dev/shm && exec "$@"' sh "$@"; }
    contained true 2>/dev/null || contained() { unshare -rpf "$@"; }
    for _ in 1 2; do contained bench_balanced --data "$data" --specs "$srcdir/bench/specs" --only "dataset=cora,model=mlp,loss=ce" --quiet --out "$shared" --runs 4 --jobs 1 & pids="${pids:-} $!"; done
    for pid in $pids; do wait "$pid" || fail "two containers"; done
    holds "two containers: every run once" [ "$(rows "$shared")" = "$(rows "$tmp/want")" ]
else
    leave containers
fi
bench --out "$tmp/writers" --runs 4 --jobs 1 &
bench --out "$tmp/writers" --runs 4 --jobs 1 || fail "two writers"
wait $! || fail "two writers"
holds "two writers: every run once" [ "$(rows "$tmp/writers")" = "$(rows "$tmp/want")" ]

# Little memory: a message or enough, never a crash.
# shellcheck disable=SC3045
(ulimit -v 300000 && timeout 20 jcb --version) >"$tmp/out" 2>&1 && sizes="100000 150000 200000 250000 300000" || { sizes='' && leave "ulimit -v"; } # a build with sanitizers; OpenBLAS 0.3.29 waits for memory for ever
for kib in $sizes; do
    # shellcheck disable=SC3045
    (ulimit -v $kib && OMP_NUM_THREADS=1 train) >"$tmp/out" 2>&1
    code=$?
    [ $code -eq 127 ] || holds "ulimit -v $kib: exit $code" [ $code -le 2 ] # 127: the dynamic linker has no room
done

# A memory control group: the worker that wants more than there is is killed by the kernel, its run is recorded as failed, the others go on; the next start has the
# bits of an undisturbed one.
group=''
while IFS=: read -r _ kind path; do
    case $kind in
        memory) try=/sys/fs/cgroup/memory$path file=memory.limit_in_bytes ;;
        '') try=/sys/fs/cgroup$path file=memory.max ;;
        *) continue ;;
    esac
    mkdir "$try/jcb-$$" 2>/dev/null || continue
    if echo 1G 2>/dev/null >"$try/jcb-$$/$file"; then group=$try/jcb-$$ && break; fi
    rmdir "$try/jcb-$$"
done </proc/self/cgroup
if [ -n "$group" ]; then
    trap 'rm -rf "$tmp"; rmdir "$group"' EXIT
    grouped() { (echo 0 >"$group/cgroup.procs" && bench --jobs 2 --out "$tmp/group" --runs 4); }
    JCB_FAULT=eat:cora:mlp:ce:1 grouped 2>"$tmp/err"
    code=$?
    holds "memory group: exit $code" [ $code -eq 1 ]
    holds "memory group: $(cat "$tmp/err")" [ "$(columns "$tmp/group/records/balanced.tsv" run status | sort)" = "$(printf '0 ok\n1 failed:signal 9\n2 ok\n3 ok')" ]
    grouped || fail "the start after a memory group's limit"
    holds "memory group: the bits" [ "$(rows "$tmp/group" | grep ' ok$')" = "$(rows "$tmp/want")" ]
else
    leave memory-group
fi

# A closed terminal, and a reader that goes away. Under nohup the signal would be ignored.
env --default-signal=HUP bench_balanced --data "$data" --specs "$srcdir/bench/specs" --only "dataset=cora,model=mlp,loss=ce" --quiet --out "$tmp/hup" --runs 2000 --jobs 1 2>"$tmp/err" &
pid=$!
for _ in $(seq 1000); do [ -f "$tmp/hup/records/balanced.tsv" ] && [ "$(wc -l <"$tmp/hup/records/balanced.tsv")" -ge 3 ] && break; sleep 0.02; done
kill -HUP $pid
wait $pid
code=$?
holds "SIGHUP: exit $code" [ $code -eq 129 ]
bench --out "$tmp/hup" --runs 4 || fail "the start after SIGHUP"
holds "nothing is lost" [ -z "$(rows "$tmp/want" >"$tmp/a"; rows "$tmp/hup" >"$tmp/b"; comm -23 "$tmp/a" "$tmp/b")" ]
# gone COMMAND...: its output goes to a pipe that nobody reads any more; its exit code
gone() {
    mkfifo "$tmp/pipe"
    (exec 3<"$tmp/pipe") & # opens and closes: the writer, which waited for it, starts with no reader
    (exec >"$tmp/pipe" && wait $! 2>/dev/null; sleep 0.2; "$@" 2>"$tmp/err"; echo $? >"$tmp/code")
    rm "$tmp/pipe"
    cat "$tmp/code"
}
ignoring() { (trap '' PIPE; exec "$@"); }
holds "a reader that goes away" [ "$(gone env --default-signal=PIPE jcb train --help)" = 141 ]
holds "no message" [ ! -s "$tmp/err" ]
holds "a reader that goes away, SIGPIPE ignored" [ "$(gone ignoring jcb train --help)" = 1 ]
holds "one message" [ "$(cat "$tmp/err")" = "jcb train: cannot write to standard output: Broken pipe" ]
progress() { env --default-signal=PIPE bench_balanced --data "$data" --specs "$srcdir/bench/specs" --only "dataset=cora,model=mlp,loss=ce" --out "$tmp/pipes" --runs 4 2>&1; }
holds "progress that nobody reads" [ "$(gone progress)" = 141 ]
bench --out "$tmp/pipes" --runs 4 || fail "the start after SIGPIPE"
holds "every run once" [ "$(rows "$tmp/pipes")" = "$(rows "$tmp/want")" ]

# The time of day jumps by a day at every look: nothing takes longer, and the runs are the same.
if [ -f tests/fail_nth.so ] && LD_PRELOAD=$PWD/tests/fail_nth.so jcb --version >/dev/null 2>&1; then
    LD_PRELOAD="$PWD/tests/fail_nth.so" CLOCK_STEP=86400 bench_balanced --data "$data" --specs "$srcdir/bench/specs" \
        --only "dataset=cora,model=mlp,loss=ce" --quiet --out "$tmp/clock" --runs 4 --time 10m || fail "clock steps"
    holds "clock steps" [ "$(rows "$tmp/clock")" = "$(rows "$tmp/want")" ]
else
    leave clock
fi

# Many threads, a decimal comma, other line ends: the same bits.
OMP_NUM_THREADS=256 train >"$tmp/out" 2>&1 || fail "256 threads"
holds "256 threads" [ "$(bits "$tmp/out")" = "$(bits "$tmp/plain")" ]
if mkdir "$tmp/locale" && localedef -i de_DE -f UTF-8 "$tmp/locale/de_DE.UTF-8" 2>/dev/null; then
    export LOCPATH="$tmp/locale"
    LC_ALL=de_DE.UTF-8 train --lr 0.01 >"$tmp/out" 2>&1 || fail "a locale with a decimal comma"
    holds "decimal comma" [ "$(bits "$tmp/out")" = "$(bits "$tmp/plain")" ]
    unset LOCPATH
else
    leave locale
fi
awk 'BEGIN { for (i = 0; i < 60; i++) printf "%d\r\n", i % 2 }' >"$tmp/clusters.txt"
tr -d '\r' <"$tmp/clusters.txt" >"$tmp/clusters2.txt"
train --partition "file:$tmp/clusters.txt" >"$tmp/out" && train --partition "file:$tmp/clusters2.txt" >"$tmp/out2"
holds "clusters with CR LF" [ "$(bits "$tmp/out")" = "$(bits "$tmp/out2")" ]

# Processors without AVX-512 and without AVX2, emulated: they train, with the same bits.
qemu=$(command -v qemu-x86_64-static || command -v qemu-x86_64)
if [ -n "$qemu" ] && [ -n "${EMULATE:-}" ]; then
    jcb train --dataset "$tmp/own" --data "$data" --epochs 5 >"$tmp/here"
    for cpu in Haswell Nehalem; do
        expect 0 "parameters" timeout 300 "$qemu" -cpu $cpu "$(command -v jcb)" train --dataset "$tmp/own" --data "$data" --epochs 5
        holds "the bits on $cpu" [ "$(bits "$tmp/out")" = "$(bits "$tmp/here")" ]
    done
else
    leave "emulated-processors(EMULATE=1)"
fi
echo "$checks checks${left:+; left out:$left}"
