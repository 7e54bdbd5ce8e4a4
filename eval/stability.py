#!/usr/bin/env python3
"""Measures how far the table stays the same under small disturbances of a picture.

`stability.py SHEETSCAN PICTURE... [--out DIR]` runs `sheetscan cells` on each picture as it is and
under each of the twelve disturbances of disturb.py. A disturbed picture is the same if it has the
cells of the undisturbed one (the same move numbers and sides) and the centre of each lies, mapped
back, within a fifth of the row height of where it was, along the row and down. A picture without a
table is never the same, disturbed or not.

It prints every disturbed picture that differs and how, then the shares by disturbance, and the
share that is the same if a cell may be off sideways by a fifth of its width. DIR keeps
what was found, by the program and the picture, so that a run that was cut off goes on; disturbed
pictures are written one page at a time into a temporary folder. A folder among the pictures stands
for the .jpg and .png files in it. --record NAME appends the share to results.tsv as the set
stable-NAME; --commit is that of record.py.

Of the commands in eval this one alone needs more than Python: numpy and opencv.
"""

import argparse
import collections
import hashlib
import json
import pathlib
import sys
import tempfile

import cells
import disturb
import record

# Largest distance of the centre of a cell from its undisturbed place, in row heights.
MAX_OFFSET_ROWS = 1 / 5
# Pictures that are given to one run of the program.
CHUNK = 16
PLAIN = "as it is"


def compare_tables(before, after):
    """Returns how a disturbed table differs from the undisturbed one; "" where it is the same.

    Both are quads by (move, side), in pixels of the undisturbed picture.
    """
    if not before:
        return "no table without a disturbance" + ("" if after else " and with it")
    if not after:
        return "no table"
    rows_before, rows_after = (sorted({move for move, _ in table}) for table in (before, after))
    if len(rows_before) != len(rows_after):
        return f"{len(rows_after)} rows for {len(rows_before)}"
    if rows_before != rows_after:
        return f"rows numbered from {rows_after[0]} for {rows_before[0]}"
    if set(before) != set(after):
        return f"{len(after)} cells for {len(before)}"
    return describe_offsets([cells.row_offset(after[key], before[key]) for key in before])


def is_near(before, after):
    """Whether a table is the same but for shifts sideways of at most a fifth of the width."""
    if not before or set(before) != set(after):
        return False
    offsets = [cells.centre_offset(after[key], before[key]) for key in before]
    return all(abs(x) <= cells.MAX_OFFSET_WIDTHS and abs(y) <= MAX_OFFSET_ROWS for x, y in offsets)


def describe_offsets(offsets):
    """Returns how many cells lie off their place, and by how many rows; "" where none does."""
    far = [(x, y) for x, y in offsets if max(abs(x), abs(y)) > MAX_OFFSET_ROWS]
    if not far:
        return ""
    sideways, down = (max((offset[i] for offset in far), key=abs) for i in (0, 1))
    return (
        f"{len(far)} of {len(offsets)} cells shifted by up to {sideways:+.2f} rows sideways, "
        f"{down:+.2f} down"
    )


def table_of(found, matrix):
    """Returns the quads by (move, side) of found cells, mapped back to the undisturbed picture."""
    back = disturb.invert_map(matrix)
    return {
        (cell.move, cell.side): [disturb.apply_map(back, point) for point in cell.quad]
        for cell in found
    }


class Cache:
    """What was found on each picture and disturbance, in a file that only grows."""

    def __init__(self, folder, sheetscan):
        program = hashlib.sha1(pathlib.Path(sheetscan).read_bytes()).hexdigest()[:12]
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"cells-{program}.jsonl"
        self.known = {}
        for line in self.path.read_text().splitlines() if self.path.exists() else ():
            # A run that was cut off may leave half a line.
            if line.endswith("}"):
                entry = json.loads(line)
                self.known[entry["picture"], entry["disturbance"]] = entry
        self.digests = {}

    def key(self, picture, disturbance):
        """Returns the key of a picture by what is in it."""
        if picture not in self.digests:
            self.digests[picture] = hashlib.sha1(picture.read_bytes()).hexdigest()[:12]
        return self.digests[picture], disturbance

    def __contains__(self, item):
        return self.key(*item) in self.known

    def add(self, picture, disturbance, found, matrix):
        """Keeps the cells of a picture."""
        digest, _ = key = self.key(picture, disturbance)
        entry = {"picture": digest, "disturbance": disturbance, "matrix": matrix, "cells": found}
        self.known[key] = entry
        with self.path.open("a") as f:
            f.write(json.dumps(entry) + "\n")

    def table(self, picture, disturbance):
        """Returns the table of a picture, in pixels of the undisturbed one."""
        entry = self.known[self.key(picture, disturbance)]
        return table_of([cells.Cell(*cell) for cell in entry["cells"]], entry["matrix"])


def find_plain(sheetscan, pictures, cache):
    """Finds the tables of the pictures as they are."""
    missing = [picture for picture in pictures if (picture, PLAIN) not in cache]
    for start in range(0, len(missing), CHUNK):
        chunk = missing[start : start + CHUNK]
        found = cells.find_cells(sheetscan, chunk)
        for picture in chunk:
            cache.add(picture, PLAIN, found[str(picture)], disturb.IDENTITY)


def find_disturbed(sheetscan, picture, cache):
    """Finds the tables of one picture under every disturbance."""
    missing = [name for name in disturb.DISTURBANCES if (picture, name) not in cache]
    if not missing:
        return
    import cv2

    cv2.setNumThreads(1)
    pixels = cv2.imread(str(picture))
    corners = [point for quad in cache.table(picture, PLAIN).values() for point in quad]
    with tempfile.TemporaryDirectory() as folder:
        paths, matrices = {}, {}
        for number, name in enumerate(missing):
            changed, suffix, parameters, matrices[name] = disturb.disturb(
                pixels, picture.stem, name, corners
            )
            paths[name] = f"{folder}/{number:02}{suffix}"
            cv2.imwrite(paths[name], changed, parameters)
        found = cells.find_cells(sheetscan, paths.values())
    for name in missing:
        cache.add(picture, name, found[paths[name]], matrices[name])


def list_pictures(arguments):
    """Returns the pictures of the command line, those of folders in the order of their names."""
    pictures = []
    for path in map(pathlib.Path, arguments):
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        pictures += [p for p in inside if p == path or p.suffix in (".jpg", ".png")]
    return pictures


def print_summary(same, tables, pictures):
    """Prints the share of pictures that stay the same by disturbance and over all. Returns that
    over all in percent, and the number of disturbed pictures.
    """
    print(f"\n{'disturbance':28}{'pictures':>9}{'same':>6}{'%':>8}")
    for name, count in same.items():
        print(f"{name:28}{pictures:9}{count:6}{100 * count / pictures:8.2f}")
    total, of = sum(same.values()), pictures * len(same)
    print(f"{'all':28}{of:9}{total:6}{100 * total / of:8.2f}")
    print(f"{tables} of {pictures} pictures show a table as they are")
    return 100 * total / of, of


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sheetscan")
    parser.add_argument("pictures", nargs="+")
    parser.add_argument("--out", type=pathlib.Path, help="where to keep what was found")
    parser.add_argument("--record", metavar="NAME", help="the set whose line is appended")
    parser.add_argument("--commit", help="the commit of the program, for --record")
    args = parser.parse_args()
    date_and_commit = record.describe_commit(args.commit) if args.record else None
    pictures = list_pictures(args.pictures)
    same = collections.Counter(dict.fromkeys(disturb.DISTURBANCES, 0))
    near = 0
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(args.out or pathlib.Path(folder), args.sheetscan)
        find_plain(args.sheetscan, pictures, cache)
        for number, picture in enumerate(pictures, 1):
            find_disturbed(args.sheetscan, picture, cache)
            print(f"{number} of {len(pictures)} pictures", end="\r", file=sys.stderr)
            before = cache.table(picture, PLAIN)
            for name in disturb.DISTURBANCES:
                after = cache.table(picture, name)
                difference = compare_tables(before, after)
                same[name] += not difference
                near += is_near(before, after)
                if difference:
                    print(f"{picture.stem}\t{name}\t{difference}", flush=True)
        tables = sum(bool(cache.table(picture, PLAIN)) for picture in pictures)
    share, count = print_summary(same, tables, len(pictures))
    print(f"with sideways shifts of up to a fifth of the width: {near}, {100 * near / count:.2f} %")
    if args.record:
        date, commit = date_and_commit
        row = {"date": date, "commit": commit, "set": f"stable-{args.record}"}
        row |= {"sheets": str(len(pictures)), "same": f"{share:.2f}", "same_n": str(count)}
        record.append_results(record.RESULTS, [row])


if __name__ == "__main__":
    main()
