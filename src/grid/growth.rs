//! Rows at the ends of a block, by what the table model sees there: a block of 32 rows may have
//! been taken for one of 30, as most forms have them, and a line above or below the table for a row
//! of it.

use super::maps::{Maps, Plane};
use super::view::View;
use super::{Grid, MAX_ROWS, MIN_ROWS, Row, Side};
use crate::geometry::Quad;
use crate::ink;

/// Share of a player's cell in which the model must see that player's cells.
const OWN: f32 = 0.8;
/// Share up to which one of a row's cells may be none.
const NOT_OWN: f32 = 0.5;
/// Mean probability up to which there is no edge at which a block could end.
const NO_EDGE: f32 = 0.15;
/// Mean probability of the edge at which a block ends with a row more.
const EDGE: f32 = 0.5;
/// The same where something is written in that row.
const INKED_EDGE: f32 = 0.3;
/// Places along and across a cell that are looked at.
const PROBES: usize = 8;

/// The table with each block's rows as far down as the model sees them, and without the blank ones
/// at its ends that it does not see. Above a block stands its heading, which may be ruled as rows
/// are.
pub fn grown(mut grid: Grid, maps: &Maps, view: &View) -> Grid {
    let (width, height) = view.picture.dimensions();
    let (width, height) = (f64::from(width), f64::from(height));
    let quads = |row: &Row| [row.white, row.black].map(|quad| quad.map(|p| view.in_view(p)));
    let shown = |row: &Row| {
        let mut corners = quads(row).into_iter().flatten();
        corners.all(|p| (0.0..width).contains(&p.x) && (0.0..height).contains(&p.y))
    };
    let least_own = |row: &Row| {
        let of = |quad, side| own(quad, side, maps, view);
        of(&row.white, Side::White).min(of(&row.black, Side::Black))
    };
    let blank = |row: &Row| ink::are_blank(&view.picture, quads(row));
    let below = |row: &Row| {
        let edge = edge(row, true, maps, view);
        let ends = edge >= EDGE || edge >= INKED_EDGE && !blank(row);
        shown(row) && least_own(row) >= OWN && ends
    };
    let bare = |row: &Row, lower: bool| {
        least_own(row) <= NOT_OWN && edge(row, lower, maps, view) <= NO_EDGE && blank(row)
    };
    let out = |row: &Row| {
        let middle = |quad: Quad| quad.iter().map(|p| p.y).sum::<f64>() / 4.0;
        quads(row).map(middle).iter().all(|&y| y > height)
    };
    let mut written = Vec::new();
    for block in &mut grid.blocks {
        let rows = &mut block.rows;
        while rows.len() as i32 > MIN_ROWS
            && rows.last().is_some_and(|row| out(row) || bare(row, true))
        {
            rows.pop();
        }
        while rows.len() as i32 > MIN_ROWS && rows.first().is_some_and(|row| bare(row, false)) {
            rows.remove(0);
        }
        let before = rows.len();
        while (rows.len() as i32) < MAX_ROWS
            && let Some(row) = extrapolate_row(rows.iter().rev()).filter(below)
        {
            if !blank(&row) {
                written.push((before, rows.len() + 1));
            }
            rows.push(row);
        }
    }
    // Moves below a block's rows show that the blocks beside it that ended where it did go on, too.
    for block in &mut grid.blocks {
        let rows = &mut block.rows;
        let ends = written.iter().filter(|(before, _)| *before == rows.len());
        let end = ends.map(|(_, end)| *end).max().unwrap_or(0);
        while rows.len() < end
            && let Some(row) =
                extrapolate_row(rows.iter().rev()).filter(|row| shown(row) && blank(row))
        {
            rows.push(row);
        }
    }
    let rows = grid.blocks.iter_mut().flat_map(|block| &mut block.rows);
    for (row, number) in rows.zip(1..) {
        row.number = number;
    }
    grid
}

/// Share of a cell in which the maps see cells of a player.
fn own(quad: &Quad, side: Side, maps: &Maps, view: &View) -> f32 {
    let quad = quad.map(|p| view.in_view(p));
    maps.owned(&quad, PROBES)
        .map_or(0.0, |owned| owned[side as usize])
}

/// Mean probability of an edge between rows along a row's lower edge, or its upper one.
fn edge(row: &Row, lower: bool, maps: &Maps, view: &View) -> f32 {
    let of_quad = |quad: &Quad| {
        let quad = quad.map(|p| view.in_view(p));
        let (a, b) = if lower {
            (quad[3], quad[2])
        } else {
            (quad[0], quad[1])
        };
        let at = |i: usize| {
            let p = a.towards(b, (i as f64 + 0.5) / PROBES as f64);
            maps.at(Plane::Row, p.x as f32, p.y as f32)
        };
        (0..PROBES).map(at).sum::<f32>() / PROBES as f32
    };
    (of_quad(&row.white) + of_quad(&row.black)) / 2.0
}

/// The row that would stand before the first of these rows, as far from it as it is from the
/// second; None where there are not two rows.
pub fn extrapolate_row<'a>(mut rows: impl Iterator<Item = &'a Row>) -> Option<Row> {
    let (end, inner) = (rows.next()?, rows.next()?);
    let quad = |of: fn(&Row) -> &Quad| {
        let (end, inner) = (of(end), of(inner));
        [0, 1, 2, 3].map(|i| inner[i].towards(end[i], 2.0))
    };
    Some(Row {
        number: end.number,
        white: quad(|row| &row.white),
        black: quad(|row| &row.black),
    })
}

#[cfg(test)]
mod tests {
    use image::GrayImage;

    use super::super::{Block, NumberColumn};
    use super::*;
    use crate::geometry::Point;
    use crate::page::Page;

    const SIZE: (u32, u32) = (600, 640);
    const HIGH: f64 = 28.0;

    /// A block of level rows from one edge to another, counted from the top of the picture.
    fn block(edges: std::ops::Range<u32>) -> Grid {
        let quad = |left: f64, edge: u32| {
            let (top, bottom) = (HIGH * f64::from(edge), HIGH * f64::from(edge + 1));
            [
                (left, top),
                (left + 230.0, top),
                (left + 230.0, bottom),
                (left, bottom),
            ]
            .map(|(x, y)| Point::new(x, y))
        };
        let rows = edges.zip(1..).map(|(edge, number)| Row {
            number,
            white: quad(60.0, edge),
            black: quad(290.0, edge),
        });
        Grid {
            blocks: vec![Block {
                rows: rows.collect(),
                number_column: NumberColumn::Absent,
            }],
            ..Grid::default()
        }
    }

    /// What becomes of a block where the model sees the rows from edge 2 to edge 20.
    fn becomes(found: std::ops::Range<u32>) -> Grid {
        let seen = |plane, x: f32, y: f32| {
            let y = f64::from(y) / HIGH;
            let within = (2.0..20.0).contains(&y);
            let there = match plane {
                Plane::White => within && (60.0..290.0).contains(&x),
                Plane::Black => within && (290.0..520.0).contains(&x),
                Plane::Row => (1.9..20.1).contains(&y) && (y - y.round()).abs() * HIGH < 4.0,
                Plane::Column => false,
            };
            if there { 0.9 } else { 0.05 }
        };
        let maps = Maps::made(SIZE, seen);
        let picture = GrayImage::new(SIZE.0, SIZE.1);
        let page = Page::new("a.png".into(), 1, String::new(), picture);
        grown(block(found), &maps, &View::turned(&page, 0.0))
    }

    #[test]
    fn a_block_ends_where_the_models_cells_do() {
        for found in [2..20, 2..17, 1..20, 1..18, 2..22] {
            let grid = becomes(found.clone());
            let rows = |grid: &Grid| -> Vec<(u32, [i64; 2])> {
                let rows = grid.blocks[0].rows.iter();
                rows.map(|row| {
                    (
                        row.number,
                        [row.white[0].y, row.black[2].y].map(|y| y.round() as i64),
                    )
                })
                .collect()
            };
            assert_eq!(rows(&grid), rows(&block(2..20)), "{found:?}");
        }
    }

    #[test]
    fn a_written_row_is_one_of_the_blocks_beside_it_too() {
        // The edge under the row from edge 20 is seen badly, and nothing at all of the blank
        // block's.
        let seen = |plane, x: f32, y: f32| {
            let (x, y) = (f64::from(x), f64::from(y) / HIGH);
            let within = (2.0..20.0).contains(&y) || x < 600.0 && (20.0..21.0).contains(&y);
            let there = match plane {
                Plane::White => within && (60.0..290.0).contains(&(x % 600.0)),
                Plane::Black => within && (290.0..520.0).contains(&(x % 600.0)),
                Plane::Row => (1.9..20.1).contains(&y) && (y - y.round()).abs() * HIGH < 4.0,
                Plane::Column => false,
            };
            let faint = plane == Plane::Row && x < 600.0 && (y - 21.0).abs() * HIGH < 4.0;
            match (there, faint) {
                (true, _) => 0.9,
                (_, true) => 0.4,
                _ => 0.02,
            }
        };
        let size = (2 * SIZE.0, SIZE.1);
        let maps = Maps::made(size, seen);
        let found = |writing: bool| {
            let mut picture = GrayImage::from_pixel(size.0, size.1, [230].into());
            for x in (100..260).chain(330..490).filter(|x| writing && x % 12 < 3) {
                for y in 568..582 {
                    picture.put_pixel(x, y, [30].into());
                }
            }
            let page = Page::new("a.png".into(), 1, String::new(), picture);
            let mut grid = block(2..20);
            let mut blank = grid.blocks[0].clone();
            for row in &mut blank.rows {
                for point in row.white.iter_mut().chain(&mut row.black) {
                    point.x += 600.0;
                }
            }
            grid.blocks.push(blank);
            let grid = grown(grid, &maps, &View::turned(&page, 0.0));
            let rows = grid.blocks.iter().map(|block| block.rows.len());
            rows.collect::<Vec<_>>()
        };
        assert_eq!(found(false), [18, 18]);
        assert_eq!(found(true), [19, 19]);
    }
}
