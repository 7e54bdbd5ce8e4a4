"""Finds the UNIPEN characters that are not what their label says: `python glyphs.py --data DATA --list` rewrites `glyphs-excluded.tsv`.

Strokes got lost in the set's segmentation (an `a` of which a dot is left), writers skipped a prompt and all that follow are one
off. A small classifier learns four fifths of the writers and judges the others, five times over; a character is left out where it
gives the label, and whatever is drawn the same, hardly any probability (Northcutt et al. 2021, Confident learning).
Capitals and small letters of one shape count as one here: size is the writer's, not the glyph's.
`--picture FILE` draws a sample of what is left out, label and guess above each.
"""

import argparse
import csv
import os

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

SETS = ("1a", "1b", "1c", "1d")
WANTED = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-=:#()!?/.,'")
SAME = [
    "cC",
    "kK",
    "oO0",
    "pP",
    "sS",
    "uU",
    "vV",
    "wW",
    "xX",
    "zZ",
    "iIl1|/'",
    "yY",
    "mM",
    "jJ",
    "fF",
    ".,-'",
    "tT",
    "5sS",
    "9gq",
    "6bG",
    "2zZ",
    "nN",
    "aA",
    "qQ",
    "8B",
]
SIDE, FOLDS, ROUNDS, LEAST = 32, 5, 5, 0.02
LISTING = os.path.join(os.path.dirname(__file__), "glyphs-excluded.tsv")


def excluded():
    """Set name to the indices of the characters left out."""
    out = {}
    for name, index in csv.reader(open(LISTING), delimiter="\t"):
        out.setdefault(name, set()).add(int(index))
    return out


def load(folder):
    """Every wanted character: set, index, label, writer and picture."""
    rows = []
    for name in SETS:
        z = np.load(os.path.join(folder, f"unipen_{name}.npz"))
        points, lengths = z["points"], z["stroke_len"]
        ends = np.cumsum(lengths)
        first = np.concatenate([[0], np.cumsum(z["n_strokes"])])
        for i, (label, writer) in enumerate(zip(z["label"], z["writer"])):
            if str(label) in WANTED and first[i + 1] > first[i]:
                strokes = [
                    points[ends[k] - lengths[k] : ends[k]] for k in range(first[i], first[i + 1])
                ]
                rows.append((name, i, str(label), str(writer), picture(strokes)))
    return rows


def picture(strokes):
    joined = np.concatenate(strokes).astype(float)
    low, size = joined.min(0), max(np.ptp(joined, axis=0).max(), 1e-6)
    k = (SIDE - 8) / size
    shift = (SIDE - np.ptp(joined, axis=0) * k) / 2
    out = np.zeros((SIDE, SIDE), np.uint8)
    for s in strokes:
        q = (s - low) * k + shift
        q[:, 1] = SIDE - q[:, 1]
        q = np.round(q * 16).astype(np.int32)
        cv2.polylines(
            out, [q if len(q) > 1 else np.concatenate([q, q + 8])], False, 255, 2, cv2.LINE_AA, 4
        )
    return out


def network(classes):
    def block(i, o):
        return nn.Sequential(
            nn.Conv2d(i, o, 3, 1, 1), nn.BatchNorm2d(o), nn.ReLU(), nn.MaxPool2d(2)
        )

    return nn.Sequential(
        block(1, 16),
        block(16, 32),
        block(32, 64),
        nn.Flatten(),
        nn.Dropout(0.3),
        nn.Linear(64 * 16, classes),
    )


def judge(x, y, classes, train, test, seed):
    """Log-probabilities of the test characters."""
    torch.manual_seed(seed)
    model, g = network(classes), torch.Generator().manual_seed(seed)
    steps = ROUNDS * len(train) // 128
    optimiser = torch.optim.AdamW(model.parameters(), 3e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, steps)
    model.train()
    for _ in range(steps):
        i = train[torch.randint(len(train), (128,), generator=g)]
        loss = F.cross_entropy(model(x[i].float()[:, None] / 255), y[i], label_smoothing=0.05)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    model.eval()
    with torch.no_grad():
        return torch.cat(
            [model(x[k].float()[:, None] / 255).log_softmax(-1) for k in test.split(1024)]
        )


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--data", required=True)
    a.add_argument("--list", action="store_true")
    a.add_argument("--picture")
    o = a.parse_args()
    torch.set_num_threads(1)
    rows = load(os.path.join(o.data, "strokes"))
    classes = sorted(WANTED)
    number = {c: i for i, c in enumerate(classes)}
    same = torch.eye(len(classes), dtype=torch.bool)
    for group in SAME:
        for p in group:
            for q in group:
                if p in number and q in number:
                    same[number[p], number[q]] = True
    x = torch.from_numpy(np.stack([r[4] for r in rows]))
    y = torch.tensor([number[r[2]] for r in rows])
    writers = sorted({r[3] for r in rows})
    fold = torch.tensor([writers.index(r[3]) % FOLDS for r in rows])
    own, guess = torch.zeros(len(rows)), torch.zeros(len(rows), dtype=torch.long)
    for f in range(FOLDS):
        train, test = torch.nonzero(fold != f)[:, 0], torch.nonzero(fold == f)[:, 0]
        p = judge(x, y, len(classes), train, test, f).exp()
        own[test] = (p * same[y[test]]).sum(1)
        guess[test] = p.argmax(1)
    out = [i for i in range(len(rows)) if own[i] < LEAST]
    print(len(rows), "characters,", len(out), "left out")
    if o.list:
        with open(LISTING, "w") as f:
            f.writelines(f"{rows[i][0]}\t{rows[i][1]}\n" for i in out)
    if o.picture:
        sample = np.random.default_rng(0).permutation(len(out))[:400]
        tiles = []
        for i in sorted((out[s] for s in sample), key=lambda i: rows[i][2]):
            tile = cv2.copyMakeBorder(255 - rows[i][4], 14, 2, 8, 8, cv2.BORDER_CONSTANT, value=255)
            cv2.putText(
                tile, f"{rows[i][2]} {classes[guess[i]]}", (2, 11), cv2.FONT_HERSHEY_SIMPLEX, 0.4, 0
            )
            tiles.append(tile)
        tiles += [np.full_like(tiles[0], 255)] * (-len(tiles) % 25)
        cv2.imwrite(
            o.picture, np.vstack([np.hstack(tiles[k : k + 25]) for k in range(0, len(tiles), 25)])
        )


if __name__ == "__main__":
    main()
