//! The command line: arguments, inputs, outputs and what is said on the way.

pub mod args;
pub mod cells;
mod event;
pub mod fixes;
mod folder;
mod headers;
mod inputs;
pub mod merge;
mod output;
mod parallel;
pub mod progress;
pub mod scan;
mod sheets;
pub mod transcribe;
