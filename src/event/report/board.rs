//! A position as SVG. The page holds the drawing of each piece once, and boards refer to it.

use serde::Serialize;
use shakmaty::{Board, Color, Role};

/// SVG definitions of the pieces, with the ids `wK` to `bP`, on squares of 45 units.
pub(super) const PIECES_SVG: &str = include_str!("pieces.svg");

/// Side of a square in SVG units, as `pieces.svg` draws it.
const SQUARE_UNITS: u32 = 45;

/// A piece on the board: the id of its drawing, and the top left corner of its square in SVG units.
#[derive(Serialize)]
pub(super) struct PieceOnBoard {
    id: String,
    x: u32,
    y: u32,
}

/// The pieces of a position, White at the bottom.
pub(super) fn list_pieces(board: &Board) -> Vec<PieceOnBoard> {
    let pieces = board.iter().map(|(square, piece)| PieceOnBoard {
        id: format!(
            "{}{}",
            piece.color.fold_wb('w', 'b'),
            piece.role.upper_char()
        ),
        x: u32::from(square.file()) * SQUARE_UNITS,
        y: (7 - u32::from(square.rank())) * SQUARE_UNITS,
    });
    pieces.collect()
}

/// The dark squares as an SVG path.
pub(super) fn dark_squares_path() -> String {
    let dark = (0..64).filter(|i| (i / 8 + i % 8) % 2 == 1);
    dark.map(|i| {
        format!(
            "M{} {}h45v45h-45z",
            i % 8 * SQUARE_UNITS,
            i / 8 * SQUARE_UNITS
        )
    })
    .collect()
}

/// The pieces in words, for readers who cannot see the board.
pub(super) fn describe_pieces(board: &Board) -> String {
    let describe_side = |color: Color, name: &str| {
        let describe_role = |role: Role| {
            let letter = match role {
                Role::Pawn => String::new(),
                role => role.upper_char().to_string(),
            };
            let squares = board.by_color(color) & board.by_role(role);
            squares
                .into_iter()
                .map(move |square| format!("{letter}{square}"))
        };
        let roles = Role::ALL.into_iter().rev();
        let pieces: Vec<String> = roles.flat_map(describe_role).collect();
        format!("{name} {}", pieces.join(" "))
    };
    format!(
        "{}; {}",
        describe_side(Color::White, "White"),
        describe_side(Color::Black, "Black")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_on_their_squares() {
        let board = Board::default();
        let all = list_pieces(&board);
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
                .all(|p| PIECES_SVG.contains(&format!("id=\"{}\"", p.id)))
        );
        assert!(describe_pieces(&board).starts_with("White Ke1 Qd1 Ra1 Rh1 Bc1 Bf1 Nb1 Ng1 a2"));
        // a1 is dark.
        assert!(dark_squares_path().contains("M0 315h45"));
        assert!(!dark_squares_path().contains("M0 0h45"));
    }
}
