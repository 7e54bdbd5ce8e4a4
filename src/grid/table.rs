//! The found lines put together as cells, in pixels of the full-size page.

use super::blocks::Found;
use super::columns::{Columns, Layout};
use super::dividers::Divider;
use super::ladder::Ladder;
use super::print::corner;
use super::rows::Span;
use super::view::View;
use super::{Block, Grid, NumberColumn, Row};
use crate::geometry::Quad;

/// A header or result region has at least this many row heights of room.
const ROOM: f32 = 0.8;

/// Lays the cells of a table whose rulings were read.
pub fn ruled(ladder: &Ladder, layout: &Layout, span: &Span, view: &View) -> Grid {
    let inset = span.number_end.unwrap_or(0.0);
    let number_column = if span.number_end.is_some() {
        NumberColumn::Left
    } else {
        layout.number_column
    };
    let mut blocks: Vec<Block> = Vec::with_capacity(layout.blocks.len());
    for (columns, rows) in layout.blocks.iter().zip(&span.blocks) {
        let first = next_number(&blocks);
        blocks.push(Block {
            rows: lay(ladder, columns, *rows, inset, first, view),
            number_column,
        });
    }
    let left = layout.blocks.first().map(|c| match &c.number {
        Some(n) if layout.number_column == NumberColumn::Left => &n.0,
        _ => &c.white.0,
    });
    let right = layout.blocks.last().map(|c| match &c.number {
        Some(n) if layout.number_column == NumberColumn::Right => &n.1,
        _ => &c.black.1,
    });
    let (header, result) = match (left, right) {
        (Some(left), Some(right)) => {
            let corners = [
                (left, span.first),
                (right, span.first),
                (right, span.last),
                (left, span.last),
            ];
            regions(
                corners.map(|(d, edge)| corner(ladder, d, edge as f32)),
                span.last - span.first,
                view,
            )
        }
        _ => (None, None),
    };
    Grid {
        blocks,
        header,
        result,
    }
}

/// Lays the cells of the blocks that the table model sees; None where there are none.
pub fn seen(found: &[Found], view: &View) -> Option<Grid> {
    let mut blocks: Vec<Block> = Vec::with_capacity(found.len());
    for f in found {
        let first = next_number(&blocks);
        let edge = f.rows.0 as f32;
        let x = |d: &Divider| corner(&f.ladder, d, edge).0;
        let between = x(&f.columns.white.1) + 1.0 < x(&f.columns.black.0);
        blocks.push(Block {
            rows: lay(&f.ladder, &f.columns, f.rows, 0.0, first, view),
            number_column: if between {
                NumberColumn::Between
            } else {
                NumberColumn::Absent
            },
        });
    }
    let across = |f: &Found| f.corners()[0].0 + f.corners()[1].0;
    let by_place = |a: &&Found, b: &&Found| across(a).total_cmp(&across(b));
    let (left, right) = (
        found.iter().min_by(by_place)?,
        found.iter().max_by(by_place)?,
    );
    let ([tl, _, _, bl], [_, tr, br, _]) = (left.corners(), right.corners());
    let (header, result) = regions([tl, tr, br, bl], left.rows.1 - left.rows.0, view);
    Some(Grid {
        blocks,
        header,
        result,
    })
}

/// Number of the row that follows on these blocks.
fn next_number(blocks: &[Block]) -> u32 {
    1 + blocks.iter().map(|b| b.rows.len() as u32).sum::<u32>()
}

/// The rows of a block between two edges; White begins a share `inset` of its width further right.
fn lay(
    ladder: &Ladder,
    columns: &Columns,
    rows: (i32, i32),
    inset: f32,
    first: u32,
    view: &View,
) -> Vec<Row> {
    let quad = |sides: &(Divider, Divider), row: i32, inset: f32| -> Quad {
        let edge = |edge: i32| {
            let (left, right) = (
                corner(ladder, &sides.0, edge as f32),
                corner(ladder, &sides.1, edge as f32),
            );
            let x = left.0 + inset * (right.0 - left.0);
            let y = if inset > 0.0 {
                ladder.y(edge as f32, x)
            } else {
                left.1
            };
            ((x, y), right)
        };
        let (top, bottom) = (edge(row), edge(row + 1));
        [top.0, top.1, bottom.1, bottom.0].map(|p| view.on_page(p))
    };
    (rows.0..rows.1)
        .zip(first..)
        .map(|(row, number)| Row {
            number,
            white: quad(&columns.white, row, inset),
            black: quad(&columns.black, row, 0.0),
        })
        .collect()
}

/// What lies above and below a table with these corners (clockwise from top left), over its width and to the edges of
/// the page.
pub fn regions(corners: [(f32, f32); 4], rows: i32, view: &View) -> (Option<Quad>, Option<Quad>) {
    let [tl, tr, br, bl] = corners;
    let (top, bottom) = view.ends;
    let room = ROOM * (bl.1 - tl.1) / rows as f32;
    let header = (tl.1.min(tr.1) - top > room).then_some([(tl.0, top), (tr.0, top), tr, tl]);
    let result =
        (bottom - bl.1.max(br.1) > room).then_some([bl, br, (br.0, bottom), (bl.0, bottom)]);
    let on_page = |q: [(f32, f32); 4]| q.map(|p| view.on_page(p));
    (header.map(on_page), result.map(on_page))
}
