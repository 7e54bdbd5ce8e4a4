#!/bin/sh
# The card's figures: figures.sh DATA WORK SHEETSCAN scans HCS dev, one copy each and all copies, EPFL and the single sheets, and scores them.
set -eu
data=$1 work=$2 sheetscan=$3
mkdir -p "$work"
awk -F'\t' '$3 == "dev" { print $1 }' "$data/hcs/pages.tsv" | while read -r page; do ls "$data/hcs/pages/$page".*; done > "$work/dev.txt"

figures() {
    name=$1 score=$2
    shift 2
    status=0
    "$sheetscan" scan -q --no-cache --json "$work/$name.jsonl" -o "$work/$name.pgn" "$@" 2> "$work/$name.log" || status=$?
    if [ "$status" -gt 2 ]; then cat "$work/$name.log"; exit "$status"; fi
    echo "== $name"
    python3 "$data/../eval/score.py" "$work/$name.jsonl" $score
}
figures dev "--tags $data/hcs/tags.tsv --truth $data/hcs/played --cells $data/hcs/cells.json" --no-pair --files-from "$work/dev.txt"
figures copies "--truth $data/hcs/played" --files-from "$work/dev.txt"
figures epfl "--tags $data/epfl/tags.tsv --truth $data/epfl --cells $data/epfl/cells.json" --no-pair "$data"/epfl/*.jpg
figures sheets "--truth $data/sheets" --no-pair "$data"/sheets/*.jpg
