"""Cuts the written cells of made forms (`forms`) along their true corners, as wide as `crops.py`
cuts real ones.

`python form_cells.py --out cells.npz DIR...` keeps all that the simulated photographs do to the
writing.
"""

import argparse
import json
import os

import cv2
import numpy as np
from crops import CANVAS_H, CANVAS_W, MARGIN_X, MARGIN_Y, load_tags

# Cells are sampled this many times finer and then averaged.
OVERSAMPLING = 2
BLANK_SHARE = 0.02


def cut_cell(luma, box):
    """Returns the canvas of the cell with these corners, clockwise from the top left."""
    inner = (
        np.float32(
            [
                [MARGIN_X, MARGIN_Y],
                [CANVAS_W - MARGIN_X, MARGIN_Y],
                [CANVAS_W - MARGIN_X, CANVAS_H - MARGIN_Y],
                [MARGIN_X, CANVAS_H - MARGIN_Y],
            ]
        )
        * OVERSAMPLING
    )
    warp = cv2.getPerspectiveTransform(np.float32(box), inner)
    size = (CANVAS_W * OVERSAMPLING, CANVAS_H * OVERSAMPLING)
    fine = cv2.warpPerspective(
        luma, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return cv2.resize(fine, (CANVAS_W, CANVAS_H), interpolation=cv2.INTER_AREA)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    rows = []
    for folder in args.folders:
        tags = load_tags(os.path.join(folder, "tags.tsv"))
        for page, cells in json.load(open(os.path.join(folder, "cells.json"))).items():
            luma = cv2.imread(os.path.join(folder, page + ".jpg"), cv2.IMREAD_GRAYSCALE)
            for cell in cells:
                text = tags.get((page, cell["move"], cell["side"]), "")
                if text or rng.random() < BLANK_SHARE:
                    rows.append(
                        (page, cell["move"], cell["side"], text, cut_cell(luma, cell["box"]))
                    )
    pages, moves, sides, texts, canvases = zip(*rows)
    np.savez(args.out, page=pages, move=moves, side=sides, text=texts, canvas=np.stack(canvases))
    print(len(rows), "cells,", sum(map(bool, texts)), "written")


if __name__ == "__main__":
    main()
