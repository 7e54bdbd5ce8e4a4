//! Headers that a person has typed, which replace those read from the sheets.

use crate::notation::Outcome;

use super::header::{Header, Scores};
use super::parameters::TypedHeaderParameters;
use super::{Event, names};
use crate::date::Date;

/// What a person has typed of the header of one sheet. A field that is not known is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TypedHeader {
    /// Name of the player with White, in any order, with or without the first name.
    pub white: String,
    /// Name of the player with Black, in the same forms.
    pub black: String,
    /// Round.
    pub round: Option<u32>,
    /// Board number.
    pub board: Option<u32>,
    /// Date.
    pub date: Option<Date>,
    /// Result: White wins, Black wins or a draw.
    pub result: Option<Outcome>,
}

impl TypedHeader {
    /// What of it cannot be in the event: names of nobody, one player for both, and a round without
    /// pairings.
    pub fn contradictions(&self, event: &Event, parameters: &TypedHeaderParameters) -> Vec<String> {
        let penalty = parameters.partial_name_penalty;
        let is_nobody = |name: &&String| {
            let similarity = |known: &str| names::name_similarity(name, known, penalty);
            let mut players = event.players.iter();
            let is_like = |similarity: f64| similarity >= parameters.neutral_similarity;
            !names::name_key(name).is_empty() && !players.any(|p| is_like(similarity(&p.name)))
        };
        let typed = [&self.white, &self.black];
        let nobodies = typed.into_iter().filter(is_nobody);
        let mut texts: Vec<String> = nobodies
            .map(|name| format!("\"{name}\" is like no player of the report file"))
            .collect();
        let [white, black] = typed.map(|name| names::name_key(name));
        if white == black && !white.is_empty() {
            texts.push(format!(
                "White and Black are both called \"{}\"",
                self.white
            ));
        }
        let has_round = |round| event.pairings.iter().any(|pairing| pairing.round == round);
        texts.extend(
            self.round
                .filter(|round| !has_round(*round))
                .map(|round| format!("the report file has no pairing in round {round}")),
        );
        texts
    }
}

impl Header {
    /// Scores a typed header against the players of an event.
    pub fn from_typed(
        event: &Event,
        typed: &TypedHeader,
        parameters: &TypedHeaderParameters,
    ) -> Self {
        Self {
            writer: None,
            code: None,
            white: score_players(event, &typed.white, parameters),
            black: score_players(event, &typed.black, parameters),
            round: score_value(typed.round, parameters),
            board: score_value(typed.board, parameters),
            date: score_value(typed.date, parameters),
            result: score_value(typed.result, parameters),
        }
    }
}

/// The scores of all players for a typed name; `None` if no name was typed.
pub(super) fn score_players(
    event: &Event,
    typed: &str,
    parameters: &TypedHeaderParameters,
) -> Option<Scores<usize>> {
    if names::name_key(typed).is_empty() {
        return None;
    }
    let score = |player: usize| {
        let name = &event.players[player].name;
        let similarity = names::name_similarity(typed, name, parameters.partial_name_penalty);
        let score = parameters.name_nats * (similarity - parameters.neutral_similarity);
        (player, score.max(parameters.min_name_nats))
    };
    let candidates = (0..event.players.len()).map(score).collect();
    Some(Scores::new(candidates, parameters.min_name_nats))
}

/// The scores for a typed value other than a name.
fn score_value<T: PartialEq>(
    typed: Option<T>,
    parameters: &TypedHeaderParameters,
) -> Option<Scores<T>> {
    let TypedHeaderParameters {
        same_value_nats,
        other_value_nats,
        ..
    } = *parameters;
    typed.map(|value| Scores::new(vec![(value, same_value_nats)], other_value_nats))
}
