"""One sheet: a form of a kind, a game and a header in one hand, and the picture that is taken of it."""

import dataclasses
import math

import layout
import numpy as np
import photograph
import printing
import writing

LEAST_ROW = 15  # Pixels a row has at least.
LARGEST = 14e6  # Pixels of a printed page.


def make(kind, game, paths, bank, faces, rng, seed, drawn=None, told=None, result=None, press=None):
    """A picture, its cells with corners, what was written, the plies, and the parameters.

    Form and shot are drawn unless they are given; `told` says what stands in a field of the header (languages' words,
    field; None leaves it empty), and `result` what is written behind the moves. `press` draws what is printed.
    """
    press = press or rng
    form, shot = drawn or (layout.draw(kind, sorted(paths), len(game), rng), None)
    shot = shot or photograph.draw(rng, form.spread != "none")
    first = layout.arrange(form, form.start, press)
    pages = 1 if form.spread == "none" else 2
    # Small pictures of long tables are made larger until a row can be read.
    share = {"desk": 0.55, "page": 0.85, "table": 1.1}[shot.framing]
    area = form.size[0] * form.size[1] * pages

    def row():
        return first.row * math.sqrt(shot.pixels * 1e6 * share / area)

    while row() < LEAST_ROW * 1.1 and shot.pixels < 8:
        shot.pixels *= 1.15
    scale = 1.3 * math.sqrt(shot.pixels * 1e6 * share / area)
    scale = min(scale, math.sqrt(LARGEST / area))
    sheet, fields = printing.page(form, first, paths[form.face], scale, press)
    cells = first.cells(form)
    if form.spread in ("continued", "short"):
        after = form.blocks * form.rows
        if form.spread == "continued":
            second = dataclasses.replace(
                first, strips=[dataclasses.replace(s, first=s.first + after) for s in first.strips]
            )
        else:
            rows = max(10, round(form.rows * press.uniform(0.4, 0.7)))
            second = first.shortened(rows, form.start + after, form.size[1] - form.margin)
        facing, _ = printing.page(form, second, paths[form.face], scale, rng)
        cells += [
            (n, side, (x0 + form.size[0], y0, x1 + form.size[0], y1))
            for n, side, (x0, y0, x1, y1) in second.cells(form)
        ]
    elif form.spread == "notes":
        facing, _ = printing.page(form, None, paths[form.face], scale, rng)
    if form.spread != "none":
        sheet = np.concatenate([sheet, facing], 1)
    cells = [(n, side, tuple(v * scale for v in box)) for n, side, box in cells]

    writer = writing.Writer(bank, faces, form.language, rng)
    ink = np.zeros(sheet.shape[:2], np.uint8)
    before = 2 * (form.start - 1)
    plies = game[before:][: len(cells)]
    written = writing.fill(
        writer, ink, cells, writer.spell(game, before, before + len(cells)), rng, result
    )
    if told or rng.random() < 0.85:
        words = printing.WORDS[form.language]
        for field in fields:
            text = (
                told(words, field)
                if told
                else writer.value(words, field)
                if rng.random() < 0.8
                else None
            )
            if text:
                x, base, width, height = (v * scale for v in field[:4])
                writer.line(ink, text, x, base, width, height)
    sheet = writer.on(sheet, ink, seed)
    corners = np.array(
        [[(x0, y0), (x1, y0), (x1, y1), (x0, y1)] for _, _, (x0, y0, x1, y1) in cells]
    )
    bottom = first.top + form.rows * first.row
    keep = [
        (x * scale, y * scale)
        for s in first.strips
        for x in (s.left, s.right)
        for y in (first.top, bottom)
    ]
    picture, at = photograph.take(
        sheet, corners.reshape(-1, 2), keep, shot, rng, form.spread != "none", seed
    )
    at = np.round(at.reshape(-1, 4, 2), 1)
    facts = {
        **dataclasses.asdict(form),
        **dataclasses.asdict(shot),
        "pen": writer.pen,
        "moves": (len(plies) + 1) // 2,
        "row_px": round(float(np.median(np.linalg.norm(at[:, 3] - at[:, 0], axis=1))), 1),
    }
    truth = [{"move": n, "side": side, "box": box.tolist()} for (n, side, _), box in zip(cells, at)]
    return picture, truth, written, plies, form, shot, facts
