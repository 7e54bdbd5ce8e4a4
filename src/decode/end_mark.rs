//! What a single cell says of the game's being over.

use crate::notation::EndMark;

/// Most nats that an end mark gains where castling, which it looks like, is out. Chosen by eye.
const MAX_CASTLING_GAIN_NATS: f32 = 3.0;

/// Nats by which a result must be likelier than any other, and the best string of the cell at most
/// be likelier than it, for its winner to be believed. Chosen by eye.
const MIN_RESULT_LEAD_NATS: f32 = 3.0;

/// An end mark and how well a cell's writing fits it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ScoredMark {
    pub mark: EndMark,
    /// Log-probability of the writing under the mark, in nats.
    pub log_prob: f32,
    /// The same less the cost of the mark.
    pub score: f32,
}

/// The likeliest end mark of a cell and its score in nats.
#[derive(Debug)]
pub(super) struct CellEndMark {
    usual: Option<(EndMark, f32)>,
    /// The same where neither player can castle.
    no_castling: Option<(EndMark, f32)>,
}

impl CellEndMark {
    /// Chooses among the scored marks of a cell. `text` is the best string of the cell, and `read`
    /// its log-probability.
    pub(super) fn new(mut marks: Vec<ScoredMark>, text: &str, read: f32) -> Self {
        let usual = likeliest(&marks, read);
        if !is_castling(text) {
            let no_castling = usual;
            return Self { usual, no_castling };
        }
        // Where the string cannot be castling, the other texts share all of the probability.
        let others = (-read.exp_m1()).ln().max(-MAX_CASTLING_GAIN_NATS);
        for mark in &mut marks {
            mark.log_prob -= others;
            mark.score -= others;
        }
        let no_castling = likeliest(&marks, f32::NEG_INFINITY);
        Self { usual, no_castling }
    }

    /// The mark and its score. Where neither player can castle (`no_castling`), a text that looks
    /// like castling is no rival.
    pub(super) fn mark(&self, no_castling: bool) -> Option<(EndMark, f32)> {
        if no_castling {
            self.no_castling
        } else {
            self.usual
        }
    }
}

/// Whether a text is castling, by letters or zeros.
fn is_castling(text: &str) -> bool {
    let letters = text.chars().filter(|c| *c != '-');
    text.contains('-') && letters.clone().count() > 1 && letters.clone().all(|c| "Oo0".contains(c))
}

/// The mark of the best score. Where another result is nearly as likely, or the best string of the
/// cell (log-probability `read`) is much likelier, the game is over but its winner stays open.
fn likeliest(marks: &[ScoredMark], read: f32) -> Option<(EndMark, f32)> {
    // Of equals the first.
    let best = marks
        .iter()
        .reduce(|a, b| if b.score > a.score { b } else { a })?;
    let mut rivals = marks
        .iter()
        .filter(|other| other.mark != best.mark && other.mark != EndMark::Over);
    let leads = rivals.all(|rival| best.score >= rival.score + MIN_RESULT_LEAD_NATS)
        && read <= best.log_prob + MIN_RESULT_LEAD_NATS;
    let mark = if leads { best.mark } else { EndMark::Over };
    Some((mark, best.score))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_may_as_well_be_another_leaves_the_winner_open() {
        use EndMark::{BlackWins, Over, WhiteWins};
        let choose = |marks: &[(EndMark, f32)], read| {
            let scored = marks.iter().map(|&(mark, log_prob)| ScoredMark {
                mark,
                log_prob,
                score: log_prob,
            });
            likeliest(&scored.collect::<Vec<_>>(), read)
        };
        assert_eq!(choose(&[], 0.0), None);
        let clear = [(BlackWins, -9.0), (WhiteWins, -3.0), (WhiteWins, -4.0)];
        assert_eq!(choose(&clear, -3.0), Some((WhiteWins, -3.0)));
        let unclear = [(BlackWins, -4.5), (WhiteWins, -3.0)];
        assert_eq!(choose(&unclear, -3.0), Some((Over, -3.0)));
        let ended = [(WhiteWins, -3.5), (Over, -3.0), (BlackWins, -12.0)];
        assert_eq!(choose(&ended, -3.0), Some((Over, -3.0)));
        assert_eq!(choose(&[(WhiteWins, -5.0)], -1.0), Some((Over, -5.0)));
    }
}
