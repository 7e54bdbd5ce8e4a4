"""Judges the cells that were found on one sheet against its true cells.

A cell is right if it has the number and side of a true one and is_in_place on it (cells.py). A form
that does not start at move 1 may be counted from 1.
"""

import collections
import math

from cells import MAX_OFFSET_WIDTHS, axes, centre, centre_offset, count_blocks, is_in_place


def count_cells(facts, truth, found):
    """Returns the counts of a sheet.

    `facts` has the number of the first row (`start`) and how many rows have moves (`moves`),
    `truth` the quads by (move, side), `found` the cells.
    """
    shift = number_shift(facts, found)
    with_moves = {key for key in truth if key[0] < int(facts["start"]) + int(facts["moves"])}
    right, stray = set(), []
    for cell in found:
        key = (cell.move + shift, cell.side)
        if key in truth and is_in_place(cell.quad, truth[key]):
            right.add(key)
        elif not is_in_place(cell.quad, nearest_quad(cell.quad, truth)):
            stray.append(cell)
    inked = [cell for cell in stray if cell.state != "blank"]
    return collections.Counter(
        sheets=1,
        no_table=not found,
        whole=len(right) == len(truth) and not stray,
        moves_right=with_moves <= right and not inked and bool(found),
        cells=len(truth),
        cells_right=len(right),
        wanted=len(with_moves),
        wanted_right=len(right & with_moves),
        stray=len(stray),
        stray_inked=len(inked),
    )


def number_shift(facts, found):
    """Returns what is added to the numbers found: the rows of a form that starts later may be
    counted from 1.
    """
    counted_from_one = min((cell.move for cell in found), default=0) == 1
    return int(facts["start"]) - 1 if counted_from_one else 0


def nearest_quad(quad, truth):
    """Returns the true quad whose centre is the nearest."""
    return min(truth.values(), key=lambda true: math.dist(centre(quad), centre(true)))


def explain_fault(facts, truth, found, counts):
    """Returns why a sheet is not whole; "" where it is."""
    if counts["whole"]:
        return ""
    if not found:
        return "no table"
    turn = angle_deg(found[0].quad) - angle_deg(next(iter(truth.values())))
    turn = (turn + 180) % 360 - 180
    if abs(turn) > 45:
        return f"read turned by {round(turn / 90) * 90 % 360}"
    blocks = count_blocks({cell.move: cell.quad for cell in found if cell.side == "white"})
    true_blocks = count_blocks({move: truth[move, side] for move, side in truth if side == "white"})
    if blocks != true_blocks:
        return f"{blocks} blocks for {true_blocks}"
    reasons = explain_offsets(number_shift(facts, found), truth, found)
    rows, true_rows = len(found) / 2 / blocks, len(truth) / 2 / blocks
    if rows != true_rows:
        reasons.append(f"{rows:g} rows for {true_rows:g}")
    if counts["stray"]:
        reasons.append(f"{counts['stray']} that are no cells, {counts['stray_inked']} inked")
    off = counts["cells"] - counts["cells_right"]
    return "; ".join(reasons) or f"{off} of {counts['cells']} cells off"


def explain_offsets(shift, truth, found):
    """Returns what is said of cells that have a true one of their number but lie elsewhere."""
    rows_off, sideways = collections.Counter(), 0
    for cell in found:
        true = truth.get((cell.move + shift, cell.side))
        if true:
            x, y = centre_offset(cell.quad, true)
            rows_off[round(y)] += 1
            sideways += abs(x) > MAX_OFFSET_WIDTHS
    reasons = [f"{sideways} cells off sideways"] if sideways else []
    usual = rows_off.most_common(1)[0][0] if rows_off else 0
    return reasons + ([f"rows shifted by {usual}"] if usual else [])


def angle_deg(quad):
    """Returns the direction of the row in degrees."""
    (x, y), _ = axes(quad)
    return math.degrees(math.atan2(y, x))
