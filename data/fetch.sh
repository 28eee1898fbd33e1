#!/usr/bin/env bash
# Downloads the files of the data sets (files.tsv) from a mirror or from upstream, verifies and unpacks them.
set -u && export LC_ALL=C

usage() {
    cat <<'EOF'
usage: jcb fetch | data/fetch.sh [--mirror DIR|URL] [--to DIR] [--list] [--help] [NAME...]

Downloads the data sets NAME... of data/catalog.tsv (default: all), from the mirror or else from upstream.
  --mirror DIR|URL  first source to try; also the environment variable JCB_MIRROR
  --to DIR          directory of the files (default: raw, beside this script)
  --list            only list the files present and missing
Verified files are kept; interrupted downloads are resumed; if a source fails, the next one is tried.
Exit status: 0; 1 if a file is corrupt or cannot be written; 2 for wrong usage.
EOF
}
fail() { printf 'fetch.sh: %s\n' "$2" >&2; exit "$1"; }
progress() { [[ ! -t 2 ]] || printf '\r\033[K%s' "$*" >&2; }
note() { progress ''; printf 'fetch.sh: %s\n' "$*" >&2; }
plain() { [[ ! -e $1 && ! -L $1 || -f $1 && ! -L $1 ]] || rm -f "$1" || unwritable "$1"; } # removes a link, FIFO or directory in the place of an output file
unwritable() { rm -f "$1"; fail 1 "cannot write $1: disk full or read-only"; }

here=$(cd "$(dirname "$0")" && pwd) || exit 1
to=$here/raw mirror=${JCB_MIRROR-} list='' all='' alive='' wanted=()
[[ -z $mirror || $mirror == *://* || -d $mirror ]] || { note "JCB_MIRROR=$mirror: no such directory"; mirror=; }
while (($#)); do
    case $1 in
        --mirror | --to) (($# > 1)) || fail 2 "$1 needs an argument"; set -- "$1=$2" "${@:3}"; continue ;;
        --mirror=*) mirror=${1#*=}; [[ $mirror == *://* || -d $mirror ]] || fail 2 "--mirror: no directory '$mirror'" ;;
        --to=?*) to=${1#*=} ;;
        --list) list=yes ;;
        -h | --help) usage; exit 0 ;;
        -*) fail 2 "unknown option $1 (try --help)" ;;
        *) wanted+=("$1") ;;
    esac
    shift
done
[[ $to == /* ]] || to=$PWD/$to
mapfile -t names < <(grep -v '^#' "$here/catalog.tsv" | tail -n +2 | cut -f1)
((${#names[@]})) || fail 1 "cannot read $here/catalog.tsv"
for n in ${wanted[@]+"${wanted[@]}"}; do
    [[ " ${names[*]} " == *" $n "* ]] || fail 2 "unknown data set '$n': expected ${names[*]}"
done
((${#wanted[@]})) || { wanted=("${names[@]}"); all=yes; }

# state[path]: verified or unverified. The stamp file stores it with the size and time of the file, so that no
# file is hashed twice.
declare -A state=() stamp=() dead=() gone=()
save_stamps() {
    plain "$1.part"
    for p in "${!stamp[@]}"; do printf '%s\t%s\n' "$p" "${stamp[$p]}"; done >"$1.part" && mv -f "$1.part" "$1"
    rm -f "$1.part"
}
if [[ -z $list ]]; then
    { mkdir -p "$to" && plain "$to/.lock" && plain "$to/.error" && exec 9>>"$to/.lock"; } 2>/dev/null || fail 1 "cannot write to $to"
    ! command -v flock >/dev/null || flock -w 600 9 || fail 1 "another fetch.sh is at work in $to"
    trap 'save_stamps "$to/.verified" 2>/dev/null' EXIT
    trap 'exit 130' HUP INT TERM
fi
while IFS=$'\t' read -r path seen; do stamp[$path]=$seen; done < <(cat "$to/.verified" 2>/dev/null)

sha256() { if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d' ' -f1; }
looks_right() { # file name: does it begin as its type does, and not as an error page?
    local head && head=$(head -c 6 "$1" | od -An -tx1 | tr -d ' \n')
    case $2 in
        *.npz) [[ $head == 504b0304* ]] ;;
        *.npy) [[ $head == 934e554d5059 ]] ;;
        *.gz) [[ $head == 1f8b* ]] ;;
        *.json) [[ $head == 7b* ]] ;;
        *) [[ $head != 3c* ]] ;;
    esac
}
check() { # file local|mirror|upstream: sets state[$path], or fails
    [[ -s $1 ]] || return 1
    if [[ $sha != - && ($bytes == - || $(stat -L -c %s "$1") == "$bytes") && $(sha256 "$1") == "$sha" ]]; then
        state[$path]=verified
    elif [[ $sha == - || ($remark == unverified* && $2 != mirror) ]] && looks_right "$1" "$path"; then
        state[$path]=unverified
    else
        return 1
    fi
}
keep_or_drop() { # part source: once checked, the part becomes the file
    if [[ -z ${state[$path]-} ]]; then
        rm -f "$1" && note "$path: corrupt, or not what was expected: $2"
        [[ $sha == - ]] || bad=yes
        return 1
    fi
    mv -f "$1" "$to/$path" || unwritable "$1"
    stamp[$path]="$(stat -L -c '%s %Y' "$to/$path") $sha ${state[$path]}"
    [[ ${state[$path]} == verified || $sha == - ]] || note "$path: unverified: ${remark#*: }"
}
get() { # url part: continues the part. 0 done, 1 failed, 2 no such host or no answer, 3 cannot write, 4 refused
    local rc=2
    if command -v curl >/dev/null; then
        curl -fsSL --connect-timeout 5 --speed-limit 1000 --speed-time 30 -C - -o "$2" "$1" && return 0
        case $? in 5 | 6 | 7 | 28 | 35) rc=2 ;; 23) rc=3 ;; 22 | 33 | 36) rc=4 ;; *) rc=1 ;; esac
    elif command -v wget >/dev/null; then
        wget -nv -c --tries=1 --dns-timeout=5 --connect-timeout=5 --read-timeout=30 -O "$2" "$1" && return 0
        case $? in 4) rc=2 ;; 3) rc=3 ;; 8) rc=4 ;; *) rc=1 ;; esac
    else
        echo "neither curl nor wget is installed" >&2
    fi
    return $rc
} 2>"$to/.error"
download() { # url file
    local host=${1#*://} part=$2.part rc=0
    plain "$part" && plain "$2"
    host=${host%%/*} resumed=
    if [[ -n ${gone[$1]-}${dead[$host]-} || (${#dead[@]} -ge 2 && -z $alive) ]]; then return 1; fi # two of two: no network
    [[ ! -s $part ]] || resumed=yes
    get "$1" "$part" || rc=$?
    [[ $rc$resumed != 4yes ]] || { rm -f "$part" && get "$1" "$part" && rc=0 || rc=$?; } # cannot be continued
    case $rc in
        0) alive=yes; mv -f "$part" "$2" || unwritable "$part"; return 0 ;;
        2) dead[$host]=1 ;;
        3) unwritable "$part" ;;
        *) alive=yes ;; # it answered
    esac
    [[ -s $part ]] || rm -f "$part"
    gone[$1]=1 && note "${path##*/}: $host: $(tail -n 1 "$to/.error")"
    return 1
}
from_url() { # url source
    local new=$to/$path.new
    download "$1" "$new" || return 1
    if ! check "$new" "$2" && [[ -n $resumed ]]; then # the part was perhaps of another version
        rm -f "$new"
        download "$1" "$new" && check "$new" "$2"
    fi
    keep_or_drop "$new" "$1"
}
from_archive() {
    local zip=$to/.archives/${url//[^A-Za-z0-9.]/_} part=$to/$path.part
    [[ -e $zip ]] || { mkdir -p "$to/.archives" && download "$url" "$zip"; } || return 1
    plain "$part"
    if command -v unzip >/dev/null; then unzip -p "$zip" "${unpack#zip:}" >"$part" 2>/dev/null
    elif command -v bsdtar >/dev/null; then bsdtar -xOf "$zip" "${unpack#zip:}" >"$part" 2>/dev/null
    else note "neither unzip nor bsdtar is installed: cannot unpack $path"; return 1; fi
    case $? in 0) check "$part" upstream ;; 50) unwritable "$part" ;; esac # 50: unzip met a full disk
    keep_or_drop "$part" "$url"
}
fetch() {
    local file=$to/$path bad='' seen
    if [[ -s $file ]]; then
        seen=$(stat -L -c '%s %Y' "$file")
        [[ "${stamp[$path]-}" != "$seen $sha "* ]] || { state[$path]=${stamp[$path]##* }; return; }
        [[ -z $list ]] || { state[$path]=unverified; return; }
        check "$file" local && { stamp[$path]="$seen $sha ${state[$path]}"; return; }
        mv -f "$file" "$file.bad" && bad=yes && note "$path: corrupt, moved to $path.bad"
    fi
    [[ -z $list ]] || return
    mkdir -p "${file%/*}" 2>/dev/null || unwritable "$file"
    if [[ $mirror == *://* ]]; then
        from_url "${mirror%/}/$path" mirror && return
    elif [[ -n $mirror && -e $mirror/$path && ! -f $mirror/$path ]]; then
        note "$mirror/$path: not a regular file"
    elif [[ -n $mirror && -e $mirror/$path ]]; then
        plain "$file.part"
        cp "$mirror/$path" "$file.part" 2>"$to/.error" || { [[ ! -r $mirror/$path ]] || unwritable "$file.part"; }
        chmod u+w "$file.part" 2>/dev/null
        check "$file.part" mirror
        keep_or_drop "$file.part" "$mirror/$path" && return
    fi
    if [[ $url == - || ($remark == large* && -n $all) ]]; then :
    elif [[ $unpack == zip:* ]]; then from_archive && return
    else from_url "$url" upstream && return; fi
    [[ -z $bad ]] || corrupt+=("$path")
    (cd "$to" && rmdir -p "${path%/*}" 2>/dev/null)
}

rows=() corrupt=()
while IFS=$'\t' read -r sets row; do
    for n in "${wanted[@]}"; do [[ ,$sets, != *,$n,* ]] || { rows+=("$sets"$'\t'"$row"); break; }; done
done < <(grep -v '^#' "$here/files.tsv" | tail -n +2)
for i in "${!rows[@]}"; do
    IFS=$'\t' read -r sets path bytes sha url unpack remark <<<"${rows[i]}"
    progress "[$((i + 1))/${#rows[@]}] $path"
    fetch
done
progress '' && rm -f "$to/.error"
find "$to/.archives" -type f ! -name '*.part' -delete 2>/dev/null && rmdir "$to/.archives" 2>/dev/null

# Summary: one line per data set.
for path in "${!state[@]}"; do printf '%s\t%s\n' "$path" "${state[$path]}"; done | awk -F'\t' -v all="$all" \
    -v wanted="${wanted[*]}" 'NF == 2 { state[$1] = $2; next } /^#/ || $1 == "datasets" { next } {
        for (k = split($1, set, ","); k; k--) {
            n = set[k]
            if ($2 in state) { there[n]++; loose[n] += state[$2] != "verified"; if ($7 ~ /^optional/) have[n] = 1 }
            else if ($7 !~ /^extra/) { missing[n]++; if ($7 ~ /^optional/) option[n] = 1; else if (!first[n]) first[n] = $2 }
            if ($7 ~ /^large/) large[n] = 1
        }
    } END {
        print "data set           there missing  status    remark"
        for (k = 1; k <= split(wanted, name, " "); k++) {
            n = name[k]; status = first[n] || option[n] && !have[n] ? "partial" : "complete"; r = ""
            if (!there[n]) status = "absent"
            if (!there[n]) r = large[n] && all ? "; large: ask for it by name" : "; the bench makes a twin"
            else if (first[n]) r = "; without " first[n]
            else if (status == "partial") r = "; without its features file: the bench substitutes"
            if (loose[n]) r = r "; " loose[n] " unverified"
            if (r) status = sprintf("%-8s  %s", status, substr(r, 3))
            printf "%-18s %5d %7d  %s\n", n, there[n], missing[n], status
        }
    }' - "$here/files.tsv"
((!${#corrupt[@]})) || fail 1 "no good copy of ${corrupt[*]}"
