//! The widths of White's and Black's column and of the gap between them, which are printed alike in
//! all blocks of a table, and where across the table the blocks stand.

use super::NumberColumn;
use super::parameters::ColumnParameters;
use super::rows::running_sums;

/// How much the maps speak for columns of moves at the samples across a table, in nats.
pub struct ColumnScores<'a> {
    /// Log-odds of White's moves against no moves.
    pub white: &'a [f32],
    /// Log-odds of Black's moves against no moves.
    pub black: &'a [f32],
    /// Score of a border of a column of moves there.
    pub borders: &'a [f32],
    /// Cost of an outline of a column amid a column.
    pub skipped: &'a [f32],
    /// Whether printed numbers stand there.
    pub has_numbers: &'a [bool],
}

/// The widths in a block, in samples, and where its numbers stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnPattern {
    /// Where the numbers stand.
    pub numbers: NumberColumn,
    white: usize,
    /// Width of the numbers or times between White and Black; 0 where there are none.
    gap: usize,
    black: usize,
}

impl ColumnPattern {
    /// First sample of White's and of Black's column and the one behind each, for a block that
    /// begins at a sample.
    pub fn columns(self, start: usize) -> [[usize; 2]; 2] {
        let middle = start + self.white;
        let black = middle + self.gap;
        [[start, middle], [black, black + self.black]]
    }

    /// The patterns of which each width is smaller or larger by a step, or the same.
    fn neighbours(self, step: usize) -> impl Iterator<Item = Self> {
        let changed = move |width: usize| [width.saturating_sub(step), width, width + step];
        let whites = changed(self.white).into_iter();
        let widths = whites.flat_map(move |white| {
            let gaps = changed(self.gap).into_iter();
            gaps.flat_map(move |gap| changed(self.black).map(|black| (white, gap, black)))
        });
        let patterns = widths.map(move |(white, gap, black)| Self {
            white,
            gap,
            black,
            ..self
        });
        patterns.filter(|pattern| pattern.white > 0 && pattern.black > 0)
    }

    /// Where the numbers of a block that begins at a sample stand: first sample and the one behind
    /// the last.
    pub fn number_place(self, start: usize) -> [usize; 2] {
        let [[white, middle], [black, end]] = self.columns(start);
        match self.numbers {
            NumberColumn::Left => [white.saturating_sub(self.white), white + self.white / 4],
            NumberColumn::Between => [middle, black],
            NumberColumn::Right => [end - self.black / 4, end + self.black],
            NumberColumn::Absent => [start, start],
        }
    }
}

/// The pattern and the first samples of the blocks with the largest sum of scores; none where
/// nothing speaks for a block.
pub fn find_pattern(
    scores: &ColumnScores,
    parameters: &ColumnParameters,
) -> Option<(ColumnPattern, Vec<usize>)> {
    let group = parameters.coarse_step;
    let coarse = Sums::new(scores, group, parameters);
    let has_numbers = scores.has_numbers.contains(&true);
    let patterns = coarse_patterns(coarse.count(), has_numbers, parameters);
    let scored = patterns.map(|pattern| (coarse.place(pattern).score(), pattern));
    let first_best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let (score, best) = first_best?;
    if score <= 0.0 {
        return None;
    }
    let fine = Sums::new(scores, 1, parameters);
    let start = ColumnPattern {
        numbers: best.numbers,
        white: group * best.white,
        gap: group * best.gap,
        black: group * best.black,
    };
    let first_step = parameters.pattern_step_px / parameters.step_px;
    let pattern = fine.improve(start, first_step as usize);
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

/// Running sums of the scores, so that a column's score is a difference.
struct Sums {
    white: Vec<f32>,
    black: Vec<f32>,
    borders: Vec<f32>,
    skipped: Vec<f32>,
    /// Number of samples before each at which numbers stand.
    numbers: Vec<f32>,
    width_ratio_cost: f32,
    number_weight: f32,
}

/// The best blocks of a pattern up to each sample.
struct Placement {
    /// Score of all blocks that end there or before.
    best: Vec<f32>,
    /// Whether a block ends at the sample.
    is_end: Vec<bool>,
}

impl Sums {
    /// Sums over groups of so many samples. A border scores what the best one of its group does.
    fn new(scores: &ColumnScores, group: usize, parameters: &ColumnParameters) -> Self {
        let sums =
            |values: &[f32]| running_sums(values.chunks(group).map(|values| values.iter().sum()));
        let best = |values: &[f32]| values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let groups = scores.has_numbers.chunks(group);
        let numbers = groups.map(|group| if group.contains(&true) { 1.0 } else { 0.0 });
        Self {
            white: sums(scores.white),
            black: sums(scores.black),
            borders: scores.borders.chunks(group).map(best).collect(),
            skipped: sums(scores.skipped),
            numbers: running_sums(numbers),
            width_ratio_cost: parameters.width_ratio_cost,
            number_weight: parameters.number_weight,
        }
    }

    /// Number of samples.
    fn count(&self) -> usize {
        self.borders.len()
    }

    /// The scores of the blocks of a pattern, by the sample at which each begins.
    fn score_blocks(&self, pattern: ColumnPattern) -> Vec<f32> {
        let columns = pattern.columns(0);
        let [[_, middle], [black, width]] = columns;
        let starts = self.count().saturating_sub(width);
        if starts == 0 {
            return Vec::new();
        }
        let ratio = (pattern.white as f32 / pattern.black as f32).ln();
        let cost = self.width_ratio_cost * ratio * ratio;
        let [white, white_end] = [0, middle].map(|at| &self.white[at..at + starts]);
        let [black_start, black_end] = [black, width].map(|at| &self.black[at..at + starts]);
        let borders = |at: usize| &self.borders[at..at + starts];
        let (first, between, last) = (borders(0), borders(middle), borders(width));
        let columns_and_borders = (0..starts).map(|i| {
            white_end[i] - white[i] + black_end[i] - black_start[i]
                + first[i]
                + between[i]
                + last[i]
                - cost
        });
        let mut scores: Vec<f32> = columns_and_borders.collect();
        if black > middle {
            for (score, border) in scores.iter_mut().zip(borders(black)) {
                *score += border;
            }
        }
        for [left, right] in columns {
            let inset = (right - left) / 4;
            let skipped = self.skipped[right - inset..]
                .iter()
                .zip(&self.skipped[left + inset..]);
            for (score, (end, start)) in scores.iter_mut().zip(skipped) {
                *score -= end - start;
            }
        }
        if pattern.numbers != NumberColumn::Absent {
            for (start, score) in scores.iter_mut().enumerate() {
                let place = pattern.number_place(start);
                let [before, behind] = place.map(|at| self.numbers[at.min(self.count())]);
                *score += match behind > before {
                    true => self.number_weight,
                    false => -self.number_weight,
                };
            }
        }
        scores
    }

    /// The best blocks of a pattern, by dynamic programme from left to right.
    fn place(&self, pattern: ColumnPattern) -> Placement {
        let count = self.count();
        let width = pattern.columns(0)[1][1];
        let mut placement = Placement {
            best: vec![0.0; count],
            is_end: vec![false; count],
        };
        for (start, mut score) in self.score_blocks(pattern).into_iter().enumerate() {
            let end = start + width;
            // Blocks that touch share a border.
            if placement.is_end[start] {
                score -= self.borders[start];
            }
            score += placement.best[start];
            let without = placement.best[end - 1];
            (placement.best[end], placement.is_end[end]) = (without.max(score), score > without);
        }
        placement
    }

    /// The best pattern near another one: widths are changed by ever smaller steps, as long as one
    /// helps.
    fn improve(&self, start: ColumnPattern, first_step: usize) -> ColumnPattern {
        let mut best = (self.place(start).score(), start);
        let mut step = first_step;
        while step > 0 {
            let from = best.1;
            for pattern in from.neighbours(step) {
                let score = self.place(pattern).score();
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
}

impl Placement {
    /// Score of all blocks.
    fn score(&self) -> f32 {
        self.best.last().copied().unwrap_or(0.0)
    }

    /// First samples of the blocks, from left to right.
    fn starts(&self, pattern: ColumnPattern) -> Vec<usize> {
        let width = pattern.columns(0)[1][1];
        let mut starts = Vec::new();
        let mut end = self.best.len() - 1;
        while end > 0 && width > 0 {
            if self.is_end[end] {
                end -= width;
                starts.push(end);
            } else {
                end -= 1;
            }
        }
        starts.reverse();
        starts
    }
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
