"""Renders the same games as whole sheets in each language, by fonts and writers that train nothing.

`python sheets.py --data DATA --fonts NODE_MODULES --out DIR [--games 12]` writes DIR/LANG/NN.jpg
and NN.pgn with the forms and photographs of samples/. Each game has one hand with its habits, the
same in every language. `--languages ro lv` draws others than the eight. `--judge SHEETSCAN` then
has the program scan each folder, one game a sheet, and prints one line a language: sheets,
languages found, moves played (as SCORE, eval/score.py, counts).
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
from crops import CANVAS_H, CANVAS_W, MARGIN_X, MARGIN_Y
from PIL import Image
from texts import LANGUAGES, SAN_TOKEN, draw_habit, replay_moves, spell_move

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "samples"))
import fonts as printed  # noqa: E402
import form  # noqa: E402
import photo  # noqa: E402

# Languages with the same piece letters count as one: Spanish has those of Italian.
SAME_LETTERS = {"es": "it"}
LANGUAGES_MEASURED = ("en", "pt", "it", "es", "fr", "de", "nl", "pl")
# Shortest and longest game, in plies.
MIN_PLIES, MAX_PLIES = 44, 78
INNER_W, INNER_H = CANVAS_W - 2 * MARGIN_X, CANVAS_H - 2 * MARGIN_Y


def load_sample_forms():
    """Returns the printed forms and photographs of the sample sheets that have as many rows as the
    longest game has moves.
    """
    spec = importlib.util.spec_from_file_location(
        "samples", os.path.join(HERE, "samples", "__main__.py")
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [
        (form_, shot)
        for form_, _, shot in module.SHEETS
        if form_.blocks * form_.rows * 2 >= MAX_PLIES
    ]


def draw_games(path, count, seed):
    bodies = [
        body
        for body in re.split(r"\n\n", gzip.open(path, "rt").read())
        if body.lstrip().startswith("1.")
    ]
    random.Random(seed).shuffle(bodies)
    games = (SAN_TOKEN.findall(body)[:MAX_PLIES] for body in bodies)
    return [game for game in games if len(game) >= MIN_PLIES][:count]


def write_page(page, cells, texts, source, style, rng):
    """Returns the page with a text in each cell, written by one hand."""
    ink = np.zeros(page.shape[:2], np.uint8)
    for text, (x0, y0, x1, y1) in zip(texts, cells):
        canvas = render.render_cell(text, source, rng, style)
        if canvas is None:
            continue
        scale_x, scale_y = (x1 - x0) / INNER_W, (y1 - y0) / INNER_H
        part = cv2.resize(
            canvas,
            (round(CANVAS_W * scale_x), round(CANVAS_H * scale_y)),
            interpolation=cv2.INTER_CUBIC,
        )
        left, top = round(x0 - MARGIN_X * scale_x), round(y0 - MARGIN_Y * scale_y)
        a, b = max(0, -top), max(0, -left)
        view = ink[top + a : top + part.shape[0], left + b : left + part.shape[1]]
        np.maximum(view, part[a : a + view.shape[0], b : b + view.shape[1]], out=view)
    colour = np.array([(24, 30, 90), (30, 30, 34), (70, 70, 76)][rng.randrange(3)], np.float32)
    cover = (ink.astype(np.float32) / 255 * rng.uniform(0.6, 0.95))[..., None]
    return page * (1 - cover) + colour * cover


def draw_sheets(args):
    bank, faces = (
        render.StrokeBank(os.path.join(args.data, "strokes"), True, 1),
        render.FontBank(args.fonts, True),
    )
    paths = printed.fetch_fonts(args.prints)
    letters = "KQRBNTDCAFLSPHWGabcdefgh12345678xO-+=:#!?()"
    for number, game in enumerate(
        draw_games(os.path.join(args.data, "pgn", "club_games.pgn.gz"), args.games, 17)
    ):
        kinds = load_sample_forms()
        printed_form, shot = kinds[number % len(kinds)]
        for language in args.languages:
            rng = random.Random(1000 + number)
            habit = draw_habit(rng, language)
            habit["capital_files"] = habit["small_pieces"] = False
            face = faces.pick(letters + LANGUAGES[language][0], rng)
            writer = rng.choice(bank.writers)
            if number % 2:

                def source(*sizes):
                    return render.ink_from_strokes(bank, writer, *sizes)
            else:

                def source(*sizes):
                    return render.ink_from_font(face[2], *sizes)

            style = {
                "cap": rng.uniform(0.45, 0.75),
                "stretch": rng.uniform(0.9, 1.3),
                "left": rng.uniform(0.05, 0.3),
                "baseline": rng.uniform(0.74, 0.86),
            }
            texts = [
                spell_move(san, habit, rng, facts) for san, facts in zip(game, replay_moves(game))
            ]
            page, cells, _ = form.draw_form(printed_form, paths)
            photographer = np.random.default_rng(number)
            picture, _ = photo.take_picture(
                write_page(page.astype(np.float32), cells, texts, source, style, rng).astype(
                    np.float32
                ),
                shot,
                photographer,
            )
            folder = os.path.join(args.out, language)
            os.makedirs(folder, exist_ok=True)
            Image.fromarray(picture).save(
                os.path.join(folder, f"{number:02}.jpg"), quality=shot.quality
            )
            with open(os.path.join(folder, f"{number:02}.pgn"), "w") as f:
                f.write('[Event "?"]\n\n' + " ".join(game) + " *\n")


def judge_sheets(args):
    print("language\tsheets\tlanguage right\tplayed\tsilent\tasks")
    for language in args.languages:
        folder = os.path.join(args.out, language)
        json_lines = os.path.join(folder, "games.jsonl")
        pages = sorted(glob.glob(os.path.join(folder, "*.jpg")))
        subprocess.run(
            [args.judge, "scan", "--quiet", "--no-pair", "--json", json_lines, *pages], check=False
        )
        languages = [
            SAME_LETTERS.get(code, code)
            for code in (json.loads(line)["language"] for line in open(json_lines))
        ]
        score_text = subprocess.run(
            [sys.executable, args.score, json_lines, "--truth", folder],
            capture_output=True,
            text=True,
        ).stdout

        def read_figure(name):
            return re.search(rf"^{name}\s+([\d.]+) %", score_text, re.M)[1]

        right = languages.count(SAME_LETTERS.get(language, language))
        figures = [f"{read_figure(name)} %" for name in ("played", "silent", "asks")]
        print(language, len(pages), right, *figures, sep="\t", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument(
        "--fonts", required=True, help="the node_modules folder that holds @fontsource"
    )
    parser.add_argument(
        "--prints",
        default=os.path.expanduser("~/.cache/sheetscan-fonts"),
        help="folder for the printed forms' fonts",
    )
    parser.add_argument("--out", required=True)
    parser.add_argument("--games", type=int, default=12)
    parser.add_argument("--languages", nargs="+", default=LANGUAGES_MEASURED)
    parser.add_argument("--judge", help="the program to scan with; the sheets must be there")
    parser.add_argument("--score", help="eval/score.py")
    args = parser.parse_args()
    judge_sheets(args) if args.judge else draw_sheets(args)


if __name__ == "__main__":
    main()
