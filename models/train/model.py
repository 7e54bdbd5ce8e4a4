"""The reader's network: a small convolutional stem and a bidirectional LSTM, trained with CTC.

Input N x 1 x 48 x 192 (ink, about 0 to 1), output N x 48 x CLASSES log-posteriors.
"""

import os

import torch
from torch import nn

from alphabet import CLASSES

HEIGHT, WIDTH, FRAMES = 48, 192, 48


def unit(inputs, outputs, stride=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.body = nn.Sequential(*[unit(width, width) for _ in range(depth)])

    def forward(self, x):
        return x + self.body(x)


class Reader(nn.Module):
    def __init__(self, hidden=128):
        super().__init__()
        self.stem = nn.Sequential(
            unit(1, 24, 2),  # 24 x 96
            unit(24, 32, (2, 1)),  # 12 x 96
            unit(32, 48),
            unit(48, 64, 2),  # 6 x 48
            Residual(64, 2),
            unit(64, 128, (2, 1)),  # 3 x 48
            Residual(128, 1),
        )
        self.squeeze = nn.Sequential(nn.Linear(3 * 128, 128), nn.ReLU(inplace=True), nn.Dropout(0.2))
        self.lstm = nn.LSTM(128, hidden, 2, bidirectional=True, batch_first=True, dropout=0.3)
        self.head = nn.Linear(2 * hidden, CLASSES)

    def forward(self, x):
        y = self.stem(x)
        y = y.permute(0, 3, 1, 2).flatten(2)
        y, _ = self.lstm(self.squeeze(y))
        return self.head(y).log_softmax(-1)


def trained(work, name):
    """The averaged weights of the checkpoint `name` in `work`, ready to read."""
    model = Reader()
    model.load_state_dict(torch.load(os.path.join(work, name + ".pt"), map_location="cpu")["average"])
    return model.eval()
