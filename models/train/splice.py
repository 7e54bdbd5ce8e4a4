"""Makes new cells of the ink of real ones: the head of one move and the tail of another by the same hand.

`python splice.py --work DIR --reader models/reader.onnx --sets train --out DIR/spliced.npz` cuts the cells of each page between two
characters and joins heads and tails to moves that nobody wrote. Few pages have been tagged, and a reader that sees each of
their cells again and again learns the cells by heart (97 % of those that trained it were read rightly, 84 % of others).
Where a character stands, the reader itself does not say: its recurrent layers put the first character into the first frame and
the last into the last. A head trained for the purpose on its convolutions, which see a few characters' room, does.
"""

import argparse
import collections
import random
import re

import numpy as np
import shipped
import torch
from alphabet import CLASSES, encode
from augment import normalise, window
from crops import CANVAS_W, MX, MY
from model import FRAMES, WIDTH
from train import Data, ctc

MOVE = re.compile(r"([KQRBN][a-h]?[1-8]?x?|[a-h]x)?[a-h][1-8](=[QRBN])?[+#]?")
SHIFT = 16  # Pixels that a tail may move sideways.
SEAM = 3  # Pixels over which head and tail are blended.
FRAME = WIDTH / FRAMES


class Local(torch.nn.Module):
    """Characters from a trained reader's convolutions alone, frame by frame."""

    def __init__(self, reader):
        super().__init__()
        self.reader, self.head = reader, torch.nn.Conv1d(128, CLASSES, 3, padding=1)

    def forward(self, ink):
        with torch.no_grad():
            seen = self.reader.frames(ink)
        return self.head(seen.transpose(1, 2)).transpose(1, 2).log_softmax(-1)

    def learn(self, data, steps, seed):
        torch.manual_seed(seed)
        optimiser = torch.optim.Adam(self.head.parameters(), 3e-3)
        for step in range(steps):
            ink, texts = data.batch(64, 0.7, 0.5, seed * steps + step)
            optimiser.zero_grad()
            ctc(self(ink), texts).backward()
            optimiser.step()


def aligned(log, classes):
    """The frame at which each class is likeliest to stand, by the best CTC path (Graves et al. 2006) through `log`, frames x classes."""
    states = [0]
    for c in classes:
        states += [c, 0]
    score = np.full(len(states), -np.inf)
    score[:2] = log[0, states[:2]]
    back = np.zeros((len(log), len(states)), int)
    for t in range(1, len(log)):
        ways = [score, np.concatenate([[-np.inf], score[:-1]]), np.full(len(states), -np.inf)]
        for s in range(3, len(states), 2):
            if states[s] != states[s - 2]:
                ways[2][s] = score[s - 2]
        back[t] = np.argmax(ways, 0)
        score = np.max(ways, 0) + log[t, states]
    s = len(states) - 1 if score[-1] > score[-2] else len(states) - 2
    at = [[] for _ in classes]
    for t in range(len(log) - 1, -1, -1):
        if s % 2:
            at[s // 2].append(t)
        s -= back[t, s]
    return [max(frames, key=lambda t: log[t, c]) for frames, c in zip(at, classes)]


def seams(canvas, frames):
    """Canvas columns between neighbouring characters: the palest near the middle of the two."""
    dark = 255 - canvas[MY : len(canvas) - MY].astype(int)
    columns = np.convolve(dark.sum(0), [1, 1, 1], "same")
    out = []
    for a, b in zip(frames, frames[1:]):
        x = (CANVAS_W - WIDTH) / 2 + FRAME * ((a + b) / 2 + 0.5)
        reach = max(1, FRAME * (b - a) / 3)
        low, high = round(x - reach), round(x + reach) + 1
        out.append(low + int(columns[low:high].argmin()))
    return out


def joined(head, tail, x, at):
    """`head` up to column `x`, then `tail` from its column `at`."""

    def level(c):
        return np.percentile(c[MY : len(c) - MY, MX:-MX], 75)

    tail = np.clip(tail * (level(head) / max(level(tail), 1)), 0, 255)
    columns = np.clip(np.arange(CANVAS_W) + at - x, 0, CANVAS_W - 1)
    share = np.clip((np.arange(CANVAS_W) - x) / SEAM + 0.5, 0, 1)
    return np.round(head * (1 - share) + tail[:, columns] * share).astype(np.uint8)


def kind(char):
    return (
        "piece"
        if char in "KQRBN"
        else "file"
        if char in "abcdefgh"
        else "rank"
        if char.isdigit()
        else char
    )


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", required=True)
    a.add_argument("--reader", required=True, help="the exported reader that aligns the characters")
    a.add_argument("--sets", default="train")
    a.add_argument("--out", required=True)
    a.add_argument("--cells", type=int, default=60000)
    a.add_argument("--seed", type=int, default=1)
    o = a.parse_args()
    torch.set_num_threads(1)
    data = Data(o.work, o.sets.split(","))

    def patches(part):
        return normalise(window(part.float()[:, None] / 255, None, 0.0))

    local = Local(shipped.network(o.reader, patches(data.real[:256])))
    local.learn(data, 600, o.seed)
    moves = [i for i, t in enumerate(data.real_text) if MOVE.fullmatch(t)]
    # By page and kind of the character behind the cut: the cell, its characters before the cut, and the cut's column.
    cuts = collections.defaultdict(list)
    for k in range(0, len(moves), 256):
        part = moves[k : k + 256]
        for i, log in zip(part, local(patches(data.real[part])).detach().double().numpy()):
            text = data.real_text[i]
            for n, x in enumerate(seams(data.real[i].numpy(), aligned(log, encode(text))), 1):
                cuts[data.real_page[i], kind(text[n])].append((i, n, x))
    rng, keys = random.Random(o.seed), sorted(cuts)
    weights = [len(cuts[k]) for k in keys]
    canvases, texts = [], []
    while len(texts) < o.cells:
        (a, m, x), (b, n, at) = rng.choices(cuts[rng.choices(keys, weights)[0]], k=2)
        text = data.real_text[a][:m] + data.real_text[b][n:]
        if (
            abs(x - at) <= SHIFT
            and MOVE.fullmatch(text)
            and text not in (data.real_text[a], data.real_text[b])
        ):
            canvases.append(joined(data.real[a].numpy(), data.real[b].numpy(), x, at))
            texts.append(text)
    np.savez(o.out, canvas=np.stack(canvases), text=np.array(texts))


if __name__ == "__main__":
    main()
