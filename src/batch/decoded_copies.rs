//! Games that were decoded to see which sheets belong together, kept while a batch grows.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::cache::Digest;
use crate::scan::ScannedGame;

/// For some copies, each the hashes of what was read on its pages, their game; none where decoding
/// failed.
type GamesOfCopies = HashMap<Vec<Vec<Digest>>, Option<ScannedGame>>;

/// Games of copies by what was read on them. A game takes some hundred kilobytes, and about every
/// fourth sheet needs one.
#[derive(Default)]
pub(super) struct DecodedCopies(Mutex<GamesOfCopies>);

impl DecodedCopies {
    /// The game of some copies, which is decoded if it is not known.
    pub(super) fn get_or_decode(
        &self,
        digests: Vec<Vec<Digest>>,
        decode: impl FnOnce() -> Option<ScannedGame>,
    ) -> Option<ScannedGame> {
        let known = self.games().get(&digests).cloned();
        known.unwrap_or_else(|| {
            let mut game = decode();
            // The words outside the tables take the most memory, and say nothing of copies.
            let sheets = game.iter_mut().flat_map(|game| &mut game.sheets);
            sheets.for_each(|sheet| sheet.words.clear());
            self.games().insert(digests, game.clone());
            game
        })
    }

    fn games(&self) -> MutexGuard<'_, GamesOfCopies> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
