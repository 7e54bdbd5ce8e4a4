//! The positions met in a search, with their legal moves, the shapes and priors of those: each is
//! looked at once, as long as it is kept.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use shakmaty::{Chess, Move, Position};

use crate::notation::MoveShape;
use crate::prior::{LastMoves, Prior};

/// Largest number of positions that are kept, of about 600 bytes each; when it is reached, all are
/// forgotten. A hard sheet took 408 MB for 476 so, and 10.2 seconds for 9.9
/// (docs/experiments/2026-11-29-search-memory.md).
const MAX_KEPT_POSITIONS: usize = 32_768;

/// Number of a move's shape within one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ShapeId(pub u32);

impl ShapeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A legal move of a position.
#[derive(Debug)]
pub(super) struct LegalMove {
    pub m: Move,
    pub shape: ShapeId,
    /// Log-probability that it is played, in nats, by the prior with its uniform share.
    pub log_prior: f32,
}

/// The legal moves of the positions met so far, and the shapes of those moves.
#[derive(Debug)]
pub(super) struct PositionCache<'a> {
    prior: &'a Prior,
    uniform_mix: f32,
    /// Legal moves by the hash of the position and by the moves that led to it, on which their
    /// priors depend.
    legal_moves: FxHashMap<(u64, LastMoves), Rc<[LegalMove]>>,
    /// Numbers of the shapes by their keys.
    ids: FxHashMap<u32, u32>,
    shapes: Vec<MoveShape>,
}

impl<'a> PositionCache<'a> {
    /// An empty cache. `uniform_mix` is the share of the prior, 0 to 1, that is spread evenly:
    /// `p(move) = (1 - mix) * prior(move) + mix / n` for `n` legal moves.
    pub(super) fn new(prior: &'a Prior, uniform_mix: f32) -> Self {
        Self {
            prior,
            uniform_mix,
            legal_moves: FxHashMap::default(),
            ids: FxHashMap::default(),
            shapes: Vec::new(),
        }
    }

    /// The legal moves of a position with this hash, to which these moves led.
    pub(super) fn legal_moves(
        &mut self,
        hash: u64,
        position: &Chess,
        last_moves: LastMoves,
    ) -> Rc<[LegalMove]> {
        if let Some(known) = self.legal_moves.get(&(hash, last_moves)) {
            return Rc::clone(known);
        }
        let legal = position.legal_moves();
        let log_prior = self.prior.log_probabilities(position, &legal, last_moves);
        let mix = self.uniform_mix;
        let uniform = mix / legal.len().max(1) as f32;
        let log_prior = log_prior
            .into_iter()
            .map(|lp| ((1.0 - mix) * lp.exp() + uniform).ln());
        let shapes = MoveShape::for_moves(position, &legal);
        let moves = legal
            .iter()
            .zip(shapes)
            .zip(log_prior)
            .map(|((&m, shape), log_prior)| LegalMove {
                m,
                shape: self.id_of(shape),
                log_prior,
            });
        let moves: Rc<[LegalMove]> = moves.collect();
        if self.legal_moves.len() >= MAX_KEPT_POSITIONS {
            self.legal_moves.clear();
        }
        self.legal_moves
            .insert((hash, last_moves), Rc::clone(&moves));
        moves
    }

    fn id_of(&mut self, shape: MoveShape) -> ShapeId {
        let next = self.shapes.len() as u32;
        let shapes = &mut self.shapes;
        ShapeId(*self.ids.entry(shape.key()).or_insert_with(|| {
            shapes.push(shape);
            next
        }))
    }

    /// The shape of a number that this cache gave.
    pub(super) fn shape(&self, id: ShapeId) -> &MoveShape {
        &self.shapes[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;
    use shakmaty::san::San;

    use super::*;

    /// The position after these moves.
    fn play(sans: &[&str]) -> Chess {
        sans.iter().fold(Chess::default(), |position, san| {
            let san: San = san.parse().expect("SAN");
            let m = san.to_move(&position).expect("a legal move");
            position.play(m).expect("a legal move")
        })
    }

    #[test]
    fn the_priors_of_a_position_add_up_to_one_and_none_is_below_the_uniform_share() {
        let prior = Prior::embedded();
        let mut cache = PositionCache::new(prior, 0.2);
        let moves = cache.legal_moves(1, &Chess::default(), LastMoves::default());
        assert_eq!(moves.len(), 20);
        let sum: f32 = moves.iter().map(|m| m.log_prior.exp()).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        assert!(moves.iter().all(|m| m.log_prior.exp() > 0.2 / 20.0));
    }

    #[test]
    fn a_position_that_is_met_again_has_the_priors_of_the_moves_that_led_to_it_now() {
        let prior = Prior::embedded();
        let mut cache = PositionCache::new(prior, 0.2);
        let position = play(&["e4", "d5", "exd5"]);
        let mut log_prior = |san: &str, last_moves| {
            let san: San = san.parse().expect("SAN");
            let wanted = san.to_move(&position).expect("a legal move");
            let moves = cache.legal_moves(1, &position, last_moves);
            let found = moves.iter().find(|legal| legal.m == wanted);
            found.expect("the move").log_prior
        };
        let captured = LastMoves {
            opponent: Some((Square::E4, Square::D5)),
            opponent_captured: true,
            own: Some((Square::D7, Square::D5)),
        };
        let unknown = log_prior("Qxd5", LastMoves::default());
        assert!(log_prior("Qxd5", captured) > unknown);
        assert_eq!(log_prior("Qxd5", LastMoves::default()), unknown);
    }
}
