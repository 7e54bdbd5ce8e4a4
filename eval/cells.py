"""The cells that the program finds on pictures, the true ones, and how far two cells lie apart.

A quad is the four corners (x, y) of a cell in pixels, in reading order from its top left.
"""

import collections
import csv
import json
import math
import pathlib
import subprocess
import tempfile

# Largest distance of the centre of a cell in place from the true one, in widths and in heights.
MAX_OFFSET_WIDTHS, MAX_OFFSET_HEIGHTS = 1 / 5, 1 / 3

Cell = collections.namedtuple("Cell", "move side quad state")


def read_table(path):
    """Returns the lines of a tab-separated file as dictionaries."""
    with open(path, encoding="utf-8") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def read_true_cells(path):
    """Returns the true cells of every page of a cells.json, by (move, side)."""
    pages = json.loads(pathlib.Path(path).read_text())
    return {
        page: {(cell["move"], cell["side"]): cell["box"] for cell in cells}
        for page, cells in pages.items()
    }


def parse_manifest(path):
    """Returns the cells of each picture of the manifest of `sheetscan cells`, by its path."""
    cells_of_picture = collections.defaultdict(list)
    for row in read_table(path):
        quad = [(float(row[f"x{i}"]), float(row[f"y{i}"])) for i in range(4)]
        cell = Cell(int(row["move"]), row["side"], quad, row["state"])
        cells_of_picture[row["sheet"]].append(cell)
    return cells_of_picture


def find_cells(sheetscan, pictures):
    """Returns the cells that the program finds on each picture, by its path."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sheetscan, "cells", "-q", "-j", "1", "--files-from", "-", "-o", folder]
        paths = "".join(f"{picture}\n" for picture in pictures)
        run = subprocess.run(command, input=paths, text=True, capture_output=True)
        # Status 1 is a failure of the program; 2 says that some picture shows no table.
        if run.returncode not in (0, 2):
            raise SystemExit(run.stderr)
        return parse_manifest(pathlib.Path(folder) / "manifest.tsv")


def centre(quad):
    """Returns the mean of the corners."""
    return sum(x for x, _ in quad) / 4, sum(y for _, y in quad) / 4


def axes(quad):
    """Returns the vectors along the row and down the column, each the mean of two edges."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = quad
    along = ((x1 - x0 + x2 - x3) / 2, (y1 - y0 + y2 - y3) / 2)
    down = ((x3 - x0 + x2 - x1) / 2, (y3 - y0 + y2 - y1) / 2)
    return along, down


def centre_offset(quad, true):
    """Returns how far the centre of a quad lies from that of a true one, in widths and heights of
    the true one and along its own edges.
    """
    (ax, ay), (dx, dy) = axes(true)
    (x, y), (true_x, true_y) = centre(quad), centre(true)
    x, y = x - true_x, y - true_y
    determinant = ax * dy - dx * ay
    return (x * dy - dx * y) / determinant, (ax * y - x * ay) / determinant


def is_in_place(quad, true):
    """Whether the centre of a quad lies within a fifth of the width and a third of the height."""
    x, y = centre_offset(quad, true)
    return abs(x) <= MAX_OFFSET_WIDTHS and abs(y) <= MAX_OFFSET_HEIGHTS


def row_offset(quad, true):
    """Returns how far the centre lies from the true one along the row and down, in row heights."""
    x, y = centre_offset(quad, true)
    along, down = axes(true)
    return x * math.hypot(*along) / math.hypot(*down), y


def count_blocks(quads):
    """Counts the blocks of a table from White's cells by number. A block begins where the next row
    lies above the last one.
    """
    in_order = [quads[number] for number in sorted(quads)]
    blocks = 1
    for upper, lower in zip(in_order, in_order[1:]):
        (x0, y0), (x1, y1) = centre(upper), centre(lower)
        _, (dx, dy) = axes(upper)
        blocks += (x1 - x0) * dx + (y1 - y0) * dy < 0
    return blocks
