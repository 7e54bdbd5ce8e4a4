//! What the caller of the decoder may choose.

use crate::copies;
use crate::notation::Language;

use super::costs::Costs;

/// What the caller may choose.
#[derive(Debug, Clone)]
pub struct Options {
    /// The language of the sheets; none to find it.
    pub language: Option<&'static Language>,
    /// Moves less probable than this, 0 to 1, are marked for review, unless `ask` decides it.
    pub doubt: f32,
    /// Largest share of a game's moves, 0 to 1, that is marked for review, those first whose answer
    /// repairs most. Moves that no cell speaks for are always marked. None to go by `doubt`.
    pub ask: Option<f32>,
    /// Number of other games that are put out beside the best one.
    pub runners_up: usize,
    /// Costs and extent of the search.
    pub costs: Costs,
    /// How copies are found and their cells aligned.
    pub copies: copies::Parameters,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            language: None,
            doubt: 0.9,
            ask: None,
            runners_up: 0,
            costs: Costs::default(),
            copies: copies::Parameters::default(),
        }
    }
}
