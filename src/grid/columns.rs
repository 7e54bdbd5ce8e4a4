//! Which of the vertical rulings bound the number, White and Black columns.

use super::NumberColumn;
use super::dividers::{self, Divider};
use super::ladder::Ladder;
use super::ruling::Ruling;

/// Share of the rows a vertical line must pass to bound a column.
const LEAST_COVER: f32 = 0.5;
/// Black's width by White's: the same on paper, measured with perspective in them.
const BALANCE: (f32, f32) = (0.75, 1.34);
/// The same where White's column holds an unruled number too.
const BALANCE_PLAIN: (f32, f32) = (0.62, 1.2);
/// Number column by the mean width of White and Black.
const NUMBER: (f32, f32) = (0.07, 0.8);
/// How far a block's lines may lie from where the first block puts them, in block widths.
const SHIFT: f32 = 0.07;
/// Widest gap between blocks, in block widths.
const WIDEST_GAP: f32 = 0.6;
/// A move cell is at least this many times wider than high; squares are a diagram's or a crossword's.
const FLATTEST: f32 = 1.4;
/// Most blocks on a page.
pub const MOST_BLOCKS: usize = 4;

/// The columns of one block, as dividers.
#[derive(Debug, Clone)]
pub struct Columns {
    /// Left and right of the number column, where it is ruled.
    pub number: Option<(Divider, Divider)>,
    /// Left and right of White.
    pub white: (Divider, Divider),
    /// Left and right of Black.
    pub black: (Divider, Divider),
}

/// The blocks of a ladder.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Where the number column stands; `Absent` may still hide one inside White.
    pub number_column: NumberColumn,
    /// Blocks from left to right.
    pub blocks: Vec<Columns>,
    /// How well the lines fit: 1 where every line bounds a column and all the table is columns.
    pub score: f32,
}

/// Reads the columns of a ladder: the best layout for each place of the number column, none where no White and Black
/// stand beside each other so.
pub fn find(ladder: &Ladder, verticals: &[Ruling], width: f32) -> Vec<Layout> {
    let dividers = dividers::find(ladder, verticals, width, LEAST_COVER);
    let n = dividers.len();
    let middle = ladder.edges() as f32 / 2.0;
    let three = (0..n)
        .flat_map(|a| (a + 1..n).flat_map(move |b| (b + 1..n).map(move |c| vec![a, b, c])))
        .collect::<Vec<_>>();
    let four = three
        .iter()
        .flat_map(|t| (t[2] + 1..n).map(move |d| vec![t[0], t[1], t[2], d]))
        .collect::<Vec<_>>();
    let kinds = [
        (NumberColumn::Absent, &three),
        (NumberColumn::Left, &four),
        (NumberColumn::Between, &four),
        (NumberColumn::Right, &four),
    ];
    let best = |(kind, first): (NumberColumn, &Vec<Vec<usize>>)| {
        let mut best: Option<Layout> = None;
        for lines in first {
            if let Some(l) = lay(&dividers, lines, kind, ladder, middle)
                && best.as_ref().is_none_or(|b| l.score > b.score)
            {
                best = Some(l);
            }
        }
        best
    };
    kinds.into_iter().filter_map(best).collect()
}

/// Columns (number, White, Black) as pairs of boundaries for each kind of block.
fn order(kind: NumberColumn) -> (Option<usize>, usize, usize) {
    match kind {
        NumberColumn::Left => (Some(0), 1, 2),
        NumberColumn::Between => (Some(1), 0, 2),
        NumberColumn::Right => (Some(2), 0, 1),
        NumberColumn::Absent => (None, 0, 1),
    }
}

/// A layout whose first block has the given lines, followed to the right; None where the widths rule it out.
fn lay(
    dividers: &[Divider],
    first: &[usize],
    kind: NumberColumn,
    ladder: &Ladder,
    middle: f32,
) -> Option<Layout> {
    let u: Vec<f32> = first.iter().map(|&i| dividers[i].place).collect();
    let (number, white, black) = order(kind);
    let column = |i: usize| u[i + 1] - u[i];
    let (w, b) = (column(white), column(black));
    let balance = if kind == NumberColumn::Absent {
        BALANCE_PLAIN
    } else {
        BALANCE
    };
    if !(balance.0..=balance.1).contains(&(b / w)) {
        return None;
    }
    let mean = (w + b) / 2.0;
    if number.is_some_and(|n| !(NUMBER.0..=NUMBER.1).contains(&(column(n) / mean))) {
        return None;
    }
    let x = dividers[first[0]].line.at(ladder.y(middle, 0.0));
    if w.min(b) < FLATTEST * ladder.pitch(middle, x).abs() {
        return None;
    }
    let span = u[u.len() - 1] - u[0];
    let mut blocks = vec![first.iter().map(|&i| Some(i)).collect::<Vec<_>>()];
    let mut lost = 0;
    let mut strain = 0.0;
    while blocks.len() < MOST_BLOCKS {
        let last = &blocks[blocks.len() - 1];
        let Some(end) = last[last.len() - 1].map(|i| dividers[i].place) else {
            break;
        };
        let next = (0..dividers.len())
            .filter(|&s| {
                dividers[s].place >= end - 1.0 && dividers[s].place <= end + WIDEST_GAP * span
            })
            .filter_map(|s| follow(dividers, &u, s, span).map(|(lines, off)| (s, lines, off)))
            .min_by(|a, b| a.2.total_cmp(&b.2));
        let Some((_, lines, off)) = next else { break };
        lost += lines.iter().filter(|l| l.is_none()).count();
        strain += off;
        blocks.push(lines);
    }
    let used = |i: usize| blocks.iter().flatten().any(|b| *b == Some(i));
    let seen: Vec<usize> = (0..dividers.len()).filter(|&i| dividers[i].seen).collect();
    let total = dividers[dividers.len() - 1].place - dividers[0].place;
    let covered: f32 = blocks.len() as f32 * span;
    let inside = |i: usize| {
        blocks.iter().any(|b| match (b[0], b[b.len() - 1]) {
            (Some(l), Some(r)) => {
                dividers[i].place > dividers[l].place && dividers[i].place < dividers[r].place
            }
            _ => false,
        })
    };
    // A line traced along printed digits is weaker than the rulings, and is no loss.
    let weight = |i: usize| dividers[i].line.weight();
    let usual = {
        let bounds: Vec<f32> = seen
            .iter()
            .filter(|&&i| used(i))
            .map(|&i| weight(i))
            .collect();
        bounds.iter().sum::<f32>() / bounds.len().max(1) as f32
    };
    let skipped: f32 = seen
        .iter()
        .filter(|&&i| !used(i) && inside(i))
        .map(|&i| (weight(i) / usual.max(f32::EPSILON)).min(1.0))
        .sum();
    let unseen = blocks
        .iter()
        .flatten()
        .flatten()
        .filter(|&&i| !dividers[i].seen)
        .count() as f32;
    let skew = (b / w).ln().abs()
        * if kind == NumberColumn::Absent {
            0.1
        } else {
            0.3
        };
    let score = covered / total
        - 0.1 * skipped / blocks.len() as f32
        - 0.05 * unseen
        - 0.08 * lost as f32
        - skew
        - strain / blocks.len() as f32;
    let laid = blocks
        .iter()
        .map(|b| columns(dividers, b, &u, kind))
        .collect::<Option<Vec<_>>>()?;
    Some(Layout {
        number_column: kind,
        blocks: laid,
        score,
    })
}

/// The lines of a further block that starts at divider `start`; at most one of its inner lines may be lost.
fn follow(
    dividers: &[Divider],
    u: &[f32],
    start: usize,
    span: f32,
) -> Option<(Vec<Option<usize>>, f32)> {
    let mut lines = Vec::with_capacity(u.len());
    let mut off = 0.0f32;
    for &place in u {
        let want = dividers[start].place + place - u[0];
        let near = (start..dividers.len()).min_by(|&a, &b| {
            (dividers[a].place - want)
                .abs()
                .total_cmp(&(dividers[b].place - want).abs())
        })?;
        let miss = (dividers[near].place - want).abs() / span;
        if miss <= SHIFT {
            off = off.max(miss);
            lines.push(Some(near));
        } else {
            lines.push(None);
        }
    }
    let inner_lost = lines.iter().filter(|l| l.is_none()).count();
    let distinct = lines.windows(2).all(|p| p[0].is_none() || p[0] != p[1]);
    (lines[u.len() - 1].is_some() && inner_lost <= 1 && distinct).then_some((lines, off))
}

/// The block's columns; a lost line is laid between the block's outer lines.
fn columns(
    dividers: &[Divider],
    lines: &[Option<usize>],
    u: &[f32],
    kind: NumberColumn,
) -> Option<Columns> {
    let left = &dividers[lines[0]?];
    let right = &dividers[lines[lines.len() - 1]?];
    let all: Vec<Divider> = lines
        .iter()
        .zip(u)
        .map(|(line, place)| match line {
            Some(i) => dividers[*i].clone(),
            None => left.between(right, (place - u[0]) / (u[u.len() - 1] - u[0])),
        })
        .collect();
    let (number, white, black) = order(kind);
    let pair = |i: usize| (all[i].clone(), all[i + 1].clone());
    Some(Columns {
        number: number.map(pair),
        white: pair(white),
        black: pair(black),
    })
}
