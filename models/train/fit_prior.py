#!/usr/bin/env python3
"""Fits the move prior: src/prior/weights.txt and src/prior/openings.bin.

    cargo build --release --example prior_features
    python models/train/fit_prior.py /work/shared/data/pgn

Features come from the program itself (examples/prior_features.rs). Club games are split by game after dropping
duplicates: every tenth game is held out and judges; the others, and a share of the over-the-board games, are fitted.
Opening counts come from the fitted club games alone, since the over-the-board file leaves popular openings out.
"""

import argparse
import gzip
import pathlib
import subprocess
import tempfile

import numpy as np
import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOOK_PLIES = 20
MODEL_GAMES = 12.0  # as src/prior/book.rs
LEAST = 3  # a position in the book has been seen in this many games


def games(path):
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as f:
        return list(dict.fromkeys(line.strip() for line in f if line.startswith("1.")))


def extract(lines, keep):
    """Position records and the moves and features of a share `keep` of them."""
    binary = ROOT / "target/release/examples/prior_features"
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        out = f"{folder}/x"
        subprocess.run([binary, out], input="\n".join(lines), text=True, check=True)
        pos = np.fromfile(
            out + ".pos",
            dtype=[("game", "<u4"), ("ply", "<u2"), ("n", "u1"), ("played", "u1"), ("key", "<u4")],
        )
        moves = np.fromfile(out + ".moves", dtype=[("name", "<u2"), ("n", "<u2")])
        features = np.fromfile(out + ".features", dtype="<u2")
    first = np.concatenate([[0], np.cumsum(pos["n"], dtype=np.int64)])
    played = moves["name"][first[:-1] + pos["played"]]
    chosen = np.random.default_rng(1).random(len(pos)) < keep
    of = np.repeat(chosen, pos["n"])
    taken = np.repeat(of, moves["n"])
    return (
        pos,
        played,
        dict(
            pos=pos[chosen],
            names=moves["name"][of],
            n=moves["n"][of].astype(np.int64),
            x=features[taken],
        ),
    )


def batches(data, size, shuffle, rng):
    pos = data["pos"]
    m0 = np.concatenate([[0], np.cumsum(pos["n"], dtype=np.int64)])
    f0 = np.concatenate([[0], np.cumsum(data["n"])])
    starts = np.arange(0, len(pos), size)
    for s in rng.permutation(starts) if shuffle else starts:
        e = min(len(pos), s + size)
        a, b = m0[s], m0[e]
        x = torch.from_numpy(data["x"][f0[a] : f0[b]].astype(np.int64))
        offsets = torch.from_numpy(f0[a:b] - f0[a])
        segment = torch.from_numpy(np.repeat(np.arange(e - s), pos["n"][s:e]))
        played = torch.from_numpy(m0[s:e] - a + pos["played"][s:e])
        yield slice(s, e), slice(a, b), x, offsets, segment, played


def log_softmax(score, segment, n):
    top = torch.full((n,), -1e9).scatter_reduce(0, segment, score.detach(), "amax")
    z = torch.zeros(n).index_add(0, segment, (score - top[segment]).exp()).log() + top
    return score - z[segment]


def count(pos, played):
    book = {}
    for key, ply, name in zip(pos["key"].tolist(), pos["ply"].tolist(), played.tolist()):
        if ply < BOOK_PLIES:
            moves = book.setdefault(key, {})
            moves[name] = moves.get(name, 0) + 1
    return {k: v for k, v in book.items() if sum(v.values()) >= LEAST}


def evaluate(weight, data, book):
    """Perplexity with the model alone and with the book."""
    plain, mixed, by = [], [], []
    with torch.no_grad():
        for p, m, x, offsets, segment, played in batches(data, 2048, False, None):
            score = torch.nn.functional.embedding_bag(x, weight, offsets, mode="sum").squeeze(1)
            lp = log_softmax(score, segment, p.stop - p.start)
            plain.append(lp[played].numpy())
            names, pos = data["names"][m], data["pos"][p]
            ends = np.concatenate([[0], np.cumsum(pos["n"], dtype=np.int64)])
            row = lp[played].numpy().copy()
            for i, r in enumerate(pos):
                seen = book.get(int(r["key"])) if r["ply"] < BOOK_PLIES else None
                if seen:
                    total = sum(seen.get(int(k), 0) for k in names[ends[i] : ends[i + 1]])
                    row[i] = np.log(
                        (seen.get(int(names[played[i]]), 0) + MODEL_GAMES * np.exp(row[i]))
                        / (total + MODEL_GAMES)
                    )
            mixed.append(row)
            by.append(pos["ply"])
    plain, mixed, by = map(np.concatenate, (plain, mixed, by))
    spans = " ".join(
        f"{a}-{b}: {np.exp(-mixed[(by >= a) & (by < b)].mean()):.2f}"
        for a, b in ((0, 10), (10, 20), (20, 40), (40, 80), (80, 300))
    )
    return np.exp(-plain.mean()), np.exp(-mixed.mean()), spans


def main():
    a = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    a.add_argument("data")
    a.add_argument("--epochs", type=int, default=8)
    a.add_argument("--keep", type=float, default=0.5, help="share of the positions fitted on")
    a.add_argument("--otb", type=int, default=3000)
    o = a.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    club = games(f"{o.data}/club_games.pgn.gz")
    held, fitted = club[::10], [g for i, g in enumerate(club) if i % 10]
    otb = [g for g in games(f"{o.data}/otb_openings_avg_below2300.pgn.gz") if g not in set(held)]
    _, _, test = extract(held, 1.0)
    pos, played, train = extract(fitted + otb[:: max(1, len(otb) // o.otb)], o.keep)
    of_club = pos["game"] < len(fitted)
    book = count(pos[of_club], played[of_club])
    entries = [(k, m, n) for k in sorted(book) for m, n in sorted(book[k].items()) if n >= 2]
    print(
        f"{len(train['pos'])} positions fitted, {len(test['pos'])} held out, {len(entries)} book entries",
        flush=True,
    )
    size = int(max(train["x"].max(), test["x"].max())) + 1
    weight = torch.zeros(size, 1, requires_grad=True)
    optimiser = torch.optim.Adam([weight], lr=0.05)
    steps = o.epochs * (len(train["pos"]) // 2048 + 1)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps, 0.001)
    kept = {k: {m: n for m, n in v.items() if n >= 2} for k, v in book.items()}
    for epoch in range(o.epochs):
        for p, _, x, offsets, segment, target in batches(train, 2048, True, rng):
            score = torch.nn.functional.embedding_bag(x, weight, offsets, mode="sum").squeeze(1)
            loss = (
                -log_softmax(score, segment, p.stop - p.start)[target].mean()
                + 1e-6 * (weight**2).sum()
            )
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        print(
            epoch,
            "loss %.4f" % loss.item(),
            "held out %.3f, with counts %.3f; %s" % evaluate(weight.detach(), test, kept),
            flush=True,
        )
    w = np.clip(np.round(weight.detach().squeeze(1).numpy() * 100), -999, 999).astype(int)
    lines = [" ".join(map(str, w[i : i + 32])) for i in range(0, len(w), 32)]
    (ROOT / "src/prior/weights.txt").write_text(
        "# hundredths of a nat, by feature; models/train/fit_prior.py\n" + "\n".join(lines) + "\n"
    )
    record = np.array(entries, dtype=[("key", "<u4"), ("move", "<u2"), ("count", "<u2")])
    (ROOT / "src/prior/openings.bin").write_bytes(record.tobytes())


if __name__ == "__main__":
    main()
