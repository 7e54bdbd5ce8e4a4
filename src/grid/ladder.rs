//! Evenly spaced horizontal rulings: which of the traced lines are the edges of rows, and where
//! each edge runs.

use std::ops::RangeInclusive;

use super::maps::{Maps, Plane};
use super::ruling::{self, Ruling, STRIP};
use super::surface::Surface;
use crate::robust::median;

/// Narrowest row in pixels at working size: handwriting in it would be five pixels high.
const NARROWEST_ROW: f32 = 9.0;
/// A row is at most this share of the picture's height: ten rows fill it.
const WIDEST_ROW: f32 = 0.1;
/// How far a ruling may lie from where its neighbours' spacing puts it, in rows.
const OFF: f32 = 0.16;
/// Rulings of a chain that may be missing one after the other.
const MISSING: u32 = 2;
/// Rulings a chain must have: a table of ten rows, one ruling of it lost.
pub const FEWEST: usize = 10;
/// Strips without any known ruling after which a table ends.
const GAP: usize = 2;

/// Widths of the wider one that two ladders may stand apart which are one.
const BEYOND: f64 = 1.5;
/// Strips that they may have in common.
const OVERLAP: i32 = 2;
/// Share of the strips in which an edge must be seen in both.
const SEEN: f32 = 0.4;
/// How far the edges of one may lie off those of the other where they meet, in rows.
const APART: f32 = 0.25;
/// Rows by which the edges may lie off the rulings.
const PHASES: [f32; 9] = [-0.4, -0.3, -0.2, -0.1, 0.1, 0.2, 0.3, 0.4, 0.5];
/// How much more of the edges the model must see there.
const CLEARER: f32 = 2.0;

/// The row edges of a table or of a group of blocks side by side.
#[derive(Debug, Clone)]
pub struct Ladder {
    /// Strips the rulings reach over, first and last.
    pub strips: (usize, usize),
    /// Where each row edge runs: edge number (from 0, the topmost found) and pixel x to pixel y.
    pub surface: Surface,
    /// Share of the strips in which each edge was seen.
    pub seen: Vec<f32>,
    /// Rows by which the edges lie below the rulings.
    phase: f32,
}

impl Ladder {
    /// Number of edges, those seen in too few strips to count included.
    pub fn edges(&self) -> usize {
        self.seen.len()
    }

    /// Pixel y of an edge (fractions lie between edges) at a pixel x.
    pub fn y(&self, edge: f32, x: f32) -> f32 {
        self.surface.at(edge + self.phase, x)
    }

    /// Edge number (fractions lie between edges, beyond the ends they go on) of a point.
    pub fn edge_at(&self, x: f32, y: f32) -> f32 {
        let last = self.edges() - 1;
        let (mut low, mut high) = (0, last);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if self.y(middle as f32, x) <= y {
                low = middle;
            } else {
                high = middle;
            }
        }
        let (above, below) = (self.y(low as f32, x), self.y(high as f32, x));
        low as f32 + (y - above) / (below - above).max(1.0)
    }

    /// The ladder with its edges where the table model sees them, if that is not along the rulings:
    /// boxes that stand apart have two rulings for each edge.
    pub fn on_edges(mut self, maps: &Maps) -> Self {
        let mut seen = |phase: f32| {
            self.phase = phase;
            let strips = self.strips.0..=self.strips.1;
            let along = strips.map(ruling::centre);
            let edges = 0..self.edges();
            let places = along.flat_map(|x| edges.clone().map(move |edge| (edge as f32, x)));
            places
                .map(|(edge, x)| maps.at(Plane::Row, x, self.y(edge, x)))
                .sum::<f32>()
        };
        let ruled = seen(0.0);
        let phases = PHASES.map(|phase| (seen(phase), phase));
        let best = phases.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        self.phase = best
            .filter(|best| best.0 > CLEARER * ruled)
            .map_or(0.0, |best| best.1);
        self
    }

    /// Pixel x of the middle.
    fn middle(&self) -> f32 {
        (ruling::centre(self.strips.0) + ruling::centre(self.strips.1)) / 2.0
    }

    /// Pixels down per pixel to the right that an edge falls, from end to end.
    fn slope(&self, edge: f32) -> f32 {
        let ends = [self.strips.0, self.strips.1].map(ruling::centre);
        (self.y(edge, ends[1]) - self.y(edge, ends[0])) / (ends[1] - ends[0]).max(1.0)
    }

    /// Height of the rows about an edge at a pixel x.
    pub fn pitch(&self, edge: f32, x: f32) -> f32 {
        self.y(edge + 0.5, x) - self.y(edge - 0.5, x)
    }
}

/// Groups traced horizontal lines into ladders, the one with the most rulings first.
pub fn find(lines: &[Ruling], strips: usize, height: f32) -> Vec<Ladder> {
    let chains: Vec<Vec<(usize, i32)>> = (0..strips).map(|s| chain(lines, s, height)).collect();
    let mut free = vec![true; strips];
    let mut found: Vec<Numbered> = Vec::new();
    while let Some(seed) = (0..strips)
        .filter(|&s| free[s] && chains[s].len() >= FEWEST)
        .max_by_key(|&s| (chains[s].len(), std::cmp::Reverse(s.abs_diff(strips / 2))))
    {
        let mut index: Vec<Option<i32>> = vec![None; lines.len()];
        for &(line, k) in &chains[seed] {
            index[line] = Some(k);
        }
        free[seed] = false;
        let mut first = seed;
        let mut last = seed;
        for (s, far) in (0..seed)
            .rev()
            .map(|s| (s, false))
            .chain((seed + 1..strips).map(|s| (s, true)))
        {
            let near = if far { last } else { first };
            if s.abs_diff(near) > GAP {
                continue;
            }
            if !free[s] || !adopt(&chains[s], &mut index) {
                continue;
            }
            free[s] = false;
            if far {
                last = s;
            } else {
                first = s;
            }
        }
        found.extend(Numbered::built(lines, index, (first, last), strips));
    }
    let joined = joined(&found, lines, strips);
    let mut ladders: Vec<Ladder> = found.into_iter().map(|n| n.ladder).collect();
    ladders.extend(joined);
    ladders.sort_by_key(|l: &Ladder| {
        std::cmp::Reverse(l.seen.iter().filter(|&&s| s > 0.5).count() * (l.strips.1 - l.strips.0))
    });
    ladders
}

/// A ladder with the edge that each traced line is.
struct Numbered {
    ladder: Ladder,
    index: Vec<Option<i32>>,
}

impl Numbered {
    fn built(
        lines: &[Ruling],
        index: Vec<Option<i32>>,
        reach: (usize, usize),
        strips: usize,
    ) -> Option<Self> {
        let ladder = build(lines, &index, reach, strips)?;
        Some(Self { ladder, index })
    }

    /// Number of the edge that is edge 0 of the ladder.
    fn lowest(&self) -> i32 {
        self.index.iter().flatten().min().copied().unwrap_or(0)
    }
}

/// The ladders that go on in others beyond a gap that no line crosses, each as one: the boxes of
/// White's column and those of Black's, with the numbers between them.
fn joined(found: &[Numbered], lines: &[Ruling], strips: usize) -> Vec<Ladder> {
    let mut order: Vec<&Numbered> = found.iter().collect();
    order.sort_by_key(|n| n.ladder.strips);
    let mut joined = Vec::new();
    while !order.is_empty() {
        let first = order.remove(0);
        let mut whole = None;
        order.retain(|next| {
            let so_far = whole.as_ref().unwrap_or(first);
            let Some(shift) = shift(&so_far.ladder, &next.ladder) else {
                return true;
            };
            let shift = so_far.lowest() + shift - next.lowest();
            let numbers = so_far.index.iter().zip(&next.index);
            let index = numbers.map(|(a, b)| a.or(b.map(|k| k + shift))).collect();
            let reach = (so_far.ladder.strips.0, next.ladder.strips.1);
            match Numbered::built(lines, index, reach, strips) {
                Some(longer) => {
                    whole = Some(longer);
                    false
                }
                None => true,
            }
        });
        joined.extend(whole.map(|n| n.ladder));
    }
    joined
}

/// Edges by which the numbers of a ladder lie below those of one to the right of it, where its
/// edges go on in that one's.
fn shift(left: &Ladder, right: &Ladder) -> Option<i32> {
    let gap = right.strips.0 as i32 - left.strips.1 as i32;
    let wide = |l: &Ladder| (l.strips.1 - l.strips.0) as i32;
    if gap < -OVERLAP || f64::from(gap) > BEYOND * f64::from(wide(left).max(wide(right))) {
        return None;
    }
    let (from, to) = (left.middle(), right.middle());
    let meets = (0..left.edges()).map(|k| {
        let edge = k as f32;
        // Of a parabola the chord between two places rises by the mean of what it rises at them.
        let straight = left.y(edge, from) + (to - from) * left.slope(edge);
        let slope = right.slope(right.edge_at(to, straight));
        let there = left.y(edge, from) + (to - from) * (left.slope(edge) + slope) / 2.0;
        right.edge_at(to, there) - edge
    });
    let seen = |(k, shift): &(usize, f32)| {
        let there = (*k as f32 + shift).round();
        let other = (there >= 0.0).then(|| right.seen.get(there as usize));
        left.seen[*k].min(*other.flatten().unwrap_or(&0.0)) >= SEEN
    };
    let shifts: Vec<f32> = meets
        .enumerate()
        .filter(seen)
        .map(|(_, shift)| shift)
        .collect();
    if shifts.len() < FEWEST {
        return None;
    }
    let shift = median(shifts.iter().copied(), f32::total_cmp)?.round();
    let agree = shifts
        .iter()
        .filter(|s| (**s - shift).abs() <= APART)
        .count();
    (3 * agree >= 2 * shifts.len()).then_some(-shift as i32)
}

/// Numbers a strip's chain by the lines that are numbered already; false if they disagree or are
/// too few.
fn adopt(chain: &[(usize, i32)], index: &mut [Option<i32>]) -> bool {
    let shifts: Vec<i32> = chain
        .iter()
        .filter_map(|&(line, k)| index[line].map(|known| known - k))
        .collect();
    let mut sorted = shifts.clone();
    sorted.sort_unstable();
    let Some(&shift) = sorted.get(sorted.len() / 2) else {
        return false;
    };
    let agree = shifts.iter().filter(|&&s| s == shift).count();
    if agree < 5 || 3 * agree < 2 * shifts.len() {
        return false;
    }
    for &(line, k) in chain {
        index[line].get_or_insert(k + shift);
    }
    true
}

/// The longest run of evenly spaced lines in a strip, as line and number.
fn chain(lines: &[Ruling], strip: usize, height: f32) -> Vec<(usize, i32)> {
    let mut here: Vec<(f32, usize)> = lines
        .iter()
        .enumerate()
        .filter_map(|(i, l)| l.at_strip(strip).map(|y| (y, i)))
        .collect();
    here.sort_by(|a, b| a.0.total_cmp(&b.0));
    let places: Vec<f32> = here.iter().map(|p| p.0).collect();
    evenly(&places, NARROWEST_ROW..=WIDEST_ROW * height)
        .into_iter()
        .map(|(at, k)| (here[at].1, k))
        .collect()
}

/// The longest run of evenly spaced ones of ascending places, as their indices, each with its
/// number; the first two lie so far apart.
pub fn evenly(places: &[f32], apart: RangeInclusive<f32>) -> Vec<(usize, i32)> {
    let mut best: Vec<(usize, i32)> = Vec::new();
    let mut best_score = 0.0;
    for i in 0..places.len() {
        for j in i + 1..places.len() {
            let pitch = places[j] - places[i];
            if pitch > *apart.end() {
                break;
            }
            if pitch < *apart.start() {
                continue;
            }
            let (chain, misses) = grow(places, i, j, pitch);
            let score = chain.len() as f32 - 0.7 * misses as f32;
            if score > best_score {
                best_score = score;
                best = chain;
            }
        }
    }
    best
}

/// Goes on downwards from two neighbouring lines; gives the lines met, numbered, and how many were
/// missing.
fn grow(here: &[f32], i: usize, j: usize, mut pitch: f32) -> (Vec<(usize, i32)>, u32) {
    let mut chain = vec![(i, 0), (j, 1)];
    let (mut y, mut k, mut from) = (here[j], 1, j + 1);
    let (mut misses, mut missing) = (0, 0);
    loop {
        let next = y + pitch * (missing + 1) as f32;
        let tolerance = OFF * pitch;
        let start = from + here[from..].partition_point(|&p| p < next - tolerance);
        let hit = (start..here.len())
            .take_while(|&c| here[c] <= next + tolerance)
            .min_by(|&a, &b| (here[a] - next).abs().total_cmp(&(here[b] - next).abs()));
        if let Some(c) = hit {
            let steps = missing + 1;
            misses += missing;
            k += steps as i32;
            let seen = (here[c] - y) / steps as f32;
            pitch += 0.3 * (seen - pitch);
            y = here[c];
            chain.push((c, k));
            from = c + 1;
            missing = 0;
        } else {
            missing += 1;
            if missing > MISSING || start >= here.len() {
                return (chain, misses);
            }
        }
    }
}

fn build(
    lines: &[Ruling],
    index: &[Option<i32>],
    (first, last): (usize, usize),
    strips: usize,
) -> Option<Ladder> {
    let lowest = index.iter().flatten().min()?;
    let highest = index.iter().flatten().max()?;
    let edges = (highest - lowest + 1) as usize;
    let mut samples: Vec<Vec<Option<f32>>> = vec![vec![None; strips]; edges];
    for (line, k) in lines.iter().zip(index) {
        let Some(k) = k else { continue };
        let row = &mut samples[(k - lowest) as usize];
        for &(s, y) in &line.points {
            if (first..=last).contains(&s) {
                row[s] = Some(row[s].map_or(y, |other| (other + y) / 2.0));
            }
        }
    }
    let stands = (0..edges).map(|k| k as f64).collect();
    let surface = Surface::fit(
        &mut samples,
        stands,
        (first, last),
        (ruling::centre(0), STRIP as f32),
    )?;
    let width = (last - first + 1) as f32;
    let seen = samples
        .iter()
        .map(|r| r.iter().flatten().count() as f32 / width)
        .collect();
    Some(Ladder {
        strips: (first, last),
        surface,
        seen,
        phase: 0.0,
    })
}
