#!/usr/bin/env python3
"""Chooses the forms of eval/tables: choose_tables.py TRAINED HELD_OUT [--out DIR].

TRAINED and HELD_OUT are pools that `make eval-tables` makes with models/train/forms, of kinds that
the table model trains on and of held-out kinds. For each trouble of TROUBLES one form of each pool
is chosen, the rarest trouble first, so that each is there twice at least. Pictures are copied as
they are; those of more than MAX_BYTES are passed over.

DIR gets trouble_1.jpg (a trained kind) and trouble_2.jpg (a held-out kind), cells.json, and
kinds.tsv with the columns group, trouble and held_out before those of the generator.
"""

import argparse
import json
import pathlib
import random
import shutil
import sys

import cells

SEED = 4101
# Size of the largest picture, in bytes.
MAX_BYTES = 110_000
# Height of the lowest rows, in pixels. Writing in lower ones cannot be read.
MIN_ROW_PX = 12.0
# Rulings that only the forms of their own trouble have.
RARE_RULINGS = ("bare", "letters", "lines")
# Patterns of rulings that are dotted or dashed along rows too.
DOTTED = ("dotted", "dashed")
# The groups of forms, each with its troubles and what a form of the trouble has in kinds.tsv.
TROUBLES = {
    "plain": {
        "full": lambda form: form["ruling"] == "full" and float(form["line_tone"]) == 1,
        "heavy5": lambda form: form["ruling"] == "heavy5",
    },
    "thin": {
        "hairline": lambda form: is_ruled(form) and float(form["line"]) < 0.12,
        "pale": lambda form: is_ruled(form) and float(form["line_tone"]) < 0.3,
    },
    "broken": {
        "dotted": lambda form: form["ruling"] == "dotted" or form["line_style"] in DOTTED,
        "broken": lambda form: is_ruled(form) and float(form["broken"]) > 0.1,
    },
    "open": {
        "horizontal": lambda form: form["ruling"] == "horizontal",
        "underlines": lambda form: form["ruling"] == "underlines",
    },
    "no grid": {
        "lines": lambda form: form["ruling"] == "lines",
        "bare": lambda form: form["ruling"] == "bare",
    },
    "boxes": {
        "rounded": lambda form: form["ruling"] == "rounded",
        "letters": lambda form: form["ruling"] == "letters",
    },
    "shaded": {
        "bands": lambda form: form["ruling"] == "bands",
        "grey_columns": lambda form: form["shade"] in ("black", "numbers"),
    },
    "scan": {
        "bright": lambda form: form["scan"] in ("colour", "grey") and float(form["white"]) >= 250,
        "binary": lambda form: form["scan"] == "binary",
    },
    "writing": {
        "small": lambda form: form["size"] == "small" and int(form["moves"]) > 20,
        "right": lambda form: form["place"] == "right" and int(form["moves"]) > 20,
    },
    "empty": {
        "blank_column": lambda form: form["fill"] in ("white", "black", "block"),
        "blank_form": lambda form: form["fill"] == "none",
    },
    "columns": {
        "times": lambda form: form["times"] != "none",
        "no_numbers": lambda form: form["numbers"] == "none",
    },
    "blocks": {
        "four_blocks": lambda form: form["blocks"] == "4",
        "short_block": lambda form: form["last_rows"] != form["rows"],
    },
    "page": {
        "two_pages": lambda form: form["spread"] != "none",
        "quarter_turn": lambda form: form["turn"] != "0",
    },
    "camera": {
        "tilt": lambda form: float(form["tilt"]) > 22,
        "curl": lambda form: float(form["curl"]) >= 0.01 and form["spread"] == "none",
    },
    "loss": {
        "low_contrast": lambda form: form["source"] == "photo" and float(form["contrast"]) < 0.65,
        "low_quality": lambda form: int(form["quality"]) <= 35,
    },
}


def is_ruled(form):
    """Whether rulings are what separates rows and columns of a form."""
    return form["ruling"] not in ("bands", "rounded", "underlines")


class Pool:
    """A folder of made forms of which some are chosen."""

    def __init__(self, folder):
        self.folder = folder
        self.forms = [form for form in cells.read_table(folder / "kinds.tsv") if self.is_fit(form)]
        self.truth = json.loads((folder / "cells.json").read_text())

    def picture(self, form):
        """Returns the path of the picture of a form."""
        return self.folder / f"{form['picture']}.jpg"

    def is_fit(self, form):
        """Whether a picture is small, and its writing large enough."""
        small = self.picture(form).stat().st_size <= MAX_BYTES
        return small and float(form["row_px"]) >= MIN_ROW_PX

    def choose(self, rng):
        """Returns a form for each trouble, those with the fewest forms first."""
        has = {
            trouble: [
                form
                for form in self.forms
                if condition(form) and form["ruling"] not in set(RARE_RULINGS) - {trouble}
            ]
            for troubles in TROUBLES.values()
            for trouble, condition in troubles.items()
        }
        chosen = {}
        for trouble in sorted(has, key=lambda trouble: len(has[trouble])):
            free = [form for form in has[trouble] if form not in chosen.values()]
            if not free:
                sys.exit(f"{self.folder} has no form left for {trouble}; make more")
            chosen[trouble] = rng.choice(free)
        return chosen


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pools", nargs=2, type=pathlib.Path, metavar=("TRAINED", "HELD_OUT"))
    default = pathlib.Path(__file__).resolve().parent / "tables"
    parser.add_argument("--out", type=pathlib.Path, default=default)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(SEED)
    pools = [Pool(folder) for folder in args.pools]
    chosen = [pool.choose(rng) for pool in pools]
    rows, truth = [], {}
    for group, troubles in TROUBLES.items():
        for trouble in troubles:
            for number, pool in enumerate(pools, 1):
                form, name = chosen[number - 1][trouble], f"{trouble}_{number}"
                shutil.copyfile(pool.picture(form), args.out / f"{name}.jpg")
                truth[name] = pool.truth[form["picture"]]
                first = {"picture": name, "group": group, "trouble": trouble}
                rows.append({**first, "held_out": number == 2, **form, "picture": name})
    lines = [rows[0], *(row.values() for row in rows)]
    text = "".join("\t".join(map(str, line)) + "\n" for line in lines)
    (args.out / "kinds.tsv").write_text(text)
    pages = ",\n".join(
        f"{json.dumps(name)}:{json.dumps(page, separators=(',', ':'))}"
        for name, page in truth.items()
    )
    (args.out / "cells.json").write_text("{" + pages + "}\n")
    size = sum(path.stat().st_size for path in args.out.glob("*.jpg"))
    print(f"{len(rows)} forms, pictures of {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
