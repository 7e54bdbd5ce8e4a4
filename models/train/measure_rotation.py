"""Measures how far games stay the same when their pages are turned.

`python measure_rotation.py --data DATA --work DIR --sheetscan BINARY` reads every EPFL and HCS dev
page as it is, and turned by random angles of up to 15 degrees, or by --quarters. It prints how many
of the moves then stand in the same place of the game, and how many by alignment (difflib), since
one lost move shifts all that follow.
"""

import argparse
import csv
import difflib
import glob
import json
import os
import random
import subprocess

from PIL import Image

# Largest angle by which a page is turned, in degrees.
MAX_ANGLE_DEG = 15.0


def scan_games(sheetscan, paths, out):
    """Returns the moves on each page, by the stem of its file."""
    with open(out + ".txt", "w") as f:
        f.write("\n".join(paths) + "\n")
    run = [
        sheetscan,
        "scan",
        "-q",
        "--no-cache",
        "--no-pair",
        "--json",
        out + ".jsonl",
        "-o",
        os.devnull,
        "--files-from",
        out + ".txt",
    ]
    subprocess.run(run, stderr=subprocess.DEVNULL)
    moves_of_page = {}
    for line in open(out + ".jsonl"):
        game = json.loads(line)
        # The moves of a second game on a page are appended to those of the first.
        moves_of_page.setdefault(
            os.path.splitext(os.path.basename(game["sheets"][0]["path"]))[0], []
        ).extend(ply["san"] for ply in game["plies"])
    return moves_of_page


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--sheetscan", required=True)
    parser.add_argument(
        "--quarters",
        action="store_true",
        help="turn by 90, 180 and 270 degrees, a third of the pages each",
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    dev = [
        row["page"]
        for row in csv.DictReader(open(os.path.join(args.data, "hcs", "pages.tsv")), delimiter="\t")
        if row["split"] == "dev"
    ]
    pages = [
        path_found
        for page in dev
        for path_found in sorted(glob.glob(os.path.join(args.data, "hcs", "pages", page + ".*")))
    ]
    pages += sorted(glob.glob(os.path.join(args.data, "epfl", "*.jpg")))
    folder = os.path.join(args.work, "turned")
    os.makedirs(folder, exist_ok=True)
    turned = []
    for i, path in enumerate(pages):
        angle = 90 * (1 + i % 3) if args.quarters else rng.uniform(-MAX_ANGLE_DEG, MAX_ANGLE_DEG)
        page = Image.open(path).convert("RGB")
        edge = page.resize((1, 1)).getpixel((0, 0))
        turned.append(os.path.join(folder, os.path.splitext(os.path.basename(path))[0] + ".png"))
        page.rotate(angle, Image.BICUBIC, expand=True, fillcolor=edge).save(
            turned[-1], compress_level=1
        )
    before, after = (
        scan_games(args.sheetscan, paths, os.path.join(args.work, name))
        for paths, name in ((pages, "straight"), (turned, "turned"))
    )
    moves = in_place = aligned = 0
    for page, sans in sorted(before.items()):
        other = after.get(page, [])
        same = sum(san_before == san_after for san_before, san_after in zip(sans, other))
        matched = sum(
            block.size
            for block in difflib.SequenceMatcher(
                None, sans, other, autojunk=False
            ).get_matching_blocks()
        )
        moves, in_place, aligned = moves + len(sans), in_place + same, aligned + matched
        if same < len(sans):
            print(
                f"{page}\t{len(sans)} moves, {len(sans) - same} in another place, "
                f"{len(sans) - matched} others"
            )
    print(
        f"{len(before)} pages, {moves} moves: {100 * in_place / moves:.2f} % in the same place, "
        f"{100 * aligned / moves:.2f} % by alignment"
    )


if __name__ == "__main__":
    main()
