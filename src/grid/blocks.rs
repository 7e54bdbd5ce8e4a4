//! The table as the model sees it: blocks of a White and a Black column, each with its own rows.

use image::GrayImage;

use super::MAX_ROWS;
use super::columns::Columns;
use super::dividers::{self, Divider};
use super::ladder::{self, Ladder};
use super::lines::Lines;
use super::maps::{Maps, OWNED};
use super::outline::{self, Bend, Curve, OFF};
use super::print::{self, corner};
use super::ruling::STRIP;
use super::stretches::{self, HEIGHTS, SEEN_ROWS, Stretch};

/// Places across a cell at which the maps are asked.
const PROBES: usize = 7;
/// Gap that is none, by the narrower column's width.
const TOUCHING: f32 = 0.08;
/// A printed line this near to where the map ends, by the column's width, is where it ends.
const SNAP: f32 = 0.08;
/// A printed line this near to the middle of two columns, by their common width, parts them, where
/// the gap between them is less than that share of the narrower one and none is stronger where the
/// maps end them: players have equal room.
const MIDDLE: f32 = 0.02;
const NEAR: f32 = 0.35;
/// Share of the rows that a printed line must pass.
const COVER: f32 = 0.4;
/// Share of a cell's width that its ends may lie off the sides of its column, and share of these
/// ends that must not: the spots that a map shows where no column is lie anyhow.
const STRAY: f32 = 0.2;
const STRAIGHT: f32 = 0.5;
/// Share of a row's height in which a printed line shows where it parts the row.
const PARTED: f32 = 0.5;
/// What a row's probability loses that such a line does not part.
const UNPARTED: f32 = 0.5;
/// Width of one end of a column by the other's that no perspective makes.
const WIDENING: f64 = 1.5;
/// Rows by which the ends of blocks side by side may seem to differ.
pub const UNEVEN: i32 = 2;
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

    /// Corners in pixels, clockwise from top left.
    pub fn corners(&self) -> [(f32, f32); 4] {
        let (left, right) = (&self.columns.white.0, &self.columns.black.1);
        let at = |d: &Divider, edge: i32| corner(&self.ladder, d, edge as f32);
        [
            at(left, self.rows.0),
            at(right, self.rows.0),
            at(right, self.rows.1),
            at(left, self.rows.1),
        ]
    }

    /// The same columns from one row edge to another.
    pub fn over(self, rows: (i32, i32)) -> Self {
        Self { rows, ..self }
    }

    /// Mean width in pixels.
    fn width(&self) -> f32 {
        let [tl, tr, br, bl] = self.corners();
        (tr.0 - tl.0 + br.0 - bl.0) / 2.0
    }

    /// Middle across the picture in pixels.
    fn middle(&self) -> f32 {
        self.corners().iter().map(|c| c.0).sum::<f32>() / 4.0
    }
}

/// A ladder, and what crosses it.
pub struct Crossed {
    /// Where row edges run.
    pub ladder: Ladder,
    /// Printed lines between columns.
    pub lines: Vec<Divider>,
    /// Columns of cells that the maps show.
    pub columns: Vec<Vec<Stretch>>,
}

/// The ladders along the level ones of some lines, with what crosses them.
pub fn crossed(maps: &Maps, picture: &GrayImage, lines: &Lines) -> Vec<Crossed> {
    let (width, height) = picture.dimensions();
    let ladders = ladder::find(&lines.rows, width as usize / STRIP, height as f32);
    let crossed = ladders.into_iter().map(|ladder| {
        let ladder = ladder.on_edges(maps);
        Crossed {
            lines: dividers::find(&ladder, &lines.columns, width as f32, COVER),
            columns: stretches::columns(maps, &ladder, width as f32),
            ladder,
        }
    });
    crossed.collect()
}

/// Finds the blocks along some ladders, from left to right: columns end where the maps say or at a
/// printed line near by.
pub fn find(maps: &Maps, picture: &GrayImage, ladders: &[Crossed]) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for crossed in ladders {
        let pairs = stretches::pairs(&crossed.columns);
        let bend = Bend::of(pairs.iter().flat_map(|(white, black)| [*white, *black]));
        let mut blocks: Vec<Found> = pairs
            .iter()
            .filter_map(|(white, black)| block(maps, picture, crossed, &bend, white, black))
            .collect();
        level(&mut blocks);
        found.append(&mut blocks);
    }
    // Of the same block along two ladders the whole one: where a ladder ends, columns seem to.
    let weight = |f: &Found| f.weight(f.rows.0, f.rows.1) * f.width();
    found.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let mut apart: Vec<Found> = Vec::new();
    for f in found {
        if apart.iter().all(|other| !overlap(&f, other)) {
            apart.push(f);
        }
    }
    apart.sort_by(|a, b| a.middle().total_cmp(&b.middle()));
    apart
}

/// Blocks side by side begin and end with one row: where the ends of some nearly agree, the end
/// that suits all of these best. They stand from left to right afterwards.
pub fn level(blocks: &mut [Found]) {
    for top in [true, false] {
        let end = |b: &Found| if top { b.rows.0 } else { b.rows.1 };
        let rows = |b: &Found, edge: i32| {
            if top {
                (edge, b.rows.1)
            } else {
                (b.rows.0, edge)
            }
        };
        blocks.sort_by_key(end);
        for alike in blocks.chunk_by_mut(|a, b| end(b) - end(a) <= UNEVEN) {
            let span = (end(&alike[0]), end(&alike[alike.len() - 1]));
            if span.1 - span.0 > UNEVEN {
                continue;
            }
            let weight = |edge: i32| {
                let of_block = |b: &Found| {
                    let (first, last) = rows(b, edge);
                    b.weight(first, last)
                };
                alike.iter().map(of_block).sum::<f32>()
            };
            let best = (span.0..=span.1).max_by(|&a, &b| weight(a).total_cmp(&weight(b)));
            for block in alike {
                block.rows = rows(block, best.unwrap_or(end(block)));
            }
        }
    }
    blocks.sort_by(|a, b| a.middle().total_cmp(&b.middle()));
}

/// A block from its two columns; None where too few or too many rows belong to both, or a column
/// has no straight sides.
fn block(
    maps: &Maps,
    picture: &GrayImage,
    crossed: &Crossed,
    bend: &Bend,
    white: &[Stretch],
    black: &[Stretch],
) -> Option<Found> {
    let side = |ends: Vec<(f64, f64)>| Curve::through(&ends, Some(bend.at(outline::place(&ends))));
    let [left, inner] = outline::ends(white).map(side);
    let [second, right] = outline::ends(black).map(side);
    let straight = |column: &[Stretch], from: &Curve, to: &Curve| {
        let ends = column.iter().map(|s| {
            let row = f64::from(s.row) + 0.5;
            let off = f64::from(STRAY * s.width()).max(OFF);
            let fits = |end: f32, side: &Curve| (f64::from(end) - side.at(row)).abs() <= off;
            usize::from(fits(s.from, from)) + usize::from(fits(s.to, to))
        });
        ends.sum::<usize>() as f32 >= STRAIGHT * 2.0 * column.len() as f32
    };
    if !straight(white, &left, &inner) || !straight(black, &second, &right) {
        return None;
    }
    let widens = |column: &[Stretch], from: &Curve, to: &Curve| {
        let width = |s: &Stretch| to.at(f64::from(s.row) + 0.5) - from.at(f64::from(s.row) + 0.5);
        let (first, last) = (width(&column[0]), width(&column[column.len() - 1]));
        first.max(last) > WIDENING * first.min(last)
    };
    if widens(white, &left, &inner) || widens(black, &second, &right) {
        return None;
    }
    let middle = (white[0].row + white[white.len() - 1].row) as f32 / 2.0 + 0.5;
    let sides = [left, inner, second, right];
    let columns = snapped(crossed, sides, middle);
    let found = with_rows(maps, picture, &crossed.ladder, columns);
    (SEEN_ROWS..=MAX_ROWS)
        .contains(&(found.rows.1 - found.rows.0))
        .then_some(found)
}

/// White's sides and Black's, along printed lines where these are near by at a `middle` row.
pub fn snapped(crossed: &Crossed, sides: [Curve; 4], middle: f32) -> Columns {
    let ladder = &crossed.ladder;
    let [left, inner, second, right] = sides;
    let at = |side: &Curve| side.at(f64::from(middle)) as f32;
    let span = (at(&inner) - at(&left)).min(at(&right) - at(&second));
    let x = |d: &Divider| corner(ladder, d, middle).0;
    let near = |at: f32, reach: f32| {
        let seen = crossed.lines.iter().filter(|d| d.seen);
        seen.filter(|d| (x(d) - at).abs() <= reach)
            .min_by(|a, b| (x(a) - at).abs().total_cmp(&(x(b) - at).abs()))
            .cloned()
    };
    let laid = |curve: Curve| {
        let own = outline::lay(ladder, curve);
        near(x(&own), SNAP * span).unwrap_or(own)
    };
    let apart = (at(&second) - at(&inner)) / span;
    let (left, right) = (laid(left), laid(right));
    let half = (x(&left) + x(&right)) / 2.0;
    let weaker = |line: &Divider| {
        let own = [inner, second].map(&laid);
        own.iter()
            .all(|own| own.line.weight() <= line.line.weight())
    };
    let printed = near(half, MIDDLE * (x(&right) - x(&left)));
    let printed = printed.filter(|line| apart < NEAR && weaker(line));
    let (white, black) = match printed {
        Some(line) => ((left, line.clone()), (line, right)),
        None if apart < TOUCHING => {
            let both = [0, 1, 2].map(|i| (inner.0[i] + second.0[i]) / 2.0);
            let both = laid(Curve(both));
            ((left, both.clone()), (both, right))
        }
        None => ((left, laid(inner)), (laid(second), right)),
    };
    Columns {
        number: None,
        white,
        black,
    }
}

/// The run of rows that belong to both players most. Where a printed line parts the players, it
/// parts them in every row.
pub fn with_rows(maps: &Maps, picture: &GrayImage, ladder: &Ladder, columns: Columns) -> Found {
    let rows = -1..ladder.edges() as i32;
    let mut own: Vec<f32> = rows
        .clone()
        .map(|r| {
            let white = inside(maps, ladder, &columns.white, r);
            let black = inside(maps, ladder, &columns.black, r);
            (white + black) / 2.0
        })
        .collect();
    if columns.white.1.seen {
        let shown = rows.map(|r| print::ruled(picture, ladder, &columns.white.1, r));
        let shown: Vec<f32> = shown.collect();
        let parted = own.iter().zip(&shown).filter(|(own, _)| **own > OWNED);
        let (all, parted) = parted.fold((0, 0), |(all, parted), (_, &shown)| {
            (all + 1, parted + usize::from(shown >= PARTED))
        });
        if parted as f32 >= COVER * all as f32 {
            for (own, shown) in own.iter_mut().zip(shown) {
                *own -= UNPARTED * (1.0 - shown / PARTED).max(0.0);
            }
        }
    }
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
    Found {
        ladder: ladder.clone(),
        columns,
        rows: (first as i32 - 1, last as i32 - 1),
        owned: own,
    }
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

/// Whether two blocks are the same one, or lie on each other.
fn overlap(a: &Found, b: &Found) -> bool {
    let extent = |f: &Found| {
        let corners = f.corners();
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
