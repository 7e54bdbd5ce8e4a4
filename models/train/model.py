"""Defines the network of the reader, and those it was compared with: a small convolutional stem and
a bidirectional LSTM, trained with CTC.

The input is ink [N, 1, 48, 192], about 0 to 1, or narrower. The output is log-posteriors [N, 48,
CLASS_COUNT], one frame for four pixels.
"""

import os

import torch
from alphabet import CLASS_COUNT
from torch import nn
from trunk import PrunedTrunk, TinyTrunk, Trunk

HEIGHT, WIDTH, FRAMES = 48, 192, 48
# Widths to which a patch may be cropped, in pixels; the writing decides which.
WIDTHS = tuple(range(64, WIDTH + 1, 16))


def conv_block(inputs, outputs, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


def factored_conv_block(inputs, inner, outputs, stride=1):
    """A 3x3 convolution with fewer inner channels than it has outside (Kim et al. 2016, Tucker-2
    decomposition).
    """
    reduce = [] if inner[0] == inputs else [nn.Conv2d(inputs, inner[0], 1, bias=False)]
    middle = nn.Conv2d(*inner, 3, stride, 1, bias=False)
    return nn.Sequential(*reduce, middle, nn.Conv2d(inner[1], outputs, 1), nn.ReLU(inplace=True))


class Residual(nn.Module):
    def __init__(self, *units):
        super().__init__()
        self.body = nn.Sequential(*units)

    def forward(self, x):
        return x + self.body(x)


class CtcBackbone(nn.Module):
    """What the readers have in common: convolutions, whose columns are squeezed into frames, and
    layers that classify the frames.

    Training also reads the frames through a shortcut, which makes the convolutions recognise
    characters where they stand (Retsinas et al. 2022, Best practices for a handwritten text
    recognition system).
    """

    def __init__(self, stem, channels, width):
        super().__init__()
        self.stem = stem
        self.squeeze = nn.Sequential(
            nn.Linear(3 * channels, width), nn.ReLU(inplace=True), nn.Dropout(0.2)
        )
        self.drop = nn.Dropout2d(0.1)
        self.shortcut = nn.Conv1d(width, CLASS_COUNT, 3, padding=1)

    def forward(self, x):
        return self.classify_frames(self.frames(x))

    def frames(self, x):
        return self.squeeze(self.drop(self.stem(x)).permute(0, 3, 1, 2).flatten(2))

    def with_shortcut(self, x):
        """Returns the log-posteriors of the network and of the shortcut."""
        frames = self.frames(x)
        return self.classify_frames(frames), self.shortcut(frames.transpose(1, 2)).transpose(
            1, 2
        ).log_softmax(-1)


class Reader(CtcBackbone):
    """The reader that ships as reader.onnx."""

    def __init__(self, hidden=128):
        # The stem takes the ink from 48 x 192 to 24 x 96, 12 x 96, 6 x 48 and 3 x 48.
        stem = nn.Sequential(
            conv_block(1, 24, 2),
            conv_block(24, 32, (2, 1)),
            conv_block(32, 48),
            conv_block(48, 64, 2),
            Residual(conv_block(64, 64), conv_block(64, 64)),
            conv_block(64, 128, (2, 1)),
            Residual(conv_block(128, 128)),
        )
        super().__init__(stem, 128, 128)
        self.add_recurrent_layers(hidden)

    def add_recurrent_layers(self, hidden):
        self.lstm = nn.LSTM(128, hidden, 2, bidirectional=True, batch_first=True, dropout=0.3)
        self.head = nn.Linear(2 * hidden, CLASS_COUNT)

    def classify_frames(self, frames):
        hidden, _ = self.lstm(frames)
        return self.head(hidden).log_softmax(-1)


class LeanReader(Reader):
    """The reader with 35 instead of 85 million multiplications in its convolutions, fitted to it by
    `lean.py`.
    """

    def __init__(self, hidden=128):
        stem = nn.Sequential(
            nn.Sequential(nn.Conv2d(1, 24, 3, 2, 1), nn.ReLU(inplace=True)),
            factored_conv_block(24, (24, 16), 32, (2, 1)),
            factored_conv_block(32, (16, 24), 48),
            factored_conv_block(48, (24, 32), 64, 2),
            Residual(factored_conv_block(64, (32, 32), 64), factored_conv_block(64, (32, 32), 64)),
            factored_conv_block(64, (32, 64), 128, (2, 1)),
            Residual(factored_conv_block(128, (64, 64), 128)),
        )
        CtcBackbone.__init__(self, stem, 128, 128)
        self.add_recurrent_layers(hidden)


class Separable(nn.Module):
    """A depthwise 3x3 and a pointwise convolution (Howard et al. 2017, MobileNets), residual where
    the shape stays.
    """

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


def build_separable_stem():
    """A stem of separable convolutions whose output is [192, 3, 48]."""
    return nn.Sequential(
        conv_block(1, 32, 2),
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
        CtcBackbone.__init__(self, build_separable_stem(), 192, 128)
        self.add_recurrent_layers(hidden)


class Mixer(nn.Module):
    """Self-attention, a 1 x 7 depthwise convolution and a feed-forward layer (Gulati et al. 2020,
    Conformer, abridged).
    """

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
        batch, frames, width = x.shape
        query, key, value = (
            self.qkv(self.norms[0](x))
            .view(batch, frames, 3, self.heads, width // self.heads)
            .permute(2, 0, 3, 1, 4)
        )
        attended = (query @ key.transpose(-1, -2) * (width // self.heads) ** -0.5).softmax(
            -1
        ) @ value
        x = x + self.out(attended.transpose(1, 2).reshape(batch, frames, width))
        x = x + self.near(self.norms[1](x).transpose(1, 2)).transpose(1, 2).relu()
        return x + self.feed(self.norms[2](x))


class AttentionReader(CtcBackbone):
    """A depthwise separable stem and layers of attention."""

    def __init__(self, stem=None, channels=192, width=160, layers=3):
        super().__init__(stem or build_separable_stem(), channels, width)
        self.place = nn.Parameter(torch.randn(1, FRAMES, width) * 0.02)
        self.mixers = nn.Sequential(*[Mixer(width) for _ in range(layers)])
        self.head = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, CLASS_COUNT))

    def classify_frames(self, frames):
        return self.head(self.mixers(frames + self.place[:, : frames.shape[1]])).log_softmax(-1)


class Inverted(nn.Module):
    """A depthwise 3x3 convolution, then two pointwise ones with twice the channels between them,
    residual where the shape stays.

    These are the blocks of PP-OCRv6, as in trunk.py, with batch normalisation.
    """

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


def build_inverted_stem(width, blocks):
    """A stem of inverted blocks whose output is [4 * width, 3, 48]; `blocks` are the numbers of
    blocks at 12, 6 and 3 rows.
    """
    layers = [conv_block(1, width // 2, 2), conv_block(width // 2, width, 2)]
    for rows, count in enumerate(blocks):
        layers += [Inverted(width << rows, width << rows) for _ in range(count)]
        layers += [Inverted(width << rows, width << (rows + 1), 2)] if rows < 2 else []
    return nn.Sequential(*layers)


def build_inverted_reader():
    return AttentionReader(build_inverted_stem(48, (2, 3, 2)), 192, 160, 2)


def build_wide_reader():
    return AttentionReader(build_inverted_stem(64, (3, 4, 2)), 256, 192, 3)


class PretrainedReader(Reader):
    """The reader with pretrained convolutions."""

    trunk, channels = Trunk, 384

    def __init__(self, hidden=128):
        CtcBackbone.__init__(self, self.trunk(), self.channels, 128)
        self.add_recurrent_layers(hidden)


class PrunedReader(PretrainedReader):
    """The pretrained reader with fewer hidden channels, fitted to it by `lean.py`; it ships as
    second_stage.onnx.
    """

    trunk = PrunedTrunk


class TinyReader(PretrainedReader):
    """The reader with the convolutions of a smaller pretrained network."""

    trunk, channels = TinyTrunk, 160


ARCHITECTURES = {
    "crnn": Reader,
    "depthwise": DepthwiseReader,
    "attention": AttentionReader,
    "inverted": build_inverted_reader,
    "wide": build_wide_reader,
    "pretrained": PretrainedReader,
    "tiny": TinyReader,
    "lean": LeanReader,
    "pruned": PrunedReader,
}


def load_averaged(work, name):
    """Returns the model of the checkpoint `name` in `work` with its averaged weights."""
    state = torch.load(os.path.join(work, name + ".pt"), map_location="cpu")
    model = ARCHITECTURES[state.get("architecture", "crnn")]()
    model.load_state_dict(state["average"])
    return model.eval()
