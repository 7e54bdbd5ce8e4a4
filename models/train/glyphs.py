"""Finds the UNIPEN characters that are not what their label says.

`python glyphs.py --data DATA --list` rewrites `glyphs-excluded.tsv`. Strokes got lost in the
segmentation of the set (an `a` of which a dot is left), and writers skipped a prompt, so that all
that follow are one off. A small classifier learns four fifths of the writers and judges the others,
five times over. A character is left out where the classifier gives the label, and whatever is drawn
the same, hardly any probability (Northcutt et al. 2021, Confident learning). Capitals and small
letters of one shape count as one here, since size belongs to the writer. `--picture FILE` draws a
sample of what is left out, with label and guess above each character.
"""

import argparse
import csv
import os

import cv2
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

UNIPEN_SETS = ("1a", "1b", "1c", "1d")
WANTED = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-=:#()!?/.,'")
LOOKALIKES = [
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
PICTURE_SIDE, FOLDS, EPOCHS, MIN_PROBABILITY = 32, 5, 5, 0.02
LISTING = os.path.join(os.path.dirname(__file__), "glyphs-excluded.tsv")


def load_excluded():
    """Returns the indices of the characters left out, by set."""
    indices = {}
    for name, index in csv.reader(open(LISTING), delimiter="\t"):
        indices.setdefault(name, set()).add(int(index))
    return indices


def load_characters(folder):
    """Returns every wanted character as (set, index, label, writer, picture)."""
    rows = []
    for name in UNIPEN_SETS:
        archive = np.load(os.path.join(folder, f"unipen_{name}.npz"))
        points, lengths = archive["points"], archive["stroke_len"]
        ends = np.cumsum(lengths)
        first = np.concatenate([[0], np.cumsum(archive["n_strokes"])])
        for i, (label, writer) in enumerate(zip(archive["label"], archive["writer"])):
            if str(label) in WANTED and first[i + 1] > first[i]:
                strokes = [
                    points[ends[k] - lengths[k] : ends[k]] for k in range(first[i], first[i + 1])
                ]
                rows.append((name, i, str(label), str(writer), draw_strokes(strokes)))
    return rows


def draw_strokes(strokes):
    """Draws strokes as a square picture."""
    joined = np.concatenate(strokes).astype(float)
    low, size = joined.min(0), max(np.ptp(joined, axis=0).max(), 1e-6)
    scale = (PICTURE_SIDE - 8) / size
    shift = (PICTURE_SIDE - np.ptp(joined, axis=0) * scale) / 2
    image = np.zeros((PICTURE_SIDE, PICTURE_SIDE), np.uint8)
    for stroke in strokes:
        points = (stroke - low) * scale + shift
        points[:, 1] = PICTURE_SIDE - points[:, 1]
        points = np.round(points * 16).astype(np.int32)
        cv2.polylines(
            image,
            [points if len(points) > 1 else np.concatenate([points, points + 8])],
            False,
            255,
            2,
            cv2.LINE_AA,
            4,
        )
    return image


def build_classifier(classes):
    def block(inputs, outputs):
        return nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, 1, 1), nn.BatchNorm2d(outputs), nn.ReLU(), nn.MaxPool2d(2)
        )

    return nn.Sequential(
        block(1, 16),
        block(16, 32),
        block(32, 64),
        nn.Flatten(),
        nn.Dropout(0.3),
        nn.Linear(64 * 16, classes),
    )


def classify_fold(pictures, targets, classes, train, test, seed):
    """Trains on the training characters and returns log-probabilities of the test characters."""
    torch.manual_seed(seed)
    model, generator = build_classifier(classes), torch.Generator().manual_seed(seed)
    steps = EPOCHS * len(train) // 128
    optimiser = torch.optim.AdamW(model.parameters(), 3e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, steps)
    model.train()
    for _ in range(steps):
        indices = train[torch.randint(len(train), (128,), generator=generator)]
        loss = F.cross_entropy(
            model(pictures[indices].float()[:, None] / 255), targets[indices], label_smoothing=0.05
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    model.eval()
    with torch.no_grad():
        return torch.cat(
            [
                model(pictures[chunk].float()[:, None] / 255).log_softmax(-1)
                for chunk in test.split(1024)
            ]
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--picture")
    args = parser.parse_args()
    torch.set_num_threads(1)
    rows = load_characters(os.path.join(args.data, "strokes"))
    classes = sorted(WANTED)
    class_of = {character: i for i, character in enumerate(classes)}
    counts_as_same = torch.eye(len(classes), dtype=torch.bool)
    for group in LOOKALIKES:
        for first in group:
            for second in group:
                if first in class_of and second in class_of:
                    counts_as_same[class_of[first], class_of[second]] = True
    pictures = torch.from_numpy(np.stack([row[4] for row in rows]))
    targets = torch.tensor([class_of[row[2]] for row in rows])
    writers = sorted({row[3] for row in rows})
    fold = torch.tensor([writers.index(row[3]) % FOLDS for row in rows])
    label_probability, guess = torch.zeros(len(rows)), torch.zeros(len(rows), dtype=torch.long)
    for fold_index in range(FOLDS):
        train, test = (
            torch.nonzero(fold != fold_index)[:, 0],
            torch.nonzero(fold == fold_index)[:, 0],
        )
        first = classify_fold(pictures, targets, len(classes), train, test, fold_index).exp()
        label_probability[test] = (first * counts_as_same[targets[test]]).sum(1)
        guess[test] = first.argmax(1)
    doubtful = [i for i in range(len(rows)) if label_probability[i] < MIN_PROBABILITY]
    print(len(rows), "characters,", len(doubtful), "left out")
    if args.list:
        with open(LISTING, "w") as fold_index:
            fold_index.writelines(f"{rows[i][0]}\t{rows[i][1]}\n" for i in doubtful)
    if args.picture:
        sample = np.random.default_rng(0).permutation(len(doubtful))[:400]
        tiles = []
        for i in sorted((doubtful[sampled] for sampled in sample), key=lambda i: rows[i][2]):
            tile = cv2.copyMakeBorder(255 - rows[i][4], 14, 2, 8, 8, cv2.BORDER_CONSTANT, value=255)
            cv2.putText(
                tile, f"{rows[i][2]} {classes[guess[i]]}", (2, 11), cv2.FONT_HERSHEY_SIMPLEX, 0.4, 0
            )
            tiles.append(tile)
        tiles += [np.full_like(tiles[0], 255)] * (-len(tiles) % 25)
        cv2.imwrite(
            args.picture,
            np.vstack([np.hstack(tiles[k : k + 25]) for k in range(0, len(tiles), 25)]),
        )


if __name__ == "__main__":
    main()
