//! Where in a text games are recorded, and how each record ends.

use std::collections::BTreeMap;

use shakmaty::{Chess, Color, Position};

use crate::notation::EndMark;

use super::follow::{Line, follow};
use super::kind::Kind;
use super::lexicon::Lexicon;
use super::words::{Number, Word};

/// Half-moves of the shortest record that is believed amid prose. What the guides show of single moves is shorter.
const SHORTEST: usize = 3;
/// Balance of a record that is believed, in nats.
const BELIEVED: f32 = 6.0;
/// Half-moves and balance where no number says that a game begins.
const SHORTEST_UNNUMBERED: usize = 6;
const BELIEVED_UNNUMBERED: f32 = 10.0;
/// Words in which the second move follows where a first one cannot be played.
const NEAR: usize = 8;
/// Words between a move and the beginning of a game without a number.
const HEADING: usize = 4;
/// Words and brackets searched for that move.
const LOOK_BACK: usize = 64;
/// Words in which a record may go on after prose.
const FAR: usize = 300;

/// Why a record is not followed to its end; the index of the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// The word is no legal move there.
    At(usize),
    /// The record goes on, and what should be the next move is not there.
    Missing(usize),
}

/// A record found in a text.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// Index of its first word.
    pub start: usize,
    pub line: Line,
    pub broken: Option<Broken>,
    /// End marks behind the last move.
    pub marks: Vec<EndMark>,
}

impl Found {
    fn last(&self) -> usize {
        self.line.steps.last().map_or(self.start, |step| step.word)
    }
}

/// The records of a text in one language, in their order.
pub(super) fn find(words: &[Word], lexicon: &mut Lexicon) -> Vec<Found> {
    let mut finder = Finder { words, lexicon };
    let mut found = finder.numbered();
    finder.unnumbered(&mut found);
    finder.unplayable(&mut found);
    found.sort_by_key(|record| record.start);
    for i in 0..found.len() {
        let end = found.get(i + 1).map_or(words.len(), |next| next.start);
        if !found[i].line.steps.is_empty() {
            finder.close(&mut found[i], end);
        }
    }
    found
}

/// Stretches of words that records have taken, by their first; none overlaps another.
#[derive(Debug, Default)]
struct Spans(BTreeMap<usize, usize>);

impl Spans {
    /// Takes a stretch, both ends included, if it is free.
    fn take(&mut self, first: usize, last: usize) -> bool {
        let free = self.is_free(first, last);
        if free {
            self.0.insert(first, last);
        }
        free
    }

    fn is_free(&self, first: usize, last: usize) -> bool {
        let before = self.0.range(..=last).next_back();
        before.is_none_or(|(_, end)| *end < first)
    }
}

fn is_first(word: &Word) -> bool {
    word.number
        == Some(Number {
            value: Some(1),
            black: false,
        })
}

struct Finder<'a, 'l> {
    words: &'a [Word<'a>],
    lexicon: &'l mut Lexicon,
}

impl Finder<'_, '_> {
    /// Records that begin with a move numbered 1.
    fn numbered(&mut self) -> Vec<Found> {
        let starts: Vec<usize> = (0..self.words.len())
            .filter(|&i| self.opens(i, true))
            .collect();
        let mut found = Vec::new();
        let mut free = 0;
        for (k, &start) in starts.iter().enumerate() {
            if start < free {
                continue;
            }
            let depth = self.words[start].depth;
            let barrier = starts[k + 1..]
                .iter()
                .find(|&&i| self.words[i].depth <= depth);
            let end = barrier.copied().unwrap_or(self.words.len());
            if let Some(record) = self.record(start, end) {
                free = record.last() + 1;
                found.push(record);
            }
        }
        found
    }

    /// Records without a number at their beginning, between those that were found. Where several might begin, the one
    /// that explains most does.
    fn unnumbered(&mut self, found: &mut Vec<Found>) {
        let mut gaps = Vec::new();
        let mut from = 0;
        for record in found.iter() {
            gaps.push((from, record.start));
            from = record.last() + 1;
        }
        gaps.push((from, self.words.len()));
        let mut candidates = Vec::new();
        for (from, to) in gaps {
            for start in from..to {
                if self.opens(start, false) {
                    let record = self.record(start, to);
                    candidates.extend(record);
                }
            }
        }
        candidates.sort_by(|a, b| b.line.score.total_cmp(&a.line.score));
        let mut taken = Spans::default();
        candidates.retain(|record| taken.take(record.start, record.last()));
        found.append(&mut candidates);
    }

    /// Whether a game may begin with a word: as move 1, or without a number.
    fn opens(&mut self, at: usize, numbered: bool) -> bool {
        let word = &self.words[at];
        let place = if numbered {
            is_first(word)
        } else {
            word.number.is_none() && self.is_apart(at)
        };
        place && word.kind == Kind::Move && !self.lexicon.openings(&word.text).is_empty()
    }

    /// Whether no move stands right before a word.
    fn is_apart(&self, at: usize) -> bool {
        let depth = self.words[at].depth;
        let mut prose = 0;
        for word in self.words[..at].iter().rev().take(LOOK_BACK) {
            match word.kind {
                _ if word.depth > depth => {}
                Kind::Sign => {}
                Kind::End(_) => return true,
                Kind::Prose => prose += word.count,
                _ => return false,
            }
            if prose >= HEADING {
                return true;
            }
        }
        true
    }

    /// Whether a record is a mere row of moves, without numbers and prose.
    fn is_row(&self, record: &Found) -> bool {
        let mut words = self.words[record.start..=record.last()].iter();
        self.words[record.start].number.is_none()
            && record.line.steps.len() > 1
            && words.all(|word| word.kind != Kind::Prose)
    }

    /// The record that begins with a word, if it is one.
    fn record(&mut self, start: usize, end: usize) -> Option<Found> {
        let line = follow(self.words, start, end, self.lexicon)?;
        let mut record = Found {
            start,
            line,
            broken: None,
            marks: Vec::new(),
        };
        self.close(&mut record, end);
        let numbered = self.words[start].number.is_some();
        let (shortest, believed) = if numbered {
            (SHORTEST, BELIEVED)
        } else {
            (SHORTEST_UNNUMBERED, BELIEVED_UNNUMBERED)
        };
        let sure = record.line.steps.len() >= shortest && record.line.score >= believed;
        let ends = !record.marks.is_empty() || record.broken.is_some();
        let alone = || start == 0 && self.words.iter().all(|word| word.kind != Kind::Prose);
        (sure || (numbered && ends) || alone()).then_some(record)
    }

    /// Looks behind the last move of a record: it ends with a mark, goes on with what cannot be played, or is over.
    fn close(&self, record: &mut Found, end: usize) {
        let base = self.words[record.start].depth;
        let last = record.last();
        record.marks = mark_behind(&self.words[last].text).into_iter().collect();
        record.broken = None;
        let position = replay(&record.line);
        let over = position.is_game_over();
        let black = position.turn() == Color::Black;
        let next = record.line.next;
        let row = self.is_row(record);
        let (mut prose, mut first, mut due) = (0, None, row);
        let behind = (last + 1..end).take_while(|&at| self.words[at].depth >= base);
        for at in behind {
            let word = &self.words[at];
            if word.depth > base || word.kind == Kind::Sign {
                continue;
            }
            let tight = prose == 0;
            if let (Kind::End(mark), true) = (word.kind, tight) {
                record.marks.push(mark);
                continue;
            }
            if over || !record.marks.is_empty() || prose > FAR {
                return;
            }
            if matches!(word.kind, Kind::Move | Kind::Descriptive | Kind::Garbled) {
                if tight {
                    record.broken = Some(Broken::At(at));
                    return;
                }
                let back = black && is_numbered(word, next, false);
                let value = word.number.and_then(|number| number.value);
                let ahead = value.is_some_and(|value| value == next || value == next + 1);
                if !back && (ahead || (due && value.is_none() && prose <= NEAR)) {
                    let at_last = is_numbered(word, next, black);
                    record.broken = Some(match first {
                        Some(first) if !at_last => Broken::Missing(first),
                        _ => Broken::At(at),
                    });
                    return;
                }
            }
            let numbered = is_numbered(word, next, black);
            if numbered && tight {
                record.broken = Some(Broken::At(at));
                return;
            }
            if first.is_none() && (numbered || (tight && (black || row))) {
                first = Some(at);
                due |= numbered;
            }
            prose += word.count;
        }
    }

    /// Records whose first move cannot be played, though a second one follows.
    fn unplayable(&mut self, found: &mut Vec<Found>) {
        let mut taken = Spans::default();
        for record in found.iter() {
            taken.take(record.start, record.last());
        }
        for start in 0..self.words.len() {
            let word = &self.words[start];
            let shaped = |word: &Word| matches!(word.kind, Kind::Move | Kind::Descriptive);
            if !is_first(word)
                || !shaped(word)
                || !self.lexicon.openings(&word.text).is_empty()
                || !taken.is_free(start, start)
            {
                continue;
            }
            let behind = self.words[start + 1..].iter().take(NEAR);
            let goes_on = behind
                .take_while(|word| !is_first(word))
                .any(|word| shaped(word) && is_numbered(word, 2, false));
            if goes_on {
                found.push(Found {
                    start,
                    line: Line {
                        steps: Vec::new(),
                        score: 0.0,
                        next: 1,
                        unsure: None,
                    },
                    broken: Some(Broken::At(start)),
                    marks: Vec::new(),
                });
            }
        }
    }
}

fn is_numbered(word: &Word, value: u32, black: bool) -> bool {
    word.number
        == Some(Number {
            value: Some(value),
            black,
        })
}

/// The position after a line.
fn replay(line: &Line) -> Chess {
    let mut position = Chess::default();
    for step in &line.steps {
        position.play_unchecked(step.m);
    }
    position
}

/// A result written on to a move: `Dxf2#0-1`.
fn mark_behind(text: &str) -> Option<EndMark> {
    const RESULTS: [(&str, EndMark); 5] = [
        ("1-0", EndMark::WhiteWins),
        ("0-1", EndMark::BlackWins),
        ("½", EndMark::Draw),
        ("1/2", EndMark::Draw),
        ("abb.", EndMark::LoserHere),
    ];
    let of = |(result, mark): &(&str, EndMark)| text.ends_with(result).then_some(*mark);
    RESULTS.iter().find_map(of)
}
