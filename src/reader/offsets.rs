//! Where beside their own place to read the uncertain cells of a sheet.
//!
//! Writers cross the lines, above or below them, and do so on a whole sheet in the same way; they
//! also cross the borders of their columns.

use std::collections::BTreeMap;

use image::GrayImage;
use rayon::prelude::*;

use crate::cell::{Cell, MAX_HORIZONTAL_OFFSET, MAX_VERTICAL_OFFSET};

use super::ctc::best_strings;
use super::{Model, ModelError, Posteriors};

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

/// Smallest log-probability, in nats, of the second stage's best path with which it does not read
/// the cell further left and right too. With -2 the moves of HCS dev (n = 3,823) that were put out
/// right were 98.01 instead of 98.06 %, and sheet hard-1 of the bench took 2.12 instead of 1.76
/// seconds (docs/experiments/2026-11-30-patches-at-the-sides.md).
const MIN_CENTRED_SECOND_STAGE_NATS: f32 = -3.0;
/// Pixels by which such a patch is taken further right on the page.
const HORIZONTAL_OFFSETS: [i32; 2] = [
    -(MAX_HORIZONTAL_OFFSET as i32),
    MAX_HORIZONTAL_OFFSET as i32,
];

/// Log-probabilities of a cell's best path at each of [`VERTICAL_OFFSETS`].
type OffsetScores = [f32; VERTICAL_OFFSETS.len()];

/// What the first stage reads in the uncertain cells of a sheet at each of [`VERTICAL_OFFSETS`].
pub(super) struct OffsetSearch {
    /// By the index of a cell.
    scores: BTreeMap<usize, OffsetScores>,
    /// Mean over these cells.
    sheet_mean: OffsetScores,
    /// By the index of a cell, the posteriors at the other offsets.
    pub at_other_offsets: BTreeMap<usize, Vec<Posteriors>>,
    /// By the index of a cell, the clearest posteriors where all offsets give the same string.
    pub unanimous: BTreeMap<usize, Posteriors>,
}

impl OffsetSearch {
    /// Reads the uncertain cells at the other offsets; `centred` has the posteriors at their own
    /// place.
    pub(super) fn run(
        model: &dyn Model,
        cells: &[Cell],
        centred: &[Option<Posteriors>],
        uncertain: &[usize],
    ) -> Result<Self, ModelError> {
        let others = &VERTICAL_OFFSETS[1..];
        let at_others = |&i: &usize| others.iter().map(move |&rows| cells[i].patch(0, rows));
        let patches: Vec<GrayImage> = uncertain.iter().flat_map(at_others).collect();
        let read = model.log_posteriors(&patches)?;
        let at_other_offsets = group_by_cell(uncertain, read, others.len());
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
    pub(super) fn clearest_offset(&self, cell: usize) -> i32 {
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

/// What the second stage reads further left and right in those of the uncertain cells that it
/// hardly reads at their own place, by the index of a cell. `centred` has what it reads there.
pub(super) fn read_at_sides(
    model: &dyn Model,
    cells: &[Cell],
    search: &OffsetSearch,
    uncertain: &[usize],
    centred: &[Posteriors],
) -> Result<BTreeMap<usize, Vec<Posteriors>>, ModelError> {
    let hardly_read: Vec<usize> = uncertain
        .iter()
        .zip(centred)
        .filter(|(_, p)| p.best_path_log_prob() < MIN_CENTRED_SECOND_STAGE_NATS)
        .map(|(&i, _)| i)
        .collect();
    let at_sides = |&i: &usize| {
        let down = search.clearest_offset(i);
        HORIZONTAL_OFFSETS.map(|right| cells[i].patch(right, down))
    };
    let patches: Vec<GrayImage> = hardly_read.iter().flat_map(at_sides).collect();
    let read = model.second_stage_log_posteriors(&patches)?;
    Ok(group_by_cell(&hardly_read, read, HORIZONTAL_OFFSETS.len()))
}

/// Posteriors of some cells by the index of a cell. `read` holds `per_cell` of them for each cell,
/// in the order of the cells.
fn group_by_cell(
    cells: &[usize],
    read: Vec<Posteriors>,
    per_cell: usize,
) -> BTreeMap<usize, Vec<Posteriors>> {
    let mut read = read.into_iter();
    cells
        .iter()
        .map(|&i| (i, read.by_ref().take(per_cell).collect()))
        .collect()
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
