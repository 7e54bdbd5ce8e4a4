"""Judges the tables of made forms under other parameters than the defaults.

`sweep_tables.py DIR FIND_CELLS [PATH=VALUE;VALUE...]...` reads DIR as judge_tables.py does.
FIND_CELLS is the built example find_cells, a PATH that of a field of the Parameters, as
scan.grid.rows.min_rows. The first line of the output is that of the defaults, each further one has
one value: sheets, whole ones, those with all moves right, those without a table, the share of cells
in place, and which sheets the value mends or breaks.
"""

import argparse
import collections
import pathlib
import subprocess
import tempfile

import cells
import judge
import judge_tables


def judge_setting(folder, find_cells, arguments):
    """Returns the counts of all sheets, and the names of those with a fault."""
    truth = cells.read_true_cells(folder / "cells.json")
    pictures = judge_tables.list_pictures(folder)
    facts_of_sheets, _ = judge_tables.read_facts(folder, truth)
    with tempfile.NamedTemporaryFile("w+", suffix=".tsv") as manifest:
        paths = "".join(f"{picture}\n" for picture in pictures.values())
        command = [find_cells, *arguments]
        subprocess.run(command, input=paths, stdout=manifest, text=True, check=True)
        found = cells.parse_manifest(manifest.name)
    counts, faults = collections.Counter(), set()
    for facts in facts_of_sheets:
        name = facts["picture"]
        true_cells, found_cells = truth[name], found[str(pictures[name])]
        of_sheet = judge.count_cells(facts, true_cells, found_cells)
        counts.update(of_sheet)
        if judge.explain_fault(facts, true_cells, found_cells, of_sheet):
            faults.add(name)
    return counts, faults


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("find_cells")
    parser.add_argument("values", nargs="*")
    args = parser.parse_args()
    settings = [[]]
    for argument in args.values:
        path, values = argument.split("=", 1)
        settings += [[f"{path}={value}"] for value in values.split(";")]
    print("setting\tsheets\twhole\tmoves\tno table\tcells %\tmended\tbroken")
    before = None
    for arguments in settings:
        counts, faults = judge_setting(args.dir, args.find_cells, arguments)
        before = faults if before is None else before
        share = judge_tables.format_percent(counts["cells_right"], counts["cells"])
        figures = (counts[key] for key in ("sheets", "whole", "moves_right", "no_table"))
        names = (" ".join(sorted(names)) for names in (before - faults, faults - before))
        print(*(arguments or ["defaults"]), *figures, share, *names, sep="\t", flush=True)


if __name__ == "__main__":
    main()
