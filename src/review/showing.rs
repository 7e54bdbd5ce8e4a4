//! Decodes the games of what is read, and shows them beside those that are there.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::mem;
use std::sync::Arc;

use serde_json::json;

use crate::batch::{ReadBatch, SheetGroup, process_in_order};
use crate::decode::{Effort, GameSearch};

use super::game_sheets::GameSheets;
use super::run::Review;
use super::session::{Decoded, Session, decode};
use super::sheet_naming::short_id;

/// Games that were decoded just now, by their sheets.
type FreshSessions = HashMap<GameSheets, Session>;

impl Review {
    /// Decodes the games of a batch that are not there yet, and shows them: those that take the
    /// place of others or stand between them all at once, the rest each as soon as it is there.
    pub(super) fn show_batch(&self, batch: &ReadBatch) {
        let mut fresh = FreshSessions::new();
        self.decode_unknown(batch, self.count_joining(batch), &mut fresh);
        // No answer may come between the old games and the new ones.
        let answering = self.hold_answers();
        // Somebody may have said meanwhile which sheets are copies.
        let batch = Arc::new(batch.regrouped(&self.batch_options()));
        let joining = self.count_joining(&batch);
        self.decode_unknown(&batch, joining, &mut fresh);
        self.show_groups(&batch, fresh);
        drop(answering);
        self.publish_progress();
        let groups = batch.groups.iter().enumerate().skip(joining);
        let groups = groups.filter(|(_, group)| !batch.lacks_beginning(group));
        let groups: Vec<(usize, &SheetGroup)> = groups.collect();
        let work =
            |_: usize, &(at, group): &(usize, &SheetGroup)| self.first_session(at, group, &batch);
        let Ok(()) = process_in_order(&groups, self.options.jobs, work, |session| {
            self.add_game(session);
            Ok::<_, Infallible>(())
        });
    }

    /// Groups the sheets anew after a person has said which are copies, while
    /// [`Review::answering`] is held.
    pub(super) fn regroup(&self) -> Result<(), String> {
        let batch = self.state().batch.clone();
        let batch = batch.ok_or("nothing is read yet")?;
        let batch = Arc::new(batch.regrouped(&self.batch_options()));
        let mut fresh = FreshSessions::new();
        self.decode_unknown(&batch, batch.groups.len(), &mut fresh);
        self.show_groups(&batch, fresh);
        self.match_games();
        Ok(())
    }

    /// Whether the answers of now group the sheets in another way than they are grouped.
    pub(super) fn has_other_groups(&self) -> bool {
        let batch = self.state().batch.clone();
        batch.is_some_and(|batch| batch.regrouped(&self.batch_options()).groups != batch.groups)
    }

    /// The number of the first groups of a batch behind which none has a sheet that is shown.
    fn count_joining(&self, batch: &ReadBatch) -> usize {
        let state = self.state();
        let is_shown = |group: &SheetGroup| {
            let mut ids = group.ids(&batch.sheets).into_iter();
            ids.any(|id| state.sheets.contains_key(&short_id(&id)))
        };
        let last = batch.groups.iter().rposition(is_shown);
        last.map_or(0, |last| last + 1)
    }

    /// Decodes those games of the first `count` groups that are neither there nor among the fresh
    /// ones.
    fn decode_unknown(&self, batch: &ReadBatch, count: usize, fresh: &mut FreshSessions) {
        let state = self.state();
        let known = state.sessions.iter().map(|s| Arc::clone(&s.sheets));
        let known: HashSet<Arc<GameSheets>> = known.collect();
        drop(state);
        let groups = batch.groups.iter().enumerate().take(count);
        let others = groups.filter(|(_, group)| {
            let sheets = GameSheets::new(group, batch);
            let is_there = known.contains(&sheets) || fresh.contains_key(&sheets);
            !is_there && !batch.lacks_beginning(group)
        });
        let others: Vec<(usize, &SheetGroup)> = others.collect();
        let work =
            |_: usize, &(at, group): &(usize, &SheetGroup)| self.first_session(at, group, batch);
        let Ok(()) = process_in_order(&others, self.options.jobs, work, |session| {
            fresh.insert((*session.sheets).clone(), session);
            Ok::<_, Infallible>(())
        });
    }

    /// Shows the games of a batch, those that are there and fresh ones, all at once.
    /// [`Review::answering`] is held.
    fn show_groups(&self, batch: &Arc<ReadBatch>, mut fresh: FreshSessions) {
        let mut state = self.state();
        let mut old = mem::take(&mut state.sessions);
        state.sheets.clear();
        state.recent.clear();
        state.batch = Some(Arc::clone(batch));
        // A page that knows a game with the same first sheet takes it for newer.
        let newest = old.iter().map(|session| session.version).max();
        let version = newest.unwrap_or(0) + 1;
        let old_ids: HashSet<String> = old.iter().map(|s| s.id().to_owned()).collect();
        let (mut unfinished, mut replaced) = (Vec::new(), Vec::new());
        for (group_at, group) in batch.groups.iter().enumerate() {
            let sheets = GameSheets::new(group, batch);
            let at = state.sessions.len();
            let same = old.iter().position(|session| *session.sheets == sheets);
            let session = match same {
                Some(same) => old.swap_remove(same),
                // It was decoded just now.
                None => match fresh.remove(&sheets) {
                    Some(session) => {
                        replaced.push(at);
                        Session { version, ..session }
                    }
                    None => continue,
                },
            };
            if !session.is_final {
                unfinished.push(at);
            }
            state.add_session(Session {
                group: group_at,
                record: None,
                ..session
            });
        }
        for &at in &replaced {
            state.sessions[at].take_over(&old);
        }
        replaced.retain(|&at| old_ids.contains(state.sessions[at].id()));
        drop(state);
        self.forget_records();
        unfinished
            .into_iter()
            .for_each(|at| self.request_search(at));
        self.events.publish("games", &json!({}));
        // Sheets with answers may have come to games that are there, and answers to fresh ones.
        self.decode_stale();
        replaced.into_iter().for_each(|at| self.publish_game(at));
    }

    /// Shows one more game, behind those that are there.
    fn add_game(&self, session: Session) {
        let mut state = self.state();
        let at = state.sessions.len();
        state.add_session(session);
        let is_stale = self.is_stale(&state, at);
        drop(state);
        if is_stale {
            let _answering = self.hold_answers();
            self.decode_stale();
        }
        self.publish_game(at);
        self.publish_progress();
        self.request_matching();
    }

    /// The game of a group as it is shown first.
    fn first_session(&self, at: usize, group: &SheetGroup, batch: &ReadBatch) -> Session {
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
            Err(fault) => Decoded::of_fault(fault),
        };
        Session::new(at, GameSheets::new(group, batch), fixes, search, decoded)
    }
}
