//! The sides of columns as the table model shows them: curves through the ends of their rows.

use super::dividers::Divider;
use super::equations::{add, eliminate};
use super::ladder::Ladder;
use super::ruling::{self, Ruling, STRIP};
use super::stretches::Stretch;
use crate::robust::median;

/// Rounds of fitting a curve.
const ROUNDS: usize = 4;
/// Pixels that a row may always lie off its column's side.
pub const OFF: f64 = 2.0;

/// A side of a column: pixel x by the row, as a polynomial of second degree.
#[derive(Clone, Copy, Default)]
pub struct Curve(pub [f64; 3]);

impl Curve {
    /// Pixel x at a row; fractions lie within the row.
    pub fn at(&self, row: f64) -> f64 {
        self.0[0] + row * (self.0[1] + row * self.0[2])
    }

    /// The curve through (row, x) pairs but those that lie off it, its bend given or free.
    pub fn through(points: &[(f64, f64)], bend: Option<f64>) -> Self {
        let mut curve = Self::line(points, bend.unwrap_or(0.0));
        for _ in 0..ROUNDS {
            let off = |p: &(f64, f64)| (p.1 - curve.at(p.0)).abs();
            let limit = (2.5 * usual(points.iter().map(off))).max(OFF);
            let mut normal = [[0.0; 4]; 3];
            for &(r, x) in points.iter().filter(|p| off(p) <= limit) {
                add(&mut normal, [1.0, r, r * r], x, 1.0);
            }
            if let Some(bend) = bend {
                normal[2] = [0.0, 0.0, 1.0, bend];
            }
            curve = Self(eliminate(normal));
        }
        curve
    }

    /// A line, bent as given, that nearly half of the points may lie off (Siegel 1982, Robust
    /// regression using repeated medians).
    fn line(points: &[(f64, f64)], bend: f64) -> Self {
        let flat = |p: &(f64, f64)| p.1 - bend * p.0 * p.0;
        let slope = usual(points.iter().map(|a| {
            let others = points.iter().filter(|b| b.0 != a.0);
            usual(others.map(|b| (flat(b) - flat(a)) / (b.0 - a.0)))
        }));
        let start = usual(points.iter().map(|p| flat(p) - slope * p.0));
        Self([start, slope, bend])
    }
}

/// What changes evenly from one side of a column to the next across a picture.
struct Trend([f64; 2]);

impl Trend {
    /// Through values at places, with their weights, but for those that lie off it.
    fn through(values: &[(f64, f64, f64)]) -> Self {
        let mut trend = Self([0.0; 2]);
        let mut limit = f64::INFINITY;
        for _ in 0..ROUNDS {
            let mut normal = [[0.0; 3]; 2];
            for &(x, value, weight) in values {
                if (value - trend.at(x)).abs() <= limit {
                    add(&mut normal, [1.0, x], value, weight);
                }
            }
            trend = Self(eliminate(normal));
            limit = 2.5 * usual(values.iter().map(|v| (v.1 - trend.at(v.0)).abs()));
        }
        trend
    }

    fn at(&self, x: f64) -> f64 {
        self.0[0] + x * self.0[1]
    }
}

/// How much the sides of columns bend: in the picture of a sheet that changes evenly from column to
/// column.
pub struct Bend(Trend);

impl Bend {
    /// What the sides of some columns have in common; long ones tell most.
    pub fn of<'a>(columns: impl Iterator<Item = &'a [Stretch]>) -> Self {
        let sides = columns.flat_map(ends).map(|side| {
            let length = side[side.len() - 1].0 - side[0].0;
            let bend = Curve::through(&side, None).0[2];
            (place(&side), bend, side.len() as f64 * length.powi(4))
        });
        Self(Trend::through(&sides.collect::<Vec<_>>()))
    }

    /// Bend of a side that stands at a pixel x.
    pub fn at(&self, x: f64) -> f64 {
        self.0.at(x)
    }
}

/// How the side of a column runs wherever one might stand.
pub struct Course {
    bend: Bend,
    /// Pixels to the right by the row, in the middle one.
    lean: Trend,
    middle: f64,
}

impl Course {
    /// As the sides of some columns run, places being those at a `middle` row.
    pub fn of(columns: &[Vec<Stretch>], middle: f64) -> Self {
        let bend = Bend::of(columns.iter().map(Vec::as_slice));
        let sides = columns.iter().flat_map(|column| ends(column)).map(|side| {
            let length = side[side.len() - 1].0 - side[0].0;
            let curve = Curve::through(&side, Some(bend.at(place(&side))));
            let lean = curve.0[1] + 2.0 * curve.0[2] * middle;
            (curve.at(middle), lean, side.len() as f64 * length.powi(2))
        });
        let lean = Trend::through(&sides.collect::<Vec<_>>());
        Self { bend, lean, middle }
    }

    /// The side that passes a pixel x in the middle row.
    pub fn through(&self, x: f64) -> Curve {
        let (lean, bend, m) = (self.lean.at(x), self.bend.at(x), self.middle);
        Curve([x - m * (lean - m * bend), lean - 2.0 * m * bend, bend])
    }
}

/// The left and the right end of a column's rows, as (row, x) pairs.
pub fn ends(column: &[Stretch]) -> [Vec<(f64, f64)>; 2] {
    [|s: &Stretch| s.from, |s: &Stretch| s.to].map(|end| {
        let rows = column.iter();
        rows.map(|s| (f64::from(s.row) + 0.5, f64::from(end(s))))
            .collect()
    })
}

/// Where a side stands across the picture.
pub fn place(side: &[(f64, f64)]) -> f64 {
    usual(side.iter().map(|p| p.1))
}

/// The median; 0 of nothing.
fn usual(values: impl Iterator<Item = f64>) -> f64 {
    median(values, f64::total_cmp).unwrap_or(0.0)
}

/// A curve over the rows of a ladder as a line on the picture.
pub fn lay(ladder: &Ladder, curve: Curve) -> Divider {
    let places: Vec<(f32, f32)> = (-4..ladder.edges() as i32 * 4 + 4)
        .map(|quarter| {
            let edge = quarter as f32 / 4.0;
            let x = curve.at(f64::from(edge)) as f32;
            (ladder.y(edge, x), x)
        })
        .collect();
    let mut points: Vec<(usize, f32)> = Vec::new();
    for pair in places.windows(2) {
        let ((y0, x0), (y1, x1)) = (pair[0], pair[1]);
        let strip = |y: f32| ((y - ruling::centre(0)) / STRIP as f32).ceil().max(0.0) as usize;
        // A line runs down, though edges that were hardly seen may cross each other.
        let next = points.last().map_or(0, |last| last.0 + 1);
        for s in strip(y0).max(next)..strip(y1) {
            let t = (ruling::centre(s) - y0) / (y1 - y0);
            points.push((s, x0 + t * (x1 - x0)));
        }
    }
    if points.is_empty() {
        points.push((0, places[0].1));
    }
    let middle = curve.at(ladder.edges() as f64 / 2.0) as f32;
    Divider::laid(
        Ruling {
            points,
            strength: 0.0,
        },
        middle,
    )
}
