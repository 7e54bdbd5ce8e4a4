"""Makes photographs of paper that is no scoresheet: `python not_sheets.py --out DIR [--data DATA
--fonts NODE_MODULES] [--count 32]`.

It draws tables of other things, puzzles, lined and squared paper, text and walls. A program that
finds a table of moves there is wrong. With --data and --fonts some are written on by hand.
"""

import argparse
import math
import os
import random
import sys

import cv2
import numpy as np
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "forms"), os.path.join(HERE, "samples")]
import fonts as printed  # noqa: E402
import kinds  # noqa: E402
import photograph  # noqa: E402
import press as presses  # noqa: E402
import printing  # noqa: E402
import render  # noqa: E402
import shots  # noqa: E402
import writing  # noqa: E402

# Pixels a millimetre of print.
SCALE = 6
PEOPLE = (
    "Anna Rossi|Jan Novák|M. Silva|P. Garcia|Lena Vogt|T. Kim|A. Costa|Ivan Petrov|C. Martin|"
    "Olga Nagy|S. Lopez|B. Jansen|R. Braun|K. Lee"
).split("|")
PROSE = (
    "the game was drawn after forty moves of quiet play and both sides agreed that the rook "
    "ending could not be won by either of them"
).split()


def draw_grid(press, x0, y0, columns, row, rows):
    """Draws the rules of a table with these column widths. Returns the x of its column edges."""
    x = [x0]
    for column in columns:
        x.append(x[-1] + column)
    for row_index in range(rows + 1):
        press.rule(x0, y0 + row_index * row, x[-1], y0 + row_index * row)
    for edge in x:
        press.rule(edge, y0, edge, y0 + rows * row)
    return x


def fill_grid(press, x, y0, row, rows, text):
    """Prints `text(row, column)` into every cell of a grid."""
    for r in range(rows):
        for c, (a, b) in enumerate(zip(x, x[1:])):
            words = str(text(r, c))
            if words:
                press.text(
                    (a + b) / 2,
                    y0 + (r + 0.5) * row,
                    words,
                    min(row * 0.4, (b - a) / len(words) * 1.1),
                    "mm",
                )


def timetable(p, rng):
    p.text(20, 18, rng.choice(("Timetable", "Fahrplan", "Orario treni")), 5)
    n, rows = rng.randint(5, 9), rng.randint(18, 34)
    row = 220 / rows
    x = draw_grid(p, 15, 30, [40] + [140 / n] * n, row, rows)
    fill_grid(
        p,
        x,
        30,
        row,
        rows,
        lambda r, c: (
            rng.choice(PEOPLE).split()[-1]
            if c == 0
            else f"{(5 + r // 2 + c) % 24:02}:{(r * 7 + c * 11) % 60:02}"
        ),
    )


def crosstable(p, rng):
    p.text(105, 18, "Final standings", 5, "mm")
    n = rng.randint(8, 14)
    x = draw_grid(p, 12, 30, [8, 42] + [115 / n] * n + [14], 9, n + 1)

    def score(r, c):
        return "" if c - 2 == r - 1 else rng.choice(("1", "0", "½"))

    def text(r, c):
        if r == 0:
            return "" if c == 0 else "Name" if c == 1 else c - 1 if c < n + 2 else "Pts"
        return (
            r
            if c == 0
            else PEOPLE[r - 1]
            if c == 1
            else score(r, c)
            if c < n + 2
            else f"{rng.randint(2, 18) / 2:g}"
        )

    fill_grid(p, x, 30, 9, n + 1, text)


def pairings(p, rng):
    p.text(105, 16, f"Round {rng.randint(1, 9)}: pairings", 5, "mm")
    rows, row = rng.randint(16, 36), 6.5
    ruled = rng.random() < 0.6
    widths = (12, 62, 22, 62, 22)
    x = draw_grid(p, 14, 28, widths, row, rows) if ruled else list(np.cumsum((14,) + widths))

    def text(r, c):
        if r == 0:
            return ("Bd", "White", "", "Black", "Elo")[c]
        return (
            r,
            rng.choice(PEOPLE),
            rng.choice(("1-0", "½", "0-1", "")),
            rng.choice(PEOPLE),
            rng.randint(1200, 2300),
        )[c]

    fill_grid(p, x, 28, row, rows, text)


def crossword(p, rng):
    n, side = rng.randint(11, 17), 170
    draw_grid(p, 20, 40, [side / n] * n, side / n, n)
    for i in range(n * n):
        a, b = 20 + i % n * side / n, 40 + i // n * side / n
        if rng.random() < 0.18:
            p.box(a, b, a + side / n, b + side / n, p.ink, 0)
        elif rng.random() < 0.3:
            p.text(a + 0.7, b + 2, str(i % 60), 1.3)


def sudoku(p, rng):
    size = rng.uniform(110, 170)
    x = draw_grid(p, 20, 50, [size / 9] * 9, size / 9, 9)
    for i in range(4):
        p.rule(20, 50 + i * size / 3, 20 + size, 50 + i * size / 3, 0.9)
        p.rule(20 + i * size / 3, 50, 20 + i * size / 3, 50 + size, 0.9)
    fill_grid(p, x, 50, size / 9, 9, lambda r, c: rng.randint(1, 9) if rng.random() < 0.4 else "")


def diagrams(p, rng):
    n = rng.choice((1, 2, 2))
    side = 170 / n - 5
    for i in range(n * n):
        p.print_diagram(20 + i % n * (side + 8), 40 + i // n * (side + 12), side)


def lined(p, rng):
    step = rng.choice((7, 8, 10))
    for y in np.arange(25, 285, step):
        p.rule(0, y, 210, y, 0.15)
    if rng.random() < 0.7:
        p.rule(28, 0, 28, 297, 0.2)
    p.fields += [
        (32, y - 1, 168, 4.5, "prose")
        for y in np.arange(25 + step, 25 + step * rng.randint(8, 24), step)
    ]


def squared(p, rng):
    step = rng.choice((4, 5, 5, 10))
    for v in np.arange(0, 297, step):
        p.rule(0, v, 210, v, 0.1)
        if v < 210:
            p.rule(v, 0, v, 297, 0.1)
    p.fields += [(20, 20 + i * 10, 120, 5, "prose") for i in range(rng.randint(0, 10))]


def calendar(p, rng):
    p.text(105, 25, rng.choice(("MAI 2024", "October 2023", "GENNAIO")), 8, "mm")
    rows, row = rng.choice((5, 6)), rng.uniform(22, 34)
    x = draw_grid(p, 14, 45, [26] * 7, row, rows)
    first = rng.randint(0, 6)
    for i in range(31):
        c, r = (i + first) % 7, (i + first) // 7
        if r < rows:
            p.text(x[c] + 3, 45 + r * row + 5, str(i + 1), 3)


def prose(p, rng):
    columns = rng.choice((1, 1, 2))
    width = 175 / columns
    for c in range(columns):
        for y in np.arange(25, 270, 5.2):
            if rng.random() < 0.94:
                words = " ".join(rng.choice(PROSE) for _ in range(round(width / 11)))
                p.text(17 + c * (width + 4), y, words, 2.0)


def keyboard(p, rng):
    for r in range(6):
        x = 10 + r * 3
        while x < 190:
            w = rng.choice((12, 12, 12, 12, 20))
            p.box(x, 90 + r * 14, x + w, 102 + r * 14, p.tone(0.15), 0.3, 1.5)
            p.text(x + w / 2, 96 + r * 14, rng.choice("QWERTYUIOPASDFGHJKL1234567890"), 3, "mm")
            x += w + 2


def staves(p, rng):
    for y in np.arange(30, 270, 24):
        for i in range(5):
            p.rule(15, y + i * 2, 195, y + i * 2, 0.15)
        for _ in range(20):
            x, n = rng.uniform(20, 190), rng.randint(0, 8)
            p.pen.ellipse(p.px(x, y + n, x + 2.4, y + n + 1.8), fill=p.ink)


def receipt(p, rng):
    p.text(105, 20, "SUPERMARKT", 6, "mm")
    for y in np.arange(40, rng.uniform(150, 270), 6):
        p.text(50, y, rng.choice(PROSE).upper(), 2.6)
        p.text(160, y, f"{rng.uniform(0.5, 30):.2f}", 2.6, "rm")


def blank(p, rng):
    pass


def noise(p, rng):
    """Draws blocks of grey, by chance or by a repeating rule."""
    page_width, page_height = p.page.size
    cell_width, cell_height = rng.uniform(0.4, 6) * p.scale, rng.uniform(0.4, 6) * p.scale
    y, x = np.mgrid[: math.ceil(page_height / cell_height), : math.ceil(page_width / cell_width)]
    if rng.random() < 0.5:
        grey = np.random.default_rng(rng.getrandbits(32)).integers(0, 256, x.shape)
    else:
        grey = (
            x * rng.randrange(1, 256) + y * rng.randrange(1, 256) + x * y * rng.choice((0, 0, 1, 7))
        ) % rng.choice((2, 3, 97, 256))
        grey = grey * 255 // max(grey.max(), 1)
    p.page.paste(
        Image.fromarray(grey.astype(np.uint8)).resize(
            (page_width, page_height), rng.choice((Image.NEAREST, Image.BILINEAR))
        )
    )


def wall(p, rng):
    """Draws bricks, tiles or boards."""
    height, length, gap, shift = (
        rng.uniform(5, 28),
        rng.uniform(12, 90),
        rng.uniform(0.3, 2.5),
        rng.choice((0, 0.5, 0.5, 0.37)),
    )
    for r, y in enumerate(np.arange(0, 297, height)):
        for x in np.arange(-length * (r * shift % 1), 210, length):
            p.box(x, y, x + length - gap, y + height - gap, p.tone(rng.uniform(0.1, 0.5)), 0)


KINDS = (
    timetable,
    crosstable,
    pairings,
    crossword,
    sudoku,
    diagrams,
    lined,
    squared,
    calendar,
    prose,
    keyboard,
    staves,
    receipt,
    blank,
    noise,
    wall,
)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data")
    parser.add_argument("--fonts", help="the node_modules folder that holds @fontsource")
    parser.add_argument(
        "--prints",
        default=os.path.expanduser("~/.cache/sheetscan-fonts"),
        help="folder for the printed fonts",
    )
    parser.add_argument("--out", required=True)
    parser.add_argument("--count", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    # One thread is used, since other work runs on the machine.
    cv2.setNumThreads(1)
    hands = (
        (
            render.StrokeBank(os.path.join(args.data, "strokes"), True, 1),
            render.FontBank(args.fonts, True),
        )
        if args.data and args.fonts
        else None
    )
    paths = presses.find_faces(
        {
            name: path
            for name, path in printed.fetch_fonts(args.prints).items()
            if name in printed.PRINTS
        }
    )
    for number in range(args.count):
        rng = random.Random(f"{args.seed} {number}")
        kind = KINDS[number % len(KINDS)]
        form = kinds.draw_form((1, "full", "left"), sorted(paths), 60, rng)
        form.size = (210, 297)
        press = printing.PagePress(form, paths[form.face], SCALE, rng)
        kind(press, rng)
        page = press.finish()
        if hands and press.fields:
            writer, ink = writing.Writer(*hands, "en", rng), np.zeros(page.shape[:2], np.uint8)
            for x, base, width, height, _ in press.fields:
                writer.write_line(
                    ink,
                    " ".join(rng.choice(PROSE) for _ in range(6)),
                    x * SCALE,
                    base * SCALE,
                    width * SCALE,
                    height * SCALE,
                )
            page = writer.blend_onto(page, ink, number)
        shot = shots.draw_shot(rng)
        picture, _ = photograph.take_picture(page, np.zeros((0, 2)), [], shot, rng, False, number)
        Image.fromarray(picture).save(
            os.path.join(args.out, f"{kind.__name__}-{number:03}.jpg"), quality=shot.quality
        )


if __name__ == "__main__":
    main()
