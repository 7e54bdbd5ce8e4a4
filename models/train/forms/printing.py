"""Prints the page of a form: table, header, logos and everything else that is on paper before the
pen.
"""

import functools
import math
import os

import numpy as np
from PIL import Image, ImageDraw, ImageFont

# Words of each language for White, Black, event, date, round, board, result, signature, opening and
# title.
WORDS = {
    "en": ("WHITE|BLACK|Event|Date|Round|Board|Result|Signature|Opening|Score Sheet").split("|"),
    "pt": (
        "Brancas|Pretas|Prova|Data|Ronda|Mesa|Resultado|Assinatura|Abertura|Planilha de anotação"
    ).split("|"),
    "it": (
        "Bianco|Nero|Torneo|Data|Turno|Tavolo|Risultato|Firma|Apertura|Formulario di gara"
    ).split("|"),
    "de": (
        "Weiß|Schwarz|Veranstaltung|Datum|Runde|Brett|Ergebnis|Unterschrift|Eröffnung|"
        "Partieformular"
    ).split("|"),
    "es": (
        "Blancas|Negras|Torneo|Fecha|Ronda|Mesa|Resultado|Firma|Apertura|Planilla oficial"
    ).split("|"),
    "fr": (
        "BLANCS|NOIRS|Tournoi|Date|Ronde|Échiquier|Résultat|Signature|Ouverture|Feuille de partie"
    ).split("|"),
    "nl": (
        "Wit|Zwart|Toernooi|Datum|Ronde|Bord|Uitslag|Handtekening|Opening|Notatieformulier"
    ).split("|"),
    "pl": ("Białe|Czarne|Turniej|Data|Runda|Stolik|Wynik|Podpis|Debiut|Zapis partii").split("|"),
}
TIMES = {
    "en": "Time",
    "pt": "Tempo",
    "it": "Tempo",
    "de": "Zeit",
    "es": "Tiempo",
    "fr": "Temps",
    "nl": "Tijd",
    "pl": "Czas",
}
SPONSORS = (
    "CHESS SHOP|Banco Norte|www.chess-club.org|SPORTLAND|Ville de Lyon|FIDE|Hotel Aurora|"
    "Stadtwerke|Druck & Papier|ELO|KLUB 64"
).split("|")


def find_faces(folder):
    """Returns the faces for print: the three of the samples and the DejaVu faces of the system
    where there are any.
    """
    paths = dict(folder)
    system = "/usr/share/fonts/truetype/dejavu"
    for name in (
        "DejaVuSans",
        "DejaVuSerif",
        "DejaVuSansCondensed",
        "DejaVuSans-Bold",
        "DejaVuSerif-Bold",
        "DejaVuSansMono",
    ):
        if os.path.exists(f"{system}/{name}.ttf"):
            paths[name] = f"{system}/{name}.ttf"
    return paths


@functools.lru_cache(512)
def load_font(path, size):
    return ImageFont.truetype(path, size)


class Press:
    """A page to print on, with `scale` pixels a millimetre."""

    def __init__(self, form, path, scale, rng):
        self.form, self.path, self.scale, self.rng = form, path, scale, rng
        self.page = Image.new(
            "RGB", (round(form.size[0] * scale), round(form.size[1] * scale)), form.paper
        )
        self.pen = ImageDraw.Draw(self.page)
        tint = rng.choice(((0, 0, 0),) * 5 + ((0, 0, 60), (60, 0, 0), (0, 40, 10)))
        self.ink = tuple(min(255, form.print_grey + t) for t in tint)
        # Fields in which a hand writes, as (x, baseline, width, height, label).
        self.fields = []

    def px(self, *values):
        return tuple(round(v * self.scale) for v in values)

    def tone(self, share):
        return tuple(round(p * (1 - share) + i * share) for p, i in zip(self.form.paper, self.ink))

    def rule(self, x0, y0, x1, y1, width=None, dots=None):
        width_px = max(1, round((width or self.form.line) * self.scale))
        if dots is None:
            return self.pen.line(self.px(x0, y0, x1, y1), fill=self.ink, width=width_px)
        dot_count = max(1, int(math.hypot(x1 - x0, y1 - y0) / dots))
        for i in range(dot_count):
            x, y = (
                (x0 + (x1 - x0) * i / dot_count) * self.scale,
                (y0 + (y1 - y0) * i / dot_count) * self.scale,
            )
            radius = max(0.5, width_px * 0.6)
            self.pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=self.ink)

    def text(self, x, y, words, height, anchor="lm", fill=None):
        face = load_font(self.path, max(5, round(height * 1.3 * self.scale)))
        self.pen.text(self.px(x, y), words, fill=fill or self.ink, font=face, anchor=anchor)
        return face.getlength(words) / self.scale

    def box(self, x0, y0, x1, y1, fill=None, width=None, radius=0.0):
        width_px = max(1, round((width or self.form.line) * self.scale)) if width != 0 else 0
        outline = self.ink if width_px else None
        self.pen.rounded_rectangle(
            self.px(x0, y0, x1, y1),
            round(radius * self.scale),
            fill=fill,
            outline=outline,
            width=width_px,
        )

    def print_table(self, table):
        form, rng = self.form, self.rng
        row, top = table.row, table.top
        text_height = row * rng.uniform(0.32, 0.5)
        corner = row * rng.uniform(0.1, 0.35)
        dots = rng.uniform(0.8, 1.6)
        has_walls = form.ruling != "horizontal" and (form.ruling != "dotted" or rng.random() < 0.6)
        has_outer_lines = form.ruling == "horizontal" and rng.random() < 0.3
        strength = rng.uniform(0.08, 0.3)
        for block in table.strips:
            bottom = top + block.rows * row
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
            if form.shade == "black":
                self.box(block.black[0], top, block.black[1], bottom, self.tone(strength), 0)
            if block.number and (form.shade == "numbers" or form.inverse_numbers):
                self.box(
                    block.number[0],
                    top,
                    block.number[1],
                    bottom,
                    self.tone(0.85 if form.inverse_numbers else strength),
                    0,
                )
            for row_index in range(block.rows):
                y0, y1 = top + row_index * row, top + (row_index + 1) * row
                if (form.shade == "rows" or form.ruling == "bands") and row_index % 2:
                    x = (
                        block.number[1]
                        if block.number and form.inverse_numbers and form.numbers == "left"
                        else block.left
                    )
                    self.box(x, y0, block.right, y1, self.tone(strength), 0)
                if block.number:
                    number = block.first + row_index
                    label = {"plain": f"{number}", "dot": f"{number}.", "zero": f"{number:02}"}[
                        form.number_style
                    ]
                    y = y1 - row * 0.12 if form.ruling == "underlines" else (y0 + y1) / 2
                    fill = form.paper if form.inverse_numbers else None
                    anchor = "ms" if form.ruling == "underlines" else "mm"
                    self.text(
                        sum(block.number) / 2,
                        y,
                        label,
                        min(text_height, (block.number[1] - block.number[0]) * 0.45),
                        anchor,
                        fill,
                    )
            self.print_rulings(table, block, edges, has_walls, has_outer_lines, corner, dots)
            if table.heads:
                self.print_heads(table, block, edges)

    def print_heads(self, table, block, edges):
        """Prints the names above the columns of a block."""
        form = self.form
        y0, y1 = table.heads
        if form.head_bar != "none":
            self.box(
                block.left,
                y0,
                block.right,
                y1,
                self.tone(0.9 if form.head_bar == "dark" else 0.2),
                0,
            )
        heads = [
            *zip(WORDS[form.language], (block.white, block.black)),
            *((TIMES[form.language], part) for part in block.times),
        ]
        for name, part in heads:
            fill = form.paper if form.head_bar == "dark" else None
            self.text(
                sum(part) / 2,
                (y0 + y1) / 2,
                name,
                min(2.6, (part[1] - part[0]) / len(name) * 0.85),
                "mm",
                fill,
            )
        if (
            form.ruling in ("full", "heavy5")
            and form.numbers != "none"
            or form.ruling == "horizontal"
        ):
            self.rule(block.left, y0, block.right, y0)
            if form.ruling != "horizontal":
                for x in edges:
                    self.rule(x, y0, x, y1)

    def print_rulings(self, table, block, edges, has_walls, has_outer_lines, corner, dots):
        form = self.form
        row, top, bottom = table.row, table.top, table.top + block.rows * table.row
        if form.ruling in ("full", "heavy5", "horizontal", "dotted"):
            for row_index in range(block.rows + 1):
                heavy = form.frame + 0.3 if form.ruling == "heavy5" and row_index % 5 == 0 else None
                self.rule(
                    block.left,
                    top + row_index * row,
                    block.right,
                    top + row_index * row,
                    heavy,
                    dots if form.ruling == "dotted" else None,
                )
        if form.ruling in ("full", "heavy5", "dotted") and has_walls:
            for x in edges:
                self.rule(
                    x,
                    top,
                    x,
                    bottom,
                    None,
                    None if form.ruling != "dotted" or corner > row * 0.2 else dots,
                )
        elif form.ruling in ("horizontal", "bands", "dotted"):
            # A column for times has lines on both sides, since nothing else on the paper shows it.
            for x in (x for part in block.times for x in part):
                self.rule(x, top, x, bottom)
        if form.ruling in ("full", "heavy5") or has_outer_lines:
            for x in (block.left, block.right):
                self.rule(x, top, x, bottom, form.frame)
            if not has_outer_lines:
                for y in (top, bottom):
                    self.rule(block.left, y, block.right, y, form.frame)
        if form.ruling in ("underlines", "rounded"):
            for part in [block.white, block.black, *block.times]:
                for row_index in range(block.rows):
                    inset = row * form.row_gap / 2
                    y0, y1 = top + row_index * row + inset, top + (row_index + 1) * row - inset
                    if form.ruling == "rounded":
                        self.box(part[0] + 0.7, y0, part[1] - 0.7, y1, None, form.line, corner)
                    else:
                        self.rule(part[0] + 0.7, y1, part[1] - 0.7, y1)

    def print_header(self, box):
        if not box:
            return
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
                        None,
                        1.0 if form.header_line == "dotted" else None,
                    )
                self.fields.append(
                    (left + 1, base, right - left - 1, min(5.0, step * 0.55), words[word])
                )

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
        dots = self.rng.choice((None, None, 1.0))
        y = y0 + 6 + step
        while y < y1:
            self.rule(x0, y, x1, y, None, dots)
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


def print_page(form, table, path, scale, rng):
    """Returns the printed page (RGB) and the fields of its header; if `table` is None, a page of
    notes.
    """
    press = Press(form, path, scale, rng)
    if table is None:
        width, height = form.size
        press.print_notes((form.margin, form.margin * 2, width - form.margin, height - form.margin))
        return np.asarray(press.page), []
    if form.watermark:
        press.print_watermark()
    press.print_title(table.title)
    press.print_header(table.header)
    press.print_aside(table.aside)
    press.print_foot(table.foot)
    press.print_sponsors(table.sponsors)
    press.print_under(table)
    press.print_table(table)
    return np.asarray(press.page), press.fields
