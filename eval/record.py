#!/usr/bin/env python3
"""Records the figures of a commit: record.py DATA OUT [--commit REV] [--results FILE].

OUT is a folder that `scan_sets.sh DATA OUT SHEETSCAN` made. Every set in it is scored by
DATA/../eval/score.py, and one line a set is appended to results.tsv beside this script. Shares are
in percent, and every share has the count that it refers to beside it (see COLUMNS).

A tree with uncommitted changes is refused, since its figures belong to no commit. With --commit the
figures are recorded for that commit instead, whatever the tree holds now.
"""

import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE / "results.tsv"

# Options of score.py for each set, as paths below DATA.
SETS = {
    "dev": {"--tags": "hcs/tags.tsv", "--truth": "hcs/played", "--cells": "hcs/cells.json"},
    "copies": {"--truth": "hcs/played"},
    "epfl": {"--tags": "epfl/tags.tsv", "--truth": "epfl", "--cells": "epfl/cells.json"},
    "sheets": {"--truth": "sheets"},
    "fresh": {"--truth": "fresh"},
}

# Each column with the pattern that finds its value in the output of score.py. A figure that
# score.py does not print for a set leaves its field empty.
SHARE = r"\s+([\d.]+) %"
COLUMNS = {
    "sheets": r"^games \d+, sheets (\d+)",
    "read": r"^read" + SHARE,
    "strict": r"^read.*strict" + SHARE,
    "found": r"^read.*found" + SHARE,
    "cer": r"^read.*CER" + SHARE,
    "read_n": r"^read.* n=(\d+)",
    "cells": r"^cells" + SHARE,
    "cells_n": r"^cells.* n=(\d+)",
    "played": r"^played" + SHARE,
    "n": r"^played.* n=(\d+) moves",
    "silent": r"^silent" + SHARE,
    "silent_n": r"^silent.* of (\d+) moves put out",
    "asks": r"^asks" + SHARE,
    "withheld": r"^withheld" + SHARE,
    "lost": r"^withheld.*lost" + SHARE,
    "reviewed": r"^reviewed" + SHARE,
    "exact": r"^exact\s+(\d+) of",
    "games": r"^exact\s+\d+ of (\d+) games",
    "over": r"^over" + SHARE,
    "ece": r"^ece" + SHARE,
}
# Columns of the sets that measure tables alone: `tables` (measure_tables.py) has the forms that are
# whole, those with all moves in place and those without a table, `stable-...` (stability.py) the
# share of disturbed pictures whose table stays the same, in percent, and their number.
TABLE_COLUMNS = ["whole", "moves_right", "no_table", "same", "same_n"]
HEADER = ["date", "commit", "set", *COLUMNS, *TABLE_COLUMNS]


def parse_score(text):
    """Returns the figures that score.py printed, by column."""
    found = {name: re.search(pattern, text, re.M) for name, pattern in COLUMNS.items()}
    return {name: match[1] if match else "" for name, match in found.items()}


def score_set(data, games, options):
    """Returns what score.py prints for one set."""
    command = [sys.executable, data.parent / "eval" / "score.py", games]
    for option, path in options.items():
        command += [option, data / path]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def git(*arguments):
    """Returns what git prints in the folder of this script."""
    command = ["git", "-C", HERE, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def describe_commit(revision):
    """Returns the date and the short name of a commit. Without a revision the tree must be clean.

    Changes of results.tsv itself do not count, so that several folders can be recorded in a row.
    """
    if revision is None:
        changes = git("status", "--porcelain", "--", ":/", f":(exclude,top)eval/{RESULTS.name}")
        if changes:
            sys.exit(f"uncommitted changes; commit them or give --commit:\n{changes}")
    return git("show", "-s", "--format=%cs %h", revision or "HEAD").split()


def read_results(path):
    """Returns the lines of the results as dictionaries; none where there is no file."""
    if not path.exists():
        return []
    header, *rows = (line.split("\t") for line in path.read_text().splitlines())
    return [dict(zip(header, row, strict=True)) for row in rows]


def append_results(path, rows):
    """Appends lines to the results, below a header where the file is new. A figure that a set does
    not have leaves its field empty.
    """
    lines = [] if path.exists() else [HEADER]
    lines += [[row.get(name, "") for name in HEADER] for row in rows]
    with path.open("a") as f:
        f.writelines("\t".join(line) + "\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=pathlib.Path, help="the shared data, beside eval/score.py")
    parser.add_argument("out", type=pathlib.Path, help="the folder that scan_sets.sh made")
    parser.add_argument("--commit", help="the commit whose program made OUT")
    parser.add_argument("--results", type=pathlib.Path, default=RESULTS)
    args = parser.parse_args()
    data = args.data.resolve()
    date, commit = describe_commit(args.commit)
    known = {(row["commit"], row["set"]) for row in read_results(args.results)}
    rows = []
    for name, options in SETS.items():
        games = args.out / f"{name}.jsonl"
        if not games.exists():
            print(f"{name}: not in {args.out}, left out", file=sys.stderr)
            continue
        if (commit, name) in known:
            sys.exit(f"{args.results} has {name} of {commit} already")
        figures = parse_score(score_set(data, games.resolve(), options))
        if not figures["played"]:
            sys.exit(f"{name}: score.py printed no figure for `played`")
        rows.append({"date": date, "commit": commit, "set": name, **figures})
        print(f"{name}: played {figures['played']} % of {figures['n']} moves")
    append_results(args.results, rows)


if __name__ == "__main__":
    main()
