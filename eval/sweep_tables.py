"""Judges the tables of made forms under other parameters than the defaults.

`sweep_tables.py DIR FIND_CELLS [PATH=VALUE;VALUE...]...` reads DIR as judge_tables.py does.
FIND_CELLS is the built example find_cells, a PATH that of a field of the Parameters, as
scan.grid.rows.min_rows. The first line of the output is that of the defaults, each further one has
one value: sheets, whole ones, those with all moves right, those without a table, the share of cells
in place, and which sheets the value mends or breaks.
"""

import argparse
import pathlib
import subprocess
import tempfile

import cells
import judge_tables


def find_cells(command, pictures):
    """Returns the cells that the example finds on each picture, by its path."""
    with tempfile.NamedTemporaryFile("w+", suffix=".tsv") as manifest:
        paths = "".join(f"{picture}\n" for picture in pictures)
        subprocess.run(command, input=paths, stdout=manifest, text=True, check=True)
        return cells.parse_manifest(manifest.name)


def judge_setting(folder, command):
    """Returns the counts of all sheets, and the names of those with a fault."""
    sheets, _, _ = judge_tables.judge_cells(folder, lambda paths: find_cells(command, paths))
    faults = {facts["picture"] for facts, _, fault in sheets if fault}
    return judge_tables.sum_counts(sheets, [])["", ""], faults


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
        counts, faults = judge_setting(args.dir, [args.find_cells, *arguments])
        before = faults if before is None else before
        share = judge_tables.format_percent(counts["cells_right"], counts["cells"])
        figures = (counts[key] for key in ("sheets", "whole", "moves_right", "no_table"))
        names = (" ".join(sorted(names)) for names in (before - faults, faults - before))
        print(*(arguments or ["defaults"]), *figures, share, *names, sep="\t", flush=True)


if __name__ == "__main__":
    main()
