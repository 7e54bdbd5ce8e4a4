"""Finds training cells whose tag is not what stands in them, by the game that the whole sheet tells.

`python labels.py --work DIR --games train.jsonl --out corrections.tsv`: `sheetscan scan --json` on the train pages says which cell
was taken for which ply; where a sure ply is another move than the tag, and a trained reader finds the move's SAN (without
+ and #) more probable than the tag by MARGIN nats, the label becomes the move. Where it finds neither probable, the cell is
left out (empty label). `--set dev --played DATA/hcs/played` does so for the dev pages by the games that were played, before the last
training takes them too.
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
from augment import normalise, window
from model import FRAMES, trained
from train import canonical, norm

MARGIN = 1.0
UNLIKELY = 14.0
SURE = 0.97


def decoded_moves(games):
    """Cell to the SAN of the ply it was taken for, where the decoder is sure of it."""
    moves = {}
    for line in open(games, encoding="utf-8"):
        game = json.loads(line)
        stems = [os.path.splitext(os.path.basename(sheet["path"]))[0] for sheet in game["sheets"]]
        for ply in game["plies"]:
            for cell in ply["cells"] if ply["confidence"] >= SURE else []:
                moves[stems[cell["sheet"]], cell["move"], cell["side"]] = ply["san"].rstrip("+#")
    return moves


def played_moves(folder):
    """Cell to the SAN of the ply that was played and that it is for."""
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
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", required=True)
    a.add_argument("--set", default="train")
    told = a.add_mutually_exclusive_group(required=True)
    told.add_argument("--games", help="what sheetscan scan --json made of the pages")
    told.add_argument("--played", help="the games that were played")
    a.add_argument("--out", required=True)
    a.add_argument("--name", default="checkpoint")
    o = a.parse_args()
    torch.set_num_threads(1)
    model = trained(o.work, o.name)
    z = np.load(os.path.join(o.work, o.set + ".npz"))
    decoded, counts = (
        decoded_moves(o.games) if o.games else played_moves(o.played),
        collections.Counter(),
    )
    with open(o.out, "w", encoding="utf-8") as f:
        f.write("page\tmove\tside\ttag\tlabel\n")
        for i, tag in enumerate(map(str, z["text"])):
            key = (str(z["page"][i]), int(z["move"][i]), str(z["side"][i]))
            move = decoded.get(key)
            if not tag or canonical(tag) is None or move is None or norm(move) == norm(tag):
                continue
            log = model(
                normalise(
                    window(torch.from_numpy(z["canvas"][i : i + 1]).float()[None] / 255, None, 0.0)
                )
            )

            def cost(s):
                return F.ctc_loss(
                    log.transpose(0, 1),
                    torch.tensor([encode(s)]),
                    torch.tensor([FRAMES]),
                    torch.tensor([len(s)]),
                    reduction="sum",
                ).item()

            # Short pawn captures and the like are right tags of other words.
            written, truth = cost(canonical(tag)), cost(move)
            if truth < written - MARGIN:
                label, what = move + tag[len(tag.rstrip("+#")) :], "the ply"
            else:
                label, what = ("", "left out") if min(truth, written) > UNLIKELY else (tag, "kept")
            counts[what] += 1
            if label != tag:
                f.write("\t".join(map(str, (*key, tag, label))) + "\n")
    print(dict(counts))


if __name__ == "__main__":
    main()
