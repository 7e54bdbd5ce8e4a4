//! Reads the sheets of a review, and does so again when pictures come in.

use std::fs;
use std::iter;
use std::path::Path;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use serde_json::json;

use crate::batch::{
    BatchOptions, BatchProgress, Fix, Fixes, Input, PageSummary, ReadBatch, SheetNames,
    TakeEarlyBatch,
};
use crate::{page, whole_file};

use super::backend::Refusal;
use super::run::Review;
use super::state::{Fault, Phase};

impl Review {
    /// Reads the inputs and decodes their games, in the order of the input. The first time, games
    /// are shown while further inputs are read. Returns once all are there. Games that are there
    /// already, since they were read before, stay as they are.
    ///
    /// # Errors
    /// A message where the run cannot go on.
    pub fn read(&self, progress: &mut dyn BatchProgress) -> Result<(), String> {
        self.read_inputs(progress).inspect_err(|reason| {
            let (name, reason) = (self.options.name.clone(), reason.clone());
            self.state().faults.push(Fault { name, reason });
            self.events.publish("games", &json!({}));
        })
    }

    fn read_inputs(&self, progress: &mut dyn BatchProgress) -> Result<(), String> {
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
        let options = self.batch_options();
        let mut progress = ReviewProgress {
            review: self,
            inner: progress,
        };
        // A later reading finds most of its pages in the cache, and their games are shown already.
        let mut take_early = |batch: ReadBatch| self.show_batch(&batch);
        let take_early = is_first.then_some(&mut take_early as &mut TakeEarlyBatch);
        let cache = &self.options.cache;
        let batch = ReadBatch::read(&inputs, &options, cache, &mut progress, take_early);
        let batch = batch.map_err(|error| error.to_string())?;
        self.state().phase = Phase::Decoding;
        self.publish_progress();
        self.show_batch(&batch);
        self.match_games();
        self.state().phase = Phase::Ready;
        self.publish_progress();
        Ok(())
    }

    /// How the sheets are read and grouped, with the answers of now.
    pub(super) fn batch_options(&self) -> BatchOptions<'_> {
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
    pub(super) fn publish_progress(&self) {
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
