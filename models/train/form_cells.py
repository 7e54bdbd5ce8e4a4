"""Cuts the written cells of made forms (`forms`) along their true corners, wide as `crops.py` does.

`python form_cells.py --out cells.npz DIR...`: photographs with all that photographs do to writing.
"""

import argparse
import json
import os

import cv2
import numpy as np
from crops import CANVAS_H, CANVAS_W, MX, MY, load_tags

FINER = 2  # Sampled this much finer, then averaged.
BLANKS = 0.02


def cut(luma, box):
    """The canvas of a cell with these corners, clockwise from the left top."""
    inner = (
        np.float32(
            [[MX, MY], [CANVAS_W - MX, MY], [CANVAS_W - MX, CANVAS_H - MY], [MX, CANVAS_H - MY]]
        )
        * FINER
    )
    warp = cv2.getPerspectiveTransform(np.float32(box), inner)
    size = (CANVAS_W * FINER, CANVAS_H * FINER)
    fine = cv2.warpPerspective(
        luma, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return cv2.resize(fine, (CANVAS_W, CANVAS_H), interpolation=cv2.INTER_AREA)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("folders", nargs="+")
    a.add_argument("--out", required=True)
    o = a.parse_args()
    rng = np.random.default_rng(0)
    rows = []
    for folder in o.folders:
        tags = load_tags(os.path.join(folder, "tags.tsv"))
        for page, cells in json.load(open(os.path.join(folder, "cells.json"))).items():
            luma = cv2.imread(os.path.join(folder, page + ".jpg"), cv2.IMREAD_GRAYSCALE)
            for cell in cells:
                text = tags.get((page, cell["move"], cell["side"]), "")
                if text or rng.random() < BLANKS:
                    rows.append((page, cell["move"], cell["side"], text, cut(luma, cell["box"])))
    pages, moves, sides, texts, canvases = zip(*rows)
    np.savez(o.out, page=pages, move=moves, side=sides, text=texts, canvas=np.stack(canvases))
    print(len(rows), "cells,", sum(map(bool, texts)), "written")


if __name__ == "__main__":
    main()
