//! The frontier of the beam search: which of the proposed steps become states of the next layer.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Move, Position};

use crate::prior::LastMoves;

use super::beam::{Beam, BeamParameters};
use super::edge_lists::{EdgeList, EdgeLists};
use super::lattice::{ReferencePath, State, StateKey, Termination};
use super::layer_room::LayerRoom;
use super::path::{Edge, Step};
use super::proposal::{Priority, Proposal};

/// What a state stands for on the board. Only the states of the last layer are led on from, so that
/// those before are without it.
#[derive(Debug, Clone)]
pub(super) struct Board {
    pub position: Chess,
    /// The last moves, as far as the prior looks back.
    pub last_moves: LastMoves,
}

/// The states of one layer by what tells them apart.
pub(super) type LayerIndex = FxHashMap<StateKey, u32>;

/// The states and terminations of a search under way.
pub(super) struct BeamFrontier<'a> {
    parameters: &'a BeamParameters,
    /// The best path of an earlier search.
    reference: Option<&'a ReferencePath>,
    pub states: Vec<State>,
    pub edges: EdgeLists,
    /// The boards of the last states.
    boards: Vec<Board>,
    /// Index of the state that the first board is of.
    first_board: usize,
    pub terminations: Vec<Termination>,
    pub beam: Beam,
    /// Number of slots to be searched.
    pub slots: usize,
}

impl<'a> BeamFrontier<'a> {
    /// A search at its beginning: the initial position, before any slot.
    pub(super) fn new(
        parameters: &'a BeamParameters,
        beam: Beam,
        slots: usize,
        reference: Option<&'a ReferencePath>,
    ) -> Self {
        let board = Board {
            position: Chess::default(),
            last_moves: LastMoves::default(),
        };
        let initial = State {
            key: StateKey {
                hash: hash(&board.position),
                ply: 0,
                swapped: false,
            },
            layer: 0,
            diverged: None,
            last_unexplained: 0,
            best: 0.0,
            incoming: EdgeList::default(),
        };
        Self {
            parameters,
            beam,
            slots,
            reference,
            states: vec![initial],
            edges: EdgeLists::default(),
            boards: vec![board],
            first_board: 0,
            terminations: Vec::new(),
        }
    }

    /// The board of one of the last states.
    pub(super) fn board(&self, state: u32) -> &Board {
        &self.boards[state as usize - self.first_board]
    }

    /// Forgets the boards of all states but those of a layer, which are the last ones.
    pub(super) fn keep_boards_of(&mut self, layer: &[u32]) {
        self.boards.drain(..self.boards.len() - layer.len());
        self.first_board = self.states.len() - layer.len();
    }

    /// Takes the best proposals into a layer of at most `room` states and some close ones, merging
    /// those that reach the same position at the same ply.
    pub(super) fn admit(
        &mut self,
        proposals: Vec<Proposal>,
        depth: u16,
        index: &mut LayerIndex,
        layer: &mut Vec<u32>,
        room: usize,
    ) {
        let totals = proposals.iter().map(|proposal| proposal.total);
        let states = layer.iter().map(|&i| self.states[i as usize].best);
        let top = totals.chain(states).fold(f32::NEG_INFINITY, f32::max);
        let mut layer_room = LayerRoom::new(self.parameters, &self.beam, room, layer.len(), top);
        let mut best_first = self.queue_in_window(&proposals, top);
        let enough = self.beam.width * self.parameters.examined_proposals_per_state;
        let mut examined = 0;
        while let Some(priority) = best_first.pop() {
            let proposal = &proposals[priority.number()];
            let has_room = layer_room.has_room(proposal.total);
            if !has_room && examined >= enough {
                break;
            }
            examined += 1;
            let key = self.key_after(proposal);
            if let Some(&at) = index.get(&key) {
                self.merge(at, proposal);
            } else if has_room {
                let (diverged, last_unexplained) = self.divergence_after(proposal, depth, key);
                let bucket = diverged.map(|diverged| (diverged, last_unexplained));
                if !layer_room.try_take(proposal.total, bucket) {
                    continue;
                }
                let mut board = self.board(proposal.from).clone();
                if let Step::Move { m, .. } = proposal.step {
                    board.position.play_unchecked(m);
                    board.last_moves = board.last_moves.after(m);
                }
                let mut incoming = EdgeList::default();
                self.edges.push(&mut incoming, proposal.edge());
                let state = State {
                    key,
                    layer: depth,
                    diverged,
                    last_unexplained,
                    best: proposal.total,
                    incoming,
                };
                self.push(state, board, index, layer);
            }
        }
    }

    /// The proposals within the window of `top`, the best log-weight of a state or proposal.
    fn queue_in_window(&self, proposals: &[Proposal], top: f32) -> BinaryHeap<Priority> {
        let totals = proposals.iter().map(|p| p.total);
        let in_window = totals
            .zip(0u32..)
            .filter(|(total, _)| *total >= top - self.beam.window);
        let priorities = in_window.map(|(total, number)| Priority::new(total, number));
        priorities.collect::<Vec<Priority>>().into()
    }

    /// What tells the state that a proposal leads to from others.
    fn key_after(&self, proposal: &Proposal) -> StateKey {
        let from = &self.states[proposal.from as usize];
        let (hash, ply) = match proposal.step {
            Step::Move { m, .. } => {
                let position = &self.board(proposal.from).position;
                (hash_after(from.key.hash, position, m), from.key.ply + 1)
            }
            Step::Skip(_) => (from.key.hash, from.key.ply),
        };
        StateKey {
            hash,
            ply,
            swapped: from.key.swapped,
        }
    }

    /// The layer in which the game of a proposal left the reference path, if it did, and that of
    /// its last unexplained step.
    fn divergence_after(
        &self,
        proposal: &Proposal,
        depth: u16,
        key: StateKey,
    ) -> (Option<u16>, u16) {
        let from = &self.states[proposal.from as usize];
        let diverged = match (from.diverged, self.reference) {
            (None, Some(reference)) if !reference.contains(&(depth, key)) => Some(depth),
            (diverged, _) => diverged,
        };
        let last_unexplained = if proposal.step.is_explained() {
            from.last_unexplained
        } else {
            depth
        };
        (diverged, last_unexplained)
    }

    /// Joins a proposal to the state of the layer that it leads to.
    fn merge(&mut self, state: u32, proposal: &Proposal) {
        let state = &mut self.states[state as usize];
        if state.incoming.len() < self.parameters.max_edges_per_state {
            self.edges.push(&mut state.incoming, proposal.edge());
            state.best = state.best.max(proposal.total);
        }
    }

    /// Lets the best games of a layer read the other column first from here on, at a cost in nats.
    pub(super) fn swap_columns(&mut self, index: &mut LayerIndex, layer: &mut Vec<u32>, cost: f32) {
        let mut leading = layer.clone();
        self.sort_best_first(&mut leading);
        leading.truncate(self.parameters.max_swap_states);
        let top = leading.first().map(|&i| self.states[i as usize].best);
        for i in leading {
            let state = &self.states[i as usize];
            let best = state.best - cost;
            let key = StateKey {
                swapped: !state.key.swapped,
                ..state.key
            };
            if index.contains_key(&key) || top.is_some_and(|top| best < top - self.beam.window) {
                continue;
            }
            let mut swapped = State {
                key,
                best,
                incoming: EdgeList::default(),
                ..*state
            };
            let incoming: Vec<Edge> = self.edges.iter(state.incoming).map(|(_, e)| *e).collect();
            for mut edge in incoming {
                edge.weight -= cost;
                self.edges.push(&mut swapped.incoming, edge);
            }
            self.push(swapped, self.board(i).clone(), index, layer);
        }
    }

    fn push(&mut self, state: State, board: Board, index: &mut LayerIndex, layer: &mut Vec<u32>) {
        let at = self.states.len() as u32;
        index.insert(state.key, at);
        layer.push(at);
        self.states.push(state);
        self.boards.push(board);
    }

    /// Sorts indices of states by their log-weight; of equals the first.
    pub(super) fn sort_best_first(&self, states: &mut [u32]) {
        let best = |i: u32| self.states[i as usize].best;
        states.sort_by(|&a, &b| best(b).total_cmp(&best(a)).then(a.cmp(&b)));
    }
}

/// The Zobrist hash by which positions are told apart.
pub(super) fn hash(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

/// The hash of the position that a move leads to, updated from that of the position before where
/// the move allows it.
fn hash_after(before: u64, position: &Chess, m: Move) -> u64 {
    let updated = position.update_zobrist_hash(Zobrist64(before), m, EnPassantMode::Legal);
    updated.map_or_else(
        || {
            let mut next = position.clone();
            next.play_unchecked(m);
            hash(&next)
        },
        |updated| updated.0,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Proposes every legal first move, each one nat behind the one before.
    fn proposals() -> Vec<Proposal> {
        let moves = Chess::default().legal_moves();
        let moves = moves.into_iter().zip(0u8..);
        moves
            .map(|(m, i)| Proposal {
                from: 0,
                step: Step::Move {
                    m,
                    slot: Some(0),
                    fit: 0.0,
                },
                weight: -f32::from(i),
                total: -f32::from(i),
            })
            .collect()
    }

    /// The first layer after [`proposals()`], and all states.
    fn admit(
        parameters: &BeamParameters,
        beam: Beam,
        reference: Option<&ReferencePath>,
    ) -> (Vec<u32>, Vec<State>) {
        let mut frontier = BeamFrontier::new(parameters, beam, 1, reference);
        let mut layer = Vec::new();
        let mut index = LayerIndex::default();
        frontier.admit(proposals(), 1, &mut index, &mut layer, beam.width);
        (layer, frontier.states)
    }

    const WIDE: Beam = Beam {
        width: 100,
        window: 100.0,
        close_window: 0.0,
        close_room: 0,
    };

    #[test]
    fn a_layer_holds_the_best_states_within_width_and_window() {
        let parameters = BeamParameters::default();
        let count = |width, window| {
            let beam = Beam {
                width,
                window,
                ..WIDE
            };
            admit(&parameters, beam, None).0.len()
        };
        assert_eq!(
            count(100, 100.0),
            20,
            "the legal moves of the initial position"
        );
        assert_eq!(count(7, 100.0), 7);
        assert_eq!(count(100, 4.5), 5, "0 to 4 nats behind");
        let (layer, states) = admit(&parameters, Beam { width: 3, ..WIDE }, None);
        let best: Vec<f32> = layer.iter().map(|&i| states[i as usize].best).collect();
        assert_eq!(best, [0.0, -1.0, -2.0]);
    }

    #[test]
    fn the_reference_path_stays_when_those_that_left_it_fill_their_bucket() {
        let parameters = BeamParameters {
            open_share: 0.1,
            max_bucket_states: 2,
            ..BeamParameters::default()
        };
        let beam = Beam { width: 10, ..WIDE };
        // Without a reference, the state of the worst proposal is the last of all 20.
        let (_, all) = admit(&BeamParameters::default(), WIDE, None);
        let worst = all.last().unwrap().key;
        let reference = ReferencePath::from_iter([(1, worst)]);
        let (layer, states) = admit(&parameters, beam, Some(&reference));
        let keys: Vec<StateKey> = layer.iter().map(|&i| states[i as usize].key).collect();
        assert_eq!(
            keys.len(),
            3,
            "two that left it in this layer, and the reference"
        );
        assert_eq!(keys[2], worst);
        assert_eq!(states[layer[2] as usize].diverged, None);
        assert_eq!(states[layer[0] as usize].diverged, Some(1));
    }

    #[test]
    fn games_that_reach_the_same_position_are_merged() {
        let parameters = BeamParameters {
            max_edges_per_state: 2,
            ..BeamParameters::default()
        };
        let mut frontier = BeamFrontier::new(&parameters, WIDE, 1, None);
        let three = [0, 1, 2].map(|_| proposals()).into_iter().flatten();
        let (mut layer, mut index) = (Vec::new(), LayerIndex::default());
        frontier.admit(three.collect(), 1, &mut index, &mut layer, 100);
        assert_eq!(layer.len(), 20);
        let edges = layer
            .iter()
            .map(|&i| frontier.states[i as usize].incoming.len());
        assert_eq!(edges.collect::<Vec<_>>(), [2; 20]);
    }
}
