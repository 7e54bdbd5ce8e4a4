"""Prints rulings with exact places and remembers where they are.

A ruling is anti-aliased, so that a hairline finer than a pixel of the page comes out pale instead
of wide, and its middle lies where the layout says.
"""

import dataclasses

import cv2
import numpy as np

# Distance between two points of a remembered ruling, in millimetres.
POINT_DISTANCE = 12.0
# Smallest width that a printer can print, in millimetres.
MIN_PRINTED_WIDTH = 0.07
# Smallest difference in luma between a ruling and what lies beside it, of 255, for it to be seen.
MIN_CONTRAST = 4
# Smallest share of a ruling's places that have to be seen. A dotted one is seen at few of them.
MIN_SEEN_SHARE = 0.12


@dataclasses.dataclass
class Style:
    """How rulings are printed."""

    # Share of the ink's darkness over the paper.
    tone: float = 1.0
    # "plain", "dotted" or "dashed".
    pattern: str = "plain"
    # Length of one dot or dash with the gap behind it, in millimetres, and the inked share of it.
    period: float = 1.0
    duty: float = 0.5
    # Share of every ruling that is missing, and share of the rulings that are hardly there.
    broken: float = 0.0
    faded: float = 0.0


def overlap_pixels(low, high, limit):
    """Returns the first pixel that the interval from `low` to `high` touches, and the covered share
    of it and of every further one. Pixels from `limit` on are left out.
    """
    low, high = max(0.0, low), min(float(limit), high)
    if high <= low:
        return 0, np.zeros(0, np.float32)
    first, end = int(low), int(np.ceil(high))
    edges = np.clip(np.arange(first, end + 1), low, high)
    return first, np.diff(edges).astype(np.float32)


class Rulings:
    """The rulings of one page of `size` (width, height) pixels, `scale` pixels a millimetre."""

    def __init__(self, size, scale, seed):
        self.size, self.scale = size, scale
        self.cover = np.zeros((size[1], size[0]), np.uint8)
        self.noise = np.random.default_rng(seed)
        # Ends in millimetres (x0, y0, x1, y1) of the remembered ones, with their widths.
        self.rows, self.columns = {}, {}

    def draw(self, x0, y0, x1, y1, width, style, remember=True):
        """Prints a ruling whose ends and width are given in millimetres."""
        is_row = abs(x1 - x0) >= abs(y1 - y0)
        width = max(width, MIN_PRINTED_WIDTH)
        if min(abs(x1 - x0), abs(y1 - y0)) > 0.01:
            ends = [tuple(round(v * self.scale * 16) for v in end) for end in ((x0, y0), (x1, y1))]
            tone = round(255 * style.tone)
            thickness = max(1, round(width * self.scale))
            cv2.line(self.cover, *ends, tone, thickness, cv2.LINE_AA, 4)
            return
        x0, x1, y0, y1 = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
        along, across = ((x0, x1), y0) if is_row else ((y0, y1), x0)
        limits = self.size if is_row else self.size[::-1]
        start, shares = overlap_pixels(along[0] * self.scale, along[1] * self.scale, limits[0])
        side, profile = overlap_pixels(
            (across - width / 2) * self.scale, (across + width / 2) * self.scale, limits[1]
        )
        if not len(shares) or not len(profile):
            return
        shares = shares * self.draw_pattern(start, len(shares), along[0], style)
        shares *= style.tone * (self.noise.uniform(0.1, 0.5) if self.draws(style.faded) else 1)
        ink = np.round(255 * np.outer(profile, shares)).astype(np.uint8)
        view = self.cover if is_row else self.cover.T
        view = view[side : side + len(profile), start : start + len(shares)]
        np.maximum(view, ink, out=view)
        if remember:
            (self.rows if is_row else self.columns)[x0, y0, x1, y1] = width

    def draws(self, share):
        return share > 0 and self.noise.random() < share

    def draw_pattern(self, start, count, origin, style):
        """Returns the inked share of every pixel along a ruling."""
        inked = np.ones(count, np.float32)
        place = np.arange(start, start + count, dtype=np.float32) + 0.5
        if style.pattern != "plain":
            phase = (place / self.scale - origin) / style.period % 1
            distance = (style.duty / 2 - np.abs(phase - 0.5)) * style.period * self.scale
            inked = np.clip(distance + 0.5, 0, 1)
        if style.broken:
            length = self.noise.uniform(0.3, 1.5) * self.scale
            grain = self.noise.random(int(count / length) + 2, np.float32)
            value = np.interp(np.arange(count) / length, np.arange(len(grain)), grain)
            inked = inked * np.clip((value - style.broken) / 0.08, 0, 1)
        return inked

    def draw_box(self, x0, y0, x1, y1, width, style, radius=0.0, remember=True):
        """Prints the four edges of a box and its round corners."""
        for y in (y0, y1):
            self.draw(x0 + radius, y, x1 - radius, y, width, style, remember)
        for x in (x0, x1):
            self.draw(x, y0 + radius, x, y1 - radius, width, style, remember)
        if radius <= 0.05:
            return
        pixels = width * self.scale
        tone = round(255 * style.tone * min(1.0, pixels))
        axes = (round(radius * self.scale * 16),) * 2
        for x, y, angle in (
            (x0 + radius, y0 + radius, 180),
            (x1 - radius, y0 + radius, 270),
            (x1 - radius, y1 - radius, 0),
            (x0 + radius, y1 - radius, 90),
        ):
            centre = tuple(round((v * self.scale - 0.5) * 16) for v in (x, y))
            thickness = max(1, round(pixels))
            cv2.ellipse(self.cover, centre, axes, angle, 0, 90, tone, thickness, cv2.LINE_AA, 4)

    def blend_onto(self, page, ink):
        """Returns the page (RGB) with the rulings in the colour `ink`. What is darker stays."""
        over = cv2.subtract(page, (*ink, 0))
        cover = cv2.merge([self.cover] * 3)
        return cv2.subtract(page, cv2.multiply(over, cover, scale=1 / 255))

    def list_visible(self, page):
        """Returns the remembered rulings along rows and down columns that can be seen on the page,
        each as points [n, 2] in millimetres.
        """
        luma = cv2.cvtColor(page, cv2.COLOR_RGB2GRAY)
        return tuple(
            [
                sample_points(ends)
                for ends, width in ruled.items()
                if self.is_visible(luma, ends, width)
            ]
            for ruled in (self.rows, self.columns)
        )

    def is_visible(self, luma, ends, width):
        """Whether a ruling differs from what lies beside it."""
        x0, y0, x1, y1 = (v * self.scale for v in ends)
        is_row = x1 - x0 >= y1 - y0
        view = luma if is_row else luma.T
        (low, high), across = ((x0, x1), y0) if is_row else ((y0, y1), x0)
        reach = width * self.scale / 2 + 2
        side = slice(max(0, int(across - reach)), int(across + reach) + 1)
        strip = view[side, max(0, int(low)) : int(high) + 1 : 3]
        if not strip.size:
            return False
        contrast = strip.max(0).astype(np.int16) - strip.min(0)
        return np.mean(contrast >= MIN_CONTRAST) >= MIN_SEEN_SHARE


def sample_points(ends):
    """Returns points along a straight ruling, [n, 2], close enough to follow bent paper."""
    x0, y0, x1, y1 = ends
    count = 2 + int(max(x1 - x0, y1 - y0) / POINT_DISTANCE)
    return np.stack([np.linspace(x0, x1, count), np.linspace(y0, y1, count)], 1)
