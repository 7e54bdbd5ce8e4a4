//! Which rows of a ladder hold moves: not the heading over the columns, not the result under them.

use image::GrayImage;

use super::blocks;
use super::columns::{Columns, Layout};
use super::dividers::Divider;
use super::ladder::Ladder;
use super::maps::Maps;
use super::print::{self, SAMPLE_WIDTH, Sample};
use super::{MAX_ROWS, MIN_ROWS, NumberColumn};
use crate::robust::median;

/// Largest score of a row for the cells that the table model detects in it, where rows have printed
/// numbers.
const SEEN: f32 = 4.0;
/// The same where no numbers are printed; larger than `ROUND_COUNT`.
const BARE: f32 = 2.0;
/// Share of a row's height that may lie outside the picture: phone photos cut the first and last
/// row so.
const CUT_OFF: f32 = 0.3;
/// A row belongs to the table where more than this share of the lines between its columns passes
/// it.
const PASSED: f32 = 0.5;
/// Share of its height in which a line must show in a row.
const RULED: f32 = 0.5;
/// Score of a number of rows that is a multiple of five, as on most forms.
const ROUND_COUNT: f32 = 1.2;
/// Ink in a row's number cell by the median of all rows: one digit of two, or a heading.
const NUMBER_INK: (f32, f32) = (0.25, 2.6);
/// Print is a quarter darker than its paper; small digits blurred at working size are a tenth.
const PRINT: [f32; 2] = [0.25, 0.1];
/// Median ink of the number cells below which their print is too faint to tell a row from a
/// heading.
const READABLE_INK: f32 = 0.004;
/// Two headings `WHITE` over two blocks are alike, two handwritten moves are not: likeness from
/// which a heading is thought of, and from which it is sure.
const ALIKE: (f32, f32) = (0.45, 0.7);
/// Rows from either end among which headings are looked for.
const HEADING_WITHIN: usize = 7;
/// A heading filled with colour is this much darker than the rows next to it; a shadow grows more
/// slowly.
const FILLED: f32 = 0.8;

/// What an edge between two rows costs that does not show: forms rule all rows or none.
const UNSEEN: f32 = 2.0;

/// What must speak for a row at the end of a single block, in printed numbers: the blocks of some
/// forms stand a row higher or lower than their neighbours.
const UNEVEN: f32 = 0.75;

/// The rows of a table.
#[derive(Debug, Clone)]
pub struct Span {
    /// Edge above the first row.
    pub first: i32,
    /// Edge below the last row.
    pub last: i32,
    /// The edges of each block: these, or both a row higher or lower, or in all blocks one row
    /// more, not at the same end.
    pub blocks: Vec<(i32, i32)>,
    /// Where an unruled number column ends inside White, as a share of its width.
    pub number_end: Option<f32>,
    /// Whether the number column holds print in most rows of some block.
    pub numbered: bool,
}

/// Finds the first and last row that hold moves; None where too few are left.
pub fn select(picture: &GrayImage, maps: &Maps, ladder: &Ladder, layout: &Layout) -> Option<Span> {
    let height = picture.height() as f32;
    let lines: Vec<&Divider> = layout
        .blocks
        .iter()
        .flat_map(bounds)
        .filter(|d| d.seen)
        .collect();
    let passes = |lines: &[&Divider], row: i32| {
        let x = lines[0].line.at(ladder.y(row as f32 + 0.5, 0.0));
        let (top, bottom) = (ladder.y(row as f32, x), ladder.y(row as f32 + 1.0, x));
        let pitch = bottom - top;
        let shown =
            pitch >= 4.0 && top >= -CUT_OFF * pitch && bottom <= height - 1.0 + CUT_OFF * pitch;
        shown && {
            let passed = lines
                .iter()
                .filter(|d| print::ruled(picture, ladder, d, row) >= RULED)
                .count();
            passed as f32 > PASSED * lines.len() as f32
        }
    };
    if lines.is_empty() {
        return None;
    }
    let rows = -1..ladder.edges() as i32;
    let passing: Vec<bool> = rows.clone().map(|r| passes(&lines, r)).collect();
    let (start, end) = longest_run(&passing)?;
    let (start, end) = (start as i32 - 1, end as i32 - 1);
    if end - start < MIN_ROWS {
        return None;
    }
    let number_end = if layout.number_column == NumberColumn::Absent {
        let all: Vec<Sample> = layout
            .blocks
            .iter()
            .flat_map(|b| {
                (start + 1..end - 1).map(|r| Sample::take(picture, ladder, &b.white, r, 0.0))
            })
            .collect();
        print::number_end(&all)
    } else {
        None
    };
    let inset = number_end.unwrap_or(0.0);
    // A single block may have one row more at either end.
    let (from, to) = (start - 1, end + 1);
    let white: Vec<Vec<Sample>> = layout
        .blocks
        .iter()
        .map(|b| {
            (from..to)
                .map(|r| Sample::take(picture, ladder, &b.white, r, inset))
                .collect()
        })
        .collect();
    let evidence = Evidence {
        picture,
        maps,
        ladder,
        layout,
        number_end,
        white,
        start: from,
        end: to,
    };
    let numbers: Vec<_> = layout.blocks.iter().map(|b| evidence.numbers(b)).collect();
    let marks = evidence.marks(&numbers);
    let sum = |marks: &[f32], first: i32, last: i32| -> f32 {
        marks[(first - from) as usize..(last - from) as usize]
            .iter()
            .sum()
    };
    let usual = usual(&ladder.seen);
    let unseen = |edge: i32| {
        ladder
            .seen
            .get(edge as usize)
            .map_or(1.0, |&s| (1.0 - s / usual).max(0.0))
    };
    let mut best: Option<(f32, i32, i32)> = None;
    for first in start..end {
        for last in first + MIN_ROWS..=end.min(first + MAX_ROWS) {
            let sum = marks.iter().map(|of_block| sum(of_block, first, last));
            let sum = sum.sum::<f32>() / marks.len() as f32;
            let lost: f32 = (first + 1..last).map(unseen).sum();
            let sum = sum - UNSEEN * lost;
            let score = sum
                + if (last - first) % 5 == 0 {
                    ROUND_COUNT
                } else {
                    0.0
                };
            if best.is_none_or(|b| score > b.0) {
                best = Some((score, first, last));
            }
        }
    }
    let (_, first, last) = best?;
    // Whether a row that its neighbours lack, or have as heading, is one of a block's.
    let owns = |b: usize, row: i32| {
        let lines: Vec<&Divider> = bounds(&layout.blocks[b]).filter(|d| d.seen).collect();
        numbers[b].is_some()
            && sum(&marks[b], row, row + 1) >= UNEVEN
            && !lines.is_empty()
            && passes(&lines, row)
    };
    let shifted = |b: usize| {
        if owns(b, last) && !owns(b, first) {
            (first + 1, last + 1)
        } else if owns(b, first - 1) && !owns(b, last - 1) {
            (first - 1, last - 1)
        } else {
            (first, last)
        }
    };
    let longer = |b: usize| match (owns(b, first - 1), owns(b, last)) {
        (true, false) => Some((first - 1, last)),
        (false, true) => Some((first, last + 1)),
        _ => None,
    };
    let blocks = 0..layout.blocks.len();
    let longer: Option<Vec<_>> = blocks.clone().map(longer).collect();
    Some(Span {
        first,
        last,
        blocks: longer.unwrap_or_else(|| blocks.map(shifted).collect()),
        number_end,
        numbered: numbers.iter().any(Option::is_some),
    })
}

/// The lines that bound a block's columns.
fn bounds(block: &Columns) -> impl Iterator<Item = &Divider> {
    let ruled = block.number.iter().flat_map(|(l, r)| [l, r]);
    ruled.chain([
        &block.white.0,
        &block.white.1,
        &block.black.0,
        &block.black.1,
    ])
}

/// First and one past the last of the longest run of true.
fn longest_run(flags: &[bool]) -> Option<(usize, usize)> {
    let mut best = None;
    let mut from = None;
    for (i, flag) in flags.iter().chain(&[false]).enumerate() {
        match (flag, from) {
            (true, None) => from = Some(i),
            (false, Some(f)) => {
                if best.is_none_or(|(a, b)| i - f > b - a) {
                    best = Some((f, i));
                }
                from = None;
            }
            _ => {}
        }
    }
    best
}

struct Evidence<'a> {
    picture: &'a GrayImage,
    maps: &'a Maps,
    ladder: &'a Ladder,
    layout: &'a Layout,
    number_end: Option<f32>,
    white: Vec<Vec<Sample>>,
    start: i32,
    end: i32,
}

impl Evidence<'_> {
    /// Ink in each row's number cell by the median of all, where there is a number column with
    /// legible print in most rows; taken at the darkness of print at which most rows look like
    /// numbers.
    fn numbers(&self, block: &Columns) -> Option<Vec<f32>> {
        let shares = PRINT.iter().filter_map(|&darker| {
            let ink = self.number_ink(block, darker)?;
            let usual = usual(&ink);
            (usual >= READABLE_INK).then(|| ink.iter().map(|i| i / usual).collect::<Vec<_>>())
        });
        shares.min_by_key(|shares| shares.iter().filter(|&&s| !is_number(s)).count())
    }

    /// For every candidate row of each block, how much speaks for moves in it, by the block's
    /// [`numbers`](Self::numbers).
    fn marks(&self, numbers: &[Option<Vec<f32>>]) -> Vec<Vec<f32>> {
        let rows = (self.end - self.start) as usize;
        let mut all = Vec::new();
        for ((block, white), numbers) in self.layout.blocks.iter().zip(&self.white).zip(numbers) {
            let mut marks = vec![0.0f32; rows];
            let paper = |samples: &[Sample]| -> Vec<f32> {
                samples
                    .iter()
                    .map(|s| f32::from(s.paper(SAMPLE_WIDTH / 8, SAMPLE_WIDTH * 15 / 16)))
                    .collect()
            };
            let black: Vec<Sample> = (self.start..self.end)
                .map(|r| Sample::take(self.picture, self.ladder, &block.black, r, 0.0))
                .collect();
            let (white, black) = (paper(white), paper(&black));
            for row in 0..rows {
                let r = self.start + row as i32;
                let seen = [&block.white, &block.black]
                    .map(|column| blocks::inside(self.maps, self.ladder, column, r));
                let seen = (seen[0] + seen[1]) / 2.0 - 0.5;
                let mut mark = match numbers {
                    Some(shares) if is_number(shares[row]) => 1.0,
                    Some(_) => -0.7,
                    None => 0.4 + BARE * seen.max(0.0),
                };
                if filled(&white, row) || filled(&black, row) {
                    mark -= 2.0;
                }
                mark += SEEN * seen.min(0.0);
                marks[row] = mark;
            }
            all.push(marks);
        }
        for row in (0..rows).filter(|r| r.min(&(rows - 1 - r)) < &HEADING_WITHIN) {
            let alike = (self.alike(row) - ALIKE.0) / (ALIKE.1 - ALIKE.0);
            for marks in &mut all {
                marks[row] -= 3.0 * alike.clamp(0.0, 1.0);
            }
        }
        all
    }

    /// Ink in each row's number cell, where there is a number column.
    fn number_ink(&self, block: &Columns, darker: f32) -> Option<Vec<f32>> {
        if let Some(number) = &block.number {
            return Some(
                (self.start..self.end)
                    .map(|r| {
                        Sample::take(self.picture, self.ladder, number, r, 0.0).ink(
                            8,
                            SAMPLE_WIDTH - 8,
                            darker,
                        )
                    })
                    .collect(),
            );
        }
        let end = self.number_end?;
        let to = (end * SAMPLE_WIDTH as f32) as usize;
        Some(
            (self.start..self.end)
                .map(|r| {
                    Sample::take(self.picture, self.ladder, &block.white, r, 0.0).ink(
                        2.min(to / 2),
                        to,
                        darker,
                    )
                })
                .collect(),
        )
    }

    /// How alike a row's White cells are through the blocks, and its Black cells; the lesser of
    /// both.
    fn alike(&self, row: usize) -> f32 {
        let blocks = &self.layout.blocks;
        let r = self.start + row as i32;
        let black: Vec<Sample> = blocks
            .iter()
            .map(|b| Sample::take(self.picture, self.ladder, &b.black, r, 0.0))
            .collect();
        (1..blocks.len())
            .map(|i| {
                let white = print::likeness(&self.white[0][row], &self.white[i][row]);
                white.min(print::likeness(&black[0], &black[i]))
            })
            .reduce(f32::min)
            .unwrap_or(0.0)
    }
}

/// Whether a number cell with such a share of the median's ink holds a number.
fn is_number(share: f32) -> bool {
    (NUMBER_INK.0..=NUMBER_INK.1).contains(&share)
}

/// Whether a row's paper is clearly darker than that of the three rows further in.
fn filled(paper: &[f32], row: usize) -> bool {
    let rows = paper.len();
    let inwards = if row < rows / 2 {
        &paper[row + 1..(row + 4).min(rows)]
    } else {
        &paper[row.saturating_sub(3)..row]
    };
    paper[row] < FILLED * usual(inwards)
}

/// The median; 0 of nothing.
fn usual(values: &[f32]) -> f32 {
    median(values.iter().copied(), f32::total_cmp).unwrap_or(0.0)
}
