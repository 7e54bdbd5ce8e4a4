"""Trains the table model: `python table.py --work DIR --hcs DATA/hcs --forms DIR DIR...`; resumes
from DIR/table.pt.

A page of at most 1024 pixels becomes, at a quarter of its size, the log-odds of four classes for
every pixel: it lies in a White cell, in a Black cell, on an edge between rows, on the outline of a
White or a Black column. Pages are HCS train pages and made forms (`forms/`), warped, shaded and
blurred anew each time; some are pictures without a table.
"""

import argparse
import csv
import glob
import json
import math
import os
import random
import time

import cv2
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from onnx_weights import load_convolutions, open_graph
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from train import has_bfloat16

# Side of the training window in pixels.
WINDOW_SIDE = 704
STRIDE = 4
# Longer side of a page at inference, in pixels.
MAX_PAGE_SIDE = 1024
CHANNELS = ("white", "black", "row", "column")


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

    def forward(self, luma):
        x4 = self.d4(self.d2(luma))
        x8 = self.d8(x4)
        x16 = self.d16(x8)
        page = self.context(self.d32(x16).permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        y = self.u16(x16 + F.interpolate(self.l32(page), scale_factor=2, mode="nearest"))
        y = self.u8(x8 + F.interpolate(self.l16(y), scale_factor=2, mode="nearest"))
        y = self.u4(x4 + F.interpolate(self.l8(y), scale_factor=2, mode="nearest"))
        return self.head(y)


def shrink_page(luma, longest):
    factor = min(1.0, longest / max(luma.shape))
    return (
        (cv2.resize(luma, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), factor)
        if factor < 1
        else (luma, 1.0)
    )


def load_page(path, boxes, longest=1300):
    """Returns a page: luma, the corners of its cells [n, 4, 2], and whether each is White."""
    luma, factor = shrink_page(cv2.imread(path, cv2.IMREAD_GRAYSCALE), longest)
    quads = np.array([box["box"] for box in boxes], np.float32).reshape(-1, 4, 2) * factor
    is_white = np.array([box["side"] == "white" for box in boxes], bool)
    for _ in range(count_quarter_turns(quads)):
        quads = np.stack([luma.shape[0] - 1 - quads[..., 1], quads[..., 0]], -1)
        luma = cv2.rotate(luma, cv2.ROTATE_90_CLOCKWISE)
    return luma, quads, is_white


def count_quarter_turns(quads):
    """Returns the number of quarter turns to the right after which the cells stand upright."""
    if not len(quads):
        return 0
    x, y = (quads[:, 1] - quads[:, 0]).mean(0)
    return round(-math.atan2(y, x) / (math.pi / 2)) % 4


def load_pages(hcs, forms):
    """Returns the HCS train pages and made forms."""
    pages = []
    if hcs:
        split = {
            row["page"]: row["split"]
            for row in csv.DictReader(open(os.path.join(hcs, "pages.tsv")), delimiter="\t")
        }
        cells = json.load(open(os.path.join(hcs, "cells.json")))
        for name in sorted(cells):
            if split.get(name) == "train":
                pages.append(
                    load_page(glob.glob(os.path.join(hcs, "pages", name + ".*"))[0], cells[name])
                )
    for folder in forms:
        listing = os.path.join(folder, "cells.json")
        cells = json.load(open(listing)) if os.path.exists(listing) else {}
        for path in sorted(glob.glob(os.path.join(folder, "*.jpg"))):
            name = os.path.splitext(os.path.basename(path))[0]
            pages.append(load_page(path, cells.get(name, [])))
    return pages


def sample_window(page, rng):
    """Returns one training window: luma and the four maps."""
    luma, quads, is_white = page
    # A page on its side has no table, so that the program knows how to turn a page.
    if rng.random() < 0.07:
        luma, quads = (
            cv2.rotate(luma, rng.choice([cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_90_COUNTERCLOCKWISE])),
            quads[:0],
        )
    height, width = luma.shape
    longest = max(height, width)
    scale = MAX_PAGE_SIDE / longest * math.exp(rng.uniform(-0.45, 0.08))
    angle = math.radians(rng.gauss(0, 4) if rng.random() < 0.7 else rng.uniform(-20, 20))
    cosine, sine = math.cos(angle), math.sin(angle)
    stretch = math.exp(rng.uniform(-0.18, 0.18))
    rotation = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]]) @ np.diag(
        [scale * stretch, scale / stretch, 1.0]
    )
    tilt = np.eye(3)
    tilt[0, 1] = rng.gauss(0, 0.03)
    tilt[2, :2] = [rng.gauss(0, 0.12) / WINDOW_SIDE, rng.gauss(0, 0.12) / WINDOW_SIDE]
    middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
    matrix = tilt @ rotation @ middle
    corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
    box = cv2.perspectiveTransform(corners, matrix)[0]
    low, high = box.min(0), box.max(0)
    shift = [
        rng.uniform(
            min(-low[axis], WINDOW_SIDE - high[axis]), max(-low[axis], WINDOW_SIDE - high[axis])
        )
        for axis in (0, 1)
    ]
    matrix = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1.0]]) @ matrix
    border = rng.choice([cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE, cv2.BORDER_CONSTANT])
    picture = cv2.warpPerspective(
        luma,
        matrix,
        (WINDOW_SIDE, WINDOW_SIDE),
        flags=cv2.INTER_AREA,
        borderMode=border,
        borderValue=rng.randint(0, 255),
    )
    map_quads = quads
    if len(quads):
        warped = cv2.perspectiveTransform(quads.reshape(1, -1, 2).astype(np.float64), matrix)
        map_quads = (warped.reshape(-1, 4, 2) + 0.5) / STRIDE - 0.5
        if rng.random() < 0.06:
            draw_letter_boxes(picture, (map_quads + 0.5) * STRIDE - 0.5, rng)
    maps = draw_maps(map_quads, is_white)
    return simulate_capture(picture.astype(np.float32) / 255, rng), maps


def draw_maps(quads, is_white):
    """Draws the maps of the four classes, [4, side, side], for cells with these corners."""
    maps = np.zeros((4, WINDOW_SIDE // STRIDE, WINDOW_SIDE // STRIDE), np.uint8)
    # Pairs of corners of a row edge and of a column outline, with the class of each.
    edges = ((2, 0, 1), (2, 3, 2), (3, 0, 3), (3, 1, 2))
    for index, corners in enumerate(quads):
        points = np.round(corners * 16).astype(np.int32)
        cv2.fillPoly(maps[0 if is_white[index] else 1], [points], 255, cv2.LINE_8, 4)
        for channel, start, end in edges:
            ends = (tuple(map(int, points[i])) for i in (start, end))
            cv2.line(maps[channel], *ends, 255, 1, cv2.LINE_AA, 4)
    return maps


def draw_letter_boxes(picture, quads, rng):
    """Draws lines inside the cells, so that there is a box for every letter."""
    letter_count, grey, thickness = rng.randint(3, 7), rng.randint(20, 170), rng.randint(1, 2)
    for quad in quads:
        for i in range(1, letter_count):
            top, bottom = (
                quad[0] + (quad[1] - quad[0]) * i / letter_count,
                quad[3] + (quad[2] - quad[3]) * i / letter_count,
            )
            cv2.line(
                picture,
                *(tuple(map(int, np.round(point * 16))) for point in (top, bottom)),
                grey,
                thickness,
                cv2.LINE_AA,
                4,
            )


def simulate_capture(picture, rng):
    """Applies light, contrast, blur and noise of a photograph."""
    side = picture.shape[0]
    gamma = math.exp(rng.uniform(-0.5, 0.5))
    picture = picture**gamma
    if rng.random() < 0.5:
        cloud = cv2.resize(
            np.random.default_rng(rng.getrandbits(32)).normal(0, 1, (4, 4)).astype(np.float32),
            (side, side),
            interpolation=cv2.INTER_CUBIC,
        )
        picture = picture * (1 + rng.uniform(0, 0.25) * cloud).clip(0.2, 1.6)
    if rng.random() < 0.5:
        contrast = rng.uniform(0.3, 1.0)
        picture = 0.5 + (picture - 0.5) * contrast + rng.uniform(-0.4, 0.4) * (1 - contrast)
    if rng.random() < 0.4:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.6))
    if rng.random() < 0.5:
        picture = picture + np.random.default_rng(rng.getrandbits(32)).normal(
            0, rng.uniform(0, 0.04), picture.shape
        ).astype(np.float32)
    return picture.clip(0, 1)


def standardize(x):
    """Scales a picture to mean 0 and deviation 1, as `standard` in src/grid/maps.rs does."""
    return (x - x.mean()) / max(x.std(), 0.02)


def table_loss(log_odds, maps):
    """Returns the loss of every picture: cross-entropy with weight on the thin lines, and overlap
    for all four classes.
    """
    weight = torch.where(
        maps > 0.3, torch.tensor([1.0, 1.0, 4.0, 4.0], device=maps.device)[:, None, None], 1.0
    )
    bce = F.binary_cross_entropy_with_logits(log_odds, maps, weight=weight, reduction="none")
    probability = torch.sigmoid(log_odds)
    dice = 1 - (2 * (probability * maps).sum((2, 3)) + 30) / ((probability + maps).sum((2, 3)) + 30)
    return bce.mean((1, 2, 3)) + 0.3 * dice.mean(1)


@torch.no_grad()
def measure_overlap(model, held_out, device):
    """Returns the intersection over union of each class in percent, at probability 0.5."""
    model.eval()
    intersection, union = np.zeros(4), np.zeros(4)
    for picture, maps in held_out:
        predicted = (
            torch.sigmoid(
                model(torch.from_numpy(standardize(picture))[None, None].float().to(device))
            )[0]
            .cpu()
            .numpy()
            > 0.5
        )
        target = maps > 100
        intersection += (predicted & target).sum((1, 2))
        union += (predicted | target).sum((1, 2))
    model.train()
    return {
        channel: round(100 * shared / max(joined, 1), 1)
        for channel, shared, joined in zip(CHANNELS, intersection, union)
    }


def draw_ruled_table():
    """Draws a ruled table by a formula, MAX_PAGE_SIDE pixels high; the same as `ruled` in
    src/grid/maps.rs.
    """
    y, x = np.mgrid[:MAX_PAGE_SIDE, : MAX_PAGE_SIDE * 3 // 4]
    row = (y >= 120) & (y <= 920) & (y % 32 < 2)
    column = np.isin(x, (60, 61, 110, 111, 240, 241, 370, 371, 420, 421, 550, 551, 680, 681))
    inside = (y >= 120) & (y <= 920) & (x >= 60) & (x <= 681)
    grain = (x * 73 + y * 151 + x * y % 97) % 13
    return np.where(inside & (row | column), 70, 225 - grain).astype(np.uint8)


@torch.no_grad()
def export(model, folder):
    """Writes table.onnx and golden-table.bin.

    The latter holds little-endian f32 probabilities for `draw_ruled_table`, class by class, of
    every eighth pixel of every eighth row of a map.
    """
    model.eval()
    probabilities = torch.sigmoid(
        model(torch.from_numpy(standardize(draw_ruled_table() / 255.0))[None, None].float())
    )[0, :, ::8, ::8]
    probabilities.contiguous().numpy().astype("<f4").tofile(
        os.path.join(folder, "golden-table.bin")
    )
    torch.onnx.export(
        model,
        torch.zeros(1, 1, MAX_PAGE_SIDE, MAX_PAGE_SIDE * 3 // 4),
        os.path.join(folder, "table.onnx"),
        opset_version=17,
        input_names=["luma"],
        output_names=["log_odds"],
        dynamic_axes={"luma": {2: "h", 3: "w"}, "log_odds": {2: "h4", 3: "w4"}},
        dynamo=False,
    )
    model.train()


@torch.no_grad()
def load_attention(model, path):
    """Fills the attention layers of `model` from the ONNX file at `path`, where that has any."""
    graph, weights = open_graph(path)
    products = [
        weights[node.input[1]]
        for node in graph.node
        if node.op_type == "MatMul" and node.input[1] in weights
    ]
    for (name, linear), weight in zip(
        [(node, module) for node, module in model.named_modules() if isinstance(module, nn.Linear)],
        products,
    ):
        linear.weight.copy_(weight.T)
        linear.bias.copy_(weights[name + ".bias"])


class Windows(torch.utils.data.Dataset):
    """Training windows, indexed by (page, number of the draw)."""

    def __init__(self, pages, seed):
        self.pages, self.seed = pages, seed

    def __getitem__(self, index):
        page, draw = index
        x, maps = sample_window(self.pages[page], random.Random(self.seed * 1_000_003 + draw))
        return page, standardize(x).astype(np.float16)[None], maps


def iterate_harder_pages(last_loss, batch, steps, seed):
    """Yields the indices of batches. Each page is, of two drawn, the one whose loss was larger when
    it was last used.
    """
    for step in steps:
        rng = random.Random(seed * 1_000_003 + step)
        yield [
            (max(rng.sample(range(len(last_loss)), 2), key=last_loss.__getitem__), step * batch + k)
            for k in range(batch)
        ]


def save_checkpoint(path, model, average, optimiser, step, last_loss):
    """Saves a checkpoint in one move, so that an interrupted write leaves the old one."""
    state = {
        "model": model.state_dict(),
        "average": average.state_dict(),
        "optimiser": optimiser.state_dict(),
        "step": step,
        "last": last_loss,
    }
    torch.save(state, path + ".part")
    os.replace(path + ".part", path)


def build_model(path, held_out):
    """Returns a network with the weights of the ONNX file at `path`, or with new ones for None."""
    model = TableNet()
    if path:
        pictures = np.stack([standardize(picture)[None] for picture, _ in held_out])
        load_attention(model, path)
        load_convolutions(model, path, torch.from_numpy(pictures).float())
    return model


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True)
    parser.add_argument("--hcs")
    parser.add_argument("--forms", nargs="*", default=[])
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument(
        "--minutes",
        type=float,
        default=math.inf,
        help="the rate falls to its end within so many minutes, where that is before the last step",
    )
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--workers",
        type=int,
        default=1,
        help="processes that make windows while the network learns",
    )
    parser.add_argument(
        "--from",
        dest="before",
        help="an exported table.onnx to go on from, where there is no checkpoint yet",
    )
    parser.add_argument("--out", help="write table.onnx and golden-table.bin here when done")
    return parser.parse_args()


def main():
    args = parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    use_bfloat16 = has_bfloat16(device)
    all_pages = load_pages(args.hcs, args.forms)
    fixed = random.Random(0)
    held_out = [
        sample_window(page_drawn, random.Random(index))
        for index, page_drawn in enumerate(fixed.sample(all_pages, min(24, len(all_pages))))
    ]
    step, path = 0, os.path.join(args.work, "table.pt")
    state = torch.load(path, map_location=device) if os.path.exists(path) else None
    model = build_model(None if state else args.before, held_out)
    model = model.to(device).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), args.rate, weight_decay=0.02)
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.999), use_buffers=True)
    # The loss of each page when it was last used.
    last_loss = [math.inf] * len(all_pages)
    if state:
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        step, last_loss = state["step"], state["last"]
        average.load_state_dict(state["average"])
    print(len(all_pages), "pages, from step", step, flush=True)
    batches = iterate_harder_pages(last_loss, args.batch, range(step, args.steps), args.seed)
    windows = torch.utils.data.DataLoader(
        Windows(all_pages, args.seed),
        batch_sampler=batches,
        num_workers=args.workers,
        pin_memory=device == "cuda",
    )
    total, started = 0.0, time.time()

    def progress():
        return max(step / args.steps, (time.time() - started) / 60 / args.minutes)

    for page_indices, windows_batch, maps in windows:
        for group in optimiser.param_groups:
            group["lr"] = (
                args.rate
                * min(1, (step + 1) / 100)
                * (0.5 * (1 + math.cos(math.pi * min(1, progress()))) + 0.005)
            )
        with torch.autocast(device, torch.bfloat16, enabled=use_bfloat16):
            y = model(
                windows_batch.to(device, non_blocking=True)
                .float()
                .contiguous(memory_format=torch.channels_last)
            )
        losses = table_loss(y.float(), maps.to(device, non_blocking=True).float() / 255)
        mean_loss = losses.mean()
        optimiser.zero_grad()
        mean_loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimiser.step()
        average.update_parameters(model)
        for page, value in zip(page_indices.tolist(), losses.tolist()):
            last_loss[page] = value
        step += 1
        total += mean_loss.item()
        if step % 100 == 0 or progress() >= 1:
            print(
                json.dumps(
                    {
                        "step": step,
                        "loss": round(total / ((step - 1) % 100 + 1), 4),
                        "seconds": round(time.time() - started),
                        **(
                            measure_overlap(average, held_out, device)
                            if step % 300 == 0 or progress() >= 1
                            else {}
                        ),
                    }
                ),
                flush=True,
            )
            total = 0.0
            save_checkpoint(path, model, average, optimiser, step, last_loss)
        if progress() >= 1:
            break
    if args.out:
        export(average.module.to("cpu"), args.out)


if __name__ == "__main__":
    main()
