"""Where on its cells a hand writes, and which cells it leaves empty."""

import dataclasses
import math

from picking import pick_one


@dataclasses.dataclass
class Placing:
    """Where a hand writes. The fields are parameters of the made sheet."""

    # Size of the writing: "large", or "small" for tidy writing of less than half a row.
    size: str
    # Height of capitals as a share of the row.
    cap: float
    # Where in the width of a cell: "left", "middle", "right", or "drift" for places that wander
    # from row to row.
    place: str
    # Where in the height of a cell: "whole", "upper" or "lower".
    room: str
    # How much places vary from cell to cell, 1 for a careless hand.
    jitter: float
    # Which cells are filled: "all", "none", "white" or "black" for one side alone, "block" where
    # one block of the table stays empty.
    fill: str


def draw_placing(rng, is_typed=False):
    """Draws where a hand writes."""
    size = "small" if is_typed else pick_one(rng, large=65, small=35)
    cap = rng.uniform(0.25, 0.45) if size == "small" else rng.uniform(0.42, 0.85)
    return Placing(
        size,
        cap,
        pick_one(rng, left=46, middle=26, right=14, drift=14),
        pick_one(rng, whole=56, upper=22, lower=22) if size == "small" else "whole",
        0.0 if is_typed else rng.uniform(0.2, 0.6) if size == "small" else 1.0,
        pick_one(rng, all=84, none=5, white=3, black=2, block=6),
    )


def draw_style(placing, rng):
    """Draws the style of `render.render_cell` for a hand."""
    cap = placing.cap
    baseline = {
        "whole": rng.uniform(0.72, 0.9) if placing.size == "large" else 0.5 + cap * 0.5,
        "upper": cap + rng.uniform(0.02, 0.15),
        "lower": rng.uniform(0.86, 0.98),
    }[placing.room]
    left = {
        "left": rng.choice((0.0, 0.02, 0.08, 0.2)),
        "middle": rng.uniform(0.35, 0.6),
        "right": rng.uniform(0.8, 1.0),
        "drift": 0.3,
    }[placing.place]
    return {
        "cap": cap,
        "stretch": rng.uniform(0.85, 1.35),
        "left": left,
        "baseline": baseline,
        "jitter": placing.jitter,
        "strikes": 0.04 if placing.jitter else 0.0,
    }


class Drift:
    """The place in the width of the cell that wanders from row to row."""

    def __init__(self, rng):
        self.centre, self.reach = rng.uniform(0.25, 0.6), rng.uniform(0.1, 0.4)
        self.period, self.phase = rng.uniform(6, 60), rng.uniform(0, 6)

    def left_at(self, number):
        wave = math.sin(2 * math.pi * number / self.period + self.phase)
        return min(1.0, max(0.0, self.centre + self.reach * wave))


def is_filled(placing, side, block, empty_block):
    """Whether a cell of this side and block is written in."""
    if placing.fill == "block":
        return block != empty_block
    return placing.fill in ("all", side)
