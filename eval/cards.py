#!/usr/bin/env python3
"""Writes the newest figures of results.tsv into models/reader.md: cards.py [--check].

The table stands between the lines <!-- figures --> and <!-- /figures -->; everything else of the
card stays. With --check nothing is written, and the exit status is 1 where the card is out of date.
While results.tsv has no line, the card is left as it is.
"""

import argparse
import sys

import record

CARD = record.HERE.parent / "models" / "reader.md"
BEGIN, END = "<!-- figures -->", "<!-- /figures -->"
TITLES = {
    "dev": "HCS dev, one copy each",
    "copies": "HCS dev, copies joined",
    "epfl": "EPFL",
    "sheets": "`data/sheets`",
    "fresh": "`data/fresh`",
}
# Rows of the table: title, column, and the column of its count where it has one.
ROWS = (
    ("cells in place", "cells", "cells_n"),
    ("read, before any chess", "read", "read_n"),
    ("found", "found", None),
    ("played", "played", "n"),
    ("silent", "silent", None),
    ("asks", "asks", None),
    ("reviewed", "reviewed", None),
    ("over", "over", None),
    ("expected calibration error", "ece", None),
)


def newest(rows):
    """Returns the last line of each set, in the order of TITLES."""
    last = {row["set"]: row for row in rows}
    return [last[name] for name in TITLES if name in last]


def format_share(row, column, count):
    """Returns one field of the table."""
    if not row[column]:
        return ""
    return f"{row[column]} %" + (f" (n = {int(row[count]):,})" if count else "")


def format_table(rows):
    """Returns the Markdown table of the newest figures."""
    columns = newest(rows)
    lines = [
        ["", *(TITLES[row["set"]] for row in columns)],
        ["---"] * (len(columns) + 1),
        ["pages", *(row["sheets"] for row in columns)],
    ]
    for title, column, count in ROWS:
        lines.append([title, *(format_share(row, column, count) for row in columns)])
    lines.append(["exact games", *(f"{row['exact']} of {row['games']}" for row in columns)])
    lines.append(["commit", *(f"{row['commit']}, {row['date']}" for row in columns)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def replace_figures(card, table):
    """Returns the card with the table between its two markers."""
    before, rest = card.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    rows = record.read_results(record.RESULTS)
    if not rows:
        return print(f"{record.RESULTS.name} has no line, {CARD.name} stays as it is")
    card = CARD.read_text()
    changed = replace_figures(card, format_table(rows))
    if args.check and changed != card:
        sys.exit(f"{CARD.name} is out of date: run eval/cards.py")
    if not args.check:
        CARD.write_text(changed)


if __name__ == "__main__":
    main()
