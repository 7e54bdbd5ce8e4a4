//! The probability that a move is right, calibrated: from its posterior over the lattice, from how
//! well its cell fits, and from how well the cells around it do.
//!
//! The posterior alone is too sure, since a search that has lost its way agrees with itself; cells
//! that fit badly just before and after betray it. The weights are those of a logistic regression
//! (`models/train/fit_confidence.py`) on 7,101 moves of the HCS dev games, one copy and all copies,
//! and of the EPFL sheets behind a reader that trained on neither. Those of the posterior given the
//! earlier moves and of the intercept were added later, the others being kept, from 38,166 moves of
//! the same sheets and of `data/sheets`, as they are and under four disturbances. The expected
//! calibration error on these is 0.3 %
//! (`docs/experiments/2026-11-30-refitted-confidence.md`).

use shakmaty::Move;

use super::move_posteriors::MovePosteriors;
use super::path::{Edge, Step};

/// Number of edges that are looked at on either side of a move.
const NEIGHBOURS: usize = 8;
/// Log-odds of a posterior are clamped to plus and minus this; beyond, the search only agrees with
/// itself.
const MAX_LOG_ODDS: f32 = 7.0;
/// The posterior is clamped to this range before its log-odds are taken.
const POSTERIOR_RANGE: (f32, f32) = (0.001, 0.9995);

/// The log-odds given the moves before are clamped to at most this: how much surer the search is
/// tells nothing.
const MAX_LOG_ODDS_GIVEN_EARLIER: f32 = 3.0;

/// Intercept of the regression, in log-odds.
const INTERCEPT_LOG_ODDS: f32 = 3.0;
/// Weight, without unit, of [`ConfidenceFeatures::log_odds`].
const LOG_ODDS: f32 = 0.37;
/// Weight, without unit, of [`ConfidenceFeatures::log_odds_given_earlier`].
const LOG_ODDS_GIVEN_EARLIER: f32 = 0.8;
/// Log-odds for each nat of [`ConfidenceFeatures::own`].
const OWN: f32 = -0.41;
/// Log-odds for each nat of [`ConfidenceFeatures::before`].
const BEFORE: f32 = -0.58;
/// Log-odds for each nat of [`ConfidenceFeatures::after`].
const AFTER: f32 = -0.82;

/// The features that tell a right move from a wrong one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ConfidenceFeatures {
    /// Log-odds of the move's posterior over the lattice, from -7 to 7.
    pub log_odds: f32,
    /// Log-odds, from -7 to 3, of the same posterior among the games that agree with this one in
    /// all moves before it.
    pub log_odds_given_earlier: f32,
    /// Misfit of its own cell in nats, from 0 to 8: the negative log-probability of the cell's
    /// writing under the move.
    pub own: f32,
    /// Sum of the misfits of the eight cells before it, divided by eight, in nats.
    pub before: f32,
    /// The same for the eight cells after it.
    pub after: f32,
}

impl ConfidenceFeatures {
    /// Largest misfit in nats: a cell that fits as badly is as good as unexplained.
    pub(super) const MAX_MISFIT_NATS: f32 = 8.0;

    /// Whether its cell is as good as unexplained by it.
    pub fn is_unexplained(self) -> bool {
        self.own >= Self::MAX_MISFIT_NATS
    }

    /// How badly a cell fits its move in nats, from 0 to [`Self::MAX_MISFIT_NATS`]: minus its fit.
    pub(super) fn misfit_of(fit: f32) -> f32 {
        (-fit).clamp(0.0, Self::MAX_MISFIT_NATS)
    }

    /// The features of the move that the edge `at` of the best path plays at a ply.
    pub(super) fn new(
        edges: &[Edge],
        at: usize,
        (ply, m): (u16, Move),
        posteriors: &MovePosteriors,
    ) -> Self {
        let mean = |edges: &[Edge]| edges.iter().map(misfit).sum::<f32>() / NEIGHBOURS as f32;
        let given_earlier = log_odds_of(posteriors.given_earlier(ply));
        Self {
            log_odds: log_odds_of(posteriors.of(ply, m)),
            log_odds_given_earlier: given_earlier.min(MAX_LOG_ODDS_GIVEN_EARLIER),
            own: misfit(&edges[at]),
            before: mean(&edges[at.saturating_sub(NEIGHBOURS)..at]),
            after: mean(&edges[at + 1..edges.len().min(at + 1 + NEIGHBOURS)]),
        }
    }

    /// Probability, 0 to 1, that the move was played.
    pub(super) fn probability(self) -> f32 {
        let log_odds = INTERCEPT_LOG_ODDS
            + LOG_ODDS * self.log_odds
            + LOG_ODDS_GIVEN_EARLIER * self.log_odds_given_earlier
            + OWN * self.own
            + BEFORE * self.before
            + AFTER * self.after;
        1.0 / (1.0 + (-log_odds).exp())
    }
}

/// The index and the confidence of each edge of the best path that plays a move.
pub(super) fn move_confidences(edges: &[Edge], posteriors: &MovePosteriors) -> Vec<(usize, f32)> {
    let moves = edges.iter().enumerate();
    let moves = moves.filter_map(|(at, edge)| Some((at, edge.step.played()?)));
    let confidence = |at: usize, played: (u16, Move)| {
        ConfidenceFeatures::new(edges, at, played, posteriors).probability()
    };
    moves
        .zip(0..)
        .map(|((at, m), ply)| (at, confidence(at, (ply, m))))
        .collect()
}

/// The log-odds of a posterior, from -7 to 7.
fn log_odds_of(posterior: f32) -> f32 {
    let posterior = posterior.clamp(POSTERIOR_RANGE.0, POSTERIOR_RANGE.1);
    let log_odds = (posterior / (1.0 - posterior)).ln();
    log_odds.clamp(-MAX_LOG_ODDS, MAX_LOG_ODDS)
}

/// How badly an edge fits what stands on the sheet, in nats, from 0 to
/// [`ConfidenceFeatures::MAX_MISFIT_NATS`]. A skipped cell fits as badly as skipping it costs: an
/// empty row or one written twice says little of the moves around it.
fn misfit(edge: &Edge) -> f32 {
    match edge.step {
        Step::Move {
            slot: Some(_), fit, ..
        } => ConfidenceFeatures::misfit_of(fit),
        Step::Move { slot: None, .. } => ConfidenceFeatures::MAX_MISFIT_NATS,
        Step::Skip(_) => ConfidenceFeatures::misfit_of(edge.weight),
    }
}
