//! Positions met in a search, each looked at once: its legal moves, their shapes and prior.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use shakmaty::{Chess, Move, Position};

use crate::notation::MoveShape;
use crate::prior::{LastMoves, Prior};

/// Legal moves of a position, with the number of their shape and the log of their prior probability.
#[derive(Debug)]
pub(super) struct Expansion {
    pub moves: Vec<(Move, u32, f32)>,
}

/// Expansions by position, and numbers for shapes.
#[derive(Debug)]
pub(super) struct Positions<'a> {
    prior: &'a Prior,
    uniform_mix: f32,
    known: FxHashMap<u64, Rc<Expansion>>,
    numbers: FxHashMap<MoveShape, u32>,
    shapes: Vec<MoveShape>,
}

impl<'a> Positions<'a> {
    pub(super) fn new(prior: &'a Prior, uniform_mix: f32) -> Self {
        Self {
            prior,
            uniform_mix,
            known: FxHashMap::default(),
            numbers: FxHashMap::default(),
            shapes: Vec::new(),
        }
    }

    /// The legal moves of a position known by its hash.
    pub(super) fn expand(
        &mut self,
        hash: u64,
        position: &Chess,
        last_moves: LastMoves,
    ) -> Rc<Expansion> {
        if let Some(known) = self.known.get(&hash) {
            return Rc::clone(known);
        }
        let legal = position.legal_moves();
        let log_prior = self.prior.log_probabilities(position, &legal, last_moves);
        let uniform_mix = self.uniform_mix;
        let even = uniform_mix / legal.len().max(1) as f32;
        let log_prior = log_prior
            .into_iter()
            .map(|lp| ((1.0 - uniform_mix) * lp.exp() + even).ln());
        let shapes = MoveShape::for_moves(position, &legal);
        let moves = legal
            .iter()
            .zip(shapes)
            .zip(log_prior)
            .map(|((&m, shape), lp)| (m, self.number(shape), lp));
        let expansion = Rc::new(Expansion {
            moves: moves.collect(),
        });
        self.known.insert(hash, Rc::clone(&expansion));
        expansion
    }

    /// Whether a position known by its hash leaves no move.
    pub(super) fn is_over(&self, hash: u64, position: &Chess) -> bool {
        match self.known.get(&hash) {
            Some(known) => known.moves.is_empty(),
            None => position.legal_moves().is_empty(),
        }
    }

    fn number(&mut self, shape: MoveShape) -> u32 {
        let next = self.shapes.len() as u32;
        let shapes = &mut self.shapes;
        *self.numbers.entry(shape).or_insert_with(|| {
            shapes.push(shape);
            next
        })
    }

    /// The shape of a number.
    pub(super) fn shape(&self, number: u32) -> &MoveShape {
        &self.shapes[number as usize]
    }
}
