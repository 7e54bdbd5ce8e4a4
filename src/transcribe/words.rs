//! Running text as words that may be moves: numbers joined to the word they stand before, brackets counted, prose
//! in runs.

use std::borrow::Cow;

use super::kind::Kind;

/// A move number, or the dots that stand for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number {
    /// The number; none where only dots stand.
    pub value: Option<u32>,
    /// Whether dots say that Black moves.
    pub black: bool,
}

/// A word, or a run of words that are no moves.
#[derive(Debug, Clone)]
pub(super) struct Word<'a> {
    /// The text with its signs in one spelling; of a run the first word's.
    pub text: Cow<'a, str>,
    /// Line in the text, from 1.
    pub line: usize,
    /// Brackets it stands in.
    pub depth: u16,
    /// The number right before it.
    pub number: Option<Number>,
    pub kind: Kind,
    /// Words in the run; one for anything but prose.
    pub count: usize,
}

/// A bracket that closes further on than this, in bytes, is taken for a slip.
const LONGEST_BRACKET: usize = 4000;

/// The words of a text.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let pieces = pieces(text);
    let mut words: Vec<Word> = Vec::new();
    let mut pending = Pending::default();
    let mut i = 0;
    while i < pieces.len() {
        let Piece { text, line, depth } = pieces[i];
        pending.leave(depth);
        if let Some(result) = spaced_result(&pieces[i..]) {
            pending.clear();
            words.push(Word {
                text: Cow::Owned(result.clone()),
                line,
                depth,
                number: None,
                kind: Kind::of(&result),
                count: 1,
            });
            i += 3;
            continue;
        }
        i += 1;
        let mut rest = undressed(text);
        if !matches!(Kind::of(&plain(rest)), Kind::End(_)) {
            if let Some((value, behind)) = leading_number(rest) {
                pending.number(value, depth);
                rest = behind;
            }
            let behind = rest.trim_start_matches(['.', '…', ')']);
            let dots = &rest[..rest.len() - behind.len()];
            if dots.contains('…') || dots.matches('.').count() > 1 {
                pending.dots(depth);
            }
            rest = behind.trim_start_matches(is_dressing);
        }
        let plain = plain(rest);
        if plain.is_empty() {
            continue;
        }
        let kind = Kind::of(&plain);
        let number = pending.take(depth);
        match words.last_mut() {
            Some(last)
                if kind == Kind::Prose
                    && last.kind == Kind::Prose
                    && last.depth == depth
                    && number.is_none() =>
            {
                last.count += 1;
            }
            _ => words.push(Word {
                text: plain,
                line,
                depth,
                number,
                kind,
                count: 1,
            }),
        }
    }
    words
}

/// Numbers that wait for their word, which may stand behind a comment but not outside their own bracket.
#[derive(Debug, Default)]
struct Pending(Vec<(u16, Number)>);

impl Pending {
    fn number(&mut self, value: u32, depth: u16) {
        self.take(depth);
        let number = Number {
            value: Some(value),
            black: false,
        };
        self.0.push((depth, number));
    }

    fn dots(&mut self, depth: u16) {
        let value = self.take(depth).and_then(|number| number.value);
        self.0.push((depth, Number { value, black: true }));
    }

    /// The number right before a word.
    fn take(&mut self, depth: u16) -> Option<Number> {
        self.0
            .pop_if(|(at, _)| *at == depth)
            .map(|(_, number)| number)
    }

    /// Forgets what stood in brackets that are closed.
    fn leave(&mut self, depth: u16) {
        while self.0.pop_if(|(at, _)| *at > depth).is_some() {}
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

/// Bullets, dashes and opening quotation marks before a word.
fn is_dressing(c: char) -> bool {
    matches!(
        c,
        '-' | '–' | '—' | '*' | '•' | '·' | '_' | '\'' | '‘' | '’' | '\u{feff}'
    )
}

/// A word without the bullets, quotation marks and lone brackets around it.
fn undressed(text: &str) -> &str {
    let mut text = text.trim_start_matches(is_dressing);
    if !text.contains(')') {
        text = text.trim_start_matches(['(', '[', '{']);
    }
    if !text.contains('(') && text.trim_end_matches(['.', ')']) != text.trim_end_matches('.') {
        // Behind a number it is the number's.
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

/// The number at the start of `1.d4`, `1`, `1)` or `1e4`, and what is behind it.
fn leading_number(text: &str) -> Option<(u32, &str)> {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &text[..text.len() - behind.len()];
    let value = digits
        .parse()
        .ok()
        .filter(|_| digits.len() <= 3 && !digits.starts_with('0'))?;
    let closed = behind.is_empty() || behind.starts_with(['.', '…', ')', ':']);
    let behind = behind.trim_start_matches(':');
    (closed || Kind::of(&plain(behind)) == Kind::Move).then_some((value, behind))
}

/// `1 - 0` and `½ – ½`.
fn spaced_result(pieces: &[Piece]) -> Option<String> {
    let [a, dash, b, ..] = pieces else {
        return None;
    };
    let point = |piece: &Piece| {
        let text = piece.text.trim_end_matches('.');
        matches!(text, "0" | "1" | "½" | "1/2").then(|| text.to_owned())
    };
    let between = matches!(dash.text, "-" | "–" | "—" | ":");
    let result = format!("{}-{}", point(a)?, point(b)?);
    (between && matches!(Kind::of(&result), Kind::End(_))).then_some(result)
}

/// A word with one sign for each dash, multiplication sign and look-alike letter.
fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || text.chars().count() > super::kind::LONGEST_MOVE {
        return Cow::Borrowed(text);
    }
    let castling = text.chars().all(|c| "OОоo0О-–—−‐‑+#!?.".contains(c));
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let before_rank = chars.peek().is_some_and(|c| ('1'..='8').contains(c));
        plain.push(match c {
            '–' | '—' | '−' | '‐' | '‑' => '-',
            '×' | '✕' | 'х' => 'x',
            '’' | '′' => '\'',
            // A Cyrillic keyboard writes files that look right.
            'а' if before_rank => 'a',
            'с' if before_rank => 'c',
            'е' if before_rank => 'e',
            'О' | 'о' if castling => 'O',
            // How a sign is to be drawn, and where a line may break.
            '\u{fe0e}' | '\u{fe0f}' | '\u{200b}' | '\u{ad}' => continue,
            other => other,
        });
    }
    Cow::Owned(plain)
}

/// A stretch of text without blanks, commas and brackets.
#[derive(Debug, Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    line: usize,
    depth: u16,
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let brackets = brackets(text);
    let mut brackets = brackets.iter().copied().peekable();
    let mut pieces = Vec::new();
    let (mut line, mut depth, mut start) = (1, 0u16, 0);
    for (i, c) in text.char_indices() {
        let bracket = brackets.next_if(|b| b.at == i);
        let parts =
            c.is_whitespace() || matches!(c, ',' | ';' | '|' | '"' | '“' | '”' | '„' | '«' | '»');
        if !parts && bracket.is_none() {
            continue;
        }
        if start < i {
            pieces.push(Piece {
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
        pieces.push(Piece {
            text: &text[start..],
            line,
            depth,
        });
    }
    pieces
}

/// A bracket that has its other half.
#[derive(Debug, Clone, Copy)]
struct Bracket {
    at: usize,
    opens: bool,
}

/// The brackets around comments and side lines, in the order of the text: neither those of `a8(D)` and `(=)` nor
/// those without their other half in the same paragraph.
fn brackets(text: &str) -> Vec<Bracket> {
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut found = Vec::new();
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
                    if i - from <= LONGEST_BRACKET {
                        found.extend(
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
    found.sort_unstable_by_key(|b| b.at);
    found
}

fn is_part_of_a_move(before: char, behind: &str) -> bool {
    let near = behind.char_indices().take(3).find(|(_, c)| *c == ')');
    let Some((end, _)) = near else {
        return false;
    };
    &behind[..end] == "=" || (before.is_alphanumeric() && end > 0)
}
