"""Averages the weights of a trained checkpoint with the exported reader that its training went on from.

`python soup.py --work DIR --from OLD.onnx --share 0.7` writes DIR/checkpoint-soup.pt: that share of the checkpoint and the rest of
the old reader, batch normalisation measured anew. What two ends of one training agree on generalises better than either
(Wortsman et al. 2022, Model soups).
"""

import argparse
import os

import shipped
import torch
from augment import BESIDE
from model import ARCHITECTURES
from torch import nn
from train import Data, shown

BATCHES = 8  # Of 256 cells, for the normalisation.


@torch.no_grad()
def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", required=True)
    a.add_argument("--from", dest="old", required=True)
    a.add_argument("--share", type=float, default=0.7)
    a.add_argument("--name", default="checkpoint")
    a.add_argument(
        "--temperature",
        type=float,
        default=1.0,
        help="by which the logits of the old reader were divided",
    )
    o = a.parse_args()
    torch.set_num_threads(1)
    path = os.path.join(o.work, o.name + ".pt")
    state = torch.load(path, map_location="cpu")
    data = Data(o.work, ["train"])
    cells = [data.batch(256, 0.5, 0.6, seed)[0] for seed in range(BATCHES)]
    old, mixed = (ARCHITECTURES[state["architecture"]]() for _ in range(2))
    shipped.load(old, o.old, cells[0])
    old.head.weight *= o.temperature
    old.head.bias *= o.temperature

    def mix(a, b):
        return torch.lerp(a, b, o.share) if a.dtype.is_floating_point else b

    mixed.load_state_dict({k: mix(v, state["average"][k]) for k, v in old.state_dict().items()})
    norms = [m for m in mixed.modules() if isinstance(m, nn.BatchNorm2d)]
    for m in norms:
        m.reset_running_stats()
        m.momentum = None  # A plain mean over the batches.
    mixed.train()
    if norms:
        for x in cells:
            for _, ink in shown(x, BESIDE["reader"], parts=2):
                mixed(ink)
    torch.save({**state, "average": mixed.state_dict()}, os.path.join(o.work, o.name + "-soup.pt"))


if __name__ == "__main__":
    main()
