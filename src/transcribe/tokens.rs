//! Splits a text into tokens, each with the number of brackets that it stands in.

use crate::pgn_syntax::is_of_move;

/// Largest length of a text in brackets, in bytes; a bracket that closes later is taken for a slip.
const MAX_BRACKET_BYTES: usize = 4000;

/// A stretch of text without blanks, commas, quotation marks and brackets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token<'a> {
    pub text: &'a str,
    /// The line in the text, from 1.
    pub line: usize,
    /// The byte behind it.
    pub end: usize,
    /// The number of brackets that the token stands in.
    pub depth: u16,
}

/// Splits a text, whose first line has this number, into tokens.
pub(super) fn split_tokens(text: &str, first_line: usize) -> Vec<Token<'_>> {
    let brackets = match_brackets(text);
    let mut brackets = brackets.iter().copied().peekable();
    let mut tokens = Vec::new();
    let (mut line, mut depth, mut start) = (first_line, 0u16, 0);
    for (i, c) in text.char_indices() {
        let bracket = brackets.next_if(|b| b.at == i);
        let is_separator =
            c.is_whitespace() || matches!(c, ',' | ';' | '|' | '"' | '“' | '”' | '„' | '«' | '»');
        let is_separator =
            is_separator && !(c == ',' && is_in_score(&text[start..i], &text[i + 1..]));
        if !is_separator && bracket.is_none() {
            continue;
        }
        if start < i {
            tokens.push(Token {
                text: &text[start..i],
                line,
                end: i,
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
            end: text.len(),
            depth,
        });
    }
    tokens
}

/// Whether a comma is that of a share of the point, as in `0,5-0,5`, by the token before it and the
/// text behind it.
fn is_in_score(before: &str, after: &str) -> bool {
    let whole = before
        .rsplit(['-', '–', '—', ':', '('])
        .next()
        .unwrap_or(before);
    let mut after = after.chars();
    let share = after.next();
    let is_share = matches!((whole, share), ("0", Some('5' | '0')) | ("1", Some('0')));
    is_share && !after.next().is_some_and(char::is_alphanumeric)
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
            '(' if is_of_move(before, &text[i + 1..]) => {}
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
