"""Writes by hand with the letters of a font, no two of which are the same."""

import dataclasses

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont


@dataclasses.dataclass(frozen=True)
class Hand:
    """A writer and the pen."""

    family: str
    ink: tuple = (30, 40, 120)
    # Height of a figure in rows.
    height: float = 0.62
    slant: float = 0.05
    # Advance of a letter relative to that of the font.
    spread: float = 1.03
    # Unevenness of the writing.
    wild: float = 1.0
    # Share of the paper that the ink covers.
    dark: float = 0.9
    # How much the grain of the paper shows in the ink, as with a pencil.
    grain: float = 0.1
    # Offset of the writing from the middle of the row, in rows.
    lift: float = 0.0


class Writer:
    """Writes on a layer of ink of the size of the page, 0 (paper) to 1 (ink)."""

    def __init__(self, hand, font, shape, rng):
        self.hand, self.font, self.rng = hand, font, rng
        self.ink = np.zeros(shape, np.float32)

    def write_in_cell(self, text, box):
        x0, y0, x1, y1 = box
        height = (y1 - y0) * self.hand.height * self.rng.normal(1, 0.04)
        middle = (y0 + y1) / 2 + (y1 - y0) * (self.hand.lift + self.rng.normal(0, 0.035))
        indent = (x1 - x0) * self.rng.uniform(0.05, 0.13)
        self.write(text, x0 + indent, middle + height / 2, height, x1 - x0 - indent)

    def write(self, text, x, baseline, height, width):
        """Writes text from x on with figures of `height`, compressed where it would not fit."""
        size = round(height * 100 / self.figure_height(100))
        font = ImageFont.truetype(self.font, size)
        spread = self.rng.normal(self.hand.spread, 0.02)
        natural = sum(font.getlength(character) for character in text) * spread
        compression = min(1.0, width * 0.97 / natural)
        tilt = self.rng.normal(0, 0.012 * self.hand.wild)
        start = x
        for character in text:
            # A hand keeps a colon clear of the letters, where some fonts push it into them.
            clearance = 0.1 * height if character == ":" else 0
            x += clearance
            rise = (x - start) * tilt + self.rng.normal(0, 0.025 * height * self.hand.wild)
            if character != " ":
                self.write_letter(font, character, size, x, baseline + rise, compression)
            x += (
                clearance
                + font.getlength(character) * spread * compression
                + self.rng.normal(0, 0.02 * height * self.hand.wild)
            )

    def figure_height(self, size):
        box = ImageFont.truetype(self.font, size).getbbox("4")
        return box[3] - box[1]

    def write_letter(self, font, character, size, x, baseline, compression):
        pad = size
        width = round(font.getlength(character)) + 2 * pad
        picture = Image.new("L", (width, 3 * size), 0)
        ImageDraw.Draw(picture).text((pad, 2 * size), character, fill=255, font=font, anchor="ls")
        glyph = np.asarray(picture, np.float32) / 255
        glyph = self.bend_letter(glyph, size)
        unevenness, rng = self.hand.wild, self.rng
        turn = np.deg2rad(rng.normal(0, 2.2 * unevenness))
        scale_x = compression * rng.normal(1, 0.05 * unevenness)
        scale_y = rng.normal(1, 0.05 * unevenness)
        shear = self.hand.slant + rng.normal(0, 0.03 * unevenness)
        # The place on the page may fall between pixels, so the fraction goes into the transform.
        whole_x, whole_y = int(np.floor(x)), int(np.floor(baseline))
        rotate = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        linear = rotate @ np.array([[scale_x, -shear], [0, scale_y]])
        anchor = np.array([pad, 2 * size])
        shift = anchor + [x - whole_x, baseline - whole_y] - linear @ anchor
        glyph = cv2.warpAffine(
            glyph, np.column_stack([linear, shift]), (width, 3 * size), flags=cv2.INTER_LINEAR
        )
        self.stamp(glyph, whole_x - pad, whole_y - 2 * size)

    def bend_letter(self, glyph, size):
        """Moves every point of a letter by a smooth field of about a fortieth of its size."""
        height, width = glyph.shape
        field = [
            cv2.GaussianBlur(
                self.rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), size / 4
            )
            for _ in "xy"
        ]
        amount = size * 0.022 * self.hand.wild
        dx, dy = (noise / max(float(noise.std()), 1e-6) * amount for noise in field)
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        return cv2.remap(glyph, x + dx, y + dy, cv2.INTER_LINEAR)

    def stamp(self, glyph, x, y):
        height, width = self.ink.shape
        x0, y0, x1, y1 = (
            max(x, 0),
            max(y, 0),
            min(x + glyph.shape[1], width),
            min(y + glyph.shape[0], height),
        )
        if x0 < x1 and y0 < y1:
            part = glyph[y0 - y : y1 - y, x0 - x : x1 - x]
            np.maximum(self.ink[y0:y1, x0:x1], part, out=self.ink[y0:y1, x0:x1])

    def blend_onto(self, page):
        """Returns the page with the ink on it. The pressure varies, and the grain shows through."""
        height, width = self.ink.shape
        pressure = cv2.resize(
            self.rng.normal(0, 1, (height // 40, width // 40)).astype(np.float32), (width, height)
        )
        grain = cv2.GaussianBlur(
            self.rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 1.2
        )
        grain /= grain.std()
        darkness = np.clip(self.hand.dark * (1 + 0.06 * pressure + self.hand.grain * grain), 0, 1)
        cover = (self.ink * darkness)[..., None]
        return page * (1 - cover) + np.array(self.hand.ink, np.float32) * cover
