//! The list in which the spellings of a move are gathered.

use smol_str::{SmolStr, SmolStrBuilder};

use super::{Spelling, UPPERCASE_FILE};
use crate::notation::habits::{Habits, NotationStyles};

/// Largest cost in nats of a spelling that is kept. Where only dearer ones are left, the decoder
/// does better to leave the cell unexplained.
const MAX_COST: f32 = 10.0;

/// The spellings of one move by one writer.
pub(super) struct SpellingList<'a> {
    habits: &'a Habits,
    /// What it costs this writer to use none of the styles that are possible for the move, in nats.
    plain_cost: f32,
    pub(super) spellings: Vec<Spelling>,
}

impl<'a> SpellingList<'a> {
    pub(super) fn new(habits: &'a Habits, plain_cost: f32) -> Self {
        let spellings = Vec::with_capacity(128);
        Self {
            habits,
            plain_cost,
            spellings,
        }
    }

    /// An empty list for the same move and writer.
    pub(super) fn new_for_same_move(&self) -> Self {
        Self::new(self.habits, self.plain_cost)
    }

    /// The cost of a spelling to this writer in nats, at least 0; none where it exceeds
    /// [`MAX_COST`].
    fn writer_cost(&self, cost: f32, styles: NotationStyles) -> Option<f32> {
        let cost = (cost + self.plain_cost + self.habits.surcharge(styles)).max(0.0);
        (cost <= MAX_COST).then_some(cost)
    }

    /// Adds the text that its parts make, if this writer does not pay too much for it.
    pub(super) fn add(&mut self, cost: f32, styles: NotationStyles, parts: &[&str]) {
        if let Some(cost) = self.writer_cost(cost, styles) {
            let text = concatenate(parts);
            self.spellings.push(Spelling { text, cost, styles });
        }
    }

    /// Adds a spelling of another list with an ending behind it.
    pub(super) fn add_with_ending(&mut self, spelling: Spelling, cost: f32, ending: &str) {
        let (cost, styles) = (spelling.cost + cost, spelling.styles);
        if cost <= MAX_COST {
            let text = concatenate(&[&spelling.text, ending]);
            self.spellings.push(Spelling { text, cost, styles });
        }
    }

    /// Adds the text that its parts and the coordinates make, with the coordinates in upper case
    /// and in lower case.
    pub(super) fn add_in_both_cases(
        &mut self,
        cost: f32,
        styles: NotationStyles,
        parts: &[&str],
        coordinates: &str,
    ) {
        let uppercase_styles = styles.union(UPPERCASE_FILE);
        for (is_uppercase, styles) in [(true, uppercase_styles), (false, styles)] {
            if let Some(cost) = self.writer_cost(cost, styles) {
                let mut text = SmolStrBuilder::new();
                parts.iter().for_each(|part| text.push_str(part));
                for c in coordinates.chars() {
                    text.push(if is_uppercase {
                        c.to_ascii_uppercase()
                    } else {
                        c
                    });
                }
                let text = text.finish();
                self.spellings.push(Spelling { text, cost, styles });
            }
        }
    }

    /// The spellings in the order of their texts, no text twice; the cheaper spelling is kept.
    pub(super) fn finish(mut self) -> Vec<Spelling> {
        self.spellings
            .sort_unstable_by(|a, b| a.text.cmp(&b.text).then(a.cost.total_cmp(&b.cost)));
        self.spellings.dedup_by(|b, a| a.text == b.text);
        self.spellings
    }
}

fn concatenate(parts: &[&str]) -> SmolStr {
    let mut text = SmolStrBuilder::new();
    parts.iter().for_each(|part| text.push_str(part));
    text.finish()
}
