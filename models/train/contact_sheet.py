"""Draws what training shows the network after augmentation: real cells on the left, rendered ones
on the right.
"""

import argparse

import cv2
import numpy as np
from train import CellData


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--strength", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()
    ink, texts = CellData(args.work, ["train"]).make_batch(96, 0.5, args.strength, args.seed)
    tiles = []
    for i in range(96):
        tile = (255 - ink[i, 0].clamp(0, 1) * 255).numpy().astype(np.uint8)
        label = cv2.putText(
            np.full((14, 192), 235, np.uint8),
            texts[i].encode("ascii", "replace").decode(),
            (3, 11),
            0,
            0.4,
            0,
            1,
        )
        tiles.append(np.vstack([tile, label]))
    rows = [
        np.hstack([tiles[i] for i in (r, r + 16, r + 32, r + 48, r + 64, r + 80)])
        for r in range(16)
    ]
    cv2.imwrite(args.out, np.vstack(rows))


if __name__ == "__main__":
    main()
