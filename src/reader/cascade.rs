//! The posteriors of a sheet's cells by a cascade of two models, with test-time augmentation.
//!
//! 1. The first stage reads every cell with ink. A cell whose greedy labelling is likely enough is
//!    done.
//! 2. A cell that is less likely still is read by the first stage at other vertical offsets too.
//!    Where all offsets give the same string, the clearest of them is taken, since the second stage
//!    does no better there.
//! 3. The second stage reads the other uncertain cells, each at the offset at which it and the
//!    sheet's other such cells are clearest.
//! 4. A cell that it doubts itself gets a mixture of what both stages read: on the HCS dev cells
//!    that gives the true text more probability than either stage alone.
//! 5. Writers also cross the borders of their columns. A cell that the second stage hardly reads
//!    is read by it further left and right too, and what it reads there is part of the mixture.

use image::GrayImage;
use rayon::prelude::*;

use crate::cell::Cell;

use super::ctc::greedy_label_log_likelihood;
use super::offsets::{OffsetSearch, read_at_sides};
use super::{Model, ModelError, Posteriors};

/// Smallest log-likelihood, in nats, of the greedy labelling of a cell that the second stage need
/// not read. Lowering the bound from -0.1 to -0.14, together with less padding, took the HCS dev
/// cells (n = 3,675) from 88.57 to 88.44 % read, and EPFL (n = 1,445) from 226 to 281 cells a
/// second.
const MIN_FIRST_STAGE_NATS: f32 = -0.14;
/// Smallest log-likelihood, in nats, of the greedy labelling of a cell that is not read at other
/// vertical offsets.
const MIN_CENTRED_NATS: f32 = -0.3;
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

/// Share in [`SECOND_STAGE_WEIGHT`] of the patches further left and right, where there are any; the
/// rest is that of the patch at the cell's own place.
const HORIZONTAL_SHARE: f32 = 0.5;

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
        .map(|&i| cells[i].patch(0, search.clearest_offset(i)))
        .collect();
    let second = model.second_stage_log_posteriors(&patches)?;
    let mut at_sides = read_at_sides(model, cells, &search, &uncertain, &second)?;
    let OffsetSearch {
        unanimous,
        mut at_other_offsets,
        ..
    } = search;
    let mut by_cell: Vec<Mixture> = first
        .into_iter()
        .map(|posteriors| posteriors.map_or_else(Vec::new, |p| share_out(1.0, vec![p])))
        .collect();
    for (i, posteriors) in unanimous {
        by_cell[i] = share_out(1.0, vec![posteriors]);
    }
    for (i, posteriors) in uncertain.into_iter().zip(second) {
        if posteriors.best_path_log_prob() >= MIN_SECOND_STAGE_NATS {
            by_cell[i] = share_out(1.0, vec![posteriors]);
            continue;
        }
        let centred = by_cell[i].drain(..).map(|(_, centred)| centred);
        let others = at_other_offsets.remove(&i).into_iter().flatten();
        let of_first_stage = centred.chain(others).collect();
        let at_sides = at_sides.remove(&i).unwrap_or_default();
        let share = if at_sides.is_empty() {
            0.0
        } else {
            HORIZONTAL_SHARE
        };
        by_cell[i] = [
            share_out(SECOND_STAGE_WEIGHT * (1.0 - share), vec![posteriors]),
            share_out(SECOND_STAGE_WEIGHT * share, at_sides),
            share_out(1.0 - SECOND_STAGE_WEIGHT, of_first_stage),
        ]
        .concat();
    }
    Ok(by_cell)
}

/// A mixture in which each of some posteriors has the same share of a weight.
fn share_out(weight: f32, posteriors: Vec<Posteriors>) -> Mixture {
    let each = weight / posteriors.len() as f32;
    posteriors.into_iter().map(|p| (each, p)).collect()
}

/// The first stage's posteriors of the cells at their own place; none for blank ones.
fn first_pass(model: &dyn Model, cells: &[Cell]) -> Result<Vec<Option<Posteriors>>, ModelError> {
    let inked = cells.iter().enumerate();
    let inked = inked.filter(|(_, cell)| cell.state.has_ink());
    let (inked, patches): (Vec<usize>, Vec<GrayImage>) =
        inked.map(|(i, cell)| (i, cell.patch(0, 0))).unzip();
    let mut by_cell: Vec<Option<Posteriors>> = vec![None; cells.len()];
    for (i, posteriors) in inked.into_iter().zip(model.log_posteriors(&patches)?) {
        by_cell[i] = Some(posteriors);
    }
    Ok(by_cell)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use image::Luma;

    use super::*;
    use crate::cell::{MAX_VERTICAL_OFFSET, PICTURE_HEIGHT, PICTURE_WIDTH};
    use crate::geometry::Point;
    use crate::grid::{CellId, Side};
    use crate::ink::CellState;

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
        /// So far to the right that the second stage reads it only there.
        Right,
    }
    use Writing::{Below, Clear, Odd, Poor, Right, Unanimous};

    /// A cell whose pixels encode in which row they are, but for every second one, which encodes
    /// how the cell is written, and in which sixteen columns it is.
    fn cell(writing: Writing) -> Cell {
        Cell {
            id: CellId {
                number: 1,
                side: Side::White,
            },
            quad: [Point::new(0.0, 0.0); 4],
            picture: GrayImage::from_fn(PICTURE_WIDTH, PICTURE_HEIGHT, |x, y| {
                let column = writing as u32 * 16 + x / 16;
                Luma([if x % 2 == 1 { column } else { y } as u8])
            }),
            ink: 0.1,
            state: CellState::Written,
        }
    }

    /// A model that reads such cells and records the offsets at which its second stage is asked.
    #[derive(Default)]
    struct FakeCascade(Mutex<Vec<i32>>);

    /// The vertical offset of a patch, and the probabilities of the letter in the first and second
    /// stage.
    fn decode_patch(patch: &GrayImage) -> (i32, f32, f32) {
        let [row, column] = [0, 1].map(|x| i32::from(patch.get_pixel(x, 0).0[0]));
        let rows = row - MAX_VERTICAL_OFFSET as i32;
        let is_further_right = column % 16 > 1;
        match column / 16 {
            0 => (rows, 0.99, 0.98),
            1 => (rows, 0.8, 0.97),
            2 => (rows, 0.7 - 0.01 * rows.signum() as f32, 0.97),
            3 if rows > 0 => (rows, 0.9, 0.96),
            3 => (rows, 0.3, 0.4),
            4 => (rows, if rows == 0 { 0.6 } else { 0.5 }, 0.33),
            _ if is_further_right => (rows, 0.6, 0.95),
            _ => (rows, if rows == 0 { 0.6 } else { 0.5 }, 0.32),
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
                if probability < 0.34 {
                    letter.log = [0.34f32, 0.33, 0.33].map(f32::ln).to_vec();
                }
                if probability < 0.33 {
                    letter.frames = 3;
                    letter.log = letter.log.repeat(3);
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
    fn what_crosses_the_border_of_its_column_is_read_there_too() {
        // 0.35 x 0.33 + 0.175 x (0.33 + 0.95) + 0.1 x (0.6 + 0.5 + 0.5), at three places.
        assert_eq!(read(&[Right, Clear]), (vec![0.5, 0.99], vec![0, 0, 0]));
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
