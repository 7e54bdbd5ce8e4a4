"""Cuts the cells of the real sheets with `sheetscan cells`, wider than the patch of the reader, so
that training can jitter the crop.

The canvas has the scale of the patch: the corners of the cell lie at x 28 to 212 and y 19 to 53 of
240 x 72 pixels. A share of the cells without a tag is kept as empty paper; `excluded.tsv` says
which of those have ink.
"""

import argparse
import csv
import json
import os
import subprocess

import cv2
import numpy as np

CANVAS_W, CANVAS_H, MARGIN_X, MARGIN_Y = 240, 72, 28, 19
# Margin that `sheetscan cells` is asked for, in pixels. Half of it is kept above and below.
PROGRAM_MARGIN_PX = 24


def cut_cells(sheetscan, pages, out):
    """Runs `sheetscan cells` and yields page, move, side and picture of each cell."""
    listing = "\n".join(pages) + "\n"
    run = subprocess.run(
        [
            sheetscan,
            "cells",
            "--files-from",
            "-",
            "-o",
            out,
            "--margin",
            str(PROGRAM_MARGIN_PX),
            "--quiet",
        ],
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
    """Returns the tags of a file by (page, move, side)."""
    rows = csv.reader(open(path, encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE)
    next(rows)
    return {(p, int(m), s): t for p, m, s, t in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument(
        "--sheetscan", default="target/release/sheetscan", help="the program that cuts the cells"
    )
    args = parser.parse_args()
    hcs, epfl = os.path.join(args.data, "hcs"), os.path.join(args.data, "epfl")
    split = {
        r["page"]: r["split"]
        for r in csv.DictReader(open(os.path.join(hcs, "pages.tsv")), delimiter="\t")
    }

    def page_path(name):
        return os.path.join(hcs, "pages", name + ".jpg")

    sets = {
        "train": (hcs, [page_path(p) for p in split if split[p] == "train"], 0.3),
        "dev": (hcs, [page_path(p) for p in split if split[p] == "dev"], 0.1),
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
        for stem, move, side, canvas in cut_cells(
            args.sheetscan, pages, os.path.join(args.out, "cells-" + name)
        ):
            text = tags.get((stem, move, side), "")
            if text or rng.random() <= blank_share:
                cells.append((stem, move, side, text, canvas))
        stems, moves, sides, texts, canvases = zip(*cells)
        np.savez(
            os.path.join(args.out, name + ".npz"),
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
