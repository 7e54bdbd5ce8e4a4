"""Renders the same games as whole sheets in each language, by fonts and writers that train nothing.

`python sheets.py --data DATA --fonts NODE_MODULES --out DIR [--games 12]` writes DIR/LANG/NN.jpg and NN.pgn: forms and photographs
of samples/, one hand a game, the same in every language, with his habits. `--judge SHEETSCAN` then has the program scan each
folder, one game a sheet, and prints a line a language: sheets, languages found, moves played (as eval/score.py, SCORE, counts).
"""

import argparse
import glob
import gzip
import importlib.util
import json
import os
import random
import re
import subprocess
import sys

import cv2
import numpy as np
import render
from crops import CANVAS_H, CANVAS_W, MX, MY
from PIL import Image
from texts import TOKEN, habit, known, spell

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "samples"))
import fonts as printed  # noqa: E402
import form  # noqa: E402
import photo  # noqa: E402

SAME = {"es": "it"}  # Spanish and Italian have the same letters.
TESTED = ("en", "pt", "it", "es", "fr", "de", "nl", "pl")
FEWEST, MOST = 44, 78  # Plies of a game.
INNER_W, INNER_H = CANVAS_W - 2 * MX, CANVAS_H - 2 * MY


def forms():
    """The printed forms and photographs of the sample sheets, as many rows as the longest game has moves."""
    spec = importlib.util.spec_from_file_location(
        "samples", os.path.join(HERE, "samples", "__main__.py")
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [(f, shot) for f, _, shot in module.SHEETS if f.blocks * f.rows * 2 >= MOST]


def games(path, count, seed):
    bodies = [
        b for b in re.split(r"\n\n", gzip.open(path, "rt").read()) if b.lstrip().startswith("1.")
    ]
    random.Random(seed).shuffle(bodies)
    found = (TOKEN.findall(b)[:MOST] for b in bodies)
    return [g for g in found if len(g) >= FEWEST][:count]


def inked(page, cells, texts, source, style, rng):
    """The page with a text in each cell, written by one hand."""
    ink = np.zeros(page.shape[:2], np.uint8)
    for text, (x0, y0, x1, y1) in zip(texts, cells):
        canvas = render.cell(text, source, rng, style)
        if canvas is None:
            continue
        kx, ky = (x1 - x0) / INNER_W, (y1 - y0) / INNER_H
        part = cv2.resize(
            canvas, (round(CANVAS_W * kx), round(CANVAS_H * ky)), interpolation=cv2.INTER_CUBIC
        )
        left, top = round(x0 - MX * kx), round(y0 - MY * ky)
        a, b = max(0, -top), max(0, -left)
        view = ink[top + a : top + part.shape[0], left + b : left + part.shape[1]]
        np.maximum(view, part[a : a + view.shape[0], b : b + view.shape[1]], out=view)
    colour = np.array([(24, 30, 90), (30, 30, 34), (70, 70, 76)][rng.randrange(3)], np.float32)
    cover = (ink.astype(np.float32) / 255 * rng.uniform(0.6, 0.95))[..., None]
    return page * (1 - cover) + colour * cover


def draw(o):
    bank, faces = (
        render.Strokes(os.path.join(o.data, "strokes"), True, 1),
        render.Fonts(o.fonts, True),
    )
    paths = printed.fetch(o.prints)
    letters = "KQRBNTDCAFLSPHWGabcdefgh12345678xO-+=:#!?()"
    for number, game in enumerate(
        games(os.path.join(o.data, "pgn", "club_games.pgn.gz"), o.games, 17)
    ):
        kinds = forms()
        printed_form, shot = kinds[number % len(kinds)]
        for language in TESTED:
            rng = random.Random(1000 + number)
            h = habit(rng, language)
            h["capital_files"] = h["small_pieces"] = False
            face, writer = faces.pick(letters, rng), rng.choice(bank.writers)
            if number % 2:

                def source(*args):
                    return render.text_ink_strokes(bank, writer, *args)
            else:

                def source(*args):
                    return render.text_ink_font(face[2], *args)

            style = {
                "cap": rng.uniform(0.45, 0.75),
                "stretch": rng.uniform(0.9, 1.3),
                "left": rng.uniform(0.05, 0.3),
                "baseline": rng.uniform(0.74, 0.86),
            }
            texts = [spell(san, h, rng, facts) for san, facts in zip(game, known(game))]
            page, cells, _ = form.draw(printed_form, paths)
            photographer = np.random.default_rng(number)
            picture, _ = photo.take(
                inked(page.astype(np.float32), cells, texts, source, style, rng).astype(np.float32),
                shot,
                photographer,
            )
            folder = os.path.join(o.out, language)
            os.makedirs(folder, exist_ok=True)
            Image.fromarray(picture).save(
                os.path.join(folder, f"{number:02}.jpg"), quality=shot.quality
            )
            with open(os.path.join(folder, f"{number:02}.pgn"), "w") as f:
                f.write('[Event "?"]\n\n' + " ".join(game) + " *\n")


def judge(o):
    print("language\tsheets\tlanguage right\tplayed\tsilent\tasks")
    for language in TESTED:
        folder = os.path.join(o.out, language)
        out = os.path.join(folder, "games.jsonl")
        pages = sorted(glob.glob(os.path.join(folder, "*.jpg")))
        subprocess.run(
            [o.judge, "scan", "--quiet", "--no-pair", "--json", out, *pages], check=False
        )
        found = [
            SAME.get(code, code) for code in (json.loads(line)["language"] for line in open(out))
        ]
        text = subprocess.run(
            [sys.executable, o.score, out, "--truth", folder], capture_output=True, text=True
        ).stdout

        def figure(name):
            return re.search(rf"^{name}\s+([\d.]+) %", text, re.M)[1]

        print(
            f"{language}\t{len(pages)}\t{found.count(SAME.get(language, language))}\t{figure('played')} %\t{figure('silent')} %\t{figure('asks')} %",
            flush=True,
        )


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--data", required=True)
    a.add_argument("--fonts", required=True, help="the node_modules folder that holds @fontsource")
    a.add_argument(
        "--prints",
        default=os.path.expanduser("~/.cache/sheetscan-fonts"),
        help="folder for the printed forms' fonts",
    )
    a.add_argument("--out", required=True)
    a.add_argument("--games", type=int, default=12)
    a.add_argument("--judge", help="the program to scan with; the sheets must be there")
    a.add_argument("--score", help="eval/score.py")
    o = a.parse_args()
    judge(o) if o.judge else draw(o)


if __name__ == "__main__":
    main()
