//! The sheets of a game under review: how they are called, and what was read on them.

use crate::batch::{ReadBatch, SheetGroup};
use crate::cache::Digest;

use super::sheet_naming::SheetNaming;

/// The sheets of a game. Where they are equal, so is the game, but for the answers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct GameSheets {
    /// How they are called.
    pub naming: SheetNaming,
    /// For each copy the hashes of what was read on its pages, in playing order.
    digests: Vec<Vec<Digest>>,
}

impl GameSheets {
    /// The sheets of a group.
    pub(super) fn new(group: &SheetGroup, batch: &ReadBatch) -> Self {
        Self {
            naming: SheetNaming::new(group, &batch.sheets),
            digests: batch.digests(&group.copies),
        }
    }

    /// Whether the places of a game of other sheets are those of the same cells here: these are the
    /// same sheets in the same order, with further ones behind them perhaps.
    pub(super) fn keep_places_of(&self, old: &Self) -> bool {
        let mut digests = self.digests.iter().flatten();
        let mut old_digests = old.digests.iter().flatten();
        self.naming.tables.starts_with(&old.naming.tables)
            && old_digests.all(|digest| digests.next() == Some(digest))
    }
}
