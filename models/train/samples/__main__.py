"""Writes the sample sheets: `python models/train/samples --fonts CACHE --out samples [--cells
FILE]`.

With --pages it writes the two pages of a longer game into samples/two_pages instead. Everything is
drawn from fixed seeds: the same versions of the libraries give the same bytes. CACHE is a folder
outside the repository for the fonts, which come from the npm registry.
"""

import argparse
import dataclasses
import json
import pathlib
import zlib

import fonts
import form
import hand
import numpy as np
import photo
from games import GAMES, TWO_PAGES, format_pgn
from PIL import Image

PT = dict(
    event="Prova",
    date="Data",
    white="Brancas",
    round="Ronda",
    black="Pretas",
    board="Mesa",
    result="Resultado",
    signature="Assinatura",
)
IT = dict(
    event="Torneo",
    date="Data",
    white="Bianco",
    round="Turno",
    black="Nero",
    board="Tavolo",
    result="Risultato",
    signature="Firma",
)

# One sheet for each game: the form, the hand, the photograph.
SHEETS = (
    (
        form.Form(blocks=2, rows=30, labels=PT, title="REGISTO DE PARTIDA"),
        hand.Hand("caveat", ink=(28, 44, 130), height=0.66),
        photo.Shot(height=1900, corners=((0.06, 0.05), (0.93, 0.03), (0.97, 0.95), (0.03, 0.97))),
    ),
    (
        form.Form(
            size=(180, 200),
            blocks=3,
            rows=20,
            labels=PT,
            font="oswald",
            title="FOLHA DE ANOTAÇÃO",
            ink=(30, 96, 60),
            paper=(247, 250, 243),
            number_width=7,
        ),
        hand.Hand("patrick-hand", ink=(30, 30, 34), height=0.58, lift=0.04),
        photo.Shot(
            height=1500,
            corners=((0.03, 0.07), (0.97, 0.03), (0.95, 0.96), (0.06, 0.95)),
            desk=(150, 148, 140),
            light=(0.82, 0.95, 1.0, 0.9),
            tint=(0.97, 0.99, 1.0),
        ),
    ),
    (
        form.Form(
            blocks=2,
            rows=25,
            labels=PT,
            font="lora",
            title="Planilha oficial",
            numbers="between",
            gap=5,
            paper=(246, 240, 226),
            number_width=9,
            boxed_head=True,
        ),
        hand.Hand("gochi-hand", ink=(70, 70, 74), height=0.56, dark=0.8, grain=0.2),
        photo.Shot(
            height=1800,
            corners=((0.04, 0.04), (0.96, 0.06), (0.93, 0.97), (0.07, 0.94)),
            desk=(52, 60, 70),
            shadow=((0.55, 1.0), (0.7, 0.62), (1.0, 0.5), (1.0, 1.0)),
            deep=0.28,
        ),
    ),
    (
        form.Form(
            size=(140, 280),
            blocks=1,
            rows=40,
            labels=PT,
            font="pt-sans",
            title="PLANILHA",
            line=0.2,
            columns=("Br.", "Pr."),
            number_width=12,
            foot=20,
            head=44,
            ink=(60, 60, 110),
        ),
        hand.Hand("kalam", ink=(24, 52, 150), height=0.66, slant=0.1),
        photo.Shot(
            height=2300,
            corners=((0.05, 0.03), (0.96, 0.04), (0.94, 0.97), (0.07, 0.96)),
            curl=0.006,
            light=(0.8, 1.0, 0.95, 0.72),
        ),
    ),
    (
        form.Form(
            size=(170, 240),
            blocks=2,
            rows=30,
            labels=IT,
            font="pt-sans",
            title="FORMULARIO DI GARA",
            columns=("Bianco", "Nero"),
            shade=0.07,
            frame=0.8,
        ),
        hand.Hand("shadows-into-light", ink=(20, 28, 84), height=0.58, dark=0.95),
        photo.Shot(
            height=2000,
            corners=((0.08, 0.04), (0.92, 0.06), (0.98, 0.97), (0.02, 0.95)),
            desk=(120, 88, 60),
            light=(1.0, 0.9, 0.7, 0.85),
        ),
    ),
    (
        form.Form(
            size=(200, 260),
            blocks=2,
            rows=30,
            labels=IT,
            font="lora",
            title="Circolo Scacchistico",
            columns=("Bianco", "Nero"),
            head=46,
            foot=20,
            number_width=9,
        ),
        hand.Hand("architects-daughter", ink=(34, 34, 40), height=0.6, slant=0.04),
        photo.Shot(
            height=2100,
            corners=((0.04, 0.03), (0.95, 0.04), (0.97, 0.96), (0.05, 0.97)),
            curl=-0.005,
            desk=(40, 72, 58),
            light=(0.9, 1.0, 0.85, 0.78),
            quality=82,
        ),
    ),
    (
        form.Form(
            size=(160, 200),
            blocks=2,
            rows=20,
            labels=IT,
            font="oswald",
            title="SCHEDA DELLA PARTITA",
            columns=("BIANCO", "NERO"),
            numbers="between",
            gap=4,
            ink=(100, 40, 40),
            paper=(251, 247, 240),
        ),
        hand.Hand("indie-flower", ink=(26, 60, 140), height=0.52, spread=1.18),
        photo.Shot(
            height=1700,
            corners=((0.03, 0.05), (0.94, 0.02), (0.97, 0.94), (0.06, 0.98)),
            shadow=((0.0, 0.0), (0.34, 0.0), (0.2, 0.5), (0.0, 0.6)),
            deep=0.25,
            desk=(170, 150, 128),
        ),
    ),
)

EN = dict(
    event="Event",
    date="Date",
    white="White",
    round="Round",
    black="Black",
    board="Board",
    result="Result",
    signature="Signature",
)
PAGE_FORM = form.Form(
    size=(170, 190),
    blocks=2,
    rows=15,
    labels=EN,
    font="pt-sans",
    title="SCORE SHEET",
    columns=("White", "Black"),
    number_width=9,
)
PAGE_SHEETS = (
    (
        PAGE_FORM,
        hand.Hand("patrick-hand", ink=(28, 36, 96), height=0.6, lift=0.03),
        photo.Shot(height=1300, corners=((0.04, 0.04), (0.96, 0.05), (0.95, 0.96), (0.05, 0.95))),
    ),
    (
        dataclasses.replace(PAGE_FORM, first=31),
        hand.Hand("patrick-hand", ink=(28, 36, 96), height=0.6, lift=0.03),
        photo.Shot(
            height=1300,
            corners=((0.05, 0.05), (0.95, 0.03), (0.97, 0.95), (0.03, 0.96)),
            light=(0.9, 1.0, 0.95, 0.85),
        ),
    ),
)


def make_pages(out, paths):
    """Makes the pages of the longer game."""
    out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(7)
    for i, sheet in enumerate(PAGE_SHEETS):
        rows = 2 * sheet[0].blocks * sheet[0].rows
        part = dataclasses.replace(TWO_PAGES, written=TWO_PAGES.written[i * rows :][:rows])
        picture, _ = make_sheet(part, sheet, paths, rng)
        Image.fromarray(picture).save(out / f"{i + 1}.jpg", quality=80, optimize=True)
    (out / "game.pgn").write_text(format_pgn(TWO_PAGES))


def make_sheet(game, sheet, paths, rng):
    """Returns the photograph of a game's sheet and the corners of all its cells in it."""
    printed, pen, shot = sheet
    page, cells, places = form.draw_form(printed, paths)
    writer = hand.Writer(pen, paths[pen.family], page.shape[:2], rng)
    for text, box in zip(game.written, cells):
        writer.write_in_cell(text, box)
    height = 4.2 * form.SCALE
    for key, text in {**game.header, "result": game.box}.items():
        if not text:
            continue
        x, baseline, width = places[key]
        writer.write(text, x, baseline, height, width)
    picture, carry = photo.take_picture(writer.blend_onto(page.astype(np.float32)), shot, rng)
    corners = [carry([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]) for x0, y0, x1, y1 in cells]
    return picture, corners


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument(
        "--fonts", required=True, help="folder for downloaded fonts, outside the repository"
    )
    options.add_argument(
        "--out", required=True, type=pathlib.Path, help="folder for NN_*.jpg and NN_*.pgn"
    )
    options.add_argument(
        "--cells", type=pathlib.Path, help="JSON file for the true corners of every cell"
    )
    options.add_argument(
        "--pages", action="store_true", help="the two pages of the longer game instead"
    )
    options = options.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    paths = fonts.fetch_fonts(options.fonts)
    if options.pages:
        return make_pages(options.out / "two_pages", paths)
    truth = {}
    for game, sheet in zip(GAMES, SHEETS, strict=True):
        rng = np.random.default_rng(zlib.crc32(game.name.encode()))
        picture, corners = make_sheet(game, sheet, paths, rng)
        target = options.out / f"{game.name}.jpg"
        Image.fromarray(picture).save(target, quality=sheet[2].quality, optimize=True)
        target.with_suffix(".pgn").write_text(format_pgn(game))
        truth[target.name] = [np.round(quad, 1).tolist() for quad in corners]
        print(
            f"{target}: {picture.shape[1]} x {picture.shape[0]},",
            f"{target.stat().st_size // 1024} KiB",
        )
    if options.cells:
        options.cells.write_text(json.dumps(truth))


if __name__ == "__main__":
    main()
