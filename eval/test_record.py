"""Tests of record.py and cards.py, on made-up output of score.py."""

import pathlib
import tempfile
import unittest

import cards
import record

SCORED = """games 22, sheets 22
read       95.02 %  strict  91.42 %  found 100.00 %  CER   2.13 %  n=1445
blank     3 readings in untagged cells of 1448 readings
cells     100.00 %  n=1445
played     99.45 %  n=1445 moves, 22 games
silent      0.14 %  of 1440 moves put out
asks        1.46 %
withheld    0.00 %  lost   0.35 %
reviewed   99.72 %
exact     20 of 22 games
over        0.30 %
ece         0.60 %
"""
WITHOUT_TAGS = """games 6, sheets 6
played    100.00 %  n=378 moves, 6 games
silent      0.00 %  of 378 moves put out
asks        1.33 %
withheld    0.00 %  lost   0.00 %
reviewed  100.00 %
exact     6 of 6 games; 1 outputs mix two games
over         n/a
ece         n/a  (no confidence given)
"""


class RecordTest(unittest.TestCase):
    def test_every_figure_of_a_tagged_set_is_parsed(self):
        figures = record.parse_score(SCORED)
        self.assertEqual(
            [figures[name] for name in ("read", "read_n", "strict", "found", "cer")],
            ["95.02", "1445", "91.42", "100.00", "2.13"],
        )
        self.assertEqual(
            [figures[name] for name in ("played", "n", "silent", "silent_n", "lost", "exact")],
            ["99.45", "1445", "0.14", "1440", "0.35", "20"],
        )
        self.assertNotIn("", figures.values())

    def test_figures_that_were_not_printed_are_empty(self):
        figures = record.parse_score(WITHOUT_TAGS)
        empty = {name for name, value in figures.items() if not value}
        reading = {"read", "strict", "found", "cer", "read_n", "cells", "cells_n"}
        self.assertEqual(empty, reading | {"over", "ece"})
        self.assertEqual((figures["exact"], figures["games"]), ("6", "6"))

    def test_appended_lines_are_read_back(self):
        row = {"date": "2026-11-27", "commit": "3888c41", "set": "epfl"}
        row |= record.parse_score(SCORED)
        other = {**row, "set": "sheets"} | record.parse_score(WITHOUT_TAGS)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.tsv"
            record.append_results(path, [row])
            record.append_results(path, [other])
            no_tables = dict.fromkeys(record.TABLE_COLUMNS, "")
            self.assertEqual(record.read_results(path), [row | no_tables, other | no_tables])

    def test_a_line_of_tables_leaves_the_figures_of_reading_empty(self):
        row = {"date": "2026-11-27", "commit": "3888c41", "set": "tables", "whole": "51"}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.tsv"
            record.append_results(path, [row])
            (line,) = record.read_results(path)
        self.assertEqual((line["whole"], line["played"], line["no_table"]), ("51", "", ""))


class CardsTest(unittest.TestCase):
    def rows(self):
        row = {"date": "2026-11-26", "commit": "1111111", "set": "epfl"}
        row |= record.parse_score(SCORED)
        sheets = {**row, "set": "sheets"} | record.parse_score(WITHOUT_TAGS)
        return [row, sheets, {**row, "commit": "3888c41", "played": "98.76"}]

    def test_the_table_has_the_newest_line_of_each_set(self):
        table = cards.format_table(self.rows())
        self.assertIn("| played | 98.76 % (n = 1,445) | 100.00 % (n = 378) |", table)
        self.assertIn("| read, before any chess | 95.02 % (n = 1,445) |  |", table)
        self.assertIn("3888c41", table)
        self.assertNotIn("99.45", table)

    def test_only_the_text_between_the_markers_changes(self):
        card = "# Card\n\n<!-- figures -->\nold\n<!-- /figures -->\n\nEnd.\n"
        changed = cards.replace_figures(card, "new")
        self.assertEqual(changed, "# Card\n\n<!-- figures -->\nnew\n<!-- /figures -->\n\nEnd.\n")

    def test_the_card_of_the_reader_has_both_markers(self):
        card = cards.CARD.read_text()
        self.assertEqual((card.count(cards.BEGIN), card.count(cards.END)), (1, 1))


if __name__ == "__main__":
    unittest.main()
