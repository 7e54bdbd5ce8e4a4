//! The games beside the best one: the runners-up, and what would change if a move were another.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, HashSet};

use shakmaty::Move;

use super::lattice::{Lattice, Line, Step};

/// Ways through the lattice looked at: many differ in what they make of a cell, not in a move.
const MOST_WAYS: usize = 20_000;

/// A way from a state to the end of a game, and the weight of the best game that ends so.
struct Way {
    total: f32,
    /// Ways are found in this order; of equals the earlier goes first.
    number: usize,
    state: usize,
    rest: f32,
    /// Index of the last move in the list of moves behind it.
    moves: Option<usize>,
}

impl Ord for Way {
    fn cmp(&self, other: &Self) -> Ordering {
        self.total
            .total_cmp(&other.total)
            .then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Way {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Way {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Way {}

/// The `n` likeliest games that differ in their moves, best first, with their log-weights: best-first search from the
/// ends, the weight of the best beginning being known for each state (Soong and Huang 1991, A tree-trellis based fast
/// search for finding the N best sentence hypotheses).
pub(super) fn best_games(lattice: &Lattice, n: usize) -> Vec<(Vec<Move>, f32)> {
    let reach = &lattice.reach;
    let mut heap = BinaryHeap::new();
    let mut number = 0;
    let mut push = |heap: &mut BinaryHeap<Way>, state: usize, rest: f32, moves| {
        number += 1;
        heap.push(Way {
            total: reach[state].0 + rest,
            number,
            state,
            rest,
            moves,
        });
    };
    for ending in &lattice.endings {
        push(&mut heap, ending.state as usize, ending.weight, None);
    }
    let mut chain: Vec<(Move, Option<usize>)> = Vec::new();
    let mut seen = HashSet::new();
    let mut games = Vec::new();
    for _ in 0..MOST_WAYS {
        let Some(way) = heap.pop().filter(|_| games.len() < n) else {
            break;
        };
        let incoming = &lattice.states[way.state].incoming;
        if incoming.is_empty() {
            let next = |&at: &usize| chain[at].1;
            let moves: Vec<Move> = std::iter::successors(way.moves, next)
                .map(|at| chain[at].0)
                .collect();
            if seen.insert(moves.clone()) {
                games.push((moves, way.total));
            }
        }
        for edge in incoming {
            let moves = match edge.step {
                Step::Move { m, .. } => {
                    chain.push((m, way.moves));
                    Some(chain.len() - 1)
                }
                Step::Skip(_) => way.moves,
            };
            push(&mut heap, edge.from as usize, way.rest + edge.weight, moves);
        }
    }
    games
}

/// For each other move of a ply (from 0): how many plies of the best game that plays it differ from the best game.
pub(super) fn changes(lattice: &Lattice, line: &Line) -> BTreeMap<u16, Vec<(Move, usize)>> {
    let reach = &lattice.reach;
    let onward = lattice.onward();
    let moves_of = |step: Step| match step {
        Step::Move { m, .. } => Some(m),
        Step::Skip(_) => None,
    };
    let best: Vec<Move> = line.edges.iter().filter_map(|e| moves_of(e.step)).collect();
    // The best game through each move of each ply: its weight, and the edge that plays the move.
    let mut through: BTreeMap<u16, Vec<(Move, f32, usize, usize)>> = BTreeMap::new();
    for (i, state) in lattice.states.iter().enumerate() {
        for (k, edge) in state.incoming.iter().enumerate() {
            let Some(m) = moves_of(edge.step) else {
                continue;
            };
            let from = edge.from as usize;
            let total = reach[from].0 + edge.weight + onward[i].0;
            let moves = through.entry(lattice.states[from].ply).or_default();
            match moves.iter_mut().find(|known| known.0 == m) {
                Some(known) if known.1 >= total => {}
                Some(known) => *known = (m, total, i, k),
                None => moves.push((m, total, i, k)),
            }
        }
    }
    let count = |i: usize, k: usize| {
        let mut game = Vec::new();
        let mut at = lattice.states[i].incoming[k].from as usize;
        while let Some(k) = reach[at].1 {
            let edge = lattice.states[at].incoming[k];
            game.extend(moves_of(edge.step));
            at = edge.from as usize;
        }
        game.reverse();
        game.extend(moves_of(lattice.states[i].incoming[k].step));
        let mut at = i;
        while let Some((next, k)) = onward[at].1 {
            game.extend(moves_of(lattice.states[next].incoming[k].step));
            at = next;
        }
        let alike = best.iter().zip(&game).filter(|(a, b)| a == b).count();
        best.len().max(game.len()) - alike
    };
    let other = |ply: u16, moves: Vec<(Move, f32, usize, usize)>| {
        let others = moves.into_iter().filter(|known| {
            Some(&known.0) != best.get(usize::from(ply)) && known.1 > f32::NEG_INFINITY
        });
        others.map(|(m, _, i, k)| (m, count(i, k))).collect()
    };
    through
        .into_iter()
        .map(|(ply, moves)| (ply, other(ply, moves)))
        .collect()
}
