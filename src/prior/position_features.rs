//! The features of a position as a whole: what stands where, what is threatened, what was played
//! last.

use shakmaty::{Bitboard, CastlingSide, Role};

use super::feature_layout::{
    AFTER_CAPTURE, CASTLING_RIGHT_START, IN_CHECK, LAST_MOVE_START, PHASE_START, PIECE_START,
    THREATENED_START, WHITE_TO_MOVE,
};
use super::features::{FeatureExtractor, attacked_squares, index, seen_by, threatened_pieces};

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

    /// Pieces of the opponent that are threatened.
    fn threatened_enemies(&self) -> Bitboard {
        let attacks_from = |square| self.own_attacks[usize::from(square)];
        let attacked = attacked_squares(self.board, self.ours, attacks_from);
        threatened_pieces(self.board, self.theirs, &attacked, self.enemy[3])
    }

    /// The phase of the game, and what the board does not show.
    fn push_state(&self, push: &mut impl FnMut(usize)) {
        let them = self.us.other();
        let has = |player, side| self.castles.has(player, side);
        let states = [
            (true, PHASE_START + self.phase),
            (self.checkers.any(), IN_CHECK),
            (self.us.is_white(), WHITE_TO_MOVE),
            (self.last_moves.opponent_captured, AFTER_CAPTURE),
            (has(self.us, CastlingSide::KingSide), CASTLING_RIGHT_START),
            (
                has(self.us, CastlingSide::QueenSide),
                CASTLING_RIGHT_START + 1,
            ),
            (has(them, CastlingSide::KingSide), CASTLING_RIGHT_START + 2),
            (has(them, CastlingSide::QueenSide), CASTLING_RIGHT_START + 3),
        ];
        for (_, feature) in states.into_iter().filter(|(holds, _)| *holds) {
            push(feature);
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::san::San;
    use shakmaty::{Chess, Color, Position, Square};

    use super::*;
    use crate::prior::LastMoves;

    /// The features of the position after some moves.
    fn features_after(sans: &[&str]) -> Vec<usize> {
        let (mut position, mut last_moves) = (Chess::default(), LastMoves::default());
        for san in sans {
            let san: San = san.parse().expect("SAN");
            let m = san.to_move(&position).expect("a legal move");
            last_moves = last_moves.after(m);
            position.play_unchecked(m);
        }
        let mut features = Vec::new();
        let extractor = FeatureExtractor::new(&position, last_moves);
        extractor.visit_position_features(|feature| features.push(feature));
        features.sort_unstable();
        features
    }

    #[test]
    fn the_first_position_has_its_pieces_and_castling_rights() {
        let features = features_after(&[]);
        assert_eq!(
            features.iter().filter(|&&f| f < LAST_MOVE_START).count(),
            32
        );
        let rights = (0..4).map(|right| CASTLING_RIGHT_START + right);
        let states = [PHASE_START, WHITE_TO_MOVE].into_iter().chain(rights);
        assert_eq!(features[32..], states.collect::<Vec<_>>());
    }

    #[test]
    fn threatened_pieces_and_last_moves_are_seen_from_the_side_of_the_player() {
        let features = features_after(&["e4", "d5", "Nc3"]);
        let at = |start: usize, square| start + seen_by(Color::Black, square);
        // The pawn on d5 is attacked twice and defended; that on e4 by a pawn, and defended too.
        for feature in [
            at(LAST_MOVE_START, Square::B1),
            at(LAST_MOVE_START + 64, Square::C3),
            at(LAST_MOVE_START + 128, Square::D7),
            at(LAST_MOVE_START + 192, Square::D5),
        ] {
            assert!(features.contains(&feature), "{feature}");
        }
        let threatened = THREATENED_START..PHASE_START;
        assert!(!features.iter().any(|feature| threatened.contains(feature)));
        // Without the knight, the pawn on e4 is not defended.
        let features = features_after(&["e4", "d5", "h3"]);
        assert!(features.contains(&at(THREATENED_START + 64, Square::E4)));
        assert!(!features.contains(&at(THREATENED_START, Square::D5)));
    }
}
