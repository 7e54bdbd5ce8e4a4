//! sheetscan reads photographed and scanned chess score sheets into games.
//!
//! [`scan_batch`] reads a whole round. The stages can be used one by one: [`page`] opens a file,
//! [`grid`] finds the table of moves, [`numbers`] numbers its rows, [`cell`] and [`header`] cut the
//! writing out of the page, [`reader`] reads it, [`copies`] compares sheets, and [`decode`] finds
//! the games. [`scan`] joins the stages of one sheet, [`batch`] decides over all sheets of a run.
//! [`pgn`] and [`json`] write games, [`event`] matches them with a tournament's pairings, and
//! [`transcribe`] reads typed games instead of pictures. [`text`] decodes the files of other
//! programs.
//!
//! `docs/architecture.md` shows how the modules depend on each other.
#![deny(missing_docs)]

pub mod batch;
pub mod cache;
pub mod capture_quality;
pub mod cell;
pub mod copies;
pub mod crops;
mod date;
pub mod debug;
pub mod decode;
pub mod event;
pub mod fields;
pub mod form;
#[cfg(feature = "forms")]
pub mod forms;
pub mod geometry;
pub mod grid;
pub mod guard;
pub mod header;
pub mod ink;
pub mod json;
mod logprob;
#[cfg(feature = "forms")]
pub mod marks;
pub mod models;
pub mod notation;
pub mod numbers;
mod onnx;
mod packed;
pub mod page;
mod parameters;
pub mod patch;
pub mod pgn;
mod pgn_syntax;
pub mod prior;
pub mod reader;
#[cfg(feature = "review")]
pub mod review;
mod robust;
pub mod scan;
pub mod schema;
pub mod shard_payload;
pub mod spool;
pub mod text;
pub mod transcribe;
pub mod whole_file;

pub use batch::{scan_batch, scan_batch_with};
pub use parameters::Parameters;
