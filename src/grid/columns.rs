//! The columns of a table, by one dynamic programme across it: on the surface of the table a column
//! is straight, so that the maps are averaged down its rows.

use super::NumberColumn;
use super::block_placement::ColumnScores;
use super::cell_probability::{log_odds, places_in_row};
use super::cell_regions::CellRegion;
use super::column_pattern::find_pattern;
use super::fit::{FittedRegion, FittedTable};
use super::parameters::ColumnParameters;
use super::sampling::{find_peak, highest_near};
use super::segmentation::{Channel, Segmentation};
use crate::geometry::Point;

/// Means down the rows are taken for at least this probability before their logarithm.
const MIN_PROFILE_PROBABILITY: f32 = 0.03;
/// Log-odds, in nats, of columns of a table where another table lies.
const OTHER_TABLE_LOG_ODDS: f32 = -10.0;

/// White's and Black's column of a block: left and right border of each, as u.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockColumns {
    /// White's column.
    pub white: [f64; 2],
    /// Black's column.
    pub black: [f64; 2],
    /// Where the numbers stand.
    pub numbers: NumberColumn,
    /// The place across where numbers are likeliest, if they are seen.
    pub number_u: Option<f64>,
}

/// What the maps show across a table, sample by sample.
struct ColumnProfile {
    places: Vec<f64>,
    /// Log-odds of White's moves against no moves, in nats.
    white: Vec<f32>,
    /// Log-odds of Black's moves against no moves, in nats.
    black: Vec<f32>,
    /// Log-probability of a border of a column of moves, in nats, less what its distance costs.
    borders: Vec<f32>,
    /// Mean probability of an outline.
    outlines: Vec<f32>,
    /// Mean probability of printed numbers.
    numbers: Vec<f32>,
    /// Mean probability of a printed ruling.
    rulings: Vec<f32>,
}

/// The columns of the blocks of a table, from left to right.
pub fn find_columns(
    table: &FittedTable,
    maps: &Segmentation,
    parameters: &ColumnParameters,
) -> Vec<BlockColumns> {
    let Some(profile) = ColumnProfile::take(table, maps, parameters) else {
        return Vec::new();
    };
    let has_numbers = |probability: &f32| *probability >= parameters.min_number_probability;
    let has_numbers: Vec<bool> = profile.numbers.iter().map(has_numbers).collect();
    let skipped = profile.skip_costs(parameters);
    let scores = ColumnScores {
        white: &profile.white,
        black: &profile.black,
        borders: &profile.borders,
        skipped: &skipped,
        has_numbers: &has_numbers,
    };
    let Some((pattern, starts)) = find_pattern(&scores, parameters) else {
        return Vec::new();
    };
    let reach = (parameters.snap_px / parameters.step_px) as usize;
    let blocks = starts.into_iter().map(|start| {
        let [white, black] = pattern.columns(start).map(|column| {
            let mut column = column
                .map(|at| profile.nearest_outline(at, reach, parameters.min_outline_probability));
            profile.leave_numbers(&mut column, reach, parameters);
            column
        });
        BlockColumns {
            white,
            black,
            numbers: pattern.numbers,
            number_u: profile.likeliest_number(pattern.number_place(start), parameters),
        }
    });
    blocks.collect()
}

impl ColumnProfile {
    /// Samples the maps across a table, and some way beyond it. None where its surface is wider
    /// than any line on the maps.
    fn take(
        table: &FittedTable,
        maps: &Segmentation,
        parameters: &ColumnParameters,
    ) -> Option<Self> {
        let bounds = table.regions.iter().map(|region| region.bounds);
        let left = bounds.clone().map(|b| b[0]).fold(f64::INFINITY, f64::min);
        let right = bounds.map(|b| b[1]).fold(f64::NEG_INFINITY, f64::max);
        let surface = &table.surface;
        let width_px = surface.at(left, 0.5).distance(surface.at(right, 0.5));
        if !(0.0..=maps.longest_line()).contains(&width_px) {
            return None;
        }
        let inner = ((width_px / parameters.step_px) as usize).max(2);
        let step = (right - left) / inner as f64;
        let reach = ((parameters.border_tolerance_px / parameters.step_px).ceil() as usize).max(1);
        let margin = (parameters.margin_share * inner as f64) as usize + 3 * reach;
        let places: Vec<f64> = (0..=inner + 2 * margin)
            .map(|i| left + step * (i as f64 - margin as f64))
            .collect();
        let weight = parameters.column_weight * parameters.step_px as f32;
        let down: Vec<Vec<Point>> = places.iter().map(|&u| places_down(table, u)).collect();
        let mean = |channel, points: &Vec<Point>| {
            let sum: f32 = points.iter().map(|&p| maps.at(channel, p)).sum();
            sum / points.len().max(1) as f32
        };
        let means = |channel| down.iter().map(move |points| mean(channel, points));
        let side_odds = means(Channel::White)
            .zip(means(Channel::Black))
            .map(|(white, black)| {
                let log = |p: f32| weight * p.max(MIN_PROFILE_PROBABILITY).ln();
                let neither = log(1.0 - (white + black).min(1.0));
                (log(white) - neither, log(black) - neither)
            });
        let (mut white, mut black): (Vec<f32>, Vec<f32>) = side_odds.unzip();
        for (at, &u) in places.iter().enumerate() {
            let middle = surface.at(u, 0.5);
            let is_in = |region: &CellRegion| {
                let borders = region.x_at(0.0, middle.y)..region.x_at(1.0, middle.y);
                (region.top..region.bottom).contains(&middle.y) && borders.contains(&middle.x)
            };
            if table.others.iter().any(is_in) {
                (white[at], black[at]) = (OTHER_TABLE_LOG_ODDS, OTHER_TABLE_LOG_ODDS);
            }
        }
        let outlines: Vec<f32> = means(Channel::Column).collect();
        let numbers = means(Channel::Numbers).collect();
        let rulings = means(Channel::RulingsAlongColumns).collect();
        let borders: Vec<f32> = (0..places.len())
            .map(|i| {
                let peak = highest_near(&outlines, i, reach);
                // The peak itself is the best place for the border.
                let distance = (peak - outlines[i]).max(0.0);
                parameters.border_weight * (peak.max(MIN_PROFILE_PROBABILITY).ln() - distance)
            })
            .collect();
        Some(Self {
            white,
            black,
            borders,
            outlines,
            numbers,
            rulings,
            places,
        })
    }

    /// Cost in nats of each sample amid a column of moves, where an outline or printed numbers
    /// speak against one.
    fn skip_costs(&self, parameters: &ColumnParameters) -> Vec<f32> {
        let weight = parameters.skip_weight * parameters.step_px as f32;
        let against = self.outlines.iter().zip(&self.numbers);
        against
            .map(|(outline, numbers)| weight * log_odds(outline.max(*numbers)).max(0.0))
            .collect()
    }

    /// The place of the likeliest outline within so many samples of a sample, as u; that of the
    /// sample itself where none is likely enough.
    fn nearest_outline(&self, at: usize, reach: usize, min_probability: f32) -> f64 {
        let step = self.places[1] - self.places[0];
        match find_peak(&self.outlines, at, reach) {
            Some((peak, probability)) if probability >= min_probability => {
                self.places[0] + step * peak
            }
            _ => self.places[at],
        }
    }

    /// The likeliest place of numbers between two samples, if they are likely enough.
    fn likeliest_number(&self, place: [usize; 2], parameters: &ColumnParameters) -> Option<f64> {
        let [from, to] = place.map(|at| at.min(self.numbers.len()));
        let best = (from..to).max_by(|&a, &b| self.numbers[a].total_cmp(&self.numbers[b]))?;
        let is_seen = self.numbers[best] >= parameters.min_number_probability;
        is_seen.then_some(self.places[best])
    }

    /// Moves the left border of a column to the end of printed numbers that reach into it, as they
    /// do where no ruling divides them from the moves. The right border stays: moves that are too
    /// long run over it.
    fn leave_numbers(&self, column: &mut [f64; 2], reach: usize, parameters: &ColumnParameters) {
        let [left, right] = *column;
        let end = left + parameters.max_number_width_share * (right - left);
        let at = |u: f64| self.places.partition_point(|&place| place < u);
        let has_ruling = |at: usize| self.rulings[at] >= parameters.min_ruling_probability;
        let count = self.places.len();
        if (at(left).saturating_sub(reach)..count.min(at(left) + reach)).any(has_ruling) {
            return;
        }
        let has_number = |at: &usize| self.numbers[*at] >= parameters.min_number_probability;
        if let Some(last) = (at(left)..at(end)).rfind(has_number) {
            column[0] = self.places[(last + 1).min(count - 1)];
        }
    }
}

/// Pixels down the rows of the region nearest to u, at some heights in each row; none where there
/// is no region.
fn places_down(table: &FittedTable, u: f64) -> Vec<Point> {
    let distance = |region: &&FittedRegion| {
        let [left, right] = region.bounds;
        (left - u).max(u - right).max(0.0)
    };
    let nearest = table
        .regions
        .iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let rows = nearest.map_or(0..0, |region| region.rows.0..region.rows.1);
    rows.flat_map(|row| places_in_row(&table.surface, table.rows, u, row))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::cell_regions::find_cell_regions;
    use super::super::drawn_table::{DrawnTable, SIZE, covered};
    use super::super::fit::fit_tables;
    use super::super::parameters::Parameters;
    use super::super::surface::Surface;
    use super::*;
    use crate::geometry::Homography;

    /// Where numbers stand that reach 8 pixels into White's columns.
    const NUMBERS: [[f64; 2]; 2] = [[12.0, 28.0], [101.0, 117.0]];

    /// The pixels x of White's and Black's borders in the blocks of a table whose maps show
    /// something besides it.
    fn borders(besides: impl Fn(Channel, f64) -> f64) -> Vec<[f64; 4]> {
        let drawn = DrawnTable::default();
        let maps = Segmentation::drawn(SIZE, |channel, x, y| {
            let beside = besides(channel, x) * covered(y, [30.0, 220.0]);
            drawn.probability(channel, x, y).max(beside as f32)
        });
        let parameters = Parameters::default();
        let regions = find_cell_regions(&maps, &parameters.regions);
        let tables = fit_tables(&maps, &regions, &parameters);
        assert_eq!(tables.len(), 1);
        let columns = find_columns(&tables[0], &maps, &parameters.columns);
        let blocks = columns.iter().map(|block| {
            let [[a, b], [c, d]] = [block.white, block.black];
            [a, b, c, d].map(|u| tables[0].surface.at(u, 0.5).x)
        });
        blocks.collect()
    }

    fn assert_near(found: &[[f64; 4]], drawn: [[f64; 4]; 2]) {
        assert_eq!(found.len(), 2);
        for (found, drawn) in found.iter().flatten().zip(drawn.as_flattened()) {
            assert!((found - drawn).abs() < 0.5, "{found} for {drawn}");
        }
    }

    /// A profile of some samples that shows nothing.
    fn blank_profile(count: usize) -> ColumnProfile {
        let nothing = || vec![0.0; count];
        ColumnProfile {
            places: (0..count).map(|at| at as f64).collect(),
            white: nothing(),
            black: nothing(),
            borders: nothing(),
            outlines: nothing(),
            numbers: nothing(),
            rulings: nothing(),
        }
    }

    #[test]
    fn numbers_amid_a_column_cost_what_an_outline_does() {
        let mut profile = blank_profile(3);
        (profile.outlines[0], profile.numbers[1]) = (0.9, 0.9);
        let [outline, numbers, nothing] = profile.skip_costs(&ColumnParameters::default())[..]
        else {
            panic!("a cost for each sample");
        };
        assert!(outline > 0.0 && outline == numbers && nothing == 0.0);
    }

    #[test]
    fn numbers_that_fill_a_profile_of_few_samples_leave_its_last_one() {
        let mut profile = blank_profile(3);
        profile.numbers = vec![1.0; 3];
        let mut column = [0.0, 12.0];
        profile.leave_numbers(&mut column, 5, &ColumnParameters::default());
        assert_eq!(column, [2.0, 12.0]);
    }

    #[test]
    fn a_surface_wider_than_the_maps_has_no_columns() {
        let drawn = DrawnTable::default();
        let (maps, parameters) = (drawn.maps(), Parameters::default());
        let regions = find_cell_regions(&maps, &parameters.regions);
        let mut tables = fit_tables(&maps, &regions, &parameters);
        let wide = drawn.corners().map(|p| Point::new(1e15 * p.x, p.y));
        tables[0].surface = Surface::flat(Homography::onto(&wide).expect("a rectangle"));
        assert!(find_columns(&tables[0], &maps, &parameters.columns).is_empty());
    }

    #[test]
    fn drawn_columns_are_found_to_half_a_pixel() {
        let drawn = [[20.0, 55.5, 55.5, 91.0], [109.0, 144.5, 144.5, 180.0]];
        assert_near(&borders(|_, _| 0.0), drawn);
    }

    #[test]
    fn numbers_that_reach_into_whites_column_move_its_left_border_unless_a_ruling_divides_them() {
        let numbers = |x: f64| {
            NUMBERS
                .map(|to| covered(x, to))
                .into_iter()
                .fold(0.0, f64::max)
        };
        // Numbers count from a probability of a quarter, which is half a pixel beyond their end.
        let unruled = borders(|channel, x| match channel {
            Channel::Numbers => numbers(x),
            _ => 0.0,
        });
        assert_near(
            &unruled,
            [[28.5, 55.5, 55.5, 91.0], [117.5, 144.5, 144.5, 180.0]],
        );
        let ruled = borders(|channel, x| match channel {
            Channel::Numbers => numbers(x),
            Channel::RulingsAlongColumns => covered(x, [19.0, 21.0]) + covered(x, [108.0, 110.0]),
            _ => 0.0,
        });
        assert_near(
            &ruled,
            [[20.0, 55.5, 55.5, 91.0], [109.0, 144.5, 144.5, 180.0]],
        );
    }
}
