"""Makes an event on paper: a report file, and photographs of the sheets of its games with their
headers filled in by hand.

`python models/train/event.py make --data DATA --fonts NODE_MODULES --out DIR` makes 40 pairings of
28 players in three rounds, two sheets each, in eight languages, by hands and on forms that trained
nothing. It plants what goes wrong in a hall: a pairing with one sheet and one with none, a sheet
photographed twice, a sheet of another event, a sheet whose colours the report file has the other
way round, a wrong result, a forfeit with a sheet, misspelt names and blank fields. DIR/event.trf is
the report file; DIR/truth.tsv says of each picture which pairing it belongs to, DIR/fields.json
what is written in its header.

`python models/train/event.py judge DIR PROGRAM` reads and scores them.
"""

import argparse
import csv
import gzip
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter

import cv2
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "forms"), os.path.join(HERE, "samples")]
import fonts as printed  # noqa: E402
import kinds  # noqa: E402
import press as presses  # noqa: E402
import render  # noqa: E402
import sheet as sheets  # noqa: E402
from shots import draw_shot  # noqa: E402
from texts import SAN_TOKEN  # noqa: E402
from words import strip_accents  # noqa: E402

PLAYERS = (
    "Abrantes, Duarte|Zanella, Ilaria|Überschär, Konrad|Quintanilla, Ximena|Delaroche, Étienne|"
    "van der Wal, Femke|Wyszyńska, Zofia|Thorvaldsen, Ketil|Bertolucci, Saverio|"
    "Figueiredo, Rui|Hinterleitner, Veit|Echeverría, Unai|Brisebois, Maxence|Nijhuis, Wouter|"
    "Czajkowski, Leszek|O'Sullivan, Ciaran|Tavares, Inês|Pagliarulo, Fausto|Lindqvist, Åsa|"
    "Ostermann, Beate|Carrasquilla, Iker|Vandenbroucke, Lode|Gajewska, Halina|Whitfield, Nigel|"
    "Rossetti, Bruna|Rossetti, Carlo|Szymborska, Ewa|Lindgren, Axel"
).split("|")
STRANGERS = ("Mordaunt, Giles", "Fitzgibbon, Oona")
# The fields that are judged, by their place among the words of a form.
FIELD_NAMES = {0: "white", 1: "black", 3: "date", 4: "round", 5: "board", 6: "result"}
ROUNDS, PER_ROUND, DAYS = 3, (14, 13, 13), ("24/11/29", "24/11/30", "24/12/01")


def draw_games(path, count, seed):
    """Draws games of 20 to 50 moves, with their results, from the part that trains nothing."""
    chosen = []
    bodies = re.split(r"\n\n(?=\[)", gzip.open(path, "rt").read())[1::2]
    random.Random(seed).shuffle(bodies)
    for body in bodies:
        result = re.search(r'Result "([^"]*)"', body)
        moves = SAN_TOKEN.findall(re.sub(r"\{[^}]*\}|\[[^\]]*\]", " ", body))
        if (
            result
            and result[1] in ("1-0", "0-1", "1/2-1/2")
            and 40 <= len(moves) <= 100
            and not moves[-1].endswith("#")
        ):
            chosen.append((moves, result[1]))
        if len(chosen) == count:
            return chosen
    raise SystemExit("too few games")


def draw_pairings(rng):
    """Returns (round, White, Black). Every player has at most one game a round, and no two players
    meet twice.
    """
    met_before, paired = set(), []
    for number, count in zip(range(1, ROUNDS + 1), PER_ROUND):
        while True:
            order = rng.sample(range(len(PLAYERS)), len(PLAYERS))
            pairs = [tuple(order[2 * i : 2 * i + 2]) for i in range(count)]
            if not any(frozenset(pair) in met_before for pair in pairs):
                break
        met_before |= {frozenset(pair) for pair in pairs}
        paired += [(number, *pair) for pair in pairs]
    return paired


def write_name(name, rng, misspelt):
    """Returns a name as a player writes it."""
    last, first = name.split(", ")
    if misspelt:
        position = rng.randrange(1, len(last) - 1)
        last = rng.choice(
            (
                last[:position] + last[position + 1 :],
                last[:position] + rng.choice("aeiounrst") + last[position + 1 :],
                last[:position] + last[position] + last[position:],
            )
        )
    spellings = (
        f"{last}, {first}",
        f"{last} {first}",
        f"{first} {last}",
        f"{last} {first[0]}.",
        f"{first[0]}. {last}",
        last,
        f"{last.upper()} {first}",
    )
    return strip_accents(rng.choices(spellings, (20, 18, 22, 10, 8, 14, 8))[0])


def make_field_writer(players, number, board, result, rng, misspelt):
    """Returns a function that says what one player writes into a field of a form, and the dict in
    which it notes the fields that `eval/header_fields.py` judges.
    """
    names = [write_name(name, rng, misspelt) for name in players]
    day_number, month, year = reversed(DAYS[number - 1].split("/"))
    day = rng.choice(
        (
            f"{int(day_number)}.{int(month)}.20{year}",
            f"{day_number}/{month}/{year}",
            f"{day_number}.{month}.{year}",
            f"{int(day_number)}.{int(month)}.",
        )
    )
    values = [
        names[0],
        names[1],
        rng.choice(("Open", "City Open", "Open 2024")),
        day,
        str(number),
        str(board),
        result,
        names[rng.randrange(2)].split()[0],
        "",
    ]
    blank_shares = (0.03, 0.03, 0.4, 0.25, 0.15, 0.3, 0.3, 0.3, 1.0)
    is_blank = [rng.random() < share for share in blank_shares]
    written = {}

    def write_field(words, field):
        k = words.index(field[4])
        if is_blank[k]:
            return None
        if k in FIELD_NAMES:
            written[FIELD_NAMES[k]] = values[k]
        return values[k]

    return write_field, written


def format_report(paired, results):
    """Returns the report file (TRF). `results` has the signs of White and Black of each pairing."""
    lines = [
        "012 Made Open",
        "022 Nowhere",
        "042 2024/11/29",
        "052 2024/12/01",
        "132" + " " * 88 + "  ".join(DAYS),
        f"142 {ROUNDS}",
    ]
    for i, name in enumerate(PLAYERS):
        slots = []
        for number in range(1, ROUNDS + 1):
            slot = "0000 - U  "
            for k, (r, w, b) in enumerate(paired):
                if r == number and i in (w, b):
                    opponent, colour = (b, "w") if i == w else (w, "b")
                    slot = f"{opponent + 1:4} {colour} {results[k][0 if i == w else 1]}  "
            slots.append(slot)
        lines.append(
            f"001 {i + 1:4}      {name:33} {1500 + 10 * i:4} GER {1000000 + i:11}"
            f"            {0.0:4} {i + 1:4}  " + "".join(slots)
        )
    return "\n".join(line.rstrip() for line in lines) + "\n"


class SheetMaker:
    """Makes the photographed sheets of an event, by hands and on forms that train nothing."""

    def __init__(self, args, rng, wrong_result):
        self.folder, self.rng, self.wrong_result = (
            os.path.join(args.out, "sheets"),
            rng,
            wrong_result,
        )
        self.bank = render.StrokeBank(os.path.join(args.data, "strokes"), True, 1)
        self.faces = render.FontBank(args.fonts, True)
        paths = presses.find_faces(printed.fetch_fonts(args.prints))
        self.paths = {
            name: path
            for name, path in paths.items()
            if name in printed.PRINTS or name.startswith("DejaVu")
        }
        self.kinds = kinds.weigh_kinds(True)
        self.rows = []
        # What stands in the fields of each sheet.
        self.written = []

    def draw_kind(self):
        """Draws a kind of form."""
        return self.rng.choices(list(self.kinds), list(self.kinds.values()))[0]

    def draw_form(self, pairing, ply_count):
        """Draws a form with a header that starts at move 1, and its kind."""
        kind = self.draw_kind()
        while True:
            form = kinds.draw_form(kind, sorted(self.paths), ply_count, self.rng)
            room = form.rows * (form.blocks - 1) + form.last_rows > ply_count // 2 + 2
            plain = form.header != "none" and form.start == 1 and form.spread == "none"
            # The wrong result has to be on paper, so that it can be found.
            if plain and (room or pairing != self.wrong_result):
                return form, kind
            if pairing == self.wrong_result:
                kind = self.draw_kind()

    def make(self, pairing, game, players, number, board, shots=1, misspelt=False):
        """Makes one sheet and photographs it `shots` times."""
        moves, result = game
        form, kind = self.draw_form(pairing, len(moves))
        write_field, written = make_field_writer(players, number, board, result, self.rng, misspelt)
        seed = self.rng.randrange(1 << 30)
        for _ in range(shots):
            count = len(self.rows) + 1
            hand, shot = random.Random(seed), draw_shot(self.rng)
            # Arbiters photograph the whole page upright with a current telephone. Here the pictures
            # are smaller to save time.
            shot.pixels = self.rng.uniform(3, 8)
            shot.framing, shot.turn = self.rng.choice(("desk", "page")), 0
            shot.tilt = min(shot.tilt, 20)
            has_ending = pairing == self.wrong_result or hand.random() < 0.6
            ending = result.replace("1/2-1/2", "1/2") if has_ending else ""
            picture, *_ = sheets.make_sheet(
                kind,
                moves,
                self.paths,
                self.bank,
                self.faces,
                hand,
                seed + count,
                (form, shot),
                write_field,
                ending,
            )
            name = f"{count:03}.jpg"
            path = os.path.join(self.folder, name)
            Image.fromarray(picture).save(path, quality=max(70, shot.quality))
            facts = (number, form.header, form.language, int(misspelt))
            self.rows.append((name, pairing, *players, *facts))
            self.written.append((name, dict(written)))


def make_event(args):
    """Makes the event of the command line."""
    rng = random.Random(args.seed)
    os.makedirs(os.path.join(args.out, "sheets"), exist_ok=True)
    cv2.setNumThreads(1)
    paired = draw_pairings(rng)
    games_played = draw_games(
        os.path.join(args.data, "pgn", "club_games.pgn.gz"), len(paired) + 1, args.seed
    )
    one_sheet, no_sheet, photographed_twice, swapped_colours, wrong_result, forfeit, *misspelt = (
        rng.sample(range(len(paired)), 10)
    )
    result_signs = {"1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("=", "=")}
    results = [result_signs[result] for _, result in games_played]
    reported = [tuple(pairing) for pairing in paired]
    wrong_signs = {"1": ("0", "1"), "0": ("1", "0"), "=": ("1", "0")}
    results[wrong_result] = wrong_signs[results[wrong_result][0]]
    forfeit_signs = {"1": ("+", "-"), "0": ("-", "+"), "=": ("+", "-")}
    results[forfeit] = forfeit_signs[results[forfeit][0]]
    number, white, black = paired[swapped_colours]
    reported[swapped_colours] = (number, black, white)
    results[swapped_colours] = results[swapped_colours][::-1]
    with open(os.path.join(args.out, "event.trf"), "w", encoding="utf-8") as f:
        f.write(format_report(reported, results))
    planted = {
        "C1": no_sheet,
        "M3": swapped_colours,
        "R1": wrong_result,
        "M4": forfeit,
        "M2": photographed_twice,
    }
    maker = SheetMaker(args, rng, wrong_result)
    for k, (number, white, black) in enumerate(paired):
        board = k - sum(PER_ROUND[: number - 1]) + 1
        players = (PLAYERS[white], PLAYERS[black])
        copies = 0 if k == no_sheet else 1 if k == one_sheet else 2
        for copy in range(copies):
            shots = 2 if k == photographed_twice and copy == 0 else 1
            maker.make(k, games_played[k], players, number, board, shots, k in misspelt)
    maker.make("", games_played[-1], STRANGERS, 2, 5)
    with open(os.path.join(args.out, "truth.tsv"), "w", encoding="utf-8") as f:
        f.write(
            "sheet\tpairing\twhite\tblack\tround\theader\tlanguage\tmisspelt\n"
            + "".join("\t".join(map(str, row)) + "\n" for row in maker.rows)
        )
    with open(os.path.join(args.out, "fields.json"), "w", encoding="utf-8") as f:
        json.dump(dict(maker.written), f, indent=1)
    with open(os.path.join(args.out, "planted.json"), "w") as f:
        json.dump(
            {
                code: [paired[k][0], PLAYERS[reported[k][1]], PLAYERS[reported[k][2]]]
                for code, k in planted.items()
            },
            f,
        )


def judge_event(args):
    """Scans the sheets and matches them. Prints how many were matched rightly, wrongly and not at
    all, and which of the planted faults were found.
    """
    out = os.path.join(args.folder, "out")
    lines = os.path.join(args.folder, "games.jsonl")
    if args.again or not os.path.exists(lines):
        subprocess.run(
            [
                args.program,
                "scan",
                os.path.join(args.folder, "sheets"),
                "--shard",
                "--jobs",
                "1",
                "--no-cache",
                "--quiet",
                "--json",
                lines,
                "-o",
                os.devnull,
            ]
        )
    subprocess.run(
        [
            args.program,
            "merge",
            lines,
            "--trf",
            os.path.join(args.folder, "event.trf"),
            "-o",
            os.path.join(args.folder, "games.pgn"),
            "--report",
            out,
            "--quiet",
        ]
    )
    truth = list(
        csv.DictReader(
            open(os.path.join(args.folder, "truth.tsv"), encoding="utf-8"), delimiter="\t"
        )
    )
    reversed_pairing = json.load(open(os.path.join(args.folder, "planted.json")))["M3"]
    placement = {}
    for row in csv.DictReader(open(os.path.join(out, "coverage.csv"), encoding="utf-8")):
        for name in re.findall(r"(\d+\.jpg)", row["sheets"]):
            placement[name] = (row["round"], frozenset((row["white"], row["black"])))
    counts = Counter()
    for row in truth:
        expected = (
            (row["round"], frozenset((row["white"], row["black"]))) if row["pairing"] else None
        )
        matched = placement.get(row["sheet"])
        verdict = "right" if matched == expected else "not" if matched is None else "WRONG"
        counts[verdict] += 1
        if verdict != "right":
            print(f"{verdict}\t" + "\t".join(row.values()) + f"\t{matched}")
    print(dict(counts), "of", len(truth))
    planted = json.load(open(os.path.join(args.folder, "planted.json")))
    checks = list(csv.DictReader(open(os.path.join(out, "checks.csv"), encoding="utf-8")))
    for code, (number, white, black) in planted.items():
        reports = [
            f
            for f in checks
            if f["code"] == code
            and white in f["where"] + f["what"]
            and black in f["where"] + f["what"]
        ]
        print(code, "found" if reports else "NOT FOUND", number, white, black)
    planted_faults = {(code, w, b) for code, (_, w, b) in planted.items()}
    for f in checks:
        if f["level"] == "E" and not any(
            f["code"] == c and w in f["where"] + f["what"] and b in f["where"] + f["what"]
            for c, w, b in planted_faults
        ):
            print("false alarm?", f)
    print(Counter(f["code"] for f in checks), reversed_pairing)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="what", required=True)
    make_parser = commands.add_parser("make")
    make_parser.add_argument("--data", required=True)
    make_parser.add_argument(
        "--fonts", required=True, help="the node_modules folder that holds @fontsource"
    )
    make_parser.add_argument(
        "--prints",
        default=os.path.expanduser("~/.cache/sheetscan-fonts"),
        help="folder for the printed forms' fonts",
    )
    make_parser.add_argument("--out", required=True)
    make_parser.add_argument("--seed", type=int, default=1)
    judge_parser = commands.add_parser("judge")
    judge_parser.add_argument("folder")
    judge_parser.add_argument("program")
    judge_parser.add_argument(
        "--again", action="store_true", help="scan although DIR/games.jsonl is there"
    )
    args = parser.parse_args()
    make_event(args) if args.what == "make" else judge_event(args)


if __name__ == "__main__":
    main()
