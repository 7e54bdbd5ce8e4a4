"""Makes scoresheets with true cell corners: forms of many kinds, written on by one hand each, photographed or scanned.

`python models/train/forms --data DATA --fonts NODE_MODULES --out DIR --count N --seed S [--held-out]` writes DIR/NNNN.jpg,
cells.json (as data/hcs/cells.json), tags.tsv (what the hand wrote), NNNN.pgn (the game, as far as it was written) and
kinds.tsv (every parameter). A third of the kinds, and the hands that train nothing, are drawn with --held-out alone.

Corners stand in the order of reading, from the cell's own top left, in pixels of the picture as it is: on a picture that
lies on its side they do not begin at the picture's top left. A sheet that starts past move 1 has no PGN.
"""

import argparse
import dataclasses
import json
import math
import os
import random
import sys

import cv2
import numpy as np
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "samples")]
import fonts as printed  # noqa: E402
import layout  # noqa: E402
import photograph  # noqa: E402
import printing  # noqa: E402
import render  # noqa: E402
import writing  # noqa: E402

LEAST_ROW = 15  # Pixels a row has at least.
LARGEST = 14e6  # Pixels of a printed page.


def make(kind, game, paths, bank, faces, rng, seed):
    """A picture, its cells with corners, what was written, the plies, and the parameters."""
    form = layout.draw(kind, sorted(paths), len(game), rng)
    shot = photograph.draw(rng, form.spread != "none")
    first = layout.arrange(form, form.start, rng)
    pages = 1 if form.spread == "none" else 2
    # Small pictures of long tables are made larger until a row can be read.
    share = {"desk": 0.55, "page": 0.85, "table": 1.1}[shot.framing]
    area = form.size[0] * form.size[1] * pages
    row = lambda: first.row * math.sqrt(shot.pixels * 1e6 * share / area)
    while row() < LEAST_ROW * 1.1 and shot.pixels < 8:
        shot.pixels *= 1.15
    scale = 1.3 * math.sqrt(shot.pixels * 1e6 * share / area)
    scale = min(scale, math.sqrt(LARGEST / area))
    sheet, fields = printing.page(form, first, paths[form.face], scale, rng)
    cells = first.cells(form)
    if form.spread == "continued":
        second = dataclasses.replace(first, strips=[dataclasses.replace(s, first=s.first + form.blocks * form.rows) for s in first.strips])
        facing, _ = printing.page(form, second, paths[form.face], scale, rng)
        cells += [(n, side, (x0 + form.size[0], y0, x1 + form.size[0], y1)) for n, side, (x0, y0, x1, y1) in second.cells(form)]
    elif form.spread == "notes":
        facing, _ = printing.page(form, None, paths[form.face], scale, rng)
    if form.spread != "none":
        sheet = np.concatenate([sheet, facing], 1)
    cells = [(n, side, tuple(v * scale for v in box)) for n, side, box in cells]

    writer = writing.Writer(bank, faces, form.language, rng)
    ink = np.zeros(sheet.shape[:2], np.uint8)
    plies = game[2 * (form.start - 1):][: len(cells)]
    written = writing.fill(writer, ink, cells, [writer.spell(san) for san in plies], rng)
    if rng.random() < 0.85:
        words = printing.WORDS[form.language]
        for field in fields:
            if rng.random() < 0.8:
                x, base, width, height = (v * scale for v in field[:4])
                writer.line(ink, writer.value(words, field), x, base, width, height)
    sheet = writer.on(sheet, ink, seed)
    corners = np.array([[(x0, y0), (x1, y0), (x1, y1), (x0, y1)] for _, _, (x0, y0, x1, y1) in cells])
    bottom = first.top + form.rows * first.row
    keep = [(x * scale, y * scale) for s in first.strips for x in (s.left, s.right) for y in (first.top, bottom)]
    picture, at = photograph.take(sheet, corners.reshape(-1, 2), keep, shot, rng, form.spread != "none", seed)
    at = np.round(at.reshape(-1, 4, 2), 1)
    facts = {**dataclasses.asdict(form), **dataclasses.asdict(shot), "pen": writer.pen, "moves": (len(plies) + 1) // 2,
             "row_px": round(float(np.median(np.linalg.norm(at[:, 3] - at[:, 0], axis=1))), 1)}
    truth = [{"move": n, "side": side, "box": box.tolist()} for (n, side, _), box in zip(cells, at)]
    return picture, truth, written, plies, form, shot, facts


def tell(value):
    if isinstance(value, float):
        return f"{value:.4g}"
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--data", required=True)
    a.add_argument("--fonts", required=True, help="the node_modules folder that holds @fontsource")
    a.add_argument("--prints", default=os.path.expanduser("~/.cache/sheetscan-fonts"), help="folder for the printed forms' fonts")
    a.add_argument("--out", required=True)
    a.add_argument("--count", type=int, default=100)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--held-out", action="store_true")
    o = a.parse_args()
    os.makedirs(o.out, exist_ok=True)
    cv2.setNumThreads(1)  # The machine has others.
    bank, faces = render.Strokes(os.path.join(o.data, "strokes"), o.held_out, 1), render.Fonts(o.fonts, o.held_out)
    paths = printing.faces(printed.fetch(o.prints))
    paths = {name: path for name, path in paths.items() if name in printed.PRINTS or name.startswith("DejaVu")}
    kinds = layout.kinds(o.held_out)
    club = writing.played(os.path.join(o.data, "pgn", "club_games.pgn.gz"), o.count, o.seed, int(o.held_out))
    cells, rows, tags = {}, [], ["page\tmove\tside\twritten"]
    for number in range(o.count):
        rng = random.Random(f"{o.seed} {o.held_out} {number}")
        kind = rng.choices(list(kinds), list(kinds.values()))[0]
        name = f"{number:04}"
        made = make(kind, club[number % len(club)], paths, bank, faces, rng, o.seed * 100003 + number)
        picture, truth, written, plies, form, shot, facts = made
        Image.fromarray(picture).save(os.path.join(o.out, f"{name}.jpg"), quality=shot.quality)
        cells[name] = truth
        rows.append({"picture": name, "kind": form.kind, "width": picture.shape[1], "height": picture.shape[0], **facts})
        tags += [f"{name}\t{n}\t{side}\t{text}" for n, side, text in written]
        if form.start == 1:
            with open(os.path.join(o.out, f"{name}.pgn"), "w") as f:
                f.write('[Event "?"]\n\n' + " ".join(plies) + " *\n")
    with open(os.path.join(o.out, "cells.json"), "w") as f:
        json.dump(cells, f)
    with open(os.path.join(o.out, "tags.tsv"), "w") as f:
        f.write("\n".join(tags) + "\n")
    with open(os.path.join(o.out, "kinds.tsv"), "w") as f:
        f.write("\t".join(rows[0]) + "\n" + "".join("\t".join(map(tell, r.values())) + "\n" for r in rows))


if __name__ == "__main__":
    main()
