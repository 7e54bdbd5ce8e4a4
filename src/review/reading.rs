//! Reads the sheets of a review and decodes their games, and does so again when pictures come in.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::iter;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use serde_json::json;

use crate::batch::{
    BatchError, BatchOptions, BatchProgress, Fix, Fixes, Input, PageSummary, ReadBatch, SheetGroup,
    SheetNames, process_in_order,
};
use crate::decode::{Effort, GameSearch};
use crate::{page, whole_file};

use super::backend::Refusal;
use super::run::Review;
use super::session::{Decoded, Session, decode};
use super::sheet_naming::SheetNaming;
use super::state::{Fault, Phase};

impl Review {
    /// Reads the inputs and decodes their games, in the order of the input. Returns once all are
    /// there. Games that are there already, since they were read before, stay as they are.
    ///
    /// # Errors
    /// A message where the run cannot go on.
    pub fn read(&self, progress: &mut dyn BatchProgress) -> Result<(), String> {
        // One reading at a time.
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        self.will_read_again.store(false, Ordering::SeqCst);
        let inputs = (self.options.find_inputs)()?;
        let mut state = self.state();
        state.phase = Phase::Reading;
        state.files = (inputs.len(), 0);
        state.names = SheetNames::new(inputs.iter().map(Input::display_path));
        (state.pages, state.faults) = (0, Vec::new());
        let is_first = state.batch.is_none();
        drop(state);
        self.find_typed_headers()?;
        let batch = self.read_batch(&inputs, progress);
        let batch = Arc::new(batch.map_err(|error| error.to_string())?);
        let result = if is_first {
            self.decode_first(&batch)
        } else {
            self.decode_further(&batch)
        };
        result.map_err(|error| error.to_string())?;
        self.match_games();
        self.state().phase = Phase::Ready;
        self.publish_progress();
        Ok(())
    }

    fn read_batch(
        &self,
        inputs: &[Input],
        progress: &mut dyn BatchProgress,
    ) -> Result<ReadBatch, BatchError> {
        let options = self.batch_options();
        let mut progress = ReviewProgress {
            review: self,
            inner: progress,
        };
        ReadBatch::read(inputs, &options, &self.options.cache, &mut progress)
    }

    /// How the sheets are read and grouped, with the answers of now.
    fn batch_options(&self) -> BatchOptions<'_> {
        let options = &self.options;
        let state = self.state();
        let mut fixes = Fixes::new(options.fixes.clone(), state.file.fixes());
        // A name that means two files is told when the review begins.
        let _ = fixes.resolve_names(&state.names);
        BatchOptions {
            scanner: &options.scanner,
            cache: Some(&options.cache),
            layout: options.layout.as_ref(),
            jobs: options.jobs,
            grouping: options.grouping.clone(),
            fixes,
            drawings: None,
            parameters: options.parameters,
        }
    }

    /// Decodes the games of a batch, each of which is shown as soon as it is there.
    fn decode_first(&self, batch: &Arc<ReadBatch>) -> Result<(), BatchError> {
        let mut state = self.state();
        state.batch = Some(Arc::clone(batch));
        state.phase = Phase::Decoding;
        drop(state);
        self.publish_progress();
        let work = |at: usize, group: &SheetGroup| self.first_session(at, group, batch);
        process_in_order(&batch.groups, self.options.jobs, work, |session| {
            let mut state = self.state();
            let at = state.sessions.len();
            state.add_session(session);
            drop(state);
            self.publish_game(at);
            self.publish_progress();
            self.request_matching();
            Ok::<_, BatchError>(())
        })
    }

    /// Decodes the games of a batch whose sheets are others than before, and shows them with the
    /// rest all at once.
    fn decode_further(&self, batch: &ReadBatch) -> Result<(), BatchError> {
        let mut fresh = FreshSessions::new();
        self.decode_unknown(batch, &mut fresh)?;
        // No answer may come between the old games and the new ones.
        let _answering = self.hold_answers();
        // Somebody may have said meanwhile which sheets are copies.
        let batch = batch.regrouped(&self.batch_options());
        self.decode_unknown(&batch, &mut fresh)?;
        self.show_groups(batch, fresh);
        Ok(())
    }

    /// Groups the sheets anew after a person has said which are copies, while
    /// [`Review::answering`] is held.
    pub(super) fn regroup(&self) -> Result<(), String> {
        let batch = self.state().batch.clone();
        let batch = batch.ok_or("nothing is read yet")?;
        let batch = batch.regrouped(&self.batch_options());
        let mut fresh = FreshSessions::new();
        let decoded = self.decode_unknown(&batch, &mut fresh);
        decoded.map_err(|error| error.to_string())?;
        self.show_groups(batch, fresh);
        self.match_games();
        Ok(())
    }

    /// Whether the answers of now group the sheets in another way than they are grouped.
    pub(super) fn has_other_groups(&self) -> bool {
        let batch = self.state().batch.clone();
        batch.is_some_and(|batch| batch.regrouped(&self.batch_options()).groups != batch.groups)
    }

    /// Decodes the games that are neither there nor among the fresh ones.
    fn decode_unknown(
        &self,
        batch: &ReadBatch,
        fresh: &mut FreshSessions,
    ) -> Result<(), BatchError> {
        let state = self.state();
        let known = state
            .sessions
            .iter()
            .map(|session| Arc::clone(&session.naming));
        let known: HashSet<Arc<SheetNaming>> = known.collect();
        drop(state);
        let groups = batch.groups.iter().enumerate();
        let others = groups.filter(|(_, group)| {
            let naming = SheetNaming::new(group, &batch.sheets);
            !known.contains(&naming) && !fresh.contains_key(&naming)
        });
        let others: Vec<(usize, &SheetGroup)> = others.collect();
        let work =
            |_: usize, &(at, group): &(usize, &SheetGroup)| self.first_session(at, group, batch);
        process_in_order(&others, self.options.jobs, work, |session| {
            fresh.insert((*session.naming).clone(), session);
            Ok::<_, BatchError>(())
        })
    }

    /// Shows the games of a batch, those that are there and fresh ones, all at once.
    /// [`Review::answering`] is held.
    fn show_groups(&self, batch: ReadBatch, mut fresh: FreshSessions) {
        let batch = Arc::new(batch);
        let mut state = self.state();
        let mut old = std::mem::take(&mut state.sessions);
        state.sheets.clear();
        state.recent.clear();
        state.batch = Some(Arc::clone(&batch));
        // A page that knows a game with the same first sheet takes it for newer.
        let newest = old.iter().map(|session| session.version).max();
        let version = newest.unwrap_or(0) + 1;
        let mut unfinished = Vec::new();
        for (at, group) in batch.groups.iter().enumerate() {
            let naming = SheetNaming::new(group, &batch.sheets);
            let same = old.iter().position(|session| *session.naming == naming);
            let session = match same {
                Some(same) => old.swap_remove(same),
                // It was decoded just now.
                None => match fresh.remove(&naming) {
                    Some(session) => Session { version, ..session },
                    None => continue,
                },
            };
            if !session.is_final {
                unfinished.push(state.sessions.len());
            }
            state.add_session(Session {
                group: at,
                record: None,
                ..session
            });
        }
        drop(state);
        unfinished
            .into_iter()
            .for_each(|at| self.request_search(at));
        self.events.publish("games", &json!({}));
    }

    /// The game of a group as it is shown first.
    fn first_session(&self, at: usize, group: &SheetGroup, batch: &ReadBatch) -> Session {
        let naming = SheetNaming::new(group, &batch.sheets);
        let ids = group.ids(&batch.sheets);
        let fixes = self.state().fixes(&ids, &self.options);
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
        Session::new(at, naming, fixes, search, decoded)
    }

    /// Takes a picture into the folder of the run, and reads it. Gives the name that it has there.
    ///
    /// # Errors
    /// 403 where the run takes none, 409 where it cannot be kept, 422 where it is no picture.
    pub(super) fn take_picture(&self, name: &str, bytes: &[u8]) -> Result<String, Refusal> {
        let hint = "start the review with one folder, and with --listen for phones";
        let inbox = self.options.inbox.as_ref();
        let inbox = inbox.ok_or_else(|| Refusal::new(403, "this run takes no pictures", hint))?;
        let own_name = free_name(inbox, name, self.options.picture_endings, bytes);
        let path = inbox.join(&own_name);
        if path.exists() {
            return Ok(own_name);
        }
        let kept = fs::create_dir_all(inbox).and_then(|()| whole_file::write(&path, bytes));
        kept.map_err(|error| {
            let error = format!("{} cannot be written: {error}", path.display());
            Refusal::new(409, error, "choose a folder that can be written")
        })?;
        let first = page::open(&path).and_then(|mut pages| pages.next().transpose());
        if let Err(error) = first {
            // What is no picture does not stay.
            let _ = fs::remove_file(&path);
            return Err(Refusal::new(422, error.to_string(), ""));
        }
        self.read_again();
        Ok(own_name)
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
}

/// The name for a picture in a folder: its own, or one with a number where another picture has
/// that, and with an ending by which it is found there.
fn free_name(folder: &Path, name: &str, endings: &[&str], bytes: &[u8]) -> String {
    let is_found = |ending: &&str| endings.contains(&ending.to_ascii_lowercase().as_str());
    let parts = name.rsplit_once('.');
    let (stem, ending) = parts
        .filter(|(_, ending)| is_found(ending))
        .unwrap_or((name, "jpg"));
    let numbered = (2..).map(|number| format!("{stem} ({number}).{ending}"));
    let mut names = iter::once(format!("{stem}.{ending}")).chain(numbered);
    let is_free = |name: &String| match fs::read(folder.join(name)) {
        Ok(known) => known == bytes,
        Err(_) => !folder.join(name).exists(),
    };
    names.find(is_free).unwrap_or_default()
}

/// Games that were decoded just now, by their sheets.
type FreshSessions = HashMap<SheetNaming, Session>;

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
