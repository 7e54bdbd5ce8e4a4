//! Who wrote a copy: the language and the habits that its moves are spelt with.

use crate::notation::{Habits, Language, MoveShape, Spelling, spellings};

/// The writer of a copy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Writer {
    pub language: &'static Language,
    /// A second language whose letters he mixes with those of the first.
    pub second: Option<SecondLanguage>,
    pub habits: Habits,
}

/// The language that a writer mixes with his first one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SecondLanguage {
    pub language: &'static Language,
    /// Share of the moves, 0 to 1, of pieces whose letters differ in the two languages that he
    /// writes with a letter of the second.
    pub share: f32,
}

/// A writer is unusual from this many nats on by which some habit comes easier to him than to
/// others; his sheet is then decoded again with his own habits. Reading every sheet again so was no
/// better (HCS dev silent errors 0.82 to 0.90 %).
const MIN_ODDITY_NATS: f32 = 1.0;

impl Writer {
    /// A writer of whom nothing but the language is known.
    pub(super) fn typical(language: &'static Language) -> Self {
        Self {
            language,
            second: None,
            habits: Habits::default(),
        }
    }

    /// Whether the writer mixes two languages or has a habit that few have.
    pub(super) fn is_unusual(&self) -> bool {
        self.second.is_some() || self.habits.max_discount() >= MIN_ODDITY_NATS
    }

    /// The code of the writer's language; `en+tr` where he mixes two.
    pub(super) fn code(&self) -> String {
        let first = self.language.code;
        match self.second {
            Some(second) => format!("{first}+{}", second.language.code),
            None => first.to_owned(),
        }
    }

    /// The spellings of a move by this writer, in the order of their texts, no text twice.
    ///
    /// If two languages are mixed and a letter of the move differs in them, a spelling in the
    /// second costs `-ln share` more, one in the first `-ln (1 - share)`.
    pub(super) fn spellings(&self, shape: &MoveShape) -> Vec<Spelling> {
        let mut all = spellings(shape, self.language, &self.habits);
        let Some(SecondLanguage { language, share }) = self.second else {
            return all;
        };
        let differs = |role| language.letters(role) != self.language.letters(role);
        let roles = [Some(shape.role), shape.captured, shape.promotion];
        if !roles.into_iter().flatten().any(differs) {
            return all;
        }
        let mut added = spellings(shape, language, &self.habits);
        all.iter_mut().for_each(|s| s.cost -= (1.0 - share).ln());
        added.iter_mut().for_each(|s| s.cost -= share.ln());
        all.append(&mut added);
        all.sort_by(|a, b| a.text.cmp(&b.text).then(a.cost.total_cmp(&b.cost)));
        all.dedup_by(|b, a| a.text == b.text);
        all
    }
}
