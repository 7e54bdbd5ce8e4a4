//! Takes answers as one step, which can be taken back and done again.

use std::sync::Arc;

use serde_json::{Value, json};

use super::answer_file::COPY_OF;
use super::answer_request::{AnswerContext, AnswerError, AnswerRequest, describe};
use super::backend::Refusal;
use super::run::Review;
use super::service::{internal, no_game};
use super::state::{AnswerStep, Phase};
use super::views::changed_plies;

impl Review {
    /// Takes answers to a game while [`Review::answering`] is held. `base` is the version of the
    /// game that the person saw, `what` says what was done, where the answers do not.
    ///
    /// # Errors
    /// 404, 409 where another answer to the same place came first, 422 where a move is not legal.
    pub(super) fn take_answers(
        &self,
        at: usize,
        answers: &[AnswerRequest],
        base: u64,
        what: Option<String>,
    ) -> Result<Value, Refusal> {
        let mut state = self.state();
        let shown = state.game(at).ok_or_else(no_game)?;
        let sheets = Arc::clone(&state.sessions[at].sheets);
        let naming = &sheets.naming;
        if base < state.sessions[at].places_since {
            drop(state);
            let error = "the sheets of this game have changed since";
            let refusal = Refusal::new(422, error, "look at the move again, then answer");
            return Err(refusal.with("game", self.whole(at)));
        }
        let context = AnswerContext {
            game: &shown,
            file: &state.file,
            tables: &naming.tables,
        };
        let (changes, first) = context.changes(answers).map_err(refuse)?;
        let session = &state.sessions[at];
        let is_newer = |key: &(String, String)| {
            session
                .changed_at
                .get(key)
                .is_some_and(|&version| version > base)
        };
        let conflict = changes
            .iter()
            .find(|change| is_newer(&(change.sheet.clone(), change.key.clone())));
        if let Some(change) = conflict {
            let now = change.old.as_deref().unwrap_or("nothing");
            let error = format!("another page has answered this since: {}", now);
            drop(state);
            let hint = "look at that answer, then answer again";
            return Err(Refusal::new(409, error, hint).with("game", self.whole(at)));
        }
        if !changes.is_empty() {
            state.undo.push(AnswerStep {
                table: naming.tables[0].clone(),
                what: what.unwrap_or_else(|| describe(answers, &shown)),
                changes: changes.clone(),
            });
            state.redo.clear();
        }
        drop(state);
        if !changes.is_empty()
            && let Err(error) = self.apply(at, &changes)
        {
            self.state().undo.pop();
            return Err(internal(error));
        }
        let state = self.state();
        let after = state.game(at);
        let changed = changed_plies(Some(&shown), after.as_deref());
        let is_above = |change: &&Value| change["ply"].as_u64() <= Some(first as u64);
        let above = changed.iter().filter(is_above).count();
        let session = &state.sessions[at];
        let (version, is_final) = (session.version, session.is_final);
        drop(state);
        let game = self.whole(at);
        let refused = game["refused"].clone();
        Ok(json!({
            "version": version, "final": is_final, "game": game, "changed": changed,
            "above": above, "refused": refused,
        }))
    }

    /// Takes back the last step, or does again the one that was taken back last.
    pub(super) fn take_step(&self, is_undo: bool) -> Result<Value, Refusal> {
        let _answering = self.hold_answers();
        let mut state = self.state();
        let last = if is_undo { &state.undo } else { &state.redo }.last();
        let regroups = last.is_some_and(|step| step.changes.iter().any(|c| c.key == COPY_OF));
        if regroups && state.phase != Phase::Ready {
            return Err(Refusal::while_reading("try again"));
        }
        let (step, nothing) = match is_undo {
            true => (state.undo.pop(), "there is nothing to take back"),
            false => (state.redo.pop(), "there is nothing to do again"),
        };
        drop(state);
        let step = step.ok_or_else(|| Refusal::new(409, nothing, ""))?;
        let applied = self.apply_step(&step, is_undo);
        let reply = applied.map(|()| self.step_reply(&step));
        let mut state = self.state();
        // A step that could not be written can be tried again.
        match is_undo == reply.is_ok() {
            true => state.redo.push(step),
            false => state.undo.push(step),
        }
        drop(state);
        reply.map_err(internal)
    }

    fn step_reply(&self, step: &AnswerStep) -> Value {
        let at = self.state().find_table(&step.table);
        let game = at.map_or(Value::Null, |at| self.whole(at));
        json!({
            "id": game["id"], "what": step.what, "version": game["version"], "game": game,
        })
    }
}

fn refuse(error: AnswerError) -> Refusal {
    let text = error.to_string();
    match error {
        AnswerError::Place(_) => Refusal::new(404, text, "reload the page"),
        AnswerError::Illegal { nearest, .. } => {
            let hint = format!("the nearest are {}", nearest.join(", "));
            Refusal::new(422, text, hint).with("nearest", json!(nearest))
        }
        AnswerError::NoCell => Refusal::new(422, text, "choose a move for it instead"),
        AnswerError::Value(_) => Refusal::new(422, text, "look at what was typed"),
    }
}
