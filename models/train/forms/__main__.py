"""Makes scoresheets with true cell corners: forms of many kinds, written on by one hand each, photographed or scanned.

`python models/train/forms --data DATA --fonts NODE_MODULES --out DIR --count N --seed S [--held-out]` writes DIR/NNNN.jpg,
cells.json (as data/hcs/cells.json), tags.tsv (what the hand wrote), NNNN.pgn (the game, as far as it was written) and
kinds.tsv (every parameter). A third of the kinds, and the hands that train nothing, are drawn with --held-out alone.

Corners stand in the order of reading, from the cell's own top left, in pixels of the picture as it is: on a picture that
lies on its side they do not begin at the picture's top left. A sheet that starts past move 1 has no PGN.
"""

import argparse
import json
import os
import random
import sys

import cv2
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "samples")]
import fonts as printed  # noqa: E402
import layout  # noqa: E402
import printing  # noqa: E402
import render  # noqa: E402
import sheet  # noqa: E402
import writing  # noqa: E402


def tell(value):
    if isinstance(value, float):
        return f"{value:.4g}"
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


def main():
    a = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    a.add_argument("--data", required=True)
    a.add_argument("--fonts", required=True, help="the node_modules folder that holds @fontsource")
    a.add_argument(
        "--prints",
        default=os.path.expanduser("~/.cache/sheetscan-fonts"),
        help="folder for the printed forms' fonts",
    )
    a.add_argument("--out", required=True)
    a.add_argument("--count", type=int, default=100)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument(
        "--pile", type=int, default=1, help="so many sheets after one another are of one form"
    )
    a.add_argument(
        "--evenly",
        action="store_true",
        help="every kind is drawn equally often, and what is rare on forms, such as columns for times, is drawn often",
    )
    a.add_argument("--held-out", action="store_true")
    o = a.parse_args()
    os.makedirs(o.out, exist_ok=True)
    cv2.setNumThreads(1)  # The machine has others.
    bank, faces = (
        render.Strokes(os.path.join(o.data, "strokes"), o.held_out, 1),
        render.Fonts(o.fonts, o.held_out),
    )
    paths = printing.faces(printed.fetch(o.prints))
    paths = {
        name: path
        for name, path in paths.items()
        if name in printed.PRINTS or name.startswith("DejaVu")
    }
    kinds = layout.kinds(o.held_out)
    club = writing.played(
        os.path.join(o.data, "pgn", "club_games.pgn.gz"), o.count, o.seed, int(o.held_out)
    )
    cells, rows, tags = {}, [], ["page\tmove\tside\twritten"]
    for number in range(o.count):
        rng = random.Random(f"{o.seed} {o.held_out} {number}")
        press = (
            rng if o.pile == 1 else random.Random(f"{o.seed} {o.held_out} pile {number // o.pile}")
        )
        kind = press.choices(list(kinds), None if o.evenly else list(kinds.values()))[0]
        name = f"{number:04}"
        first = number - number % o.pile
        longest = max(len(club[k % len(club)]) for k in range(first, first + o.pile))
        form = layout.draw(kind, sorted(paths), longest, press, rare=o.evenly)
        made = sheet.make(
            kind,
            club[number % len(club)],
            paths,
            bank,
            faces,
            rng,
            o.seed * 100003 + number,
            (form, None),
            press=press,
        )
        picture, truth, written, plies, form, shot, facts = made
        Image.fromarray(picture).save(os.path.join(o.out, f"{name}.jpg"), quality=shot.quality)
        cells[name] = truth
        rows.append(
            {
                "picture": name,
                "kind": form.kind,
                "width": picture.shape[1],
                "height": picture.shape[0],
                **facts,
            }
        )
        tags += [f"{name}\t{n}\t{side}\t{text}" for n, side, text in written]
        if form.start == 1:
            with open(os.path.join(o.out, f"{name}.pgn"), "w") as f:
                f.write('[Event "?"]\n\n' + " ".join(plies) + " *\n")
    with open(os.path.join(o.out, "cells.json"), "w") as f:
        json.dump(cells, f)
    with open(os.path.join(o.out, "tags.tsv"), "w") as f:
        f.write("\n".join(tags) + "\n")
    with open(os.path.join(o.out, "kinds.tsv"), "w") as f:
        f.write(
            "\t".join(rows[0])
            + "\n"
            + "".join("\t".join(map(tell, r.values())) + "\n" for r in rows)
        )


if __name__ == "__main__":
    main()
