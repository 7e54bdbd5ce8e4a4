//! The numeric notation of correspondence chess (ICCF): `5254` for e2-e4, `57581` for a promotion
//! to a queen.

use shakmaty::{CastlingSide, File, Move, Rank, Role, Square};

/// A move in numeric notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NumericMove {
    from: Square,
    to: Square,
    promotion: Option<Role>,
}

impl NumericMove {
    /// Reads a word of four figures, or five for a promotion, which may have signs behind it.
    pub fn parse(word: &str) -> Option<Self> {
        let word = word.trim_end_matches(['+', '#', '!', '?', '=']);
        let figure = |byte: u8| {
            (b'1'..=b'8')
                .contains(&byte)
                .then(|| u32::from(byte - b'1'))
        };
        let figures: Vec<u32> = word.bytes().map(figure).collect::<Option<_>>()?;
        let square = |file: u32, rank: u32| Square::from_coords(File::new(file), Rank::new(rank));
        let (squares, promotion) = match figures[..] {
            [a, b, c, d] => ([a, b, c, d], None),
            [a, b, c, d, piece] => {
                let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
                ([a, b, c, d], Some(*roles.get(piece as usize)?))
            }
            _ => return None,
        };
        let [a, b, c, d] = squares;
        let (from, to) = (square(a, b), square(c, d));
        (from != to).then_some(Self {
            from,
            to,
            promotion,
        })
    }

    /// Whether a legal move is meant. Castling is the king's step over two squares.
    pub fn means(self, m: &Move) -> bool {
        let to = match m.castling_side() {
            Some(CastlingSide::KingSide) => Square::from_coords(File::G, m.to().rank()),
            Some(CastlingSide::QueenSide) => Square::from_coords(File::C, m.to().rank()),
            None => m.to(),
        };
        m.from() == Some(self.from) && to == self.to && m.promotion() == self.promotion
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::san::San;
    use shakmaty::{Chess, Position};

    use super::*;

    fn play(words: &str) -> String {
        let mut position = Chess::default();
        let mut sans = Vec::new();
        for word in words.split_whitespace() {
            let numeric = NumericMove::parse(word).expect("figures");
            let legal = position.legal_moves();
            let m = legal
                .iter()
                .find(|m| numeric.means(m))
                .expect("a legal move");
            sans.push(San::from_move(&position, *m).to_string());
            position.play_unchecked(*m);
        }
        sans.join(" ")
    }

    #[test]
    fn castling_and_promotions_have_figures_too() {
        assert_eq!(
            play("5254 5755 7163 2836 6152 7866 5171 6645"),
            "e4 e5 Nf3 Nc6 Be2 Nf6 O-O Nd5"
        );
        assert_eq!(
            play("1214 2725 1425 1716 2516 3827 1627 2836 27184"),
            "a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8=N"
        );
        for word in ["1987", "525", "5252", "52549", "e2e4", ""] {
            assert_eq!(NumericMove::parse(word), None, "{word}");
        }
    }
}
