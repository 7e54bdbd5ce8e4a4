"""Scores what `scan` reads in the headers of sheets, and fits how sure it is.

`python3 eval/header_fields.py GAMES.jsonl TRUTH.json [GAMES.jsonl TRUTH.json ...] [--fit]`

GAMES.jsonl comes from `scan --json --no-pair`. TRUTH.json says of each picture, by its file name,
what is written in its fields: `{"001.jpg": {"white": "Valle, P.", "round": "3"}}`; a field that is
left out is empty. `models/train/event.py make` writes such a file for a made event. Names count as
right if all letters are right, whatever their case, accents and punctuation; a date if the day is.
With --fit, the offset and slope of each kind of field are fitted by maximum likelihood to what the
program reads with the default of 0 and 1.
"""

import argparse
import json
import math
import re
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

SURE = 0.9


def plain(text):
    """Returns a text without case, accents and punctuation."""
    split = unicodedata.normalize("NFD", text.lower().replace("ł", "l").replace("ø", "o"))
    return re.sub(r"[^a-z0-9]+", " ", split.encode("ascii", "ignore").decode()).strip()


def normalise(field, text):
    """Returns the value of a field in the form in which two are compared."""
    if field == "date":
        parts = re.split(r"[./ -]+", text.strip(" ."))
        if len(parts) == 3:
            parts = parts if len(parts[0]) == 4 else parts[::-1]
            year = parts[0] if len(parts[0]) == 4 else "20" + parts[0]
            return ".".join((year, *(f"{int(p):02}" if p.isdigit() else p for p in parts[1:])))
        return text
    if field == "result":
        return {"1/2": "1/2-1/2", "½": "1/2-1/2", "½-½": "1/2-1/2"}.get(text, text)
    return plain(text)


def kind_of(field, text):
    """Returns the kind of field with which a reading is calibrated."""
    if field in ("white", "black"):
        return "name"
    if field in ("round", "board"):
        return "digit" if len(text) == 1 else "number"
    return field


def read_pairs(games, truth):
    """Yields (picture, field, what is written, what is read, confidence)."""
    truth = json.loads(Path(truth).read_text(encoding="utf-8"))
    seen = set()
    for line in Path(games).read_text(encoding="utf-8").splitlines():
        for sheet in json.loads(line)["sheets"]:
            name = Path(sheet["path"]).name
            if name not in truth or name in seen:
                continue
            seen.add(name)
            read = {f["field"]: (f["text"], f["confidence"]) for f in sheet.get("header", [])}
            for field in ("white", "black", "round", "board", "date", "result"):
                yield name, field, truth[name].get(field, ""), *read.get(field, ("", 0.0))


def fit_logistic(points, steps=4000, rate=0.05):
    """Returns offset and slope of p(right) = 1 / (1 + exp(-(offset + slope x)))."""
    a, b = 0.0, 1.0
    for _ in range(steps):
        da = db = 0.0
        for x, right in points:
            error = right - 1 / (1 + math.exp(-(a + b * x)))
            da, db = da + error, db + error * x
        a, b = a + rate * da / len(points), b + rate * db / len(points)
    return a, b


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--list", action="store_true", help="list what was read wrongly and surely")
    args = parser.parse_args()
    counts, points = defaultdict(Counter), defaultdict(list)
    for games, truth in zip(args.files[::2], args.files[1::2]):
        for name, field, written, text, confidence in read_pairs(games, truth):
            count = counts[field]
            right = bool(text) and normalise(field, text) == normalise(field, written)
            count["written" if written else "empty"] += 1
            count["read right" if right else "read wrong"] += bool(text)
            if confidence >= SURE:
                count["sure right" if right else "sure wrong"] += 1
                count["sure in empty"] += not written
            if args.list and text and not right:
                print(f"{name}\t{field}\t{written!r}\t{text!r}\t{confidence:.3f}")
            if text and 0 < confidence < 1:
                x = math.log(confidence / (1 - confidence))
                points[kind_of(field, text)].append((x, right))
    columns = ("written", "empty", "read right", "read wrong", "sure right", "sure wrong")
    print("field\t" + "\t".join((*columns, "sure in empty")))
    for field, count in counts.items():
        print(field + "".join(f"\t{count[c]}" for c in (*columns, "sure in empty")))
    if args.fit:
        for kind, of_kind in points.items():
            offset, slope = fit_logistic(of_kind)
            print(f"{kind}: offset {offset:.2f}, slope {slope:.2f} (n = {len(of_kind)})")


if __name__ == "__main__":
    main()
