"""Makes new cells of the ink of real ones: the head of one move and the tail of another by the same
hand.

`python splice.py --work DIR --reader models/reader.onnx --sets train --out DIR/spliced.npz` cuts
the cells of each page between two characters and joins heads and tails to moves that nobody wrote.
Few pages have been tagged, and a reader that sees each of their cells again and again learns the
cells by heart (97 % of those that trained it were read rightly, 84 % of others).

The reader itself does not say where a character stands: its recurrent layers put the first
character into the first frame and the last into the last. A head trained for the purpose on its
convolutions, which see the room of a few characters, does.
"""

import argparse
import collections
import random
import re

import numpy as np
import onnx_weights
import torch
from alphabet import CLASS_COUNT, encode
from augment import normalize_ink, sample_window
from crops import CANVAS_W, MARGIN_X, MARGIN_Y
from model import FRAMES, WIDTH
from train import CellData, ctc_loss

MOVE_PATTERN = re.compile(r"([KQRBN][a-h]?[1-8]?x?|[a-h]x)?[a-h][1-8](=[QRBN])?[+#]?")
# Largest distance by which a tail may move sideways.
MAX_SHIFT_PX = 16
# Width over which head and tail are blended.
SEAM_PX = 3
FRAME_PX = WIDTH / FRAMES


class LocalHead(torch.nn.Module):
    """Reads characters from the convolutions of a trained reader alone, frame by frame."""

    def __init__(self, reader):
        super().__init__()
        self.reader, self.head = reader, torch.nn.Conv1d(128, CLASS_COUNT, 3, padding=1)

    def forward(self, ink):
        with torch.no_grad():
            frames = self.reader.frames(ink)
        return self.head(frames.transpose(1, 2)).transpose(1, 2).log_softmax(-1)

    def fit_head(self, data, steps, seed):
        torch.manual_seed(seed)
        optimiser = torch.optim.Adam(self.head.parameters(), 3e-3)
        for step in range(steps):
            ink, texts = data.make_batch(64, 0.7, 0.5, seed * steps + step)
            optimiser.zero_grad()
            ctc_loss(self(ink), texts).backward()
            optimiser.step()


def align_characters(logs, classes):
    """Returns the frame at which each class is likeliest to stand, by the best CTC path (Graves et
    al. 2006) through `logs`, [frames, classes].
    """
    states = [0]
    for character_class in classes:
        states += [character_class, 0]
    score = np.full(len(states), -np.inf)
    score[:2] = logs[0, states[:2]]
    back = np.zeros((len(logs), len(states)), int)
    for frame in range(1, len(logs)):
        predecessors = [
            score,
            np.concatenate([[-np.inf], score[:-1]]),
            np.full(len(states), -np.inf),
        ]
        for state in range(3, len(states), 2):
            if states[state] != states[state - 2]:
                predecessors[2][state] = score[state - 2]
        back[frame] = np.argmax(predecessors, 0)
        score = np.max(predecessors, 0) + logs[frame, states]
    state = len(states) - 1 if score[-1] > score[-2] else len(states) - 2
    frames_of = [[] for _ in classes]
    for frame in range(len(logs) - 1, -1, -1):
        if state % 2:
            frames_of[state // 2].append(frame)
        state -= back[frame, state]
    return [
        max(frames, key=lambda frame: logs[frame, character_class])
        for frames, character_class in zip(frames_of, classes)
    ]


def find_seams(canvas, frames):
    """Returns canvas columns between neighbouring characters: the palest near the middle of the
    two.
    """
    darkness = 255 - canvas[MARGIN_Y : len(canvas) - MARGIN_Y].astype(int)
    columns = np.convolve(darkness.sum(0), [1, 1, 1], "same")
    columns_cut = []
    for before, after in zip(frames, frames[1:]):
        x = (CANVAS_W - WIDTH) / 2 + FRAME_PX * ((before + after) / 2 + 0.5)
        reach = max(1, FRAME_PX * (after - before) / 3)
        low, high = round(x - reach), round(x + reach) + 1
        columns_cut.append(low + int(columns[low:high].argmin()))
    return columns_cut


def join_cells(head, tail, head_column, tail_column):
    """Returns `head` up to `head_column`, followed by `tail` from `tail_column` on."""

    def level(cell):
        return np.percentile(cell[MARGIN_Y : len(cell) - MARGIN_Y, MARGIN_X:-MARGIN_X], 75)

    tail = np.clip(tail * (level(head) / max(level(tail), 1)), 0, 255)
    columns = np.clip(np.arange(CANVAS_W) + tail_column - head_column, 0, CANVAS_W - 1)
    share = np.clip((np.arange(CANVAS_W) - head_column) / SEAM_PX + 0.5, 0, 1)
    return np.round(head * (1 - share) + tail[:, columns] * share).astype(np.uint8)


def character_kind(char):
    """Returns "piece", "file", "rank" or the character itself."""
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True)
    parser.add_argument(
        "--reader", required=True, help="the exported reader that aligns the characters"
    )
    parser.add_argument("--sets", default="train")
    parser.add_argument("--out", required=True)
    parser.add_argument("--cells", type=int, default=60000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    data = CellData(args.work, args.sets.split(","))

    def make_patches(part):
        return normalize_ink(sample_window(part.float()[:, None] / 255, None, 0.0))

    local = LocalHead(onnx_weights.load_network(args.reader, make_patches(data.real[:256])))
    local.fit_head(data, 600, args.seed)
    moves = [i for i, tag in enumerate(data.real_text) if MOVE_PATTERN.fullmatch(tag)]
    # By page and kind of the character behind the cut: the cell, the number of its characters
    # before the cut, and the column of the cut.
    cuts = collections.defaultdict(list)
    for key in range(0, len(moves), 256):
        part = moves[key : key + 256]
        for i, logs in zip(part, local(make_patches(data.real[part])).detach().double().numpy()):
            text = data.real_text[i]
            for tail_start, head_column in enumerate(
                find_seams(data.real[i].numpy(), align_characters(logs, encode(text))), 1
            ):
                cuts[data.real_page[i], character_kind(text[tail_start])].append(
                    (i, tail_start, head_column)
                )
    rng, keys = random.Random(args.seed), sorted(cuts)
    weights = [len(cuts[key]) for key in keys]
    canvases, texts = [], []
    while len(texts) < args.cells:
        (head_cell, head_length, head_column), (tail_cell, tail_start, tail_column) = rng.choices(
            cuts[rng.choices(keys, weights)[0]], k=2
        )
        text = data.real_text[head_cell][:head_length] + data.real_text[tail_cell][tail_start:]
        if (
            abs(head_column - tail_column) <= MAX_SHIFT_PX
            and MOVE_PATTERN.fullmatch(text)
            and text not in (data.real_text[head_cell], data.real_text[tail_cell])
        ):
            canvases.append(
                join_cells(
                    data.real[head_cell].numpy(),
                    data.real[tail_cell].numpy(),
                    head_column,
                    tail_column,
                )
            )
            texts.append(text)
    np.savez(args.out, canvas=np.stack(canvases), text=np.array(texts))


if __name__ == "__main__":
    main()
