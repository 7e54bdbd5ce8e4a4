#!/usr/bin/env python3
"""Judges the tables that the program finds, cell by cell.

`judge_tables.py DIR SHEETSCAN [--split dev] [--score SCORE]` reads DIR: made forms (models/train/
forms), or real sheets such as data/hcs, of which --split takes a part, and data/epfl. The cells are
those of `sheetscan cells`, which lists empty ones too; judge.py has the rules. (score.py --cells of
the shared data measures along the edges of the picture, for pages that stand upright.) With --score
(score.py) the sheets are read too, which adds two columns.

  sheets    pictures
  whole     sheets with every cell of the form right and nothing found that is no cell
  moves     sheets with every cell of the rows with moves right and nothing inked found that is no
            cell
  no table  sheets without a table
  cells     true cells that were found right; `of moves` counts those of rows with moves
  read      cells whose reading is what was written; `played` counts moves of the game in the output

For real sheets only the first line is printed; pictures of them without true cells are listed. For
a DIR without cells.json (`not_sheets.py`) every table is a fault. DIR/failures.tsv lists every
sheet that is not whole, with the reason.
"""

import argparse
import collections
import pathlib
import re

import cells
import judge
import score_readings

BINS = {
    "rotation": (1, 3, 6),
    "tilt": (4, 12, 22),
    "curl": (0.001, 0.008),
    "row_px": (20, 28, 40),
    "contrast": (0.7, 0.85),
    "blur": (0.7, 1.1),
    "noise": (2, 4),
    "light": (0.6, 0.8),
    "shadow": (0.01, 0.25),
    "pixels": (1.5, 3),
    "rows": (18, 28),
    "print_grey": (50, 100),
    "quality": (40, 60),
    "first_quality": (1,),
    "motion": (0.1,),
    "line": (0.12, 0.2),
    "line_tone": (0.3, 0.7),
    "broken": (0.01, 0.2),
    "specks": (1, 12),
    "cap": (0.35, 0.45, 0.6),
}
# Columns of kinds.tsv by which sheets are counted, in the order of the output. Those that a
# kinds.tsv does not have are left out.
PARAMETERS = (
    "group",
    "held_out",
    "blocks",
    "ruling",
    "numbers",
    "rows",
    "fives",
    "uneven",
    "start",
    "spread",
    "times",
    "heads",
    "header",
    "aside",
    "shade",
    "inverse_numbers",
    "watermark",
    "print_grey",
    "source",
    "framing",
    "turn",
    "rotation",
    "tilt",
    "curl",
    "row_px",
    "pixels",
    "contrast",
    "blur",
    "motion",
    "noise",
    "light",
    "shadow",
    "grey",
    "fold",
    "through",
    "quality",
    "desk",
    "pen",
    "line",
    "line_tone",
    "line_colour",
    "line_style",
    "broken",
    "header_line",
    "head_bar",
    "foot",
    "scan",
    "specks",
    "first_quality",
    "thin",
    "typed",
    "cap",
    "place",
    "room",
    "fill",
)
# Parameters that are computed from others.
DERIVED = {
    "uneven": lambda facts: str(facts["rows"] != facts["last_rows"]),
    "fives": lambda facts: str(int(facts["rows"]) % 5 == 0),
}


def parameter_bin(facts, name):
    """Returns the value of a parameter, or the bin that holds it."""
    if name in DERIVED:
        return DERIVED[name](facts)
    if name not in BINS:
        return facts[name]
    number, edges = abs(float(facts[name])), BINS[name]
    i = sum(number >= edge for edge in edges)
    if i == len(edges):
        return f"{edges[-1]:g} and more"
    return f"{edges[i - 1] if i else 0:g} to {edges[i]:g}"


def read_facts(folder, truth):
    """Returns the parameters of every sheet and the names by which they are counted. Of real sheets
    only the number of moves is known.
    """
    if (folder / "kinds.tsv").exists():
        facts = cells.read_table(folder / "kinds.tsv")
        return facts, [name for name in PARAMETERS if name in facts[0] or name in DERIVED]
    moves = collections.Counter()
    for row in cells.read_table(folder / "tags.tsv"):
        moves[row["page"]] = max(moves[row["page"]], int(row["move"]))
    return [
        {"picture": page, "kind": "real", "start": "1", "moves": moves[page]}
        for page in sorted(truth)
    ], []


def list_pictures(folder, split=None):
    """Returns the pictures of a folder by their stems; of pages.tsv those of one split."""
    pictures = sorted([*folder.glob("*"), *folder.glob("pages/*")])
    pictures = {p.stem: p for p in pictures if p.suffix in (".jpg", ".png")}
    if split is None:
        return pictures
    pages = cells.read_table(folder / "pages.tsv")
    return {row["page"]: pictures[row["page"]] for row in pages if row["split"] == split}


def judge_folder(folder, sheetscan, split=None):
    """Judges a folder by the cells that the program finds, as judge_cells does."""
    return judge_cells(folder, lambda pictures: cells.find_cells(sheetscan, pictures), split)


def judge_cells(folder, find_cells, split=None):
    """Returns the facts, counts and fault of each sheet with true cells, the names of parameters,
    and what was found on pictures without. `find_cells` gives the cells of each of some pictures.
    """
    truth = cells.read_true_cells(folder / "cells.json")
    pictures = list_pictures(folder, split)
    found = find_cells(pictures.values())
    facts_of_sheets, names = read_facts(folder, truth)
    sheets = []
    for facts in facts_of_sheets:
        if facts["picture"] not in pictures:
            continue
        true_cells = truth[facts["picture"]]
        found_cells = found[str(pictures[facts["picture"]])]
        counts = judge.count_cells(facts, true_cells, found_cells)
        fault = judge.explain_fault(facts, true_cells, found_cells, counts)
        sheets.append((facts, counts, fault))
    untagged = {name: found[str(pictures[name])] for name in pictures if name not in truth}
    return sheets, names, untagged


def sum_counts(sheets, names, kinds=False):
    """Returns the counts of all sheets under ("", ""), and under (parameter, value)."""
    sums = collections.defaultdict(collections.Counter)
    for facts, counts, _ in sheets:
        keys = [("", "")] + [(name, parameter_bin(facts, name)) for name in names]
        for key in keys + [("kind", facts["kind"])] * kinds:
            sums[key].update(counts)
    order = ("", *PARAMETERS, "kind")
    return dict(sorted(sums.items(), key=lambda item: (order.index(item[0][0]), item[0][1])))


def format_percent(part, whole):
    """Returns a share in percent."""
    return f"{100 * part / whole:.1f}" if whole else "-"


HEADING = (
    f"{'':34}{'sheets':>7}{'whole':>7}{'moves':>7}{'no table':>10}{'cells %':>9}{'of moves':>10}"
)


def format_line(name, counts):
    """Returns a line of the table below HEADING."""
    line = f"{name:34}{counts['sheets']:7}{counts['whole']:7}{counts['moves_right']:7}"
    line += f"{counts['no_table']:10}{format_percent(counts['cells_right'], counts['cells']):>9}"
    line += f"{format_percent(counts['wanted_right'], counts['wanted']):>10}"
    if counts["tags"]:
        line += f"{format_percent(counts['read'], counts['tags']):>7}"
        line += f"{format_percent(counts['played'], counts['plies']):>8}"
    return line


def list_failures(sheets):
    """Returns the lines of failures.tsv."""
    lines = ["picture\tkind\treason"]
    for facts, counts, fault in sheets:
        if fault:
            remark = "; the moves are right" if counts["moves_right"] else ""
            lines.append(f"{facts['picture']}\t{facts['kind']}\t{fault}{remark}")
    return lines


def judge_no_sheets(folder, sheetscan, reads):
    """Prints the tables that are found on pictures without one."""
    pictures = list_pictures(folder)
    found = cells.find_cells(sheetscan, pictures.values())
    tables = {name: found[str(path)] for name, path in pictures.items() if found[str(path)]}
    for name, table in tables.items():
        inked = sum(cell.state != "blank" for cell in table)
        print(f"{name}: a table of {len(table) // 2} rows, {inked} cells inked")
    for game in score_readings.scan_games(sheetscan, pictures.values()) if reads else ():
        print(f"{pathlib.Path(game['sheets'][0]['path']).stem}: {len(game['plies'])} moves put out")
    print(f"pictures {len(pictures)}, with a table {len(tables)}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("sheetscan")
    parser.add_argument("--split", help="the part of the pages in DIR/pages.tsv")
    parser.add_argument("--score", help="score.py of the shared data: read the sheets too")
    parser.add_argument("--failures", help="where to write the list of failures, if not into DIR")
    parser.add_argument("--kinds", action="store_true", help="a line for every kind, too")
    args = parser.parse_args()
    if not (args.dir / "cells.json").exists():
        return judge_no_sheets(args.dir, args.sheetscan, bool(args.score))
    sheets, names, untagged = judge_folder(args.dir, args.sheetscan, args.split)
    if args.score:
        pictures = list_pictures(args.dir, args.split).values()
        readings = score_readings.score_readings(args.score, args.sheetscan, pictures, args.dir)
        for facts, counts, _ in sheets:
            counts.update(readings[facts["picture"]])
    print(HEADING + (f"{'read':>7}{'played':>8}" if args.score else ""))
    for (name, value), counts in sum_counts(sheets, names, args.kinds).items():
        print(format_line(f"{name} {value}".strip() or "all sheets", counts))
    for name, found in untagged.items():
        print(f"{name}, whose cells are not known: {len(found)} cells")
    failures = list_failures(sheets)
    print()
    reasons = [re.sub(r"[\d.-]+", "N", line.split("\t")[2].split(";")[0]) for line in failures[1:]]
    for reason, count in collections.Counter(reasons).most_common():
        print(f"{count:5} {reason}")
    path = pathlib.Path(args.failures or args.dir / "failures.tsv")
    path.write_text("\n".join(failures) + "\n")


if __name__ == "__main__":
    main()
