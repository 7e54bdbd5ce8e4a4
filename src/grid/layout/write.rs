//! Writes a layout as a TOML file whose comments explain how to correct it.

use std::fmt::Write;

use super::{BlockLayout, FormLayout};
use crate::geometry::Point;
use crate::grid::NumberColumn;

/// Largest deviation of an edge from rows of equal height, as a share of the block's height, at
/// which `edges` is left out of the file.
const EQUAL_TOLERANCE: f64 = 1e-6;

/// Head of the file.
const HEAD: &str = "\
# The layout of a form, for `sheetscan scan --layout FILE` and `sheetscan cells --layout FILE`. To
# correct it, open the picture in a program that shows which pixel the pointer is on, change what is
# wrong below, and look at the outcome with `sheetscan scan IMAGE --layout FILE --debug-dir seen`.
# The corners need not fit every picture of a pile to the pixel: the table is searched for around
# them in each.
";
/// Comment on `picture`.
const PICTURE: &str = "
# Width and height of the picture in pixels. With [1, 1] the corners are shares of it instead.
";
/// Comment on `corners`.
const CORNERS: &str = "
# Corners of the area that the cells of all blocks fill, without headings: top left, top right,
# bottom right, bottom left, as the table is read. Top left comes first even where the sheet lies on
# its side or its head.
";
/// Comment on the blocks.
const BLOCKS: &str = "
# The blocks of rows in the order of the moves; one [[block]] each.
#   rows      how many
#   first     number of the first row
#   across    left and right edge of White's and Black's columns, as shares of the table's width
#             (0 left, 1 right)
#   down      top and bottom edge, as shares of the table's height
#   numbers   where the printed numbers stand: \"left\", \"between\", \"right\" or \"none\"; they
#             are outside `white` and `black`
#   white     left and right edge of White's column, as shares of the block's width
#   black     the same of Black's, which is the left one where Black stands first
#   edges     where rows are not equally high: [0, ..., 1], the edges of all rows as shares of the
#             block's height
";

impl FormLayout {
    /// The TOML file, with comments that explain how to correct it.
    pub fn to_toml(&self) -> String {
        let mut file = String::from(HEAD);
        let corner = |p: Point| format!("[{}, {}]", trimmed(p.x, 1), trimmed(p.y, 1));
        let [tl, tr, br, bl] = self.corners.map(corner);
        let [width, height] = self.picture.map(|side| trimmed(side, 1));
        // Writing to a string does not fail.
        let _ = write!(file, "{PICTURE}picture = [{width}, {height}]\n{CORNERS}");
        let _ = write!(file, "corners = [{tl}, {tr}, {br}, {bl}]\n{BLOCKS}");
        for block in &self.blocks {
            file += &block.to_toml();
        }
        file
    }

    /// A layout to begin with where none is known: one block of 30 rows in the middle of a picture
    /// of this width and height in pixels.
    pub fn template((width, height): (u32, u32)) -> Self {
        let [w, h] = [width, height].map(|side| f64::from(side.max(1)));
        let corners = [(0.1, 0.2), (0.9, 0.2), (0.9, 0.9), (0.1, 0.9)];
        Self {
            picture: [w, h],
            corners: corners.map(|(x, y)| Point::new(x * w, y * h)),
            blocks: vec![BlockLayout {
                first: 1,
                across: [0.0, 1.0],
                down: [0.0, 1.0],
                white: [0.0, 0.5],
                black: [0.5, 1.0],
                number_column: NumberColumn::Left,
                edges: BlockLayout::equal_edges(30),
            }],
        }
    }
}

impl BlockLayout {
    fn to_toml(&self) -> String {
        let numbers = match self.number_column {
            NumberColumn::Left => "left",
            NumberColumn::Between => "between",
            NumberColumn::Right => "right",
            NumberColumn::Absent => "none",
        };
        let shares = |of: &[f64]| {
            let shares: Vec<String> = of.iter().map(|&share| trimmed(share, 5)).collect();
            format!("[{}]", shares.join(", "))
        };
        let (rows, first) = (self.rows(), self.first);
        let mut text = format!("\n[[block]]\nrows = {rows}\nfirst = {first}\n");
        for (name, interval) in [("across", self.across), ("down", self.down)] {
            let _ = writeln!(text, "{name} = {}", shares(&interval));
        }
        let _ = writeln!(text, "numbers = \"{numbers}\"");
        for (name, interval) in [("white", self.white), ("black", self.black)] {
            let _ = writeln!(text, "{name} = {}", shares(&interval));
        }
        let equal = Self::equal_edges(rows);
        if self
            .edges
            .iter()
            .zip(&equal)
            .any(|(a, b)| (a - b).abs() > EQUAL_TOLERANCE)
        {
            let _ = writeln!(text, "edges = {}", shares(&self.edges));
        }
        text
    }
}

/// A number with at most so many decimals and no zeros behind them.
fn trimmed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}
