//! What stops a batch.

use std::path::PathBuf;

/// A fault that ends the run. What is wrong with one sheet never does; it is reported through
/// [`super::BatchProgress::page_failed`].
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// A drawing of a table cannot be written.
    #[error("{} cannot be written", .0.display())]
    Drawing(PathBuf, #[source] image::ImageError),
    /// A pair names a file of which no sheet was read.
    #[error("--pair names {}, of which no sheet was read", .0.display())]
    UnmatchedPair(PathBuf),
    /// A fix, given here as text, says which sheets record one game, and the run keeps each by
    /// itself.
    #[error("{0}: this run keeps each sheet by itself; leave out --no-pair or --shard, or the fix")]
    CopiesAlone(String),
    /// A required fix, given here as text, names no sheet that was read.
    #[error("--fix {0}: no sheet of that name was read")]
    UnmatchedFix(String),
}
