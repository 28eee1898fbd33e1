# For tests that source it. kill_after FILE LINES program argument ...: runs the program, kill -9 as soon as FILE has so many lines, or after half a minute.
kill_after() {
    file=$1 lines=$2
    shift 2
    "$@" &
    pid=$!
    for i in $(seq 3000); do
        [ -f "$file" ] && [ "$(wc -l <"$file")" -ge "$lines" ] && break
        sleep 0.01
    done
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
}
