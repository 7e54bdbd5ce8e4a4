//! The widths of White's and Black's column and of the gap between them, which are printed alike in
//! all blocks of a table, and where across the table the blocks stand.

use super::NumberColumn;
use super::parameters::ColumnParameters;

/// How much the maps speak for columns of moves at the samples across a table, in nats.
pub struct ColumnScores<'a> {
    /// Log-odds of White's moves against no moves.
    pub white: &'a [f32],
    /// Log-odds of Black's moves against no moves.
    pub black: &'a [f32],
    /// Score of a border of a column of moves there.
    pub borders: &'a [f32],
    /// Whether printed numbers stand there.
    pub has_numbers: &'a [bool],
}

/// The widths in a block, in samples, and where its numbers stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnPattern {
    numbers: NumberColumn,
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

    /// Where the numbers of a block that begins at a sample stand: first sample and the one behind
    /// the last.
    fn number_place(self, start: usize) -> [usize; 2] {
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
    let coarse = Sums::new(scores, parameters.coarse_step, parameters);
    let mut best = None::<(f32, ColumnPattern)>;
    let places: &[NumberColumn] = match scores.has_numbers.contains(&true) {
        true => &[
            NumberColumn::Left,
            NumberColumn::Between,
            NumberColumn::Right,
        ],
        false => &[NumberColumn::Absent],
    };
    let samples = |px: f64| (px / (parameters.step_px * parameters.coarse_step as f64)) as usize;
    let (min_width, step) = (
        samples(parameters.min_width_px),
        samples(parameters.pattern_step_px),
    );
    for white in (min_width..coarse.count() / 2).step_by(step) {
        let max_gap = (parameters.max_gap_share * white as f64) as usize;
        let gaps = (0..=max_gap)
            .step_by(step)
            .filter(|&gap| gap == 0 || gap >= step);
        for gap in gaps {
            for ratio in parameters.width_ratios {
                let black = (white as f64 * ratio).round() as usize;
                for &numbers in places {
                    let pattern = ColumnPattern {
                        numbers,
                        white,
                        gap,
                        black,
                    };
                    let score = coarse.place(pattern).score();
                    if score > best.map_or(0.0, |best| best.0) {
                        best = Some((score, pattern));
                    }
                }
            }
        }
    }
    let (_, widths) = best?;
    let fine = Sums::new(scores, 1, parameters);
    let start = ColumnPattern {
        numbers: widths.numbers,
        white: widths.white * parameters.coarse_step,
        gap: widths.gap * parameters.coarse_step,
        black: widths.black * parameters.coarse_step,
    };
    let pattern = fine.improve(start, step * parameters.coarse_step);
    Some((pattern, fine.place(pattern).starts(pattern)))
}

/// Running sums of the scores, so that a column's score is a difference.
struct Sums {
    white: Vec<f32>,
    black: Vec<f32>,
    borders: Vec<f32>,
    /// Number of samples before each at which numbers stand.
    numbers: Vec<u32>,
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
        let sums = |values: &[f32]| {
            let mut sum = 0.0;
            let of_groups = values.chunks(group).map(|values| {
                sum += values.iter().sum::<f32>();
                sum
            });
            std::iter::once(0.0).chain(of_groups).collect()
        };
        let best = |values: &[f32]| values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut count = 0;
        let numbers = scores.has_numbers.chunks(group).map(|group| {
            count += u32::from(group.contains(&true));
            count
        });
        Self {
            white: sums(scores.white),
            black: sums(scores.black),
            borders: scores.borders.chunks(group).map(best).collect(),
            numbers: std::iter::once(0).chain(numbers).collect(),
            width_ratio_cost: parameters.width_ratio_cost,
            number_weight: parameters.number_weight,
        }
    }

    /// Number of samples.
    fn count(&self) -> usize {
        self.borders.len()
    }

    /// The best blocks of a pattern, by dynamic programme from left to right.
    fn place(&self, pattern: ColumnPattern) -> Placement {
        let count = self.count();
        let [[_, middle], [black, width]] = pattern.columns(0);
        let ratio = (pattern.white as f32 / pattern.black as f32).ln();
        let cost = self.width_ratio_cost * ratio * ratio;
        let mut placement = Placement {
            best: vec![0.0; count],
            is_end: vec![false; count],
        };
        for end in 1..count {
            placement.best[end] = placement.best[end - 1];
            let Some(start) = end.checked_sub(width) else {
                continue;
            };
            let mut score = self.white[start + middle] - self.white[start] + self.black[end]
                - self.black[start + black]
                + self.borders[start]
                + self.borders[start + middle]
                + self.borders[end]
                - cost;
            if black > middle {
                score += self.borders[start + black];
            }
            if pattern.numbers != NumberColumn::Absent {
                let [from, to] = pattern.number_place(start).map(|at| at.min(count));
                let has_numbers = self.numbers[to] > self.numbers[from];
                score += if has_numbers {
                    self.number_weight
                } else {
                    -self.number_weight
                };
            }
            // Blocks that touch share a border.
            if placement.is_end[start] {
                score -= self.borders[start];
            }
            score += placement.best[start];
            if score > placement.best[end] {
                placement.best[end] = score;
                placement.is_end[end] = true;
            }
        }
        placement
    }

    /// The best pattern near another one: widths are changed by ever smaller steps, as long as one
    /// helps.
    fn improve(&self, start: ColumnPattern, first_step: usize) -> ColumnPattern {
        let mut best = (self.place(start).score(), start);
        let mut step = first_step;
        while step > 0 {
            let at = best.1;
            let steps = [-1, 0, 1].map(|sign| sign * step as isize);
            for (white, gap, black) in itertools(steps) {
                let changed = |width: usize, by| width.checked_add_signed(by);
                let (Some(white), Some(gap), Some(black)) = (
                    changed(at.white, white),
                    changed(at.gap, gap),
                    changed(at.black, black),
                ) else {
                    continue;
                };
                let pattern = ColumnPattern {
                    numbers: at.numbers,
                    white,
                    gap,
                    black,
                };
                if white == 0 || black == 0 {
                    continue;
                }
                let score = self.place(pattern).score();
                if score > best.0 {
                    best = (score, pattern);
                }
            }
            if best.1 == at {
                step /= 2;
            }
        }
        best.1
    }
}

/// All triples of some steps.
fn itertools(steps: [isize; 3]) -> impl Iterator<Item = (isize, isize, isize)> {
    steps.into_iter().flat_map(move |a| {
        steps
            .into_iter()
            .flat_map(move |b| steps.into_iter().map(move |c| (a, b, c)))
    })
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
