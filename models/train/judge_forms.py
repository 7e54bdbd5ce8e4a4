"""Judges the table that the program finds on made forms, cell by cell.

`python judge_forms.py DIR SHEETSCAN [--score SCORE]` reads DIR, which `forms` wrote. The cells are
those of `sheetscan cells`, which lists empty ones too. A cell is right if it has the number and
side of a true one and its centre lies within a third of a row height and a fifth of the width of
it, along the edges of the cell itself. (eval/score.py --cells measures along the edges of the
picture, for pages that stand upright.) A form that does not start at 1 may be counted from 1. With
--score (eval/score.py) the sheets are read too, which adds two columns.

  sheets    pictures
  all       sheets with every cell of the form right and nothing found that is no cell
  moves     sheets with every cell of the rows with moves right and nothing inked found that is no
            cell
  no table  sheets without a table
  cells     true cells that were found right; `of moves` counts those of rows with moves
  read      cells whose reading is what was written; `played` counts moves of the game in the output

For a DIR of real sheets (data/hcs, data/epfl) only the first line is printed. For a DIR without
cells.json (`not_sheets.py`) every table is a fault. DIR/failures.tsv lists every sheet that is not
in `all`, with the reason.
"""

import argparse
import collections
import csv
import glob
import importlib.util
import json
import os
import re
import subprocess
import tempfile

import numpy as np

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
PARAMETERS = (
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


def read_rows(path):
    return list(
        csv.DictReader(open(path, encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE)
    )


def read_parameters(folder, truth):
    """Returns the parameters of every sheet; for real ones (data/hcs, data/epfl) only how many
    moves were written.
    """
    path = os.path.join(folder, "kinds.tsv")
    if os.path.exists(path):
        return read_rows(path), PARAMETERS
    written = collections.Counter()
    for row in read_rows(os.path.join(folder, "tags.tsv")):
        written[row["page"]] = max(written[row["page"]], int(row["move"]))
    return [
        {"picture": page, "kind": "real", "start": "1", "moves": written[page]}
        for page in sorted(truth)
    ], ()


def find_cells(sheetscan, pictures, folder):
    """Returns the cells found on each picture, as (number, side, quad, state)."""
    command = ["nice", sheetscan, "cells", "-q", "-j", "1", "--files-from", "-", "-o", folder]
    run = subprocess.run(command, input="\n".join(pictures) + "\n", text=True, capture_output=True)
    if run.returncode == 1:
        raise SystemExit(run.stderr)
    cells_of_picture = collections.defaultdict(list)
    for row in read_rows(os.path.join(folder, "manifest.tsv")):
        quad = np.array([[float(row[f"x{i}"]), float(row[f"y{i}"])] for i in range(4)])
        cells_of_picture[os.path.splitext(os.path.basename(row["sheet"]))[0]].append(
            (int(row["move"]), row["side"], quad, row["state"])
        )
    return cells_of_picture


def cell_axes(quad):
    """Returns the edges of the cell along the row and down."""
    return (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2


def centre_offset(quad, true):
    """Returns how far the centres lie apart, in widths and heights of the true cell."""
    return np.linalg.solve(np.stack(cell_axes(true), 1), quad.mean(0) - true.mean(0))


def is_in_place(quad, true):
    """Whether a found cell lies on a true one."""
    x, y = centre_offset(quad, true)
    return abs(x) <= 1 / 5 and abs(y) <= 1 / 3


def count_blocks(cells):
    """Counts blocks of cells. A block begins where the next row lies above the last one."""
    white = sorted((number, quad) for number, side, quad in cells if side == "white")
    return (
        sum(
            1
            for (_, upper), (_, lower) in zip(white, white[1:])
            if (lower.mean(0) - upper.mean(0)) @ cell_axes(upper)[1] < 0
        )
        + 1
    )


def judge_sheet(facts, truth, detected):
    """Returns the counts of a sheet and the reason why it is not all right."""
    true_cells = {(counts["move"], counts["side"]): np.array(counts["box"]) for counts in truth}
    first, moves = int(facts["start"]), int(facts["moves"])
    move_cells = {cell_key for cell_key in true_cells if cell_key[0] < first + moves}
    starts_at_one = {number for number, *_ in detected} and min(
        number for number, *_ in detected
    ) == 1
    shift = first - 1 if starts_at_one else 0
    right_cells, stray, stray_inked = set(), 0, 0
    quads = np.stack(list(true_cells.values()))
    centres = quads.mean(1)
    for number, side, quad, state in detected:
        key = (number + shift, side)
        if key in true_cells and is_in_place(quad, true_cells[key]):
            right_cells.add(key)
            continue
        nearest = int(np.argmin(np.linalg.norm(centres - quad.mean(0), axis=1)))
        if not is_in_place(quad, quads[nearest]):
            stray += 1
            stray_inked += state != "blank"
    counts = {
        "sheets": 1,
        "cells": len(true_cells),
        "cells_right": len(right_cells),
        "wanted": len(move_cells),
        "wanted_right": len(right_cells & move_cells),
    }
    counts["none"] = not detected
    counts["all"] = len(right_cells) == len(true_cells) and not stray
    counts["moves"] = move_cells <= right_cells and not stray_inked and bool(detected)
    if counts["all"]:
        return counts, ""
    if not detected:
        return counts, "no table"

    def angle(v):
        return np.degrees(np.arctan2(v[1], v[0]))

    turn_deg = (
        angle(cell_axes(detected[0][2])[0]) - angle(cell_axes(quads[0])[0]) + 180
    ) % 360 - 180
    if abs(turn_deg) > 45:
        return counts, f"read turned by {round(turn_deg / 90) * 90}"
    block_count, true_block_count = (
        count_blocks([cell[:3] for cell in detected]),
        count_blocks(
            [
                (number, cell_side, cell_quad)
                for (number, cell_side), cell_quad in true_cells.items()
            ]
        ),
    )
    if block_count != true_block_count:
        return counts, f"{block_count} blocks for {true_block_count}"
    rows_per_block, true_rows_per_block = (
        len(detected) / 2 / block_count,
        len(true_cells) / 2 / true_block_count,
    )
    row_offsets = collections.Counter()
    sideways = 0
    for number, side, quad, _ in detected:
        if (number + shift, side) in true_cells:
            x, y = centre_offset(quad, true_cells[number + shift, side])
            row_offsets[round(y)] += 1
            sideways += abs(x) > 1 / 5
    reasons = []
    if sideways:
        reasons.append(f"{sideways} cells off sideways")
    usual_offset = row_offsets.most_common(1)[0][0] if row_offsets else 0
    if usual_offset:
        reasons.append(f"rows shifted by {usual_offset}")
    if rows_per_block != true_rows_per_block:
        reasons.append(f"{rows_per_block:g} rows for {true_rows_per_block:g}")
    if stray:
        reasons.append(f"{stray} that are no cells, {stray_inked} inked")
    return counts, "; ".join(
        reasons
    ) or f"{len(true_cells) - len(right_cells)} of {len(true_cells)} cells off"


def scan_games(sheetscan, pictures, folder):
    """Returns the games of `sheetscan scan`, one for each picture that has any."""
    out = os.path.join(folder, "games.jsonl")
    command = [
        "nice",
        sheetscan,
        "scan",
        "-q",
        "-j",
        "1",
        "--no-pair",
        "--json",
        out,
        "--files-from",
        "-",
    ]
    subprocess.run(command, input="\n".join(pictures) + "\n", text=True, capture_output=True)
    return [json.loads(line) for line in open(out)]


def score_readings(score, sheetscan, pictures, folder, truth_folder):
    """Returns the cells read and moves played of each picture, by the rules of eval/score.py."""
    spec = importlib.util.spec_from_file_location("score", score)
    rules = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rules)
    tags, counts = (
        rules.load_tags(os.path.join(truth_folder, "tags.tsv")),
        collections.defaultdict(dict),
    )
    games = {
        rules.stem(game["sheets"][0]["path"]): game
        for game in scan_games(sheetscan, pictures, folder)
    }
    for page in map(rules.stem, pictures):
        game = games.get(page, {"plies": [], "unread": []})
        readings = {
            (cell["move"], cell["side"]): cell.get("read")
            for cell in [cell for ply in game["plies"] for cell in ply["cells"]] + game["unread"]
        }
        page_tags = {cell_key[1:]: tag for cell_key, tag in tags.items() if cell_key[0] == page}
        counts[page] = {
            "tags": len(page_tags),
            "read": sum(
                rules.norm(readings.get(cell_key)) == rules.norm(tag)
                for cell_key, tag in page_tags.items()
            ),
        }
        _, true_moves, _ = rules.truth_of(page, truth_folder)
        if true_moves:
            sans = [rules.san(ply["san"]) for ply in game["plies"]]
            counts[page]["plies"] = len(true_moves)
            counts[page]["played"] = sum(
                i is not None and j is not None and sans[i] == true_moves[j]
                for i, j in rules.align(sans, true_moves)
            )
    return counts


def format_percent(a, b):
    return f"{100 * a / b:.1f}" if b else "-"


def print_line(name, counts):
    all_cells = format_percent(counts["cells_right"], counts["cells"])
    of_moves = format_percent(counts["wanted_right"], counts["wanted"])
    cells = f"{all_cells:>8}{of_moves:>10}"
    reads = (
        f"{format_percent(counts['read'], counts['tags']):>7}"
        f"{format_percent(counts['played'], counts['plies']):>8}"
        if counts["tags"]
        else ""
    )
    print(
        f"{name:34}{counts['sheets']:7}{counts['all']:5}{counts['moves']:7}{counts['none']:10}"
        f"{cells}{reads}"
    )


def parameter_bin(facts, name):
    """Returns the value of a parameter, or the bin that holds it."""
    if name == "uneven":
        return str(facts["rows"] != facts["last_rows"])
    if name == "fives":
        return str(int(facts["rows"]) % 5 == 0)
    if name not in BINS:
        return facts[name]
    number, edges = abs(float(facts[name])), BINS[name]
    i = sum(number >= edge for edge in edges)
    return (
        f"{edges[i - 1] if i else 0:g} to {edges[i]:g}"
        if i < len(edges)
        else f"{edges[-1]:g} and more"
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dir")
    parser.add_argument("sheetscan")
    parser.add_argument("--score", help="eval/score.py: read the sheets too")
    parser.add_argument(
        "--failures", help="where to write the list of failures, instead of into DIR"
    )
    parser.add_argument("--kinds", action="store_true", help="a line for every kind, too")
    args = parser.parse_args()
    pictures = sorted(
        picture
        for picture in glob.glob(os.path.join(args.dir, "*"))
        + glob.glob(os.path.join(args.dir, "pages", "*"))
        if picture.endswith((".jpg", ".png"))
    )

    def stem(path):
        return os.path.splitext(os.path.basename(path))[0]

    with tempfile.TemporaryDirectory() as folder:
        detected = find_cells(args.sheetscan, pictures, folder)
        if not os.path.exists(os.path.join(args.dir, "cells.json")):
            for picture in pictures:
                if detected[stem(picture)]:
                    inked = sum(state != "blank" for *_, state in detected[stem(picture)])
                    print(
                        f"{stem(picture)}: a table of {len(detected[stem(picture)]) // 2} rows,",
                        f"{inked} cells inked",
                    )
            for game in scan_games(args.sheetscan, pictures, folder) if args.score else ():
                print(f"{stem(game['sheets'][0]['path'])}: {len(game['plies'])} moves put out")
            return print(
                f"pictures {len(pictures)},",
                f"with a table {sum(bool(detected[stem(picture)]) for picture in pictures)}",
            )
        reading_counts = (
            score_readings(args.score, args.sheetscan, pictures, folder, args.dir)
            if args.score
            else {}
        )
    truth, failures = (
        json.load(open(os.path.join(args.dir, "cells.json"))),
        ["picture\tkind\treason"],
    )
    sums = collections.defaultdict(collections.Counter)
    sheets, names = read_parameters(args.dir, truth)
    for facts in sheets:
        page = facts["picture"]
        counts, reason = judge_sheet(facts, truth[page], detected[page])
        counts.update(reading_counts.get(page, {}))
        if reason:
            remark = "; the moves are right" if counts["moves"] else ""
            failures.append(f"{page}\t{facts['kind']}\t{reason}{remark}")
        for key in (
            [("", "all sheets")]
            + [(parameter, parameter_bin(facts, parameter)) for parameter in names]
            + [("kind", facts["kind"])] * args.kinds
        ):
            sums[key].update(counts)
    heading = (
        f"{'':34}{'sheets':>7}{'all':>5}{'moves':>7}{'no table':>10}{'cells %':>8}{'of moves':>10}"
    )
    print(heading + (f"{'read':>7}{'played':>8}" if args.score else ""))
    order = {parameter: i for i, parameter in enumerate(("",) + PARAMETERS + ("kind",))}
    for (name, bin_name), sums_of_bin in sorted(
        sums.items(), key=lambda entry: (order[entry[0][0]], entry[0][1])
    ):
        print_line(f"{name} {bin_name}".strip(), sums_of_bin)
    print()
    reasons = collections.Counter(
        re.sub(r"[\d.-]+", "N", f.split("\t")[2].split(";")[0]) for f in failures[1:]
    )
    for reason, parameter in reasons.most_common():
        print(f"{parameter:5} {reason}")
    with open(args.failures or os.path.join(args.dir, "failures.tsv"), "w") as f:
        f.write("\n".join(failures) + "\n")


if __name__ == "__main__":
    main()
