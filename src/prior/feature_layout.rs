//! Where each group of the prior's features begins, first of moves, then of positions.
//!
//! Squares are seen from the side of the player who moves: rank 0 is his own back rank, whichever
//! colour he has. Each group is an array, named by its axes; its constant is the index of its first
//! feature.

/// Number of features of moves.
pub(super) const MOVE_FEATURE_COUNT: usize = OPEN_FILE_START + 2 * 4;

/// Where the piece comes from: `[phase 3, role 6, square 64]`.
pub(super) const FROM_START: usize = 0;
/// Where the piece goes to: `[phase 3, role 6, square 64]`.
pub(super) const TO_START: usize = FROM_START + 3 * 384;
/// By how many ranks and files the piece moves: `[role 6, ranks forward + 7 15, files 8]`.
pub(super) const STEP_START: usize = TO_START + 3 * 384;
/// What is captured: `[role 6, captured role 6, is defended 2, is a recapture 2]`.
pub(super) const CAPTURE_START: usize = STEP_START + 6 * 15 * 8;
/// The risk on the target square: `[role 6, risk 5, is a capture 2]`.
pub(super) const RISK_START: usize = CAPTURE_START + 6 * 6 * 4;
/// The risk on the square that the piece leaves: `[role 6, risk 5, target is safe 2]`.
pub(super) const ESCAPE_START: usize = RISK_START + 6 * 5 * 2;
/// Check by the piece itself: `[role 6, target is safe 2]`.
pub(super) const CHECK_START: usize = ESCAPE_START + 6 * 5 * 2;
/// Enemy pieces that are newly attacked: `[role 6, attacked role 6, is undefended 2]`.
pub(super) const ATTACKS_START: usize = CHECK_START + 12;
/// Distance of the target square to the enemy king: `[phase 3, role 6, distance 8]`.
pub(super) const ENEMY_KING_START: usize = ATTACKS_START + 6 * 6 * 2;
/// Distance of the target square to the own king: `[role 6, distance 8]`.
pub(super) const OWN_KING_START: usize = ENEMY_KING_START + 6 * 8 * 3;
/// Gain in attacked squares, from -8 to 8: `[role 6, gain + 8 17]`.
pub(super) const MOBILITY_START: usize = OWN_KING_START + 6 * 8;
/// Whether the piece of the player's last move moves again, and back: `[goes back 2, role 6]`.
pub(super) const CONTINUES_START: usize = MOBILITY_START + 6 * 17;
/// The target square as seen from that of the opponent's last move:
/// `[role 6, ranks + 7 15, files + 7 15]`.
pub(super) const ANSWER_START: usize = CONTINUES_START + 12;
/// First the moves that attack the piece that the opponent moved last, then those of a piece that
/// it attacks: `[which of the two 2, role 6]`.
pub(super) const DUEL_START: usize = ANSWER_START + 6 * 225;
/// Promotion: `[to a queen 2]`.
pub(super) const PROMOTION_START: usize = DUEL_START + 12;
/// Castling: `[phase 3, king side 2]`.
pub(super) const CASTLING_START: usize = PROMOTION_START + 2;
/// The rank that a passed pawn reaches: `[rank 8]`.
pub(super) const PASSED_START: usize = CASTLING_START + 6;
/// An answer to check: `[role 6, captures the checking piece 2]`.
pub(super) const EVASION_START: usize = PASSED_START + 8;
/// Threatened own pieces that the piece defends after the move and did not before, the piece itself
/// among them: `[role 6, defended role 6]`.
pub(super) const DEFENDS_START: usize = EVASION_START + 12;
/// Attacked own pieces that the piece defends before the move and not after it:
/// `[role 6, deserted role 6]`.
pub(super) const DESERTS_START: usize = DEFENDS_START + 36;
/// Threatened own pieces that neither move nor have an attacker captured: `[threatened role 6]`.
pub(super) const IGNORES_START: usize = DESERTS_START + 36;
/// The pawns on the file that a rook or queen goes to:
/// `[is a queen 2, enemy pawns 2, own pawns 2]`.
pub(super) const OPEN_FILE_START: usize = IGNORES_START + 6;

/// Number of features of positions.
pub(super) const POSITION_FEATURE_COUNT: usize = CASTLING_RIGHT_START + 4;

/// The pieces on the board: `[of the opponent 2, role 6, square 64]`.
pub(super) const PIECE_START: usize = 0;
/// The squares of the last moves, first that of the opponent: `[own 2, target 2, square 64]`.
pub(super) const LAST_MOVE_START: usize = PIECE_START + 2 * 384;
/// Threatened pieces: `[of the opponent 2, square 64]`.
pub(super) const THREATENED_START: usize = LAST_MOVE_START + 4 * 64;
/// The phase of the game: `[phase 3]`.
pub(super) const PHASE_START: usize = THREATENED_START + 2 * 64;
/// The player to move is in check.
pub(super) const IN_CHECK: usize = PHASE_START + 3;
/// White is to move.
pub(super) const WHITE_TO_MOVE: usize = IN_CHECK + 1;
/// The opponent has just captured.
pub(super) const AFTER_CAPTURE: usize = WHITE_TO_MOVE + 1;
/// The right to castle: `[of the opponent 2, queen side 2]`.
pub(super) const CASTLING_RIGHT_START: usize = AFTER_CAPTURE + 1;
