//! Following one record word by word: a beam over the games that the words may tell.
//!
//! A word that is a legal move where the record stands speaks for a game, since few squares named in prose would be;
//! a word of that form left out speaks against it. The record ends where the balance was best, as in local alignment
//! (Smith and Waterman 1981).

use shakmaty::{Chess, Color, Move, Position};

use super::kind::{Kind, is_rank};
use super::lexicon::{Lexicon, Meaning};
use super::words::{Number, Word};

/// States kept after each word. More than one only where a word means several moves or a side line may be told.
const WIDTH: usize = 24;
/// A record that has fallen this far below its best balance, in nats, is over.
const DROP: f32 = 12.0;
/// And one without a move for this many words.
const LONGEST_PROSE: usize = 300;
/// Other meanings of the same words within this of the best, in nats, are not told apart.
const APART: f32 = 1.0;

/// What a legal move is worth: nats of naming it by chance, less those of any one of 30 legal moves. A square is one
/// of 64, a man one of six, a square of departure or a capture adds to it.
const PAWN: f32 = 0.8;
const MAN: f32 = 2.6;
const MOST: f32 = 4.0;
/// Right behind the last move, as most moves are.
const NEXT: f32 = 0.5;
/// Its number is right.
const NUMBERED: f32 = 2.0;
/// Numbering goes wrong in the middle of the moves.
const MISNUMBERED: f32 = 4.0;
/// In a numbered record a move after prose without its number is rather talked of.
const TALKED_OF: f32 = 2.0;
/// Prose between two moves.
const PROSE: f32 = 0.5;
/// A move after prose that is not of the game.
const LEFT_OUT: f32 = 2.5;
/// The same with a number that went before.
const BACK: f32 = 1.0;
/// Share of a spelling's cost that counts: a writer has one style, and its cost should be paid once.
const STYLE: f32 = 0.2;

/// What a legal move right behind the last one is worth at least, however oddly spelled.
const LEAST: f32 = 0.1;

/// A move read from a word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Step {
    pub m: Move,
    /// Index of the word.
    pub word: usize,
}

/// A record as far as it can be followed.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub steps: Vec<Step>,
    /// Balance, in nats.
    pub score: f32,
    /// The next move's number as the text counts.
    pub next: u32,
    /// Words with other moves for them, where the text does not say which: the rest of the line is not sure.
    pub unsure: Option<(usize, [Move; 2])>,
}

/// A move played in some line.
#[derive(Debug)]
struct Node {
    parent: Option<usize>,
    step: Option<Step>,
    position: Chess,
    /// What the text's numbers are ahead of the board's.
    offset: i64,
    /// Whether all moves so far, two at least, stand in a row without numbers and prose.
    row: bool,
    /// Whether the move stands where the one before it ends, or has its number.
    anchored: bool,
    score: f32,
}

#[derive(Debug, Clone, Copy)]
struct State {
    node: usize,
    score: f32,
    /// Best balance on the way.
    peak: f32,
    /// Words since the last move.
    prose: usize,
    /// Whether a move was left out that its number puts here: only a number leads back.
    astray: bool,
}

/// Follows a record from the word `start`, which stands in no more brackets than its moves, up to the word `end`.
pub(super) fn follow(
    words: &[Word],
    start: usize,
    end: usize,
    lexicon: &mut Lexicon,
) -> Option<Line> {
    let mut follower = Follower {
        words,
        numbered: words[start].number.is_some(),
        nodes: vec![Node {
            parent: None,
            step: None,
            position: Chess::default(),
            offset: 0,
            anchored: false,
            row: false,
            score: 0.0,
        }],
    };
    let root = State {
        node: 0,
        score: 0.0,
        peak: 0.0,
        prose: 0,
        astray: false,
    };
    let base = words[start].depth;
    let mut beam = vec![root];
    for (at, word) in words.iter().enumerate().take(end).skip(start) {
        if word.depth < base {
            break;
        }
        if word.depth > base || word.kind == Kind::Sign {
            continue;
        }
        let mut next = Vec::new();
        for state in beam {
            follower.step(state, at, lexicon, &mut next);
        }
        next.retain(|s| s.score >= s.peak - DROP && s.prose <= LONGEST_PROSE);
        next.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
        next.truncate(WIDTH);
        beam = next;
        if beam.is_empty() {
            break;
        }
    }
    follower.best()
}

struct Follower<'a> {
    words: &'a [Word<'a>],
    numbered: bool,
    nodes: Vec<Node>,
}

impl Follower<'_> {
    /// What a word makes of a state: a move played, the word passed over, or the end of the record.
    fn step(&mut self, state: State, at: usize, lexicon: &mut Lexicon, next: &mut Vec<State>) {
        let word = &self.words[at];
        let tight = state.prose == 0;
        let playable = match word.kind {
            // A8R is a rook by promotion where files are in capitals.
            Kind::Move | Kind::Descriptive => true,
            Kind::WordOrMove => tight || word.number.is_some(),
            _ => false,
        };
        let fit = if playable {
            self.fit(state, word.number)
        } else {
            None
        };
        if let Some((fit, offset)) = fit {
            let meanings = if state.node == 0 {
                lexicon.openings(&word.text)
            } else {
                lexicon.meanings(&self.nodes[state.node].position, &word.text)
            };
            let costs = meanings.iter().map(|x| x.cost);
            let least = costs.fold(f32::INFINITY, f32::min);
            let mut gain = worth(&word.text) + fit - STYLE * least;
            if tight && fit >= 0.0 {
                gain = gain.max(LEAST);
            }
            for Meaning { m, cost } in meanings {
                let gain = gain - (cost - least);
                next.push(self.play(state, Step { m, word: at }, offset, gain));
            }
        }
        if state.node != 0 {
            next.extend(self.pass(state, word));
        }
    }

    /// A state that takes a word for none of the game's moves; none where the record cannot go on behind it.
    fn pass(&self, state: State, word: &Word) -> Option<State> {
        let tight = state.prose == 0;
        let behind = self.is_behind(state, word.number);
        let numbered = word.number.is_some_and(|number| number.value.is_some());
        let cost = match word.kind {
            Kind::Move | Kind::Descriptive | Kind::Garbled | Kind::End(_) if tight => return None,
            Kind::Move | Kind::Descriptive if behind => BACK,
            Kind::Move | Kind::Descriptive => LEFT_OUT,
            _ if tight => PROSE,
            _ => 0.0,
        };
        let lost = match word.kind {
            Kind::Move | Kind::Descriptive => numbered && !behind,
            _ => self.is_next(state, word.number) || (tight && self.nodes[state.node].row),
        };
        Some(State {
            score: state.score - cost,
            prose: state.prose + word.count,
            astray: state.astray || lost,
            ..state
        })
    }

    /// What place and number of a word say for its being the next move, and how numbers then stand to the board's;
    /// none where it cannot be.
    fn fit(&self, state: State, number: Option<Number>) -> Option<(f32, i64)> {
        let Node {
            ref position,
            offset,
            anchored,
            ..
        } = self.nodes[state.node];
        let tight = state.prose == 0;
        let next = if tight { NEXT } else { 0.0 };
        let Some(Number { value, black }) = number else {
            if state.astray {
                return None;
            }
            let talk = if self.numbered && !tight {
                TALKED_OF
            } else {
                0.0
            };
            return Some((next - talk, offset));
        };
        if black != (position.turn() == Color::Black) {
            return None;
        }
        let Some(value) = value.map(i64::from) else {
            return (!state.astray).then_some((next, offset));
        };
        let board = i64::from(position.fullmoves().get());
        if value == board + offset {
            Some((next + NUMBERED, offset))
        } else {
            (tight && anchored).then_some((next - MISNUMBERED, value - board))
        }
    }

    /// The number of the next move, as the text counts.
    fn expected(&self, state: State) -> i64 {
        let node = &self.nodes[state.node];
        i64::from(node.position.fullmoves().get()) + node.offset
    }

    /// Whether a number belongs to a move that was already made.
    fn is_behind(&self, state: State, number: Option<Number>) -> bool {
        let Some(Number {
            value: Some(value),
            black,
        }) = number
        else {
            return false;
        };
        let (value, expected) = (i64::from(value), self.expected(state));
        let black_moves = self.nodes[state.node].position.turn() == Color::Black;
        value < expected || (value == expected && black_moves && !black)
    }

    /// Whether a number is that of the next move, or the one behind it.
    fn is_next(&self, state: State, number: Option<Number>) -> bool {
        let ahead = number
            .and_then(|number| number.value)
            .map(|value| i64::from(value) - self.expected(state));
        ahead.is_some_and(|ahead| (0..=1).contains(&ahead)) && !self.is_behind(state, number)
    }

    fn play(&mut self, state: State, step: Step, offset: i64, gain: f32) -> State {
        let mut position = self.nodes[state.node].position.clone();
        position.play_unchecked(step.m);
        let score = state.score + gain;
        let before = &self.nodes[state.node];
        let row = !self.numbered && state.prose == 0 && (before.row || before.parent == Some(0));
        let node = self.nodes.len();
        self.nodes.push(Node {
            parent: Some(state.node),
            step: Some(step),
            position,
            offset,
            row,
            anchored: state.prose == 0 || self.words[step.word].number.is_some(),
            score,
        });
        State {
            node,
            score,
            peak: state.peak.max(score),
            prose: 0,
            astray: false,
        }
    }

    /// The line with the best balance, and where another one that ends at the same word parts from it.
    fn best(&self) -> Option<Line> {
        let played =
            || (1..self.nodes.len()).filter_map(|i| Some((i, &self.nodes[i], self.nodes[i].step?)));
        let (at, node, last) = played().reduce(|a, b| if b.1.score > a.1.score { b } else { a })?;
        let steps = self.steps(at);
        let rivals = played().filter(|(i, rival, step)| {
            *i != at && step.word == last.word && rival.score >= node.score - APART
        });
        let parted = rivals.filter_map(|(i, ..)| {
            let other = self.steps(i);
            let ply = steps.iter().zip(&other).position(|(a, b)| a != b)?;
            (steps[ply].word == other[ply].word).then_some((ply, [steps[ply].m, other[ply].m]))
        });
        Some(Line {
            unsure: parted.min_by_key(|(ply, _)| *ply),
            steps,
            score: node.score,
            next: (i64::from(node.position.fullmoves().get()) + node.offset).max(0) as u32,
        })
    }

    fn steps(&self, mut node: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        while let Node {
            parent: Some(parent),
            step: Some(step),
            ..
        } = self.nodes[node]
        {
            steps.push(step);
            node = parent;
        }
        steps.reverse();
        steps
    }
}

/// What a word says for a game by being a legal move.
fn worth(text: &str) -> f32 {
    let ranks = text.chars().filter(|c| is_rank(*c)).count();
    let other = text
        .chars()
        .filter(|c| c.is_alphabetic() && !"abcdefgh".contains(*c));
    let man = other.count() > 0 || !text.contains(is_rank);
    let base = if man { MAN } else { PAWN };
    let more = if ranks > 1 { 2.0 } else { 0.0 };
    f32::min(base + more, MOST)
}
