//! The probability of a cell's writing under a move: any of its spellings, with any suffix
//! behind it.
//!
//! The spellings run through a [`CtcTrie`] from the first frame on. What stands behind a move (`+`,
//! `!`) is summed from the last frame backwards, once a cell, and the two are joined where they
//! meet, instead of spelling out every pair.

use crate::notation::{MOVE_SUFFIXES, MoveShape, MoveSuffix};

use super::ctc_trie::{CtcTrie, MIN_PREFIX_PROB};
use super::encoder::{Encoder, TrieNode};
use super::smoothing::ClassProbs;

/// Which suffixes fit behind a move: bit 0 check, bit 1 capture, bit 2 capture in passing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SuffixContext(usize);

impl SuffixContext {
    /// Number of contexts: all values of three bits.
    const CONTEXT_COUNT: usize = 8;

    /// The context of moves of a shape.
    pub(super) fn of(shape: &MoveShape) -> Self {
        Self(
            usize::from(shape.check)
                | usize::from(shape.captured.is_some()) << 1
                | usize::from(shape.en_passant) << 2,
        )
    }

    /// Prior probability of a suffix behind a move of this context.
    fn prior(self, suffix: &MoveSuffix) -> f64 {
        let (check, capture, en_passant) = (self.0 & 1 != 0, self.0 & 2 != 0, self.0 & 4 != 0);
        (-f64::from(suffix.cost(check, capture, en_passant))).exp()
    }
}

/// Scores moves, texts and first characters against one component of a cell's mixture.
#[derive(Debug)]
pub(super) struct ComponentScorer {
    trie: CtcTrie,
    /// `suffixes[context][t]`: probability that a suffix fills the frames from `t` to the last,
    /// beginning at `t`.
    suffixes: [Vec<f64>; SuffixContext::CONTEXT_COUNT],
    /// Prior probability that nothing stands behind the move, by context.
    bare: [f64; SuffixContext::CONTEXT_COUNT],
    /// Probability, by hopeful node of the trie and by context, that the cell holds the node's text
    /// and what may stand behind it; NaN where it has not been asked for.
    spelling_probs: Vec<[f32; SuffixContext::CONTEXT_COUNT]>,
    /// Nodes from the root to the last character that was asked for.
    path: Vec<usize>,
}

impl ComponentScorer {
    /// The scorer of a cell with these probabilities. With probability `aside` other writing stands
    /// before the move, and with the same probability behind it.
    pub(super) fn new(probs: ClassProbs, aside: f64, encoder: &Encoder) -> Self {
        let behind = begin_aside(&probs, aside);
        let mut suffixes = std::array::from_fn(|_| behind.clone());
        let mut bare = [0.0; SuffixContext::CONTEXT_COUNT];
        for suffix in MOVE_SUFFIXES {
            if suffix.text.is_empty() {
                bare = std::array::from_fn(|c| SuffixContext(c).prior(suffix));
            } else if let Some(text) = encoder.encode(suffix.text) {
                let from = backward(&probs, &text);
                for (c, sums) in suffixes.iter_mut().enumerate() {
                    let prior = SuffixContext(c).prior(suffix);
                    for (t, p) in from.iter().enumerate() {
                        sums[t] += prior * p;
                    }
                }
            }
        }
        Self {
            trie: CtcTrie::new(probs, aside),
            suffixes,
            bare,
            spelling_probs: Vec::new(),
            path: vec![0],
        }
    }

    /// Keeps no more frames than an equal share of a ply's, whose writing stands in so many cells.
    pub(super) fn share_frames(&mut self, cells: usize) {
        self.trie.share_frames(cells);
    }

    /// Log-probability, in nats, that the cell holds one of the spellings of a move, the priors of
    /// spellings and suffixes counted in.
    pub(super) fn log_move(&mut self, spellings: &[TrieNode], context: SuffixContext) -> f32 {
        if self.trie.forget_if_large() {
            self.spelling_probs.clear();
        }
        let mut total = 0.0;
        let mut at = 0;
        while let Some(letter) = spellings.get(at) {
            let depth = usize::from(letter.depth);
            let parent = self.path[depth];
            if self.trie.prefix_prob(parent) * f64::from(letter.max_prior) < MIN_PREFIX_PROB {
                at = letter.subtree_end as usize;
                continue;
            }
            let node = self.trie.child(parent, letter.class);
            let prob = self.trie.prefix_prob(node);
            if prob * f64::from(letter.max_prior) < MIN_PREFIX_PROB {
                at = letter.subtree_end as usize;
                continue;
            }
            self.path.truncate(depth + 1);
            self.path.push(node);
            let prior = f64::from(letter.prior);
            if prob * prior >= MIN_PREFIX_PROB {
                total += prior * self.spelling_prob(node, context);
            }
            at += 1;
        }
        total.ln() as f32
    }

    /// Log-probability, in nats, that the cell holds exactly this text.
    pub(super) fn log_text(&mut self, text: &[u16]) -> f32 {
        let node = self.trie.find(text);
        node.map_or(f32::NEG_INFINITY, |n| self.trie.text_prob(n).ln() as f32)
    }

    /// Log-probability, in nats, that the cell's text begins with this one.
    pub(super) fn log_prefix(&mut self, text: &[u16]) -> f32 {
        let node = self.trie.find(text);
        node.map_or(f32::NEG_INFINITY, |n| self.trie.prefix_prob(n).ln() as f32)
    }

    /// Probability that the first character of the cell's text is of this class.
    pub(super) fn first_class_prob(&self, class: u16) -> f64 {
        self.trie.first_class_prob(class)
    }

    /// Probability that the cell holds the text of a hopeful node and what may stand behind it.
    fn spelling_prob(&mut self, node: usize, context: SuffixContext) -> f64 {
        let number = self.trie.hopeful_number(node);
        if self.spelling_probs.len() <= number {
            let unknown = [f32::NAN; SuffixContext::CONTEXT_COUNT];
            self.spelling_probs
                .resize(self.trie.hopeful_nodes(), unknown);
        }
        let known = self.spelling_probs[number][context.0];
        if !known.is_nan() {
            return f64::from(known);
        }
        let (first, forward) = self.trie.forward_of(node);
        let suffix = &self.suffixes[context.0][first + 1..];
        let mut sum = self.bare[context.0] * self.trie.text_prob(node);
        for ([label, blank], suffix) in forward.iter().zip(suffix) {
            sum += f64::from(label + blank) * suffix;
        }
        let sum = sum as f32;
        self.spelling_probs[number][context.0] = sum;
        f64::from(sum)
    }
}

/// For each frame, and the end: the probability that it is the gap before writing that is no part
/// of the move.
fn begin_aside(probs: &ClassProbs, aside: f64) -> Vec<f64> {
    let blank = probs.class(0);
    let next_is_ink = blank.iter().skip(1).map(|next| (1.0 - next).max(0.0));
    let begins = blank
        .iter()
        .zip(next_is_ink)
        .map(|(gap, ink)| aside * gap * ink);
    let mut begins: Vec<f64> = begins.collect();
    begins.resize(probs.frames + 1, 0.0);
    begins
}

/// CTC backward probabilities of a text: for each frame, the probability that the text fills the
/// frames from there to the last, its first character standing in that frame.
fn backward(probs: &ClassProbs, text: &[u16]) -> Vec<f64> {
    let frames = probs.frames;
    let blank = probs.class(0);
    // `next[t]` is the same for the rest of the text; the empty rest has 1 at the end.
    let mut next: Option<Vec<f64>> = None;
    let mut follower = None;
    for &class in text.iter().rev() {
        let p = probs.class(usize::from(class));
        let mut here = vec![0.0; frames + 1];
        let (mut on_label, mut on_blank) = (0.0, 0.0);
        for t in (0..frames).rev() {
            let (after_label, after_blank) = match &next {
                None if t + 1 == frames => (1.0, 1.0),
                None => (on_label + on_blank, on_blank),
                Some(rest) => {
                    let direct = if follower == Some(class) {
                        0.0
                    } else {
                        rest[t + 1]
                    };
                    (on_label + on_blank + direct, on_blank + rest[t + 1])
                }
            };
            on_label = p[t] * after_label;
            on_blank = blank[t] * after_blank;
            here[t] = on_label;
        }
        next = Some(here);
        follower = Some(class);
    }
    next.unwrap_or_else(|| vec![0.0; frames + 1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::ctc_trie::tests::{alignments, assert_near, probs};
    use crate::notation::{NotationStyles, Spelling};

    #[test]
    fn backward_probabilities_are_sums_over_the_alignments_of_the_last_frames() {
        let all = probs(5);
        for text in [&[1][..], &[1, 2], &[2, 2], &[3, 1, 3]] {
            let from = backward(&all, text);
            for (t, &p) in from[..all.frames].iter().enumerate() {
                let mut rest = probs(5);
                let classes = rest.p.len() / rest.frames;
                let probs = (0..classes).flat_map(|c| all.class(c)[t..].to_vec());
                (rest.p, rest.frames) = (probs.collect(), all.frames - t);
                let sum: f64 = alignments(&rest)
                    .iter()
                    .filter(|a| a.classes[0] == text[0] && a.text == text)
                    .map(|a| a.p)
                    .sum();
                assert_near(p, sum, text);
            }
        }
    }

    #[test]
    fn a_move_is_the_sum_of_its_spellings_with_and_without_a_suffix() {
        let encoder = Encoder::new(&['f', '3', '+']);
        let spelling = |text: &str, prior: f32| Spelling {
            text: text.into(),
            cost: -prior.ln(),
            styles: NotationStyles::NONE,
        };
        let trie = encoder.build_trie(&[spelling("3", 0.25), spelling("f3", 0.75)]);
        let context = SuffixContext(1); // A check.
        let mut scorer = ComponentScorer::new(probs(6), 0.0, &encoder);
        let p = f64::from(scorer.log_move(&trie, context)).exp();
        let alignments = alignments(&probs(6));
        let text_prob = |text: &[u16]| -> f64 {
            alignments
                .iter()
                .filter(|a| a.text == text)
                .map(|a| a.p)
                .sum()
        };
        // Behind a check, the plus costs 0.6 nats, nothing 0.9, the double plus 3.5, and the mate's
        // `#` is not in the alphabet (src/notation/suffix.rs).
        let suffixes = [(&[][..], 0.9f64), (&[3][..], 0.6), (&[3, 3][..], 3.5)];
        let mut sum = 0.0;
        for (spelling, prior) in [(&[2][..], 0.25), (&[1, 2][..], 0.75)] {
            for (suffix, cost) in suffixes {
                sum += prior * (-cost).exp() * text_prob(&[spelling, suffix].concat());
            }
        }
        assert!((p / sum - 1.0).abs() < 1e-4, "{p} is not {sum}");
    }

    #[test]
    fn a_beginning_scores_as_all_texts_that_begin_so_and_a_hopeless_text_as_none() {
        let encoder = Encoder::new(&['f', '3', '+']);
        let mut scorer = ComponentScorer::new(probs(5), 0.0, &encoder);
        let begin_so = alignments(&probs(5)).into_iter();
        let begin_so = begin_so.filter(|a| a.text.starts_with(&[1, 2]));
        let expected: f64 = begin_so.map(|a| a.p).sum();
        assert!((f64::from(scorer.log_prefix(&[1, 2])) - expected.ln()).abs() < 1e-5);
        // Four times the same character needs seven frames, with the blanks between.
        assert_eq!(scorer.log_text(&[1, 1, 1, 1]), f32::NEG_INFINITY);
    }
}
