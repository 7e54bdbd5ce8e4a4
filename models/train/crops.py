"""Cuts the cells of the real sheets with `sheetscan cells`, wider than the reader's patch, so that training can jitter the crop.

The canvas has the patch's scale: the cell's own corners lie at x 28..212 and y 19..53 of 240 x 72 pixels. Cells without a
tag are kept as empty paper, a share of them; `excluded.tsv` says which of those have ink.
"""

import argparse
import csv
import json
import os
import subprocess

import cv2
import numpy as np

CANVAS_W, CANVAS_H, MX, MY = 240, 72, 28, 19
MARGIN = 24  # Asked of `sheetscan cells`; above and below half of it is kept.


def cut(sheetscan, pages, out):
    """Runs `sheetscan cells` and gives its manifest: page, move, side, picture."""
    listing = "\n".join(pages) + "\n"
    run = subprocess.run(
        [sheetscan, "cells", "--files-from", "-", "-o", out, "--margin", str(MARGIN), "--quiet"],
        input=listing,
        text=True,
    )
    if run.returncode == 1:
        raise SystemExit("sheetscan cells failed")
    for row in csv.DictReader(
        open(os.path.join(out, "manifest.tsv"), encoding="utf-8"),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    ):
        luma = cv2.imread(os.path.join(out, row["patch"]), cv2.IMREAD_GRAYSCALE)
        rows = (luma.shape[0] - CANVAS_H) // 2
        stem = os.path.splitext(os.path.basename(row["sheet"]))[0]
        yield stem, int(row["move"]), row["side"], luma[rows : rows + CANVAS_H]


def load_tags(path):
    rows = csv.reader(open(path, encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE)
    next(rows)
    return {(p, int(m), s): t for p, m, s, t in rows}


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--data", required=True)
    a.add_argument("--out", required=True)
    a.add_argument(
        "--sheetscan", default="target/release/sheetscan", help="the program that cuts the cells"
    )
    o = a.parse_args()
    hcs, epfl = os.path.join(o.data, "hcs"), os.path.join(o.data, "epfl")
    split = {
        r["page"]: r["split"]
        for r in csv.DictReader(open(os.path.join(hcs, "pages.tsv")), delimiter="\t")
    }

    def page(name):
        return os.path.join(hcs, "pages", name + ".jpg")

    sets = {
        "train": (hcs, [page(p) for p in split if split[p] == "train"], 0.3),
        "dev": (hcs, [page(p) for p in split if split[p] == "dev"], 0.1),
        "epfl": (
            epfl,
            [
                os.path.join(epfl, p + ".jpg")
                for p in json.load(open(os.path.join(epfl, "cells.json")))
            ],
            0.1,
        ),
    }
    for name, (folder, pages, blank_share) in sets.items():
        tags, rng = load_tags(os.path.join(folder, "tags.tsv")), np.random.default_rng(0)
        cells = []
        for stem, move, side, canvas in cut(
            o.sheetscan, pages, os.path.join(o.out, "cells-" + name)
        ):
            text = tags.get((stem, move, side), "")
            if text or rng.random() <= blank_share:
                cells.append((stem, move, side, text, canvas))
        stems, moves, sides, texts, canvases = zip(*cells)
        np.savez(
            os.path.join(o.out, name + ".npz"),
            page=stems,
            move=moves,
            side=sides,
            text=texts,
            canvas=np.stack(canvases),
        )
        print(
            name, len(cells), "cells,", sum(map(bool, texts)), "written,", len(tags), "tags in all"
        )


if __name__ == "__main__":
    main()
