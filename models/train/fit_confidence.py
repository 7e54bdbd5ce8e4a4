#!/usr/bin/env python3
"""Fits the weights of src/decode/confidence.rs: logistic regression of "this move was played" on
its features.

    fit_confidence.py SCORE.PY-FOLDER GAMES.jsonl:TRUTH-FOLDER ...

GAMES.jsonl is what `examples/decode_tags` wrote, each ply with its features. The reported
calibration comes from leave-one-game-out predictions.
"""

import json
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
import score  # noqa: E402


def load_moves():
    """Yields the game, the features and whether the move is right, for every move with a cell."""
    for source in sys.argv[2:]:
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
                    yield name, game["plies"][i]["features"], j is not None and sans[i] == played[j]


def fit(x, y):
    """Fits the logistic regression by Newton steps with a ridge of 0.5."""
    weights = np.zeros(x.shape[1])
    for _ in range(30):
        probability = 1 / (1 + np.exp(-x @ weights))
        hessian = (x * (probability * (1 - probability))[:, None]).T @ x + 0.5 * np.eye(
            len(weights)
        )
        weights += np.linalg.solve(hessian, x.T @ (y - probability) - 0.5 * weights)
    return weights


data = list(load_moves())
name = np.array([r[0] for r in data])
x = np.array([[1.0, *r[1]] for r in data])
y = np.array([r[2] for r in data], float)
print(
    f"{len(y)} moves, {y.mean():.3f} right; weights of all: "
    + " ".join(f"{w:.3f}" for w in fit(x, y))
)
p = np.zeros(len(y))
for game in np.unique(name):
    out = name == game
    p[out] = 1 / (1 + np.exp(-x[out] @ fit(x[~out], y[~out])))
for raw, label in ((p, "fitted, leave one game out"), (1 / (1 + np.exp(-x[:, 1])), "share alone")):
    bins = np.minimum(9, (raw * 10).astype(int))
    ece = sum(abs((raw[bins == b] - y[bins == b]).sum()) for b in range(10)) / len(y)
    order = np.argsort(raw)
    risk = " ".join(
        f"{100 * k:.0f} %: {100 * (1 - y[order[int(k * len(y)) :]]).sum() / len(y):.2f}"
        for k in (0.02, 0.04, 0.06, 0.1, 0.15)
    )
    print(
        f"{label}: ece {100 * ece:.2f} %; "
        f"silent errors left when the least sure share is asked: {risk}"
    )
    for t in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9):
        asked = raw < t
        print(
            f"   below {t}: asks {100 * asked.mean():.2f} %, "
            f"silent {100 * ((1 - y) * ~asked).sum() / len(y):.2f} %"
        )
