//! How players write moves: the spellings of a legal move in a language, what stands behind a move,
//! and what ends a record.
//!
//! ```
//! use shakmaty::{Chess, Position, Role, Square};
//! use sheetscan::notation::{Habits, Language, MoveShape, spellings};
//!
//! let position = Chess::default();
//! let moves = position.legal_moves();
//! let knight_to_f3 = MoveShape::for_moves(&position, &moves)
//!     .into_iter()
//!     .find(|shape| shape.role == Role::Knight && shape.to == Square::F3)
//!     .expect("a legal move");
//! let portuguese = Language::from_code("pt").expect("a known code");
//! let spellings = spellings(&knight_to_f3, portuguese, &Habits::default());
//! let cost = |text: &str| spellings.iter().find(|s| s.text == text).map(|s| s.cost);
//! assert!(cost("Cf3") < cost("Cg1-f3"));
//! assert_eq!(cost("Nf3"), None);
//! ```

mod descriptive;
mod habits;
mod language;
mod localized;
mod move_number;
mod outcome;
mod result_text;
mod shape;
mod spelling;
mod square;
mod suffix;
mod word_form;

pub use habits::{Habits, NotationStyle, NotationStyles, StyleCounts};
pub use language::{LANGUAGES, Language, LettersError, figurines};
pub use localized::localize_san;
pub use move_number::move_number;
pub use outcome::{END_MARKS, EndMark, Outcome, parse_terminator, terminator};
pub use result_text::{parse_color, parse_result};
pub use shape::{Disambiguation, MoveShape};
pub use spelling::{ANY_COORDINATE, ANY_LETTER, Spelling, possible_styles, spellings};
pub use suffix::{MOVE_SUFFIXES, MoveSuffix};
pub use word_form::reads_like_a_move;

pub(crate) use result_text::{begins_end_phrase, parse_end_phrase, parse_score};
pub(crate) use square::{is_file, is_rank};
pub(crate) use suffix::{Stem, glyph, stems};
pub(crate) use word_form::{MAX_MOVE_CHARS, WordForm, is_capture_mark};
