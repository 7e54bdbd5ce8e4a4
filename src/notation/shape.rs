//! What of a move and its position decides how it can be written.

use shakmaty::attacks;
use shakmaty::{Bitboard, CastlingSide, Chess, File, Move, Position, Role, Square};

/// How a man must be told from its like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Disambiguation {
    /// No other man of its kind can go there.
    None,
    /// By its file.
    File,
    /// By its rank, since another one stands on its file.
    Rank,
    /// By file and rank.
    Both,
}

/// A legal move as far as its spelling is concerned: equal shapes have equal spellings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The man that moves.
    pub role: Role,
    /// Where from.
    pub from: Square,
    /// Where to; the king's square in castling.
    pub to: Square,
    /// What is taken.
    pub victim: Option<Role>,
    /// What the pawn becomes.
    pub promotion: Option<Role>,
    /// Which castling, if any.
    pub castling: Option<CastlingSide>,
    /// Whether a pawn is taken in passing.
    pub en_passant: bool,
    /// What SAN needs to name the man.
    pub disambiguation: Disambiguation,
    /// Whether the move gives check or mate.
    pub check: bool,
}

impl Shape {
    /// The shapes of a position's legal moves, in their order.
    pub fn of_all(position: &Chess, moves: &[Move]) -> Vec<Shape> {
        let board = position.board();
        let enemy_king = board.king_of(position.turn().other());
        let seen = enemy_king.map(|king| (king, attacks::queen_attacks(king, board.occupied())));
        moves
            .iter()
            .map(|&m| Self::of(position, moves, seen, m))
            .collect()
    }

    /// The shape of one of the legal moves, the enemy king standing where he does, with the squares he is seen from.
    fn of(
        position: &Chess,
        moves: &[Move],
        enemy_king: Option<(Square, Bitboard)>,
        m: Move,
    ) -> Shape {
        let role = m.role();
        let from = m.from().unwrap_or(Square::A1);
        let castling = m.castling_side();
        let to = match castling {
            Some(side) => Square::from_coords(side.king_to_file(), from.rank()),
            None => m.to(),
        };
        Shape {
            role,
            from,
            to,
            victim: m.capture(),
            promotion: m.promotion(),
            castling,
            en_passant: m.is_en_passant(),
            disambiguation: disambiguation(position, moves, m, role, from),
            check: enemy_king.is_some_and(|king| gives_check(position, m, from, to, king)),
        }
    }
}

/// What SAN needs, by FIDE Laws, Appendix C.10: the file where that is enough, else the rank, else both.
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
    let (board, man) = (position.board(), role.of(position.turn()));
    let near = attacks::attacks(m.to(), man, board.occupied()) & board.by_piece(man);
    if near == Bitboard::from_square(from) {
        return Disambiguation::None;
    }
    let (mut rivals, mut file, mut rank) = (false, false, false);
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
            rivals = true;
            file |= f.file() == from.file();
            rank |= f.rank() == from.rank();
        }
    }
    match (rivals, file, rank) {
        (false, ..) => Disambiguation::None,
        (true, false, _) => Disambiguation::File,
        (true, true, false) => Disambiguation::Rank,
        (true, true, true) => Disambiguation::Both,
    }
}

fn gives_check(
    position: &Chess,
    m: Move,
    from: Square,
    to: Square,
    (king, screens): (Square, Bitboard),
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
    if !screens.contains(from) && matches!(m, Move::Normal { .. }) {
        return false; // It opens no line.
    }
    let ours = board.by_color(us) & !moved;
    let diagonal = attacks::bishop_attacks(king, occupied) & ours & board.bishops_and_queens();
    let straight = attacks::rook_attacks(king, occupied) & ours & board.rooks_and_queens();
    (diagonal | straight).any()
}
