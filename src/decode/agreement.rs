//! Whether two records of which one has few cells are copies of one game: by how far their moves
//! agree, and how improbable it is that two games agree so far.

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};

use crate::copies;
use crate::prior::{LastMoves, Prior};

use super::game::{Game, Ply, Unread, UnreadReason};

/// How the moves of two records agree as far as the shorter one goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// What speaks for one game: how improbable it is, by the prior of moves, that two games have
    /// the same moves, less what speaks against it.
    pub nats: f32,
    /// By how many moves one record is longer than the other.
    pub lag_plies: usize,
    /// Whether both are read to their ends and have the same moves. Of 4 × 10⁷ pairs of club games
    /// nine have the same moves, and look like one game filed twice.
    pub is_complete: bool,
}

impl Agreement {
    /// `nats` is the sum of −ln P(move | position) over the plies at which the moves are the same,
    /// less a cost for each ply with two sure and different moves, and for each cell of the shorter
    /// record that its moves leave unexplained. None where more speaks for two games.
    pub fn new(a: &Game, b: &Game, prior: &Prior, parameters: &copies::Parameters) -> Option<Self> {
        let (shorter, longer) = match a.plies.len() <= b.plies.len() {
            true => (a, b),
            false => (b, a),
        };
        let is_sure = |ply: &Ply| ply.confidence >= parameters.min_sure_move_confidence;
        let unexplained = shorter
            .unread
            .iter()
            .filter(|unread| is_unexplained(unread));
        let mut nats = -parameters.unexplained_cell_nats * unexplained.count() as f32;
        let mut position = Chess::default();
        let mut last_moves = LastMoves::default();
        for (one, other) in shorter.plies.iter().zip(&longer.plies) {
            let played = other.uci.parse::<UciMove>().ok()?.to_move(&position).ok()?;
            if one.uci == other.uci {
                let moves = position.legal_moves();
                let at = moves.iter().position(|&m| m == played)?;
                nats -= prior.log_probabilities(&position, &moves, last_moves)[at];
            } else if is_sure(one) && is_sure(other) {
                nats -= parameters.different_move_nats;
            }
            last_moves = last_moves.after(played);
            position.play_unchecked(played);
        }
        let [moves_a, moves_b] = [a, b].map(|game| game.plies.iter().map(|ply| &ply.uci));
        (nats > 0.0).then_some(Self {
            nats,
            lag_plies: longer.plies.len() - shorter.plies.len(),
            is_complete: a.complete && b.complete && moves_a.eq(moves_b),
        })
    }

    /// Whether the records are surely of one game.
    pub fn is_of_one_game(&self, parameters: &copies::Parameters) -> bool {
        let min_nats = if self.lag_plies <= parameters.max_equal_lag_plies {
            parameters.min_equal_agreement_nats
        } else {
            parameters.min_agreement_nats
        };
        self.is_complete || self.nats >= min_nats
    }
}

/// Whether a cell holds writing that should be a move and is none.
fn is_unexplained(unread: &Unread) -> bool {
    matches!(
        unread.reason,
        UnreadReason::Illegal | UnreadReason::Illegible
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::ConfidenceFeatures;
    use crate::grid::{CellId, Side};

    /// The game of moves in UCI, all of which are sure but those with a question mark.
    fn record(moves: &str) -> Game {
        let ply = |text: &str| Ply {
            san: String::new(),
            uci: text.trim_end_matches('?').to_owned(),
            confidence: if text.ends_with('?') { 0.5 } else { 0.99 },
            features: ConfidenceFeatures::default(),
            review: false,
            settled: false,
            seen: false,
            alternatives: Vec::new(),
            cells: Vec::new(),
        };
        Game {
            plies: moves.split_whitespace().map(ply).collect(),
            ..Game::empty()
        }
    }

    fn agreement(a: &str, b: &str) -> Option<Agreement> {
        let (a, b) = (record(a), record(b));
        Agreement::new(&a, &b, Prior::embedded(), &copies::Parameters::default())
    }

    const SPANISH: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 \
        c2c3 e8g8";
    /// A game of which no move is in a book.
    const ODD: &str = "h2h4 a7a5 h1h3 a8a6 a2a3 h7h5 h3g3 a6g6 b2b3 g6f6 c1b2 f6f5 e2e3 f5f6 f2f4 \
        f6f5 g1f3 f5f6";

    #[test]
    fn an_opening_of_many_games_is_no_agreement_of_two_copies_and_odd_moves_are() {
        let parameters = copies::Parameters::default();
        let whole = |moves: &str| format!("{moves} h2h3 h7h6 g2g3 g7g6 a2a4 a7a6");
        let book = agreement(SPANISH, &whole(SPANISH)).expect("they begin alike");
        assert_eq!(book.lag_plies, 6);
        assert!(!book.is_of_one_game(&parameters), "{book:?}");
        let odd = agreement(ODD, &format!("{ODD} g3g5 g7g6 g2g3 e7e6 d2d3"));
        let odd = odd.expect("they begin alike");
        assert!(odd.nats > 2.0 * book.nats, "{odd:?}");
        assert!(odd.is_of_one_game(&parameters), "{odd:?}");
    }

    #[test]
    fn records_that_part_are_of_two_games_unless_it_is_one_move_or_in_doubt() {
        let parameters = copies::Parameters::default();
        let is_one = |moves: &str, other: &str| {
            let agreement = agreement(moves, other);
            agreement.is_some_and(|agreement| agreement.is_of_one_game(&parameters))
        };
        assert!(is_one(ODD, ODD));
        assert!(is_one(
            ODD,
            &ODD.replace("b2b3", "d2d3").replace("c1b2", "d3d4")
        ));
        let parted = ODD.replace("f2f4 f6f5 g1f3 f5f6", "d2d4 f6e6 f1e2 e6d6");
        assert!(!is_one(ODD, &parted));
        let doubtful = parted.replace("d2d4 f6e6 f1e2 e6d6", "d2d4? f6e6? f1e2? e6d6?");
        assert!(is_one(ODD, &doubtful));
    }

    #[test]
    fn writing_that_the_moves_leave_unexplained_speaks_for_two_games() {
        let (sheet, copy) = (record(ODD), record(ODD));
        let unread = Unread {
            sheet: 0,
            cell: CellId {
                number: 9,
                side: Side::White,
            },
            reason: UnreadReason::Illegal,
        };
        let broken = Game {
            unread: vec![unread; 40],
            ..record(ODD)
        };
        let (prior, parameters) = (Prior::embedded(), copies::Parameters::default());
        let joined = |a: &Game, b: &Game| {
            let agreement = Agreement::new(a, b, prior, &parameters);
            agreement.is_some_and(|agreement| agreement.is_of_one_game(&parameters))
        };
        assert!(joined(&sheet, &copy));
        assert!(!joined(&broken, &copy));
    }

    #[test]
    fn two_short_records_that_end_alike_are_of_one_game() {
        let parameters = copies::Parameters::default();
        let is_one_game = |complete: bool| {
            let game = Game {
                complete,
                ..record("e2e4 e7e5 g1f3 b8c6")
            };
            let agreement = Agreement::new(&game, &game, Prior::embedded(), &parameters);
            agreement.is_some_and(|agreement| agreement.is_of_one_game(&parameters))
        };
        assert!(is_one_game(true));
        // Cut after four moves, both may go on in any way.
        assert!(!is_one_game(false));
    }

    #[test]
    fn sheets_without_moves_agree_in_nothing() {
        assert_eq!(agreement("", SPANISH), None);
        assert_eq!(agreement("", ""), None);
    }
}
