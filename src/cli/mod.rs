//! The command line: arguments, inputs, outputs and what is said on the way.

pub mod args;
pub mod cells;
pub mod fixes;
mod folder;
mod inputs;
mod output;
mod parallel;
pub mod progress;
pub mod scan;
mod sheets;
pub mod transcribe;
