"""Makes one sheet: a form of a kind, a game and a header in one hand, and the picture of it."""

import dataclasses
import math

import layout
import numpy as np
import photograph
import printing
import scanner
import writing
from kinds import draw_form
from rulings import MIN_PRINTED_WIDTH
from shots import draw_shot

# Smallest height of a row in the picture, in pixels.
MIN_ROW_PX = 15
# Largest number of pixels of a printed page.
MAX_PAGE_PX = 14e6
# Smallest contrast of rulings in a picture without noise, of 255. Chosen by eye.
MIN_RULING_CONTRAST = 7.0
# Share of the picture that the page takes, by framing.
PAGE_SHARES = {"desk": 0.55, "page": 0.85, "table": 1.1, "bed": 0.6}
# Lists of lines and corners in print.json.
PRINT_LISTS = ("rows", "columns", "numbers", "heads")


def print_facing_page(form, first, paths, scale, press, rng):
    """Returns the `Print` of the facing page of a spread and its cells, in millimetres of the whole
    spread.
    """
    if form.spread == "notes":
        return printing.print_page(form, None, paths[form.face], scale, rng), []
    after = form.blocks * form.rows
    if form.spread == "continued":
        blocks = [dataclasses.replace(block, first=block.first + after) for block in first.strips]
        second = dataclasses.replace(first, strips=blocks)
    else:
        rows = max(10, round(form.rows * press.uniform(0.4, 0.7)))
        second = first.shorten(rows, form.start + after, form.size[1] - form.margin)
    facing = printing.print_page(form, second, paths[form.face], scale, rng)
    cells = [
        (number, side, (x0 + form.size[0], y0, x1 + form.size[0], y1), block + form.blocks)
        for number, side, (x0, y0, x1, y1), block in second.list_cells(form)
    ]
    return facing, cells


def print_form(form, first, paths, scale, press, rng):
    """Returns the `Print` of a form with its facing page, if any, and its cells in millimetres."""
    printed = printing.print_page(form, first, paths[form.face], scale, press)
    cells = first.list_cells(form)
    if form.spread == "none":
        return printed, cells
    facing, more_cells = print_facing_page(form, first, paths, scale, press, rng)
    shift = (form.size[0], 0)
    both = {
        name: getattr(printed, name) + [points + shift for points in getattr(facing, name)]
        for name in PRINT_LISTS
    }
    page = np.concatenate([printed.page, facing.page], 1)
    return dataclasses.replace(printed, page=page, **both), cells + more_cells


def write_sheet(writer, ink, form, first, cells, game, scale, rng, result):
    """Writes moves and times on a page's ink. Returns what was written, and the plies."""
    before = 2 * (form.start - 1)
    plies = game[before:][: len(cells)] if writer.placing.fill != "none" else []
    texts = writer.spell_moves(game, before, before + len(plies))
    written = writing.fill_cells(writer, ink, cells, texts, rng, result, form.letters)
    if form.times != "none" and rng.random() < 0.4:
        boxes = [
            [tuple(value * scale for value in box) for box in column]
            for column in first.list_times()
        ]
        writing.write_times(writer, ink, boxes, len(plies) // 2, rng)
    return written, plies


def write_header(writer, ink, form, fields, scale, rng, write_field):
    """Writes the fields of the header. Sheets without any writing have none."""
    if not write_field and (writer.placing.fill == "none" or rng.random() >= 0.85):
        return
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


def draw_scale(form, first, shot, longest):
    """Returns the scale of the printed page in pixels a millimetre, and sets the size of the
    picture: small pictures of long tables are enlarged until a row can be read, and none is more
    than twice as large as wanted.
    """
    share = PAGE_SHARES[shot.framing]
    area = form.size[0] * form.size[1] * (1 if form.spread == "none" else 2)

    def row_px():
        return first.row * math.sqrt(shot.pixels * 1e6 * share / area)

    while row_px() < MIN_ROW_PX * 1.1 and shot.pixels < 8:
        shot.pixels *= 1.15
    if longest:
        shot.pixels = min(shot.pixels, 2.5 * longest**2 * 1e-6)
    scale = 1.3 * math.sqrt(shot.pixels * 1e6 * share / area)
    return min(scale, math.sqrt(MAX_PAGE_PX / area))


def measure_rulings(form, shot, scale, longest):
    """Returns how much darker than paper the form's rulings come out in the picture, of 255, for a
    page printed with `scale` pixels a millimetre.
    """
    side = math.sqrt(shot.pixels * 1e6 * 1.35)
    shrink = min(1.0, (longest or side) / side)
    width = max(form.line, MIN_PRINTED_WIDTH) * scale / 1.3 * shrink
    # A blurred line of width w is as dark in its middle as w / (2.5 sigma) of it at most.
    sigma = math.hypot(shot.blur * shrink, 0.35)
    depth = (sum(form.paper) / 3 - form.print_grey) * form.line_tone * shot.contrast
    # Dots are blurred with the gaps between them.
    depth *= 0.5 if form.ruling == "dotted" or form.line_style != "plain" else 1
    return depth * min(1.0, width / (2.5 * sigma))


def darken_rulings(form, shot, scale, longest):
    """Gives rulings that nobody could see in the picture a darker tone, as printers do."""
    wanted = MIN_RULING_CONTRAST + shot.noise
    measured = measure_rulings(form, shot, scale, longest)
    form.line_tone = min(1.0, form.line_tone * max(1.0, wanted / measured))
    return measure_rulings(form, shot, scale, longest)


def list_print(printed, sizes, positions, picture, is_binary):
    """Returns the lines and corners of print.json, in pixels of the picture, from the positions of
    all their points. What lies outside the picture or is lost in black and white is left out.
    """
    height, width = picture.shape[:2]
    black = scanner.spread_black(picture) if is_binary else None
    parts = iter(np.split(positions, np.cumsum(sizes)[:-1])) if sizes else iter(())
    lists = {}
    for name in PRINT_LISTS:
        lists[name] = []
        for _ in getattr(printed, name):
            points = next(parts)
            middle = points.mean(0, keepdims=True)
            is_ruling = name in ("rows", "columns")
            if is_ruling and is_binary and not scanner.is_left(black, points):
                continue
            inside = points if is_ruling else middle
            if ((inside > 0) & (inside < (width, height))).all(1).any():
                lists[name].append(np.round(points, 1).tolist())
    return lists


def take_sheet(page, printed, cells, form, first, shot, scale, rng, seed, longest):
    """Takes the picture of a written page. Returns it with the corners of its cells [n, 4, 2] and
    the lines and corners of print.json.
    """
    corners = np.array([printing.list_corners(box) for _, _, box, _ in cells]).reshape(-1, 2)
    bottom = first.top + form.rows * first.row
    outline = [
        (x * scale, y * scale)
        for block in first.strips
        for x in (block.left, block.right)
        for y in (first.top, bottom)
    ]
    lines = [points * scale for name in PRINT_LISTS for points in getattr(printed, name)]
    picture, positions = photograph.take_picture(
        page,
        np.concatenate([corners, *lines]),
        np.concatenate([corners, outline]),
        shot,
        rng,
        form.spread != "none",
        seed,
    )
    picture, positions = photograph.shrink_picture(picture, positions, longest)
    quads = np.round(positions[: len(corners)].reshape(-1, 4, 2), 1)
    lists = list_print(
        printed,
        [len(points) for points in lines],
        positions[len(corners) :],
        picture,
        shot.scan == "binary",
    )
    return picture, quads, lists


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
    longest=None,
):
    """Returns a picture, its cells with corners, what was written, the plies, the form, the shot,
    all parameters, and the lines and corners of print.json.

    Form and shot are drawn unless they are given. `write_field` says what stands in a field of the
    header, from the words of the language and the field, and with it no cells are left out; None
    leaves the field empty. `result` is written behind the moves. `press` draws what is printed. No
    side of the picture is longer than `longest` pixels.
    """
    press = press or rng
    form, shot = form_and_shot or (draw_form(kind, sorted(paths), len(game), rng), None)
    shot = shot or draw_shot(rng, form.spread != "none")
    first = layout.arrange_page(form, form.start, press)
    scale = draw_scale(form, first, shot, longest)
    shot.contrast_of_rulings = darken_rulings(form, shot, scale, longest)
    printed, cells = print_form(form, first, paths, scale, press, rng)
    cells = [
        (number, side, tuple(value * scale for value in box), block)
        for number, side, box, block in cells
    ]
    type_paths = [paths[name] for name in writing.TYPE_FACES if name in paths]
    writer = writing.Writer(bank, faces, form.language, rng, type_paths)
    if write_field:
        writer.placing.fill = "all"
    ink = np.zeros(printed.page.shape[:2], np.uint8)
    written, plies = write_sheet(writer, ink, form, first, cells, game, scale, rng, result)
    write_header(writer, ink, form, printed.fields, scale, rng, write_field)
    sheet = writer.blend_onto(printed.page, ink, seed)

    picture, quads, prints = take_sheet(
        sheet, printed, cells, form, first, shot, scale, rng, seed, longest
    )
    facts = {
        **dataclasses.asdict(form),
        **dataclasses.asdict(shot),
        "pen": writer.pen,
        "thin": writer.is_thin,
        "typed": writer.is_typed,
        **dataclasses.asdict(writer.placing),
        "moves": (len(plies) + 1) // 2,
        "row_px": round(float(np.median(np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1))), 1),
    }
    truth = [
        {"move": number, "side": side, "box": box.tolist()}
        for (number, side, *_), box in zip(cells, quads)
    ]
    return picture, truth, written, plies, form, shot, facts, prints
