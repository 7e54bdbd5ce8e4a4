//! From the best way through the lattice to the game that is put out.

use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, Move, Position};

use crate::grid::Side;
use crate::ink::CellState;
use crate::notation::{Language, Outcome};

use super::confidence::ConfidenceFeatures;
use super::ending::end_mark;
use super::lattice::{Lattice, Line, PlyShares, Step};
use super::record::{Record, is_writing};
use super::rivals::{best_games, changes};
use super::{FixedMove, Game, Options, Ply, RunnerUp, Unread, UnreadReason};
use crate::reader::Reading;

/// Alternatives of a ply that are put out.
const ALTERNATIVES: usize = 4;
/// Alternatives less likely than this are not worth a look.
const LEAST_SHARE: f32 = 0.001;
/// An answer that repairs fewer moves than this, on average, is not worth asking for.
const LEAST_REPAIR: f32 = 0.01;
/// A reading surer than this that no legal move explains was written so: an illegal move, not an illegible one.
const LEGIBLE: f32 = 0.5;

/// The game, its confidences as the lattice has them.
pub(super) fn game(
    line: &Line,
    lattice: &Lattice,
    copies: &[&[Reading]],
    record: &Record,
    languages: &[&'static Language],
    held: &[FixedMove],
    options: &Options,
) -> Game {
    let costs = &options.costs;
    let shares = lattice.shares(costs.temperature);
    let reading = |(copy, cell): (usize, usize)| &copies[copy][cell];
    let written = |slot: usize| {
        let cells = record.slots[slot].cells.iter();
        cells.filter(|&&cell| is_writing(&copies[cell.0][cell.1]))
    };
    let unread = |slot: usize, known: Option<UnreadReason>| {
        let one = move |&cell: &(usize, usize)| Unread {
            sheet: cell.0,
            cell: reading(cell).id,
            reason: known.unwrap_or_else(|| reason(reading(cell))),
        };
        written(slot).map(one).collect::<Vec<_>>()
    };
    let mut game = Game {
        plies: Vec::new(),
        complete: line.complete || line.rest.iter().all(|&slot| written(slot).next().is_none()),
        languages: languages.iter().map(|l| l.code.to_owned()).collect(),
        outcome: Outcome::Unknown,
        unread: Vec::new(),
        runners_up: runners_up(lattice, options.runners_up),
        weight: lattice.weight,
    };
    let changes = options.ask.map(|_| changes(lattice, line));
    let mut repairs = Vec::new();
    let mut position = Chess::default();
    for (k, edge) in line.edges.iter().enumerate() {
        match edge.step {
            Step::Skip(slot) => game.unread.extend(unread(slot, None)),
            Step::Move { m, cell, .. } => {
                let at = game.plies.len() as u16;
                let settled = held.iter().any(|h| h.ply == at + 1);
                let (share, mut others) = doubts(&shares, at, m, &position);
                let features = ConfidenceFeatures::of(&line.edges, k, share);
                let confidence = if settled { 1.0 } else { features.probability() };
                let sum: f32 = others.iter().map(|(_, share)| share).sum();
                let left = (1.0 - confidence) / sum.max(1.0 - confidence).max(f32::MIN_POSITIVE);
                others.iter_mut().for_each(|(_, share)| *share *= left);
                if settled {
                    others.clear();
                }
                if let Some(changes) = &changes {
                    let changed = |other: Move| {
                        let known = changes.get(&at).into_iter().flatten();
                        known.filter(|c| c.0 == other).map(|c| c.1).sum::<usize>()
                    };
                    // Its own error, and what else the answer would mend.
                    let more = others.iter().map(|(other, p)| p * changed(*other) as f32);
                    repairs.push(1.0 - confidence + more.sum::<f32>());
                }
                let unexplained = features.own >= costs.garbage.min(ConfidenceFeatures::WORST);
                let review =
                    !settled && (confidence < options.doubt || unexplained || cell.is_none());
                let alternatives = others.into_iter().map(|(other, share)| {
                    let san = SanPlus::from_move(position.clone(), other);
                    (san.to_string(), share)
                });
                let alternatives = alternatives.collect();
                game.plies.push(Ply {
                    uci: m.to_uci(CastlingMode::Standard).to_string(),
                    san: SanPlus::from_move_and_play_unchecked(&mut position, m).to_string(),
                    confidence,
                    features,
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
    if let Some(share) = options.ask {
        ask(&mut game.plies, &repairs, share);
    }
    let castled = !position.castles().any();
    let mark = end_mark(record, &line.rest, castled, costs);
    let board = position.outcome().known();
    for (before, &slot) in line.rest.iter().enumerate() {
        let after = board.is_some() || mark.is_some_and(|(at, _, _)| before >= at);
        game.unread
            .extend(unread(slot, after.then_some(UnreadReason::AfterTheEnd)));
    }
    let mark = mark.map(|(_, mark, cell)| (mark, color(reading(cell).id.side)));
    game.outcome = Outcome::decide(board, mark);
    game
}

/// Why a cell that no move explains was not used.
pub(super) fn reason(reading: &Reading) -> UnreadReason {
    match reading.state {
        CellState::StruckOut => UnreadReason::CrossedOut,
        _ if reading.confidence >= LEGIBLE && !reading.text.is_empty() => UnreadReason::Illegal,
        _ => UnreadReason::Illegible,
    }
}

/// Marks for review what no cell speaks for, and as many more of the moves as the share allows, in the order of what
/// their answers repair.
fn ask(plies: &mut [Ply], repairs: &[f32], share: f32) {
    let mut left = (share * plies.len() as f32) as usize;
    for ply in plies.iter_mut() {
        ply.review &= ply.cells.is_empty();
        left = left.saturating_sub(usize::from(ply.review));
    }
    let mut order: Vec<usize> = (0..plies.len()).filter(|&i| !plies[i].review).collect();
    order.sort_by(|&a, &b| repairs[b].total_cmp(&repairs[a]).then(a.cmp(&b)));
    order.truncate(left);
    for i in order.into_iter().filter(|&i| repairs[i] >= LEAST_REPAIR) {
        plies[i].review = true;
    }
}

fn runners_up(lattice: &Lattice, n: usize) -> Vec<RunnerUp> {
    if n == 0 {
        return Vec::new();
    }
    let games = best_games(lattice, n + 1);
    let best = games.first().map_or(0.0, |g| g.1);
    let spelled = |moves: Vec<Move>| {
        let mut position = Chess::default();
        let sans = moves.into_iter();
        sans.map(|m| SanPlus::from_move_and_play_unchecked(&mut position, m).to_string())
            .collect()
    };
    let others = games.into_iter().skip(1);
    others
        .map(|(moves, weight)| RunnerUp {
            sans: spelled(moves),
            behind: best - weight,
        })
        .collect()
}

/// The share of a move at its ply, and the other moves there.
fn doubts(shares: &PlyShares, ply: u16, m: Move, position: &Chess) -> (f32, Vec<(Move, f32)>) {
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
    others.iter_mut().for_each(|(_, s)| *s = s.min(1.0));
    (share(m).clamp(0.0, 1.0), others)
}

/// The player in whose column a cell stands.
fn color(side: Side) -> Color {
    match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}
