"""Makes scoresheets with true cell corners: forms of many kinds, written on by one hand each,
photographed or scanned.

`python models/train/forms --data DATA --fonts NODE_MODULES --out DIR --count N --seed S
[--held-out]` writes DIR/NNNN.jpg, cells.json (in the format of data/hcs/cells.json), tags.tsv (what
the hand wrote), NNNN.pgn (the game as far as it was written) and kinds.tsv (every parameter). A
third of the kinds, and the hands that train nothing, are drawn only with --held-out.

Corners stand in reading order from the top left of the cell, in pixels of the picture as it is; on
a picture that lies on its side they do not begin at its top left. A sheet that starts after move 1
has no PGN.
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


def format_value(value):
    if isinstance(value, float):
        return f"{value:.4g}"
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


def parse_args():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", required=True)
    parser.add_argument(
        "--fonts", required=True, help="the node_modules folder that holds @fontsource"
    )
    parser.add_argument(
        "--prints",
        default=os.path.expanduser("~/.cache/sheetscan-fonts"),
        help="folder for the printed forms' fonts",
    )
    parser.add_argument("--out", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--pile", type=int, default=1, help="so many sheets after one another are of one form"
    )
    parser.add_argument(
        "--evenly",
        action="store_true",
        help="every kind is drawn equally often, and what is rare on forms, such as columns for "
        "times, is drawn often",
    )
    parser.add_argument("--held-out", action="store_true")
    return parser.parse_args()


def main():
    args = parse_args()
    os.makedirs(args.out, exist_ok=True)
    # One thread is used, since other work runs on the machine.
    cv2.setNumThreads(1)
    bank, faces = (
        render.StrokeBank(os.path.join(args.data, "strokes"), args.held_out, 1),
        render.FontBank(args.fonts, args.held_out),
    )
    paths = printing.find_faces(printed.fetch_fonts(args.prints))
    paths = {
        name: path
        for name, path in paths.items()
        if name in printed.PRINTS or name.startswith("DejaVu")
    }
    kinds = layout.weigh_kinds(args.held_out)
    club = writing.draw_games(
        os.path.join(args.data, "pgn", "club_games.pgn.gz"),
        args.count,
        args.seed,
        int(args.held_out),
    )
    cells, rows, tags = {}, [], ["page\tmove\tside\twritten"]
    for number in range(args.count):
        rng = random.Random(f"{args.seed} {args.held_out} {number}")
        press = (
            rng
            if args.pile == 1
            else random.Random(f"{args.seed} {args.held_out} pile {number // args.pile}")
        )
        kind = press.choices(list(kinds), None if args.evenly else list(kinds.values()))[0]
        name = f"{number:04}"
        first = number - number % args.pile
        longest = max(len(club[k % len(club)]) for k in range(first, first + args.pile))
        form = layout.draw_form(kind, sorted(paths), longest, press, rare=args.evenly)
        result = sheet.make_sheet(
            kind,
            club[number % len(club)],
            paths,
            bank,
            faces,
            rng,
            args.seed * 100003 + number,
            (form, None),
            press=press,
        )
        picture, truth, written, plies, form, shot, facts = result
        Image.fromarray(picture).save(os.path.join(args.out, f"{name}.jpg"), quality=shot.quality)
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
        tags += [
            f"{name}\t{number_in_game}\t{side}\t{text}" for number_in_game, side, text in written
        ]
        if form.start == 1:
            with open(os.path.join(args.out, f"{name}.pgn"), "w") as f:
                f.write('[Event "?"]\n\n' + " ".join(plies) + " *\n")
    with open(os.path.join(args.out, "cells.json"), "w") as f:
        json.dump(cells, f)
    with open(os.path.join(args.out, "tags.tsv"), "w") as f:
        f.write("\n".join(tags) + "\n")
    with open(os.path.join(args.out, "kinds.tsv"), "w") as f:
        f.write(
            "\t".join(rows[0])
            + "\n"
            + "".join("\t".join(map(format_value, row.values())) + "\n" for row in rows)
        )


if __name__ == "__main__":
    main()
