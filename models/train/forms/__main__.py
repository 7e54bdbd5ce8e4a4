"""Makes scoresheets with true cell corners: forms of many kinds, written on by one hand each,
photographed or scanned.

`python models/train/forms --data DATA --fonts NODE_MODULES --out DIR --count N --seed S
[--held-out] [--longest PX]` writes DIR/NNNN.jpg, cells.json (in the format of data/hcs/cells.json),
print.json, tags.tsv (what the hand wrote), NNNN.pgn (the game as far as it was written) and
kinds.tsv (every parameter). A third of the kinds, and the hands that train nothing, are drawn only
with --held-out.

Corners stand in reading order from the top left of the cell, in pixels of the picture as it is,
where the middle of the first pixel is (0, 0); on a picture that lies on its side they do not begin
at its top left. A sheet that starts after move 1 or leaves out moves has no PGN.

print.json has for every picture where things are printed: `rows` and `columns`, the visible rulings
along rows and down columns of the page (of table, header, boxes, notes and diagrams) as lists of
points, at most 12 mm of paper apart; `numbers`, the four corners of the column of numbers of every
block; `heads`, the four corners of the name above every column of moves.
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
import kinds as form_kinds  # noqa: E402
import numpy as np  # noqa: E402
import press as presses  # noqa: E402
import render  # noqa: E402
import sheet  # noqa: E402
import writing  # noqa: E402

# Typefaces for typed moves, packages of @fontsource.
TYPEWRITERS = ("courier-prime", "special-elite")


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
    parser.add_argument(
        "--longest", type=int, help="pictures are scaled down to this longer side, in pixels"
    )
    return parser.parse_args()


def list_faces(cache):
    """Returns the path of every typeface for print, by name."""
    families = printed.PRINTS + TYPEWRITERS
    paths = presses.find_faces(printed.fetch_fonts(cache, printed.HANDS + families))
    return {
        name: path for name, path in paths.items() if name in families or name.startswith("DejaVu")
    }


def save_picture(picture, shot, path):
    """Saves a picture as JPEG; twice if the shot was saved before."""
    if shot.first_quality:
        _, saved = cv2.imencode(
            ".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, shot.first_quality]
        )
        picture = np.ascontiguousarray(cv2.imdecode(saved, cv2.IMREAD_COLOR)[..., ::-1])
    Image.fromarray(picture).save(path, quality=shot.quality)


class SheetMaker:
    """Makes the sheets of the command line one by one."""

    def __init__(self, args):
        self.args = args
        self.bank = render.StrokeBank(os.path.join(args.data, "strokes"), args.held_out, 1)
        self.faces = render.FontBank(args.fonts, args.held_out)
        self.paths = list_faces(args.prints)
        self.kinds = form_kinds.weigh_kinds(args.held_out)
        club = os.path.join(args.data, "pgn", "club_games.pgn.gz")
        self.games = writing.draw_games(club, args.count, args.seed, int(args.held_out))

    def make(self, number):
        """Returns what `sheet.make_sheet` does."""
        args, games = self.args, self.games
        rng = random.Random(f"{args.seed} {args.held_out} {number}")
        press = (
            rng
            if args.pile == 1
            else random.Random(f"{args.seed} {args.held_out} pile {number // args.pile}")
        )
        weights = None if args.evenly else list(self.kinds.values())
        kind = press.choices(list(self.kinds), weights)[0]
        first = number - number % args.pile
        plies = max(len(games[k % len(games)]) for k in range(first, first + args.pile))
        form = form_kinds.draw_form(kind, sorted(self.paths), plies, press, rare=args.evenly)
        return sheet.make_sheet(
            kind,
            games[number % len(games)],
            self.paths,
            self.bank,
            self.faces,
            rng,
            args.seed * 100003 + number,
            (form, None),
            press=press,
            longest=args.longest,
        )


def main():
    args = parse_args()
    os.makedirs(args.out, exist_ok=True)
    # One thread is used, since other work runs on the machine.
    cv2.setNumThreads(1)
    maker = SheetMaker(args)
    cells, prints, rows, tags = {}, {}, [], ["page\tmove\tside\twritten"]
    for number in range(args.count):
        name = f"{number:04}"
        picture, truth, written, plies, form, shot, facts, printed_lines = maker.make(number)
        save_picture(picture, shot, os.path.join(args.out, f"{name}.jpg"))
        cells[name], prints[name] = truth, printed_lines
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
        if form.start == 1 and facts["fill"] == "all":
            with open(os.path.join(args.out, f"{name}.pgn"), "w") as f:
                f.write('[Event "?"]\n\n' + " ".join(plies) + " *\n")
    for listing, of_pages in (("cells.json", cells), ("print.json", prints)):
        with open(os.path.join(args.out, listing), "w") as f:
            json.dump(of_pages, f, separators=(",", ":"))
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
