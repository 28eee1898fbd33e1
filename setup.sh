#!/bin/sh
# Installs the packages that jcbench needs with apt, then runs ./configure. Safe to run again:
# apt is only called if something is missing.
set -u

usage() {
    cat <<'EOF'
usage: ./setup.sh [--mkl | --openblas] [--mpi] [--tools] [--no-configure] [--help] [CONFIGURE-ARGUMENT...]

Installs the missing packages with apt (as root, or with sudo) and runs ./configure.
  --mkl           require Intel MKL (default: MKL, or OpenBLAS if MKL cannot be installed)
  --openblas      OpenBLAS; no non-free component is added and MKL is not installed
  --mpi           also Open MPI: experiments on several machines with mpirun (doc/cluster.md)
  --tools         also clang, its sanitizers and linters: make fuzz, check-tsan, lint (tests/README.md)
  --no-configure  only install
  --help          this text
MKL is in Debian's non-free (Ubuntu: multiverse) component. If that is not enabled, it is added in a
separate file jcbench-nonfree.* among the apt sources; delete the file to undo this.
EOF
}
say() { printf 'setup.sh: %s\n' "$*"; }
die() { printf 'setup.sh: %s\n' "$*" >&2; exit 1; }

blas=auto mpi=no tools=no configure=yes n=$#
while [ "$n" -gt 0 ]; do
    arg=$1 n=$((n - 1))
    shift
    case $arg in
        --mkl | --with-blas=mkl) blas=mkl ;;
        --openblas | --with-blas=openblas) blas=openblas ;;
        --mpi | --with-mpi=yes) mpi=yes ;;
        --tools) tools=yes ;;
        --no-configure) configure=no ;;
        -h | --help) usage; exit 0 ;;
        *) set -- "$@" "$arg" ;;
    esac
done

have() { command -v "$1" >/dev/null 2>&1; }
installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
candidate() { LC_ALL=C apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'; }

{ have apt-get && have dpkg-query; } ||
    die "apt not found: install a C compiler, make, pkg-config, METIS, GSL, zlib, yajl, xxHash, gnuplot and" \
        "MKL or OpenBLAS (-dev packages) by hand, then run ./configure"

log='' root='' updated=no added='' why=''
trap '[ -z "$log" ] || rm -f "$log"' EXIT
trap 'exit 1' HUP INT TERM
become_root() {
    [ -z "$log" ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        root=sudo why="not root and no sudo"
        have sudo || return 1
        why="sudo needs a password, but there is no terminal"
        sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; } || return 1
    fi
    log=$(mktemp) || die "cannot write a temporary file"
}
apt() {
    $root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 apt-get -qq -y \
        -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -o Acquire::Retries=2 \
        -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 "$@" >"$log" 2>&1 </dev/null
}
update() {
    say "updating the package lists"
    apt update || true # a single broken source is no failure: candidates are checked later
    updated=yes
}
install() { # packages
    for p; do [ $updated = yes ] || candidate "$p" || update; done
    say "installing $*"
    apt install --no-install-recommends "$@" && return 0
    [ $updated = no ] && update && apt install --no-install-recommends "$@" # stale lists
}
must_install() {
    become_root || die "cannot install: $why; as root: apt-get install $*"
    install "$@" && return 0
    grep -E '^(E|Err|dpkg)' "$log" | tail -n 3 >&2
    die "cannot install $*: see the messages above (is there a network?)"
}

# Adds the component that contains MKL: a copy of the apt source of the main component (its URI,
# options and signing key) with the component changed.
# shellcheck disable=SC1091,SC2016
add_component() {
    codename=$(. /etc/os-release 2>/dev/null && echo "${UBUNTU_CODENAME:-${VERSION_CODENAME:-}}")
    entry=$(apt-get indextargets --format '$(SOURCESENTRY)|$(RELEASE)|$(COMPONENT)|$(ORIGIN)' \
        'Created-By: Packages' 2>/dev/null | awk -F'|' -v want="$codename" '
        $3 == "main" && $4 ~ /^(Debian|Ubuntu)$/ && $2 !~ /[-\/]/ && (!best || $2 == want) { best = $0 }
        END { print best }')
    [ -n "$entry" ] || return 1
    source=${entry%%|*} suite=${entry#*|} component=non-free
    number=${source##*:} file=${source%:*} suite=${suite%%|*} parts=/etc/apt/sources.list.d/
    [ "${entry##*|}" = Debian ] || component=multiverse
    eval "$(apt-config shell parts Dir::Etc::sourceparts/d)"
    added=${parts}jcbench-nonfree.${file##*.}
    say "adding $added: component $component of $suite, for Intel MKL; same mirror and key as $file"
    awk -v n="$number" -v suite="$suite" -v component="$component" -v kind="${file##*.}" '
        BEGIN { print "# Intel MKL for jcbench (setup.sh); delete this file to undo" }
        kind == "list" && NR == n { # deb [options] URI suite component...
            i = match($0, /\[[^]]*\]/) ? RSTART + RLENGTH : index($0, "deb") + 3
            split(substr($0, i), f, /[ \t]+/)
            print substr($0, 1, i - 1), f[2], suite, component
        }
        kind == "list" || /^#/ { next }
        /^[ \t]*$/ { open = 0; next }
        !open { open = 1; stanza++ }
        stanza != n { next }
        /^[^ \t]/ { keep = tolower($0) !~ /^(types|suites|components|enabled):/ }
        keep
        END { if (kind == "sources") print "Types: deb\nSuites: " suite "\nComponents: " component }
    ' "$file" | $root tee "$added" >/dev/null
}
get_mkl() {
    [ "$(dpkg --print-architecture)" = amd64 ] || { why="it exists for amd64 only"; return 1; }
    become_root || return 1
    candidate libmkl-dev || [ $updated = yes ] || update
    if ! candidate libmkl-dev; then
        add_component || { why="no Debian or Ubuntu package lists: no network?"; return 1; }
        update
    fi
    candidate libmkl-dev || { why="the archive does not offer it or cannot be reached"; return 1; }
    say "MKL is large: about 280 MB to download, 1.9 GB on disk"
    install libmkl-dev || { why="its packages cannot be installed"; return 1; }
}

# Tools are looked up by command, so that e.g. another flavour of gnuplot is not replaced.
missing=
{ have gcc && have make && [ -e /usr/include/stdio.h ]; } || missing="build-essential"
for p in pkg-config:pkg-config gnuplot:gnuplot-nox unzip:unzip; do
    have "${p%:*}" || missing="$missing ${p#*:}"
done
have curl || have wget || missing="$missing curl ca-certificates"
for p in libmetis-dev libgsl-dev zlib1g-dev libyajl-dev libxxhash-dev; do installed "$p" || missing="$missing $p"; done
if [ $mpi = yes ]; then for p in libopenmpi-dev openmpi-bin; do installed "$p" || missing="$missing $p"; done; fi
if [ $tools = yes ]; then # unversioned names: apt chooses the libraries that match the version of clang
    for p in clang libclang-rt-dev libomp-dev clang-tidy shellcheck cppcheck; do installed "$p" || missing="$missing $p"; done
fi
# shellcheck disable=SC2086
[ -z "$missing" ] || must_install $missing

if [ $blas != openblas ] && ! installed libmkl-dev && ! get_mkl; then
    [ -z "$added" ] || { $root rm -f "$added" && say "removed $added again"; }
    [ $blas = auto ] || die "cannot install Intel MKL: $why (--openblas does without it)"
    say "no Intel MKL ($why): using OpenBLAS"
    blas=openblas
fi
# Not the serial flavour of OpenBLAS: called from several threads at once it returns wrong products.
[ $blas != openblas ] || installed libopenblas-pthread-dev || must_install libopenblas-pthread-dev
[ $blas = openblas ] || blas=mkl
say "all packages are installed (BLAS: $blas)"

[ $configure = yes ] || exit 0
[ -z "$log" ] || rm -f "$log"
cd "$(dirname "$0")" && { [ $mpi = no ] || set -- --with-mpi=yes "$@"; } && exec ./configure --with-blas=$blas "$@"
