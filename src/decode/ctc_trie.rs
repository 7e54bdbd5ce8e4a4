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
    /// Largest number of frames that are kept.
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

    /// Keeps no more frames than an equal share of [`MAX_KEPT_FRAMES`], where the writing of a ply
    /// stands in so many cells.
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
            // It grows by a half, since a vector that has just doubled is half empty.
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
pub(super) mod tests;
