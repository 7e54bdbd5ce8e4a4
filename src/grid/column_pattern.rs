//! The widths of White's and Black's column and of the gap between them, which are printed alike in
//! all blocks of a table, and where across the table the blocks stand.

use super::NumberColumn;
use super::block_placement::{ColumnPattern, ColumnScores, ScoreSums};
use super::parameters::ColumnParameters;

/// The pattern and the first samples of the blocks with the largest sum of scores; none where
/// nothing speaks for a block.
pub fn find_pattern(
    scores: &ColumnScores,
    parameters: &ColumnParameters,
) -> Option<(ColumnPattern, Vec<usize>)> {
    let group = parameters.coarse_step;
    let coarse = ScoreSums::new(scores, group, parameters);
    let has_numbers = scores.has_numbers.contains(&true);
    let patterns = coarse_patterns(coarse.count(), has_numbers, parameters);
    let scored = patterns.map(|pattern| (coarse.place(pattern).score(), pattern));
    let first_best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let (score, best) = first_best?;
    if score <= 0.0 {
        return None;
    }
    let fine = ScoreSums::new(scores, 1, parameters);
    let start = ColumnPattern {
        numbers: best.numbers,
        white: group * best.white,
        gap: group * best.gap,
        black: group * best.black,
    };
    let first_step = parameters.pattern_step_px / parameters.step_px;
    let pattern = improve_pattern(&fine, start, first_step as usize);
    Some((pattern, fine.place(pattern).starts(pattern)))
}

/// The patterns of the first search, for so many samples across the table.
fn coarse_patterns(
    count: usize,
    has_numbers: bool,
    parameters: &ColumnParameters,
) -> impl Iterator<Item = ColumnPattern> {
    use NumberColumn::{Absent, Between, Left, Right};
    let places = if has_numbers {
        &[Left, Between, Right][..]
    } else {
        &[Absent]
    };
    let sample_px = parameters.step_px * parameters.coarse_step as f64;
    let samples = |px: f64| ((px / sample_px) as usize).max(1);
    let (min_width, step) = (
        samples(parameters.min_width_px),
        samples(parameters.pattern_step_px),
    );
    let (max_gap_share, ratios) = (parameters.max_gap_share, parameters.width_ratios);
    let widths = (min_width..count / 2).step_by(step).flat_map(move |white| {
        let gaps = (0..=(max_gap_share * white as f64) as usize).step_by(step);
        let blacks = ratios.map(|ratio| (white as f64 * ratio).round() as usize);
        gaps.flat_map(move |gap| blacks.map(|black| (white, gap, black)))
    });
    widths.flat_map(move |(white, gap, black)| {
        places.iter().map(move |&numbers| ColumnPattern {
            numbers,
            white,
            gap,
            black,
        })
    })
}

/// The best pattern near another one: widths are changed by ever smaller steps, as long as one
/// helps.
fn improve_pattern(sums: &ScoreSums, start: ColumnPattern, first_step: usize) -> ColumnPattern {
    let mut best = (sums.place(start).score(), start);
    let mut step = first_step;
    while step > 0 {
        let from = best.1;
        for pattern in from.neighbours(step) {
            let score = sums.place(pattern).score();
            if score > best.0 {
                best = (score, pattern);
            }
        }
        if best.1 == from {
            step /= 2;
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the maps show across a table.
    #[derive(Default)]
    struct Strips {
        white: Vec<f32>,
        black: Vec<f32>,
        borders: Vec<f32>,
        skipped: Vec<f32>,
        has_numbers: Vec<bool>,
    }

    impl Strips {
        /// A strip of so many samples with the probabilities of White and Black, and with a sharp
        /// border at its left or none.
        fn add(mut self, width: usize, white: f32, black: f32, has_border: bool) -> Self {
            let log_odds = |p: f32| {
                let neither = (1.0 - white - black).max(0.03);
                0.25 * (p.max(0.03) / neither).ln()
            };
            for i in 0..width {
                self.white.push(log_odds(white));
                self.black.push(log_odds(black));
                let is_border = i == 0 && has_border;
                self.borders.push(if is_border { -0.1 } else { -3.5 });
                self.skipped.push(if is_border { 4.0 } else { 0.0 });
                self.has_numbers.push(false);
            }
            self
        }

        /// A strip of printed numbers.
        fn add_numbers(self, width: usize) -> Self {
            let mut strips = self.add(width, 0.0, 0.0, true);
            let count = strips.has_numbers.len();
            strips.has_numbers[count - width..].fill(true);
            strips
        }

        /// White's and Black's columns of the blocks that are found.
        fn find(&self) -> Vec<[[usize; 2]; 2]> {
            let scores = ColumnScores {
                white: &self.white,
                black: &self.black,
                borders: &self.borders,
                skipped: &self.skipped,
                has_numbers: &self.has_numbers,
            };
            let found = find_pattern(&scores, &ColumnParameters::default());
            found.map_or_else(Vec::new, |(pattern, starts)| {
                starts
                    .into_iter()
                    .map(|start| pattern.columns(start))
                    .collect()
            })
        }
    }

    #[test]
    fn columns_lie_between_their_borders_with_numbers_between_them() {
        let strips = Strips::default().add(20, 0.0, 0.0, false);
        let strips = strips
            .add(40, 0.9, 0.1, true)
            .add_numbers(12)
            .add(40, 0.1, 0.9, true);
        let strips = strips
            .add(40, 0.9, 0.0, true)
            .add_numbers(12)
            .add(40, 0.0, 0.9, true);
        let blocks = [[[20, 60], [72, 112]], [[112, 152], [164, 204]]];
        assert_eq!(strips.add(20, 0.0, 0.0, true).find(), blocks);
    }

    #[test]
    fn a_column_of_which_the_network_is_unsure_is_told_by_its_place() {
        let strips = Strips::default()
            .add(20, 0.0, 0.0, false)
            .add(40, 0.9, 0.1, true);
        let strips = strips.add(40, 0.5, 0.4, true).add(20, 0.0, 0.0, true);
        assert_eq!(strips.find(), [[[20, 60], [60, 100]]]);
    }

    #[test]
    fn a_column_of_times_that_looks_like_moves_in_one_block_is_none() {
        let block = |strips: Strips, times: f32| {
            let strips = strips.add(40, 0.9, 0.1, true).add(40, 0.1, 0.9, true);
            strips.add(20, 0.0, times, true)
        };
        let strips = block(block(Strips::default().add(20, 0.0, 0.0, false), 0.1), 0.8);
        let blocks = [[[20, 60], [60, 100]], [[120, 160], [160, 200]]];
        assert_eq!(strips.add(20, 0.0, 0.0, true).find(), blocks);
    }

    #[test]
    fn notes_beside_a_table_are_no_block_without_numbers() {
        let block = |strips: Strips| {
            let strips = strips.add_numbers(10).add(40, 0.9, 0.1, true);
            strips.add(40, 0.1, 0.9, true)
        };
        let strips = block(block(Strips::default().add(20, 0.0, 0.0, false)));
        let strips = strips.add(60, 0.0, 0.0, true).add(30, 0.5, 0.3, true);
        let strips = strips.add(40, 0.1, 0.6, false).add(20, 0.0, 0.0, true);
        let blocks = [[[30, 70], [70, 110]], [[120, 160], [160, 200]]];
        assert_eq!(strips.find(), blocks);
    }

    #[test]
    fn an_empty_page_has_no_blocks() {
        assert!(
            Strips::default()
                .add(200, 0.0, 0.0, false)
                .find()
                .is_empty()
        );
    }
}
