//! The fields of a sheet's header: the labels that the form prints for them, and the words that
//! belong to each.
//!
//! Boxes are measured in rows of the move table ([`WordBox`]), so that all lengths here are
//! independent of the resolution of the photograph.

mod groups;
mod labels;
mod lines;
mod vocabulary;

use serde::{Deserialize, Serialize};

use crate::header::WordBox;

pub use groups::GroupParameters;
pub(crate) use groups::{WordGroup, group_words, vertical_overlap};
pub use labels::LabelParameters;
pub(crate) use labels::find_labels;
pub use lines::LineParameters;
pub(crate) use lines::locate_lines;

/// The tuned numbers with which labels are told and words are bound to them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// Which words are labels.
    pub labels: LabelParameters,
    /// Where the line of writing behind a label lies.
    pub lines: LineParameters,
    /// Which words stand in one field.
    pub groups: GroupParameters,
}

/// A field of the header that identifies a game within its event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    White,
    Black,
    Round,
    Board,
    Date,
}

/// A printed label that was read.
#[derive(Debug)]
pub(crate) struct Label {
    /// Its box.
    pub bounds: WordBox,
    /// The field that it names; none for a label of any other field, such as the result.
    pub field: Option<Field>,
}

#[cfg(test)]
mod tests;
