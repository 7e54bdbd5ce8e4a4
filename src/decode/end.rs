//! What a single cell says of the game's being over.

use crate::notation::EndMark;

/// Nats that a result gains at most where castling, which it looks like, is out.
const CASTLING_LEAVES: f32 = 3.0;

/// Nats by which a result must be likelier than any other to be told.
const RESULTS_APART: f32 = 3.0;

/// What a cell says of the game's being over: the likeliest end mark and the log-probability of the cell under it, cost included.
#[derive(Debug)]
pub(super) struct End {
    usual: Option<(EndMark, f32)>,
    /// The same where nobody can castle.
    castled: Option<(EndMark, f32)>,
}

impl End {
    /// From each end mark with the log-probability of the writing under it and that less its cost, and the text that the
    /// reader reads with its log-probability.
    pub(super) fn new(mut marks: Vec<(EndMark, f32, f32)>, text: &str, read: f32) -> Self {
        let usual = likeliest(&marks, read);
        if !is_castling(text) {
            let castled = usual;
            return Self { usual, castled };
        }
        // What is not castling has its probability.
        let left = (-read.exp_m1()).ln().max(-CASTLING_LEAVES);
        for (_, written, score) in &mut marks {
            *written -= left;
            *score -= left;
        }
        let castled = likeliest(&marks, f32::NEG_INFINITY);
        Self { usual, castled }
    }

    /// The mark; `castled` where nobody can castle any more, so that what looks like castling is no rival.
    pub(super) fn mark(&self, castled: bool) -> Option<(EndMark, f32)> {
        if castled { self.castled } else { self.usual }
    }
}

/// Whether a text is castling, by letters or zeros.
fn is_castling(text: &str) -> bool {
    let letters = text.chars().filter(|c| *c != '-');
    text.contains('-') && letters.clone().count() > 1 && letters.clone().all(|c| "Oo0".contains(c))
}

/// The likeliest of some end marks, each with the log-probability of what is written and that less its cost. Where another
/// result is nearly as likely, or what the reader reads is likelier by as much, the game is over, but who won is not told.
fn likeliest(marks: &[(EndMark, f32, f32)], read: f32) -> Option<(EndMark, f32)> {
    // Of equals the first.
    let &(mark, written, score) = marks.iter().reduce(|a, b| if b.2 > a.2 { b } else { a })?;
    let rivals = marks.iter();
    let mut rivals = rivals.filter(|(other, ..)| *other != mark && *other != EndMark::Over);
    let told =
        rivals.all(|rival| score >= rival.2 + RESULTS_APART) && read <= written + RESULTS_APART;
    Some((if told { mark } else { EndMark::Over }, score))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_may_as_well_be_another_is_not_told() {
        use EndMark::{BlackWins, Over, WhiteWins};
        let told = |marks: &[(EndMark, f32)], read| {
            let free = marks
                .iter()
                .map(|&(mark, written)| (mark, written, written));
            likeliest(&free.collect::<Vec<_>>(), read)
        };
        assert_eq!(told(&[], 0.0), None);
        let clear = [(BlackWins, -9.0), (WhiteWins, -3.0), (WhiteWins, -4.0)];
        assert_eq!(told(&clear, -3.0), Some((WhiteWins, -3.0)));
        let unclear = [(BlackWins, -4.5), (WhiteWins, -3.0)];
        assert_eq!(told(&unclear, -3.0), Some((Over, -3.0)));
        let ended = [(WhiteWins, -3.5), (Over, -3.0), (BlackWins, -12.0)];
        assert_eq!(told(&ended, -3.0), Some((Over, -3.0)));
        assert_eq!(told(&[(WhiteWins, -5.0)], -1.0), Some((Over, -5.0)));
    }
}
