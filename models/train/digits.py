"""Trains the reader of printed move numbers, `models/numbers.onnx`.

`python digits.py render --prints DIR --hands DIR --out POOL.npz --count N --seed S` renders number cells of forms, with what stands
around them: rulings, shading, the number above and below, a hand's moves on either side. DIR are node_modules folders of
@fontsource packages: faces for print, and handwriting. `python digits.py train --pools POOL.npz,... --hcs DATA/hcs --out models`
trains on them and on the number cells of HCS train pages, and writes the model with golden inputs; from a checkpoint in WORK it goes on at a
falling rate.

A strip is 32 x 112 pixels of luma, 25.6 of them a row's height: an eighth of a row above and below, across from 3.5 rows left of
the edge of a column of moves to 0.875 rows right of it, or the other way round. The model gives the log-probabilities of 14 classes,
the tens 0 to 12 and "no number", and of 10 more, the units where there is a number.
"""

import argparse
import csv
import glob
import json
import os
import random
import struct

import cv2
import numpy as np
import onnx
import torch
import torch.nn as nn
import torch.nn.functional as F
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont

HIGH, WIDE = 32, 112
ROW = 25.6
BEFORE = 3.5  # Rows from the strip's left edge to the edge of the column.
FINE = 3  # Rendered pixels for one of the strip.
TENS, NONE = 14, 13
HEADS = "White Black WHITE BLACK Nr. No. Move # Time Bianco Nero Brancas Pretas Weiss Schwarz Blancas Negras Blancs Noirs".split()


def faces(folder, weights):
    """TrueType paths of a folder's faces, converted where they have not been."""
    found = []
    for path in sorted(
        glob.glob(
            os.path.join(folder, "@fontsource", "*", "files", f"*-latin-[{weights}]00-normal.woff")
        )
    ):
        target = path[: -len("woff")] + "ttf"
        if not os.path.exists(target):
            font = TTFont(path, recalcTimestamp=False)
            font.flavor = None
            font.save(target)
        found.append(target)
    return found


def strip(prints, hands, rng):
    """A number cell as it is printed and written around; luma and the number, or None where there is none."""
    s = ROW * FINE
    w, h = WIDE * FINE, HIGH * FINE
    edge, top = BEFORE * s, (HIGH - ROW) / 2 * FINE
    paper = rng.uniform(120, 250)
    ink = paper * rng.uniform(0.0, 0.65)
    image = Image.new("L", (w + 40, h + 40), int(paper))
    pen = ImageDraw.Draw(image)
    ox = oy = 20
    number = (
        None
        if rng.random() < 0.16
        else min(
            121, int(rng.choice((rng.uniform(0, 20), rng.uniform(0, 62), rng.uniform(0, 122))))
        )
    )
    side = (
        rng.uniform(0.7, 1.9) if rng.random() < 0.7 else rng.uniform(1.5, 3.3)
    )  # Width of the number column.
    right = edge - rng.choice((0.0, 0.0, rng.uniform(-0.7, 0.4))) * s
    left = right - side * s
    middle = (left + right) / 2
    fill = paper
    shade = rng.random()
    if shade < 0.3:
        fill = paper * (rng.uniform(0.1, 0.5) if shade < 0.06 else rng.uniform(0.75, 1.1))
        pen.rectangle((left + ox, 0, right + ox, h + 40), fill=int(min(255, fill)))
    line = max(1, int(rng.uniform(0.01, 0.07) * s))
    tone = int(paper * rng.uniform(0.1, 0.8))
    walls, floors = rng.random() < 0.75, rng.random() < 0.8
    for row in range(-1, 3):
        if floors:
            y = top + row * s + oy
            x0 = 0 if rng.random() < 0.9 else right + ox
            pen.line((x0, y, w + 40, y), fill=tone, width=line)
    if walls:
        for x in (left, right):
            if rng.random() < 0.85:
                pen.line((x + ox, 0, x + ox, h + 40), fill=tone, width=line * rng.choice((1, 1, 2)))
    face = rng.choice(prints)
    size = rng.uniform(0.22, 0.78)
    font = ImageFont.truetype(face, int(size * s * 1.35))
    form = rng.choices(("{}", "{}.", "{:02}", "{})"), (10, 5, 2.5, 0.3))[0]
    colour = int(paper) if fill < paper * 0.6 else int(ink)
    style = rng.choice("mmmlr")
    if number is not None:
        for row in (-1, 0, 1):
            text = form.format(number + row) if number + row >= 0 else ""
            x = {"m": middle, "l": left + 0.12 * s, "r": right - 0.12 * s}[style] + ox
            pen.text(
                (x, top + (row + 0.5) * s + oy + rng.uniform(-0.01, 0.01) * s),
                text,
                font=font,
                fill=colour,
                anchor=style + "m",
            )
    elif rng.random() < 0.3:
        pen.text(
            (right + ox + rng.uniform(-1.5, 0.4) * s, top + 0.5 * s + oy),
            rng.choice(HEADS),
            font=font,
            fill=int(ink),
            anchor="lm",
        )
    written = paper * rng.uniform(0.05, 0.7)
    hand = ImageFont.truetype(rng.choice(hands), int(rng.uniform(0.5, 1.3) * s))
    for side_of in "lr":
        if rng.random() < 0.55:
            text = "".join(
                rng.choice("abcdefgh12345678KQRBNDTSCx+O0-=") for _ in range(rng.randint(1, 4))
            )
            over = rng.uniform(-0.35, 0.05) if rng.random() < 0.2 else rng.uniform(0.05, 0.4)
            x = right + over * s if side_of == "r" else left - over * s
            anchor = "lm" if side_of == "r" else "rm"
            pen.text(
                (x + ox, top + rng.uniform(0.3, 0.7) * s + oy),
                text,
                font=hand,
                fill=int(written),
                anchor=anchor,
            )
    got = np.asarray(image, np.float32)
    # The crop is off a little, and leans.
    corner = np.float32([[ox, oy], [ox + w, oy], [ox, oy + h]])
    wander = np.float32([[rng.gauss(0, 0.1) * s, rng.gauss(0, 0.05) * s] for _ in range(3)])
    lift = rng.gauss(0, 0.07) * s
    corner += wander * 0.6 + np.float32([rng.gauss(0, 0.12) * s, lift])
    got = cv2.warpAffine(
        got,
        cv2.getAffineTransform(corner, np.float32([[0, 0], [w, 0], [0, h]])),
        (w, h),
        borderMode=cv2.BORDER_REPLICATE,
    )
    coarse = rng.uniform(0.5, 1.0) if rng.random() < 0.5 else 1.0  # Rows of few pixels.
    got = cv2.GaussianBlur(got, (0, 0), FINE * rng.uniform(0.2, 0.9))
    got = cv2.resize(got, (int(WIDE * coarse), int(HIGH * coarse)), interpolation=cv2.INTER_AREA)
    if rng.random() < 0.4:
        got = cv2.imdecode(
            cv2.imencode(
                ".jpg",
                got.clip(0, 255).astype(np.uint8),
                [cv2.IMWRITE_JPEG_QUALITY, rng.randint(40, 90)],
            )[1],
            cv2.IMREAD_GRAYSCALE,
        ).astype(np.float32)
    got = cv2.resize(got, (WIDE, HIGH), interpolation=cv2.INTER_LINEAR)
    x = np.linspace(-1, 1, WIDE)[None] * rng.uniform(-0.12, 0.12) + np.linspace(-1, 1, HIGH)[
        :, None
    ] * rng.uniform(-0.05, 0.05)
    got = got * (1 + x) + np.random.default_rng(rng.getrandbits(32)).normal(
        0, rng.uniform(0, 5), got.shape
    )
    return got.clip(0, 255).round().astype(np.uint8), number


def labels(numbers):
    tens = [NONE if n is None else n // 10 for n in numbers]
    units = [-1 if n is None else n % 10 for n in numbers]
    return np.int64(tens), np.int64(units)


def render(o):
    rng = random.Random(o.seed)
    prints, hands = faces(o.prints, "4567"), faces(o.hands, "4")
    made = [strip(prints, hands, rng) for _ in range(o.count)]
    tens, units = labels([n for _, n in made])
    np.savez_compressed(o.out, strips=np.stack([p for p, _ in made]), tens=tens, units=units)


def around(quad, mirrored):
    """The strip's corners beside a cell: left of its left edge, or right of its right one."""
    tl, tr, br, bl = quad
    high = (np.linalg.norm(bl - tl) + np.linalg.norm(br - tr)) / 2

    def unit(v):
        return v / max(1e-6, np.linalg.norm(v))

    upper, lower, down = unit(tr - tl), unit(br - bl), unit(bl - tl) * high * (HIGH / ROW - 1) / 2
    a, b = (tr, br) if mirrored else (tl, bl)
    far, near = BEFORE * high, (WIDE / ROW - BEFORE) * high
    before, after = (near, far) if mirrored else (far, near)
    return np.float32(
        [
            a - upper * before - down,
            a + upper * after - down,
            b + lower * after + down,
            b - lower * before + down,
        ]
    )


def cut(luma, corners):
    size = np.linalg.norm(corners[3] - corners[0])
    fine = max(1, round(size / HIGH))
    w, h = WIDE * fine, HIGH * fine
    to = np.float32([[0, 0], [w, 0], [w, h], [0, h]])
    got = cv2.warpPerspective(
        luma,
        cv2.getPerspectiveTransform(corners, to),
        (w, h),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return cv2.resize(got, (WIDE, HIGH), interpolation=cv2.INTER_AREA)


def real(hcs, rng):
    """The number cells of HCS train pages, each a little off, and cells beside which no number stands."""
    split = {
        r["page"]: r["split"]
        for r in csv.DictReader(open(os.path.join(hcs, "pages.tsv")), delimiter="\t")
    }
    strips, numbers = [], []
    for name, cells in sorted(json.load(open(os.path.join(hcs, "cells.json"))).items()):
        if split.get(name) != "train":
            continue
        luma = cv2.imread(
            glob.glob(os.path.join(hcs, "pages", name + ".*"))[0], cv2.IMREAD_GRAYSCALE
        )
        for cell in cells:
            black = cell["side"] == "black"
            if black and rng.random() < 0.8:
                continue
            quad = np.float32(cell["box"])
            high = np.linalg.norm(quad[3] - quad[0])
            quad = quad + np.float32([rng.gauss(0, 0.15), rng.gauss(0, 0.05)]) * high
            strips.append(cut(luma, around(quad, False)))
            numbers.append(None if black else cell["move"])
    return np.stack(strips), *labels(numbers)


class Numbers(nn.Module):
    """Five convolutions and a layer for the tens and the units; about 4 million multiplications."""

    def __init__(self):
        super().__init__()

        def layer(a, b, side, stride):
            return [
                nn.Conv2d(a, b, side, stride, side // 2, bias=False),
                nn.BatchNorm2d(b),
                nn.ReLU(),
            ]

        self.body = nn.Sequential(
            *layer(1, 16, 5, 2),
            *layer(16, 32, 3, 2),
            *layer(32, 32, 3, 1),
            *layer(32, 48, 3, 2),
            *layer(48, 48, 3, 1),
        )
        self.squeeze = nn.Sequential(nn.Dropout(0.2), nn.Linear(48 * 4 * WIDE // 8, 96), nn.ReLU())
        self.head = nn.Linear(96, TENS + 10)

    def forward(self, x):
        y = self.head(self.squeeze(self.body(x).flatten(1)))
        return torch.cat([F.log_softmax(y[:, :TENS], 1), F.log_softmax(y[:, TENS:], 1)], 1)


def standard(luma):
    x = luma.float() / 255
    return (x - x.mean((1, 2), keepdim=True))[:, None] / x.std(
        (1, 2), keepdim=True, unbiased=False
    ).clamp(min=0.02)[:, None]


def loss_of(model, luma, tens, units):
    y = model(standard(luma))
    return F.nll_loss(y[:, :TENS], tens) + F.nll_loss(y[:, TENS:], units, ignore_index=-1)


def right(model, luma, tens, units):
    with torch.no_grad():
        y = torch.cat([model(standard(part)) for part in luma.split(500)])
    same = y[:, :TENS].argmax(1) == tens
    return (same & ((units < 0) | (y[:, TENS:].argmax(1) == units))).float().mean().item()


def train(o):
    torch.manual_seed(1)
    torch.set_num_threads(o.threads)
    pools = [np.load(path) for path in o.pools.split(",")]
    pools = [(z["strips"], z["tens"], z["units"]) for z in pools] + [real(o.hcs, random.Random(1))]
    held = [torch.from_numpy(part[:600]) for part in pools[0]]
    pools[0] = tuple(part[600:] for part in pools[0])
    luma, tens, units = (torch.from_numpy(np.concatenate(part)) for part in zip(*pools))
    model, checkpoint = Numbers(), os.path.join(o.work, "numbers.pt")
    steps = o.epochs * (len(luma) // o.batch)
    optimiser = torch.optim.AdamW(model.parameters(), 2e-3, weight_decay=0.02)
    if os.path.exists(checkpoint):
        model.load_state_dict(torch.load(checkpoint))
        schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.01, steps)
    else:
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps)
    for epoch in range(o.epochs):
        model.train()
        order, total = torch.randperm(len(luma)), 0.0
        for at in order[: len(order) // o.batch * o.batch].view(-1, o.batch):
            shift = [int(v) for v in torch.randint(-1, 2, (2,))]
            loss = loss_of(model, luma[at].roll(shift, (1, 2)), tens[at], units[at])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        model.eval()
        print(
            epoch,
            f"loss {total / (len(order) // o.batch):.4f} rendered {right(model, *held):.4f}",
            flush=True,
        )
        torch.save(model.state_dict(), checkpoint)
    export(model, o.out, held[0][:6])


def export(model, out, strips):
    """The model, and golden inputs: u32 strips and classes; then for each its bytes and the log-probabilities."""
    model.eval()
    path = os.path.join(out, "numbers.onnx")
    torch.onnx.export(
        model,
        torch.zeros(1, 1, HIGH, WIDE),
        path,
        opset_version=17,
        input_names=["luma"],
        output_names=["log_probabilities"],
        dynamo=False,
    )
    graph = onnx.load(path)
    del graph.graph.value_info[:]
    onnx.save(graph, path)
    with torch.no_grad():
        y = model(standard(strips)).numpy().astype("<f4")
    with open(os.path.join(out, "golden-numbers.bin"), "wb") as f:
        f.write(struct.pack("<II", *y.shape))
        for luma, logs in zip(strips.numpy(), y):
            f.write(luma.tobytes() + logs.tobytes())


def main():
    a = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    a.add_argument("what", choices=("render", "train"))
    a.add_argument("--prints")
    a.add_argument("--hands")
    a.add_argument("--count", type=int, default=60000)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--pools")
    a.add_argument("--hcs")
    a.add_argument("--work", default=".")
    a.add_argument("--epochs", type=int, default=10)
    a.add_argument("--batch", type=int, default=128)
    a.add_argument("--threads", type=int, default=1)
    a.add_argument("--out", required=True)
    o = a.parse_args()
    (render if o.what == "render" else train)(o)


if __name__ == "__main__":
    main()
