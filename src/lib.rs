//! sheetscan reads photographed chess scoresheets into games.
//!
//! Data flows one way: [`page`], [`grid`], [`numbers`], [`cell`], [`header`], [`reader`],
//! [`copies`], [`decode`], then the writers [`pgn`] and [`json`]; [`scan`] is the whole way,
//! [`cache`] keeps what was read, and [`event`] knows whose games they are. [`transcribe`] reads
//! typed games instead.
#![deny(missing_docs)]

pub mod batch;
pub mod cache;
pub mod capture_quality;
pub mod cell;
pub mod copies;
pub mod crops;
pub mod debug;
pub mod decode;
pub mod event;
pub mod fields;
pub mod geometry;
pub mod grid;
pub mod guard;
pub mod header;
pub mod ink;
pub mod json;
mod logprob;
pub mod notation;
pub mod numbers;
mod onnx;
mod packed;
pub mod page;
pub mod patch;
pub mod pgn;
pub mod prior;
pub mod reader;
mod robust;
pub mod scan;
pub mod schema;
pub mod shard_payload;
pub mod transcribe;

pub use batch::{scan_batch, scan_batch_with};
