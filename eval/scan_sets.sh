#!/bin/sh
# scan_sets.sh DATA OUT SHEETSCAN: scans the samples and every set of DATA (../shared/data) and
# leaves PGN, JSON and messages of each set in OUT. The sets: samples, HCS dev with one copy each
# (dev) and with copies joined (copies), epfl, sheets, fresh. `same_outputs.py` compares two such
# folders, `record.py` scores one.
set -eu
data=$(realpath "$1") out=$2 sheetscan=$(realpath "$3")
mkdir -p "$out"
out=$(realpath "$out")
samples=$(realpath "$(dirname "$0")/../samples")

scan() {
    name=$1
    shift
    status=0
    "$sheetscan" scan -q --no-cache --json "$out/$name.jsonl" -o "$out/$name.pgn" "$@" 2> "$out/$name.log" || status=$?
    # 2: some sheet has moves to look at.
    if [ "$status" -ne 0 ] && [ "$status" -ne 2 ]; then
        cat "$out/$name.log" >&2
        exit "$status"
    fi
}

# Paths are relative, so that two folders can be compared whatever tree they were made in.
cd "$samples/.."
scan samples samples/*.jpg samples/two_pages/*.jpg
cd "$data"
awk -F'\t' '$3 == "dev" { print $1 }' hcs/pages.tsv | while read -r page; do ls hcs/pages/"$page".*; done > "$out/dev.txt"
scan epfl --no-pair epfl/*.jpg
scan sheets --no-pair sheets/*.jpg
scan fresh --no-pair fresh/*.jpg fresh/*.pdf
scan dev --no-pair --files-from "$out/dev.txt"
scan copies --files-from "$out/dev.txt"
