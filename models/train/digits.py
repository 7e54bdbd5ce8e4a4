"""Trains the reader of printed move numbers, `models/numbers.onnx`.

`python digits.py render --prints DIR --hands DIR --out POOL.npz --count N --seed S` renders number
cells of forms with what stands around them: rulings, shading, the numbers above and below, and
handwritten moves on either side. DIR are node_modules folders of @fontsource packages, one with
faces for print and one with handwriting.

`python digits.py train --pools POOL.npz,... --hcs DATA/hcs --out models` trains on them and on the
number cells of HCS train pages, and writes the model with golden inputs. From a checkpoint in WORK
it goes on at a falling rate.

A strip is 32 x 112 pixels of luma, where a row is 25.6 pixels high. It reaches an eighth of a row
above and below. Across, it reaches from 3.5 rows left of the edge of a column of moves to 0.875
rows right of it, or the other way round. The model gives log-probabilities of 14 classes, the tens
0 to 12 and "no number", and of 10 more, the units where there is a number.
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
from quantize import quantize, run_network

STRIP_HEIGHT, STRIP_WIDTH = 32, 112
ROW_HEIGHT = 25.6
# Distance from the left edge of the strip to the edge of the column, in row heights.
ROWS_BEFORE_EDGE = 3.5
# Rendered pixels for one pixel of the strip.
OVERSAMPLING = 3
# Rendered pixels around the strip from which it may be cropped.
BORDER_PX = 20
TENS_CLASSES, NO_NUMBER = 14, 13
COLUMN_HEADS = (
    "White Black WHITE BLACK Nr. No. Move # Time Bianco Nero Brancas Pretas Weiss Schwarz "
    "Blancas Negras Blancs Noirs"
).split()


def find_faces(folder, weights):
    """Returns the TrueType paths of a folder's faces, which are converted where that has not been
    done.
    """
    paths = []
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
        paths.append(target)
    return paths


def draw_strip(prints, hands, rng):
    """Draws a number cell as it is printed, with writing around it. Returns its luma and the
    number, or None where there is none.
    """
    row_px = ROW_HEIGHT * OVERSAMPLING
    width, height = STRIP_WIDTH * OVERSAMPLING, STRIP_HEIGHT * OVERSAMPLING
    column_edge, top = ROWS_BEFORE_EDGE * row_px, (STRIP_HEIGHT - ROW_HEIGHT) / 2 * OVERSAMPLING
    paper = rng.uniform(120, 250)
    ink = paper * rng.uniform(0.0, 0.65)
    image = Image.new("L", (width + 2 * BORDER_PX, height + 2 * BORDER_PX), int(paper))
    pen = ImageDraw.Draw(image)
    number = (
        None
        if rng.random() < 0.16
        else min(
            121, int(rng.choice((rng.uniform(0, 20), rng.uniform(0, 62), rng.uniform(0, 122))))
        )
    )
    # The width of the number column is drawn first.
    column_width = rng.uniform(0.7, 1.9) if rng.random() < 0.7 else rng.uniform(1.5, 3.3)
    right = column_edge - rng.choice((0.0, 0.0, rng.uniform(-0.7, 0.4))) * row_px
    left = right - column_width * row_px
    middle = (left + right) / 2
    fill = paper
    shade = rng.random()
    if shade < 0.3:
        fill = paper * (rng.uniform(0.1, 0.5) if shade < 0.06 else rng.uniform(0.75, 1.1))
        pen.rectangle(
            (left + BORDER_PX, 0, right + BORDER_PX, height + 2 * BORDER_PX),
            fill=int(min(255, fill)),
        )
    line = max(1, int(rng.uniform(0.01, 0.07) * row_px))
    tone = int(paper * rng.uniform(0.1, 0.8))
    has_column_lines, has_row_lines = rng.random() < 0.75, rng.random() < 0.8
    for row in range(-1, 3):
        if has_row_lines:
            y = top + row * row_px + BORDER_PX
            line_start = 0 if rng.random() < 0.9 else right + BORDER_PX
            pen.line((line_start, y, width + 2 * BORDER_PX, y), fill=tone, width=line)
    if has_column_lines:
        for x in (left, right):
            if rng.random() < 0.85:
                pen.line(
                    (x + BORDER_PX, 0, x + BORDER_PX, height + 2 * BORDER_PX),
                    fill=tone,
                    width=line * rng.choice((1, 1, 2)),
                )
    face = rng.choice(prints)
    size = rng.uniform(0.22, 0.78)
    font = ImageFont.truetype(face, int(size * row_px * 1.35))
    number_format = rng.choices(("{}", "{}.", "{:02}", "{})"), (10, 5, 2.5, 0.3))[0]
    colour = int(paper) if fill < paper * 0.6 else int(ink)
    style = rng.choice("mmmlr")
    if number is not None:
        for row in (-1, 0, 1):
            text = number_format.format(number + row) if number + row >= 0 else ""
            x = {"m": middle, "l": left + 0.12 * row_px, "r": right - 0.12 * row_px}[
                style
            ] + BORDER_PX
            pen.text(
                (x, top + (row + 0.5) * row_px + BORDER_PX + rng.uniform(-0.01, 0.01) * row_px),
                text,
                font=font,
                fill=colour,
                anchor=style + "m",
            )
    elif rng.random() < 0.3:
        pen.text(
            (right + BORDER_PX + rng.uniform(-1.5, 0.4) * row_px, top + 0.5 * row_px + BORDER_PX),
            rng.choice(COLUMN_HEADS),
            font=font,
            fill=int(ink),
            anchor="lm",
        )
    write_moves(pen, hands, paper, left, right, rng)
    return degrade_strip(np.asarray(image, np.float32), rng), number


def write_moves(pen, hands, paper, left, right, rng):
    """Writes parts of moves on either side of the number column."""
    row_px, top = ROW_HEIGHT * OVERSAMPLING, (STRIP_HEIGHT - ROW_HEIGHT) / 2 * OVERSAMPLING
    hand_ink = paper * rng.uniform(0.05, 0.7)
    hand = ImageFont.truetype(rng.choice(hands), int(rng.uniform(0.5, 1.3) * row_px))
    for side in "lr":
        if rng.random() < 0.55:
            text = "".join(
                rng.choice("abcdefgh12345678KQRBNDTSCx+O0-=") for _ in range(rng.randint(1, 4))
            )
            distance = rng.uniform(-0.35, 0.05) if rng.random() < 0.2 else rng.uniform(0.05, 0.4)
            x = right + distance * row_px if side == "r" else left - distance * row_px
            anchor = "lm" if side == "r" else "rm"
            pen.text(
                (x + BORDER_PX, top + rng.uniform(0.3, 0.7) * row_px + BORDER_PX),
                text,
                font=hand,
                fill=int(hand_ink),
                anchor=anchor,
            )


def degrade_strip(picture, rng):
    """Crops a drawn strip a little off its place, and adds blur, compression, light and noise."""
    row_px = ROW_HEIGHT * OVERSAMPLING
    width, height = STRIP_WIDTH * OVERSAMPLING, STRIP_HEIGHT * OVERSAMPLING
    # The crop is a little off its place and leans.
    corner = np.float32(
        [[BORDER_PX, BORDER_PX], [BORDER_PX + width, BORDER_PX], [BORDER_PX, BORDER_PX + height]]
    )
    drift = np.float32(
        [[rng.gauss(0, 0.1) * row_px, rng.gauss(0, 0.05) * row_px] for _ in range(3)]
    )
    shift_y = rng.gauss(0, 0.07) * row_px
    corner += drift * 0.6 + np.float32([rng.gauss(0, 0.12) * row_px, shift_y])
    picture = cv2.warpAffine(
        picture,
        cv2.getAffineTransform(corner, np.float32([[0, 0], [width, 0], [0, height]])),
        (width, height),
        borderMode=cv2.BORDER_REPLICATE,
    )
    # Half of the pictures have rows of few pixels.
    reduction = rng.uniform(0.5, 1.0) if rng.random() < 0.5 else 1.0
    picture = cv2.GaussianBlur(picture, (0, 0), OVERSAMPLING * rng.uniform(0.2, 0.9))
    picture = cv2.resize(
        picture,
        (int(STRIP_WIDTH * reduction), int(STRIP_HEIGHT * reduction)),
        interpolation=cv2.INTER_AREA,
    )
    if rng.random() < 0.4:
        picture = cv2.imdecode(
            cv2.imencode(
                ".jpg",
                picture.clip(0, 255).astype(np.uint8),
                [cv2.IMWRITE_JPEG_QUALITY, rng.randint(40, 90)],
            )[1],
            cv2.IMREAD_GRAYSCALE,
        ).astype(np.float32)
    picture = cv2.resize(picture, (STRIP_WIDTH, STRIP_HEIGHT), interpolation=cv2.INTER_LINEAR)
    x = np.linspace(-1, 1, STRIP_WIDTH)[None] * rng.uniform(-0.12, 0.12) + np.linspace(
        -1, 1, STRIP_HEIGHT
    )[:, None] * rng.uniform(-0.05, 0.05)
    picture = picture * (1 + x) + np.random.default_rng(rng.getrandbits(32)).normal(
        0, rng.uniform(0, 5), picture.shape
    )
    return picture.clip(0, 255).round().astype(np.uint8)


def encode_numbers(numbers):
    """Returns the classes of tens and of units; the units are -1 where there is no number."""
    tens = [NO_NUMBER if n is None else n // 10 for n in numbers]
    units = [-1 if n is None else n % 10 for n in numbers]
    return np.int64(tens), np.int64(units)


def render_pool(args):
    """Renders the strips of the command line and saves them."""
    rng = random.Random(args.seed)
    prints, hands = find_faces(args.prints, "4567"), find_faces(args.hands, "4")
    strips = [draw_strip(prints, hands, rng) for _ in range(args.count)]
    tens, units = encode_numbers([n for _, n in strips])
    np.savez_compressed(args.out, strips=np.stack([p for p, _ in strips]), tens=tens, units=units)


def strip_corners(quad, mirrored):
    """Returns the corners of the strip left of the left edge of a cell, or right of its right edge
    if `mirrored`.
    """
    top_left, top_right, bottom_right, bottom_left = quad
    row_height = (
        np.linalg.norm(bottom_left - top_left) + np.linalg.norm(bottom_right - top_right)
    ) / 2

    def unit(v):
        return v / max(1e-6, np.linalg.norm(v))

    upper, lower, down = (
        unit(top_right - top_left),
        unit(bottom_right - bottom_left),
        unit(bottom_left - top_left) * row_height * (STRIP_HEIGHT / ROW_HEIGHT - 1) / 2,
    )
    top_corner, bottom_corner = (top_right, bottom_right) if mirrored else (top_left, bottom_left)
    long_side, short_side = (
        ROWS_BEFORE_EDGE * row_height,
        (STRIP_WIDTH / ROW_HEIGHT - ROWS_BEFORE_EDGE) * row_height,
    )
    before, after = (short_side, long_side) if mirrored else (long_side, short_side)
    return np.float32(
        [
            top_corner - upper * before - down,
            top_corner + upper * after - down,
            bottom_corner + lower * after + down,
            bottom_corner - lower * before + down,
        ]
    )


def cut_strip(luma, corners):
    """Cuts the strip with these corners out of a page."""
    size = np.linalg.norm(corners[3] - corners[0])
    fine = max(1, round(size / STRIP_HEIGHT))
    width, height = STRIP_WIDTH * fine, STRIP_HEIGHT * fine
    target = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    picture = cv2.warpPerspective(
        luma,
        cv2.getPerspectiveTransform(corners, target),
        (width, height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return cv2.resize(picture, (STRIP_WIDTH, STRIP_HEIGHT), interpolation=cv2.INTER_AREA)


def load_hcs_strips(hcs, rng):
    """Returns the number cells of HCS train pages, each a little off its place, and cells that have
    no number beside them.
    """
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
            row_height = np.linalg.norm(quad[3] - quad[0])
            quad = quad + np.float32([rng.gauss(0, 0.15), rng.gauss(0, 0.05)]) * row_height
            strips.append(cut_strip(luma, strip_corners(quad, False)))
            numbers.append(None if black else cell["move"])
    return np.stack(strips), *encode_numbers(numbers)


class NumberNet(nn.Module):
    """Five convolutions and a layer for the tens and the units, with about 4 million
    multiplications.
    """

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
        self.squeeze = nn.Sequential(
            nn.Dropout(0.2), nn.Linear(48 * 4 * STRIP_WIDTH // 8, 96), nn.ReLU()
        )
        self.head = nn.Linear(96, TENS_CLASSES + 10)

    def forward(self, x):
        y = self.head(self.squeeze(self.body(x).flatten(1)))
        return torch.cat(
            [F.log_softmax(y[:, :TENS_CLASSES], 1), F.log_softmax(y[:, TENS_CLASSES:], 1)], 1
        )


def standardize(luma):
    """Scales luma to mean 0 and deviation 1 for each strip, as src/numbers/network.rs does."""
    pixels = luma.float() / 255
    return (pixels - pixels.mean((1, 2), keepdim=True))[:, None] / pixels.std(
        (1, 2), keepdim=True, unbiased=False
    ).clamp(min=0.02)[:, None]


def compute_loss(model, luma, tens, units):
    logs = model(standardize(luma))
    return F.nll_loss(logs[:, :TENS_CLASSES], tens) + F.nll_loss(
        logs[:, TENS_CLASSES:], units, ignore_index=-1
    )


def measure_accuracy(model, luma, tens, units):
    """Returns the share of strips whose tens and units are both right."""
    with torch.no_grad():
        logs = torch.cat([model(standardize(part)) for part in luma.split(500)])
    tens_right = logs[:, :TENS_CLASSES].argmax(1) == tens
    return (
        (tens_right & ((units < 0) | (logs[:, TENS_CLASSES:].argmax(1) == units)))
        .float()
        .mean()
        .item()
    )


def train(args):
    torch.manual_seed(1)
    torch.set_num_threads(args.threads)
    pools = [np.load(path) for path in args.pools.split(",")]
    pools = [(archive["strips"], archive["tens"], archive["units"]) for archive in pools] + [
        load_hcs_strips(args.hcs, random.Random(1))
    ]
    held_out = [torch.from_numpy(part[:600]) for part in pools[0]]
    pools[0] = tuple(part[600:] for part in pools[0])
    luma, tens, units = (torch.from_numpy(np.concatenate(part)) for part in zip(*pools))
    model, checkpoint = NumberNet(), os.path.join(args.work, "numbers.pt")
    steps = args.epochs * (len(luma) // args.batch)
    optimiser = torch.optim.AdamW(model.parameters(), 2e-3, weight_decay=0.02)
    if os.path.exists(checkpoint):
        model.load_state_dict(torch.load(checkpoint))
        schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.01, steps)
    else:
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps)
    for epoch in range(args.epochs):
        model.train()
        permutation, total = torch.randperm(len(luma)), 0.0
        for indices in permutation[: len(permutation) // args.batch * args.batch].view(
            -1, args.batch
        ):
            shift = [int(value) for value in torch.randint(-1, 2, (2,))]
            loss = compute_loss(
                model, luma[indices].roll(shift, (1, 2)), tens[indices], units[indices]
            )
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        model.eval()
        print(
            epoch,
            f"loss {total / (len(permutation) // args.batch):.4f}",
            f"rendered {measure_accuracy(model, *held_out):.4f}",
            flush=True,
        )
        torch.save(model.state_dict(), checkpoint)
    export(model, args.out, held_out[0][:6])


def export(model, out, strips):
    """Writes numbers.onnx and golden-numbers.bin."""
    model.eval()
    path = os.path.join(out, "numbers.onnx")
    torch.onnx.export(
        model,
        torch.zeros(1, 1, STRIP_HEIGHT, STRIP_WIDTH),
        path,
        opset_version=17,
        input_names=["luma"],
        output_names=["log_probabilities"],
        dynamo=False,
    )
    graph = onnx.load(path)
    del graph.graph.value_info[:]
    onnx.save(graph, path)
    quantize(path)
    write_golden(os.path.join(out, "golden-numbers.bin"), path, strips)


def write_golden(path, network, strips):
    """Writes a golden file: u32 count of strips and of classes, then for each strip its bytes and
    the log-probabilities by the network in the ONNX file `network`.
    """
    inputs = standardize(strips).numpy()
    logs = np.concatenate([run_network(network, strip[None]) for strip in inputs])
    with open(path, "wb") as f:
        f.write(struct.pack("<II", *logs.shape))
        for luma, row in zip(strips.numpy(), logs.astype("<f4")):
            f.write(luma.tobytes() + row.tobytes())


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("render", "train"))
    parser.add_argument("--prints")
    parser.add_argument("--hands")
    parser.add_argument("--count", type=int, default=60000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pools")
    parser.add_argument("--hcs")
    parser.add_argument("--work", default=".")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    (render_pool if args.what == "render" else train)(args)


if __name__ == "__main__":
    main()
