//! The spellings of a move as they are gathered, each at its price.

use smol_str::{SmolStr, SmolStrBuilder};

use super::{CAPITAL_FILE, Spelling};
use crate::notation::habits::{Habits, Ways};

/// No spelling dearer than this is kept: the cell is then better called unexplained.
const DEAREST: f32 = 10.0;

/// Spellings of one move by one hand.
pub(super) struct List<'a> {
    habits: &'a Habits,
    /// What this hand pays for writing the move in none of its ways.
    plain: f32,
    pub(super) spellings: Vec<Spelling>,
}

impl<'a> List<'a> {
    pub(super) fn new(habits: &'a Habits, plain: f32) -> Self {
        let spellings = Vec::with_capacity(128);
        Self {
            habits,
            plain,
            spellings,
        }
    }

    /// An empty list for the same move and hand.
    pub(super) fn another(&self) -> Self {
        Self::new(self.habits, self.plain)
    }

    /// What a spelling costs this hand, all in all; none where it is then better called unexplained.
    fn price(&self, cost: f32, ways: Ways) -> Option<f32> {
        let cost = (cost + self.plain + self.habits.extra(ways)).max(0.0);
        (cost <= DEAREST).then_some(cost)
    }

    pub(super) fn add(&mut self, cost: f32, ways: Ways, parts: &[&str]) {
        if let Some(cost) = self.price(cost, ways) {
            let text = joined(parts);
            self.spellings.push(Spelling { text, cost, ways });
        }
    }

    /// Adds a spelling with something behind it.
    pub(super) fn extend(&mut self, spelling: Spelling, cost: f32, end: &str) {
        let (cost, ways) = (spelling.cost + cost, spelling.ways);
        if cost <= DEAREST {
            let text = joined(&[&spelling.text, end]);
            self.spellings.push(Spelling { text, cost, ways });
        }
    }

    /// With its coordinates in upper case too.
    pub(super) fn add_with_capitals(
        &mut self,
        cost: f32,
        ways: Ways,
        before: &[&str],
        coordinates: &str,
    ) {
        for (capital, ways) in [(true, ways.with(CAPITAL_FILE)), (false, ways)] {
            if let Some(cost) = self.price(cost, ways) {
                let mut text = SmolStrBuilder::new();
                before.iter().for_each(|part| text.push_str(part));
                for c in coordinates.chars() {
                    text.push(if capital { c.to_ascii_uppercase() } else { c });
                }
                let text = text.finish();
                self.spellings.push(Spelling { text, cost, ways });
            }
        }
    }

    pub(super) fn finish(mut self) -> Vec<Spelling> {
        self.spellings
            .sort_unstable_by(|a, b| a.text.cmp(&b.text).then(a.cost.total_cmp(&b.cost)));
        self.spellings.dedup_by(|b, a| a.text == b.text);
        self.spellings
    }
}

fn joined(parts: &[&str]) -> SmolStr {
    let mut text = SmolStrBuilder::new();
    parts.iter().for_each(|part| text.push_str(part));
    text.finish()
}
