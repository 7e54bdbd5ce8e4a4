//! One game under review: its sheets, what a person has read on them, and the game that follows.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::batch::{Fix, LocatedAnswers, decode_with_fixes};
use crate::decode::{Decoder, Effort, GameSearch};
use crate::guard;
use crate::scan::{RecordSheets, ScannedGame};

use super::game_sheets::GameSheets;
use super::sheet_naming::SheetNaming;

/// What a search gives.
#[derive(Debug, Clone)]
pub(super) struct Decoded {
    /// The game, or the text of an internal fault.
    pub game: Result<Arc<ScannedGame>, String>,
    /// The fixes that no game can keep to.
    pub refused: Vec<Fix>,
}

impl Decoded {
    /// No game, with the text of an internal fault.
    pub(super) fn of_fault(fault: String) -> Self {
        Self {
            game: Err(fault),
            refused: Vec::new(),
        }
    }
}

/// A game under review.
#[derive(Debug)]
pub(super) struct Session {
    /// Index of its sheets among the groups of the batch.
    pub group: usize,
    /// Its sheets. No other session has the same value, though it may have an equal one.
    pub sheets: Arc<GameSheets>,
    /// What a person has read on its sheets.
    pub fixes: Vec<Fix>,
    /// Its sheets with their posteriors, as long as it was among the last that were looked at.
    pub record: Option<Arc<RecordSheets>>,
    /// The searches of full effort so far.
    pub search: GameSearch,
    /// The game as it is shown.
    pub decoded: Decoded,
    /// Whether it is the game of a search of full effort.
    pub is_final: bool,
    /// Grows with each change of what is shown.
    pub version: u64,
    /// The version from which on its places have been those of the same cells.
    pub places_since: u64,
    /// The version with which a key of a table was changed last.
    pub changed_at: HashMap<(String, String), u64>,
    /// Stops the search of full effort that is under way.
    pub stop: Arc<AtomicBool>,
}

impl Session {
    /// A game that a search of full effort found.
    pub(super) fn new(
        group: usize,
        sheets: GameSheets,
        fixes: Vec<Fix>,
        search: GameSearch,
        decoded: Decoded,
    ) -> Self {
        Self {
            group,
            sheets: Arc::new(sheets),
            fixes,
            record: None,
            search,
            decoded,
            is_final: true,
            version: 1,
            places_since: 1,
            changed_at: HashMap::new(),
            stop: Arc::default(),
        }
    }

    /// How its sheets are called.
    pub(super) fn naming(&self) -> &SheetNaming {
        &self.sheets.naming
    }

    /// The id of the game.
    pub(super) fn id(&self) -> &str {
        self.naming().ids.first().map_or("", String::as_str)
    }

    /// Takes the place of some sessions: keeps what answers to their sheets are told by.
    pub(super) fn take_over(&mut self, old: &[Self]) {
        let is_kept =
            |other: &&Self| other.id() == self.id() && self.sheets.keep_places_of(&other.sheets);
        let kept = old.iter().find(is_kept);
        self.places_since = kept.map_or(self.version, |other| other.places_since);
        let changes = old.iter().flat_map(|other| &other.changed_at);
        let own = changes.filter(|((table, _), _)| self.naming().tables.contains(table));
        self.changed_at = own.map(|(key, &at)| (key.clone(), at)).collect();
    }

    /// Shows another game.
    pub(super) fn show(&mut self, decoded: Decoded, is_final: bool) {
        self.decoded = decoded;
        self.is_final = is_final;
        self.version += 1;
    }

    /// Stops the search that is under way, and gives the flag that stops the next one.
    pub(super) fn restart(&mut self) -> Arc<AtomicBool> {
        self.stop.store(true, Ordering::Relaxed);
        self.stop = Arc::default();
        Arc::clone(&self.stop)
    }
}

/// Searches for the game of some sheets with the fixes of these.
pub(super) fn decode(
    record: &RecordSheets,
    search: &mut GameSearch,
    decoder: &Decoder,
    fixes: &[Fix],
    effort: Effort,
) -> Decoded {
    let decoded = guard::catch(|| {
        decode_with_fixes(fixes, record, |answers| {
            record.decode_again(search, decoder, answers, effort)
        })
    });
    match decoded {
        Ok((game, refused)) => Decoded {
            game: Ok(Arc::new(game)),
            refused,
        },
        Err(fault) => Decoded::of_fault(fault),
    }
}

/// Whether the game of some sheets with the fixes of these is known from earlier searches alone.
pub(super) fn is_known(record: &RecordSheets, search: &GameSearch, fixes: &[Fix]) -> bool {
    let located = LocatedAnswers::new(fixes, record);
    record.knows(search, &located.answers)
}
