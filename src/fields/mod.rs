//! The fields of a sheet's header: the labels that the form prints for them, and the words that
//! belong to each.
//!
//! Boxes are measured in rows of the move table ([`WordBox`]), so that all lengths here are
//! independent of the resolution of the photograph.

mod candidates;
mod contents;
mod groups;
mod labels;
mod lines;
mod vocabulary;

use serde::{Deserialize, Serialize};

use crate::header::WordBox;

pub use candidates::CandidateParameters;
pub(crate) use candidates::find_label_candidates;
pub use contents::ValueParameters;
pub(crate) use contents::{FieldPlace, WordWithParts, locate_fields, separate_words};
pub use groups::GroupParameters;
pub(crate) use groups::{WordGroup, group_words, vertical_overlap};
pub use labels::LabelParameters;
pub(crate) use labels::find_labels;
pub use lines::LineParameters;
pub(crate) use lines::locate_lines;
pub(crate) use vocabulary::{begins_label, is_printed_word};

/// The tuned numbers with which labels are told and words are bound to them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parameters {
    /// Which words may be labels.
    pub candidates: CandidateParameters,
    /// Which words are labels.
    pub labels: LabelParameters,
    /// Where the line of writing behind a label lies.
    pub lines: LineParameters,
    /// Which words stand in one field.
    pub groups: GroupParameters,
    /// Which words may stand in a field.
    pub values: ValueParameters,
    /// Two words of a field may share this much of the smaller one's box; of two that share more,
    /// the narrower one is a part of the other.
    pub max_shared_ink: f32,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            candidates: CandidateParameters::default(),
            labels: LabelParameters::default(),
            lines: LineParameters::default(),
            groups: GroupParameters::default(),
            values: ValueParameters::default(),
            max_shared_ink: 0.3,
        }
    }
}

/// A field of the header that identifies a game within its event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    White,
    Black,
    Round,
    Board,
    Date,
    Result,
}

/// A printed label that was read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Label {
    /// Its box.
    pub bounds: WordBox,
    /// The field that it names; none for a label of any other field, such as the opening.
    pub field: Option<Field>,
}

#[cfg(test)]
mod tests;
