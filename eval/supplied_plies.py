#!/usr/bin/env python3
"""Lists the plies that no cell speaks for: supplied_plies.py DATA OUT [--picture FILE].

OUT is a folder that `scan_sets.sh DATA OUT SHEETSCAN` made. Each ply of its games that was read
from no cell is printed with its set, its first sheet, its confidence, whether it is asked about,
and whether it is right by DATA/../eval/score.py. The picture shows for each the part of the page
from the cell of the ply before it to that of the ply behind it, in the order of the list.
"""

import argparse
import importlib
import json
import pathlib
import sys

from PIL import Image, ImageDraw, ImageOps

# The folder of each set's truths, as a path below DATA.
TRUTHS = {"dev": "hcs/played", "copies": "hcs/played", "epfl": "epfl", "sheets": "sheets"}

# Pixels of the page that are shown around the two cells.
MARGIN = 12
# Height in pixels of the line of text above each part of a page.
CAPTION = 18


def load_supplied(score, data, out):
    """Yields the set, the game and the index of each supplied ply, and whether it is right."""
    for name, truths in TRUTHS.items():
        for line in open(out / f"{name}.jsonl"):
            game = json.loads(line)
            stem = score.stem(game["sheets"][0]["path"])
            _, played, _ = score.truth_of(stem, str(data / truths))
            sans = [score.san(ply["san"]) for ply in game["plies"]]
            truth = dict(score.align(sans, played)) if played else {}
            for i, ply in enumerate(game["plies"]):
                if not ply["cells"]:
                    j = truth.get(i)
                    yield name, game, i, j is not None and sans[i] == played[j]


def crop_place(data, game, i):
    """Returns the part of the page between the cells of the plies around ply `i`."""
    near = [ply["cells"][0] for ply in game["plies"][max(0, i - 2) : i + 3] if ply["cells"]]
    near = [cell for cell in near if cell["sheet"] == near[0]["sheet"]]
    page = Image.open(data / game["sheets"][near[0]["sheet"]]["path"])
    page = ImageOps.exif_transpose(page).convert("RGB")
    xs, ys = zip(*(corner for cell in near for corner in cell["box"]))
    box = (min(xs) - MARGIN, min(ys) - MARGIN, max(xs) + MARGIN, max(ys) + MARGIN)
    return page.crop(tuple(round(edge) for edge in box))


def stack(parts):
    """Returns one picture of captioned pictures, one below the other."""
    width = max(max(part.width for _, part in parts), 600)
    height = sum(part.height + CAPTION for _, part in parts)
    sheet = Image.new("RGB", (width, height), "white")
    draw, top = ImageDraw.Draw(sheet), 0
    for caption, part in parts:
        draw.text((2, top + 2), caption, fill="black")
        sheet.paste(part, (0, top + CAPTION))
        top += part.height + CAPTION
    return sheet


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=pathlib.Path, help="../shared/data")
    parser.add_argument("out", type=pathlib.Path, help="a folder of scan_sets.sh")
    parser.add_argument("--picture", type=pathlib.Path, help="where to save their places")
    args = parser.parse_args()
    sys.path.insert(0, str(args.data.resolve().parent / "eval"))
    score = importlib.import_module("score")
    parts, right = [], 0
    for name, game, i, is_right in load_supplied(score, args.data, args.out):
        ply, path = game["plies"][i], game["sheets"][0]["path"]
        side = "." if ply["ply"] % 2 else "..."
        caption = (
            f"{name} {path} {(ply['ply'] + 1) // 2}{side}{ply['san']} {ply['confidence']:.2f} "
            f"{'asked' if ply['review'] else 'NOT ASKED'} {'right' if is_right else 'WRONG'}"
        )
        print(caption)
        parts.append((caption, crop_place(args.data, game, i)))
        right += is_right
    print(f"{len(parts)} supplied plies, {right} right")
    if args.picture and parts:
        stack(parts).save(args.picture)


if __name__ == "__main__":
    main()
