//! The table as the model sees it: blocks of a White and a Black column, each with its own rows.

use super::MOST_ROWS;
use super::columns::{self, Columns, Divider};
use super::ladder::{self, Ladder};
use super::maps::{Maps, Plane};
use super::print::corner;
use super::ruling::{self, Ruling, STRIP};
use super::surface::eliminate;

/// Probability from which a place belongs to a player, and mean probability from which a row does.
const OWNED: f32 = 0.5;
/// Heights in a row at which the maps are asked.
const HEIGHTS: [f32; 3] = [0.3, 0.5, 0.7];
/// Strips left and right of a ladder in which columns are looked for: on a curled page its rows are lost there.
const BEYOND: usize = 10;
/// Fewest rows of a block of which the model sees so much.
const SEEN_ROWS: i32 = 8;
/// Places across a cell at which the maps are asked.
const PROBES: usize = 7;
/// A cell is at least this many times wider than high.
const FLATTEST: f32 = 1.2;
/// Share of the narrower of two rows' stretches in which they overlap where they belong to one column.
const LINKED: f32 = 0.6;
/// Rows that may be missing in a column one after the other.
const MISSING: i32 = 4;
/// Gap between White and Black by White's width: they touch, or printed numbers stand between them.
const GAP: (f32, f32) = (-0.25, 0.8);
/// Gap that is none, by the narrower column's width.
const TOUCHING: f32 = 0.08;
/// Black's width by White's.
const BALANCE: (f32, f32) = (0.6, 1.67);
/// What it adds to a pair of columns that the maps call them White and Black, by the pair itself.
const CALLED: f32 = 0.2;
/// Mean probability of one player less that of the other from which a part of a row is the one's.
const DIFFERENT: f32 = 0.3;
/// Map pixels of a column's outline that lie in the column.
const OUTLINE: f32 = 0.7;
/// A printed line this near to where the map ends, by the column's width, is where it ends.
const SNAP: f32 = 0.08;
/// Share of the rows that a printed line must pass.
const COVER: f32 = 0.4;
/// Rounds of fitting an outline, and pixels that a row may always lie off it.
const ROUNDS: usize = 4;
const OFF: f64 = 2.0;
/// Rows by which the ends of blocks side by side may seem to differ.
const UNEVEN: i32 = 2;
/// Share of the smaller of two blocks that they have in common where they are the same one.
const SAME: f32 = 0.3;

/// A block with its rows.
#[derive(Debug, Clone)]
pub struct Found {
    /// Where its row edges run.
    pub ladder: Ladder,
    /// White and Black.
    pub columns: Columns,
    /// Edge above the first row and below the last.
    pub rows: (i32, i32),
    /// Mean probability that a row lies in cells, for the rows from -1 on.
    owned: Vec<f32>,
}

impl Found {
    /// What speaks for the rows from one edge to another.
    fn weight(&self, first: i32, last: i32) -> f32 {
        (first..last)
            .filter_map(|r| self.owned.get((r + 1) as usize))
            .map(|p| p - OWNED)
            .sum()
    }
}

/// Finds the blocks, from left to right.
///
/// Row edges run along `horizontals`, columns end where the maps say or at one of the `verticals` near by; both were
/// traced in a picture of the given width and height.
pub fn find(
    maps: &Maps,
    horizontals: &[Ruling],
    verticals: &[Ruling],
    (width, height): (u32, u32),
) -> Vec<Found> {
    let strips = width as usize / STRIP;
    let mut found: Vec<Found> = Vec::new();
    for ladder in ladder::find(horizontals, strips, height as f32) {
        let lines = columns::dividers(&ladder, verticals, width as f32, COVER);
        let columns = chains(stretches(maps, &ladder, width as f32));
        let beside = pairs(&columns).into_iter();
        let mut blocks: Vec<Found> = beside
            .filter_map(|(white, black)| block(maps, &ladder, &lines, white, black))
            .collect();
        level(&mut blocks);
        found.append(&mut blocks);
    }
    let weight = |f: &Found| f.weight(f.rows.0, f.rows.1);
    found.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let mut apart: Vec<Found> = Vec::new();
    for f in found {
        if apart.iter().all(|other| !overlap(&f, other)) {
            apart.push(f);
        }
    }
    apart.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    apart
}

/// Blocks side by side begin and end with one row: where their ends nearly agree, the ends that suit all of them best.
fn level(blocks: &mut [Found]) {
    let span = |ends: Vec<i32>| Some((*ends.iter().min()?, *ends.iter().max()?));
    let near = |&(low, high): &(i32, i32)| high - low <= UNEVEN;
    if let Some((low, high)) = span(blocks.iter().map(|b| b.rows.0).collect()).filter(near) {
        let score = |v: i32| blocks.iter().map(|b| b.weight(v, high)).sum::<f32>();
        let best = (low..=high).max_by(|&a, &b| score(a).total_cmp(&score(b)));
        blocks
            .iter_mut()
            .for_each(|b| b.rows.0 = best.unwrap_or(b.rows.0));
    }
    if let Some((low, high)) = span(blocks.iter().map(|b| b.rows.1).collect()).filter(near) {
        let score = |v: i32| blocks.iter().map(|b| b.weight(low, v)).sum::<f32>();
        let best = (low..=high).max_by(|&a, &b| score(a).total_cmp(&score(b)));
        blocks
            .iter_mut()
            .for_each(|b| b.rows.1 = best.unwrap_or(b.rows.1));
    }
}

/// Pixels x from and to which a row belongs to one column of cells.
#[derive(Clone, Copy)]
struct Stretch {
    row: i32,
    from: f32,
    to: f32,
    /// Mean probability of White less that of Black.
    white: f32,
}

impl Stretch {
    fn width(&self) -> f32 {
        self.to - self.from
    }
}

/// Where each row belongs to a column of cells, row by row. Whose column it is, the maps may take wrong for a whole
/// block; where columns end they know.
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

/// Where a stretch passes from one player's cells to the other's, though no outline shows there: the first place of the
/// second part.
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

/// Which neighbouring columns are White and Black of one block: as many pairs as can be, and of those the ones that the
/// maps call so.
fn pairs(columns: &[Vec<Stretch>]) -> Vec<(&[Stretch], &[Stretch])> {
    let mut order: Vec<&[Stretch]> = columns.iter().map(Vec::as_slice).collect();
    let place = |c: &[Stretch]| c.iter().map(|s| s.from + s.to).sum::<f32>() / c.len() as f32;
    order.sort_by(|a, b| place(a).total_cmp(&place(b)));
    let white = |c: &[Stretch]| c.iter().map(|s| s.white).sum::<f32>() / c.len() as f32;
    // The best score of the first columns, and whether the last two of them are a pair.
    let mut best: Vec<(f32, bool)> = vec![(0.0, false); order.len() + 1];
    for i in 1..=order.len() {
        best[i] = (best[i - 1].0, false);
        if i >= 2 && beside(order[i - 2], order[i - 1]) {
            let score = best[i - 2].0 + 1.0 + CALLED * (white(order[i - 2]) - white(order[i - 1]));
            if score > best[i].0 {
                best[i] = (score, true);
            }
        }
    }
    let mut found = Vec::new();
    let mut i = order.len();
    while i > 0 {
        if best[i].1 {
            found.push((order[i - 2], order[i - 1]));
            i -= 2;
        } else {
            i -= 1;
        }
    }
    found
}

/// Whether a column can be the Black one to a White one left of it: as wide, in the same rows, and not far.
fn beside(white: &[Stretch], black: &[Stretch]) -> bool {
    let both: Vec<(&Stretch, &Stretch)> = white
        .iter()
        .filter_map(|w| Some((w, black.iter().find(|b| b.row == w.row)?)))
        .collect();
    if both.len() * 2 < white.len().min(black.len()) || both.is_empty() {
        return false;
    }
    let usual = |of: fn(&(&Stretch, &Stretch)) -> f32| {
        let mut all: Vec<f32> = both.iter().map(of).collect();
        let half = all.len() / 2;
        *all.select_nth_unstable_by(half, f32::total_cmp).1
    };
    let gap = usual(|(w, b)| (b.from - w.to) / w.width());
    let ratio = usual(|(w, b)| b.width() / w.width());
    (GAP.0..=GAP.1).contains(&gap) && (BALANCE.0..=BALANCE.1).contains(&ratio)
}

/// A block from its two columns; None where too few or too many rows belong to both.
fn block(
    maps: &Maps,
    ladder: &Ladder,
    lines: &[Divider],
    white: &[Stretch],
    black: &[Stretch],
) -> Option<Found> {
    let outline = |column: &[Stretch], end: fn(&Stretch) -> f32| {
        fit(&column
            .iter()
            .map(|s| (f64::from(s.row) + 0.5, f64::from(end(s))))
            .collect::<Vec<_>>())
    };
    let left = outline(white, |s| s.from)?;
    let right = outline(black, |s| s.to)?;
    let (mut inner, mut second) = (outline(white, |s| s.to)?, outline(black, |s| s.from)?);
    let middle = (white[0].row + white[white.len() - 1].row) as f32 / 2.0 + 0.5;
    let span = white[white.len() / 2]
        .width()
        .min(black[black.len() / 2].width());
    let apart = at(&second, f64::from(middle)) - at(&inner, f64::from(middle));
    if apart < f64::from(TOUCHING * span) {
        let both = [0, 1, 2].map(|i| (inner[i] + second[i]) / 2.0);
        (inner, second) = (both, both);
    }
    let laid = |curve: [f64; 3]| {
        let own = lay(ladder, curve);
        let x = |d: &Divider| corner(ladder, d, middle).0;
        let at = x(&own);
        lines
            .iter()
            .filter(|d| d.seen && (x(d) - at).abs() <= SNAP * span)
            .min_by(|a, b| (x(a) - at).abs().total_cmp(&(x(b) - at).abs()))
            .cloned()
            .unwrap_or(own)
    };
    let columns = Columns {
        number: None,
        white: (laid(left), laid(inner)),
        black: (laid(second), laid(right)),
    };
    with_rows(maps, ladder, columns)
}

/// A parabola through (row, x) pairs, without those that lie off it.
fn fit(points: &[(f64, f64)]) -> Option<[f64; 3]> {
    let mut curve = [0.0; 3];
    let mut limit = f64::INFINITY;
    for _ in 0..ROUNDS {
        let near = |&&(r, x): &&(f64, f64)| (x - at(&curve, r)).abs() <= limit;
        let used: Vec<_> = points.iter().filter(near).collect();
        if used.len() < 4 {
            return None;
        }
        let mut normal = [[0.0; 4]; 3];
        for &&(r, x) in &used {
            let terms = [1.0, r, r * r];
            for (row, a) in normal.iter_mut().zip(terms) {
                for (sum, b) in row.iter_mut().zip([terms[0], terms[1], terms[2], x]) {
                    *sum += a * b;
                }
            }
        }
        curve = eliminate(normal);
        let mut off: Vec<f64> = points
            .iter()
            .map(|&(r, x)| (x - at(&curve, r)).abs())
            .collect();
        let half = off.len() / 2;
        limit = (2.5 * *off.select_nth_unstable_by(half, f64::total_cmp).1).max(OFF);
    }
    Some(curve)
}

fn at(curve: &[f64; 3], row: f64) -> f64 {
    curve[0] + row * (curve[1] + row * curve[2])
}

/// A curve over the rows of a ladder as a line on the picture.
fn lay(ladder: &Ladder, curve: [f64; 3]) -> Divider {
    let places: Vec<(f32, f32)> = (-4..ladder.edges() as i32 * 4 + 4)
        .map(|quarter| {
            let edge = quarter as f32 / 4.0;
            let x = at(&curve, f64::from(edge)) as f32;
            (ladder.y(edge, x), x)
        })
        .collect();
    let mut points: Vec<(usize, f32)> = Vec::new();
    for pair in places.windows(2) {
        let ((y0, x0), (y1, x1)) = (pair[0], pair[1]);
        let strip = |y: f32| ((y - ruling::centre(0)) / STRIP as f32).ceil().max(0.0) as usize;
        for s in strip(y0)..strip(y1) {
            let t = (ruling::centre(s) - y0) / (y1 - y0);
            points.push((s, x0 + t * (x1 - x0)));
        }
    }
    if points.is_empty() {
        points.push((0, places[0].1));
    }
    let middle = at(&curve, ladder.edges() as f64 / 2.0) as f32;
    Divider::laid(
        Ruling {
            points,
            strength: 0.0,
        },
        middle,
    )
}

/// The run of rows that belong to both players most.
fn with_rows(maps: &Maps, ladder: &Ladder, columns: Columns) -> Option<Found> {
    let own: Vec<f32> = (-1..ladder.edges() as i32)
        .map(|r| {
            let white = inside(maps, ladder, &columns.white, r);
            let black = inside(maps, ladder, &columns.black, r);
            (white + black) / 2.0
        })
        .collect();
    // The run with the largest sum: Bentley, Programming Pearls, column 8.
    let (mut best, mut sum, mut from) = ((0.0, 0, 0), 0.0, 0);
    for (i, p) in own.iter().enumerate() {
        sum += p - OWNED;
        if sum > best.0 {
            best = (sum, from, i + 1);
        }
        if sum <= 0.0 {
            (sum, from) = (0.0, i + 1);
        }
    }
    let (_, first, last) = best;
    let rows = (first as i32 - 1, last as i32 - 1);
    (SEEN_ROWS..=MOST_ROWS)
        .contains(&(rows.1 - rows.0))
        .then(|| Found {
            ladder: ladder.clone(),
            columns,
            rows,
            owned: own,
        })
}

/// Mean probability in a row between two lines.
pub fn inside(maps: &Maps, ladder: &Ladder, sides: &(Divider, Divider), row: i32) -> f32 {
    let mut sum = 0.0;
    for height in HEIGHTS {
        let edge = row as f32 + height;
        let (l, r) = (
            corner(ladder, &sides.0, edge),
            corner(ladder, &sides.1, edge),
        );
        for i in 0..PROBES {
            let t = (i as f32 + 0.75) / (PROBES as f32 + 0.5);
            sum += maps.cell(l.0 + t * (r.0 - l.0), l.1 + t * (r.1 - l.1));
        }
    }
    sum / (PROBES * HEIGHTS.len()) as f32
}

/// Corners of a block in pixels, clockwise from top left.
fn corners(f: &Found) -> [(f32, f32); 4] {
    let (left, right) = (&f.columns.white.0, &f.columns.black.1);
    let at = |d: &Divider, edge: i32| corner(&f.ladder, d, edge as f32);
    [
        at(left, f.rows.0),
        at(right, f.rows.0),
        at(right, f.rows.1),
        at(left, f.rows.1),
    ]
}

/// Middle of a block across the picture in pixels.
fn middle(f: &Found) -> f32 {
    corners(f).iter().map(|c| c.0).sum::<f32>() / 4.0
}

/// Whether two blocks are the same one, or lie on each other.
fn overlap(a: &Found, b: &Found) -> bool {
    let extent = |f: &Found| {
        let corners = corners(f);
        let least = |v: fn(&(f32, f32)) -> f32| corners.iter().map(v).fold(f32::INFINITY, f32::min);
        let most =
            |v: fn(&(f32, f32)) -> f32| corners.iter().map(v).fold(f32::NEG_INFINITY, f32::max);
        (least(|c| c.0), most(|c| c.0), least(|c| c.1), most(|c| c.1))
    };
    let (a, b) = (extent(a), extent(b));
    let common = |low: f32, high: f32| (high - low).max(0.0);
    let shared = common(a.0.max(b.0), a.1.min(b.1)) * common(a.2.max(b.2), a.3.min(b.3));
    let area = |e: (f32, f32, f32, f32)| (e.1 - e.0) * (e.3 - e.2);
    shared > SAME * area(a).min(area(b))
}
