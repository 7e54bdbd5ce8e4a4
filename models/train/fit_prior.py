"""Trains the move prior: models/prior.bin and src/prior/openings.bin.

    cargo build --release --example prior_features
    python models/train/fit_prior.py DATA/pgn --work WORK

The features come from the program itself (examples/prior_features.rs). Club games are split by game
after duplicates are dropped: every tenth game is held out for evaluation, and no game of the other
files that begins like one of these is trained on. Opening counts come from the other club games
alone, since the over-the-board file leaves popular openings out.

The state lies in WORK/prior.pt after every ten minutes, and a later call goes on from there.
"""

import argparse
import gzip
import math
import pathlib
import subprocess
import time

import numpy as np
import torch
from torch import nn

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOOK_PLIES = 20
# Weight of the model beside the counts, in games, as in src/prior/book.rs.
MODEL_GAMES = 12.0
# A position of the book has occurred in at least this many games.
MIN_BOOK_GAMES = 3
# Number of hidden units, as in src/prior/network.rs.
HIDDEN_UNITS = 64
# Two games are the same if so many tokens of their moves are, 20 moves of each player.
TOKENS_OF_A_GAME = 60
# The sets of games: one position of so many is trained on, and the share of the batches that it
# has. Club games are what the prior is for, but of the others there are ten times as many.
SETS = {"club": (1, 1.5), "otb": (1, 4.0), "online": (2, 1.2)}
BATCH_POSITIONS = 1024
# The Opera game (Morphy against Duke Karl and Count Isouard, 1858), with which the program's test
# compares its network.
OPERA_GAME = """1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3
c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7
16. Qb8+ Nxb8 17. Rd8#"""


def load_games(path):
    """Returns the distinct games of a file."""
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as f:
        return list(dict.fromkeys(line.strip() for line in f if line.startswith("1.")))


def split_games(folder):
    """Returns the games of each set, and of the club games those held out."""
    club = load_games(folder / "club_games.pgn.gz")
    held_out = club[::10]

    def beginning(game):
        return tuple(game.split()[:TOKENS_OF_A_GAME])

    known = set(map(beginning, held_out))
    games = {"held_out": held_out, "club": [game for i, game in enumerate(club) if i % 10]}
    for name, file in (
        ("otb", "otb_openings_avg_below2300.pgn.gz"),
        ("online", "online_lichess_jishanshaikh4.pgn.gz"),
    ):
        games[name] = [g for g in load_games(folder / file) if beginning(g) not in known]
    return games


def starts_of(lengths):
    """Returns where each of some parts that lie one after another begins, and where the last
    ends.
    """
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def indices_of_parts(starts, lengths):
    """Returns the indices of some parts of an array, one part after another, and where among these
    each part begins.
    """
    offsets = starts_of(lengths)[:-1]
    return np.repeat(starts - offsets, lengths) + np.arange(lengths.sum()), offsets


class Positions:
    """Positions with their features, and with their legal moves and the features of those."""

    def __init__(self, games, path, one_in):
        binary = ROOT / "target/release/examples/prior_features"
        lines = "\n".join(games)
        subprocess.run([binary, path, str(one_in)], input=lines, text=True, check=True)
        self.records = np.fromfile(
            f"{path}.positions",
            dtype=[
                ("ply", "<u2"),
                ("moves", "u1"),
                ("played", "u1"),
                ("key", "<u4"),
                ("features", "<u2"),
            ],
        )
        moves = np.fromfile(f"{path}.moves", dtype=[("id", "<u2"), ("features", "<u2")])
        self.move_ids, self.move_lengths = moves["id"], moves["features"].astype(np.int64)
        self.features = np.fromfile(f"{path}.position_features", dtype="<u2")
        self.move_features = np.fromfile(f"{path}.move_features", dtype="<u2")
        self.first_feature = starts_of(self.records["features"])
        self.first_move = starts_of(self.records["moves"])
        self.first_move_feature = starts_of(self.move_lengths)

    def __len__(self):
        return len(self.records)

    def ids_of_moves(self, position):
        """Returns the book ids of the legal moves of a position."""
        return self.move_ids[self.first_move[position] : self.first_move[position + 1]]

    def ids_of_played_moves(self):
        """Returns the book id of the move played in each position."""
        return self.move_ids[self.first_move[:-1] + self.records["played"]]

    def make_batch(self, indices):
        """Returns what `score_moves` takes, and the index of each played move among all moves."""
        records = self.records[indices]
        counts = records["moves"].astype(np.int64)
        features, feature_offsets = indices_of_parts(
            self.first_feature[indices], records["features"].astype(np.int64)
        )
        moves, move_offsets = indices_of_parts(self.first_move[indices], counts)
        move_features, move_feature_offsets = indices_of_parts(
            self.first_move_feature[moves], self.move_lengths[moves]
        )
        arrays = (
            self.features[features],
            feature_offsets,
            self.move_features[move_features],
            move_feature_offsets,
            np.repeat(np.arange(len(indices)), counts),
            move_offsets + records["played"],
        )
        *inputs, played = (torch.from_numpy(array.astype(np.int64)) for array in arrays)
        return inputs, played


class MoveNetwork(nn.Module):
    """The network of src/prior/network.rs."""

    def __init__(self, position_features, move_features):
        super().__init__()
        self.position_rows = nn.EmbeddingBag(position_features, HIDDEN_UNITS, mode="sum")
        self.move_rows = nn.EmbeddingBag(move_features, HIDDEN_UNITS, mode="sum")
        self.linear = nn.EmbeddingBag(move_features, 1, mode="sum")
        self.bias = nn.Parameter(torch.zeros(HIDDEN_UNITS))
        self.output = nn.Parameter(torch.randn(HIDDEN_UNITS) * 0.1)
        nn.init.normal_(self.position_rows.weight, 0, 0.1)
        nn.init.normal_(self.move_rows.weight, 0, 0.1)
        nn.init.zeros_(self.linear.weight)

    def score_moves(self, features, offsets, move_features, move_offsets, position_of_move):
        """Returns the log-probabilities of the legal moves of some positions."""
        position_sum = self.position_rows(features, offsets) + self.bias
        hidden = self.move_rows(move_features, move_offsets) + position_sum[position_of_move]
        linear = self.linear(move_features, move_offsets).squeeze(1)
        scores = linear + hidden.relu() @ self.output
        return log_softmax(scores, position_of_move, len(offsets))


def log_softmax(score, segment, count):
    """Returns the log-softmax of scores within each segment."""
    top = torch.full((count,), -1e9).scatter_reduce(0, segment, score.detach(), "amax")
    log_sum = torch.zeros(count).index_add(0, segment, (score - top[segment]).exp()).log() + top
    return score - log_sum[segment]


def count_openings(club):
    """Counts the moves played in each position of the opening."""
    book = {}
    records = club.records
    for key, ply, move in zip(
        records["key"].tolist(),
        records["ply"].tolist(),
        club.ids_of_played_moves().tolist(),
        strict=True,
    ):
        if ply < BOOK_PLIES:
            moves = book.setdefault(key, {})
            moves[move] = moves.get(move, 0) + 1
    return {
        key: {move: count for move, count in counts.items() if count >= 2}
        for key, counts in book.items()
        if sum(counts.values()) >= MIN_BOOK_GAMES
    }


def write_openings(book, path):
    entries = [(k, m, count) for k in sorted(book) for m, count in sorted(book[k].items())]
    np.array(entries, dtype=[("key", "<u4"), ("move", "<u2"), ("count", "<u2")]).tofile(path)


@torch.no_grad()
def evaluate(network, held_out, book):
    """Returns the perplexity of the network alone and with the book, and the latter by ranges of
    plies.
    """
    alone = []
    for start in range(0, len(held_out), 4096):
        inputs, played = held_out.make_batch(np.arange(start, min(len(held_out), start + 4096)))
        alone.append(network.score_moves(*inputs)[played].numpy())
    alone = np.concatenate(alone)
    with_book, plies = alone.copy(), held_out.records["ply"]
    played = held_out.ids_of_played_moves()
    for i in np.flatnonzero(plies < BOOK_PLIES):
        if counts := book.get(int(held_out.records["key"][i])):
            total = sum(counts.get(int(move), 0) for move in held_out.ids_of_moves(i))
            with_book[i] = math.log(
                (counts.get(int(played[i]), 0) + MODEL_GAMES * math.exp(alone[i]))
                / (total + MODEL_GAMES)
            )
    spans = " ".join(
        f"{a}-{b}: {np.exp(-with_book[(plies >= a) & (plies < b)].mean()):.2f}"
        for a, b in ((0, 10), (10, 20), (20, 40), (40, 80), (80, 300))
    )
    means = (np.exp(-values.mean()) for values in (alone, with_book))
    return "held out {:.3f}, with counts {:.3f}; ".format(*means) + spans


def draw_batches(sets, steps, first_step):
    """Yields batches of positions, the same for a step whenever it is asked for."""
    shares = np.array([SETS[name][1] for name in sets])
    for step in range(first_step, steps):
        rng = np.random.default_rng(step)
        positions = list(sets.values())[rng.choice(len(sets), p=shares / shares.sum())]
        yield step, positions.make_batch(rng.integers(len(positions), size=BATCH_POSITIONS))


def train(network, sets, held_out, book, args):
    """Trains the network, and saves its state from time to time."""
    optimiser = torch.optim.Adam(network.parameters(), args.rate, betas=(0.9, 0.99))
    path, first_step = args.work / "prior.pt", 0
    if path.exists():
        state = torch.load(path)
        network.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
        first_step = state["step"]
    saved, losses = time.time(), []
    for step, (inputs, played) in draw_batches(sets, args.steps, first_step):
        cosine = 0.5 * (1 + math.cos(math.pi * step / args.steps))
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1, (step + 1) / 100) * (cosine + 0.005)
        loss = -network.score_moves(*inputs)[played].mean()
        decay = 3e-7 * sum((weight**2).sum() for weight in network.parameters())
        optimiser.zero_grad()
        (loss + decay).backward()
        optimiser.step()
        losses.append(loss.item())
        is_last = step + 1 == args.steps
        if is_last or time.time() - saved > 600:
            state = {"network": network.state_dict(), "optimiser": optimiser.state_dict()}
            torch.save({**state, "step": step + 1}, path)
            figures = evaluate(network, held_out, book)
            print(f"{step + 1} loss {np.mean(losses):.4f}, {figures}", flush=True)
            saved, losses = time.time(), []


def write_network(network, path):
    """Writes the weights as src/prior/network.rs reads them: 8-bit rows with an exponent each."""
    rows = [
        network.position_rows.weight,
        network.move_rows.weight,
        network.bias[None],
        network.output[None],
    ]
    with path.open("wb") as f:
        for row in torch.cat(rows).detach().numpy():
            largest = max(np.abs(row).max(), 1e-9)
            exponent = math.ceil(math.log2(largest / 127))
            f.write(np.int8(exponent).tobytes())
            f.write(np.round(row / 2.0**exponent).astype(np.int8).tobytes())
        f.write(network.linear.weight.detach().numpy().astype("<f4").tobytes())


@torch.no_grad()
def write_golden(network, work, path):
    """Writes the moves of the Opera game with their log-probabilities."""
    game = " ".join(OPERA_GAME.split())
    sans = [token for token in game.split() if not token.endswith(".")]
    positions = Positions([game], work / "prior-golden", 1)
    inputs, played = positions.make_batch(np.arange(len(sans)))
    nats = network.score_moves(*inputs)[played].tolist()
    lines = [f"{san}\t{value:.3f}\n" for san, value in zip(sans, nats, strict=True)]
    path.write_text("".join(lines))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=33_000)
    parser.add_argument("--rate", type=float, default=6e-3)
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    args.work.mkdir(parents=True, exist_ok=True)
    games = split_games(args.data)
    held_out = Positions(games["held_out"], args.work / "prior-held_out", 1)
    sets = {
        name: Positions(games[name], args.work / f"prior-{name}", one_in)
        for name, (one_in, _) in SETS.items()
    }
    counts = ", ".join(f"{len(positions)} {name}" for name, positions in sets.items())
    print(f"positions: {counts}, {len(held_out)} held out", flush=True)
    book = count_openings(sets["club"])
    every_set = [held_out, *sets.values()]
    network = MoveNetwork(
        1 + max(int(positions.features.max()) for positions in every_set),
        1 + max(int(positions.move_features.max()) for positions in every_set),
    )
    train(network, sets, held_out, book, args)
    write_openings(book, ROOT / "src/prior/openings.bin")
    write_network(network, ROOT / "models/prior.bin")
    write_golden(network, args.work, ROOT / "models/golden-prior.tsv")


if __name__ == "__main__":
    main()
