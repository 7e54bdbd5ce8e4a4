//! Follows one record word by word, by a beam search over the games that its words can mean.
//!
//! A word that is a legal move where the record stands adds to the score of a game, since few of
//! the squares that prose names are one; a word with the form of a move that is passed over takes
//! from it. The record ends where the score was highest, as in local alignment (Smith and Waterman
//! 1981). All scores and costs are in nats, and chosen by eye.

use shakmaty::{Chess, Color, Position};

use crate::notation::{WordForm, is_rank};

use super::interpreter::{Meaning, MoveInterpreter};
use super::move_sequence::{MoveSequence, TypedMove};
use super::words::{MoveNumber, TypedWord};

/// Number of hypotheses that are kept after each word. There is more than one only where a word has
/// several meanings or may belong to a variation.
const BEAM_WIDTH: usize = 24;
/// Largest drop in nats below the highest score of a hypothesis; beyond it the record is over.
const MAX_SCORE_DROP: f32 = 12.0;
/// Largest number of words without a move; beyond it the record is over.
const MAX_PROSE_WORDS: usize = 300;
/// Largest difference in nats between the scores of two games that the text does not tell apart.
const MAX_EQUAL_SCORE_NATS: f32 = 1.0;

// The score of a legal move is what it costs to name it by chance, less what it costs to choose one
// of 30 legal moves: a square is one of 64, a piece one of six.

/// Score of a legal pawn move.
const PAWN_MOVE_SCORE: f32 = 0.8;
/// Score of a legal move of a piece.
const PIECE_MOVE_SCORE: f32 = 2.6;
/// Score on top for a move that names its departure square or rank.
const DEPARTURE_SCORE: f32 = 2.0;
/// Largest score of a legal move by its form.
const MAX_MOVE_SCORE: f32 = 4.0;
/// Score on top for a move that stands directly after the last one, as most do.
const ADJACENT_SCORE: f32 = 0.5;
/// Score on top for a move with its right number.
const RIGHT_NUMBER_SCORE: f32 = 2.0;
/// Cost of a wrong number in the middle of the moves.
const WRONG_NUMBER_COST: f32 = 4.0;
/// Cost of a move after prose without a number, in a record that has numbers: it is more often only
/// mentioned.
const MISSING_NUMBER_COST: f32 = 2.0;
/// Cost of prose between two moves.
const PROSE_COST: f32 = 0.5;
/// Cost of a word with the form of a move, after prose, that is passed over.
const PASSED_MOVE_COST: f32 = 2.5;
/// The same for a word whose number belongs to a move that was already played.
const PASSED_EARLIER_MOVE_COST: f32 = 1.0;
/// Share of a spelling's cost that counts. A writer has one style, so that its cost should not be
/// paid anew for each move.
const SPELLING_COST_SHARE: f32 = 0.2;
/// Smallest score of a legal move directly after the last one, however it is spelled.
const MIN_ADJACENT_MOVE_SCORE: f32 = 0.1;

/// A move played in some hypothesis, or the initial position.
#[derive(Debug)]
struct Node {
    parent: Option<usize>,
    step: Option<TypedMove>,
    position: Chess,
    /// By how much the numbers of the text are ahead of those of the board.
    offset: i64,
    /// Whether the record has no numbers, and all moves so far, at least two, stand directly one
    /// after the other.
    is_row: bool,
    /// Whether the move stands directly after the one before, or has a number.
    is_anchored: bool,
    score: f32,
}

/// One hypothesis of the beam: a game so far, and how the text goes on after its last move.
#[derive(Debug, Clone, Copy)]
struct Hypothesis {
    /// The node of the last move.
    node: usize,
    score: f32,
    /// The highest score on the way.
    max_score: f32,
    /// Number of words since the last move.
    prose_words: usize,
    /// Whether a word that should be the next move was passed over; only a move with its number can
    /// follow then.
    is_lost: bool,
}

/// Follows a record from the word `start` to before the word `end`, from the position `first`; the
/// record is over where the brackets around its first word close. None if not even one move can be
/// played.
pub(super) fn follow_record(
    words: &[TypedWord],
    start: usize,
    end: usize,
    first: &Chess,
    interpreter: &mut MoveInterpreter,
) -> Option<MoveSequence> {
    let mut search = RecordSearch::new(words, start, first);
    let depth = words[start].depth;
    let mut beam = vec![Hypothesis {
        node: 0,
        score: 0.0,
        max_score: 0.0,
        prose_words: 0,
        is_lost: false,
    }];
    for (at, word) in words.iter().enumerate().take(end).skip(start) {
        if word.depth < depth {
            break;
        }
        if word.depth > depth || word.form == WordForm::Suffix {
            continue;
        }
        let mut next = Vec::new();
        for hypothesis in beam {
            search.extend(hypothesis, at, interpreter, &mut next);
        }
        next.retain(|hypothesis| {
            hypothesis.score >= hypothesis.max_score - MAX_SCORE_DROP
                && hypothesis.prose_words <= MAX_PROSE_WORDS
        });
        next.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.node.cmp(&b.node)));
        next.truncate(BEAM_WIDTH);
        beam = next;
        if beam.is_empty() {
            break;
        }
    }
    search.best_sequence()
}

/// A search under way: the text and all moves that were played in some hypothesis.
struct RecordSearch<'a> {
    words: &'a [TypedWord<'a>],
    /// Whether the first move has a number.
    is_numbered: bool,
    nodes: Vec<Node>,
}

impl<'a> RecordSearch<'a> {
    fn new(words: &'a [TypedWord<'a>], start: usize, first: &Chess) -> Self {
        // A game from a position may be numbered from 1, or as the position counts.
        let number = words[start].number.and_then(|number| number.value);
        let board = first.fullmoves().get();
        Self {
            words,
            is_numbered: words[start].number.is_some(),
            nodes: vec![Node {
                parent: None,
                step: None,
                position: first.clone(),
                offset: number.map_or(0, |number| i64::from(number) - i64::from(board)),
                is_anchored: false,
                is_row: false,
                score: 0.0,
            }],
        }
    }

    /// Extends a hypothesis by a word: the word is played as each move that it can mean, or passed
    /// over. Where neither is possible, the hypothesis ends.
    fn extend(
        &mut self,
        hypothesis: Hypothesis,
        at: usize,
        interpreter: &mut MoveInterpreter,
        next: &mut Vec<Hypothesis>,
    ) {
        let word = &self.words[at];
        let is_adjacent = hypothesis.prose_words == 0;
        let may_be_move = match word.form {
            // `A8R` looks descriptive, and is a promotion to a rook where files are in upper case.
            WordForm::Move | WordForm::Descriptive => true,
            WordForm::WordOrMove => is_adjacent || word.number.is_some(),
            _ => false,
        };
        let place = if may_be_move {
            self.score_place(hypothesis, word.number)
        } else {
            None
        };
        if let Some((place_score, offset)) = place {
            let position = &self.nodes[hypothesis.node].position;
            let meanings = if hypothesis.node == 0 && *position == Chess::default() {
                interpreter.interpret_first(&word.text)
            } else {
                interpreter.interpret(position, &word.text)
            };
            let costs = meanings.iter().map(|meaning| meaning.cost);
            let min_cost = costs.fold(f32::INFINITY, f32::min);
            let mut best_gain =
                form_score(&word.text) + place_score - SPELLING_COST_SHARE * min_cost;
            if is_adjacent && place_score >= 0.0 {
                best_gain = best_gain.max(MIN_ADJACENT_MOVE_SCORE);
            }
            for Meaning { m, cost } in meanings {
                let gain = best_gain - (cost - min_cost);
                next.push(self.play(hypothesis, TypedMove { m, word: at }, offset, gain));
            }
        }
        if hypothesis.node != 0 {
            next.extend(self.pass_over(hypothesis, word));
        }
    }

    /// The hypothesis that a word is not the next move; none where the record cannot go on then.
    fn pass_over(&self, hypothesis: Hypothesis, word: &TypedWord) -> Option<Hypothesis> {
        use WordForm::{Descriptive, End, Garbled, Move};
        let is_adjacent = hypothesis.prose_words == 0;
        let is_earlier = self.is_earlier(hypothesis, word.number);
        let has_number = word.number.is_some_and(|number| number.value.is_some());
        let cost = match word.form {
            Move | Descriptive | Garbled if is_adjacent => return None,
            End(_) if is_adjacent && !word.is_remark => return None,
            Move | Descriptive if is_earlier => PASSED_EARLIER_MOVE_COST,
            Move | Descriptive => PASSED_MOVE_COST,
            _ if is_adjacent => PROSE_COST,
            _ => 0.0,
        };
        let should_be_next = match word.form {
            Move | Descriptive => has_number && !is_earlier,
            End(_) if is_adjacent => true,
            _ => {
                self.is_next(hypothesis, word.number)
                    || (is_adjacent && self.nodes[hypothesis.node].is_row)
            }
        };
        Some(Hypothesis {
            score: hypothesis.score - cost,
            prose_words: hypothesis.prose_words + word.count,
            is_lost: hypothesis.is_lost || should_be_next,
            ..hypothesis
        })
    }

    /// The score of a word's place and number if it is the next move, and the offset of the text's
    /// numbers after it; none where it cannot be the next move.
    fn score_place(
        &self,
        hypothesis: Hypothesis,
        number: Option<MoveNumber>,
    ) -> Option<(f32, i64)> {
        let Node {
            ref position,
            offset,
            is_anchored,
            ..
        } = self.nodes[hypothesis.node];
        let is_adjacent = hypothesis.prose_words == 0;
        let base = if is_adjacent { ADJACENT_SCORE } else { 0.0 };
        let Some(MoveNumber { value, black }) = number else {
            if hypothesis.is_lost {
                return None;
            }
            let cost = if self.is_numbered && !is_adjacent {
                MISSING_NUMBER_COST
            } else {
                0.0
            };
            return Some((base - cost, offset));
        };
        if black != (position.turn() == Color::Black) {
            return None;
        }
        let Some(value) = value.map(i64::from) else {
            return (!hypothesis.is_lost).then_some((base, offset));
        };
        let board = i64::from(position.fullmoves().get());
        if value == board + offset {
            Some((base + RIGHT_NUMBER_SCORE, offset))
        } else {
            (is_adjacent && is_anchored).then_some((base - WRONG_NUMBER_COST, value - board))
        }
    }

    /// The number of the next move as the text counts.
    fn expected_number(&self, hypothesis: Hypothesis) -> i64 {
        let node = &self.nodes[hypothesis.node];
        i64::from(node.position.fullmoves().get()) + node.offset
    }

    /// Whether a number belongs to a move that was already played.
    fn is_earlier(&self, hypothesis: Hypothesis, number: Option<MoveNumber>) -> bool {
        let Some(MoveNumber {
            value: Some(value),
            black,
        }) = number
        else {
            return false;
        };
        let (value, expected) = (i64::from(value), self.expected_number(hypothesis));
        let black_moves = self.nodes[hypothesis.node].position.turn() == Color::Black;
        value < expected || (value == expected && black_moves && !black)
    }

    /// Whether a number is that of the next move, or of the one after it.
    fn is_next(&self, hypothesis: Hypothesis, number: Option<MoveNumber>) -> bool {
        let ahead = number
            .and_then(|number| number.value)
            .map(|value| i64::from(value) - self.expected_number(hypothesis));
        ahead.is_some_and(|ahead| (0..=1).contains(&ahead)) && !self.is_earlier(hypothesis, number)
    }

    /// The hypothesis after a move, whose score rises by `gain`.
    fn play(
        &mut self,
        hypothesis: Hypothesis,
        step: TypedMove,
        offset: i64,
        gain: f32,
    ) -> Hypothesis {
        let last = &self.nodes[hypothesis.node];
        let mut position = last.position.clone();
        position.play_unchecked(step.m);
        let score = hypothesis.score + gain;
        let is_adjacent = hypothesis.prose_words == 0;
        let is_row = !self.is_numbered && is_adjacent && (last.is_row || last.parent == Some(0));
        let node = self.nodes.len();
        self.nodes.push(Node {
            parent: Some(hypothesis.node),
            step: Some(step),
            position,
            offset,
            is_row,
            is_anchored: is_adjacent || self.words[step.word].number.is_some(),
            score,
        });
        Hypothesis {
            node,
            score,
            max_score: hypothesis.max_score.max(score),
            prose_words: 0,
            is_lost: false,
        }
    }

    /// The moves with the highest score. They are ambiguous from where the moves of another
    /// hypothesis that ends at the same word differ, if its score is nearly as high.
    fn best_sequence(&self) -> Option<MoveSequence> {
        let played =
            || (1..self.nodes.len()).filter_map(|i| Some((i, &self.nodes[i], self.nodes[i].step?)));
        let (at, node, last) = played().reduce(|a, b| if b.1.score > a.1.score { b } else { a })?;
        let steps = self.steps(at);
        let rivals = played().filter(|(i, rival, step)| {
            *i != at && step.word == last.word && rival.score >= node.score - MAX_EQUAL_SCORE_NATS
        });
        let differences = rivals.filter_map(|(i, ..)| {
            let other = self.steps(i);
            let ply = steps.iter().zip(&other).position(|(a, b)| a != b)?;
            (steps[ply].word == other[ply].word).then_some((ply, [steps[ply].m, other[ply].m]))
        });
        Some(MoveSequence {
            ambiguity: differences.min_by_key(|(ply, _)| *ply),
            steps,
            score: node.score,
            next: (i64::from(node.position.fullmoves().get()) + node.offset).max(0) as u32,
        })
    }

    /// The moves from the initial position to a node.
    fn steps(&self, mut node: usize) -> Vec<TypedMove> {
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

/// The score of a legal move by its form: a pawn move or not, with a departure square or without.
fn form_score(text: &str) -> f32 {
    let ranks = text.chars().filter(|c| is_rank(*c)).count();
    let names_piece = text
        .chars()
        .any(|c| c.is_alphabetic() && !"abcdefgh".contains(c))
        || !text.contains(is_rank);
    let base = if names_piece {
        PIECE_MOVE_SCORE
    } else {
        PAWN_MOVE_SCORE
    };
    let departure = if ranks > 1 { DEPARTURE_SCORE } else { 0.0 };
    f32::min(base + departure, MAX_MOVE_SCORE)
}

#[cfg(test)]
mod tests {
    use shakmaty::san::SanPlus;

    use super::super::words::split_words;
    use super::*;
    use crate::notation::Language;

    fn follow(text: &str) -> MoveSequence {
        let words = split_words(text, 1);
        let language = Language::from_code("en").expect("a known code");
        let start = words.iter().position(|word| word.number.is_some());
        follow_record(
            &words,
            start.unwrap_or(0),
            words.len(),
            &Chess::default(),
            &mut MoveInterpreter::new(language),
        )
        .expect("a first move")
    }

    fn sans(sequence: &MoveSequence) -> String {
        let mut position = Chess::default();
        let sans: Vec<String> = sequence
            .steps
            .iter()
            .map(|step| SanPlus::from_move_and_play_unchecked(&mut position, step.m).to_string())
            .collect();
        sans.join(" ")
    }

    #[test]
    fn variations_and_comments_are_not_of_the_game() {
        let sequence = follow("1. e4 (1. d4 d5 2. c4) e5 2. Nf3 {2. f4 exf4} Nc6 3. Bb5");
        assert_eq!(sans(&sequence), "e4 e5 Nf3 Nc6 Bb5");
        assert_eq!(sequence.next, 3);
    }

    #[test]
    fn a_move_that_prose_mentions_is_passed_over() {
        let sequence = follow("1. e4 e5 Now Bc4 was an idea too. 2. Nf3 Nc6 3. Bb5");
        assert_eq!(sans(&sequence), "e4 e5 Nf3 Nc6 Bb5");
    }

    #[test]
    fn later_moves_decide_which_piece_moved() {
        let sequence = follow("1. Nf3 d5 2. d3 e5 3. Nd2 Nf6 4. Nf3 Nc6 5. Nbd2");
        assert_eq!(sans(&sequence), "Nf3 d5 d3 e5 Nfd2 Nf6 Nf3 Nc6 Nbd2");
        assert_eq!(sequence.ambiguity, None);
    }

    #[test]
    fn a_record_that_no_later_move_decides_is_ambiguous_from_there() {
        let sequence = follow("1. Nf3 d5 2. d3 e5 3. Nd2");
        let (ply, moves) = sequence.ambiguity.expect("two knights");
        assert_eq!(ply, 4);
        let mut from = moves.map(|m| m.from().expect("no drop").to_string());
        from.sort();
        assert_eq!(from, ["b1", "f3"]);
    }

    #[test]
    fn a_number_that_the_text_gets_wrong_counts_on_from_there() {
        let sequence = follow("1. e4 e5 2. Nf3 Nc6 4. Bb5 a6 5. Ba4 Nf6 6. O-O");
        assert_eq!(sans(&sequence), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O");
        assert_eq!(sequence.next, 6);
    }
}
