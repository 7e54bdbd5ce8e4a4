"""Describes what a form looks like: its kind and its parameters. Lengths are millimetres."""

import dataclasses

from picking import pick_one

BLOCKS = (1, 2, 3, 4)
# "lines" are lines below the moves alone, "letters" has a box for every letter, and on "bare" forms
# nothing is ruled.
RULINGS = (
    "full",
    "horizontal",
    "underlines",
    "rounded",
    "dotted",
    "bands",
    "heavy5",
    "lines",
    "bare",
    "letters",
)
NUMBERS = ("left", "between", "right", "none")
# Weights with which each value is drawn. Real forms mostly have few blocks, full rulings and
# numbers left of White.
SHARES = {
    "blocks": (26, 40, 25, 9),
    "ruling": (32, 12, 9, 8, 9, 9, 9, 6, 4, 5),
    "numbers": (48, 24, 12, 16),
}
SIZES = {
    1: ((148, 210), (105, 210), (90, 200), (105, 148), (210, 297), (140, 280)),
    2: ((148, 210), (148, 210), (210, 297), (216, 279), (170, 240), (210, 148)),
    3: ((210, 297), (216, 279), (210, 148), (180, 200), (297, 210)),
    4: ((210, 297), (297, 210), (297, 210), (240, 170)),
}
# Largest and smallest height of a row.
MAX_ROW_HEIGHT, MIN_ROW_HEIGHT = 11.0, 4.2
# Numbers of rows in a block. Three forms in four have a multiple of five.
ROW_COUNTS = (10, 15, 20, 20, 20, 20, 25, 25, 25, 25, 30, 30, 30, 30, 30, 35, 40, 40, 40, 40) + (
    12,
    16,
    18,
    22,
    24,
    28,
    32,
    36,
)
PAPERS = (
    (252, 252, 250),
    (250, 249, 245),
    (247, 243, 232),
    (248, 240, 205),
    (240, 248, 240),
    (250, 232, 236),
    (236, 243, 252),
    (244, 244, 244),
)
# Smallest width of a column of moves.
MIN_MOVE_COLUMN_WIDTH = 11.0


@dataclasses.dataclass
class Form:
    """The parameters of one form. `kind` names those that decide whether it is held out."""

    blocks: int
    ruling: str
    numbers: str
    size: tuple
    rows: int
    # Number of rows of the last block.
    last_rows: int
    # Number of the first row.
    start: int
    # Columns for times: "none", "each" for one behind each move, or "black" for one behind Black.
    times: str
    # Width of a column for times as a share of a column of moves.
    time_share: float
    # Whether names stand above the columns.
    heads: bool
    # Bar behind the names: "none", "light" or "dark".
    head_bar: str
    # Place of the header: "above", "beside", "below" or "none".
    header: str
    # Fields of the header: "line", "dotted", "box" or "bare"; "grid" for boxes that stand on the
    # table and are together as wide as it.
    header_line: str
    # Beside the table: "none", "diagram" or "notes".
    aside: str
    title: bool
    logo: bool
    sponsors: bool
    # Foot of the page: "none", "result", "signatures" or "both"; "grid" for boxes that hang on the
    # table.
    foot: str
    language: str
    gap: float
    # Gap between two boxes as a share of the row height.
    row_gap: float
    margin: float
    number_width: float
    # Width of the rulings. Hairlines are below 0.12.
    line: float
    # Darkness of the rulings between paper (0) and ink (1), and their colour, "print" for that of
    # the words.
    line_tone: float
    line_colour: str
    # Pattern of the table's rulings: "plain", "dotted" or "dashed", and the same with "-columns"
    # where only those down columns have it.
    line_style: str
    # Share of every ruling that a bad printer left out, and share of the rulings that are hardly
    # there.
    broken: float
    faded: float
    # Width of the frame around the table; 0 where it has none of its own.
    frame: float
    # Shaded part: "none", "rows", "black" (a column) or "numbers".
    shade: str
    inverse_numbers: bool
    number_style: str
    watermark: bool
    print_grey: int
    paper: tuple
    # Facing page: "none", "notes", "continued", or "short" for a table of fewer rows with something
    # below it.
    spread: str
    # Typeface of the print.
    face: str
    # Below the table: "none", "notes", "diagram" or "both".
    under: str
    # Whether a line separates the numbers from the cells beside them.
    walled: bool
    # Number of boxes in a cell on forms with a box for every letter.
    letters: int

    @property
    def kind(self):
        return format_kind(self.blocks, self.ruling, self.numbers)


def format_kind(blocks, ruling, numbers):
    return f"{blocks}block{'s' * (blocks > 1)}-{ruling}-numbers{numbers}"


def is_held_out(blocks, ruling, numbers):
    """Whether a kind is held out: a third of the kinds, spread evenly over blocks, rulings and
    places of the numbers.
    """
    return (BLOCKS.index(blocks) + RULINGS.index(ruling) + NUMBERS.index(numbers)) % 3 == 1


def weigh_kinds(kept_back):
    """Returns the kinds of one part with the weight with which each is drawn."""
    shares = {}
    for block_count, block_share in zip(BLOCKS, SHARES["blocks"]):
        for ruling, ruling_share in zip(RULINGS, SHARES["ruling"]):
            for number_place, number_share in zip(NUMBERS, SHARES["numbers"]):
                # Nothing would show the rows of a form without rulings and numbers.
                if (ruling, number_place) == ("bare", "none"):
                    continue
                if is_held_out(block_count, ruling, number_place) == kept_back:
                    shares[block_count, ruling, number_place] = (
                        block_share * ruling_share * number_share
                    )
    return shares


def draw_rulings(ruling, numbers, rng):
    """Draws how the rulings of a form are printed, and what goes with hairlines: grey columns of
    numbers and boxes that touch the table.
    """
    is_hairline = rng.random() < 0.3
    line = rng.uniform(0.05, 0.12) if is_hairline else rng.uniform(0.12, 0.4)
    tone = rng.choices((1.0, rng.uniform(0.3, 0.7), rng.uniform(0.08, 0.3)), (52, 18, 30))[0]
    pattern = (
        "plain"
        if ruling == "dotted"
        else rng.choices(
            ("plain", "dotted", "dashed", "dotted-columns", "dashed-columns"), (74, 6, 7, 6, 7)
        )[0]
    )
    # A hairline or a row of dots as pale as a wide line cannot be seen, and where no number stands
    # only the rulings show the rows.
    if is_hairline or pattern != "plain" or numbers == "none":
        tone = max(tone, rng.uniform(0.2, 0.5))
    if ruling == "dotted":
        line, tone = max(line, rng.uniform(0.14, 0.2)), max(tone, rng.uniform(0.35, 0.6))
    is_bad = rng.random() < 0.12
    grid_share = 55 if is_hairline or tone < 0.3 else 14
    return {
        "line": line,
        "line_tone": tone,
        "line_colour": pick_one(rng, print=86, blue=5, red=3, green=3, brown=3),
        "line_style": pattern,
        "broken": rng.uniform(0.03, 0.4) if is_bad else 0.0,
        "faded": rng.uniform(0.05, 0.3) if is_bad else 0.0,
        "frame": rng.choice((0, 0, line, 0.4)) if is_hairline else rng.choice((0.2, 0.4, 0.6, 0.9)),
        "header_line": pick_one(rng, line=40, dotted=25, box=14, bare=9, grid=grid_share),
        "head_bar": pick_one(rng, none=70, light=grid_share, dark=9),
        "shade": draw_shade(ruling, grid_share, rng),
    }


def draw_shade(ruling, numbers_share, rng):
    """Draws which part of the table is shaded."""
    if ruling in ("bands", "rounded"):
        return "none"
    if ruling in ("horizontal", "lines", "underlines"):
        return pick_one(rng, none=50, black=38, rows=6 * (ruling != "underlines"), numbers=6)
    return pick_one(rng, none=72, rows=7, black=9, numbers=numbers_share)


def draw_rows(blocks, size, plies, rng, rare):
    """Draws the numbers of rows of a form and the number of its first row."""
    max_rows = max(10, min(40, int((size[1] - 45) / MIN_ROW_HEIGHT)))
    rows = rng.choice([r for r in ROW_COUNTS if r <= max_rows])
    start = (
        rng.choice([n for n in (31, 41, 61) if 2 * n + 8 < plies] or [1])
        if rng.random() < 0.12
        else 1
    )
    last_rows = (
        rng.randint(max(10, rows - 8), rows)
        if blocks > 1 and rows > 12 and rng.random() < (0.2 if rare else 0.06)
        else rows
    )
    return {"rows": rows, "last_rows": last_rows, "start": start}


def draw_surroundings(blocks, size, rng, rare):
    """Draws what stands around the table."""
    is_wide = size[0] > size[1]
    header = pick_one(rng, above=72, below=5, none=15, beside=8 if not is_wide else 30)
    aside = (
        pick_one(rng, none=82, diagram=9, notes=9)
        if header != "beside" and (is_wide or blocks == 1) and size[0] > 140
        else "none"
    )
    return {
        "header": header,
        "aside": aside,
        "title": rng.random() < 0.7,
        "logo": rng.random() < 0.45,
        "sponsors": rng.random() < 0.3,
        "spread": pick_one(
            rng, none=60 if rare else 86, notes=7, continued=4, short=9 if rare else 3
        )
        if blocks <= 2 and not is_wide
        else "none",
        "under": pick_one(rng, none=30 if rare else 85, notes=6, diagram=4, both=5)
        if aside == "none" and header != "below"
        else "none",
        "foot": pick_one(rng, none=28, result=18, signatures=18, both=22, grid=14),
    }


def join_parts(surroundings, rulings, rng):
    """Makes a form one closed table, as office programs do: boxes for header and foot touch the
    rows, bars and columns of numbers are grey, and rulings are fine.
    """
    surroundings.update(header="above", aside="none", under="none")
    if rng.random() < 0.75:
        surroundings["foot"] = "grid"
    rulings["header_line"] = "grid"
    if rng.random() < 0.75:
        rulings["head_bar"] = "light"
    if rng.random() < 0.7:
        rulings["shade"] = "numbers"
    if rng.random() < 0.6:
        line = rng.uniform(0.05, 0.2)
        rulings.update(line=line, line_tone=rng.uniform(0.25, 0.7), line_style="plain")
        rulings["frame"] = rng.choice((0, line))


def draw_form(kind, faces, plies, rng, rare=False):
    """Draws all other parameters of a form of a kind, for a game of so many plies. What is rare on
    forms is drawn often if `rare`.
    """
    blocks, ruling, numbers = kind
    size = rng.choice(SIZES[blocks])
    surroundings = draw_surroundings(blocks, size, rng, rare)
    rulings = draw_rulings(ruling, numbers, rng)
    is_plain = ruling in ("full", "heavy5", "dotted", "horizontal", "bare", "letters")
    if is_plain and ruling != "bare" and rng.random() < 0.15:
        join_parts(surroundings, rulings, rng)
    elif rulings["header_line"] == "grid":
        if surroundings["header"] != "above":
            rulings["header_line"] = "box"
        elif rng.random() < 0.6:
            surroundings["foot"] = "grid"
    is_taken = surroundings["under"] != "none" or surroundings["header"] == "below"
    if is_taken and surroundings["foot"] == "grid":
        surroundings["foot"] = "both"
    times_share = 50 if rare else 12
    has_times = blocks < 3 or size[0] > size[1]
    has_gap = not is_plain or rulings["header_line"] != "grid" and rng.random() < 0.4
    return Form(
        blocks,
        ruling,
        numbers,
        size,
        **draw_rows(blocks, size, plies, rng, rare),
        **surroundings,
        **rulings,
        times=pick_one(
            rng, none=100 - times_share, each=times_share * 7 / 12, black=times_share * 5 / 12
        )
        if has_times and ruling != "letters"
        else "none",
        time_share=rng.choice((0.45, 0.45, rng.uniform(0.35, 1.0))),
        heads=rng.random() < 0.72,
        language=pick_one(rng, en=30, pt=12, it=12, de=12, es=12, fr=12, nl=5, pl=5),
        gap=(rng.uniform(2, 12) if rng.random() < 0.5 else rng.uniform(2, 5)) * has_gap,
        row_gap=rng.uniform(0.08, 0.25) if ruling == "rounded" else 0.0,
        margin=rng.uniform(5, 15),
        number_width=rng.uniform(5.5, 10),
        inverse_numbers=ruling not in ("underlines", "bare") and rng.random() < 0.06,
        number_style=pick_one(rng, plain=60, dot=30, zero=10),
        watermark=rng.random() < 0.1,
        print_grey=rng.choice((10, 25, 40, 60, 90, 120)),
        paper=rng.choice(PAPERS),
        face=rng.choice(faces),
        walled=numbers == "between" or rng.random() < (0.7 if rare else 0.88),
        letters=rng.randint(4, 6) if ruling == "letters" else 0,
    )
