"""Tests of the comparison of tables under disturbances, and of the maps of the disturbances."""

import unittest

import cells
import disturb
import stability


def make_table(rows=4, x=0.0, y=0.0, first=1):
    """Returns a table of cells of 100 x 40 pixels, by (move, side)."""
    table = {}
    for row in range(rows):
        for left, side in ((0, "white"), (100, "black")):
            a, b = left + x, 40 * row + y
            table[first + row, side] = [(a, b), (a + 100, b), (a + 100, b + 40), (a, b + 40)]
    return table


class CompareTest(unittest.TestCase):
    def test_a_table_is_the_same_up_to_a_fifth_of_a_row(self):
        before = make_table()
        self.assertEqual(stability.compare_tables(before, make_table(x=7.9, y=-7.9)), "")
        for x, y in ((8.1, 0), (0, -8.1)):
            difference = stability.compare_tables(before, make_table(x=x, y=y))
            self.assertTrue(difference.startswith("8 of 8 cells shifted"), difference)

    def test_one_cell_out_of_place_is_a_difference(self):
        after = make_table()
        after[2, "black"] = [(x + 20, y) for x, y in after[2, "black"]]
        difference = stability.compare_tables(make_table(), after)
        self.assertEqual(
            difference, "1 of 8 cells shifted by up to +0.50 rows sideways, +0.00 down"
        )

    def test_a_table_is_near_up_to_a_fifth_of_the_width_sideways(self):
        before = make_table()
        for x, y, near in ((19, 0, True), (21, 0, False), (0, 8.1, False)):
            self.assertEqual(stability.is_near(before, make_table(x=x, y=y)), near)
        self.assertFalse(stability.is_near(before, make_table(rows=3)))

    def test_other_rows_are_named(self):
        before = make_table()
        for after, difference in (
            ({}, "no table"),
            (make_table(rows=3), "3 rows for 4"),
            (make_table(first=2), "rows numbered from 2 for 1"),
        ):
            self.assertEqual(stability.compare_tables(before, after), difference)

    def test_a_picture_without_a_table_is_never_the_same(self):
        self.assertTrue(stability.compare_tables({}, make_table()))
        self.assertTrue(stability.compare_tables({}, {}))


class MapsTest(unittest.TestCase):
    def assert_near(self, point, x, y):
        self.assertAlmostEqual(point[0], x)
        self.assertAlmostEqual(point[1], y)

    def test_a_quarter_turn_is_clockwise(self):
        matrix, size = disturb.turn_map(90, 300, 200)
        self.assertEqual(size, (200, 300))
        self.assert_near(disturb.apply_map(matrix, (0, 0)), 199, 0)
        self.assert_near(disturb.apply_map(matrix, (299, 0)), 199, 299)

    def test_a_turned_picture_is_as_large_as_its_bounding_box(self):
        # 300 cos 30 + 200 sin 30 = 359.8, 300 sin 30 + 200 cos 30 = 323.2
        self.assertEqual(disturb.turn_map(-30, 300, 200)[1], (360, 324))

    def test_twice_as_large_means_that_a_pixel_becomes_four_around_its_centre(self):
        matrix, size = disturb.scale_map(2, 10, 20)
        self.assertEqual(size, (20, 40))
        self.assert_near(disturb.apply_map(matrix, (3, 0)), 6.5, 0.5)

    def test_a_map_is_undone_by_its_inverse(self):
        for matrix in (disturb.turn_map(-3, 300, 200)[0], disturb.scale_map(1.3, 300, 200)[0]):
            there = disturb.apply_map(matrix, (17, 140))
            self.assert_near(disturb.apply_map(disturb.invert_map(matrix), there), 17, 140)

    def test_a_margin_with_a_cell_in_it_is_not_cut(self):
        names = [f"page {number}" for number in range(20)]
        inside, at_the_edge = [(100, 100)], [(100, 100), (8, 100)]
        widths = {disturb.margin_map(name, 200, 400, inside)[1] for name in names}
        self.assertEqual(widths, {(180, 360), (220, 440)})
        for corners in (at_the_edge, []):
            widths = {disturb.margin_map(name, 200, 400, corners)[1] for name in names}
            self.assertEqual(widths, {(220, 440)})

    def test_found_cells_are_mapped_back(self):
        corners = make_table()[1, "white"]
        matrix, _ = disturb.turn_map(2, 300, 200)
        turned = [disturb.apply_map(matrix, point) for point in corners]
        table = stability.table_of([cells.Cell(1, "white", turned, "blank")], matrix)
        for point, (x, y) in zip(table[1, "white"], corners):
            self.assert_near(point, x, y)

    def test_there_are_twelve_disturbances(self):
        self.assertEqual(len(disturb.DISTURBANCES), 12)


if __name__ == "__main__":
    unittest.main()
