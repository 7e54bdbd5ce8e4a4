"""Trains the table model: `python table.py --work DIR --hcs DATA/hcs --forms DIR DIR...`; resumes from DIR/table.pt.

A page of at most 1024 pixels becomes, at a quarter of its size, the log-odds of four things in every pixel: it lies in a
White cell, in a Black cell, on an edge between rows, on the outline of a White or a Black column. Pages are HCS train pages and
made forms (`forms/`), warped, shaded and blurred anew each time; some are pictures without a table.
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
from shipped import convolve, opened
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from train import has_bfloat16

CANVAS = 704  # Side of the training window in pixels.
STRIDE = 4
LONGEST = 1024  # Longer side of a page at inference.
CHANNELS = ("white", "black", "row", "column")


class Block(nn.Module):
    """Two convolutions with a way round them."""

    def __init__(self, wide, spread=1):
        super().__init__()
        self.a = nn.Conv2d(wide, wide, 3, padding=spread, dilation=spread, bias=False)
        self.b = nn.Conv2d(wide, wide, 3, padding=1, bias=False)
        self.na, self.nb = nn.BatchNorm2d(wide), nn.BatchNorm2d(wide)

    def forward(self, x):
        y = F.relu(self.na(self.a(x)))
        return F.relu(x + self.nb(self.b(y)))


def down(before, after, side=3):
    return nn.Sequential(
        nn.Conv2d(before, after, side, 2, side // 2, bias=False), nn.BatchNorm2d(after), nn.ReLU()
    )


def same(wide):
    return nn.Sequential(
        nn.Conv2d(wide, wide, 3, padding=1, bias=False), nn.BatchNorm2d(wide), nn.ReLU()
    )


def even(x):
    """Features of mean square 1 at every place (Zhang and Sennrich 2019, RMSNorm, without its gain)."""
    return x * (x.square().mean(-1, keepdim=True) + 1e-6).rsqrt()


class Along(nn.Module):
    """What the places of a line (... x places x features) learn from each other: attention in four heads. It adds nothing before
    training."""

    def __init__(self, wide, heads=4):
        super().__init__()
        self.heads = heads
        self.asked, self.offered, self.told, self.out = (nn.Linear(wide, wide) for _ in range(4))
        nn.init.zeros_(self.out.weight), nn.init.zeros_(self.out.bias)
        place = torch.arange(64)[:, None] * torch.exp(
            -torch.arange(0, wide, 2) / wide * math.log(100.0)
        )
        self.register_buffer(
            "place", torch.stack([place.sin(), place.cos()], -1).flatten(1), persistent=False
        )

    def forward(self, x):
        plain = even(x)
        placed = plain + self.place[: x.shape[-2]]

        def split(t):
            return t.unflatten(-1, (self.heads, -1)).transpose(-2, -3)

        q, k, v = split(self.asked(placed)), split(self.offered(placed)), split(self.told(plain))
        seen = torch.softmax(q @ k.transpose(-1, -2) * k.shape[-1] ** -0.5, -1) @ v
        return x + self.out(seen.transpose(-2, -3).flatten(-2))


class Context(nn.Module):
    """Every place learns from those of its row, then of its column (Ho et al. 2019, axial attention): whether there are two blocks or
    four, and on which side of White the numbers stand, is told by other parts of the page."""

    def __init__(self, wide):
        super().__init__()
        self.across, self.down = Along(wide), Along(wide)
        self.a, self.b = nn.Linear(wide, 4 * wide), nn.Linear(4 * wide, wide)
        nn.init.zeros_(self.b.weight), nn.init.zeros_(self.b.bias)

    def forward(self, x):
        x = self.across(x)
        x = self.down(x.transpose(1, 2)).transpose(1, 2)
        return x + self.b(F.relu(self.a(even(x))))


class Table(nn.Module):
    """An encoder to a thirty-second of the size and a way back to a quarter; about 1.5 GMAC for 1024 x 768 pixels."""

    def __init__(self):
        super().__init__()
        self.d2 = down(1, 12, 5)
        self.d4 = nn.Sequential(down(12, 16), same(16))
        self.d8 = nn.Sequential(down(16, 32), Block(32))
        self.d16 = nn.Sequential(down(32, 48), Block(48))
        self.d32 = nn.Sequential(down(48, 64), Block(64), Block(64, 2), Block(64, 4))
        self.context = nn.Sequential(*(Context(64) for _ in range(2)))
        self.l32, self.l16, self.l8 = (
            nn.Conv2d(64, 48, 1),
            nn.Conv2d(48, 32, 1),
            nn.Conv2d(32, 16, 1),
        )
        self.u16, self.u8, self.u4 = Block(48), Block(32), same(16)
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


def shrink(luma, longest):
    k = min(1.0, longest / max(luma.shape))
    return (
        (cv2.resize(luma, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), k)
        if k < 1
        else (luma, 1.0)
    )


def load(path, boxes, longest=1300):
    """A page: luma, and the corners of its cells (n x 4 x 2) with their sides."""
    luma, k = shrink(cv2.imread(path, cv2.IMREAD_GRAYSCALE), longest)
    quads = np.array([b["box"] for b in boxes], np.float32).reshape(-1, 4, 2) * k
    white = np.array([b["side"] == "white" for b in boxes], bool)
    for _ in range(upright(quads)):
        quads = np.stack([luma.shape[0] - 1 - quads[..., 1], quads[..., 0]], -1)
        luma = cv2.rotate(luma, cv2.ROTATE_90_CLOCKWISE)
    return luma, quads, white


def upright(quads):
    """Quarter turns to the right after which the cells stand upright."""
    if not len(quads):
        return 0
    x, y = (quads[:, 1] - quads[:, 0]).mean(0)
    return round(-math.atan2(y, x) / (math.pi / 2)) % 4


def pages(hcs, forms):
    """HCS train pages and made forms."""
    out = []
    if hcs:
        split = {
            r["page"]: r["split"]
            for r in csv.DictReader(open(os.path.join(hcs, "pages.tsv")), delimiter="\t")
        }
        cells = json.load(open(os.path.join(hcs, "cells.json")))
        for name in sorted(cells):
            if split.get(name) == "train":
                out.append(load(glob.glob(os.path.join(hcs, "pages", name + ".*"))[0], cells[name]))
    for folder in forms:
        listing = os.path.join(folder, "cells.json")
        cells = json.load(open(listing)) if os.path.exists(listing) else {}
        for path in sorted(glob.glob(os.path.join(folder, "*.jpg"))):
            name = os.path.splitext(os.path.basename(path))[0]
            out.append(load(path, cells.get(name, [])))
    return out


def sample(page, rng):
    """One training window: luma and the four maps."""
    luma, quads, white = page
    if rng.random() < 0.07:  # On its side a table is none: so the program knows how to turn a page.
        luma, quads = (
            cv2.rotate(luma, rng.choice([cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_90_COUNTERCLOCKWISE])),
            quads[:0],
        )
    h, w = luma.shape
    long = max(h, w)
    scale = LONGEST / long * math.exp(rng.uniform(-0.45, 0.08))
    angle = math.radians(rng.gauss(0, 4) if rng.random() < 0.7 else rng.uniform(-20, 20))
    c, s = math.cos(angle), math.sin(angle)
    stretch = math.exp(rng.uniform(-0.18, 0.18))
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ np.diag(
        [scale * stretch, scale / stretch, 1.0]
    )
    tilt = np.eye(3)
    tilt[0, 1] = rng.gauss(0, 0.03)
    tilt[2, :2] = [rng.gauss(0, 0.12) / CANVAS, rng.gauss(0, 0.12) / CANVAS]
    middle = np.array([[1, 0, -w / 2], [0, 1, -h / 2], [0, 0, 1.0]])
    m = tilt @ turn @ middle
    corners = np.array([[[0, 0], [w, 0], [w, h], [0, h]]], np.float64)
    box = cv2.perspectiveTransform(corners, m)[0]
    low, high = box.min(0), box.max(0)
    at = [
        rng.uniform(min(-low[i], CANVAS - high[i]), max(-low[i], CANVAS - high[i])) for i in (0, 1)
    ]
    m = np.array([[1, 0, at[0]], [0, 1, at[1]], [0, 0, 1.0]]) @ m
    border = rng.choice([cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE, cv2.BORDER_CONSTANT])
    x = cv2.warpPerspective(
        luma,
        m,
        (CANVAS, CANVAS),
        flags=cv2.INTER_AREA,
        borderMode=border,
        borderValue=rng.randint(0, 255),
    )
    maps = np.zeros((4, CANVAS // STRIDE, CANVAS // STRIDE), np.uint8)
    if len(quads):
        q = cv2.perspectiveTransform(quads.reshape(1, -1, 2).astype(np.float64), m).reshape(
            -1, 4, 2
        )
        q = (q + 0.5) / STRIDE - 0.5
        for k, corners in enumerate(q):
            p = np.round(corners * 16).astype(np.int32)
            cv2.fillPoly(maps[0 if white[k] else 1], [p], 255, cv2.LINE_8, 4)
            cv2.line(maps[2], tuple(map(int, p[0])), tuple(map(int, p[1])), 255, 1, cv2.LINE_AA, 4)
            cv2.line(maps[2], tuple(map(int, p[3])), tuple(map(int, p[2])), 255, 1, cv2.LINE_AA, 4)
            cv2.line(maps[3], tuple(map(int, p[0])), tuple(map(int, p[3])), 255, 1, cv2.LINE_AA, 4)
            cv2.line(maps[3], tuple(map(int, p[1])), tuple(map(int, p[2])), 255, 1, cv2.LINE_AA, 4)
        if rng.random() < 0.06:
            letters(x, (q + 0.5) * STRIDE - 0.5, rng)
    return light(x.astype(np.float32) / 255, rng), maps


def letters(x, quads, rng):
    """Lines inside the cells, a box for every letter."""
    n, grey, thick = rng.randint(3, 7), rng.randint(20, 170), rng.randint(1, 2)
    for p in quads:
        for i in range(1, n):
            top, bottom = p[0] + (p[1] - p[0]) * i / n, p[3] + (p[2] - p[3]) * i / n
            cv2.line(
                x,
                *(tuple(map(int, np.round(e * 16))) for e in (top, bottom)),
                grey,
                thick,
                cv2.LINE_AA,
                4,
            )


def light(x, rng):
    """Light, contrast, blur and noise of a photograph."""
    n = x.shape[0]
    gamma = math.exp(rng.uniform(-0.5, 0.5))
    x = x**gamma
    if rng.random() < 0.5:
        cloud = cv2.resize(
            np.random.default_rng(rng.getrandbits(32)).normal(0, 1, (4, 4)).astype(np.float32),
            (n, n),
            interpolation=cv2.INTER_CUBIC,
        )
        x = x * (1 + rng.uniform(0, 0.25) * cloud).clip(0.2, 1.6)
    if rng.random() < 0.5:
        k = rng.uniform(0.3, 1.0)
        x = 0.5 + (x - 0.5) * k + rng.uniform(-0.4, 0.4) * (1 - k)
    if rng.random() < 0.4:
        x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.3, 1.6))
    if rng.random() < 0.5:
        x = x + np.random.default_rng(rng.getrandbits(32)).normal(
            0, rng.uniform(0, 0.04), x.shape
        ).astype(np.float32)
    return x.clip(0, 1)


def standard(x):
    """Mean 0, deviation 1 over the picture. The same as `standard` in src/grid/maps.rs."""
    return (x - x.mean()) / max(x.std(), 0.02)


def loss(y, maps):
    """Of every picture: cross-entropy with weight on the thin lines, and overlap for all four."""
    weight = torch.where(
        maps > 0.3, torch.tensor([1.0, 1.0, 4.0, 4.0], device=maps.device)[:, None, None], 1.0
    )
    bce = F.binary_cross_entropy_with_logits(y, maps, weight=weight, reduction="none")
    p = torch.sigmoid(y)
    dice = 1 - (2 * (p * maps).sum((2, 3)) + 30) / ((p + maps).sum((2, 3)) + 30)
    return bce.mean((1, 2, 3)) + 0.3 * dice.mean(1)


@torch.no_grad()
def judge(model, held, device):
    """Share of pixels of the cells and edges found, and of those found that are right (intersection over union, 0.5)."""
    model.eval()
    inter, union = np.zeros(4), np.zeros(4)
    for x, maps in held:
        p = (
            torch.sigmoid(model(torch.from_numpy(standard(x))[None, None].float().to(device)))[0]
            .cpu()
            .numpy()
            > 0.5
        )
        t = maps > 100
        inter += (p & t).sum((1, 2))
        union += (p | t).sum((1, 2))
    model.train()
    return {c: round(100 * i / max(u, 1), 1) for c, i, u in zip(CHANNELS, inter, union)}


def ruled():
    """A ruled table made by a formula, LONGEST pixels high; the same as `ruled` in src/grid/maps.rs."""
    y, x = np.mgrid[:LONGEST, : LONGEST * 3 // 4]
    row = (y >= 120) & (y <= 920) & (y % 32 < 2)
    column = np.isin(x, (60, 61, 110, 111, 240, 241, 370, 371, 420, 421, 550, 551, 680, 681))
    inside = (y >= 120) & (y <= 920) & (x >= 60) & (x <= 681)
    grain = (x * 73 + y * 151 + x * y % 97) % 13
    return np.where(inside & (row | column), 70, 225 - grain).astype(np.uint8)


@torch.no_grad()
def export(model, folder):
    """table.onnx, and golden-table.bin: little-endian f32 probabilities for `ruled`, plane by plane, of every eighth pixel of every
    eighth row of a map."""
    model.eval()
    seen = torch.sigmoid(model(torch.from_numpy(standard(ruled() / 255.0))[None, None].float()))[
        0, :, ::8, ::8
    ]
    seen.contiguous().numpy().astype("<f4").tofile(os.path.join(folder, "golden-table.bin"))
    torch.onnx.export(
        model,
        torch.zeros(1, 1, LONGEST, LONGEST * 3 // 4),
        os.path.join(folder, "table.onnx"),
        opset_version=17,
        input_names=["luma"],
        output_names=["log_odds"],
        dynamic_axes={"luma": {2: "h", 3: "w"}, "log_odds": {2: "h4", 3: "w4"}},
        dynamo=False,
    )
    model.train()


@torch.no_grad()
def attend(model, path):
    """Fills the context of `model` from the ONNX file at `path`, where that has one."""
    graph, weights = opened(path)
    products = [
        weights[n.input[1]] for n in graph.node if n.op_type == "MatMul" and n.input[1] in weights
    ]
    for (name, linear), weight in zip(
        [(n, m) for n, m in model.named_modules() if isinstance(m, nn.Linear)], products
    ):
        linear.weight.copy_(weight.T)
        linear.bias.copy_(weights[name + ".bias"])


class Windows(torch.utils.data.Dataset):
    """Training windows: of the page and by the number of the draw that an index names."""

    def __init__(self, pages, seed):
        self.pages, self.seed = pages, seed

    def __getitem__(self, index):
        page, draw = index
        x, maps = sample(self.pages[page], random.Random(self.seed * 1_000_003 + draw))
        return page, standard(x).astype(np.float16)[None], maps


def harder(last, batch, steps, seed):
    """Indices of batches: of two pages each time the one whose loss was larger when it was last taken."""
    for step in steps:
        rng = random.Random(seed * 1_000_003 + step)
        yield [
            (max(rng.sample(range(len(last)), 2), key=last.__getitem__), step * batch + k)
            for k in range(batch)
        ]


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--work", required=True)
    a.add_argument("--hcs")
    a.add_argument("--forms", nargs="*", default=[])
    a.add_argument("--steps", type=int, default=3000)
    a.add_argument(
        "--minutes",
        type=float,
        default=math.inf,
        help="the rate falls to its end within so many minutes, where that is before the last step",
    )
    a.add_argument("--batch", type=int, default=4)
    a.add_argument("--rate", type=float, default=3e-3)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument(
        "--workers",
        type=int,
        default=1,
        help="processes that make windows while the network learns",
    )
    a.add_argument(
        "--from",
        dest="before",
        help="an exported table.onnx to go on from, where there is no checkpoint yet",
    )
    a.add_argument("--out", help="write table.onnx and golden-table.bin here when done")
    o = a.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(o.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    short = has_bfloat16(device)
    all_pages = pages(o.hcs, o.forms)
    fixed = random.Random(0)
    held = [
        sample(p, random.Random(k))
        for k, p in enumerate(fixed.sample(all_pages, min(24, len(all_pages))))
    ]
    model = Table()
    step, path = 0, os.path.join(o.work, "table.pt")
    state = torch.load(path, map_location=device) if os.path.exists(path) else None
    if not state and o.before:
        attend(model, o.before)
        convolve(
            model,
            o.before,
            torch.from_numpy(np.stack([standard(x)[None] for x, _ in held])).float(),
        )
    model = model.to(device).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), o.rate, weight_decay=0.02)
    average = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.999), use_buffers=True)
    last = [math.inf] * len(all_pages)  # The loss of a page when it was last taken.
    if state:
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        step, last = state["step"], state["last"]
        average.load_state_dict(state["average"])
    print(len(all_pages), "pages, from step", step, flush=True)
    batches = harder(last, o.batch, range(step, o.steps), o.seed)
    windows = torch.utils.data.DataLoader(
        Windows(all_pages, o.seed),
        batch_sampler=batches,
        num_workers=o.workers,
        pin_memory=device == "cuda",
    )
    total, started = 0.0, time.time()

    def done():
        return max(step / o.steps, (time.time() - started) / 60 / o.minutes)

    for taken, x, maps in windows:
        for group in optimiser.param_groups:
            group["lr"] = (
                o.rate
                * min(1, (step + 1) / 100)
                * (0.5 * (1 + math.cos(math.pi * min(1, done()))) + 0.005)
            )
        with torch.autocast(device, torch.bfloat16, enabled=short):
            y = model(
                x.to(device, non_blocking=True)
                .float()
                .contiguous(memory_format=torch.channels_last)
            )
        each = loss(y.float(), maps.to(device, non_blocking=True).float() / 255)
        wrong = each.mean()
        optimiser.zero_grad()
        wrong.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimiser.step()
        average.update_parameters(model)
        for page, value in zip(taken.tolist(), each.tolist()):
            last[page] = value
        step += 1
        total += wrong.item()
        if step % 100 == 0 or done() >= 1:
            print(
                json.dumps(
                    {
                        "step": step,
                        "loss": round(total / ((step - 1) % 100 + 1), 4),
                        "seconds": round(time.time() - started),
                        **(judge(average, held, device) if step % 300 == 0 or done() >= 1 else {}),
                    }
                ),
                flush=True,
            )
            total = 0.0
            torch.save(
                {
                    "model": model.state_dict(),
                    "average": average.state_dict(),
                    "optimiser": optimiser.state_dict(),
                    "step": step,
                    "last": last,
                },
                path + ".part",
            )
            os.replace(path + ".part", path)
        if done() >= 1:
            break
    if o.out:
        export(average.module.to("cpu"), o.out)


if __name__ == "__main__":
    main()
