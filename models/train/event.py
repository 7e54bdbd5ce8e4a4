"""Makes an event on paper: a report file, and photographs of the sheets of its games with their headers filled in by hand.

`python models/train/event.py make --data DATA --fonts NODE_MODULES --out DIR` makes 40 pairings of 28 players in three rounds, two
sheets each, by hands and on forms that trained nothing, in eight languages, and plants what goes wrong in a hall: a pairing with
one sheet and one with none, a sheet photographed twice, one of another event, one whose colours the report file has the other way
round, a wrong result, a forfeit with a sheet, names misspelt, fields left blank. DIR/event.trf is the report file,
DIR/truth.tsv says of each picture which pairing it is of. `python models/train/event.py judge DIR PROGRAM` reads and judges them.
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
import layout  # noqa: E402
import photograph  # noqa: E402
import printing  # noqa: E402
import render  # noqa: E402
import sheet as sheets  # noqa: E402
from texts import TOKEN  # noqa: E402
from words import plain  # noqa: E402

PLAYERS = (
    """
Abrantes, Duarte|Zanella, Ilaria|Überschär, Konrad|Quintanilla, Ximena|Delaroche, Étienne|van der Wal, Femke|Wyszyńska, Zofia|Thorvaldsen, Ketil
Bertolucci, Saverio|Figueiredo, Rui|Hinterleitner, Veit|Echeverría, Unai|Brisebois, Maxence|Nijhuis, Wouter|Czajkowski, Leszek|O'Sullivan, Ciaran
Tavares, Inês|Pagliarulo, Fausto|Lindqvist, Åsa|Ostermann, Beate|Carrasquilla, Iker|Vandenbroucke, Lode|Gajewska, Halina|Whitfield, Nigel
Rossetti, Bruna|Rossetti, Carlo|Szymborska, Ewa|Lindgren, Axel
""".strip()
    .replace("\n", "|")
    .split("|")
)
STRANGERS = ("Mordaunt, Giles", "Fitzgibbon, Oona")
ROUNDS, PER_ROUND, DAYS = 3, (14, 13, 13), ("24/11/29", "24/11/30", "24/12/01")


def games(path, count, seed):
    """Games of the part that trains nothing, with their results: of 20 to 50 moves."""
    found = []
    bodies = re.split(r"\n\n(?=\[)", gzip.open(path, "rt").read())[1::2]
    random.Random(seed).shuffle(bodies)
    for body in bodies:
        result = re.search(r'Result "([^"]*)"', body)
        moves = TOKEN.findall(re.sub(r"\{[^}]*\}|\[[^\]]*\]", " ", body))
        if (
            result
            and result[1] in ("1-0", "0-1", "1/2-1/2")
            and 40 <= len(moves) <= 100
            and not moves[-1].endswith("#")
        ):
            found.append((moves, result[1]))
        if len(found) == count:
            return found
    raise SystemExit("too few games")


def pairings(rng):
    """(round, White, Black) with every player at most once a round and no two players twice."""
    met, found = set(), []
    for number, count in zip(range(1, ROUNDS + 1), PER_ROUND):
        while True:
            order = rng.sample(range(len(PLAYERS)), len(PLAYERS))
            pairs = [tuple(order[2 * i : 2 * i + 2]) for i in range(count)]
            if not any(frozenset(pair) in met for pair in pairs):
                break
        met |= {frozenset(pair) for pair in pairs}
        found += [(number, *pair) for pair in pairs]
    return found


def written(name, rng, misspelt):
    """A name as a player puts it."""
    last, first = name.split(", ")
    if misspelt:
        at = rng.randrange(1, len(last) - 1)
        last = rng.choice(
            (
                last[:at] + last[at + 1 :],
                last[:at] + rng.choice("aeiounrst") + last[at + 1 :],
                last[:at] + last[at] + last[at:],
            )
        )
    ways = (
        f"{last}, {first}",
        f"{last} {first}",
        f"{first} {last}",
        f"{last} {first[0]}.",
        f"{first[0]}. {last}",
        last,
        f"{last.upper()} {first}",
    )
    return plain(rng.choices(ways, (20, 18, 22, 10, 8, 14, 8))[0])


def teller(players, number, board, result, rng, misspelt):
    """What one player writes into the fields of a form."""
    names = [written(name, rng, misspelt) for name in players]
    d, m, y = reversed(DAYS[number - 1].split("/"))
    day = rng.choice(
        (f"{int(d)}.{int(m)}.20{y}", f"{d}/{m}/{y}", f"{d}.{m}.{y}", f"{int(d)}.{int(m)}.")
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
    blank = (0.03, 0.03, 0.4, 0.25, 0.15, 0.3, 0.3, 0.3, 1.0)
    left = [rng.random() < share for share in blank]
    return lambda words, field: (
        None if left[words.index(field[4])] else values[words.index(field[4])]
    )


def trf(paired, results):
    """The report file; `results` has White's sign and Black's of each pairing."""
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
                    slot = f"{(b if i == w else w) + 1:4} {'w' if i == w else 'b'} {results[k][0 if i == w else 1]}  "
            slots.append(slot)
        lines.append(
            f"001 {i + 1:4}      {name:33} {1500 + 10 * i:4} GER {1000000 + i:11}            {0.0:4} {i + 1:4}  "
            + "".join(slots)
        )
    return "\n".join(line.rstrip() for line in lines) + "\n"


def make(o):
    rng = random.Random(o.seed)
    os.makedirs(os.path.join(o.out, "sheets"), exist_ok=True)
    cv2.setNumThreads(1)
    bank, faces = (
        render.Strokes(os.path.join(o.data, "strokes"), True, 1),
        render.Fonts(o.fonts, True),
    )
    paths = printing.faces(printed.fetch(o.prints))
    paths = {
        name: path
        for name, path in paths.items()
        if name in printed.PRINTS or name.startswith("DejaVu")
    }
    kinds = layout.kinds(True)
    paired = pairings(rng)
    played = games(os.path.join(o.data, "pgn", "club_games.pgn.gz"), len(paired) + 1, o.seed)
    one, none, twice, swapped, wrong, forfeit, *misspelt = rng.sample(range(len(paired)), 10)
    signs = {"1-0": ("1", "0"), "0-1": ("0", "1"), "1/2-1/2": ("=", "=")}
    results, filed = [signs[result] for _, result in played], [tuple(p) for p in paired]
    results[wrong] = {"1": ("0", "1"), "0": ("1", "0"), "=": ("1", "0")}[results[wrong][0]]
    results[forfeit] = {"1": ("+", "-"), "0": ("-", "+"), "=": ("+", "-")}[results[forfeit][0]]
    number, white, black = paired[swapped]
    filed[swapped], results[swapped] = (number, black, white), results[swapped][::-1]
    with open(os.path.join(o.out, "event.trf"), "w", encoding="utf-8") as f:
        f.write(trf(filed, results))
    planted = {"C1": none, "M3": swapped, "R1": wrong, "M4": forfeit, "M2": twice}
    rows, count = [], 0

    def sheet(pairing, game, players, number, board, shots=1, misspelt=False):
        nonlocal count
        moves, result = game
        kind = rng.choices(list(kinds), list(kinds.values()))[0]
        while True:
            form = layout.draw(kind, sorted(paths), len(moves), rng)
            room = form.rows * (form.blocks - 1) + form.last_rows > len(moves) // 2 + 2
            # A wrong result is on paper, so that it can be found.
            if (
                form.header != "none"
                and form.start == 1
                and form.spread == "none"
                and (room or pairing != wrong)
            ):
                break
            if pairing == wrong:
                kind = rng.choices(list(kinds), list(kinds.values()))[0]
        tell = teller(players, number, board, result, rng, misspelt)
        seed = rng.randrange(1 << 30)
        for _ in range(shots):
            count += 1
            hand, shot = random.Random(seed), photograph.draw(rng)
            # As arbiters take them: the whole page, upright, with a telephone of these days, but smaller to save time.
            shot.pixels, shot.framing, shot.turn = (
                rng.uniform(3, 8),
                rng.choice(("desk", "page")),
                0,
            )
            shot.tilt = min(shot.tilt, 20)
            ending = (
                result.replace("1/2-1/2", "1/2") if pairing == wrong or hand.random() < 0.6 else ""
            )
            picture, *_ = sheets.make(
                kind, moves, paths, bank, faces, hand, seed + count, (form, shot), tell, ending
            )
            name = f"{count:03}.jpg"
            Image.fromarray(picture).save(
                os.path.join(o.out, "sheets", name), quality=max(70, shot.quality)
            )
            rows.append(
                (name, pairing, *players, number, form.header, form.language, int(misspelt))
            )

    for k, (number, white, black) in enumerate(paired):
        board = k - sum(PER_ROUND[: number - 1]) + 1
        players = (PLAYERS[white], PLAYERS[black])
        copies = 0 if k == none else 1 if k == one else 2
        for copy in range(copies):
            sheet(
                k,
                played[k],
                players,
                number,
                board,
                2 if k == twice and copy == 0 else 1,
                k in misspelt,
            )
    sheet("", played[-1], STRANGERS, 2, 5)
    with open(os.path.join(o.out, "truth.tsv"), "w", encoding="utf-8") as f:
        f.write(
            "sheet\tpairing\twhite\tblack\tround\theader\tlanguage\tmisspelt\n"
            + "".join("\t".join(map(str, row)) + "\n" for row in rows)
        )
    with open(os.path.join(o.out, "planted.json"), "w") as f:
        json.dump(
            {
                code: [paired[k][0], PLAYERS[filed[k][1]], PLAYERS[filed[k][2]]]
                for code, k in planted.items()
            },
            f,
        )


def judge(o):
    """Scans and matches; prints sheets matched rightly, wrongly and not, and what was found of what was planted."""
    out = os.path.join(o.folder, "out")
    lines = os.path.join(o.folder, "games.jsonl")
    if o.again or not os.path.exists(lines):
        subprocess.run(
            [
                o.program,
                "scan",
                os.path.join(o.folder, "sheets"),
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
            o.program,
            "merge",
            lines,
            "--trf",
            os.path.join(o.folder, "event.trf"),
            "-o",
            os.path.join(o.folder, "games.pgn"),
            "--report",
            out,
            "--quiet",
        ]
    )
    truth = list(
        csv.DictReader(open(os.path.join(o.folder, "truth.tsv"), encoding="utf-8"), delimiter="\t")
    )
    reversed_ = json.load(open(os.path.join(o.folder, "planted.json")))["M3"]
    place = {}
    for row in csv.DictReader(open(os.path.join(out, "coverage.csv"), encoding="utf-8")):
        for name in re.findall(r"(\d+\.jpg)", row["sheets"]):
            place[name] = (row["round"], frozenset((row["white"], row["black"])))
    counts = Counter()
    for row in truth:
        wanted = (row["round"], frozenset((row["white"], row["black"]))) if row["pairing"] else None
        got = place.get(row["sheet"])
        verdict = "right" if got == wanted else "not" if got is None else "WRONG"
        counts[verdict] += 1
        if verdict != "right":
            print(f"{verdict}\t" + "\t".join(row.values()) + f"\t{got}")
    print(dict(counts), "of", len(truth))
    planted = json.load(open(os.path.join(o.folder, "planted.json")))
    found = list(csv.DictReader(open(os.path.join(out, "checks.csv"), encoding="utf-8")))
    for code, (number, white, black) in planted.items():
        about = [
            f
            for f in found
            if f["code"] == code
            and white in f["where"] + f["what"]
            and black in f["where"] + f["what"]
        ]
        print(code, "found" if about else "NOT FOUND", number, white, black)
    told = {(code, w, b) for code, (_, w, b) in planted.items()}
    for f in found:
        if f["level"] == "E" and not any(
            f["code"] == c and w in f["where"] + f["what"] and b in f["where"] + f["what"]
            for c, w, b in told
        ):
            print("false alarm?", f)
    print(Counter(f["code"] for f in found), reversed_)


def main():
    a = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = a.add_subparsers(dest="what", required=True)
    m = what.add_parser("make")
    m.add_argument("--data", required=True)
    m.add_argument("--fonts", required=True, help="the node_modules folder that holds @fontsource")
    m.add_argument(
        "--prints",
        default=os.path.expanduser("~/.cache/sheetscan-fonts"),
        help="folder for the printed forms' fonts",
    )
    m.add_argument("--out", required=True)
    m.add_argument("--seed", type=int, default=1)
    j = what.add_parser("judge")
    j.add_argument("folder")
    j.add_argument("program")
    j.add_argument("--again", action="store_true", help="scan although DIR/games.jsonl is there")
    o = a.parse_args()
    make(o) if o.what == "make" else judge(o)


if __name__ == "__main__":
    main()
