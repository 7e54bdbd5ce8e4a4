"""Handwriting: a font's letters, none twice the same."""

import dataclasses

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont


@dataclasses.dataclass(frozen=True)
class Hand:
    """A writer and the pen."""

    family: str
    ink: tuple = (30, 40, 120)
    height: float = 0.62  # of a figure, in rows
    slant: float = 0.05
    spread: float = 1.03  # of the letters, in the font's own
    wild: float = 1.0  # how uneven
    dark: float = 0.9  # how much paper the ink hides
    grain: float = 0.1  # how the paper's grain shows in it (a pencil's does)
    lift: float = 0.0  # how far the writing drifts from the middle of the row


class Writer:
    """Writes on a layer of ink the size of the page, 0 (paper) to 1 (ink)."""

    def __init__(self, hand, font, shape, rng):
        self.hand, self.font, self.rng = hand, font, rng
        self.ink = np.zeros(shape, np.float32)

    def in_cell(self, text, box):
        x0, y0, x1, y1 = box
        height = (y1 - y0) * self.hand.height * self.rng.normal(1, 0.04)
        middle = (y0 + y1) / 2 + (y1 - y0) * (self.hand.lift + self.rng.normal(0, 0.035))
        indent = (x1 - x0) * self.rng.uniform(0.05, 0.13)
        self.write(text, x0 + indent, middle + height / 2, height, x1 - x0 - indent)

    def write(self, text, x, baseline, height, width):
        """Text from x on, its figures `height` tall; made narrower where it would not fit."""
        size = round(height * 100 / self.figure_height(100))
        font = ImageFont.truetype(self.font, size)
        spread = self.rng.normal(self.hand.spread, 0.02)
        natural = sum(font.getlength(c) for c in text) * spread
        narrow = min(1.0, width * 0.97 / natural)
        tilt = self.rng.normal(0, 0.012 * self.hand.wild)
        start = x
        for c in text:
            # A hand keeps a colon clear of the letters, where some fonts push it into them.
            clear = 0.1 * height if c == ":" else 0
            x += clear
            rise = (x - start) * tilt + self.rng.normal(0, 0.025 * height * self.hand.wild)
            if c != " ":
                self.letter(font, c, size, x, baseline + rise, narrow)
            x += (
                clear
                + font.getlength(c) * spread * narrow
                + self.rng.normal(0, 0.02 * height * self.hand.wild)
            )

    def figure_height(self, size):
        box = ImageFont.truetype(self.font, size).getbbox("4")
        return box[3] - box[1]

    def letter(self, font, c, size, x, baseline, narrow):
        pad = size
        width = round(font.getlength(c)) + 2 * pad
        picture = Image.new("L", (width, 3 * size), 0)
        ImageDraw.Draw(picture).text((pad, 2 * size), c, fill=255, font=font, anchor="ls")
        glyph = np.asarray(picture, np.float32) / 255
        glyph = self.bend(glyph, size)
        wild, rng = self.hand.wild, self.rng
        turn = np.deg2rad(rng.normal(0, 2.2 * wild))
        scale_x = narrow * rng.normal(1, 0.05 * wild)
        scale_y = rng.normal(1, 0.05 * wild)
        shear = self.hand.slant + rng.normal(0, 0.03 * wild)
        # The page's left edge and baseline may fall between pixels: the fraction goes into the transform.
        whole_x, whole_y = int(np.floor(x)), int(np.floor(baseline))
        rotate = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        linear = rotate @ np.array([[scale_x, -shear], [0, scale_y]])
        anchor = np.array([pad, 2 * size])
        shift = anchor + [x - whole_x, baseline - whole_y] - linear @ anchor
        glyph = cv2.warpAffine(
            glyph, np.column_stack([linear, shift]), (width, 3 * size), flags=cv2.INTER_LINEAR
        )
        self.stamp(glyph, whole_x - pad, whole_y - 2 * size)

    def bend(self, glyph, size):
        """Moves every point of a letter by a smooth field of about a fortieth of its size."""
        h, w = glyph.shape
        field = [
            cv2.GaussianBlur(self.rng.normal(0, 1, (h, w)).astype(np.float32), (0, 0), size / 4)
            for _ in "xy"
        ]
        amount = size * 0.022 * self.hand.wild
        dx, dy = (f / max(float(f.std()), 1e-6) * amount for f in field)
        x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
        return cv2.remap(glyph, x + dx, y + dy, cv2.INTER_LINEAR)

    def stamp(self, glyph, x, y):
        h, w = self.ink.shape
        x0, y0, x1, y1 = (
            max(x, 0),
            max(y, 0),
            min(x + glyph.shape[1], w),
            min(y + glyph.shape[0], h),
        )
        if x0 < x1 and y0 < y1:
            part = glyph[y0 - y : y1 - y, x0 - x : x1 - x]
            np.maximum(self.ink[y0:y1, x0:x1], part, out=self.ink[y0:y1, x0:x1])

    def on(self, page):
        """The page with the ink on it: pressure comes and goes, and the grain shows through."""
        h, w = self.ink.shape
        slow = cv2.resize(self.rng.normal(0, 1, (h // 40, w // 40)).astype(np.float32), (w, h))
        fine = cv2.GaussianBlur(self.rng.normal(0, 1, (h, w)).astype(np.float32), (0, 0), 1.2)
        fine /= fine.std()
        dark = np.clip(self.hand.dark * (1 + 0.06 * slow + self.hand.grain * fine), 0, 1)
        cover = (self.ink * dark)[..., None]
        return page * (1 - cover) + np.array(self.hand.ink, np.float32) * cover
