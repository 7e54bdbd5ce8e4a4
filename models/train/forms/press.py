"""Puts lines, words and boxes on the page of a form."""

import functools
import os

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from rulings import Rulings, Style

# Colours that rulings may have instead of the ink of the words.
LINE_COLOURS = {
    "blue": (40, 80, 170),
    "red": (190, 50, 50),
    "green": (40, 130, 70),
    "brown": (130, 90, 50),
}
# Letters that the typefaces' Latin subset lacks.
PLAIN_LETTERS = str.maketrans("łŁęąśżźćń", "lLeaszzcn")


def find_faces(folder):
    """Returns the faces for print: those of `folder` and the DejaVu faces of the system where there
    are any.
    """
    paths = dict(folder)
    system = "/usr/share/fonts/truetype/dejavu"
    for name in (
        "DejaVuSans",
        "DejaVuSerif",
        "DejaVuSansCondensed",
        "DejaVuSans-Bold",
        "DejaVuSerif-Bold",
        "DejaVuSansMono",
    ):
        if os.path.exists(f"{system}/{name}.ttf"):
            paths[name] = f"{system}/{name}.ttf"
    return paths


@functools.lru_cache(512)
def load_font(path, size):
    return ImageFont.truetype(path, size)


class Press:
    """A page to print on, with `scale` pixels a millimetre."""

    def __init__(self, form, path, scale, rng):
        self.form, self.path, self.scale, self.rng = form, path, scale, rng
        size = (round(form.size[0] * scale), round(form.size[1] * scale))
        self.page = Image.new("RGB", size, form.paper)
        self.pen = ImageDraw.Draw(self.page)
        tint = rng.choice(((0, 0, 0),) * 5 + ((0, 0, 60), (60, 0, 0), (0, 40, 10)))
        self.ink = tuple(min(255, form.print_grey + t) for t in tint)
        self.line_ink = LINE_COLOURS.get(form.line_colour, self.ink)
        self.rulings = Rulings(size, scale, rng.getrandbits(32))
        self.style = Style(form.line_tone, broken=form.broken, faded=form.faded)
        # Fields in which a hand writes, as (x, baseline, width, height, label).
        self.fields = []
        # Boxes (x0, y0, x1, y1) of the columns of numbers and of the names above move columns.
        self.numbers, self.heads = [], []

    def px(self, *values):
        return tuple(round(v * self.scale) for v in values)

    def tone(self, share):
        return tuple(round(p * (1 - share) + i * share) for p, i in zip(self.form.paper, self.ink))

    def patterned(self, pattern, period=1.0, duty=0.5, tone=None):
        """Returns the form's style of rulings with another pattern."""
        style = self.style
        tone = style.tone if tone is None else tone
        return Style(tone, pattern, period, duty, style.broken, style.faded)

    def rule(self, x0, y0, x1, y1, width=None, style=None):
        """Prints a ruling, as wide as the form's usual ones unless `width` is given."""
        self.rulings.draw(x0, y0, x1, y1, width or self.form.line, style or self.style)

    def text(self, x, y, words, height, anchor="lm", fill=None):
        words = words.translate(PLAIN_LETTERS)
        face = load_font(self.path, max(5, round(height * 1.3 * self.scale)))
        self.pen.text(self.px(x, y), words, fill=fill or self.ink, font=face, anchor=anchor)
        return face.getlength(words) / self.scale

    def box(self, x0, y0, x1, y1, fill=None, width=None, radius=0.0, remember=True, style=None):
        """Prints a box. It has no edges if `width` is 0."""
        if fill:
            self.pen.rounded_rectangle(
                self.px(x0, y0, x1, y1), round(radius * self.scale), fill=fill
            )
        if width != 0:
            self.rulings.draw_box(
                x0, y0, x1, y1, width or self.form.line, style or self.style, radius, remember
            )

    def finish(self):
        """Returns the page (RGB) with its rulings."""
        return self.rulings.blend_onto(np.asarray(self.page), self.line_ink)
