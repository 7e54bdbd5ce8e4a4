"""What a form looks like: its kind, its parameters, and where its cells lie. Lengths are millimetres."""

import dataclasses

BLOCKS = (1, 2, 3, 4)
RULINGS = ("full", "horizontal", "underlines", "rounded", "dotted", "bands", "heavy5")
NUMBERS = ("left", "between", "right", "none")
# How often each is drawn: real forms lean to few blocks, full rulings and numbers left of White.
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
TALLEST, LOWEST = 11.0, 4.2  # A row's height.
# Rows of a block: three forms in four have a multiple of five.
ROWS = (10, 15, 20, 20, 20, 20, 25, 25, 25, 25, 30, 30, 30, 30, 30, 35, 40, 40, 40, 40) + (
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
NARROWEST = 11.0  # A move column.


@dataclasses.dataclass
class Form:
    """One form's parameters; `kind` names those that decide whether it is held out."""

    blocks: int
    ruling: str
    numbers: str
    size: tuple
    rows: int
    last_rows: int  # of the last block
    start: int  # the first row's number
    times: str  # narrow columns: "none", "each" move, or one after "black"
    heads: bool  # names above the columns
    head_bar: str  # behind them: "none", "light" or "dark"
    header: str  # "above", "beside", "below" or "none"
    header_line: str  # "line", "dotted", "box" or "bare"
    aside: str  # beside the table: "none", "diagram" or "notes"
    title: bool
    logo: bool
    sponsors: bool
    foot: str  # "none", "result", "signatures" or "both"
    language: str
    gap: float
    row_gap: float  # share of a row between boxes
    margin: float
    number_width: float
    line: float
    frame: float
    shade: str  # "none", "rows", "black" column or "numbers"
    inverse_numbers: bool
    number_style: str
    watermark: bool
    print_grey: int
    paper: tuple
    spread: str  # on a facing page: "none", "notes", "continued", or "short" for fewer rows with something under them
    face: str  # of the print
    under: str  # below the table: "none", "notes", "diagram" or "both"
    walled: bool  # a line between the numbers and the cells beside them

    @property
    def kind(self):
        return kind_name(self.blocks, self.ruling, self.numbers)


def kind_name(blocks, ruling, numbers):
    return f"{blocks}block{'s' * (blocks > 1)}-{ruling}-numbers{numbers}"


def held_out(blocks, ruling, numbers):
    """A third of the kinds, spread evenly over blocks, rulings and places of the numbers."""
    return (BLOCKS.index(blocks) + RULINGS.index(ruling) + NUMBERS.index(numbers)) % 3 == 1


def kinds(kept_back):
    """The kinds of one part and how often each is drawn."""
    found = {}
    for b, wb in zip(BLOCKS, SHARES["blocks"]):
        for r, wr in zip(RULINGS, SHARES["ruling"]):
            for n, wn in zip(NUMBERS, SHARES["numbers"]):
                if held_out(b, r, n) == kept_back:
                    found[b, r, n] = wb * wr * wn
    return found


def draw(kind, faces, plies, rng, rare=False):
    """A form of a kind with all else drawn, for a game of so many plies; what is rare on forms is drawn often if `rare`."""
    blocks, ruling, numbers = kind
    size = rng.choice(SIZES[blocks])
    wide = size[0] > size[1]

    def pick(**shares):
        return rng.choices(list(shares), list(shares.values()))[0]

    header = pick(above=72, below=5, none=15, beside=8 if not wide else 30)
    aside = (
        pick(none=82, diagram=9, notes=9)
        if header != "beside" and (wide or blocks == 1) and size[0] > 140
        else "none"
    )
    most = max(10, min(40, int((size[1] - 45) / LOWEST)))
    rows = rng.choice([r for r in ROWS if r <= most])
    spread = (
        pick(none=60 if rare else 86, notes=7, continued=4, short=9 if rare else 3)
        if blocks <= 2 and not wide
        else "none"
    )
    start = (
        rng.choice([n for n in (31, 41, 61) if 2 * n + 8 < plies] or [1])
        if rng.random() < 0.12
        else 1
    )
    last = (
        rng.randint(max(10, rows - 8), rows)
        if blocks > 1 and rows > 12 and rng.random() < (0.2 if rare else 0.06)
        else rows
    )
    timed = 50 if rare else 12
    plain = ruling in ("full", "heavy5", "dotted", "horizontal")
    return Form(
        blocks,
        ruling,
        numbers,
        size,
        rows,
        last,
        start,
        times=pick(none=100 - timed, each=timed * 7 / 12, black=timed * 5 / 12)
        if blocks < 3 or wide
        else "none",
        heads=rng.random() < 0.72,
        head_bar=pick(none=76, light=14, dark=10),
        header=header,
        header_line=pick(line=45, dotted=30, box=15, bare=10),
        aside=aside,
        title=rng.random() < 0.7,
        logo=rng.random() < 0.45,
        sponsors=rng.random() < 0.3,
        foot=pick(none=30, result=20, signatures=20, both=30),
        language=pick(en=30, pt=12, it=12, de=12, es=12, fr=12, nl=5, pl=5),
        gap=rng.choice([0, 0, 0, rng.uniform(2, 5), rng.uniform(4, 12)])
        if plain
        else rng.uniform(2, 10),
        row_gap=rng.uniform(0.08, 0.25) if ruling == "rounded" else 0.0,
        margin=rng.uniform(5, 15),
        number_width=rng.uniform(5.5, 10),
        line=rng.uniform(0.12, 0.4),
        frame=rng.choice([0.2, 0.4, 0.6, 0.9]),
        shade=pick(none=74, rows=8, black=8, numbers=10)
        if ruling not in ("bands", "rounded", "underlines")
        else "none",
        inverse_numbers=ruling != "underlines" and rng.random() < 0.06,
        number_style=pick(plain=60, dot=30, zero=10),
        watermark=rng.random() < 0.1,
        print_grey=rng.choice((10, 25, 40, 60, 90, 120)),
        paper=rng.choice(PAPERS),
        spread=spread,
        face=rng.choice(faces),
        under=pick(none=30 if rare else 85, notes=6, diagram=4, both=5)
        if aside == "none" and header != "below"
        else "none",
        walled=numbers == "between" or rng.random() < (0.7 if rare else 0.88),
    )


@dataclasses.dataclass
class Strip:
    """A block's columns as (left, right); `times` are the narrow ones."""

    number: tuple
    white: tuple
    black: tuple
    times: list
    left: float
    right: float
    rows: int
    first: int  # number of its first row


@dataclasses.dataclass
class Table:
    """Where everything stands on one page."""

    strips: list
    top: float
    row: float
    heads: tuple  # (top, bottom) or None
    title: tuple  # boxes (x0, y0, x1, y1) or None
    header: tuple
    aside: tuple
    foot: tuple
    sponsors: tuple
    under: tuple

    def shortened(self, rows, first, bottom):
        """The table with so many rows, numbered from `first` on, and room under it down to `bottom`; without what stands about it."""
        strips = [
            dataclasses.replace(s, rows=rows, first=first + i * rows)
            for i, s in enumerate(self.strips)
        ]
        y = self.top + rows * self.row + 4
        under = (strips[0].left, y, strips[-1].right, bottom)
        return dataclasses.replace(
            self, strips=strips, under=under, title=None, foot=None, sponsors=None
        )

    def cells(self, form):
        """(number, side, box) of every cell, in playing order."""
        found = []
        for s in self.strips:
            for r in range(s.rows):
                y0, y1 = self.top + r * self.row, self.top + (r + 1) * self.row
                inset = self.row * form.row_gap / 2
                for side, (x0, x1) in (("white", s.white), ("black", s.black)):
                    dx = 0.7 if form.ruling in ("rounded", "underlines") else 0.0
                    found.append((s.first + r, side, (x0 + dx, y0 + inset, x1 - dx, y1 - inset)))
        return found


def arrange(form, first, rng):
    """Puts the parts of a page in their places and gives the table what is left."""
    x0, y0, x1, y1 = (
        form.margin,
        form.margin * 0.8,
        form.size[0] - form.margin,
        form.size[1] - form.margin,
    )
    title = header = aside = foot = sponsors = under = None
    shared = form.size[1] / 210
    if form.sponsors:
        h = rng.uniform(8, 14) * shared
        sponsors, y1 = (x0, y1 - h, x1, y1), y1 - h - 2
    if form.foot != "none":
        h = rng.uniform(9, 16) * shared
        foot, y1 = (x0, y1 - h, x1, y1), y1 - h - 2
    if form.title or form.logo:
        h = rng.uniform(8, 17) * shared
        title, y0 = (x0, y0, x1, y0 + h), y0 + h + 1
    if form.header in ("above", "below"):
        h = rng.uniform(13, 30) * shared
        if form.header == "above":
            header, y0 = (x0, y0, x1, y0 + h), y0 + h + rng.uniform(1, 6)
        else:
            header, y1 = (x0, y1 - h, x1, y1), y1 - h - 3
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
        h = (y1 - y0) * rng.uniform(0.15, 0.4)
        under, y1 = (x0, y1 - h + 3, x1, y1), y1 - h
    heads = None
    if form.heads:
        h = rng.uniform(4.5, 7)
        heads, y0 = (y0, y0 + h), y0 + h
    if (y1 - y0) / form.rows < LOWEST:
        form.rows = max(10, int((y1 - y0) / LOWEST))
        form.rows -= form.rows % 5 if rng.random() < 0.8 else 0
        form.last_rows = min(form.last_rows, form.rows)
    row = min(TALLEST, (y1 - y0) / form.rows)
    # A table need not fill its room: it is narrower on some forms, and never has columns like roads.
    widest = form.blocks * (2 * 52 + form.number_width) + form.gap * (form.blocks - 1)
    width = min((x1 - x0) * rng.choice([1.0, 1.0, rng.uniform(0.82, 1.0)]), widest)
    left = x0 + (x1 - x0 - width) * rng.choice([0, 0.5, 0.5, 0.5, 0.5, 1])
    block = (width - form.gap * (form.blocks - 1)) / form.blocks
    number = 0.0 if form.numbers == "none" else min(form.number_width, block * 0.2)
    times = {"none": 0, "each": 2, "black": 1}[form.times]
    narrow = (block - number) / (2 + 0.45 * times) * 0.45
    if times and (block - number - times * narrow) / 2 < NARROWEST:
        form.times, times, narrow = "none", 0, 0.0
    move = (block - number - times * narrow) / 2
    order = {
        "left": ["number", "white", "black"],
        "between": ["white", "number", "black"],
        "right": ["white", "black", "number"],
        "none": ["white", "black"],
    }[form.numbers]
    if form.times == "each":
        order.insert(order.index("white") + 1, "time")
    if times:
        order.insert(order.index("black") + 1, "time")
    strips = []
    for b in range(form.blocks):
        x = start = left + b * (block + form.gap)
        places = {"time": []}
        for part in order:
            w = {"number": number, "time": narrow}.get(part, move)
            if part == "time":
                places["time"].append((x, x + w))
            else:
                places[part] = (x, x + w)
            x += w
        rows = form.last_rows if b == form.blocks - 1 else form.rows
        strips.append(
            Strip(
                places.get("number"),
                places["white"],
                places["black"],
                places["time"],
                start,
                x,
                rows,
                first + b * form.rows,
            )
        )
    return Table(strips, y0, row, heads, title, header, aside, foot, sponsors, under)
