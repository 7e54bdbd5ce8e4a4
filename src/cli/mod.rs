//! The command line: arguments, inputs, progress, outputs and exit status.

pub mod args;
mod cache;
pub mod cells;
pub mod completions;
pub mod draw;
mod event;
mod event_file;
pub mod exit_status;
mod file_list;
mod fixes;
mod folder;
#[cfg(feature = "forms")]
pub mod forms;
#[cfg(feature = "forms")]
mod forms_args;
mod games;
mod header_table;
mod headers;
mod help_texts;
mod inputs;
pub mod layout;
pub mod man;
pub mod merge;
mod output;
mod overwrite;
#[cfg(feature = "forms")]
mod paper;
pub mod progress;
#[cfg(feature = "review")]
pub mod review;
pub mod scan;
pub mod schema;
pub mod signals;
mod streams;
mod text_file;
mod threads;
pub mod transcribe;
mod value_parsers;
pub mod version;
mod walk;
mod writers;
