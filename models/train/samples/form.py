"""Draws printed forms: what is on the paper before the game."""

import dataclasses

import numpy as np
from PIL import Image, ImageDraw, ImageFont

# Pixels a millimetre of the drawing. The photograph is taken at about six.
SCALE = 10


@dataclasses.dataclass(frozen=True)
class Form:
    """How a form looks; lengths in millimetres."""

    size: tuple = (148, 210)
    blocks: int = 2
    rows: int = 30
    # Place of the numbers: "left" or "between".
    numbers: str = "left"
    # Number of the first row.
    first: int = 1
    font: str = "pt-sans"
    title: str = "PLANILHA DE ANOTAÇÃO"
    labels: dict = dataclasses.field(default_factory=dict)
    columns: tuple = ("Brancas", "Pretas")
    ink: tuple = (40, 40, 40)
    paper: tuple = (250, 249, 245)
    # Distance from the top of the page to the table.
    head: float = 48
    # Height left below the table.
    foot: float = 22
    margin: float = 9
    # Gap between two blocks.
    gap: float = 0
    number_width: float = 8
    line: float = 0.25
    frame: float = 0.6
    # Darkness of every other row.
    shade: float = 0
    boxed_head: bool = False


def draw_form(form, fonts):
    """Returns the empty form, the White and Black cells (x0, y0, x1, y1 in pixels) and the places
    of the header.
    """
    page = Image.new("RGB", tuple(round(value * SCALE) for value in form.size), form.paper)
    pen = ImageDraw.Draw(page)
    cells = draw_table(form, pen, fonts)
    places = draw_header(form, pen, fonts)
    return np.asarray(page), cells, places


def to_px(*values):
    return tuple(round(value * SCALE) for value in values)


def draw_text(pen, form, fonts, place, words, height, anchor="lm"):
    font = ImageFont.truetype(fonts[form.font], round(height * SCALE))
    pen.text(to_px(*place), words, fill=form.ink, font=font, anchor=anchor)


def draw_rule(pen, form, x0, y0, x1, y1, width):
    pen.line(to_px(x0, y0, x1, y1), fill=form.ink, width=max(1, round(width * SCALE)))


def draw_table(form, pen, fonts):
    width, height = form.size
    heading = 6
    top, bottom = form.head + heading, height - form.foot
    row_height = (bottom - top) / form.rows
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
        for row_index in range(form.rows):
            y0, y1 = top + row_index * row_height, top + (row_index + 1) * row_height
            if form.shade and row_index % 2:
                tone = tuple(round(value * (1 - form.shade)) for value in form.paper)
                pen.rectangle(to_px(left, y0, right, y1), fill=tone)
            label = str(form.first + block * form.rows + row_index)
            centre = (edges[number] + edges[number + 1]) / 2
            draw_text(
                pen, form, fonts, (centre, (y0 + y1) / 2), label, min(3.2, row_height * 0.55), "mm"
            )
            for column_index in (white, black):
                cells.append(to_px(edges[column_index], y0, edges[column_index + 1], y1))
        for row_index in range(form.rows + 1):
            draw_rule(
                pen,
                form,
                left,
                top + row_index * row_height,
                right,
                top + row_index * row_height,
                form.line,
            )
        draw_rule(pen, form, left, form.head, right, form.head, form.line)
        for edge in edges:
            draw_rule(pen, form, edge, form.head, edge, bottom, form.line)
        for x in (left, right):
            draw_rule(pen, form, x, form.head, x, bottom, form.frame)
        for y in (form.head, bottom):
            draw_rule(pen, form, left, y, right, y, form.frame)
        draw_rule(pen, form, left, top, right, top, form.frame)
        for column_index, name in ((white, form.columns[0]), (black, form.columns[1])):
            centre = (edges[column_index] + edges[column_index + 1]) / 2
            draw_text(pen, form, fonts, (centre, form.head + heading / 2), name, 3.2, "mm")
    return cells


def draw_header(form, pen, fonts):
    """Draws title, labelled lines and result box. Returns where a hand writes: (x, baseline, width)
    in pixels.
    """
    width, height = form.size
    places = {}
    draw_text(pen, form, fonts, (width / 2, 9), form.title, 5.5, "mm")
    lines = [("event", "date"), ("white", "round"), ("black", "board")]
    step = (form.head - 18) / 3
    for i, (wide, narrow) in enumerate(lines):
        y = 17 + (i + 0.75) * step
        split = form.margin + (width - 2 * form.margin) * 0.66
        for key, x0, x1 in ((wide, form.margin, split - 3), (narrow, split, width - form.margin)):
            label = form.labels[key]
            draw_text(pen, form, fonts, (x0, y - 0.8), label, 3.4, "ls")
            x = x0 + 2 + len(label) * 1.75
            if form.boxed_head:
                pen.rectangle(
                    to_px(x - 0.5, y - step * 0.72, x1, y + 0.8), outline=form.ink, width=2
                )
            else:
                draw_rule(pen, form, x, y, x1, y, form.line)
            places[key] = to_px(x + 1, y - 0.6, x1 - x - 1)
    y = height - form.foot + 6
    draw_text(pen, form, fonts, (form.margin, y + 4), form.labels["result"], 3.6)
    x = form.margin + 4 + len(form.labels["result"]) * 1.9
    pen.rectangle(to_px(x, y, x + 24, y + 9), outline=form.ink, width=3)
    places["result"] = to_px(x + 4, y + 7, 18)
    x = width - form.margin
    draw_rule(pen, form, x - 42, y + 8, x, y + 8, form.line)
    draw_text(pen, form, fonts, (x - 42, y + 11), form.labels["signature"], 2.6)
    return places
