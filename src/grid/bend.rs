//! Where every place of a table lies in a picture: by the perspective of its corners, bent along
//! the lines that are seen.

use super::equations::{add, eliminate};
use super::layout::FormLayout;
use super::lines::Lines;
use super::ruling::{self, Ruling, STRIP};
use super::view::View;
use super::{Grid, table};
use crate::geometry::{Homography, Point};
use crate::robust::median;

/// Powers of (width, height) by which places lie off the perspective, in the order of their sum.
const POWERS: [(i32, i32); 10] = [
    (0, 0),
    (1, 0),
    (0, 1),
    (1, 1),
    (2, 0),
    (0, 2),
    (2, 1),
    (1, 2),
    (3, 0),
    (0, 3),
];
const TERMS: usize = POWERS.len();

/// Rounds of bending: how far a line may lie off an edge, in row heights, and how many of the
/// powers are free.
const ROUNDS: [(f64, usize); 6] = [
    (0.4, 3),
    (0.35, 4),
    (0.3, 8),
    (0.25, 8),
    (0.2, TERMS),
    (0.15, TERMS),
];
/// How much further off a line between columns may lie.
const COLUMNS: f64 = 1.5;
/// Places along an edge at which lines are looked for.
const PLACES: usize = 12;
/// What all places together count, by the lines seen, for staying where they are.
const STAY: f64 = 0.03;
/// Places a side that stay.
const STAYING: usize = 5;
/// An outlier lies off by so many times what is usual, and by more than a pixel.
const OUTLIER: f64 = 2.5;

/// Where places of a table lie.
#[derive(Debug, Clone)]
pub struct Lie {
    map: Homography,
    /// Pixels to the right and down by power.
    off: [[f64; TERMS]; 2],
}

/// An edge was seen off its place: the place on the table, and by how many pixels, with those by
/// which it lies off already.
#[derive(Clone, Copy)]
struct Seen {
    terms: [f64; TERMS],
    off: f64,
}

impl Lie {
    /// By perspective alone.
    pub fn flat(map: Homography) -> Self {
        Self {
            map,
            off: [[0.0; TERMS]; 2],
        }
    }

    /// Pixel of a place, given in shares of the table.
    pub fn at(&self, u: f64, v: f64) -> Point {
        let (p, terms) = (self.map.at(u, v), terms(u, v));
        let [x, y] = self.off.map(|off| dot(&off, &terms));
        Point::new(p.x + x, p.y + y)
    }

    /// The cells of a layout on the page of a view.
    pub fn grid(&self, layout: &FormLayout, view: &View) -> Grid {
        let pixel = |u: f64, v: f64| {
            let p = self.at(u, v);
            (p.x as f32, p.y as f32)
        };
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(u, v)| pixel(u, v));
        let (header, result) = table::regions(corners, layout.max_rows() as i32, view);
        Grid {
            blocks: layout.blocks(|u, v| view.on_page(pixel(u, v))),
            header,
            result,
        }
    }

    /// The same bent along lines; those of a later source count only where an earlier one has none.
    pub fn bent(mut self, layout: &FormLayout, sources: &[Lines]) -> Self {
        for (reach, free) in ROUNDS {
            let (mut rows, mut columns) = (Vec::new(), Vec::new());
            for block in &layout.blocks {
                let count = block.rows() as f64;
                let place = |i: usize| (i as f64 + 0.5) / PLACES as f64;
                let pitch = |u: f64, v: f64| {
                    let high = (block.down[1] - block.down[0]) / count;
                    let (above, below) = (self.at(u, v - high / 2.0), self.at(u, v + high / 2.0));
                    (below.y - above.y).abs()
                };
                for &edge in &block.edges {
                    let v = block.table_y(edge);
                    for u in (0..PLACES).map(|i| block.table_x(place(i))) {
                        let p = self.at(u, v);
                        let lines = sources.iter().map(|lines| &lines.rows[..]);
                        rows.extend(self.seen(
                            1,
                            (u, v),
                            nearest(lines, p.x, p.y, reach * pitch(u, v)),
                        ));
                    }
                }
                let [a, b, c, d] = [
                    block.white[0],
                    block.white[1],
                    block.black[0],
                    block.black[1],
                ];
                for share in [a, b, c, d] {
                    let u = block.table_x(share);
                    for v in (0..PLACES).map(|i| block.table_y(place(i))) {
                        let p = self.at(u, v);
                        let lines = sources.iter().map(|lines| &lines.columns[..]);
                        let reach = COLUMNS * reach * pitch(u, v);
                        columns.extend(self.seen(0, (u, v), nearest(lines, p.y, p.x, reach)));
                    }
                }
            }
            self.off = [self.solve(0, &columns, free), self.solve(1, &rows, free)];
        }
        self
    }

    fn seen(&self, axis: usize, (u, v): (f64, f64), off: Option<f64>) -> Option<Seen> {
        let terms = terms(u, v);
        let off = off? + dot(&self.off[axis], &terms);
        Some(Seen { terms, off })
    }

    /// The coefficients of an axis by what was seen; places that no line tells about stay where
    /// they are.
    fn solve(&self, axis: usize, seen: &[Seen], free: usize) -> [f64; TERMS] {
        let now = self.off[axis];
        if seen.len() < 2 * TERMS {
            return now;
        }
        let stay = STAY * seen.len() as f64 / (STAYING * STAYING) as f64;
        let share = |i: usize| i as f64 / (STAYING - 1) as f64;
        let staying = (0..STAYING * STAYING).map(|i| {
            let terms = terms(share(i % STAYING), share(i / STAYING));
            let off = dot(&now, &terms);
            (Seen { terms, off }, stay)
        });
        let staying: Vec<(Seen, f64)> = staying.collect();
        let mut found = now;
        let mut limit = f64::INFINITY;
        for _ in 0..3 {
            let fits = |s: &&Seen| (s.off - dot(&found, &s.terms)).abs() <= limit;
            let kept = seen.iter().filter(fits).map(|s| (*s, 1.0));
            let mut normal = [[0.0; TERMS + 1]; TERMS];
            for (s, weight) in kept.chain(staying.iter().copied()) {
                add(&mut normal, s.terms, s.off, weight);
            }
            for (i, row) in normal.iter_mut().enumerate().skip(free) {
                *row = [0.0; TERMS + 1];
                row[i] = 1.0;
                row[TERMS] = now[i];
            }
            found = eliminate(normal);
            let off = seen.iter().map(|s| (s.off - dot(&found, &s.terms)).abs());
            limit = OUTLIER * median(off, f64::total_cmp).map_or(0.4, |off| off.max(0.4));
        }
        found
    }
}

/// How far the nearest line within reach lies off a place, across its direction, in the first
/// source that has one.
fn nearest<'a>(
    sources: impl Iterator<Item = &'a [Ruling]>,
    along: f64,
    across: f64,
    reach: f64,
) -> Option<f64> {
    let (along, half) = (along as f32, STRIP as f32 / 2.0);
    let mut sources = sources.map(|lines| {
        let there = lines.iter().filter(|line| {
            let (from, to) = (ruling::centre(line.first()), ruling::centre(line.last()));
            (from - half..=to + half).contains(&along)
        });
        there
            .map(|line| f64::from(line.at(along)) - across)
            .filter(|off| off.abs() <= reach)
            .min_by(|a, b| a.abs().total_cmp(&b.abs()))
    });
    sources.find_map(|nearest| nearest)
}

/// The powers of a place, from -1 to 1 over the table.
fn terms(u: f64, v: f64) -> [f64; TERMS] {
    let (u, v) = (2.0 * u - 1.0, 2.0 * v - 1.0);
    POWERS.map(|(a, b)| u.powi(a) * v.powi(b))
}

fn dot(a: &[f64; TERMS], b: &[f64; TERMS]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
