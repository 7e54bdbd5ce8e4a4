"""Trains the reader of single words, `models/words.onnx`, from the weights of the move reader.

`python words.py pool --data DATA --fonts NODE_MODULES --prints DIR --out POOL.npz [--held-out]` renders words: names as they
are and as character n-grams make them up, initials, numbers, days, results, random letters, and labels in print.
`python words.py train --work DIR --pools POOL.npz --from models/reader.onnx` trains on them and resumes; `export.py --work DIR
--name words --model words --cells words-test --out models` writes the model. What is read of an accented letter is the letter without its accent.
"""

import argparse
import glob
import os
import random
import re
import unicodedata
from collections import Counter, defaultdict

import numpy as np
import torch
import train
from alphabet import CLASS
from augment import chance, far, normalise, photograph, window
from crops import CANVAS_H, CANVAS_W
from names import FIRST, LABELS, LAST
from PIL import ImageFont
from render import Fonts, Strokes, cell, scribble, text_ink_font, text_ink_strokes

PLAIN = str.maketrans(
    {"ß": "ss", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i", "æ": "ae"}
)


def plain(text):
    """Without accents, as the closed list of an event is folded too."""
    text = unicodedata.normalize("NFKD", text.translate(PLAIN))
    return "".join(c for c in text if not unicodedata.combining(c)) if "½" not in text else text


class Likeness:
    """Makes up words as character trigrams of a list would have them."""

    def __init__(self, words):
        self.next = defaultdict(Counter)
        for word in words:
            padded = "^^" + plain(word) + "$"
            for a, b, c in zip(padded, padded[1:], padded[2:]):
                self.next[a + b][c] += 1

    def draw(self, rng):
        word = "^^"
        while not word.endswith("$") and len(word) < 16:
            seen = self.next[word[-2:]]
            word += rng.choices(list(seen), list(seen.values()))[0]
        return word.strip("^$")


def day(rng):
    d, m, y = (
        rng.randint(1, 31),
        rng.randint(1, 12),
        rng.choice((rng.randint(1985, 2030), rng.randint(1985, 2030) % 100)),
    )
    sign = rng.choice(".././-")
    d, m = (f"{d:02}", f"{m:02}") if rng.random() < 0.4 else (d, m)
    y = f"{y:02}"
    return sign.join(map(str, rng.choice(((d, m, y), (d, m, y), (m, d, y), (d, m), (y, m, d)))))


def draw(rng, made_up):
    """A word that a hand may write into a field, or near one."""
    p = rng.random()
    if p < 0.60:
        q = rng.random()
        word = (
            rng.choice(LAST)
            if q < 0.34
            else rng.choice(FIRST)
            if q < 0.56
            else rng.choice(made_up).draw(rng)
        )
        word = rng.choices((word, word.upper(), word.lower()), (80, 14, 6))[0]
        return word + ("," if rng.random() < 0.1 else "")
    if p < 0.66:
        letters = [
            rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(rng.choice((1, 1, 1, 2)))
        ]
        return "".join(c + rng.choice((".", ".", "")) for c in letters)
    if p < 0.78:
        return str(
            rng.choice(
                (
                    rng.randint(1, 9),
                    rng.randint(1, 11),
                    rng.randint(1, 60),
                    rng.randint(1, 300),
                    rng.randint(1000, 2600),
                )
            )
        )
    if p < 0.86:
        return day(rng)
    if p < 0.90:
        return rng.choice(
            (
                "1-0",
                "0-1",
                "1/2",
                "½-½",
                "1/2-1/2",
                "1:0",
                "0:1",
                "½",
                "1",
                "0",
                "0,5",
                "=",
                "-",
                "+",
            )
        )
    if p < 0.94:
        letters = "abcdefghijklmnopqrstuvwxyz"
        word = "".join(rng.choice(letters) for _ in range(rng.randint(1, 9)))
        return rng.choice((word, word.capitalize(), word.upper()))
    return rng.choice(LABELS)


def printed(paths, rng):
    """A label in print, and its face."""
    word = (
        rng.choice(LABELS)
        if rng.random() < 0.7
        else rng.choice(LAST + FIRST)
        if rng.random() < 0.5
        else str(rng.randint(1, 99))
    )
    word = word.upper() if rng.random() < 0.3 else word
    return word + rng.choice(("", "", ":", ":", ".")), ImageFont.truetype(rng.choice(paths), 100)


def pool(o):
    """Renders words as ink, as render.py does cells."""
    rng = random.Random(o.seed)
    bank, fonts = (
        Strokes(os.path.join(o.data, "strokes"), o.held_out, o.seed),
        Fonts(o.fonts, o.held_out),
    )
    faces = sorted(
        glob.glob(os.path.join(o.prints, "*.ttf"))
        + glob.glob("/usr/share/fonts/truetype/dejavu/*.ttf")
    )
    faces = [f for f in faces if re.search("pt-sans|lora|oswald|DejaVuS", f)]
    made_up = [Likeness(LAST), Likeness(FIRST)]
    inks, texts = [], []
    while len(inks) < o.words:
        style = {
            "cap": rng.uniform(0.42, 0.95),
            "stretch": float(np.exp(rng.uniform(np.log(0.7), np.log(1.5)))),
            "left": rng.choice([0.0, 0.02, 0.1]),
            "baseline": rng.uniform(0.68, 0.95),
        }
        kind, writer, font = rng.random(), rng.choice(bank.writers), None
        for _ in range(8):
            if kind < 0.13:
                text, face = printed(faces, rng)
                ink = cell(text, lambda *args: text_ink_font(face, *args), rng, style)
            elif rng.random() < 0.02:
                text = ""
                ink = cell(
                    "",
                    lambda *args: (scribble(CANVAS_H * 4, rng.randint(20, 160), rng), CANVAS_H * 2),
                    rng,
                    style,
                )
            elif kind < 0.62:
                text = plain(draw(rng, made_up))
                ink = cell(text, lambda *args: text_ink_strokes(bank, writer, *args), rng, style)
            else:
                text = draw(rng, made_up)
                text = text if rng.random() < 0.5 else plain(text)
                if font is None or not all(c in font[3] for c in text):
                    font = fonts.pick(text, rng) or fonts.pick(plain(text), rng)
                text = text if font and all(c in font[3] for c in text) else plain(text)
                ink = (
                    cell(text, lambda *args: text_ink_font(font[2], *args), rng, style)
                    if font
                    else None
                )
            label = plain(text)
            if ink is not None and all(c in CLASS for c in label):
                inks.append(ink)
                texts.append(label)
    np.savez(o.out, canvas=np.stack(inks[: o.words]), text=np.array(texts[: o.words]))


class Words(train.Data):
    """Rendered words alone, on the empty cells of real sheets and on made paper; lines run under and through them."""

    beside = None

    def __init__(self, work, pools):
        pools, real = [np.load(path) for path in pools], np.load(os.path.join(work, "train.npz"))
        self.ink, self.ink_text = (
            train.near(np.concatenate([z["canvas"] for z in pools])),
            [str(t) for z in pools for t in z["text"]],
        )
        self.paper = train.near(real["canvas"][real["text"] == ""])
        self.test = os.path.join(work, "words-test.npz")

    def batch(self, size, _, strength, seed):
        g, dice = chance(seed)
        canvas, texts = self.rendered(size, g, dice)

        def u(low, high):
            return torch.rand(size, 1, 1, generator=g) * (high - low) + low

        ys, xs = torch.arange(CANVAS_H)[None, :, None], torch.arange(CANVAS_W)[None, None, :]
        for share in (
            0.45,
            0.15,
        ):  # Forms underline or box what they ask for; words stand on the line or across it.
            at = u(0.62, 0.86) * CANVAS_H + u(-0.03, 0.03) * (xs - CANVAS_W / 2)
            line = (
                (u(0.6, 1.6) - (ys - at).abs()).clamp(0, 1)
                * (u(0, 1) < share)
                * (xs % 6 < u(2, 14))
            )
            canvas = canvas * (1 - line * u(0.2, 0.9))
        luma = photograph(window(canvas[:, None], g, 0.8 * strength), g, strength)
        return normalise(far(luma, g, dice, 0.5 * strength)), texts

    def told(self):
        return f"{len(self.ink)} rendered words"

    def figures(self, model):
        return (
            {"words": train.evaluate(model, self.test, self.beside)}
            if os.path.exists(self.test)
            else {}
        )


def main():
    a = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = a.add_subparsers(dest="what", required=True)
    p = what.add_parser("pool")
    p.add_argument("--data", required=True)
    p.add_argument("--fonts", required=True, help="the node_modules folder that holds @fontsource")
    p.add_argument(
        "--prints",
        default=os.path.expanduser("~/.cache/sheetscan-fonts"),
        help="folder of fonts for print",
    )
    p.add_argument("--out", required=True)
    p.add_argument("--words", type=int, default=40000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--held-out", action="store_true")
    t = what.add_parser("train")
    train.arguments(t, steps=4500, rate=1.2e-3, name="words", every=500)
    t.add_argument("--pools", required=True, nargs="+")
    o = a.parse_args()
    if o.what == "pool":
        pool(o)
    else:
        train.run_where_fastest()
        train.fit(Words(o.work, o.pools), o)


if __name__ == "__main__":
    main()
