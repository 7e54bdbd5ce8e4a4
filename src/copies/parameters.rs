//! The tuned numbers by which copies are found and aligned.

use serde::{Deserialize, Serialize};

/// How alike two sheets must be to record one game, and how their cells are aligned. Likeness is
/// that of two cells, 0 to 1. The gain of an alignment is the sum over its pairs of
/// `likeness − min_likeness`, less `gap_cost` for each cell without a partner.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// Likeness from which two cells rather hold the same move than two different ones. Chosen by
    /// eye.
    pub min_likeness: f32,
    /// Cost of a cell that the other copy lacks. Chosen by eye.
    pub gap_cost: f32,
    /// Likeness of two cells that name squares on one file or one rank. Chosen by eye.
    pub same_line_likeness: f32,
    /// Number of cells by which one copy may lag behind the other: three rows skipped and as many
    /// written twice.
    pub max_lag_cells: usize,
    /// Gain per cell of the shorter sheet from which two sheets are likely of one game. Of the
    /// 14,878 pairs of 173 HCS pages, those of one game gain 0.21 and more, other pairs 0.14 and
    /// less.
    pub min_gain: f32,
    /// Gain per cell from which two sheets are of one game beyond doubt; below it the decoded games
    /// decide. Of the pairs named above, all those of one game but one gain 0.35 and more. Sheets
    /// that are hardly legible have much in common with any other.
    pub min_sure_gain: f32,
    /// Smallest mean likeness of the later half of the alignment, gaps counted as 0: many games of
    /// a round may share an opening. Chosen by eye.
    pub min_later_likeness: f32,
    /// The texts alone show that two sheets are copies only if the shorter one has at least this
    /// many cells, since games share their openings. With fewer cells their moves decide. Chosen
    /// by eye.
    pub min_cells_of_stopped_copy: usize,
    /// The same bound where the shorter sheet is written to its last row: the form ended, not the
    /// game. Chosen by eye.
    pub min_cells_of_full_copy: usize,
    /// Smallest number of cells of the shorter one of two sheets that were printed for one game
    /// with which their texts show that somebody wrote on another sheet. Chosen by eye.
    pub min_cells_to_contradict: usize,
    /// Two sheets are aligned at all if this share of the cells of the shorter one has its text in
    /// the other, at most two cells up or down; or if [`Self::min_common_squares`] holds. It saves
    /// time.
    pub min_common_texts: f32,
    /// The other condition: this share of the cells names the square of a cell of the other sheet,
    /// at most two cells up or down. It holds for copies in different notations.
    pub min_common_squares: f32,
    /// Smallest improbability, in nats, of the moves in which two sheets agree, for them to record
    /// one game although one of them stops earlier and has few cells. Of 4 × 10⁷ pairs of different
    /// club games, 5 agree in moves of 34 nats, which the median game reaches at ply 22.
    pub min_agreement_nats: f32,
    /// The same bound for two sheets with few cells that stop together. Of 4 × 10⁷ pairs of
    /// different club games, 189 agree in moves of 13 nats, and none of these games ends there.
    pub min_equal_agreement_nats: f32,
    /// Largest number of plies by which one of two sheets that stop together may be longer: two
    /// rows. Chosen by eye.
    pub max_equal_lag_plies: usize,
    /// Improbability, in nats, from which two sheets that agree but are not joined are reported.
    /// Chosen by eye.
    pub min_reported_agreement_nats: f32,
    /// Two sheets differ at a ply if they have different moves there, each of at least this
    /// confidence. Chosen by eye.
    pub min_sure_move_confidence: f32,
    /// What each such ply speaks against one game, in nats. Chosen by eye: a slip or a misreading
    /// is borne, two games that part before the end of the shorter one are not.
    pub different_move_nats: f32,
    /// What each cell of the shorter sheet that its moves do not explain speaks against one game,
    /// in nats. Chosen by eye.
    pub unexplained_cell_nats: f32,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            min_likeness: 0.4,
            gap_cost: 0.25,
            same_line_likeness: 0.5,
            max_lag_cells: 12,
            min_gain: 0.17,
            min_sure_gain: 0.35,
            min_later_likeness: 0.4,
            min_cells_of_stopped_copy: 40,
            min_cells_of_full_copy: 28,
            min_cells_to_contradict: 10,
            min_common_texts: 0.1,
            min_common_squares: 0.4,
            min_agreement_nats: 34.0,
            min_equal_agreement_nats: 13.0,
            max_equal_lag_plies: 4,
            min_reported_agreement_nats: 10.0,
            min_sure_move_confidence: 0.9,
            different_move_nats: 15.0,
            unexplained_cell_nats: 5.0,
        }
    }
}
