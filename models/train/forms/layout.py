"""Describes what a form looks like: its kind, its parameters, and where its cells lie. Lengths are
millimetres.
"""

import dataclasses

BLOCKS = (1, 2, 3, 4)
RULINGS = ("full", "horizontal", "underlines", "rounded", "dotted", "bands", "heavy5")
NUMBERS = ("left", "between", "right", "none")
# Weights with which each value is drawn. Real forms mostly have few blocks, full rulings and
# numbers left of White.
SHARES = {
    "blocks": (26, 40, 25, 9),
    "ruling": (26, 15, 13, 11, 12, 12, 11),
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
    # Whether names stand above the columns.
    heads: bool
    # Bar behind the names: "none", "light" or "dark".
    head_bar: str
    # Place of the header: "above", "beside", "below" or "none".
    header: str
    # Fields of the header: "line", "dotted", "box" or "bare".
    header_line: str
    # Beside the table: "none", "diagram" or "notes".
    aside: str
    title: bool
    logo: bool
    sponsors: bool
    # Foot of the page: "none", "result", "signatures" or "both".
    foot: str
    language: str
    gap: float
    # Gap between two boxes as a share of the row height.
    row_gap: float
    margin: float
    number_width: float
    line: float
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
                if is_held_out(block_count, ruling, number_place) == kept_back:
                    shares[block_count, ruling, number_place] = (
                        block_share * ruling_share * number_share
                    )
    return shares


def draw_form(kind, faces, plies, rng, rare=False):
    """Draws all other parameters of a form of a kind, for a game of so many plies. What is rare on
    forms is drawn often if `rare`.
    """
    blocks, ruling, numbers = kind
    size = rng.choice(SIZES[blocks])
    is_wide = size[0] > size[1]

    def pick_one(**shares):
        return rng.choices(list(shares), list(shares.values()))[0]

    header = pick_one(above=72, below=5, none=15, beside=8 if not is_wide else 30)
    aside = (
        pick_one(none=82, diagram=9, notes=9)
        if header != "beside" and (is_wide or blocks == 1) and size[0] > 140
        else "none"
    )
    max_rows = max(10, min(40, int((size[1] - 45) / MIN_ROW_HEIGHT)))
    rows = rng.choice([r for r in ROW_COUNTS if r <= max_rows])
    spread = (
        pick_one(none=60 if rare else 86, notes=7, continued=4, short=9 if rare else 3)
        if blocks <= 2 and not is_wide
        else "none"
    )
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
    times_share = 50 if rare else 12
    is_plain = ruling in ("full", "heavy5", "dotted", "horizontal")
    return Form(
        blocks,
        ruling,
        numbers,
        size,
        rows,
        last_rows,
        start,
        times=pick_one(
            none=100 - times_share, each=times_share * 7 / 12, black=times_share * 5 / 12
        )
        if blocks < 3 or is_wide
        else "none",
        heads=rng.random() < 0.72,
        head_bar=pick_one(none=76, light=14, dark=10),
        header=header,
        header_line=pick_one(line=45, dotted=30, box=15, bare=10),
        aside=aside,
        title=rng.random() < 0.7,
        logo=rng.random() < 0.45,
        sponsors=rng.random() < 0.3,
        foot=pick_one(none=30, result=20, signatures=20, both=30),
        language=pick_one(en=30, pt=12, it=12, de=12, es=12, fr=12, nl=5, pl=5),
        gap=rng.choice([0, 0, 0, rng.uniform(2, 5), rng.uniform(4, 12)])
        if is_plain
        else rng.uniform(2, 10),
        row_gap=rng.uniform(0.08, 0.25) if ruling == "rounded" else 0.0,
        margin=rng.uniform(5, 15),
        number_width=rng.uniform(5.5, 10),
        line=rng.uniform(0.12, 0.4),
        frame=rng.choice([0.2, 0.4, 0.6, 0.9]),
        shade=pick_one(none=74, rows=8, black=8, numbers=10)
        if ruling not in ("bands", "rounded", "underlines")
        else "none",
        inverse_numbers=ruling != "underlines" and rng.random() < 0.06,
        number_style=pick_one(plain=60, dot=30, zero=10),
        watermark=rng.random() < 0.1,
        print_grey=rng.choice((10, 25, 40, 60, 90, 120)),
        paper=rng.choice(PAPERS),
        spread=spread,
        face=rng.choice(faces),
        under=pick_one(none=30 if rare else 85, notes=6, diagram=4, both=5)
        if aside == "none" and header != "below"
        else "none",
        walled=numbers == "between" or rng.random() < (0.7 if rare else 0.88),
    )


@dataclasses.dataclass
class BlockColumns:
    """The columns of a block as (left, right); `times` are the narrow ones."""

    number: tuple
    white: tuple
    black: tuple
    times: list
    left: float
    right: float
    rows: int
    # Number of the first row.
    first: int


@dataclasses.dataclass
class Table:
    """The places of everything on one page."""

    strips: list
    top: float
    row: float
    # Heads are (top, bottom) or None. The other parts are boxes (x0, y0, x1, y1) or None.
    heads: tuple
    title: tuple
    header: tuple
    aside: tuple
    foot: tuple
    sponsors: tuple
    under: tuple

    def shorten(self, rows, first, bottom):
        """Returns the table with `rows` rows numbered from `first` on and with room below it down
        to `bottom`, without what stands around it.
        """
        blocks = [
            dataclasses.replace(block, rows=rows, first=first + index * rows)
            for index, block in enumerate(self.strips)
        ]
        y = self.top + rows * self.row + 4
        under = (blocks[0].left, y, blocks[-1].right, bottom)
        return dataclasses.replace(
            self, strips=blocks, under=under, title=None, foot=None, sponsors=None
        )

    def list_cells(self, form):
        """Returns (number, side, box) of every cell, in playing order."""
        listed = []
        for block in self.strips:
            for row in range(block.rows):
                y0, y1 = self.top + row * self.row, self.top + (row + 1) * self.row
                inset = self.row * form.row_gap / 2
                for side, (x0, x1) in (("white", block.white), ("black", block.black)):
                    inset_x = 0.7 if form.ruling in ("rounded", "underlines") else 0.0
                    listed.append(
                        (
                            block.first + row,
                            side,
                            (x0 + inset_x, y0 + inset, x1 - inset_x, y1 - inset),
                        )
                    )
        return listed


def arrange_blocks(form, first, left, width):
    """Returns the columns of every block of a table that begins at `left`. Times are left out where
    they would leave too little room for the moves.
    """
    block = (width - form.gap * (form.blocks - 1)) / form.blocks
    number_width = 0.0 if form.numbers == "none" else min(form.number_width, block * 0.2)
    time_count = {"none": 0, "each": 2, "black": 1}[form.times]
    time_width = (block - number_width) / (2 + 0.45 * time_count) * 0.45
    if time_count and (block - number_width - time_count * time_width) / 2 < MIN_MOVE_COLUMN_WIDTH:
        form.times, time_count, time_width = "none", 0, 0.0
    move_width = (block - number_width - time_count * time_width) / 2
    order = {
        "left": ["number", "white", "black"],
        "between": ["white", "number", "black"],
        "right": ["white", "black", "number"],
        "none": ["white", "black"],
    }[form.numbers]
    if form.times == "each":
        order.insert(order.index("white") + 1, "time")
    if time_count:
        order.insert(order.index("black") + 1, "time")
    blocks = []
    for block_index in range(form.blocks):
        x = start = left + block_index * (block + form.gap)
        places = {"time": []}
        for part in order:
            part_width = {"number": number_width, "time": time_width}.get(part, move_width)
            if part == "time":
                places["time"].append((x, x + part_width))
            else:
                places[part] = (x, x + part_width)
            x += part_width
        rows = form.last_rows if block_index == form.blocks - 1 else form.rows
        blocks.append(
            BlockColumns(
                places.get("number"),
                places["white"],
                places["black"],
                places["time"],
                start,
                x,
                rows,
                first + block_index * form.rows,
            )
        )
    return blocks


def arrange_page(form, first, rng):
    """Places the parts of a page and gives the table the room that is left."""
    x0, y0, x1, y1 = (
        form.margin,
        form.margin * 0.8,
        form.size[0] - form.margin,
        form.size[1] - form.margin,
    )
    title = header = aside = foot = sponsors = under = None
    size_factor = form.size[1] / 210
    if form.sponsors:
        part_height = rng.uniform(8, 14) * size_factor
        sponsors, y1 = (x0, y1 - part_height, x1, y1), y1 - part_height - 2
    if form.foot != "none":
        part_height = rng.uniform(9, 16) * size_factor
        foot, y1 = (x0, y1 - part_height, x1, y1), y1 - part_height - 2
    if form.title or form.logo:
        part_height = rng.uniform(8, 17) * size_factor
        title, y0 = (x0, y0, x1, y0 + part_height), y0 + part_height + 1
    if form.header in ("above", "below"):
        part_height = rng.uniform(13, 30) * size_factor
        if form.header == "above":
            header, y0 = (x0, y0, x1, y0 + part_height), y0 + part_height + rng.uniform(1, 6)
        else:
            header, y1 = (x0, y1 - part_height, x1, y1), y1 - part_height - 3
    if form.header == "beside" or form.aside != "none":
        part = (x1 - x0) * rng.uniform(0.24, 0.36)
        if rng.random() < 0.5:
            box, x1 = (x1 - part, y0, x1, y1), x1 - part - rng.uniform(3, 8)
        else:
            box, x0 = (x0, y0, x0 + part, y1), x0 + part + rng.uniform(3, 8)
        if form.header == "beside":
            header = box
        else:
            aside = box
    if form.under != "none":
        part_height = (y1 - y0) * rng.uniform(0.15, 0.4)
        under, y1 = (x0, y1 - part_height + 3, x1, y1), y1 - part_height
    heads = None
    if form.heads:
        part_height = rng.uniform(4.5, 7)
        heads, y0 = (y0, y0 + part_height), y0 + part_height
    if (y1 - y0) / form.rows < MIN_ROW_HEIGHT:
        form.rows = max(10, int((y1 - y0) / MIN_ROW_HEIGHT))
        form.rows -= form.rows % 5 if rng.random() < 0.8 else 0
        form.last_rows = min(form.last_rows, form.rows)
    row_height = min(MAX_ROW_HEIGHT, (y1 - y0) / form.rows)
    # A table need not fill its room. Some forms have a narrower one, and no column is wider than 52
    # mm.
    max_width = form.blocks * (2 * 52 + form.number_width) + form.gap * (form.blocks - 1)
    width = min((x1 - x0) * rng.choice([1.0, 1.0, rng.uniform(0.82, 1.0)]), max_width)
    left = x0 + (x1 - x0 - width) * rng.choice([0, 0.5, 0.5, 0.5, 0.5, 1])
    blocks = arrange_blocks(form, first, left, width)
    return Table(blocks, y0, row_height, heads, title, header, aside, foot, sponsors, under)
