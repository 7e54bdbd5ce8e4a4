"""Makes the sheets of `benches/stages.rs`: photographs of filled forms by hands and on forms that
trained nothing, written with fonts alone, whose licence lets the pictures into the repository.

`python models/train/bench_sheets.py --data DATA --fonts NODE_MODULES --out DIR --count 40` makes
candidates; twelve of them are in `benches/sheets`.
"""

import argparse
import os
import random

import event

PLAYERS = ("Abrantes, Duarte", "Zanella, Ilaria")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", required=True)
    parser.add_argument("--fonts", required=True, help="the node_modules folder with @fontsource")
    parser.add_argument("--prints", default=os.path.expanduser("~/.cache/sheetscan-fonts"))
    parser.add_argument("--out", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=45)
    args = parser.parse_args()
    os.makedirs(os.path.join(args.out, "sheets"), exist_ok=True)
    games = event.draw_games(
        os.path.join(args.data, "pgn", "club_games.pgn.gz"), args.count, args.seed
    )
    maker = event.SheetMaker(args, random.Random(args.seed), wrong_result=None)
    maker.bank = None
    for board, (moves, result) in enumerate(games, 1):
        maker.make(board, (moves, result), PLAYERS, 3, board)


if __name__ == "__main__":
    main()
