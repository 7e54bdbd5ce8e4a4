//! Splits a text into passages: each game of a PGN with its tags, and the text between them.

use std::borrow::Cow;

use crate::notation::parse_score;
use crate::pgn_syntax::{MovetextOnly, TagPair, blank_asides, parse_tag};

use super::error::TranscriptFault;
use super::game_header::{GameHeader, HeaderReader, is_of_start};
use super::words::{TypedWord, split_words};

/// A part of a text in which games stand.
#[derive(Debug)]
pub(super) struct PassageText {
    /// The text. Behind tags it is without comments and side lines.
    pub text: String,
    /// The line of the whole text in which it begins, from 1.
    pub line: usize,
    /// The tags before it and what they say; none for text that no tag stands before.
    pub header: Option<GameHeader>,
}

/// A passage with its words.
#[derive(Debug)]
pub(super) struct Passage<'a> {
    pub source: &'a PassageText,
    pub words: Vec<TypedWord<'a>>,
}

impl<'a> Passage<'a> {
    pub fn new(source: &'a PassageText) -> Self {
        Self {
            source,
            words: split_words(&source.text, source.line),
        }
    }
}

/// A text in which the marks `>` that mail programs put before the lines of a message are blanks,
/// if tags stand behind them.
pub(super) fn blank_mail_marks(text: &str) -> Cow<'_, str> {
    let is_mark = |c: char| c == '>' || c == ' ' || c == '\t';
    let is_quoted_tag = |line: &str| {
        let tag = line.trim_start_matches(is_mark);
        line.trim_start().starts_with('>') && tag.starts_with('[') && parse_tag(tag).is_ok()
    };
    if !text.lines().any(is_quoted_tag) {
        return Cow::Borrowed(text);
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let behind = line.trim_start_matches(is_mark);
        line[..line.len() - behind.len()].replace('>', " ") + behind
    });
    Cow::Owned(lines.collect())
}

/// Splits a text before every block of tags, and within a block before a tag that it has already.
pub(super) fn split_passages(text: &str) -> Vec<PassageText> {
    let mut splitter = PassageSplitter {
        text,
        last_brace: text.rfind('}'),
        passages: Vec::new(),
        header: None,
        start: 0,
        start_line: 1,
        line: 1,
    };
    let mut at = 0;
    while at < text.len() {
        let len = splitter.step(at);
        splitter.line += text[at..at + len].matches('\n').count();
        at += len;
    }
    let PassageSplitter {
        mut passages,
        header,
        start,
        start_line,
        ..
    } = splitter;
    passages.extend(close_passage(&text[start..], start_line, header));
    passages
}

/// A text that is being split.
struct PassageSplitter<'a> {
    text: &'a str,
    /// Where the last comment in braces can close.
    last_brace: Option<usize>,
    passages: Vec<PassageText>,
    /// The tags before the passage that is being read.
    header: Option<HeaderReader>,
    /// Where the text of that passage begins, and its line.
    start: usize,
    start_line: usize,
    /// The line that is being read.
    line: usize,
}

impl PassageSplitter<'_> {
    /// Reads a tag, a comment, or text up to where one of them may stand; gives its length.
    fn step(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let is_in_header = at == self.start && self.header.is_some();
        let content = &rest[blanks..];
        if content.starts_with('[') {
            match parse_tag(content) {
                Ok((tag, len)) if is_in_header || self.begins_header(at, &tag, &content[len..]) => {
                    self.add_tag(at, is_in_header, tag);
                    return self.begin_text(at, blanks + len);
                }
                Err(fault) if is_in_header || is_of_start(&fault) => {
                    if !is_in_header {
                        self.close(at);
                    }
                    let line = self.line;
                    let header = self.header.get_or_insert_with(|| HeaderReader::new(line));
                    header.add_fault(line, fault);
                    return self.begin_text(at, rest.find('\n').unwrap_or(rest.len()));
                }
                _ => {}
            }
        }
        if let Some(len) = self.comment(at + blanks) {
            let len = blanks + len;
            return if is_in_header {
                self.begin_text(at, len)
            } else {
                len
            };
        }
        let line = rest.find('\n').map_or(rest, |end| &rest[..=end]);
        if is_in_header && line.trim().is_empty() {
            return self.begin_text(at, line.len());
        }
        // A comment, or the tags of the next game behind the end of this one.
        let stop = line[blanks..]
            .char_indices()
            .skip(1)
            .find(|&(i, c)| match c {
                '{' => self.header.is_some(),
                '[' => ends_game(&line[..blanks + i]),
                _ => false,
            });
        stop.map_or(line.len(), |(i, _)| blanks + i)
    }

    /// The length of a comment between or behind tags, if one stands there: in braces, behind a
    /// semicolon or a percent sign.
    fn comment(&self, at: usize) -> Option<usize> {
        self.header.as_ref()?;
        let rest = &self.text[at..];
        match rest.chars().next()? {
            '{' if self.last_brace.is_some_and(|last| last > at) => Some(rest.find('}')? + 1),
            ';' | '%' => Some(rest.find('\n').unwrap_or(rest.len())),
            _ => None,
        }
    }

    /// Whether a tag outside a block of tags begins one: at the start of a text or behind the end
    /// of a game, if programs read it, or if another tag follows. Others, as `[Diagram "1"]`, are
    /// remarks.
    fn begins_header(&self, at: usize, tag: &TagPair, after: &str) -> bool {
        let before = self.text[self.start..at].trim_end();
        tag.is_known()
            || before.is_empty()
            || ends_game(before)
            || after.trim_start().starts_with('[')
    }

    fn add_tag(&mut self, at: usize, is_in_header: bool, tag: TagPair) {
        let is_known = self.header.as_ref().is_some_and(|header| header.has(&tag));
        if !is_in_header || is_known {
            self.close(at);
        }
        let line = self.line;
        let header = self.header.get_or_insert_with(|| HeaderReader::new(line));
        header.add(tag);
    }

    /// Closes the passage before a byte.
    fn close(&mut self, at: usize) {
        let text = &self.text[self.start..at];
        let passage = close_passage(text, self.start_line, self.header.take());
        self.passages.extend(passage);
    }

    /// Lets the text of the passage begin behind a length, which it gives back.
    fn begin_text(&mut self, at: usize, len: usize) -> usize {
        let skipped = &self.text[at..at + len];
        self.start = at + len;
        self.start_line = self.line + skipped.matches('\n').count();
        len
    }
}

/// Whether a text ends with the result of a game.
fn ends_game(text: &str) -> bool {
    let word = text.split_whitespace().next_back().unwrap_or("");
    word == "*" || (word.len() > 2 && parse_score(word).is_some())
}

/// The passage of some text and the tags before it; none for blank text without tags.
fn close_passage(text: &str, line: usize, header: Option<HeaderReader>) -> Option<PassageText> {
    let Some(header) = header else {
        let text = text.to_owned();
        let header = None;
        return (!text.trim().is_empty()).then_some(PassageText { text, line, header });
    };
    let mut header = header.finish();
    let MovetextOnly {
        text: kept,
        unclosed_variations,
        ..
    } = movetext(text);
    if let Some(&at) = unclosed_variations.first() {
        header.fault.get_or_insert(TranscriptFault::Tag {
            line: line + text[..at].matches('\n').count(),
            text: "the bracket of a variation is never closed, and what follows it in the game is \
                   left out; close it"
                .to_owned(),
        });
    }
    Some(PassageText {
        text: kept,
        line,
        header: Some(header),
    })
}

/// The text of a game without comments and side lines. A brace that is never closed is a slip.
fn movetext(text: &str) -> MovetextOnly {
    let kept = blank_asides(text);
    match kept.unclosed {
        None => kept,
        Some(at) => {
            let (before, after) = text.split_at(at);
            blank_asides(&(before.to_owned() + &after.replace('{', " ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;

    /// The line, the names of the tags and the first words of each passage.
    fn summary(text: &str) -> Vec<(usize, String, String)> {
        let names = |header: &GameHeader| -> String {
            let names: Vec<&str> = header.tags.iter().map(|tag| tag.name.as_str()).collect();
            names.join(" ")
        };
        let passages = split_passages(text);
        let passages = passages.iter().map(|passage| {
            let words: Vec<&str> = passage.text.split_whitespace().collect();
            let tags = passage.header.as_ref().map_or_else(String::new, names);
            (passage.line, tags, words.join(" "))
        });
        passages.collect()
    }

    fn passage(line: usize, tags: &str, text: &str) -> (usize, String, String) {
        (line, tags.to_owned(), text.to_owned())
    }

    #[test]
    fn each_block_of_tags_begins_a_passage() {
        let text = "By Ana\n\n[Event \"A\"] [Site \"B\"]\n[Round \"1\"]\n\n1. e4 {x} e5 *\n\n\
                    [Event \"C\"]\n[Event \"D\"]\n\n1. d4 (1. c4) d5\n[see the book] 1-0";
        assert_eq!(
            summary(text),
            [
                passage(1, "", "By Ana"),
                passage(6, "Event Site Round", "1. e4 e5 *"),
                passage(9, "Event", ""),
                passage(11, "Event", "1. d4 d5 [see the book] 1-0"),
            ]
        );
        assert_eq!(summary(" \n[1. e4]"), [passage(1, "", "[1. e4]")]);
    }

    #[test]
    fn a_tag_that_cannot_be_read_is_a_fault_of_its_game() {
        let passages = split_passages("[Event \"A\"]\n[White Smith]\n[Black \"B\"]\n\n1. e4");
        let header = passages[0].header.as_ref().expect("tags");
        assert_eq!(header.tags.len(), 2);
        let fault = header.fault.as_ref().expect("a fault").to_string();
        assert!(
            fault.starts_with("line 2: the value of the tag White"),
            "{fault}"
        );
    }

    #[test]
    fn what_cannot_be_a_start_is_refused() {
        let start = |tags: &str| {
            let passages = split_passages(&format!("[Event \"A\"]\n{tags}\n\n1. e4"));
            let header = passages
                .into_iter()
                .next()
                .and_then(|passage| passage.header);
            header.expect("tags").start
        };
        let odds = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
        assert!(start(&format!("[FEN \"{odds}\"]")).is_ok_and(|at| at != Chess::default()));
        assert_eq!(start("[Variant \"Standard\"]"), Ok(Chess::default()));
        for tags in [
            "[FEN \"x\"]",
            "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]",
            "[SetUp \"1\"]",
            "[Variant \"Chess960\"]",
        ] {
            assert!(start(tags).is_err(), "{tags}");
        }
    }
}
