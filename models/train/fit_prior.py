#!/usr/bin/env python3
"""Fits the move prior: src/prior/weights.txt and src/prior/openings.bin.

    cargo build --release --example prior_features
    python models/train/fit_prior.py DATA/pgn

The features come from the program itself (examples/prior_features.rs). Club games are split by game
after duplicates are dropped: every tenth game is held out for evaluation; the others, and a share
of the over-the-board games, are fitted. Opening counts come from the fitted club games alone, since
the over-the-board file leaves popular openings out.
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
# Weight of the model beside the counts, in games, as in src/prior/book.rs.
MODEL_GAMES = 12.0
# A position of the book has occurred in at least this many games.
MIN_BOOK_GAMES = 3


def load_games(path):
    """Returns the distinct games of a file."""
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as f:
        return list(dict.fromkeys(line.strip() for line in f if line.startswith("1.")))


def extract_features(lines, keep):
    """Returns the positions, the moves played, and the features of a share `keep` of them."""
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
    of_chosen = np.repeat(chosen, pos["n"])
    feature_taken = np.repeat(of_chosen, moves["n"])
    return (
        pos,
        played,
        dict(
            pos=pos[chosen],
            names=moves["name"][of_chosen],
            n=moves["n"][of_chosen].astype(np.int64),
            x=features[feature_taken],
        ),
    )


def iterate_batches(data, size, shuffle, rng):
    """Yields slices of positions with the features of all their moves."""
    pos = data["pos"]
    first_move = np.concatenate([[0], np.cumsum(pos["n"], dtype=np.int64)])
    first_feature = np.concatenate([[0], np.cumsum(data["n"])])
    starts = np.arange(0, len(pos), size)
    for start in rng.permutation(starts) if shuffle else starts:
        end = min(len(pos), start + size)
        move_start, move_end = first_move[start], first_move[end]
        x = torch.from_numpy(
            data["x"][first_feature[move_start] : first_feature[move_end]].astype(np.int64)
        )
        offsets = torch.from_numpy(first_feature[move_start:move_end] - first_feature[move_start])
        segment = torch.from_numpy(np.repeat(np.arange(end - start), pos["n"][start:end]))
        played = torch.from_numpy(first_move[start:end] - move_start + pos["played"][start:end])
        yield slice(start, end), slice(move_start, move_end), x, offsets, segment, played


def log_softmax(score, segment, n):
    """Returns the log-softmax of scores within each segment."""
    top = torch.full((n,), -1e9).scatter_reduce(0, segment, score.detach(), "amax")
    log_sum = torch.zeros(n).index_add(0, segment, (score - top[segment]).exp()).log() + top
    return score - log_sum[segment]


def count_openings(pos, played):
    """Counts the moves played in each position of the opening."""
    book = {}
    for key, ply, name in zip(pos["key"].tolist(), pos["ply"].tolist(), played.tolist()):
        if ply < BOOK_PLIES:
            moves = book.setdefault(key, {})
            moves[name] = moves.get(name, 0) + 1
    return {
        book_key: move_counts
        for book_key, move_counts in book.items()
        if sum(move_counts.values()) >= MIN_BOOK_GAMES
    }


def evaluate(weight, data, book):
    """Returns the perplexity of the model alone and with the book, and the latter by ranges of
    plies.
    """
    model_alone, with_book, plies = [], [], []
    with torch.no_grad():
        for position_slice, move_slice, x, offsets, segment, played in iterate_batches(
            data, 2048, False, None
        ):
            score = torch.nn.functional.embedding_bag(x, weight, offsets, mode="sum").squeeze(1)
            log_probability = log_softmax(
                score, segment, position_slice.stop - position_slice.start
            )
            model_alone.append(log_probability[played].numpy())
            names, pos = data["names"][move_slice], data["pos"][position_slice]
            ends = np.concatenate([[0], np.cumsum(pos["n"], dtype=np.int64)])
            mixed_row = log_probability[played].numpy().copy()
            for i, record in enumerate(pos):
                entry = book.get(int(record["key"])) if record["ply"] < BOOK_PLIES else None
                if entry:
                    total = sum(entry.get(int(k), 0) for k in names[ends[i] : ends[i + 1]])
                    mixed_row[i] = np.log(
                        (entry.get(int(names[played[i]]), 0) + MODEL_GAMES * np.exp(mixed_row[i]))
                        / (total + MODEL_GAMES)
                    )
            with_book.append(mixed_row)
            plies.append(pos["ply"])
    model_alone, with_book, plies = map(np.concatenate, (model_alone, with_book, plies))
    spans = " ".join(
        f"{a}-{b}: {np.exp(-with_book[(plies >= a) & (plies < b)].mean()):.2f}"
        for a, b in ((0, 10), (10, 20), (20, 40), (40, 80), (80, 300))
    )
    return np.exp(-model_alone.mean()), np.exp(-with_book.mean()), spans


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--keep", type=float, default=0.5, help="share of the positions fitted on")
    parser.add_argument("--otb", type=int, default=3000)
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    club = load_games(f"{args.data}/club_games.pgn.gz")
    held_out, fitted = club[::10], [game for i, game in enumerate(club) if i % 10]
    otb = [
        game
        for game in load_games(f"{args.data}/otb_openings_avg_below2300.pgn.gz")
        if game not in set(held_out)
    ]
    _, _, test = extract_features(held_out, 1.0)
    pos, played, train = extract_features(fitted + otb[:: max(1, len(otb) // args.otb)], args.keep)
    of_club = pos["game"] < len(fitted)
    book = count_openings(pos[of_club], played[of_club])
    entries = [
        (k, m, count) for k in sorted(book) for m, count in sorted(book[k].items()) if count >= 2
    ]
    print(
        f"{len(train['pos'])} positions fitted, {len(test['pos'])} held out,",
        f"{len(entries)} book entries",
        flush=True,
    )
    size = int(max(train["x"].max(), test["x"].max())) + 1
    weight = torch.zeros(size, 1, requires_grad=True)
    optimiser = torch.optim.Adam([weight], lr=0.05)
    steps = args.epochs * (len(train["pos"]) // 2048 + 1)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps, 0.001)
    kept_book = {
        k: {m: count for m, count in move_counts.items() if count >= 2}
        for k, move_counts in book.items()
    }
    for epoch in range(args.epochs):
        for position_slice, _, x, offsets, segment, target in iterate_batches(
            train, 2048, True, rng
        ):
            score = torch.nn.functional.embedding_bag(x, weight, offsets, mode="sum").squeeze(1)
            loss = (
                -log_softmax(score, segment, position_slice.stop - position_slice.start)[
                    target
                ].mean()
                + 1e-6 * (weight**2).sum()
            )
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        alone, with_counts, spans = evaluate(weight.detach(), test, kept_book)
        print(
            epoch,
            f"loss {loss.item():.4f}",
            f"held out {alone:.3f}, with counts {with_counts:.3f}; {spans}",
            flush=True,
        )
    rounded = np.clip(np.round(weight.detach().squeeze(1).numpy() * 100), -999, 999).astype(int)
    lines = [" ".join(map(str, rounded[i : i + 32])) for i in range(0, len(rounded), 32)]
    (ROOT / "src/prior/weights.txt").write_text(
        "# hundredths of a nat, by feature; models/train/fit_prior.py\n" + "\n".join(lines) + "\n"
    )
    record = np.array(entries, dtype=[("key", "<u4"), ("move", "<u2"), ("count", "<u2")])
    (ROOT / "src/prior/openings.bin").write_bytes(record.tobytes())


if __name__ == "__main__":
    main()
