"""Counts what is written in cells: `python fit_ngrams.py --data DATA --out models/ngrams.tsv`.

It counts characters after up to three others, over texts drawn as for training from the club and
over-the-board games. Everything is counted in English letters; the piece letters of another
language are replaced before counting or scoring. Rare texts are left out, so that no game can be
recovered.

The first lines of the file are languages: name, letters for K Q R B N, weight. Then each line is a
context with the counts of the characters that follow it. `^` stands for the beginning and `$` for
the end.
"""

import argparse
import collections
import os
import random

from texts import LANGUAGES, draw_habit, draw_text, load_moves, training_label

MAX_CONTEXT, MIN_COUNT, WRITERS, CELLS_PER_WRITER = 3, 3, 12000, 30
# Weights of languages in which training draws no cells: Spanish, and any other.
SPANISH_WEIGHT, UNDRAWN_WEIGHT = 8, 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seed", type=int, default=5)
    args = parser.parse_args()
    rng, pgn = random.Random(args.seed), os.path.join(args.data, "pgn")
    moves = load_moves(
        [
            os.path.join(pgn, "club_games.pgn.gz"),
            os.path.join(pgn, "otb_openings_avg_below2300.pgn.gz"),
        ],
        6000,
        args.seed,
    )
    texts = collections.Counter()
    for _ in range(WRITERS):
        habit = draw_habit(rng, "en")
        for _ in range(CELLS_PER_WRITER):
            texts[training_label(draw_text(moves, habit, rng), habit)] += 1
    counts = collections.defaultdict(collections.Counter)
    for text, count in texts.items():
        if count >= MIN_COUNT and not set(text) & set("^$"):
            padded = "^" * MAX_CONTEXT + text + "$"
            for i in range(MAX_CONTEXT, len(padded)):
                for k in range(MAX_CONTEXT + 1):
                    counts[padded[i - k : i]][padded[i]] += count
    with open(args.out, "w", encoding="utf-8", newline="\n") as f:
        for name, (letters, weight) in LANGUAGES.items():
            undrawn = SPANISH_WEIGHT if name == "es" else UNDRAWN_WEIGHT
            f.write(f"{name}\t{letters}\t{weight or undrawn}\n")
        f.write("\n")
        for context in sorted(counts):
            f.write(
                context
                + "".join(
                    f"\t{character}{count}" for character, count in sorted(counts[context].items())
                )
                + "\n"
            )
    print(sum(texts.values()), "texts,", len(counts), "contexts")


if __name__ == "__main__":
    main()
