//! The syntax of PGN as other programs write it (Portable Game Notation specification, sections 5
//! to 8): tag pairs, and what is no move.

use crate::notation::{is_file, is_rank};

/// Names of tags that programs read, as the standard spells them. Writers differ in their case.
const KNOWN_NAMES: [&str; 14] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "FEN",
    "SetUp",
    "Variant",
    "Board",
    "Table",
    "WhiteFideId",
    "BlackFideId",
];

/// Quotation marks that word processors put in the place of the plain one.
const TYPOGRAPHIC_QUOTES: [char; 13] = [
    '"', '\'', '“', '”', '„', '‟', '«', '»', '‘', '’', '‚', '`', '″',
];

/// A tag pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TagPair {
    /// The name; one that programs read is spelled as in the standard.
    pub(crate) name: String,
    pub(crate) value: String,
}

impl TagPair {
    /// Whether the name is one that programs read.
    pub(crate) fn is_known(&self) -> bool {
        KNOWN_NAMES.contains(&self.name.as_str())
    }
}

/// What is wrong with a tag pair, and where: its byte behind the bracket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TagFault {
    pub(crate) at: usize,
    /// The name of the tag; empty where it has none.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Reads the tag pair at the start of a text, `[Name "Value"]`, which begins with its bracket; also
/// gives its length in bytes. A quotation mark within a value that is not escaped belongs to the
/// value where another one closes it.
pub(crate) fn parse_tag(text: &str) -> Result<(TagPair, usize), TagFault> {
    let at = |rest: &str| text.len() - rest.len();
    let rest = text.strip_prefix('[').unwrap_or(text).trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
    if name.is_empty() {
        return Err(TagFault {
            at: at(rest),
            name: String::new(),
            text: "a tag without a name; it is left out".to_owned(),
        });
    }
    let known = KNOWN_NAMES
        .iter()
        .find(|known| known.eq_ignore_ascii_case(name));
    let name = known.map_or(name, |known| known).to_owned();
    let at_value = rest.trim_start();
    let (value, rest) = match parse_plain_value(at_value) {
        Ok(parsed) => parsed,
        Err(what) => parse_typographic_value(at_value).ok_or_else(|| TagFault {
            at: at(at_value),
            text: format!("the value of the tag {name} is {what}; it is left out"),
            name: name.clone(),
        })?,
    };
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let has_bracket = rest[blanks..].starts_with(']');
    let len = at(rest) + if has_bracket { blanks + 1 } else { 0 };
    Ok((TagPair { name, value }, len))
}

/// The value in plain quotes at the start of a text, and the text behind it, or what is wrong.
fn parse_plain_value(text: &str) -> Result<(String, &str), &'static str> {
    let mut rest = text.strip_prefix('"').ok_or("not in quotes")?;
    let mut closing = ClosingQuotes::new(text);
    let mut value = String::new();
    loop {
        let at = text.len() - rest.len();
        let mut chars = rest.chars();
        match chars.next() {
            Some('"') if closing.has(at) => return Ok((value, chars.as_str())),
            Some('\\') => value.extend(chars.next()),
            None | Some('\n') => return Err("not closed"),
            Some(c) => value.push(c),
        }
        rest = chars.as_str();
    }
}

/// The value in other quotes at the start of a text, up to the first quote with a bracket behind it
/// on the same line, and the text from the bracket on.
fn parse_typographic_value(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix(TYPOGRAPHIC_QUOTES)?;
    let line = inside.split('\n').next().unwrap_or(inside);
    let mut brackets = line.match_indices(']').map(|(at, _)| at);
    brackets.find_map(|at| {
        let value = line[..at].trim_end().strip_suffix(TYPOGRAPHIC_QUOTES)?;
        Some((value.to_owned(), &inside[at..]))
    })
}

/// Tells which quotation marks of a text close the value of a tag, in the order of the text: one
/// with the bracket behind it, or else one without another such mark behind it on the same line.
struct ClosingQuotes<'a> {
    text: &'a str,
    /// Where the line, or its part before the next bracket, ends.
    end: usize,
    /// The last mark before there that has the bracket behind it.
    last: Option<usize>,
}

impl<'a> ClosingQuotes<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            end: 0,
            last: None,
        }
    }

    fn has(&mut self, at: usize) -> bool {
        if at >= self.end {
            let after = &self.text[at..];
            let end = after.find(['\n', '[']).unwrap_or(after.len());
            self.end = at + end;
            let mut quotes = after[..end].rmatch_indices('"').map(|(i, _)| at + i);
            self.last = quotes.find(|&quote| self.is_before_bracket(quote));
        }
        self.is_before_bracket(at) || self.last.is_none_or(|last| last <= at)
    }

    fn is_before_bracket(&self, quote: usize) -> bool {
        self.text[quote + 1..self.end].trim_start().starts_with(']')
    }
}

/// A text whose comments and variations are blanks. Everything else stays at its byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MovetextOnly {
    pub(crate) text: String,
    /// The byte of a brace that opens a comment which is never closed. All that follows is blank.
    pub(crate) unclosed: Option<usize>,
    /// The byte of each bracket that opens a variation which is not closed before the next tags, or
    /// at all. All between is blank.
    pub(crate) unclosed_variations: Vec<usize>,
}

/// Replaces comments in braces and behind semicolons, variations in brackets and lines that begin
/// with a percent sign by blanks. Tag pairs stay as they are.
pub(crate) fn blank_asides(text: &str) -> MovetextOnly {
    let mut kept = String::with_capacity(text.len());
    let (mut open, mut brace, mut to_line_end) = (Vec::new(), None, false);
    let mut unclosed_variations = Vec::new();
    let mut skipped = 0;
    let mut before = '\n';
    for (i, c) in text.char_indices() {
        if i < skipped {
            kept.push(c);
            before = c;
            continue;
        }
        if c == '\n' {
            to_line_end = false;
            kept.push('\n');
            before = c;
            continue;
        }
        if c == '[' && brace.is_none() && !to_line_end && (open.is_empty() || before == '\n') {
            let tag = parse_tag(&text[i..]).ok();
            if let Some((_, len)) = tag.filter(|(tag, _)| open.is_empty() || tag.is_known()) {
                unclosed_variations.extend(open.first());
                open.clear();
                skipped = i + len;
            }
        }
        let is_aside = brace.is_some() || to_line_end || !open.is_empty();
        match c {
            '}' if brace.is_some() => brace = None,
            _ if brace.is_some() || to_line_end => {}
            '{' => brace = Some(i),
            ';' => to_line_end = before.is_whitespace() || !is_of_game(&text[i + 1..]),
            '%' if before == '\n' => to_line_end = true,
            '(' if !open.is_empty() || !is_of_move(before, &text[i + 1..]) => open.push(i),
            ')' => {
                open.pop();
            }
            _ => {}
        }
        let is_sign = matches!(c, '{' | '}' | ';');
        if is_aside || is_sign || to_line_end || !open.is_empty() {
            kept.extend(std::iter::repeat_n(' ', c.len_utf8()));
        } else {
            kept.push(c);
        }
        before = c;
    }
    unclosed_variations.extend(open.first());
    MovetextOnly {
        text: kept,
        unclosed: brace,
        unclosed_variations,
    }
}

/// Whether the game goes on with a number or a move at the start of a text, so that the semicolon
/// before it only parts two moves: `1 e4, e5; 2 Cf3`.
fn is_of_game(text: &str) -> bool {
    let mut word = text.split_whitespace().next().unwrap_or("");
    word = word.trim_end_matches([',', ';', '.', '+', '#', '!', '?']);
    if word.len() > MAX_OWN_CHARS {
        return false;
    }
    let mut last = word.chars().rev();
    let is_square = last.next().is_some_and(is_rank) && last.next().is_some_and(is_file);
    let is_castling = !word.is_empty() && word.chars().all(|c| "Oo0-".contains(c));
    is_square || is_castling || word.starts_with(|c: char| c.is_ascii_digit())
}

/// Largest number of characters in brackets that belong to a move or are a result.
const MAX_OWN_CHARS: usize = 9;

/// Whether an opening bracket belongs to the moves of the game itself, by the character before it
/// and the text after it: the promotion of `a8(Q)`, the draw offer `(=)`, the result `(1-0)`.
pub(crate) fn is_of_move(before: char, after: &str) -> bool {
    let mut near = after.char_indices().take(MAX_OWN_CHARS + 1);
    let Some((end, _)) = near.find(|(_, c)| *c == ')') else {
        return false;
    };
    let inside = &after[..end];
    let is_score = !inside.is_empty() && inside.chars().all(|c| "01½/2-–:=,.".contains(c));
    is_score || (before.is_alphanumeric() && (1..=2).contains(&inside.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &str) -> Result<(String, String, usize), usize> {
        let parsed = parse_tag(text).map_err(|fault| fault.at)?;
        Ok((parsed.0.name, parsed.0.value, parsed.1))
    }

    #[test]
    fn a_tag_ends_with_its_bracket_and_may_hold_escaped_and_bare_quotes() {
        let read = |name: &str, value: &str, len| Ok((name.to_owned(), value.to_owned(), len));
        assert_eq!(
            tag("[Event \"A [b] {c}\"] [Site"),
            read("Event", "A [b] {c}", 19)
        );
        assert_eq!(
            tag("[ White  \"O\\\"Neil\" ]x"),
            read("White", "O\"Neil", 20)
        );
        assert_eq!(
            tag("[White \"J \"Joe\" X\"]"),
            read("White", "J \"Joe\" X", 19)
        );
        assert_eq!(tag("[White \"J\""), read("White", "J", 10));
        assert_eq!(tag("[White \"J\" [Black \"K\"]"), read("White", "J", 10));
        assert_eq!(tag("[fen “8/8”]x"), read("FEN", "8/8", 15));
        assert_eq!(tag("[Setup '1' ]"), read("SetUp", "1", 12));
        assert_eq!(tag("[White \"O'Neil”]"), read("White", "O'Neil", 18));
        assert_eq!(tag("[White Smith]"), Err(7));
        assert_eq!(tag("[\"x\"]"), Err(1));
        assert_eq!(tag("[White \"J\n\"]"), Err(7));
    }

    #[test]
    fn asides_become_blanks_and_all_else_stays_in_its_place() {
        let blanked = |text: &str| blank_asides(text).text;
        assert_eq!(
            blanked("1. e4 {a (b} e5 (1... c5 (2. d4)) 2. d4 ; x\n% y\nd5"),
            "1. e4        e5                   2. d4    \n   \nd5"
        );
        assert_eq!(blanked("[A \"{(;\"] {é} e4"), "[A \"{(;\"]      e4");
        assert_eq!(blanked("a8(Q) (=) (1-0)"), "a8(Q) (=) (1-0)");
        assert_eq!(blank_asides("e4 {x").unclosed, Some(3));
        let torn = blank_asides("e4 (d4 (c4\n[White \"A\"]\nd4 (x");
        assert_eq!(torn.text, "e4        \n[White \"A\"]\nd4   ");
        assert_eq!(torn.unclosed_variations, [3, 26]);
        assert_eq!(
            blanked("1 e4, e5; 2 Cf3, Cc6; Bb5 a6; good ; 2. d4"),
            "1 e4, e5  2 Cf3, Cc6  Bb5 a6              "
        );
    }
}
