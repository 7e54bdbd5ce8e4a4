//! The lattice of the games that survived the beam search, and its best path.

use rustc_hash::FxHashSet;

use super::edge_lists::{EdgeId, EdgeList, EdgeLists};
use super::path::{Edge, Path, Step};

/// The states of a layer that are told apart: games that agree in these three are merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct StateKey {
    /// Zobrist hash of the position on the board.
    pub hash: u64,
    /// Number of plies played.
    pub ply: u16,
    /// Whether Black's column is read before White's in the rows that follow.
    pub swapped: bool,
}

/// One state of the beam: a position on the board after some slots of the record, reached by one
/// game or by several.
#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    /// What tells it from the other states of its layer: position, number of plies, column order.
    pub key: StateKey,
    /// Number of slots read so far.
    pub layer: u16,
    /// Layer in which its best game left the reference path of an earlier search; none on that
    /// path.
    pub diverged: Option<u16>,
    /// Layer that its last unexplained step led to; 0 where all steps are explained.
    pub last_unexplained: u16,
    /// Log-weight of the best path that leads here, in nats; of an initial state, its own.
    pub best: f32,
    /// The edges that lead here; none for an initial state.
    pub incoming: EdgeList,
}

/// The layers and states that a path passes, by which a further search knows where its games leave
/// it.
pub(super) type ReferencePath = FxHashSet<(u16, StateKey)>;

/// A state at which a game may end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Termination {
    /// Index of the last state.
    pub state: u32,
    /// Log-weight, in nats, of what the remaining slots hold.
    pub weight: f32,
    /// Whether the remaining slots are accounted for.
    pub complete: bool,
}

/// The best way from an initial state to a state (Viterbi).
#[derive(Debug, Clone, Copy)]
pub(super) struct BestPrefix {
    /// Log-weight in nats.
    pub weight: f32,
    /// Its last edge; none for an initial state.
    pub edge: Option<EdgeId>,
}

/// The best way from a state to the end of a game.
#[derive(Debug, Clone, Copy)]
pub(super) struct BestSuffix {
    /// Log-weight in nats.
    pub weight: f32,
    /// The state that comes next and the edge to it; none where the game ends.
    pub next: Option<(u32, EdgeId)>,
}

/// All states of a search and the edges between them.
#[derive(Debug)]
pub(super) struct Lattice {
    pub states: Vec<State>,
    pub edges: EdgeLists,
    pub terminations: Vec<Termination>,
    /// Indices of the states by layer, then by ply, so that every edge leads forward.
    pub order: Vec<u32>,
    /// For each state, the best way to it.
    pub forward: Vec<BestPrefix>,
    /// Log-weight of the best path, in nats.
    pub weight: f32,
}

impl Lattice {
    /// The lattice of these states and terminations.
    pub(super) fn new(
        states: Vec<State>,
        edges: EdgeLists,
        terminations: Vec<Termination>,
    ) -> Self {
        let mut order: Vec<u32> = (0..states.len() as u32).collect();
        order.sort_by_key(|&i| {
            let state = &states[i as usize];
            (state.layer, state.key.ply, i)
        });
        let unreached = BestPrefix {
            weight: f32::NEG_INFINITY,
            edge: None,
        };
        let mut forward = vec![unreached; states.len()];
        for i in order.iter().map(|&i| i as usize) {
            let state = &states[i];
            if state.incoming.is_empty() {
                forward[i].weight = state.best;
            }
            for (id, edge) in edges.iter(state.incoming) {
                let weight = forward[edge.from as usize].weight + edge.weight;
                if weight > forward[i].weight {
                    let edge = Some(id);
                    forward[i] = BestPrefix { weight, edge };
                }
            }
        }
        let totals = terminations
            .iter()
            .map(|t| forward[t.state as usize].weight + t.weight);
        let weight = totals.fold(f32::NEG_INFINITY, f32::max);
        Self {
            states,
            edges,
            terminations,
            order,
            forward,
            weight,
        }
    }

    /// The edges that lead into a state.
    pub(super) fn incoming(&self, state: usize) -> impl Iterator<Item = (EdgeId, &Edge)> {
        self.edges.iter(self.states[state].incoming)
    }

    /// For each state, the best way on to the end of a game.
    pub(super) fn backward(&self) -> Vec<BestSuffix> {
        let unended = BestSuffix {
            weight: f32::NEG_INFINITY,
            next: None,
        };
        let mut backward = vec![unended; self.states.len()];
        for termination in &self.terminations {
            let at = termination.state as usize;
            if termination.weight > backward[at].weight {
                backward[at].weight = termination.weight;
            }
        }
        for &i in self.order.iter().rev() {
            for (id, edge) in self.incoming(i as usize) {
                let weight = backward[i as usize].weight + edge.weight;
                if weight > backward[edge.from as usize].weight {
                    let next = Some((i, id));
                    backward[edge.from as usize] = BestSuffix { weight, next };
                }
            }
        }
        backward
    }

    /// The best path over a record of `slots` slots.
    pub(super) fn best(&self, slots: usize) -> Path {
        let total = |t: &&Termination| self.forward[t.state as usize].weight + t.weight;
        let mut terminations = self.terminations.iter();
        let Some(termination) = terminations.find(|t| total(t) == self.weight) else {
            return Path::default();
        };
        let mut edges = Vec::new();
        let mut at = termination.state as usize;
        while let Some(id) = self.forward[at].edge {
            let edge = *self.edges.get(id);
            edges.push(edge);
            at = edge.from as usize;
        }
        edges.reverse();
        let is_move = |edge: &Edge| matches!(edge.step, Step::Move { .. });
        let behind = edges.iter().rposition(is_move).map_or(0, |last| last + 1);
        let skipped = edges
            .split_off(behind)
            .into_iter()
            .filter_map(|e| e.step.slot());
        let last = &self.states[termination.state as usize];
        let unreached = usize::from(last.layer)..slots;
        let unreached = unreached.map(|layer| slot_after(layer, slots, last.key.swapped));
        Path {
            edges,
            rest: skipped.chain(unreached).collect(),
            complete: termination.complete,
        }
    }

    /// The states that a path passes, but for the last one.
    pub(super) fn reference(&self, path: &Path) -> ReferencePath {
        let states = path
            .edges
            .iter()
            .map(|edge| &self.states[edge.from as usize]);
        states.map(|state| (state.layer, state.key)).collect()
    }
}

/// The slot that is read after `layer` others in a record of `slots` slots: in each row White's
/// column comes first or, where `swapped`, Black's.
pub(super) fn slot_after(layer: usize, slots: usize, swapped: bool) -> usize {
    if swapped && layer ^ 1 < slots {
        layer ^ 1
    } else {
        layer
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use shakmaty::{Move, Role, Square};

    pub fn pawn(from: Square, to: Square) -> Move {
        Move::Normal {
            role: Role::Pawn,
            from,
            capture: None,
            to,
            promotion: None,
        }
    }

    /// The state of a layer that these edges lead to: state of origin, move or none, weight.
    fn state(
        lists: &mut EdgeLists,
        layer: u16,
        ply: u16,
        edges: &[(u32, Option<Move>, f32)],
    ) -> State {
        let mut incoming = EdgeList::default();
        for &(from, m, weight) in edges {
            let slot = layer - 1;
            let step = m.map_or(Step::Skip(slot), |m| Step::Move {
                m,
                slot: Some(slot),
                fit: weight,
            });
            lists.push(&mut incoming, Edge { from, step, weight });
        }
        State {
            key: StateKey {
                hash: u64::from(layer) << 32 | u64::from(ply),
                ply,
                swapped: false,
            },
            layer,
            diverged: None,
            last_unexplained: 0,
            best: 0.0,
            incoming,
        }
    }

    pub const E4: (Square, Square) = (Square::E2, Square::E4);
    pub const D4: (Square, Square) = (Square::D2, Square::D4);
    pub const E5: (Square, Square) = (Square::E7, Square::E5);
    pub const D5: (Square, Square) = (Square::D7, Square::D5);

    /// Two slots. White plays e4 or d4, Black e5 or d5; after either the second slot may be
    /// skipped. The six paths with their log-weights, in the order of `paths`: e4 e5, e4 d5, d4 e5,
    /// d4 d5, e4 -, d4 -.
    pub fn lattice() -> Lattice {
        let m = |(from, to)| Some(pawn(from, to));
        let mut lists = EdgeLists::default();
        let mut state = |layer, ply, edges: &[_]| state(&mut lists, layer, ply, edges);
        let states = vec![
            state(0, 0, &[]),
            state(1, 1, &[(0, m(E4), -0.5)]),
            state(1, 1, &[(0, m(D4), -1.5)]),
            state(2, 2, &[(1, m(E5), -0.25), (2, m(E5), -2.0)]),
            state(2, 2, &[(1, m(D5), -3.0), (2, m(D5), -0.125)]),
            state(2, 1, &[(1, None, -4.0)]),
            state(2, 1, &[(2, None, -5.0)]),
        ];
        let terminations = (3..7).map(|state| Termination {
            state,
            weight: -1.0,
            complete: true,
        });
        Lattice::new(states, lists, terminations.collect())
    }

    /// The moves and log-weight of each path of [`lattice()`].
    pub fn paths() -> [(Vec<Move>, f32); 6] {
        let moves = |moves: &[(Square, Square)]| -> Vec<Move> {
            moves.iter().map(|&(from, to)| pawn(from, to)).collect()
        };
        [
            (moves(&[E4, E5]), -0.5 - 0.25 - 1.0),
            (moves(&[E4, D5]), -0.5 - 3.0 - 1.0),
            (moves(&[D4, E5]), -1.5 - 2.0 - 1.0),
            (moves(&[D4, D5]), -1.5 - 0.125 - 1.0),
            (moves(&[E4]), -0.5 - 4.0 - 1.0),
            (moves(&[D4]), -1.5 - 5.0 - 1.0),
        ]
    }

    #[test]
    fn the_best_path_is_the_heaviest_of_all() {
        let lattice = lattice();
        let best = lattice.best(2);
        assert_eq!((best.played_moves().collect(), lattice.weight), paths()[0]);
        assert!(best.complete && best.rest.is_empty());
    }

    #[test]
    fn forward_and_backward_weights_meet_in_every_state() {
        let lattice = lattice();
        let backward = lattice.backward();
        // Through the state after d4, the heaviest path is d4 d5.
        let through = lattice.forward[2].weight + backward[2].weight;
        assert_eq!(through, paths()[3].1);
        assert_eq!(backward[0].weight, lattice.weight);
    }

    #[test]
    fn swapped_columns_exchange_the_slots_of_a_row_but_for_a_last_half_row() {
        let order: Vec<usize> = (0..5).map(|layer| slot_after(layer, 5, true)).collect();
        assert_eq!(order, [1, 0, 3, 2, 4]);
    }
}
