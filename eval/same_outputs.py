#!/usr/bin/env python3
"""same_outputs.py BEFORE AFTER: compares two folders that scan_sets.sh made, byte for byte.

All PGN and JSON has to be the same. JSON fields that were renamed on purpose stand in
renamed_fields.tsv beside this script (old name, new name); they are renamed in BEFORE before the
comparison. Exits with 1 where something differs, and names the first line that does.
"""

import pathlib
import re
import sys


def renamed_fields():
    """Old and new names of JSON fields."""
    path = pathlib.Path(__file__).with_name("renamed_fields.tsv")
    lines = path.read_text().splitlines() if path.exists() else []
    return [line.split("\t")[:2] for line in lines if line and not line.startswith("#")]


def with_new_names(line, fields):
    """A line of JSON with the new names of its fields."""
    for old, new in fields:
        line = re.sub(rf'"{re.escape(old)}":', f'"{new}":', line)
    return line


def main():
    """Compares the folders of the command line."""
    before, after = (pathlib.Path(folder) for folder in sys.argv[1:3])
    names = [
        sorted(path.name for path in folder.glob("*") if path.suffix in (".pgn", ".jsonl"))
        for folder in (before, after)
    ]
    if names[0] != names[1]:
        sys.exit(f"the folders hold different files: {names[0]} and {names[1]}")
    fields = renamed_fields()
    different = 0
    for name in names[0]:
        old, new = ((folder / name).read_text().splitlines() for folder in (before, after))
        if name.endswith(".jsonl"):
            old = [with_new_names(line, fields) for line in old]
        differing = [number for number, (a, b) in enumerate(zip(old, new), 1) if a != b]
        if differing or len(old) != len(new):
            different += 1
            print(
                f"{name}: {len(differing)} of {len(old)} lines differ "
                f"(after: {len(new)} lines), first {differing[:1]}"
            )
        else:
            print(f"{name}: the same, {len(old)} lines")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
