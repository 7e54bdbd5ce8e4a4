"""Training windows of the table model: pages with what is known of them, warped, turned, shaded and
blurred anew each time.
"""

import csv
import dataclasses
import glob
import json
import math
import os
import random

import cv2
import numpy as np
import torch
from table_net import CHANNELS, STRIDE

# Side of the training window in pixels.
WINDOW_SIDE = 704
# Longer side of a page at inference, in pixels, and the longest that is kept in memory.
MAX_PAGE_SIDE, MAX_KEPT_SIDE = 1024, 1300
# Share of the windows that are turned by each number of quarter turns to the right.
TURN_SHARES = (0.76, 0.08, 0.08, 0.08)
# Indices of the channels.
WHITE, BLACK, ROW, COLUMN, NUMBERS, HEADS, RULINGS_ROW, RULINGS_COLUMN = range(len(CHANNELS))


@dataclasses.dataclass
class Page:
    """An upright page. Places are pixels of `luma`."""

    luma: np.ndarray
    # Corners of the move cells [n, 4, 2] and whether each is White's; None where they are unknown.
    cells: np.ndarray | None = None
    is_white: np.ndarray | None = None
    # Corners [n, 4, 2] of the columns of numbers and of the names above columns; None where they
    # are unknown.
    numbers: np.ndarray | None = None
    heads: np.ndarray | None = None
    # Printed rulings along rows and along columns, lists of [k, 2]; None where they are unknown.
    rulings: tuple | None = None
    # What `ruling_teacher.py` saw, of any size; None where it did not look.
    labels: np.ndarray | None = None

    def knows_turn(self):
        return self.cells is not None and len(self.cells) > 0


def turn_points(points, height):
    """Turns points of a page of this height by a quarter to the right."""
    points = np.asarray(points, np.float32)
    return np.stack([height - 1 - points[..., 1], points[..., 0]], -1)


def turn_page(page, turns):
    """Returns the page turned by so many quarter turns to the right."""
    for _ in range(turns):
        height = page.luma.shape[0]

        def turned(places, height=height):
            return None if places is None else turn_points(places, height)

        labels = page.labels
        if labels is not None:
            labels = cv2.rotate(np.array([0, 2, 1], np.uint8)[labels], cv2.ROTATE_90_CLOCKWISE)
        rulings = page.rulings and tuple(
            [turn_points(line, height) for line in lines] for lines in reversed(page.rulings)
        )
        page = dataclasses.replace(
            page,
            luma=cv2.rotate(page.luma, cv2.ROTATE_90_CLOCKWISE),
            cells=turned(page.cells),
            numbers=turned(page.numbers),
            heads=turned(page.heads),
            rulings=rulings,
            labels=labels,
        )
    return page


def count_quarter_turns(quads):
    """Returns the number of quarter turns to the right after which the cells stand upright."""
    if quads is None or not len(quads):
        return 0
    x, y = (quads[:, 1] - quads[:, 0]).mean(0)
    return round(-math.atan2(y, x) / (math.pi / 2)) % 4


def read_page(path, boxes=None, printed=None, labels=None):
    """Reads a page. `boxes` are its cells as in cells.json, `printed` its entry of print.json."""
    luma = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
    factor = min(1.0, MAX_KEPT_SIDE / max(luma.shape))
    if factor < 1:
        luma = cv2.resize(luma, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    page = Page(luma)
    if labels and os.path.exists(labels):
        page.labels = cv2.imread(labels, cv2.IMREAD_GRAYSCALE)

    def quads(corners):
        return np.array(corners, np.float32).reshape(-1, 4, 2) * factor

    if boxes is not None:
        page.cells = quads([box["box"] for box in boxes])
        page.is_white = np.array([box["side"] == "white" for box in boxes], bool)
    if printed is not None:
        page.numbers, page.heads = quads(printed["numbers"]), quads(printed["heads"])
        page.rulings = tuple(
            [np.array(line, np.float32).reshape(-1, 2) * factor for line in printed[direction]]
            for direction in ("rows", "columns")
        )
    turns = count_quarter_turns(page.cells)
    # The printer says along what a ruling runs on the paper, not in the picture.
    if turns % 2 and page.rulings:
        page.rulings = page.rulings[::-1]
    return turn_page(page, turns)


def read_pages(hcs, forms, others, labels):
    """Returns the HCS train pages and its blank ones, made forms, and pictures of which only the
    rulings are known. `labels` is the folder that `ruling_teacher.py` wrote.
    """

    def label_path(path):
        return labels and os.path.join(labels, os.path.splitext(os.path.basename(path))[0] + ".png")

    pages = []
    if hcs:
        rows = csv.DictReader(open(os.path.join(hcs, "pages.tsv")), delimiter="\t")
        train = {row["page"] for row in rows if row["split"] == "train"}
        cells = json.load(open(os.path.join(hcs, "cells.json")))
        for name in sorted(train & set(cells)):
            path = glob.glob(os.path.join(hcs, "pages", name + ".*"))[0]
            pages.append(read_page(path, cells[name], None, label_path(path)))
        others = [os.path.join(hcs, "blank"), *others]
    for folder in forms:
        cells = json.load(open(os.path.join(folder, "cells.json")))
        listing = os.path.join(folder, "print.json")
        printed = json.load(open(listing)) if os.path.exists(listing) else {}
        for path in sorted(glob.glob(os.path.join(folder, "*.jpg"))):
            name = os.path.splitext(os.path.basename(path))[0]
            pages.append(read_page(path, cells.get(name, []), printed.get(name)))
    for folder in others:
        for path in sorted(glob.glob(os.path.join(folder, "*.jpg"))):
            if os.path.exists(label_path(path) or ""):
                pages.append(read_page(path, None, None, label_path(path)))
    return pages


def draw_camera(luma, rng):
    """Returns the matrix from a page to a training window."""
    height, width = luma.shape
    scale = MAX_PAGE_SIDE / max(height, width) * math.exp(rng.uniform(-0.45, 0.08))
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
    return np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1.0]]) @ matrix


def sample_window(page, rng):
    """Returns one training window: luma from 0 to 1, the maps [8, side, side] of 8 bits, which of
    them are known [8], and the quarter turns to the right, or -1 where they are unknown.
    """
    turns = rng.choices(range(4), TURN_SHARES)[0]
    turned = turn_page(page, turns)
    matrix = draw_camera(turned.luma, rng)
    border = rng.choice([cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE, cv2.BORDER_CONSTANT])
    picture = cv2.warpPerspective(
        turned.luma,
        matrix,
        (WINDOW_SIDE, WINDOW_SIDE),
        flags=cv2.INTER_AREA,
        borderMode=border,
        borderValue=rng.randint(0, 255),
    )
    if turned.cells is not None and len(turned.cells) and rng.random() < 0.06:
        draw_letter_boxes(picture, warp_places(turned.cells, matrix), rng)
    maps, known = draw_maps(turned, matrix)
    # What a page on its side or its head holds is left open: the program turns it first.
    known[:RULINGS_ROW] &= turns == 0
    picture = simulate_capture(picture.astype(np.float32) / 255, rng)
    return picture, maps, known, turns if page.knows_turn() else -1


def warp_places(places, matrix):
    """Maps places of any shape [..., 2] by a matrix."""
    flat = np.asarray(places, np.float64).reshape(1, -1, 2)
    return cv2.perspectiveTransform(flat, matrix).reshape(np.shape(places))


def draw_maps(page, matrix):
    """Draws the maps of a page seen through a matrix. Returns them and which of them are known."""
    side = WINDOW_SIDE // STRIDE
    maps = np.zeros((len(CHANNELS), side, side), np.uint8)
    known = np.zeros(len(CHANNELS), bool)

    def on_map(places):
        """Places in sixteenths of a pixel of the maps."""
        moved = (warp_places(places, matrix) + 0.5) / STRIDE - 0.5
        return np.round(moved * 16).clip(-1e6, 1e6).astype(np.int32)

    if page.cells is not None:
        known[[WHITE, BLACK, ROW, COLUMN]] = True
        # Pairs of corners of a row edge and of a column outline, with the channel of each.
        edges = ((ROW, 0, 1), (ROW, 2, 3), (COLUMN, 0, 3), (COLUMN, 1, 2))
        for corners, is_white in zip(on_map(page.cells) if len(page.cells) else (), page.is_white):
            cv2.fillPoly(maps[WHITE if is_white else BLACK], [corners], 255, cv2.LINE_8, 4)
            for channel, start, end in edges:
                ends = (tuple(map(int, corners[i])) for i in (start, end))
                cv2.line(maps[channel], *ends, 255, 1, cv2.LINE_AA, 4)
    for channel, places in ((NUMBERS, page.numbers), (HEADS, page.heads)):
        if places is not None:
            known[channel] = True
            for corners in on_map(places) if len(places) else ():
                cv2.fillPoly(maps[channel], [corners], 255, cv2.LINE_8, 4)
    if page.rulings is not None:
        known[[RULINGS_ROW, RULINGS_COLUMN]] = True
        for channel, lines in zip((RULINGS_ROW, RULINGS_COLUMN), page.rulings):
            for line in lines:
                cv2.polylines(maps[channel], [on_map(line)], False, 255, 1, cv2.LINE_AA, 4)
    elif page.labels is not None:
        known[[RULINGS_ROW, RULINGS_COLUMN]] = True
        factor = page.luma.shape[0] / page.labels.shape[0]
        to_window = matrix @ np.diag([factor, factor, 1.0])
        for channel, label in ((RULINGS_ROW, 1), (RULINGS_COLUMN, 2)):
            mask = (page.labels == label).astype(np.uint8) * 255
            mask = cv2.warpPerspective(mask, to_window, (WINDOW_SIDE, WINDOW_SIDE))
            mask = cv2.resize(mask, (side, side), interpolation=cv2.INTER_AREA)
            maps[channel] = np.minimum(mask.astype(np.uint16) * 2, 255)
    return maps, known


def draw_letter_boxes(picture, quads, rng):
    """Draws lines inside the cells, so that there is a box for every letter."""
    letter_count, grey, thickness = rng.randint(3, 7), rng.randint(20, 170), rng.randint(1, 2)
    for quad in quads:
        for i in range(1, letter_count):
            ends = (
                quad[0] + (quad[1] - quad[0]) * i / letter_count,
                quad[3] + (quad[2] - quad[3]) * i / letter_count,
            )
            ends = (tuple(map(int, np.round(point * 16))) for point in ends)
            cv2.line(picture, *ends, grey, thickness, cv2.LINE_AA, 4)


def simulate_capture(picture, rng):
    """Applies light, contrast, blur and noise of a photograph, or the levels, the thresholds and
    the compression of a scanner.
    """
    side = picture.shape[0]
    noise = np.random.default_rng(rng.getrandbits(32))
    picture = picture ** math.exp(rng.uniform(-0.5, 0.5))
    if rng.random() < 0.5:
        cloud = noise.normal(0, 1, (4, 4)).astype(np.float32)
        cloud = cv2.resize(cloud, (side, side), interpolation=cv2.INTER_CUBIC)
        picture = picture * (1 + rng.uniform(0, 0.25) * cloud).clip(0.2, 1.6)
    if rng.random() < 0.5:
        contrast = rng.uniform(0.3, 1.0)
        picture = 0.5 + (picture - 0.5) * contrast + rng.uniform(-0.4, 0.4) * (1 - contrast)
    if rng.random() < 0.2:
        # A scanner that makes all paper white takes the palest rulings with it.
        white = np.quantile(picture, rng.uniform(0.5, 0.95))
        picture = picture / max(white, 0.2) * rng.uniform(0.95, 1.1)
    if rng.random() < 0.4:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.6))
    if rng.random() < 0.5:
        picture = picture + noise.normal(0, rng.uniform(0, 0.04), picture.shape).astype(np.float32)
    if rng.random() < 0.04:
        mean = cv2.blur(picture, (41, 41)) if rng.random() < 0.5 else np.median(picture)
        picture = (picture > mean - rng.uniform(0.04, 0.2)).astype(np.float32)
    picture = picture.clip(0, 1)
    if rng.random() < 0.3:
        quality = [cv2.IMWRITE_JPEG_QUALITY, rng.randint(25, 90)]
        coded = cv2.imencode(".jpg", (picture * 255).astype(np.uint8), quality)[1]
        picture = cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE).astype(np.float32) / 255
    return picture


def standardize(x):
    """Scales a picture to mean 0 and deviation 1, as `standardize` in src/grid does."""
    return (x - x.mean()) / max(x.std(), 0.02)


class Windows(torch.utils.data.Dataset):
    """Training windows, indexed by (page, number of the draw)."""

    def __init__(self, pages, seed):
        self.pages, self.seed = pages, seed

    def __getitem__(self, index):
        page, draw = index
        rng = random.Random(self.seed * 1_000_003 + draw)
        x, maps, known, turns = sample_window(self.pages[page], rng)
        return page, standardize(x).astype(np.float16)[None], maps, known, turns
