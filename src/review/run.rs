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
use super::backend::Refusal;
use super::events::Events;
use super::game_sheets::GameSheets;
use super::matched_games::{MatchedGames, MatchingCache};
use super::options::ReviewOptions;
use super::pictures::Pictures;
use super::session::{Decoded, decode, is_known};
use super::state::{AnswerStep, Phase, State};

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
            if let Some(review) = this.upgrade() {
                // The page tells what is wrong.
                let _ = review.read(&mut NoProgress);
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

    /// The sheets of a game, by its index in the state of now, with all that was read on them.
    pub(super) fn record(
        &self,
        mut state: MutexGuard<State>,
        at: usize,
    ) -> Result<Arc<RecordSheets>, String> {
        state.touch(at);
        let session = &state.sessions[at];
        if let Some(record) = &session.record {
            return Ok(Arc::clone(record));
        }
        let (group, sheets) = (session.group, Arc::clone(&session.sheets));
        let batch = state.batch.clone();
        drop(state);
        let batch = batch.ok_or("nothing is read yet")?;
        let alphabet = self.options.scanner.alphabet();
        let record = batch.record(&batch.groups[group], alphabet, &self.options.cache)?;
        let record = Arc::new(record);
        let mut state = self.state();
        if let Some(at) = state.find_sheets(&sheets) {
            state.touch(at);
            state.sessions[at].record = Some(Arc::clone(&record));
        }
        Ok(record)
    }

    /// Makes changes of the answers of a game, writes them, and shows the game that follows: the
    /// final one where it is known already, else that of a quick search, with the final one to
    /// come.
    pub(super) fn apply(&self, at: usize, changes: &[ValueChange]) -> Result<(), String> {
        let mut state = self.state();
        let sheets = state.sessions.iter().map(|s| Arc::clone(&s.sheets));
        let sheets: Vec<Arc<GameSheets>> = sheets.collect();
        let note = |table: &str| {
            let names = sheets.iter().find_map(|own| own.naming.name_of(table));
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
        let state = self.state();
        let sheets = Arc::clone(&state.sessions[at].sheets);
        let record = self.record(state, at)?;
        let mut state = self.state();
        let Some(at) = state.find_sheets(&sheets) else {
            // The game that took its place has these answers.
            return Ok(());
        };
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
        let Some(at) = state.find_sheets(&sheets) else {
            return Ok(());
        };
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
        let state = self.state();
        let unfinished = state.sessions.get(at).filter(|session| !session.is_final);
        let Some(sheets) = unfinished.map(|session| Arc::clone(&session.sheets)) else {
            return;
        };
        let Ok(record) = self.record(state, at) else {
            return;
        };
        let mut state = self.state();
        let Some(at) = state.find_sheets(&sheets) else {
            return;
        };
        let session = &mut state.sessions[at];
        let fixes = session.fixes.clone();
        let stop = session.restart();
        let mut search = session.search.clone();
        drop(state);
        let decoder = self.options.scanner.decoder();
        let effort = Effort::Full(Some(&stop));
        let decoded = decode(&record, &mut search, decoder, &fixes, effort);
        let mut state = self.state();
        let at = state.find_sheets(&sheets);
        let Some(at) = at.filter(|_| !stop.load(Ordering::Relaxed)) else {
            return;
        };
        let session = &mut state.sessions[at];
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

    /// Whether a game was decoded with other answers than those of now.
    pub(super) fn is_stale(&self, state: &State, at: usize) -> bool {
        self.fixes_of(state, at) != state.sessions[at].fixes
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
        if self.decode_stale() {
            self.match_games();
        }
        Ok(())
    }

    /// Decodes all games again, quickly, whose answers are others now. Tells whether there was one.
    pub(super) fn decode_stale(&self) -> bool {
        let state = self.state();
        let games = (0..state.sessions.len()).filter(|&at| self.is_stale(&state, at));
        let stale = games.map(|at| Arc::clone(&state.sessions[at].sheets));
        let stale: Vec<Arc<GameSheets>> = stale.collect();
        drop(state);
        for sheets in &stale {
            let Some(at) = self.state().find_sheets(sheets) else {
                continue;
            };
            let Err(fault) = self.decode_quickly(at) else {
                continue;
            };
            let mut state = self.state();
            if let Some(at) = state.find_sheets(sheets) {
                state.sessions[at].fixes = self.fixes_of(&state, at);
                state.sessions[at].show(Decoded::of_fault(fault), true);
            }
        }
        !stale.is_empty()
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

    /// Waits until no search is under way, and gives the games for the writers, with the numbers
    /// of pages that were looked at and of those without a game.
    ///
    /// # Errors
    /// 409 while sheets are read.
    pub(super) fn final_games(&self) -> Result<(Vec<BatchGame>, (usize, usize)), Refusal> {
        let state = loop {
            let state = self.state();
            if state.phase != Phase::Ready {
                return Err(Refusal::while_reading("export again"));
            }
            if state.sessions.iter().all(|session| session.is_final) {
                break state;
            }
            drop(state);
            thread::sleep(std::time::Duration::from_millis(20));
        };
        let pages = (state.pages, state.faults.len());
        let Some(batch) = &state.batch else {
            return Ok((Vec::new(), pages));
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
        Ok((games.collect(), pages))
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
