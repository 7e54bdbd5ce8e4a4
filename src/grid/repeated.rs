//! Blocks that repeat each other: those of a form have the same columns, also where nothing is
//! ruled or written in them and the table model sees no more than that there are cells.

use image::GrayImage;

use super::blocks::{self, Crossed, Found};
use super::columns::MOST_BLOCKS;
use super::depth::Straighten;
use super::ladder::Ladder;
use super::maps::{Maps, OWNED};
use super::outline::Course;
use super::ruling;
use super::stretches::{HEIGHTS, SEEN_ROWS, Stretch};
use crate::robust::median;

/// Parts into which the width of a ladder is cut where a layout is looked for.
const PARTS: usize = 80;
/// White's width by the room that a block has, at least.
const NARROWEST: f32 = 0.25;
/// What may stand between White and Black by the width of either, and between blocks.
const BETWEEN: f32 = 1.3;
/// See [`BETWEEN`].
const APART: f32 = 1.5;
/// Parts by which the first column may begin off the first place that looks like a cell.
const ASTRAY: f32 = 4.0;
/// Steps in parts by which a layout is settled.
const STEPS: [f32; 4] = [0.5, 0.25, 0.12, 0.06];
/// Moves that one step may take.
const MOVES: usize = 12;

/// Where the columns of all blocks stand, in parts of a ladder's width.
#[derive(Clone, Copy)]
struct Repeat {
    blocks: usize,
    /// White's left side in the first block, White's and Black's width, the gap between them, and
    /// that between blocks.
    lengths: [f32; 4],
}

impl Repeat {
    /// White's sides and Black's, block by block.
    fn sides(&self) -> impl Iterator<Item = [f32; 4]> {
        let [start, wide, between, apart] = self.lengths;
        let period = 2.0 * wide + between + apart;
        (0..self.blocks).map(move |block| {
            let left = start + block as f32 * period;
            let second = left + wide + between;
            [left, left + wide, second, second + wide]
        })
    }

    fn is_sound(&self) -> bool {
        let [start, wide, between, apart] = self.lengths;
        let right = self.sides().last().map_or(0.0, |sides| sides[3]);
        start >= 0.0 && right <= PARTS as f32 && wide > 0.0 && between >= 0.0 && apart >= 0.0
    }
}

/// What the maps show across a ladder.
struct Profile {
    /// White's and Black's share of the rows, summed up to each part from the left.
    sums: [Vec<f32>; 2],
}

impl Profile {
    fn of(maps: &Maps, ladder: &Ladder, rows: (i32, i32), course: &Course, x: &[f32]) -> Self {
        let mut sums = [vec![0.0], vec![0.0]];
        for &x in x {
            let curve = course.through(f64::from(x));
            let mut own = [0, 0];
            for edge in (rows.0..rows.1).flat_map(|r| HEIGHTS.map(|h| r as f32 + h)) {
                let x = curve.at(f64::from(edge)) as f32;
                let y = ladder.y(edge, x);
                if let Some(side) = maps.player(x, y) {
                    own[side as usize] += 1;
                }
            }
            let all = (rows.1 - rows.0) as f32 * HEIGHTS.len() as f32;
            for (sums, own) in sums.iter_mut().zip(own) {
                sums.push(sums[sums.len() - 1] + own as f32 / all);
            }
        }
        Self { sums }
    }

    fn until(sums: &[f32], at: f32) -> f32 {
        let at = at.clamp(0.0, PARTS as f32);
        let part = (at as usize).min(PARTS - 1);
        sums[part] + (at - part as f32) * (sums[part + 1] - sums[part])
    }

    /// What the two columns of a block are one player's and the other's, whichever is whose.
    fn owned(&self, [a, b, c, d]: [f32; 4]) -> f32 {
        let own = |player: usize, from: f32, to: f32| {
            Self::until(&self.sums[player], to) - Self::until(&self.sums[player], from)
        };
        let [as_called, swapped] = [0, 1].map(|left| own(left, a, b) + own(1 - left, c, d));
        as_called.max(swapped)
    }

    /// What a layout and the maps have in common by what either has.
    fn agreement(&self, repeat: &Repeat) -> f32 {
        let shared: f32 = repeat.sides().map(|sides| self.owned(sides)).sum();
        let cells = 2.0 * repeat.blocks as f32 * repeat.lengths[1];
        let all: f32 = self.sums.iter().map(|sums| sums[PARTS]).sum();
        shared / (cells + all - shared).max(f32::EPSILON)
    }

    /// The layout of so many blocks that agrees best.
    fn best(&self, blocks: usize) -> Option<Repeat> {
        let all = |at: usize| self.sums[0][at] + self.sums[1][at];
        let first = (0..PARTS).find(|&at| all(at + 1) - all(at) > OWNED)? as f32;
        let last = (0..PARTS).rfind(|&at| all(at + 1) - all(at) > OWNED)? as f32 + 1.0;
        let widest = (last - first) / (2.0 * blocks as f32);
        let to = |most: f32| (0..=most.ceil() as usize).map(|part| part as f32);
        let mut best: Option<(f32, Repeat)> = None;
        let least = 2.0 * NARROWEST * widest;
        for wide in to(widest + 1.0).filter(|&wide| wide >= least) {
            for between in to(BETWEEN * wide) {
                for apart in to(APART * wide) {
                    let all = blocks as f32 * (2.0 * wide + between + apart) - apart;
                    if all > last - first + ASTRAY {
                        break;
                    }
                    for start in to(2.0 * ASTRAY).map(|off| first + off - ASTRAY) {
                        let lengths = [start, wide, between, apart];
                        let repeat = Repeat { blocks, lengths };
                        if !repeat.is_sound() {
                            continue;
                        }
                        let agreement = self.agreement(&repeat);
                        if best.as_ref().is_none_or(|b| agreement > b.0) {
                            best = Some((agreement, repeat));
                        }
                    }
                }
            }
        }
        best.map(|(agreement, repeat)| self.settled(agreement, repeat))
    }

    /// A layout moved to where it agrees best near by, from what it agrees.
    fn settled(&self, mut agreement: f32, mut repeat: Repeat) -> Repeat {
        for step in STEPS {
            for _ in 0..MOVES {
                let moved = (0..3usize.pow(4)).map(|way| {
                    let by = |i: u32| (way / 3usize.pow(i) % 3) as f32 - 1.0;
                    let mut moved = repeat;
                    for (i, length) in moved.lengths.iter_mut().enumerate() {
                        *length += step * by(i as u32);
                    }
                    (self.agreement(&moved), moved)
                });
                let moved = moved.filter(|(_, moved)| moved.is_sound());
                let Some(further) = moved.max_by(|a, b| a.0.total_cmp(&b.0)) else {
                    break;
                };
                if further.0 <= agreement {
                    break;
                }
                (agreement, repeat) = further;
            }
        }
        repeat
    }
}

/// The blocks of a ladder where two or more repeat each other, by the columns that the maps show in
/// its rows.
pub fn find(maps: &Maps, picture: &GrayImage, crossed: &Crossed) -> Vec<Found> {
    let (ladder, columns) = (&crossed.ladder, &crossed.columns);
    let Some(rows) = rows(columns) else {
        return Vec::new();
    };
    let middle = (rows.0 + rows.1) as f32 / 2.0;
    let course = Course::of(columns, f64::from(middle));
    let straighten = Straighten::new(ladder, middle);
    let ends = [ladder.strips.0, ladder.strips.1].map(ruling::centre);
    let ends = [
        ends[0] - ruling::STRIP as f32,
        ends[1] + ruling::STRIP as f32,
    ];
    let places = ends.map(|x| straighten.at(x));
    let pixel = |part: f32| {
        let place = places[0] + part / PARTS as f32 * (places[1] - places[0]);
        let (mut low, mut high) = (ends[0], ends[1]);
        while high - low > 0.1 {
            let x = (low + high) / 2.0;
            if straighten.at(x) < place {
                low = x;
            } else {
                high = x;
            }
        }
        low
    };
    let x: Vec<f32> = (0..PARTS).map(|part| pixel(part as f32 + 0.5)).collect();
    let profile = Profile::of(maps, ladder, rows, &course, &x);
    let repeats = (2..=MOST_BLOCKS).filter_map(|blocks| profile.best(blocks));
    let agreement = |repeat: &Repeat| profile.agreement(repeat);
    let best = repeats.max_by(|a, b| agreement(a).total_cmp(&agreement(b)));
    let mut found: Vec<Found> = Vec::new();
    for sides in best.iter().flat_map(Repeat::sides) {
        let sides = sides.map(|part| course.through(f64::from(pixel(part))));
        let columns = blocks::snapped(crossed, sides, middle);
        let block = blocks::with_rows(maps, picture, ladder, columns);
        let off = (block.rows.0 - rows.0)
            .abs()
            .max((block.rows.1 - rows.1).abs());
        let rows = if off <= blocks::UNEVEN {
            block.rows
        } else {
            rows
        };
        found.push(block.over(rows));
    }
    blocks::level(&mut found);
    found
}

/// The rows that columns usually have; None where they are too few for a table.
fn rows(columns: &[Vec<Stretch>]) -> Option<(i32, i32)> {
    let longest = columns.iter().map(Vec::len).max()?;
    let long = columns.iter().filter(|column| 2 * column.len() > longest);
    let first = median(long.clone().map(|column| column[0].row), i32::cmp)?;
    let last = median(
        long.map(|column| column[column.len() - 1].row + 1),
        i32::cmp,
    )?;
    (last - first >= SEEN_ROWS).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::{PARTS, Profile};

    /// The maps across a ladder, a letter a part: w and b belong to a player.
    fn profile(drawn: &str) -> Profile {
        let mut sums = [vec![0.0], vec![0.0]];
        for part in drawn.chars().chain("-".chars().cycle()).take(PARTS) {
            for (sums, player) in sums.iter_mut().zip(['w', 'b']) {
                let own = if part == player { 1.0 } else { 0.0 };
                sums.push(sums[sums.len() - 1] + own);
            }
        }
        Profile { sums }
    }

    #[test]
    fn a_block_of_which_little_is_seen_is_like_the_others() {
        let seen = "-----wwwwwwwwww-----bbbbbbbbbb----------wwwwwwwwww-----wwwwwbbbbb----------";
        let profile = profile(seen);
        let layout = profile.best(2).expect("a layout");
        let places: Vec<f32> = layout.sides().flatten().collect();
        let drawn = [5.0, 15.0, 20.0, 30.0, 40.0, 50.0, 55.0, 65.0];
        assert_eq!(places.len(), drawn.len());
        for (found, drawn) in places.iter().zip(drawn) {
            assert!((found - drawn).abs() <= 0.5, "{places:?}");
        }
        for blocks in [3, 4] {
            let other = profile.best(blocks).expect("a layout");
            assert!(profile.agreement(&other) < profile.agreement(&layout));
        }
    }
}
