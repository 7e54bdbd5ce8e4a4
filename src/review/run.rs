//! A run under review: its games are decoded again with each answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;

use serde_json::json;

use crate::batch::{BatchGame, Fix, NoProgress};
use crate::cache::Cache;
use crate::decode::Effort;
use crate::scan::{HeaderField, RecordSheets, SheetError};

use super::answer_file::{AnswerFile, COPY_OF, ValueChange};
use super::events::Events;
use super::matched_games::{MatchedGames, MatchingCache};
use super::options::ReviewOptions;
use super::pictures::Pictures;
use super::session::{Session, decode, is_known};
use super::sheet_naming::SheetNaming;
use super::state::{AnswerStep, Fault, Phase, State};

/// A run under review.
pub struct Review {
    pub(super) options: ReviewOptions,
    pub(super) state: Mutex<State>,
    pub(super) pictures: Pictures,
    pub(super) events: Events,
    /// Itself, for threads of its own.
    this: Weak<Self>,
    /// Held while sheets are read.
    pub(super) reading: Mutex<()>,
    /// Whether a thread waits to read them again, which finds all pictures that are there then.
    pub(super) will_read_again: AtomicBool,
    /// Held while an answer is taken.
    pub(super) answering: Mutex<()>,
    /// Takes the indices of the games that need a search of full effort.
    searches: Mutex<Sender<usize>>,
    /// Held while games are matched with the pairings of an event.
    pub(super) matching: Mutex<MatchingCache>,
    /// Takes requests to match the games.
    pub(super) matchings: Mutex<Sender<()>>,
}

impl Review {
    /// A review with the answers of a file. Nothing is read yet ([`Self::read`]).
    /// `epoch` differs between runs: letters, digits and `-`.
    pub fn new(file: AnswerFile, options: ReviewOptions, epoch: String) -> Arc<Self> {
        let (searches, requested) = mpsc::channel();
        let (matchings, matching_requested) = mpsc::channel();
        let mut state = State::new(file);
        let event = options.event.as_ref();
        state.matched = event.map(|event| Arc::new(MatchedGames::without_games(event)));
        let review = Arc::new_cyclic(|this| Self {
            this: Weak::clone(this),
            state: Mutex::new(state),
            reading: Mutex::default(),
            will_read_again: AtomicBool::new(false),
            answering: Mutex::default(),
            pictures: Pictures::default(),
            events: Events::new(epoch),
            searches: Mutex::new(searches),
            matching: Mutex::default(),
            matchings: Mutex::new(matchings),
            options,
        });
        let weak = Arc::downgrade(&review);
        thread::spawn(move || search_until_dropped(&requested, || weak.upgrade()));
        let weak = Arc::downgrade(&review);
        thread::spawn(move || match_until_dropped(&matching_requested, || weak.upgrade()));
        review
    }

    /// Reads the inputs once more, on a thread of its own.
    pub(super) fn read_again(&self) {
        if self.will_read_again.swap(true, Ordering::SeqCst) {
            return;
        }
        let this = Weak::clone(&self.this);
        thread::spawn(move || {
            let review = this.upgrade();
            if let Some(review) = review
                && let Err(reason) = review.read(&mut NoProgress)
            {
                let name = review.options.name.clone();
                review.state().faults.push(Fault { name, reason });
            }
        });
    }

    /// The cache of the run.
    pub fn cache(&self) -> &Cache {
        &self.options.cache
    }

    /// Whether every sheet gave a game, and a person has settled them all.
    pub fn is_settled(&self) -> bool {
        let state = self.state();
        let is_settled = |at| state.with_view(at, |view| view.state().is_settled());
        let mut games = 0..state.sessions.len();
        state.phase == Phase::Ready
            && state.faults.is_empty()
            && games.all(|at| is_settled(at) == Some(true))
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps other answers waiting as long as the guard lives.
    pub(super) fn hold_answers(&self) -> MutexGuard<'_, ()> {
        let answering = self.answering.lock();
        answering.unwrap_or_else(PoisonError::into_inner)
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
        let namings = state.sessions.iter().map(|s| Arc::clone(&s.naming));
        let namings: Vec<Arc<SheetNaming>> = namings.collect();
        let note = |table: &str| {
            let names = namings.iter().find_map(|naming| naming.name_of(table));
            names.map_or_else(String::new, |name| name.replace(char::is_control, " "))
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
        if changes.iter().any(|change| change.key == COPY_OF) {
            return self.regroup();
        }
        self.decode_quickly(at)?;
        if changes
            .iter()
            .any(|c| HeaderField::from_name(&c.key).is_some())
        {
            self.match_games();
        } else {
            self.request_matching();
        }
        Ok(())
    }

    /// Decodes a game with its answers: at once where searches of full effort know it, else
    /// quickly.
    pub(super) fn decode_quickly(&self, at: usize) -> Result<(), String> {
        let record = self.record(at)?;
        let mut state = self.state();
        let fixes = self.fixes_of(&state, at);
        let session = &mut state.sessions[at];
        session.fixes.clone_from(&fixes);
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
            self.request_search(at);
        }
        self.publish_game(at);
        Ok(())
    }

    /// Searches for a game with full effort, unless an answer comes meanwhile.
    fn decode_fully(&self, at: usize) {
        let is_final = |session: &Session| session.is_final;
        if self.state().sessions.get(at).is_none_or(is_final) {
            return;
        }
        let Ok(record) = self.record(at) else {
            return;
        };
        let mut state = self.state();
        let session = &mut state.sessions[at];
        let fixes = session.fixes.clone();
        let stop = session.restart();
        let mut search = session.search.clone();
        drop(state);
        let decoder = self.options.scanner.decoder();
        let effort = Effort::Full(Some(&stop));
        let decoded = decode(&record, &mut search, decoder, &fixes, effort);
        let mut state = self.state();
        // The games may have got other places meanwhile.
        let is_own = |session: &&mut Session| Arc::ptr_eq(&session.stop, &stop);
        let session = state.sessions.get_mut(at).filter(is_own);
        let Some(session) = session.filter(|_| !stop.load(Ordering::Relaxed)) else {
            return;
        };
        session.search = search;
        session.show(decoded, true);
        let data = json!({ "id": session.id(), "version": session.version });
        drop(state);
        self.events.publish("final", &data);
        self.publish_game(at);
        self.request_matching();
    }

    fn fixes_of(&self, state: &State, at: usize) -> Vec<Fix> {
        let group = state.sessions[at].group;
        let batch = state.batch.as_ref();
        batch.map_or_else(Vec::new, |batch| {
            state.fixes(&batch.groups[group].ids(&batch.sheets), &self.options)
        })
    }

    /// Reads the file of answers again where somebody else has changed it, and decodes all games
    /// whose answers are others now.
    pub(super) fn reload_answers(&self) -> Result<(), String> {
        let mut state = self.state();
        if !state.file.reload().map_err(|error| error.to_string())? {
            return Ok(());
        }
        drop(state);
        if self.has_other_groups() {
            // The sheets are grouped anew by a reading, which finds them all in the cache.
            self.read_again();
        }
        let state = self.state();
        let changed = (0..state.sessions.len())
            .filter(|&at| self.fixes_of(&state, at) != state.sessions[at].fixes);
        let changed: Vec<usize> = changed.collect();
        drop(state);
        if changed.is_empty() {
            return Ok(());
        }
        changed
            .into_iter()
            .try_for_each(|at| self.decode_quickly(at))?;
        self.match_games();
        Ok(())
    }

    /// Asks for a search of full effort.
    pub(super) fn request_search(&self, at: usize) {
        let searches = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        // The thread that searches lives as long as the review.
        let _ = searches.send(at);
    }

    /// Takes back a step, or does it again.
    pub(super) fn apply_step(&self, step: &AnswerStep, reversed: bool) -> Result<(), String> {
        let changes: Vec<ValueChange> = match reversed {
            true => step.changes.iter().map(ValueChange::reversed).collect(),
            false => step.changes.clone(),
        };
        let at = self.state().find_table(&step.table);
        self.apply(
            at.ok_or("the sheet of that answer is not there any more")?,
            &changes,
        )
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

    /// Tells that the line of a game has changed.
    pub(super) fn publish_game(&self, at: usize) {
        let row = self.state().with_view(at, |view| view.row());
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

/// Matches games as it is asked to, once for all requests that have come meanwhile.
fn match_until_dropped(requested: &Receiver<()>, review: impl Fn() -> Option<Arc<Review>>) {
    while requested.recv().is_ok() {
        let Some(review) = review() else {
            return;
        };
        review.wait_for_games();
        while requested.try_recv().is_ok() {}
        review.match_games();
    }
}
