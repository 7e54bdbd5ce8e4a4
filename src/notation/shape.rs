//! The properties of a legal move that decide how it can be written.

use shakmaty::attacks;
use shakmaty::{Bitboard, CastlingSide, Chess, File, Move, Position, Role, Square};

/// What SAN needs besides the letter to say which piece moves (FIDE Laws of Chess, Appendix C.10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Disambiguation {
    /// Nothing: no other piece of the kind can go there.
    None,
    /// The file.
    File,
    /// The rank, because another piece of the kind stands on the file.
    Rank,
    /// The file and the rank.
    Both,
}

/// The properties of a legal move that its spellings depend on: moves of equal shape have equal
/// spellings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveShape {
    /// The piece that moves; the king in castling.
    pub role: Role,
    /// The square that it leaves.
    pub from: Square,
    /// The square that it goes to; in castling the king's square afterwards.
    pub to: Square,
    /// The piece that is captured.
    pub captured: Option<Role>,
    /// The piece that a pawn promotes to.
    pub promotion: Option<Role>,
    /// The side on which the move castles.
    pub castling: Option<CastlingSide>,
    /// Whether the move captures en passant.
    pub en_passant: bool,
    /// What SAN needs to say which piece moves.
    pub disambiguation: Disambiguation,
    /// Whether the move gives check or mate.
    pub check: bool,
}

impl MoveShape {
    /// The shapes of all legal moves of a position, in their order. The disambiguation of each is
    /// right only if `moves` has all of them.
    pub fn for_moves(position: &Chess, moves: &[Move]) -> Vec<MoveShape> {
        let board = position.board();
        let enemy_king = board.king_of(position.turn().other());
        let enemy_king =
            enemy_king.map(|king| (king, attacks::queen_attacks(king, board.occupied())));
        moves
            .iter()
            .map(|&m| Self::new(position, moves, enemy_king, m))
            .collect()
    }

    /// A number that no other shape has.
    pub fn key(&self) -> u32 {
        let role = |role: Option<Role>| role.map_or(0, |role| role as u32);
        let castling = match self.castling {
            None => 0,
            Some(CastlingSide::KingSide) => 1,
            Some(CastlingSide::QueenSide) => 2,
        };
        // Each part with the number of values that it takes.
        let parts = [
            (self.role as u32, 7),
            (u32::from(self.from), 64),
            (u32::from(self.to), 64),
            (role(self.captured), 7),
            (role(self.promotion), 7),
            (castling, 3),
            (u32::from(self.en_passant), 2),
            (self.disambiguation as u32, 4),
            (u32::from(self.check), 2),
        ];
        parts
            .iter()
            .fold(0, |key, (part, count)| key * count + part)
    }

    /// The shape of one of the legal moves. `enemy_king` is the square of the enemy king with the
    /// squares from which a queen would attack it.
    fn new(
        position: &Chess,
        moves: &[Move],
        enemy_king: Option<(Square, Bitboard)>,
        m: Move,
    ) -> Self {
        let role = m.role();
        let from = m.from().unwrap_or(Square::A1);
        let castling = m.castling_side();
        let to = match castling {
            Some(side) => Square::from_coords(side.king_to_file(), from.rank()),
            None => m.to(),
        };
        Self {
            role,
            from,
            to,
            captured: m.capture(),
            promotion: m.promotion(),
            castling,
            en_passant: m.is_en_passant(),
            disambiguation: disambiguation(position, moves, m, role, from),
            check: enemy_king.is_some_and(|king| gives_check(position, m, from, to, king)),
        }
    }
}

/// What SAN needs to say which piece moves: the file where that is enough, else the rank, else
/// both.
fn disambiguation(
    position: &Chess,
    moves: &[Move],
    m: Move,
    role: Role,
    from: Square,
) -> Disambiguation {
    if role == Role::Pawn || role == Role::King {
        return Disambiguation::None;
    }
    let (board, piece) = (position.board(), role.of(position.turn()));
    let candidates = attacks::attacks(m.to(), piece, board.occupied()) & board.by_piece(piece);
    if candidates == Bitboard::from_square(from) {
        return Disambiguation::None;
    }
    let (mut is_needed, mut same_file, mut same_rank) = (false, false, false);
    for other in moves {
        if let Move::Normal {
            role: r,
            from: f,
            to,
            ..
        } = *other
            && r == role
            && to == m.to()
            && f != from
        {
            is_needed = true;
            same_file |= f.file() == from.file();
            same_rank |= f.rank() == from.rank();
        }
    }
    match (is_needed, same_file, same_rank) {
        (false, ..) => Disambiguation::None,
        (true, false, _) => Disambiguation::File,
        (true, true, false) => Disambiguation::Rank,
        (true, true, true) => Disambiguation::Both,
    }
}

/// Whether a move gives check to the king on `king`; `lines` are the squares from which a queen
/// would attack it.
fn gives_check(
    position: &Chess,
    m: Move,
    from: Square,
    to: Square,
    (king, lines): (Square, Bitboard),
) -> bool {
    let board = position.board();
    let us = position.turn();
    let mut occupied = board.occupied();
    occupied.discard(from);
    occupied.add(to);
    let mut moved = Bitboard::from_square(from);
    let mut placed = (to, m.promotion().unwrap_or(m.role()));
    match m {
        Move::EnPassant { .. } => occupied.discard(Square::from_coords(to.file(), from.rank())),
        Move::Castle { rook, .. } => {
            occupied.discard(rook);
            moved.add(rook);
            let file = if rook.file() > from.file() {
                File::F
            } else {
                File::D
            };
            let rook_to = Square::from_coords(file, from.rank());
            occupied.add(rook_to);
            placed = (rook_to, Role::Rook);
        }
        _ => {}
    }
    let (square, role) = placed;
    if attacks::attacks(square, role.of(us), occupied).contains(king) {
        return true;
    }
    if !lines.contains(from) && matches!(m, Move::Normal { .. }) {
        return false; // The move opens no line to the king.
    }
    let ours = board.by_color(us) & !moved;
    let diagonal = attacks::bishop_attacks(king, occupied) & ours & board.bishops_and_queens();
    let straight = attacks::rook_attacks(king, occupied) & ours & board.rooks_and_queens();
    (diagonal | straight).any()
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use super::*;

    #[test]
    fn shapes_have_one_key_each() {
        // Captures, promotions, castling, en passant and pieces that can go to the same square.
        let fens = [
            "r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/P1PBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "8/5k2/R6R/8/Q6Q/8/R6Q/4K3 w - - 0 1",
            "1n1r4/P1P3Pk/8/8/8/8/p1p3p1/1N1RK3 b - - 0 1",
        ];
        let mut keys: HashMap<MoveShape, u32> = HashMap::new();
        for fen in fens {
            let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
            let position: Chess = fen
                .into_position(shakmaty::CastlingMode::Standard)
                .expect("a position");
            let shapes = MoveShape::for_moves(&position, &position.legal_moves());
            keys.extend(shapes.into_iter().map(|shape| (shape, shape.key())));
        }
        let different: HashSet<&u32> = keys.values().collect();
        assert!(keys.len() > 100, "{}", keys.len());
        assert_eq!(different.len(), keys.len());
    }
}
