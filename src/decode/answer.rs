//! What a person has read on the sheets of a game: the search keeps to it.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use shakmaty::san::{San, SanPlus};

use crate::grid::CellId;
use crate::notation::Language;

use super::writer::Writer;

/// A ply of the game whose move a person has read: only this move is played there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedMove {
    /// Number of the ply in the game that is put out, from 1: White's first move is 1, Black's
    /// answer 2.
    pub ply: u16,
    /// The move, as it is written in the position where it is played.
    #[serde(with = "san_text")]
    pub san: San,
}

/// What a person says of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The move of a ply.
    Ply(FixedMove),
    /// What stands in a cell.
    Cell {
        /// Index of the sheet.
        sheet: usize,
        /// The cell.
        cell: CellId,
        /// What stands in it.
        content: CellContent,
    },
    /// All moves of the game: it has these and no other.
    Game(#[serde(with = "san_texts")] Vec<San>),
}

/// What a person has read in a cell, or before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum CellContent {
    /// A move.
    Move(#[serde(with = "san_text")] San),
    /// No move of the game: a clock time, a draw offer, a stroke.
    NoMove,
    /// Writing that the person cannot read either. The search takes no notice of it.
    Illegible,
    /// Before the move of this cell others were played, which the writer left out.
    LeftOut(#[serde(with = "san_texts")] Vec<San>),
    /// The game ended before this cell.
    End,
}

/// What a search is told beside what stands on the sheets.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Instructions<'a> {
    /// What a person has read.
    pub answers: &'a [Answer],
    /// Once it is set, the search ends as soon as it can, with whatever games it has.
    pub stop: Option<&'a AtomicBool>,
    /// What the search without answers has found out.
    pub earlier: Option<EarlierSearch<'a>>,
    /// Whether one narrow search is enough.
    pub is_quick: bool,
    /// Whether probe and retry are left out, however doubtful the game is.
    pub without_retries: bool,
}

/// What the search without answers has found out of a record, which those with answers take over.
#[derive(Debug, Clone, Copy)]
pub(super) struct EarlierSearch<'a> {
    /// The language of each copy.
    pub languages: &'a [&'static Language],
    /// The writer of each copy.
    pub writers: &'a [Writer],
    /// Whether cells hold more than their moves.
    pub has_asides: bool,
}

/// How much a search does.
#[derive(Debug, Clone, Copy)]
pub enum Effort<'a> {
    /// All that it can. Once the flag is set, it ends as soon as possible, and what it gives is to
    /// be thrown away.
    Full(Option<&'a AtomicBool>),
    /// One narrow search.
    Quick,
}

impl Instructions<'_> {
    /// Whether the search is to end.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// Serializes a move as SAN.
mod san_text {
    use super::{San, SanPlus};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(san: &San, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(san)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<San, D::Error> {
        let text = String::deserialize(from)?;
        let parsed: SanPlus = text.parse().map_err(D::Error::custom)?;
        Ok(parsed.san)
    }
}

/// Serializes moves as SAN, with spaces between them.
mod san_texts {
    use super::{San, SanPlus};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(sans: &[San], to: S) -> Result<S::Ok, S::Error> {
        let texts: Vec<String> = sans.iter().map(San::to_string).collect();
        to.serialize_str(&texts.join(" "))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<San>, D::Error> {
        let text = String::deserialize(from)?;
        let parse = |san: &str| san.parse::<SanPlus>().map(|parsed| parsed.san);
        let sans: Result<Vec<San>, _> = text.split_whitespace().map(parse).collect();
        sans.map_err(D::Error::custom)
    }
}
