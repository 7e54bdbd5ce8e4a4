//! How many games the search keeps, and how far behind the best one.

use serde::{Deserialize, Serialize};

/// Widths and windows of the beam search.
///
/// A *layer* is the set of states after the same number of slots; a *slot* is one cell of a sheet,
/// or the cells of several copies that hold the same ply. Windows are given for one sheet; with
/// more copies they grow by the weight of their evidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BeamParameters {
    /// Largest number of states in a layer, close ones beyond it not counted. On 54 HCS dev pages
    /// (n = 3,718 moves), with the repeated searches of the time, widths of 24, 48, 96 and 192
    /// played 94.89, 94.76, 95.72 and 95.80 % in 155, 243, 421 and 773 ms a sheet.
    pub width: usize,
    /// How far, in nats, a state may lie behind the best one of its layer. It leaves room for one
    /// unexplained cell or left-out move and for the doubt of some moves.
    pub window_nats: f32,
    /// Largest number of edges that lead into one state; further ones are dropped. They give the
    /// alternatives of a move their probabilities.
    pub max_edges_per_state: usize,
    /// Number of proposed steps that are looked at for each state that a layer has room for, best
    /// first. Steps beyond the room that lead into a state of the layer still become its edges.
    pub examined_proposals_per_state: usize,
    /// Largest number of proposed steps that are kept for each state that a layer has room for,
    /// close states not counted. Wide searches propose many more; on 90 pages of HCS dev, EPFL and
    /// `data/sheets` (n = 5,834 moves) 4, 8, 16, 32 and 64 played the same 98.42 %.
    pub kept_proposals_per_state: usize,
    /// Number of states of a layer, best first, that may insert a missing move.
    pub max_gap_states: usize,
    /// Largest number of missing moves in a row: players lose a move or a row, not more.
    pub max_gap_moves: usize,
    /// Number of states of a layer, best first, that may change which column is read first.
    pub max_swap_states: usize,
    /// Share of a layer's width, 0 to 1, that is open to the best states of any diversity bucket.
    /// A bucket is a pair (layer in which a game left the reference path, layer of its last
    /// unexplained slot); buckets matter only in the searches that have a reference path.
    pub open_share: f32,
    /// Largest number of states of one diversity bucket once the open share of the layer is full.
    /// Without it, games that leave the reference path late, and have had no time to go wrong,
    /// would take all the room. Close states may exceed it.
    pub max_bucket_states: usize,
    /// Width of the beam of the quick game that is shown after an answer. Chosen by eye; a width
    /// of 8 gave the very same game on four sheets out of four.
    pub quick_width: usize,
    /// Number of slots by which languages are compared before the whole sheet is decoded.
    pub language_slots: usize,
    /// Width of the beam while languages are compared.
    pub language_width: usize,
    /// How far, in nats, a language may lie behind the best one after these slots.
    pub language_window_nats: f32,
    /// How many times `width` the first repeated search is wide, the probe. It finds out whether a
    /// game that explains its cells badly lost its way early.
    pub probe_width_factor: usize,
    /// How many times `width` the search after a successful probe is wide. With factors of 3 and 6
    /// for probe and retry, 55 HCS dev pages (n = 3,823 moves, one copy each) are read as well as
    /// with 6 and 12, but simulated sheets in which a row is left out at 95.3, 94.5 and 92.5 % for
    /// 96.9, 95.4 and 93.1 (noise 1 to 3, n = 831 moves each).
    pub retry_width_factor: usize,
    /// The window of probe and retry in nats: a row whose two moves stand elsewhere costs 22
    /// before anything speaks for it, and the doubt of some moves is added.
    pub retry_window_nats: f32,
    /// How far, in nats, a state of a probe or retry may lie behind the best one of its layer and
    /// still be close to it. Close states have room beyond the width of the layer. They are few
    /// where cells are plain, and thousands behind several cells that nobody can read. With factors
    /// of 3 and 6, 9, 12 and 15 nats played 97.67, 97.99 and 97.99 % of the same pages.
    pub close_window_nats: f32,
    /// How many times its own width a layer of a probe or retry has room for close states. With
    /// factors of 3 and 6, 0, 1, 2 and 4 times played 97.07, 97.86, 97.99 and 98.01 % of the same
    /// pages, in 11, 14, 17 and 20 s for all of them on two cores.
    pub close_width_factor: usize,
}

impl Default for BeamParameters {
    fn default() -> Self {
        Self {
            width: 96,
            window_nats: 12.0,
            max_edges_per_state: 8,
            examined_proposals_per_state: 4,
            kept_proposals_per_state: 8,
            max_gap_states: 12,
            max_gap_moves: 2,
            max_swap_states: 4,
            open_share: 0.67,
            max_bucket_states: 24,
            quick_width: 12,
            language_slots: 24,
            language_width: 24,
            language_window_nats: 8.0,
            probe_width_factor: 6,
            retry_width_factor: 12,
            retry_window_nats: 26.0,
            close_window_nats: 12.0,
            close_width_factor: 2,
        }
    }
}

/// The extent of one search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beam {
    /// Largest number of states in a layer.
    pub width: usize,
    /// How far, in nats, a state may lie behind the best one of its layer. `Search::run` multiplies
    /// it by the effective number of copies.
    pub window: f32,
    /// How far, in nats, a close state may lie behind the best one of its layer. `Search::run`
    /// multiplies it too.
    pub close_window: f32,
    /// Largest number of close states that a layer takes in beyond its width at a time.
    pub close_room: usize,
}

impl BeamParameters {
    /// The first search of a whole sheet.
    pub(super) fn first(&self) -> Beam {
        Beam {
            width: self.width,
            window: self.window_nats,
            close_window: self.close_window_nats,
            close_room: 0,
        }
    }

    /// The search that is shown while one of full effort is under way.
    pub(super) fn quick(&self) -> Beam {
        Beam {
            width: self.quick_width,
            ..self.first()
        }
    }

    /// The search that compares languages.
    pub(super) fn language(&self) -> Beam {
        Beam {
            width: self.language_width,
            ..self.first()
        }
    }

    /// A search that is repeated `factor` times as wide.
    pub(super) fn repeated(&self, factor: usize) -> Beam {
        let width = self.width * factor;
        Beam {
            width,
            window: self.retry_window_nats,
            close_window: self.close_window_nats,
            close_room: width * self.close_width_factor,
        }
    }
}
