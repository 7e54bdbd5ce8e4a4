//! How a record ends: by a result, by a word that is no legal move, or with the text.

use shakmaty::{Color, Position};

use crate::notation::{WordForm, parse_color, parse_score};

use super::typed_record::{RecordBreak, TypedRecord, attached_mark};
use super::words::TypedWord;

/// Largest number of words of prose between the last move and a word with the form of a move that
/// has no number, if the record must go on.
const MAX_WORDS_TO_NEXT_MOVE: usize = 8;
/// Largest number of words of prose after which a record can go on.
const MAX_PROSE_WORDS: usize = 300;

/// Sets the end marks of a record and where it breaks off, by the words from its last move to
/// before the word `end`.
pub(super) fn close_record(record: &mut TypedRecord, words: &[TypedWord], end: usize) {
    let depth = words[record.start].depth;
    let last = record.last();
    record.marks = attached_mark(&words[last].text).into_iter().collect();
    record.broken = None;
    let position = record.replay();
    let is_over = position.is_game_over();
    let black = position.turn() == Color::Black;
    let next = record.moves.next;
    let is_row = is_row(record, words);
    // The first word that stands where the next move should be, and whether a move must follow.
    let (mut candidate, mut must_go_on) = (None, is_row);
    let mut prose_words = 0;
    let after = (last + 1..end).take_while(|&at| words[at].depth >= depth);
    for at in after {
        let word = &words[at];
        if word.depth > depth || word.form == WordForm::Suffix {
            continue;
        }
        let is_adjacent = prose_words == 0;
        if let (WordForm::End(mark), true) = (word.form, is_adjacent) {
            record.marks.push(mark);
            continue;
        }
        let is_next = word.has_number(next, black);
        if !record.marks.is_empty() && !is_over && prose_words <= MAX_WORDS_TO_NEXT_MOVE {
            let is_reply = black && is_adjacent && is_reply(record, words, word);
            if word.form == WordForm::Move && (is_next || is_reply) {
                record.broken = Some(RecordBreak::BehindEnd(at));
                return;
            }
            prose_words += word.count;
            continue;
        }
        if is_over || !record.marks.is_empty() || prose_words > MAX_PROSE_WORDS {
            return;
        }
        let is_near =
            word.line == words[last].line && prose_words <= MAX_WORDS_TO_NEXT_MOVE && !must_go_on;
        if let (WordForm::End(mark), true) = (word.form, is_near && is_whole_result(word)) {
            record.marks.push(mark);
            continue;
        }
        if matches!(
            word.form,
            WordForm::Move | WordForm::Descriptive | WordForm::Garbled
        ) {
            let value = word.number.and_then(|number| number.value);
            if is_adjacent {
                record.broken = Some(match value {
                    Some(value) if value > next => RecordBreak::Number(at),
                    _ => RecordBreak::Illegal(at),
                });
                return;
            }
            let is_earlier = black && word.has_number(next, false);
            let is_ahead = value.is_some_and(|value| value == next || value == next + 1);
            let is_near = must_go_on && value.is_none() && prose_words <= MAX_WORDS_TO_NEXT_MOVE;
            if !is_earlier && (is_ahead || is_near) {
                record.broken = Some(match candidate {
                    Some(candidate) if !is_next => RecordBreak::Missing(candidate),
                    _ => RecordBreak::Illegal(at),
                });
                return;
            }
        }
        if is_next && is_adjacent {
            record.broken = Some(RecordBreak::Illegal(at));
            return;
        }
        if candidate.is_none() && (is_next || (is_adjacent && (black || is_row))) {
            candidate = Some(at);
            must_go_on |= is_next;
        }
        prose_words += word.count;
    }
}

/// Whether a record is only a row of moves, without numbers and prose.
fn is_row(record: &TypedRecord, words: &[TypedWord]) -> bool {
    let mut own = words[record.start..=record.last()].iter();
    words[record.start].number.is_none()
        && record.moves.steps.len() > 1
        && own.all(|word| word.form != WordForm::Prose)
}

/// Whether a word may be Black's reply to the last move of a record, on the same line, though
/// an end stands between them: in `1. e4 ½ e5` the half is an offer.
fn is_reply(record: &TypedRecord, words: &[TypedWord], word: &TypedWord) -> bool {
    word.number.is_none()
        && words[record.start].number.is_some()
        && word.line == words[record.last()].line
}

/// Whether a word is a score or says what became of a player, and so is an end behind prose too.
fn is_whole_result(word: &TypedWord) -> bool {
    matches!(word.form, WordForm::End(_))
        && (parse_score(&word.text).is_some() || parse_color(&word.text).is_some())
}
