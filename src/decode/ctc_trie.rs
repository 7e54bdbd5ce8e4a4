//! CTC forward probabilities of texts, computed once for every common prefix.
//!
//! Connectionist temporal classification (Graves et al. 2006) reads a text off an alignment, one
//! class a frame, by merging repeated classes and dropping blanks. The probability of a text is the
//! sum over its alignments. For a prefix that ends in character `c`, frame by frame,
//!
//! - `label[t] = p[c, t] * (label[t-1] + entry[t-1])`: the prefix is complete and rests on `c`;
//! - `blank[t] = p[0, t] * (blank[t-1] + label[t-1])`: it is complete and rests on the blank;
//! - `entry = blank' + label'` of the prefix before it, or `blank'` alone where that ends in `c`
//!   too, since a repeated character needs a blank between.
//!
//! Prefixes form a trie, so that spellings that begin alike are run through the frames together.

use super::smoothing::ClassProbs;

/// Probability below which a prefix is not followed: a hundredth of what calling the cell
/// unexplained costs.
pub(super) const MIN_PREFIX_PROB: f64 = 1.5e-6;

/// Probability of a prefix by some frame that is as good as none.
const MIN_FRAME_PROB: f64 = 1e-10;

/// Largest number of frames, summed over the prefixes of the cells of one ply, of 8 bytes each; a
/// trie with more is built anew. A hard sheet took 355 MB for 408 so, in the same time; with a
/// quarter of it, and half of the positions, 16 % more time
/// (docs/experiments/2026-11-29-search-memory.md).
const MAX_KEPT_FRAMES: usize = 1 << 15;

/// Index of the empty prefix.
const ROOT: usize = 0;

/// A prefix. Its forward probabilities stand in [`CtcTrie::forward`], for the frames in which they
/// reach [`MIN_FRAME_PROB`].
#[derive(Debug)]
struct PrefixNode {
    /// Class of its last character.
    class: u16,
    /// First frame with forward probabilities.
    first_frame: u16,
    /// Number of frames with forward probabilities.
    frames: u16,
    /// Index of the first of them in [`CtcTrie::forward`].
    start: u32,
    /// First child and next sibling; the root stands for none.
    child: u32,
    sibling: u32,
    /// Number among the nodes that reach [`MIN_PREFIX_PROB`]; 0 for the root and all others.
    hopeful: u32,
    /// Probability that the cell's text begins with the prefix.
    prob: f64,
}

impl PrefixNode {
    fn new(class: u16, sibling: u32, start: u32) -> Self {
        Self {
            class,
            first_frame: 0,
            frames: 0,
            start,
            child: 0,
            sibling,
            hopeful: 0,
            prob: 1.0,
        }
    }
}

/// A cell's posteriors, and the forward probabilities of the prefixes asked for so far.
#[derive(Debug)]
pub(super) struct CtcTrie {
    probs: ClassProbs,
    nodes: Vec<PrefixNode>,
    /// The nodes of single characters by class, the root for none: it has more children than a walk
    /// along siblings is quick for.
    first: Vec<u32>,
    /// Number of nodes that reach [`MIN_PREFIX_PROB`], the root included.
    hopeful: u32,
    /// For the last new node, from the first frame where its character may begin, the probability
    /// that it begins there.
    entered: Vec<f64>,
    /// `[label, blank]` for each node and frame. In single precision, since the tries of a sheet
    /// are most of the memory that a wide search takes.
    forward: Vec<[f32; 2]>,
    /// Number of frames from which the trie is built anew.
    max_frames: usize,
}

impl CtcTrie {
    /// The trie of the empty prefix over a cell's probabilities. With probability `aside` the text
    /// stands behind other writing, whatever it says, and a gap: a blank frame after another one.
    pub(super) fn new(probs: ClassProbs, aside: f64) -> Self {
        let frames = probs.frames;
        let (mut p, mut ink) = (1.0, 0.0);
        let forward = probs.class(0).iter().map(|blank| {
            p = blank * (p + aside * ink);
            ink = (1.0 - blank).max(0.0);
            [0.0, p as f32]
        });
        let forward: Vec<[f32; 2]> = forward.collect();
        let root = PrefixNode {
            frames: frames as u16,
            ..PrefixNode::new(0, 0, 0)
        };
        Self {
            first: vec![0; probs.p.len() / frames.max(1)],
            probs,
            nodes: vec![root],
            hopeful: 1,
            entered: Vec::new(),
            forward,
            max_frames: MAX_KEPT_FRAMES,
        }
    }

    /// Keeps to an equal share of the frames of a ply whose writing stands in so many cells.
    pub(super) fn share_frames(&mut self, cells: usize) {
        self.max_frames = MAX_KEPT_FRAMES / cells.max(1);
    }

    /// Forgets all prefixes if they have more frames than they may, and tells whether it did: the
    /// numbers of nodes that it gave before then mean nothing.
    pub(super) fn forget_if_large(&mut self) -> bool {
        let is_large = self.forward.len() > self.max_frames;
        if is_large {
            self.nodes.truncate(ROOT + 1);
            self.nodes[ROOT].child = 0;
            self.forward.truncate(usize::from(self.nodes[ROOT].frames));
            self.first.fill(0);
            self.hopeful = 1;
        }
        is_large
    }

    /// Number of nodes that reach [`MIN_PREFIX_PROB`], the root included.
    pub(super) fn hopeful_nodes(&self) -> usize {
        self.hopeful as usize
    }

    /// The number of a node among those that reach [`MIN_PREFIX_PROB`]; 0 where it does not.
    pub(super) fn hopeful_number(&self, node: usize) -> usize {
        self.nodes[node].hopeful as usize
    }

    /// Probability that the cell's text begins with the prefix of a node: an upper bound for every
    /// text that does.
    pub(super) fn prefix_prob(&self, node: usize) -> f64 {
        self.nodes[node].prob
    }

    /// Probability that the cell holds exactly the prefix of a node.
    pub(super) fn text_prob(&self, node: usize) -> f64 {
        let at = &self.nodes[node];
        let reaches_end = usize::from(at.first_frame + at.frames) == self.probs.frames;
        let last = self.forward_of(node).1.last().filter(|_| reaches_end);
        last.map_or(0.0, |[label, blank]| f64::from(label + blank))
    }

    /// Probability that the first character of the cell's text is of this class.
    pub(super) fn first_class_prob(&self, class: u16) -> f64 {
        let blanks = self
            .forward_of(ROOT)
            .1
            .iter()
            .map(|[_, blank]| f64::from(*blank));
        let before = std::iter::once(1.0).chain(blanks);
        self.probs
            .class(usize::from(class))
            .iter()
            .zip(before)
            .map(|(p, b)| p * b)
            .sum()
    }

    /// The first frame of a node that has forward probabilities, and `[label, blank]` from there
    /// on.
    pub(super) fn forward_of(&self, node: usize) -> (usize, &[[f32; 2]]) {
        let node = &self.nodes[node];
        let start = node.start as usize;
        let end = start + usize::from(node.frames);
        (usize::from(node.first_frame), &self.forward[start..end])
    }

    /// The node of a text; none where it does not reach [`MIN_PREFIX_PROB`].
    pub(super) fn find(&mut self, text: &[u16]) -> Option<usize> {
        let mut at = ROOT;
        for &class in text {
            at = self.child(at, class);
            if self.nodes[at].prob < MIN_PREFIX_PROB {
                return None;
            }
        }
        Some(at)
    }

    /// The node of a prefix and one more character.
    pub(super) fn child(&mut self, parent: usize, class: u16) -> usize {
        if parent == ROOT {
            let known = self.first[usize::from(class)];
            if known == 0 {
                self.first[usize::from(class)] = self.extend(parent, class) as u32;
            }
            return self.first[usize::from(class)] as usize;
        }
        let mut child = self.nodes[parent].child as usize;
        while child != ROOT && self.nodes[child].class != class {
            child = self.nodes[child].sibling as usize;
        }
        if child == ROOT {
            self.extend(parent, class)
        } else {
            child
        }
    }

    /// Adds a node: runs one more character through the frames.
    fn extend(&mut self, parent: usize, class: u16) -> usize {
        let index = self.nodes.len();
        let above = &self.nodes[parent];
        let start = self.forward.len();
        let mut node = PrefixNode::new(class, above.child, start as u32);
        let p = self.probs.class(usize::from(class));
        let blank = self.probs.class(0);
        // The character may begin in the frame after any of those of its prefix.
        let from = if parent == ROOT {
            0
        } else {
            usize::from(above.first_frame) + 1
        };
        let repeated = above.class == class;
        let entry = |[on_label, on_blank]: [f32; 2]| {
            if repeated {
                f64::from(on_blank)
            } else {
                f64::from(on_blank + on_label)
            }
        };
        let before_any = (parent == ROOT).then_some(1.0);
        let before = &self.forward[above.start as usize..][..usize::from(above.frames)];
        self.entered.clear();
        let entries = before_any
            .into_iter()
            .chain(before.iter().map(|&b| entry(b)));
        let entered = p[from..].iter().zip(entries).map(|(p, entry)| p * entry);
        self.entered.extend(entered);
        node.prob = self.entered.iter().sum();
        let (mut label, mut rest) = (0.0, 0.0);
        let mut frames = from..self.probs.frames;
        if node.prob < MIN_PREFIX_PROB {
            frames = from..from; // Nobody asks for more.
        } else {
            node.hopeful = self.hopeful;
            self.hopeful += 1;
        }
        if self.forward.capacity() < start + self.probs.frames {
            // By a half only: a vector that doubles is half empty when it has just grown.
            self.forward.reserve_exact(self.probs.frames + start / 2);
        }
        for t in frames {
            let entered = self.entered.get(t - from).copied();
            rest = blank[t] * (rest + label);
            label = entered.unwrap_or(0.0) + p[t] * label;
            if label + rest >= MIN_FRAME_PROB {
                if node.frames == 0 {
                    node.first_frame = t as u16;
                }
                node.frames = t as u16 + 1 - node.first_frame;
                let before = usize::from(node.frames) - 1;
                self.forward.resize(start + before, [0.0; 2]);
                self.forward.push([label as f32, rest as f32]);
            } else if entered.is_none() {
                break;
            }
        }
        self.nodes.push(node);
        self.nodes[parent].child = index as u32;
        index
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Number of classes: blank, and three characters.
    pub const CLASSES: usize = 4;

    /// Seeded probabilities of some frames.
    pub fn probs(frames: usize) -> ClassProbs {
        let mut seed = 12_345u32;
        let mut p = vec![0.0; CLASSES * frames];
        for t in 0..frames {
            let row: [f64; CLASSES] = std::array::from_fn(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                f64::from(seed >> 8) / f64::from(1u32 << 24) + 0.05
            });
            let total: f64 = row.iter().sum();
            for (class, x) in row.iter().enumerate() {
                p[class * frames + t] = x / total;
            }
        }
        ClassProbs { frames, p }
    }

    /// The text of an alignment: repeated classes merged, blanks dropped.
    fn collapse(alignment: &[u16]) -> Vec<u16> {
        let mut text = alignment.to_vec();
        text.dedup();
        text.retain(|&class| class != 0);
        text
    }

    /// One class a frame, the text that it stands for, and its probability.
    pub struct Alignment {
        pub classes: Vec<u16>,
        pub text: Vec<u16>,
        pub p: f64,
    }

    /// Every alignment of some frames.
    pub fn alignments(probs: &ClassProbs) -> Vec<Alignment> {
        let all = (0..CLASSES.pow(probs.frames as u32)).map(|mut number| {
            let mut classes = Vec::new();
            let mut p = 1.0;
            for t in 0..probs.frames {
                let class = number % CLASSES;
                number /= CLASSES;
                classes.push(class as u16);
                p *= probs.class(class)[t];
            }
            let text = collapse(&classes);
            Alignment { classes, text, p }
        });
        all.collect()
    }

    pub fn assert_near(p: f64, expected: f64, text: &[u16]) {
        assert!(
            (p - expected).abs() < 1e-6,
            "{text:?}: {p} is not {expected}"
        );
    }

    #[test]
    fn the_probability_of_a_text_is_the_sum_over_its_alignments() {
        let alignments = alignments(&probs(5));
        let mut trie = CtcTrie::new(probs(5), 0.0);
        for text in [
            &[][..],
            &[1],
            &[1, 2],
            &[1, 1],
            &[1, 1, 1],
            &[2, 1, 2, 1],
            &[3, 2, 1, 3, 2],
            &[1, 2, 2],
            &[1, 1, 1, 1],
        ] {
            let sum = |holds: &dyn Fn(&[u16]) -> bool| -> f64 {
                let fitting = alignments.iter().filter(|a| holds(&a.text));
                fitting.map(|a| a.p).sum()
            };
            let node = trie.find(text);
            let text_prob = node.map_or(0.0, |node| trie.text_prob(node));
            assert_near(text_prob, sum(&|t| t == text), text);
            let prefix_prob = node.map_or(0.0, |node| trie.prefix_prob(node));
            assert_near(prefix_prob, sum(&|t| t.starts_with(text)), text);
        }
    }

    #[test]
    fn the_first_class_is_that_of_the_first_character_that_is_no_blank() {
        let alignments = alignments(&probs(5));
        let trie = CtcTrie::new(probs(5), 0.0);
        for class in 1..CLASSES as u16 {
            let first = alignments.iter().filter(|a| a.text.first() == Some(&class));
            let expected = first.map(|a| a.p).sum();
            assert_near(trie.first_class_prob(class), expected, &[class]);
        }
    }

    #[test]
    fn a_trie_that_has_grown_large_is_built_anew_with_the_same_answers() {
        let mut trie = CtcTrie::new(probs(5), 0.0);
        let node = trie.find(&[1, 2]).unwrap();
        let known = trie.text_prob(node);
        assert!(!trie.forget_if_large());
        trie.forward.resize(MAX_KEPT_FRAMES + 1, [0.0; 2]);
        assert!(trie.forget_if_large());
        assert_eq!(trie.hopeful_nodes(), 1);
        let node = trie.find(&[1, 2]).unwrap();
        assert_eq!(trie.text_prob(node), known);
    }

    #[test]
    fn the_order_of_questions_changes_no_answer() {
        let mut forward = CtcTrie::new(probs(5), 0.0);
        let mut backward = CtcTrie::new(probs(5), 0.0);
        let texts: [&[u16]; 4] = [&[1, 2, 3], &[1, 2], &[2], &[1]];
        let ask = |trie: &mut CtcTrie, text: &[u16]| {
            let node = trie.find(text).unwrap();
            trie.text_prob(node)
        };
        let first: Vec<f64> = texts.iter().map(|t| ask(&mut forward, t)).collect();
        let mut last: Vec<f64> = texts.iter().rev().map(|t| ask(&mut backward, t)).collect();
        last.reverse();
        assert_eq!(first, last);
    }
}
