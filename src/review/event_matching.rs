//! The games of a review are matched with the pairings of an event, and matched again as they
//! change.

use std::sync::{Arc, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::matched_games::{GameToMatch, MatchingCache};
use super::run::Review;
use super::state::Phase;

/// Time between two matchings while games still come in.
const READING_INTERVAL: Duration = Duration::from_secs(3);

/// Largest number of changed games that are told one by one.
const MAX_GAMES_TOLD: usize = 8;

impl Review {
    fn matching(&self) -> MutexGuard<'_, MatchingCache> {
        self.matching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds the sheets that typed headers name anew, after other files were read.
    ///
    /// # Errors
    /// A message if a header names two sheets.
    pub(super) fn find_typed_headers(&self) -> Result<(), String> {
        let Some(event) = &self.options.event else {
            return Ok(());
        };
        let typed = (event.find_typed)(&self.state().names)?;
        self.matching().take_typed(typed);
        Ok(())
    }

    /// Has the records of all games made anew when they are matched next.
    pub(super) fn forget_records(&self) {
        self.matching().forget_records();
    }

    /// Matches the games that are known so far with the pairings of the event, and tells what has
    /// changed by that. Without an event it does nothing.
    pub(super) fn match_games(&self) {
        let Some(options) = &self.options.event else {
            return;
        };
        // Held until the games are shown, so that the last ones known are.
        let mut cache = self.matching();
        let state = self.state();
        let Some(batch) = state.batch.clone() else {
            return;
        };
        let games = state.sessions.iter().filter_map(|session| {
            let game = session.decoded.game.as_ref().ok()?;
            Some(GameToMatch {
                id: session.id().to_owned(),
                group: session.group,
                game: Arc::clone(game),
            })
        });
        let games: Vec<GameToMatch> = games.collect();
        drop(state);
        let matched = Arc::new(cache.match_games(options, &batch, &games));
        let mut state = self.state();
        let old = state.matched.replace(Arc::clone(&matched));
        let is_same = old.as_ref().is_some_and(|old| old.says_the_same(&matched));
        let old_fields = |id: &str| old.as_ref().and_then(|old| old.fields.get(id));
        let mut changed = Vec::new();
        for (at, session) in state.sessions.iter_mut().enumerate() {
            let id = session.id();
            if old_fields(id) != matched.fields.get(id) {
                session.version += 1;
                changed.push(at);
            }
        }
        drop((state, cache));
        if changed.len() > MAX_GAMES_TOLD {
            self.events.publish("games", &json!({}));
        } else {
            changed.into_iter().for_each(|at| self.publish_game(at));
        }
        if !is_same {
            self.events.publish("event", &json!({}));
        }
    }

    /// Has the games matched soon, by another thread.
    pub(super) fn request_matching(&self) {
        if self.options.event.is_some() {
            let matchings = self.matchings.lock();
            let matchings = matchings.unwrap_or_else(PoisonError::into_inner);
            // The thread that matches lives as long as the review.
            let _ = matchings.send(());
        }
    }

    /// Waits a while where games still come in, so that not each of them is matched by itself.
    pub(super) fn wait_for_games(&self) {
        if self.state().phase != Phase::Ready {
            thread::sleep(READING_INTERVAL);
        }
    }
}
