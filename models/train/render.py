"""Renders handwriting as ink on the canvas of crops.py: pen strokes of UNIPEN writers and
handwriting fonts.

`python render.py --data DATA --fonts NODE_MODULES --out POOL.npz` makes a pool of cells: ink (0
none, 255 full) and text. The fonts of `fonts-held-out.txt` and every tenth stroke writer train
nothing; `--held-out` renders with those alone.
"""

import argparse
import glob
import io
import os
import random

import cv2
import glyphs
import numpy as np
from crops import CANVAS_H, CANVAS_W, MARGIN_X, MARGIN_Y
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont
from texts import draw_aside, draw_habit, draw_text, load_moves, spell_move, training_label

# Cells are rendered at this many times the size of the canvas and averaged down.
SCALE = 2
DESCENDERS, X_HEIGHT_LETTERS = set("gjpqy"), set("acemnorsuvwxz")
# Share of characters that are written over a wrong one.
OVERWRITTEN_SHARE = 0.01
SIGN_MIDDLES = {"-": 0.42, "+": 0.42, "=": 0.42, ":": 0.35}


class StrokeBank:
    """Characters of UNIPEN writers, scaled by the writer's own capitals."""

    def __init__(self, folder, held_out, seed):
        self.by_writer, wrong = {}, glyphs.load_excluded()
        for name in ("1a", "1b", "1c", "1d"):
            archive = np.load(os.path.join(folder, f"unipen_{name}.npz"))
            points, lengths, counts = archive["points"], archive["stroke_len"], archive["n_strokes"]
            ends = np.cumsum(lengths)
            first = np.concatenate([[0], np.cumsum(counts)])
            for i, (character_label, writer) in enumerate(zip(archive["label"], archive["writer"])):
                strokes = [
                    points[ends[k] - lengths[k] : ends[k]] for k in range(first[i], first[i + 1])
                ]
                character_label = {'\\"': '"'}.get(str(character_label), str(character_label))
                if len(character_label) == 1 and strokes and i not in wrong.get(name, ()):
                    self.by_writer.setdefault(str(writer), {}).setdefault(
                        character_label, []
                    ).append(strokes)
        for chars in self.by_writer.values():
            for char in filter(str.isalnum, chars):
                chars[char] = drop_fragments(chars[char])
        self.writers, self.cap = [], {}
        for writer_index, writer in enumerate(sorted(self.by_writer)):
            chars = self.by_writer[writer]
            heights = [
                np.ptp(np.concatenate(strokes_of_character)[:, 1])
                for character in "ABDEHKLNRT2345678"
                for strokes_of_character in chars.get(character, [])
            ]
            if len(chars) >= 25 and len(heights) >= 8 and np.median(heights) > 0:
                self.cap[writer] = float(np.median(heights))
                if (writer_index % 10 == 9) == held_out:
                    self.writers.append(writer)
        self.all = {}
        for writer_name in self.writers:
            for character in self.by_writer[writer_name]:
                self.all.setdefault(character, []).append(writer_name)

    def glyph(self, char, writer, rng):
        """Returns polylines with the baseline at y = 0, y down, capitals about 1 high and x from 0;
        and the width.
        """
        char = {"♘": "N", "½": "/", "é": "e"}.get(char, char)
        if char not in self.by_writer[writer]:
            if char not in self.all:
                return None
            writer = rng.choice(self.all[char])
        strokes = rng.choice(self.by_writer[writer][char])
        joined = np.concatenate(strokes)
        low, high = joined.min(0), joined.max(0)
        cap = self.cap[writer]
        height = (high[1] - low[1]) / cap
        if char.isupper() or char.isdigit():
            fitted_height = np.clip(height, 0.75, 1.3)
        elif char in X_HEIGHT_LETTERS:
            fitted_height = np.clip(height, 0.4, 0.8)
        elif char.islower():
            fitted_height = np.clip(height, 0.75, 1.35)
        else:
            fitted_height = np.clip(height, 0, 1.1)
        factor = (fitted_height / height if height > 0.02 else 1.0) / cap
        if height <= 0.02 or char in "-.,'":
            factor = min(1.0 / cap, 0.6 / max(high[0] - low[0], 1e-6))
        bottom = 0.0
        if char in DESCENDERS:
            bottom = 0.35 * fitted_height / 0.9
        elif char in SIGN_MIDDLES:
            bottom = -(SIGN_MIDDLES[char] - (high[1] - low[1]) * factor / 2)
        elif char == "'":
            bottom = -0.7
        elif char == "f" and rng.random() < 0.3:
            bottom = 0.3
        lines = []
        for stroke in strokes:
            points = np.stack(
                [(stroke[:, 0] - low[0]) * factor, bottom - (stroke[:, 1] - low[1]) * factor], 1
            )
            lines.append(smooth_points(points))
        return lines, (high[0] - low[0]) * factor


def drop_fragments(drawings):
    """Returns the drawings of a character without stray dots and lost strokes, which are much lower
    than the writer's others.
    """
    heights = [np.ptp(np.concatenate(strokes)[:, 1]) for strokes in drawings]
    return [
        drawing
        for drawing, drawing_height in zip(drawings, heights)
        if drawing_height >= 0.6 * np.median(heights)
    ]


def smooth_points(points):
    """Smooths the staircases of coarse tablets."""
    if len(points) < 6:
        return points
    kernel = np.array([1, 2, 3, 2, 1], float) / 9
    padded = np.concatenate([points[:1]] * 2 + [points] + [points[-1:]] * 2)
    return np.stack([np.convolve(padded[:, i], kernel, "valid") for i in (0, 1)], 1)


class FontBank:
    """Handwriting fonts of @fontsource packages, each with the characters it has."""

    def __init__(self, folder, held_out):
        self.faces = []
        listing = os.path.join(
            os.path.dirname(__file__), "fonts-held-out.txt" if held_out else "fonts.txt"
        )
        for package in (
            os.path.join(folder, "@fontsource", name) for name in open(listing).read().split()
        ):
            for subset in ("latin", "cyrillic", "latin-ext"):
                files = sorted(
                    glob.glob(os.path.join(package, "files", f"*-{subset}-[47]00-normal.woff"))
                )
                for file in files:
                    name = os.path.basename(package)
                    if os.path.basename(file).startswith(f"{name}-{subset}-"):
                        font = TTFont(file)
                        font.flavor = None
                        data = io.BytesIO()
                        font.save(data)
                        face = ImageFont.truetype(io.BytesIO(data.getvalue()), 100)
                        self.faces.append((name, subset, face, set(map(chr, font.getBestCmap()))))

    def pick(self, text, rng):
        fits = [
            candidate
            for candidate in self.faces
            if all(character in candidate[3] for character in text)
        ]
        return rng.choice(fits) if fits else None


def ink_from_font(face, text, cap_px, stretch, rng):
    """Returns the ink of a text drawn glyph by glyph with jitter, and its baseline. Rows of the
    array are canvas rows times SCALE.
    """
    box = face.getbbox("H")
    factor = cap_px * SCALE / max(1, box[3] - box[1])
    x, glyphs = 0.0, []
    spacing = rng.uniform(-0.03, 0.16) * 100
    for character in text:
        left, top, right, bottom = face.getbbox(character)
        if right > left and bottom > top:
            pad = 6
            glyph = Image.new("L", (right - left + 2 * pad, bottom - top + 2 * pad), 0)
            ImageDraw.Draw(glyph).text((pad - left, pad - top), character, fill=255, font=face)
            glyphs.append((x + left - pad, top - pad - box[3], np.asarray(glyph)))
        x += face.getlength(character) + spacing
    width = int(x * factor * stretch) + 40
    ink = np.zeros((CANVAS_H * SCALE * 2, width), np.uint8)
    baseline = CANVAS_H * SCALE
    for glyph_x, glyph_y, glyph in glyphs:
        glyph_factor = factor * rng.uniform(0.92, 1.08)
        size = (
            max(1, int(glyph.shape[1] * glyph_factor * stretch)),
            max(1, int(glyph.shape[0] * glyph_factor)),
        )
        scaled = cv2.resize(glyph, size, interpolation=cv2.INTER_AREA)
        target_x, target_y = (
            int(glyph_x * factor * stretch) + 10,
            int(baseline + glyph_y * glyph_factor + rng.gauss(0, 0.03) * cap_px * SCALE),
        )
        y0, x0 = max(0, target_y), max(0, target_x)
        y1, x1 = (
            min(ink.shape[0], target_y + scaled.shape[0]),
            min(width, target_x + scaled.shape[1]),
        )
        if y1 > y0 and x1 > x0:
            view = ink[y0:y1, x0:x1]
            np.maximum(
                view, scaled[y0 - target_y : y1 - target_y, x0 - target_x : x1 - target_x], out=view
            )
    return ink, baseline


def ink_from_strokes(bank, writer, text, cap_px, stretch, rng, nib=None):
    """Returns the ink of a text composed of one writer's characters, and its baseline. `nib` is the
    breadth of the strokes as a share of the height of capitals; it is drawn unless given.
    """
    x, lines = 0.0, []
    gap = rng.uniform(0.05, 0.4)
    for character in text:
        drawing = bank.glyph(character, writer, rng)
        if drawing is None:
            return None
        polylines, width = drawing
        factor, shift_y = rng.uniform(0.92, 1.08), rng.gauss(0, 0.04)
        wrong_drawing = (
            bank.glyph(rng.choice("abcdefgh12345678KQRBN"), writer, rng)
            if rng.random() < OVERWRITTEN_SHARE
            else None
        )
        # The wrong character is written first; the one that was meant stands on top.
        for points in wrong_drawing[0] if wrong_drawing else []:
            lines.append(np.stack([points[:, 0] + x, points[:, 1]], 1))
        lines += [
            np.stack([points[:, 0] * factor + x, points[:, 1] * factor + shift_y], 1)
            for points in polylines
        ]
        x += max(width, 0.12) * factor + gap * rng.uniform(0.7, 1.3)
    slant = rng.uniform(-0.25, 0.35)
    unit = cap_px * SCALE
    width = int((x + 0.8) * unit * stretch) + 20
    ink = np.zeros((CANVAS_H * SCALE * 2, width), np.uint8)
    baseline = CANVAS_H * SCALE
    nib = nib or rng.uniform(0.045, 0.12 if rng.random() < 0.85 else 0.16)
    thickness = max(1, round(nib * unit))
    for points in lines:
        pixels = np.stack(
            [
                (points[:, 0] - points[:, 1] * slant) * unit * stretch + 0.35 * unit,
                points[:, 1] * unit + baseline,
            ],
            1,
        )
        pixels = np.round(pixels * 16).astype(np.int32)
        if len(pixels) == 1:
            pixels = np.concatenate([pixels, pixels + 8])
        cv2.polylines(ink, [pixels], False, 255, thickness, cv2.LINE_AA, 4)
    return ink, baseline


def draw_scribble(height, width, rng):
    """Draws a struck-out word: a zigzag and bars over the room of a few letters."""
    ink = np.zeros((height, width), np.uint8)
    corner_count = rng.randint(6, 16)
    xs = np.linspace(4, width - 4, corner_count) + np.array(
        [rng.gauss(0, 4) for _ in range(corner_count)]
    )
    ys = np.array([rng.uniform(0.15, 0.85) * height for _ in range(corner_count)])
    cv2.polylines(
        ink, [np.stack([xs, ys], 1).astype(np.int32)], False, 255, rng.randint(2, 6), cv2.LINE_AA
    )
    for _ in range(rng.randint(0, 3)):
        y = int(rng.uniform(0.3, 0.7) * height)
        cv2.line(
            ink, (2, y), (width - 3, y + rng.randint(-8, 8)), 255, rng.randint(2, 5), cv2.LINE_AA
        )
    return ink


def render_cell(text, source, rng, style):
    """Returns one canvas of ink, or None where the source lacks a character.

    `style` holds the height of capitals and the height of the baseline as shares of the cell,
    `stretch` in width, and the share `left` of the free room that lies left of the text. `jitter`
    (1) is how much the places vary from cell to cell, `strikes` (0.04) the share of the cells with
    a struck-out word.
    """
    cell_h = CANVAS_H - 2 * MARGIN_Y
    jitter = style.get("jitter", 1.0)
    cap_height = cell_h * style["cap"] * rng.uniform(0.9, 1.1)
    stretch = style["stretch"] * rng.uniform(0.93, 1.07)
    source_ink = source(text, cap_height, stretch, rng)
    if source_ink is None:
        return None
    ink, ink_baseline = source_ink
    columns = np.flatnonzero(ink.any(0))
    if len(columns) == 0:
        return None
    ink = ink[:, columns[0] : columns[-1] + 1]
    strike = None
    if rng.random() < style.get("strikes", 0.04):
        strike = draw_scribble(int(cap_height * SCALE * 1.2), rng.randint(30, 110), rng)
    room = (CANVAS_W - 2 * MARGIN_X - 2) * SCALE - (
        strike.shape[1] + 8 if strike is not None else 0
    )
    if ink.shape[1] > room:
        ink = cv2.resize(ink, (room, ink.shape[0]), interpolation=cv2.INTER_AREA)
    free = max(0, room - ink.shape[1])
    x = int(
        MARGIN_X * SCALE + free * np.clip(style["left"] + rng.gauss(0, 0.12) * jitter, 0.0, 1.0)
    )
    canvas = np.zeros((CANVAS_H * SCALE, CANVAS_W * SCALE), np.uint8)
    baseline = (MARGIN_Y + cell_h * (style["baseline"] + rng.gauss(0, 0.06) * jitter)) * SCALE
    top = int(ink_baseline - baseline)
    if strike is not None:
        y = int(np.clip(baseline - strike.shape[0], 0, canvas.shape[0] - strike.shape[0]))
        canvas[y : y + strike.shape[0], x : x + strike.shape[1]] = strike
        x += strike.shape[1] + 8
    part = ink[max(0, top) : max(0, top) + canvas.shape[0]]
    shown_width = min(part.shape[1], canvas.shape[1] - max(0, x))
    x = max(0, x)
    view = canvas[: part.shape[0], x : x + shown_width]
    np.maximum(view, part[:, :shown_width], out=view)
    return cv2.resize(canvas, (CANVAS_W, CANVAS_H), interpolation=cv2.INTER_AREA)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument(
        "--fonts", required=True, help="the node_modules folder that holds @fontsource"
    )
    parser.add_argument("--out", required=True)
    parser.add_argument("--cells", type=int, default=60000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--language", help="moves alone, all in this language of texts.py")
    parser.add_argument("--asides", action="store_true", help="times and dashes alone")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    pgn = os.path.join(args.data, "pgn")
    moves = load_moves(
        [
            os.path.join(pgn, "club_games.pgn.gz"),
            os.path.join(pgn, "otb_openings_avg_below2300.pgn.gz"),
        ],
        3000,
        args.seed,
    )
    bank, fonts = (
        StrokeBank(os.path.join(args.data, "strokes"), args.held_out, args.seed),
        FontBank(args.fonts, args.held_out),
    )
    inks, texts = [], []
    while len(inks) < args.cells:
        habit = draw_habit(rng, args.language)
        style = {
            "cap": rng.uniform(0.38, 0.9),
            "stretch": float(np.exp(rng.uniform(np.log(0.75), np.log(1.7)))),
            "left": rng.choice([0.05, 0.2, 0.35, 0.5]) * rng.uniform(0.5, 1.5),
            "baseline": rng.uniform(0.68, 0.92),
        }
        if args.asides:
            style |= {"left": 0.0, "jitter": 0.0, "strikes": 0.0}
        pen = rng.random() < 0.68
        writer = rng.choice(bank.writers)
        font = None
        for _ in range(12):
            text = (
                draw_aside(rng)
                if args.asides
                else spell_move(rng.choice(moves), habit, rng)
                if args.language
                else draw_text(moves, habit, rng)
            )
            is_castling = text.startswith("O-O")
            shown = text.replace("O", rng.choice(["O", "0", "o"])) if is_castling else text
            if pen:
                ink = render_cell(
                    shown, lambda *sizes: ink_from_strokes(bank, writer, *sizes), rng, style
                )
            else:
                if font is None or not all(character in font[3] for character in shown):
                    font = fonts.pick(shown, rng)
                face = font
                ink = (
                    render_cell(shown, lambda *sizes: ink_from_font(face[2], *sizes), rng, style)
                    if face
                    else None
                )
            if ink is not None:
                inks.append(ink)
                texts.append(training_label(text, habit))
    np.savez(args.out, canvas=np.stack(inks[: args.cells]), text=np.array(texts[: args.cells]))


if __name__ == "__main__":
    main()
