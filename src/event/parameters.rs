//! The tuned numbers of event matching, as data that a caller can change.

use serde::{Deserialize, Serialize};

/// Tuned numbers of matching games with pairings.
///
/// Scores are log-likelihood ratios and log-odds in nats; 3 nats are odds of twenty to one. Where a
/// field names no other source, its default was chosen by eye.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MatchingParameters {
    /// Smallest score (nats) of a match: log-odds of this pairing against no pairing at all. Twenty
    /// to one.
    pub min_score_nats: f64,
    /// Smallest part (nats) of that score that must come from the sheets themselves, so that no
    /// game is placed only because one pairing is left over.
    pub min_evidence_nats: f64,
    /// Smallest loss (nats) of the whole assignment when the match is forbidden. Twenty to one.
    pub min_margin_nats: f64,
    /// Lead (nats) over every other candidate from which a header field counts as certain. Twenty
    /// to one.
    pub min_field_lead_nats: f64,
    /// Log-odds (nats) that a sheet belongs to the event before anything on it is considered:
    /// ln 99, one foreign sheet in a hundred.
    pub event_log_odds: f64,
    /// Prior (nats) of a game under one move relative to a played game.
    pub under_one_move_nats: f64,
    /// Prior (nats) of a sheet of a forfeited game relative to a played game.
    pub forfeit_nats: f64,
    /// Prior (nats) of a sheet of a player without an opponent relative to a played game.
    pub bye_nats: f64,
    /// Prior (nats) of the sheet having the colours the other way round.
    pub reversed_colours_nats: f64,
    /// Prior (nats) of two sheets belonging to one game although their moves were not found to be
    /// copies.
    pub separate_copy_nats: f64,
    /// Score (nats) of the code of a printed sheet at the pairing that it was printed for: enough
    /// for a match by itself. What a person has said of the header stands in its place.
    pub same_code_nats: f64,
    /// Score (nats) of such a code at every other pairing: two names, clearly read, do not make up
    /// for it.
    pub other_code_nats: f64,
    /// Score (nats) of the code of another event at every pairing. The same players may have met
    /// there.
    pub other_event_code_nats: f64,
    /// Score (nats) of the result of the moves agreeing with the pairing: ln(0.95 / (1/3)), for a
    /// result that is right in 95 of 100 games, where each of the three results is equally likely
    /// by chance.
    pub same_result_nats: f64,
    /// Score (nats) of the result of the moves contradicting the pairing: ln(0.025 / (1/3)), by the
    /// same assumption.
    pub other_result_nats: f64,
    /// Smallest probability of a cell's reading from which a difference to another copy is reported
    /// as check G2.
    pub min_differing_cell_confidence: f64,
    /// Numbers for headers that are written by hand.
    pub handwriting: HandwritingParameters,
    /// Numbers for headers that a person has typed.
    pub typed: TypedHeaderParameters,
}

impl Default for MatchingParameters {
    fn default() -> Self {
        Self {
            min_score_nats: 3.0,
            min_evidence_nats: 1.0,
            min_margin_nats: 3.0,
            min_field_lead_nats: 3.0,
            event_log_odds: 4.6,
            under_one_move_nats: -1.5,
            forfeit_nats: -4.0,
            bye_nats: -5.0,
            reversed_colours_nats: -4.0,
            separate_copy_nats: -4.0,
            same_code_nats: 15.0,
            other_code_nats: -40.0,
            other_event_code_nats: -80.0,
            same_result_nats: 1.05,
            other_result_nats: -2.6,
            min_differing_cell_confidence: 0.9,
            handwriting: HandwritingParameters::default(),
            typed: TypedHeaderParameters::default(),
        }
    }
}

/// Tuned numbers of scoring a handwritten header against the names, rounds, boards and dates of the
/// event.
///
/// Scores are log-likelihood ratios in nats. Lengths are in rows of the move table or shares of a
/// word's height, as each field says. The defaults were chosen by eye while the first made event
/// (seed 3, 79 rendered photographs) was looked at; docs/experiments/2026-11-22-events.md has the
/// figures of the others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HandwritingParameters {
    /// Largest score (nats) of a last name.
    pub max_last_name_nats: f64,
    /// Largest score (nats) of a first name that is written out.
    pub max_first_name_nats: f64,
    /// Largest score (nats) of an initial.
    pub max_initial_nats: f64,
    /// Smallest score (nats) of a last name: the ink may have been cut into words wrongly, or be
    /// illegible.
    pub min_last_name_nats: f64,
    /// Smallest score (nats) of a first name or an initial.
    pub min_first_name_nats: f64,
    /// Largest score (nats) of a round, board or date: ln 10, since a field with a label holds one
    /// of about ten values.
    pub max_number_nats: f64,
    /// Smallest score (nats) of a round, board or date.
    pub min_number_nats: f64,
    /// A wider word is preferred to a part of it unless its best score is lower by more than this
    /// (nats).
    pub number_tolerance_nats: f64,
    /// Largest overlap of two parts that are joined into one word, as a share of the first one's
    /// height.
    pub max_join_overlap: f32,
    /// Largest gap between two parts that are joined into one word, as a share of the first one's
    /// height.
    pub max_join_gap: f32,
    /// Smallest vertical overlap of two parts that are joined into one word, as a share of the
    /// lower one's height.
    pub min_join_level: f32,
    /// Largest overlap of the words of a last and of a first name, as a share of the smaller word's
    /// area.
    pub max_name_word_overlap: f32,
    /// Overlap from which two groups hold the same name, as a share of the smaller one's area.
    pub same_group_overlap: f32,
    /// Smallest score (nats) of the best player from which a group of words without a label holds a
    /// name.
    pub min_unlabelled_name_nats: f64,
    /// Vertical overlap from which two groups without a label stand on one line, as a share of the
    /// lower one's height; the left one is then White.
    pub same_line_level: f32,
    /// Lowest lower edge of a group of words without a label that may hold a name, in rows below
    /// the top of the move table. Further down stand signatures.
    pub max_name_bottom_rows: f32,
}

impl Default for HandwritingParameters {
    fn default() -> Self {
        Self {
            max_last_name_nats: 7.0,
            max_first_name_nats: 4.0,
            max_initial_nats: 1.5,
            min_last_name_nats: -2.5,
            min_first_name_nats: -1.0,
            max_number_nats: 2.3,
            min_number_nats: -2.5,
            number_tolerance_nats: 1.0,
            max_join_overlap: 0.15,
            max_join_gap: 0.9,
            min_join_level: 0.4,
            max_name_word_overlap: 0.3,
            same_group_overlap: 0.5,
            min_unlabelled_name_nats: 3.0,
            same_line_level: 0.5,
            max_name_bottom_rows: 0.5,
        }
    }
}

/// Tuned numbers of scoring a typed header against the players of the event.
///
/// The score of a name is max(`name_nats` × (similarity − `neutral_similarity`),
/// `min_name_nats`), where similarity runs from 0 to 1. The defaults were chosen by eye.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TypedHeaderParameters {
    /// Similarity (0 to 1) at which a typed name says nothing for or against a player.
    pub neutral_similarity: f64,
    /// Score (nats) per unit of similarity.
    pub name_nats: f64,
    /// Smallest score (nats) of a name: typists mistake a player, or type one who is not in the
    /// event.
    pub min_name_nats: f64,
    /// Similarity that is taken off where only a part of the name is typed, such as the last name.
    pub partial_name_penalty: f64,
    /// Score (nats) of the round, board, date or result that was typed.
    pub same_value_nats: f64,
    /// Score (nats) of every other round, board, date or result.
    pub other_value_nats: f64,
    /// Score (nats) of a name, round, board or date that a person has answered, and its opposite
    /// for every other. Nothing that is read on a sheet outweighs it.
    pub answered_nats: f64,
}

impl Default for TypedHeaderParameters {
    fn default() -> Self {
        Self {
            neutral_similarity: 0.6,
            name_nats: 12.0,
            min_name_nats: -5.0,
            partial_name_penalty: 0.1,
            same_value_nats: 3.5,
            other_value_nats: -3.5,
            answered_nats: 30.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_toml_file_may_set_some_parameters_and_no_unknown_ones() {
        let text = "min_margin_nats = 5\n[typed]\nname_nats = 10\n";
        let expected = MatchingParameters {
            min_margin_nats: 5.0,
            typed: TypedHeaderParameters {
                name_nats: 10.0,
                ..TypedHeaderParameters::default()
            },
            ..MatchingParameters::default()
        };
        assert_eq!(toml::from_str(text), Ok(expected));
        assert!(toml::from_str::<MatchingParameters>("min_margin = 5\n").is_err());
    }
}
