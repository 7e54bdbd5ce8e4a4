//! How sure a move is: its share of the games still alive, how well its cell fits, and how well those around it do.
//!
//! Shares alone are too sure, since a search that has gone astray agrees with itself. Cells that fit badly just
//! before and after betray it. Weights: logistic regression on the 7,101 moves of the HCS dev games, one copy and all
//! copies, and EPFL sheets behind the shipped reader (models/train/fit_confidence.py), which trained on neither; expected
//! calibration error 0.5 % on games left out of the fit.

use super::lattice::{Edge, Step};

/// Edges looked at on either side.
const AROUND: usize = 8;
/// Log-odds of a share are cut here; beyond, the search only echoes itself.
const SUREST: f32 = 7.0;

/// What tells a right move from a wrong one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ConfidenceFeatures {
    /// Log-odds of the move's share.
    pub share: f32,
    /// Misfit of its own cell, in nats, at most 8.
    pub own: f32,
    /// Mean misfit of the cells before.
    pub before: f32,
    /// Mean misfit of the cells after.
    pub after: f32,
}

impl ConfidenceFeatures {
    /// A cell that fits worse than this, in nats, counts in full as a misfit: it is as good as unexplained.
    pub(super) const WORST: f32 = 8.0;

    /// The signs of the move on an edge of the best game.
    pub(super) fn of(edges: &[Edge], at: usize, share: f32) -> Self {
        let mean = |edges: &[Edge]| edges.iter().map(misfit).sum::<f32>() / AROUND as f32;
        let share = share.clamp(0.001, 0.9995);
        Self {
            share: (share / (1.0 - share)).ln().clamp(-SUREST, SUREST),
            own: misfit(&edges[at]),
            before: mean(&edges[at.saturating_sub(AROUND)..at]),
            after: mean(&edges[at + 1..edges.len().min(at + 1 + AROUND)]),
        }
    }

    /// Probability that the move was played.
    pub(super) fn probability(self) -> f32 {
        let odds =
            BIAS + SHARE * self.share + OWN * self.own + BEFORE * self.before + AFTER * self.after;
        1.0 / (1.0 + (-odds).exp())
    }
}

const BIAS: f32 = 4.63;
const SHARE: f32 = 0.37;
const OWN: f32 = -0.41;
const BEFORE: f32 = -0.58;
const AFTER: f32 = -0.82;

/// How badly an edge fits what stands on the sheet, 0 to [`ConfidenceFeatures::WORST`].
fn misfit(edge: &Edge) -> f32 {
    match edge.step {
        Step::Move {
            cell: Some(_),
            read,
            ..
        } => (-read).clamp(0.0, ConfidenceFeatures::WORST),
        Step::Move { cell: None, .. } | Step::Skip(_) => ConfidenceFeatures::WORST,
    }
}
