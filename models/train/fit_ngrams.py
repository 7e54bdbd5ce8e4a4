"""Counts what is written in cells: `python fit_ngrams.py --data DATA --out models/ngrams.tsv`.

Characters after up to three others, in English letters (the piece letters of another language are put in their place before
counting or scoring), over texts drawn as for training from the club and over-the-board games. Rare texts are left out, so that no
game can be recovered. First lines: `language`, its letters for K Q R B N, its weight. Then a context a line, `^` for the
beginning, and its characters with their counts, `$` for the end.
"""

import argparse
import collections
import os
import random

from texts import LANGUAGES, draw, habit, label, load_moves

BEFORE, LEAST, WRITERS, CELLS = 3, 3, 12000, 30
UNDRAWN = 8  # Weight of a language that training draws no cells in.


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--data", required=True)
    a.add_argument("--out", required=True)
    a.add_argument("--seed", type=int, default=5)
    o = a.parse_args()
    rng, pgn = random.Random(o.seed), os.path.join(o.data, "pgn")
    moves = load_moves(
        [
            os.path.join(pgn, "club_games.pgn.gz"),
            os.path.join(pgn, "otb_openings_avg_below2300.pgn.gz"),
        ],
        6000,
        o.seed,
    )
    texts = collections.Counter()
    for _ in range(WRITERS):
        h = habit(rng, "en")
        for _ in range(CELLS):
            texts[label(draw(moves, h, rng), h)] += 1
    counts = collections.defaultdict(collections.Counter)
    for text, n in texts.items():
        if n >= LEAST and not set(text) & set("^$"):
            whole = "^" * BEFORE + text + "$"
            for i in range(BEFORE, len(whole)):
                for k in range(BEFORE + 1):
                    counts[whole[i - k : i]][whole[i]] += n
    with open(o.out, "w", encoding="utf-8", newline="\n") as f:
        for name, (letters, weight) in LANGUAGES.items():
            f.write(f"{name}\t{letters}\t{weight or UNDRAWN}\n")
        f.write("\n")
        for context in sorted(counts):
            f.write(
                context + "".join(f"\t{c}{n}" for c, n in sorted(counts[context].items())) + "\n"
            )
    print(sum(texts.values()), "texts,", len(counts), "contexts")


if __name__ == "__main__":
    main()
