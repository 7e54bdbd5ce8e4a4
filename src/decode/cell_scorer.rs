//! The probability of a cell's writing under the mixture of posteriors that were read of it.

use super::component_scorer::{ComponentScorer, SuffixContext};
use super::encoder::{Encoder, TrieNode};
use super::smoothing::ClassProbs;

/// Scores moves, texts and first characters against the posteriors of one cell.
#[derive(Debug)]
pub(super) struct CellScorer {
    /// The components of the mixture with their weights, at least one.
    components: Vec<(f64, ComponentScorer)>,
}

impl CellScorer {
    /// The scorer of a mixture of class probabilities with these weights, which are scaled to add
    /// up to 1; none where there are none. With probability `aside` other writing stands before the
    /// move, and with the same probability behind it.
    pub(super) fn new(
        mixture: Vec<(f64, ClassProbs)>,
        aside: f64,
        encoder: &Encoder,
    ) -> Option<Self> {
        let sum: f64 = mixture.iter().map(|(weight, _)| weight).sum();
        let components = mixture.into_iter().map(|(weight, probs)| {
            let scorer = ComponentScorer::new(probs, aside, encoder);
            (weight / sum, scorer)
        });
        let mut scorer = Self {
            components: components.collect(),
        };
        scorer.share_frames(1);
        (!scorer.components.is_empty()).then_some(scorer)
    }

    /// Keeps no more frames than an equal share of a ply's, whose writing stands in so many cells.
    pub(super) fn share_frames(&mut self, cells: usize) {
        let shares = cells * self.components.len();
        for (_, component) in &mut self.components {
            component.share_frames(shares);
        }
    }

    /// Log-probability, in nats, that the cell holds one of the spellings of a move, the priors of
    /// spellings and suffixes counted in.
    pub(super) fn log_move(&mut self, spellings: &[TrieNode], context: SuffixContext) -> f32 {
        self.log_sum(|component| component.log_move(spellings, context))
    }

    /// Log-probability, in nats, that the cell holds exactly this text.
    pub(super) fn log_text(&mut self, text: &[u16]) -> f32 {
        self.log_sum(|component| component.log_text(text))
    }

    /// Log-probability, in nats, that the cell's text begins with this one.
    pub(super) fn log_prefix(&mut self, text: &[u16]) -> f32 {
        self.log_sum(|component| component.log_prefix(text))
    }

    /// Probability that the first character of the cell's text is of this class.
    pub(super) fn first_class_prob(&self, class: u16) -> f64 {
        let components = self.components.iter();
        components
            .map(|(weight, component)| weight * component.first_class_prob(class))
            .sum()
    }

    /// `ln(Σ weight * e^log_prob)` over the components, in nats.
    fn log_sum(&mut self, log_prob: impl Fn(&mut ComponentScorer) -> f32) -> f32 {
        let components = self.components.iter_mut();
        match components.len() {
            1 => components.map(|(_, only)| log_prob(only)).sum(),
            _ => {
                let probs = components.map(|(weight, c)| *weight * f64::from(log_prob(c)).exp());
                probs.sum::<f64>().ln() as f32
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::ctc_trie::tests::probs;

    #[test]
    fn a_text_is_as_likely_as_the_weighted_sum_over_the_components() {
        let encoder = Encoder::new(&['f', '3', '+']);
        let alone = |frames| CellScorer::new(vec![(1.0, probs(frames))], 0.0, &encoder);
        let mixture = vec![(0.75, probs(4)), (0.25, probs(6))];
        let mut mixed = CellScorer::new(mixture, 0.0, &encoder).expect("two components");
        let (mut first, mut second) = (alone(4).unwrap(), alone(6).unwrap());
        let text = [1, 2];
        for log_prob in [CellScorer::log_text, CellScorer::log_prefix] {
            let p = |scorer: &mut CellScorer| f64::from(log_prob(scorer, &text)).exp();
            let expected = 0.75 * p(&mut first) + 0.25 * p(&mut second);
            assert!((p(&mut mixed) / expected - 1.0).abs() < 1e-5);
        }
        let expected = 0.75 * first.first_class_prob(1) + 0.25 * second.first_class_prob(1);
        assert!((mixed.first_class_prob(1) - expected).abs() < 1e-9);
        assert!(CellScorer::new(Vec::new(), 0.0, &encoder).is_none());
    }
}
