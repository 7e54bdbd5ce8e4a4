//! The features of a position as a whole: what stands where, what is at risk, what was played last.

use shakmaty::{Bitboard, CastlingSide, Role};

use super::feature_layout::{
    AFTER_CAPTURE, CASTLING_RIGHT_START, IN_CHECK, LAST_MOVE_START, PHASE_START, PIECE_START,
    THREATENED_START, WHITE_TO_MOVE,
};
use super::features::{FeatureExtractor, attacked_squares, index, pieces_at_risk, seen_by};

impl FeatureExtractor<'_> {
    /// Calls `push` with the index of each feature of the position.
    pub fn visit_position_features(&self, mut push: impl FnMut(usize)) {
        let mut push_squares = |start: usize, squares: Bitboard| {
            for square in squares {
                push(start + seen_by(self.us, square));
            }
        };
        push_squares(THREATENED_START, self.threatened);
        push_squares(THREATENED_START + 64, self.threatened_enemies());
        for (start, pieces) in [(PIECE_START, self.ours), (PIECE_START + 384, self.theirs)] {
            for role in Role::ALL {
                let pieces = pieces & self.board.by_role(role);
                push_squares(start + index(role) * 64, pieces);
            }
        }
        let last_moves = [self.last_moves.opponent, self.last_moves.own];
        for (start, last_move) in [LAST_MOVE_START, LAST_MOVE_START + 128]
            .into_iter()
            .zip(last_moves)
        {
            if let Some((from, to)) = last_move {
                push_squares(start, Bitboard::from_square(from));
                push_squares(start + 64, Bitboard::from_square(to));
            }
        }
        self.push_state(&mut push);
    }

    /// Pieces of the opponent at risk.
    fn threatened_enemies(&self) -> Bitboard {
        let attacked = attacked_squares(self.board, self.ours);
        pieces_at_risk(self.board, self.theirs, &attacked, self.enemy[3])
    }

    /// The phase of the game, and what the board does not show.
    fn push_state(&self, push: &mut impl FnMut(usize)) {
        push(PHASE_START + self.phase);
        let states = [
            (self.checkers.any(), IN_CHECK),
            (self.us.is_white(), WHITE_TO_MOVE),
            (self.last_moves.opponent_captured, AFTER_CAPTURE),
        ];
        let players = [(self.us, 0), (self.us.other(), 2)];
        let rights = players.into_iter().flat_map(|(player, start)| {
            [(CastlingSide::KingSide, 0), (CastlingSide::QueenSide, 1)].map(|(side, at)| {
                (
                    self.castles.has(player, side),
                    CASTLING_RIGHT_START + start + at,
                )
            })
        });
        for (_, feature) in states.into_iter().chain(rights).filter(|(holds, _)| *holds) {
            push(feature);
        }
    }
}
