#!/bin/sh
# Inside a system without a compiler: unpacks or installs the program and asks it for a move. '.ci/fresh_system' calls it with the
# archive and the most seconds that each way may take.
set -eu
cd "$HOME/fresh"
archive=$1 limit=$2

for tool in cc gcc clang rustc cargo; do
    ! command -v "$tool" >/dev/null || { echo "error: there is a $tool" >&2; exit 1; }
done
echo "$(. /etc/os-release; echo "$PRETTY_NAME"), $(ldd --version | head -n 1), no compiler"

now() { date +%s%N; }

# Prints the seconds since a time; fails beyond the limit.
took() {
    milliseconds=$((($(now) - $2) / 1000000))
    printf '%6d ms  %s\n' "$milliseconds" "$1"
    [ "$milliseconds" -le $((limit * 1000)) ] || { echo "error: more than $limit s" >&2; exit 1; }
}

# Asks a program for a move at full strength: a second of thought.
gtp() {
    printf 'boardsize 11\ngenmove black\nquit\n' | "$1" gtp --game hex | grep -q '^= [a-k][0-9]' ||
        { echo "error: no move from $1" >&2; exit 1; }
}

start=$(now)
tar -xzf "$archive"
program=$PWD/${archive%.tar.gz}/hexzero
gtp "$program"
took "archive to genmove" "$start"

start=$(now)
mkdir again
tar -C again -xzf "$archive"
"again/${archive%.tar.gz}/hexzero" serve --port 8765 >serve.log 2>&1 &
server=$!
python3 first_answer.py 8765
took "archive to the page and its first answer" "$start"
kill "$server"

start=$(now)
sh install.sh --from "$PWD/packed" >installed
gtp "$HOME/.local/bin/hexzero"
took "install.sh from a folder to genmove" "$start"

rm -rf "$HOME/.local"
(cd packed && exec python3 -m http.server 8000 --bind 127.0.0.1 >/dev/null 2>&1) &
files=$!
curl -fsS -m 10 --retry 30 --retry-delay 1 --retry-connrefused http://127.0.0.1:8000/SHA256SUMS >/dev/null
start=$(now)
sh install.sh --from http://127.0.0.1:8000 >installed
gtp "$HOME/.local/bin/hexzero"
took "install.sh over HTTP to genmove" "$start"
kill "$files"
