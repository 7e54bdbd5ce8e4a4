//! The fields of a sheet's header that a person may fill in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A field of a sheet's header, which becomes a PGN tag.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum HeaderField {
    /// Name of the player with White.
    White,
    /// Name of the player with Black.
    Black,
    /// Round.
    Round,
    /// Board number.
    Board,
    /// Date, as in PGN: `2026.11.28`.
    Date,
    /// Result, as in PGN: `1-0`, `0-1`, `1/2-1/2` or `*`.
    Result,
}

impl HeaderField {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 6] = [
        Self::White,
        Self::Black,
        Self::Round,
        Self::Board,
        Self::Date,
        Self::Result,
    ];

    /// Its name in files: the PGN tag in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::Round => "round",
            Self::Board => "board",
            Self::Date => "date",
            Self::Result => "result",
        }
    }

    /// The field of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// The name of its PGN tag.
    pub fn tag(self) -> &'static str {
        match self {
            Self::White => "White",
            Self::Black => "Black",
            Self::Round => "Round",
            Self::Board => "Board",
            Self::Date => "Date",
            Self::Result => "Result",
        }
    }
}
