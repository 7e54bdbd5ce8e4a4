//! The network that scores a move: one hidden layer over the features of the position and of the
//! move, and beside it a weight for each feature of the move.
//!
//! ```text
//! score(m) = sum of linear[f] + sum over u of output[u] * max(0, hidden[u])
//! hidden   = bias + sum of position_rows[p] + sum of move_rows[f]
//! ```
//!
//! for the features p of the position and f of the move. Few of many features hold, so that a layer
//! is a sum of rows. The sums are of integers, as in engines (Nasu 2018, Efficiently updatable
//! neural-network-based evaluation functions for computer shogi).

use shakmaty::{Chess, Move};
use sheetscan_kernels::{Level, row_sum};

use super::LastMoves;
use super::feature_layout::{MOVE_FEATURE_COUNT, POSITION_FEATURE_COUNT};
use super::features::FeatureExtractor;
use crate::models;

/// Number of hidden units.
const HIDDEN_UNITS: usize = 64;
/// A hidden unit of 1 as an integer. The largest sum, 32,767, is thus 128; on 66,771 positions of
/// club games none is beyond 30.
const FIXED_POINT_ONE: f32 = 256.0;

/// Number of bytes of a row in the file.
const ROW_BYTES: usize = 1 + HIDDEN_UNITS;

/// One integer for each hidden unit, in parts of [`FIXED_POINT_ONE`].
type Row = [i16; HIDDEN_UNITS];

/// The weights of the network.
#[derive(Debug)]
pub struct Network {
    /// The instructions that the sums use.
    level: Level,
    position_rows: Vec<Row>,
    move_rows: Vec<Row>,
    bias: Row,
    output: [f32; HIDDEN_UNITS],
    linear: Vec<f32>,
}

impl Network {
    /// The weights that are built into the program, written by `models/train/fit_prior.py`: the
    /// rows of the positions and of the moves, bias and output, one after another ([`read_row`]).
    /// The weights of the features of moves (f32, little-endian) end the file.
    pub fn embedded() -> Self {
        let row_count = POSITION_FEATURE_COUNT + MOVE_FEATURE_COUNT + 2;
        let (rows, linear) = models::PRIOR.split_at(row_count * ROW_BYTES);
        let (rows, _) = rows.as_chunks::<ROW_BYTES>();
        let (position_rows, rows) = rows.split_at(POSITION_FEATURE_COUNT);
        let (move_rows, rows) = rows.split_at(MOVE_FEATURE_COUNT);
        let (linear, _) = linear.as_chunks();
        let round = |row| read_row(row).map(|weight| (weight * FIXED_POINT_ONE).round() as i16);
        Self {
            level: Level::current(),
            position_rows: position_rows.iter().map(round).collect(),
            move_rows: move_rows.iter().map(round).collect(),
            bias: round(&rows[0]),
            output: read_row(&rows[1]).map(|weight| weight / FIXED_POINT_ONE),
            linear: linear
                .iter()
                .map(|&bytes| f32::from_le_bytes(bytes))
                .collect(),
        }
    }

    /// The scores of moves of a position: logarithms of what is proportional to their
    /// probabilities.
    pub fn score_moves(&self, position: &Chess, moves: &[Move], last_moves: LastMoves) -> Vec<f32> {
        let extractor = FeatureExtractor::new(position, last_moves);
        let mut features = Vec::new();
        extractor.visit_position_features(|p| features.push(p));
        let position_sum = row_sum::add(self.level, &self.bias, &self.position_rows, &features);
        let score = |&m: &Move| {
            features.clear();
            extractor.visit_features(m, |f| features.push(f));
            let hidden = row_sum::add(self.level, &position_sum, &self.move_rows, &features);
            let linear: f32 = features.iter().map(|&f| self.linear[f]).sum();
            linear + row_sum::weigh(self.level, &hidden, &self.output)
        };
        moves.iter().map(score).collect()
    }
}

/// Reads a row of the file: an exponent e (i8) and mantissas (i8), each of which stands for
/// mantissa * 2^e.
fn read_row(bytes: &[u8; ROW_BYTES]) -> [f32; HIDDEN_UNITS] {
    let [exponent, mantissas @ ..] = bytes;
    let unit = f32::exp2(f32::from(exponent.cast_signed()));
    mantissas.map(|mantissa| f32::from(mantissa.cast_signed()) * unit)
}

#[cfg(test)]
mod tests {
    use shakmaty::Position;
    use shakmaty::san::San;

    use super::*;

    /// The moves of the Opera game (Morphy against Duke Karl and Count Isouard, 1858), each with
    /// its log-probability by PyTorch, in nats (`models/train/fit_prior.py`).
    const GOLDEN_LOG_PROBABILITIES: &str = include_str!("../../models/golden-prior.tsv");

    #[test]
    fn the_moves_of_a_game_have_the_log_probabilities_that_the_training_gives_them() {
        let network = Network::embedded();
        let (mut position, mut last_moves) = (Chess::default(), LastMoves::default());
        for (san, nats) in GOLDEN_LOG_PROBABILITIES
            .lines()
            .filter_map(|line| line.split_once('\t'))
        {
            let moves = position.legal_moves();
            let scores = network.score_moves(&position, &moves, last_moves);
            let san: San = san.parse().expect("SAN");
            let played = san.to_move(&position).expect("a legal move");
            let at = moves
                .iter()
                .position(|&m| m == played)
                .expect("a legal move");
            let total: f32 = scores.iter().map(|score| score.exp()).sum();
            let expected: f32 = nats.parse().expect("a number");
            let difference = (scores[at] - total.ln() - expected).abs();
            assert!(
                difference < 0.1,
                "{san}: {} for {expected}",
                scores[at] - total.ln()
            );
            last_moves = last_moves.after(played);
            position.play_unchecked(played);
        }
        assert!(position.is_checkmate());
    }

    #[test]
    fn the_file_holds_one_weight_for_each_feature() {
        let network = Network::embedded();
        assert_eq!(network.position_rows.len(), POSITION_FEATURE_COUNT);
        assert_eq!(network.move_rows.len(), MOVE_FEATURE_COUNT);
        assert_eq!(network.linear.len(), MOVE_FEATURE_COUNT);
    }
}
