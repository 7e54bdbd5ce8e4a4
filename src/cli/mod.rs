//! The command line: arguments, inputs, outputs and what is said on the way.

pub mod args;
mod cache;
pub mod cells;
mod event;
pub mod fixes;
mod folder;
mod games;
mod groups;
mod headers;
mod inputs;
pub mod layout;
pub mod merge;
mod output;
mod overwrite;
mod pages;
mod parallel;
mod pile;
pub mod progress;
mod reading;
pub mod scan;
pub mod schema;
mod sheets;
mod spool;
pub mod transcribe;
mod writers;
