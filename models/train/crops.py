"""Cuts the cells of the real sheets on a canvas wider than the reader's patch, so that training can jitter the crop.

The canvas has the patch's scale: the cell's own corners lie at x 28..212 and y 19..53 of 240 x 72 pixels.
"""

import argparse
import csv
import json
import math
import os

import cv2
import numpy as np

CANVAS_W, CANVAS_H, MX, MY = 240, 72, 28, 19


def warp(luma, box):
    """Area-averaged perspective warp of one cell."""
    src = np.array(box, np.float32)
    width = max(np.linalg.norm(src[1] - src[0]), np.linalg.norm(src[2] - src[3]))
    height = max(np.linalg.norm(src[3] - src[0]), np.linalg.norm(src[2] - src[1]))
    k = max(1, min(4, math.ceil(max(width / (CANVAS_W - 2 * MX), height / (CANVAS_H - 2 * MY)))))
    dst = np.array([[MX, MY], [CANVAS_W - MX, MY], [CANVAS_W - MX, CANVAS_H - MY], [MX, CANVAS_H - MY]], np.float32) * k
    h = cv2.getPerspectiveTransform(src - 0.5, dst - 0.5)
    big = cv2.warpPerspective(luma, h, (CANVAS_W * k, CANVAS_H * k), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cv2.resize(big, (CANVAS_W, CANVAS_H), interpolation=cv2.INTER_AREA) if k > 1 else big


def page_cells(data, folder, pages, tags, boxes, blank_share=1.0):
    rng = np.random.default_rng(0)
    for page in pages:
        luma = cv2.imread(os.path.join(data, folder, page + ".jpg"), cv2.IMREAD_GRAYSCALE)
        for c in boxes[page]:
            text = tags.get((page, c["move"], c["side"]), "")
            if not text and rng.random() > blank_share:
                continue
            yield page, c["move"], c["side"], text, warp(luma, c["box"])


def load_tags(path):
    rows = csv.reader(open(path, encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE)
    next(rows)
    return {(p, int(m), s): t for p, m, s, t in rows}


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--data", required=True)
    a.add_argument("--out", required=True)
    o = a.parse_args()
    hcs = os.path.join(o.data, "hcs")
    split = {r["page"]: r["split"] for r in csv.DictReader(open(os.path.join(hcs, "pages.tsv")), delimiter="\t")}
    tags, boxes = load_tags(os.path.join(hcs, "tags.tsv")), json.load(open(os.path.join(hcs, "cells.json")))
    sets = {
        "train": page_cells(o.data, "hcs/pages", [p for p in split if split[p] == "train"], tags, boxes, 0.3),
        "dev": page_cells(o.data, "hcs/pages", [p for p in split if split[p] == "dev"], tags, boxes, 0.1),
    }
    epfl = os.path.join(o.data, "epfl")
    boxes_e = json.load(open(os.path.join(epfl, "cells.json")))
    sets["epfl"] = page_cells(o.data, "epfl", list(boxes_e), load_tags(os.path.join(epfl, "tags.tsv")), boxes_e, 0.1)
    for name, cells in sets.items():
        page, move, side, text, patch = zip(*cells)
        np.savez(os.path.join(o.out, name + ".npz"), page=page, move=move, side=side, text=text, canvas=np.stack(patch))
        print(name, len(page), "cells,", sum(bool(t) for t in text), "written")


if __name__ == "__main__":
    main()
