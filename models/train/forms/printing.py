"""Prints the page of a form: table, header, logos and everything else that is on paper before the
pen.
"""

import dataclasses

import numpy as np
from table_printing import TablePress
from wording import SPONSORS, WORDS


class PagePress(TablePress):
    """A press that prints whole pages."""

    def print_header(self, box):
        if not box:
            return
        if self.form.header_line == "grid":
            return self.print_header_grid(box)
        form, rng, words = self.form, self.rng, WORDS[self.form.language]
        x0, y0, x1, y1 = box
        is_tall = y1 - y0 > x1 - x0
        pairs = [(2, 3), (0, 4), (1, 5)] + ([(6, 8)] if rng.random() < 0.4 else [])
        if rng.random() < 0.3:
            pairs = [(0, 1), (2, 3), (4, 5)]
        lines = [(word_index,) for pair in pairs for word_index in pair] if is_tall else pairs
        step = min((y1 - y0) / len(lines), 14)
        for i, parts in enumerate(lines):
            base = y0 + (i + 0.8) * step
            split = x0 + (x1 - x0) * (0.64 if len(parts) > 1 else 1)
            for word, left, right in zip(
                parts, (x0, split), (split - 3 if len(parts) > 1 else x1, x1)
            ):
                label = words[word] + rng.choice(("", ":"))
                left += self.text(left, base, label, min(2.6, step * 0.35), "ls") + 1.5
                if right - left < 5:
                    continue
                if form.header_line == "box":
                    self.box(left, base - step * 0.62, right, base + step * 0.14)
                elif form.header_line != "bare":
                    self.rule(
                        left,
                        base + 0.5,
                        right,
                        base + 0.5,
                        style=self.patterned("dotted", duty=0.35)
                        if form.header_line == "dotted"
                        else None,
                    )
                self.fields.append(
                    (left + 1, base, right - left - 1, min(5.0, step * 0.55), words[word])
                )

    def print_cell(self, box, label, height):
        """Prints a box with its label at the left and room to write behind it."""
        x0, y0, x1, y1 = box
        self.box(*box)
        height = min(height, (x1 - x0) / len(label) * 0.9)
        left = x0 + 1 + self.text(x0 + 1, (y0 + y1) / 2, label, height) + 1
        if x1 - left > 5:
            base, size = y1 - (y1 - y0) * 0.25, min(5.0, (y1 - y0) * 0.6)
            self.fields.append((left, base, x1 - left - 1, size, label))

    def print_header_grid(self, box):
        """Prints a header of boxes that fill the whole width of the table and touch it."""
        rng, words = self.rng, WORDS[self.form.language]
        x0, y0, x1, y1 = box
        line_count = min(rng.randint(2, 4), max(1, int((y1 - y0) / 4)))
        labels = [words[i] for i in (2, 3, 4, 5, 8, 6, 4, 3)]
        height = min(2.6, (y1 - y0) / line_count * 0.4)
        for line in range(line_count):
            top = y0 + (y1 - y0) * line / line_count
            bottom = y0 + (y1 - y0) * (line + 1) / line_count
            if line == line_count - 1:
                shares, names = (0.5, 0.5), words[:2]
            else:
                shares = rng.choice(((0.75, 0.25), (0.25, 0.25, 0.25, 0.25), (0.5, 0.25, 0.25)))
                names = [labels[(line * 3 + i) % len(labels)] for i in range(len(shares))]
            left = x0
            for share, name in zip(shares, names):
                right = left + share * (x1 - x0)
                self.print_cell((left, top, right, bottom), name, height)
                left = right

    def print_foot_grid(self, box):
        """Prints boxes for result and signatures that hang on the table."""
        x0, y0, x1, y1 = box
        words, middle = WORDS[self.form.language], (x0 + x1) / 2
        split = y0 + (y1 - y0) * self.rng.uniform(0.35, 0.5)
        self.box(x0, y0, x1, split)
        y, side = (y0 + split) / 2, min(4.0, (split - y0) * 0.6)
        x = x0 + (x1 - x0) * self.rng.uniform(0.02, 0.25)
        x += self.text(x, y, words[6], 2.4) + 3
        style = self.patterned("dashed", 1.2) if self.rng.random() < 0.3 else None
        for label in ("1-0", "½-½", "0-1"):
            if x + side + 10 < x1:
                self.box(x, y - side / 2, x + side, y + side / 2, style=style)
                x += side + 1 + self.text(x + side + 1, y, label, 2.2) + 5
        for left, right in ((x0, middle), (middle, x1)):
            self.print_cell((left, split, right, y1), words[7], 2.4)

    def print_title(self, box):
        if not box:
            return
        x0, y0, x1, y1 = box
        middle = (y0 + y1) / 2
        if self.form.logo:
            side = self.rng.random() < 0.5
            self.print_logo(x0 if side else x1 - (y1 - y0), y0, y1 - y0)
            x0, x1 = (x0 + (y1 - y0) + 2, x1) if side else (x0, x1 - (y1 - y0) - 2)
        if self.form.title:
            words = WORDS[self.form.language][9]
            words = words.upper() if self.rng.random() < 0.5 else words
            self.text(
                (x0 + x1) / 2,
                middle,
                words,
                min((y1 - y0) * 0.45, (x1 - x0) / len(words) * 1.1),
                "mm",
            )

    def print_logo(self, x, y, size):
        n, kind = self.rng.choice((2, 3, 4)), self.rng.random()
        if kind < 0.4:
            for i in range(n * n):
                a, b = x + (i % n) * size / n, y + (i // n) * size / n
                self.box(
                    a,
                    b,
                    a + size / n,
                    b + size / n,
                    self.ink if (i + i // n * (n + 1)) % 2 else None,
                    remember=False,
                )
        else:
            self.pen.ellipse(
                self.px(x, y, x + size, y + size),
                outline=self.ink,
                width=max(1, round(0.4 * self.scale)),
            )
            shape = [
                (0.3, 0.85),
                (0.7, 0.85),
                (0.62, 0.5),
                (0.7, 0.3),
                (0.5, 0.15),
                (0.3, 0.4),
                (0.45, 0.45),
            ]
            self.pen.polygon(
                [self.px(x + a * size, y + b * size) for a, b in shape], fill=self.tone(0.8)
            )

    def print_diagram(self, x, y, side):
        step = side / 8
        for i in range(64):
            a, b = x + i % 8 * step, y + i // 8 * step
            if (i + i // 8) % 2:
                self.box(a, b, a + step, b + step, self.tone(0.4), 0)
        self.box(x, y, x + side, y + side, None, 0.4)

    def print_under(self, table):
        """Prints lines for notes or a diagram below the table, or both side by side. Half of the
        lines have the spacing of the table rows.
        """
        if not table.under:
            return
        form, rng = self.form, self.rng
        x0, y0, x1, y1 = table.under
        side = min(y1 - y0, (x1 - x0) * 0.48)
        if form.under in ("diagram", "both") or form.spread == "short" and rng.random() < 0.5:
            left = (
                rng.choice((x0, x1 - side))
                if form.under != "diagram"
                else x0 + (x1 - x0 - side) * rng.choice((0, 0.5, 1))
            )
            self.print_diagram(left, y0, side)
            if form.under == "diagram":
                return
            x0, x1 = (x0, left - 4) if left > x0 else (left + side + 4, x1)
        self.print_note_lines(
            (x0, y0, x1, y1), table.row if rng.random() < 0.5 else rng.uniform(5, 9)
        )

    def print_notes(self, box):
        """Prints ruled lines to write on, with or without a diagram. They are no block of moves."""
        x0, y0, x1, y1 = box
        if self.rng.random() < 0.5:
            side = min(x1 - x0, (y1 - y0) * 0.4)
            self.print_diagram(x0, y1 - side, side)
            y1 -= side + 4
        self.print_note_lines((x0, y0, x1, y1), self.rng.uniform(5, 9))

    def print_note_lines(self, box, step):
        """Prints lines to write on below their name, `step` millimetres apart."""
        x0, y0, x1, y1 = box
        self.text(
            (x0 + x1) / 2,
            y0 + 3,
            self.rng.choice(("Notes", "NOTES", "Notizen", "Appunti")),
            2.6,
            "mm",
        )
        dots = self.patterned("dotted", duty=0.35) if self.rng.random() < 0.35 else None
        y = y0 + 6 + step
        while y < y1:
            self.rule(x0, y, x1, y, style=dots)
            y += step

    def print_aside(self, box):
        if not box:
            return
        if self.form.aside == "notes":
            return self.print_notes(box)
        side = box[2] - box[0]
        y = self.rng.uniform(box[1], max(box[1], box[3] - side))
        self.print_diagram(box[0], y, min(side, box[3] - box[1]))

    def print_foot(self, box):
        if not box:
            return
        if self.form.foot == "grid":
            return self.print_foot_grid(box)
        x0, y0, x1, y1 = box
        words, form = WORDS[self.form.language], self.form
        if form.foot in ("result", "both"):
            half = x0 + (x1 - x0) * (0.45 if form.foot == "both" else 1)
            x = x0 + self.text(x0, (y0 + y1) / 2, words[6], 2.6) + 2
            for label in ("1-0", "½-½", "0-1"):
                if x + 12 < half:
                    self.box(x, (y0 + y1) / 2 - 2, x + 4, (y0 + y1) / 2 + 2)
                    x += 5 + self.text(x + 5, (y0 + y1) / 2, label, 2.2) + 3
            x0 = half + 3
        if form.foot in ("signatures", "both"):
            half = (x0 + x1) / 2
            for left, right, word in ((x0, half - 3, words[0]), (half, x1, words[1])):
                self.rule(left, y0 + (y1 - y0) * 0.65, right, y0 + (y1 - y0) * 0.65)
                self.text(left, y1 - 1, f"{words[7]} {word}", min(2.0, (right - left) / 14), "ls")
                self.fields.append(
                    (left + 2, y0 + (y1 - y0) * 0.6, right - left - 4, (y1 - y0) * 0.4, words[7])
                )

    def print_sponsors(self, box):
        if not box:
            return
        x, (y0, y1) = box[0], (box[1], box[3])
        while x < box[2] - 22:
            if self.rng.random() < 0.4:
                self.print_logo(x, y0, (y1 - y0) * 0.8)
                x += y1 - y0 + 3
            x += (
                self.text(x, (y0 + y1) / 2, self.rng.choice(SPONSORS), self.rng.uniform(1.8, 3.4))
                + 5
            )

    def print_watermark(self):
        w, h = self.form.size
        if self.rng.random() < 0.5:
            r, fill = min(w, h) * 0.3, self.tone(self.rng.uniform(0.06, 0.14))
            self.pen.ellipse(
                self.px(w / 2 - r, h / 2 - r, w / 2 + r, h / 2 + r),
                outline=fill,
                width=round(r * 0.12 * self.scale),
            )
            shape = [
                (0.3, 0.85),
                (0.7, 0.85),
                (0.62, 0.5),
                (0.7, 0.3),
                (0.5, 0.15),
                (0.3, 0.4),
                (0.45, 0.45),
            ]
            self.pen.polygon(
                [
                    self.px(w / 2 + (a - 0.5) * 1.6 * r, h / 2 + (b - 0.5) * 1.6 * r)
                    for a, b in shape
                ],
                fill=fill,
            )
        else:
            words = self.rng.choice(("CHESS", "SCHACH", "AJEDREZ", "XADREZ", "SCACCHI"))
            self.text(
                w / 2,
                h * self.rng.uniform(0.4, 0.7),
                words,
                w / len(words) * 0.9,
                "mm",
                self.tone(0.1),
            )


@dataclasses.dataclass
class Print:
    """A printed page and the places of what is on it."""

    # The page (RGB, 8 bits).
    page: np.ndarray
    # Fields of the header in which a hand writes, in millimetres.
    fields: list
    # The visible rulings along rows and down columns, points [n, 2] in millimetres.
    rows: list
    columns: list
    # Corners [4, 2] of the columns of numbers and of the names above move columns, in millimetres.
    numbers: list
    heads: list


def list_corners(box):
    x0, y0, x1, y1 = box
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def print_page(form, table, path, scale, rng):
    """Returns the `Print` of a page; if `table` is None, of a page of notes."""
    press = PagePress(form, path, scale, rng)
    if table is None:
        width, height = form.size
        press.print_notes((form.margin, form.margin * 2, width - form.margin, height - form.margin))
    else:
        if form.watermark:
            press.print_watermark()
        press.print_title(table.title)
        press.print_header(table.header)
        press.print_aside(table.aside)
        press.print_foot(table.foot)
        press.print_sponsors(table.sponsors)
        press.print_under(table)
        press.print_table(table)
    page = press.finish()
    rows, columns = press.rulings.list_visible(page)
    return Print(
        page,
        press.fields,
        rows,
        columns,
        [list_corners(box) for box in press.numbers],
        [list_corners(box) for box in press.heads],
    )
