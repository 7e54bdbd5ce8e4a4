//! What a cell's posteriors say for a text: CTC forward probabilities over a trie of all texts asked so far.
//!
//! Graves et al. 2006. Spellings share their beginnings, so a prefix is run through the frames once; what stands
//! behind a move ("+", "!") is summed from the far end once a cell and joined on, instead of multiplying the texts.

use crate::notation::{MOVE_SUFFIXES, MoveShape};

use super::encoder::{Encoder, Letter};
use super::smoothing::Columns;

/// A spelling is not followed once its habit times the probability of its prefix is less than this: a hundredth of
/// what calling the cell unexplained is worth.
const HOPELESS: f64 = 1.5e-6;

/// A probability of having written a prefix by some frame that is as good as none.
const FAINT: f64 = 1e-10;

/// Which decorations fit behind a move: bit 0 check, bit 1 capture, bit 2 in passing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Finish(usize);

impl Finish {
    const COUNT: usize = 8;

    pub(super) fn of(shape: &MoveShape) -> Self {
        Self(
            usize::from(shape.check)
                | usize::from(shape.captured.is_some()) << 1
                | usize::from(shape.en_passant) << 2,
        )
    }

    fn cost(self, decoration: &crate::notation::MoveSuffix) -> f64 {
        f64::from(decoration.cost(self.0 & 1 != 0, self.0 & 2 != 0, self.0 & 4 != 0))
    }
}

/// A prefix. Its forward probabilities stand in [`Evidence::forward`], for the frames where they are not faint.
#[derive(Debug)]
struct Node {
    class: u16,
    /// First of those frames, their number, and where they stand.
    first: usize,
    frames: usize,
    at: usize,
    /// First child and next sibling in the trie; zero, the root, for none.
    child: u32,
    sibling: u32,
    /// Where its text's probabilities stand in [`Evidence::whole`]; nowhere for a hopeless one.
    whole: u32,
    /// Probability that the cell's text begins so, an upper bound for every text that does.
    reached: f64,
}

impl Node {
    fn new(class: u16, sibling: u32, at: usize) -> Self {
        Self {
            class,
            first: 0,
            frames: 0,
            at,
            child: 0,
            sibling,
            whole: 0,
            reached: 1.0,
        }
    }
}

/// A cell's posteriors, ready to be asked for texts.
#[derive(Debug)]
pub(super) struct Evidence {
    columns: Columns,
    nodes: Vec<Node>,
    /// The nodes of single characters by class; zero for none. The root has more children than are quickly gone through.
    first: Vec<u32>,
    /// For each node with some hope and each finish, the probability that the cell holds its text and what may stand
    /// behind it; NaN where nobody has asked yet.
    whole: Vec<[f64; Finish::COUNT]>,
    /// Nodes from the root to the last character that was asked for.
    path: Vec<usize>,
    /// For the last new character, from the first frame where it may begin, the probability that it does there.
    entered: Vec<f64>,
    /// For each node and frame, the probability of having written exactly its prefix by then, resting on its last
    /// character and resting on blank.
    forward: Vec<[f64; 2]>,
    /// `tails[finish][t]`: probability that a decoration fills the frames from t to the last, beginning at t.
    tails: [Vec<f64>; Finish::COUNT],
    /// Probability that nothing stands behind the move.
    bare: [f64; Finish::COUNT],
}

impl Evidence {
    pub(super) fn new(columns: Columns, encoder: &Encoder) -> Self {
        let frames = columns.frames;
        let mut p = 1.0;
        let forward = columns.class(0).iter().map(|blank| {
            p *= blank;
            [0.0, p]
        });
        let forward: Vec<[f64; 2]> = forward.collect();
        let mut tails = std::array::from_fn(|_| vec![0.0; frames + 1]);
        let mut bare = [0.0; Finish::COUNT];
        for decoration in MOVE_SUFFIXES {
            if decoration.text.is_empty() {
                bare = std::array::from_fn(|f| (-Finish(f).cost(decoration)).exp());
            } else if let Some(text) = encoder.text(decoration.text) {
                let from = backward(&columns, &text);
                for (f, tail) in tails.iter_mut().enumerate() {
                    let habit = (-Finish(f).cost(decoration)).exp();
                    for (t, p) in from.iter().enumerate() {
                        tail[t] += habit * p;
                    }
                }
            }
        }
        let root = Node {
            frames,
            ..Node::new(0, 0, 0)
        };
        Self {
            first: vec![0; columns.p.len() / frames.max(1)],
            columns,
            nodes: vec![root],
            whole: vec![[f64::NAN; Finish::COUNT]],
            path: vec![0],
            entered: Vec::new(),
            forward,
            tails,
            bare,
        }
    }

    /// Log-probability that the cell holds one of the spellings, habits and decorations counted in.
    pub(super) fn log_any(&mut self, letters: &[Letter], finish: Finish) -> f32 {
        let mut total = 0.0;
        let mut at = 0;
        while let Some(letter) = letters.get(at) {
            let depth = usize::from(letter.depth);
            let parent = self.path[depth];
            if self.nodes[parent].reached * f64::from(letter.most) < HOPELESS {
                at = letter.after as usize;
                continue;
            }
            let node = self.child(parent, letter.class);
            let reached = self.nodes[node].reached;
            if reached * f64::from(letter.most) < HOPELESS {
                at = letter.after as usize;
                continue;
            }
            self.path.truncate(depth + 1);
            self.path.push(node);
            let habit = f64::from(letter.habit);
            if reached * habit >= HOPELESS {
                total += habit * self.whole(node, finish);
            }
            at += 1;
        }
        total.ln() as f32
    }

    /// Log-probability that the cell holds exactly this text.
    pub(super) fn log_exact(&mut self, text: &[u16]) -> f32 {
        self.find(text)
            .map_or(f32::NEG_INFINITY, |n| self.at_the_end(n).ln() as f32)
    }

    /// Log-probability that the cell's text begins with this one.
    pub(super) fn log_prefix(&mut self, text: &[u16]) -> f32 {
        self.find(text)
            .map_or(f32::NEG_INFINITY, |n| self.nodes[n].reached.ln() as f32)
    }

    /// Probability that the first character written is of each class.
    pub(super) fn first_character(&self, class: u16) -> f64 {
        let before = std::iter::once(1.0).chain(self.after(0).iter().map(|[_, blank]| *blank));
        self.columns
            .class(usize::from(class))
            .iter()
            .zip(before)
            .map(|(p, b)| p * b)
            .sum()
    }

    /// Forward probabilities of a node from its first frame on.
    fn after(&self, node: usize) -> &[[f64; 2]] {
        let node = &self.nodes[node];
        &self.forward[node.at..node.at + node.frames]
    }

    /// Probability that a node's prefix fills all the frames.
    fn at_the_end(&self, node: usize) -> f64 {
        let whole = self.nodes[node].first + self.nodes[node].frames == self.columns.frames;
        let last = self.after(node).last().filter(|_| whole);
        last.map_or(0.0, |[label, blank]| label + blank)
    }

    /// The node of a text; none where it is hopeless.
    fn find(&mut self, text: &[u16]) -> Option<usize> {
        let mut at = 0;
        for &class in text {
            at = self.child(at, class);
            if self.nodes[at].reached < HOPELESS {
                return None;
            }
        }
        Some(at)
    }

    /// The node of one more character.
    fn child(&mut self, parent: usize, class: u16) -> usize {
        if parent == 0 {
            let known = self.first[usize::from(class)];
            if known == 0 {
                self.first[usize::from(class)] = self.extend(parent, class) as u32;
            }
            return self.first[usize::from(class)] as usize;
        }
        let mut child = self.nodes[parent].child as usize;
        while child != 0 && self.nodes[child].class != class {
            child = self.nodes[child].sibling as usize;
        }
        if child == 0 {
            self.extend(parent, class)
        } else {
            child
        }
    }

    /// Runs one more character through the frames.
    fn extend(&mut self, parent: usize, class: u16) -> usize {
        let index = self.nodes.len();
        let above = &self.nodes[parent];
        let mut node = Node::new(class, above.child, self.forward.len());
        let p = self.columns.class(usize::from(class));
        let blank = self.columns.class(0);
        // The character may begin in the frame after any of those of its prefix.
        let from = if parent == 0 { 0 } else { above.first + 1 };
        let repeated = above.class == class;
        let entry = |[on_label, on_blank]: [f64; 2]| {
            if repeated {
                on_blank
            } else {
                on_blank + on_label
            }
        };
        let before = &self.forward[above.at..above.at + above.frames];
        let start = (parent == 0).then_some(1.0);
        self.entered.clear();
        let entries = start.into_iter().chain(before.iter().map(|&b| entry(b)));
        let entered = p[from..].iter().zip(entries).map(|(p, entry)| p * entry);
        self.entered.extend(entered);
        node.reached = self.entered.iter().sum();
        let (mut label, mut rest) = (0.0, 0.0);
        let mut frames = from..self.columns.frames;
        if node.reached < HOPELESS {
            frames = from..from; // Nobody asks for more.
        } else {
            node.whole = self.whole.len() as u32;
            self.whole.push([f64::NAN; Finish::COUNT]);
        }
        for t in frames {
            let entered = self.entered.get(t - from).copied();
            rest = blank[t] * (rest + label);
            label = entered.unwrap_or(0.0) + p[t] * label;
            if label + rest >= FAINT {
                if node.frames == 0 {
                    node.first = t;
                }
                node.frames = t + 1 - node.first;
                self.forward.resize(node.at + node.frames - 1, [0.0; 2]);
                self.forward.push([label, rest]);
            } else if entered.is_none() {
                break;
            }
        }
        self.nodes.push(node);
        self.nodes[parent].child = index as u32;
        index
    }

    fn whole(&mut self, node: usize, finish: Finish) -> f64 {
        let at = self.nodes[node].whole as usize;
        let known = self.whole[at][finish.0];
        if !known.is_nan() {
            return known;
        }
        let tail = &self.tails[finish.0][self.nodes[node].first + 1..];
        let mut sum = self.bare[finish.0] * self.at_the_end(node);
        for ([label, blank], tail) in self.after(node).iter().zip(tail) {
            sum += (label + blank) * tail;
        }
        self.whole[at][finish.0] = sum;
        sum
    }
}

/// Probability that a text fills the frames from t to the last, its first character standing at t.
fn backward(columns: &Columns, text: &[u16]) -> Vec<f64> {
    let frames = columns.frames;
    let blank = columns.class(0);
    // `next[t]`: the rest of the text from frame t on, its first character at t; for the empty rest, 1 at the end.
    let mut next: Option<Vec<f64>> = None;
    let mut follower = None;
    for &class in text.iter().rev() {
        let p = columns.class(usize::from(class));
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
