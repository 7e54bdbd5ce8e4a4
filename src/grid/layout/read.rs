//! Reads a layout from its TOML file and checks it.

use serde::Deserialize;
use toml::Spanned;

use super::{BlockLayout, FormLayout};
use crate::geometry::{Homography, Point, Quad};
use crate::grid::NumberColumn;

/// Largest number of blocks in a form.
const MAX_BLOCKS: usize = 8;
/// Largest number of rows in a block of a layout; a table that is detected has fewer.
const MAX_LAYOUT_ROWS: u32 = 100;
/// Largest number of a row.
const MAX_ROW_NUMBER: u32 = 999;
/// Share of the picture's width and height by which a corner may lie outside it: photographs cut
/// tables off.
const MAX_OUTSIDE: f64 = 0.05;
/// Smallest share of the picture that a table fills.
const MIN_AREA: f64 = 0.01;
/// Smallest width of a column as a share of the block's width.
const MIN_COLUMN_WIDTH: f64 = 0.02;

/// What is wrong with a layout, and where.
#[derive(Debug, thiserror::Error, PartialEq)]
#[error("line {line}: {fault}")]
pub struct LayoutError {
    /// Line of the file, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: LayoutFault,
}

/// What is wrong with a layout.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum LayoutFault {
    /// The text is no TOML, or has an entry that layouts do not have.
    #[error("{0}; `sheetscan layout IMAGE` writes a file to begin with")]
    Syntax(String),
    /// The picture has no size.
    #[error(
        "picture is its width and height in pixels, or [1, 1] where the corners are shares of them"
    )]
    Picture,
    /// A corner, counted from 1, lies beyond the picture.
    #[error("corner {0} lies outside the picture; corners are in the same unit as `picture`")]
    Outside(usize),
    /// The corners do not run clockwise, or three of them lie on a line.
    #[error(
        "the corners cross each other or lie on a line; give them clockwise: \
         top left, top right, bottom right, bottom left"
    )]
    Crossed,
    /// The table fills too little of the picture.
    #[error("the corners are hardly apart; they are those of the whole table")]
    Small,
    /// There are no blocks, or too many.
    #[error("a layout has 1 to {MAX_BLOCKS} blocks, each under its own [[block]]")]
    Blocks,
    /// The number of rows is out of range.
    #[error("a block has 1 to {MAX_LAYOUT_ROWS} rows")]
    Rows,
    /// The rows' numbers do not rise from block to block, or are too large.
    #[error("the numbers of a block follow on those of the block before, up to {MAX_ROW_NUMBER}")]
    Numbers,
    /// An interval that is not two shares in rising order.
    #[error("`{0}` is two shares from 0 to 1, the smaller one first")]
    Interval(&'static str),
    /// A column is too narrow.
    #[error("`{0}` is too narrow a column; its edges are shares of the block's width")]
    Narrow(&'static str),
    /// White's and Black's columns overlap.
    #[error("the columns of White and Black lie on each other")]
    Columns,
    /// The block overlaps an earlier one.
    #[error("the block lies on one before it; see its `across` and `down`")]
    Overlap,
    /// The edges are not one more than the rows, or not in rising order from 0 to 1.
    #[error(
        "`edges` is one more than there are rows, from 0 at the top to 1 at the bottom, \
         each below the one before"
    )]
    Edges,
}

type Interval = Option<Spanned<[f64; 2]>>;

/// The file as TOML has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    picture: Spanned<[f64; 2]>,
    corners: Spanned<[[f64; 2]; 4]>,
    #[serde(default)]
    block: Vec<Entry>,
}

/// A `[[block]]` as TOML has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    rows: Spanned<i64>,
    first: Option<Spanned<i64>>,
    across: Interval,
    down: Interval,
    numbers: Option<Numbers>,
    white: Interval,
    black: Interval,
    edges: Option<Spanned<Vec<f64>>>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Numbers {
    Left,
    Between,
    Right,
    None,
}

/// A result whose error is a fault and the byte of the text that it is reported at.
type ReadResult<T> = Result<T, (usize, LayoutFault)>;

impl FormLayout {
    /// Reads a layout from the text of its TOML file.
    ///
    /// # Errors
    /// [`LayoutError`] where the text is no layout, or one that no form can have.
    pub fn parse(text: &str) -> Result<Self, LayoutError> {
        let with_line = |(from, fault): (usize, LayoutFault)| LayoutError {
            line: text.bytes().take(from).filter(|&b| b == b'\n').count() + 1,
            fault,
        };
        let file: File = toml::from_str(text).map_err(|e| {
            let from = e.span().map_or(0, |span| span.start);
            with_line((from, LayoutFault::Syntax(e.message().to_owned())))
        })?;
        check_layout(file).map_err(with_line)
    }
}

/// The layout that the entries of a file make.
fn check_layout(file: File) -> ReadResult<FormLayout> {
    let picture = *file.picture.get_ref();
    if !picture.iter().all(|&side| side.is_finite() && side > 0.0) {
        return Err((file.picture.span().start, LayoutFault::Picture));
    }
    let corners = check_corners(&file.corners, picture)?;
    if file.block.is_empty() || file.block.len() > MAX_BLOCKS {
        return Err((file.corners.span().end, LayoutFault::Blocks));
    }
    let mut blocks: Vec<BlockLayout> = Vec::new();
    for entry in &file.block {
        let next = blocks.last().map_or(1, |b| b.first + b.rows() as u32);
        let block = entry.to_block(next)?;
        let meets = |a: [f64; 2], b: [f64; 2]| a[0].max(b[0]) + 1e-6 < a[1].min(b[1]);
        let on_it = |b: &BlockLayout| meets(b.across, block.across) && meets(b.down, block.down);
        if blocks.iter().any(on_it) {
            return Err((entry.rows.span().start, LayoutFault::Overlap));
        }
        blocks.push(block);
    }
    Ok(FormLayout {
        picture,
        corners,
        blocks,
    })
}

/// The table's corners, which must lie in the picture and run clockwise.
fn check_corners(given: &Spanned<[[f64; 2]; 4]>, [width, height]: [f64; 2]) -> ReadResult<Quad> {
    let fault = |fault| Err((given.span().start, fault));
    let corners: Quad = given.get_ref().map(Point::from);
    let inside =
        |v: f64, side: f64| (-MAX_OUTSIDE * side..=(1.0 + MAX_OUTSIDE) * side).contains(&v);
    let outside = |p: &Point| !(inside(p.x, width) && inside(p.y, height));
    if let Some(i) = corners.iter().position(outside) {
        return fault(LayoutFault::Outside(i + 1));
    }
    let twice: f64 = (0..4)
        .map(|i| {
            let (a, b) = (corners[i], corners[(i + 1) % 4]);
            a.x * b.y - b.x * a.y
        })
        .sum();
    // Anticlockwise corners, a mirrored table, have a negative area.
    if twice < 0.0 || Homography::onto(&corners).is_none() {
        return fault(LayoutFault::Crossed);
    }
    if twice / 2.0 < MIN_AREA * width * height {
        return fault(LayoutFault::Small);
    }
    Ok(corners)
}

impl Entry {
    /// The block. Its rows are numbered from `next` where the entry gives no first number.
    fn to_block(&self, next: u32) -> ReadResult<BlockLayout> {
        let of = |number: &Spanned<i64>| u32::try_from(*number.get_ref()).ok();
        let rows = of(&self.rows).filter(|rows| (1..=MAX_LAYOUT_ROWS).contains(rows));
        let rows = rows.ok_or((self.rows.span().start, LayoutFault::Rows))?;
        let first = self.first.as_ref().map_or(Some(next), of);
        let first = first.filter(|first| (next..=MAX_ROW_NUMBER + 1 - rows).contains(first));
        let numbered = self.first.as_ref().unwrap_or(&self.rows).span().start;
        let first = first.ok_or((numbered, LayoutFault::Numbers))?;
        let [white, black] = [
            ("white", &self.white, [0.0, 0.5]),
            ("black", &self.black, [0.5, 1.0]),
        ]
        .map(|(name, given, default)| {
            let column = interval(name, given, default)?;
            if column[1] - column[0] < MIN_COLUMN_WIDTH {
                return Err((start(given, self), LayoutFault::Narrow(name)));
            }
            Ok(column)
        });
        let (white, black) = (white?, black?);
        if white[0].max(black[0]) + 1e-6 < white[1].min(black[1]) {
            let place = start(&self.black, self).max(start(&self.white, self));
            return Err((place, LayoutFault::Columns));
        }
        Ok(BlockLayout {
            first,
            across: interval("across", &self.across, [0.0, 1.0])?,
            down: interval("down", &self.down, [0.0, 1.0])?,
            white,
            black,
            number_column: match self.numbers.unwrap_or(Numbers::Left) {
                Numbers::Left => NumberColumn::Left,
                Numbers::Between => NumberColumn::Between,
                Numbers::Right => NumberColumn::Right,
                Numbers::None => NumberColumn::Absent,
            },
            edges: self.edges(rows as usize)?,
        })
    }

    /// The edges of so many rows, equal ones where the entry gives none.
    fn edges(&self, rows: usize) -> ReadResult<Vec<f64>> {
        let Some(given) = &self.edges else {
            return Ok(BlockLayout::equal_edges(rows));
        };
        let edges = given.get_ref();
        let fits = edges.len() == rows + 1
            && edges.first() == Some(&0.0)
            && edges.last() == Some(&1.0)
            && edges.windows(2).all(|e| e[0] < e[1]);
        if fits {
            Ok(edges.clone())
        } else {
            Err((given.span().start, LayoutFault::Edges))
        }
    }
}

/// The byte at which an interval stands in the text, or at which its block does where it is not
/// given.
fn start(given: &Interval, entry: &Entry) -> usize {
    given
        .as_ref()
        .map_or(entry.rows.span(), Spanned::span)
        .start
}

/// An interval, or the default where it is not given.
fn interval(name: &'static str, given: &Interval, default: [f64; 2]) -> ReadResult<[f64; 2]> {
    let Some(given) = given else {
        return Ok(default);
    };
    let [from, to] = *given.get_ref();
    if 0.0 <= from && from < to && to <= 1.0 {
        Ok([from, to])
    } else {
        Err((given.span().start, LayoutFault::Interval(name)))
    }
}
