"""Renders handwriting as ink on the canvas of crops.py: pen strokes of UNIPEN writers and handwriting fonts.

`python render.py --data DATA --fonts NODE_MODULES --out POOL.npz` makes a pool of cells: ink (0 none, 255 full) and text.
The fonts of `fonts-held-out.txt` and every tenth stroke writer train nothing; `--held-out` renders with those alone.
"""

import argparse
import glob
import io
import os
import random

import cv2
import glyphs
import numpy as np
from crops import CANVAS_H, CANVAS_W, MX, MY
from fontTools.ttLib import TTFont
from PIL import Image, ImageDraw, ImageFont
from texts import draw, habit, label, load_moves, spell

SCALE = 2  # Rendered at twice the canvas and averaged down.
DESCENDERS, SMALL = set("gjpqy"), set("acemnorsuvwxz")
CORRECTED = 0.01  # Share of characters written over a wrong one.
MIDDLE = {"-": 0.42, "+": 0.42, "=": 0.42, ":": 0.35}


class Strokes:
    """Characters of UNIPEN writers, scaled by the writer's own capitals."""

    def __init__(self, folder, held_out, seed):
        self.by_writer, wrong = {}, glyphs.excluded()
        for name in ("1a", "1b", "1c", "1d"):
            z = np.load(os.path.join(folder, f"unipen_{name}.npz"))
            points, lengths, counts = z["points"], z["stroke_len"], z["n_strokes"]
            ends = np.cumsum(lengths)
            first = np.concatenate([[0], np.cumsum(counts)])
            for i, (label, writer) in enumerate(zip(z["label"], z["writer"])):
                strokes = [
                    points[ends[k] - lengths[k] : ends[k]] for k in range(first[i], first[i + 1])
                ]
                label = {'\\"': '"'}.get(str(label), str(label))
                if len(label) == 1 and strokes and i not in wrong.get(name, ()):
                    self.by_writer.setdefault(str(writer), {}).setdefault(label, []).append(strokes)
        for chars in self.by_writer.values():
            for char in filter(str.isalnum, chars):
                chars[char] = whole(chars[char])
        self.writers, self.cap = [], {}
        for number, writer in enumerate(sorted(self.by_writer)):
            chars = self.by_writer[writer]
            heights = [
                np.ptp(np.concatenate(s)[:, 1])
                for c in "ABDEHKLNRT2345678"
                for s in chars.get(c, [])
            ]
            if len(chars) >= 25 and len(heights) >= 8 and np.median(heights) > 0:
                self.cap[writer] = float(np.median(heights))
                if (number % 10 == 9) == held_out:
                    self.writers.append(writer)
        self.all = {}
        for w in self.writers:
            for c in self.by_writer[w]:
                self.all.setdefault(c, []).append(w)

    def glyph(self, char, writer, rng):
        """Polylines with the baseline at y = 0, y down, capitals about 1 high, x from 0; and the width."""
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
            fit = np.clip(height, 0.75, 1.3)
        elif char in SMALL:
            fit = np.clip(height, 0.4, 0.8)
        elif char.islower():
            fit = np.clip(height, 0.75, 1.35)
        else:
            fit = np.clip(height, 0, 1.1)
        k = (fit / height if height > 0.02 else 1.0) / cap
        if height <= 0.02 or char in "-.,'":
            k = min(1.0 / cap, 0.6 / max(high[0] - low[0], 1e-6))
        bottom = 0.0
        if char in DESCENDERS:
            bottom = 0.35 * fit / 0.9
        elif char in MIDDLE:
            bottom = -(MIDDLE[char] - (high[1] - low[1]) * k / 2)
        elif char == "'":
            bottom = -0.7
        elif char == "f" and rng.random() < 0.3:
            bottom = 0.3
        out = []
        for s in strokes:
            p = np.stack([(s[:, 0] - low[0]) * k, bottom - (s[:, 1] - low[1]) * k], 1)
            out.append(smooth(p))
        return out, (high[0] - low[0]) * k


def whole(drawings):
    """A character's drawings without the stray dots and lost strokes: those much lower than the writer's others."""
    heights = [np.ptp(np.concatenate(strokes)[:, 1]) for strokes in drawings]
    return [d for d, h in zip(drawings, heights) if h >= 0.6 * np.median(heights)]


def smooth(points):
    """Evens out the staircases of coarse tablets."""
    if len(points) < 6:
        return points
    kernel = np.array([1, 2, 3, 2, 1], float) / 9
    padded = np.concatenate([points[:1]] * 2 + [points] + [points[-1:]] * 2)
    return np.stack([np.convolve(padded[:, i], kernel, "valid") for i in (0, 1)], 1)


class Fonts:
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
                for f in files:
                    name = os.path.basename(package)
                    if os.path.basename(f).startswith(f"{name}-{subset}-"):
                        font = TTFont(f)
                        font.flavor = None
                        data = io.BytesIO()
                        font.save(data)
                        face = ImageFont.truetype(io.BytesIO(data.getvalue()), 100)
                        self.faces.append((name, subset, face, set(map(chr, font.getBestCmap()))))

    def pick(self, text, rng):
        fits = [f for f in self.faces if all(c in f[3] for c in text)]
        return rng.choice(fits) if fits else None


def text_ink_font(face, text, cap_px, stretch, rng):
    """Ink of a text drawn glyph by glyph with jitter; rows of the array are canvas rows times SCALE."""
    box = face.getbbox("H")
    factor = cap_px * SCALE / max(1, box[3] - box[1])
    x, glyphs = 0.0, []
    spacing = rng.uniform(-0.03, 0.16) * 100
    for c in text:
        l, t, r, b = face.getbbox(c)
        if r > l and b > t:
            pad = 6
            im = Image.new("L", (r - l + 2 * pad, b - t + 2 * pad), 0)
            ImageDraw.Draw(im).text((pad - l, pad - t), c, fill=255, font=face)
            glyphs.append((x + l - pad, t - pad - box[3], np.asarray(im)))
        x += face.getlength(c) + spacing
    width = int(x * factor * stretch) + 40
    out = np.zeros((CANVAS_H * SCALE * 2, width), np.uint8)
    base = CANVAS_H * SCALE
    for gx, gy, im in glyphs:
        k = factor * rng.uniform(0.92, 1.08)
        size = (max(1, int(im.shape[1] * k * stretch)), max(1, int(im.shape[0] * k)))
        g = cv2.resize(im, size, interpolation=cv2.INTER_AREA)
        px, py = (
            int(gx * factor * stretch) + 10,
            int(base + gy * k + rng.gauss(0, 0.03) * cap_px * SCALE),
        )
        y0, x0 = max(0, py), max(0, px)
        y1, x1 = min(out.shape[0], py + g.shape[0]), min(width, px + g.shape[1])
        if y1 > y0 and x1 > x0:
            view = out[y0:y1, x0:x1]
            np.maximum(view, g[y0 - py : y1 - py, x0 - px : x1 - px], out=view)
    return out, base


def text_ink_strokes(bank, writer, text, cap_px, stretch, rng):
    """Ink of a text composed of one writer's characters."""
    x, lines = 0.0, []
    gap = rng.uniform(0.05, 0.4)
    for c in text:
        got = bank.glyph(c, writer, rng)
        if got is None:
            return None
        polylines, width = got
        k, dy = rng.uniform(0.92, 1.08), rng.gauss(0, 0.04)
        wrong = (
            bank.glyph(rng.choice("abcdefgh12345678KQRBN"), writer, rng)
            if rng.random() < CORRECTED
            else None
        )
        for p in wrong[0] if wrong else []:  # Written over; what was meant stands on top.
            lines.append(np.stack([p[:, 0] + x, p[:, 1]], 1))
        lines += [np.stack([p[:, 0] * k + x, p[:, 1] * k + dy], 1) for p in polylines]
        x += max(width, 0.12) * k + gap * rng.uniform(0.7, 1.3)
    slant = rng.uniform(-0.25, 0.35)
    unit = cap_px * SCALE
    width = int((x + 0.8) * unit * stretch) + 20
    out = np.zeros((CANVAS_H * SCALE * 2, width), np.uint8)
    base = CANVAS_H * SCALE
    thick = max(1, round(rng.uniform(0.045, 0.12 if rng.random() < 0.85 else 0.16) * unit))
    for p in lines:
        q = np.stack(
            [(p[:, 0] - p[:, 1] * slant) * unit * stretch + 0.35 * unit, p[:, 1] * unit + base], 1
        )
        q = np.round(q * 16).astype(np.int32)
        if len(q) == 1:
            q = np.concatenate([q, q + 8])
        cv2.polylines(out, [q], False, 255, thick, cv2.LINE_AA, 4)
    return out, base


def scribble(height, width, rng):
    """A struck-out word: zigzag and bars over a few letters' room."""
    out = np.zeros((height, width), np.uint8)
    n = rng.randint(6, 16)
    xs = np.linspace(4, width - 4, n) + np.array([rng.gauss(0, 4) for _ in range(n)])
    ys = np.array([rng.uniform(0.15, 0.85) * height for _ in range(n)])
    cv2.polylines(
        out, [np.stack([xs, ys], 1).astype(np.int32)], False, 255, rng.randint(2, 6), cv2.LINE_AA
    )
    for _ in range(rng.randint(0, 3)):
        y = int(rng.uniform(0.3, 0.7) * height)
        cv2.line(
            out, (2, y), (width - 3, y + rng.randint(-8, 8)), 255, rng.randint(2, 5), cv2.LINE_AA
        )
    return out


def cell(text, source, rng, style):
    """One canvas of ink, or None where the source lacks a character."""
    cell_h = CANVAS_H - 2 * MY
    cap = cell_h * style["cap"] * rng.uniform(0.9, 1.1)
    stretch = style["stretch"] * rng.uniform(0.93, 1.07)
    drawn = source(text, cap, stretch, rng)
    if drawn is None:
        return None
    ink, base = drawn
    cols = np.flatnonzero(ink.any(0))
    if len(cols) == 0:
        return None
    ink = ink[:, cols[0] : cols[-1] + 1]
    strike = None
    if rng.random() < 0.04:
        strike = scribble(int(cap * SCALE * 1.2), rng.randint(30, 110), rng)
    room = (CANVAS_W - 2 * MX - 2) * SCALE - (strike.shape[1] + 8 if strike is not None else 0)
    if ink.shape[1] > room:
        ink = cv2.resize(ink, (room, ink.shape[0]), interpolation=cv2.INTER_AREA)
    free = max(0, room - ink.shape[1])
    x = int(MX * SCALE + free * np.clip(style["left"] + rng.gauss(0, 0.12), 0.0, 1.0))
    canvas = np.zeros((CANVAS_H * SCALE, CANVAS_W * SCALE), np.uint8)
    baseline = (MY + cell_h * (style["baseline"] + rng.gauss(0, 0.06))) * SCALE
    top = int(base - baseline)
    if strike is not None:
        y = int(np.clip(baseline - strike.shape[0], 0, canvas.shape[0] - strike.shape[0]))
        canvas[y : y + strike.shape[0], x : x + strike.shape[1]] = strike
        x += strike.shape[1] + 8
    part = ink[max(0, top) : max(0, top) + canvas.shape[0]]
    w = min(part.shape[1], canvas.shape[1] - max(0, x))
    x = max(0, x)
    view = canvas[: part.shape[0], x : x + w]
    np.maximum(view, part[:, :w], out=view)
    return cv2.resize(canvas, (CANVAS_W, CANVAS_H), interpolation=cv2.INTER_AREA)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--data", required=True)
    a.add_argument("--fonts", required=True, help="the node_modules folder that holds @fontsource")
    a.add_argument("--out", required=True)
    a.add_argument("--cells", type=int, default=60000)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--held-out", action="store_true")
    a.add_argument("--language", help="moves alone, all in this language of texts.py")
    o = a.parse_args()
    rng = random.Random(o.seed)
    pgn = os.path.join(o.data, "pgn")
    moves = load_moves(
        [
            os.path.join(pgn, "club_games.pgn.gz"),
            os.path.join(pgn, "otb_openings_avg_below2300.pgn.gz"),
        ],
        3000,
        o.seed,
    )
    bank, fonts = (
        Strokes(os.path.join(o.data, "strokes"), o.held_out, o.seed),
        Fonts(o.fonts, o.held_out),
    )
    inks, texts = [], []
    while len(inks) < o.cells:
        h = habit(rng, o.language)
        style = {
            "cap": rng.uniform(0.38, 0.9),
            "stretch": float(np.exp(rng.uniform(np.log(0.75), np.log(1.7)))),
            "left": rng.choice([0.05, 0.2, 0.35, 0.5]) * rng.uniform(0.5, 1.5),
            "baseline": rng.uniform(0.68, 0.92),
        }
        pen = rng.random() < 0.68
        writer = rng.choice(bank.writers)
        font = None
        for _ in range(12):
            text = spell(rng.choice(moves), h, rng) if o.language else draw(moves, h, rng)
            castle = text.startswith("O-O")
            shown = text.replace("O", rng.choice(["O", "0", "o"])) if castle else text
            if pen:
                ink = cell(shown, lambda *args: text_ink_strokes(bank, writer, *args), rng, style)
            else:
                if font is None or not all(c in font[3] for c in shown):
                    font = fonts.pick(shown, rng)
                face = font
                ink = (
                    cell(shown, lambda *args: text_ink_font(face[2], *args), rng, style)
                    if face
                    else None
                )
            if ink is not None:
                inks.append(ink)
                texts.append(label(text, h))
    np.savez(o.out, canvas=np.stack(inks[: o.cells]), text=np.array(texts[: o.cells]))


if __name__ == "__main__":
    main()
