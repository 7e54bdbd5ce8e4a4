//! The columns of a table, by one dynamic programme across it: on the surface of the table a column
//! is straight, so that the maps are averaged down its rows.

use super::fit::{FittedRegion, FittedTable};
use super::parameters::ColumnParameters;
use super::sampling::find_peak;
use super::segmentation::{Channel, Segmentation};
use crate::robust::median;

/// Heights within a row at which the maps are looked up.
const HEIGHTS: [f64; 3] = [0.3, 0.5, 0.7];
/// Probabilities are taken for at least this before their logarithm.
const MIN_PROBABILITY: f32 = 0.03;

/// White's and Black's column of a block: left and right border of each, as u.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockColumns {
    /// White's column.
    pub white: [f64; 2],
    /// Black's column.
    pub black: [f64; 2],
}

/// What a strip across the table is. White's column comes before Black's of the same block, with
/// numbers or times between them or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strip {
    /// Beside the blocks, or times behind Black.
    Outside,
    /// A column of White's moves.
    White,
    /// Numbers or times between White and Black.
    Between,
    /// A column of Black's moves.
    Black,
}

/// All strips, and those that may follow each.
const STRIPS: [Strip; 4] = [Strip::Outside, Strip::White, Strip::Between, Strip::Black];

impl Strip {
    /// Whether `next` may stand to the right.
    fn can_precede(self, next: Self) -> bool {
        match self {
            Self::Outside => next == Self::White,
            Self::White => matches!(next, Self::Between | Self::Black),
            Self::Between => next == Self::Black,
            Self::Black => matches!(next, Self::Outside | Self::White),
        }
    }
}

/// What the maps show across a table, sample by sample.
struct ColumnProfile {
    places: Vec<f64>,
    /// By strip: log-probability, in nats, that a sample lies in it.
    log_probs: Vec<[f32; 4]>,
    /// Log-probability of a border of a column of moves, in nats, less what its distance costs.
    borders: Vec<f32>,
    /// Mean probability of an outline.
    outlines: Vec<f32>,
}

/// The columns of the blocks of a table, from left to right.
pub fn find_columns(
    table: &FittedTable,
    maps: &Segmentation,
    parameters: &ColumnParameters,
) -> Vec<BlockColumns> {
    let profile = ColumnProfile::take(table, maps, parameters);
    let mut blocks = choose_strips(&profile);
    let reach = (parameters.snap_px / parameters.step_px) as usize;
    for border in blocks
        .iter_mut()
        .flat_map(|b| b.white.iter_mut().chain(&mut b.black))
    {
        *border = profile.nearest_outline(*border, reach, parameters.min_outline_probability);
    }
    let width = |[left, right]: [f64; 2]| right - left;
    let widths = blocks.iter().flat_map(|b| [width(b.white), width(b.black)]);
    let usual = median(widths, f64::total_cmp).unwrap_or(0.0);
    let min_width = parameters.min_width_share * usual;
    blocks.retain(|b| width(b.white).min(width(b.black)) >= min_width);
    blocks
}

impl ColumnProfile {
    fn take(table: &FittedTable, maps: &Segmentation, parameters: &ColumnParameters) -> Self {
        let bounds = table.regions.iter().map(|region| region.bounds);
        let left = bounds.clone().map(|b| b[0]).fold(f64::INFINITY, f64::min);
        let right = bounds.map(|b| b[1]).fold(f64::NEG_INFINITY, f64::max);
        let surface = &table.surface;
        let width_px = surface.at(left, 0.5).distance(surface.at(right, 0.5));
        let inner = ((width_px / parameters.step_px) as usize).max(2);
        let step = (right - left) / inner as f64;
        // A few samples on either side lie outside the table for certain.
        let reach = ((parameters.border_tolerance_px / parameters.step_px).ceil() as usize).max(1);
        let margin = 3 * reach;
        let places: Vec<f64> = (0..=inner + 2 * margin)
            .map(|i| left + step * (i as f64 - margin as f64))
            .collect();
        let weight = parameters.column_weight * parameters.step_px as f32;
        let log_probs = places.iter().map(|&u| {
            let mean = |channel| mean_down(table, maps, channel, u);
            let (white, black) = (mean(Channel::White), mean(Channel::Black));
            let neither = 1.0 - (white + black).min(1.0);
            [neither, white, neither, black].map(|p| weight * p.max(MIN_PROBABILITY).ln())
        });
        let outlines: Vec<f32> = places
            .iter()
            .map(|&u| mean_down(table, maps, Channel::Column, u))
            .collect();
        let borders: Vec<f32> = (0..places.len())
            .map(|i| {
                let near = &outlines[i.saturating_sub(reach)..(i + reach + 1).min(places.len())];
                let peak = near.iter().copied().fold(0.0, f32::max);
                // The peak itself is the best place for the border.
                let distance = (peak - outlines[i]).max(0.0);
                parameters.border_weight * (peak.max(MIN_PROBABILITY).ln() - distance)
            })
            .collect();
        Self {
            log_probs: log_probs.collect(),
            borders,
            outlines,
            places,
        }
    }

    /// The place of the likeliest outline within so many samples of a place, as a fraction of
    /// samples; the place itself where none is likely enough.
    fn nearest_outline(&self, place: f64, reach: usize, min_probability: f32) -> f64 {
        let step = self.places[1] - self.places[0];
        let at = ((place - self.places[0]) / step).round() as usize;
        match find_peak(&self.outlines, at, reach) {
            Some((peak, probability)) if probability >= min_probability => {
                self.places[0] + step * peak
            }
            _ => place,
        }
    }
}

/// Mean probability of a channel down the rows of the region nearest to u, at some heights in each
/// row; 0 where there is no region.
fn mean_down(table: &FittedTable, maps: &Segmentation, channel: Channel, u: f64) -> f32 {
    let distance = |region: &&FittedRegion| {
        let [left, right] = region.bounds;
        (left - u).max(u - right).max(0.0)
    };
    let nearest = table
        .regions
        .iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let Some(region) = nearest else { return 0.0 };
    let rows = region.rows.0..region.rows.1;
    let count = (rows.len() * HEIGHTS.len()).max(1);
    let probabilities = rows.flat_map(|row| {
        HEIGHTS.map(|height| {
            let v = (f64::from(row) + height) / table.rows as f64;
            maps.at(channel, table.surface.at(u, v))
        })
    });
    probabilities.sum::<f32>() / count as f32
}

/// The best sequence of strips (Viterbi 1967), and the blocks in it.
fn choose_strips(profile: &ColumnProfile) -> Vec<BlockColumns> {
    let samples = profile.places.len();
    let mut best = [f32::NEG_INFINITY; 4];
    best[Strip::Outside as usize] = profile.log_probs[0][Strip::Outside as usize];
    let mut previous = vec![[0usize; 4]; samples];
    for at in 1..samples {
        let mut next = [f32::NEG_INFINITY; 4];
        for strip in STRIPS {
            let to = strip as usize;
            let (mut score, mut from) = (best[to], to);
            for before in STRIPS
                .into_iter()
                .filter(|before| before.can_precede(strip))
            {
                let changed = best[before as usize] + profile.borders[at];
                if changed > score {
                    (score, from) = (changed, before as usize);
                }
            }
            next[to] = score + profile.log_probs[at][to];
            previous[at][to] = from;
        }
        best = next;
    }
    let last = [Strip::Outside, Strip::Black].map(|strip| strip as usize);
    let mut strip = if best[last[0]] >= best[last[1]] {
        last[0]
    } else {
        last[1]
    };
    let mut strips = vec![strip; samples];
    for at in (1..samples).rev() {
        strip = previous[at][strip];
        strips[at - 1] = strip;
    }
    blocks_of(&strips, &profile.places)
}

/// The blocks in a sequence of strips. A border lies where a strip's first sample does.
fn blocks_of(strips: &[usize], places: &[f64]) -> Vec<BlockColumns> {
    let mut blocks = Vec::new();
    let mut white = None;
    let mut start = 0;
    for at in 1..=strips.len() {
        if at < strips.len() && strips[at] == strips[start] {
            continue;
        }
        let column = [places[start], places[at.min(places.len() - 1)]];
        if strips[start] == Strip::White as usize {
            white = Some(column);
        } else if strips[start] == Strip::Black as usize
            && let Some(white) = white.take()
        {
            blocks.push(BlockColumns {
                white,
                black: column,
            });
        }
        start = at;
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A profile of strips with these widths in samples, the probabilities of White and Black in
    /// each, and the log-probability of the border to the right of each.
    fn profile(strips: &[(usize, f32, f32, f32)]) -> ColumnProfile {
        let mut profile = ColumnProfile {
            places: Vec::new(),
            log_probs: Vec::new(),
            borders: vec![-3.5],
            outlines: Vec::new(),
        };
        for &(width, white, black, border) in strips {
            for i in 0..width {
                let neither = 1.0 - white - black;
                let p = [neither, white, neither, black];
                profile.places.push(profile.places.len() as f64);
                profile.log_probs.push(p.map(|p| 0.3 * p.max(0.03).ln()));
                let is_last = i + 1 == width;
                profile.borders.push(if is_last { border } else { -3.5 });
            }
        }
        profile
    }

    fn block(white: [f64; 2], black: [f64; 2]) -> BlockColumns {
        BlockColumns { white, black }
    }

    #[test]
    fn columns_lie_between_their_borders_with_numbers_between_them_or_not() {
        let found = choose_strips(&profile(&[
            (10, 0.0, 0.0, -0.1),
            (40, 0.9, 0.1, -0.1),
            (40, 0.1, 0.9, -0.1),
            (40, 0.9, 0.0, -0.1),
            (12, 0.0, 0.1, -0.1),
            (40, 0.0, 0.9, -0.1),
            (10, 0.0, 0.0, -3.5),
        ]));
        let blocks = [
            block([10.0, 50.0], [50.0, 90.0]),
            block([90.0, 130.0], [142.0, 182.0]),
        ];
        assert_eq!(found, blocks);
    }

    #[test]
    fn a_column_of_which_the_network_is_unsure_is_told_by_its_place() {
        let found = choose_strips(&profile(&[
            (10, 0.0, 0.0, -0.1),
            (40, 0.9, 0.1, -0.1),
            (40, 0.5, 0.4, -0.1),
            (10, 0.0, 0.0, -3.5),
        ]));
        assert_eq!(found, [block([10.0, 50.0], [50.0, 90.0])]);
    }

    #[test]
    fn a_column_of_times_behind_black_is_no_column_of_moves() {
        let found = choose_strips(&profile(&[
            (10, 0.0, 0.0, -0.1),
            (40, 0.9, 0.1, -0.1),
            (40, 0.1, 0.9, -0.1),
            (20, 0.3, 0.2, -0.1),
            (10, 0.0, 0.0, -3.5),
        ]));
        assert_eq!(found, [block([10.0, 50.0], [50.0, 90.0])]);
    }
}
