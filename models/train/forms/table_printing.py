"""Prints the table of moves: rulings, shades, numbers and the names above the columns."""

import dataclasses

from press import Press
from wording import TIMES, WORDS


@dataclasses.dataclass
class Looks:
    """What is drawn once for all blocks of a table."""

    text_height: float
    # Radius of the corners of rounded boxes.
    corner: float
    # Whether a dotted or unboxed table has lines down its columns, or at its sides alone.
    has_walls: bool
    has_outer_lines: bool
    # Darkness of shaded parts.
    strength: float
    # Darkness of the rulings between the boxes of letters as a share of that of the others.
    letter_tone: float
    # Styles of the rulings along rows, down columns, and of the frame.
    row: object
    column: object
    frame: object


class TablePress(Press):
    """A press that prints tables."""

    def draw_looks(self, row_height):
        form, rng = self.form, self.rng
        pattern, _, part = form.line_style.partition("-")
        fine = self.patterned(
            pattern,
            rng.uniform(0.5, 1.2) if pattern == "dotted" else rng.uniform(1.5, 4),
            rng.uniform(0.35, 0.5) if pattern == "dotted" else rng.uniform(0.5, 0.75),
        )
        dots = self.patterned("dotted", rng.uniform(0.8, 1.6), rng.uniform(0.25, 0.5))
        is_dotted = form.ruling == "dotted"
        is_dark = form.line_tone < 0.7 and rng.random() < 0.4
        return Looks(
            text_height=row_height * rng.uniform(0.28, 0.5),
            corner=row_height * rng.uniform(0.1, 0.35),
            has_walls=form.ruling != "horizontal" and (not is_dotted or rng.random() < 0.6),
            has_outer_lines=form.ruling == "horizontal" and rng.random() < 0.3,
            strength=rng.uniform(0.1 if form.ruling == "bands" else 0.06, 0.3),
            letter_tone=rng.choice((1.0, rng.uniform(0.4, 1))),
            row=dots if is_dotted else self.style if part else fine,
            column=dots if is_dotted and rng.random() < 0.5 else fine,
            frame=self.patterned("plain", tone=1.0) if is_dark else self.style,
        )

    def print_table(self, table):
        form, row, top = self.form, table.row, table.top
        looks = self.draw_looks(row)
        for block in table.strips:
            edges = sorted(
                {
                    edge
                    for part in [block.number, block.white, block.black, *block.times]
                    if part
                    for edge in part
                }
            )
            if block.number and not form.walled:
                edges.remove(block.number[form.numbers == "left"])
            self.print_shades(table, block, looks)
            if block.number:
                self.print_numbers(table, block, looks)
            self.print_rulings(table, block, edges, looks)
            if form.ruling == "letters":
                self.print_letter_boxes(block, top, top + block.rows * row, looks)
            if table.heads:
                self.print_heads(table, block, edges, looks)

    def print_shades(self, table, block, looks):
        """Prints the grey parts of a block."""
        form, row, top = self.form, table.row, table.top
        bottom = top + block.rows * row
        if form.shade == "black":
            self.box(block.black[0], top, block.black[1], bottom, self.tone(looks.strength), 0)
        if block.number and (form.shade == "numbers" or form.inverse_numbers):
            tone = self.tone(0.85 if form.inverse_numbers else looks.strength)
            self.box(block.number[0], top, block.number[1], bottom, tone, 0)
        if form.shade == "rows" or form.ruling == "bands":
            inner = block.number and form.inverse_numbers and form.numbers == "left"
            left = block.number[1] if inner else block.left
            for row_index in range(1, block.rows, 2):
                y = top + row_index * row
                self.box(left, y, block.right, y + row, self.tone(looks.strength), 0)

    def print_numbers(self, table, block, looks):
        form, row = self.form, table.row
        left, right = block.number
        self.numbers.append((left, table.top, right, table.top + block.rows * row))
        is_low = form.ruling in ("underlines", "lines")
        height = min(looks.text_height, (right - left) * 0.45)
        for row_index in range(block.rows):
            number = block.first + row_index
            label = {"plain": f"{number}", "dot": f"{number}.", "zero": f"{number:02}"}[
                form.number_style
            ]
            y = table.top + (row_index + (0.88 if is_low else 0.5)) * row
            fill = form.paper if form.inverse_numbers else None
            self.text((left + right) / 2, y, label, height, "ms" if is_low else "mm", fill)

    def print_heads(self, table, block, edges, looks):
        """Prints the names above the columns of a block."""
        form = self.form
        y0, y1 = table.heads
        if form.head_bar != "none":
            tone = self.tone(0.9 if form.head_bar == "dark" else looks.strength)
            self.box(block.left, y0, block.right, y1, tone, 0)
        heads = [
            *zip(WORDS[form.language], (block.white, block.black)),
            *((TIMES[form.language], part) for part in block.times),
        ]
        fill = form.paper if form.head_bar == "dark" else None
        for index, (name, part) in enumerate(heads):
            height = min(2.6, (part[1] - part[0]) / len(name) * 0.85)
            x, y = sum(part) / 2, (y0 + y1) / 2
            width = self.text(x, y, name, height, "mm", fill)
            if index < 2:
                self.heads.append(
                    (x - width / 2 - 0.4, y - height * 0.7, x + width / 2 + 0.4, y + height * 0.7)
                )
        if form.ruling in ("full", "heavy5", "letters") and form.numbers != "none":
            self.rule(block.left, y0, block.right, y0, style=looks.row)
            for x in edges:
                self.rule(x, y0, x, y1, style=looks.column)
        elif form.ruling == "horizontal":
            self.rule(block.left, y0, block.right, y0, style=looks.row)

    def print_rulings(self, table, block, edges, looks):
        form = self.form
        row, top, bottom = table.row, table.top, table.top + block.rows * table.row
        is_boxed = form.ruling in ("full", "heavy5", "letters")
        if is_boxed or form.ruling in ("horizontal", "dotted"):
            for row_index in range(block.rows + 1):
                y = top + row_index * row
                is_heavy = form.ruling == "heavy5" and row_index % 5 == 0
                width = max(form.frame, form.line) + 0.3 if is_heavy else None
                self.rule(block.left, y, block.right, y, width, looks.row)
        if (is_boxed or form.ruling == "dotted") and looks.has_walls:
            for x in edges:
                self.rule(x, top, x, bottom, style=looks.column)
        elif form.ruling in ("horizontal", "bands", "dotted", "lines"):
            # A column for times has lines on both sides, since nothing else on the paper shows it.
            for x in (x for part in block.times for x in part):
                self.rule(x, top, x, bottom, style=looks.column)
        if form.frame and (is_boxed or looks.has_outer_lines):
            for x in (block.left, block.right):
                self.rule(x, top, x, bottom, form.frame, looks.frame)
            if not looks.has_outer_lines:
                for y in (top, bottom):
                    self.rule(block.left, y, block.right, y, form.frame, looks.frame)
        if form.ruling == "lines":
            self.print_lines(table, block, looks)
        if form.ruling in ("underlines", "rounded"):
            self.print_boxes(table, block, looks)

    def print_lines(self, table, block, looks):
        """Prints a line below the moves of every row, not below its number."""
        parts = [block.white, block.black, *block.times]
        left, right = min(part[0] for part in parts), max(part[1] for part in parts)
        for row_index in range(block.rows):
            y = table.top + (row_index + 1) * table.row
            self.rule(left, y, right, y, style=looks.row)

    def print_boxes(self, table, block, looks):
        """Prints a box or a line for every cell, apart from its neighbours."""
        inset = table.row * self.form.row_gap / 2
        for x0, x1 in [block.white, block.black, *block.times]:
            for row_index in range(block.rows):
                y0 = table.top + row_index * table.row + inset
                y1 = table.top + (row_index + 1) * table.row - inset
                if self.form.ruling == "rounded":
                    self.box(x0 + 0.7, y0, x1 - 0.7, y1, radius=looks.corner, style=looks.row)
                else:
                    self.rule(x0 + 0.7, y1, x1 - 0.7, y1, style=looks.row)

    def print_letter_boxes(self, block, top, bottom, looks):
        """Prints the lines between the boxes for single letters."""
        style = self.patterned("plain", tone=looks.column.tone * looks.letter_tone)
        for left, right in (block.white, block.black):
            for index in range(1, self.form.letters):
                x = left + (right - left) * index / self.form.letters
                self.rule(x, top, x, bottom, style=style)
