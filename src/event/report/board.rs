//! A position drawn in SVG, with the pieces that the page holds once.

use serde::Serialize;
use shakmaty::{Board, Color, Role};

/// The drawings of the pieces, `wK` to `bP`, on squares of 45 units.
pub(super) const PIECES: &str = include_str!("pieces.svg");

const SQUARE: u32 = 45;

/// A piece on the board: which drawing, and the corner of its square.
#[derive(Serialize)]
pub(super) struct Piece {
    id: String,
    x: u32,
    y: u32,
}

/// The pieces of a position, White at the bottom.
pub(super) fn pieces(board: &Board) -> Vec<Piece> {
    let pieces = board.iter().map(|(square, piece)| Piece {
        id: format!(
            "{}{}",
            piece.color.fold_wb('w', 'b'),
            piece.role.upper_char()
        ),
        x: u32::from(square.file()) * SQUARE,
        y: (7 - u32::from(square.rank())) * SQUARE,
    });
    pieces.collect()
}

/// The dark squares as a path.
pub(super) fn dark_squares() -> String {
    let dark = (0..64).filter(|i| (i / 8 + i % 8) % 2 == 1);
    dark.map(|i| format!("M{} {}h45v45h-45z", i % 8 * SQUARE, i / 8 * SQUARE))
        .collect()
}

/// The pieces in words, for those who do not see the board.
pub(super) fn told(board: &Board) -> String {
    let side = |color: Color, name: &str| {
        let of = |role: Role| {
            let letter = match role {
                Role::Pawn => String::new(),
                role => role.upper_char().to_string(),
            };
            let squares = board.by_color(color) & board.by_role(role);
            squares
                .into_iter()
                .map(move |square| format!("{letter}{square}"))
        };
        let roles = [
            Role::King,
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
        ];
        let pieces: Vec<String> = roles.into_iter().flat_map(of).collect();
        format!("{name} {}", pieces.join(" "))
    };
    format!(
        "{}; {}",
        side(Color::White, "White"),
        side(Color::Black, "Black")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_on_their_squares() {
        let board = Board::default();
        let all = pieces(&board);
        assert_eq!(all.len(), 32);
        let on = |x, y| {
            all.iter()
                .find(|p| (p.x, p.y) == (x, y))
                .map(|p| p.id.as_str())
        };
        // a1, e1 and d8.
        assert_eq!(
            (on(0, 315), on(180, 315), on(135, 0)),
            (Some("wR"), Some("wK"), Some("bQ"))
        );
        assert!(
            all.iter()
                .all(|p| PIECES.contains(&format!("id=\"{}\"", p.id)))
        );
        assert!(told(&board).starts_with("White Ke1 Qd1 Ra1 Rh1 Bc1 Bf1 Nb1 Ng1 a2"));
        // a1 is dark.
        assert!(dark_squares().contains("M0 315h45"));
        assert!(!dark_squares().contains("M0 0h45"));
    }
}
