//! A run under review: it reads the sheets, decodes their games, and decodes them again with each
//! answer.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use serde_json::json;

use crate::batch::{
    self, BatchError, BatchGame, BatchOptions, BatchProgress, Fix, Input, PageSummary, ReadBatch,
    SheetGroup, process_in_order,
};
use crate::cache::Cache;
use crate::decode::{Effort, GameSearch};
use crate::scan::{RecordSheets, SheetError};

use super::answer_file::{AnswerFile, ValueChange};
use super::events::Events;
use super::options::ReviewOptions;
use super::pictures::Pictures;
use super::session::{Decoded, Session, decode, is_known};
use super::state::{AnswerStep, Fault, Phase, State};

/// A run under review.
pub struct Review {
    pub(super) options: ReviewOptions,
    pub(super) state: Mutex<State>,
    pub(super) pictures: Pictures,
    pub(super) events: Events,
    /// Takes the indices of the games that need a search of full effort.
    searches: Mutex<Sender<usize>>,
}

impl Review {
    /// A review of some inputs with the answers of a file. Nothing is read yet ([`Self::read`]).
    /// `epoch` differs between runs: letters, digits and `-`.
    pub fn new(
        inputs: usize,
        file: AnswerFile,
        options: ReviewOptions,
        epoch: String,
    ) -> Arc<Self> {
        let (searches, requested) = mpsc::channel();
        let review = Arc::new(Self {
            state: Mutex::new(State::new(inputs, file)),
            pictures: Pictures::default(),
            events: Events::new(epoch),
            searches: Mutex::new(searches),
            options,
        });
        let weak = Arc::downgrade(&review);
        thread::spawn(move || search_until_dropped(&requested, || weak.upgrade()));
        review
    }

    /// The cache of the run.
    pub fn cache(&self) -> &Cache {
        &self.options.cache
    }

    /// Whether every sheet gave a game, and a person has settled them all.
    pub fn is_settled(&self) -> bool {
        let state = self.state();
        let is_settled = |at| state.with_view(at, &self.options, |view| view.state().is_settled());
        let mut games = 0..state.sessions.len();
        state.phase == Phase::Ready
            && state.faults.is_empty()
            && games.all(|at| is_settled(at) == Some(true))
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the inputs and decodes their games, in the order of the input. Returns once all are
    /// there.
    ///
    /// # Errors
    /// [`BatchError`] where the run cannot go on.
    pub fn read(
        &self,
        inputs: &[Input],
        progress: &mut dyn BatchProgress,
    ) -> Result<(), BatchError> {
        let options = &self.options;
        let batch_options = BatchOptions {
            scanner: &options.scanner,
            cache: Some(&options.cache),
            layout: options.layout.as_ref(),
            jobs: options.jobs,
            grouping: options.grouping.clone(),
            fixes: batch::Fixes::new(options.fixes.clone(), Vec::new()),
            drawings: None,
            parameters: options.parameters,
        };
        let mut progress = ReviewProgress {
            review: self,
            inner: progress,
        };
        let batch = ReadBatch::read(inputs, &batch_options, &options.cache, &mut progress)?;
        let batch = Arc::new(batch);
        let mut state = self.state();
        state.batch = Some(Arc::clone(&batch));
        state.phase = Phase::Decoding;
        drop(state);
        self.publish_progress();
        let work = |at: usize, group: &SheetGroup| self.first_session(at, group, &batch);
        process_in_order(&batch.groups, options.jobs, work, |session| {
            let mut state = self.state();
            let at = state.sessions.len();
            state.add_session(session);
            drop(state);
            self.publish_game(at);
            self.publish_progress();
            Ok::<_, BatchError>(())
        })?;
        self.state().phase = Phase::Ready;
        self.publish_progress();
        Ok(())
    }

    /// The game of a group as it is shown first.
    fn first_session(&self, at: usize, group: &SheetGroup, batch: &ReadBatch) -> Session {
        let fixes = self.state().fixes(group, &self.options);
        let scanner = &self.options.scanner;
        let record = batch.record(group, scanner.alphabet(), &self.options.cache);
        let mut search = GameSearch::default();
        let decoded = match record {
            Ok(record) => {
                let decoder = scanner.decoder();
                decode(&record, &mut search, decoder, &fixes, Effort::Full(None))
            }
            Err(fault) => Decoded {
                game: Err(fault),
                refused: Vec::new(),
            },
        };
        Session::new(at, search, decoded)
    }

    /// The sheets of a game with all that was read on them.
    pub(super) fn record(&self, at: usize) -> Result<Arc<RecordSheets>, String> {
        let mut state = self.state();
        state.touch(at);
        let session = &state.sessions[at];
        if let Some(record) = &session.record {
            return Ok(Arc::clone(record));
        }
        let (group, batch) = (session.group, state.batch.clone());
        drop(state);
        let batch = batch.ok_or("nothing is read yet")?;
        let alphabet = self.options.scanner.alphabet();
        let record = batch.record(&batch.groups[group], alphabet, &self.options.cache)?;
        let record = Arc::new(record);
        self.state().sessions[at].record = Some(Arc::clone(&record));
        Ok(record)
    }

    /// Makes changes of the answers of a game, writes them, and shows the game that follows: the
    /// final one where it is known already, else that of a quick search, with the final one to
    /// come.
    pub(super) fn apply(&self, at: usize, changes: &[ValueChange]) -> Result<(), String> {
        let mut state = self.state();
        let group = state.sessions[at].group;
        let batch = state.batch.clone().ok_or("nothing is read yet")?;
        let naming = state.naming(&batch.groups[group]);
        let note = |table: &str| {
            let sheet = naming.tables.iter().position(|known| known == table);
            sheet.map_or_else(String::new, |i| {
                naming.names[i].replace(char::is_control, " ")
            })
        };
        state
            .file
            .apply(changes, note)
            .map_err(|error| error.to_string())?;
        let version = state.sessions[at].version + 1;
        for change in changes {
            let key = (change.sheet.clone(), change.key.clone());
            state.sessions[at].changed_at.insert(key, version);
        }
        if let Some(exported) = &mut state.exported {
            exported.changes_since += 1;
        }
        drop(state);
        self.decode_quickly(at)
    }

    /// Decodes a game with its answers: at once where searches of full effort know it, else
    /// quickly.
    pub(super) fn decode_quickly(&self, at: usize) -> Result<(), String> {
        let record = self.record(at)?;
        let mut state = self.state();
        let fixes = self.fixes_of(&state, at);
        let session = &mut state.sessions[at];
        session.restart();
        let mut search = session.search.clone();
        drop(state);
        let is_final = is_known(&record, &search, &fixes);
        let effort = match is_final {
            true => Effort::Full(None),
            false => Effort::Quick,
        };
        let decoder = self.options.scanner.decoder();
        let decoded = decode(&record, &mut search, decoder, &fixes, effort);
        let mut state = self.state();
        state.sessions[at].show(decoded, is_final);
        drop(state);
        if !is_final {
            let searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
            // The thread that searches lives as long as the review.
            let _ = searches.send(at);
        }
        self.publish_game(at);
        Ok(())
    }

    /// Searches for a game with full effort, unless an answer comes meanwhile.
    fn decode_fully(&self, at: usize) {
        if self.state().sessions[at].is_final {
            return;
        }
        let Ok(record) = self.record(at) else {
            return;
        };
        let mut state = self.state();
        let fixes = self.fixes_of(&state, at);
        let session = &mut state.sessions[at];
        let stop = session.restart();
        let mut search = session.search.clone();
        drop(state);
        let decoder = self.options.scanner.decoder();
        let effort = Effort::Full(Some(&stop));
        let decoded = decode(&record, &mut search, decoder, &fixes, effort);
        let mut state = self.state();
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let session = &mut state.sessions[at];
        session.search = search;
        session.show(decoded, true);
        let data = json!({ "id": state.ids[at], "version": state.sessions[at].version });
        drop(state);
        self.events.publish("final", &data);
        self.publish_game(at);
    }

    fn fixes_of(&self, state: &State, at: usize) -> Vec<Fix> {
        let group = state.sessions[at].group;
        let batch = state.batch.as_ref();
        batch.map_or_else(Vec::new, |batch| {
            state.fixes(&batch.groups[group], &self.options)
        })
    }

    /// Reads the file of answers again where somebody else has changed it, and decodes all games
    /// whose answers are others now.
    pub(super) fn reload_answers(&self) -> Result<(), String> {
        let mut state = self.state();
        let before: Vec<Vec<Fix>> = (0..state.sessions.len())
            .map(|at| self.fixes_of(&state, at))
            .collect();
        let is_changed = state.file.reload().map_err(|error| error.to_string())?;
        let others: Vec<usize> = (0..state.sessions.len())
            .filter(|&at| is_changed && self.fixes_of(&state, at) != before[at])
            .collect();
        drop(state);
        for at in others {
            self.decode_quickly(at)?;
        }
        Ok(())
    }

    /// Takes back a step, or does it again.
    pub(super) fn apply_step(&self, step: &AnswerStep, reversed: bool) -> Result<(), String> {
        let changes: Vec<ValueChange> = match reversed {
            true => step.changes.iter().map(ValueChange::reversed).collect(),
            false => step.changes.clone(),
        };
        self.apply(step.session, &changes)
    }

    /// Waits until no search is under way, and gives the games for the writers.
    pub(super) fn final_games(&self) -> Vec<BatchGame> {
        while self
            .state()
            .sessions
            .iter()
            .any(|session| !session.is_final)
        {
            thread::sleep(std::time::Duration::from_millis(20));
        }
        let state = self.state();
        let Some(batch) = &state.batch else {
            return Vec::new();
        };
        let games = state.sessions.iter().map(|session| {
            let group = &batch.groups[session.group];
            let result = match &session.decoded.game {
                Ok(game) => {
                    let mut game = (**game).clone();
                    game.same = group.same_sheets(&batch.sheets);
                    Ok(game)
                }
                Err(fault) => Err(SheetError::Internal(fault.clone())),
            };
            BatchGame {
                name: group.name(&batch.sheets),
                result,
                begins_like: group.begins_like.map(|i| batch.sheets[i].name.clone()),
                refused_fixes: session.decoded.refused.clone(),
                payload: None,
            }
        });
        games.collect()
    }

    /// Tells how far the run has come.
    fn publish_progress(&self) {
        let state = self.state();
        let groups = state.batch.as_ref().map_or(0, |batch| batch.groups.len());
        let data = json!({
            "phase": state.phase.name(),
            "files": { "total": state.files.0, "done": state.files.1 },
            "games": { "total": groups, "done": state.sessions.len() },
        });
        drop(state);
        self.events.publish("progress", &data);
    }

    /// Tells that the line of a game has changed.
    fn publish_game(&self, at: usize) {
        let row = self.state().with_view(at, &self.options, |view| view.row());
        if let Some(row) = row {
            self.events.publish("game", &json!({ "row": row }));
        }
    }
}

/// Searches for the games whose indices come, one after the other.
fn search_until_dropped(requested: &Receiver<usize>, review: impl Fn() -> Option<Arc<Review>>) {
    while let Ok(at) = requested.recv() {
        let Some(review) = review() else {
            return;
        };
        review.decode_fully(at);
    }
}

/// Notes what becomes of the pages, and passes it on.
struct ReviewProgress<'a> {
    review: &'a Review,
    inner: &'a mut dyn BatchProgress,
}

impl BatchProgress for ReviewProgress<'_> {
    fn page_read(&mut self, name: &str, page: &PageSummary) {
        self.inner.page_read(name, page);
    }

    fn page_failed(&mut self, name: &str, reason: &str) {
        self.inner.page_failed(name, reason);
        let (name, reason) = (name.to_owned(), reason.to_owned());
        self.review.state().faults.push(Fault { name, reason });
    }

    fn input_done(&mut self, pages: usize) {
        self.inner.input_done(pages);
        let mut state = self.review.state();
        state.files.1 += 1;
        state.pages += pages;
        drop(state);
        self.review.publish_progress();
    }

    fn page_reread(&mut self, name: &str, form: &str) {
        self.inner.page_reread(name, form);
    }

    fn fixes_unmatched(&mut self, count: usize, first: &Fix) {
        self.inner.fixes_unmatched(count, first);
    }
}
