//! The tags of a game: what they say, and the position that it begins from.

use std::collections::HashSet;

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

use crate::pgn_syntax::{TagFault, TagPair};

use super::error::TranscriptFault;

/// Names of the usual rules in the Variant tag, in lower case; games by other rules are refused.
const USUAL_VARIANTS: [&str; 4] = ["standard", "chess", "normal", "from position"];

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

/// A block of tags that is being read.
pub(super) struct HeaderReader {
    line: usize,
    tags: Vec<TagPair>,
    /// The names of the tags.
    names: HashSet<String>,
    fault: Option<TranscriptFault>,
    /// That the position is given in a way that cannot be read.
    start_fault: Option<TranscriptFault>,
}

impl HeaderReader {
    pub fn new(line: usize) -> Self {
        Self {
            line,
            tags: Vec::new(),
            names: HashSet::new(),
            fault: None,
            start_fault: None,
        }
    }

    pub fn has(&self, tag: &TagPair) -> bool {
        self.names.contains(&tag.name)
    }

    pub fn add(&mut self, tag: TagPair) {
        self.names.insert(tag.name.clone());
        self.tags.push(tag);
    }

    pub fn add_fault(&mut self, line: usize, fault: TagFault) {
        if is_of_start(&fault) {
            let text = format!("has a tag {} that cannot be read", fault.name);
            self.start_fault
                .get_or_insert(TranscriptFault::Start { line, text });
        }
        let text = fault.text;
        self.fault
            .get_or_insert(TranscriptFault::Tag { line, text });
    }

    pub fn finish(self) -> GameHeader {
        let mut header = GameHeader {
            line: self.line,
            tags: self.tags,
            start: Ok(Chess::default()),
            fault: self.fault,
        };
        header.start = match self.start_fault {
            Some(fault) => Err(fault),
            None => start_position(&header),
        };
        header
    }
}

/// Whether a tag that cannot be read says where a game begins, so that its moves mean nothing.
pub(super) fn is_of_start(fault: &TagFault) -> bool {
    matches!(fault.name.as_str(), "FEN" | "SetUp" | "Variant")
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
