//! Finds the records of games in a text.

use std::collections::BTreeMap;

use shakmaty::Chess;

use crate::notation::WordForm;

use super::interpreter::MoveInterpreter;
use super::passages::Passage;
use super::record_end::close_record;
use super::search::follow_record;
use super::typed_record::{RecordBreak, TypedRecord};
use super::words::TypedWord;

/// Smallest number of plies of a record that begins with move number 1. What federations' guides
/// show of single moves is shorter.
const MIN_PLIES: usize = 3;
/// Smallest score of such a record, in nats. Chosen by eye.
const MIN_SCORE_NATS: f32 = 6.0;
/// Smallest number of plies of a record that begins without a number. Chosen by eye.
const MIN_PLIES_UNNUMBERED: usize = 6;
/// Smallest score of such a record, in nats. Chosen by eye.
const MIN_SCORE_UNNUMBERED_NATS: f32 = 10.0;
/// Largest number of words between a first move that cannot be played and the word with the number
/// of the second move, which shows that a record begins there.
const MAX_WORDS_TO_SECOND_MOVE: usize = 8;
/// Smallest number of words between the last move and the first one of a new record without a
/// number.
const MIN_HEADING_WORDS: usize = 4;
/// Largest number of words, bracketed ones included, in which that last move is looked for.
const MAX_LOOK_BACK_WORDS: usize = 64;

/// Finds the records of a passage in one language, in their order. Behind tags stands the record of
/// their game, if any, and it comes first.
pub(super) fn find_passage_records(
    passage: &Passage,
    interpreter: &mut MoveInterpreter,
) -> Vec<TypedRecord> {
    let words = &passage.words;
    let Some(header) = &passage.source.header else {
        return find_records(words, interpreter);
    };
    let Ok(start) = &header.start else {
        return Vec::new();
    };
    let mut finder = RecordFinder { words, interpreter };
    let Some((record, end)) = finder.find_tagged(start) else {
        return Vec::new();
    };
    let mut records = finder.find_numbered(end);
    records.insert(0, record);
    finder.close_all(&mut records);
    records
}

/// Finds the records of a text without tags in one language, in their order.
fn find_records(words: &[TypedWord], interpreter: &mut MoveInterpreter) -> Vec<TypedRecord> {
    let mut finder = RecordFinder { words, interpreter };
    let mut records = finder.find_numbered(0);
    finder.add_unnumbered(&mut records);
    finder.add_unplayable(&mut records);
    records.sort_by_key(|record| record.start);
    finder.close_all(&mut records);
    records
}

/// The spans of words that records have: the last word by the first. No two overlap.
#[derive(Debug, Default)]
struct WordSpans(BTreeMap<usize, usize>);

impl WordSpans {
    /// Adds a span, both ends included, unless it overlaps another; says whether it was added.
    fn add(&mut self, first: usize, last: usize) -> bool {
        let is_free = self.is_free(first, last);
        if is_free {
            self.0.insert(first, last);
        }
        is_free
    }

    fn is_free(&self, first: usize, last: usize) -> bool {
        let before = self.0.range(..=last).next_back();
        before.is_none_or(|(_, end)| *end < first)
    }
}

struct RecordFinder<'a, 'i> {
    words: &'a [TypedWord<'a>],
    interpreter: &'i mut MoveInterpreter,
}

impl RecordFinder<'_, '_> {
    /// Finds the record behind tags that begins from a position, and the word behind it. Whatever
    /// stands first and may be a move begins it.
    fn find_tagged(&mut self, first: &Chess) -> Option<(TypedRecord, usize)> {
        let words = self.words;
        let is_move = |word: &TypedWord| match word.form {
            WordForm::Move | WordForm::Descriptive | WordForm::Garbled => true,
            WordForm::WordOrMove => word.number.is_some(),
            _ => false,
        };
        let numbered = words
            .iter()
            .position(|word| is_move(word) && word.number.is_some());
        let start = numbered.or_else(|| words.iter().position(is_move))?;
        let is_end = |word: &TypedWord| matches!(word.form, WordForm::End(_));
        let mark = (start..words.len()).find(|&at| is_end(&words[at]));
        let end = mark.and_then(|mark| (mark..words.len()).find(|&at| is_first(&words[at])));
        let end = end.unwrap_or(words.len());
        let number = words[start].number.and_then(|number| number.value);
        if *first == Chess::default() && number.is_some_and(|number| number > 1) {
            let record = TypedRecord {
                broken: Some(RecordBreak::Number(start)),
                ..TypedRecord::unplayable(start, first)
            };
            return Some((record, end));
        }
        let moves = follow_record(words, start, end, first, self.interpreter);
        let mut record = match moves {
            Some(moves) => TypedRecord {
                moves: moves.before_jump(words, first),
                ..TypedRecord::unplayable(start, first)
            },
            None => TypedRecord::unplayable(start, first),
        };
        if !record.moves.steps.is_empty() {
            close_record(&mut record, words, end);
        }
        Some((record, end))
    }

    /// Closes records in their order, each before the next.
    fn close_all(&self, records: &mut [TypedRecord]) {
        for i in 0..records.len() {
            let end = records
                .get(i + 1)
                .map_or(self.words.len(), |next| next.start);
            records[i].end = end;
            if !records[i].moves.steps.is_empty() {
                close_record(&mut records[i], self.words, end);
            }
        }
    }

    /// Finds the records that begin with move number 1, from a word on.
    fn find_numbered(&mut self, from: usize) -> Vec<TypedRecord> {
        let starts: Vec<usize> = (from..self.words.len())
            .filter(|&i| self.can_start(i, true))
            .collect();
        let mut records = Vec::new();
        let mut free = 0;
        for (k, &start) in starts.iter().enumerate() {
            if start < free {
                continue;
            }
            let depth = self.words[start].depth;
            let next = starts[k + 1..]
                .iter()
                .find(|&&i| self.words[i].depth <= depth);
            let end = next.copied().unwrap_or(self.words.len());
            if let Some(record) = self.record_at(start, end) {
                free = record.last() + 1;
                records.push(record);
            }
        }
        records
    }

    /// Adds the records that begin without a number, from between the numbered ones. Of candidates
    /// that overlap, the one with the highest score is taken.
    fn add_unnumbered(&mut self, records: &mut Vec<TypedRecord>) {
        let mut gaps = Vec::new();
        let mut from = 0;
        for record in records.iter() {
            gaps.push((from, record.start));
            from = record.last() + 1;
        }
        gaps.push((from, self.words.len()));
        let mut candidates = Vec::new();
        for (from, to) in gaps {
            for start in from..to {
                if self.can_start(start, false) {
                    let record = self.record_at(start, to);
                    candidates.extend(record);
                }
            }
        }
        candidates.sort_by(|a, b| b.moves.score.total_cmp(&a.moves.score));
        let mut spans = WordSpans::default();
        candidates.retain(|record| spans.add(record.start, record.last()));
        records.append(&mut candidates);
    }

    /// Adds records whose first move cannot be played, though a second one follows.
    fn add_unplayable(&mut self, records: &mut Vec<TypedRecord>) {
        let mut spans = WordSpans::default();
        for record in records.iter() {
            spans.add(record.start, record.last());
        }
        let is_move =
            |word: &TypedWord| matches!(word.form, WordForm::Move | WordForm::Descriptive);
        for start in 0..self.words.len() {
            let word = &self.words[start];
            if !is_first(word)
                || !is_move(word)
                || !self.interpreter.interpret_first(&word.text).is_empty()
                || !spans.is_free(start, start)
            {
                continue;
            }
            let goes_on = self.words[start + 1..]
                .iter()
                .take(MAX_WORDS_TO_SECOND_MOVE)
                .take_while(|word| !is_first(word))
                .any(|word| is_move(word) && word.has_number(2, false));
            if goes_on {
                records.push(TypedRecord::unplayable(start, &Chess::default()));
            }
        }
    }

    /// Whether a record can start with a word, as move number 1 or without a number.
    fn can_start(&mut self, at: usize, numbered: bool) -> bool {
        let word = &self.words[at];
        let is_in_place = if numbered {
            is_first(word)
        } else {
            word.number.is_none() && self.is_apart(at)
        };
        is_in_place
            && word.form == WordForm::Move
            && !self.is_aside(at)
            && !self.interpreter.interpret_first(&word.text).is_empty()
    }

    /// Whether a word stands in brackets behind the moves or the result of a game: in a comment or
    /// a side line.
    fn is_aside(&self, at: usize) -> bool {
        let depth = self.words[at].depth;
        if depth == 0 {
            return false;
        }
        let mut before = self.words[..at].iter().rev();
        let before = before.find(|word| word.depth < depth && word.form != WordForm::Suffix);
        before.is_some_and(|word| {
            matches!(
                word.form,
                WordForm::Move | WordForm::Descriptive | WordForm::End(_)
            )
        })
    }

    /// Whether a heading, an end mark or nothing stands between a word and the last move before it.
    fn is_apart(&self, at: usize) -> bool {
        let depth = self.words[at].depth;
        let mut prose_words = 0;
        for word in self.words[..at].iter().rev().take(MAX_LOOK_BACK_WORDS) {
            match word.form {
                _ if word.depth > depth => {}
                WordForm::Suffix => {}
                WordForm::End(_) => return true,
                WordForm::Prose => prose_words += word.count,
                _ => return false,
            }
            if prose_words >= MIN_HEADING_WORDS {
                return true;
            }
        }
        true
    }

    /// The record that starts with a word, if it is long and certain enough for one.
    fn record_at(&mut self, start: usize, end: usize) -> Option<TypedRecord> {
        let first = Chess::default();
        let moves = follow_record(self.words, start, end, &first, self.interpreter)?;
        let mut record = TypedRecord {
            moves: moves.before_jump(self.words, &first),
            ..TypedRecord::unplayable(start, &first)
        };
        close_record(&mut record, self.words, end);
        let is_numbered = self.words[start].number.is_some();
        let (min_plies, min_score) = if is_numbered {
            (MIN_PLIES, MIN_SCORE_NATS)
        } else {
            (MIN_PLIES_UNNUMBERED, MIN_SCORE_UNNUMBERED_NATS)
        };
        let is_certain = record.moves.steps.len() >= min_plies && record.moves.score >= min_score;
        let has_end = !record.marks.is_empty() || record.broken.is_some();
        let is_whole_text =
            || start == 0 && self.words.iter().all(|word| word.form != WordForm::Prose);
        (is_certain || (is_numbered && has_end) || is_whole_text()).then_some(record)
    }
}

/// Whether a word has the number of White's first move.
fn is_first(word: &TypedWord) -> bool {
    word.has_number(1, false)
}

#[cfg(test)]
mod tests {
    use super::super::words::split_words;
    use super::*;
    use crate::notation::Language;

    /// For each record of an English text: its number of plies, and the word that it breaks off at.
    fn records(text: &str) -> Vec<(usize, Option<String>)> {
        let words = split_words(text, 1);
        let language = Language::from_code("en").expect("a known code");
        find_records(&words, &mut MoveInterpreter::new(language))
            .iter()
            .map(|record| {
                let word = record
                    .broken
                    .map(|broken| words[broken.word()].text.to_string());
                (record.moves.steps.len(), word)
            })
            .collect()
    }

    fn whole(plies: usize) -> (usize, Option<String>) {
        (plies, None)
    }

    fn broken(plies: usize, word: &str) -> (usize, Option<String>) {
        (plies, Some(word.to_owned()))
    }

    #[test]
    fn each_game_that_begins_at_move_1_is_a_record() {
        let text = "Round 1\n1. e4 e5 2. Nf3 Nc6 1-0\nRound 2\n1. d4 d5 2. c4 dxc4 0-1\n";
        assert_eq!(records(text), [whole(4), whole(4)]);
    }

    #[test]
    fn comments_and_side_lines_behind_a_game_are_no_records() {
        let aside = "1. d4 d5 2. c4 e6 3. Nc3 Nf6";
        assert_eq!(
            records(&format!("1. e4 e5 2. Nf3 Nc6 ({aside}) 3. Bb5")),
            [whole(5)]
        );
        assert_eq!(
            records(&format!("1. e4 e5 2. Nf3 Nc6 1-0 {{{aside}}}")),
            [whole(4)]
        );
        assert_eq!(
            records(&format!("A game in brackets ({aside})")),
            [whole(6)]
        );
    }

    #[test]
    fn single_moves_in_prose_are_no_record() {
        let text = "One writes 1. e4 for the pawn, and 12. Nxd5 where the knight captures on d5.";
        assert_eq!(records(text), []);
    }

    #[test]
    fn a_row_of_moves_without_numbers_is_a_record_between_others() {
        let text = "1. e4 e5 2. Nf3 Nc6 1-0\nThe other board had this game\n\
                    d4 d5 c4 dxc4 Nf3 Nf6 e3 e6";
        assert_eq!(records(text), [whole(4), whole(8)]);
    }

    #[test]
    fn a_record_breaks_off_at_the_word_that_is_no_legal_move() {
        assert_eq!(records("1. e4 e5 2. Nf3 Nc6 3. Kd5 a6"), [broken(4, "Kd5")]);
        assert_eq!(records("1. e4 e5 2. foo a6"), [broken(2, "foo")]);
    }

    #[test]
    fn a_record_whose_first_move_cannot_be_played_is_found_by_its_second() {
        assert_eq!(records("1. Ke2 e5 2. Nf3 Nc6"), [broken(0, "Ke2")]);
        assert_eq!(records("1. Ke2 was never an option for White"), []);
    }

    #[test]
    fn a_finished_game_does_not_go_on() {
        // The king's walk after the mate is talk.
        let text = "1. f3 e5 2. g4 Qh4# and if 3. Kd5 were possible";
        assert_eq!(records(text), [whole(4)]);
    }

    #[test]
    fn spans_do_not_overlap() {
        let mut spans = WordSpans::default();
        assert!(spans.add(3, 5));
        assert!(!spans.add(5, 8) && !spans.add(0, 3) && !spans.add(0, 9));
        assert!(spans.add(6, 8) && spans.add(0, 2));
    }
}
