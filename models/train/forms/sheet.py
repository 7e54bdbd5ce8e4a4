"""Makes one sheet: a form of a kind, a game and a header in one hand, and the picture of it."""

import dataclasses
import math

import layout
import numpy as np
import photograph
import printing
import writing

# Smallest height of a row in the picture, in pixels.
MIN_ROW_PX = 15
# Largest number of pixels of a printed page.
MAX_PAGE_PX = 14e6


def print_facing_page(form, first, paths, scale, press, rng):
    """Returns the facing page of a spread and its cells in millimetres of the whole spread."""
    if form.spread == "notes":
        return printing.print_page(form, None, paths[form.face], scale, rng)[0], []
    after = form.blocks * form.rows
    if form.spread == "continued":
        blocks = [dataclasses.replace(block, first=block.first + after) for block in first.strips]
        second = dataclasses.replace(first, strips=blocks)
    else:
        rows = max(10, round(form.rows * press.uniform(0.4, 0.7)))
        second = first.shorten(rows, form.start + after, form.size[1] - form.margin)
    facing, _ = printing.print_page(form, second, paths[form.face], scale, rng)
    cells = [
        (number, side, (x0 + form.size[0], y0, x1 + form.size[0], y1))
        for number, side, (x0, y0, x1, y1) in second.list_cells(form)
    ]
    return facing, cells


def make_sheet(
    kind,
    game,
    paths,
    bank,
    faces,
    rng,
    seed,
    form_and_shot=None,
    write_field=None,
    result=None,
    press=None,
):
    """Returns a picture, its cells with corners, what was written, the plies, the form, the shot
    and all parameters.

    Form and shot are drawn unless they are given. `write_field` says what stands in a field of the
    header, from the words of the language and the field; None leaves it empty. `result` is written
    behind the moves. `press` draws what is printed.
    """
    press = press or rng
    form, shot = form_and_shot or (layout.draw_form(kind, sorted(paths), len(game), rng), None)
    shot = shot or photograph.draw_shot(rng, form.spread != "none")
    first = layout.arrange_page(form, form.start, press)
    pages = 1 if form.spread == "none" else 2
    # Small pictures of long tables are enlarged until a row can be read.
    share = {"desk": 0.55, "page": 0.85, "table": 1.1}[shot.framing]
    area = form.size[0] * form.size[1] * pages

    def row_px():
        return first.row * math.sqrt(shot.pixels * 1e6 * share / area)

    while row_px() < MIN_ROW_PX * 1.1 and shot.pixels < 8:
        shot.pixels *= 1.15
    scale = 1.3 * math.sqrt(shot.pixels * 1e6 * share / area)
    scale = min(scale, math.sqrt(MAX_PAGE_PX / area))
    sheet, fields = printing.print_page(form, first, paths[form.face], scale, press)
    cells = first.list_cells(form)
    if form.spread != "none":
        facing, more_cells = print_facing_page(form, first, paths, scale, press, rng)
        cells += more_cells
        sheet = np.concatenate([sheet, facing], 1)
    cells = [(number, side, tuple(value * scale for value in box)) for number, side, box in cells]

    writer = writing.Writer(bank, faces, form.language, rng)
    ink = np.zeros(sheet.shape[:2], np.uint8)
    before = 2 * (form.start - 1)
    plies = game[before:][: len(cells)]
    written = writing.fill_cells(
        writer, ink, cells, writer.spell_moves(game, before, before + len(cells)), rng, result
    )
    if write_field or rng.random() < 0.85:
        words = printing.WORDS[form.language]
        for field in fields:
            text = (
                write_field(words, field)
                if write_field
                else writer.draw_value(words, field)
                if rng.random() < 0.8
                else None
            )
            if text:
                x, baseline, width, height = (value * scale for value in field[:4])
                writer.write_line(ink, text, x, baseline, width, height)
    sheet = writer.blend_onto(sheet, ink, seed)
    corners = np.array(
        [[(x0, y0), (x1, y0), (x1, y1), (x0, y1)] for _, _, (x0, y0, x1, y1) in cells]
    )
    bottom = first.top + form.rows * first.row
    keep = [
        (x * scale, y * scale)
        for block in first.strips
        for x in (block.left, block.right)
        for y in (first.top, bottom)
    ]
    picture, positions = photograph.take_picture(
        sheet, corners.reshape(-1, 2), keep, shot, rng, form.spread != "none", seed
    )
    positions = np.round(positions.reshape(-1, 4, 2), 1)
    facts = {
        **dataclasses.asdict(form),
        **dataclasses.asdict(shot),
        "pen": writer.pen,
        "moves": (len(plies) + 1) // 2,
        "row_px": round(
            float(np.median(np.linalg.norm(positions[:, 3] - positions[:, 0], axis=1))), 1
        ),
    }
    truth = [
        {"move": number, "side": side, "box": box.tolist()}
        for (number, side, _), box in zip(cells, positions)
    ]
    return picture, truth, written, plies, form, shot, facts
