//! The posteriors of a sheet's cells by a cascade of two models, with test-time augmentation.
//!
//! 1. The first stage reads every cell with ink. A cell whose greedy labelling is likely enough is
//!    done.
//! 2. Writers cross the lines, above or below them, and do so on a whole sheet in the same way. A
//!    cell that is less likely still is therefore read by the first stage at other vertical offsets
//!    too. Where all offsets give the same string, the clearest of them is taken, since the second
//!    stage does no better there.
//! 3. The second stage reads the other uncertain cells, each at the offset at which it and the
//!    sheet's other such cells are clearest.
//! 4. A cell that it doubts itself gets a mixture of what both stages read: on the HCS dev cells
//!    that gives the true text more probability than either stage alone.

use std::collections::BTreeMap;

use image::GrayImage;
use rayon::prelude::*;

use crate::cell::{Cell, MAX_VERTICAL_OFFSET};

use super::ctc::{best_strings, greedy_label_log_likelihood};
use super::{Model, ModelError, Posteriors};

/// Smallest log-likelihood, in nats, of the greedy labelling of a cell that the second stage need
/// not read. Lowering the bound from -0.1 to -0.14, together with less padding, took the HCS dev
/// cells (n = 3,675) from 88.57 to 88.44 % read, and EPFL (n = 1,445) from 226 to 281 cells a
/// second.
const MIN_FIRST_STAGE_NATS: f32 = -0.14;
/// Smallest log-likelihood, in nats, of the greedy labelling of a cell that is not read at other
/// offsets.
const MIN_CENTRED_NATS: f32 = -0.3;
/// Smallest mean log-probability, in nats, of a string that all offsets agree on. Accepting such
/// strings changed HCS dev (n = 3,675) from 88.44 to 88.41 % read and EPFL (n = 1,445) from 281 to
/// 301 cells a second.
const MIN_UNANIMOUS_MEAN_NATS: f32 = -0.5;
/// Pixels by which a patch is taken lower on the page; the first is the cell's own place.
const VERTICAL_OFFSETS: [i32; 3] = [0, -(MAX_VERTICAL_OFFSET as i32), MAX_VERTICAL_OFFSET as i32];
/// Nats that an offset costs for each pixel. With 0.2 HCS dev (n = 3,675) read 88.60 instead of
/// 88.87 % and EPFL (n = 1,445) 95.22 instead of 94.95 %.
const OFFSET_NATS_PER_PIXEL: f32 = 0.1;
/// Weight of the sheet's mean at an offset, relative to the cell's own log-probability. With 6, and
/// offsets tried for every cell below e^-0.1, HCS dev read 88.57 % and EPFL 95.22 %.
const SHEET_WEIGHT: f32 = 3.0;
/// Smallest log-probability, in nats, with which a cell counts for the sheet's mean, so that one
/// illegible cell does not decide it.
const MIN_SHEET_MEAN_NATS: f32 = -3.0;

/// Smallest log-probability, in nats, of the second stage's best path with which it is believed
/// alone. In HCS dev cells between -2 and -1 nats (n = 231) the true text has a log-probability of
/// -2.30 nats on average by the second stage, and of -2.12 by the mean of both stages'
/// probabilities; between -1 and -0.3 (n = 852) it has -1.00 by either.
const MIN_SECOND_STAGE_NATS: f32 = -1.0;
/// Weight of the second stage in the mixture for a cell that it doubts; the rest is shared by the
/// first stage at all offsets. With 0.25, 0.5, 0.7, 0.8 and 1 HCS dev (n = 3,823 moves) played
/// 97.62, 97.59, 98.06, 98.09 and 98.01 %, and 0.34, 0.40, 0.37, 0.42 and 0.47 % of the moves were
/// silently wrong (docs/experiments/2026-11-30-mixture.md).
const SECOND_STAGE_WEIGHT: f32 = 0.7;

/// Log-probabilities of a cell's best path at each of [`VERTICAL_OFFSETS`].
type OffsetScores = [f32; VERTICAL_OFFSETS.len()];

/// A mixture of log-posteriors with their weights ([`MixtureComponent`]).
///
/// [`MixtureComponent`]: super::MixtureComponent
type Mixture = Vec<(f32, Posteriors)>;

/// Log-posteriors of the cells, in their order; none for those that are blank by their ink.
///
/// # Errors
/// [`ModelError`] of the first cell on which the model fails.
pub(super) fn posteriors(model: &dyn Model, cells: &[Cell]) -> Result<Vec<Mixture>, ModelError> {
    let first = first_pass(model, cells)?;
    let likelihoods: Vec<Option<f32>> = first
        .par_iter()
        .map(|posteriors| posteriors.as_ref().map(greedy_label_log_likelihood))
        .collect();
    let less_likely_than = |min: f32| -> Vec<usize> {
        let is_uncertain = |&i: &usize| likelihoods[i].is_some_and(|nats| nats < min);
        (0..cells.len()).filter(is_uncertain).collect()
    };

    let search = OffsetSearch::run(model, cells, &first, &less_likely_than(MIN_CENTRED_NATS))?;
    let mut uncertain = less_likely_than(MIN_FIRST_STAGE_NATS);
    uncertain.retain(|i| !search.unanimous.contains_key(i));
    let patches: Vec<GrayImage> = uncertain
        .iter()
        .map(|&i| cells[i].patch(search.clearest_offset(i)))
        .collect();
    let second = model.second_stage_log_posteriors(&patches)?;
    let OffsetSearch {
        unanimous,
        mut at_other_offsets,
        ..
    } = search;
    let alone = |posteriors| vec![(1.0, posteriors)];
    let mut by_cell: Vec<Mixture> = first
        .into_iter()
        .map(|posteriors| posteriors.map_or_else(Vec::new, alone))
        .collect();
    for (i, posteriors) in unanimous {
        by_cell[i] = alone(posteriors);
    }
    for (i, posteriors) in uncertain.into_iter().zip(second) {
        if posteriors.best_path_log_prob() >= MIN_SECOND_STAGE_NATS {
            by_cell[i] = alone(posteriors);
        } else {
            let others = at_other_offsets.remove(&i).into_iter().flatten();
            let of_first_stage: Vec<Posteriors> = by_cell[i]
                .drain(..)
                .map(|(_, centred)| centred)
                .chain(others)
                .collect();
            let weight = (1.0 - SECOND_STAGE_WEIGHT) / of_first_stage.len() as f32;
            by_cell[i].push((SECOND_STAGE_WEIGHT, posteriors));
            by_cell[i].extend(of_first_stage.into_iter().map(|p| (weight, p)));
        }
    }
    Ok(by_cell)
}

/// The first stage's posteriors of the cells at their own place; none for blank ones.
fn first_pass(model: &dyn Model, cells: &[Cell]) -> Result<Vec<Option<Posteriors>>, ModelError> {
    let inked = cells.iter().enumerate();
    let inked = inked.filter(|(_, cell)| cell.state.has_ink());
    let (inked, patches): (Vec<usize>, Vec<GrayImage>) =
        inked.map(|(i, cell)| (i, cell.patch(0))).unzip();
    let mut by_cell: Vec<Option<Posteriors>> = vec![None; cells.len()];
    for (i, posteriors) in inked.into_iter().zip(model.log_posteriors(&patches)?) {
        by_cell[i] = Some(posteriors);
    }
    Ok(by_cell)
}

/// What the first stage reads in the uncertain cells of a sheet at each of [`VERTICAL_OFFSETS`].
struct OffsetSearch {
    /// By the index of a cell.
    scores: BTreeMap<usize, OffsetScores>,
    /// Mean over these cells.
    sheet_mean: OffsetScores,
    /// By the index of a cell, the posteriors at the other offsets.
    at_other_offsets: BTreeMap<usize, Vec<Posteriors>>,
    /// By the index of a cell, the clearest posteriors where all offsets give the same string.
    unanimous: BTreeMap<usize, Posteriors>,
}

impl OffsetSearch {
    /// Reads the uncertain cells at the other offsets; `centred` has the posteriors at their own
    /// place.
    fn run(
        model: &dyn Model,
        cells: &[Cell],
        centred: &[Option<Posteriors>],
        uncertain: &[usize],
    ) -> Result<Self, ModelError> {
        let others = &VERTICAL_OFFSETS[1..];
        let at_others = |&i: &usize| others.iter().map(move |&rows| cells[i].patch(rows));
        let patches: Vec<GrayImage> = uncertain.iter().flat_map(at_others).collect();
        let mut read = model.log_posteriors(&patches)?.into_iter();
        let at_other_offsets: BTreeMap<usize, Vec<Posteriors>> = uncertain
            .iter()
            .map(|&i| (i, read.by_ref().take(others.len()).collect()))
            .collect();
        let by_cell: Vec<(usize, Vec<&Posteriors>)> = at_other_offsets
            .iter()
            .map(|(&i, others)| (i, centred[i].iter().chain(others).collect()))
            .collect();
        let scores: BTreeMap<usize, OffsetScores> = by_cell
            .iter()
            .map(|(i, at_offsets)| {
                let mut scores = [0.0; VERTICAL_OFFSETS.len()];
                for (score, posteriors) in scores.iter_mut().zip(at_offsets) {
                    *score = posteriors.best_path_log_prob();
                }
                (*i, scores)
            })
            .collect();
        let unanimous = by_cell.par_iter().filter_map(|(i, at_offsets)| {
            let clearest = clearest_of_same_string(at_offsets, model.alphabet())?;
            Some((*i, clearest.clone()))
        });
        let unanimous = unanimous.collect();
        let sheet_mean = std::array::from_fn(|offset| {
            let at_offset = scores.values().map(|s| s[offset].max(MIN_SHEET_MEAN_NATS));
            at_offset.sum::<f32>() / scores.len().max(1) as f32
        });
        Ok(Self {
            scores,
            sheet_mean,
            unanimous,
            at_other_offsets,
        })
    }

    /// The offset in rows at which to read a cell: the one that maximises
    /// score of the cell + `SHEET_WEIGHT` x mean of the sheet - `OFFSET_NATS_PER_PIXEL` x |offset|.
    fn clearest_offset(&self, cell: usize) -> i32 {
        let Some(scores) = self.scores.get(&cell) else {
            return 0;
        };
        let total = |k: usize| {
            let cost = OFFSET_NATS_PER_PIXEL * VERTICAL_OFFSETS[k].unsigned_abs() as f32;
            scores[k] + SHEET_WEIGHT * self.sheet_mean[k] - cost
        };
        let best =
            (1..VERTICAL_OFFSETS.len()).fold(0, |a, b| if total(b) > total(a) { b } else { a });
        VERTICAL_OFFSETS[best]
    }
}

/// The clearest of some posteriors whose likeliest strings are the same, where that string is
/// likely enough on average; none otherwise, without searching further than needed.
fn clearest_of_same_string<'a>(
    at_offsets: &[&'a Posteriors],
    alphabet: &[char],
) -> Option<&'a Posteriors> {
    let mut log_probs: Vec<f32> = Vec::new();
    let mut first: Option<String> = None;
    let mut sum = 0.0;
    for posteriors in at_offsets {
        let best = best_strings(posteriors, alphabet).into_iter().next()?;
        sum += best.log_prob;
        let is_same = first.as_ref().is_none_or(|first| *first == best.text);
        let min_sum = MIN_UNANIMOUS_MEAN_NATS * at_offsets.len() as f32;
        if best.text.is_empty() || !is_same || sum < min_sum {
            return None;
        }
        log_probs.push(best.log_prob);
        first.get_or_insert(best.text);
    }
    let clearest = at_offsets.iter().zip(&log_probs);
    let clearest = clearest.max_by(|(_, a), (_, b)| a.total_cmp(b));
    clearest.map(|(posteriors, _)| *posteriors)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use image::Luma;

    use super::*;
    use crate::cell::TALL_HEIGHT;
    use crate::geometry::Point;
    use crate::grid::{CellId, Side};
    use crate::ink::CellState;
    use crate::patch::PATCH_WIDTH;

    /// How a cell is written.
    #[derive(Clone, Copy)]
    enum Writing {
        Clear,
        Poor,
        /// Poorer, and the same at all offsets.
        Unanimous,
        /// So far below the line that only the lower offset shows it whole.
        Below,
        /// Such that the second stage knows less than the first.
        Odd,
    }
    use Writing::{Below, Clear, Odd, Poor, Unanimous};

    /// A cell whose pixels encode in which row they are, but for the second of each row, which
    /// encodes how the cell is written.
    fn cell(writing: Writing) -> Cell {
        Cell {
            id: CellId {
                number: 1,
                side: Side::White,
            },
            quad: [Point::new(0.0, 0.0); 4],
            tall: GrayImage::from_fn(PATCH_WIDTH, TALL_HEIGHT, |x, y| {
                Luma([if x == 1 { writing as u8 } else { y as u8 }])
            }),
            ink: 0.1,
            state: CellState::Written,
        }
    }

    /// A model that reads such cells and records the offsets at which its second stage is asked.
    #[derive(Default)]
    struct FakeCascade(Mutex<Vec<i32>>);

    /// The offset of a patch, and the probabilities of the letter in the first and second stage.
    fn decode_patch(patch: &GrayImage) -> (i32, f32, f32) {
        let [row, writing] = [0, 1].map(|x| i32::from(patch.get_pixel(x, 0).0[0]));
        let rows = row - MAX_VERTICAL_OFFSET as i32;
        match writing {
            0 => (rows, 0.99, 0.98),
            1 => (rows, 0.8, 0.97),
            2 => (rows, 0.7 - 0.01 * rows.signum() as f32, 0.97),
            3 if rows > 0 => (rows, 0.9, 0.96),
            3 => (rows, 0.3, 0.4),
            _ => (rows, if rows == 0 { 0.6 } else { 0.5 }, 0.33),
        }
    }

    fn letter(probability: f32) -> Posteriors {
        Posteriors {
            frames: 1,
            classes: 3,
            log: [0.01, probability, 0.99 - probability]
                .map(f32::ln)
                .to_vec(),
        }
    }

    impl Model for FakeCascade {
        fn alphabet(&self) -> &[char] {
            &['a', 'b']
        }

        fn log_posteriors(&self, patches: &[GrayImage]) -> Result<Vec<Posteriors>, ModelError> {
            let first = |patch| letter(decode_patch(patch).1);
            Ok(patches.iter().map(first).collect())
        }

        fn second_stage_log_posteriors(
            &self,
            patches: &[GrayImage],
        ) -> Result<Vec<Posteriors>, ModelError> {
            let second = |patch| {
                let (rows, _, probability) = decode_patch(patch);
                self.0.lock().unwrap().push(rows);
                let mut letter = letter(probability);
                if probability == 0.33 {
                    letter.log = [0.34f32, 0.33, 0.33].map(f32::ln).to_vec();
                }
                letter
            };
            Ok(patches.iter().map(second).collect())
        }
    }

    /// The letter's final probability in cells so written, and the sorted offsets at which the
    /// second stage was asked.
    fn read(writing: &[Writing]) -> (Vec<f32>, Vec<i32>) {
        let (model, cells) = (FakeCascade::default(), writing.iter().map(|&w| cell(w)));
        let read = posteriors(&model, &cells.collect::<Vec<_>>()).unwrap();
        let mut offsets = model.0.into_inner().unwrap();
        offsets.sort_unstable();
        let probability = |mixture: &Mixture| -> f32 {
            let parts = mixture.iter().map(|(weight, p)| weight * p.log[1].exp());
            (parts.sum::<f32>() * 100.0).round() / 100.0
        };
        (read.iter().map(probability).collect(), offsets)
    }

    #[test]
    fn only_uncertain_cells_reach_the_second_stage() {
        assert_eq!(read(&[Clear; 3]), (vec![0.99; 3], vec![]));
        assert_eq!(read(&[Clear, Poor]), (vec![0.99, 0.97], vec![0]));
    }

    #[test]
    fn what_is_written_below_the_line_is_read_there() {
        let (read, offsets) = read(&[Below, Clear, Below]);
        assert_eq!(read, [0.96, 0.99, 0.96]);
        assert_eq!(
            offsets,
            [MAX_VERTICAL_OFFSET as i32, MAX_VERTICAL_OFFSET as i32]
        );
    }

    #[test]
    fn a_string_that_all_offsets_give_needs_no_second_stage() {
        assert_eq!(read(&[Unanimous, Clear]), (vec![0.71, 0.99], vec![]));
    }

    #[test]
    fn where_the_second_stage_doubts_a_cell_the_first_has_a_say() {
        // 0.7 x 0.33 + 0.1 x (0.6 + 0.5 + 0.5).
        assert_eq!(read(&[Odd, Clear]), (vec![0.39, 0.99], vec![0]));
    }

    #[test]
    fn a_cell_without_ink_is_not_read() {
        let mut blank = cell(Poor);
        blank.state = CellState::Blank;
        assert_eq!(
            posteriors(&FakeCascade::default(), &[blank]).unwrap(),
            [vec![]]
        );
    }
}
