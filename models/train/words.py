"""Trains the reader of single words, `models/words.onnx`, from the weights of the move reader.

`python words.py pool --data DATA --fonts NODE_MODULES --prints DIR --out POOL.npz [--held-out]`
renders words: real names and names made up by character trigrams, initials, numbers, days, results,
random letters, and labels in print.

`python words.py train --work DIR --pools POOL.npz --from models/reader.onnx` trains on them and
resumes. `export.py --work DIR --name words --model words --cells words-test --out models` writes
the model. An accented letter is read as the letter without its accent.
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
from alphabet import CLASS_OF
from augment import (
    normalize_ink,
    random_sources,
    sample_window,
    simulate_capture,
    simulate_distance_for_share,
)
from crops import CANVAS_H, CANVAS_W
from names import FIRST, LABELS, LAST
from PIL import ImageFont
from render import FontBank, StrokeBank, draw_scribble, ink_from_font, ink_from_strokes, render_cell

PLAIN_LETTERS = str.maketrans(
    {"ß": "ss", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i", "æ": "ae"}
)


def strip_accents(text):
    """Removes accents, as they are removed from the closed list of names of an event."""
    text = unicodedata.normalize("NFKD", text.translate(PLAIN_LETTERS))
    return (
        "".join(character for character in text if not unicodedata.combining(character))
        if "½" not in text
        else text
    )


class TrigramModel:
    """Makes up words with the character trigrams of a list."""

    def __init__(self, words):
        self.next = defaultdict(Counter)
        for word in words:
            padded = "^^" + strip_accents(word) + "$"
            for a, b, c in zip(padded, padded[1:], padded[2:]):
                self.next[a + b][c] += 1

    def draw_word(self, rng):
        word = "^^"
        while not word.endswith("$") and len(word) < 16:
            next_letters = self.next[word[-2:]]
            word += rng.choices(list(next_letters), list(next_letters.values()))[0]
        return word.strip("^$")


def draw_date(rng):
    day_number, month, year = (
        rng.randint(1, 31),
        rng.randint(1, 12),
        rng.choice((rng.randint(1985, 2030), rng.randint(1985, 2030) % 100)),
    )
    sign = rng.choice(".././-")
    day_number, month = (
        (f"{day_number:02}", f"{month:02}") if rng.random() < 0.4 else (day_number, month)
    )
    year = f"{year:02}"
    return sign.join(
        map(
            str,
            rng.choice(
                (
                    (day_number, month, year),
                    (day_number, month, year),
                    (month, day_number, year),
                    (day_number, month),
                    (year, month, day_number),
                )
            ),
        )
    )


def draw_word(rng, made_up):
    """Draws a word that a hand may write into a field, or near one."""
    chance = rng.random()
    if chance < 0.60:
        kind = rng.random()
        word = (
            rng.choice(LAST)
            if kind < 0.34
            else rng.choice(FIRST)
            if kind < 0.56
            else rng.choice(made_up).draw_word(rng)
        )
        word = rng.choices((word, word.upper(), word.lower()), (80, 14, 6))[0]
        return word + ("," if rng.random() < 0.1 else "")
    if chance < 0.66:
        letters = [
            rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(rng.choice((1, 1, 1, 2)))
        ]
        return "".join(c + rng.choice((".", ".", "")) for c in letters)
    if chance < 0.78:
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
    if chance < 0.86:
        return draw_date(rng)
    if chance < 0.90:
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
    if chance < 0.94:
        letters = "abcdefghijklmnopqrstuvwxyz"
        word = "".join(rng.choice(letters) for _ in range(rng.randint(1, 9)))
        return rng.choice((word, word.capitalize(), word.upper()))
    return rng.choice(LABELS)


def draw_label(paths, rng):
    """Draws a label in print, and its face."""
    word = (
        rng.choice(LABELS)
        if rng.random() < 0.7
        else rng.choice(LAST + FIRST)
        if rng.random() < 0.5
        else str(rng.randint(1, 99))
    )
    word = word.upper() if rng.random() < 0.3 else word
    return word + rng.choice(("", "", ":", ":", ".")), ImageFont.truetype(rng.choice(paths), 100)


def render_pool(args):
    """Renders words as ink, as render.py does cells."""
    rng = random.Random(args.seed)
    bank, fonts = (
        StrokeBank(os.path.join(args.data, "strokes"), args.held_out, args.seed),
        FontBank(args.fonts, args.held_out),
    )
    faces = sorted(
        glob.glob(os.path.join(args.prints, "*.ttf"))
        + glob.glob("/usr/share/fonts/truetype/dejavu/*.ttf")
    )
    faces = [f for f in faces if re.search("pt-sans|lora|oswald|DejaVuS", f)]
    made_up = [TrigramModel(LAST), TrigramModel(FIRST)]
    inks, texts = [], []
    while len(inks) < args.words:
        style = {
            "cap": rng.uniform(0.42, 0.95),
            "stretch": float(np.exp(rng.uniform(np.log(0.7), np.log(1.5)))),
            "left": rng.choice([0.0, 0.02, 0.1]),
            "baseline": rng.uniform(0.68, 0.95),
        }
        kind, writer, font = rng.random(), rng.choice(bank.writers), None
        for _ in range(8):
            if kind < 0.13:
                text, face = draw_label(faces, rng)
                ink = render_cell(text, lambda *sizes: ink_from_font(face, *sizes), rng, style)
            elif rng.random() < 0.02:
                text = ""
                ink = render_cell(
                    "",
                    lambda *sizes: (
                        draw_scribble(CANVAS_H * 4, rng.randint(20, 160), rng),
                        CANVAS_H * 2,
                    ),
                    rng,
                    style,
                )
            elif kind < 0.62:
                text = strip_accents(draw_word(rng, made_up))
                ink = render_cell(
                    text, lambda *sizes: ink_from_strokes(bank, writer, *sizes), rng, style
                )
            else:
                text = draw_word(rng, made_up)
                text = text if rng.random() < 0.5 else strip_accents(text)
                if font is None or not all(character in font[3] for character in text):
                    font = fonts.pick(text, rng) or fonts.pick(strip_accents(text), rng)
                text = (
                    text
                    if font and all(character in font[3] for character in text)
                    else strip_accents(text)
                )
                ink = (
                    render_cell(text, lambda *sizes: ink_from_font(font[2], *sizes), rng, style)
                    if font
                    else None
                )
            label = strip_accents(text)
            if ink is not None and all(character in CLASS_OF for character in label):
                inks.append(ink)
                texts.append(label)
    np.savez(args.out, canvas=np.stack(inks[: args.words]), text=np.array(texts[: args.words]))


class WordData(train.CellData):
    """Rendered words alone, on the empty cells of real sheets and on made paper, with lines under
    and through them.
    """

    padding = None

    def __init__(self, work, pools):
        pools, real = [np.load(path) for path in pools], np.load(os.path.join(work, "train.npz"))
        self.ink, self.ink_text = (
            train.to_device(np.concatenate([archive["canvas"] for archive in pools])),
            [str(text) for archive in pools for text in archive["text"]],
        )
        self.paper = train.to_device(real["canvas"][real["text"] == ""])
        self.test = os.path.join(work, "words-test.npz")

    def make_batch(self, size, _, strength, seed):
        generator, dice = random_sources(seed)
        canvas, texts = self.render_batch(size, generator, dice)

        def uniform(low, high):
            return torch.rand(size, 1, 1, generator=generator) * (high - low) + low

        ys, xs = torch.arange(CANVAS_H)[None, :, None], torch.arange(CANVAS_W)[None, None, :]
        # Forms underline or box what they ask for; words stand on the line or across it.
        for share in (
            0.45,
            0.15,
        ):
            position = uniform(0.62, 0.86) * CANVAS_H + uniform(-0.03, 0.03) * (xs - CANVAS_W / 2)
            line = (
                (uniform(0.6, 1.6) - (ys - position).abs()).clamp(0, 1)
                * (uniform(0, 1) < share)
                * (xs % 6 < uniform(2, 14))
            )
            canvas = canvas * (1 - line * uniform(0.2, 0.9))
        luma = simulate_capture(
            sample_window(canvas[:, None], generator, 0.8 * strength), generator, strength
        )
        return normalize_ink(
            simulate_distance_for_share(luma, generator, dice, 0.5 * strength)
        ), texts

    def describe(self):
        return f"{len(self.ink)} rendered words"

    def evaluate_sets(self, model):
        return (
            {"words": train.evaluate(model, self.test, self.padding)}
            if os.path.exists(self.test)
            else {}
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="what", required=True)
    pool_parser = commands.add_parser("pool")
    pool_parser.add_argument("--data", required=True)
    pool_parser.add_argument(
        "--fonts", required=True, help="the node_modules folder that holds @fontsource"
    )
    pool_parser.add_argument(
        "--prints",
        default=os.path.expanduser("~/.cache/sheetscan-fonts"),
        help="folder of fonts for print",
    )
    pool_parser.add_argument("--out", required=True)
    pool_parser.add_argument("--words", type=int, default=40000)
    pool_parser.add_argument("--seed", type=int, default=1)
    pool_parser.add_argument("--held-out", action="store_true")
    train_parser = commands.add_parser("train")
    train.add_arguments(train_parser, steps=4500, rate=1.2e-3, name="words", every=500)
    train_parser.add_argument("--pools", required=True, nargs="+")
    args = parser.parse_args()
    if args.what == "pool":
        render_pool(args)
    else:
        train.use_gpu_if_present()
        train.train_students(WordData(args.work, args.pools), args)


if __name__ == "__main__":
    main()
