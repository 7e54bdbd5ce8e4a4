"""Draws what training shows the network: real cells (left) beside rendered ones (right), after augmentation."""

import argparse

import cv2
import numpy as np
from train import Data


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--strength", type=float, default=1.0)
    a.add_argument("--seed", type=int, default=5)
    o = a.parse_args()
    x, texts = Data(o.work, ["train"]).batch(96, 0.5, o.strength, o.seed)
    tiles = []
    for i in range(96):
        tile = (255 - x[i, 0].clamp(0, 1) * 255).numpy().astype(np.uint8)
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
    cv2.imwrite(o.out, np.vstack(rows))


if __name__ == "__main__":
    main()
