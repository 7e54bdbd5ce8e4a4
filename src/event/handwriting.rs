//! The handwritten header of a sheet, scored against the players, rounds, boards and dates of the
//! event.
//!
//! No word is transcribed. Each string that the event knows is scored by how well it fits the ink
//! of a word, compared with how well a free string of its length would fit. The printed label to
//! the left of a word or above it says which field the word stands in; where no label was read, the
//! first name is taken for White's.

mod names;
mod numbers;

use crate::fields::{self, Field, WordGroup, vertical_overlap};
use crate::header::WordBox;
use crate::reader::{WordReading, WordScorer};

use super::Event;
use super::header::{Header, Scores};
use super::parameters::HandwritingParameters;
use crate::date::Date;

use names::{PlayerNameWords, score_player_fields};
use numbers::score_number_field;

/// Largest number of words that are made for one group by joining two of its words, and again by
/// joining three. It bounds the work on a page full of specks.
const MAX_JOINED_WORDS: usize = 60;

impl Header {
    /// Scores the words that were read outside the move table of a sheet. `fields` says which words
    /// are labels, and how the others are grouped into fields.
    pub fn from_handwriting(
        event: &Event,
        words: &[WordReading],
        fields: &fields::Parameters,
        parameters: &HandwritingParameters,
    ) -> Self {
        let mut scorers: Vec<WordScorer> = words.iter().map(WordReading::scorer).collect();
        let labels = fields::find_labels(&scorers, &fields.labels);
        let boxes: Vec<WordBox> = scorers.iter().map(|scorer| scorer.bounds).collect();
        let mut groups = fields::group_words(&boxes, &labels, &fields.groups);
        for group in &mut groups {
            if may_hold_name(group, parameters) {
                join_words(group, &mut scorers, parameters);
            }
        }
        let names: Vec<PlayerNameWords> = event
            .players
            .iter()
            .map(|player| PlayerNameWords::new(&player.name))
            .collect();
        let [white, black] = score_player_fields(&scorers, &groups, &names, parameters);
        let mut header = Self {
            white,
            black,
            ..Self::default()
        };
        for group in &groups {
            header.score_number_group(event, &scorers, group, parameters);
        }
        header
    }

    /// Scores a group of words with the label of a round, board or date, unless an earlier one had
    /// a score.
    fn score_number_group(
        &mut self,
        event: &Event,
        scorers: &[WordScorer],
        group: &WordGroup,
        parameters: &HandwritingParameters,
    ) {
        match group.field {
            Some(Some(Field::Round)) if self.round.is_none() => {
                let rounds = event.pairings.iter().map(|p| p.round);
                self.round = score_number_field(scorers, group, rounds, spell_number, parameters);
            }
            Some(Some(Field::Board)) if self.board.is_none() => {
                let boards = event.pairings.iter().filter_map(|p| p.board);
                self.board = score_number_field(scorers, group, boards, spell_number, parameters);
            }
            Some(Some(Field::Date)) if self.date.is_none() => {
                let dates = event.pairings.iter().map(|p| p.date);
                let dates = dates.filter(|date| date.is_whole());
                self.date = score_number_field(scorers, group, dates, spell_date, parameters);
            }
            _ => {}
        }
    }
}

/// Whether a player's name may stand in a group of words. Without a label, only groups above the
/// move table count: below it stand signatures, and nothing says whose they are.
fn may_hold_name(group: &WordGroup, parameters: &HandwritingParameters) -> bool {
    match group.field.flatten() {
        None => group.bounds.bottom < parameters.max_name_bottom_rows,
        Some(field) => matches!(field, Field::White | Field::Black),
    }
}

/// Adds to a group of words the words that two or three neighbouring words make up together,
/// because some writers leave gaps within a name that are as wide as those between names.
fn join_words(
    group: &mut WordGroup,
    scorers: &mut Vec<WordScorer>,
    parameters: &HandwritingParameters,
) {
    let words = || group.words.iter().map(|&i| &scorers[i]);
    let follows = |a: &WordBox, b: &WordBox| {
        let gap = b.left - a.right;
        let gaps = -parameters.max_join_overlap * a.height()..parameters.max_join_gap * a.height();
        gaps.contains(&gap) && vertical_overlap(a, b) > parameters.min_join_level
    };
    let extend = |a: &WordScorer| {
        let next = words().filter(|b| follows(&a.bounds, &b.bounds));
        next.map(|b| a.join(b)).collect::<Vec<_>>()
    };
    let mut joined: Vec<WordScorer> = words().flat_map(extend).take(MAX_JOINED_WORDS).collect();
    let of_three: Vec<WordScorer> = joined
        .iter()
        .flat_map(extend)
        .take(MAX_JOINED_WORDS)
        .collect();
    joined.extend(of_three);
    group
        .words
        .extend(scorers.len()..scorers.len() + joined.len());
    scorers.extend(joined);
}

/// The ways in which a number is written.
fn spell_number(n: u32) -> Vec<String> {
    vec![format!("{n}"), format!("{n}."), format!("{n:02}")]
}

/// The ways in which a date is written in figures; none for a date with unknown parts.
fn spell_date(date: Date) -> Vec<String> {
    let (Some(year), Some(month), Some(day)) = (date.year, date.month, date.day) else {
        return Vec::new();
    };
    let mut spellings = Vec::new();
    for separator in [".", "/", "-"] {
        for (m, d) in [
            (format!("{month}"), format!("{day}")),
            (format!("{month:02}"), format!("{day:02}")),
        ] {
            for y in [format!("{year}"), format!("{:02}", year % 100)] {
                spellings.push([&*d, &m, &y].join(separator));
                spellings.push([&*m, &d, &y].join(separator));
                spellings.push([&*y, &m, &d].join(separator));
            }
            spellings.push([&*d, &m].join(separator));
            spellings.push([&*d, &m, ""].join(separator));
        }
    }
    spellings
}

#[cfg(test)]
mod tests;
