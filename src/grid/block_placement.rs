//! Where across a table blocks with columns of given widths stand best, by dynamic programme.

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
    /// Width of White's column.
    pub white: usize,
    /// Width of the numbers or times between White and Black; 0 where there are none.
    pub gap: usize,
    /// Width of Black's column.
    pub black: usize,
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
    pub fn neighbours(self, step: usize) -> impl Iterator<Item = Self> {
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

/// Running sums of the scores, so that a column's score is a difference.
pub struct ScoreSums {
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
pub struct Placement {
    /// Score of all blocks that end there or before.
    best: Vec<f32>,
    /// Whether a block ends at the sample.
    is_end: Vec<bool>,
}

impl ScoreSums {
    /// Sums over groups of so many samples. A border scores what the best one of its group does.
    pub fn new(scores: &ColumnScores, group: usize, parameters: &ColumnParameters) -> Self {
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
    pub fn count(&self) -> usize {
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
        let [white_start, white_end] = [0, middle].map(|at| &self.white[at..at + starts]);
        let [black_start, black_end] = [black, width].map(|at| &self.black[at..at + starts]);
        let borders = |at: usize| &self.borders[at..at + starts];
        let (first, between, last) = (borders(0), borders(middle), borders(width));
        let columns_and_borders = (0..starts).map(|i| {
            white_end[i] - white_start[i] + black_end[i] - black_start[i]
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
    pub fn place(&self, pattern: ColumnPattern) -> Placement {
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
}

impl Placement {
    /// Score of all blocks.
    pub fn score(&self) -> f32 {
        self.best.last().copied().unwrap_or(0.0)
    }

    /// First samples of the blocks, from left to right.
    pub fn starts(&self, pattern: ColumnPattern) -> Vec<usize> {
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

    #[test]
    fn a_block_stands_where_its_columns_score_and_touches_the_next_one() {
        let is_in =
            |from: usize| move |at: usize| f32::from(u8::from((from..from + 3).contains(&at)));
        let both =
            |a: usize, b: usize| (0..20).map(move |at| is_in(a)(at) + is_in(b)(at)).collect();
        let (white, black): (Vec<f32>, Vec<f32>) = (both(2, 8), both(5, 11));
        let scores = ColumnScores {
            white: &white,
            black: &black,
            borders: &[0.0; 20],
            skipped: &[0.0; 20],
            has_numbers: &[false; 20],
        };
        let pattern = ColumnPattern {
            numbers: NumberColumn::Absent,
            white: 3,
            gap: 0,
            black: 3,
        };
        let placement = ScoreSums::new(&scores, 1, &ColumnParameters::default()).place(pattern);
        assert_eq!(placement.starts(pattern), [2, 8]);
        assert_eq!(placement.score(), 12.0);
    }
}
