//! Splits a text into passages: each game of a PGN with its tags, and the text between them.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

use crate::pgn_syntax::{MovetextOnly, TagFault, TagPair, blank_asides, parse_tag};

use super::error::TranscriptFault;
use super::words::{TypedWord, split_words};

/// Names of the usual rules in the Variant tag, in lower case; games by other rules are refused.
const USUAL_VARIANTS: [&str; 4] = ["standard", "chess", "normal", "from position"];

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

/// The tags of a game.
#[derive(Debug)]
pub(super) struct GameHeader {
    /// The line of the first tag, from 1.
    pub line: usize,
    /// The tags in the order of the text.
    pub tags: Vec<TagPair>,
    /// The position that the game begins from, or why it cannot be played.
    pub start: Result<Chess, TranscriptFault>,
    /// A tag that cannot be read.
    pub fault: Option<TranscriptFault>,
}

impl GameHeader {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|tag| tag.name == name);
        tag.map(|tag| tag.value.as_str())
    }
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

/// Splits a text before every block of tags, and within a block before a tag that it has already.
pub(super) fn split_passages(text: &str) -> Vec<PassageText> {
    let mut passages = Vec::new();
    let mut header: Option<HeaderReader> = None;
    // Where the text of the passage begins, and its line.
    let (mut start, mut start_line) = (0, 1);
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let rest = &text[at..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let is_in_header = at == start && header.is_some();
        let len = match parse_tag(&rest[blanks..]) {
            Ok((tag, len)) if rest[blanks..].starts_with('[') => {
                let is_known = header.as_ref().is_some_and(|header| header.has(&tag));
                if !is_in_header || is_known {
                    passages.extend(close_passage(&text[start..at], start_line, header.take()));
                }
                let header = header.get_or_insert_with(|| HeaderReader::new(line));
                header.tags.push(tag);
                let len = blanks + len;
                (start, start_line) = (at + len, line + rest[..len].matches('\n').count());
                len
            }
            Err(fault) if is_in_header && rest[blanks..].starts_with('[') => {
                if let Some(header) = &mut header {
                    header.add_fault(line, fault);
                }
                let len = rest.find('\n').unwrap_or(rest.len());
                (start, start_line) = (at + len, line);
                len
            }
            // A line end after a tag, or a line of text.
            _ => match rest.find('\n') {
                Some(end) => {
                    let is_blank = rest[..end].trim().is_empty();
                    if is_in_header && is_blank {
                        (start, start_line) = (at + end + 1, line + 1);
                    }
                    end + 1
                }
                None => rest.len(),
            },
        };
        line += rest[..len].matches('\n').count();
        at += len;
    }
    passages.extend(close_passage(&text[start..], start_line, header));
    passages
}

/// A block of tags that is being read.
struct HeaderReader {
    line: usize,
    tags: Vec<TagPair>,
    fault: Option<TranscriptFault>,
}

impl HeaderReader {
    fn new(line: usize) -> Self {
        Self {
            line,
            tags: Vec::new(),
            fault: None,
        }
    }

    fn has(&self, tag: &TagPair) -> bool {
        self.tags.iter().any(|known| known.name == tag.name)
    }

    fn add_fault(&mut self, line: usize, fault: TagFault) {
        self.fault.get_or_insert(TranscriptFault::Tag {
            line,
            text: fault.text,
        });
    }

    fn finish(self) -> GameHeader {
        let mut header = GameHeader {
            line: self.line,
            tags: self.tags,
            start: Ok(Chess::default()),
            fault: self.fault,
        };
        header.start = start_position(&header);
        header
    }
}

/// The passage of some text and the tags before it; none for blank text without tags.
fn close_passage(text: &str, line: usize, header: Option<HeaderReader>) -> Option<PassageText> {
    let header = header.map(HeaderReader::finish);
    if header.is_none() && text.trim().is_empty() {
        return None;
    }
    let text = match header {
        Some(_) => movetext(text),
        None => text.to_owned(),
    };
    Some(PassageText { text, line, header })
}

/// The text of a game without comments and side lines. A brace that is never closed is a slip.
fn movetext(text: &str) -> String {
    let MovetextOnly {
        text: kept,
        unclosed,
    } = blank_asides(text);
    match unclosed {
        None => kept,
        Some(at) => {
            let (before, after) = text.split_at(at);
            blank_asides(&(before.to_owned() + &after.replace('{', " "))).text
        }
    }
}

/// The position that the tags FEN and Variant say a game begins from.
fn start_position(header: &GameHeader) -> Result<Chess, TranscriptFault> {
    let fault = |text: String| TranscriptFault::Start {
        line: header.line,
        text,
    };
    if let Some(variant) = header.tag("Variant")
        && !USUAL_VARIANTS.contains(&variant.trim().to_lowercase().as_str())
    {
        return Err(fault(format!(
            "is by the rules of {variant}, which sheetscan does not know"
        )));
    }
    let Some(text) = header
        .tag("FEN")
        .filter(|text| !["", "?", "-"].contains(&text.trim()))
    else {
        return match header.tag("SetUp") {
            Some("1") => Err(fault(
                "begins from a position that no FEN tag gives".to_owned(),
            )),
            _ => Ok(Chess::default()),
        };
    };
    let fen: Fen = text.trim().parse().map_err(|_| {
        fault(format!(
            "begins from the position \"{text}\", which is no FEN"
        ))
    })?;
    fen.into_position(CastlingMode::Standard).map_err(|why| {
        fault(format!(
            "begins from the position \"{text}\", which cannot be: {why}"
        ))
    })
}

#[cfg(test)]
mod tests {
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
