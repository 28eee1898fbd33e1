# shellcheck shell=sh disable=SC2034
# For tests that source it: a temporary directory $tmp that is removed at the end, $data in it with the catalogue, and common functions.
set -u
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
data="$tmp/data"
mkdir "$data"
cat "$srcdir/data/catalog.tsv" >"$data/catalog.tsv" # not cp: files of a distribution may be read-only
checks=0
fail() { echo "FAILED: $*"; exit 1; }

# expect CODE PATTERN COMMAND...: checks the exit code and that a line of output matches; a failing command must print one line on stderr.
expect() {
    code=$1 pattern=$2
    shift 2
    checks=$((checks + 1))
    "$@" >"$tmp/out" 2>"$tmp/err"
    got=$?
    [ $got -eq "$code" ] && cat "$tmp/out" "$tmp/err" | grep -q -- "$pattern" && { [ "$code" -eq 0 ] || [ "$(wc -l <"$tmp/err")" -eq 1 ]; } ||
        { head -5 "$tmp/out" "$tmp/err"; fail "$* -> exit $got (expected $code, /$pattern/)"; }
}

# holds WHAT TEST...
holds() {
    what=$1
    shift
    checks=$((checks + 1))
    "$@" || fail "$what"
}

# columns FILE NAME...: prints these columns of a record file, one line for each row.
columns() {
    file=$1
    shift
    awk -F'\t' -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        { for (k = 1; k <= n; k++) printf "%s%s", $at[name[k]], k < n ? " " : "\n" }' "$file"
}

# kill_after FILE LINES COMMAND...: runs the command and kills it with kill -9 when FILE has so many lines, or after half a minute.
kill_after() {
    file=$1 lines=$2
    shift 2
    "$@" &
    pid=$!
    for _ in $(seq 3000); do
        [ -f "$file" ] && [ "$(wc -l <"$file")" -ge "$lines" ] && break
        sleep 0.01
    done
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
}
