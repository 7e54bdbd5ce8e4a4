"""Finds training cells whose tag is not what stands in them, from the game that the whole sheet
tells.

`python labels.py --work DIR --games train.jsonl --out corrections.tsv` uses `sheetscan scan --json`
on the train pages, which says which cell was taken for which ply. The label becomes the move of the
ply where a sure ply is another move than the tag and a trained reader finds the SAN of the move
(without + and #) more probable than the tag by MIN_MARGIN_NATS. Where the reader finds neither
probable, the cell is left out (empty label). `--set dev --played DATA/hcs/played` does so for the
dev pages by the games that were played.
"""

import argparse
import collections
import glob
import json
import os

import numpy as np
import torch
import torch.nn.functional as F
from alphabet import encode
from augment import normalize_ink, sample_window
from model import FRAMES, load_averaged
from train import canonical_tag, normalize_reading

MIN_MARGIN_NATS = 1.0
MAX_COST_NATS = 14.0
MIN_CONFIDENCE = 0.97


def decoded_moves(games):
    """Returns the SAN of the ply that each cell was taken for, where the decoder is sure of it."""
    moves = {}
    for line in open(games, encoding="utf-8"):
        game = json.loads(line)
        stems = [os.path.splitext(os.path.basename(sheet["path"]))[0] for sheet in game["sheets"]]
        for ply in game["plies"]:
            for cell in ply["cells"] if ply["confidence"] >= MIN_CONFIDENCE else []:
                moves[stems[cell["sheet"]], cell["move"], cell["side"]] = ply["san"].rstrip("+#")
    return moves


def played_moves(folder):
    """Returns the SAN of the played ply that each cell belongs to."""
    moves = {}
    for path in glob.glob(os.path.join(folder, "*.json")):
        game = json.load(open(path, encoding="utf-8"))
        for ply in game["plies"]:
            written = {
                copy: cell
                for copy, cell in ply.get("cells", {}).items()
                if ply["sure"] and cell is not None
            }
            for copy, cell in written.items():
                moves[f"{game['game']}_{copy}", cell // 2 + 1, ("white", "black")[cell % 2]] = ply[
                    "san"
                ].rstrip("+#")
    return moves


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True)
    parser.add_argument("--set", default="train")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--games", help="what sheetscan scan --json made of the pages")
    source.add_argument("--played", help="the games that were played")
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", default="checkpoint")
    args = parser.parse_args()
    torch.set_num_threads(1)
    model = load_averaged(args.work, args.name)
    archive = np.load(os.path.join(args.work, args.set + ".npz"))
    decoded, counts = (
        decoded_moves(args.games) if args.games else played_moves(args.played),
        collections.Counter(),
    )
    with open(args.out, "w", encoding="utf-8") as f:
        f.write("page\tmove\tside\ttag\tlabel\n")
        for i, tag in enumerate(map(str, archive["text"])):
            key = (str(archive["page"][i]), int(archive["move"][i]), str(archive["side"][i]))
            move = decoded.get(key)
            if (
                not tag
                or canonical_tag(tag) is None
                or move is None
                or normalize_reading(move) == normalize_reading(tag)
            ):
                continue
            logs = model(
                normalize_ink(
                    sample_window(
                        torch.from_numpy(archive["canvas"][i : i + 1]).float()[None] / 255,
                        None,
                        0.0,
                    )
                )
            )

            def string_cost(text):
                return F.ctc_loss(
                    logs.transpose(0, 1),
                    torch.tensor([encode(text)]),
                    torch.tensor([FRAMES]),
                    torch.tensor([len(text)]),
                    reduction="sum",
                ).item()

            # Tags in other words, such as short pawn captures, are right and are kept.
            tag_cost, move_cost = string_cost(canonical_tag(tag)), string_cost(move)
            if move_cost < tag_cost - MIN_MARGIN_NATS:
                label, outcome = move + tag[len(tag.rstrip("+#")) :], "the ply"
            else:
                label, outcome = (
                    ("", "left out") if min(move_cost, tag_cost) > MAX_COST_NATS else (tag, "kept")
                )
            counts[outcome] += 1
            if label != tag:
                f.write("\t".join(map(str, (*key, tag, label))) + "\n")
    print(dict(counts))


if __name__ == "__main__":
    main()
