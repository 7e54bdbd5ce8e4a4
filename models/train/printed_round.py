"""Makes a round on sheets that sheetscan has printed: a report file, the PDF of its sheets, and
photographs of them with games by hand.

`python models/train/printed_round.py make --program SHEETSCAN --printed-cells EXAMPLE --data DATA
--fonts NODE_MODULES --out DIR` prints the sheets of 40 boards with `sheetscan forms` on four sizes
of paper, fills them by hands and in languages that trained nothing, and photographs each from an
angle of up to 30 degrees, on curled paper, in bad light, with 2 to 12 megapixels. On a tenth of the
sheets the code is covered or torn off. DIR/faults gets sheets that belong elsewhere: one of another
round, one of another event, two that were exchanged between boards, and one photographed twice.
EXAMPLE is `examples/printed_cells.rs`, which tells where the cells stand.

`python models/train/printed_round.py judge DIR PROGRAM` scans both piles and prints how many sheets
are matched with their pairing and how many tables are right, and which of the faults are told. No
name is read: the sheets are matched by `sheetscan merge` from lines that hold no words.
"""

import argparse
import csv
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict

import cv2
import numpy as np
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "forms"), os.path.join(HERE, "samples")]
import event  # noqa: E402
import photograph  # noqa: E402
import render  # noqa: E402
import writing  # noqa: E402
from shots import Shot  # noqa: E402

PAPERS = ("a5", "a4", "letter", "half-letter")
LANGUAGES = ("en", "de", "es", "fr", "it", "nl", "pl", "pt")
DPI = 300
PX_PER_MM = DPI / 25.4
ROUND = 4
# What truth.json tells of a shot.
SHOT_KEYS = ("pixels", "tilt", "rotation", "curl", "turn")
# A cell is right if its intersection with the true one, by their union, is at least this.
MIN_IOU = 0.5
# Names of 40 pairings are those of event.PLAYERS with first names exchanged.
FIRST_NAMES = [name.split(", ")[1] for name in event.PLAYERS]
LAST_NAMES = [name.split(", ")[0] for name in event.PLAYERS]


def name_players(count):
    """Returns so many different names."""
    names = []
    for shift in range(len(FIRST_NAMES)):
        for i, last in enumerate(LAST_NAMES):
            name = f"{last}, {FIRST_NAMES[(i + shift) % len(FIRST_NAMES)]}"
            if name not in names:
                names.append(name)
    return names[:count]


def draw_rounds(players, rng):
    """Returns the pairings of each round as (White, Black), by index; nobody meets twice."""
    met, rounds = set(), []
    for _ in range(ROUND):
        while True:
            order = rng.sample(range(players), players)
            pairs = [tuple(order[i : i + 2]) for i in range(0, players, 2)]
            if not any(frozenset(pair) in met for pair in pairs):
                break
        met |= {frozenset(pair) for pair in pairs}
        # The order of the file, which is that of the printed sheets.
        rounds.append(sorted(pairs, key=min))
    return rounds


def format_report(name, names, rounds, results):
    """Returns a report file (TRF). `results` has the signs of White and Black of the last round's
    pairings; the games of the other rounds were drawn.
    """
    lines = [f"012 {name}", "022 Nowhere", "042 2026/11/26", "052 2026/11/29", f"142 {ROUND}"]
    for i, player in enumerate(names):
        slots = []
        for number, pairs in enumerate(rounds, 1):
            for k, pair in enumerate(pairs):
                if i in pair:
                    seat = pair.index(i)
                    sign = results[k][seat] if number == ROUND else "="
                    slots.append(f"{pair[1 - seat] + 1:4} {'wb'[seat]} {sign}  ")
        lines.append(
            f"001 {i + 1:4}      {player:33} {2400 - 10 * i:4} GER {1000000 + i:11}"
            f"            {0.0:4} {i + 1:4}  " + "".join(slots)
        )
    return "\n".join(line.rstrip() for line in lines) + "\n"


def read_code(page):
    """Returns the text of the QR code at the head of a page, which is read best by itself."""
    height, width = page.shape[:2]
    head = page[: height // 5, width // 2 :]
    for scale in (1, 0.5, 0.7, 1.5, 0.4, 0.6, 0.85, 1.2, 2):
        size = (round(head.shape[1] * scale), round(head.shape[0] * scale))
        picture = cv2.resize(head, size, interpolation=cv2.INTER_AREA)
        for detector in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
            text, *_ = detector.detectAndDecode(picture)
            if text:
                return text
    raise SystemExit("a page has no code that can be read")


class Printer:
    """Prints sheets with the program, and tells where their cells stand."""

    def __init__(self, args):
        self.args = args
        self.count = 0

    def print_round(self, report, number, paper):
        """Prints the sheets of a round. Returns the path of the PDF: White's and Black's sheet of
        every board, in the order of the boards.
        """
        self.count += 1
        path = os.path.join(self.args.out, f"print-{self.count}-{paper}.pdf")
        command = [self.args.program, "forms", "--trf", report, "--round", str(number)]
        subprocess.run([*command, "--paper", paper, "-o", path], check=True)
        return path

    def take_sheet(self, path, board, side):
        """Returns the page of a sheet as a picture, and what its code says."""
        number = str(2 * board + 1 + (side == "black"))
        with tempfile.TemporaryDirectory() as folder:
            stem = os.path.join(folder, "page")
            command = ["pdftoppm", "-r", str(DPI), "-f", number, "-l", number, "-singlefile"]
            subprocess.run([*command, path, stem], check=True)
            page = np.asarray(Image.open(stem + ".ppm").convert("RGB"))
        lines = subprocess.run(
            [self.args.printed_cells], input=read_code(page), text=True, capture_output=True
        )
        if lines.returncode:
            raise SystemExit(lines.stderr)
        sheet = json.loads(lines.stdout)
        if sheet["side"] != side:
            raise SystemExit(f"{path}: page {number} is not {side}'s")
        return page, sheet


def draw_shot(rng):
    """Draws how a sheet is photographed: as the round's arbiters do, and worse."""
    return Shot(
        pixels=rng.uniform(2, 12) if rng.random() < 0.6 else rng.uniform(2, 3.5),
        source="photo",
        framing=rng.choice(("desk", "desk", "page")),
        turn=rng.choice((0, 0, 0, 0, 90, 180, 270)),
        rotation=rng.uniform(-30, 30) if rng.random() < 0.5 else rng.gauss(0, 3),
        tilt=rng.uniform(0, 30),
        curl=rng.choice((0, rng.uniform(0.002, 0.012), rng.uniform(0.01, 0.03))),
        desk=rng.choice(("wood", "cloth", "plain", "board", "dark")),
        light=rng.uniform(0.45, 1),
        shadow=rng.choice((0, rng.uniform(0.1, 0.5))),
        contrast=rng.uniform(0.75, 1),
        blur=rng.uniform(0.4, 1.2),
        motion=0.0,
        noise=rng.uniform(0.8, 5),
        grey=False,
        scan="none",
        white=0.0,
        lid=0,
        edge=0.0,
        specks=0,
        streaks=0,
        threshold=0.0,
        fold=rng.random() < 0.15,
        through=False,
        fingers=False,
        quality=rng.randint(60, 95),
        first_quality=0,
    )


def hide_code(page, square, rng):
    """Covers the code of a page (pixels) with a thing that lies on it, or tears its corner off."""
    x0, y0, x1, y1 = square
    side = x1 - x0
    page = page.copy()
    if rng.random() < 0.5:
        centre = (
            round(x0 + side * rng.uniform(0.3, 0.7)),
            round(y0 + side * rng.uniform(0.3, 0.7)),
        )
        colour = rng.choice(((150, 120, 60), (60, 60, 66), (200, 170, 140)))
        cv2.circle(page, centre, round(side * rng.uniform(0.35, 0.5)), colour, -1, cv2.LINE_AA)
    else:
        # The torn edge runs from the top of the sheet to its right side, through the code.
        start, end = (
            (x0 + side * rng.uniform(-0.2, 0.4), 0),
            (page.shape[1], y1 + side * rng.random()),
        )
        steps = np.linspace(0, 1, 30)[:, None]
        edge = np.array(start) * (1 - steps) + np.array(end) * steps
        edge[1:-1] += np.array([[rng.gauss(0, side * 0.02) for _ in range(2)] for _ in edge[1:-1]])
        corner = np.concatenate([edge, [[page.shape[1], 0]]]).astype(np.int32)
        cv2.fillPoly(page, [corner], rng.choice(((96, 72, 52), (40, 44, 40), (120, 118, 112))))
    return page


class Photographer:
    """Fills printed sheets and photographs them. What is drawn for a sheet depends on its name
    alone, so that sheets may be made side by side.
    """

    def __init__(self, args):
        self.args, self.printer = args, Printer(args)
        self.bank = render.StrokeBank(os.path.join(args.data, "strokes"), True, 1)
        self.faces = render.FontBank(args.fonts, True)

    def fill(self, page, sheet, moves, rng):
        """Returns the page with a game on it, and the cells' boxes in pixels."""
        writer = writing.Writer(self.bank, self.faces, rng.choice(LANGUAGES), rng)
        writer.placing.fill = "all"
        ink = np.zeros(page.shape[:2], np.uint8)
        cells = [
            (cell["move"], cell["side"], tuple(v * PX_PER_MM for v in cell["box"]), 0)
            for cell in sheet["cells"]
        ]
        texts = writer.spell_moves(moves, 0, min(len(moves), len(cells)))
        writing.fill_cells(writer, ink, cells, texts, rng, "")
        return writer.blend_onto(page, ink, rng.randrange(1 << 30)), [box for *_, box, _ in cells]

    def make(self, job):
        """Makes a sheet and its photographs. Returns what is true of each."""
        rng = random.Random(f"{self.args.seed} {job['names'][0]}")
        page, sheet = self.printer.take_sheet(job["pdf"], job["place"], job["side"])
        page, boxes = self.fill(page, sheet, job["moves"], rng)
        if job["hidden"]:
            page = hide_code(page, [v * PX_PER_MM for v in sheet["square"]], rng)
        return [self.shoot(page, boxes, sheet, name, job, rng) for name in job["names"]]

    def shoot(self, page, boxes, sheet, name, job, rng):
        """Photographs a page. Returns what is true of the picture."""
        shot = draw_shot(rng)
        corners = [
            (x, y) for x0, y0, x1, y1 in boxes for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        ]
        height, width = page.shape[:2]
        rim = [(0, 0), (width, 0), (width, height), (0, height)]
        seed = rng.randrange(1 << 30)
        picture, positions = photograph.take_picture(page, corners, rim, shot, rng, False, seed)
        Image.fromarray(picture).save(os.path.join(self.args.out, name), quality=shot.quality)
        quads = np.round(positions.reshape(-1, 4, 2), 1).tolist()
        cells = [
            {"move": cell["move"], "side": cell["side"], "box": quad}
            for cell, quad in zip(sheet["cells"], quads)
        ]
        about = {key: getattr(shot, key) for key in SHOT_KEYS}
        facts = {"sheet": name, "code": sheet["code"], "board": job["board"], "cells": cells}
        return {**facts, **about, "hidden": job["hidden"]}


def start_photographer(args):
    """Makes the photographer of a process."""
    global photographer
    cv2.setNumThreads(1)
    photographer = Photographer(args)


def make_sheet(job):
    """Makes a sheet with the photographer of this process."""
    return photographer.make(job)


def make_round(args):
    """Makes the round of the command line."""
    rng = random.Random(args.seed)
    cv2.setNumThreads(1)
    for folder in ("sheets", "faults"):
        os.makedirs(os.path.join(args.out, folder), exist_ok=True)
    boards = args.boards
    names = name_players(2 * boards)
    rounds = draw_rounds(len(names), rng)
    path = os.path.join(args.data, "pgn", "club_games.pgn.gz")
    games = event.draw_games(path, boards, args.seed)
    signs = {"1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("=", "=")}
    results = [signs[result] for _, result in games]
    reports = {
        # What the arbiter has before the round, and after it.
        "paired": format_report("Made Open", names, rounds, [(" ", " ")] * boards),
        "event": format_report("Made Open", names, rounds, results),
        "other": format_report("Other Open", names, rounds, results),
    }
    for name, text in reports.items():
        with open(os.path.join(args.out, name + ".trf"), "w", encoding="utf-8") as f:
            f.write(text)
    printer = Printer(args)
    paired, other = (os.path.join(args.out, name) for name in ("paired.trf", "other.trf"))
    printed = {paper: printer.print_round(paired, ROUND, paper) for paper in PAPERS}
    order = [(board, side) for board in range(boards) for side in ("white", "black")]
    hidden = set(rng.sample(range(len(order)), len(order) // 10))

    def job(names, place, side, game, board, pdf=printed["a5"], is_hidden=False):
        """`place` is the board that the sheet was printed for, `board` the one it belongs to."""
        return {
            "names": names,
            "pdf": pdf,
            "place": place,
            "side": side,
            "moves": games[game][0],
            "board": board,
            "hidden": is_hidden,
        }

    jobs = [
        job([f"sheets/{i:03}.jpg"], k, side, k, k, printed[PAPERS[k % len(PAPERS)]], i in hidden)
        for i, (k, side) in enumerate(order)
    ]
    # The players of boards 2 and 3 with White wrote on each other's sheets.
    for board, neighbour in ((2, 3), (3, 2)):
        jobs.append(job([f"faults/exchanged-{board}.jpg"], neighbour, "white", board, None))
        jobs.append(job([f"faults/opponent-{board}.jpg"], board, "black", board, board))
    jobs.append(job(["faults/twice-1.jpg", "faults/twice-2.jpg"], 4, "white", 4, 4))
    elsewhere = printer.print_round(paired, ROUND - 1, "a5")
    jobs.append(job(["faults/other-round.jpg"], 5, "white", 5, None, elsewhere))
    elsewhere = printer.print_round(other, ROUND, "a5")
    jobs.append(job(["faults/other-event.jpg"], 6, "white", 6, None, elsewhere))
    with multiprocessing.Pool(args.jobs, start_photographer, (args,)) as pool:
        made = pool.map(make_sheet, jobs, chunksize=1)
    truth = [facts for sheets in made for facts in sheets]
    with open(os.path.join(args.out, "truth.json"), "w") as f:
        json.dump({"pairings": rounds[-1], "sheets": truth}, f)


def intersection_over_union(a, b):
    """Returns that of two convex quads."""
    a, b = np.array(a, np.float32), np.array(b, np.float32)
    shared, _ = cv2.intersectConvexConvex(a, b)
    return shared / max(cv2.contourArea(a) + cv2.contourArea(b) - shared, 1e-6)


def match(args, folder):
    """Scans a pile and matches its games without the words of its sheets. Returns the lines of the
    scan, the coverage, the findings, and seconds a sheet.
    """
    lines = os.path.join(args.folder, folder + ".jsonl")
    pile = os.path.join(args.folder, folder)
    count = len(os.listdir(pile))
    start = time.monotonic()
    subprocess.run(
        [args.program, "scan", pile, "--no-cache", "-q", "--json", lines, "-o", os.devnull],
        check=False,
    )
    seconds = (time.monotonic() - start) / count
    report = os.path.join(args.folder, folder + "-report")
    trf = os.path.join(args.folder, "event.trf")
    command = [args.program, "merge", lines, "--trf", trf, "--round", str(ROUND), "-q"]
    pgn = os.path.join(args.folder, folder + ".pgn")
    subprocess.run([*command, "--report", report, "-o", pgn], check=False)
    read = [
        list(csv.DictReader(open(os.path.join(report, name), encoding="utf-8")))
        for name in ("coverage.csv", "checks.csv")
    ]
    return [json.loads(line) for line in open(lines, encoding="utf-8")], *read, seconds


def judge_round(args):
    """Prints the figures of both piles."""
    facts = json.load(open(os.path.join(args.folder, "truth.json"), encoding="utf-8"))
    truth = {row["sheet"]: row for row in facts["sheets"]}
    whites = {white + 1: board for board, (white, _) in enumerate(facts["pairings"])}
    games, coverage, _, seconds = match(args, "sheets")
    boards, cells, coded = {}, {}, set()
    for row in coverage:
        for name in re.findall(r"(\d+\.jpg)", row["sheets"]):
            boards["sheets/" + name] = whites[int(row["white_rank"])]
    for game in games:
        for sheet in game["sheets"]:
            name = "sheets/" + os.path.basename(sheet["path"])
            cells[name] = {(c["move"], c["side"]): c["box"] for c in sheet.get("cells", [])}
            if sheet.get("code"):
                coded.add(name)
    counts = defaultdict(Counter)
    for name, row in truth.items():
        if not name.startswith("sheets/"):
            continue
        group = counts["code hidden" if row["hidden"] else "code in view"]
        found = cells.get(name, {})
        true = {(c["move"], c["side"]): c["box"] for c in row["cells"]}
        ious = [intersection_over_union(found[k], true[k]) if k in found else 0 for k in true]
        is_whole = min(ious) >= MIN_IOU and len(found) == len(true)
        matched = boards.get(name)
        group["sheets"] += 1
        group["code read"] += name in coded
        group["tables right"] += is_whole
        group["matched"] += matched == row["board"]
        group["matched wrongly"] += matched is not None and matched != row["board"]
        if not is_whole or (matched != row["board"] and not row["hidden"]):
            about = {key: row[key] for key in (*SHOT_KEYS, "hidden")}
            print(
                name,
                f"smallest IoU {min(ious):.2f}",
                "code" if name in coded else "no code",
                f"matched {matched} for {row['board']}",
                about,
            )
    for group, count in counts.items():
        print(group, dict(count))
    print(f"{seconds:.2f} s a sheet")
    judge_faults(args, whites)


def judge_faults(args, whites):
    """Prints what is told of the sheets that belong elsewhere."""
    _, coverage, findings, _ = match(args, "faults")
    wrong = [
        (row["white"], row["sheets"])
        for row in coverage
        if re.search("exchanged|other", row["sheets"])
    ]
    print("matched although they belong elsewhere:", wrong or "none")
    for name, codes in (
        ("other-round", ("M1", "M5")),
        ("other-event", ("M1",)),
        ("exchanged-2", ("M5",)),
        ("exchanged-3", ("M5",)),
        ("twice", ("M2",)),
    ):
        told = [f for f in findings if f["code"] in codes and name in f["where"] + f["what"]]
        print(name, "told:" if told else "NOT TOLD", *(f"{f['code']} {f['what']}" for f in told))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="what", required=True)
    make = commands.add_parser("make")
    make.add_argument("--program", required=True, help="sheetscan")
    make.add_argument("--printed-cells", required=True, help="examples/printed_cells.rs, built")
    make.add_argument("--data", required=True)
    make.add_argument("--fonts", required=True, help="the node_modules folder with @fontsource")
    make.add_argument("--out", required=True)
    make.add_argument("--boards", type=int, default=40)
    make.add_argument("--seed", type=int, default=46)
    make.add_argument("--jobs", type=int, default=2)
    judge = commands.add_parser("judge")
    judge.add_argument("folder")
    judge.add_argument("program")
    args = parser.parse_args()
    make_round(args) if args.what == "make" else judge_round(args)


if __name__ == "__main__":
    main()
