//! What a review knows: its sheets and games, the answers, and the steps that can be taken back.

use std::collections::HashMap;
use std::sync::Arc;

use crate::batch::{Fix, Fixes, ReadBatch, SheetId, SheetNames};
use crate::scan::ScannedGame;

use super::answer_file::{AnswerFile, ValueChange};
use super::game_sheets::GameSheets;
use super::matched_games::{FieldTexts, MatchedGames};
use super::options::ReviewOptions;
use super::session::Session;
use super::views::GameView;

/// Largest number of games whose posteriors are kept in memory: those last looked at. A sheet has
/// about two megabytes.
const MAX_KEPT_RECORDS: usize = 32;

/// How far the run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Pages are being read.
    Reading,
    /// The games are being decoded.
    Decoding,
    /// All is there.
    Ready,
}

impl Phase {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Decoding => "decoding",
            Self::Ready => "ready",
        }
    }
}

/// A sheet that gave no game, and why.
#[derive(Debug, Clone)]
pub(super) struct Fault {
    pub name: String,
    pub reason: String,
}

/// What a person did at once, which is taken back at once.
#[derive(Debug, Clone)]
pub(super) struct AnswerStep {
    /// The table of a sheet of the game.
    pub table: String,
    /// What it was, for the line that says it was taken back.
    pub what: String,
    pub changes: Vec<ValueChange>,
}

/// When the run's files were written last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Exported {
    /// Seconds since the beginning of 1970.
    pub at: u64,
    pub changes_since: u64,
}

/// What a review knows.
pub(super) struct State {
    pub phase: Phase,
    /// Number of files, and of those that are read.
    pub files: (usize, usize),
    /// The names of all files.
    pub names: SheetNames,
    pub batch: Option<Arc<ReadBatch>>,
    /// The games that are decoded so far, in the order of the groups.
    pub sessions: Vec<Session>,
    /// For each sheet by its id: its game, and its index there.
    pub sheets: HashMap<String, (usize, usize)>,
    pub faults: Vec<Fault>,
    /// Pages that were looked at.
    pub pages: usize,
    pub file: AnswerFile,
    pub undo: Vec<AnswerStep>,
    pub redo: Vec<AnswerStep>,
    pub exported: Option<Exported>,
    /// The games with their pairings, where there is an event.
    pub matched: Option<Arc<MatchedGames>>,
    /// Indices of the games whose posteriors are kept, the one looked at last at the end.
    pub recent: Vec<usize>,
}

impl State {
    pub(super) fn new(file: AnswerFile) -> Self {
        Self {
            phase: Phase::Reading,
            files: (0, 0),
            batch: None,
            sessions: Vec::new(),
            names: SheetNames::default(),
            sheets: HashMap::new(),
            faults: Vec::new(),
            pages: 0,
            file,
            undo: Vec::new(),
            redo: Vec::new(),
            exported: None,
            matched: None,
            recent: Vec::new(),
        }
    }

    /// Adds a game that was decoded.
    pub(super) fn add_session(&mut self, session: Session) {
        let at = self.sessions.len();
        for (i, id) in session.naming().ids.iter().enumerate() {
            self.sheets.insert(id.clone(), (at, i));
        }
        self.sessions.push(session);
    }

    /// The answers of some sheets, those of the command line among them.
    pub(super) fn fixes(&self, ids: &[SheetId], options: &ReviewOptions) -> Vec<Fix> {
        let names_any = |name: &str| {
            let resolved = match self.names.find_page(name) {
                Ok(Some((path, Some(page)))) => format!("{path}#{page}"),
                Ok(Some((path, None))) => path.to_owned(),
                // A name that means two files is told when the review begins.
                Ok(None) | Err(_) => name.to_owned(),
            };
            ids.iter().any(|id| id.has_name(&resolved))
        };
        let mut fixes = Fixes::new(options.fixes.clone(), self.file.fixes_of(names_any));
        let _ = fixes.resolve_names(&self.names);
        fixes.of_sheets(ids)
    }

    /// Calls a function with a game as it is shown.
    pub(super) fn with_view<T>(&self, at: usize, show: impl FnOnce(&GameView) -> T) -> Option<T> {
        let session = self.sessions.get(at)?;
        let batch = self.batch.as_ref()?;
        let group = &batch.groups[session.group];
        let begins_like = group.begins_like.map(|i| batch.sheets[i].name.as_str());
        let game = session.decoded.game.as_ref();
        Some(show(&GameView {
            id: session.id(),
            version: session.version,
            is_final: session.is_final,
            game: game.map(|game| &**game).map_err(String::as_str),
            names: &session.naming().names,
            sheet_ids: &session.naming().ids,
            fixes: &session.fixes,
            refused: &session.decoded.refused,
            begins_like,
            event_fields: self.event_fields(session.id()),
        }))
    }

    /// The id of the game that another one begins like, where both may record one.
    pub(super) fn begins_like(&self, at: usize) -> Option<&str> {
        let groups = &self.batch.as_ref()?.groups;
        let other = groups[self.sessions.get(at)?.group].begins_like?;
        let has_it = |session: &&Session| groups[session.group].members().contains(&other);
        self.sessions.iter().find(has_it).map(Session::id)
    }

    /// What the event has the PGN of a game say.
    fn event_fields(&self, id: &str) -> Option<&FieldTexts> {
        self.matched.as_ref()?.fields.get(id)
    }

    /// Index of the game with a sheet whose answers stand in this table.
    pub(super) fn find_table(&self, table: &str) -> Option<usize> {
        let has_it = |session: &Session| session.naming().tables.iter().any(|known| known == table);
        self.sessions.iter().position(has_it)
    }

    /// Index of the game of these very sheets, which may have got another place or be gone.
    pub(super) fn find_sheets(&self, sheets: &Arc<GameSheets>) -> Option<usize> {
        let mut sessions = self.sessions.iter();
        sessions.position(|session| Arc::ptr_eq(&session.sheets, sheets))
    }

    /// The game as it is shown, if there is one.
    pub(super) fn game(&self, at: usize) -> Option<Arc<ScannedGame>> {
        self.sessions.get(at)?.decoded.game.clone().ok()
    }

    /// Notes that a game was looked at, and drops the posteriors of the one not looked at for
    /// longest where too many are kept.
    pub(super) fn touch(&mut self, at: usize) {
        self.recent.retain(|&known| known != at);
        self.recent.push(at);
        if self.recent.len() > MAX_KEPT_RECORDS {
            let oldest = self.recent.remove(0);
            self.sessions[oldest].record = None;
        }
    }
}
