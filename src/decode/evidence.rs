//! What a cell's posteriors say for a text: CTC forward probabilities over a trie of all texts asked so far.
//!
//! Graves et al. 2006. Spellings share their beginnings, so a prefix is run through the frames once; what stands
//! behind a move ("+", "!") is summed from the far end once a cell and joined on, instead of multiplying the texts.

use crate::notation::{ANY_LETTER, ANY_PLACE, DECORATIONS, Shape, Spelling};

use super::smoothing::Columns;

/// A spelling is not followed once its habit times the probability of its prefix is less than this: a hundredth of
/// what calling the cell unexplained is worth.
const HOPELESS: f64 = 1.5e-6;

/// A probability of having written a prefix by some frame that is as good as none.
const FAINT: f64 = 1e-10;

/// A text as classes of the reader, and the probability that a hand writes the move so.
#[derive(Debug)]
pub(super) struct Encoded {
    classes: Vec<u16>,
    habit: f64,
}

/// Turns characters into the reader's classes.
#[derive(Debug)]
pub(super) struct Encoder {
    alphabet: Vec<char>,
}

impl Encoder {
    pub(super) fn new(alphabet: &[char]) -> Self {
        Self {
            alphabet: alphabet.to_vec(),
        }
    }

    fn class(&self, c: char) -> Option<u16> {
        match c {
            ANY_PLACE => return Some(self.alphabet.len() as u16 + 1),
            ANY_LETTER => return Some(self.alphabet.len() as u16 + 2),
            _ => {}
        }
        self.alphabet
            .iter()
            .position(|&a| a == c)
            .map(|i| i as u16 + 1)
    }

    /// The classes of a text; none where the reader lacks a character of it.
    pub(super) fn text(&self, text: &str) -> Option<Vec<u16>> {
        text.chars().map(|c| self.class(c)).collect()
    }

    /// The spellings that the reader can read at all.
    pub(super) fn spellings(&self, spellings: &[Spelling]) -> Vec<Encoded> {
        let encode = |s: &Spelling| {
            Some(Encoded {
                classes: self.text(&s.text)?,
                habit: f64::from(-s.cost).exp(),
            })
        };
        spellings.iter().filter_map(encode).collect()
    }
}

/// Which decorations fit behind a move: bit 0 check, bit 1 capture, bit 2 in passing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Finish(usize);

impl Finish {
    const COUNT: usize = 8;

    pub(super) fn of(shape: &Shape) -> Self {
        Self(
            usize::from(shape.check)
                | usize::from(shape.victim.is_some()) << 1
                | usize::from(shape.en_passant) << 2,
        )
    }

    fn cost(self, decoration: &crate::notation::Decoration) -> f64 {
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
    /// Probability that the cell's text begins so, an upper bound for every text that does.
    reached: f64,
    whole: [f64; Finish::COUNT],
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
            reached: 1.0,
            whole: [f64::NAN; Finish::COUNT],
        }
    }
}

/// A cell's posteriors, ready to be asked for texts.
#[derive(Debug)]
pub(super) struct Evidence {
    columns: Columns,
    nodes: Vec<Node>,
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
        for decoration in DECORATIONS {
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
            columns,
            nodes: vec![root],
            forward,
            tails,
            bare,
        }
    }

    /// Log-probability that the cell holds one of the spellings, habits and decorations counted in. Spellings that
    /// follow each other in alphabetical order are walked together as far as they agree.
    pub(super) fn log_any(&mut self, spellings: &[Encoded], finish: Finish) -> f32 {
        let mut total = 0.0;
        let (mut path, mut walked) = (vec![0], [].as_slice());
        for spelling in spellings {
            let text = spelling.classes.as_slice();
            let shared = text.iter().zip(walked).take_while(|(a, b)| a == b).count();
            path.truncate(shared + 1);
            walked = text;
            if self.walk(text, spelling.habit, &mut path) {
                total += spelling.habit * self.whole(path[text.len()], finish);
            }
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

    /// The node of a text; none where some prefix of it is hopeless.
    fn find(&mut self, text: &[u16]) -> Option<usize> {
        let mut path = vec![0];
        self.walk(text, 1.0, &mut path).then(|| path[text.len()])
    }

    /// Follows a text written out of a habit of this probability from the nodes of its beginning on; false where some
    /// prefix of it is hopeless, and the path then ends there.
    fn walk(&mut self, text: &[u16], habit: f64, path: &mut Vec<usize>) -> bool {
        let mut at = path.last().copied().unwrap_or(0);
        for &class in &text[path.len() - 1..] {
            if self.nodes[at].reached * habit < HOPELESS {
                return false;
            }
            let mut child = self.nodes[at].child as usize;
            while child != 0 && self.nodes[child].class != class {
                child = self.nodes[child].sibling as usize;
            }
            at = if child == 0 {
                self.extend(at, class)
            } else {
                child
            };
            path.push(at);
        }
        self.nodes[at].reached * habit >= HOPELESS
    }

    /// Runs one more character through the frames.
    fn extend(&mut self, parent: usize, class: u16) -> usize {
        let index = self.nodes.len();
        let above = &self.nodes[parent];
        let mut node = Node::new(class, above.child, self.forward.len());
        let repeated = above.class == class;
        let (from, until, at) = (above.first, above.first + above.frames, above.at);
        let (p, blank) = (
            self.columns.class(usize::from(class)),
            self.columns.class(0),
        );
        let (mut label, mut rest, mut reached) = (0.0, 0.0, 0.0);
        let first = if parent == 0 { 0 } else { from + 1 };
        for t in first..self.columns.frames {
            let entry = if t == 0 {
                1.0
            } else if t <= until {
                let [on_label, on_blank] = self.forward[at + t - 1 - from];
                on_blank + if repeated { 0.0 } else { on_label }
            } else {
                0.0
            };
            let entered = p[t] * entry;
            reached += entered;
            rest = blank[t] * (rest + label);
            label = entered + p[t] * label;
            if label + rest >= FAINT {
                if node.frames == 0 {
                    node.first = t;
                }
                node.frames = t + 1 - node.first;
                self.forward.resize(node.at + node.frames, [0.0; 2]);
                self.forward[node.at + t - node.first] = [label, rest];
            } else if t > until {
                break;
            }
        }
        node.reached = reached;
        self.nodes.push(node);
        self.nodes[parent].child = index as u32;
        index
    }

    fn whole(&mut self, node: usize, finish: Finish) -> f64 {
        let known = self.nodes[node].whole[finish.0];
        if !known.is_nan() {
            return known;
        }
        let tail = &self.tails[finish.0][self.nodes[node].first + 1..];
        let mut sum = self.bare[finish.0] * self.at_the_end(node);
        for ([label, blank], tail) in self.after(node).iter().zip(tail) {
            sum += (label + blank) * tail;
        }
        self.nodes[node].whole[finish.0] = sum;
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
