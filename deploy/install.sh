#!/bin/sh
# Installs the program hexzero for this user:
#
#   curl -fsSL https://github.com/OWNER/hexzero/releases/latest/download/install.sh | sh
#   sh install.sh [--to DIR] [--version VERSION] [--from FILE_OR_URL]
#
# It takes the archive for this machine from the latest release (or from VERSION, or from an archive or a folder of archives at
# FILE_OR_URL), compares it with SHA256SUMS, which lies beside it, and puts the program into DIR (~/.local/bin). On Windows unpack the
# zip of the release. Nothing else is changed; to uninstall, delete the program.
set -eu

address=https://github.com/OWNER/hexzero

fail() {
    echo "error: $*" >&2
    exit 1
}

# Prints the name of this kind of machine in the names of archives.
target() {
    system=$(uname -s) processor=$(uname -m)
    case $processor in
        x86_64 | amd64) processor=x86_64 ;;
        aarch64 | arm64) processor=aarch64 ;;
        *) fail "there is no program for the processor '$processor'; build it: $address" ;;
    esac
    case $system in
        Linux)
            if ldd --version 2>&1 | grep -qi musl; then
                fail "this system has musl in place of glibc; build the program: $address"
            fi
            echo "$processor-unknown-linux-gnu"
            ;;
        Darwin)
            # A shell that runs translated does not see the processor.
            if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then processor=aarch64; fi
            echo "$processor-apple-darwin"
            ;;
        *) fail "there is no program for the system '$system'; see $address/releases" ;;
    esac
}

# Copies a file or the contents of a URL to a file.
fetch() {
    case $1 in
        http://* | https://*)
            if command -v curl >/dev/null; then
                curl -fsSL --retry 3 -o "$2" "$1" || fail "cannot fetch $1"
            elif command -v wget >/dev/null; then
                wget -qO "$2" "$1" || fail "cannot fetch $1"
            else
                fail "neither curl nor wget is there; install one, or give an archive with --from"
            fi
            ;;
        *) cp "$1" "$2" || fail "cannot read $1" ;;
    esac
}

# Prints the SHA-256 of a file.
sum() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1"
    elif command -v shasum >/dev/null; then
        shasum -a 256 "$1"
    else
        fail "neither sha256sum nor shasum is there to check the archive with"
    fi | cut -d ' ' -f 1
}

main() {
    to=${HOME:-}/.local/bin from=$address/releases/latest/download
    while [ $# -gt 0 ]; do
        case $1 in
            --to | --from | --version) [ $# -ge 2 ] || fail "$1 needs a value" ;;
            *) fail "'$1' is not known; choose --to DIR, --version VERSION or --from FILE_OR_URL" ;;
        esac
        case $1 in
            --to) to=$2 ;;
            --from) from=${2%/} ;;
            --version) from=$address/releases/download/v${2#v} ;;
        esac
        shift 2
    done
    case $from in
        *.tar.gz) archive=${from##*/} ;;
        *) archive= ;;
    esac
    case $from in
        */*.tar.gz) from=${from%/*} ;;
        *.tar.gz) from=. ;;
    esac

    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    fetch "$from/SHA256SUMS" "$work/SHA256SUMS"
    if [ -z "$archive" ]; then
        target=$(target)
        archive=$(awk -v end="-$target.tar.gz" \
            'substr($2, length($2) - length(end) + 1) == end { print $2; exit }' "$work/SHA256SUMS")
        [ -n "$archive" ] || fail "$from has no archive for $target"
    fi
    wanted=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1; exit }' "$work/SHA256SUMS")
    [ -n "$wanted" ] || fail "$from/SHA256SUMS does not name $archive"
    fetch "$from/$archive" "$work/archive"
    [ "$(sum "$work/archive")" = "$wanted" ] || fail "$archive has another checksum than SHA256SUMS says; nothing was installed"

    tar -C "$work" -xzf "$work/archive"
    program=$work/${archive%.tar.gz}/hexzero
    said=$("$program" --version) || fail "the program of $archive does not start here; nothing was installed"
    mkdir -p "$to"
    # In one step, as a program that runs cannot be written to.
    cp "$program" "$to/.hexzero.$$"
    chmod 755 "$to/.hexzero.$$"
    mv -f "$to/.hexzero.$$" "$to/hexzero"
    # What the page offers in the browser: the program looks for it there.
    if [ -d "${program%/*}/wasm" ]; then
        mkdir -p "$to/../share/hexzero"
        cp "${program%/*}/wasm/"* "$to/../share/hexzero"
    fi
    echo "installed $said as $to/hexzero; 'hexzero serve --open' plays in the browser"
    case :${PATH:-}: in
        *":$to:"*) ;;
        *) echo "$to is not in PATH; add it there, or call the program as $to/hexzero" ;;
    esac
}

# At the end, so that a script that was cut off on its way does nothing.
main "$@"
