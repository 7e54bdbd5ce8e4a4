//! The found lines put together as cells, in pixels of the full-size page.

use super::columns::{Divider, Layout};
use super::ladder::Ladder;
use super::print::corner;
use super::rows::Span;
use super::{Block, Grid, NumberColumn, Row};
use crate::geometry::{Point, Quad};
use crate::page::Page;

/// A header or result region has at least this many row heights of room.
const ROOM: f32 = 0.8;

/// Lays the cells of a table.
pub fn build(ladder: &Ladder, layout: &Layout, span: Span, page: &Page) -> Grid {
    let to_page = |(x, y): (f32, f32)| full_size((x, y), page.scale);
    let rows = (span.last - span.first) as u32;
    let mut blocks = Vec::with_capacity(layout.blocks.len());
    for (b, columns) in layout.blocks.iter().enumerate() {
        let quad = |sides: &(Divider, Divider), row: i32, inset: f32| -> Quad {
            let edge = |edge: i32| {
                let (left, right) = (
                    corner(ladder, &sides.0, edge as f32),
                    corner(ladder, &sides.1, edge as f32),
                );
                let x = left.0 + inset * (right.0 - left.0);
                (
                    (
                        x,
                        if inset > 0.0 {
                            ladder.y(edge as f32, x)
                        } else {
                            left.1
                        },
                    ),
                    right,
                )
            };
            let (top, bottom) = (edge(row), edge(row + 1));
            [top.0, top.1, bottom.1, bottom.0].map(to_page)
        };
        let made = (0..rows)
            .map(|i| {
                let row = span.first + i as i32;
                Row {
                    number: b as u32 * rows + i + 1,
                    white: quad(&columns.white, row, span.number_end.unwrap_or(0.0)),
                    black: quad(&columns.black, row, 0.0),
                }
            })
            .collect();
        let number_column = if span.number_end.is_some() {
            NumberColumn::Left
        } else {
            layout.number_column
        };
        blocks.push(Block {
            rows: made,
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
        (Some(left), Some(right)) => regions(ladder, left, right, span, page),
        _ => (None, None),
    };
    Grid {
        blocks,
        header,
        result,
    }
}

fn full_size((x, y): (f32, f32), scale: f64) -> Point {
    // Pixel centres lie at halves in both sizes.
    Point::new(
        (f64::from(x) + 0.5) / scale - 0.5,
        (f64::from(y) + 0.5) / scale - 0.5,
    )
}

/// What lies above and below the table, over its width and to the edges of the page.
fn regions(
    ladder: &Ladder,
    left: &Divider,
    right: &Divider,
    span: Span,
    page: &Page,
) -> (Option<Quad>, Option<Quad>) {
    let bottom = f64::from(page.luma.height()) - 1.0;
    let at = |d: &Divider, edge: i32| full_size(corner(ladder, d, edge as f32), page.scale);
    let (tl, tr) = (at(left, span.first), at(right, span.first));
    let (bl, br) = (at(left, span.last), at(right, span.last));
    let pitch = (bl.y - tl.y) / f64::from(span.last - span.first);
    let room = f64::from(ROOM) * pitch;
    let header =
        (tl.y.min(tr.y) > room).then(|| [Point::new(tl.x, 0.0), Point::new(tr.x, 0.0), tr, tl]);
    let result = (bottom - bl.y.max(br.y) > room)
        .then(|| [bl, br, Point::new(br.x, bottom), Point::new(bl.x, bottom)]);
    (header, result)
}
