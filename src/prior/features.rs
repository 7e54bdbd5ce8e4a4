//! The features of a legal move that the prior weighs: what, where to, from where, at which risk, in answer to what.
//!
//! Squares are seen from the mover's side: rank 0 is his own back rank, whichever colour he has.

use shakmaty::attacks::{attacks, pawn_attacks};
use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Rank, Role, Square};

use super::Context;

/// Number of features, and of weights.
pub const COUNT: usize = OPEN_FILE + 2 * 4;

// Where each group of features begins.
const FROM: usize = 0;
const TO: usize = FROM + 3 * 384;
const STEP: usize = TO + 3 * 384;
const CAPTURE: usize = STEP + 6 * 15 * 8;
const RISK: usize = CAPTURE + 6 * 6 * 4;
const ESCAPE: usize = RISK + 6 * 5 * 2;
const CHECK: usize = ESCAPE + 6 * 5 * 2;
const ATTACKS: usize = CHECK + 12;
const ENEMY_KING: usize = ATTACKS + 6 * 6 * 2;
const OWN_KING: usize = ENEMY_KING + 6 * 8 * 3;
const MOBILITY: usize = OWN_KING + 6 * 8;
const CONTINUES: usize = MOBILITY + 6 * 17;
const ANSWER: usize = CONTINUES + 12;
const DUEL: usize = ANSWER + 6 * 225;
const PROMOTION: usize = DUEL + 12;
const CASTLING: usize = PROMOTION + 2;
const PASSED: usize = CASTLING + 6;
const EVASION: usize = PASSED + 8;
const DEFENDS: usize = EVASION + 12;
const DESERTS: usize = DEFENDS + 36;
const IGNORES: usize = DESERTS + 36;
const OPEN_FILE: usize = IGNORES + 6;

/// What every move of a position shares.
pub struct Scene<'a> {
    board: &'a Board,
    us: Color,
    occupied: Bitboard,
    ours: Bitboard,
    theirs: Bitboard,
    /// Squares attacked by an enemy man of at most this role's value: pawn, minor piece, rook, any.
    enemy: [Bitboard; 4],
    checkers: Bitboard,
    /// Our men that are attacked by a lesser man, or attacked and not defended.
    threatened: Bitboard,
    /// Where each of these stands, and the enemy men that attack it.
    threats: Vec<(Square, Bitboard)>,
    own_king: Square,
    enemy_king: Square,
    phase: usize,
    context: Context,
}

const fn index(role: Role) -> usize {
    role as usize - 1
}

/// Pawn, minor piece, rook, queen or king: the steps by which an exchange gains or loses.
const fn tier(role: Role) -> usize {
    match role {
        Role::Pawn => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen | Role::King => 3,
    }
}

fn seen_by(us: Color, square: Square) -> usize {
    usize::from(if us.is_white() {
        square
    } else {
        square.flip_vertical()
    })
}

impl<'a> Scene<'a> {
    /// Looks at a position once for all its moves.
    pub fn new(position: &'a Chess, context: Context) -> Self {
        let board = position.board();
        let us = position.turn();
        let occupied = board.occupied();
        let (ours, theirs) = (board.by_color(us), board.by_color(us.other()));
        let mut by_tier = [Bitboard::EMPTY; 4];
        for square in theirs {
            if let Some(piece) = board.piece_at(square) {
                by_tier[tier(piece.role)] |= attacks(square, piece, occupied);
            }
        }
        let mut defended = Bitboard::EMPTY;
        for square in ours {
            if let Some(piece) = board.piece_at(square) {
                defended |= attacks(square, piece, occupied);
            }
        }
        let enemy = [
            by_tier[0],
            by_tier[0] | by_tier[1],
            by_tier[0] | by_tier[1] | by_tier[2],
            by_tier[0] | by_tier[1] | by_tier[2] | by_tier[3],
        ];
        let minors = board.knights() | board.bishops();
        let threatened = ours
            & !board.kings()
            & ((enemy[3] & !defended)
                | (enemy[0] & !board.pawns())
                | (enemy[1] & (board.rooks() | board.queens()))
                | (enemy[2] & board.queens()));
        let attackers = |square| board.attacks_to(square, us.other(), occupied);
        let threats = threatened.into_iter();
        let threats = threats.map(|square| (square, attackers(square))).collect();
        let pieces = (minors | board.rooks_and_queens()).count();
        let king = |color| board.king_of(color).unwrap_or(Square::E1);
        Self {
            board,
            us,
            occupied,
            ours,
            theirs,
            enemy,
            checkers: position.checkers(),
            threatened,
            threats,
            own_king: king(us),
            enemy_king: king(us.other()),
            phase: match pieces {
                11.. => 0,
                6..=10 => 1,
                _ => 2,
            },
            context,
        }
    }

    /// How exposed a man of ours would be on a square: 0 not attacked, 1 by a pawn, 2 by a lesser piece,
    /// 3 by an equal or greater one and defended, 4 attacked and undefended.
    fn risk(&self, role: Role, square: Square, without: Bitboard) -> usize {
        if !self.enemy[3].contains(square) {
            return 0;
        }
        let tier = tier(role);
        if tier > 0 && self.enemy[0].contains(square) {
            return 1;
        }
        if tier > 1 && self.enemy[tier - 1].contains(square) {
            return 2;
        }
        let occupied = self.occupied & !without;
        let defenders = self.board.attacks_to(square, self.us, occupied) & !without;
        if defenders.any() { 3 } else { 4 }
    }

    /// Appends the indices of a move's features.
    pub fn features(&self, m: Move, out: &mut Vec<u16>) {
        let role = m.role();
        let r = index(role);
        let Some(from) = m.from() else { return };
        let to = match m {
            Move::Castle { king, rook } => {
                let file = if rook > king {
                    shakmaty::File::G
                } else {
                    shakmaty::File::C
                };
                Square::from_coords(file, king.rank())
            }
            _ => m.to(),
        };
        let mut push = |i: usize| out.push(i as u16);
        let (f, t) = (seen_by(self.us, from), seen_by(self.us, to));
        push(FROM + self.phase * 384 + r * 64 + f);
        push(TO + self.phase * 384 + r * 64 + t);
        let (dr, df) = (
            t as i32 / 8 - f as i32 / 8,
            (t as i32 % 8 - f as i32 % 8).unsigned_abs(),
        );
        push(STEP + (r * 15 + (dr + 7) as usize) * 8 + df as usize);

        let gone = Bitboard::from_square(from);
        let risk = self.risk(role, to, gone);
        let safe = usize::from(risk == 0 || risk == 3);
        push(RISK + (r * 5 + risk) * 2 + usize::from(m.is_capture()));
        let peril = self.risk(role, from, gone);
        if peril > 0 {
            push(ESCAPE + (r * 5 + peril) * 2 + safe);
        }
        let answered = self.context.enemy.map(|(_, to)| to);
        if let Some(victim) = m.capture() {
            let back = usize::from(answered == Some(to) && self.context.enemy_captured);
            push(
                CAPTURE
                    + (r * 6 + index(victim)) * 4
                    + 2 * usize::from(self.enemy[3].contains(to))
                    + back,
            );
        }
        if let Move::Castle { king, rook } = m {
            push(CASTLING + self.phase * 2 + usize::from(rook > king));
        }
        if let Some(promotion) = m.promotion() {
            push(PROMOTION + usize::from(promotion == Role::Queen));
        }

        // What the man sees before and after.
        let placed = Piece {
            color: self.us,
            role: m.promotion().unwrap_or(role),
        };
        let occupied = (self.occupied & !gone) | Bitboard::from_square(to);
        let before = attacks(
            from,
            Piece {
                color: self.us,
                role,
            },
            self.occupied,
        );
        let after = attacks(to, placed, occupied);
        let gain = (after & !self.ours).count() as i32 - (before & !self.ours).count() as i32;
        push(MOBILITY + r * 17 + (gain.clamp(-8, 8) + 8) as usize);
        if after.contains(self.enemy_king) {
            push(CHECK + r * 2 + safe);
        }
        for square in after & self.theirs & !before {
            if let Some(victim) = self.board.role_at(square) {
                let loose = !self.enemy[3].contains(square);
                push(ATTACKS + (r * 6 + index(victim)) * 2 + usize::from(loose));
            }
        }
        if role != Role::King {
            for square in after & !before & self.threatened {
                if let Some(friend) = self.board.role_at(square) {
                    push(DEFENDS + r * 6 + index(friend));
                }
            }
            for square in before & !after & self.ours & self.enemy[3] {
                if let Some(friend) = self.board.role_at(square) {
                    push(DESERTS + r * 6 + index(friend));
                }
            }
        }
        for &(square, attackers) in &self.threats {
            if square == from || attackers.contains(to) {
                continue;
            }
            if let Some(left) = self.board.role_at(square) {
                push(IGNORES + index(left));
            }
        }

        push(ENEMY_KING + (self.phase * 6 + r) * 8 + to.distance(self.enemy_king) as usize);
        if role != Role::King {
            push(OWN_KING + r * 8 + to.distance(self.own_king) as usize);
        }
        if let Some(last) = answered {
            let l = seen_by(self.us, last);
            let (dr, df) = (
                t as i32 / 8 - l as i32 / 8 + 7,
                t as i32 % 8 - l as i32 % 8 + 7,
            );
            push(ANSWER + r * 225 + (dr * 15 + df) as usize);
            if after.contains(last) {
                push(DUEL + r);
            }
            if let Some(piece) = self.board.piece_at(last)
                && attacks(last, piece, self.occupied).contains(from)
            {
                push(DUEL + 6 + r);
            }
        }
        if let Some((own_from, own_to)) = self.context.own {
            if own_to == from {
                push(CONTINUES + r);
            }
            if own_from == to && own_to == from {
                push(CONTINUES + 6 + r);
            }
        }
        if self.checkers.any() {
            push(EVASION + r * 2 + usize::from(self.checkers.contains(to)));
        }
        match role {
            Role::Pawn if (self.front_span(to) & self.board.pawns() & self.theirs).is_empty() => {
                push(PASSED + t / 8);
            }
            Role::Rook | Role::Queen => {
                let file = Bitboard::from_file(to.file()) & self.board.pawns();
                let kind = usize::from((file & self.ours).any())
                    + 2 * usize::from((file & self.theirs).any());
                push(OPEN_FILE + usize::from(role == Role::Queen) * 4 + kind);
            }
            _ => {}
        }
    }

    /// The squares on which an enemy pawn could still stop or take a pawn of ours on `square`.
    fn front_span(&self, square: Square) -> Bitboard {
        let mut span = Bitboard::from_square(square);
        let mut at = square;
        while let Some(next) = at.offset(if self.us.is_white() { 8 } else { -8 }) {
            span |= Bitboard::from_square(next) | pawn_attacks(self.us, at);
            if next.rank() == Rank::First || next.rank() == Rank::Eighth {
                break;
            }
            at = next;
        }
        span
    }
}
