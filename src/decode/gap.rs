//! Gaps in a record: moves that no cell speaks for, one close upon another.
//!
//! A search that crosses some empty, ticked or scribbled rows can fill them with moves that make
//! the writing behind them legal; with three moves to choose there are nearly always some. A game
//! is therefore cut before a gap, and what is written behind it is kept as it was read.

use serde::{Deserialize, Serialize};

use super::confidence::move_confidences;
use super::move_posteriors::MovePosteriors;
use super::path::{Edge, Path, Step};

/// Number of cells of a row.
const ROW_CELLS: usize = 2;

/// Which moves without writing a game may hold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GapParameters {
    /// Largest number of unsupported moves among [`Self::few_moves`] in a row: those of one row. On
    /// HCS dev, EPFL and the sheets of `data/sheets` (85 games) no game has more.
    pub max_in_few: usize,
    /// The shorter number of moves among which the unsupported ones are counted.
    pub few_moves: usize,
    /// Largest number of unsupported moves among [`Self::many_moves`] in a row. The 85 games
    /// have at most four.
    pub max_in_many: usize,
    /// The longer number of moves among which the unsupported ones are counted.
    pub many_moves: usize,
    /// Number of cells behind an empty row in which the game must go on.
    pub clear_cells: usize,
    /// Number of them that are not explained, those explained in part counted in part, from which
    /// it does not go on there.
    pub max_unclear_cells: f32,
    /// Number of moves in a row whose mean confidence tells whether the search has lost its way.
    pub improbable_moves: usize,
    /// Smallest mean confidence of so many moves, 0 to 1, if two of them are unsupported. The least
    /// mean of a game of the sets was 0.48, but for a sheet of which half a column is hidden: 0.07.
    pub min_mean_confidence: f32,
    /// Share of a cell, 0 to 1, from which a move that leaves it unexplained may belong to an end
    /// that is no part of the game. Chosen by eye.
    pub min_unexplained_end_share: f32,
    /// Smallest number of supported moves in a row behind a gap that shows where the record can be
    /// followed again.
    pub min_resumed_moves: usize,
}

impl Default for GapParameters {
    fn default() -> Self {
        Self {
            max_in_few: 2,
            few_moves: 4,
            max_in_many: 4,
            many_moves: 16,
            clear_cells: 12,
            max_unclear_cells: 2.0,
            improbable_moves: 8,
            min_mean_confidence: 0.4,
            min_unexplained_end_share: 0.5,
            min_resumed_moves: 4,
        }
    }
}

/// The gap before which a path was cut, by its slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SlotGap {
    /// The first slot of the gap; none where no slot is left behind the cut.
    pub first: Option<usize>,
    /// The first and last of the slots behind it whose moves fit some position again.
    pub resumed: Option<[usize; 2]>,
}

/// What the search knows of a slot beside its moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlotInk {
    /// Whether no copy has ink in it.
    pub is_blank: bool,
    /// The least fit, in nats, of a move that one of its cells reads like.
    pub min_explained_fit: f32,
}

/// Ends a path before its first gap, if it has one. `ink` tells what stands in a slot.
pub(super) fn cut_before_gap(
    path: Path,
    posteriors: &MovePosteriors,
    ink: impl Fn(usize) -> SlotInk,
    parameters: &GapParameters,
) -> (Path, Option<SlotGap>) {
    let edges = path.edges.iter();
    let supports: Vec<Support> = edges.map(|edge| Support::of(edge, &ink)).collect();
    let confidences = move_confidences(&path.edges, posteriors);
    let starts = [
        find_crowd(&supports, parameters),
        find_moveless_rows(&supports, parameters),
        find_improbable_stretch(&supports, &confidences, parameters),
        find_unexplained_end(&supports, parameters),
    ];
    let Some(start) = starts.into_iter().flatten().min() else {
        return (path, None);
    };
    let mut edges = path.edges;
    let behind = edges.split_off(start);
    let slots = behind.iter().filter_map(|edge| edge.step.slot());
    let mut rest: Vec<usize> = slots.chain(path.rest).collect();
    // The path may have played two of them in exchanged order.
    rest.sort_unstable();
    let gap = SlotGap {
        first: rest.first().copied(),
        resumed: find_resumed(&behind, &supports[start..], parameters),
    };
    let path = Path {
        edges,
        rest,
        complete: false,
    };
    (path, Some(gap))
}

/// What the sheet says for an edge of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Support {
    /// A move that its cell reads like, and how far it leaves the cell unexplained, 0 to 1.
    Read(f32),
    /// A move that the writing of its cell does not read like.
    Unlike,
    /// A move without a cell.
    Missing,
    /// A move whose cell is blank.
    BlankMove,
    /// A blank cell that is no move.
    BlankSkip,
    /// Writing that is no move.
    WrittenSkip,
}

impl Support {
    fn of(edge: &Edge, ink: impl Fn(usize) -> SlotInk) -> Self {
        match edge.step {
            Step::Move {
                slot: Some(slot),
                fit,
                ..
            } if fit >= ink(slot.into()).min_explained_fit => {
                Self::Read(edge.step.unexplained_share())
            }
            Step::Move {
                slot: Some(slot), ..
            } if ink(slot.into()).is_blank => Self::BlankMove,
            Step::Move { slot: Some(_), .. } => Self::Unlike,
            // A person may have fixed it.
            Step::Move { slot: None, .. } if edge.step.is_explained() => Self::Read(0.0),
            Step::Move { slot: None, .. } => Self::Missing,
            Step::Skip(slot) if ink(slot.into()).is_blank => Self::BlankSkip,
            Step::Skip(_) => Self::WrittenSkip,
        }
    }

    fn is_read(self) -> bool {
        matches!(self, Self::Read(_))
    }

    fn is_move(self) -> bool {
        !matches!(self, Self::BlankSkip | Self::WrittenSkip)
    }

    fn is_unsupported_move(self) -> bool {
        matches!(self, Self::Unlike | Self::Missing | Self::BlankMove)
    }

    /// How far the edge leaves its cell unexplained, from 0 to 1.
    fn unexplained_share(self) -> f32 {
        match self {
            Self::Read(share) => share,
            _ => 1.0,
        }
    }
}

/// Index of the first of several last moves that leave their cells unexplained, one of them
/// unsupported: writing below a game, as a signature, that some legal moves happen to fit a little.
/// Nothing behind them speaks for them.
fn find_unexplained_end(supports: &[Support], parameters: &GapParameters) -> Option<usize> {
    let is_unexplained = |support: &Support| {
        !support.is_move() || support.unexplained_share() >= parameters.min_unexplained_end_share
    };
    let explained = supports
        .iter()
        .rposition(|support| !is_unexplained(support));
    let start = explained.map_or(0, |last| last + 1);
    let moves = supports[start..].iter().filter(|support| support.is_move());
    let unsupported = supports[start..]
        .iter()
        .filter(|support| support.is_unsupported_move());
    (moves.count() >= 2 && unsupported.count() >= 1).then_some(start)
}

/// Index of the edge behind the last supported move before too many unsupported ones.
fn find_crowd(supports: &[Support], parameters: &GapParameters) -> Option<usize> {
    let moves: Vec<usize> = (0..supports.len())
        .filter(|&at| supports[at].is_move())
        .collect();
    let is_unsupported = |at: &&usize| supports[**at].is_unsupported_move();
    let is_crowd = |first: usize, length: usize, max: usize| {
        let window = &moves[first..moves.len().min(first + length)];
        window.iter().filter(is_unsupported).count() > max
    };
    let first = (0..moves.len()).find(|&first| {
        is_unsupported(&&moves[first])
            && (is_crowd(first, parameters.few_moves, parameters.max_in_few)
                || is_crowd(first, parameters.many_moves, parameters.max_in_many))
    })?;
    Some(first.checked_sub(1).map_or(0, |before| moves[before] + 1))
}

/// Index of the first edge of rows that are neither one row of moves that nobody wrote nor rows
/// left over between two moves. Behind empty rows the writing must go on as the game does.
fn find_moveless_rows(supports: &[Support], parameters: &GapParameters) -> Option<usize> {
    let mut start = 0;
    for stretch in supports.chunk_by(|a, b| a.is_read() == b.is_read()) {
        let behind = start + stretch.len();
        let count = |is_counted: fn(Support) -> bool| {
            stretch
                .iter()
                .filter(|&&support| is_counted(support))
                .count()
        };
        let moves = count(Support::is_move);
        let blank = count(|s| matches!(s, Support::BlankMove | Support::BlankSkip));
        if !stretch[0].is_read() {
            let goes_on = supports[behind..].iter().take(parameters.clear_cells);
            let unexplained: f32 = goes_on.map(|s| s.unexplained_share()).sum();
            let is_mixed = moves > 0 && stretch.len() - moves >= ROW_CELLS;
            let is_unclear = unexplained >= parameters.max_unclear_cells;
            if is_mixed || blank >= ROW_CELLS && is_unclear {
                return Some(start);
            }
        }
        start = behind;
    }
    None
}

/// Index of the first unsupported move in a stretch of moves most of which are probably wrong: the
/// search has lost its way there, and what it makes of the writing is chance.
fn find_improbable_stretch(
    supports: &[Support],
    confidences: &[(usize, f32)],
    parameters: &GapParameters,
) -> Option<usize> {
    let length = parameters.improbable_moves.max(1);
    let unsupported = |stretch: &[(usize, f32)]| -> Vec<usize> {
        let moves = stretch.iter().map(|&(at, _)| at);
        moves
            .filter(|&at| supports[at].is_unsupported_move())
            .collect()
    };
    let stretch = confidences.windows(length).find(|stretch| {
        let sum: f32 = stretch.iter().map(|&(_, confidence)| confidence).sum();
        sum < parameters.min_mean_confidence * length as f32 && unsupported(stretch).len() > 1
    })?;
    unsupported(stretch).first().copied()
}

/// The first and last slot of the first supported moves in a row that are as many as the parameters
/// ask for.
fn find_resumed(
    behind: &[Edge],
    supports: &[Support],
    parameters: &GapParameters,
) -> Option<[usize; 2]> {
    let read = |(edge, support): (&Edge, &Support)| edge.step.slot().filter(|_| support.is_read());
    let slots: Vec<Option<usize>> = behind.iter().zip(supports).map(read).collect();
    let mut runs = slots.chunk_by(|a, b| a.is_some() == b.is_some());
    let min_moves = parameters.min_resumed_moves.max(1);
    let run = runs.find(|run| run[0].is_some() && run.len() >= min_moves)?;
    Some([run[0]?, run[run.len() - 1]?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_last_moves_that_explain_nothing_are_no_part_of_the_game() {
        use Support::{BlankSkip, Read, Unlike};
        let start = |supports: &[Support]| find_unexplained_end(supports, &Default::default());
        let game = [Read(0.0), Read(0.6), Read(0.1)];
        assert_eq!(start(&game), None);
        // The last move may be illegible, and a person is asked.
        assert_eq!(start(&[&game[..], &[Unlike]].concat()), None);
        assert_eq!(start(&[&game[..], &[Read(0.6), Unlike]].concat()), Some(3));
        let behind_a_blank = [&game[..], &[BlankSkip, Unlike, Read(0.7)]].concat();
        assert_eq!(start(&behind_a_blank), Some(3));
        let only_faint = [&game[..], &[Read(0.6), Read(0.7)]].concat();
        assert_eq!(start(&only_faint), None);
    }
}
