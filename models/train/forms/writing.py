"""Puts a game on paper: one hand or typewriter, one language, ink in the cells and the header."""

import gzip
import random
import re

import cv2
import numpy as np
import placing
import render
from crops import CANVAS_H, MARGIN_Y
from PIL import Image, ImageDraw, ImageFont
from texts import SAN_TOKEN, draw_habit, replay_moves, spell_move

INNER_H = CANVAS_H - 2 * MARGIN_Y
LETTERS = "KQRBNTDCAFLSPHWGabcdefgh12345678xO-+=:#!?()"
PENS = {
    "blue": ((24, 40, 130), (0.75, 0.95)),
    "black": ((28, 28, 32), (0.75, 0.97)),
    "pencil": ((82, 82, 88), (0.45, 0.75)),
    "green": ((20, 110, 80), (0.7, 0.9)),
    "faint": ((60, 70, 120), (0.35, 0.55)),
    "red": ((190, 35, 45), (0.6, 0.9)),
}
# Share of sheets whose moves are typed, and the faces for it.
TYPED_SHARE = 0.06
TYPE_FACES = ("courier-prime", "special-elite", "DejaVuSansMono", "DejaVuSans", "pt-sans")
NAMES = (
    "Rossi Silva Santos Costa Bianchi Garcia Mueller Novak Smith Jones Martin Lopez Kim Lee "
    "Ivanov Nagy Jansen Open Club Lyon Torino"
).split()


def ink_from_type(face, text, cap_px, stretch, rng):
    """Returns the ink of a typed text and its baseline, as the sources of `render` do."""
    left, top, right, bottom = face.getbbox("H")
    factor = cap_px * render.SCALE / max(1, bottom - top)
    width = round(face.getlength(text)) + 24
    typed = Image.new("L", (width, 200), 0)
    ImageDraw.Draw(typed).text((12, 130), text, fill=255, font=face, anchor="ls")
    size = (max(1, round(width * factor * min(stretch, 1.1))), max(1, round(200 * factor)))
    part = cv2.resize(np.asarray(typed), size, interpolation=cv2.INTER_AREA)
    ink = np.zeros((CANVAS_H * render.SCALE * 2, size[0]), np.uint8)
    base = CANVAS_H * render.SCALE
    first = base - round(130 * factor)
    ink[first : first + part.shape[0]] = part[: ink.shape[0] - first]
    return ink, base


class Writer:
    """One hand with its pen and its habits, or a typewriter if `type_paths` has faces for one. It
    writes with the strokes of `bank` or, always without one, with a font of `faces`.
    """

    def __init__(self, bank, faces, language, rng, type_paths=()):
        self.rng, self.habit = rng, draw_habit(rng, language)
        self.habit["small_pieces"] = self.habit["capital_files"] = False
        self.pen = rng.choices(list(PENS), (36, 28, 16, 4, 8, 8))[0]
        # A thin pen leaves strokes that are pale at the size of a picture.
        self.is_thin = rng.random() < 0.2
        self.is_typed = bool(type_paths) and rng.random() < TYPED_SHARE
        if self.is_typed:
            self.pen, self.is_thin = "black", False
            face = ImageFont.truetype(rng.choice(type_paths), 100)
            self.source = lambda *sizes: ink_from_type(face, *sizes)
        elif bank and rng.random() < 0.6:
            writer = rng.choice(bank.writers)
            nib = rng.uniform(0.04, 0.07) if self.is_thin else rng.uniform(0.06, 0.14)
            self.source = lambda *sizes: render.ink_from_strokes(
                bank, writer, *sizes, nib * rng.uniform(0.85, 1.15)
            )
        else:
            face = faces.pick(LETTERS, rng)
            self.source = lambda *sizes: render.ink_from_font(face[2], *sizes)
        self.placing = placing.draw_placing(rng, self.is_typed)
        self.style = placing.draw_style(self.placing, rng)
        self.drift = placing.Drift(rng) if self.placing.place == "drift" else None

    def spell_moves(self, game, start, end):
        """Returns the moves of a game from ply `start` (counted from 0) up to `end` as this hand
        writes them.
        """
        return [
            spell_move(san, self.habit, self.rng, facts)
            for san, facts in list(zip(game, replay_moves(game)))[start:end]
        ]

    def stamp(self, ink, part, left, top):
        a, b = max(0, -top), max(0, -left)
        view = ink[top + a : top + part.shape[0], left + b : left + part.shape[1]]
        if view.size:
            np.maximum(view, part[a : a + view.shape[0], b : b + view.shape[1]], out=view)

    def write_cell(self, ink, text, box):
        """Writes a move into a cell (pixels). Returns whether something was written."""
        x0, y0, x1, y1 = box
        if self.drift:
            self.style["left"] = self.drift.left_at((y0 + y1) / 2 / (y1 - y0))
        canvas = render.render_cell(text, self.source, self.rng, self.style)
        if canvas is None:
            return False
        columns = np.flatnonzero(canvas.any(0))
        if not len(columns):
            return False
        part = canvas[:, columns[0] : columns[-1] + 1]
        # Only what is wider than its cell is squeezed.
        scale = (y1 - y0) / INNER_H
        room = (x1 - x0) * self.rng.uniform(0.94, 1.02)
        width = max(1, round(min(part.shape[1] * scale, room)))
        part = cv2.resize(
            part,
            (width, max(1, round(CANVAS_H * scale))),
            interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC,
        )
        wander = self.rng.gauss(0, 0.12) * self.placing.jitter
        left = min(1.0, max(0.0, self.style["left"] + wander))
        edge = (y1 - y0) * self.rng.uniform(-0.08, 0.12)
        x = x0 + edge + (x1 - x0 - width - 2 * edge) * left
        self.stamp(ink, part, round(x), round(y0 - MARGIN_Y * scale))
        return True

    def write_letters(self, ink, text, box, count):
        """Writes a move into `count` boxes for single letters. Returns whether it had room."""
        x0, y0, x1, y1 = box
        if len(text) > count:
            return self.write_cell(ink, text, box)
        step, height = (x1 - x0) / count, y1 - y0
        cap = min(self.style["cap"], 0.6) * height
        for index, letter in enumerate(text):
            left = x0 + step * (index + self.rng.uniform(0.15, 0.3))
            base = y0 + height * self.rng.uniform(0.72, 0.84)
            self.write_line(ink, letter, left, base, step * 0.6, cap)
        return True

    def write_line(self, ink, text, x, baseline, width, height):
        """Writes words on a line of the header."""
        result = self.source(text, 30, 1.0, self.rng)
        if result is None and " " in text:
            result = self.draw_words(text)
        if result is None:
            return
        part, base = result
        columns = np.flatnonzero(part.any(0))
        if not len(columns):
            return
        part = part[:, columns[0] : columns[-1] + 1]
        scale = height / (30 * render.SCALE)
        width_px = max(1, min(round(part.shape[1] * scale), round(width)))
        part = cv2.resize(
            part, (width_px, max(1, round(part.shape[0] * scale))), interpolation=cv2.INTER_AREA
        )
        self.stamp(ink, part, round(x), round(baseline - base * scale))

    def draw_words(self, text):
        """Returns the ink of words side by side, for a source that has no blank."""
        word_inks = [self.source(word, 30, 1.0, self.rng) for word in text.split()]
        if None in word_inks:
            return None
        gap = np.zeros(
            (word_inks[0][0].shape[0], round(30 * render.SCALE * self.rng.uniform(0.2, 0.8))),
            np.uint8,
        )
        return np.concatenate(
            [part for word, _ in word_inks for part in (word, gap)], 1
        ), word_inks[0][1]

    def draw_value(self, words, field):
        label = field[4]
        if label in (words[2], words[0], words[1], words[8], words[7]):
            return " ".join(self.rng.sample(NAMES, self.rng.choice((1, 2))))
        if label == words[3]:
            day, month = self.rng.randint(1, 28), self.rng.randint(1, 12)
            return f"{day}.{month}.{self.rng.randint(1985, 2025)}"
        return (
            self.rng.choice(("1-0", "0-1", "1/2"))
            if label == words[6]
            else str(self.rng.randint(1, 40))
        )

    def write_flourish(self, ink, first, last):
        """Draws a stroke through what stayed empty, or a signature over it."""
        rng = self.rng
        thickness = max(2, round((first[3] - first[1]) * 0.06))
        x0, y0, x1, y1 = first[0], first[1], last[2], last[3]
        if rng.random() < 0.5:
            cv2.line(
                ink,
                (round(x0 + 5), round(y1 - 4)),
                (round(x1 - 5), round(y0 + 4)),
                255,
                thickness,
                cv2.LINE_AA,
            )
        else:
            waves = rng.randint(6, 11)
            time = np.linspace(0, 1, waves * 8)
            height = min(y1 - y0, 6 * (first[3] - first[1]))
            x = x0 + (x1 - x0) * (0.1 + 0.7 * time) + 0.05 * (x1 - x0) * np.cos(waves * 4 * time)
            y = y0 + height * (0.5 + 0.4 * np.sin(waves * 3 * time) * rng.uniform(0.5, 1))
            cv2.polylines(
                ink, [np.stack([x, y], 1).astype(np.int32)], False, 255, thickness, cv2.LINE_AA
            )

    def blend_onto(self, page, ink, seed):
        """Returns the page (RGB, 8 bits) with the ink on it. Pencil has grain."""
        colour, (low, high) = PENS[self.pen]
        dark = self.rng.uniform(low, high)
        levels = np.arange(256, dtype=np.float32) / 255
        cover = cv2.LUT(ink, dark * levels ** (1.4 if self.is_thin else 1.0))
        if self.pen == "pencil":
            grain = np.random.default_rng(seed).random(
                (ink.shape[0] // 2 + 1, ink.shape[1] // 2 + 1), np.float32
            )
            cover *= 0.65 + 0.5 * cv2.resize(grain, (ink.shape[1], ink.shape[0]))
        rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
        page = page.copy()
        if len(rows):
            area = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
            part_cover = np.clip(cover[area], 0, 1)[..., None]
            page[area] = (
                page[area] * (1 - part_cover) + np.array(colour, np.float32) * part_cover
            ).astype(np.uint8)
        return page


def fill_cells(writer, ink, cells, texts, rng, result=None, letters=0):
    """Writes texts into the first cells and the result behind them. Returns (number, side, text) of
    what was written.

    A cell is (number, side, box, block). An empty result writes none; None writes some result or
    none by chance. `letters` is the number of boxes for letters in a cell.
    """
    written, place = [], writer.placing
    used = [block for _, (*_, block) in zip(texts, cells)]
    empty_block = rng.choice(sorted(set(used))) if used else None
    for text, (number, side, box, block) in zip(texts, cells):
        if not placing.is_filled(place, side, block, empty_block):
            continue
        if (
            writer.write_letters(ink, text, box, letters)
            if letters
            else writer.write_cell(ink, text, box)
        ):
            written.append((number, side, text))
    if place.fill == "all":
        written += end_game(writer, ink, cells[len(texts) :], bool(texts), rng, result)
    return written


def end_game(writer, ink, rest, has_moves, rng, result):
    """Writes the result into the first empty cell or draws a stroke through the empty ones. Returns
    what was written, as `fill_cells` does.
    """
    chance = rng.random()
    if rest and has_moves and (result or result is None and chance < 0.15):
        result = result or rng.choice(("1-0", "0-1", "1/2"))
        if writer.write_cell(ink, result, rest[0][2]):
            return [(*rest[0][:2], result)]
    elif len(rest) > 4 and chance < 0.35 and not writer.is_typed:
        column = [
            cell
            for cell in rest[2:]
            if abs(cell[2][0] - rest[2][2][0]) < 1 or abs(cell[2][0] - rest[3][2][0]) < 1
        ]
        empty_cells = [cell for cell in column if cell[2][1] >= rest[2][2][1]]
        if empty_cells:
            writer.write_flourish(ink, empty_cells[0][2], empty_cells[-1][2])
    return []


def write_times(writer, ink, boxes, count, rng):
    """Writes the time left into the first `count` rows of every column for times."""
    minutes = rng.randint(60, 125)
    style, drift = dict(writer.style), writer.drift
    writer.style.update(left=rng.choice((0.1, 0.5)), cap=min(0.6, style["cap"]))
    writer.drift = None
    every = rng.choice((1, 1, 2, 5))
    for column in boxes:
        left = minutes
        for row, box in enumerate(column[:count]):
            left = max(1, left - rng.choice((0, 1, 1, 2, 4)))
            if row % every == 0:
                text = f"{left // 60}{rng.choice(':.')}{left % 60:02}" if left > 59 else str(left)
                writer.write_cell(ink, text, box)
    writer.style, writer.drift = style, drift


def draw_games(path, count, seed, part):
    """Returns games of one part (0 or 1) of the club games as lists of SAN."""
    bodies = [
        body_text
        for body_text in re.split(r"\n\n", gzip.open(path, "rt").read())
        if body_text.lstrip().startswith("1.")
    ][part::2]
    random.Random(seed).shuffle(bodies)
    games = []
    for body in bodies:
        game = SAN_TOKEN.findall(re.sub(r"\{[^}]*\}", " ", body))
        if len(game) >= 20:
            games.append(game)
        if len(games) == count:
            break
    return games
