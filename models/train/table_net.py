"""The network of table.onnx: a segmentation of a page into what a move table consists of."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

# What the maps show: inside a White cell, inside a Black cell, on an edge between rows of move
# cells, on the outline of a column of move cells, inside a column of printed numbers, on the name
# above a column of moves, on a printed ruling along rows, on one along columns.
CHANNELS = ("white", "black", "row", "column", "numbers", "heads", "rulings_row", "rulings_column")
# Pixels of the page for one of a map.
STRIDE = 4


class ResidualBlock(nn.Module):
    """Two convolutions with a residual connection."""

    def __init__(self, width, dilation=1):
        super().__init__()
        self.a = nn.Conv2d(width, width, 3, padding=dilation, dilation=dilation, bias=False)
        self.b = nn.Conv2d(width, width, 3, padding=1, bias=False)
        self.na, self.nb = nn.BatchNorm2d(width), nn.BatchNorm2d(width)

    def forward(self, x):
        y = F.relu(self.na(self.a(x)))
        return F.relu(x + self.nb(self.b(y)))


def downsampling_block(inputs, outputs, side=3):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, side, 2, side // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(),
    )


def conv_block(width):
    return nn.Sequential(
        nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU()
    )


def rms_norm(x):
    """Scales features to mean square 1 at every place (Zhang and Sennrich 2019, RMSNorm, without
    its gain).
    """
    return x * (x.square().mean(-1, keepdim=True) + 1e-6).rsqrt()


class LineAttention(nn.Module):
    """Attention in four heads among the places of a line, [..., places, features]. It adds nothing
    before training.

    `asked`, `offered` and `told` are the projections to query, key and value; the shipped
    table.onnx has these names.
    """

    def __init__(self, width, heads=4):
        super().__init__()
        self.heads = heads
        self.asked, self.offered, self.told, self.out = (nn.Linear(width, width) for _ in range(4))
        nn.init.zeros_(self.out.weight), nn.init.zeros_(self.out.bias)
        place = torch.arange(64)[:, None] * torch.exp(
            -torch.arange(0, width, 2) / width * math.log(100.0)
        )
        self.register_buffer(
            "place", torch.stack([place.sin(), place.cos()], -1).flatten(1), persistent=False
        )

    def forward(self, x):
        normalised = rms_norm(x)
        placed = normalised + self.place[: x.shape[-2]]

        def split(features):
            return features.unflatten(-1, (self.heads, -1)).transpose(-2, -3)

        query, key, value = (
            split(self.asked(placed)),
            split(self.offered(placed)),
            split(self.told(normalised)),
        )
        attended = torch.softmax(query @ key.transpose(-1, -2) * key.shape[-1] ** -0.5, -1) @ value
        return x + self.out(attended.transpose(-2, -3).flatten(-2))


class AxialAttention(nn.Module):
    """Attention of every place to those of its row, then of its column (Ho et al. 2019, axial
    attention).

    Other parts of the page tell whether there are two blocks or four, and on which side of White
    the numbers stand.
    """

    def __init__(self, width):
        super().__init__()
        self.across, self.down = LineAttention(width), LineAttention(width)
        self.a, self.b = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        nn.init.zeros_(self.b.weight), nn.init.zeros_(self.b.bias)

    def forward(self, x):
        x = self.across(x)
        x = self.down(x.transpose(1, 2)).transpose(1, 2)
        return x + self.b(F.relu(self.a(rms_norm(x))))


class TableNet(nn.Module):
    """An encoder to a thirty-second of the size and a decoder to a quarter; about 1.5 GMAC for 1024
    x 768 pixels.

    It returns the log-odds of `CHANNELS`, [N, 8, H / 4, W / 4], and log-probabilities, not yet
    normalised, of the quarter turns to the right that the page has made, [N, 4].
    """

    def __init__(self):
        super().__init__()
        self.d2 = downsampling_block(1, 12, 5)
        self.d4 = nn.Sequential(downsampling_block(12, 16), conv_block(16))
        self.d8 = nn.Sequential(downsampling_block(16, 32), ResidualBlock(32))
        self.d16 = nn.Sequential(downsampling_block(32, 48), ResidualBlock(48))
        self.d32 = nn.Sequential(
            downsampling_block(48, 64),
            ResidualBlock(64),
            ResidualBlock(64, 2),
            ResidualBlock(64, 4),
        )
        self.context = nn.Sequential(*(AxialAttention(64) for _ in range(2)))
        self.l32, self.l16, self.l8 = (
            nn.Conv2d(64, 48, 1),
            nn.Conv2d(48, 32, 1),
            nn.Conv2d(32, 16, 1),
        )
        self.u16, self.u8, self.u4 = ResidualBlock(48), ResidualBlock(32), conv_block(16)
        self.head = nn.Conv2d(16, len(CHANNELS), 3, padding=1)
        self.turn = nn.Linear(2 * 64, 4)

    def forward(self, luma):
        x4 = self.d4(self.d2(luma))
        x8 = self.d8(x4)
        x16 = self.d16(x8)
        page = self.context(self.d32(x16).permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        turn = self.turn(torch.cat([page.mean((2, 3)), page.amax((2, 3))], 1))
        y = self.u16(x16 + F.interpolate(self.l32(page), scale_factor=2, mode="nearest"))
        y = self.u8(x8 + F.interpolate(self.l16(y), scale_factor=2, mode="nearest"))
        y = self.u4(x4 + F.interpolate(self.l8(y), scale_factor=2, mode="nearest"))
        return self.head(y), turn
