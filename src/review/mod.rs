//! `sheetscan review`: a page, served on this machine alone, on which a person settles the doubts.
//!
//! [`Review`] reads the sheets as `scan` does, and decodes a game again with each answer. Answers
//! are kept in a file that `scan --fixes` reads ([`AnswerFile`]). [`http`] serves the page and
//! knows nothing of chess; it asks a [`backend::Backend`], which a review is.

mod answer_file;
mod answer_request;
mod answering;
mod assigning;
pub mod backend;
mod event_matching;
mod event_seats;
mod event_views;
pub mod events;
mod game_sheets;
pub mod http;
mod joining;
pub mod lock;
mod matched_games;
mod options;
mod pictures;
mod place;
mod quarter_turns;
mod reading;
mod run;
mod service;
mod session;
mod sheet_naming;
mod showing;
mod state;
mod views;

pub use answer_file::{AnswerFile, AnswerFileError};
pub use options::{
    ExportFiles, ExportedFiles, FindInputs, FindTypedHeaders, ReviewEvent, ReviewOptions,
    TypedHeaderOf,
};
pub use run::Review;
