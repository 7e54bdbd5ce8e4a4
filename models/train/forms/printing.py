"""Prints a form's page: table, header, logos and whatever else is on paper before the pen."""

import functools
import math
import os

import numpy as np
from PIL import Image, ImageDraw, ImageFont

WORDS = {  # White, Black, event, date, round, board, result, signature, opening, title
    "en": ("WHITE|BLACK|Event|Date|Round|Board|Result|Signature|Opening|Score Sheet").split("|"),
    "pt": (
        "Brancas|Pretas|Prova|Data|Ronda|Mesa|Resultado|Assinatura|Abertura|Planilha de anotação"
    ).split("|"),
    "it": (
        "Bianco|Nero|Torneo|Data|Turno|Tavolo|Risultato|Firma|Apertura|Formulario di gara"
    ).split("|"),
    "de": (
        "Weiß|Schwarz|Veranstaltung|Datum|Runde|Brett|Ergebnis|Unterschrift|Eröffnung|Partieformular"
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
SPONSORS = "CHESS SHOP|Banco Norte|www.chess-club.org|SPORTLAND|Ville de Lyon|FIDE|Hotel Aurora|Stadtwerke|Druck & Papier|ELO|KLUB 64".split(
    "|"
)


def faces(folder):
    """Faces for print: the samples' three and the system's DejaVu where there is one."""
    found = dict(folder)
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
            found[name] = f"{system}/{name}.ttf"
    return found


@functools.lru_cache(512)
def font(path, size):
    return ImageFont.truetype(path, size)


class Press:
    """A page to print on, `scale` pixels a millimetre."""

    def __init__(self, form, path, scale, rng):
        self.form, self.path, self.scale, self.rng = form, path, scale, rng
        self.page = Image.new(
            "RGB", (round(form.size[0] * scale), round(form.size[1] * scale)), form.paper
        )
        self.pen = ImageDraw.Draw(self.page)
        tint = rng.choice(((0, 0, 0),) * 5 + ((0, 0, 60), (60, 0, 0), (0, 40, 10)))
        self.ink = tuple(min(255, form.print_grey + t) for t in tint)
        self.fields = []  # Where a hand writes: (x, baseline, width, height, what).

    def px(self, *values):
        return tuple(round(v * self.scale) for v in values)

    def tone(self, share):
        return tuple(round(p * (1 - share) + i * share) for p, i in zip(self.form.paper, self.ink))

    def rule(self, x0, y0, x1, y1, width=None, dots=None):
        w = max(1, round((width or self.form.line) * self.scale))
        if dots is None:
            return self.pen.line(self.px(x0, y0, x1, y1), fill=self.ink, width=w)
        n = max(1, int(math.hypot(x1 - x0, y1 - y0) / dots))
        for i in range(n):
            x, y = (x0 + (x1 - x0) * i / n) * self.scale, (y0 + (y1 - y0) * i / n) * self.scale
            r = max(0.5, w * 0.6)
            self.pen.ellipse((x - r, y - r, x + r, y + r), fill=self.ink)

    def text(self, x, y, words, height, anchor="lm", fill=None):
        face = font(self.path, max(5, round(height * 1.3 * self.scale)))
        self.pen.text(self.px(x, y), words, fill=fill or self.ink, font=face, anchor=anchor)
        return face.getlength(words) / self.scale

    def box(self, x0, y0, x1, y1, fill=None, width=None, radius=0.0):
        w = max(1, round((width or self.form.line) * self.scale)) if width != 0 else 0
        outline = self.ink if w else None
        self.pen.rounded_rectangle(
            self.px(x0, y0, x1, y1), round(radius * self.scale), fill=fill, outline=outline, width=w
        )

    def table(self, table):
        form, rng = self.form, self.rng
        row, top = table.row, table.top
        size = row * rng.uniform(0.32, 0.5)
        corner = row * rng.uniform(0.1, 0.35)
        dots = rng.uniform(0.8, 1.6)
        walls = form.ruling != "horizontal" and (form.ruling != "dotted" or rng.random() < 0.6)
        outer = form.ruling == "horizontal" and rng.random() < 0.3
        strength = rng.uniform(0.08, 0.3)
        for s in table.strips:
            bottom = top + s.rows * row
            edges = sorted(
                {e for part in [s.number, s.white, s.black, *s.times] if part for e in part}
            )
            if s.number and not form.walled:
                edges.remove(s.number[form.numbers == "left"])
            if form.shade == "black":
                self.box(s.black[0], top, s.black[1], bottom, self.tone(strength), 0)
            if s.number and (form.shade == "numbers" or form.inverse_numbers):
                self.box(
                    s.number[0],
                    top,
                    s.number[1],
                    bottom,
                    self.tone(0.85 if form.inverse_numbers else strength),
                    0,
                )
            for r in range(s.rows):
                y0, y1 = top + r * row, top + (r + 1) * row
                if (form.shade == "rows" or form.ruling == "bands") and r % 2:
                    x = (
                        s.number[1]
                        if s.number and form.inverse_numbers and form.numbers == "left"
                        else s.left
                    )
                    self.box(x, y0, s.right, y1, self.tone(strength), 0)
                if s.number:
                    n = s.first + r
                    label = {"plain": f"{n}", "dot": f"{n}.", "zero": f"{n:02}"}[form.number_style]
                    y = y1 - row * 0.12 if form.ruling == "underlines" else (y0 + y1) / 2
                    fill = form.paper if form.inverse_numbers else None
                    anchor = "ms" if form.ruling == "underlines" else "mm"
                    self.text(
                        sum(s.number) / 2,
                        y,
                        label,
                        min(size, (s.number[1] - s.number[0]) * 0.45),
                        anchor,
                        fill,
                    )
            self.rulings(table, s, edges, walls, outer, corner, dots)
            if table.heads:
                y0, y1 = table.heads
                if form.head_bar != "none":
                    self.box(
                        s.left,
                        y0,
                        s.right,
                        y1,
                        self.tone(0.9 if form.head_bar == "dark" else 0.2),
                        0,
                    )
                over = [
                    *zip(WORDS[form.language], (s.white, s.black)),
                    *((TIMES[form.language], part) for part in s.times),
                ]
                for name, part in over:
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
                    self.rule(s.left, y0, s.right, y0)
                    if form.ruling != "horizontal":
                        for x in edges:
                            self.rule(x, y0, x, y1)

    def rulings(self, table, s, edges, walls, outer, corner, dots):
        form = self.form
        row, top, bottom = table.row, table.top, table.top + s.rows * table.row
        if form.ruling in ("full", "heavy5", "horizontal", "dotted"):
            for r in range(s.rows + 1):
                heavy = form.frame + 0.3 if form.ruling == "heavy5" and r % 5 == 0 else None
                self.rule(
                    s.left,
                    top + r * row,
                    s.right,
                    top + r * row,
                    heavy,
                    dots if form.ruling == "dotted" else None,
                )
        if form.ruling in ("full", "heavy5", "dotted") and walls:
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
            # Nobody can know of a column for times that nothing on the paper shows.
            for x in (x for part in s.times for x in part):
                self.rule(x, top, x, bottom)
        if form.ruling in ("full", "heavy5") or outer:
            for x in (s.left, s.right):
                self.rule(x, top, x, bottom, form.frame)
            if not outer:
                for y in (top, bottom):
                    self.rule(s.left, y, s.right, y, form.frame)
        if form.ruling in ("underlines", "rounded"):
            for part in [s.white, s.black, *s.times]:
                for r in range(s.rows):
                    inset = row * form.row_gap / 2
                    y0, y1 = top + r * row + inset, top + (r + 1) * row - inset
                    if form.ruling == "rounded":
                        self.box(part[0] + 0.7, y0, part[1] - 0.7, y1, None, form.line, corner)
                    else:
                        self.rule(part[0] + 0.7, y1, part[1] - 0.7, y1)

    def header(self, box):
        if not box:
            return
        form, rng, words = self.form, self.rng, WORDS[self.form.language]
        x0, y0, x1, y1 = box
        beside = y1 - y0 > x1 - x0
        pairs = [(2, 3), (0, 4), (1, 5)] + ([(6, 8)] if rng.random() < 0.4 else [])
        if rng.random() < 0.3:
            pairs = [(0, 1), (2, 3), (4, 5)]
        lines = [(w,) for pair in pairs for w in pair] if beside else pairs
        step = min((y1 - y0) / len(lines), 14)
        for i, parts in enumerate(lines):
            base = y0 + (i + 0.8) * step
            split = x0 + (x1 - x0) * (0.64 if len(parts) > 1 else 1)
            for word, a, b in zip(parts, (x0, split), (split - 3 if len(parts) > 1 else x1, x1)):
                label = words[word] + rng.choice(("", ":"))
                a += self.text(a, base, label, min(2.6, step * 0.35), "ls") + 1.5
                if b - a < 5:
                    continue
                if form.header_line == "box":
                    self.box(a, base - step * 0.62, b, base + step * 0.14)
                elif form.header_line != "bare":
                    self.rule(
                        a,
                        base + 0.5,
                        b,
                        base + 0.5,
                        None,
                        1.0 if form.header_line == "dotted" else None,
                    )
                self.fields.append((a + 1, base, b - a - 1, min(5.0, step * 0.55), words[word]))

    def title(self, box):
        if not box:
            return
        x0, y0, x1, y1 = box
        middle = (y0 + y1) / 2
        if self.form.logo:
            side = self.rng.random() < 0.5
            self.logo(x0 if side else x1 - (y1 - y0), y0, y1 - y0)
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

    def logo(self, x, y, size):
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

    def diagram(self, x, y, side):
        step = side / 8
        for i in range(64):
            a, b = x + i % 8 * step, y + i // 8 * step
            if (i + i // 8) % 2:
                self.box(a, b, a + step, b + step, self.tone(0.4), 0)
        self.box(x, y, x + side, y + side, None, 0.4)

    def under(self, table):
        """Lines for notes or a diagram below the table, or both side by side; half the lines are as far apart as its rows."""
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
            self.diagram(left, y0, side)
            if form.under == "diagram":
                return
            x0, x1 = (x0, left - 4) if left > x0 else (left + side + 4, x1)
        self.lines((x0, y0, x1, y1), table.row if rng.random() < 0.5 else rng.uniform(5, 9))

    def notes(self, box):
        """Ruled lines to write on, with or without a diagram: no block of moves."""
        x0, y0, x1, y1 = box
        if self.rng.random() < 0.5:
            side = min(x1 - x0, (y1 - y0) * 0.4)
            self.diagram(x0, y1 - side, side)
            y1 -= side + 4
        self.lines((x0, y0, x1, y1), self.rng.uniform(5, 9))

    def lines(self, box, step):
        """Lines to write on under their name, so far apart."""
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

    def aside(self, box):
        if not box:
            return
        if self.form.aside == "notes":
            return self.notes(box)
        side = box[2] - box[0]
        y = self.rng.uniform(box[1], max(box[1], box[3] - side))
        self.diagram(box[0], y, min(side, box[3] - box[1]))

    def foot(self, box):
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
            for a, b, word in ((x0, half - 3, words[0]), (half, x1, words[1])):
                self.rule(a, y0 + (y1 - y0) * 0.65, b, y0 + (y1 - y0) * 0.65)
                self.text(a, y1 - 1, f"{words[7]} {word}", min(2.0, (b - a) / 14), "ls")
                self.fields.append(
                    (a + 2, y0 + (y1 - y0) * 0.6, b - a - 4, (y1 - y0) * 0.4, words[7])
                )

    def sponsors(self, box):
        if not box:
            return
        x, (y0, y1) = box[0], (box[1], box[3])
        while x < box[2] - 22:
            if self.rng.random() < 0.4:
                self.logo(x, y0, (y1 - y0) * 0.8)
                x += y1 - y0 + 3
            x += (
                self.text(x, (y0 + y1) / 2, self.rng.choice(SPONSORS), self.rng.uniform(1.8, 3.4))
                + 5
            )

    def watermark(self):
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


def page(form, table, path, scale, rng):
    """The printed page (RGB) and the fields of its header; with `table` None a page of notes."""
    press = Press(form, path, scale, rng)
    if table is None:
        w, h = form.size
        press.notes((form.margin, form.margin * 2, w - form.margin, h - form.margin))
        return np.asarray(press.page), []
    if form.watermark:
        press.watermark()
    press.title(table.title)
    press.header(table.header)
    press.aside(table.aside)
    press.foot(table.foot)
    press.sponsors(table.sponsors)
    press.under(table)
    press.table(table)
    return np.asarray(press.page), press.fields
