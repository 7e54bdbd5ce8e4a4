//! Who wrote a copy: the language and the habits that its moves are spelt with.

use crate::notation::{Habits, Language};

/// The writer of a copy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Writer {
    pub language: &'static Language,
    pub habits: Habits,
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
            habits: Habits::default(),
        }
    }

    /// Whether the writer has a habit that few have.
    pub(super) fn is_unusual(&self) -> bool {
        self.habits.max_discount() >= MIN_ODDITY_NATS
    }
}
