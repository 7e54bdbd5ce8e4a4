#!/usr/bin/env python3
"""Measures the tables found on the 60 forms of eval/tables: measure_tables.py SHEETSCAN.

It prints a line for each group of forms, with the columns of judge_tables.py and how many were
whole before, then each form that is not whole, and the difference to the last line of the set
`tables` in results.tsv. With --data DATA the sheets of DATA/epfl and HCS dev are judged too.

With --record the line is appended to results.tsv, and failures.tsv beside the forms, from which the
next run knows what was whole before, is written anew. --commit is that of record.py.
"""

import argparse
import pathlib

import cells
import judge_tables
import record

TABLES = record.HERE / "tables"
FAILURES = TABLES / "failures.tsv"
SET = "tables"
# Real pages with true cells: title, folder below the data, split.
REAL_SETS = (("EPFL", "epfl", None), ("HCS dev", "hcs", "dev"))


def figures_of(counts):
    """Returns the columns of results.tsv for the counts of all forms."""
    return {
        "sheets": str(counts["sheets"]),
        "cells": f"{100 * counts['cells_right'] / counts['cells']:.2f}",
        "cells_n": str(counts["cells"]),
        "whole": str(counts["whole"]),
        "moves_right": str(counts["moves_right"]),
        "no_table": str(counts["no_table"]),
    }


def format_difference(before, now):
    """Returns each figure with its difference to the last recorded line."""
    parts = []
    for name, title in (
        ("whole", "whole"),
        ("moves_right", "moves right"),
        ("no_table", "no table"),
        ("cells", "cells %"),
    ):
        difference = float(now[name]) - float(before[name])
        parts.append(f"{title} {now[name]} ({difference:+.4g})")
    return f"since {before['commit']} of {before['date']}: " + ", ".join(parts)


def failed_before(path):
    """Returns the forms that were not whole when a line was last recorded; None if none was."""
    return {row["picture"] for row in cells.read_table(path)} if path.exists() else None


def count_whole_before(sheets, group, failed):
    """Returns how many forms of a group were whole before."""
    names = [facts["picture"] for facts, *_ in sheets if group in ("", facts["group"])]
    return sum(name not in failed for name in names)


def list_changes(sheets, failed):
    """Returns the forms that are whole now, and those that no longer are."""
    faults = {facts["picture"]: fault for facts, _, fault in sheets}
    gained = [name for name, fault in faults.items() if not fault and name in failed]
    lost = [name for name, fault in faults.items() if fault and name not in failed]
    return gained, lost


def print_groups(sheets, failed):
    """Prints the table by group and returns the counts of all forms."""
    print(judge_tables.HEADING + f"{'before':>8}")
    sums = judge_tables.sum_counts(sheets, ["group", "held_out"])
    for (name, value), counts in sums.items():
        title = f"kinds held out {value}" if name == "held_out" else value or "all forms"
        before = "-"
        if failed is not None and name != "held_out":
            before = count_whole_before(sheets, value, failed)
        print(judge_tables.format_line(title, counts) + f"{before:>8}")
    return sums["", ""]


def print_real_sets(data, sheetscan):
    """Prints a line for each set of real pages."""
    for title, folder, split in REAL_SETS:
        sheets, _, untagged = judge_tables.judge_folder(data / folder, sheetscan, split)
        counts = judge_tables.sum_counts(sheets, [])["", ""]
        print(judge_tables.format_line(title, counts))
        for facts, _, fault in sheets:
            if fault:
                print(f"{facts['picture']}\t{fault}")
        for name, found in untagged.items():
            print(f"{name}, whose cells are not known: {len(found)} cells")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sheetscan")
    parser.add_argument("--data", type=pathlib.Path, help="the shared data")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--commit", help="the commit of the program, for --record")
    args = parser.parse_args()
    date_and_commit = record.describe_commit(args.commit) if args.record else None
    sheets, _, _ = judge_tables.judge_folder(TABLES, args.sheetscan)
    failed = failed_before(FAILURES)
    figures = figures_of(print_groups(sheets, failed))
    if args.data:
        print_real_sets(args.data, args.sheetscan)
    print()
    for facts, _, fault in sheets:
        if fault:
            print(f"{facts['picture']:18}{facts['kind']:36}{fault}")
    for title, names in zip(("whole again", "no longer whole"), list_changes(sheets, failed or ())):
        if names and failed is not None:
            print(f"{title}: {', '.join(names)}")
    recorded = [row for row in record.read_results(record.RESULTS) if row["set"] == SET]
    print(format_difference(recorded[-1], figures) if recorded else f"no line of {SET} yet")
    if args.record:
        date, commit = date_and_commit
        row = {"date": date, "commit": commit, "set": SET, **figures}
        record.append_results(record.RESULTS, [row])
        FAILURES.write_text("\n".join(judge_tables.list_failures(sheets)) + "\n")


if __name__ == "__main__":
    main()
