"""The ten most frequent confusions of two readers on the dev pages, with pictures.

`python confusions.py --work DIR --before OLD.onnx --after NEW.onnx --out models/confusions.png` prints a Markdown table and draws, a row
a confusion, rendered cells of held-out fonts and writers in which the second reader makes it: no real cell leaves the data.
"""

import argparse
import collections
import glob
import os

import cv2
import numpy as np
import torch
from augment import normalise, window
from measure import REACH, on_paper, read
from model import HEIGHT

PICTURES = 6  # A row.


def substitutions(tag, reading):
    """Characters of the tag and what was read for them, on a cheapest alignment; lost and invented ones are None."""
    n, m = len(tag), len(reading)
    d = np.zeros((n + 1, m + 1), int)
    d[:, 0], d[0] = range(n + 1), range(m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            d[i, j] = min(
                d[i - 1, j - 1] + (tag[i - 1] != reading[j - 1]), d[i - 1, j] + 1, d[i, j - 1] + 1
            )
    out, i, j = [], n, m
    while i or j:
        if i and j and d[i, j] == d[i - 1, j - 1] + (tag[i - 1] != reading[j - 1]):
            i, j = i - 1, j - 1
            if tag[i] != reading[j]:
                out.append((tag[i], reading[j]))
        elif i and d[i, j] == d[i - 1, j] + 1:
            i -= 1
            out.append((tag[i], None))
        else:
            j -= 1
            out.append((None, reading[j]))
    return out


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", required=True)
    a.add_argument("--before", required=True)
    a.add_argument("--after", required=True)
    a.add_argument("--out", required=True)
    o = a.parse_args()
    torch.set_num_threads(1)
    z = np.load(os.path.join(o.work, "dev.npz"))
    keep = [i for i, t in enumerate(z["text"]) if t]
    tags = [str(z["text"][i]) for i in keep]

    def patch(part):
        return normalise(
            window(torch.from_numpy(z["canvas"][part]).float()[:, None] / 255, None, 0.0)
        )

    batches = [patch(keep[k : k + 200]) for k in range(0, len(keep), 200)]
    counts = []
    for path in (o.before, o.after):
        # A cell whose reading has little of its tag is another cell's tag, or not read at all.
        pairs = [(t, substitutions(t, r)) for t, r in zip(tags, read(path, batches))]
        counts.append(
            collections.Counter(
                s for t, subs in pairs if len(subs) <= max(1, len(t) // 2) for s in subs
            )
        )
    top = [s for s, _ in (counts[0] + counts[1]).most_common() if None not in s][:10]
    print("| written | read | before | after |\n|---|---|---|---|")
    for s in top:
        print(f"| `{s[0]}` | `{s[1]}` | {counts[0][s]} | {counts[1][s]} |")
    found = {s: [] for s in top}
    for path in sorted(glob.glob(os.path.join(o.work, "test-*.npz"))):
        z = np.load(path)
        batches = list(on_paper(z))
        lumas = torch.cat([luma for luma, _ in batches])[:, 0, REACH : REACH + HEIGHT]
        for i, reading in enumerate(read(o.after, [x for _, x in batches])):
            subs = substitutions(str(z["text"][i]), reading)
            if len(subs) == 1 and subs[0] in found and len(found[subs[0]]) < PICTURES:
                found[subs[0]].append((lumas[i], f"{z['text'][i]} as {reading}"))
    rows = []
    for s in top:
        tiles = [
            cv2.putText(
                np.full((48 + 16, 96), 255, np.uint8), f"{s[0]} as {s[1]}", (4, 32), 0, 0.6, 0, 1
            )
        ]
        blank = (torch.ones(48, 192), "")
        for luma, label in found[s] + [blank] * (PICTURES - len(found[s])):
            tile = np.full((64, 192), 255, np.uint8)
            tile[:48] = (luma * 255).byte().numpy()
            tiles.append(cv2.putText(tile, label, (4, 60), 0, 0.4, 0, 1))
        rows.append(np.hstack(tiles))
    cv2.imwrite(o.out, np.vstack(rows))


if __name__ == "__main__":
    main()
