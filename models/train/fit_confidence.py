#!/usr/bin/env python3
"""Fits the weights of src/decode/confidence.rs: logistic regression of "this move was played" on
its features.

    fit_confidence.py SCORE.PY-FOLDER GAMES.jsonl:TRUTH-FOLDER ...

GAMES.jsonl is what `examples/decode_tags` wrote, each ply with its features. The reported
calibration comes from leave-one-game-out predictions.
"""

import argparse
import importlib
import json
import sys

import numpy as np


def load_moves(score, sources):
    """Yields the game, the features and whether the move is right, for every move with a cell."""
    for source in sources:
        games, truth = source.split(":")
        for line in open(games):
            game = json.loads(line)
            name, played, whole = score.truth_of(score.stem(game["sheets"][0]["path"]), truth)
            if not played:
                continue
            sans = [score.san(ply["san"]) for ply in game["plies"]]
            pairs = score.align(sans, played)
            while not whole and pairs and pairs[-1][1] is None:
                pairs.pop()
            for i, j in pairs:
                if i is not None and game["plies"][i]["cells"]:
                    right = j is not None and sans[i] == played[j]
                    yield name, game["plies"][i]["features"], right


def logistic(log_odds):
    """Returns the probability of log-odds."""
    return 1 / (1 + np.exp(-log_odds))


def fit(x, y):
    """Fits the logistic regression by Newton steps with a ridge of 0.5."""
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        probability = logistic(x @ weights)
        hessian = (x * (probability * (1 - probability))[:, None]).T @ x + 0.5 * np.eye(
            len(weights)
        )
        weights += np.linalg.solve(hessian, x.T @ (y - probability) - 0.5 * weights)
    return weights


def report(label, confidence, y):
    """Prints the calibration of confidences, and what asking about the least sure moves saves."""
    bins = np.minimum(9, (confidence * 10).astype(int))
    ece = sum(abs((confidence[bins == b] - y[bins == b]).sum()) for b in range(10)) / len(y)
    order = np.argsort(confidence)
    left = {
        share: (1 - y[order[int(share * len(y)) :]]).sum() / len(y)
        for share in (0.02, 0.04, 0.06, 0.1, 0.15)
    }
    risk = " ".join(f"{100 * share:.0f} %: {100 * wrong:.2f}" for share, wrong in left.items())
    print(
        f"{label}: ece {100 * ece:.2f} %; "
        f"silent errors left when the least sure share is asked: {risk}"
    )
    for threshold in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9):
        asked = confidence < threshold
        silent = ((1 - y) * ~asked).sum() / len(y)
        print(f"   below {threshold}: asks {100 * asked.mean():.2f} %, silent {100 * silent:.2f} %")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("score", help="the folder of score.py")
    parser.add_argument("sources", nargs="+", help="GAMES.jsonl:TRUTH-FOLDER")
    args = parser.parse_args()
    sys.path.insert(0, args.score)
    moves = list(load_moves(importlib.import_module("score"), args.sources))
    names = np.array([name for name, _, _ in moves])
    x = np.array([[1.0, *features] for _, features, _ in moves])
    y = np.array([right for _, _, right in moves], float)
    weights = " ".join(f"{weight:.3f}" for weight in fit(x, y))
    print(f"{len(y)} moves, {y.mean():.3f} right; weights of all: {weights}")
    confidence = np.zeros(len(y))
    for name in np.unique(names):
        held_out = names == name
        confidence[held_out] = logistic(x[held_out] @ fit(x[~held_out], y[~held_out]))
    report("fitted, leave one game out", confidence, y)
    report("share alone", logistic(x[:, 1]), y)


if __name__ == "__main__":
    main()
