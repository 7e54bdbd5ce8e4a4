"""Averages the weights of a trained checkpoint with the exported reader from which its training
went on.

`python soup.py --work DIR --from OLD.onnx --share 0.7` writes DIR/checkpoint-soup.pt: that share of
the checkpoint and the rest of the old reader, with batch normalisation measured anew. The average
of two ends of one training generalises better than either (Wortsman et al. 2022, Model soups).
"""

import argparse
import os

import onnx_weights
import torch
from augment import PADDING_PX
from model import ARCHITECTURES
from torch import nn
from train import CellData, crop_patches

# Number of batches of 256 cells on which the normalisation is measured.
NORM_BATCHES = 8


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True)
    parser.add_argument("--from", dest="old", required=True)
    parser.add_argument("--share", type=float, default=0.7)
    parser.add_argument("--name", default="checkpoint")
    parser.add_argument(
        "--temperature",
        type=float,
        default=1.0,
        help="by which the logits of the old reader were divided",
    )
    args = parser.parse_args()
    torch.set_num_threads(1)
    path = os.path.join(args.work, args.name + ".pt")
    state = torch.load(path, map_location="cpu")
    data = CellData(args.work, ["train"])
    cells = [data.make_batch(256, 0.5, 0.6, seed)[0] for seed in range(NORM_BATCHES)]
    old, mixed = (ARCHITECTURES[state["architecture"]]() for _ in range(2))
    onnx_weights.load_reader(old, args.old, cells[0])
    old.head.weight *= args.temperature
    old.head.bias *= args.temperature

    def mix_weights(a, b):
        return torch.lerp(a, b, args.share) if a.dtype.is_floating_point else b

    mixed.load_state_dict(
        {
            name: mix_weights(weight, state["average"][name])
            for name, weight in old.state_dict().items()
        }
    )
    norms = [norm for norm in mixed.modules() if isinstance(norm, nn.BatchNorm2d)]
    for norm in norms:
        norm.reset_running_stats()
        # Without momentum the statistics are a plain mean over the batches.
        norm.momentum = None
    mixed.train()
    if norms:
        for batch in cells:
            for _, ink in crop_patches(batch, PADDING_PX["reader"], parts=2):
                mixed(ink)
    torch.save(
        {**state, "average": mixed.state_dict()}, os.path.join(args.work, args.name + "-soup.pt")
    )


if __name__ == "__main__":
    main()
