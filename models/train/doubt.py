"""Draws how far the confidences can be trusted: `python doubt.py --score EVAL/score.py --out models/doubt.png NAME=GAMES.jsonl=TRUTH...`

Left the reliability diagram (of the moves given a confidence, how many were right; ten bins of equal size), right the
risk-coverage curve (moves looked at, the least sure first, against the share of all moves that are then still wrong).
"""

import argparse
import importlib.util
import json

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

BINS = 10


def judged(score, path, folder):
    """Confidence and rightness of every move put out that the truth covers."""
    out = []
    for game in map(json.loads, open(path, encoding="utf-8")):
        truths = [score.truth_of(score.stem(s["path"]), folder) for s in game["sheets"]]
        _, want, whole = max(truths, key=lambda t: len(t[1] or ""))
        if not want:
            continue
        sans = [score.san(p["san"]) for p in game["plies"]]
        pairs = score.align(sans, want)
        while not whole and pairs and pairs[-1][1] is None:
            pairs.pop()
        out += [
            (game["plies"][i]["confidence"], j is not None and sans[i] == want[j])
            for i, j in pairs
            if i is not None
        ]
    return np.array(out)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--score", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("sets", nargs="+")
    o = a.parse_args()
    spec = importlib.util.spec_from_file_location("score", o.score)
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.6), dpi=110)
    left.plot([0, 1], [0, 1], color="0.7", lw=1)
    for given in o.sets:
        name, path, folder = given.split("=")
        moves = judged(score, path, folder)
        moves = moves[np.argsort(moves[:, 0], kind="stable")]
        bins = np.array_split(moves, BINS)
        left.plot(
            [b[:, 0].mean() for b in bins],
            [b[:, 1].mean() for b in bins],
            "o-",
            ms=4,
            label=f"{name}, n = {len(moves)}",
        )
        wrong = 1 - moves[:, 1]
        looked = np.arange(len(moves) + 1) / len(moves)
        remaining = (wrong.sum() - np.concatenate([[0], wrong.cumsum()])) / len(moves)
        right.plot(100 * looked, 100 * remaining, label=name)
        ece = sum(abs(b[:, 0].mean() - b[:, 1].mean()) * len(b) for b in bins) / len(moves)
        print(
            f"{name}: {len(moves)} moves, wrong {100 * wrong.mean():.2f} %, ece {100 * ece:.2f} % in bins of equal size"
        )
    left.set(
        xlabel="confidence",
        ylabel="share right",
        xlim=(0.4, 1.01),
        ylim=(0.4, 1.01),
        title="reliability",
    )
    right.set(
        xlabel="moves looked at, % (least sure first)",
        ylabel="wrong moves left, %",
        xlim=(0, 20),
        title="risk and coverage",
    )
    right.set_ylim(bottom=0)
    for panel in (left, right):
        panel.grid(alpha=0.3)
        panel.legend()
    figure.tight_layout()
    figure.savefig(o.out, metadata={"Software": None})


if __name__ == "__main__":
    main()
