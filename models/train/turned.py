"""How far games stay the same when their pages are turned: `python turned.py --data DATA --work DIR --sheetscan BINARY`.

Every EPFL and HCS dev page is read as it is, and turned: by random angles up to 15 degrees, or by --quarters. Says how many of the
moves stand in the same place of the game then, and how many by alignment (difflib), since one move lost moves all that follow.
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

MOST = 15.0  # Degrees.


def games(sheetscan, paths, out):
    """The moves on each page, by the stem of its file."""
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
    found = {}
    for line in open(out + ".jsonl"):
        game = json.loads(line)
        # A second game on a page goes on behind the first one.
        found.setdefault(
            os.path.splitext(os.path.basename(game["sheets"][0]["path"]))[0], []
        ).extend(p["san"] for p in game["plies"])
    return found


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--data", required=True)
    a.add_argument("--work", required=True)
    a.add_argument("--sheetscan", required=True)
    a.add_argument(
        "--quarters",
        action="store_true",
        help="turn by 90, 180 and 270 degrees, a third of the pages each",
    )
    a.add_argument("--seed", type=int, default=1)
    o = a.parse_args()
    rng = random.Random(o.seed)
    dev = [
        r["page"]
        for r in csv.DictReader(open(os.path.join(o.data, "hcs", "pages.tsv")), delimiter="\t")
        if r["split"] == "dev"
    ]
    pages = [
        p
        for page in dev
        for p in sorted(glob.glob(os.path.join(o.data, "hcs", "pages", page + ".*")))
    ]
    pages += sorted(glob.glob(os.path.join(o.data, "epfl", "*.jpg")))
    folder = os.path.join(o.work, "turned")
    os.makedirs(folder, exist_ok=True)
    turned = []
    for i, path in enumerate(pages):
        angle = 90 * (1 + i % 3) if o.quarters else rng.uniform(-MOST, MOST)
        page = Image.open(path).convert("RGB")
        edge = page.resize((1, 1)).getpixel((0, 0))
        turned.append(os.path.join(folder, os.path.splitext(os.path.basename(path))[0] + ".png"))
        page.rotate(angle, Image.BICUBIC, expand=True, fillcolor=edge).save(
            turned[-1], compress_level=1
        )
    before, after = (
        games(o.sheetscan, paths, os.path.join(o.work, name))
        for paths, name in ((pages, "straight"), (turned, "turned"))
    )
    moves = place = aligned = 0
    for page, sans in sorted(before.items()):
        other = after.get(page, [])
        same = sum(x == y for x, y in zip(sans, other))
        match = sum(
            b.size
            for b in difflib.SequenceMatcher(
                None, sans, other, autojunk=False
            ).get_matching_blocks()
        )
        moves, place, aligned = moves + len(sans), place + same, aligned + match
        if same < len(sans):
            print(
                f"{page}\t{len(sans)} moves, {len(sans) - same} in another place, {len(sans) - match} others"
            )
    print(
        f"{len(before)} pages, {moves} moves: {100 * place / moves:.2f} % in the same place, {100 * aligned / moves:.2f} % by alignment"
    )


if __name__ == "__main__":
    main()
