//! From the best way through the lattice to the game that is put out.

use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, KnownOutcome, Move, Position};

use crate::cell::CellState;
use crate::grid::Side;
use crate::notation::{EndMark, Language};

use super::confidence::Signs;
use super::ending::end_mark;
use super::lattice::{Lattice, Line, PlyShares, Step};
use super::record::Record;
use super::{Game, Options, Outcome, Ply, Unread, UnreadReason};
use crate::reader::Reading;

/// Alternatives of a ply that are put out.
const ALTERNATIVES: usize = 4;
/// Alternatives less likely than this are not worth a look.
const LEAST_SHARE: f32 = 0.001;
/// A reading surer than this that no legal move explains was written so: an illegal move, not an illegible one.
const LEGIBLE: f32 = 0.5;

/// The game, its confidences as the lattice has them.
pub(super) fn game(
    line: &Line,
    lattice: &Lattice,
    copies: &[&[Reading]],
    record: &Record,
    languages: &[&'static Language],
    options: &Options,
) -> Game {
    let costs = &options.costs;
    let shares = lattice.shares(costs.temperature);
    let reading = |(copy, cell): (usize, usize)| &copies[copy][cell];
    let reason = |r: &Reading| match r.state {
        CellState::StruckOut => UnreadReason::CrossedOut,
        _ if r.confidence >= LEGIBLE && !r.text.is_empty() => UnreadReason::Illegal,
        _ => UnreadReason::Illegible,
    };
    let unread = |slot: usize, known: Option<UnreadReason>| {
        let cells = record.slots[slot].cells.iter();
        let inked = cells.filter(|&&cell| reading(cell).state != CellState::Blank);
        let one = move |&cell: &(usize, usize)| Unread {
            sheet: cell.0,
            cell: reading(cell).id,
            reason: known.unwrap_or_else(|| reason(reading(cell))),
        };
        inked.map(one).collect::<Vec<_>>()
    };
    let mut game = Game {
        plies: Vec::new(),
        complete: line.complete,
        languages: languages.iter().map(|l| l.code.to_owned()).collect(),
        outcome: Outcome::Unknown,
        unread: Vec::new(),
    };
    let mut position = Chess::default();
    for (k, edge) in line.edges.iter().enumerate() {
        match edge.step {
            Step::Skip(slot) => game.unread.extend(unread(slot, None)),
            Step::Move { m, cell, .. } => {
                let at = game.plies.len() as u16;
                let (share, mut alternatives) = doubts(&shares, at, m, &position);
                let signs = Signs::of(&line.edges, k, share);
                let confidence = signs.probability();
                let others: f32 = alternatives.iter().map(|(_, share)| share).sum();
                let left = (1.0 - confidence) / others.max(1.0 - confidence);
                alternatives
                    .iter_mut()
                    .for_each(|(_, share)| *share *= left);
                let unexplained = signs.own >= costs.garbage.min(Signs::WORST);
                let review = confidence < options.doubt || unexplained || cell.is_none();
                game.plies.push(Ply {
                    uci: m.to_uci(CastlingMode::Standard).to_string(),
                    san: SanPlus::from_move_and_play_unchecked(&mut position, m).to_string(),
                    confidence,
                    signs,
                    review,
                    alternatives,
                    cells: cell.map_or_else(Vec::new, |slot| {
                        let cells = record.slots[slot].cells.iter();
                        cells.map(|&cell| (cell.0, reading(cell).id)).collect()
                    }),
                });
            }
        }
    }
    let mark = end_mark(record, line.end, costs);
    let board = position.outcome().known();
    for slot in line.end..record.slots.len() {
        let after = board.is_some() || mark.is_some_and(|(at, _, _)| slot >= at);
        game.unread
            .extend(unread(slot, after.then_some(UnreadReason::AfterTheEnd)));
    }
    game.outcome = outcome(
        board,
        mark.map(|(_, mark, cell)| (mark, reading(cell).id.side)),
    );
    game
}

/// The share of a move at its ply, and the other moves there.
fn doubts(shares: &PlyShares, ply: u16, m: Move, position: &Chess) -> (f32, Vec<(String, f32)>) {
    let Some(moves) = shares.get(&ply) else {
        return (0.0, Vec::new());
    };
    let share = |wanted: Move| {
        moves
            .iter()
            .find(|(known, _)| *known == wanted)
            .map_or(0.0, |(_, s)| *s as f32)
    };
    let mut others: Vec<(Move, f32)> = moves
        .iter()
        .filter(|(other, _)| *other != m && position.is_legal(*other))
        .map(|&(other, s)| (other, s as f32))
        .filter(|(_, s)| *s >= LEAST_SHARE)
        .collect();
    others.sort_by(|a, b| b.1.total_cmp(&a.1));
    others.truncate(ALTERNATIVES);
    let named = others.into_iter().map(|(other, s)| {
        (
            SanPlus::from_move(position.clone(), other).to_string(),
            s.min(1.0),
        )
    });
    (share(m).clamp(0.0, 1.0), named.collect())
}

/// The result by the board, else by an end mark and the side in whose place it stands.
pub(crate) fn outcome(board: Option<KnownOutcome>, written: Option<(EndMark, Side)>) -> Outcome {
    match (board, written) {
        (
            Some(KnownOutcome::Decisive {
                winner: Color::White,
            }),
            _,
        ) => Outcome::WhiteWins,
        (
            Some(KnownOutcome::Decisive {
                winner: Color::Black,
            }),
            _,
        ) => Outcome::BlackWins,
        (Some(KnownOutcome::Draw), _) => Outcome::Draw,
        (None, Some((mark, side))) => match (mark, side) {
            (EndMark::WhiteWins, _) | (EndMark::LoserHere, Side::Black) => Outcome::WhiteWins,
            (EndMark::BlackWins, _) | (EndMark::LoserHere, Side::White) => Outcome::BlackWins,
            (EndMark::Draw, _) => Outcome::Draw,
            (EndMark::Over, _) => Outcome::Unknown,
        },
        (None, None) => Outcome::Unknown,
    }
}
