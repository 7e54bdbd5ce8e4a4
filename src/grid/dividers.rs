//! Lines between columns: the vertical rulings that pass a table's rows.

use super::depth::Straighten;
use super::ladder::Ladder;
use super::ruling::{self, Ruling, STRIP};
use super::surface::Surface;

/// Lines closer than this, in row heights, are one.
const SAME: f32 = 0.25;
/// How far a column's line may stand outside the row rulings, in strips and in row heights: rulings are seen from a
/// strip's centre on. What lies further out is the paper's edge.
const OUTSIDE: (f32, f32) = (1.5, 0.5);

/// A line between columns.
#[derive(Debug, Clone)]
pub struct Divider {
    /// The traced line; a line that was not seen is laid from its neighbours.
    pub line: Ruling,
    /// Place across the page, in pixels at the middle of the table with perspective taken out.
    pub place: f32,
    /// False for the ends of the row rulings where no vertical line was seen.
    pub seen: bool,
}

impl Divider {
    /// A line that was not traced but laid, at a place across the page.
    pub fn laid(line: Ruling, place: f32) -> Self {
        Self {
            line,
            place,
            seen: false,
        }
    }

    /// A line a share `t` of the way from this one to another.
    pub fn between(&self, other: &Self, t: f32) -> Self {
        let points = (self.line.first()..=self.line.last())
            .map(|s| {
                let y = ruling::centre(s);
                let (here, there) = (self.line.at(y), other.line.at(y));
                (s, here + t * (there - here))
            })
            .collect();
        let line = Ruling {
            points,
            strength: 0.0,
        };
        Self::laid(line, self.place + t * (other.place - self.place))
    }
}

/// Vertical lines that pass a share `least_cover` of the rows, and the ends of the row rulings where no line stands there;
/// from left to right.
pub fn find(ladder: &Ladder, verticals: &[Ruling], width: f32, least_cover: f32) -> Vec<Divider> {
    let last_edge = (ladder.edges() - 1) as f32;
    let middle = last_edge / 2.0;
    let (left, right) = (
        ruling::centre(ladder.strips.0),
        ruling::centre(ladder.strips.1),
    );
    let straighten = Straighten::new(ladder, middle);
    let mut found: Vec<Divider> = Vec::new();
    for line in verticals {
        let x = line.at(ladder.y(middle, line.points[line.points.len() / 2].1));
        let pitch = ladder.pitch(middle, x);
        let beyond = (OUTSIDE.0 * STRIP as f32).max(OUTSIDE.1 * pitch);
        if x < left - beyond || x > right + beyond {
            continue;
        }
        let half = STRIP as f32 / 2.0;
        let top = ladder.edge_at(x, ruling::centre(line.first()) - half);
        let bottom = ladder.edge_at(x, ruling::centre(line.last()) + half);
        let inside = bottom.min(last_edge) - top.max(0.0);
        let spread = (line.last() - line.first() + 1) as f32;
        let cover = inside / last_edge * line.points.len() as f32 / spread;
        if cover < least_cover {
            continue;
        }
        found.push(Divider {
            line: line.clone(),
            place: straighten.at(x),
            seen: true,
        });
    }
    found.sort_by(|a, b| a.place.total_cmp(&b.place));
    let near = |d: &Divider, place: f32, limit: f32| (d.place - place).abs() < limit;
    let pitch = ladder.pitch(middle, (left + right) / 2.0);
    let mut apart: Vec<Divider> = Vec::new();
    for d in found {
        match apart.last_mut() {
            Some(p) if near(p, d.place, SAME * pitch) => {
                if d.line.weight() > p.line.weight() {
                    *p = d;
                }
            }
            _ => apart.push(d),
        }
    }
    align(&mut apart, pitch);
    for (outer, edge) in [(left, 0.0), (right, width - 1.0)] {
        // A ruling is seen from a strip's centre on: what is left to the picture's edge is less than a strip.
        let x = if (outer - edge).abs() < 1.5 * STRIP as f32 {
            edge
        } else {
            outer
        };
        let place = straighten.at(x);
        if apart.iter().any(|d| near(d, place, 1.2 * pitch)) {
            continue;
        }
        let line = Ruling {
            points: end_points(ladder, x),
            strength: 0.0,
        };
        apart.push(Divider::laid(line, place));
    }
    apart.sort_by(|a, b| a.place.total_cmp(&b.place));
    apart
}

/// Puts every line where it and its neighbours agree it runs, and lays it on to the ends of the table: pieces of a
/// line may have been traced along the digits or letters beside it.
fn align(dividers: &mut [Divider], pitch: f32) {
    let Some(first) = dividers.iter().map(|d| d.line.first()).min() else {
        return;
    };
    let Some(last) = dividers.iter().map(|d| d.line.last()).max() else {
        return;
    };
    let mut samples: Vec<Vec<Option<f32>>> = dividers
        .iter()
        .map(|d| {
            let mut row = vec![None; last + 1];
            for &(s, x) in &d.line.points {
                row[s] = Some(x);
            }
            row
        })
        .collect();
    let stands = dividers
        .iter()
        .map(|d| f64::from(d.place / pitch))
        .collect();
    let grid = (ruling::centre(0), STRIP as f32);
    let Some(surface) = Surface::fit(&mut samples, stands, (first, last), grid) else {
        return;
    };
    for (i, d) in dividers.iter_mut().enumerate() {
        d.line.points = (first..=last).map(|s| (s, surface.value(i, s))).collect();
    }
}

/// An upright line at `x` over the height of the ladder.
fn end_points(ladder: &Ladder, x: f32) -> Vec<(usize, f32)> {
    let strip = |y: f32| (y / STRIP as f32).max(0.0) as usize;
    let top = strip(ladder.y(0.0, x));
    let bottom = strip(ladder.y((ladder.edges() - 1) as f32, x)).max(top + 1);
    (top..=bottom).map(|s| (s, x)).collect()
}
