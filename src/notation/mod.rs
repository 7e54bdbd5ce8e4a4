//! How players write moves: spellings of a legal move in a language, what stands behind it, and what ends a record.

mod decoration;
mod habits;
mod language;
mod shape;
mod spelling;

pub use decoration::{DECORATIONS, Decoration, END_MARKS, EndMark};
pub use habits::{Counts, Habits, Way, Ways};
pub use language::{LANGUAGES, Language, figurines};
pub use shape::{Disambiguation, Shape};
pub use spelling::{ANY_LETTER, ANY_PLACE, Spelling, possible, spellings};
