"""Printed forms: what is on the paper before the game."""

import dataclasses

import numpy as np
from PIL import Image, ImageDraw, ImageFont

SCALE = 10  # pixels a millimetre of the drawing; the photograph is taken at about six


@dataclasses.dataclass(frozen=True)
class Form:
    """How a form looks; lengths in millimetres."""

    size: tuple = (148, 210)
    blocks: int = 2
    rows: int = 30
    numbers: str = "left"  # or "between"
    first: int = 1  # the first row's number
    font: str = "pt-sans"
    title: str = "PLANILHA DE ANOTAÇÃO"
    labels: dict = dataclasses.field(default_factory=dict)
    columns: tuple = ("Brancas", "Pretas")
    ink: tuple = (40, 40, 40)
    paper: tuple = (250, 249, 245)
    head: float = 48  # where the table begins
    foot: float = 22  # what is left under it
    margin: float = 9
    gap: float = 0  # between the blocks
    number_width: float = 8
    line: float = 0.25
    frame: float = 0.6
    shade: float = 0  # darkness of every other row
    boxed_head: bool = False


def draw(form, fonts):
    """The empty form, the White and Black cells (x0, y0, x1, y1 in pixels) and the places of the header."""
    page = Image.new("RGB", tuple(round(v * SCALE) for v in form.size), form.paper)
    pen = ImageDraw.Draw(page)
    cells = table(form, pen, fonts)
    places = header(form, pen, fonts)
    return np.asarray(page), cells, places


def px(*values):
    return tuple(round(v * SCALE) for v in values)


def text(pen, form, fonts, place, words, height, anchor="lm"):
    font = ImageFont.truetype(fonts[form.font], round(height * SCALE))
    pen.text(px(*place), words, fill=form.ink, font=font, anchor=anchor)


def rule(pen, form, x0, y0, x1, y1, width):
    pen.line(px(x0, y0, x1, y1), fill=form.ink, width=max(1, round(width * SCALE)))


def table(form, pen, fonts):
    width, height = form.size
    heading = 6
    top, bottom = form.head + heading, height - form.foot
    row = (bottom - top) / form.rows
    block_width = (width - 2 * form.margin - (form.blocks - 1) * form.gap) / form.blocks
    cells = []
    for block in range(form.blocks):
        left = form.margin + block * (block_width + form.gap)
        right = left + block_width
        column = (block_width - form.number_width) / 2
        if form.numbers == "left":
            edges = [left, left + form.number_width, left + form.number_width + column, right]
            number, white, black = 0, 1, 2
        else:
            edges = [left, left + column, left + column + form.number_width, right]
            white, number, black = 0, 1, 2
        for r in range(form.rows):
            y0, y1 = top + r * row, top + (r + 1) * row
            if form.shade and r % 2:
                tone = tuple(round(v * (1 - form.shade)) for v in form.paper)
                pen.rectangle(px(left, y0, right, y1), fill=tone)
            label = str(form.first + block * form.rows + r)
            centre = (edges[number] + edges[number + 1]) / 2
            text(pen, form, fonts, (centre, (y0 + y1) / 2), label, min(3.2, row * 0.55), "mm")
            for c in (white, black):
                cells.append(px(edges[c], y0, edges[c + 1], y1))
        for r in range(form.rows + 1):
            rule(pen, form, left, top + r * row, right, top + r * row, form.line)
        rule(pen, form, left, form.head, right, form.head, form.line)
        for edge in edges:
            rule(pen, form, edge, form.head, edge, bottom, form.line)
        for x in (left, right):
            rule(pen, form, x, form.head, x, bottom, form.frame)
        for y in (form.head, bottom):
            rule(pen, form, left, y, right, y, form.frame)
        rule(pen, form, left, top, right, top, form.frame)
        for c, name in ((white, form.columns[0]), (black, form.columns[1])):
            centre = (edges[c] + edges[c + 1]) / 2
            text(pen, form, fonts, (centre, form.head + heading / 2), name, 3.2, "mm")
    return cells


def header(form, pen, fonts):
    """Title, labelled lines, result box; returns where a hand writes: (x, baseline, width) in pixels."""
    width, height = form.size
    places = {}
    text(pen, form, fonts, (width / 2, 9), form.title, 5.5, "mm")
    lines = [("event", "date"), ("white", "round"), ("black", "board")]
    step = (form.head - 18) / 3
    for i, (wide, narrow) in enumerate(lines):
        y = 17 + (i + 0.75) * step
        split = form.margin + (width - 2 * form.margin) * 0.66
        for key, x0, x1 in ((wide, form.margin, split - 3), (narrow, split, width - form.margin)):
            label = form.labels[key]
            text(pen, form, fonts, (x0, y - 0.8), label, 3.4, "ls")
            x = x0 + 2 + len(label) * 1.75
            if form.boxed_head:
                pen.rectangle(px(x - 0.5, y - step * 0.72, x1, y + 0.8), outline=form.ink, width=2)
            else:
                rule(pen, form, x, y, x1, y, form.line)
            places[key] = px(x + 1, y - 0.6, x1 - x - 1)
    y = height - form.foot + 6
    text(pen, form, fonts, (form.margin, y + 4), form.labels["result"], 3.6)
    x = form.margin + 4 + len(form.labels["result"]) * 1.9
    pen.rectangle(px(x, y, x + 24, y + 9), outline=form.ink, width=3)
    places["result"] = px(x + 4, y + 7, 18)
    x = width - form.margin
    rule(pen, form, x - 42, y + 8, x, y + 8, form.line)
    text(pen, form, fonts, (x - 42, y + 11), form.labels["signature"], 2.6)
    return places
