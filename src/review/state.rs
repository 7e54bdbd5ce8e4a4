//! What a review knows: its sheets and games, the answers, and the steps that can be taken back.

use std::collections::HashMap;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use crate::batch::{Fix, Fixes, ReadBatch, SheetGroup, SheetId};
use crate::scan::ScannedGame;

use super::answer_file::{AnswerFile, ValueChange};
use super::options::ReviewOptions;
use super::session::Session;
use super::views::GameView;

/// Number of hexadecimal digits of an id, and of the hash that names a table of the file.
const ID_DIGITS: usize = 12;

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
    /// Index of the game.
    pub session: usize,
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
    pub batch: Option<Arc<ReadBatch>>,
    /// The games that are decoded so far, in the order of the groups.
    pub sessions: Vec<Session>,
    /// The ids of the games, in the same order.
    pub ids: Vec<String>,
    /// For each sheet by its id: its game, and its index there.
    pub sheets: HashMap<String, (usize, usize)>,
    pub faults: Vec<Fault>,
    /// Pages that were looked at.
    pub pages: usize,
    pub file: AnswerFile,
    pub undo: Vec<AnswerStep>,
    pub redo: Vec<AnswerStep>,
    pub exported: Option<Exported>,
    /// Indices of the games whose posteriors are kept, the one looked at last at the end.
    pub recent: Vec<usize>,
}

/// What the page and the file need to name the sheets of a game.
pub(super) struct SheetNaming {
    /// The names of the sheets for people.
    pub names: Vec<String>,
    /// Their ids.
    pub ids: Vec<String>,
    /// The table of each in the file of answers.
    pub tables: Vec<String>,
}

impl State {
    pub(super) fn new(files: usize, file: AnswerFile) -> Self {
        Self {
            phase: Phase::Reading,
            files: (files, 0),
            batch: None,
            sessions: Vec::new(),
            ids: Vec::new(),
            sheets: HashMap::new(),
            faults: Vec::new(),
            pages: 0,
            file,
            undo: Vec::new(),
            redo: Vec::new(),
            exported: None,
            recent: Vec::new(),
        }
    }

    /// The sheets of a game that differ, in the order of the game.
    pub(super) fn naming(&self, group: &SheetGroup) -> SheetNaming {
        let sheets = self.batch.as_ref().map_or(&[][..], |batch| &batch.sheets);
        let pages: Vec<usize> = group.copies.iter().flatten().copied().collect();
        let name = |&i: &usize| sheets[i].name.clone();
        let table = |&i: &usize| {
            let id = &sheets[i].id;
            let has_others = sheets
                .iter()
                .any(|other| other.id.sha256 == id.sha256 && other.id.page != id.page);
            let digits = id.sha256.get(..ID_DIGITS).unwrap_or(&id.sha256);
            if has_others || id.page != 1 {
                format!("{digits}#{}", id.page)
            } else {
                digits.to_owned()
            }
        };
        SheetNaming {
            names: pages.iter().map(name).collect(),
            ids: pages.iter().map(|&i| short_id(&sheets[i].id)).collect(),
            tables: pages.iter().map(table).collect(),
        }
    }

    /// Adds a game that was decoded.
    pub(super) fn add_session(&mut self, session: Session) {
        let Some(batch) = self.batch.clone() else {
            return;
        };
        let naming = self.naming(&batch.groups[session.group]);
        let at = self.sessions.len();
        for (i, id) in naming.ids.iter().enumerate() {
            self.sheets.insert(id.clone(), (at, i));
        }
        self.ids
            .push(naming.ids.first().cloned().unwrap_or_default());
        self.sessions.push(session);
    }

    /// The answers of a game's sheets, those of the command line among them.
    pub(super) fn fixes(&self, group: &SheetGroup, options: &ReviewOptions) -> Vec<Fix> {
        let Some(batch) = &self.batch else {
            return Vec::new();
        };
        let mut fixes = Fixes::new(options.fixes.clone(), self.file.fixes());
        // A name that means two files is told when the review begins; here it means neither.
        let _ = fixes.resolve_names(&options.names);
        fixes.of_sheets(&group.ids(&batch.sheets))
    }

    /// Calls a function with a game as it is shown.
    pub(super) fn with_view<T>(
        &self,
        at: usize,
        options: &ReviewOptions,
        show: impl FnOnce(&GameView) -> T,
    ) -> Option<T> {
        let session = self.sessions.get(at)?;
        let batch = self.batch.as_ref()?;
        let group = &batch.groups[session.group];
        let naming = self.naming(group);
        let fixes = self.fixes(group, options);
        let begins_like = group.begins_like.map(|i| batch.sheets[i].name.as_str());
        let game = session.decoded.game.as_ref();
        Some(show(&GameView {
            id: &self.ids[at],
            version: session.version,
            is_final: session.is_final,
            game: game.map(|game| &**game).map_err(String::as_str),
            names: &naming.names,
            sheet_ids: &naming.ids,
            fixes: &fixes,
            refused: &session.decoded.refused,
            begins_like,
        }))
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

/// The id of a sheet, which is also that of the game whose first sheet it is: the first digits of
/// the SHA-256 of its file's SHA-256 and its page.
fn short_id(id: &SheetId) -> String {
    let digest = Sha256::digest(format!("{}#{}", id.sha256, id.page));
    let digits = digest.iter().map(|byte| format!("{byte:02x}"));
    digits.collect::<String>()[..ID_DIGITS].to_owned()
}
