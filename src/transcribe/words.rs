//! Splits a text into the words that can be moves: each knows the move number before it and how
//! many brackets it stands in, and other words are joined into runs.

use std::borrow::Cow;

use crate::notation::{EndMark, WordForm};

use super::token_style::{TokenStyle, join_end_mark};
use super::token_text::{
    is_bullet_or_quote, is_clock_time, normalize, split_leading_number, trim_punctuation,
};
use super::tokens::{Token, split_tokens};

/// Words for the clock that also say, alone, that the time of a player is over, in lower case.
const CLOCK_WORDS: [&str; 3] = ["time", "tempo", "zeit"];

/// A move number in the text, or the dots that stand for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MoveNumber {
    /// The number; none where there are only dots.
    pub value: Option<u32>,
    /// Whether dots say that it is Black's move: `2...` or `2. ...`.
    pub black: bool,
}

/// A word, or a run of words of prose.
#[derive(Debug, Clone)]
pub(super) struct TypedWord<'a> {
    /// The normalized text; in a run, that of the first word.
    pub text: Cow<'a, str>,
    /// The line of the word in the text, from 1.
    pub line: usize,
    /// The byte of the passage behind the word.
    pub end: usize,
    /// The number of brackets that the word stands in.
    pub depth: u16,
    /// The move number directly before the word.
    pub number: Option<MoveNumber>,
    /// What the word can be.
    pub form: WordForm,
    /// The number of words in the run; 1 for anything but prose.
    pub count: usize,
    /// Whether it is a word for an end that begins a remark, as in `Draw offered`, so that the game
    /// may go on behind it.
    pub is_remark: bool,
}

impl TypedWord<'_> {
    /// Whether a number of one player's move stands before the word.
    pub fn has_number(&self, value: u32, black: bool) -> bool {
        let value = Some(value);
        self.number == Some(MoveNumber { value, black })
    }
}

/// Splits a text, whose first line has this number, into words.
pub(super) fn split_words(text: &str, first_line: usize) -> Vec<TypedWord<'_>> {
    let tokens = split_tokens(text, first_line);
    let style = TokenStyle::of(&tokens);
    let mut words: Vec<TypedWord> = Vec::new();
    let mut pending = PendingNumbers::default();
    let mut i = 0;
    while i < tokens.len() {
        let token = tokens[i];
        let Token { line, depth, .. } = token;
        pending.leave(depth);
        if is_clock_time(trim_punctuation(token.text)) {
            i += 1;
            continue;
        }
        if let Some((mark, count)) = join_end_mark(&tokens[i..]) {
            pending.clear();
            words.push(TypedWord {
                text: Cow::Borrowed(token.text),
                line,
                end: tokens[i + count - 1].end,
                depth,
                number: None,
                form: WordForm::End(mark),
                count: 1,
                is_remark: false,
            });
            i += count;
            continue;
        }
        let text = pending.take_number_off(trim_punctuation(token.text), depth);
        let (text, count) = match style.join_move(text, &tokens[i..]) {
            Some((joined, count)) => (Cow::Owned(joined), count),
            None => (normalize(text), 1),
        };
        let end = tokens[i + count - 1].end;
        i += count;
        if text.is_empty() {
            continue;
        }
        let form = style.classify(&text);
        let number = pending.take(depth);
        let is_remark = matches!(form, WordForm::End(_)) && begins_remark(&text, &tokens[i - 1..]);
        match words.last_mut() {
            Some(last)
                if form == WordForm::Prose
                    && last.form == WordForm::Prose
                    && last.depth == depth
                    && number.is_none() =>
            {
                last.count += 1;
                last.end = end;
            }
            _ => words.push(TypedWord {
                text,
                line,
                end,
                depth,
                number,
                form,
                count: 1,
                is_remark,
            }),
        }
    }
    words
}

/// Whether a word for an end, the first of some tokens, goes on with a remark on its line. A player
/// who gives up has ended the game.
fn begins_remark(text: &str, tokens: &[Token]) -> bool {
    let is_open = text.chars().all(char::is_alphabetic);
    let gives_up = matches!(WordForm::classify(text), WordForm::End(EndMark::LoserHere))
        && !CLOCK_WORDS.contains(&text.to_lowercase().as_str());
    let [token, next, ..] = tokens else {
        return false;
    };
    is_open
        && !gives_up
        && next.line == token.line
        && WordForm::classify(next.text) == WordForm::Prose
}

/// Numbers that wait for their word, each with the number of brackets that it stands in. A comment
/// may stand between the two, but both are in the same brackets.
#[derive(Debug, Default)]
struct PendingNumbers(Vec<(u16, MoveNumber)>);

impl PendingNumbers {
    /// Takes the move number and dots off the start of a token; gives what is left.
    fn take_number_off<'a>(&mut self, text: &'a str, depth: u16) -> &'a str {
        if matches!(WordForm::classify(&normalize(text)), WordForm::End(_)) {
            return text;
        }
        let mut rest = text;
        if let Some((value, after)) = split_leading_number(rest) {
            self.push_number(value, depth);
            rest = after;
        }
        let after = rest.trim_start_matches(['.', '…', ')']);
        let dots = &rest[..rest.len() - after.len()];
        if dots.contains('…') || dots.matches('.').count() > 1 {
            self.push_dots(depth);
        }
        after.trim_start_matches(is_bullet_or_quote)
    }

    fn push_number(&mut self, value: u32, depth: u16) {
        self.take(depth);
        let number = MoveNumber {
            value: Some(value),
            black: false,
        };
        self.0.push((depth, number));
    }

    fn push_dots(&mut self, depth: u16) {
        let value = self.take(depth).and_then(|number| number.value);
        self.0.push((depth, MoveNumber { value, black: true }));
    }

    /// Takes the number that waits in these brackets.
    fn take(&mut self, depth: u16) -> Option<MoveNumber> {
        self.0
            .pop_if(|(at, _)| *at == depth)
            .map(|(_, number)| number)
    }

    /// Drops the numbers of brackets that are closed.
    fn leave(&mut self, depth: u16) {
        while self.0.pop_if(|(at, _)| *at > depth).is_some() {}
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of the words that are not prose, with their numbers as `1.`, `1...` or `...`.
    fn moves(text: &str) -> Vec<String> {
        split_words(text, 1)
            .iter()
            .filter(|word| word.form != WordForm::Prose)
            .map(|word| {
                let number = word.number.map_or(String::new(), |number| {
                    let value = number
                        .value
                        .map_or(String::new(), |value| value.to_string());
                    format!("{value}{}", if number.black { "..." } else { "." })
                });
                format!("{number}{}", word.text)
            })
            .collect()
    }

    #[test]
    fn a_number_belongs_to_the_word_after_it_however_it_is_written() {
        for text in [
            "1.e4 c5",
            "1. e4 c5",
            "1 e4, c5",
            "1) e4 c5",
            "1e4 c5",
            "- 1: e4; c5",
        ] {
            assert_eq!(moves(text), ["1.e4", "c5"], "{text}");
        }
        for text in ["1...c5", "1. ... c5", "1 … c5", "1. … c5"] {
            assert_eq!(moves(text), ["1...c5"], "{text}");
        }
        assert_eq!(moves("... c5"), ["...c5"]);
    }

    #[test]
    fn a_number_waits_over_a_comment_but_not_beyond_its_bracket() {
        assert_eq!(moves("1. (best by test) e4"), ["1.e4"]);
        assert_eq!(moves("(see 12.) e4"), ["e4"]);
    }

    #[test]
    fn variations_stand_deeper_than_the_game() {
        let words = split_words("1. e4 (1. d4 [1. c4 e5] d5) e5", 1);
        let depths: Vec<u16> = words.iter().map(|word| word.depth).collect();
        assert_eq!(depths, [0, 1, 2, 2, 1, 0]);
    }

    #[test]
    fn brackets_of_moves_and_brackets_that_do_not_close_open_nothing() {
        for text in [
            "b8(Q) e5",
            "e4 (=) e5",
            "e4 ( e5",
            "e4 ) e5",
            "e4 ( d5\n\nd4 ) e5",
        ] {
            assert!(
                split_words(text, 1).iter().all(|word| word.depth == 0),
                "{text}"
            );
        }
    }

    #[test]
    fn times_of_the_clock_are_no_numbers_of_moves() {
        assert_eq!(moves("3. Bb5 1:25 a6 01:27:10 1-0"), ["3.Bb5", "a6", "1-0"]);
    }

    #[test]
    fn dashes_and_cyrillic_look_alikes_are_the_usual_signs() {
        assert_eq!(moves("О–О е4 Nхd5 0—0—0"), ["O-O", "e4", "Nxd5", "0-0-0"]);
    }

    #[test]
    fn a_result_written_with_blanks_is_one_word() {
        for (text, mark) in [
            ("1 - 0", EndMark::WhiteWins),
            ("½ – ½", EndMark::Draw),
            ("0 : 1.", EndMark::BlackWins),
            ("0,5 - 0,5", EndMark::Draw),
            ("0,5:0,5", EndMark::Draw),
            ("White resigns", EndMark::BlackWins),
            ("Schwarz gibt auf.", EndMark::WhiteWins),
            ("Las negras abandonan", EndMark::WhiteWins),
            ("gibt auf", EndMark::LoserHere),
        ] {
            let words = split_words(text, 1);
            assert_eq!(words.len(), 1, "{text}");
            assert_eq!(words[0].form, WordForm::End(mark), "{text}");
        }
    }

    #[test]
    fn a_move_written_with_blanks_is_one_word() {
        for text in [
            "1. e2 - e4 e7 - e5",
            "1. E2 - E4 E7-E5",
            "1.e2- e4 e7 -e5",
            "1 e2 e4 e7 e5",
        ] {
            let words: Vec<String> = moves(text).iter().map(|m| m.replace('-', "")).collect();
            assert_eq!(words, ["1.e2e4", "e7e5"], "{text}");
        }
        assert_eq!(
            moves("1. Ng1 - f3 d7 - d5 2. Nf3 x d4"),
            ["1.Ng1-f3", "d7-d5", "2.Nf3xd4"]
        );
        assert_eq!(moves("4. O - O O - O - O"), ["4.O-O", "O-O-O"]);
        // Here the dash stands between the moves of the players.
        assert_eq!(
            moves("1. e4 - e5 2. Nf3 - Nc6"),
            ["1.e4", "e5", "2.Nf3", "Nc6"]
        );
    }

    #[test]
    fn figures_are_moves_where_no_others_are() {
        assert_eq!(
            moves("1. 5254 5755 2.7163 2836"),
            ["1.5254", "5755", "2.7163", "2836"]
        );
        assert_eq!(moves("In 1845 and 1876: 1. e4 e5"), ["1.e4", "e5"]);
    }

    #[test]
    fn prose_is_one_word_with_a_count() {
        let words = split_words("The game began\nwith 1. e4", 1);
        assert_eq!((words[0].form, words[0].count), (WordForm::Prose, 4));
        assert_eq!((words[1].text.as_ref(), words[1].line), ("e4", 2));
    }
}
