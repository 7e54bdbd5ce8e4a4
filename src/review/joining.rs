//! Sheets of two games are joined by hand, and a sheet is taken out of its game.

use std::sync::MutexGuard;

use serde_json::{Value, json};

use super::answer_file::{COPY_OF, ValueChange};
use super::backend::{GameId, JoinBody, PartBody, Refusal};
use super::run::Review;
use super::service::internal;
use super::state::{AnswerStep, Phase, State};
use crate::batch::Grouping;

/// Its value where no other sheet does.
const OF_NONE: &str = "-";

impl Review {
    /// Says that all sheets of another game record this one too.
    ///
    /// # Errors
    /// 404, 409, as [`super::backend::Backend::join`] has them.
    pub(super) fn join_games(&self, game: &GameId, body: &JoinBody) -> Result<Value, Refusal> {
        let _answering = self.begin_regrouping()?;
        let unknown = || Refusal::new(404, "no such game", "reload the page");
        let other = GameId::parse(&body.other).ok_or_else(unknown)?;
        let (at, other) = (self.find_game(game)?, self.find_game(&other)?);
        if at == other {
            let error = "a game cannot be joined with itself";
            return Err(Refusal::new(422, error, "choose another game"));
        }
        let state = self.state();
        let [own, more] = [at, other].map(|at| state.sessions[at].naming());
        let first = own.tables[0].clone();
        let changes = more.tables.iter();
        let changes = changes.filter_map(|table| change(&state, table, Some(&first)));
        let changes: Vec<ValueChange> = changes.collect();
        let what = format!(
            "{} joined with {}",
            more.names.join(" + "),
            own.names.join(" + ")
        );
        drop(state);
        self.regroup_as_step(&first, what, changes)
    }

    /// Says that a sheet records a game of its own.
    ///
    /// # Errors
    /// 404, 409, 422, as [`super::backend::Backend::part`] has them.
    pub(super) fn part_sheet(&self, game: &GameId, body: &PartBody) -> Result<Value, Refusal> {
        let _answering = self.begin_regrouping()?;
        let at = self.find_game(game)?;
        let state = self.state();
        let naming = state.sessions[at].naming();
        let sheet = naming.ids.iter().position(|id| *id == body.sheet);
        let sheet = sheet.ok_or_else(|| Refusal::new(404, "no such sheet", "reload the page"))?;
        let table = naming.tables[sheet].clone();
        let mut others = naming.tables.iter().filter(|other| **other != table);
        let Some(first) = others.clone().next() else {
            let error = "this game has no other sheet";
            return Err(Refusal::new(422, error, "there is nothing to take apart"));
        };
        let mut changes: Vec<ValueChange> =
            change(&state, &table, Some(OF_NONE)).into_iter().collect();
        // Sheets that were joined with this one stay with the others.
        let follows = |other: &&String| state.file.value(other, COPY_OF) == Some(table.as_str());
        for other in others.by_ref().filter(follows) {
            let of = (other != first).then_some(first.as_str());
            changes.extend(change(&state, other, of));
        }
        let what = format!("{} taken apart", naming.names[sheet]);
        drop(state);
        self.regroup_as_step(&table, what, changes)
    }

    /// Holds [`Review::answering`], if sheets can be grouped by hand now.
    fn begin_regrouping(&self) -> Result<MutexGuard<'_, ()>, Refusal> {
        if matches!(self.options.grouping, Grouping::Alone { .. }) {
            let error = "this run keeps each sheet by itself";
            return Err(Refusal::new(
                409,
                error,
                "start the review without --no-pair",
            ));
        }
        let answering = self.hold_answers();
        self.answers_from_outside()?;
        if self.state().phase != Phase::Ready {
            return Err(Refusal::while_reading("try again"));
        }
        Ok(answering)
    }

    /// Makes changes as one step of the undo, and gives the game of the sheet with `table`.
    fn regroup_as_step(
        &self,
        table: &str,
        what: String,
        changes: Vec<ValueChange>,
    ) -> Result<Value, Refusal> {
        let at = self.state().find_table(table).unwrap_or_default();
        if !changes.is_empty() {
            self.apply(at, &changes).map_err(internal)?;
            let mut state = self.state();
            let table = table.to_owned();
            state.undo.push(AnswerStep {
                table,
                what,
                changes,
            });
            state.redo.clear();
        }
        let at = self.state().find_table(table);
        let game = at.map_or(Value::Null, |at| self.whole(at));
        Ok(json!({ "id": game["id"], "version": game["version"], "game": game }))
    }
}

/// The change that has a sheet be a copy of another one, unless it is one already.
fn change(state: &State, table: &str, of: Option<&str>) -> Option<ValueChange> {
    let old = state.file.value(table, COPY_OF).map(str::to_owned);
    let new = of.map(str::to_owned);
    (old != new).then(|| ValueChange {
        sheet: table.to_owned(),
        key: COPY_OF.to_owned(),
        old,
        new,
    })
}
