//! The games of single records, which tell whether two records with few cells are copies.

use std::sync::OnceLock;

use crate::copies;
use crate::decode::{Agreement, Game};
use crate::prior::Prior;
use crate::scan::ScannedGame;

/// The games of all records of a batch, each record by itself and decoded when it is first asked
/// for.
pub(super) struct GamesOfRecords<'a, D> {
    records: &'a [Vec<usize>],
    /// Gives the game of a record, a list of pages.
    decode: D,
    games: Vec<OnceLock<Option<Game>>>,
    prior: &'static Prior,
}

impl<'a, D: Fn(&[usize]) -> Option<ScannedGame>> GamesOfRecords<'a, D> {
    pub(super) fn new(records: &'a [Vec<usize>], decode: D) -> Self {
        Self {
            records,
            decode,
            games: records.iter().map(|_| OnceLock::new()).collect(),
            prior: Prior::embedded(),
        }
    }

    /// The game of a record; none where it holds several.
    fn get(&self, record: usize) -> Option<&Game> {
        let decode = || {
            let scanned = (self.decode)(&self.records[record])?;
            scanned.below.is_empty().then_some(scanned.game)
        };
        self.games[record].get_or_init(decode).as_ref()
    }

    /// How two records agree; none where more speaks for two games.
    pub(super) fn agreement(
        &self,
        a: usize,
        b: usize,
        parameters: &copies::Parameters,
    ) -> Option<Agreement> {
        Agreement::new(self.get(a)?, self.get(b)?, self.prior, parameters)
    }
}
