"""The reader's network: a small convolutional stem and a bidirectional LSTM, trained with CTC; and those it was compared with.

Input N x 1 x 48 x 192 (ink, about 0 to 1) or narrower, output N x 48 x CLASSES log-posteriors, a frame for four pixels.
"""

import os

import torch
from alphabet import CLASSES
from torch import nn
from trunk import PrunedTrunk, TinyTrunk, Trunk

HEIGHT, WIDTH, FRAMES = 48, 192, 48
WIDTHS = tuple(range(64, WIDTH + 1, 16))  # Pixels of a patch that are shown, as its writing needs.


def unit(inputs, outputs, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


def lean(inputs, within, outputs, stride=1):
    """A 3x3 convolution between fewer channels than it has outside (Kim et al. 2016, Tucker-2 decomposition)."""
    less = [] if within[0] == inputs else [nn.Conv2d(inputs, within[0], 1, bias=False)]
    between = nn.Conv2d(*within, 3, stride, 1, bias=False)
    return nn.Sequential(*less, between, nn.Conv2d(within[1], outputs, 1), nn.ReLU(inplace=True))


class Residual(nn.Module):
    def __init__(self, *units):
        super().__init__()
        self.body = nn.Sequential(*units)

    def forward(self, x):
        return x + self.body(x)


class Seen(nn.Module):
    """What the readers have in common: convolutions, their columns squeezed into frames, and what is made of these (`through`).

    Training reads the frames by a shortcut too, which makes the convolutions tell characters where they stand (Retsinas et al.
    2022, Best practices for a handwritten text recognition system)."""

    def __init__(self, stem, channels, width):
        super().__init__()
        self.stem = stem
        self.squeeze = nn.Sequential(
            nn.Linear(3 * channels, width), nn.ReLU(inplace=True), nn.Dropout(0.2)
        )
        self.drop = nn.Dropout2d(0.1)
        self.shortcut = nn.Conv1d(width, CLASSES, 3, padding=1)

    def forward(self, x):
        return self.through(self.frames(x))

    def frames(self, x):
        return self.squeeze(self.drop(self.stem(x)).permute(0, 3, 1, 2).flatten(2))

    def both(self, x):
        """Log-posteriors of the network and of the shortcut."""
        seen = self.frames(x)
        return self.through(seen), self.shortcut(seen.transpose(1, 2)).transpose(1, 2).log_softmax(
            -1
        )


class Reader(Seen):
    def __init__(self, hidden=128):
        stem = nn.Sequential(
            unit(1, 24, 2),  # 24 x 96
            unit(24, 32, (2, 1)),  # 12 x 96
            unit(32, 48),
            unit(48, 64, 2),  # 6 x 48
            Residual(unit(64, 64), unit(64, 64)),
            unit(64, 128, (2, 1)),  # 3 x 48
            Residual(unit(128, 128)),
        )
        super().__init__(stem, 128, 128)
        self.recur(hidden)

    def recur(self, hidden):
        self.lstm = nn.LSTM(128, hidden, 2, bidirectional=True, batch_first=True, dropout=0.3)
        self.head = nn.Linear(2 * hidden, CLASSES)

    def through(self, seen):
        y, _ = self.lstm(seen)
        return self.head(y).log_softmax(-1)


class LeanReader(Reader):
    """The reader with 35 for 85 million multiplications in its convolutions, fitted to it by `lean.py`."""

    def __init__(self, hidden=128):
        stem = nn.Sequential(
            nn.Sequential(nn.Conv2d(1, 24, 3, 2, 1), nn.ReLU(inplace=True)),
            lean(24, (24, 16), 32, (2, 1)),
            lean(32, (16, 24), 48),
            lean(48, (24, 32), 64, 2),
            Residual(lean(64, (32, 32), 64), lean(64, (32, 32), 64)),
            lean(64, (32, 64), 128, (2, 1)),
            Residual(lean(128, (64, 64), 128)),
        )
        Seen.__init__(self, stem, 128, 128)
        self.recur(hidden)


class Separable(nn.Module):
    """A depthwise 3x3 and a pointwise convolution (Howard et al. 2017, MobileNets), residual where the shape stays."""

    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inputs, inputs, 3, stride, 1, groups=inputs, bias=False),
            nn.BatchNorm2d(inputs),
            nn.ReLU(inplace=True),
            nn.Conv2d(inputs, outputs, 1, bias=False),
            nn.BatchNorm2d(outputs),
            nn.ReLU(inplace=True),
        )
        self.same = inputs == outputs and stride == 1

    def forward(self, x):
        return x + self.body(x) if self.same else self.body(x)


def separable_stem():
    """A 3 x 48 map of 192 channels."""
    return nn.Sequential(
        unit(1, 32, 2),
        Separable(32, 64, (2, 1)),
        Separable(64, 64),
        Separable(64, 128, 2),
        Separable(128, 128),
        Separable(128, 128),
        Separable(128, 192, (2, 1)),
        Separable(192, 192),
        Separable(192, 192),
    )


class DepthwiseReader(Reader):
    """The reader with a depthwise separable stem."""

    def __init__(self, hidden=128):
        Seen.__init__(self, separable_stem(), 192, 128)
        self.recur(hidden)


class Mixer(nn.Module):
    """Self-attention, a 1 x 7 depthwise convolution and a feed-forward layer (Gulati et al. 2020, Conformer, abridged)."""

    def __init__(self, width, heads=2, drop=0.1):
        super().__init__()
        self.heads, self.drop = heads, drop
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.near = nn.Conv1d(width, width, 7, padding=3, groups=width)
        self.feed = nn.Sequential(
            nn.Linear(width, 2 * width),
            nn.ReLU(inplace=True),
            nn.Dropout(drop),
            nn.Linear(2 * width, width),
        )

    def forward(self, x):
        n, t, w = x.shape
        q, k, v = (
            self.qkv(self.norms[0](x))
            .view(n, t, 3, self.heads, w // self.heads)
            .permute(2, 0, 3, 1, 4)
        )
        a = (q @ k.transpose(-1, -2) * (w // self.heads) ** -0.5).softmax(-1) @ v
        x = x + self.out(a.transpose(1, 2).reshape(n, t, w))
        x = x + self.near(self.norms[1](x).transpose(1, 2)).transpose(1, 2).relu()
        return x + self.feed(self.norms[2](x))


class AttentionReader(Seen):
    """A depthwise separable stem and layers of attention."""

    def __init__(self, stem=None, channels=192, width=160, layers=3):
        super().__init__(stem or separable_stem(), channels, width)
        self.place = nn.Parameter(torch.randn(1, FRAMES, width) * 0.02)
        self.mixers = nn.Sequential(*[Mixer(width) for _ in range(layers)])
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, CLASSES))

    def through(self, seen):
        return self.head(self.mixers(seen + self.place[:, : seen.shape[1]])).log_softmax(-1)


class Inverted(nn.Module):
    """A depthwise 3x3 convolution, then two pointwise ones with twice the channels between them (PP-OCRv6's blocks, as in trunk.py, with
    batch normalisation), residual where the shape stays."""

    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inputs, inputs, 3, (stride, 1), 1, groups=inputs, bias=False),
            nn.BatchNorm2d(inputs),
            nn.Conv2d(inputs, 2 * inputs, 1, bias=False),
            nn.BatchNorm2d(2 * inputs),
            nn.ReLU(inplace=True),
            nn.Conv2d(2 * inputs, outputs, 1, bias=False),
            nn.BatchNorm2d(outputs),
        )
        self.same = inputs == outputs and stride == 1

    def forward(self, x):
        return x + self.body(x) if self.same else self.body(x)


def inverted_stem(width, blocks):
    """A 3 x 48 map of four times `width` channels; `blocks` at 12, 6 and 3 rows."""
    layers = [unit(1, width // 2, 2), unit(width // 2, width, 2)]
    for rows, count in enumerate(blocks):
        layers += [Inverted(width << rows, width << rows) for _ in range(count)]
        layers += [Inverted(width << rows, width << (rows + 1), 2)] if rows < 2 else []
    return nn.Sequential(*layers)


def inverted():
    return AttentionReader(inverted_stem(48, (2, 3, 2)), 192, 160, 2)


def wide():
    return AttentionReader(inverted_stem(64, (3, 4, 2)), 256, 192, 3)


class PretrainedReader(Reader):
    """The reader with convolutions that have read before."""

    trunk, channels = Trunk, 384

    def __init__(self, hidden=128):
        Seen.__init__(self, self.trunk(), self.channels, 128)
        self.recur(hidden)


class PrunedReader(PretrainedReader):
    """The same with fewer hidden channels, fitted to it by `lean.py`."""

    trunk = PrunedTrunk


class TinyReader(PretrainedReader):
    """The reader with those of a smaller network that has read before."""

    trunk, channels = TinyTrunk, 160


ARCHITECTURES = {
    "crnn": Reader,
    "depthwise": DepthwiseReader,
    "attention": AttentionReader,
    "inverted": inverted,
    "wide": wide,
    "pretrained": PretrainedReader,
    "tiny": TinyReader,
    "lean": LeanReader,
    "pruned": PrunedReader,
}


def trained(work, name):
    """The averaged weights of the checkpoint `name` in `work`, ready to read."""
    state = torch.load(os.path.join(work, name + ".pt"), map_location="cpu")
    model = ARCHITECTURES[state.get("architecture", "crnn")]()
    model.load_state_dict(state["average"])
    return model.eval()
