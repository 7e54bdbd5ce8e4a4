//! Splits a text into the words that can be moves: each knows the move number before it and how
//! many brackets it stands in, and other words are joined into runs.

use std::borrow::Cow;

use crate::notation::{MAX_MOVE_CHARS, WordForm};

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
    /// The number of brackets that the word stands in.
    pub depth: u16,
    /// The move number directly before the word.
    pub number: Option<MoveNumber>,
    /// What the word can be.
    pub form: WordForm,
    /// The number of words in the run; 1 for anything but prose.
    pub count: usize,
}

/// Largest length of a text in brackets, in bytes; a bracket that closes later is taken for a slip.
const MAX_BRACKET_BYTES: usize = 4000;

/// Splits a text into words.
pub(super) fn split_words(text: &str) -> Vec<TypedWord<'_>> {
    let tokens = split_tokens(text);
    let mut words: Vec<TypedWord> = Vec::new();
    let mut pending = PendingNumbers::default();
    let mut i = 0;
    while i < tokens.len() {
        let Token { text, line, depth } = tokens[i];
        pending.leave(depth);
        if let Some(result) = join_spaced_result(&tokens[i..]) {
            pending.clear();
            words.push(TypedWord {
                text: Cow::Owned(result.clone()),
                line,
                depth,
                number: None,
                form: WordForm::classify(&result),
                count: 1,
            });
            i += 3;
            continue;
        }
        i += 1;
        let text = pending.take_number_off(trim_punctuation(text), depth);
        let text = normalize(text);
        if text.is_empty() {
            continue;
        }
        let form = WordForm::classify(&text);
        let number = pending.take(depth);
        match words.last_mut() {
            Some(last)
                if form == WordForm::Prose
                    && last.form == WordForm::Prose
                    && last.depth == depth
                    && number.is_none() =>
            {
                last.count += 1;
            }
            _ => words.push(TypedWord {
                text,
                line,
                depth,
                number,
                form,
                count: 1,
            }),
        }
    }
    words
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

/// Whether a character is a bullet, dash or quotation mark that can stand before a word.
fn is_bullet_or_quote(c: char) -> bool {
    matches!(
        c,
        '-' | '–' | '—' | '*' | '•' | '·' | '_' | '\'' | '‘' | '’' | '\u{feff}'
    )
}

/// A token without the bullets, quotation marks and single brackets around it.
fn trim_punctuation(text: &str) -> &str {
    let mut text = text.trim_start_matches(is_bullet_or_quote);
    if !text.contains(')') {
        text = text.trim_start_matches(['(', '[', '{']);
    }
    if !text.contains('(') && text.trim_end_matches(['.', ')']) != text.trim_end_matches('.') {
        // A bracket behind a number belongs to the number: `1)`.
        let inside = text.trim_end_matches(['.', ')', ']', '}']);
        if !inside.chars().all(|c| c.is_ascii_digit()) {
            text = inside;
        }
    }
    if text.ends_with("ch'") || text.ends_with("ch’") {
        return text;
    }
    text.trim_end_matches(['_', '*', '\'', '‘', '’', '•'])
}

/// The number at the start of `1.d4`, `1`, `1)` or `1e4`, and what stands after it.
fn split_leading_number(text: &str) -> Option<(u32, &str)> {
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &text[..text.len() - after.len()];
    let value = digits
        .parse()
        .ok()
        .filter(|_| digits.len() <= 3 && !digits.starts_with('0'))?;
    let is_closed = after.is_empty() || after.starts_with(['.', '…', ')', ':']);
    let after = after.trim_start_matches(':');
    (is_closed || WordForm::classify(&normalize(after)) == WordForm::Move).then_some((value, after))
}

/// A result that is written with blanks as three tokens, such as `1 - 0` and `½ – ½`, as one word.
fn join_spaced_result(tokens: &[Token]) -> Option<String> {
    let [white, dash, black, ..] = tokens else {
        return None;
    };
    let points = |token: &Token| {
        let text = token.text.trim_end_matches('.');
        matches!(text, "0" | "1" | "½" | "1/2").then(|| text.to_owned())
    };
    let is_dash = matches!(dash.text, "-" | "–" | "—" | ":");
    let result = format!("{}-{}", points(white)?, points(black)?);
    (is_dash && matches!(WordForm::classify(&result), WordForm::End(_))).then_some(result)
}

/// A word in which dashes, multiplication signs, apostrophes and Cyrillic letters that look like
/// files or castling signs are replaced by the usual ones.
fn normalize(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || text.chars().count() > MAX_MOVE_CHARS {
        return Cow::Borrowed(text);
    }
    let is_castling = text.chars().all(|c| "OОоo0О-–—−‐‑+#!?.".contains(c));
    let mut normalized = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let before_rank = chars.peek().is_some_and(|c| ('1'..='8').contains(c));
        normalized.push(match c {
            '–' | '—' | '−' | '‐' | '‑' => '-',
            '×' | '✕' | 'х' => 'x',
            '’' | '′' => '\'',
            // On a Cyrillic keyboard these files look like the Latin ones.
            'а' if before_rank => 'a',
            'с' if before_rank => 'c',
            'е' if before_rank => 'e',
            'О' | 'о' if is_castling => 'O',
            // Variation selectors, zero-width spaces and soft hyphens.
            '\u{fe0e}' | '\u{fe0f}' | '\u{200b}' | '\u{ad}' => continue,
            other => other,
        });
    }
    Cow::Owned(normalized)
}

/// A stretch of text without blanks, commas, quotation marks and brackets.
#[derive(Debug, Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    /// The line in the text, from 1.
    line: usize,
    /// The number of brackets that the token stands in.
    depth: u16,
}

fn split_tokens(text: &str) -> Vec<Token<'_>> {
    let brackets = match_brackets(text);
    let mut brackets = brackets.iter().copied().peekable();
    let mut tokens = Vec::new();
    let (mut line, mut depth, mut start) = (1, 0u16, 0);
    for (i, c) in text.char_indices() {
        let bracket = brackets.next_if(|b| b.at == i);
        let is_separator =
            c.is_whitespace() || matches!(c, ',' | ';' | '|' | '"' | '“' | '”' | '„' | '«' | '»');
        if !is_separator && bracket.is_none() {
            continue;
        }
        if start < i {
            tokens.push(Token {
                text: &text[start..i],
                line,
                depth,
            });
        }
        start = i + c.len_utf8();
        match bracket {
            Some(Bracket { opens: true, .. }) => depth = depth.saturating_add(1),
            Some(_) => depth = depth.saturating_sub(1),
            None => {}
        }
        line += usize::from(c == '\n');
    }
    if start < text.len() {
        tokens.push(Token {
            text: &text[start..],
            line,
            depth,
        });
    }
    tokens
}

/// A bracket that has its other half.
#[derive(Debug, Clone, Copy)]
struct Bracket {
    /// Its byte in the text.
    at: usize,
    /// Whether it is an opening bracket.
    opens: bool,
}

/// The brackets around comments and variations, in the order of the text. Those of `a8(D)` and
/// `(=)` and those without their other half in the same paragraph are left out.
fn match_brackets(text: &str) -> Vec<Bracket> {
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut matched = Vec::new();
    let (mut before, mut blank_line) = ('\n', true);
    for (i, c) in text.char_indices() {
        match c {
            '\n' if blank_line => open.clear(),
            '(' if is_part_of_a_move(before, &text[i + 1..]) => {}
            '(' | '[' | '{' => open.push((c, i)),
            ')' | ']' | '}' => {
                let other = match c {
                    ')' => '(',
                    ']' => '[',
                    _ => '{',
                };
                if let Some(&(_, from)) = open.last().filter(|o| o.0 == other) {
                    open.pop();
                    if i - from <= MAX_BRACKET_BYTES {
                        matched.extend(
                            [(from, true), (i, false)].map(|(at, opens)| Bracket { at, opens }),
                        );
                    }
                }
            }
            _ => {}
        }
        blank_line = c == '\n' || (blank_line && c.is_whitespace());
        before = c;
    }
    matched.sort_unstable_by_key(|b| b.at);
    matched
}

/// Whether an opening bracket belongs to a move, by the character before it and the text after it.
fn is_part_of_a_move(before: char, after: &str) -> bool {
    let near = after.char_indices().take(3).find(|(_, c)| *c == ')');
    let Some((end, _)) = near else {
        return false;
    };
    &after[..end] == "=" || (before.is_alphanumeric() && end > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of the words that are not prose, with their numbers as `1.`, `1...` or `...`.
    fn moves(text: &str) -> Vec<String> {
        split_words(text)
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
        let words = split_words("1. e4 (1. d4 [1. c4 e5] d5) e5");
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
                split_words(text).iter().all(|word| word.depth == 0),
                "{text}"
            );
        }
    }

    #[test]
    fn dashes_and_cyrillic_look_alikes_are_the_usual_signs() {
        assert_eq!(moves("О–О е4 Nхd5 0—0—0"), ["O-O", "e4", "Nxd5", "0-0-0"]);
    }

    #[test]
    fn a_result_written_with_blanks_is_one_word() {
        for (text, result) in [("1 - 0", "1-0"), ("½ – ½", "½-½"), ("0 : 1.", "0-1")] {
            let words = split_words(text);
            assert_eq!(words.len(), 1, "{text}");
            assert_eq!(words[0].text, result);
        }
    }

    #[test]
    fn prose_is_one_word_with_a_count() {
        let words = split_words("The game began\nwith 1. e4");
        assert_eq!((words[0].form, words[0].count), (WordForm::Prose, 4));
        assert_eq!((words[1].text.as_ref(), words[1].line), ("e4", 2));
    }
}
