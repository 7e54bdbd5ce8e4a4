//! From the best path of the lattice to the game that is put out.

use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, Move, Position};

use crate::grid::Side;
use crate::ink::CellState;
use crate::notation::Outcome;
use crate::reader::Reading;

use super::confidence::ConfidenceFeatures;
use super::game::{Game, Gap, Ply, RunnerUp, Unread, UnreadReason};
use super::gap::SlotGap;
use super::lattice::Lattice;
use super::move_posteriors::MovePosteriors;
use super::n_best::best_games;
use super::options::Options;
use super::path::{Path, Step};
use super::questions::{count_changes, expected_repairs, select_questions};
use super::readings::{SheetReadings, is_writing};
use super::record::{CellIndex, Record};
use super::termination::{GameEndMark, find_end_mark};
use super::writer::Writer;

/// Largest number of alternatives of a ply that are put out.
const MAX_ALTERNATIVES: usize = 4;
/// Alternatives with a smaller posterior than this are left out.
const MIN_ALTERNATIVE_POSTERIOR: f32 = 0.001;
/// Confidence of a reading from which, where no legal move explains it, the move is illegal rather
/// than illegible. Chosen by eye.
const MIN_LEGIBLE_CONFIDENCE: f32 = 0.5;

/// The best path of a record with all that it is put out from.
pub(super) struct Assembly<'a> {
    pub path: &'a Path,
    /// The gap before which the path was cut, if it was.
    pub gap: Option<SlotGap>,
    pub posteriors: &'a MovePosteriors,
    pub lattice: &'a Lattice,
    pub record: &'a Record,
    /// The readings of each copy.
    pub copies: &'a [&'a [Reading]],
    pub options: &'a Options,
}

impl Assembly<'_> {
    /// The game of the path, the copies being by these writers.
    pub(super) fn game(&self, writers: Vec<Writer>) -> Game {
        let (path, options) = (self.path, self.options);
        let mut game = Game {
            plies: Vec::new(),
            complete: path.complete || path.rest.iter().all(|slot| self.is_unwritten(*slot)),
            languages: writers.iter().map(Writer::code).collect(),
            writers,
            has_asides: false,
            outcome: Outcome::Unknown,
            unread: Vec::new(),
            gap: self.gap.and_then(|gap| self.game_gap(gap)),
            runners_up: runners_up(self.lattice, options.runners_up),
            weight: self.lattice.weight,
        };
        let mut position = Chess::default();
        self.add_plies(&mut game, &mut position);
        let no_castling = !position.castles().any();
        let mark = find_end_mark(self.record, &path.rest, no_castling, &options.costs);
        let mark = mark.filter(|mark| !self.is_doubted(mark));
        let board = position.outcome().known();
        for (before, &slot) in path.rest.iter().enumerate() {
            let after = board.is_some() || mark.is_some_and(|m| before >= m.slots_before);
            let reason = match self.gap {
                _ if after => Some(UnreadReason::AfterTheEnd),
                Some(_) => Some(UnreadReason::BehindGap),
                None => None,
            };
            game.unread.extend(self.unread(slot, reason));
        }
        let written = mark.map(|m| (m.mark, color(self.reading(m.cell).id.side)));
        game.outcome = Outcome::decide(board, written);
        game
    }

    /// Whether an end mark is rather something else: the search gives up right before it. What
    /// looks like castling is no such case, since the search does not know where nobody can castle.
    fn is_doubted(&self, mark: &GameEndMark) -> bool {
        let (path, costs) = (self.path, &self.options.costs);
        let (before, from_mark) = path.rest.split_at(mark.slots_before);
        let score = |no_castling| {
            let slot = from_mark.first()?;
            let mark = self.record.end_mark(*slot, no_castling, costs)?;
            Some(mark.score)
        };
        let is_first = before.iter().all(|slot| self.is_unwritten(*slot));
        !path.complete && is_first && score(true) == score(false)
    }

    /// Whether no cell of a slot has writing.
    fn is_unwritten(&self, slot: usize) -> bool {
        self.written_cells(slot).next().is_none()
    }

    /// Plays the path from the initial position, and adds its moves and the cells it skips.
    fn add_plies(&self, game: &mut Game, position: &mut Chess) {
        let ask = self.options.ask;
        let changes = ask.map(|_| count_changes(self.lattice, self.path));
        let mut repairs = Vec::new();
        for (k, edge) in self.path.edges.iter().enumerate() {
            let (m, slot) = match edge.step {
                Step::Skip(slot) => {
                    game.unread.extend(self.unread(usize::from(slot), None));
                    continue;
                }
                Step::Move { m, .. } => (m, edge.step.slot()),
            };
            let at = game.plies.len() as u16;
            let mut others = other_moves(self.posteriors, at, m, position);
            let features = ConfidenceFeatures::new(&self.path.edges, k, (at, m), self.posteriors);
            let confidence = features.probability();
            share_out_doubt(&mut others, confidence);
            if let Some(changes) = &changes {
                repairs.push(expected_repairs(changes, at, confidence, &others));
            }
            let worst = ConfidenceFeatures::MAX_MISFIT_NATS;
            let is_unexplained = features.own >= self.options.costs.garbage.min(worst);
            let is_doubtful = confidence < self.options.doubt || is_unexplained || slot.is_none();
            let alternatives = others.into_iter().map(|(other, p)| {
                let san = SanPlus::from_move(position.clone(), other);
                (san.to_string(), p)
            });
            let alternatives = alternatives.collect();
            game.plies.push(Ply {
                uci: m.to_uci(CastlingMode::Standard).to_string(),
                san: SanPlus::from_move_and_play_unchecked(position, m).to_string(),
                confidence,
                features,
                review: is_doubtful,
                settled: false,
                seen: false,
                alternatives,
                cells: slot.map_or_else(Vec::new, |slot| {
                    let cells = self.record.slots[slot].cells.iter();
                    cells
                        .map(|&cell| (cell.copy, self.reading(cell).id))
                        .collect()
                }),
            });
        }
        if let Some(share) = ask {
            select_questions(&mut game.plies, &repairs, share);
        }
    }

    /// The gap by cells of the sheets.
    fn game_gap(&self, gap: SlotGap) -> Option<Gap> {
        let cell_of = |slot: usize| {
            let cell = *self.record.slots[slot].cells.first()?;
            Some((cell.copy, self.reading(cell).id))
        };
        let resumed = gap
            .resumed
            .and_then(|[first, last]| Some([cell_of(first)?, cell_of(last)?]));
        Some(Gap {
            first: cell_of(gap.first?)?,
            resumed,
        })
    }

    fn reading(&self, cell: CellIndex) -> &Reading {
        &self.copies[cell.copy][cell.index]
    }

    /// The cells of a slot that hold writing.
    fn written_cells(&self, slot: usize) -> impl Iterator<Item = CellIndex> {
        let cells = self.record.slots[slot].cells.iter().copied();
        cells.filter(|&cell| is_writing(self.reading(cell)))
    }

    /// The written cells of a slot as unread, for this reason or for that of each cell.
    fn unread(&self, slot: usize, known: Option<UnreadReason>) -> impl Iterator<Item = Unread> {
        self.written_cells(slot).map(move |cell| Unread {
            sheet: cell.copy,
            cell: self.reading(cell).id,
            reason: known.unwrap_or_else(|| unread_reason(self.reading(cell))),
        })
    }
}

/// The player in whose column a cell stands.
fn color(side: Side) -> Color {
    match side {
        Side::White => Color::White,
        Side::Black => Color::Black,
    }
}

/// A game without moves, all of whose writing is unread. It is put out of copies whose game nobody
/// can know from the start.
pub(crate) fn game_without_moves(copies: &[SheetReadings], languages: &[String]) -> Game {
    let of_copy = |(sheet, copy): (usize, &SheetReadings)| {
        let written = copy.readings.iter().filter(|r| is_writing(r));
        let unread = written.map(|reading| Unread {
            sheet,
            cell: reading.id,
            reason: unread_reason(reading),
        });
        unread.collect::<Vec<_>>()
    };
    Game {
        languages: languages.to_vec(),
        unread: copies.iter().enumerate().flat_map(of_copy).collect(),
        ..Game::empty()
    }
}

/// Why a cell that no move explains was not used.
fn unread_reason(reading: &Reading) -> UnreadReason {
    let is_legible = reading.confidence >= MIN_LEGIBLE_CONFIDENCE && !reading.text.is_empty();
    match reading.state {
        CellState::StruckOut => UnreadReason::CrossedOut,
        _ if is_legible => UnreadReason::Illegal,
        _ => UnreadReason::Illegible,
    }
}

/// The `n` best games after the best one.
fn runners_up(lattice: &Lattice, n: usize) -> Vec<RunnerUp> {
    if n == 0 {
        return Vec::new();
    }
    let games = best_games(lattice, n + 1);
    let best = games.first().map_or(0.0, |g| g.1);
    let spell = |moves: Vec<Move>| {
        let mut position = Chess::default();
        let moves = moves.into_iter();
        moves
            .map(|m| SanPlus::from_move_and_play_unchecked(&mut position, m).to_string())
            .collect()
    };
    let others = games.into_iter().skip(1);
    others
        .map(|(moves, weight)| RunnerUp {
            sans: spell(moves),
            behind: best - weight,
        })
        .collect()
}

/// The best legal moves beside `m` at a ply, with their posteriors.
fn other_moves(
    posteriors: &MovePosteriors,
    ply: u16,
    m: Move,
    position: &Chess,
) -> Vec<(Move, f32)> {
    let moves = posteriors.at(ply).iter();
    let mut others: Vec<(Move, f32)> = moves
        .filter(|(other, _)| *other != m && position.is_legal(*other))
        .map(|&(other, p)| (other, p as f32))
        .filter(|(_, p)| *p >= MIN_ALTERNATIVE_POSTERIOR)
        .collect();
    others.sort_by(|a, b| b.1.total_cmp(&a.1));
    others.truncate(MAX_ALTERNATIVES);
    others.iter_mut().for_each(|(_, p)| *p = p.min(1.0));
    others
}

/// Scales the posteriors of the other moves so that, with the confidence, they sum to at most 1.
fn share_out_doubt(others: &mut [(Move, f32)], confidence: f32) {
    let sum: f32 = others.iter().map(|(_, p)| p).sum();
    let doubt = 1.0 - confidence;
    let scale = doubt / sum.max(doubt).max(f32::MIN_POSITIVE);
    others.iter_mut().for_each(|(_, p)| *p *= scale);
}
