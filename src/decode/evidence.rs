//! What a cell's posteriors say for a text: CTC forward probabilities over a trie of all texts asked so far.
//!
//! Graves et al. 2006. Spellings share their beginnings, so a prefix is run through the frames once; what stands
//! behind a move ("+", "!") is summed from the far end once a cell and joined on, instead of multiplying the texts.

use crate::notation::{ANY_PLACE, DECORATIONS, Shape, Spelling};

use super::smoothing::Columns;

/// A prefix less likely than this is not followed: any cell is better called unexplained.
const HOPELESS: f64 = 1e-9;

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
        Self { alphabet: alphabet.to_vec() }
    }

    fn class(&self, c: char) -> Option<u16> {
        if c == ANY_PLACE {
            return Some(self.alphabet.len() as u16 + 1);
        }
        self.alphabet.iter().position(|&a| a == c).map(|i| i as u16 + 1)
    }

    /// The classes of a text; none where the reader lacks a character of it.
    pub(super) fn text(&self, text: &str) -> Option<Vec<u16>> {
        text.chars().map(|c| self.class(c)).collect()
    }

    /// The spellings that the reader can read at all.
    pub(super) fn spellings(&self, spellings: &[Spelling]) -> Vec<Encoded> {
        let encode =
            |s: &Spelling| Some(Encoded { classes: self.text(&s.text)?, habit: f64::from(-s.cost).exp() });
        spellings.iter().filter_map(encode).collect()
    }
}

/// Which decorations fit behind a move: bit 0 check, bit 1 capture, bit 2 in passing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Finish(usize);

impl Finish {
    const COUNT: usize = 8;

    pub(super) fn of(shape: &Shape) -> Self {
        Self(usize::from(shape.check) | usize::from(shape.victim.is_some()) << 1 | usize::from(shape.en_passant) << 2)
    }

    fn cost(self, decoration: &crate::notation::Decoration) -> f64 {
        f64::from(decoration.cost(self.0 & 1 != 0, self.0 & 2 != 0, self.0 & 4 != 0))
    }
}

#[derive(Debug)]
struct Node {
    class: u16,
    /// Probability of having written exactly this prefix after a frame, resting on its last character or on blank.
    on_label: Vec<f64>,
    on_blank: Vec<f64>,
    children: Vec<(u16, u32)>,
    whole: [f64; Finish::COUNT],
}

/// A cell's posteriors, ready to be asked for texts.
#[derive(Debug)]
pub(super) struct Evidence {
    columns: Columns,
    nodes: Vec<Node>,
    /// `tails[finish][t]`: probability that a decoration fills the frames from t to the last, beginning at t.
    tails: [Vec<f64>; Finish::COUNT],
    /// Probability that nothing stands behind the move.
    bare: [f64; Finish::COUNT],
}

impl Evidence {
    pub(super) fn new(columns: Columns, encoder: &Encoder) -> Self {
        let frames = columns.frames;
        let mut on_blank = Vec::with_capacity(frames);
        let mut p = 1.0;
        for &blank in columns.class(0) {
            p *= blank;
            on_blank.push(p);
        }
        let root =
            Node { class: 0, on_label: vec![0.0; frames], on_blank, children: Vec::new(), whole: [f64::NAN; Finish::COUNT] };
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
        Self { columns, nodes: vec![root], tails, bare }
    }

    /// Log-probability that the cell holds one of the spellings, habits and decorations counted in.
    pub(super) fn log_any(&mut self, spellings: &[Encoded], finish: Finish) -> f32 {
        let mut total = 0.0;
        for spelling in spellings {
            total += spelling.habit * self.find(&spelling.classes).map_or(0.0, |node| self.whole(node, finish));
        }
        total.ln() as f32
    }

    /// Log-probability that the cell holds exactly this text.
    pub(super) fn log_exact(&mut self, text: &[u16]) -> f32 {
        let last = self.columns.frames - 1;
        self.find(text).map_or(f32::NEG_INFINITY, |n| {
            let node = &self.nodes[n];
            (node.on_label[last] + node.on_blank[last]).ln() as f32
        })
    }

    /// Probability that the first character written is of each class.
    pub(super) fn first_character(&self, class: u16) -> f64 {
        let blank = &self.nodes[0].on_blank;
        let before = std::iter::once(1.0).chain(blank.iter().copied());
        self.columns.class(usize::from(class)).iter().zip(before).map(|(p, b)| p * b).sum()
    }

    fn find(&mut self, text: &[u16]) -> Option<usize> {
        let mut at = 0;
        for &class in text {
            let known = self.nodes[at].children.iter().find(|(c, _)| *c == class);
            at = match known {
                Some(&(_, u32::MAX)) => return None,
                Some(&(_, child)) => child as usize,
                None => {
                    let child = self.extend(at, class);
                    let index = if child.is_some() { self.nodes.len() as u32 } else { u32::MAX };
                    self.nodes[at].children.push((class, index));
                    self.nodes.push(child?);
                    index as usize
                }
            };
        }
        Some(at)
    }

    /// Runs one more character through the frames.
    fn extend(&self, parent: usize, class: u16) -> Option<Node> {
        let parent = &self.nodes[parent];
        let (p, blank) = (self.columns.class(usize::from(class)), self.columns.class(0));
        let frames = self.columns.frames;
        let mut node = Node {
            class,
            on_label: Vec::with_capacity(frames),
            on_blank: Vec::with_capacity(frames),
            children: Vec::new(),
            whole: [f64::NAN; Finish::COUNT],
        };
        let repeated = parent.class == class;
        let is_root = parent.class == 0;
        let (mut label, mut rest, mut reached) = (0.0, 0.0, 0.0);
        for t in 0..frames {
            let entry = if t == 0 {
                if is_root { 1.0 } else { 0.0 }
            } else {
                parent.on_blank[t - 1] + if repeated { 0.0 } else { parent.on_label[t - 1] }
            };
            let entered = p[t] * entry;
            reached += entered;
            let next = entered + p[t] * label;
            rest = blank[t] * (rest + label);
            label = next;
            node.on_label.push(label);
            node.on_blank.push(rest);
        }
        (reached > HOPELESS).then_some(node)
    }

    fn whole(&mut self, node: usize, finish: Finish) -> f64 {
        let known = self.nodes[node].whole[finish.0];
        if !known.is_nan() {
            return known;
        }
        let n = &self.nodes[node];
        let tail = &self.tails[finish.0];
        let last = self.columns.frames - 1;
        let mut sum = self.bare[finish.0] * (n.on_label[last] + n.on_blank[last]);
        for t in 0..last {
            sum += (n.on_label[t] + n.on_blank[t]) * tail[t + 1];
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
                    let direct = if follower == Some(class) { 0.0 } else { rest[t + 1] };
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
