#!/bin/sh
# Faults and bad input: odd records, files that cannot be read, graphs with errors, output that cannot be written, signals. Each gives one message that names
# the file or option, the right exit code, and affects nothing else.
. "$srcdir/tests/tools/common.sh"
export JCB_RAW="$tmp/none"
paper="$srcdir/paper_tables"
bench() { bench_balanced --data "$data" --only "dataset=cora,model=mlp" --specs "$srcdir/bench/specs" "$@"; }
tables() { jcb tables --records "$1" --paper "$paper" --out "$tmp/tables"; }
bench --out "$tmp/r" --runs 1 --quiet || fail "bench_balanced"

# A record whose setting the layout of its table does not show: that cell is left out with a warning, all tables are written.
mkdir "$tmp/odd"
awk -F'\t' 'BEGIN { OFS = FS } NR == 1 { for (i = 1; i < NF; i++) { at[$i] = i; row = row (i > 1 ? FS : "") $i } print row; next }
    { n = split($0, v, FS); for (k = 0; k < 2; k++) { row = ""; for (i = 1; i < n; i++) row = row (i > 1 ? FS : "") (k && i == 1 ? "0123456789abcdef" : k && i == at["setting"] ? "threads=4" : v[i]); print row } }' \
    "$tmp/r/records/balanced.tsv" >"$tmp/odd/balanced.tsv"
expect 0 "main_res: cora mlp .*, setting threads=4: left out" tables "$tmp/odd"
holds "all tables are written" [ "$(find "$tmp/tables" -name '*.claims.tsv' | wc -l)" -ge 19 ]
holds "with the runs of the cells that fit" grep -q '^| MLP | CE | ours | [0-9.]* (1, twin)' "$tmp/tables/main_res.md"
holds "and a note" grep -q 'threads=4: left out' "$tmp/tables/README.md"
expect 0 "main_res: cora mlp .*threads=4" jcb report --records "$tmp/odd" --paper "$paper" --figures "$tmp/none" --data "$data" --out "$tmp/report.html"

# Entries among the records that are not regular files are left out; records that cannot be read are an error.
mkfifo "$tmp/odd/fifo.tsv"
mkdir "$tmp/odd/directory.tsv"
expect 0 "fifo.tsv: not a regular file: left out" timeout 60 jcb tables --records "$tmp/odd" --paper "$paper" --out "$tmp/tables"
holds "a directory, too" grep -q "directory.tsv: not a regular file: left out" "$tmp/err"
rm -r "$tmp/odd/fifo.tsv" "$tmp/odd/directory.tsv"
ln -s nothing "$tmp/odd/link.tsv"
expect 1 "link.tsv: a dangling link" tables "$tmp/odd"
rm "$tmp/odd/link.tsv"

# own: makes a small user's graph anew; train: a few epochs on it
own() {
    rm -rf "$tmp/own" && mkdir "$tmp/own"
    awk 'BEGIN { for (i = 0; i < 60; i++) print i, (i + 2) % 60 }' >"$tmp/own/edges.tsv"
    awk 'BEGIN { for (i = 0; i < 60; i++) print i, i % 2 }' >"$tmp/own/labels.tsv"
    awk 'BEGIN { for (i = 0; i < 60; i++) print i % 2 + 1, 2 - i % 2, 1 }' >"$tmp/own/features.tsv"
    awk 'BEGIN { for (i = 0; i < 60; i++) print i, i < 20 ? "train" : i < 40 ? "val" : "test" }' >"$tmp/own/split.tsv"
}
train() { timeout 60 jcb train --dataset "$tmp/own" --epochs 5 --data "$data" "$@"; }
# Only "no such file" counts as missing; other errors are reported.
for file in features.tsv split.tsv features.svm; do
    own; rm -f "$tmp/own/$file"; mkdir "$tmp/own/$file"; [ $file = features.svm ] && rm "$tmp/own/features.tsv"
    expect 1 "$file: not a regular file" train
    rmdir "$tmp/own/$file"; ln -s nothing "$tmp/own/$file"
    expect 1 "$file: a dangling link" train
    rm "$tmp/own/$file"; mkfifo "$tmp/own/$file"
    expect 1 "$file: not a regular file" train
    if [ "$(id -u)" -ne 0 ]; then # root reads everything
        rm "$tmp/own/$file"; : >"$tmp/own/$file"; chmod 0 "$tmp/own/$file"
        expect 1 "$file: Permission denied" train
    fi
done
mkdir -p "$tmp/specs/balanced.tsv" # tuned hyper-parameters, too
expect 1 "balanced.tsv: not a regular file" bench --specs "$tmp/specs" --out "$tmp/r" --list
mkdir -p "$tmp/raw/planetoid/ind.cora.x"
expect 1 "ind.cora.x: exists but cannot be read" env JCB_RAW="$tmp/raw" jcb train --dataset cora --epochs 2 --data "$data"

# Errors in a user's graph: the message names file and line.
in_file() { own; sed -i "$2" "$tmp/own/$1"; } # FILE SED-COMMAND
in_file labels.tsv '4s/.*/3 -1/'
expect 1 "labels.tsv:4: class -1 is negative" train
in_file labels.tsv '4s/.*/3 01/'
expect 1 "labels.tsv: classes '01' and '1' are the same number" train
in_file labels.tsv 's/ / 0/'
expect 0 "test 100.00 %" train # 00 and 01 throughout are two classes
in_file features.tsv '7s/.*/1 2/'
expect 1 "features.tsv:7: 2 values, but 3 on line 1" train
in_file features.tsv '60s/.*/1 2/'
expect 1 "features.tsv:60: 2 values, but 3 on line 1" train
own; tr '\n' '\r' <"$tmp/own/edges.tsv" >"$tmp/cr"; mv "$tmp/cr" "$tmp/own/edges.tsv"
expect 1 "edges.tsv:1: a carriage return without a line feed" train
own; train >"$tmp/want"
for file in edges labels features split; do printf '\357\273\277' | cat - "$tmp/own/$file.tsv" | sed 's/$/\r/' >"$tmp/bom"; mv "$tmp/bom" "$tmp/own/$file.tsv"; done
train >"$tmp/have"
holds "a byte order mark and CR LF change nothing" [ "$(sed 's/.*parameters//' "$tmp/want")" = "$(sed 's/.*parameters//' "$tmp/have")" ]
own; rm "$tmp/own/features.tsv"; printf '3 1:1\n4 1:1\n3 2:1\n' >"$tmp/own/features.svm"
expect 1 "features.svm:3: node 3 already has a line, line 1" train
in_file split.tsv 's/test/val/'
expect 0 "no test nodes" train --runs 2
holds "no accuracy of no nodes" [ "$(grep -c 'test [0-9]\|nan' "$tmp/out")" -eq 0 ]
expect 1 "no test nodes, so nothing can be compared" jcb compare --dataset "$tmp/own" --tune 0 --base "epochs=5" --runs 6 --out "$tmp/compare" --data "$data" --quiet

# Sparse features stay sparse: an identity of 60,000 columns trains in 1.5 GB of address space; unused columns are an error, and lack of memory is
# reported in advance.
own; rm "$tmp/own/features.tsv"
awk 'BEGIN { for (i = 0; i < 1000; i++) print 60 * i, 60 * i + 60 }' >>"$tmp/own/edges.tsv"
# shellcheck disable=SC3045
few() { (ulimit -v 1500000 && export OMP_NUM_THREADS=1 && train "$@"); }
few --help >"$tmp/out" 2>&1 && expect 0 "parameters" few --epochs 2 --hidden 16 # a build with sanitizers does not even start in so little
own; rm "$tmp/own/features.tsv"; echo "3 9000000:1" >"$tmp/own/features.svm"
expect 1 "features.svm: column 9000000, but only 1 values in all" train
awk 'BEGIN { print "0 9000000:-1"; for (i = 1; i < 40000; i++) print i, i * 200 ":1 3:1 4:1 5:1" }' >"$tmp/own/features.svm"
awk 'BEGIN { for (i = 60; i < 40000; i++) print i, i - 1 }' >>"$tmp/own/edges.tsv"
expect 1 "40000 x 9000001 features as a dense matrix take 1440.0 GB, the machine has" train

# fetch.sh: links, FIFOs and directories where files are expected.
if command -v bash >/dev/null && command -v sha256sum >/dev/null; then
    mkdir -p "$tmp/f/raw/set" "$tmp/mirror/set" && cp "$srcdir/data/fetch.sh" "$tmp/f/"
    printf 'name\tformat\nmine\tplain\n' >"$tmp/f/catalog.tsv"
    echo good >"$tmp/good" && sha=$(sha256sum <"$tmp/good" | cut -d' ' -f1)
    printf 'datasets\tpath\tbytes\tsha256\turl\tunpack\tremark\nmine\tset/one\t5\t%s\t-\t-\t-\nmine\tset/two\t5\t%s\t-\t-\t-\n' "$sha" "$sha" >"$tmp/f/files.tsv"
    fetch() { JCB_MIRROR='' timeout 60 bash "$tmp/f/fetch.sh" "$@"; }
    ln -s "$tmp/good" "$tmp/f/raw/set/one"; cp "$tmp/good" "$tmp/f/raw/set/two"
    expect 0 "mine  *2  *0  complete" fetch
    holds "a good file behind a link stays" [ -L "$tmp/f/raw/set/one" ]
    rm "$tmp/f/raw/set/"*
    mkfifo "$tmp/mirror/set/one"; mkdir "$tmp/mirror/set/two"
    expect 0 "mine  *0  *2  absent" fetch --mirror "$tmp/mirror"
    holds "the FIFO and the directory are named" [ "$(grep -c 'not a regular file' "$tmp/err")" -eq 2 ]
    rm -r "$tmp/mirror/set/"*; cp "$tmp/good" "$tmp/mirror/set/one"; cp "$tmp/good" "$tmp/mirror/set/two"
    echo precious >"$tmp/precious"; mkdir -p "$tmp/f/raw/set"
    for link in set/one.part set/two.new.part .verified.part .lock .error; do ln -sf "$tmp/precious" "$tmp/f/raw/$link"; done
    expect 0 "mine  *2  *0  complete" fetch --mirror "$tmp/mirror"
    holds "what a link at FILE.part points to is not touched" [ "$(cat "$tmp/precious")" = precious ]
    holds "the file is a file" [ ! -L "$tmp/f/raw/set/one" ]
fi

# Output that cannot be written is an error in every program.
if [ -e /dev/full ]; then
    full() { "$@" >/dev/full; }
    for command in "jcb --help" "jcb list" "jcb --version" "jcb data list --data $data" "jcb reproduce --plan --data $data --paper $paper --out $tmp/r --specs $srcdir/bench/specs" \
        "jcb check $tmp/r" "bench_balanced --help" "bench_kernels --help" "bench_balanced --data $data --only dataset=cora,model=mlp --list"; do
        expect 1 "cannot write to standard output: No space" full $command
    done
    holds "nothing to write and nowhere to" sh -c "jcb tables --records '$tmp/r/records' --paper '$paper' --out '$tmp/tables' >&-"
fi

# Clones for instruction sets are chosen before ThreadSanitizer is ready: a build with it has none.
if command -v cc >/dev/null; then
    clones() { printf '#include "src/kernel/simd.h"\nCLONES int f(void);\n' | cc "$@" -I"$srcdir" -E -x c - 2>/dev/null | grep -c 'target_clones.*int f'; }
    holds "no clones with ThreadSanitizer" [ "$(clones -fsanitize=thread)" -eq 0 ]
fi

# A limit on the size of files: a message and exit 1, no temporary file, and earlier records are kept.
# in blocks of 512 bytes or 1 KiB; the counts of `make coverage` go elsewhere, or they would be truncated
size() { (export GCOV_PREFIX="$tmp/counts" GCOV_ERROR_FILE=/dev/null && ulimit -f "$1" && shift && "$@"); }
expect 1 "cannot append to .*balanced.tsv: File too large" size 2 bench --out "$tmp/limit" --runs 5 --jobs 1 --quiet
bench --out "$tmp/limit" --runs 5 --quiet || fail "the next start goes on"
holds "five runs of two cells" [ "$(columns "$tmp/limit/records/balanced.tsv" check | grep -cE '^[0-9a-f]{16}$')" -eq 10 ]
expect 1 "cannot write .*: File too large" size 1 jcb tables --records "$tmp/r/records" --paper "$paper" --out "$tmp/small"
holds "no temporary file is left" [ "$(find "$tmp/small" "$tmp/limit" -name '*.tmp*' | wc -l)" -eq 0 ]

# A signal that interrupts a program with runs left: exit code 128 + its number; after the last run it has no effect.
for signal in INT:130 TERM:143; do
    rm -rf "$tmp/signal"
    bench_balanced --data "$data" --only "dataset=cora,model=mlp" --out "$tmp/signal" --jobs 1 --runs 2000 --quiet 2>"$tmp/err" & # no shell in between
    pid=$!
    for _ in $(seq 1000); do
        [ -f "$tmp/signal/records/balanced.tsv" ] && [ "$(wc -l <"$tmp/signal/records/balanced.tsv")" -ge 2 ] && break
        sleep 0.02
    done
    kill -${signal%:*} $pid
    wait $pid
    holds "exit code after SIG${signal%:*}" [ $? -eq ${signal#*:} ]
done
echo "$checks checks"
