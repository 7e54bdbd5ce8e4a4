"""Lists the ten most frequent confusions of two readers on the dev pages, with pictures.

`python confusions.py --work DIR --before OLD.onnx --after NEW.onnx --out models/confusions.png`
prints a Markdown table and draws one row a confusion: rendered cells of held-out fonts and writers
in which the second reader makes it. No real cell leaves the data.
"""

import argparse
import collections
import glob
import os

import cv2
import numpy as np
import torch
from augment import normalize_ink, sample_window
from measure import crop_patch, draw_on_paper, read_patches

# Number of example cells in each row of the picture.
PICTURES_PER_ROW = 6


def substitutions(tag, reading):
    """Returns the characters of the tag and what was read for them on a cheapest alignment. None
    stands for a lost or an invented character.
    """
    n, m = len(tag), len(reading)
    distance = np.zeros((n + 1, m + 1), int)
    distance[:, 0], distance[0] = range(n + 1), range(m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            distance[i, j] = min(
                distance[i - 1, j - 1] + (tag[i - 1] != reading[j - 1]),
                distance[i - 1, j] + 1,
                distance[i, j - 1] + 1,
            )
    pairs, i, j = [], n, m
    while i or j:
        if i and j and distance[i, j] == distance[i - 1, j - 1] + (tag[i - 1] != reading[j - 1]):
            i, j = i - 1, j - 1
            if tag[i] != reading[j]:
                pairs.append((tag[i], reading[j]))
        elif i and distance[i, j] == distance[i - 1, j] + 1:
            i -= 1
            pairs.append((tag[i], None))
        else:
            j -= 1
            pairs.append((None, reading[j]))
    return pairs


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True)
    parser.add_argument("--before", required=True)
    parser.add_argument("--after", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    torch.set_num_threads(1)
    archive = np.load(os.path.join(args.work, "dev.npz"))
    keep = [i for i, t in enumerate(archive["text"]) if t]
    tags = [str(archive["text"][i]) for i in keep]

    def make_patches(part):
        return normalize_ink(
            sample_window(
                torch.from_numpy(archive["canvas"][part]).float()[:, None] / 255, None, 0.0
            )
        )

    batches = [make_patches(keep[k : k + 200]) for k in range(0, len(keep), 200)]
    counts = []
    for path in (args.before, args.after):
        # Readings that share less than half of the tag are left out: the tag belongs to another
        # cell, or the cell was not read at all.
        pairs = [
            (t, substitutions(t, reading_before))
            for t, reading_before in zip(tags, read_patches(path, batches))
        ]
        counts.append(
            collections.Counter(
                pair
                for t, substituted in pairs
                if len(substituted) <= max(1, len(t) // 2)
                for pair in substituted
            )
        )
    frequent = [pair for pair, _ in (counts[0] + counts[1]).most_common() if None not in pair][:10]
    print("| written | read | before | after |\n|---|---|---|---|")
    for pair in frequent:
        print(f"| `{pair[0]}` | `{pair[1]}` | {counts[0][pair]} | {counts[1][pair]} |")
    examples = {pair: [] for pair in frequent}
    for path in sorted(glob.glob(os.path.join(args.work, "test-*.npz"))):
        archive = np.load(path)
        batches = list(draw_on_paper(archive))
        lumas = crop_patch(torch.cat([luma for luma, _ in batches])[:, 0])
        for i, reading in enumerate(read_patches(args.after, [ink for _, ink in batches])):
            substituted = substitutions(str(archive["text"][i]), reading)
            if (
                len(substituted) == 1
                and substituted[0] in examples
                and len(examples[substituted[0]]) < PICTURES_PER_ROW
            ):
                examples[substituted[0]].append((lumas[i], f"{archive['text'][i]} as {reading}"))
    rows = []
    for pair in frequent:
        tiles = [
            cv2.putText(
                np.full((48 + 16, 96), 255, np.uint8),
                f"{pair[0]} as {pair[1]}",
                (4, 32),
                0,
                0.6,
                0,
                1,
            )
        ]
        blank = (torch.ones(48, 192), "")
        for luma, label in examples[pair] + [blank] * (PICTURES_PER_ROW - len(examples[pair])):
            tile = np.full((64, 192), 255, np.uint8)
            tile[:48] = (luma * 255).byte().numpy()
            tiles.append(cv2.putText(tile, label, (4, 60), 0, 0.4, 0, 1))
        rows.append(np.hstack(tiles))
    cv2.imwrite(args.out, np.vstack(rows))


if __name__ == "__main__":
    main()
