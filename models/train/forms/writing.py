"""Puts a game on paper: one hand, one language, ink in the cells and the header."""

import gzip
import random
import re

import cv2
import numpy as np
import render
from crops import CANVAS_H, CANVAS_W, MX, MY
from texts import TOKEN, habit, known, spell

INNER_W, INNER_H = CANVAS_W - 2 * MX, CANVAS_H - 2 * MY
LETTERS = "KQRBNTDCAFLSPHWGabcdefgh12345678xO-+=:#!?()"
PENS = {
    "blue": ((24, 40, 130), (0.75, 0.95)),
    "black": ((28, 28, 32), (0.75, 0.97)),
    "pencil": ((82, 82, 88), (0.45, 0.75)),
    "green": ((20, 110, 80), (0.7, 0.9)),
    "faint": ((60, 70, 120), (0.35, 0.55)),
}
NAMES = "Rossi Silva Santos Costa Bianchi Garcia Mueller Novak Smith Jones Martin Lopez Kim Lee Ivanov Nagy Jansen Open Club Lyon Torino".split()


class Writer:
    """One hand with its pen and its habits."""

    def __init__(self, bank, faces, language, rng):
        self.rng, self.habit = rng, habit(rng, language)
        self.habit["small_pieces"] = self.habit["capital_files"] = False
        self.pen = rng.choices(list(PENS), (38, 30, 18, 5, 9))[0]
        if rng.random() < 0.6:
            writer = rng.choice(bank.writers)
            self.source = lambda *args: render.text_ink_strokes(bank, writer, *args)
        else:
            face = faces.pick(LETTERS, rng)
            self.source = lambda *args: render.text_ink_font(face[2], *args)
        self.style = {
            "cap": rng.uniform(0.42, 0.85),
            "stretch": rng.uniform(0.85, 1.35),
            "left": rng.choice((0.02, 0.08, 0.2, 0.4)),
            "baseline": rng.uniform(0.72, 0.9),
        }

    def spell(self, game, start, end):
        """The moves of a game from ply `start` (from 0) up to `end` as this hand puts them."""
        return [
            spell(san, self.habit, self.rng, facts)
            for san, facts in list(zip(game, known(game)))[start:end]
        ]

    def stamp(self, ink, part, left, top):
        a, b = max(0, -top), max(0, -left)
        view = ink[top + a : top + part.shape[0], left + b : left + part.shape[1]]
        if view.size:
            np.maximum(view, part[a : a + view.shape[0], b : b + view.shape[1]], out=view)

    def cell(self, ink, text, box):
        """A move in a cell (pixels); true where something was written."""
        x0, y0, x1, y1 = box
        canvas = render.cell(text, self.source, self.rng, self.style)
        if canvas is None:
            return False
        ky = (y1 - y0) / INNER_H
        kx = min(ky, (x1 - x0) / INNER_W)
        free = (x1 - x0) - INNER_W * kx
        how = cv2.INTER_AREA if ky < 1 else cv2.INTER_CUBIC
        part = cv2.resize(
            canvas, (max(1, round(CANVAS_W * kx)), max(1, round(CANVAS_H * ky))), interpolation=how
        )
        self.stamp(ink, part, round(x0 + free * self.style["left"] - MX * kx), round(y0 - MY * ky))
        return True

    def line(self, ink, text, x, baseline, width, height):
        """Words on a line of the header."""
        drawn = self.source(text, 30, 1.0, self.rng)
        if drawn is None and " " in text:
            drawn = self.words(text)
        if drawn is None:
            return
        part, base = drawn
        columns = np.flatnonzero(part.any(0))
        if not len(columns):
            return
        part = part[:, columns[0] : columns[-1] + 1]
        k = height / (30 * render.SCALE)
        w = max(1, min(round(part.shape[1] * k), round(width)))
        part = cv2.resize(part, (w, max(1, round(part.shape[0] * k))), interpolation=cv2.INTER_AREA)
        self.stamp(ink, part, round(x), round(baseline - base * k))

    def words(self, text):
        """Ink of words side by side, for a source that has no blank."""
        drawn = [self.source(word, 30, 1.0, self.rng) for word in text.split()]
        if None in drawn:
            return None
        gap = np.zeros(
            (drawn[0][0].shape[0], round(30 * render.SCALE * self.rng.uniform(0.2, 0.8))), np.uint8
        )
        return np.concatenate([part for word, _ in drawn for part in (word, gap)], 1), drawn[0][1]

    def value(self, words, field):
        what = field[4]
        if what in (words[2], words[0], words[1], words[8], words[7]):
            return " ".join(self.rng.sample(NAMES, self.rng.choice((1, 2))))
        if what == words[3]:
            return f"{self.rng.randint(1, 28)}.{self.rng.randint(1, 12)}.{self.rng.randint(1985, 2025)}"
        return (
            self.rng.choice(("1-0", "0-1", "1/2"))
            if what == words[6]
            else str(self.rng.randint(1, 40))
        )

    def flourish(self, ink, first, last):
        """A stroke through what stayed empty, or a signature over it."""
        rng = self.rng
        thick = max(2, round((first[3] - first[1]) * 0.06))
        x0, y0, x1, y1 = first[0], first[1], last[2], last[3]
        if rng.random() < 0.5:
            cv2.line(
                ink,
                (round(x0 + 5), round(y1 - 4)),
                (round(x1 - 5), round(y0 + 4)),
                255,
                thick,
                cv2.LINE_AA,
            )
        else:
            n = rng.randint(6, 11)
            t = np.linspace(0, 1, n * 8)
            h = min(y1 - y0, 6 * (first[3] - first[1]))
            x = x0 + (x1 - x0) * (0.1 + 0.7 * t) + 0.05 * (x1 - x0) * np.cos(n * 4 * t)
            y = y0 + h * (0.5 + 0.4 * np.sin(n * 3 * t) * rng.uniform(0.5, 1))
            cv2.polylines(
                ink, [np.stack([x, y], 1).astype(np.int32)], False, 255, thick, cv2.LINE_AA
            )

    def on(self, page, ink, seed):
        """The page (RGB, 8 bits) with the ink on it; a pencil's is grainy."""
        colour, (low, high) = PENS[self.pen]
        dark = self.rng.uniform(low, high)
        cover = ink.astype(np.float32) * (dark / 255)
        if self.pen == "pencil":
            grain = np.random.default_rng(seed).random(
                (ink.shape[0] // 2 + 1, ink.shape[1] // 2 + 1), np.float32
            )
            cover *= 0.65 + 0.5 * cv2.resize(grain, (ink.shape[1], ink.shape[0]))
        rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
        page = page.copy()
        if len(rows):
            area = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
            c = np.clip(cover[area], 0, 1)[..., None]
            page[area] = (page[area] * (1 - c) + np.array(colour, np.float32) * c).astype(np.uint8)
        return page


def fill(writer, ink, cells, texts, rng, result=None):
    """Writes texts into the first cells, and behind them the result, which may be empty, or where it is not given some
    result or none; gives (number, side, text) of what stands where."""
    written = []
    for text, (number, side, box) in zip(texts, cells):
        if writer.cell(ink, text, box):
            written.append((number, side, text))
    rest = cells[len(texts) :]
    end = rng.random()
    if rest and len(texts) and (result or result is None and end < 0.15):
        result = result or rng.choice(("1-0", "0-1", "1/2"))
        if writer.cell(ink, result, rest[0][2]):
            written.append((*rest[0][:2], result))
    elif len(rest) > 4 and end < 0.35:
        column = [
            c
            for c in rest[2:]
            if abs(c[2][0] - rest[2][2][0]) < 1 or abs(c[2][0] - rest[3][2][0]) < 1
        ]
        same = [c for c in column if c[2][1] >= rest[2][2][1]]
        if same:
            writer.flourish(ink, same[0][2], same[-1][2])
    return written


def played(path, count, seed, part):
    """Games of one part (0 or 1) of the club's: lists of SAN."""
    bodies = [
        b for b in re.split(r"\n\n", gzip.open(path, "rt").read()) if b.lstrip().startswith("1.")
    ][part::2]
    random.Random(seed).shuffle(bodies)
    found = []
    for body in bodies:
        game = TOKEN.findall(re.sub(r"\{[^}]*\}", " ", body))
        if len(game) >= 20:
            found.append(game)
        if len(found) == count:
            break
    return found
