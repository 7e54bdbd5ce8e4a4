//! Columns of cells on the model's maps: where they end in every row of a ladder, and which two of
//! them are a block's.

use super::ladder::Ladder;
use super::maps::{Maps, OWNED, Plane};
use super::ruling::{self, STRIP};
use crate::robust::median;

/// Heights in a row at which the maps are asked.
pub const HEIGHTS: [f32; 3] = [0.3, 0.5, 0.7];
/// Fewest rows of a block of which the model sees so much.
pub const SEEN_ROWS: i32 = 8;
/// Strips left and right of a ladder in which columns are looked for: on a curled page its rows are
/// lost there.
const BEYOND: usize = 10;
/// A cell is at least so wide, by its height.
const FLATTEST: f32 = 0.7;
/// Share of the narrower of two rows' stretches in which they overlap where they belong to one
/// column.
const LINKED: f32 = 0.6;
/// A row of a column is at least so wide, by its usual row: what the maps show below a table grows
/// narrower.
const NARROWER: f32 = 0.6;
/// Rows that may be missing in a column one after the other.
const MISSING: i32 = 4;
/// Gap between White and Black by White's width: they touch, or printed numbers stand between them,
/// and times beside these.
const GAP: (f32, f32) = (-0.25, 1.3);
/// Black's width by White's.
const BALANCE: (f32, f32) = (0.6, 1.67);
/// What it adds to a pair of columns that the maps call them White and Black, by the pair itself.
const CALLED: f32 = 0.2;
/// Mean probability of one player less that of the other from which a part of a row is the one's.
const DIFFERENT: f32 = 0.3;
/// Map pixels of a column's outline that lie in the column.
const OUTLINE: f32 = 0.7;

/// The columns of cells that the maps show along a ladder, row by row.
pub fn columns(maps: &Maps, ladder: &Ladder, width: f32) -> Vec<Vec<Stretch>> {
    chains(stretches(maps, ladder, width))
}

/// Pixels x from and to which a row belongs to one column of cells.
#[derive(Clone, Copy)]
pub struct Stretch {
    /// Row of the ladder.
    pub row: i32,
    /// Left end.
    pub from: f32,
    /// Right end.
    pub to: f32,
    /// Mean probability of White less that of Black.
    white: f32,
}

impl Stretch {
    /// Width in pixels.
    pub fn width(&self) -> f32 {
        self.to - self.from
    }
}

/// Where each row belongs to a column of cells, row by row. Whose column it is, the maps may take
/// wrong for a whole block; where columns end they know.
fn stretches(maps: &Maps, ladder: &Ladder, width: f32) -> Vec<Stretch> {
    let beyond = (BEYOND * STRIP) as f32;
    let from = (ruling::centre(ladder.strips.0) - beyond).max(0.0);
    let to = (ruling::centre(ladder.strips.1) + beyond).min(width - 1.0);
    let step = maps.pixel() / 2.0;
    let places = ((to - from) / step).max(0.0) as usize;
    let mut out = Vec::new();
    for row in -1..ladder.edges() as i32 {
        let mean = |plane: Plane, x: f32| {
            let at = |h: &f32| maps.at(plane, x, ladder.y(row as f32 + h, x));
            HEIGHTS.iter().map(at).sum::<f32>() / HEIGHTS.len() as f32
        };
        let values: Vec<(f32, f32)> = (0..places)
            .map(|i| {
                let x = from + i as f32 * step;
                let (white, black) = (mean(Plane::White, x), mean(Plane::Black, x));
                let inside = white.max(black) * (1.0 - mean(Plane::Column, x));
                (inside, white - black)
            })
            .collect();
        // Where the probability passes a half between two places.
        let crossing = |i: usize| {
            let (a, b) = (values[i - 1].0, values[i].0);
            from + (i as f32 - 1.0 + (OWNED - a) / (b - a)) * step
        };
        let half = OUTLINE * maps.pixel();
        let mut start = None;
        for i in 0..=places {
            let owned = values.get(i).is_some_and(|v| v.0 > OWNED);
            match (owned, start) {
                (true, None) => start = Some((i, if i == 0 { from } else { crossing(i) } - half)),
                (false, Some((first, left))) => {
                    let right = if i == places { to } else { crossing(i) } + half;
                    let pitch = ladder.pitch(row as f32 + 0.5, (left + right) / 2.0);
                    let players: Vec<f32> = values[first..i].iter().map(|v| v.1).collect();
                    let turn = turn(&players);
                    let edge = turn.map_or(right, |k| from + ((first + k) as f32 - 0.5) * step);
                    let parts = [(left, edge, &players[..turn.unwrap_or(players.len())])];
                    let rest = turn.map(|k| (edge, right, &players[k..]));
                    for (from, to, players) in parts.into_iter().chain(rest) {
                        if to - from >= FLATTEST * pitch {
                            let white = mean_of(players);
                            out.push(Stretch {
                                row,
                                from,
                                to,
                                white,
                            });
                        }
                    }
                    start = None;
                }
                _ => {}
            }
        }
    }
    out
}

/// Where a stretch passes from one player's cells to the other's, though no outline shows there:
/// the first place of the second part.
fn turn(players: &[f32]) -> Option<usize> {
    let all: f32 = players.iter().sum();
    let mut left = 0.0;
    let mut best = (0.0, 0);
    for (k, value) in players.iter().enumerate() {
        let apart: f32 = 2.0 * left - all;
        if apart.abs() > best.0 {
            best = (apart.abs(), k);
        }
        left += value;
    }
    let (a, b) = players.split_at(best.1);
    let (a, b) = (mean_of(a), mean_of(b));
    (!players.is_empty() && a * b < 0.0 && a.abs().min(b.abs()) > DIFFERENT).then_some(best.1)
}

fn mean_of(values: &[f32]) -> f32 {
    values.iter().sum::<f32>() / values.len().max(1) as f32
}

/// Stretches that lie under each other, as columns of enough rows.
fn chains(stretches: Vec<Stretch>) -> Vec<Vec<Stretch>> {
    let mut chains: Vec<Vec<Stretch>> = Vec::new();
    for s in stretches {
        let shared = |other: &Stretch| other.to.min(s.to) - other.from.max(s.from);
        let home = chains
            .iter_mut()
            .filter(|c| {
                let last = &c[c.len() - 1];
                (1..=1 + MISSING).contains(&(s.row - last.row))
                    && shared(last) >= LINKED * last.width().min(s.width())
                    && s.width() >= NARROWER * usual_width(c)
            })
            .max_by(|a, b| shared(&a[a.len() - 1]).total_cmp(&shared(&b[b.len() - 1])));
        match home {
            Some(chain) => chain.push(s),
            None => chains.push(vec![s]),
        }
    }
    chains.retain(|c| c.len() >= SEEN_ROWS as usize * 3 / 4);
    chains
}

fn usual_width(column: &[Stretch]) -> f32 {
    median(column.iter().map(Stretch::width), f32::total_cmp).unwrap_or(0.0)
}

/// Which columns are White and Black of one block: the pairs that have the most rows, and of those
/// the ones that the maps call so. What lies between the two of a pair is none.
pub fn pairs(columns: &[Vec<Stretch>]) -> Vec<(&[Stretch], &[Stretch])> {
    let mut order: Vec<&[Stretch]> = columns.iter().map(Vec::as_slice).collect();
    let place = |c: &[Stretch]| c.iter().map(|s| s.from + s.to).sum::<f32>() / c.len() as f32;
    order.sort_by(|a, b| place(a).total_cmp(&place(b)));
    let white = |c: &[Stretch]| c.iter().map(|s| s.white).sum::<f32>() / c.len() as f32;
    // The best score of the first columns, and the White to the last of them where that is a Black
    // one.
    let mut best: Vec<(f32, Option<usize>)> = vec![(0.0, None)];
    for (i, black) in order.iter().enumerate() {
        let mut here = (best[i].0, None);
        for (j, left) in order[..i].iter().enumerate() {
            let called = 1.0 + CALLED * (white(left) - white(black));
            let score = best[j].0 + beside(left, black) as f32 * called;
            if score > here.0 {
                here = (score, Some(j));
            }
        }
        best.push(here);
    }
    let mut found = Vec::new();
    let mut i = order.len();
    while i > 0 {
        match best[i].1 {
            Some(j) => {
                found.push((order[j], order[i - 1]));
                i = j;
            }
            None => i -= 1,
        }
    }
    found
}

/// The rows of a column and of the one left of it to which it can be the Black one, as wide, in the
/// same rows, and not far; 0 where it cannot.
fn beside(white: &[Stretch], black: &[Stretch]) -> usize {
    let both: Vec<(&Stretch, &Stretch)> = white
        .iter()
        .filter_map(|w| Some((w, black.iter().find(|b| b.row == w.row)?)))
        .collect();
    if both.len() * 2 < white.len().min(black.len()) || both.is_empty() {
        return 0;
    }
    let usual = |of: fn(&(&Stretch, &Stretch)) -> f32| {
        median(both.iter().map(of), f32::total_cmp).unwrap_or(0.0)
    };
    let gap = usual(|(w, b)| (b.from - w.to) / w.width());
    let ratio = usual(|(w, b)| b.width() / w.width());
    let fit = (GAP.0..=GAP.1).contains(&gap) && (BALANCE.0..=BALANCE.1).contains(&ratio);
    if fit { both.len() } else { 0 }
}
