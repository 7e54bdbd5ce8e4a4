//! Games matched with the pairings of an event, and what is kept from one matching to the next.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::batch::ReadBatch;
use crate::event::checks::{self, Finding};
use crate::event::games::{self, GameFormat};
use crate::event::matching::EventSlot;
use crate::event::{Event, Header, Ledger, headers_of_sheets};
use crate::scan::{HeaderField, ScannedGame, Sheet};
use crate::schema::GameRecord;

use super::event_seats::{Seat, list_seats};
use super::options::{ReviewEvent, TypedHeaderOf};

/// What a header says of a game, field by field; empty where it is unknown.
pub(super) type FieldTexts = Vec<(HeaderField, String)>;

/// The games of a review with their pairings, and what the checks found.
pub(super) struct MatchedGames {
    pub ledger: Ledger,
    /// Worst first.
    pub findings: Vec<Finding>,
    /// The cells of the grid of rounds and boards.
    pub seats: Vec<Seat>,
    /// For each record the id of its game. A game further down on a sheet has that of the first.
    pub ids: Vec<String>,
    /// For each id the index of the first record.
    pub records: HashMap<String, usize>,
    /// For each id what is written into the PGN.
    pub fields: HashMap<String, FieldTexts>,
}

/// What is kept from one matching to the next.
#[derive(Default)]
pub(super) struct MatchingCache {
    /// What was read in the header of each page, by the hash of its file and its number.
    read: HashMap<(String, u32), Header>,
    /// The games as records, by id, each with the game it is made from, and those below it.
    records: HashMap<String, (Arc<ScannedGame>, Vec<GameRecord>)>,
    /// The headers that a person has typed.
    typed: Option<Box<TypedHeaderOf>>,
}

/// A game to be matched.
pub(super) struct GameToMatch {
    pub id: String,
    /// Index among the groups of the batch.
    pub group: usize,
    pub game: Arc<ScannedGame>,
}

impl MatchedGames {
    /// An event of which no game is known.
    pub(super) fn without_games(options: &ReviewEvent) -> Self {
        Self::new(options, Vec::new(), Vec::new())
    }

    fn new(options: &ReviewEvent, games: Vec<(GameRecord, Vec<Header>)>, ids: Vec<String>) -> Self {
        let (event, scope) = (options.event.clone(), options.scope.clone());
        let ledger = Ledger::match_games(event, games, scope, &options.parameters);
        let written = games::format_games(&ledger, options.format);
        let mut findings = checks::run_checks(&ledger, &written);
        // Those of one level stay in the order of the report.
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.code.level()));
        let mut records = HashMap::new();
        for (record, id) in ids.iter().enumerate() {
            records.entry(id.clone()).or_insert(record);
        }
        let texts = records.iter().map(|(id, &record)| {
            let texts = field_texts(&ledger, record, options.format);
            (id.clone(), texts)
        });
        Self {
            fields: texts.collect(),
            seats: list_seats(&ledger),
            ledger,
            findings,
            ids,
            records,
        }
    }

    /// Whether another matching says the same of the same games.
    pub(super) fn says_the_same(&self, other: &Self) -> bool {
        let slots = |games: &Self| -> Vec<Option<(EventSlot, bool)>> {
            let own = games.ledger.matches.iter();
            own.map(|m| m.as_ref().ok().map(|m| (m.slot, m.reversed)))
                .collect()
        };
        self.ids == other.ids && slots(self) == slots(other) && self.findings == other.findings
    }
}

/// What is written into the PGN of a game.
fn field_texts(ledger: &Ledger, record: usize, format: GameFormat) -> FieldTexts {
    let tags = games::game_tags(ledger, record, format.dotted_rounds);
    let text = |field: HeaderField| {
        let mut own = tags.iter().filter(|(name, _)| *name == field.tag());
        let text = own.next().map_or("", |(_, value)| value);
        // PGN writes question marks for what is unknown.
        let is_unknown = text.chars().all(|c| matches!(c, '?' | '.'));
        if is_unknown { "" } else { text }.to_owned()
    };
    HeaderField::ALL.map(|field| (field, text(field))).to_vec()
}

impl MatchingCache {
    /// Matches some games, in their order.
    pub(super) fn match_games(
        &mut self,
        options: &ReviewEvent,
        batch: &ReadBatch,
        games: &[GameToMatch],
    ) -> MatchedGames {
        self.read_headers(options, games);
        let (mut inputs, mut ids) = (Vec::new(), Vec::new());
        for game in games {
            let known = self.records.get(&game.id);
            if known.is_none_or(|(from, _)| !Arc::ptr_eq(from, &game.game)) {
                let records = make_records(game, batch);
                let kept = (Arc::clone(&game.game), records);
                self.records.insert(game.id.clone(), kept);
            }
            for (i, record) in self.records[&game.id].1.iter().enumerate() {
                let typed = |sheet: &_| {
                    self.typed
                        .as_ref()
                        .map_or_else(Header::default, |t| t(sheet))
                };
                let headers = headers_of_sheets(&record.sheets, typed, |sheet| {
                    // The words outside the table belong to the first game.
                    let read = self.read.get(&(sheet.sha256.clone(), sheet.page));
                    read.filter(|_| i == 0).cloned().unwrap_or_default()
                });
                inputs.push((record.clone(), headers));
                ids.push(game.id.clone());
            }
        }
        MatchedGames::new(options, inputs, ids)
    }

    /// Takes the headers that a person has typed, after files were read.
    pub(super) fn take_typed(&mut self, typed: Box<TypedHeaderOf>) {
        self.typed = Some(typed);
    }

    /// Forgets the records that were made of games, after other files may show the same pictures.
    pub(super) fn forget_records(&mut self) {
        self.records.clear();
    }

    /// Scores the headers of the pages that are new.
    fn read_headers(&mut self, options: &ReviewEvent, games: &[GameToMatch]) {
        let sheets = games.iter().flat_map(|game| &game.game.sheets);
        let fresh: Vec<&Sheet> = sheets
            .filter(|sheet| !self.read.contains_key(&(sheet.sha256.clone(), sheet.page)))
            .collect();
        let read = |sheet: &&Sheet| {
            let header = if sheet.words.is_empty() {
                Header::default()
            } else {
                read_header(&options.event, sheet, options)
            };
            ((sheet.sha256.clone(), sheet.page), header)
        };
        let headers: Vec<((String, u32), Header)> = fresh.par_iter().map(read).collect();
        self.read.extend(headers);
    }
}

fn read_header(event: &Event, sheet: &Sheet, options: &ReviewEvent) -> Header {
    let handwriting = &options.parameters.handwriting;
    Header::from_handwriting(event, &sheet.words, &options.fields, handwriting)
}

/// The records of a game and of those below it, without words and cells, which take much memory.
fn make_records(game: &GameToMatch, batch: &ReadBatch) -> Vec<GameRecord> {
    let mut first = (*game.game).clone();
    first.same = batch.groups[game.group].same_sheets(&batch.sheets);
    let below = std::mem::take(&mut first.below);
    let record = |mut scanned: ScannedGame| {
        scanned
            .sheets
            .iter_mut()
            .for_each(|sheet| sheet.words.clear());
        let mut record = GameRecord::from(&scanned);
        record
            .sheets
            .iter_mut()
            .for_each(|sheet| sheet.cells.clear());
        record
    };
    std::iter::once(first).chain(below).map(record).collect()
}
