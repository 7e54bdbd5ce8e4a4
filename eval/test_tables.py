"""Tests of the scorer of tables, and of the forms in eval/tables."""

import collections
import pathlib
import tempfile
import unittest

import cells
import choose_tables
import judge
import judge_tables
import measure_tables


def quad(x, y, width=100, height=40):
    """Returns an upright cell by its top left corner."""
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def make_truth(first=1, blocks=2, rows=3):
    """Returns the cells of a form whose blocks lie 250 pixels apart, by (move, side)."""
    return {
        (first + block * rows + row, side): quad(250 * block + 100 * (side == "black"), 40 * row)
        for block in range(blocks)
        for row in range(rows)
        for side in ("white", "black")
    }


def make_found(truth, x=0, y=0, shift=0, state="written"):
    """Returns true cells as found ones, moved by some pixels and counted on by some numbers."""
    return [
        cells.Cell(move + shift, side, [(a + x, b + y) for a, b in corners], state)
        for (move, side), corners in truth.items()
    ]


def judge_form(truth, found, start=1, moves=6):
    """Returns the counts and the fault of a form."""
    facts = {"start": str(start), "moves": str(moves)}
    counts = judge.count_cells(facts, truth, found)
    return counts, judge.explain_fault(facts, truth, found, counts)


class CellsTest(unittest.TestCase):
    def test_offsets_are_measured_along_the_edges_of_the_true_cell(self):
        self.assertEqual(cells.centre_offset(quad(10, 20), quad(0, 0)), (0.1, 0.5))
        # A cell of a page on its side: its row runs down the picture, 100 pixels long.
        on_its_side = [(40, 0), (40, 100), (0, 100), (0, 0)]
        moved = [(x - 20, y + 10) for x, y in on_its_side]
        self.assertEqual(cells.centre_offset(moved, on_its_side), (0.1, 0.5))
        self.assertEqual(cells.row_offset(moved, on_its_side), (0.25, 0.5))

    def test_a_block_begins_where_the_next_row_lies_higher(self):
        white = {move: q for (move, side), q in make_truth(blocks=3).items() if side == "white"}
        self.assertEqual(cells.count_blocks(white), 3)

    def test_a_manifest_is_parsed_by_picture(self):
        head = "sheet\tpage\tmove\tside\tx0\ty0\tx1\ty1\tx2\ty2\tx3\ty3\tink\tstate\tpatch\n"
        line = "a/b.jpg\t1\t7\tblack\t1\t2\t3\t2\t3\t4\t1\t4.5\t0.1\tblank\tb-p1-07b.png\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "manifest.tsv"
            path.write_text(head + line)
            found = cells.parse_manifest(path)
        corners = [(1, 2), (3, 2), (3, 4), (1, 4.5)]
        self.assertEqual(found, {"a/b.jpg": [cells.Cell(7, "black", corners, "blank")]})


class JudgeTest(unittest.TestCase):
    def test_a_form_is_whole_if_its_cells_are_nearly_in_place(self):
        truth = make_truth()
        counts, fault = judge_form(truth, make_found(truth, x=19, y=13))
        self.assertTrue(counts["whole"] and counts["moves_right"])
        self.assertEqual((counts["cells"], counts["cells_right"], fault), (12, 12, ""))

    def test_a_cell_is_wrong_beyond_a_fifth_of_the_width_or_a_third_of_the_height(self):
        truth = make_truth()
        for x, y, reason in ((21, 0, "12 cells off sideways"), (0, 14, "12 that are no cells")):
            counts, fault = judge_form(truth, make_found(truth, x, y))
            self.assertEqual(counts["cells_right"], 0)
            self.assertIn(reason, fault)

    def test_a_form_that_starts_later_may_be_counted_from_one(self):
        truth = make_truth(first=31)
        counts, _ = judge_form(truth, make_found(truth, shift=-30), start=31)
        self.assertTrue(counts["whole"])

    def test_blank_cells_outside_the_form_leave_the_moves_right(self):
        truth = make_truth()
        for state, moves_right in (("blank", True), ("written", False)):
            outside = cells.Cell(7, "white", quad(250, 120), state)
            counts, fault = judge_form(truth, [*make_found(truth), outside])
            self.assertFalse(counts["whole"])
            self.assertEqual(counts["moves_right"], moves_right)
            self.assertIn("1 that are no cells", fault)

    def test_rows_below_the_last_move_do_not_count_for_the_moves(self):
        truth = make_truth()
        found = [cell for cell in make_found(truth) if cell.move < 6]
        counts, _ = judge_form(truth, found, moves=5)
        self.assertTrue(counts["moves_right"] and not counts["whole"])
        self.assertEqual((counts["wanted"], counts["wanted_right"]), (10, 10))

    def test_faults_are_named(self):
        truth = make_truth()
        upside_down = [(x + 100, y + 40) for x, y in quad(0, 0)[2:] + quad(0, 0)[:2]]
        faults = {
            "no table": [],
            "rows shifted by 1": make_found(make_truth(blocks=2), y=40),
            "1 blocks for 2": make_found(make_truth(blocks=1)),
            "read turned by 180": [cells.Cell(1, "white", upside_down, "blank")],
        }
        for reason, found in faults.items():
            self.assertIn(reason, judge_form(truth, found)[1])


class MeasureTest(unittest.TestCase):
    def test_a_number_is_counted_in_the_bin_that_holds_it(self):
        bins = [judge_tables.parameter_bin({"tilt": t}, "tilt") for t in ("3.9", "4", "-15", "22")]
        self.assertEqual(bins, ["0 to 4", "4 to 12", "12 to 22", "22 and more"])

    def test_changes_since_the_last_line_are_listed(self):
        sheets = [({"picture": name}, {}, fault) for name, fault in (("a", ""), ("b", "no table"))]
        self.assertEqual(measure_tables.list_changes(sheets, {"a"}), (["a"], ["b"]))

    def test_the_difference_stands_behind_each_figure(self):
        before = {"whole": "50", "moves_right": "52", "no_table": "1", "cells": "97.50"}
        now = {"whole": "53", "moves_right": "52", "no_table": "0", "cells": "98.75"}
        line = measure_tables.format_difference({**before, "commit": "c", "date": "d"}, now)
        self.assertIn("whole 53 (+3), moves right 52 (+0), no table 0 (-1)", line)
        self.assertIn("cells % 98.75 (+1.25)", line)


class FormsTest(unittest.TestCase):
    def test_every_trouble_is_there_on_a_trained_and_on_a_held_out_kind(self):
        rows = cells.read_table(measure_tables.TABLES / "kinds.tsv")
        there = collections.Counter((row["trouble"], row["held_out"]) for row in rows)
        troubles = [trouble for group in choose_tables.TROUBLES.values() for trouble in group]
        wanted = {(trouble, held_out): 1 for trouble in troubles for held_out in ("True", "False")}
        self.assertEqual(there, wanted)

    def test_every_form_has_a_picture_and_true_cells_of_its_rows(self):
        rows = cells.read_table(measure_tables.TABLES / "kinds.tsv")
        truth = cells.read_true_cells(measure_tables.TABLES / "cells.json")
        pictures = judge_tables.list_pictures(measure_tables.TABLES)
        self.assertEqual(set(pictures), set(truth))
        self.assertEqual(set(pictures), {row["picture"] for row in rows})
        for row in rows:
            if row["spread"] in ("none", "notes"):
                whole_blocks = (int(row["blocks"]) - 1) * int(row["rows"])
                count = 2 * (whole_blocks + int(row["last_rows"]))
                self.assertEqual(len(truth[row["picture"]]), count, row["picture"])

    def test_the_pictures_are_small(self):
        pictures = judge_tables.list_pictures(measure_tables.TABLES).values()
        self.assertLess(sum(path.stat().st_size for path in pictures), 5_000_000)


if __name__ == "__main__":
    unittest.main()
