//! Edges between rows that stray: a fold across the paper, or a stroke that is longer than the
//! column is wide, was taken for one here and there. Rows are printed evenly, so that an edge lies
//! where those above and below it put it.

use super::equations::{add, eliminate};
use super::{Grid, Row};
use crate::geometry::{Point, Quad};
use crate::robust::median;

/// Fewest rows that tell where one of them lies.
const FEWEST: usize = 10;
/// Terms of the spacing: perspective and the curl of a page.
const TERMS: usize = 4;
/// Rounds of fitting in which edges far off are left out.
const ROUNDS: usize = 4;
/// Edges on either side by which one is judged.
const NEAR: usize = 7;
/// Rows by which an edge may lie off its neighbours' spacing.
const STRAY: f64 = 0.2;

/// The table with every row's corners where the spacing of the rows above and below puts them, if
/// they lie far from there.
pub fn evened(mut grid: Grid) -> Grid {
    let columns: [fn(&mut Row) -> &mut Quad; 2] = [|row| &mut row.white, |row| &mut row.black];
    for rows in grid.blocks.iter_mut().map(|block| &mut block.rows) {
        for (column, corner) in columns.iter().flat_map(|c| [0, 1, 2, 3].map(|i| (c, i))) {
            let line: Vec<Point> = rows.iter_mut().map(|row| column(row)[corner]).collect();
            for (row, place) in rows.iter_mut().zip(even(&line)) {
                column(row)[corner] = place;
            }
        }
    }
    grid
}

/// Points one below the other, those that stray moved along the line from the first to the last.
fn even(line: &[Point]) -> Vec<Point> {
    let (Some(&top), Some(&bottom)) = (line.first(), line.last()) else {
        return Vec::new();
    };
    let length = top.distance(bottom);
    if line.len() < FEWEST || length <= 0.0 {
        return line.to_vec();
    }
    let way = ((bottom.x - top.x) / length, (bottom.y - top.y) / length);
    let high = length / (line.len() - 1) as f64;
    let down = |p: &Point| (way.0 * (p.x - top.x) + way.1 * (p.y - top.y)) / high;
    let off = off(&line.iter().map(down).collect::<Vec<f64>>());
    let places = line.iter().enumerate().map(|(k, p)| {
        let near = &off[k.saturating_sub(NEAR)..(k + NEAR + 1).min(off.len())];
        let usual = median(near.iter().copied(), f64::total_cmp).unwrap_or(off[k]);
        let by = if (off[k] - usual).abs() > STRAY {
            (usual - off[k]) * high
        } else {
            0.0
        };
        Point::new(p.x + by * way.0, p.y + by * way.1)
    });
    places.collect()
}

/// How far values lie off a smooth curve through most of them.
fn off(values: &[f64]) -> Vec<f64> {
    let terms = |k: usize| {
        let t = 2.0 * k as f64 / (values.len() - 1) as f64 - 1.0;
        [1.0, t, t * t, t * t * t]
    };
    let mut off = vec![0.0; values.len()];
    let mut limit = f64::INFINITY;
    for _ in 0..ROUNDS {
        let mut normal = [[0.0; TERMS + 1]; TERMS];
        for k in (0..values.len()).filter(|&k| f64::abs(off[k]) <= limit) {
            add(&mut normal, terms(k), values[k], 1.0);
        }
        let found = eliminate(normal);
        for (k, off) in off.iter_mut().enumerate() {
            let fitted: f64 = terms(k).iter().zip(found).map(|(a, b)| a * b).sum();
            *off = values[k] - fitted;
        }
        let usual = median(off.iter().map(|off| off.abs()), f64::total_cmp);
        limit = usual.map_or(STRAY, |usual| (3.0 * usual).max(STRAY / 2.0));
    }
    off
}

#[cfg(test)]
mod tests {
    use super::super::{Block, NumberColumn};
    use super::*;

    /// A block of `count` rows that shrink towards its foot, as on a page photographed from above
    /// its head.
    fn block(count: u32) -> Grid {
        let y = |edge: u32| {
            let t = f64::from(edge) / f64::from(count);
            1000.0 * t / (0.6 + 0.4 * t)
        };
        let row = |number: u32| {
            let quad = |left: f64, right: f64| {
                let (top, bottom) = (y(number - 1), y(number));
                [(left, top), (right, top), (right, bottom), (left, bottom)]
                    .map(|(x, y)| Point::new(x, y))
            };
            Row {
                number,
                white: quad(60.0, 290.0),
                black: quad(290.0, 520.0),
            }
        };
        Grid {
            blocks: vec![Block {
                rows: (1..=count).map(row).collect(),
                number_column: NumberColumn::Absent,
            }],
            ..Grid::default()
        }
    }

    /// Rows by which corners lie off each other at the most.
    fn apart(a: &Grid, b: &Grid) -> f64 {
        let corners = |grid: &Grid| -> Vec<Point> {
            let rows = grid.blocks.iter().flat_map(|b| &b.rows);
            rows.flat_map(|r| [r.white, r.black].concat()).collect()
        };
        let pairs = corners(a).into_iter().zip(corners(b));
        let high = 1000.0 / a.blocks[0].rows.len() as f64;
        pairs.map(|(a, b)| a.distance(b) / high).fold(0.0, f64::max)
    }

    #[test]
    fn an_edge_that_strays_is_laid_where_the_others_put_it() {
        for strays in [5..6, 12..13, 17..20] {
            let mut found = block(30);
            for row in &mut found.blocks[0].rows[strays] {
                row.white[0].y -= 20.0;
                row.white[3].y -= 20.0;
            }
            let off = apart(&evened(found), &block(30));
            assert!(off < 0.2, "{off} rows off");
        }
    }

    #[test]
    fn rows_evenly_spaced_stay_where_they_are() {
        for count in [3, 12, 40] {
            assert_eq!(evened(block(count)), block(count));
        }
    }
}
