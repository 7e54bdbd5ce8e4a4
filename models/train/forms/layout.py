"""Places the parts of a form on its page: where its cells lie, and everything around them. Lengths
are millimetres.
"""

import dataclasses

from kinds import MAX_ROW_HEIGHT, MIN_MOVE_COLUMN_WIDTH, MIN_ROW_HEIGHT


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
        """Returns (number, side, box, block) of every cell, in playing order."""
        listed = []
        for block_index, block in enumerate(self.strips):
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
                            block_index,
                        )
                    )
        return listed

    def list_times(self):
        """Returns the boxes of every column for times, from top to bottom."""
        return [
            [
                (x0, self.top + row * self.row, x1, self.top + (row + 1) * self.row)
                for row in range(block.rows)
            ]
            for block in self.strips
            for x0, x1 in block.times
        ]


def arrange_blocks(form, first, left, width):
    """Returns the columns of every block of a table that begins at `left`. Times are left out where
    they would leave too little room for the moves.
    """
    block = (width - form.gap * (form.blocks - 1)) / form.blocks
    number_width = 0.0 if form.numbers == "none" else min(form.number_width, block * 0.2)
    time_count = {"none": 0, "each": 2, "black": 1}[form.times]
    time_width = (block - number_width) / (2 + form.time_share * time_count) * form.time_share
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
        part_height = rng.uniform(9, 16) * size_factor * (1.4 if form.foot == "grid" else 1)
        foot, y1 = (x0, y1 - part_height, x1, y1), y1 - part_height - 2
    if form.title or form.logo:
        part_height = rng.uniform(8, 17) * size_factor
        title, y0 = (x0, y0, x1, y0 + part_height), y0 + part_height + 1
    if form.header in ("above", "below"):
        part_height = rng.uniform(13, 30) * size_factor
        if form.header == "above":
            below = 0 if form.header_line == "grid" else rng.uniform(1, 6)
            header, y0 = (x0, y0, x1, y0 + part_height), y0 + part_height + below
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
    if header and form.header_line == "grid":
        header = (left, header[1], left + width, header[3])
    if foot and form.foot == "grid":
        bottom = y0 + form.rows * row_height
        foot = (left, bottom, left + width, bottom + foot[3] - foot[1])
    return Table(blocks, y0, row_height, heads, title, header, aside, foot, sponsors, under)
