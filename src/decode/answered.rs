//! Games that keep to what a person has read.
//!
//! What agrees with a game changes nothing in it but its confidences: a search is told the first
//! answer that its game contradicts, then the first that the next game contradicts, until none is.
//! A move that a person confirms must not move other moves, and most answers confirm. Where a
//! search finds no game with an answer, the moves before it are held as they were.

use std::ops::Range;

use shakmaty::san::San;
use shakmaty::{Chess, Move};

use crate::copies;
use crate::grid::CellId;
use crate::ink::CellState;

use super::answer::{Answer, CellContent, FixedMove};
use super::game::{Game, Ply, Unread, UnreadReason};
use super::readings::{SheetReadings, is_writing};

/// The games of a record, the first of which keeps to the answers of a person.
#[derive(Debug, Clone)]
pub struct AnsweredGames {
    /// The games, from the top of the sheets; never none.
    pub games: Vec<Game>,
    /// Indices of the answers that no game can keep to: the board does not allow the move, or the
    /// record ends before.
    pub refused: Vec<usize>,
}

/// Where the games with some answers are to come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// From earlier searches alone.
    EarlierSearches,
    /// From a search, unless an earlier one has found them.
    AnySearch,
}

/// The games that keep to some answers. `search` gives the games that keep to those of them that it
/// is told, or none where an earlier search was to have found them. With `is_quick`, a new search
/// first holds the moves before an answer, which makes it several times as fast.
pub(super) fn keep_to_answers(
    answers: &[Answer],
    is_quick: bool,
    mut search: impl FnMut(&[Answer], Source) -> Option<Vec<Game>>,
) -> AnsweredGames {
    let (mut told, mut refused) = (Vec::<usize>::new(), Vec::new());
    // The moves that are held so that an answer does not change what stands before it.
    let mut prefix: Vec<Answer> = Vec::new();
    let mut games = search(&[], Source::AnySearch).unwrap_or_else(|| vec![Game::empty()]);
    loop {
        let replay = Replay::new(&games[0]);
        let is_open = |i: &usize| !told.contains(i) && !refused.contains(i);
        let is_contradicted =
            |i: &usize| !replay.keeps_to(&answers[*i]) || replay.is_too_long(&answers[*i]);
        let mut open = (0..answers.len()).filter(is_open);
        let Some(next) = open.find(is_contradicted) else {
            break;
        };
        let mut with_next = told.clone();
        with_next.push(next);
        with_next.sort_unstable();
        let longer = replay.moves_before(&answers[next]);
        let (known, any) = (Source::EarlierSearches, Source::AnySearch);
        let attempts = match is_quick {
            true => vec![(&prefix, known), (&longer, any), (&prefix, any)],
            false => vec![(&prefix, any), (&longer, any)],
        };
        let found = attempts.into_iter().find_map(|(prefix, source)| {
            let held = with_next.iter().map(|&i| answers[i].clone());
            let held: Vec<Answer> = prefix.iter().cloned().chain(held).collect();
            let games = search(&held, source)?;
            let replay = Replay::new(&games[0]);
            let are_kept = with_next.iter().all(|&i| replay.keeps_to(&answers[i]));
            are_kept.then(|| (prefix.clone(), games))
        });
        match found {
            Some(found) => {
                (prefix, games) = found;
                told = with_next;
            }
            None => refused.push(next),
        }
    }
    refused.sort_unstable();
    let kept = answers.iter().enumerate();
    let kept = kept.filter(|(i, _)| !refused.contains(i));
    let kept: Vec<&Answer> = kept.map(|(_, answer)| answer).collect();
    mark_answered_plies(&mut games[0], &kept);
    AnsweredGames { games, refused }
}

/// Marks the plies that a person has read, or could not read either.
fn mark_answered_plies(game: &mut Game, answers: &[&Answer]) {
    let replay = Replay::new(game);
    let mut settled: Vec<usize> = Vec::new();
    let mut seen: Vec<usize> = Vec::new();
    for answer in answers {
        match answer {
            Answer::Ply(fixed) => settled.push(usize::from(fixed.ply) - 1),
            Answer::Game(moves) => settled.extend(0..moves.len()),
            Answer::Cell {
                sheet,
                cell,
                content,
            } => match content {
                CellContent::Move(_) => settled.extend(replay.ply_of(*sheet, *cell)),
                CellContent::LeftOut(sans) => {
                    settled.extend(replay.left_out(*sheet, *cell, sans).into_iter().flatten());
                }
                CellContent::Illegible => seen.extend(replay.ply_of(*sheet, *cell)),
                CellContent::NoMove | CellContent::End => {}
            },
        }
    }
    for at in settled {
        if let Some(ply) = game.plies.get_mut(at) {
            ply.settled = true;
            ply.confidence = 1.0;
            ply.review = false;
            ply.alternatives.clear();
        }
    }
    for at in seen {
        let ply = &mut game.plies[at];
        ply.seen = true;
        ply.review = false;
    }
}

/// A game played through.
struct Replay<'a> {
    plies: &'a [Ply],
    /// Whether the record could be followed to its end.
    complete: bool,
    /// The position before each ply, and its move.
    moves: Vec<(Chess, Move)>,
}

impl<'a> Replay<'a> {
    fn new(game: &'a Game) -> Self {
        Self {
            plies: &game.plies,
            complete: game.complete,
            moves: game.moves().collect(),
        }
    }

    /// Index of the ply whose move stands in a cell.
    fn ply_of(&self, sheet: usize, cell: CellId) -> Option<usize> {
        let is_there = |ply: &Ply| ply.cells.contains(&(sheet, cell));
        self.plies.iter().position(is_there)
    }

    /// The moves before the one that an answer is about, as answers.
    fn moves_before(&self, answer: &Answer) -> Vec<Answer> {
        let moves = self.moves.iter().take(self.plies_before(answer));
        let moves = moves.zip(1..).map(|((position, m), ply)| {
            let san = San::from_move(position, *m);
            Answer::Ply(FixedMove { ply, san })
        });
        moves.collect()
    }

    /// Number of plies before the one that an answer is about.
    fn plies_before(&self, answer: &Answer) -> usize {
        match answer {
            Answer::Ply(fixed) => usize::from(fixed.ply) - 1,
            Answer::Game(_) => 0,
            Answer::Cell { sheet, cell, .. } => {
                let is_before = |ply: &Ply| {
                    let mut cells = ply.cells.iter();
                    cells.any(|(of, known)| of == sheet && known < cell)
                };
                let last = self.plies.iter().rposition(is_before);
                last.map_or(0, |last| last + 1)
            }
        }
    }

    /// The plies without a cell, directly before the move of a cell, whose moves are these.
    fn left_out(&self, sheet: usize, cell: CellId, sans: &[San]) -> Option<Range<usize>> {
        let behind = self.ply_of(sheet, cell)?;
        let plies = behind.checked_sub(sans.len())?..behind;
        let is_left_out =
            |(at, san): (usize, &San)| self.plies[at].cells.is_empty() && self.is_played(at, san);
        plies.clone().zip(sans).all(is_left_out).then_some(plies)
    }

    /// Whether a move is that of a ply.
    fn is_played(&self, at: usize, san: &San) -> bool {
        let ply = self.moves.get(at);
        ply.is_some_and(|(position, m)| san.to_move(position).is_ok_and(|known| known == *m))
    }

    /// Whether the record goes on behind the end that an answer gives, so that it is not followed
    /// to its end.
    fn is_too_long(&self, answer: &Answer) -> bool {
        let ends = |content: &CellContent| *content == CellContent::End;
        !self.complete && matches!(answer, Answer::Cell { content, .. } if ends(content))
    }

    fn keeps_to(&self, answer: &Answer) -> bool {
        match answer {
            Answer::Ply(fixed) => self.is_played(usize::from(fixed.ply) - 1, &fixed.san),
            Answer::Game(moves) => {
                let mut plies = moves.iter().enumerate();
                moves.len() == self.moves.len() && plies.all(|(at, san)| self.is_played(at, san))
            }
            Answer::Cell {
                sheet,
                cell,
                content,
            } => match content {
                CellContent::Move(san) => {
                    let at = self.ply_of(*sheet, *cell);
                    at.is_some_and(|at| self.is_played(at, san))
                }
                CellContent::NoMove => self.ply_of(*sheet, *cell).is_none(),
                CellContent::Illegible => true,
                CellContent::LeftOut(sans) => self.left_out(*sheet, *cell, sans).is_some(),
                CellContent::End => {
                    let mut cells = self.plies.iter().flat_map(|ply| &ply.cells);
                    !cells.any(|(of, at)| of == sheet && at >= cell)
                }
            },
        }
    }
}

/// The readings of some copies as a person has corrected them: a cell that holds no move is blank,
/// and so is every cell behind the end of the game. None where no answer says so.
pub(super) fn blank_answered_cells(
    copies: &[SheetReadings],
    answers: &[Answer],
    parameters: &copies::Parameters,
) -> Option<Vec<SheetReadings>> {
    let mut blank: Vec<(usize, usize)> = Vec::new();
    for answer in answers {
        let Answer::Cell {
            sheet,
            cell,
            content,
        } = answer
        else {
            continue;
        };
        let Some(at) = find_cell(copies, *sheet, *cell) else {
            continue;
        };
        match content {
            CellContent::NoMove => blank.push((*sheet, at)),
            CellContent::End => blank.extend(cells_from(copies, (*sheet, at), parameters)),
            _ => {}
        }
    }
    if blank.is_empty() {
        return None;
    }
    let mut copies = copies.to_vec();
    for (copy, at) in blank {
        let reading = &mut copies[copy].readings[at];
        reading.state = CellState::Blank;
        reading.text.clear();
        reading.mixture.clear();
    }
    Some(copies)
}

/// The written cells behind the end of the game that a person gives.
pub(super) fn cells_after_the_end(
    copies: &[SheetReadings],
    answers: &[Answer],
    parameters: &copies::Parameters,
) -> Vec<Unread> {
    let mut unread: Vec<Unread> = Vec::new();
    for answer in answers {
        let Answer::Cell {
            sheet,
            cell,
            content: CellContent::End,
        } = answer
        else {
            continue;
        };
        let Some(at) = find_cell(copies, *sheet, *cell) else {
            continue;
        };
        for (sheet, at) in cells_from(copies, (*sheet, at), parameters) {
            let reading = &copies[sheet].readings[at];
            let cell = Unread {
                sheet,
                cell: reading.id,
                reason: UnreadReason::AfterTheEnd,
            };
            if is_writing(reading) && !unread.contains(&cell) {
                unread.push(cell);
            }
        }
    }
    unread
}

/// Index of a cell among the readings of its copy.
fn find_cell(copies: &[SheetReadings], copy: usize, cell: CellId) -> Option<usize> {
    let mut readings = copies.get(copy)?.readings.iter();
    readings.position(|reading| reading.id == cell)
}

/// The cells of all copies from a cell of one of them on: the copy, and the index of the cell.
fn cells_from(
    copies: &[SheetReadings],
    from: (usize, usize),
    parameters: &copies::Parameters,
) -> Vec<(usize, usize)> {
    let (copy, first) = from;
    if copies.len() == 1 {
        let cells = first..copies[copy].readings.len();
        return cells.map(|at| (copy, at)).collect();
    }
    let readings: Vec<&[_]> = copies.iter().map(|c| c.readings.as_slice()).collect();
    let slots = copies::align(&readings, parameters);
    let start = slots.iter().position(|slot| slot[copy] >= Some(first));
    let start = start.unwrap_or(slots.len());
    // Where the alignment puts cells of other copies in between, their numbers decide.
    let end = copies[copy].readings[first].id;
    let is_behind = |slot: &&Vec<Option<usize>>| {
        let mut others = slot.iter().zip(copies);
        let is_behind = |(at, of): (&Option<usize>, &SheetReadings)| {
            at.is_some_and(|at| of.readings[at].id >= end)
        };
        slot[copy].is_none() && others.any(is_behind)
    };
    let between = slots[..start].iter().rev().take_while(is_behind).count();
    let behind = slots[start - between..].iter();
    let aligned = behind.flat_map(|slot| slot.iter().enumerate());
    let aligned = aligned.filter_map(|(copy, at)| Some((copy, (*at)?)));
    // The alignment leaves out blank cells, which are none of the copy's last ones.
    let own = (first..copies[copy].readings.len()).map(|at| (copy, at));
    let mut cells: Vec<(usize, usize)> = aligned.chain(own).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}
