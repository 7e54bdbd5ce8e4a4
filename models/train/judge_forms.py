"""Judges the table that the program finds on made forms, cell by cell: `python judge_forms.py DIR SHEETSCAN [--score SCORE]`.

DIR is what `forms` wrote. The cells are those of `sheetscan cells`, which tells empty ones too. A cell is right where it has
the number and side of a true one and its centre lies within a third of a row and a fifth of the width of it, along the
cell's own edges (eval/score.py, whose --cells measures along the picture's, for pages that stand upright). A form that does
not start at 1 may be counted from 1. With --score (eval/score.py) the sheets are read too, for two columns more.

  sheets    pictures
  all       sheets with every cell of the form right and nothing found that is no cell
  moves     sheets with every cell of the rows with moves right and nothing inked found that is no cell
  no table  sheets without a table
  cells     true cells that were found right; `of moves` those of rows with moves
  read      cells whose reading is what was written; played: moves of the game that came out

A DIR of real sheets (data/hcs, data/epfl) gives the first line alone; a DIR without cells.json (`not_sheets.py`) has no
sheets: every table is a fault. DIR/failures.tsv lists every sheet that is not in `all`, with the reason.
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
    "quality": (60,),
    "motion": (0.1,),
}
FACTS = (
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
)


def rows_of(path):
    return list(
        csv.DictReader(open(path, encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE)
    )


def facts_of(folder, truth):
    """The parameters of every sheet; of real ones (data/hcs, data/epfl) only how many moves were written."""
    path = os.path.join(folder, "kinds.tsv")
    if os.path.exists(path):
        return rows_of(path), FACTS
    written = collections.Counter()
    for r in rows_of(os.path.join(folder, "tags.tsv")):
        written[r["page"]] = max(written[r["page"]], int(r["move"]))
    return [
        {"picture": page, "kind": "real", "start": "1", "moves": written[page]}
        for page in sorted(truth)
    ], ()


def scanned(sheetscan, pictures, folder):
    """Cells found on each picture, as (number, side, quad, state)."""
    command = ["nice", sheetscan, "cells", "-q", "-j", "1", "--files-from", "-", "-o", folder]
    run = subprocess.run(command, input="\n".join(pictures) + "\n", text=True, capture_output=True)
    if run.returncode == 1:
        raise SystemExit(run.stderr)
    found = collections.defaultdict(list)
    for r in rows_of(os.path.join(folder, "manifest.tsv")):
        quad = np.array([[float(r[f"x{i}"]), float(r[f"y{i}"])] for i in range(4)])
        found[os.path.splitext(os.path.basename(r["sheet"]))[0]].append(
            (int(r["move"]), r["side"], quad, r["state"])
        )
    return found


def axes(quad):
    """The cell's edges, along the row and down."""
    return (quad[1] - quad[0] + quad[2] - quad[3]) / 2, (quad[3] - quad[0] + quad[2] - quad[1]) / 2


def offset(quad, true):
    """How far the centres lie apart, in widths and heights of the true cell."""
    return np.linalg.solve(np.stack(axes(true), 1), quad.mean(0) - true.mean(0))


def near(quad, true):
    x, y = offset(quad, true)
    return abs(x) <= 1 / 5 and abs(y) <= 1 / 3


def blocks(cells):
    """Blocks of cells in order: a block begins where the next row lies above the last."""
    white = sorted((n, q) for n, side, q in cells if side == "white")
    return (
        sum(
            1
            for (_, a), (_, b) in zip(white, white[1:])
            if (b.mean(0) - a.mean(0)) @ axes(a)[1] < 0
        )
        + 1
    )


def judged(facts, truth, found):
    """Counts of a sheet and the reason that it is not all right."""
    true = {(c["move"], c["side"]): np.array(c["box"]) for c in truth}
    first, moves = int(facts["start"]), int(facts["moves"])
    wanted = {k for k in true if k[0] < first + moves}
    counted = {n for n, *_ in found} and min(n for n, *_ in found) == 1
    shift = first - 1 if counted else 0
    right, stray, strayed = set(), 0, 0
    quads, keys = np.stack(list(true.values())), list(true)
    centres = quads.mean(1)
    for n, side, quad, state in found:
        key = (n + shift, side)
        if key in true and near(quad, true[key]):
            right.add(key)
            continue
        nearest = int(np.argmin(np.linalg.norm(centres - quad.mean(0), axis=1)))
        if not near(quad, quads[nearest]):
            stray += 1
            strayed += state != "blank"
    c = {
        "sheets": 1,
        "cells": len(true),
        "cells_right": len(right),
        "wanted": len(wanted),
        "wanted_right": len(right & wanted),
    }
    c["none"] = not found
    c["all"] = len(right) == len(true) and not stray
    c["moves"] = wanted <= right and not strayed and bool(found)
    if c["all"]:
        return c, ""
    if not found:
        return c, "no table"

    def angle(v):
        return np.degrees(np.arctan2(v[1], v[0]))

    turned = (angle(axes(found[0][2])[0]) - angle(axes(quads[0])[0]) + 180) % 360 - 180
    if abs(turned) > 45:
        return c, f"read turned by {round(turned / 90) * 90}"
    b, want = blocks([f[:3] for f in found]), blocks([(n, s, q) for (n, s), q in true.items()])
    if b != want:
        return c, f"{b} blocks for {want}"
    each, wants = len(found) / 2 / b, len(true) / 2 / want
    ahead = collections.Counter()
    sideways = 0
    for n, side, quad, _ in found:
        if (n + shift, side) in true:
            x, y = offset(quad, true[n + shift, side])
            ahead[round(y)] += 1
            sideways += abs(x) > 1 / 5
    reasons = []
    if sideways:
        reasons.append(f"{sideways} cells off sideways")
    most = ahead.most_common(1)[0][0] if ahead else 0
    if most:
        reasons.append(f"rows shifted by {most}")
    if each != wants:
        reasons.append(f"{each:g} rows for {wants:g}")
    if stray:
        reasons.append(f"{stray} that are no cells, {strayed} inked")
    return c, "; ".join(reasons) or f"{len(true) - len(right)} of {len(true)} cells off"


def read(sheetscan, pictures, folder):
    """The games of `sheetscan scan`, one a picture that has any."""
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


def reading(score, sheetscan, pictures, folder, found_in):
    """Cells read and moves played of each picture, by eval/score.py's rules."""
    spec = importlib.util.spec_from_file_location("score", score)
    rules = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rules)
    tags, counts = (
        rules.load_tags(os.path.join(found_in, "tags.tsv")),
        collections.defaultdict(dict),
    )
    games = {rules.stem(g["sheets"][0]["path"]): g for g in read(sheetscan, pictures, folder)}
    for page in map(rules.stem, pictures):
        g = games.get(page, {"plies": [], "unread": []})
        reads = {
            (c["move"], c["side"]): c.get("read")
            for c in [c for p in g["plies"] for c in p["cells"]] + g["unread"]
        }
        mine = {k[1:]: t for k, t in tags.items() if k[0] == page}
        counts[page] = {
            "tags": len(mine),
            "read": sum(rules.norm(reads.get(k)) == rules.norm(t) for k, t in mine.items()),
        }
        _, want, _ = rules.truth_of(page, found_in)
        if want:
            line = [rules.san(p["san"]) for p in g["plies"]]
            counts[page]["plies"] = len(want)
            counts[page]["played"] = sum(
                i is not None and j is not None and line[i] == want[j]
                for i, j in rules.align(line, want)
            )
    return counts


def share(a, b):
    return f"{100 * a / b:.1f}" if b else "-"


def line(name, c):
    cells = f"{share(c['cells_right'], c['cells']):>8}{share(c['wanted_right'], c['wanted']):>10}"
    reads = (
        f"{share(c['read'], c['tags']):>7}{share(c['played'], c['plies']):>8}" if c["tags"] else ""
    )
    print(f"{name:34}{c['sheets']:7}{c['all']:5}{c['moves']:7}{c['none']:10}{cells}{reads}")


def value(facts, name):
    """The parameter's value, or the bin that holds it."""
    if name == "uneven":
        return str(facts["rows"] != facts["last_rows"])
    if name == "fives":
        return str(int(facts["rows"]) % 5 == 0)
    if name not in BINS:
        return facts[name]
    v, edges = abs(float(facts[name])), BINS[name]
    i = sum(v >= e for e in edges)
    return (
        f"{edges[i - 1] if i else 0:g} to {edges[i]:g}"
        if i < len(edges)
        else f"{edges[-1]:g} and more"
    )


def main():
    a = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    a.add_argument("dir")
    a.add_argument("sheetscan")
    a.add_argument("--score", help="eval/score.py: read the sheets too")
    a.add_argument("--failures", help="where to write the list of failures, instead of into DIR")
    a.add_argument("--kinds", action="store_true", help="a line for every kind, too")
    o = a.parse_args()
    pictures = sorted(
        p
        for p in glob.glob(os.path.join(o.dir, "*")) + glob.glob(os.path.join(o.dir, "pages", "*"))
        if p.endswith((".jpg", ".png"))
    )

    def stem(path):
        return os.path.splitext(os.path.basename(path))[0]

    with tempfile.TemporaryDirectory() as folder:
        found = scanned(o.sheetscan, pictures, folder)
        if not os.path.exists(os.path.join(o.dir, "cells.json")):
            for p in pictures:
                if found[stem(p)]:
                    inked = sum(state != "blank" for *_, state in found[stem(p)])
                    print(
                        f"{stem(p)}: a table of {len(found[stem(p)]) // 2} rows, {inked} cells inked"
                    )
            for g in read(o.sheetscan, pictures, folder) if o.score else ():
                print(f"{stem(g['sheets'][0]['path'])}: {len(g['plies'])} moves put out")
            return print(
                f"pictures {len(pictures)}, with a table {sum(bool(found[stem(p)]) for p in pictures)}"
            )
        more = reading(o.score, o.sheetscan, pictures, folder, o.dir) if o.score else {}
    truth, failures = json.load(open(os.path.join(o.dir, "cells.json"))), ["picture\tkind\treason"]
    sums = collections.defaultdict(collections.Counter)
    known, names = facts_of(o.dir, truth)
    for facts in known:
        page = facts["picture"]
        counts, reason = judged(facts, truth[page], found[page])
        counts.update(more.get(page, {}))
        if reason:
            failures.append(
                f"{page}\t{facts['kind']}\t{reason}{'; the moves are right' if counts['moves'] else ''}"
            )
        for key in (
            [("", "all sheets")]
            + [(n, value(facts, n)) for n in names]
            + [("kind", facts["kind"])] * o.kinds
        ):
            sums[key].update(counts)
    head = (
        f"{'':34}{'sheets':>7}{'all':>5}{'moves':>7}{'no table':>10}{'cells %':>8}{'of moves':>10}"
    )
    print(head + (f"{'read':>7}{'played':>8}" if o.score else ""))
    order = {n: i for i, n in enumerate(("",) + FACTS + ("kind",))}
    for (name, of), c in sorted(sums.items(), key=lambda e: (order[e[0][0]], e[0][1])):
        line(f"{name} {of}".strip(), c)
    print()
    why = collections.Counter(
        re.sub(r"[\d.-]+", "N", f.split("\t")[2].split(";")[0]) for f in failures[1:]
    )
    for reason, n in why.most_common():
        print(f"{n:5} {reason}")
    with open(o.failures or os.path.join(o.dir, "failures.tsv"), "w") as f:
        f.write("\n".join(failures) + "\n")


if __name__ == "__main__":
    main()
