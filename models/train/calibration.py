"""Draws how far the confidences can be trusted.

`python calibration.py --score EVAL/score.py --out models/calibration.png NAME=GAMES.jsonl=TRUTH...`
draws two diagrams. The left one is the reliability diagram: of the moves with a confidence, how
many were right, in ten bins of equal size. The right one is the risk-coverage curve: how many wrong
moves are left of all moves when the least sure ones have been looked at.
"""

import argparse
import importlib.util
import json

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

BINS = 10


def judge_moves(score, path, folder):
    """Returns the confidence of every move of the output that the truth covers, and whether it is
    right.
    """
    moves = []
    for game in map(json.loads, open(path, encoding="utf-8")):
        truths = [score.truth_of(score.stem(sheet["path"]), folder) for sheet in game["sheets"]]
        _, want, whole = max(truths, key=lambda candidate: len(candidate[1] or ""))
        if not want:
            continue
        sans = [score.san(ply["san"]) for ply in game["plies"]]
        pairs = score.align(sans, want)
        while not whole and pairs and pairs[-1][1] is None:
            pairs.pop()
        moves += [
            (game["plies"][i]["confidence"], j is not None and sans[i] == want[j])
            for i, j in pairs
            if i is not None
        ]
    return np.array(moves)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--score", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("sets", nargs="+")
    args = parser.parse_args()
    spec = importlib.util.spec_from_file_location("score", args.score)
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.6), dpi=110)
    left.plot([0, 1], [0, 1], color="0.7", lw=1)
    for argument in args.sets:
        name, path, folder = argument.split("=")
        moves = judge_moves(score, path, folder)
        moves = moves[np.argsort(moves[:, 0], kind="stable")]
        bins = np.array_split(moves, BINS)
        left.plot(
            [bin_moves[:, 0].mean() for bin_moves in bins],
            [bin_moves[:, 1].mean() for bin_moves in bins],
            "o-",
            ms=4,
            label=f"{name}, n = {len(moves)}",
        )
        wrong = 1 - moves[:, 1]
        reviewed_share = np.arange(len(moves) + 1) / len(moves)
        remaining = (wrong.sum() - np.concatenate([[0], wrong.cumsum()])) / len(moves)
        right.plot(100 * reviewed_share, 100 * remaining, label=name)
        ece = sum(
            abs(bin_moves[:, 0].mean() - bin_moves[:, 1].mean()) * len(bin_moves)
            for bin_moves in bins
        ) / len(moves)
        print(
            f"{name}: {len(moves)} moves, wrong {100 * wrong.mean():.2f} %, "
            f"ece {100 * ece:.2f} % in bins of equal size"
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
    figure.savefig(args.out, metadata={"Software": None})


if __name__ == "__main__":
    main()
