//! The features of a legal move.

use shakmaty::attacks::{attacks, pawn_attacks};
use shakmaty::{
    Bitboard, Board, Castles, Chess, Color, File, Move, Piece, Position, Rank, Role, Square,
};

use super::LastMoves;
use super::feature_layout::{
    ANSWER_START, ATTACKS_START, CAPTURE_START, CASTLING_START, CHECK_START, CONTINUES_START,
    DEFENDS_START, DESERTS_START, DUEL_START, ENEMY_KING_START, ESCAPE_START, EVASION_START,
    FROM_START, IGNORES_START, MOBILITY_START, OPEN_FILE_START, OWN_KING_START, PASSED_START,
    PROMOTION_START, RISK_START, STEP_START, TO_START,
};

/// Extracts the features of one position and of its legal moves; holds what they share.
pub struct FeatureExtractor<'a> {
    pub(super) board: &'a Board,
    pub(super) castles: &'a Castles,
    pub(super) us: Color,
    occupied: Bitboard,
    pub(super) ours: Bitboard,
    pub(super) theirs: Bitboard,
    /// Squares that the own piece on each square attacks.
    pub(super) own_attacks: [Bitboard; 64],
    /// Squares that the piece which the opponent moved last attacks.
    last_attacks: Bitboard,
    /// Squares attacked by an enemy piece of at most this value: pawn, minor piece, rook, any.
    pub(super) enemy: [Bitboard; 4],
    pub(super) checkers: Bitboard,
    /// Own pieces that are [threatened](threatened_pieces).
    pub(super) threatened: Bitboard,
    /// Each of these, with the enemy pieces that attack it.
    threats: Vec<(Square, Bitboard)>,
    own_king: Square,
    enemy_king: Square,
    /// 0 with at least 11 pieces besides kings and pawns, 1 with 6 to 10, 2 with fewer.
    pub(super) phase: usize,
    pub(super) last_moves: LastMoves,
}

/// What the feature groups of one move share.
struct MoveDetails {
    m: Move,
    role: Role,
    /// Index of the role.
    r: usize,
    from: Square,
    to: Square,
    /// The [risk](FeatureExtractor::risk) on the target square.
    risk: usize,
    /// Whether the target square is not attacked, or attacked by no piece of less value and
    /// defended.
    is_safe: bool,
    /// Squares that the piece attacks before the move.
    before: Bitboard,
    /// Squares that it attacks, or what it promotes to, after the move.
    after: Bitboard,
}

pub(super) const fn index(role: Role) -> usize {
    role as usize - 1
}

/// Value of a piece in exchanges: 0 a pawn, 1 a minor piece, 2 a rook, 3 a queen or king.
const fn tier(role: Role) -> usize {
    match role {
        Role::Pawn => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen | Role::King => 3,
    }
}

/// Index of a square, seen from the side of a player.
pub(super) fn seen_by(us: Color, square: Square) -> usize {
    usize::from(if us.is_white() {
        square
    } else {
        square.flip_vertical()
    })
}

/// Squares that some pieces attack: for each [`tier`], pieces of at most this value.
/// `attacks_from` gives the squares that the piece on a square attacks.
pub(super) fn attacked_squares(
    board: &Board,
    pieces: Bitboard,
    attacks_from: impl Fn(Square) -> Bitboard,
) -> [Bitboard; 4] {
    let mut by_tier = [Bitboard::EMPTY; 4];
    for square in pieces {
        if let Some(role) = board.role_at(square) {
            by_tier[tier(role)] |= attacks_from(square);
        }
    }
    for tier in 1..by_tier.len() {
        by_tier[tier] |= by_tier[tier - 1];
    }
    by_tier
}

/// The pieces among `pieces` that a piece of less value attacks, or that are attacked and not
/// defended. `attacked` are the squares that the other side attacks, as [`attacked_squares`] gives
/// them.
pub(super) fn threatened_pieces(
    board: &Board,
    pieces: Bitboard,
    attacked: &[Bitboard; 4],
    defended: Bitboard,
) -> Bitboard {
    pieces
        & !board.kings()
        & ((attacked[3] & !defended)
            | (attacked[0] & !board.pawns())
            | (attacked[1] & board.rooks_and_queens())
            | (attacked[2] & board.queens()))
}

impl<'a> FeatureExtractor<'a> {
    /// Computes what the moves of a position share.
    pub fn new(position: &'a Chess, last_moves: LastMoves) -> Self {
        let board = position.board();
        let us = position.turn();
        let occupied = board.occupied();
        let (ours, theirs) = (board.by_color(us), board.by_color(us.other()));
        let enemy = attacked_squares(board, theirs, |square| board.attacks_from(square));
        let mut own_attacks = [Bitboard::EMPTY; 64];
        let mut defended = Bitboard::EMPTY;
        for square in ours {
            own_attacks[usize::from(square)] = board.attacks_from(square);
            defended |= own_attacks[usize::from(square)];
        }
        let last = last_moves.opponent.map(|(_, to)| to);
        let minors = board.knights() | board.bishops();
        let threatened = threatened_pieces(board, ours, &enemy, defended);
        let attackers = |square| board.attacks_to(square, us.other(), occupied);
        let threats = threatened.into_iter();
        let threats = threats.map(|square| (square, attackers(square))).collect();
        let pieces = (minors | board.rooks_and_queens()).count();
        let king = |color| board.king_of(color).unwrap_or(Square::E1);
        Self {
            board,
            castles: position.castles(),
            us,
            occupied,
            ours,
            theirs,
            own_attacks,
            last_attacks: last.map_or(Bitboard::EMPTY, |last| board.attacks_from(last)),
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
            last_moves,
        }
    }

    /// Calls `push` with the index of each of a move's features, always in the same order, so that
    /// a sum of their weights is the same each time.
    pub fn visit_features(&self, m: Move, mut push: impl FnMut(usize)) {
        let Some(from) = m.from() else { return };
        let details = self.details(m, from);
        self.push_squares(&details, &mut push);
        self.push_exchange(&details, &mut push);
        self.push_special(&details, &mut push);
        self.push_attacks(&details, &mut push);
        self.push_ignored_threats(&details, &mut push);
        self.push_kings(&details, &mut push);
        self.push_last_moves(&details, &mut push);
        if self.checkers.any() {
            push(EVASION_START + details.r * 2 + usize::from(self.checkers.contains(details.to)));
        }
        self.push_file(&details, &mut push);
    }

    fn details(&self, m: Move, from: Square) -> MoveDetails {
        let role = m.role();
        let to = match m {
            Move::Castle { king, rook } => {
                let file = if rook > king { File::G } else { File::C };
                Square::from_coords(file, king.rank())
            }
            _ => m.to(),
        };
        let piece = |role| Piece {
            color: self.us,
            role,
        };
        let left = Bitboard::from_square(from);
        let occupied = (self.occupied & !left) | Bitboard::from_square(to);
        let risk = self.risk(role, to, left);
        MoveDetails {
            m,
            role,
            r: index(role),
            from,
            to,
            risk,
            is_safe: risk == 0 || risk == 3,
            before: self.own_attacks[usize::from(from)],
            after: attacks(to, piece(m.promotion().unwrap_or(role)), occupied),
        }
    }

    /// The risk of an own piece on a square: 0 not attacked, 1 attacked by a pawn, 2 by a piece of
    /// less value, 3 by others and defended, 4 by others and not defended. The piece on `without`
    /// does not defend, and the enemy attacks as before the move.
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

    fn push_squares(&self, details: &MoveDetails, push: &mut impl FnMut(usize)) {
        let &MoveDetails { r, from, to, .. } = details;
        let (f, t) = (seen_by(self.us, from), seen_by(self.us, to));
        push(FROM_START + self.phase * 384 + r * 64 + f);
        push(TO_START + self.phase * 384 + r * 64 + t);
        let ranks = t as i32 / 8 - f as i32 / 8;
        let files = (t as i32 % 8 - f as i32 % 8).unsigned_abs();
        push(STEP_START + (r * 15 + (ranks + 7) as usize) * 8 + files as usize);
    }

    fn push_exchange(&self, details: &MoveDetails, push: &mut impl FnMut(usize)) {
        let &MoveDetails {
            m,
            role,
            r,
            from,
            to,
            risk,
            is_safe,
            ..
        } = details;
        push(RISK_START + (r * 5 + risk) * 2 + usize::from(m.is_capture()));
        let risk_before = self.risk(role, from, Bitboard::from_square(from));
        if risk_before > 0 {
            push(ESCAPE_START + (r * 5 + risk_before) * 2 + usize::from(is_safe));
        }
        if let Some(captured) = m.capture() {
            let is_recapture = self.last_moves.opponent_captured
                && self.last_moves.opponent.map(|(_, to)| to) == Some(to);
            push(
                CAPTURE_START
                    + (r * 6 + index(captured)) * 4
                    + 2 * usize::from(self.enemy[3].contains(to))
                    + usize::from(is_recapture),
            );
        }
    }

    fn push_special(&self, details: &MoveDetails, push: &mut impl FnMut(usize)) {
        if let Move::Castle { king, rook } = details.m {
            push(CASTLING_START + self.phase * 2 + usize::from(rook > king));
        }
        if let Some(promotion) = details.m.promotion() {
            push(PROMOTION_START + usize::from(promotion == Role::Queen));
        }
    }

    fn push_attacks(&self, details: &MoveDetails, push: &mut impl FnMut(usize)) {
        let &MoveDetails {
            role,
            r,
            before,
            after,
            is_safe,
            ..
        } = details;
        let gain = (after & !self.ours).count() as i32 - (before & !self.ours).count() as i32;
        push(MOBILITY_START + r * 17 + (gain.clamp(-8, 8) + 8) as usize);
        if after.contains(self.enemy_king) {
            push(CHECK_START + r * 2 + usize::from(is_safe));
        }
        for square in after & self.theirs & !before {
            if let Some(attacked) = self.board.role_at(square) {
                let is_undefended = !self.enemy[3].contains(square);
                push(ATTACKS_START + (r * 6 + index(attacked)) * 2 + usize::from(is_undefended));
            }
        }
        if role == Role::King {
            return;
        }
        for square in after & !before & self.threatened {
            if let Some(defended) = self.board.role_at(square) {
                push(DEFENDS_START + r * 6 + index(defended));
            }
        }
        for square in before & !after & self.ours & self.enemy[3] {
            if let Some(deserted) = self.board.role_at(square) {
                push(DESERTS_START + r * 6 + index(deserted));
            }
        }
    }

    fn push_ignored_threats(&self, details: &MoveDetails, push: &mut impl FnMut(usize)) {
        for &(square, attackers) in &self.threats {
            if square == details.from || attackers.contains(details.to) {
                continue;
            }
            if let Some(threatened) = self.board.role_at(square) {
                push(IGNORES_START + index(threatened));
            }
        }
    }

    fn push_kings(&self, details: &MoveDetails, push: &mut impl FnMut(usize)) {
        let &MoveDetails { role, r, to, .. } = details;
        push(ENEMY_KING_START + (self.phase * 6 + r) * 8 + to.distance(self.enemy_king) as usize);
        if role != Role::King {
            push(OWN_KING_START + r * 8 + to.distance(self.own_king) as usize);
        }
    }

    fn push_last_moves(&self, details: &MoveDetails, push: &mut impl FnMut(usize)) {
        let &MoveDetails {
            r, from, to, after, ..
        } = details;
        if let Some((_, last)) = self.last_moves.opponent {
            let (l, t) = (seen_by(self.us, last) as i32, seen_by(self.us, to) as i32);
            let (ranks, files) = (t / 8 - l / 8 + 7, t % 8 - l % 8 + 7);
            push(ANSWER_START + r * 225 + (ranks * 15 + files) as usize);
            if after.contains(last) {
                push(DUEL_START + r);
            }
            if self.last_attacks.contains(from) {
                push(DUEL_START + 6 + r);
            }
        }
        if let Some((own_from, own_to)) = self.last_moves.own {
            if own_to == from {
                push(CONTINUES_START + r);
            }
            if own_from == to && own_to == from {
                push(CONTINUES_START + 6 + r);
            }
        }
    }

    fn push_file(&self, details: &MoveDetails, push: &mut impl FnMut(usize)) {
        let &MoveDetails { role, to, .. } = details;
        match role {
            Role::Pawn if (self.front_span(to) & self.board.pawns() & self.theirs).is_empty() => {
                push(PASSED_START + seen_by(self.us, to) / 8);
            }
            Role::Rook | Role::Queen => {
                let pawns = Bitboard::from_file(to.file()) & self.board.pawns();
                let kind = usize::from((pawns & self.ours).any())
                    + 2 * usize::from((pawns & self.theirs).any());
                push(OPEN_FILE_START + usize::from(role == Role::Queen) * 4 + kind);
            }
            _ => {}
        }
    }

    /// The squares on which an enemy pawn could still stop or capture an own pawn on `square`.
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
