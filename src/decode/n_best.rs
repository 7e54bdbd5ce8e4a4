//! The n best games of a lattice.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use shakmaty::Move;

use super::lattice::Lattice;
use super::path::Step;

/// Largest number of partial games that are extended: many differ in what they make of a slot, not
/// in a move.
const MAX_EXTENSIONS: usize = 20_000;

/// The last part of a game, from a state to its end.
struct PartialGame {
    /// Log-weight of the best game that ends so, in nats.
    total: f32,
    /// Number in the order in which they are found; of equals the earlier goes first.
    number: usize,
    /// Index of the state it begins at.
    state: usize,
    /// Log-weight of the part itself, in nats.
    weight: f32,
    /// Index of its first move in the chain of moves, each with that of the next one.
    moves: Option<usize>,
}

impl Ord for PartialGame {
    fn cmp(&self, other: &Self) -> Ordering {
        self.total
            .total_cmp(&other.total)
            .then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for PartialGame {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for PartialGame {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for PartialGame {}

/// The `n` best games that differ in their moves, best first, with their log-weights in nats.
///
/// Best-first search from the ends of the games: the weight of the best beginning is known for each
/// state, so that games come out in the order of their weights (Soong and Huang 1991, A
/// tree-trellis based fast search for finding the N best sentence hypotheses).
pub(super) fn best_games(lattice: &Lattice, n: usize) -> Vec<(Vec<Move>, f32)> {
    let forward = &lattice.forward;
    let mut heap = BinaryHeap::new();
    let mut number = 0;
    let mut push = |heap: &mut BinaryHeap<PartialGame>, state: usize, weight: f32, moves| {
        number += 1;
        heap.push(PartialGame {
            total: forward[state].weight + weight,
            number,
            state,
            weight,
            moves,
        });
    };
    for termination in &lattice.terminations {
        let state = termination.state as usize;
        push(&mut heap, state, termination.weight, None);
    }
    let mut chain: Vec<(Move, Option<usize>)> = Vec::new();
    let mut seen = HashSet::new();
    let mut games = Vec::new();
    for _ in 0..MAX_EXTENSIONS {
        let Some(part) = heap.pop().filter(|_| games.len() < n) else {
            break;
        };
        if lattice.states[part.state].incoming.is_empty() {
            let next = |&at: &usize| chain[at].1;
            let moves: Vec<Move> = std::iter::successors(part.moves, next)
                .map(|at| chain[at].0)
                .collect();
            if seen.insert(moves.clone()) {
                games.push((moves, part.total));
            }
        }
        for (_, edge) in lattice.incoming(part.state) {
            let moves = match edge.step {
                Step::Move { m, .. } => {
                    chain.push((m, part.moves));
                    Some(chain.len() - 1)
                }
                Step::Skip(_) => part.moves,
            };
            push(
                &mut heap,
                edge.from as usize,
                part.weight + edge.weight,
                moves,
            );
        }
    }
    games
}

#[cfg(test)]
mod tests {
    use super::super::lattice::tests::{lattice, paths};
    use super::*;

    #[test]
    fn games_come_in_the_order_of_their_weights() {
        let mut expected = paths().to_vec();
        expected.sort_by(|a, b| b.1.total_cmp(&a.1));
        assert_eq!(best_games(&lattice(), 2), expected[..2]);
        // e4 d5 and d4 e5 weigh the same, so only their weights have an order.
        let weights = |games: &[(Vec<Move>, f32)]| games.iter().map(|g| g.1).collect::<Vec<_>>();
        assert_eq!(weights(&best_games(&lattice(), 9)), weights(&expected));
    }
}
